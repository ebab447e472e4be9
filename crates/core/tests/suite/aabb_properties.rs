//! Ray against box, compared with an independent computation.
//!
//! On small integers every slab parameter is a fraction of two small integers: fractions are
//! compared by cross-multiplying in `i64`, and one `f32` division rounds them correctly.

use estoc_core::glam::Vec3;
use estoc_core::{Aabb, Ray, Span};
use estoc_testkit::tables::Rng;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use std::cmp::Ordering;

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        rng_seed: RngSeed::Fixed(0x0e57_0c01),
        failure_persistence: None, // the seed repeats a failure
        ..ProptestConfig::default()
    }
}

/// A fraction with a positive denominator; 1/0 and -1/0 stand for the infinities.
#[derive(Clone, Copy, Debug)]
struct Fraction(i64, i64);

impl Fraction {
    fn new(num: i64, den: i64) -> Self {
        if den < 0 {
            Fraction(-num, -den)
        } else {
            Fraction(num, den)
        }
    }

    fn order(self, other: Fraction) -> Ordering {
        (self.0 * other.1).cmp(&(other.0 * self.1))
    }

    fn le(self, other: Fraction) -> bool {
        self.order(other) != Ordering::Greater
    }

    fn max(self, other: Fraction) -> Fraction {
        if self.le(other) { other } else { self }
    }

    fn min(self, other: Fraction) -> Fraction {
        if self.le(other) { self } else { other }
    }

    fn to_f32(self) -> f32 {
        self.0 as f32 / self.1 as f32
    }
}

/// The answers to all questions about one box and one ray.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Answers {
    slab: Option<Span>,
    solid: Option<f32>,
    surface: Option<f32>,
}

const MISS: Answers = Answers {
    slab: None,
    solid: None,
    surface: None,
};

/// Computes the textbook's slabs in fractions.
fn by_fractions(
    (min, max): ([i64; 3], [i64; 3]),
    origin: [i64; 3],
    dir: [i64; 3],
    [t_min, t_max]: [Fraction; 2],
) -> Answers {
    let (mut entry, mut exit) = (Fraction(-1, 0), Fraction(1, 0));
    for axis in 0..3 {
        if dir[axis] == 0 {
            if !(min[axis]..=max[axis]).contains(&origin[axis]) {
                return MISS;
            }
        } else {
            let at = |bound: i64| Fraction::new(bound - origin[axis], dir[axis]);
            let (a, b) = (at(min[axis]), at(max[axis]));
            entry = entry.max(a.min(b));
            exit = exit.min(a.max(b));
        }
    }
    if !(entry.le(exit) && entry.le(t_max) && t_min.le(exit)) {
        return MISS;
    }
    let from_outside = t_min.le(entry);
    let leaves = exit.le(t_max);
    Answers {
        slab: Some(Span {
            entry: entry.to_f32(),
            exit: exit.to_f32(),
        }),
        solid: Some(if from_outside { entry } else { t_min }.to_f32()),
        surface: (from_outside || leaves).then(|| if from_outside { entry } else { exit }.to_f32()),
    }
}

fn small_vector(limit: i64) -> impl Strategy<Value = [i64; 3]> {
    prop::array::uniform3(-limit..=limit)
}

/// Generates intervals, in quarters, or infinite.
fn interval() -> impl Strategy<Value = [Fraction; 2]> {
    let low = prop_oneof![
        Just(Fraction(0, 1)),
        Just(Fraction(-1, 0)),
        (-20i64..20).prop_map(|n| Fraction(n, 4)),
    ];
    let high = prop_oneof![
        Just(Fraction(1, 0)),
        (-20i64..20).prop_map(|n| Fraction(n, 4)),
    ];
    (low, high)
        .prop_filter("t_min <= t_max", |(low, high)| low.le(*high))
        .prop_map(|(low, high)| [low, high])
}

fn small(v: [i64; 3]) -> [f32; 3] {
    v.map(|n| n as f32)
}

