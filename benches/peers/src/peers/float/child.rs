//! The child in a lane of a node, in 32 bits.

use super::leaf::WIDTH;
use super::node::Node;
use bytemuck::{Pod, Zeroable};

/// A node, as an offset in bytes; or, with the highest bit set, a leaf: three bits for the number
/// of its triangles less one, the others for the offset of its rows, in units of two numbers.
/// Either address takes one addition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(transparent)]
pub(super) struct Child(u32);

const LEAF: u32 = 1 << 31;
const LEN_SHIFT: u32 = 28;
const PLACE: u32 = (1 << LEN_SHIFT) - 1;

impl Child {
    pub(super) const ROOT: Child = Child(0);
    /// The sentinel at the bottom of the stack. It looks like a leaf, so that the descent needs no
    /// test for it; `leaf` never returns it.
    pub(super) const END: Child = Child(u32::MAX);

    /// Returns the child for the node at index `place`; `None` when its offset needs more than 31
    /// bits.
    pub(super) fn node(place: usize) -> Option<Self> {
        let bytes = u32::try_from(place * size_of::<Node>()).ok()?;
        (bytes < LEAF).then_some(Child(bytes))
    }

    /// Returns the child for a leaf of one to eight triangles, whose rows begin at an even index;
    /// `None` when the offset needs more than 28 bits.
    pub(super) fn leaf(first: usize, len: usize) -> Option<Self> {
        assert!(first.is_multiple_of(2) && (1..=WIDTH).contains(&len));
        let place = u32::try_from(first / 2).ok()?;
        (place < PLACE).then_some(Child(LEAF | (len as u32 - 1) << LEN_SHIFT | place))
    }

    #[inline(always)]
    pub(super) fn is_node(self) -> bool {
        self.0 < LEAF
    }

    /// Returns the offset of a node in bytes.
    #[inline(always)]
    pub(super) fn bytes(self) -> usize {
        self.0 as usize
    }

    /// Returns the index of a leaf's first number.
    #[inline(always)]
    pub(super) fn first(self) -> usize {
        2 * (self.0 & PLACE) as usize
    }

    /// Returns the number of triangles of a leaf.
    #[inline(always)]
    pub(super) fn len(self) -> usize {
        ((self.0 & !LEAF) >> LEN_SHIFT) as usize + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_goes_in_comes_out() {
        for place in [0, 1, 77, (1 << 23) - 1] {
            let child = Child::node(place).expect("near enough");
            assert!(child.is_node());
            assert_eq!(child.bytes(), 256 * place);
        }
        assert_eq!(Child::node(1 << 23), None);
        for (first, len) in [(0, 1), (20, 8), (2 * (PLACE as usize - 1), 8)] {
            let child = Child::leaf(first, len).expect("near enough");
            assert!(!child.is_node() && child != Child::END);
            assert_eq!((child.first(), child.len()), (first, len));
        }
        assert_eq!(Child::leaf(2 * PLACE as usize, 8), None);
    }
}
