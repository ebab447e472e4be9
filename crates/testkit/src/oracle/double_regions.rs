//! The right answers about regions, pairs and sections of triangles in `f64`.

use super::DoubleOracle;
use super::least_distance::{OracleLeastDistance, Solid};
use super::number::{Grid, nearest_f64};
use super::overlap::{intersecting, overlapping};
use super::section::{CutBy, section};
use super::section_loops::{ExactLoop, loops};
use super::sweep::{OracleContact, first_contact};
use crate::generate::{PlaneCase, RegionCase};
use estoc_core::glam::DVec3;
use estoc_core::{Coordinate, Intersection, MovingSphere64, Plane, PrimId, Section, Triangle64};

impl DoubleOracle {
    /// Returns the triangles that have a point in a region, by id.
    pub fn overlaps(&self, case: &RegionCase) -> Vec<PrimId> {
        if let RegionCase::Ball(center, radius) = case {
            let near = self.near(center.as_dvec3()).into_iter();
            let near = near.filter(|near| near.is_within((*radius).into()));
            let mut found: Vec<PrimId> = near.map(|near| near.rounded.prim).collect();
            found.sort_unstable();
            return found;
        }
        let numbers = match case {
            RegionCase::Box64(corners) => corners.to_vec(),
            RegionCase::Plane64(plane) => numbers_of(plane).to_vec(),
            RegionCase::Triangle64(triangle) => triangle.corners().to_vec(),
            _ => Vec::new(),
        };
        overlapping(case, self.solid(), Grid::of(self.triangles(), numbers))
    }

    /// Returns the pairs of triangles that intersect beyond the corners that they share, by ids.
    pub fn self_intersections(&self) -> Vec<Intersection> {
        intersecting(self.solid(), None, Grid::of(self.triangles(), []))
    }

    /// Returns the pairs of a triangle of this mesh and one of another that have common points, by ids.
    pub fn intersections(&self, other: &DoubleOracle) -> Vec<Intersection> {
        let grid = self.grid_with(other);
        intersecting(self.solid(), Some(other.solid()), grid)
    }

    /// Returns the least distance from the triangles of another oracle.
    pub fn least_distance(&self, other: &DoubleOracle) -> Option<OracleLeastDistance> {
        let grid = self.grid_with(other);
        let [own, others] = [self, other].map(|oracle| -> Vec<Solid> {
            let all = oracle.solid().into_iter();
            let corners = |triangle: Triangle64| triangle.corners().map(|p| grid.vector(p));
            all.map(|(prim, triangle)| (prim, corners(triangle)))
                .collect()
        });
        OracleLeastDistance::of(&own, &others, grid.0)
    }

    /// Returns the cut with a plane of these numbers.
    pub fn section(&self, case: &PlaneCase<f64>, plane: Plane<f64>) -> Section<f64> {
        section(self.triangles(), &self.cut_by(case), plane)
    }

    /// Returns the closed polylines of a section.
    pub fn section_loops(&self, case: &PlaneCase<f64>, section: &Section<f64>) -> Vec<ExactLoop> {
        loops(self.triangles(), &self.cut_by(case), section)
    }

    /// Returns the first contact of a moving sphere, by exact time, ties by id.
    pub fn sweep(&self, sphere: &MovingSphere64) -> Option<OracleContact<f64>> {
        let numbers = [DVec3::splat(sphere.radius), sphere.center, sphere.velocity];
        first_contact(&self.solid(), sphere, Grid::of(self.triangles(), numbers))
    }

    fn cut_by(&self, plane: &PlaneCase<f64>) -> CutBy<f64> {
        CutBy {
            plane: *plane,
            grid: Grid::of(self.triangles(), numbers_of(plane)),
            nearest: nearest_f64,
        }
    }

    fn grid_with(&self, other: &DoubleOracle) -> Grid {
        let corners = other.triangles().iter().flat_map(Triangle64::corners);
        Grid::of(self.triangles(), corners)
    }
}

/// Returns the numbers of a plane.
fn numbers_of<C: Coordinate>(plane: &PlaneCase<C>) -> [DVec3; 2] {
    match *plane {
        PlaneCase::Through(point, normal) => [C::wide(point), C::wide(normal)],
        PlaneCase::Offset(normal, offset) => [C::wide(normal), DVec3::splat(offset.into())],
    }
}
