//! Writes leaves of one item each.

use super::boxes::Boxes;
use super::budget::Budget;
use super::collapse::collapse;
use super::leaf_kind::LeafKind;
use super::quality::OF_ITEMS;
use super::recursion::Builder;
use super::unfinished::Unfinished;
use super::watch::BuildWatch;
use super::wide_plan::WidePlan;
use crate::wide::Node;
use estoc_system::Arena;
use fearless_simd::Level;

/// Leaves of the numbers of items.
struct ItemLeaves;

/// Returns the nodes of the wide tree over these boxes, with one item a leaf, and the number of the
/// item in each leaf.
pub(crate) fn tree_over_boxes(
    boxes: &impl Boxes,
    level: Level,
) -> Result<(Arena<Node>, Arena<u32>), Unfinished> {
    let watch = BuildWatch::new(None, None, 0);
    let memory = Budget::default();
    let builder = Builder {
        settings: OF_ITEMS,
        level,
        watch: &watch,
        memory,
        leaf_bytes: size_of::<u32>(),
    };
    let tree = builder.build(boxes)?;
    let plan = WidePlan::of(&tree, 1, &watch)?;
    collapse(tree, (&plan, None), &ItemLeaves, &watch, memory)
}

impl LeafKind for ItemLeaves {
    fn numbers_each(&self) -> usize {
        1
    }

    fn spare(&self) -> usize {
        0
    }

    fn write(&self, names: &[u32], _: &[u8], numbers: &mut [u32]) {
        numbers.copy_from_slice(names);
    }
}
