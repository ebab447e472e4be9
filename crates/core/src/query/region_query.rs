//! Queries about regions.

use super::{RegionCollector, RegionEngine};
use crate::section::{Section, SectionBuilder};
use crate::{Plane, PrimId, Region};
use alloc::vec::Vec;

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
        let Some(mut collector) = RegionCollector::all(region) else {
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
        let Some(mut collector) = RegionCollector::any(region) else {
            return false;
        };
        self.visit_region(&mut collector);
        collector.any_found()
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
    fn section(&self, plane: &Plane) -> Section {
        let mut section = SectionBuilder::new(*plane);
        if let Some(mut collector) = RegionCollector::section(plane, &mut section) {
            self.visit_region(&mut collector);
        }
        section.finish()
    }
}

impl<E: RegionEngine + ?Sized> RegionQuery for E {}
