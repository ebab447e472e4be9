//! Engines that find what touches a region.

use super::for_pointers::for_pointers;
use crate::collect::RegionCollector;
use crate::engine::Engine;
use crate::shapes::Triangle;

/// Finds the triangles that may have a point in a region.
///
/// As with rays, an engine only supplies candidates. [`RegionQuery`](crate::RegionQuery), which every
/// such engine has, certifies and orders them in exact arithmetic, the same for every engine.
///
/// The trait is object-safe: `Box<dyn RegionEngine>` answers every query about regions and about
/// rays.
pub trait RegionEngine: Engine<Primitive = Triangle> {
    /// Offers the collector every triangle that may have a point in its
    /// region (`RegionCollector::place_box`), each at most once, in any order, until the collector
    /// breaks.
    ///
    /// Other triangles may be offered too. Triangles in a box that is certainly
    /// [inside](crate::BoxPosition::Inside) the region can be offered by
    /// [`offer_inside`](RegionCollector::offer_inside), which tests them no further.
    fn visit_region(&self, collector: &mut RegionCollector<'_>);
}

for_pointers! { [E: RegionEngine] RegionEngine, {
    fn visit_region(&self, collector: &mut RegionCollector<'_>) {
        (**self).visit_region(collector);
    }
} }
