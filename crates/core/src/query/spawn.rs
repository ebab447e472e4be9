//! Rays that leave a surface at a hit point, without an offset.

use crate::arithmetic::{V3, exact_cross, exact_minus, minus, widen};
use crate::collect::QueryOptions;
use crate::exact::pair::orient;
use crate::shapes::{Hit, Ray, Side, Triangle};
use glam::Vec3;

impl Hit {
    /// Returns a ray from the hit point into `dir` that does not hit the triangle that it leaves,
    /// and the options to query with. For shadows, reflections and occlusion. No epsilon is
    /// involved, so no near hit is lost and nothing depends on the size of the scene.
    ///
    /// - The origin is [`Hit::point`], with each coordinate rounded towards the side of the
    ///   triangle's plane that `dir` points to. It is never beyond the plane, exactly: the ray
    ///   leaves this triangle even without the options. In each coordinate it is within one `f32`
    ///   step of the point, plus, where `f64` is not accurate enough for that, up to
    ///   `2^-49 (|p0| + |p1-p0| + |p2-p0|)`.
    /// - `t_min` is the smallest `f32` above zero, so that surfaces that contain the origin, such
    ///   as a neighbour at a shared edge or corner, are not hit. `t_max` is `+inf` and may be
    ///   lowered.
    /// - The options [skip](QueryOptions::skip) the triangle. This also excludes it for a `dir`
    ///   parallel to it and for copies of the ray with another `t_min`.
    ///
    /// So no ray that leaves a closed convex surface outwards hits it again. What remains is the
    /// rounding of the origin: near an edge where the surface turns towards `dir`, as in the corner
    /// of a room, the origin may lie just behind the neighbour, by no more than the steps above,
    /// and the ray then starts on the other side of that one. The same holds for two surfaces that
    /// are closer to each other than those steps.
    ///
    /// `triangle` must be the one that [`prim`](Hit::prim) names. With a triangle or direction that
    /// is not finite, or a zero direction, the ray is undefined and hits nothing ([`Ray::check`]).
    /// The origin can be beyond the plane only where an origin before it would need a coordinate
    /// beyond the greatest `f32`.
    ///
    /// ```
    /// # mod estoc { pub use estoc_core::*; pub mod query { pub use estoc_core::*; } }
    /// use estoc::{BruteForce, Ray, RayQuery, Triangle, query::Closest};
    /// let floor = Triangle::new([0.1, 0.0, 0.3], [7.1, 0.2, 0.7], [0.3, 5.1, 0.9]);
    /// let lamp = Triangle::new([0.0, 0.0, 9.0], [0.0, 9.0, 9.0], [9.0, 0.0, 9.0]);
    /// let scene = BruteForce::new(vec![floor, lamp]);
    /// let hit = scene.closest_hit(&Ray::new([2.0, 1.0, 5.0], [0.0, 0.0, -1.0])).unwrap();
    /// let (ray, options) = hit.spawn_ray(&floor, [0.0, 0.0, 1.0]);
    /// let above = scene.ask_with(Closest, &ray, &options)?.unwrap();
    /// assert_eq!(above.prim.get(), 1);
    /// # Ok::<(), estoc::QueryError>(())
    /// ```
    pub fn spawn_ray(&self, triangle: &Triangle, dir: impl Into<Vec3>) -> (Ray, QueryOptions) {
        self.leave(triangle, dir.into())
    }

    fn leave(&self, triangle: &Triangle, dir: Vec3) -> (Ray, QueryOptions) {
        const ABOVE_ZERO: f32 = f32::from_bits(1);
        let point = self.wide_point(triangle);
        let origin = match triangle.side(dir) {
            Some(side) if point.iter().all(|x| x.is_finite()) => {
                self.point_before(triangle, side, point)
            }
            _ => point.map(|x| x as f32),
        };
        let ray = Ray::new(origin, dir).with_interval(ABOVE_ZERO, f32::INFINITY);
        (ray, QueryOptions::new().skip(Some(self.prim)))
    }

