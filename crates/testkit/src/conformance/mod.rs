//! The conformance suite that every engine must pass.
//!
//! [`check_engines`] asks engines and the [`oracle`](crate::oracle) the same questions about the
//! same rays at every scene of [`generate`] and requires the same bits. The oracle takes far longer
//! than an engine, so it answers once for all engines. [`check_against`] compares two engines over
//! meshes that are too large for the oracle. [`check_boxes`] does the same for
//! [`Aabb`](estoc_core::Aabb), and [`check_triangles`] for [`Triangle::exact_hit`]. [`check_near`] asks
//! about points what is near them and which side of the surface they are on, [`check_regions`] about
//! regions which triangles have points in them, and about pairs of triangles what they have in common;
//! [`check_sections`] cuts scenes with planes, and [`check_sweeps`] asks what moving spheres touch
//! first.
//!
//! All of them panic at the first difference, with the lines of Rust that reproduce it.

mod bits;
mod box_checks;
mod effort;
mod judge;
mod near;
mod placed_points;
mod placements;
mod properties;
mod ray;
mod regions;
mod sections;
mod signs;
mod sweeps;
mod triangles;

pub use box_checks::check_boxes;
pub use effort::{Effort, Report};
pub use near::{check_near, check_near_against};
pub use placed_points::{PlacedPointReport, check_placed_points};
pub use placements::{PlacementReport, check_placed_shapes, check_placements, check_placements_of};
pub use regions::{check_regions, check_regions_against};
pub use sections::check_sections;
pub use sweeps::{check_sweeps, check_sweeps_against};
pub use triangles::check_triangles;

use crate::generate::{self, Case, Rng, Scene};
use crate::oracle::{Answers, Oracle};
use bits::assert_same;
use estoc_core::glam::Vec3;
use estoc_core::{MeshEngine, PrimId, QueryOptions, Ray, RayQuery, Triangle};
use judge::Peer;
use std::fmt::Display;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The number of points per generated ray.
const POINTS_PER_RAY: f64 = 0.2;

/// Compares every query of engines with the oracle at every scene, on all cores. The engines are what
/// `build` makes of each kind, which is displayed as the engine's name.
///
/// # Panics
/// Panics at the first difference.
pub fn check_engines<K: Display + Sync, Q: MeshEngine>(
    kinds: &[K],
    build: impl Fn(&K, &[Triangle]) -> Q + Sync,
    effort: &Effort,
) -> Report {
    let check = |scene: &Scene| check_scene(kinds, &build, scene, effort.rays_per_scene);
    for_each_scene("rays", effort, check)
}

/// Checks every scene on all cores.
fn for_each_scene(what: &str, effort: &Effort, check: impl Fn(&Scene) -> Report + Sync) -> Report {
    let scenes: Vec<(u64, &'static str)> = (0..effort.seeds)
        .flat_map(|seed| generate::scene_names().map(move |name| (seed, name)))
        .collect();
    let next = AtomicUsize::new(0);
    let total = Mutex::new(Report::default());
    let work = || {
        let _guard = StopOthers(&next);
        while let Some(&(seed, scene)) = scenes.get(next.fetch_add(1, Ordering::Relaxed)) {
            let scene = generate::scene(scene, seed).expect("a name from the list");
            let report = check(&scene);
            let mut total = total.lock().expect("no thread has failed");
            let before = total.rays + total.points + total.regions;
            total.add(report);
            if before / 100_000 != (total.rays + total.points + total.regions) / 100_000 {
                eprintln!("{what}: {total} so far");
            }
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        work();
        for other in others {
            if let Err(panic) = other.join() {
                std::panic::resume_unwind(panic);
            }
        }
    });
    total.into_inner().expect("no thread has failed")
}

/// Ends the work of the other threads when this one panics.
struct StopOthers<'a>(&'a AtomicUsize);

impl Drop for StopOthers<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(usize::MAX / 2, Ordering::Relaxed);
        }
    }
}

fn check_scene<K: Display, Q: MeshEngine>(
    kinds: &[K],
    build: impl Fn(&K, &[Triangle]) -> Q,
    scene: &Scene,
    rays: usize,
) -> Report {
    let oracle = Oracle::new(scene.triangles.clone());
    let checks = kinds.iter().map(|kind| {
        let build = |triangles: &[Triangle]| build(kind, triangles);
        SceneCheck::new(kind.to_string(), build, scene, &oracle)
    });
    let checks: Vec<_> = checks.collect();
    let mut report = Report {
        scenes: 1,
        ..Report::default()
    };
    for check in &checks {
        check.check_mesh();
    }
    let mut rng = Rng::named(scene.seed, scene.name);
    let check_ray = |case: &Case, rng: &mut Rng, report: &mut Report| {
        let answers = oracle.ask(&case.ray);
        for check in &checks {
            check.check_ray(case, &answers, rng, report);
        }
        let closest = answers.closest_hit(&QueryOptions::new());
        report.rays += 1;
        report.rays_that_hit += usize::from(closest.is_ok_and(|hit| hit.is_some()));
    };
    for (index, case) in generate::cases(scene, rays).enumerate() {
        check_ray(&case, &mut rng, &mut report);
        if index % 4 == 0 {
            for check in &checks {
                check.check_properties(&case, &mut report);
            }
        }
        if index % 2 == 0 {
            let line = case.ray.with_interval(f32::NEG_INFINITY, f32::INFINITY);
            let hits = oracle.all_hits(&line);
            let parameters: Vec<f32> = hits.iter().map(|hit| hit.t).collect();
            for ray in generate::cut_at(&line, &parameters, &mut rng) {
                check_ray(&case.cut(ray), &mut rng, &mut report);
            }
        }
    }
    let points = (rays as f64 * POINTS_PER_RAY).ceil() as usize;
    for point in generate::points(scene, &mut rng, points) {
        let inside = oracle.contains(point);
        for check in &checks {
            check.check_point(point, inside, &mut report);
        }
        report.points += 1;
    }
    report
}

