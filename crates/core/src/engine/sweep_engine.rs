//! Engines that find what a moving sphere touches.

use super::for_pointers::for_pointers;
use crate::collect::{MeshTriangle, SweepCollector};
use crate::engine::Engine;

/// Finds the triangles that a moving sphere may touch first.
///
/// As with rays, an engine only supplies candidates. [`SweepQuery`](crate::SweepQuery), which every
/// such engine has, certifies, orders and rounds them in exact arithmetic, the same for every
/// engine.
///
/// The trait is object-safe, as [`PointEngine`](crate::PointEngine) is.
pub trait SweepEngine: Engine<Primitive: MeshTriangle> {
    /// Offers the collector every triangle that the sphere touches at a time from 0 to
    /// [`SweepCollector::limit`], each at most once, in any order, until the collector breaks. The
    /// limit may fall with every offer. Other triangles may be offered too.
    ///
    /// The sphere touches a triangle only while its centre is inside the triangle's box widened by
    /// the radius on each side.
    fn visit_swept(&self, collector: &mut SweepCollector);
}

for_pointers! { [E: SweepEngine] SweepEngine, {
    fn visit_swept(&self, collector: &mut SweepCollector) {
        (**self).visit_swept(collector);
    }
} }
