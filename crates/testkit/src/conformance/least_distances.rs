//! Checks the least distance of two meshes.

use super::answer::Check;
use super::placements::{all_are_placed, of_placements};
use super::trial::for_each_scene;
use super::{Effort, Report};
use crate::generate::{PLACEMENT_KINDS, PlacementCase, Rng, Scene, placement_case};
use crate::oracle::{Oracle, PlacedOracle};
use estoc_core::glam::{DVec3, Vec3};
use estoc_core::{LeastDistance, PairEngine, PairQuery, ScenePath, Triangle};
use std::fmt::{self, Display};

/// The most triangles of a mesh: the oracle compares all pairs.
const MOST: usize = 5;

/// Compares the least distance of pairs of small meshes with the oracle, on all cores: both made of the
/// triangles of every scene, so that they share corners, edges, planes and triangles, and one of
/// them moved, so that they touch, or are inside each other; [`Effort::rays_per_scene`] is their number.
/// The engines are what `build` makes of each kind, which is displayed as the engine's name.
///
/// # Panics
/// Panics at the first difference.
pub fn check_least_distances<K: Display + Sync, Q: PairEngine<Measured = Triangle>>(
    kinds: &[K],
    build: impl Fn(&K, &[Triangle]) -> Q + Sync,
    effort: &Effort,
) -> Report {
    for_each_scene("least distances", effort, |scene, report| {
        let mut rng = Rng::named(scene.seed, "least distances");
        for _ in 0..effort.rays_per_scene {
            let pair = [few(scene, &mut rng), few(scene, &mut rng)];
            let pair = moved(pair, &mut rng);
            let truth = Truth::of(&pair, &mut rng);
            for kind in kinds {
                let about = fmt::from_fn(|f| {
                    let Scene { name, seed, .. } = scene;
                    write!(f, "{kind} at {name:?}, {seed}, asked about {pair:?}")
                });
                let check = Check::about(&about);
                truth.check(&pair.each_ref().map(|mesh| build(kind, mesh)), &check);
                report.questions += check.count();
            }
            report.regions += 1;
            report.regions_that_overlap += usize::from(truth.is_contact());
        }
    })
}

/// Compares the least distances of meshes in placed scenes with the oracle at every kind of scene, up to
/// [`Effort::rays_per_scene`] pairs of small ones in each; `least` returns that of the meshes that two paths
/// lead to.
///
/// # Panics
/// Panics at the first difference.
pub fn check_placed_distances<E>(
    build: impl Fn(&PlacementCase) -> E,
    least: impl Fn(&E, [ScenePath; 2]) -> Option<LeastDistance<DVec3>>,
    effort: &Effort,
) -> Report {
    let mut report = Report::default();
    for seed in 0..effort.seeds {
        for kind in PLACEMENT_KINDS {
            let case = placement_case(kind, seed).expect("a kind from the list");
            if !all_are_placed(&case) {
                continue;
            }
            let (engine, oracle) = (build(&case), PlacedOracle::new(&case));
            let mut paths: Vec<(ScenePath, usize)> = Vec::new();
            for id in oracle.ids() {
                match paths.last_mut() {
                    Some((path, count)) if *path == id.path => *count += 1,
                    _ => paths.push((id.path, 1)),
                }
            }
            let few = |pair: &[(ScenePath, usize); 2]| pair[0].1 * pair[1].1 <= MOST_PAIRS;
            let pairs = paths
                .iter()
                .flat_map(|&a| paths.iter().map(move |&b| [a, b]));
            let mut pairs: Vec<_> = pairs.filter(few).collect();
            Rng::named(seed, kind).shuffle(&mut pairs);
            for pair in pairs.into_iter().take(effort.rays_per_scene) {
                let paths = pair.map(|(path, _)| path);
                let what = fmt::from_fn(|f| write!(f, "{paths:?}"));
                let about = of_placements(&case, &what);
                let check = Check::about(&about);
                let truth = oracle.least_distance(paths[0], paths[1]);
                let truth = truth.map(|found| found.wide());
                check.same("the least distance", &least(&engine, paths), &truth);
                report.regions += 1;
                let is_contact = truth.is_some_and(|found| found.distance == 0.0);
                report.regions_that_overlap += usize::from(is_contact);
                report.questions += check.count();
            }
            report.scenes += 1;
        }
    }
    report
}

