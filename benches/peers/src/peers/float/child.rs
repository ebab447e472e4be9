//! What a lane of a node leads to, in 32 bits.

use super::leaf::WIDTH;
use super::node::Node;

/// A node, by its place in bytes; or, with the highest bit set, a leaf: three bits for the
/// number of its triangles less one, the others for where its rows are, in units of two
/// numbers. So both are one addition away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub(super) struct Child(u32);

const LEAF: u32 = 1 << 31;
const LEN_SHIFT: u32 = 28;
const PLACE: u32 = (1 << LEN_SHIFT) - 1;

impl Child {
    pub(super) const ROOT: Child = Child(0);
    /// No child but the bottom of the stack. It looks like a leaf, so that nothing needs to
    /// ask for it on the way down; `leaf` never gives it.
    pub(super) const END: Child = Child(u32::MAX);

    /// `None` when that is too far for 31 bits.
    pub(super) fn node(place: usize) -> Option<Self> {
        let bytes = u32::try_from(place * size_of::<Node>()).ok()?;
        (bytes < LEAF).then_some(Child(bytes))
    }

    /// One to eight triangles, whose rows begin at an even number; `None` when that is too far
    /// for 28 bits.
    pub(super) fn leaf(first: usize, len: usize) -> Option<Self> {
        assert!(first.is_multiple_of(2) && (1..=WIDTH).contains(&len));
        let place = u32::try_from(first / 2).ok()?;
        (place < PLACE).then_some(Child(LEAF | (len as u32 - 1) << LEN_SHIFT | place))
    }

    #[inline(always)]
    pub(super) fn is_node(self) -> bool {
        self.0 < LEAF
    }

    /// Of a node, its place in bytes.
    #[inline(always)]
    pub(super) fn bytes(self) -> usize {
        self.0 as usize
    }

    /// Of a leaf, its first number.
    #[inline(always)]
    pub(super) fn first(self) -> usize {
        2 * (self.0 & PLACE) as usize
    }

    /// Of a leaf, how many triangles it has.
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
