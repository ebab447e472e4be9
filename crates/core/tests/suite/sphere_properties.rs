//! Ray against sphere, compared with exact integers: every decision is the same, every parameter is
//! rounded once. The numbers are as hostile as possible; a failure prints its case.

use crate::reference::{SCALE, big, dot, is_nearest, minus, order_f32, order_root, ulps, vector};
use estoc_core::{Ray, Span, Sphere};
use estoc_testkit::conformance::Effort;
use estoc_testkit::tables::Rng;
use num_bigint::BigInt;
use num_traits::{Signed, Zero};
use std::cmp::Ordering;

const INF: f32 = f32::INFINITY;

/// The line's roots `(b -+ sqrt(square)) / a`, all of them times a power of two.
struct Roots {
    a: BigInt,
    b: BigInt,
    square: BigInt,
}

const ENTRY: i32 = -1;
const EXIT: i32 = 1;

impl Roots {
    fn of(sphere: &Sphere, ray: &Ray) -> Option<Roots> {
        let d = vector(ray.dir);
        let v = minus(&vector(sphere.center()), &vector(ray.origin));
        let radius = big(sphere.radius());
        let (a, b) = (dot(&d, &d), dot(&d, &v));
        let square = &b * &b - &a * (dot(&v, &v) - &radius * &radius);
        (!square.is_negative()).then_some(Roots { a, b, square })
    }

    /// Compares a root with `t * 2^-SCALE`: `-+sqrt(square)` with `a t - b`.
    fn order(&self, end: i32, t: &BigInt) -> Ordering {
        let x = &self.a * t - (&self.b << SCALE);
        order_root(&x, end, &(&self.square << (2 * SCALE))).reverse()
    }

    fn meets(&self, ray: &Ray) -> bool {
        order_f32(ray.t_max, |t| self.order(ENTRY, t)) != Ordering::Greater
            && order_f32(ray.t_min, |t| self.order(EXIT, t)) != Ordering::Less
    }

    fn check(&self, found: f32, end: i32, worst: &mut f64, context: &str) {
        let is_rounded_once = is_nearest(found, |t| self.order(end, t));
        assert!(
            is_rounded_once,
            "{found:?} is not the nearest to root {end}: {context}"
        );
        let more = 2 * 300;
        let radicand: BigInt = &self.square << more;
        let root = radicand.sqrt() * end;
        let num = (&self.b << (more / 2)) + root;
        *worst = worst.max(ulps(found, &num, &(&self.a << (more / 2))));
    }
}

/// Counters of a run, which show that every case occurred.
#[derive(Default)]
struct Seen {
    hits: u32,
    misses: u32,
    tangents: u32,
    inside: u32,
    worst: f64,
}

fn judge(sphere: &Sphere, ray: &Ray, seen: &mut Seen, case: &str) {
    let context = format!("{case}: {sphere:?} {ray:?}");
    let roots = Roots::of(sphere, ray).filter(|roots| roots.meets(ray));
    let chord = sphere.chord(ray);
    let (solid, surface) = (sphere.enter_solid(ray), sphere.enter_surface(ray));
    let Some(roots) = roots else {
        assert_eq!((chord, solid, surface), (None, None, None), "{context}");
        seen.misses += 1;
        return;
    };
    seen.hits += 1;
    let Some(Span { entry, exit }) = chord else {
        panic!("a hit was lost: {context}");
    };
    roots.check(entry, ENTRY, &mut seen.worst, &context);
    roots.check(exit, EXIT, &mut seen.worst, &context);
    if roots.square.is_zero() {
        seen.tangents += 1;
        assert_eq!(entry.to_bits(), exit.to_bits(), "{context}");
    }
    let starts_inside = order_f32(ray.t_min, |t| roots.order(ENTRY, t)) == Ordering::Less;
    let leaves = order_f32(ray.t_max, |t| roots.order(EXIT, t)) != Ordering::Greater;
    seen.inside += u32::from(starts_inside);
    let expected = if starts_inside {
        (Some(ray.t_min + 0.0), leaves.then_some(exit))
    } else {
        (Some(entry), Some(entry))
    };
    assert_eq!((solid, surface), expected, "{context}");
}

fn scaled(v: [f32; 3], factor: f32) -> [f32; 3] {
    v.map(|x| x * factor)
}

fn plus(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    std::array::from_fn(|i| a[i] + b[i])
}

fn less(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    std::array::from_fn(|i| a[i] - b[i])
}

/// Returns a point on or near the surface of the unit ball.
fn on_unit(rng: &mut Rng) -> [f32; 3] {
    loop {
        let v = rng.vec(-1.0, 1.0);
        let length = v.map(|x| x * x).iter().sum::<f32>().sqrt();
        if length > 0.1 && length < 1.0 {
            return v.map(|x| x / length);
        }
    }
}

/// Returns a number of any size that an `f32` has, of either sign.
fn mixed(rng: &mut Rng) -> f32 {
    rng.between(-1.0, 1.0) * 10f32.powf(rng.between(-38.0, 38.0))
}