/// The check of one engine at one scene.
struct SceneCheck<'a, Q> {
    name: String,
    scene: &'a Scene,
    oracle: &'a Oracle,
    engine: Q,
    /// The engine over a permutation of the triangles.
    permuted: Q,
    places: Vec<usize>,
}

impl<'a, Q: MeshEngine> SceneCheck<'a, Q> {
    fn new(
        name: String,
        build: impl Fn(&[Triangle]) -> Q,
        scene: &'a Scene,
        oracle: &'a Oracle,
    ) -> Self {
        let mut places: Vec<usize> = (0..scene.triangles.len()).collect();
        Rng::named(scene.seed, "places").shuffle(&mut places);
        let permuted: Vec<Triangle> = places
            .iter()
            .map(|&place| properties::rotated(&scene.triangles[place], place))
            .collect();
        SceneCheck {
            name,
            scene,
            oracle,
            engine: build(&scene.triangles),
            permuted: build(&permuted),
            places,
        }
    }

    /// Checks what the engine reports about its triangles.
    fn check_mesh(&self) {
        let (engine, triangles) = (&self.engine, &self.scene.triangles);
        let ask = |question: &str| {
            let Scene { name, seed, .. } = self.scene;
            format!("{}: {question} of scene {name:?}, seed {seed}", self.name)
        };
        assert_same(&engine.triangle_count(), &triangles.len(), || {
            ask("triangle_count")
        });
        assert_same(&engine.is_closed(), &self.oracle.is_closed(), || {
            ask("is_closed")
        });
        let bits = |triangle: &Triangle| triangle.corners().map(|p| p.to_array().map(f32::to_bits));
        for (index, triangle) in triangles.iter().enumerate() {
            let got = PrimId::from_index(index).and_then(|prim| engine.triangle(prim));
            let is_same = got.is_some_and(|got| bits(&got) == bits(triangle));
            assert!(is_same, "{}: {got:?}", ask(&format!("triangle {index}")));
        }
        for beyond in [PrimId::from_index(triangles.len()), Some(PrimId::MAX)] {
            assert!(
                beyond.is_some_and(|prim| engine.triangle(prim).is_none()),
                "{}",
                ask("a triangle beyond the last")
            );
        }
    }

    fn check_ray(&self, case: &Case, answers: &Answers, rng: &mut Rng, report: &mut Report) {
        let told = Told(&self.name, case);
        report.questions += ray::check(&self.engine, &case.ray, answers, rng, &told);
    }

    fn check_properties(&self, case: &Case, report: &mut Report) {
        let told = Told(&self.name, case);
        report.questions += properties::check(&self.engine, &case.ray, &told);
        report.questions += properties::check_permuted(
            &self.engine,
            &self.permuted,
            &self.places,
            &case.ray,
            &told,
        );
    }

    fn check_point(&self, point: Vec3, inside: Option<bool>, report: &mut Report) {
        let got = self.engine.contains(point);
        let Scene { name, seed, .. } = self.scene;
        assert_same(&got, &inside, || {
            format!(
                "{}: contains {point:?} (bits {:x?}) in scene {name:?}, seed {seed}",
                self.name,
                point.to_array().map(f32::to_bits)
            )
        });
        report.questions += 1;
    }
}

/// Displays a case after the engine's name.
struct Told<'a>(&'a str, &'a Case);

impl std::fmt::Display for Told<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "asked of {:?} about {}", self.0, self.1)
    }
}

/// Compares every query of `a` with the answers of `b`, ray by ray, for meshes that are too large
/// for the oracle.
///
/// # Panics
/// Panics at the first difference.
pub fn check_against<A: MeshEngine, B: MeshEngine>(a: &A, b: &B, rays: &[Ray]) -> Report {
    assert_eq!(a.triangle_count(), b.triangle_count());
    assert_eq!(a.is_closed(), b.is_closed());
    let mut report = Report {
        scenes: 1,
        ..Report::default()
    };
    for (index, ray) in rays.iter().enumerate() {
        let case = format!("ray {index}: {ray:?}");
        let mut rng = Rng::named(index as u64, "options");
        report.questions += ray::check(a, ray, &Peer(b, *ray), &mut rng, &case);
        report.rays += 1;
        report.rays_that_hit += usize::from(b.any_hit(ray));
        if index % 4 == 0 {
            assert_same(&a.contains(ray.origin), &b.contains(ray.origin), || {
                format!("contains the origin of {case}")
            });
            report.points += 1;
            report.questions += 1;
        }
    }
    report
}

#[cfg(test)]
mod tests;
