//! Searches the best place for a node in a tree.

use super::topology::{NodeBounds, Topology, sibling};

/// A move: a node, and the one whose sibling it becomes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    pub from: u32,
    pub to: u32,
    /// The decrease of the total area of all inner nodes.
    pub gain: f64,
}

/// The largest number of places that are tried for one node. Where the boxes of a scene overlap
/// heavily, hardly anything can be pruned, and a search would traverse the whole tree.
const PLACES: usize = 300;

/// Buffers of a search, reused by the next.
#[derive(Default)]
pub(super) struct Search {
    /// Places still to try, each with an upper bound of its gain: the area saved by removing the
    /// node from where it is, less the growth of the boxes above the place.
    pending: Vec<(f64, u32)>,
}

impl Search {
    /// Returns the move of a node with the largest gain, if any gains, by branch and bound from the
    /// node's own neighbourhood outwards. The node is neither the root nor one of its children.
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
        // Without the node, its parent goes too.
        let mut gain = topology.hull(parent).half_area();
        let mut rest = topology.hull(own);
        let mut aside = own;
        let mut above = parent;
        loop {
            self.pending.push((gain, aside));
            while let Some((gain, place)) = self.pending.pop() {
                // The new inner node has at least the area of the moved one.
                if gain - area <= best.gain || left == 0 {
                    continue;
                }
                left -= 1;
                let target = topology.node(place);
                let hull = NodeBounds::of(target);
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
            // Every box on the way up shrinks to what remains in it.
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
