//! The `f64` stage for eight rays at once, each with its own triangle: from nine coordinates of
//! corners to the numbers of a hit, where `f64` decides all of them.
//!
//! It evaluates `products.rs` and `quotients.rs` with one lane per ray. Lanes that are not certain are
//! left to `f64_test.rs`.

use super::PreparedRay;
use super::f64_lanes::round_lanes;
use super::products::Products;
use super::quotients::{Quotients, WELL_ABOVE};
use crate::arithmetic::InlineMap;
use crate::shapes::Triangle;
use fearless_simd::{Level, Select, Simd, SimdBase, SimdMask, SimdWiden, f32x8, f64x4, mask64x4};

/// The number of lanes.
pub(crate) const EIGHT: usize = 8;

/// The numbers of a lane: origin, direction, three corners, interval.
const ROWS: usize = 17;

/// Eight rays and triangles, number by number.
#[derive(Clone, Debug)]
pub(crate) struct Eight([[f32; EIGHT]; ROWS]);

/// The hits of the certain lanes.
pub(crate) struct Hits {
    pub(crate) t: [f32; EIGHT],
    pub(crate) u: [f32; EIGHT],
    pub(crate) v: [f32; EIGHT],
    /// The certain lanes, as bits.
    pub(crate) certain: u32,
}

impl Eight {
    /// Lanes without a ray that hits anything.
    pub(crate) const NONE: Eight = Eight([[0.0; EIGHT]; ROWS]);

    #[inline(always)]
    pub(crate) fn set(&mut self, lane: usize, ray: &PreparedRay<'_>, triangle: &Triangle) {
        let ray = ray.ray();
        let lane = lane % EIGHT;
        let rows = &mut self.0;
        // Not a loop: the compiler would keep it one, at three times the cost.
        rows[0][lane] = ray.origin.x;
        rows[1][lane] = ray.origin.y;
        rows[2][lane] = ray.origin.z;
        rows[3][lane] = ray.dir.x;
        rows[4][lane] = ray.dir.y;
        rows[5][lane] = ray.dir.z;
        rows[6][lane] = triangle.p0.x;
        rows[7][lane] = triangle.p0.y;
        rows[8][lane] = triangle.p0.z;
        rows[9][lane] = triangle.p1.x;
        rows[10][lane] = triangle.p1.y;
        rows[11][lane] = triangle.p1.z;
        rows[12][lane] = triangle.p2.x;
        rows[13][lane] = triangle.p2.y;
        rows[14][lane] = triangle.p2.z;
        rows[15][lane] = ray.t_min;
        rows[16][lane] = ray.t_max;
    }

    /// Returns the triangle of a lane.
    pub(crate) fn triangle(&self, lane: usize) -> Triangle {
        let corner = |row: usize| [0, 1, 2].inline_map(|axis| self.0[row + axis][lane % EIGHT]);
        Triangle::new(corner(6), corner(9), corner(12))
    }

    pub(crate) fn hits(&self, level: Level) -> Hits {
        fearless_simd::dispatch!(level, simd => hits(simd, &self.0))
    }
}

/// Returns the best instruction set of this machine.
pub(crate) fn level() -> Level {
    #[cfg(feature = "std")]
    {
        Level::new()
    }
    #[cfg(not(feature = "std"))]
    {
        Level::baseline()
    }
}

#[inline(always)]
fn hits<S: Simd>(simd: S, rows: &[[f32; EIGHT]; ROWS]) -> Hits {
    let (o0, o1) = vector(simd, rows, 0);
    let (d0, d1) = vector(simd, rows, 3);
    let (a0, a1) = vector(simd, rows, 6);
    let (b0, b1) = vector(simd, rows, 9);
    let (c0, c1) = vector(simd, rows, 12);
    let (from0, from1) = row(simd, rows, 15).widen();
    let (to0, to1) = row(simd, rows, 16).widen();
    let low = Four::of(simd, o0, d0, [a0, b0, c0], (from0, to0));
    let high = Four::of(simd, o1, d1, [a1, b1, c1], (from1, to1));
    let (t, t_certain) = round_lanes(low.t, high.t);
    let (u, u_certain) = round_lanes(low.u, high.u);
    let (v, v_certain) = round_lanes(low.v, high.v);
    let inside = low.certain.to_bitmask() as u32 | (high.certain.to_bitmask() as u32) << 4;
    Hits {
        t: t.to_array(),
        u: u.to_array(),
        v: v.to_array(),
        certain: inside & t_certain & u_certain & v_certain,
    }
}

/// The results of `f64` for four lanes: intervals, and the certain lanes.
struct Four<S: Simd> {
    t: (f64x4<S>, f64x4<S>),
    u: (f64x4<S>, f64x4<S>),
    v: (f64x4<S>, f64x4<S>),
    certain: mask64x4<S>,
}

type Point64x4<S> = [f64x4<S>; 3];

