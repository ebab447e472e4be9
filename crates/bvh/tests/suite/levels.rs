//! The same bits with every instruction set and with either layout. `ESTOC_LONG=1` runs fifty times
//! as many rays.

use crate::common::bits;
use estoc_bvh::{Bvh, Layout, Quality, SimdLevel};
use estoc_core::glam::Vec3;
use estoc_core::{BruteForce, MeshEngine, PrimId, Ray, RayQuery, Triangle};
use estoc_demo::{DemoSpec, RaySampler};
use estoc_mesh::Mesh;
use estoc_testkit::conformance::Effort;
use estoc_testkit::generate::Rng;

const INF: f32 = f32::INFINITY;

/// Rays of each scene; a sample of them is compared with brute force too.
const RAYS: usize = 3_000;
const SAMPLE: usize = 8;

fn rays_per_scene() -> usize {
    if Effort::is_long() { 50 * RAYS } else { RAYS }
}

/// The answers to all questions about one ray, as bits.
#[derive(Debug, PartialEq)]
struct Answers {
    all: Vec<[u32; 4]>,
    first_three: Vec<[u32; 4]>,
    closest: Option<[u32; 4]>,
    any: bool,
    count: usize,
}

impl Answers {
    fn of(engine: &impl MeshEngine, ray: &Ray) -> Self {
        Answers {
            all: engine.all_hits(ray).iter().map(bits).collect(),
            first_three: engine.first_hits(ray, 3).iter().map(bits).collect(),
            closest: engine.closest_hit(ray).as_ref().map(bits),
            any: engine.any_hit(ray),
            count: engine.count_hits(ray),
        }
    }
}

/// One mesh under brute force and at every level.
struct Scene {
    name: String,
    triangles: Vec<Triangle>,
    brute: BruteForce,
    levels: Vec<Bvh>,
    rays: usize,
    hits: usize,
}

impl Scene {
    fn new(name: &str, mesh: &Mesh, quality: Quality) -> Self {
        let build = |layout| {
            let builder = Bvh::builder().quality(quality).layout(layout);
            let bvh = builder.build(mesh).expect("nothing cancels this build");
            assert_eq!(bvh.validate(), Ok(()), "{name}");
            bvh
        };
        let bvh = build(Layout::Fast);
        let levels = SimdLevel::available().into_iter();
        let triangles: Vec<Triangle> = mesh.triangles().collect();
        Scene {
            name: name.to_owned(),
            brute: BruteForce::new(triangles.clone()),
            triangles,
            levels: levels
                .map(|level| bvh.clone().with_simd_level(level))
                .chain([build(Layout::Compact)])
                .collect(),
            rays: 0,
            hits: 0,
        }
    }

