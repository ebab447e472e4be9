//! Single rays at the boundaries of what the kernels of plain rays take, and at the boundaries of
//! intervals: the same bits as brute force, at every level and in both layouts. `ESTOC_LONG=1` asks
//! ten million rays of each.

use estoc_bvh::{Bvh, Layout, SimdLevel};
use estoc_core::glam::Vec3;
use estoc_core::{BruteForce, Hit, Ray, RayQuery, Triangle};
use estoc_mesh::Mesh;
use estoc_testkit::conformance::{Effort, on_all_cores};
use estoc_testkit::generate::{Rng, Scene, rays, scenes};
use std::collections::BTreeMap;

pub(crate) const INF: f32 = f32::INFINITY;

/// Names of boundary cases, each with the ray made from an ordinary one. `hit` is a hit on the line
/// of the ray, and `reach` the largest coordinate of the scene.
type Cases = Vec<(&'static str, Ray)>;

/// Returns a power of two.
pub(crate) fn power(exponent: i32) -> f32 {
    2f64.powi(exponent) as f32
}

fn longest(v: Vec3) -> f32 {
    v.abs().max_element()
}

fn cases(ray: Ray, hit: Option<Hit>, reach: f32, rng: &mut Rng) -> Cases {
    let mut cases = vec![
        ("as it is", ray),
        ("t_min is 0", ray.with_interval(0.0, INF)),
        ("t_min is -0", ray.with_interval(-0.0, INF)),
        ("t_min is negative", ray.with_interval(-1e-30, INF)),
        ("t_min is the least number", ray.with_interval(1e-45, INF)),
        ("both ends are 0", ray.with_interval(0.0, 0.0)),
        ("both ends are infinite", ray.with_interval(INF, INF)),
        ("ends are the wrong way round", ray.with_interval(1.0, 0.5)),
    ];
    let ray = ray.with_interval(0.0, INF);
    let axis = rng.below(3);
    let sign = rng.pick(&[1.0, -1.0]);
    for (name, size) in [
        ("a coordinate of the direction is 0", 0.0),
        ("one is 2^-96", power(-96)),
        ("one is below 2^-96", power(-96).next_down()),
        ("one is the least number", 1e-45),
    ] {
        let mut other = ray;
        other.dir[axis] = sign * size;
        cases.push((name, other));
    }
    // Powers of two keep the line.
    for (name, exponent) in [
        ("the direction is 2^8 long", 8),
        ("2^9 long", 9),
        ("2^-8 long", -8),
        ("2^-9 long", -9),
        ("2^60 long", 60),
        ("2^-60 long", -60),
        ("2^124 long", 124),
        ("2^126 long", 126),
        ("2^-126 long", -126),
        ("2^-140 long", -140),
    ] {
        let by = 2f64.powi(exponent) / f64::from(longest(ray.dir));
        let dir = (ray.dir.as_dvec3() * by).as_vec3();
        cases.push((name, Ray { dir, ..ray }));
    }
    for (name, far) in [
        ("the origin is 16 reaches away", 16.0 * reach),
        ("a hair farther", (16.0 * reach).next_up()),
        ("100 reaches away", 100.0 * reach),
    ] {
        let way = f64::from(far) / f64::from(longest(ray.dir));
        let at = ray.origin.as_dvec3() - way * ray.dir.as_dvec3();
        let mut origin = at.as_vec3();
        let last = ray.dir.abs().max_position();
        origin[last] = far.copysign(origin[last]);
        cases.push((name, Ray { origin, ..ray }));
    }
    if let Some(Hit { t, .. }) = hit {
        let (before, behind) = (t.next_down(), t.next_up());
        cases.extend([
            ("both ends are at a hit", ray.with_interval(t, t)),
            ("ends at a hit", ray.with_interval(f32::min(0.0, t), t)),
            (
                "ends before a hit",
                ray.with_interval(f32::min(0.0, before), before),
            ),
            ("begins at a hit", ray.with_interval(t, INF)),
            ("begins behind a hit", ray.with_interval(behind, INF)),
            ("lies around a hit", ray.with_interval(before, behind)),
        ]);
        let origin = ray.at(t);
        cases.push(("starts on a hit", Ray { origin, ..ray }));
        for exponent in [-130, -90, -12, -7, 7, 12, 90, 130] {
            let by = 2f64.powi(exponent);
            let [at, before, behind] = [t, before, behind].map(|t| (f64::from(t) / by) as f32);
            let dir = (ray.dir.as_dvec3() * by).as_vec3();
            let other = Ray { dir, ..ray };
            cases.extend([
                ("scaled, ends at a hit", other.with_interval(at, at)),
                (
                    "scaled, ends before a hit",
                    other.with_interval(0.0, before),
                ),
                (
                    "scaled, begins behind a hit",
                    other.with_interval(behind, INF),
                ),
            ]);
        }
    }
    cases
}

/// Triangles, and trees of both layouts over them at every level.
pub(super) struct Subject {
    name: &'static str,
    brute: BruteForce,
    pub(super) trees: Vec<Bvh>,
    reach: f32,
}

impl Subject {
    /// Returns the scene with all trees of it; `None` if it has corners that are not finite.
    fn of(scene: &Scene) -> Option<Self> {
        let finite = scene.triangles.iter().all(Triangle::is_finite);
        finite.then(|| Subject::new(scene.name, &scene.triangles))
    }

    /// Returns all trees over triangles with finite corners.
    pub(super) fn new(name: &'static str, triangles: &[Triangle]) -> Self {
        let faces = (0..triangles.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]);
        let corners = triangles.iter().flat_map(Triangle::corners);
        let mesh = Mesh::try_new(corners.clone(), faces).expect("finite corners");
        let build = |layout| Bvh::builder().layout(layout).build(&mesh).expect("a tree");
        let trees = Layout::ALL.map(build);
        Subject {
            name,
            brute: BruteForce::new(triangles.to_vec()),
            trees: trees.iter().flat_map(at_every_level).collect(),
            reach: corners.map(longest).fold(0.0, f32::max),
        }
    }

    /// Compares the answers for a ray, and returns whether it hits anything.
    pub(super) fn compare(&self, case: &str, ray: &Ray) -> bool {
        let bits = |hit: Hit| {
            let [t, u, v] = [hit.t, hit.u, hit.v].map(f32::to_bits);
            (t, u, v, hit.prim)
        };
        let closest = self.brute.closest_hit(ray).map(bits);
        for tree in &self.trees {
            let what = || format!("{}, {case}: {tree:?}: {ray:?}", self.name);
            assert_eq!(tree.closest_hit(ray).map(bits), closest, "{}", what());
            assert_eq!(tree.any_hit(ray), closest.is_some(), "{}", what());
            let told = tree.closest_hit_with_triangle(ray);
            assert_eq!(told.map(|(hit, _)| bits(hit)), closest, "{}", what());
            if let Some((hit, Some(triangle))) = told {
                assert_eq!(Some(triangle), self.brute.triangle(hit.prim), "{}", what());
            }
        }
        closest.is_some()
    }
}

