//! Badouel's ray-triangle test (Graphics Gems I, "An Efficient Ray-Polygon Intersection",
//! p. 390), in `f32`, as published.
//!
//! The first step is the plane, with early outs and no division: back side or parallel, plane
//! behind, plane beyond the closest hit so far. Then one division gives the point, which is
//! projected onto the coordinate plane in which the triangle is largest and expressed in the two
//! edges there. All comparisons are written so that NaN is a miss.
//!
//! The result is subject to `f32` rounding: near edges it may be wrong, for neighbouring triangles
//! as well. That of [`Triangle::exact_hit`] is exact.

use super::{Side, Triangle};
use crate::shapes::Ray;
use glam::Vec3;

/// A hit found by Badouel's test, within the rounding of its `f32` operations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TriangleHit {
    /// The parameter along the ray, in units of the direction's length.
    pub t: f32,
    /// Weight of the second corner.
    pub u: f32,
    /// Weight of the third corner.
    pub v: f32,
    /// The side that the ray comes from.
    pub side: Side,
}

/// Badouel's test with all numbers precomputed that do not depend on the ray.
///
/// It performs the same operations in the same order as [`Triangle::badouel`], so the results have
/// the same bits.
#[derive(Clone, Copy, Debug)]
pub struct BadouelTriangle {
    plane: BadouelPlane,
    inside: InsideTest,
}

/// The triangle's plane: the normal (not normalised) and its product with the first corner.
#[derive(Clone, Copy, Debug)]
struct BadouelPlane {
    normal: Vec3,
    offset: f32,
}

/// The 2x2 system for the weights of the corners: coordinates relative to the first corner, without
/// the axis of the largest normal component, the edges divided by the determinant.
#[derive(Clone, Copy, Debug)]
struct InsideTest {
    axes: [usize; 2],
    base: [f32; 2],
    to_u: [f32; 2],
    to_v: [f32; 2],
}

impl BadouelPlane {
    fn of(triangle: &Triangle) -> Self {
        let normal = (triangle.p1 - triangle.p0).cross(triangle.p2 - triangle.p1);
        BadouelPlane {
            normal,
            offset: normal.dot(triangle.p0),
        }
    }

    /// Returns the parameter of the plane and the side, if it lies in the ray's interval and not
    /// beyond the closest hit so far.
    fn cross(&self, ray: &Ray, closest: f32, both_sides: bool) -> Option<(f32, Side)> {
        let facing = self.normal.dot(ray.dir);
        let distance = self.offset - self.normal.dot(ray.origin);
        // From behind, all signs are changed, so that the code below serves both sides.
        let (facing, distance, side) = if facing < 0.0 {
            (-facing, -distance, Side::Front)
        } else if both_sides && facing > 0.0 {
            (facing, distance, Side::Back)
        } else {
            return None; // parallel, from behind, without area, or NaN
        };
        let in_interval = distance >= ray.t_min * facing && distance <= ray.t_max * facing;
        (in_interval && distance <= closest * facing).then(|| (distance / facing, side))
    }
}

impl InsideTest {
    /// Returns `None` when the projected triangle's area rounds to 0.
    fn of(triangle: &Triangle, normal: Vec3) -> Option<Self> {
        let size = normal.abs();
        let axes = if size.x >= size.y && size.x >= size.z {
            [1, 2]
        } else if size.y >= size.z {
            [0, 2]
        } else {
            [0, 1]
        };
        let flat = |p: Vec3| axes.map(|axis| p[axis]);
        let base = flat(triangle.p0);
        let [edge1, edge2] = [triangle.p1, triangle.p2].map(|p| {
            let [x, y] = flat(p);
            [x - base[0], y - base[1]]
        });
        let det = edge1[0] * edge2[1] - edge1[1] * edge2[0];
        (det.abs() > 0.0).then(|| InsideTest {
            axes,
            base,
            to_u: [edge2[1] / det, -edge2[0] / det],
            to_v: [-edge1[1] / det, edge1[0] / det],
        })
    }

    fn weigh(&self, point: Vec3) -> Option<(f32, f32)> {
        let x = point[self.axes[0]] - self.base[0];
        let y = point[self.axes[1]] - self.base[1];
        let u = x * self.to_u[0] + y * self.to_u[1];
        if u >= 0.0 {
            let v = x * self.to_v[0] + y * self.to_v[1];
            if v >= 0.0 && 1.0 - (u + v) >= 0.0 {
                return Some((u, v));
            }
        }
        None
    }
}

impl Triangle {
    /// Performs Badouel's test of the front side.
    ///
    /// `closest` is the parameter of the closest hit so far, or `f32::INFINITY`: planes beyond it
    /// are rejected without a division. Undefined rays hit nothing.
    ///
    /// ```
    /// # use estoc_core as estoc;
    /// use estoc::{Ray, Triangle};
    /// let triangle = Triangle::new([0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]);
    /// let ray = Ray::new([0.25, 0.25, 2.0], [0.0, 0.0, -1.0]);
    /// let hit = triangle.badouel(&ray, f32::INFINITY).unwrap();
    /// assert_eq!((hit.t, hit.u, hit.v), (2.0, 0.25, 0.25));
    /// assert!(triangle.badouel(&ray, 1.5).is_none());
    /// ```
    pub fn badouel(&self, ray: &Ray, closest: f32) -> Option<TriangleHit> {
        self.published(ray, closest, false)
    }

    /// Performs Badouel's test of both sides.
    pub fn badouel_both_sides(&self, ray: &Ray, closest: f32) -> Option<TriangleHit> {
        self.published(ray, closest, true)
    }

    fn published(&self, ray: &Ray, closest: f32, both_sides: bool) -> Option<TriangleHit> {
        ray.check().ok()?;
        let plane = BadouelPlane::of(self);
        let (t, side) = plane.cross(ray, closest, both_sides)?;
        let (u, v) = InsideTest::of(self, plane.normal)?.weigh(ray.at(t))?;
        Some(TriangleHit { t, u, v, side })
    }
}

impl BadouelTriangle {
    /// Precomputes the test. Returns `None` when the triangle has no area in `f32` arithmetic, or
    /// is not finite: then no ray hits it.
    pub fn new(triangle: &Triangle) -> Option<Self> {
        if !triangle.is_finite() {
            return None;
        }
        let plane = BadouelPlane::of(triangle);
        let inside = InsideTest::of(triangle, plane.normal)?;
        Some(BadouelTriangle { plane, inside })
    }

    /// Returns the same as [`Triangle::badouel`], bit for bit.
    pub fn hit(&self, ray: &Ray, closest: f32) -> Option<TriangleHit> {
        self.precomputed(ray, closest, false)
    }

    /// Returns the same as [`Triangle::badouel_both_sides`], bit for bit.
    pub fn hit_both_sides(&self, ray: &Ray, closest: f32) -> Option<TriangleHit> {
        self.precomputed(ray, closest, true)
    }

    fn precomputed(&self, ray: &Ray, closest: f32, both_sides: bool) -> Option<TriangleHit> {
        ray.check().ok()?;
        let (t, side) = self.plane.cross(ray, closest, both_sides)?;
        let (u, v) = self.inside.weigh(ray.at(t))?;
        Some(TriangleHit { t, u, v, side })
    }
}
