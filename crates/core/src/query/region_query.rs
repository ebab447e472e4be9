//! Queries about regions and pairs of meshes.

use crate::collect::{RegionCollector, RegionGoal};
use crate::compact_sort::sort_compactly;
use crate::engine::{Engine, PairEngine, RegionEngine};
use crate::exact::{
    pair::{Intersection, LeastOf, NearestPair},
    region::Region,
    section::{Section, SectionBuilder},
};
use crate::shapes::{JoinedTriangle, Plane, PrimId, Triangle64};
use crate::work::CancelToken;
use alloc::vec::Vec;
use core::ops::{ControlFlow, Range};

/// The numbers of an engine's triangles.
pub type CoordinateOf<E> = <<E as Engine>::Primitive as JoinedTriangle>::Coordinate;

/// Queries about the triangles that have a point in a region.
///
/// Every [`RegionEngine`] implements them, and none can override them: an engine supplies
/// candidates, and the answers are computed here, in exact arithmetic, the same for every engine.
///
/// # Rules for all queries
/// - Regions and triangles are closed: what only touches has a common point.
/// - Regions are solid but for planes and triangles, so triangles inside a region count.
/// - A triangle without area has no points, neither in the mesh nor as a region, and the empty box
///   has none.
/// - Masks have no effect: regions see every triangle.
pub trait RegionQuery: RegionEngine {
    /// Returns the triangles that have a point in the region, by id.
    ///
    /// ```
    /// # use estoc_core as estoc;
    /// use estoc::{Aabb, BruteForce, RegionQuery, Sphere, Triangle};
    /// let sheet = |z| Triangle::new([0.0, 0.0, z], [4.0, 0.0, z], [0.0, 4.0, z]);
    /// let engine = BruteForce::new([8.0, 2.0, 5.0].map(sheet));
    /// let ids = |found: Vec<estoc::PrimId>| found.iter().map(|prim| prim.get()).collect::<Vec<_>>();
    /// let sphere = Sphere::try_new([-3.0, 1.0, 6.0], 5.0)?;
    /// assert_eq!(ids(engine.overlaps(&sphere)), [0, 1, 2]); // touches triangle 1 at its edge
    /// let flat = Aabb::try_new([1.0, 1.0, 5.0], [9.0, 9.0, 7.0])?;
    /// assert_eq!(ids(engine.overlaps(&flat)), [2]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    #[doc(alias = "intersects_box")]
    #[doc(alias = "shapecast")]
    fn overlaps(&self, region: &dyn Region) -> Vec<PrimId> {
        let goal = RegionGoal::All(Vec::new());
        let Some(mut collector) = RegionCollector::new(region, goal) else {
            return Vec::new();
        };
        self.visit_region(&mut collector);
        collector.all_found()
    }

    /// Returns whether any triangle has a point in the region.
    ///
    /// ```
    /// # use estoc_core as estoc;
    /// use estoc::{BruteForce, RegionQuery, Triangle};
    /// let sheet = Triangle::new([0.0; 3], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]);
    /// let upright = Triangle::new([2.0, 2.0, -1.0], [2.0, 2.0, 1.0], [9.0, 9.0, 0.0]);
    /// assert!(BruteForce::new([sheet]).any_overlap(&upright)); // edges meet in a point
    /// ```
    #[must_use]
    #[doc(alias = "overlap_test")]
    fn any_overlap(&self, region: &dyn Region) -> bool {
        let Some(mut collector) = RegionCollector::new(region, RegionGoal::Any(false)) else {
            return false;
        };
        self.visit_region(&mut collector);
        collector.any_found()
    }

    /// Calls `visit` with the triangles that may have a point in the region, each once and in any order,
    /// until it breaks: with all whose corners' hull has one, triangles without area included, and with
    /// others nearby, which depend on the engine.
    ///
    /// For queries that decide by themselves, such as sections. Triangles of a mesh in `f32` are given in `f64`, with
    /// the same corners.
    ///
    /// ```
    /// # use estoc_core as estoc;
    /// use estoc::{BruteForce, Plane, RegionQuery, Triangle};
    /// use std::ops::ControlFlow;
    /// let needle = Triangle::new([0.0; 3], [0.0, 0.0, 1.0], [0.0, 0.0, 2.0]);
    /// let engine = BruteForce::new([needle]);
    /// let plane = Plane::from_offset([0.0, 0.0, 1.0], 0.5)?;
    /// let mut count = 0;
    /// engine.for_each_candidate(&plane, &mut |_, _| {
    ///     count += 1;
    ///     ControlFlow::Continue(())
    /// });
    /// assert_eq!((count, engine.any_overlap(&plane)), (1, false));
    /// # Ok::<(), estoc::PlaneError>(())
    /// ```
    fn for_each_candidate(
        &self,
        region: &dyn Region,
        visit: &mut dyn FnMut(PrimId, &Triangle64) -> ControlFlow<()>,
    ) {
        let goal = RegionGoal::Candidates(visit);
        if let Some(mut collector) = RegionCollector::new(region, goal) {
            self.visit_region(&mut collector);
        }
    }