impl<S: Simd> Four<S> {
    /// Decides as `PreparedRay::decide` does.
    #[inline(always)]
    fn of(
        simd: S,
        o: Point64x4<S>,
        d: Point64x4<S>,
        corners: [Point64x4<S>; 3],
        (t_min, t_max): (f64x4<S>, f64x4<S>),
    ) -> Self {
        let found = Products::of(o, d, corners);
        let Products { den, .. } = found;
        let divides = den.abs().simd_gt(found.den_error * WELL_ABOVE);
        let reversed = den.simd_lt(f64x4::splat(simd, 0.0));
        let [edge0, edge1, edge2] = found.edges;
        let least = reversed.select(-edge0, edge0);
        let least = least.min(reversed.select(-edge1, edge1));
        let least = least.min(reversed.select(-edge2, edge2));
        let quotients = Quotients::of(&found);
        let t = quotients.interval(found.num, found.num_error);
        let is_inside = least.simd_gt(found.edge_error);
        Four {
            t,
            u: quotients.interval(edge1, found.edge_error),
            v: quotients.interval(edge2, found.edge_error),
            certain: divides & is_inside & t.0.simd_ge(t_min) & t.1.simd_le(t_max),
        }
    }
}

#[inline(always)]
fn row<S: Simd>(simd: S, rows: &[[f32; EIGHT]; ROWS], row: usize) -> f32x8<S> {
    f32x8::load_array_ref(simd, &rows[row])
}

#[inline(always)]
fn vector<S: Simd>(
    simd: S,
    rows: &[[f32; EIGHT]; ROWS],
    first: usize,
) -> (Point64x4<S>, Point64x4<S>) {
    let (x0, x1) = row(simd, rows, first).widen();
    let (y0, y1) = row(simd, rows, first + 1).widen();
    let (z0, z1) = row(simd, rows, first + 2).widen();
    ([x0, y0, z0], [x1, y1, z1])
}

#[cfg(all(test, feature = "repository-tests"))]
pub(super) mod tests {
    use super::*;
    use crate::shapes::{Hit, PrimId, Ray};
    use alloc::vec::Vec;
    use estoc_testkit::generate::{self, Rng};
    use glam::Vec3;

    pub(in crate::exact) type RayAndTriangle = (Ray, Triangle);

    /// Returns baseline, AVX2 and the best level, as far as this machine has them.
    pub(in crate::exact) fn levels() -> Vec<Level> {
        let best = Level::new();
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        let avx2 = best.as_avx2().map(Level::Avx2);
        #[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
        let avx2 = None;
        [Some(Level::baseline()), avx2, Some(best)]
            .into_iter()
            .flatten()
            .collect()
    }

    /// Returns the result of the scalar code.
    pub(in crate::exact) fn truth((ray, triangle): &RayAndTriangle) -> Option<Hit> {
        let question = PreparedRay::new(ray).expect("a defined ray");
        let prim = PrimId::from_index(0).unwrap();
        let touch = question.touch(prim, triangle, f64::INFINITY)?;
        Some(question.hit(&touch))
    }

    /// The number of hits, and of certain ones among them, in lanes that were set.
    #[derive(Debug, Default)]
    struct LaneCounts {
        hits: usize,
        misses: usize,
        certain: usize,
    }

    impl LaneCounts {
        /// Tests the pairs in one `Eight` that is never cleared, one to eight at a time, so that
        /// nearly always some lanes contain earlier pairs.
        fn look(&mut self, level: Level, pairs: &[RayAndTriangle], rng: &mut Rng) {
            let mut rest = pairs;
            let mut eight = Eight::NONE;
            while !rest.is_empty() {
                let (now, later) = rest.split_at((1 + rng.below(EIGHT)).min(rest.len()));
                rest = later;
                let first = rng.below(EIGHT);
                let mut alone = Eight::NONE;
                for (i, (ray, triangle)) in now.iter().enumerate() {
                    let question = PreparedRay::new(ray).expect("a defined ray");
                    eight.set(first + i, &question, triangle);
                    alone.set(first + i, &question, triangle);
                }
                let (found, without_others) = (eight.hits(level), alone.hits(level));
                let mut lanes = 0;
                for (i, pair) in now.iter().enumerate() {
                    let lane = (first + i) % EIGHT;
                    lanes |= 1 << lane;
                    let stored = eight.triangle(lane).corners();
                    let bits = |p: Vec3| p.to_array().map(f32::to_bits);
                    assert_eq!(stored.map(bits), pair.1.corners().map(bits));
                    self.compare(&found, lane, pair, level);
                }
                assert_eq!(found.certain & lanes, without_others.certain, "{now:?}");
            }
        }

