//! The smallest sphere around points.

use super::Sphere;
use super::smallest::Support;
use crate::arithmetic::{V3, minus, sqrt, widen};
use alloc::vec::Vec;
use glam::Vec3;

/// The search ends at a farthest point this close to the sphere, relative to its squared radius:
/// 2^-44, far below a step of `f32` and above the rounding of `f64`.
const CLOSE: f64 = f64::EPSILON * 256.0;

/// The number of steps without a larger ball after which the search ends: only rounding is left.
const PATIENCE: u32 = 8;

impl Sphere {
    /// Returns the smallest sphere that encloses the points, as closely as `f32`s allow. Points
    /// with a coordinate that is not finite are left out.
    ///
    /// Every point is inside exactly: [`Sphere::contains`] is true of each. The centre is within
    /// rounding of the best one, and the radius is the least `f32` for which the sphere about this
    /// centre contains all points. With R the radius of the smallest sphere in real numbers, and e
    /// the distance by which rounding to `f32` moves the centre (at most half a unit in the last
    /// place in each coordinate), the radius is at most `R (1 + 2^-22) + e`, rounded up.
    ///
    /// `None` if there is no finite point, or if the radius would be greater than
    /// `f32::MAX`.
    ///
    /// Repeated, collinear, coplanar and cospherical points are allowed, as are coordinates of any
    /// size. The time is that of a few passes over the points: each adds the point farthest from
    /// the current ball to the support of at most four points (a linear-program type problem: Welzl
    /// 1991, "Smallest enclosing disks (balls and ellipsoids)"; the choice of the farthest:
    /// Gaertner 1999, "Fast and Robust Smallest Enclosing Balls").
    ///
    /// ```
    /// # use estoc_core as estoc;
    /// use estoc::Sphere;
    /// let corners = [[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.5, 0.5, 1.0]];
    /// let ball = Sphere::bounding(corners).unwrap();
    /// assert_eq!(ball.center(), [1.0, 1.0, 0.0].into());
    /// assert!(ball.radius() >= 2f32.sqrt() && ball.radius() < 1.414_214);
    /// ```
    pub fn bounding(points: impl IntoIterator<Item = impl Into<Vec3>>) -> Option<Self> {
        let points: Vec<Vec3> = points
            .into_iter()
            .map(Into::into)
            .filter(|point: &Vec3| point.is_finite())
            .collect();
        // Differences to one of the points keep nearly all significant bits, however far away the
        // points are together.
        let base = widen(*points.first()?);
        let center = best_center(&points, base);
        let center = Vec3::from_array(core::array::from_fn(|i| (base[i] + center[i]) as f32));
        least_radius(&points, center)
    }
}

/// Returns the centre of the smallest ball, relative to `base`, to the precision of `f64`.
fn best_center(points: &[Vec3], base: V3) -> V3 {
    let mut support = Support::of_point([0.0; 3]);
    let (mut best, mut best_reach) = (support.center(), f64::INFINITY);
    let mut patience = PATIENCE;
    while patience > 0 {
        let (far, reach) = farthest(points, base, support.center());
        if reach < best_reach {
            (best, best_reach) = (support.center(), reach);
        }
        if reach <= support.square() * (1.0 + CLOSE) {
            break;
        }
        let next = support.with(far);
        if next.square() <= support.square() {
            patience -= 1;
        }
        support = next;
    }
    best
}

/// Returns the point farthest from the centre and its squared distance; all relative to `base`.
fn farthest(points: &[Vec3], base: V3, center: V3) -> (V3, f64) {
    let mut best = ([0.0; 3], -1.0);
    for &point in points {
        let point = minus(widen(point), base);
        let [x, y, z] = minus(point, center);
        let square = x * x + y * y + z * z;
        if square > best.1 {
            best = (point, square);
        }
    }
    best
}

/// Returns the sphere about this centre with the least radius that contains all points, if an `f32`
/// does.
fn least_radius(points: &[Vec3], center: Vec3) -> Option<Sphere> {
    let (_, square) = farthest(points, widen(center), [0.0; 3]);
    // Certainly too small, by a step or two; the exact test of every point increases it.
    let radius = (sqrt(square) as f32).min(f32::MAX).next_down().max(0.0);
    let mut sphere = Sphere { center, radius };
    for &point in points {
        while !sphere.contains(point) {
            sphere.radius = sphere.radius.next_up();
            if sphere.radius.is_infinite() {
                return None;
            }
        }
    }
    Some(sphere)
}