const KINDS: &str = "ordinary far tiny huge surface grid tangent mixed any subnormal";

/// Integer vectors of integer length.
const WHOLE: [([f32; 3], f32); 6] = [
    ([1.0, 2.0, 2.0], 3.0),
    ([2.0, 3.0, 6.0], 7.0),
    ([4.0, 0.0, 3.0], 5.0),
    ([1.0, 4.0, 8.0], 9.0),
    ([2.0, 6.0, 9.0], 11.0),
    ([0.0, 1.0, 0.0], 1.0),
];

/// Returns an exact tangent, or one that is off by a last bit of the radius.
fn tangent(rng: &mut Rng) -> ([f32; 3], f32, [f32; 3], [f32; 3]) {
    let (mut aside, length) = rng.pick(&WHOLE);
    let turn = rng.below(3) as usize;
    aside.rotate_left(turn);
    let [x, y, z] = rng.grid(-3, 3);
    let [a, b, c] = aside;
    let dir = [b * z - c * y, c * x - a * z, a * y - b * x];
    let center = rng.grid(-1000, 1000);
    let back = scaled(dir, rng.integer(-1000, 1000));
    let origin = less(plus(center, aside), back);
    let radius = rng.pick(&[length, length, length.next_up(), length.next_down()]);
    let size = rng.pick(&[1.0, 2f32.powi(-60), 2f32.powi(80)]);
    let [center, origin] = [center, origin].map(|point| scaled(point, size));
    (center, radius * size, origin, dir)
}

/// Returns centre, radius, origin and direction.
fn generate(rng: &mut Rng, kind: &str) -> ([f32; 3], f32, [f32; 3], [f32; 3]) {
    let aimed = |rng: &mut Rng, size: f32, distance: f32| {
        let center = scaled(rng.vec(-1.0, 1.0), size);
        let origin = plus(center, scaled(on_unit(rng), distance));
        let target = plus(center, scaled(on_unit(rng), size * rng.between(0.0, 1.05)));
        (center, size, origin, less(target, origin))
    };
    match kind {
        "ordinary" => {
            let distance = rng.between(0.0, 8.0);
            aimed(rng, 1.0, distance)
        }
        "far" => aimed(rng, 1.0, 1e6),
        "tiny" => aimed(rng, 1e-30, 1e-28),
        "huge" => aimed(rng, 1e30, 3e30),
        "surface" => {
            let (center, radius) = (rng.vec(-4.0, 4.0), rng.between(0.1, 3.0));
            let origin = plus(center, scaled(on_unit(rng), radius));
            (center, radius, origin, rng.vec(-1.0, 1.0))
        }
        "grid" => (
            rng.grid(-3, 3),
            rng.integer(0, 5),
            rng.grid(-6, 6),
            rng.grid(-2, 2),
        ),
        "tangent" => tangent(rng),
        "mixed" => {
            let [center, origin, dir] = [(); 3].map(|()| [(); 3].map(|()| mixed(rng)));
            (center, mixed(rng).abs(), origin, dir)
        }
        "any" => {
            let mut finite = || loop {
                let x = rng.any();
                if x.is_finite() {
                    return x;
                }
            };
            let [center, origin, dir] = [(); 3].map(|()| [(); 3].map(|()| finite()));
            (center, finite().abs(), origin, dir)
        }
        _ => {
            let mut small = || f32::from_bits(rng.below(40) as u32) * rng.pick(&[1.0, -1.0]);
            let [center, origin, dir] = [(); 3].map(|()| [(); 3].map(|()| small()));
            (center, small().abs(), origin, dir)
        }
    }
}

#[test]
fn every_answer_is_exact() {
    const SEED: u64 = 0x0e57_0c11;
    let rounds = if Effort::is_long() { 300_000 } else { 4_000 };
    for kind in KINDS.split(' ') {
        let mut rng = Rng::new(SEED);
        let mut seen = Seen::default();
        for round in 0..rounds {
            let (center, radius, origin, dir) = generate(&mut rng, kind);
            if dir == [0.0; 3] {
                continue;
            }
            let sphere = Sphere::try_new(center, radius).unwrap();
            let line = Ray::new(origin, dir).with_interval(-INF, INF);
            let case = format!("seed {SEED:#x}, {kind}, round {round}");
            judge(&sphere, &line, &mut seen, &case);
            judge(&sphere, &Ray::new(origin, dir), &mut seen, &case);
            // Bounds at the roots and one step beside them: only an exact comparison decides.
            if let Some(Span { entry, exit }) = sphere.chord(&line) {
                let near = |rng: &mut Rng, t: f32| rng.pick(&[t, t.next_up(), t.next_down()]);
                let bounds = [near(&mut rng, entry), near(&mut rng, exit)];
                for (t_min, t_max) in [(-INF, bounds[0]), (bounds[1], INF), (bounds[0], bounds[1])]
                {
                    if t_min <= t_max && t_min < INF && t_max > -INF {
                        judge(&sphere, &line.with_interval(t_min, t_max), &mut seen, &case);
                    }
                }
            }
        }
        println!(
            "{kind}: {} hits ({} from inside, {} tangents), {} misses, worst error {:.6} ulp",
            seen.hits, seen.inside, seen.tangents, seen.misses, seen.worst
        );
        assert!(seen.hits > 100 && seen.misses > 100, "{kind} is one-sided");
        assert!(seen.worst <= 0.5, "{kind}");
        if kind == "tangent" {
            assert!(seen.tangents > 1_000, "few tangents");
        }
    }
}