    /// Returns the cut of the mesh with a plane, as polylines; those of a closed mesh are closed.
    ///
    /// A corner on the plane counts as in front of it. So of a face in the plane, the cut has the
    /// outline where the mesh goes on behind the plane, and nothing where it goes on in front.
    /// Pieces without length are left out. Triangles without area are not part of the cut, but
    /// connect their neighbours. Where more than two triangles meet at an edge, the one of lowest id
    /// is connected with the lowest one that continues its direction, then the next.
    ///
    /// ```
    /// # use estoc_core as estoc;
    /// use estoc::{BruteForce, Plane, RegionQuery, Triangle};
    /// let [a, b, c, d] = [[0.0; 3], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0]];
    /// let faces = [[a, c, b], [a, b, d], [b, c, d], [a, d, c]];
    /// let engine = BruteForce::new(faces.map(|[a, b, c]| Triangle::new(a, b, c)));
    /// let section = engine.section(&Plane::from_offset([0.0, 0.0, 1.0], 1.0)?);
    /// let outline = &section.polylines[0];
    /// assert!(outline.is_closed);
    /// let corners = outline.points.iter().map(|point| point.point.to_array());
    /// assert!(corners.eq([[0.0, 0.0, 1.0], [3.0, 0.0, 1.0], [0.0, 3.0, 1.0]]));
    /// # Ok::<(), estoc::PlaneError>(())
    /// ```
    #[must_use]
    #[doc(alias = "slice")]
    #[doc(alias = "cross_section")]
    fn section(&self, plane: &Plane<CoordinateOf<Self>>) -> Section<CoordinateOf<Self>> {
        let mut section = SectionBuilder::new(*plane);
        self.for_each_candidate(plane, &mut |prim, triangle| {
            section.offer(prim, triangle);
            ControlFlow::Continue(())
        });
        section.finish()
    }

    /// Calls `visit` with every pair of triangles of the mesh that intersect, by the lower id and then
    /// by the greater one, until it breaks.
    ///
    /// Two triangles intersect if they have a common point that does not lie between the corners that
    /// they share by position. So neighbours along an edge or at a corner do not intersect unless they
    /// fold onto each other or pass through each other. Triangles with the same three corners always
    /// overlap. Triangles without area intersect nothing.
    ///
    /// The tree is traversed once for each triangle, and nothing is stored but the pairs of one
    /// triangle. Batches do the same in parallel.
    ///
    /// ```
    /// # mod estoc { pub use estoc_core::*; pub mod query { pub use estoc_core::*; } }
    /// use estoc::{BruteForce, RegionQuery, Triangle, query::{Intersection, IntersectionKind}};
    /// use std::ops::ControlFlow;
    /// let sheet = Triangle::new([0.0; 3], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]);
    /// let neighbour = Triangle::new([4.0, 0.0, 0.0], [0.0; 3], [1.0, -4.0, 0.0]);
    /// let through = Triangle::new([1.0, 1.0, -1.0], [1.0, 1.0, 1.0], [9.0, 9.0, 0.0]);
    /// let mut pairs = Vec::new();
    /// let engine = BruteForce::new([sheet, neighbour, through]);
    /// let _ = engine.self_intersections(&mut |pair: Intersection| -> ControlFlow<()> {
    ///     pairs.push((pair.first.get(), pair.second.get(), pair.kind));
    ///     ControlFlow::Continue(())
    /// });
    /// assert_eq!(pairs, [(0, 2, IntersectionKind::Crossing)]);
    /// ```
    fn self_intersections<B>(
        &self,
        visit: &mut dyn FnMut(Intersection) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        each_pair(self, None::<&Self>, visit)
    }

    /// Calls `visit` with every pair of a triangle of this mesh and one of another that have a common
    /// point, by the id of the first and then by that of the second, until it breaks.
    ///
    /// Unlike within one mesh, corners and edges at the same position are common points like others.
    ///
    /// ```
    /// # use estoc_core as estoc;
    /// use estoc::{BruteForce, RegionQuery, Triangle};
    /// use std::ops::ControlFlow;
    /// let sheet = |z| Triangle::new([0.0, 0.0, z], [4.0, 0.0, z], [0.0, 4.0, z]);
    /// let upright = Triangle::new([1.0, 1.0, 0.0], [1.0, 1.0, 1.0], [9.0, 9.0, 0.0]);
    /// let (sheets, other) = (BruteForce::new([0.0, 2.0, 1.0].map(sheet)), BruteForce::new([upright]));
    /// let first = sheets.intersections(&other, &mut |pair| ControlFlow::Break(pair.first.get()));
    /// assert_eq!(first, ControlFlow::Break(0)); // the second would be triangle 2
    /// ```
    fn intersections<O: RegionEngine + ?Sized, B>(
        &self,
        other: &O,
        visit: &mut dyn FnMut(Intersection) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        each_pair(self, Some(other), visit)
    }

