//! The tree over the placements of a scene: binary, split at the median, with one placement a leaf.
//!
//! It is the simplest tree whose depth is bounded. A wide tree over boxes is to replace it.

use crate::world_box::WideBox;

/// At most 32 levels below the root for 2^32 placements.
pub(crate) const MOST_WAITING: usize = 40;

#[derive(Clone, Copy, Debug)]
pub(crate) struct TreeNode {
    pub(crate) bounds: WideBox,
    pub(crate) child: TreeChild,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum TreeChild {
    /// The index of a placement.
    Placement(u32),
    /// The index of the first of two nodes.
    Nodes(u32),
}

#[derive(Clone, Debug, Default)]
pub(crate) struct PlacementTree {
    /// The root is the first.
    nodes: Vec<TreeNode>,
}

impl PlacementTree {
    /// Builds a tree over boxes that are not empty, given with the index of the placement.
    pub(crate) fn new(mut boxes: Vec<(u32, WideBox)>) -> Self {
        let mut nodes = Vec::with_capacity(2 * boxes.len());
        if !boxes.is_empty() {
            nodes.push(TreeNode {
                bounds: WideBox::EMPTY,
                child: TreeChild::Nodes(0),
            });
            build(&mut nodes, 0, &mut boxes);
        }
        PlacementTree { nodes }
    }

    pub(crate) fn root(&self) -> Option<&TreeNode> {
        self.nodes.first()
    }

    pub(crate) fn pair(&self, first: u32) -> [&TreeNode; 2] {
        let first = first as usize;
        [&self.nodes[first], &self.nodes[first + 1]]
    }

    pub(crate) fn bounds(&self) -> Option<WideBox> {
        self.root().map(|root| root.bounds)
    }
}

/// Writes the node at a place, and all below it.
fn build(nodes: &mut Vec<TreeNode>, place: usize, boxes: &mut [(u32, WideBox)]) {
    let all = boxes.iter();
    let bounds = all.fold(WideBox::EMPTY, |all, (_, of)| all.join(of));
    if let [(index, _)] = boxes {
        let child = TreeChild::Placement(*index);
        nodes[place] = TreeNode { bounds, child };
        return;
    }
    let middle = |of: &WideBox, axis: usize| of.min[axis] * 0.5 + of.max[axis] * 0.5;
    let length = |axis: usize| {
        let middles = || boxes.iter().map(|(_, of)| middle(of, axis));
        let (low, high) = (
            middles().fold(f64::MAX, f64::min),
            middles().fold(f64::MIN, f64::max),
        );
        high * 0.5 - low * 0.5
    };
    let axis = (0..3).max_by(|&a, &b| length(a).total_cmp(&length(b)));
    let axis = axis.expect("three axes");
    let half = boxes.len() / 2;
    boxes.select_nth_unstable_by(half, |(i, a), (j, b)| {
        middle(a, axis).total_cmp(&middle(b, axis)).then(i.cmp(j))
    });
    let first = nodes.len();
    let empty = TreeNode {
        bounds: WideBox::EMPTY,
        child: TreeChild::Nodes(0),
    };
    nodes.extend([empty, empty]);
    let child = TreeChild::Nodes(first as u32);
    nodes[place] = TreeNode { bounds, child };
    let (low, high) = boxes.split_at_mut(half);
    build(nodes, first, low);
    build(nodes, first + 1, high);
}