/// Returns the tree at every level.
pub(super) fn at_every_level(tree: &Bvh) -> impl Iterator<Item = Bvh> {
    let levels = SimdLevel::available().into_iter();
    levels.map(|level| tree.clone().with_simd_level(level))
}

#[test]
fn rays_at_the_boundaries_of_plain_ones_equal_brute_force() {
    let (seeds, rays_per_scene) = if Effort::is_long() {
        (40, 220)
    } else {
        (2, 10)
    };
    let of_seeds = on_all_cores(seeds, |seed| {
        let mut hits = BTreeMap::<_, [usize; 2]>::new();
        for scene in scenes(seed as u64) {
            let Some(subject) = Subject::of(&scene) else {
                continue;
            };
            let mut rng = Rng::named(seed as u64, "plain rays");
            for ray in rays(&scene, &mut rng, rays_per_scene) {
                let hit = subject.brute.closest_hit(&ray);
                for (case, ray) in cases(ray, hit, subject.reach, &mut rng) {
                    let [asked, hits] = hits.entry(case).or_default();
                    *hits += usize::from(subject.compare(case, &ray));
                    *asked += 1;
                }
            }
        }
        hits
    });
    let (mut asked, mut hits) = (0, BTreeMap::<_, usize>::new());
    for (case, [rays, found]) in of_seeds.into_iter().flatten() {
        asked += rays;
        *hits.entry(case).or_default() += found;
    }
    println!("{asked} rays at each level; hits: {hits:?}");
    let never = ["both ends are infinite", "ends are the wrong way round"];
    for (case, &hits) in &hits {
        assert_eq!(hits == 0, never.contains(case), "{case}: {hits} hits");
    }
}

#[test]
fn parameters_next_to_the_least_normal_number_are_rounded_once() {
    let least = f64::from(f32::MIN_POSITIVE);
    let mut rng = Rng::named(0, "parameters next to the least normal number");
    let compare = |c: f32, dir: [f32; 3]| {
        let corners = [[c, -1.0, 0.0], [c, 1.0, 0.0], [0.0, 0.0, c]];
        let [p, q, r] = corners;
        // Far from the ray; it makes the tree large enough for plain rays.
        let other = Triangle::new([5.0, 5.0, 1.0], [6.0, 5.0, 1.0], [5.0, 6.0, 1.0]);
        let subject = Subject::new(
            "a plane next to the origin",
            &[Triangle::new(p, q, r), other],
        );
        assert!(subject.compare("t next to 2^-126", &Ray::new([0.0; 3], dir)));
    };
    // The scaled parameter is rounded up to 2^-126, or the one of the ray is.
    let short = (1.5 + 2f32.powi(-23)) * power(-20);
    compare(3.0 * f32::MIN_POSITIVE, [short, 0.0, 1.5 * power(-20)]);
    for exponent in [-100, -20, 20, 100] {
        for _ in 0..20 {
            let [x, z] = [0; 2].map(|_| (1.0 + rng.signed().abs()) * power(exponent));
            let scale = if exponent < 0 {
                2f64.powi(-exponent)
            } else {
                1.0
            };
            let middle = ((f64::from(x) + f64::from(z)) * least * scale) as f32;
            for ulps in -3..=3 {
                let c = f32::from_bits(middle.to_bits().wrapping_add_signed(ulps));
                compare(c, [x, 0.0, z]);
            }
        }
    }
}