    /// Returns the point, rounded so that it is not beyond the plane for rays with a direction that
    /// sees this side.
    fn point_before(&self, triangle: &Triangle, side: Side, point: V3) -> [f32; 3] {
        let side_sign = match side {
            Side::Front => -1,
            Side::Back => 1,
        };
        let [p0, p1, p2] = triangle.corners().map(widen);
        let (a, b) = (minus(p1, p0), minus(p2, p0));
        let origin = core::array::from_fn(|i| {
            let (j, k) = ((i + 1) % 3, (i + 2) % 3);
            let normal = a[j] * b[k] - a[k] * b[j];
            rounded(point[i], f64::from(side_sign) * normal)
        });
        if plane_side(triangle, origin) * side_sign >= 0 {
            return origin;
        }
        // The error of the point exceeded what rounding gained. Moved by the bound of that error
        // (see `Hit::wide_point`, with room for the roundings here), no coordinate is on the wrong
        // side of the exact one, so no term of `n . (origin - p0)` has the wrong sign.
        const FIVE_V: f64 = 5.0 * f64::EPSILON / 2.0;
        let normal = exact_cross(&exact_minus(p1, p0), &exact_minus(p2, p0));
        let (u, v) = (f64::from(self.u), f64::from(self.v));
        core::array::from_fn(|i| {
            let towards = f64::from(side_sign * normal[i].sign());
            let error = FIVE_V * (p0[i].abs() + (u * a[i]).abs() + (v * b[i]).abs());
            rounded(point[i] + towards * error, towards)
        })
    }
}

/// Returns the sign of `n . (p - p0)`, exactly.
fn plane_side(triangle: &Triangle, p: [f32; 3]) -> i32 {
    let [p0, p1, p2] = triangle.corners().map(widen);
    orient(p.map(f64::from), p1, p2, p0)
}

/// Returns the nearest `f32` that is not less than `x` for a positive `towards`, not greater for a
/// negative one, and the nearest for 0; finite unless `x` is NaN.
fn rounded(x: f64, towards: f64) -> f32 {
    let nearest = x as f32;
    let back = f64::from(nearest);
    let up = (towards > 0.0) & (back < x);
    let down = (towards < 0.0) & (back > x);
    // One step on the bits of a float, mapped so that they increase with the value. Without
    // branches, since the direction of rounding cannot be predicted. A zero also steps correctly,
    // since it has the sign of `x`.
    let turn = |bits: i32| bits ^ (bits >> 31 & i32::MAX);
    let step = i32::from(up) - i32::from(down);
    let bits = turn(turn(nearest.to_bits().cast_signed()).wrapping_add(step));
    f32::from_bits(bits.cast_unsigned()).clamp(-f32::MAX, f32::MAX)
}

#[cfg(all(test, feature = "repository-tests"))]
mod tests {
    use super::*;
    use crate::shapes::PrimId;
    use estoc_testkit::conformance::Effort;
    use estoc_testkit::generate::Rng;

    /// Generates triangles that make rounding hard, with `f32`s of every kind.
    fn hostile(rng: &mut Rng, kind: usize) -> [[f32; 3]; 3] {
        let mut numbers: [[f32; 3]; 3] = core::array::from_fn(|_| {
            core::array::from_fn(|_| match kind {
                0 => rng.finite_bits(),
                1 => rng.int(-8, 8) as f32,
                2 => 1.0 + rng.int(0, 16) as f32 * f32::EPSILON,
                3 => 1e6 + rng.signed(),
                4 => f32::from_bits(rng.int(0, 40) as u32) * rng.pick(&[1.0, -1.0]),
                5 => rng.pick(&[f32::MAX, -f32::MAX, 1.0, 1e30, 0.0]),
                _ => rng.signed(),
            })
        });
        if kind > 5 && rng.one_in(2) {
            // Slivers, and corners that cancel: p1 - p0 and p2 - p0 are nearly opposite.
            let along = rng.signed();
            numbers[2] = core::array::from_fn(|i| {
                let [a, b] = [numbers[0][i], numbers[1][i]];
                a + along * (b - a)
            });
        }
        numbers
    }

