//! Planes against rays, points and spheres, compared with exact integers: every decision is the
//! same, every number is rounded once.

use crate::reference::{
    SCALE, V, big, dot, is_nearest, order_f32, order_root, quotient, ulps, vector,
};
use estoc_core::{
    Plane, PlaneHit, PlaneMeet, PlaneSide, Ray, Side, Sphere, SpherePosition, SphereSweep,
};
use estoc_testkit::tables::Rng;
use num_bigint::BigInt;
use num_traits::{Signed, Zero};
use std::cmp::Ordering;

const INF: f32 = f32::INFINITY;
const SEED: u64 = 0x0e57_0c21;

/// A plane as given, and its numbers as integers.
struct Case {
    plane: Plane,
    normal: V,
    /// `normal . p` on the plane, times 2^(2 SCALE).
    offset: BigInt,
}

impl Case {
    fn through(point: [f32; 3], normal: [f32; 3]) -> Option<Case> {
        Some(Case {
            plane: Plane::through(point, normal).ok()?,
            offset: dot(&vector(normal), &vector(point)),
            normal: vector(normal),
        })
    }

    fn at_offset(normal: [f32; 3], offset: f32) -> Option<Case> {
        Some(Case {
            plane: Plane::from_offset(normal, offset).ok()?,
            offset: big(offset) << SCALE,
            normal: vector(normal),
        })
    }

    /// Returns the height times 2^(2 SCALE).
    fn height(&self, point: impl Into<[f32; 3]>) -> BigInt {
        dot(&self.normal, &vector(point)) - &self.offset
    }

    /// Returns the square of radius times the normal's length, times 2^(4 SCALE).
    fn reach(&self, radius: f32) -> BigInt {
        big(radius) * big(radius) * dot(&self.normal, &self.normal)
    }
}

const KINDS: [&str; 6] = ["ordinary", "far", "grid", "mixed", "any", "subnormal"];

/// Returns a number of a kind.
fn number(rng: &mut Rng, kind: &str) -> f32 {
    match kind {
        "ordinary" => rng.between(-2.0, 2.0),
        "far" => rng.pick(&[1e6, 1e6, -1e6, 0.0]) + rng.between(-1.0, 1.0),
        "grid" => rng.integer(-4, 4),
        "mixed" => rng.between(-1.0, 1.0) * 10f32.powf(rng.between(-38.0, 38.0)),
        "any" => loop {
            let x = rng.any();
            if x.is_finite() {
                break x;
            }
        },
        _ => f32::from_bits(rng.below(40) as u32) * rng.pick(&[1.0, -1.0]),
    }
}

fn triple(rng: &mut Rng, kind: &str) -> [f32; 3] {
    [(); 3].map(|()| number(rng, kind))
}

/// Returns a plane of either form, with the numbers it was made of.
fn plane(rng: &mut Rng, kind: &str) -> Option<Case> {
    // Normals of usual sizes, or as extreme as the other numbers.
    let wild = rng.below(2) == 0;
    let normal = triple(rng, if wild { kind } else { "grid" });
    if rng.below(2) == 0 {
        let point = triple(rng, kind);
        Case::through(point, normal)
    } else {
        let offset = number(rng, kind);
        Case::at_offset(normal, offset)
    }
}

fn each(purpose: &str, rounds: u32, mut check: impl FnMut(&mut Rng, &str, &Case, &str)) {
    for kind in KINDS {
        let mut rng = Rng::new(SEED);
        for round in 0..rounds {
            if let Some(case) = plane(&mut rng, kind) {
                let context = format!("{purpose}, {kind}, round {round}: {:?}", case.plane);
                check(&mut rng, kind, &case, &context);
            }
        }
    }
}

