//! Where a ray meets the surface of a placed shape, and the normal there.

use super::shape::Kind;
use super::{PlacedShape, ShapeEnd};
use crate::arithmetic::sqrt;
use crate::shapes::{Ray64, obb::Frame};
use glam::{DMat3, DVec3, Vec3};

/// A point of the surface of a placed shape; see [`PlacedShape::surface`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ShapeSurface {
    /// The point in the world.
    pub point: DVec3,
    /// The unit vector there that is at right angles to the surface in the world and points out of the
    /// shape.
    pub normal: Vec3,
}

/// A shape in coordinates of its own.
enum Body {
    Ball(f64),
    /// Pairs of faces: the vector along which they are apart, and the bounds along it.
    Slabs([(DVec3, f64, f64); 3]),
}

impl PlacedShape {
    /// Returns the point where a ray that hits the shape at `t` enters or leaves it, and the normal there.
    ///
    /// Both are computed in `f64` and not exact: the point is within a few roundings of the terms of its
    /// coordinates, or, where a ray nearly runs along a face of a box, within the rounding of t to
    /// `f32`; next to an edge of a box, the normal may be that of the other face. For a ray
    /// that misses they mean nothing. `None` where there is no normal, at a sphere of radius 0 and for
    /// the empty box, and where a number is NaN or beyond `f64`, or the end is none of a sphere or box.
    ///
    /// ```
    /// # mod estoc { pub use estoc_core::*; pub mod scene { pub use estoc_core::*; } }
    /// use estoc::{Sphere, glam::DAffine3};
    /// use estoc::scene::{PlacedShape, PlacementMatrix, Ray64, ShapeEnd};
    /// let longer = PlacementMatrix::try_new(&DAffine3::from_scale([2.0, 1.0, 1.0].into()))?;
    /// let ellipsoid = PlacedShape::new(Sphere::try_new([0.0; 3], 1.0)?, longer);
    /// let ray = Ray64::new([9.0, 0.0, 0.0], [-1.0, 0.0, 0.0]);
    /// let exit = ellipsoid.surface(&ray, 11.0, ShapeEnd::Exit).unwrap();
    /// assert_eq!((exit.point, exit.normal), ([-2.0, 0.0, 0.0].into(), [-1.0, 0.0, 0.0].into()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn surface(&self, ray: &Ray64, t: f32, end: ShapeEnd) -> Option<ShapeSurface> {
        // The nearer point of the line, or the farther.
        let end_sign = match end {
            ShapeEnd::Entry => -1.0,
            ShapeEnd::Exit => 1.0,
            ShapeEnd::Nth(_) => return None,
        };
        let affine = self.matrix.to_affine();
        let image = |p: Vec3| affine.transform_point3(p.as_dvec3());
        let linear = affine.matrix3;
        // The point `at + map x` of the world has the coordinates x.
        let (map, at, body) = match &self.shape.0 {
            Kind::Sphere(sphere) => {
                let radius = f64::from(sphere.radius());
                (linear, image(sphere.center()), Body::Ball(radius))
            }
            Kind::Aabb(bounds) if bounds.is_empty() => return None,
            Kind::Aabb(bounds) => {
                let slabs = slabs(UNITS, bounds.min(), bounds.max());
                (linear, affine.translation, slabs)
            }
            Kind::Obb(Frame::Model {
                translation,
                columns,
                min,
                max,
            }) => {
                let [x, y, z] = columns.map(Vec3::as_dvec3);
                let map = linear * DMat3::from_cols(x, y, z);
                (map, image(*translation), slabs(UNITS, *min, *max))
            }
            Kind::Obb(Frame::Axes {
                center,
                axes,
                half_sizes,
            }) => {
                let slabs = slabs(axes.map(Vec3::as_dvec3), -*half_sizes, *half_sizes);
                (linear, image(*center), slabs)
            }
        };
        let inverse = map.inverse();
        let (origin, dir) = (inverse * (ray.origin - at), inverse * ray.dir);
        let (x, normal) = match body {
            Body::Ball(radius) => on_ball(origin, dir, radius, end_sign),
            Body::Slabs(slabs) => on_slabs(origin, dir, &slabs, (t.into(), end_sign))?,
        };
        let point = at + map * x;
        let normal = inverse.transpose() * normal;
        let largest = normal.abs().max_element();
        let is_right = point.is_finite() && largest > 0.0 && largest.is_finite();
        is_right.then(|| ShapeSurface {
            point,
            // No component is -0.
            normal: (normal / largest).normalize().as_vec3() + Vec3::ZERO,
        })
    }
}

const UNITS: [DVec3; 3] = [DVec3::X, DVec3::Y, DVec3::Z];

fn slabs(along: [DVec3; 3], min: Vec3, max: Vec3) -> Body {
    Body::Slabs([0, 1, 2].map(|i: usize| (along[i], min[i].into(), max[i].into())))
}

/// Returns a point of the ball around 0, and the vector out of the ball there.
fn on_ball(origin: DVec3, dir: DVec3, radius: f64, end_sign: f64) -> (DVec3, DVec3) {
    let dir = dir.normalize();
    // The point of the line nearest to the centre, and half of what is inside.
    let nearest = origin - origin.dot(dir) * dir;
    let half = sqrt((radius * radius - nearest.length_squared()).max(0.0));
    let point = nearest + end_sign * half * dir;
    (point, point)
}

/// Returns a point of a box, and the vector out of the box there; `None` if the line is parallel to all
/// faces.
///
/// A line goes in through one face of each pair and out through the other, and enters the box at the last
/// entry or leaves it at the first exit. Which one that is, is told by t, which is exact but for a rounding:
/// for a line that runs along a face, its parameters at that pair are only noise.
fn on_slabs(
    origin: DVec3,
    dir: DVec3,
    slabs: &[(DVec3, f64, f64); 3],
    (t, end_sign): (f64, f64),
) -> Option<(DVec3, DVec3)> {
    let faces = slabs.iter().filter_map(|&(along, min, max)| {
        let (from, slope) = (along.dot(origin), along.dot(dir));
        let bound = if end_sign * slope < 0.0 { min } else { max };
        let is_crossed = slope.abs() > PARALLEL * (along.abs().dot(dir.abs()));
        is_crossed.then(|| ((bound - from) / slope, end_sign * slope.signum() * along))
    });
    let far_from = |s: f64| (s - t).abs();
    let (s, normal) = faces.min_by(|(a, _), (b, _)| far_from(*a).total_cmp(&far_from(*b)))?;
    // The parameter in `f64`, if it is that of t before its rounding.
    let is_same = far_from(s) <= t.abs() * f64::from(f32::EPSILON) + f64::from(f32::MIN_POSITIVE);
    Some((origin + if is_same { s } else { t } * dir, normal))
}

/// 2^-40: a slope that is a smaller part of its terms may be that of a parallel.
const PARALLEL: f64 = f64::from_bits((1023 - 40) << 52);