    fn soup(name: &str, triangles: &[[Vec3; 3]]) -> Self {
        let faces = (0..triangles.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]);
        let mesh =
            Mesh::try_new(triangles.iter().flatten().copied(), faces).expect("finite corners");
        Scene::new(name, &mesh, Quality::Balanced)
    }

    fn ask(&mut self, ray: &Ray) {
        let answers: Vec<Answers> = self
            .levels
            .iter()
            .map(|bvh| Answers::of(bvh, ray))
            .collect();
        let first = match self.rays.is_multiple_of(SAMPLE) {
            true => &Answers::of(&self.brute, ray),
            false => &answers[0],
        };
        for (bvh, answers) in self.levels.iter().zip(&answers) {
            let (name, level) = (&self.name, bvh.simd_level());
            assert_eq!(answers, first, "{level}, {name}: {ray:?}");
        }
        self.rays += 1;
        self.hits += first.count;
    }

    /// Asks about the ray with other ends, some of them exactly at hits, some before its origin.
    fn ask_cut(&mut self, ray: &Ray, rng: &mut Rng) {
        self.ask(ray);
        let hits = self.levels[0].all_hits(&ray.with_interval(-INF, INF));
        let mut end = |usual: f32| match rng.below(4) {
            0 => usual,
            1 if !hits.is_empty() => hits[rng.below(hits.len())].t,
            2 if !hits.is_empty() => {
                let t = hits[rng.below(hits.len())].t;
                if rng.one_in(2) {
                    t.next_up()
                } else {
                    t.next_down()
                }
            }
            _ => rng.pick(&[0.0, -0.0, -1.0, 1.0, -5.0, -INF, INF, 1e-45, -1e-45]),
        };
        let (a, b) = (end(0.0), end(INF));
        self.ask(&ray.with_interval(a.min(b), a.max(b)));
    }

    /// Asks about rays from hostile places in hostile directions, which graze the triangles there.
    fn ask_hostile(&mut self, unit: f32, rng: &mut Rng) {
        for _ in 0..rays_per_scene() / 2 {
            let [a, b, c] = self.triangles[rng.below(self.triangles.len())].corners();
            let at = rng.pick(&[a, a.midpoint(b), a / 4.0 + b / 4.0 + c / 2.0]);
            let direction = match rng.below(6) {
                // In the triangle's plane.
                0 => (b - a) / unit,
                1 => (c - a) / unit - rng.signed() * ((b - a) / unit),
                2 | 3 => rng.grid_direction(1),
                _ => rng.point(),
            };
            let usable = direction.is_finite() && direction != Vec3::ZERO;
            let dir = if usable { direction } else { Vec3::Y };
            let way = rng.pick(&[0.0, 1.0, -1.0, 64.0, 1e5, 1e9, 1e15, 1e25]) * unit;
            let mut origin = at - way * dir;
            if rng.one_in(4) {
                origin[rng.below(3)] = at[rng.below(3)];
            }
            if origin.is_finite() {
                let longer = rng.pick(&[1.0, 1.0, 1e-30, 1e30]);
                let longer = if (longer * dir).is_finite() {
                    longer * dir
                } else {
                    dir
                };
                let dir = if longer == Vec3::ZERO { dir } else { longer };
                self.ask_cut(&Ray::new(origin, dir), rng);
            }
        }
    }

    /// Checks that enough rays hit.
    fn finish(self, least_hits: usize) {
        let Scene {
            name, rays, hits, ..
        } = self;
        println!("{name}: {rays} rays, {hits} hits");
        assert!(
            hits >= least_hits,
            "{name}: only {hits} hits of {rays} rays"
        );
    }
}

#[test]
fn every_level_gives_the_same_bits_in_demo_scenes() {
    let specs = [
        ("hall?n=3000", Quality::Balanced),
        ("soup?n=1000", Quality::Best),
        ("teapot?n=1500", Quality::Balanced),
        ("sphere?n=1000", Quality::Fast),
        ("terrain?n=1500", Quality::Balanced),
    ];
    for (seed, (spec, quality)) in (1..).zip(specs) {
        let mesh = spec.parse::<DemoSpec>().expect("a demo").mesh();
        let mut scene = Scene::new(spec, &mesh, quality);
        let mut rng = Rng::new(seed);
        for ray in RaySampler::new(&mesh, seed).take(rays_per_scene()) {
            scene.ask_cut(&ray, &mut rng);
        }
        scene.finish(rays_per_scene() / 2);
    }
}

