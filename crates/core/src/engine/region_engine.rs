//! Engines that find what touches a region, or the nearest triangles of two meshes.

use super::for_pointers::for_pointers;
use crate::collect::{MeshTriangle, RegionCollector};
use crate::engine::Engine;
use crate::exact::pair::{NearestPair, PairTriangle};
use crate::work::CancelToken;

/// Finds the triangles that may have a point in a region.
///
/// As with rays, an engine only supplies candidates. [`RegionQuery`](crate::RegionQuery), which every
/// such engine has, certifies and orders them in exact arithmetic, the same for every engine.
///
/// The trait is object-safe: `Box<dyn RegionEngine<Primitive = Triangle>>` answers every query about regions and
/// about rays.
pub trait RegionEngine: Engine<Primitive: MeshTriangle> {
    /// Offers the collector every triangle that may have a point in its
    /// region (`RegionCollector::place_box`), each at most once, in any order, until the collector
    /// breaks.
    ///
    /// Other triangles may be offered too. Triangles in a box that is certainly
    /// [inside](crate::BoxPosition::Inside) the region can be offered by
    /// [`offer_inside`](RegionCollector::offer_inside), which tests them no further.
    fn visit_region(&self, collector: &mut RegionCollector<'_>);
}

/// Finds the pairs of triangles, one of each of two meshes, that may be the nearest.
///
/// [`PairQuery`](crate::PairQuery), which every such engine implements, has the questions. The candidates
/// are certified and ordered in exact arithmetic, the same for every engine. It cannot be implemented outside
/// of estoc.
pub trait PairEngine {
    /// The triangles that are measured.
    #[doc(hidden)]
    type Measured: PairTriangle;

    /// Offers every pair of triangles that may be the nearest one. Returns `None` if the token was set
    /// before it was known.
    #[doc(hidden)]
    fn nearest_pair(
        &self,
        other: &Self,
        nearest: NearestPair<Self::Measured>,
        cancel: &CancelToken,
    ) -> Option<NearestPair<Self::Measured>>;
}

for_pointers! { [E: RegionEngine] RegionEngine, {
    fn visit_region(&self, collector: &mut RegionCollector<'_>) {
        (**self).visit_region(collector);
    }
} }
