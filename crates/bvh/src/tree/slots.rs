//! The place of each primitive in the tree.

use crate::wide::WideTree;
use estoc_core::PrimId;

/// By primitive: its leaf, and its index in the leaf.
#[derive(Clone, Debug)]
pub(super) struct Slots(Vec<Slot>);

#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    first: u32,
    /// 0 if the tree has no such primitive.
    len: u8,
    place: u8,
}

impl Slots {
    pub(super) fn of(tree: &WideTree) -> Self {
        let mut slots = vec![Slot::default(); tree.leaves.len()];
        for (first, len) in tree.leaf_ranges() {
            let leaves = tree.view();
            for place in 0..len {
                if let Some(slot) = slots.get_mut(leaves.prim(first, len, place).index()) {
                    *slot = Slot {
                        first: first as u32,
                        len: len as u8,
                        place: place as u8,
                    };
                }
            }
        }
        Slots(slots)
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val::<[Slot]>(&self.0)
    }

    /// Returns the first slot of the leaf, its length, and the primitive's index in it.
    pub(super) fn get(&self, prim: PrimId) -> Option<(usize, usize, usize)> {
        let slot = self.0.get(prim.index()).filter(|slot| slot.len > 0)?;
        Some((slot.first as usize, slot.len.into(), slot.place.into()))
    }
}