#[test]
fn rays_are_answered_exactly() {
    let mut worst = 0.0f64;
    let [mut hits, mut beyond, mut parallel, mut contained] = [0; 4];
    each("rays", 4_000, |rng, kind, case, context| {
        let (origin, mut dir) = (triple(rng, kind), triple(rng, kind));
        if rng.below(4) == 0 {
            // Along the plane: perpendicular to a normal of few bits.
            let [x, y, z] = case.plane.normal().to_array();
            dir = rng.pick(&[[y, -x, 0.0], [0.0, z, -y], [-z, 0.0, x]]);
        }
        if dir == [0.0; 3] {
            return;
        }
        let line = Ray::new(origin, dir).with_interval(-INF, INF);
        let mut rays = vec![line, Ray::new(origin, dir)];
        if let Some(PlaneHit { t, .. }) = case.plane.hit(&line) {
            let near = rng.pick(&[t, t.next_up(), t.next_down()]);
            rays.push(line.with_interval(near, INF));
            rays.push(line.with_interval(-INF, near));
        }
        let (height, slope) = (case.height(origin), dot(&case.normal, &vector(dir)));
        // t = -height / slope, compared with an integer over 2^SCALE.
        let order = |t: &BigInt| {
            let order = (-&height << SCALE).cmp(&(t * &slope));
            if slope.is_negative() {
                order.reverse()
            } else {
                order
            }
        };
        for ray in rays {
            let found = case.plane.meet(&ray);
            let inside = ray.t_min < INF
                && ray.t_max > -INF
                && order_f32(ray.t_min, order) != Ordering::Less
                && order_f32(ray.t_max, order) != Ordering::Greater;
            let context = format!("{context} {ray:?} {found:?}");
            match found {
                PlaneMeet::Contained => {
                    contained += 1;
                    assert!(slope.is_zero() && height.is_zero(), "{context}");
                }
                PlaneMeet::Parallel => {
                    parallel += 1;
                    assert!(slope.is_zero() && !height.is_zero(), "{context}");
                }
                PlaneMeet::Beyond => {
                    beyond += 1;
                    assert!(!slope.is_zero() && !inside, "{context}");
                }
                PlaneMeet::Hit(PlaneHit { t, side }) => {
                    hits += 1;
                    assert!(!slope.is_zero() && inside, "{context}");
                    assert_eq!(side == Side::Front, slope.is_negative(), "{context}");
                    assert!(is_nearest(t, order), "{context}");
                    worst = worst.max(ulps(t, &-&height, &slope));
                }
                PlaneMeet::Undefined => panic!("{context}"),
            }
        }
    });
    println!("{hits} hits, {beyond} beyond, {parallel} parallel, {contained} contained");
    println!("worst error of t: {worst:.6} ulp");
    assert!(worst <= 0.5);
    assert!(hits > 10_000 && beyond > 10_000 && parallel > 1_000 && contained > 50);
}

#[test]
fn points_are_answered_exactly() {
    let mut worst = 0.0f64;
    let mut on = 0;
    each("points", 4_000, |rng, kind, case, context| {
        let point = triple(rng, kind);
        let height = case.height(point);
        let expected = match height.cmp(&BigInt::zero()) {
            Ordering::Greater => PlaneSide::Front,
            Ordering::Equal => PlaneSide::On,
            Ordering::Less => PlaneSide::Back,
        };
        on += u32::from(expected == PlaneSide::On);
        let side = case.plane.side_of(point);
        assert_eq!(side, Some(expected), "{context} {point:?}");

        // distance * length = height, so T compares as T^2 n.n does with height^2.
        let square = dot(&case.normal, &case.normal);
        let order = |t: &BigInt| {
            let sign = if t.is_negative() { -1 } else { 1 };
            order_root(&height, sign, &(t * t * &square))
        };
        let distance = case.plane.signed_distance(point).unwrap();
        let is_rounded_once = is_nearest(distance, order);
        assert!(is_rounded_once, "{context} {point:?} {distance}");
        // More bits than any rounding can depend on.
        let more = 400;
        let radicand: BigInt = &square << (2 * more);
        let length = radicand.sqrt() << SCALE;
        worst = worst.max(ulps(distance, &(&height << more), &length));
        let flipped = case.plane.flipped().signed_distance(point);
        assert_eq!(flipped, Some(0.0 - distance), "{context}");
    });
    println!("{on} points on planes, worst error of the distance: {worst:.6} ulp");
    assert!(worst <= 0.5 && on > 100);
}

/// Returns a sphere near the plane, so that contact is decided by last bits.
fn sphere(rng: &mut Rng, kind: &str, case: &Case) -> Sphere {
    let center = triple(rng, kind);
    let close = case.plane.signed_distance(center).unwrap().abs();
    let radius = rng.pick(&[close, close.next_up(), close.next_down(), close / 2.0, 0.0]);
    let is_radius = radius >= 0.0 && radius.is_finite();
    Sphere::try_new(center, if is_radius { radius } else { 1.0 }).unwrap()
}

#[test]
fn spheres_at_rest_are_answered_exactly() {
    let mut seen = [0; 3];
    each("spheres", 4_000, |rng, kind, case, context| {
        let sphere = sphere(rng, kind, case);
        let (height, reach) = (case.height(sphere.center()), case.reach(sphere.radius()));
        let (expected, index) = if order_root(&height, 1, &reach) != Ordering::Less {
            (SpherePosition::Front, 0)
        } else if order_root(&height, -1, &reach) != Ordering::Greater {
            (SpherePosition::Back, 1)
        } else {
            (SpherePosition::Straddling, 2)
        };
        seen[index] += 1;
        let found = case.plane.classify(&sphere);
        assert_eq!(found, expected, "{context} {sphere:?}");
    });
    println!("front, back, straddling: {seen:?}");
    assert!(seen.iter().all(|&count| count > 1_000));
}