/// Where plain `f64` is accurate enough, it agrees to within a step.
#[test]
fn ordinary_rays_agree_with_naive_f64() {
    let mut rng = Rng::new(0x0e57_0c12);
    let mut hits = 0;
    for round in 0..20_000 {
        let (center, radius, origin, dir) = generate(&mut rng, "ordinary");
        let sphere = Sphere::try_new(center, radius).unwrap();
        let ray = Ray::new(origin, dir).with_interval(-INF, INF);
        let v: [f64; 3] = std::array::from_fn(|i| f64::from(center[i]) - f64::from(origin[i]));
        let d = dir.map(f64::from);
        let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
        let (a, b) = (dot(d, d), dot(d, v));
        let square = b * b - a * (dot(v, v) - f64::from(radius).powi(2));
        if square.abs() < 1e-9 {
            continue; // nearly a tangent
        }
        let found = sphere.chord(&ray);
        assert_eq!(found.is_some(), square > 0.0, "round {round}");
        if let Some(chord) = found {
            hits += 1;
            for (t, root) in [(chord.entry, -1.0), (chord.exit, 1.0)] {
                let naive = (b + root * square.sqrt()) / a;
                let error = (f64::from(t) - naive).abs();
                assert!(error <= 1e-7 * naive.abs() + 1e-12, "round {round}");
            }
        }
    }
    assert!(hits > 10_000);
}

#[test]
fn containment_is_exact() {
    let mut rng = Rng::new(0x0e57_0c13);
    let (mut inside, mut outside) = (0, 0);
    for kind in KINDS.split(' ') {
        for round in 0..1_500 {
            let (center, radius, point, _) = generate(&mut rng, kind);
            let sphere = Sphere::try_new(center, radius).unwrap();
            // Points beside the surface are decided by their last bits.
            let close = plus(center, scaled(on_unit(&mut rng), radius));
            for point in [point, close] {
                if point.iter().any(|x| !x.is_finite()) {
                    assert!(!sphere.contains(point));
                    continue;
                }
                let v = minus(&vector(point), &vector(center));
                let expected = dot(&v, &v) <= big(radius) * big(radius);
                let found = sphere.contains(point);
                assert_eq!(found, expected, "{kind} {round}: {sphere:?} {point:?}");
                *if found { &mut inside } else { &mut outside } += 1;
            }
        }
    }
    assert!(inside > 2_000 && outside > 2_000, "{inside} {outside}");
}

/// Rays that start at a point outside and do not head inward never hit the ball, for any numbers.
#[test]
fn what_leaves_stays_away() {
    let mut rng = Rng::new(0x0e57_0c14);
    let (mut starts, mut most) = (0, 0);
    for kind in KINDS.split(' ') {
        for round in 0..1_000 {
            let (center, radius, _, dir) = generate(&mut rng, kind);
            let sphere = Sphere::try_new(center, radius).unwrap();
            let point = plus(center, scaled(on_unit(&mut rng), radius));
            let Some(start) = sphere.point_outside(point) else {
                let reach = center.map(|x| x.abs() + radius);
                assert!(reach.iter().any(|x| x.is_infinite()), "{kind} {round}");
                continue;
            };
            assert!(!sphere.contains(start));
            let back: Vec<usize> = (0..3).filter(|&i| start[i] != point[i]).collect();
            assert!(back.len() <= 1);
            if let [axis] = back[..] {
                // One step back is inside: the point could not be nearer.
                let mut before = start;
                before[axis] = match start[axis] > point[axis] {
                    true => start[axis].next_down(),
                    false => start[axis].next_up(),
                };
                assert!(sphere.contains(before), "{kind} {round}");
                if kind == "surface" {
                    let bits = start[axis].to_bits().abs_diff(point[axis].to_bits());
                    most = most.max(bits);
                }
            }
            let outward = minus(&vector(start), &vector(center));
            if dot(&outward, &vector(dir)).is_negative() || dir == [0.0; 3] {
                continue;
            }
            starts += 1;
            assert_eq!(sphere.chord(&Ray::new(start, dir)), None, "{kind} {round}");
        }
    }
    println!("{starts} rays left; points on surfaces moved by {most} ulp at the most");
    assert!(starts > 2_000);
}
