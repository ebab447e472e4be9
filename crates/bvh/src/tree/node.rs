//! The node and the leaf's triangle, as queries read them.

use crate::build::Bounds;
use estoc_core::{PrimId, Triangle};

/// A box, and what is in it: a run of triangles, or two nodes that stand side by side.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub(crate) struct Node {
    pub(crate) min: [f32; 3],
    /// In a leaf the slot of its first triangle; in an inner node the number of its pair of
    /// children, which are nodes `2 * pair + 1` and `2 * pair + 2`. So 2^32 triangles are
    /// within reach of 32 bits.
    first_or_pair: u32,
    pub(crate) max: [f32; 3],
    /// How many triangles a leaf has; 0 in an inner node.
    len: u32,
}

const _: () = assert!(size_of::<Node>() == 32);

/// What a node holds.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Content {
    /// The slots `first .. first + len`.
    Leaf { first: usize, len: usize },
    /// The nodes `left` and `left + 1`.
    Inner { left: usize },
}

impl Node {
    pub(crate) fn leaf(bounds: &Bounds, first: usize, len: usize) -> Self {
        Node {
            min: bounds.min,
            first_or_pair: first as u32,
            max: bounds.max,
            len: len as u32,
        }
    }

    /// `left` is odd: node 0 is the root, and all others come in pairs.
    pub(crate) fn inner(bounds: &Bounds, left: usize) -> Self {
        Node {
            min: bounds.min,
            first_or_pair: ((left - 1) / 2) as u32,
            max: bounds.max,
            len: 0,
        }
    }

    #[inline]
    pub(crate) fn content(&self) -> Content {
        if self.len > 0 {
            Content::Leaf {
                first: self.first_or_pair as usize,
                len: self.len as usize,
            }
        } else {
            Content::Inner {
                left: 2 * self.first_or_pair as usize + 1,
            }
        }
    }

    /// Half the surface, in `f64` so that nothing overflows.
    pub(crate) fn half_area(&self) -> f64 {
        Bounds {
            min: self.min,
            max: self.max,
        }
        .half_area()
    }

    /// Whether `min ..= max` lies in the box.
    pub(crate) fn contains(&self, min: [f32; 3], max: [f32; 3]) -> bool {
        (0..3).all(|axis| self.min[axis] <= min[axis] && max[axis] <= self.max[axis])
    }
}

/// A triangle in the order of the leaves. Its place is a slot; its name is the caller's.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LeafTriangle {
    pub(crate) triangle: Triangle,
    pub(crate) prim: PrimId,
}

const _: () = assert!(size_of::<LeafTriangle>() == 40);
