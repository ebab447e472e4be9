//! The right answers: every triangle tested against every ray in exact integers.
//!
//! Written from the contract alone and as simply as it allows, because everything else is compared
//! with it. The only optimisation is that intervals of `f64` may prove a miss; every hit is decided
//! in integers.

mod binary;
mod closest;
mod decimal;
mod double_regions;
mod doubles;
mod interval;
mod least_distance;
mod meet;
mod near;
mod number;
mod overlap;
mod parameter;
mod placed;
mod placed_shape;
mod section;
mod section_loops;
mod slab;
mod surface;
mod sweep;
#[cfg(test)]
mod tests;
mod winding;

pub use decimal::{decimal, nearest, rational};
pub use doubles::{DoubleNear, DoubleOracle, DoubleTouch};
pub use least_distance::OracleLeastDistance;
pub use placed::{PlacedNear, PlacedOracle, PlacedTouch};
pub use section_loops::ExactLoop;
pub use slab::ExactSlab;
pub use sweep::OracleContact;
pub use winding::EdgeUses;

use crate::Sweep;
use crate::generate::{PlaneCase, RegionCase};
use estoc_core::glam::Vec3;
use estoc_core::{
    ClosestPoint, Cull, Hit, Intersection, PrimId, QueryError, QueryOptions, Ray, Section, Side,
    Triangle, Triangle64,
};
use meet::{Line, Plate};
use near::{Near, Rough};
use number::{Fraction, Grid, Vector, nearest_f32};
use overlap::{intersecting, overlapping};
use section::CutBy;
use std::cmp::Ordering;

/// The oracle for one list of triangles, whose indices are their [`PrimId`]s.
pub struct Oracle {
    triangles: Vec<Triangle>,
    plates: Vec<Option<Plate>>,
    closed: bool,
}

/// A triangle that the ray touches within its interval.
struct Touch {
    t: Fraction,
    side: Side,
    crosses: bool,
    /// Whether it is exactly at an end of the ray's interval.
    is_at_end: bool,
    hit: Hit,
}

/// All answers about one ray.
pub struct Answers {
    /// In order along the ray.
    touches: Vec<Touch>,
    triangles: usize,
}

impl Oracle {
    /// Returns the oracle for these triangles; those that are not finite are never hit.
    pub fn new(triangles: Vec<Triangle>) -> Self {
        Oracle {
            plates: triangles.iter().map(Plate::new).collect(),
            closed: EdgeUses::of(&triangles).are_closed(),
            triangles,
        }
    }

    /// Returns the triangles, in order.
    pub fn triangles(&self) -> &[Triangle] {
        &self.triangles
    }

    /// Returns whether every edge is used an even number of times, with corners of equal position
    /// joined.
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// Returns all answers about one ray.
    pub fn ask(&self, ray: &Ray) -> Answers {
        let mut touches = Vec::new();
        if is_defined(ray) {
            let line = Line::new(ray);
            for (index, plate) in self.plates.iter().enumerate() {
                let Some(meeting) = plate.as_ref().and_then(|plate| plate.meet(&line)) else {
                    continue;
                };
                let [u, v] = meeting.weights_f32();
                let t = meeting.t;
                if t.cmp_f32(ray.t_min) == Ordering::Less
                    || t.cmp_f32(ray.t_max) == Ordering::Greater
                {
                    continue;
                }
                touches.push(Touch {
                    hit: Hit {
                        t: t.nearest_f32(),
                        u,
                        v,
                        prim: PrimId::from_index(index).expect("few triangles"),
                    },
                    is_at_end: [ray.t_min, ray.t_max]
                        .iter()
                        .any(|&end| t.cmp_f32(end) == Ordering::Equal),
                    t,
                    side: meeting.side,
                    crosses: meeting.crosses,
                });
            }
        }
        touches.sort_by(|a, b| a.t.cmp(&b.t).then(a.hit.prim.cmp(&b.hit.prim)));
        Answers {
            touches,
            triangles: self.triangles.len(),
        }
    }

    /// Returns whether the point is on a triangle with area, or inside by the parity of crossings
    /// along +x. Returns `None` if the triangles are not closed. A point that is not finite is
    /// outside.
    pub fn contains(&self, point: Vec3) -> Option<bool> {
        if !self.closed {
            return None;
        }
        if !point.is_finite() {
            return Some(false);
        }
        Some(self.is_on_surface(point) || self.crossings_along_x(point) % 2 == 1)
    }

    /// Returns the cut with a plane.
    pub fn section(&self, plane: &PlaneCase) -> Section {
        let made = plane.plane().expect("the numbers of a plane");
        section::section(&self.wide(), &cut_by(*plane), made)
    }

    /// Returns the closed polylines of the cut with a plane, in their order, with their areas and what
    /// they lie in.
    pub fn section_loops(&self, plane: &PlaneCase, section: &Section) -> Vec<ExactLoop> {
        section_loops::loops(&self.wide(), &cut_by(*plane), section)
    }