        fn compare(&mut self, found: &Hits, lane: usize, pair: &RayAndTriangle, level: Level) {
            let is_certain = found.certain >> lane & 1 == 1;
            let Some(hit) = truth(pair) else {
                self.misses += 1;
                assert!(!is_certain, "{level:?}: no hit: {pair:?}");
                return;
            };
            self.hits += 1;
            self.certain += usize::from(is_certain);
            let bits = |t: f32, u: f32, v: f32| [t, u, v].map(f32::to_bits);
            let of_lane = bits(found.t[lane], found.u[lane], found.v[lane]);
            assert!(
                !is_certain || of_lane == bits(hit.t, hit.u, hit.v),
                "{level:?}: {of_lane:?} for {hit:?}: {pair:?}"
            );
        }
    }

    /// Returns triangles near the unit cube, and rays through the insides of most of them.
    pub(in crate::exact) fn ordinary(rng: &mut Rng, n: usize) -> Vec<RayAndTriangle> {
        let pair = |_| {
            let [a, b, c, origin] = [0; 4].map(|_: i32| rng.point());
            let [u, v] = [0; 2].map(|_: i32| 0.1 + 0.4 * rng.signed().abs());
            let at = a + u * (b - a) + v * (c - a);
            let triangle = Triangle::new(a, b, c);
            (Ray::new(origin, at - origin), triangle)
        };
        let pairs = (0..n).map(pair);
        pairs.filter(|(ray, _)| ray.check().is_ok()).collect()
    }

    /// Returns rays of the test kit's scenes with all triangles that they hit, also with intervals
    /// that end at the hit, and with some that they miss.
    pub(in crate::exact) fn hostile(rng: &mut Rng, rays_per_scene: usize) -> Vec<RayAndTriangle> {
        let mut pairs = Vec::new();
        for scene in generate::scenes(3) {
            for case in generate::cases(&scene, rays_per_scene) {
                let told = case.ray;
                let line = Ray::new(told.origin, told.dir);
                let ray = line.with_interval(told.t_min, told.t_max);
                if ray.check().is_err() {
                    continue;
                }
                for triangle in &scene.triangles {
                    let triangle = Triangle::new(triangle.p0, triangle.p1, triangle.p2);
                    let hit = truth(&(ray, triangle));
                    if hit.is_some() || rng.one_in(50) {
                        pairs.push((ray, triangle));
                    }
                    if let Some(Hit { t, .. }) = hit {
                        for (t_min, t_max) in [(t, t), (ray.t_min, t), (t, ray.t_max)] {
                            pairs.push((line.with_interval(t_min, t_max), triangle));
                        }
                        let (before, behind) = (t.next_down(), t.next_up());
                        pairs.push((line.with_interval(before, behind), triangle));
                        pairs.push((line.with_interval(f32::NEG_INFINITY, before), triangle));
                        pairs.push((line.with_interval(behind, f32::INFINITY), triangle));
                    }
                }
            }
        }
        let defined = |(ray, _): &RayAndTriangle| ray.check().is_ok();
        pairs.retain(defined);
        pairs
    }

    #[test]
    fn certain_lanes_are_what_the_scalar_path_says() {
        let mut rng = Rng::named(1, "eight");
        let ordinary = ordinary(&mut rng, 20_000);
        let hostile = hostile(&mut rng, 40);
        for level in levels() {
            let mut seen = LaneCounts::default();
            seen.look(level, &ordinary, &mut rng);
            std::println!("{level:?}: ordinary: {seen:?}");
            assert!(seen.hits > 19_000, "{seen:?}");
            assert!(seen.certain > seen.hits / 1000 * 995, "{seen:?}");
            let mut seen = LaneCounts::default();
            seen.look(level, &hostile, &mut rng);
            std::println!("{level:?}: hostile: {seen:?}");
            assert!(seen.hits > 10_000 && seen.misses > 10_000, "{seen:?}");
            assert!(seen.certain > seen.hits / 10, "{seen:?}");
        }
    }

    /// The result of a lane does not depend on the other lanes.
    #[test]
    fn other_lanes_do_not_matter() {
        let mut rng = Rng::named(2, "eight");
        let pairs = ordinary(&mut rng, 500);
        let odd = [f32::NAN, f32::INFINITY, f32::MAX, -f32::MAX, 1e-45, 0.0];
        for level in levels() {
            for (ray, triangle) in &pairs {
                let question = PreparedRay::new(ray).unwrap();
                let lane = rng.below(EIGHT);
                let mut alone = Eight::NONE;
                alone.set(lane, &question, triangle);
                let mut eight = Eight::NONE;
                eight
                    .0
                    .iter_mut()
                    .flatten()
                    .for_each(|x| *x = rng.pick(&odd));
                eight.set(lane, &question, triangle);
                let [alone, beside] = [alone.hits(level), eight.hits(level)];
                let of = |hits: &Hits| {
                    let numbers = [hits.t[lane], hits.u[lane], hits.v[lane]];
                    (hits.certain >> lane & 1, numbers.map(f32::to_bits))
                };
                assert_eq!(of(&alone), of(&beside), "{level:?} {ray:?} {triangle:?}");
                assert_eq!(alone.certain & !(1 << lane), 0);
            }
            assert_eq!(Eight::NONE.hits(level).certain, 0);
        }
    }
}