proptest! {
    #![proptest_config(config(20_000))]

    #[test]
    fn slabs_are_exact_on_small_integers(
        (a, b) in (small_vector(4), small_vector(4)),
        origin in small_vector(6),
        dir in small_vector(3).prop_filter("a direction", |d| *d != [0; 3]),
        interval in interval(),
        negative_zero in any::<bool>(),
    ) {
        let corners = [0, 1, 2].map(|i| (a[i].min(b[i]), a[i].max(b[i])));
        let (min, max) = (corners.map(|c| c.0), corners.map(|c| c.1));
        let expected = by_fractions((min, max), origin, dir, interval);

        let bounds = Aabb::try_new(small(min), small(max)).unwrap();
        let zero = if negative_zero { -0.0 } else { 0.0 };
        let dir = small(dir).map(|d| if d == 0.0 { zero } else { d });
        let ray = Ray::new(small(origin), dir)
            .with_interval(interval[0].to_f32(), interval[1].to_f32());
        let found = Answers {
            slab: bounds.slab(&ray),
            solid: bounds.enter_solid(&ray),
            surface: bounds.enter_surface(&ray),
        };
        prop_assert_eq!(found, expected);
        prop_assert!(bounds.may_hit(&ray) || found == MISS, "may_hit lost a hit");
    }

    /// A20 (bvh proptests): a ray aimed at the centre of a box hits it; the reversed ray misses
    /// unless the origin is inside.
    #[test]
    fn aimed_at_the_centre_it_is_hit(
        centre in prop::array::uniform3(-100i32..=100),
        half in prop::array::uniform3(1i32..=50),
        offset in prop::array::uniform3(-300i32..=300).prop_filter("away", |o| *o != [0; 3]),
    ) {
        let at = |f: &dyn Fn(usize) -> i32| [0, 1, 2].map(|i| f(i) as f32);
        let bounds = Aabb::try_new(
            at(&|i| centre[i] - half[i]),
            at(&|i| centre[i] + half[i]),
        ).unwrap();
        let ray = Ray::new(at(&|i| centre[i] + offset[i]), at(&|i| -offset[i]));
        let back = Ray::new(ray.origin, -ray.dir);
        let slab = bounds.slab(&ray).expect("a ray through the centre hits");
        prop_assert!(slab.entry < slab.exit);
        prop_assert!(bounds.may_hit(&ray));
        // The centre is at t = 1 and the box is symmetric about it.
        prop_assert!(slab.entry < 1.0 && slab.exit > 1.0);
        let inside = bounds.contains(ray.origin);
        prop_assert_eq!(slab.entry >= 0.0 && bounds.enter_solid(&ray) != Some(0.0), !inside);
        prop_assert_eq!(bounds.slab(&back).is_some(), inside);
        prop_assert_eq!(bounds.may_hit(&back), inside);
        prop_assert_eq!(bounds.enter_solid(&back), inside.then_some(0.0));
    }
}

/// For any numbers: no panic, `may_hit` accepts every hit, and the parameters agree with `f64` to
/// within one step of `f32`.
#[test]
fn any_numbers_at_all() {
    const SEED: u64 = 0x0e57_0c02;
    let mut rng = Rng::new(SEED);
    let mut hits = 0;
    for case in 0..100_000 {
        let (a, b) = ([(); 3].map(|()| rng.any()), [(); 3].map(|()| rng.any()));
        let (low, high) = (Vec3::from(a).min(b.into()), Vec3::from(a).max(b.into()));
        // Some coordinates are taken from the box and some directions are parallel, so that some
        // rays hit.
        let origin = [0, 1, 2].map(|i| rng.pick(&[low[i], high[i], 0.0, f32::NAN]));
        let origin = origin.map(|x| if x.is_nan() { rng.any() } else { x });
        let dir = [(); 3].map(|()| if rng.below(2) == 0 { 0.0 } else { rng.any() });
        let ray = Ray::new(origin, dir).with_interval(f32::NEG_INFINITY, f32::INFINITY);
        let Ok(bounds) = Aabb::try_new(low, high) else {
            continue;
        };
        let Some(slab) = bounds.slab(&ray) else {
            continue;
        };
        hits += 1;
        let context = format!("seed {SEED:#x}, case {case}: {bounds:?} {ray:?}");
        assert!(bounds.may_hit(&ray), "{context}");
        let mut line = [f64::NEG_INFINITY, f64::INFINITY];
        for axis in (0..3).filter(|&axis| ray.dir[axis] != 0.0) {
            let at = |bound: f32| {
                (f64::from(bound) - f64::from(ray.origin[axis])) / f64::from(ray.dir[axis])
            };
            let (a, b) = (at(low[axis]), at(high[axis]));
            line = [line[0].max(a.min(b)), line[1].min(a.max(b))];
        }
        for (found, near) in [(slab.entry, line[0]), (slab.exit, line[1])] {
            let near = near as f32;
            let close = near.next_down()..=near.next_up();
            assert!(close.contains(&found), "{found} is not {near}, {context}");
        }
    }
    assert!(hits > 5_000, "only {hits} rays hit");
}
