//! Tests of the suite itself: it must detect faulty engines.

mod near_mistakes;

use super::*;
use estoc_core::exact::PreparedRay;
use estoc_core::{BruteForce, Collector, Engine, MeshEngine};
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A brute-force engine with a fault.
struct Wrong {
    engine: BruteForce,
    mistake: Mistake,
}

#[derive(Clone, Copy, Debug)]
enum Mistake {
    None,
    /// No fault: the order of triangles is free.
    LastFirst,
    /// Misses triangles that `f64` arithmetic misses.
    DecidesInDouble,
    /// Misses triangles whose `t` is not below the limit in `f64` arithmetic.
    PrunesTies,
    /// Misses triangles whose corners share one x coordinate, as does a tree that drops boxes
    /// without thickness.
    LosesFlatBoxes,
    /// Misses the last triangle.
    LosesLast,
    /// Offers every triangle twice.
    ShowsTwice,
    ClaimsClosed,
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

impl Engine for Wrong {
    type Primitive = Triangle;

    fn primitive_count(&self) -> usize {
        self.engine.primitive_count()
    }

    fn primitive(&self, prim: PrimId) -> Option<Triangle> {
        self.engine.primitive(prim)
    }

    fn is_closed(&self) -> bool {
        matches!(self.mistake, Mistake::ClaimsClosed) || self.engine.is_closed()
    }

    fn visit(&self, ray: &PreparedRay<'_>, collector: &mut Collector<'_>) {
        for place in 0..self.triangle_count() {
            let index = match self.mistake {
                Mistake::LastFirst => self.triangle_count() - 1 - place,
                _ => place,
            };
            let prim = PrimId::from_index(index).unwrap();
            let triangle = self.triangle(prim).unwrap();
            let [a, b, c] = triangle.corners();
            let is_lost = match self.mistake {
                Mistake::LosesFlatBoxes => a.x == b.x && b.x == c.x,
                Mistake::DecidesInDouble => rounded_meeting(ray, &triangle).is_none(),
                Mistake::PrunesTies => {
                    rounded_meeting(ray, &triangle).is_some_and(|t| t >= collector.t_limit())
                }
                Mistake::LosesLast => index + 1 == self.triangle_count(),
                _ => false,
            };
            let times = match self.mistake {
                Mistake::ShowsTwice => 2,
                _ => usize::from(!is_lost),
            };
            for _ in 0..times {
                if collector.offer(prim, &triangle).is_break() {
                    return;
                }
            }
        }
    }
}

/// Möller and Trumbore 1997 in `f64`: right except when rounding decides.
fn rounded_meeting(ray: &PreparedRay<'_>, triangle: &Triangle) -> Option<f64> {
    let minus = |a: [f64; 3], b: [f64; 3]| [0, 1, 2].map(|i| a[i] - b[i]);
    let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let cross = |a: [f64; 3], b: [f64; 3]| {
        let term = |i: usize, j: usize| a[i] * b[j] - a[j] * b[i];
        [term(1, 2), term(2, 0), term(0, 1)]
    };
    let [a, b, c] = triangle.corners().map(|p| p.to_array().map(f64::from));
    let (e1, e2, s) = (minus(b, a), minus(c, a), minus(ray.origin(), a));
    let (p, q) = (cross(ray.dir(), e2), cross(s, e1));
    let det = dot(e1, p);
    let (u, v) = (dot(s, p) / det, dot(ray.dir(), q) / det);
    (u >= 0.0 && v >= 0.0 && u + v <= 1.0).then(|| dot(e2, q) / det)
}

fn is_found(mistake: Mistake) -> bool {
    let build = |&mistake: &Mistake, mesh: &[Triangle]| Wrong {
        engine: BruteForce::new(mesh),
        mistake,
    };
    let effort = Effort {
        seeds: 1,
        rays_per_scene: 20,
    };
    let check = || check_engines(&[Mistake::None, mistake], build, &effort);
    catch_unwind(AssertUnwindSafe(check)).is_err()
}

#[test]
fn mistakes_are_found() {
    assert!(!is_found(Mistake::None));
    assert!(!is_found(Mistake::LastFirst));
    for mistake in [
        Mistake::DecidesInDouble,
        Mistake::PrunesTies,
        Mistake::LosesFlatBoxes,
        Mistake::LosesLast,
        Mistake::ShowsTwice,
        Mistake::ClaimsClosed,
    ] {
        assert!(is_found(mistake), "{mistake:?}");
    }
}

#[test]
fn engines_are_compared_with_each_other() {
    let scene = generate::scene("voxels", 3).unwrap();
    let engine = |mistake| Wrong {
        engine: BruteForce::new(&scene.triangles[..]),
        mistake,
    };
    let rays = generate::rays(&scene, &mut Rng::new(1), 200);
    let right = engine(Mistake::None);
    let report = check_against(&BruteForce::new(&scene.triangles[..]), &right, &rays);
    assert_eq!(report.rays, 200);
    let wrong = engine(Mistake::LosesFlatBoxes);
    let check = || check_against(&wrong, &right, &rays);
    assert!(catch_unwind(AssertUnwindSafe(check)).is_err());
}

#[test]
fn the_short_mode_asks_tens_of_thousands_of_rays_and_the_long_mode_a_million() {
    let scenes = generate::scene_names().count();
    let rays = |effort: &Effort| scenes * effort.seeds as usize * effort.rays_per_scene;
    assert!(rays(&Effort::SHORT) >= 10_000);
    assert!(rays(&Effort::LONG) >= 1_000_000);
}