/// The most pairs of triangles of two meshes that are compared.
const MOST_PAIRS: usize = 64;

/// What is so of two meshes.
struct Truth {
    nearest: Option<LeastDistance>,
    /// Of the second from the first.
    back: Option<LeastDistance>,
    /// Distances, and whether the meshes are that near.
    within: Vec<(f32, bool)>,
}

impl Truth {
    fn of(pair: &[Vec<Triangle>; 2], rng: &mut Rng) -> Truth {
        let [a, b] = pair.each_ref().map(|mesh| Oracle::new(mesh.clone()));
        let nearest = a.least_distance(&b);
        let distance = nearest
            .as_ref()
            .map_or(1.0, |found| found.rounded().distance);
        let others = [
            distance.next_up(),
            distance.next_down(),
            distance,
            rng.signed(),
        ];
        let within = others.map(|most| {
            let is_within = nearest.as_ref().is_some_and(|found| found.is_within(most));
            (most, is_within)
        });
        Truth {
            nearest: nearest.map(|found| found.rounded()),
            back: b.least_distance(&a).map(|found| found.rounded()),
            within: within.to_vec(),
        }
    }

    fn is_contact(&self) -> bool {
        self.nearest.is_some_and(|found| found.distance == 0.0)
    }

    fn check<Q: PairEngine<Measured = Triangle>>(&self, [a, b]: &[Q; 2], check: &Check<'_>) {
        check.same("the least distance", &a.least_distance(b), &self.nearest);
        let back = b.least_distance(a);
        check.same("the other way round", &back, &self.back);
        let distance = |found: &Option<LeastDistance>| found.map(|found| found.distance);
        let forth = distance(&self.nearest);
        check.same("the distance the other way round", &distance(&back), &forth);
        for &(most, is_within) in &self.within {
            let found = a.least_distance_within(b, most);
            let expected = self.nearest.filter(|_| is_within);
            check.same("within a distance", &found, &expected);
        }
    }
}

/// Returns some triangles of a scene, or one twice.
fn few(scene: &Scene, rng: &mut Rng) -> Vec<Triangle> {
    let all = &scene.triangles;
    let count = 1 + rng.below(MOST);
    let some = |rng: &mut Rng| (!all.is_empty()).then(|| rng.pick(all));
    match rng.one_in(3) {
        // Neighbours.
        true if !all.is_empty() => {
            let first = rng.below(all.len());
            all[first..all.len().min(first + count)].to_vec()
        }
        _ => (0..count).filter_map(|_| some(rng)).collect(),
    }
}

/// Returns the second mesh moved, so that it is beside the first, touches it or is inside.
fn moved([a, b]: [Vec<Triangle>; 2], rng: &mut Rng) -> [Vec<Triangle>; 2] {
    let corner = |mesh: &[Triangle], rng: &mut Rng| match mesh.is_empty() {
        true => Vec3::ZERO,
        false => rng.pick(&rng.clone().pick(mesh).corners()),
    };
    let to = corner(&a, rng);
    let from = corner(&b, rng);
    let map = |mesh: &[Triangle], f: &dyn Fn(Vec3) -> Vec3| -> Vec<Triangle> {
        let moved = mesh.iter().map(|triangle| {
            let [p, q, r] = triangle.corners().map(f);
            Triangle::new(p, q, r)
        });
        moved.collect()
    };
    let step = rng.grid_point(2);
    let size = rng.pick(&[0.25, 0.5, 2.0, -1.0]);
    let b = match rng.below(6) {
        0 => b,
        // A corner on a corner.
        1 => map(&b, &|p| p + (to - from)),
        // Smaller around a corner, or mirrored there.
        2 => map(&b, &|p| to + (p - from) * size),
        3 => map(&b, &|p| p + step),
        4 => map(&a, &|p| p + step * size),
        // The same but for some corners, and edges in parallel.
        _ => map(&a, &|p| if p == to { p + step } else { p }),
    };
    [a, b]
}
