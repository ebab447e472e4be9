//! Tiles of rays at placed meshes, against tests of all triangles. `ESTOC_LONG=1` asks millions of rays.

use crate::common::{bits, bvh_of, placed_by, placed_triangles, scene_of, world_of};
use estoc_batch::Batch;
use estoc_core::exact::PreparedRay;
use estoc_core::glam::{DVec3, Vec3};
use estoc_core::{
    Closest, Collector, Engine, PlacedPrimitive, PlacedTriangle, QueryOptions, Ray, RayQuery,
    SceneHit, ScenePath, ScenePrim, Technique, Triangle,
};
use estoc_scene::{PlacementMatrix, SceneObject, SceneSnapshot};
use estoc_testkit::conformance::Effort;
use estoc_testkit::generate::{PLACEMENT_KINDS, Rng, placement_case};
use std::sync::Arc;

/// The greatest number of triangles of a scene: each ray is tested against all.
const MOST: usize = 600;

type Placed = (ScenePrim, PlacedTriangle);

/// Returns a point of a triangle in the world: mostly a corner, or one of an edge.
fn point_of((_, placed): &Placed, rng: &mut Rng) -> DVec3 {
    let map = placed.matrix.to_affine();
    let [a, b, c] = placed.triangle.corners().map(|p| map.transform_point3(p));
    match rng.below(4) {
        0 => a,
        1 => a.lerp(b, f64::from(rng.signed().abs())),
        2 => b.midpoint(c),
        _ => (a + b + c) / 3.0,
    }
}

/// Returns rays of a picture, of a parallel projection, or from points of triangles to a lamp.
fn similar_rays(all: &[Placed], bounds: [DVec3; 2], rng: &mut Rng) -> Vec<Ray> {
    let [low, high] = bounds;
    let (middle, half) = ((low + high) * 0.5, (high - low) * 0.5);
    let far = half.max_element() * rng.pick(&[0.5, 2.0, 6.0]);
    let eye = (middle + rng.point().as_dvec3() * far).as_vec3();
    let center = point_of(&rng.pick(all), rng);
    let way = (center - eye.as_dvec3()).length();
    let wide = way * rng.pick(&[1e-6, 0.01, 0.1, 0.3]);
    let kind = rng.below(3);
    let count = 32 + rng.below(225);
    let targets: Vec<DVec3> = (0..count)
        .map(|_| {
            let target = point_of(&rng.pick(all), rng);
            match target.distance(center) <= wide * 1.7 && !rng.one_in(4) {
                true => target,
                false => center + rng.point().as_dvec3() * wide,
            }
        })
        .collect();
    let ray_to = |target: DVec3, rng: &mut Rng| match kind {
        0 => Ray::new(eye, (target - eye.as_dvec3()).as_vec3()),
        1 => {
            let dir = (center - eye.as_dvec3()).as_vec3();
            Ray::new((target - dir.as_dvec3()).as_vec3(), dir)
        }
        _ => {
            let origin = target.as_vec3();
            let to = eye + rng.point() * (wide as f32) * rng.pick(&[0.0, 0.1]);
            let t_max = rng.pick(&[1.0, 0.999, f32::INFINITY]);
            Ray::new(origin, to - origin).with_interval(0.0, t_max)
        }
    };
    let rays = targets.iter().map(|&target| {
        let mut ray = ray_to(target, rng);
        // Tiles take directions of usual lengths only.
        if !rng.one_in(20) && ray.t_max != 1.0 {
            ray.dir = ray.dir.normalize_or(Vec3::X);
        }
        match rng.below(60) {
            0 => ray.dir = -ray.dir,
            1 => ray.t_min = f32::NEG_INFINITY,
            2 => ray.t_max = rng.signed().abs() * far as f32,
            3 => ray.dir.x = f32::NAN,
            4 => ray.t_min = rng.signed().abs() * far as f32,
            _ => {}
        }
        ray
    });
    rays.collect()
}

/// Returns the first hit of a ray by tests of all triangles.
fn first(
    scene: &SceneSnapshot,
    all: &[Placed],
    ray: &Ray,
    skip: Option<ScenePrim>,
) -> Option<SceneHit> {
    let options = QueryOptions::default().skip(skip);
    let mut collector = Collector::first(PreparedRay::new(ray)?, &options, scene.masks());
    for (id, placed) in all {
        let _ = collector.offer(*id, &PlacedPrimitive::Triangle(*placed));
    }
    collector.first_found()
}

