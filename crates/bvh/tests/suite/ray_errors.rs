//! Rays of other spaces: known with errors, and nevertheless answered as the true rays are.

use core::ops::ControlFlow;
use estoc_bvh::object_space::{MappedRay, TriangleSink};
use estoc_bvh::{Bvh, Layout};
use estoc_core::exact::PreparedRay;
use estoc_core::glam::{DVec3, Vec3};
use estoc_core::{BruteForce, Collector, HitRule, PrimId, QueryOptions, Ray, RayQuery, Triangle};
use estoc_mesh::Mesh;
use estoc_testkit::conformance::{Effort, on_all_cores};
use estoc_testkit::generate::{Rng, rays, scenes};

use super::plain_rays::at_every_level;

/// Counts the hits of the true ray.
struct CountSink<'a> {
    ray: PreparedRay<'a>,
    rule: HitRule<PrimId>,
    counted: usize,
    hits: usize,
}

impl TriangleSink for CountSink<'_> {
    fn counts(&self) -> Option<(bool, HitRule<PrimId>)> {
        Some((false, self.rule))
    }

    fn offer(&mut self, prim: PrimId, triangle: &Triangle) -> Option<f64> {
        let counts = match self.rule {
            HitRule::EveryBut(skip) => prim != skip,
            _ => true,
        };
        let touch = self.ray.touch(prim, triangle, self.ray.t_max());
        self.hits += usize::from(counts && touch.is_some());
        Some(self.ray.t_max())
    }

    fn count(&mut self, hits: usize) -> ControlFlow<()> {
        self.hits += hits;
        self.counted += hits;
        ControlFlow::Continue(())
    }
}

/// Numbers of rays.
#[derive(Default)]
struct Seen {
    rays: usize,
    hits: usize,
    counted: usize,
    wrong: usize,
    /// Those of the wrong answers that have a hit too many.
    invented: usize,
}

/// Returns the ray with errors of up to these sizes, of which it states `told` times their size.
fn known(ray: &Ray, [origin, dir]: [f64; 2], told: f64, rng: &mut Rng) -> MappedRay {
    let mut off = |v: Vec3, error: f64| -> [f64; 3] {
        let mut side = || error * rng.pick(&[-1.0, 1.0, 1.0, 0.3]);
        (v.as_dvec3() + DVec3::new(side(), side(), side())).to_array()
    };
    // More than the roundings of the sums.
    let least = |v: Vec3, error: f64| (f64::from(v.abs().max_element()) + error) * f64::EPSILON;
    MappedRay {
        origin: off(ray.origin, origin),
        dir: off(ray.dir, dir),
        origin_error: origin * told + least(ray.origin, origin),
        dir_error: dir * told + least(ray.dir, dir),
        start: 0.0,
        t_min: ray.t_min.into(),
    }
}

/// Compares what trees answer for rays that are known with errors with brute force.
fn search(seeds: usize, rays_per_scene: usize, told: f64) -> Seen {
    let of_seeds = on_all_cores(seeds, |seed| {
        let mut seen = Seen::default();
        let mut rng = Rng::named(seed as u64, "mapped rays");
        for scene in scenes(seed as u64) {
            if !scene.triangles.iter().all(Triangle::is_finite) {
                continue;
            }
            let corners = scene.triangles.iter().flat_map(Triangle::corners);
            let faces = (0..scene.triangles.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]);
            let mesh = Mesh::try_new(corners, faces).expect("finite corners");
            let brute = BruteForce::new(scene.triangles.clone());
            let trees = Layout::ALL.map(|layout| Bvh::builder().layout(layout).build(&mesh));
            let trees: Vec<Bvh> = (trees.iter())
                .flat_map(|tree| at_every_level(tree.as_ref().expect("a tree")))
                .collect();
            for ray in rays(&scene, &mut rng, rays_per_scene) {
                // Many end or begin exactly at a hit, or next to it.
                let ray = match brute.closest_hit(&ray) {
                    Some(hit) => {
                        let end = rng.pick(&[hit.t, hit.t.next_down(), hit.t.next_up()]);
                        let [from, to] =
                            rng.pick(&[[ray.t_min, ray.t_max], [ray.t_min, end], [end, ray.t_max]]);
                        ray.with_interval(from, to)
                    }
                    None => ray,
                };
                let Some(question) = PreparedRay::new(&ray) else {
                    continue;
                };
                let size = |v: Vec3| f64::from(v.abs().max_element());
                let mut share = || rng.pick(&[0.0, 1.0]) * 2f64.powi(rng.int(-50, -14));
                let errors = [share() * (size(ray.origin) + 1.0), share() * size(ray.dir)];
                let mut mapped = known(&ray, errors, told, &mut rng);
                if ray.t_min.is_finite() && rng.one_in(2) {
                    mapped = mapped.starting_at(ray.t_min.into());
                }
                look(&trees, &brute, (&ray, question), &mapped, &mut seen);
            }
        }
        seen
    });
    of_seeds
        .into_iter()
        .fold(Seen::default(), |all, seen| Seen {
            rays: all.rays + seen.rays,
            hits: all.hits + seen.hits,
            counted: all.counted + seen.counted,
            wrong: all.wrong + seen.wrong,
            invented: all.invented + seen.invented,
        })
}

fn look(
    trees: &[Bvh],
    brute: &BruteForce,
    (ray, question): (&Ray, PreparedRay<'_>),
    mapped: &MappedRay,
    seen: &mut Seen,
) {
    let all = brute.all_hits(ray);
    let skip = all.first().map(|hit| hit.prim);
    for tree in trees {
        for skip in [None, skip] {
            let options = QueryOptions::new().skip(skip);
            let counts = || all.iter().filter(|hit| Some(hit.prim) != skip);
            let mut first = Collector::first(question, &options, None);
            if tree
                .visit_mapped(mapped, question.t_max(), &mut first)
                .is_none()
            {
                continue;
            }
            let mut any = Collector::any(question, &options, None);
            let _ = tree.visit_mapped(mapped, question.t_max(), &mut any);
            let mut count = CountSink {
                ray: question,
                rule: skip.map_or(HitRule::Every, HitRule::EveryBut),
                counted: 0,
                hits: 0,
            };
            let _ = tree.visit_mapped(mapped, question.t_max(), &mut count);
            let found = (first.first_found(), any.any_found(), count.hits);
            let expected = (
                counts().next().copied(),
                counts().next().is_some(),
                counts().count(),
            );
            seen.rays += 1;
            seen.hits += expected.2;
            seen.counted += count.counted;
            if found != expected {
                seen.wrong += 1;
                seen.invented += usize::from(found.2 > expected.2);
                if seen.wrong == 1 {
                    println!("{tree:?}: {found:?} instead of {expected:?}: {ray:?}, {mapped:?}");
                }
            }
        }
    }
}

#[test]
fn rays_with_errors_are_answered_as_the_true_ones() {
    let (seeds, rays) = if Effort::is_long() {
        (200, 400)
    } else {
        (2, 30)
    };
    let seen = search(seeds, rays, 1.0);
    let Seen {
        rays,
        hits,
        counted,
        wrong,
        ..
    } = seen;
    println!("{rays} rays, {hits} hits, {counted} of them certain");
    assert_eq!(wrong, 0);
    assert!(counted > hits / 10 && hits > rays / 4);
}

#[test]
fn the_search_finds_understated_errors() {
    let Seen {
        wrong, invented, ..
    } = search(4, 200, 0.1);
    println!("{wrong} wrong answers, {invented} of them with a hit too many");
    assert!(wrong > invented && invented > 0);
}
