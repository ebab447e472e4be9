//! Traversal with a ray of another space, such as the world that an object is placed in.
//!
//! The ray is known in the tree's space with bounds of its errors ([`MappedRay`]). The kernels of
//! single rays take these as part of the error of the origin (`mapped_frame.rs`), so they lose no
//! triangle that the exact ray hits. Candidates go to a [`TriangleSink`], which decides about them in
//! the other space; only their number, where that is wanted, may be known without it. Rays that are unfit
//! for `f32` are traversed by a test of boxes in that space ([`visit_boxes`]). A tree over items instead of
//! triangles is traversed in the same ways (`item_walk.rs`).

mod item_walk;
mod mapped_frame;
mod mapped_walk;
mod wide_box;

pub(super) use item_walk::LARGE;
pub(crate) use item_walk::{visit_items, visit_items_by_boxes};
pub use mapped_frame::MappedRay;
pub(super) use mapped_frame::{MappedFrame, SIZES, longest};
pub(crate) use mapped_walk::{visit_boxes, visit_mapped};
pub use wide_box::{PlacedReach, WideBox, WideBoxTest};

use core::ops::ControlFlow;
use estoc_core::{HitRule, PrimId, Triangle};

/// Takes the triangles that a ray of another space may hit.
pub trait TriangleSink {
    /// Returns whether any hit will do and which hits count, if triangles that are certainly hit may be
    /// given to `count` instead of `offer`: the limit and the least parameter of the traversal must then
    /// be those of the ray. Returns `None` if all have to be offered.
    fn counts(&self) -> Option<(bool, HitRule<PrimId>)>;

    /// Takes a candidate. Returns the parameter beyond which nothing is wanted any more; `None` ends the
    /// traversal.
    fn offer(&mut self, prim: PrimId, triangle: &Triangle) -> Option<f64>;

    /// Takes `hits >= 1` certain hits that count by `counts`, on triangles that are not offered.
    fn count(&mut self, hits: usize) -> ControlFlow<()>;
}

/// Takes the items that a ray may hit.
pub trait ItemSink {
    /// Is told of an item that it may be given soon, to [prefetch](crate::object_space::prefetch) what it reads then.
    /// Only where the tree is large.
    fn prefetch(&self, item: u32) {
        let _ = item;
    }

    /// Takes an item, with a lower bound of the parameters at which the ray is in its box. Returns the
    /// parameter beyond which nothing is wanted any more; `None` ends the traversal.
    fn enter(&mut self, item: u32, entry: f64) -> Option<f64>;
}

/// How a traversal ended: with the parameter beyond which nothing is wanted any more, or `None` if the
/// sink ended it.
pub type Visited = Option<f64>;