#[test]
fn every_level_gives_the_same_bits_in_hostile_scenes() {
    let mut rng = Rng::new(6);
    let mut soup = |count: usize, unit: f32| -> Vec<[Vec3; 3]> {
        let loose = (0..count).map(|i| {
            let at = 4.0 * rng.point();
            let corners = match i % 2 {
                0 => [0; 3].map(|_: i32| at + rng.point()),
                _ => [0; 3].map(|_: i32| at.round() + rng.grid_point(1)),
            };
            corners.map(|p| p * unit)
        });
        loose.collect()
    };
    let doubled = |triangles: Vec<[Vec3; 3]>| -> Vec<[Vec3; 3]> {
        let back = triangles.iter().map(|&[a, b, c]| [a, c, b]);
        let turned = triangles.iter().map(|&[a, b, c]| [b, c, a]);
        triangles
            .iter()
            .copied()
            .chain(back)
            .chain(turned)
            .collect()
    };
    let far_away = |triangles: Vec<[Vec3; 3]>| -> Vec<[Vec3; 3]> {
        let by = Vec3::new(1e6, -1e5, 1e4);
        triangles.into_iter().map(|t| t.map(|p| p + by)).collect()
    };
    // All in one plane, and a grid: rays in it hit no more than the others do.
    let flat = (0..200).map(|i| {
        let at = Vec3::new((i % 20) as f32, (i / 20) as f32, 0.0);
        [at, at + Vec3::X, at + Vec3::Y]
    });
    let scenes = [
        ("a soup", soup(300, 1.0), 1.0),
        ("one of 1e-30", soup(300, 1e-30), 1e-30),
        ("one of 1e-38", soup(100, 1e-38), 1e-38),
        ("one of 1e30", soup(300, 1e30), 1e30),
        (
            "one of faces three times each",
            doubled(soup(100, 1.0)),
            1.0,
        ),
        ("one far away", far_away(soup(300, 1.0)), 1.0),
        ("a flat one", flat.collect(), 1.0),
    ];
    for (seed, (name, triangles, unit)) in (1..).zip(&scenes) {
        let mut scene = Scene::soup(name, triangles);
        scene.ask_hostile(*unit, &mut Rng::new(seed));
        scene.finish(rays_per_scene() / 4);
    }
}

/// Returns large triangles on one side of the plane x = 0, many of them touching it.
fn on_one_side(rng: &mut Rng) -> Scene {
    let triangles: Vec<[Vec3; 3]> = (0..300)
        .map(|_| {
            let at = 2.0 * rng.point();
            [0; 3].map(|_: i32| (at + 2.0 * rng.point()).max(Vec3::new(0.0, -4.0, -4.0)))
        })
        .collect();
    Scene::soup("on one side", &triangles)
}

/// Boxes that contain the origin are entered at parameters below zero.
#[test]
fn a_least_parameter_of_negative_zero_is_zero() {
    let mut rng = Rng::new(8);
    let mut scene = on_one_side(&mut rng);
    for _ in 0..2_000 {
        let ray = Ray::new(rng.point(), rng.point());
        scene.ask(&ray.with_interval(-0.0, INF));
        scene.ask(&ray.with_interval(-0.0, 4.0));
    }
    scene.finish(4_000);
}

/// The ray's interval extends before its origin, but the tree's box begins exactly there.
#[test]
fn a_past_that_ends_where_the_tree_begins_hides_nothing() {
    let mut rng = Rng::new(9);
    let mut scene = on_one_side(&mut rng);
    for _ in 0..1_000 {
        let (origin, dir) = (rng.point().with_x(0.0), rng.point());
        let ray = Ray::new(origin, dir.with_x(dir.x.abs()));
        for past in [-1e-45, -1.0, -5.0, -1e30] {
            scene.ask(&ray.with_interval(past, INF));
        }
    }
    scene.finish(4_000);
}

/// Hits have the mesh's ids at every level.
#[test]
fn levels_are_what_they_were_asked_to_be() {
    let scene = Scene::soup("one", &[[Vec3::ZERO, Vec3::X, Vec3::Y]]);
    let mut levels: Vec<SimdLevel> = scene.levels.iter().map(Bvh::simd_level).collect();
    // The best level occurs twice, in both layouts.
    levels.dedup();
    assert_eq!(levels, SimdLevel::available());
    let ray = Ray::new([0.25, 0.25, -1.0], [0.0, 0.0, 1.0]);
    for bvh in &scene.levels {
        let hit = bvh.closest_hit(&ray).expect("a hit");
        assert_eq!((hit.t, Some(hit.prim)), (1.0, PrimId::from_index(0)));
    }
}

#[test]
fn names_read_back_and_others_say_what_there_is() {
    let available = SimdLevel::available();
    assert_eq!(available[0], SimdLevel::Baseline);
    for level in available {
        assert_eq!(level.to_string().parse(), Ok(level));
    }
    let error = "sse9".parse::<SimdLevel>().unwrap_err().to_string();
    assert!(
        error.starts_with("this machine has no SIMD level \"sse9\"; choose one of baseline"),
        "{error}"
    );
}