    #[test]
    fn a_search_finds_no_origin_beyond_the_plane() {
        let rounds = if Effort::is_long() {
            20_000_000
        } else {
            150_000
        };
        const SEED: u64 = 7;
        let mut rng = Rng::named(SEED, "spawned rays");
        let (mut seen, mut on_plane, mut second) = (0, 0, 0);
        for round in 0..rounds {
            let [a, b, c] = hostile(&mut rng, round % 9);
            let triangle = Triangle::new(a, b, c);
            let [some, more] = [(); 2].map(|()| rng.signed().abs());
            let u = rng.pick(&[0.0, 1.0, 0.5, some]);
            let v = rng.pick(&[0.0, 1.0 - u, more * (1.0 - u)]);
            let prim = PrimId::MAX;
            let hit = Hit { t: 1.0, u, v, prim };
            let dir = match rng.one_in(3) {
                true => Vec3::from_array([(); 3].map(|()| rng.finite_bits())),
                false => rng.point(),
            };
            let Some(side) = triangle.side(dir) else {
                continue;
            };
            let side_sign = if side == Side::Back { 1 } else { -1 };
            let (ray, options) = hit.spawn_ray(&triangle, dir);
            assert_eq!(options, QueryOptions::new().skip(Some(prim)));
            assert_eq!(ray.check(), Ok(()));
            let origin = ray.origin.to_array();
            let context =
                || std::format!("seed {SEED}, round {round}: {triangle:?} {hit:?} {ray:?}");
            if origin.iter().any(|x| x.abs() == f32::MAX) {
                continue; // no finite f32 lies before the plane
            }
            let height = plane_side(&triangle, origin) * side_sign;
            assert!(height >= 0, "{}", context());
            let again = ray.with_interval(f32::from_bits(1), f32::INFINITY);
            assert_eq!(triangle.exact_hit(&again, prim), None, "{}", context());
            let point = hit.wide_point(&triangle);
            for (i, (x, near)) in origin.into_iter().zip(point).enumerate() {
                let size = [b[i], c[i]].map(|q| (f64::from(q) - f64::from(a[i])).abs());
                let size = f64::from(a[i]).abs() + size[0] + size[1];
                let nearest = near as f32;
                let [down, at, up] =
                    [nearest.next_down(), nearest, nearest.next_up()].map(f64::from);
                let step = (up - at).max(at - down);
                let off = (f64::from(x) - near).abs();
                assert!(off <= step + size / 2f64.powi(49), "{}", context());
                second += u32::from(off > step);
            }
            seen += 1;
            on_plane += u32::from(height == 0);
        }
        std::println!("{seen} rays, {on_plane} from the plane itself, {second} far steps");
        assert!(seen > rounds / 2 && on_plane > 100);
    }

    #[test]
    fn numbers_are_rounded_one_way() {
        let tiny = f64::from(f32::from_bits(1));
        let third = 1.0 / 3.0;
        for (x, down, nearest, up) in [
            (0.0, 0.0, 0.0, 0.0),
            (1.5, 1.5, 1.5, 1.5),
            (
                third,
                third as f32 - 2f32.powi(-25),
                third as f32,
                third as f32,
            ),
            (0.4 * tiny, 0.0, 0.0, f32::from_bits(1)),
            (0.6 * tiny, 0.0, f32::from_bits(1), f32::from_bits(1)),
            (1e39, f32::MAX, f32::MAX, f32::MAX),
        ] {
            for (x, towards, expected) in [
                (x, -2.0, down),
                (x, 0.0, nearest),
                (x, 1e-300, up),
                (-x, 2.0, -down),
                (-x, -0.0, -nearest),
                (-x, -1e-300, -up),
            ] {
                assert_eq!(rounded(x, towards), expected, "{x} towards {towards}");
            }
        }
        assert!(rounded(f64::NAN, 1.0).is_nan());
    }

    #[test]
    fn what_makes_no_ray_hits_nothing() {
        let triangle = Triangle::new([0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]);
        let broken = Triangle::new([f32::NAN; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]);
        let (t, prim) = (1.0, PrimId::MAX);
        let fine = Hit {
            t,
            u: 0.25,
            v: 0.25,
            prim,
        };
        let odd = Hit {
            u: f32::NAN,
            ..fine
        };
        let up = [0.0, 0.0, 1.0];
        for (hit, triangle, dir) in [
            (fine, triangle, [0.0; 3]),
            (fine, triangle, [f32::INFINITY, 0.0, 0.0]),
            (fine, broken, up),
            (odd, triangle, up),
        ] {
            let (ray, _) = hit.spawn_ray(&triangle, dir);
            assert!(ray.check().is_err(), "{hit:?} {triangle:?} {dir:?}");
        }
        // A ray along the plane, or from a triangle without area, has no side to leave towards.
        let flat = Triangle::new([0.0; 3], [1.0; 3], [2.0; 3]);
        let (ray, _) = fine.spawn_ray(&triangle, [1.0, 0.0, 0.0]);
        assert_eq!(ray.origin.to_array(), [0.25, 0.25, 0.0]);
        let (ray, _) = fine.spawn_ray(&flat, up);
        assert_eq!(ray.origin.to_array(), [0.75; 3]);
    }

    #[test]
    fn exact_points_are_not_moved() {
        // A slope on integers: the plane contains the point's f32s, and the ray starts there.
        let slope = Triangle::new([0.0, 0.0, 0.0], [4.0, 0.0, 4.0], [0.0, 4.0, 8.0]);
        let hit: Hit = Hit {
            t: 1.0,
            u: 0.25,
            v: 0.5,
            prim: PrimId::MAX,
        };
        for dir in [[0.0, 0.0, 1.0], [0.0, 0.0, -1.0], [1.0, 0.0, 1.0]] {
            let (ray, _) = hit.spawn_ray(&slope, dir);
            assert_eq!(ray.origin.to_array(), [1.0, 2.0, 5.0]);
            assert_eq!((ray.t_min.to_bits(), ray.t_max), (1, f32::INFINITY));
        }
    }
}