#[test]
fn moving_spheres_are_answered_exactly() {
    let (mut worst, mut share) = (0.0f64, 0.0f64);
    let [mut touching, mut contacts, mut late, mut away, mut parallel] = [0; 5];
    each("sweeps", 3_000, |rng, kind, case, context| {
        let sphere = sphere(rng, kind, case);
        let dir = triple(rng, kind);
        let height = case.height(sphere.center());
        let slope = dot(&case.normal, &vector(dir));
        let reach = case.reach(sphere.radius());
        let apart = order_root(&height.abs(), 1, &reach) == Ordering::Greater;
        // The remaining height at time t, compared with the reach.
        let order = |t: &BigInt| {
            let left = (height.abs() << SCALE) - t * slope.abs();
            order_root(&left, 1, &(&reach << (2 * SCALE)))
        };
        let mut limits = vec![INF, 1.0, 0.0];
        if let SphereSweep::Contact { t, .. } = case.plane.sweep(&sphere, dir, INF) {
            limits.extend([t, t.next_up(), t.next_down().max(0.0)]);
        }
        for t_max in limits {
            let found = case.plane.sweep(&sphere, dir, t_max);
            let context = format!("{context} {sphere:?} {dir:?} {t_max} {found:?}");
            let in_time = order_f32(t_max, order) != Ordering::Greater;
            let approaches = apart && !slope.is_zero() && slope.sign() != height.sign();
            match found {
                SphereSweep::Touching => {
                    touching += 1;
                    assert!(!apart, "{context}");
                }
                SphereSweep::Parallel => {
                    parallel += 1;
                    assert!(apart && slope.is_zero(), "{context}");
                }
                SphereSweep::MovingAway => {
                    away += 1;
                    assert!(apart && slope.sign() == height.sign(), "{context}");
                }
                SphereSweep::TooFar => {
                    late += 1;
                    assert!(approaches && !in_time, "{context}");
                }
                SphereSweep::Contact { t, point } => {
                    contacts += 1;
                    assert!(approaches && in_time, "{context}");
                    assert!(is_nearest(t, order), "{context}");
                    let truth = Truth::of(case, &sphere, dir);
                    worst = worst.max(ulps(t, &truth.num, &truth.den));
                    share = share.max(truth.share_of_bound(point.to_array(), &context));
                }
                SphereSweep::Undefined => panic!("{context}"),
            }
        }
    });
    println!(
        "{touching} touching, {contacts} contacts, {late} too far, {away} away, {parallel} parallel"
    );
    println!("worst error of t: {worst:.6} ulp, of the point: {share:.6} of its bound");
    assert!(worst <= 0.5);
    let counts = [touching, contacts, late, away];
    assert!(counts.iter().all(|&count| count > 1_000) && parallel > 50);
}

/// Contact time and point with more bits than `f32`s have: `t = num / den`, and coordinates over
/// one denominator.
struct Truth {
    num: BigInt,
    den: BigInt,
    point: V,
    point_den: BigInt,
    sizes: [f64; 3],
}

impl Truth {
    fn of(case: &Case, sphere: &Sphere, dir: [f32; 3]) -> Truth {
        const MORE: usize = 800;
        let height = case.height(sphere.center());
        let slope = dot(&case.normal, &vector(dir));
        let square = dot(&case.normal, &case.normal);
        let radicand: BigInt = &square << (2 * MORE);
        let length = radicand.sqrt(); // times 2^(SCALE + MORE)
        let radius = big(sphere.radius());
        let num = (height.abs() << MORE) - &radius * &length; // 2^(2 SCALE + MORE)
        let den = slope.abs() << MORE;
        // c + t d - r n / |n|, times 2^SCALE
        let (c, d) = (vector(sphere.center()), vector(dir));
        let side: BigInt = height.signum() * &radius;
        let point_den = &den * &length;
        let at = |i: usize| {
            &c[i] * &point_den + &num * &d[i] * &length - ((&side * &case.normal[i] * &den) << MORE)
        };
        let t = quotient(num.clone(), den.clone());
        let sizes = [0, 1, 2].map(|i| {
            let size = |x: f32| f64::from(x.abs());
            size(sphere.center()[i]) + t * size(dir[i]) + size(sphere.radius())
        });
        let point = std::array::from_fn(at);
        Truth {
            num,
            den,
            point,
            point_den,
            sizes,
        }
    }

    /// Returns the error beyond half an ulp, relative to the documented 2^-42 of the sizes.
    fn share_of_bound(&self, found: [f32; 3], context: &str) -> f64 {
        let mut worst = 0.0f64;
        for (i, &x) in found.iter().enumerate() {
            let truth = quotient(self.point[i].clone(), &self.point_den << SCALE);
            if x.is_infinite() {
                assert!(truth.abs() >= f64::from(f32::MAX), "{context}");
                continue;
            }
            let ulp = f64::from(x.abs().next_up()) - f64::from(x.abs());
            let bound = self.sizes[i] * 2f64.powi(-42);
            let off = (f64::from(x) - truth).abs() - ulp / 2.0;
            assert!(off <= bound, "{x} is not {truth}: {context}");
            worst = worst.max(off / bound);
        }
        worst
    }
}