    /// Adds to `found` the intersections of the triangles with these ids with all triangles of another
    /// mesh, or with those of the same mesh that have greater ids, in the order of
    /// [`self_intersections`](RegionQuery::self_intersections).
    #[doc(hidden)]
    fn intersections_of<O: RegionEngine + ?Sized>(
        &self,
        ids: Range<usize>,
        other: Option<&O>,
        found: &mut Vec<Intersection>,
    ) {
        for first in ids.filter_map(PrimId::from_index) {
            let Some(triangle) = self.primitive(first) else {
                continue;
            };
            let triangle: Triangle64 = triangle.into();
            let start = found.len();
            let goal = RegionGoal::Intersections {
                triangle: &triangle,
                first,
                is_one_mesh: other.is_none(),
                found,
            };
            if let Some(mut collector) = RegionCollector::new(&triangle, goal) {
                match other {
                    None => self.visit_region(&mut collector),
                    Some(other) => other.visit_region(&mut collector),
                }
            }
            sort_compactly(&mut found[start..], |a, b| a.second.cmp(&b.second));
        }
    }
}

impl<E: RegionEngine + ?Sized> RegionQuery for E {}

/// The least distance between the surfaces of two meshes, or of two placements in a scene.
///
/// # Rules for all queries
/// - Triangles are closed, and not solid: of a mesh inside another one, the distance is that of the
///   surfaces. The exact distance is 0 where triangles have a common point, and only there.
/// - A triangle without area has no points. Masks have no effect.
/// - Pairs of triangles are ordered by their exact distance, ties by the id of the first and then by that of
///   the second. So the distance is the same the other way round; the pair is too, unless another one is
///   equally near.
pub trait PairQuery: PairEngine {
    /// Returns the least distance of the triangles from those of another mesh, and where they are that
    /// near; `None` if either has no triangle with area.
    ///
    /// Trees are traversed in parallel, in the rayon pool of the caller; batches do the same with
    /// threads of their own, and can be cancelled. The answer is the same for any number of threads.
    ///
    /// ```
    /// # mod estoc { pub use estoc_core::*; pub mod query { pub use estoc_core::*; } }
    /// use estoc::{BruteForce, Triangle, query::{Feature, PairQuery}};
    /// let sheet = BruteForce::new([Triangle::new([0.0; 3], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0])]);
    /// let spike = BruteForce::new([Triangle::new([1.0, 1.0, 2.0], [9.0, 1.0, 9.0], [1.0, 9.0, 9.0])]);
    /// let nearest = sheet.least_distance(&spike).unwrap();
    /// assert_eq!(nearest.distance, 2.0);
    /// assert_eq!(nearest.points, [[1.0, 1.0, 0.0].into(), [1.0, 1.0, 2.0].into()]);
    /// assert_eq!(nearest.features, [Feature::Face, Feature::Vertex(0)]);
    /// ```
    #[must_use]
    #[doc(alias = "min_gap")]
    #[doc(alias = "min_distance")]
    fn least_distance(&self, other: &Self) -> Option<LeastOf<Self::Measured>> {
        self.least_distance_within(other, f32::INFINITY)
    }

    /// Returns the same if the exact distance is at most `max_distance`; `None` for a distance that is
    /// negative or NaN.
    ///
    /// ```
    /// # mod estoc { pub use estoc_core::*; pub mod query { pub use estoc_core::*; } }
    /// use estoc::{BruteForce, Triangle, query::PairQuery};
    /// let sheet = |z| BruteForce::new([Triangle::new([0.0, 0.0, z], [4.0, 0.0, z], [0.0, 4.0, z])]);
    /// assert_eq!(sheet(1.0).least_distance_within(&sheet(4.0), 3.0).unwrap().distance, 3.0);
    /// assert!(sheet(1.0).least_distance_within(&sheet(4.0), 3.0f32.next_down()).is_none());
    /// ```
    #[must_use]
    fn least_distance_within(
        &self,
        other: &Self,
        max_distance: f32,
    ) -> Option<LeastOf<Self::Measured>> {
        self.nearest_pair(
            other,
            NearestPair::within(max_distance)?,
            &CancelToken::new(),
        )?
        .answer()
    }
}

impl<E: PairEngine> PairQuery for E {}

/// Calls `visit` with the pairs of one mesh, or of two, triangle by triangle until it breaks.
fn each_pair<E: RegionEngine + ?Sized, O: RegionEngine + ?Sized, B>(
    engine: &E,
    other: Option<&O>,
    visit: &mut dyn FnMut(Intersection) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let mut found = Vec::new();
    for place in 0..engine.primitive_count() {
        found.clear();
        engine.intersections_of(place..place + 1, other, &mut found);
        found.iter().copied().try_for_each(&mut *visit)?;
    }
    ControlFlow::Continue(())
}
