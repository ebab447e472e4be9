//! The best place for a node in a tree.

use super::topology::{Hull, Topology, sibling};

/// A node, and the one whose sibling it is to become.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    pub from: u32,
    pub to: u32,
    /// By how much the area of all inner nodes falls.
    pub gain: f64,
}

/// Most places that are looked at for one node. Where the boxes of a scene overlap as a rule
/// hardly anything can be ruled out, and a search would go through all of the tree.
const PLACES: usize = 300;

/// What a search needs, kept from one to the next.
#[derive(Default)]
pub(super) struct Search {
    /// Places still to be looked at, with what it gains at the best to go there: the area that
    /// falls without the node where it is, less what boxes above the place grow by.
    pending: Vec<(f64, u32)>,
}

impl Search {
    /// The move of a node that gains most, if any gains; by branch and bound, from the node's
    /// own neighbourhood outwards. The node is not the root nor one of its children.
    pub(super) fn best(&mut self, topology: &Topology, from: u32) -> Option<Step> {
        let moved = topology.hull(from);
        let area = moved.half_area();
        let parent = topology.parent(from);
        let own = sibling(from);
        let mut best = Step {
            from,
            to: own,
            gain: 0.0,
        };
        let mut left = PLACES;
        // Without the node, its parent is not needed.
        let mut gain = topology.hull(parent).half_area();
        let mut rest = topology.hull(own);
        let mut aside = own;
        let mut above = parent;
        loop {
            self.pending.push((gain, aside));
            while let Some((gain, place)) = self.pending.pop() {
                // The new inner node has at least the area of the one that is moved.
                if gain - area <= best.gain || left == 0 {
                    continue;
                }
                left -= 1;
                let target = topology.node(place);
                let hull = Hull::of(target);
                let here = gain - hull.join(&moved).half_area();
                if here > best.gain {
                    best = Step {
                        from,
                        to: place,
                        gain: here,
                    };
                }
                // Further down, this box grows to the joined one.
                let below = here + hull.half_area();
                if !target.is_leaf() && below - area > best.gain {
                    self.pending.push((below, target.first));
                    self.pending.push((below, target.first + 1));
                }
            }
            // Every box on the way up shrinks to what is left in it.
            if above != parent {
                rest = rest.join(&topology.hull(aside));
                gain += topology.hull(above).half_area() - rest.half_area();
            }
            if above == 0 || left == 0 {
                break;
            }
            aside = sibling(above);
            above = topology.parent(above);
        }
        (best.to != own).then_some(best)
    }
}