    /// Returns whether the point is exactly on a triangle with area. The point must be finite.
    pub fn is_on_surface(&self, point: Vec3) -> bool {
        let exact = Vector::new(point);
        self.triangles
            .iter()
            .zip(&self.plates)
            .filter(|(triangle, _)| surface::is_in_bounds(triangle, point))
            .filter_map(|(_, plate)| plate.as_ref())
            .any(|plate| surface::is_on(plate, &exact))
    }

    /// Returns how often each edge is used in each direction.
    pub fn edge_uses(&self) -> EdgeUses {
        EdgeUses::of(&self.triangles)
    }

    /// Returns the winding number around a finite point that is not on a triangle with area. The
    /// triangles must use every edge equally often in both directions.
    pub fn winding_number(&self, point: Vec3) -> i64 {
        winding::winding_number(&self.plates, &Vector::new(point))
    }

    fn crossings_along_x(&self, point: Vec3) -> usize {
        let ray = Ray::new(point, Vec3::X);
        self.ask(&ray)
            .count_crossings(&QueryOptions::new())
            .expect("no `after`")
    }

    /// Returns the closest points of the `k` triangles closest to a point, by exact distance, ties
    /// by id. A point that is not finite is near nothing.
    pub fn closest_points(&self, point: Vec3, k: usize) -> Vec<ClosestPoint> {
        if !point.is_finite() || k == 0 {
            return Vec::new();
        }
        let rough = self.rough(point);
        let mut high: Vec<f64> = rough.iter().map(|&(_, rough)| rough.high).collect();
        high.sort_by(f64::total_cmp);
        let limit = high.get(k - 1).copied().unwrap_or(f64::INFINITY);
        let near = rough.iter().filter(|(_, rough)| rough.low <= limit);
        let mut near: Vec<Near> = near
            .filter_map(|&(prim, _)| self.near(prim, point))
            .collect();
        near.sort_by(Near::order);
        near.iter().take(k).map(Near::rounded).collect()
    }

    /// Returns the triangles whose exact distance from a point is at most `radius`, by id.
    pub fn within(&self, point: Vec3, radius: f32) -> Vec<PrimId> {
        if !point.is_finite() || radius.is_nan() || radius < 0.0 {
            return Vec::new();
        }
        let square = f64::from(radius) * f64::from(radius);
        let rough = self.rough(point).into_iter();
        let near = rough
            .filter(|(_, rough)| rough.low <= square)
            .filter_map(|(prim, _)| self.near(prim, point))
            .filter(|near| near.is_within(radius));
        near.map(|near| near.prim()).collect()
    }

    /// Returns the triangles that have a point in a region, by id.
    pub fn overlaps(&self, case: &RegionCase) -> Vec<PrimId> {
        if let RegionCase::Ball(center, radius) = case {
            return self.within(*center, *radius);
        }
        overlapping(case, self.solid(), Grid::OF_F32)
    }

    /// Returns the pairs of triangles that intersect beyond the corners that they share, by ids.
    pub fn self_intersections(&self) -> Vec<Intersection> {
        intersecting(self.solid(), None, Grid::OF_F32)
    }

    /// Returns the pairs of a triangle of this mesh and one of another that have common points, by
    /// ids.
    pub fn intersections(&self, other: &Oracle) -> Vec<Intersection> {
        intersecting(self.solid(), Some(other.solid()), Grid::OF_F32)
    }

    /// Returns all triangles in `f64`.
    fn wide(&self) -> Vec<Triangle64> {
        self.triangles
            .iter()
            .copied()
            .map(Triangle64::from)
            .collect()
    }

    /// Returns the triangles with area, by id, in `f64`.
    fn solid(&self) -> Vec<(PrimId, Triangle64)> {
        let all = self.with_area();
        all.map(|(prim, triangle)| (prim, (*triangle).into()))
            .collect()
    }

    /// Returns the triangles with area, by id.
    fn with_area(&self) -> impl Iterator<Item = (PrimId, &Triangle)> {
        let plates = self.plates.iter().zip(&self.triangles).enumerate();
        plates
            .filter(|(_, (plate, _))| plate.as_ref().is_some_and(Plate::has_area))
            .map(|(index, (_, triangle))| {
                let prim = PrimId::from_index(index).expect("few triangles");
                (prim, triangle)
            })
    }

    /// Returns the first contact of a moving sphere, by exact time, ties by id.
    pub fn sweep(&self, sweep: &Sweep) -> Option<OracleContact> {
        sweep::first_contact(&self.solid(), &(*sweep).into(), Grid::OF_F32)
    }

    fn near(&self, prim: PrimId, point: Vec3) -> Option<Near> {
        Near::of(prim, self.plates[prim.index()].as_ref()?, point)
    }