/// Compares a batch in tiles with tests of all triangles. Returns the numbers of rays in tiles, for first hits
/// and for any, and of hits.
fn check(scene: &SceneSnapshot, all: &[Placed], rays: &[Ray]) -> [usize; 3] {
    let batch = Batch::new().technique(Technique::Packets);
    let mut hits: Vec<Option<SceneHit>> = vec![None; rays.len()];
    let report = batch.ask_into(scene, Closest, rays, &mut hits[..]);
    let expected: Vec<_> = rays
        .iter()
        .map(|ray| first(scene, all, ray, None))
        .collect();
    for ((ray, hit), expected) in rays.iter().zip(&hits).zip(&expected) {
        let of = |hit: &Option<SceneHit>| hit.as_ref().map(bits);
        assert_eq!(of(hit), of(expected), "{ray:?}");
    }
    let mut any = vec![false; rays.len()];
    let of_any = batch.ask_into(scene, estoc_core::Any, rays, &mut any[..]);
    for ((ray, any), hit) in rays.iter().zip(&any).zip(&hits) {
        assert_eq!(*any, hit.is_some(), "{ray:?}");
    }
    let options =
        |hit: &Option<SceneHit>| QueryOptions::default().skip(hit.as_ref().map(SceneHit::id));
    let options: Vec<QueryOptions<ScenePrim>> = hits.iter().map(options).collect();
    let others = batch.options_each(&options).any_hits(scene, rays);
    for (((ray, options), hit), is_hit) in rays
        .iter()
        .zip(&options)
        .zip(&hits)
        .zip(others.expect("valid options"))
    {
        let expected = hit.is_some() && first(scene, all, ray, options.skip).is_some();
        assert_eq!(is_hit, expected, "{ray:?} {:?}", options.skip);
    }
    [
        report.expect("no options").techniques.packets,
        of_any.expect("no options").techniques.packets,
        hits.iter().flatten().count(),
    ]
}

/// Returns the world that is placed in another, by matrices that map it near itself, twice.
fn nested(scene: impl Into<SceneObject>, rng: &mut Rng) -> Arc<SceneSnapshot> {
    let object = scene.into();
    world_of([1.0, -1.25].map(|scale| {
        let mut rows = PlacementMatrix::IDENTITY.rows();
        for (axis, row) in rows.iter_mut().enumerate() {
            row[axis] = scale;
            row[(axis + 1) % 3] = f64::from(rng.signed()) * 0.1;
            row[3] = f64::from(rng.signed());
        }
        placed_by(object.clone(), rows)
    }))
}

#[test]
fn they_answer_as_tests_of_all_triangles() {
    let (seeds, tiles) = if Effort::is_long() { (60, 60) } else { (1, 3) };
    let [mut first, mut any, mut hits, mut asked] = [0; 4];
    for seed in 0..seeds {
        for index in 0..2 * PLACEMENT_KINDS.len() {
            let kind = index / 2;
            let mut rng = Rng::named(seed + 1000 * index as u64, "tiles");
            let mut case = placement_case(PLACEMENT_KINDS[kind], seed).expect("a kind");
            if !rng.one_in(6) {
                // Kernels trace rays that see everything.
                case.masks.iter_mut().for_each(|masks| *masks = None);
                let placements = case.scenes.iter_mut().flatten();
                placements.for_each(|placement| placement.mask = u32::MAX);
            }
            let mut scene = scene_of(&case);
            if index % 2 == 1 && scene.depth() < ScenePath::MAX_DEPTH {
                scene = nested(scene, &mut rng);
            }
            let all = placed_triangles(&scene);
            let Some(bounds) = scene.bounds().filter(|_| (1..=MOST).contains(&all.len())) else {
                continue;
            };
            for _ in 0..tiles {
                let rays = similar_rays(&all, bounds, &mut rng);
                let [of_first, of_any, that_hit] = check(&scene, &all, &rays);
                (first, any, hits) = (first + of_first, any + of_any, hits + that_hit);
                asked += rays.len();
            }
        }
    }
    println!("{asked} rays, {first} and {any} in tiles, {hits} hits");
    assert!(first * 4 > asked && any * 4 > asked && hits * 4 > asked);
}

/// Rays that start in the plane of corners whose terms cancel, where roundings of their places are larger than
/// these.
#[test]
fn rays_that_start_where_terms_cancel_are_decided_exactly() {
    let soup = [
        Vec3::new(1000.0, 1000.0, 0.0),
        Vec3::new(1100.0, 1100.0, 0.0),
        Vec3::new(1000.0, 1000.0, 10.0),
    ];
    let mesh = Arc::new(bvh_of(&[Triangle::new(soup[0], soup[1], soup[2])]));
    let before_one = 1.0 - f64::EPSILON / 2.0;
    for (z, hits_here) in [
        ([-0.1, 0.1, 0.0, 1.0], true),
        ([0.1, -0.1, 0.0, 1.0], true),
        ([-0.1, 0.1, 0.0, before_one], false),
        ([0.1, -0.1, 0.0, before_one], false),
    ] {
        let sheet = |moved: f64| {
            let z = [z[0], z[1], z[2], z[3] + moved];
            placed_by(
                mesh.clone(),
                [[0.1, 0.1, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], z],
            )
        };
        let scene = world_of([sheet(0.0), sheet(100.0)]);
        let all = placed_triangles(&scene);
        let rays: Vec<Ray> = (0..256)
            .map(|i| {
                let at = Vec3::new(201.0 + (i % 16) as f32, 0.125 + (i / 16) as f32 * 0.5, 1.0);
                Ray::new(at, Vec3::Z)
            })
            .collect();
        let [first, any, hits] = check(&scene, &all, &rays);
        assert!(
            first > 100 && any > 100 && hits > 100,
            "{first} {any} {hits}"
        );
        let is_here = |ray: &Ray| scene.closest_hit(ray).is_some_and(|hit| hit.t == 0.0);
        assert_eq!(rays.iter().any(is_here), hits_here);
    }
}