    /// Returns the triangles with area, with bounds of their squared distances.
    fn rough(&self, point: Vec3) -> Vec<(PrimId, Rough)> {
        let all = self.with_area();
        all.map(|(prim, triangle)| (prim, Rough::of(triangle, point)))
            .collect()
    }

    /// Returns the first hit on the ray.
    pub fn closest_hit(&self, ray: &Ray) -> Option<Hit> {
        self.all_hits(ray).first().copied()
    }

    /// Returns whether anything is hit.
    pub fn any_hit(&self, ray: &Ray) -> bool {
        !self.all_hits(ray).is_empty()
    }

    /// Returns every triangle touched, in order along the ray.
    pub fn all_hits(&self, ray: &Ray) -> Vec<Hit> {
        self.ask(ray)
            .all_hits(&QueryOptions::new())
            .expect("no `after`")
    }

    /// Returns the crossings of the ray with the surface.
    pub fn crossings(&self, ray: &Ray) -> Vec<Hit> {
        self.ask(ray)
            .crossings(&QueryOptions::new())
            .expect("no `after`")
    }
}

fn cut_by(plane: PlaneCase) -> CutBy<f32> {
    CutBy {
        plane,
        grid: Grid::OF_F32,
        nearest: nearest_f32,
    }
}

impl Answers {
    /// Returns every triangle touched, subject to the options.
    ///
    /// # Errors
    /// Fails if the ray does not hit `options.after`.
    pub fn all_hits(&self, options: &QueryOptions) -> Result<Vec<Hit>, QueryError> {
        let kept = self.kept(options)?;
        Ok(kept.into_iter().map(|touch| touch.hit).collect())
    }

    /// Returns where the ray touches this triangle, and from which side.
    pub fn hit_of(&self, prim: PrimId) -> Option<(Hit, Side)> {
        let touch = self.touches.iter().find(|touch| touch.hit.prim == prim)?;
        Some((touch.hit, touch.side))
    }

    /// Returns the first hit, subject to the options.
    ///
    /// # Errors
    /// Fails if the ray does not hit `options.after`.
    pub fn closest_hit(&self, options: &QueryOptions) -> Result<Option<Hit>, QueryError> {
        Ok(self.all_hits(options)?.first().copied())
    }

    /// Returns the crossings of the ray with the surface, subject to the options.
    ///
    /// # Errors
    /// Fails if the ray does not hit `options.after`; it need not cross there.
    pub fn crossings(&self, options: &QueryOptions) -> Result<Vec<Hit>, QueryError> {
        let kept = self.kept(options)?;
        let crossed = kept.into_iter().filter(|touch| touch.crosses);
        Ok(crossed.map(|touch| touch.hit).collect())
    }

    /// Returns the first of the triangles touched at each parameter, subject to the options.
    ///
    /// # Errors
    /// Fails if the ray does not hit `options.after`.
    pub fn distinct_hits(&self, options: &QueryOptions) -> Result<Vec<Hit>, QueryError> {
        let mut kept = self.kept(options)?;
        kept.dedup_by(|b, a| a.t.cmp(&b.t).is_eq());
        Ok(kept.into_iter().map(|touch| touch.hit).collect())
    }

    /// Returns the number of crossings, subject to the options.
    ///
    /// # Errors
    /// Fails if the ray does not hit `options.after`; it need not cross there.
    pub fn count_crossings(&self, options: &QueryOptions) -> Result<usize, QueryError> {
        Ok(self.crossings(options)?.len())
    }

    fn kept(&self, options: &QueryOptions) -> Result<Vec<&Touch>, QueryError> {
        let behind = match options.after {
            None => &self.touches[..],
            Some(prim) if prim.index() >= self.triangles => {
                return Err(QueryError::NoSuchPrim {
                    prim,
                    triangles: self.triangles,
                });
            }
            Some(prim) => {
                let place = self.touches.iter().position(|touch| touch.hit.prim == prim);
                let place = place.ok_or(QueryError::AfterMissed { prim })?;
                &self.touches[place + 1..]
            }
        };
        let is_kept = |touch: &&Touch| {
            let culled = match options.cull {
                Cull::None => false,
                Cull::Front => touch.side == Side::Front,
                Cull::Back => touch.side == Side::Back,
            };
            !culled
                && options.skip != Some(touch.hit.prim)
                && !(options.open_ends && touch.is_at_end)
        };
        Ok(behind.iter().filter(is_kept).collect())
    }
}

/// Returns whether a ray can hit anything: finite origin and direction, a nonzero direction, and an
/// interval with `t_min <= t_max`.
fn is_defined(ray: &Ray) -> bool {
    let numbers = [ray.origin.to_array(), ray.dir.to_array()];
    numbers.as_flattened().iter().all(|x| x.is_finite())
        && ray.dir.to_array().iter().any(|&x| x != 0.0)
        && ray.t_min <= ray.t_max
}
