//! Thickness by the largest sphere, against distances computed one by one.

use crate::common::bvh_of;
use estoc_batch::Batch;
use estoc_core::glam::{DVec3, Vec3};
use estoc_core::{Ray64, RayQuery, Triangle};
use estoc_demo::DemoSpec;
use estoc_scene::{Scene, SceneSnapshot, SphereThickness};
use estoc_testkit::generate::Rng;
use std::sync::Arc;

fn scene_of(triangles: &[Triangle]) -> Arc<SceneSnapshot> {
    SceneSnapshot::of_mesh(bvh_of(triangles)).unwrap()
}

/// The distance of a point from a triangle: from its face, or else from the closest edge.
fn distance(p: DVec3, triangle: &Triangle) -> f64 {
    let corners = triangle.corners().map(Vec3::as_dvec3);
    let edges = [0, 1, 2].map(|i| [corners[i], corners[(i + 1) % 3]]);
    let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
    let inside = |[a, b]: [DVec3; 2]| (b - a).cross(p - a).dot(normal) >= 0.0;
    if edges.into_iter().all(inside) {
        return (p - corners[0]).dot(normal.normalize()).abs();
    }
    let of_edge = |[a, b]: [DVec3; 2]| {
        let share = ((p - a).dot(b - a) / a.distance_squared(b)).clamp(0.0, 1.0);
        p.distance(a + share * (b - a))
    };
    edges.map(of_edge).into_iter().fold(f64::INFINITY, f64::min)
}

/// Checks both bounds of an answer.
fn check(triangles: &[Triangle], ray: &Ray64, slack: f64, diameter: f64) {
    let (point, inward) = (ray.origin, ray.dir.normalize());
    let corners = triangles.iter().flat_map(Triangle::corners);
    let size = corners.fold(0.0, |most, corner| corner.abs().max_element().max(most));
    let unseen = f64::from(size) / (1_u64 << 45) as f64;
    let unseen = unseen.max(point.abs().max_element() / f64::from(1 << 21));
    let nearest = |radius: f64| {
        let distances = { triangles.iter() }.map(|t| distance(point + radius * inward, t));
        distances.fold(f64::INFINITY, f64::min)
    };
    if diameter.is_infinite() {
        let corners = triangles.iter().flat_map(Triangle::corners);
        let heights = corners.map(|corner| (corner.as_dvec3() - point).dot(inward));
        assert!(heights.fold(0.0, f64::max) <= unseen + 1e-9, "{ray:?}");
        return;
    }
    let radius = diameter / 2.0;
    let depth = radius - nearest(radius);
    assert!(
        depth <= unseen.max(slack * radius) + 1e-9,
        "{ray:?} {slack}: {depth} in {radius}"
    );
    // Nothing that is only a little larger is empty.
    let larger = radius * (1.0 + 1.0 / f64::from(1 << 19));
    assert!(larger > nearest(larger), "{ray:?} {slack}: {radius}");
}

#[test]
fn answers_keep_both_bounds() {
    let mut finite = 0;
    for (spec, seed) in [("soup?n=60", 1), ("solids?n=200", 2), ("sphere?n=300", 3)] {
        let mesh = spec.parse::<DemoSpec>().unwrap().mesh();
        let triangles: Vec<Triangle> = mesh.triangles().collect();
        let scene = scene_of(&triangles);
        let mut rng = Rng::new(seed);
        let mut rays = Vec::new();
        for _ in 0..150 {
            let triangle = triangles[rng.below(triangles.len())];
            let Some(normal) = triangle.normal() else {
                continue;
            };
            let [a, b, c] = triangle.corners().map(Vec3::as_dvec3);
            let (u, v) = (
                rng.signed().abs() as f64 / 2.0,
                rng.signed().abs() as f64 / 2.0,
            );
            let point = a + u * (b - a) + v * (c - a);
            let side = if rng.one_in(4) { 2.0 } else { -0.5 };
            rays.push(Ray64::new(point, side * normal.as_dvec3()));
        }
        for slack in [1.0 / 64.0, 1e-3] {
            let question = SphereThickness { slack };
            let single: Vec<Option<f64>> =
                rays.iter().map(|ray| scene.ask(question, ray)).collect();
            for (ray, diameter) in rays.iter().zip(&single) {
                let diameter = diameter.unwrap();
                check(&triangles, ray, slack, diameter);
                finite += usize::from(diameter.is_finite());
            }
            for threads in [1, 3] {
                let batch = Batch::new().threads(threads);
                let mut found = vec![None; rays.len()];
                batch
                    .ask_into(&*scene, question, &rays, &mut found[..])
                    .unwrap();
                assert_eq!(found, single);
            }
        }
    }
    assert!(finite > 400, "{finite}");
}

#[test]
fn known_spheres_are_found() {
    let wall = |a: [f32; 3], b: [f32; 3], c: [f32; 3]| Triangle::new(a, b, c);
    // A floor, a ceiling 4 above, and a wall at x = 0.
    let room = [
        wall([-99.0, -99.0, 0.0], [99.0, -99.0, 0.0], [0.0, 99.0, 0.0]),
        wall([-99.0, -99.0, 4.0], [99.0, -99.0, 4.0], [0.0, 99.0, 4.0]),
        wall([0.0, -99.0, -99.0], [0.0, 99.0, -99.0], [0.0, 0.0, 99.0]),
    ];
    let scene = scene_of(&room);
    let question = SphereThickness { slack: 1e-9 };
    for (x, expected) in [
        (5.0, 4.0),
        (2.0, 4.0),
        (1.0, 2.0),
        (0.25, 0.5),
        (1e-3, 2e-3),
    ] {
        let ray = Ray64::new([x, 0.0, 0.0], [0.0, 0.0, 1e-300]);
        let found = scene.ask(question, &ray).unwrap();
        assert!((found / expected - 1.0).abs() < 2e-4, "{x}: {found}");
    }
    // Facets of a sphere count as round, at their centres and beside their edges.
    let mesh = "sphere?n=8000".parse::<DemoSpec>().unwrap().mesh();
    let triangles: Vec<Triangle> = mesh.triangles().collect();
    let scene = scene_of(&triangles);
    for triangle in triangles.iter().step_by(97) {
        let [a, b, c] = triangle.corners().map(Vec3::as_dvec3);
        let inward = -triangle.normal().unwrap().as_dvec3();
        for point in [(a + b + c) / 3.0, 0.495 * (a + b) + 0.01 * c] {
            let found = scene.ask(SphereThickness::default(), &Ray64::new(point, inward));
            assert!((found.unwrap() - 2.0).abs() < 0.1, "{point}: {found:?}");
        }
    }
}

#[test]
fn undefined_points_have_none_and_open_sides_are_endless() {
    let sheet = Triangle::new([0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]);
    let scene = scene_of(&[sheet]);
    let ask = |ray: Ray64| scene.ask(SphereThickness::default(), &ray);
    let up = [0.0, 0.0, 1.0];
    for ray in [
        Ray64::new([f64::NAN, 0.0, 0.0], up),
        Ray64::new([0.25; 3], [0.0; 3]),
        Ray64::new([0.25; 3], [f64::INFINITY, 0.0, 0.0]),
    ] {
        assert_eq!(ask(ray), None, "{ray:?}");
    }
    let on_it = [0.25, 0.25, 0.0];
    assert_eq!(ask(Ray64::new(on_it, up)), Some(f64::INFINITY));
    // A hole straight in: the sphere touches what is beside it.
    let beside = Triangle::new([5.0, -9.0, 1.0], [9.0, 0.0, 1.0], [5.0, 9.0, 1.0]);
    let scene = scene_of(&[sheet, beside]);
    let found = scene.ask(SphereThickness::default(), &Ray64::new([0.0; 3], up));
    assert!((found.unwrap() - 26.0).abs() < 26.0 / 60.0, "{found:?}");
    let nothing = Scene::new().commit();
    assert_eq!(
        nothing.ask(SphereThickness::default(), &Ray64::new(on_it, up)),
        Some(f64::INFINITY)
    );
    for huge in [1e30_f32, 1e-30] {
        let sheet = |z: f32| Triangle::new([-huge, -huge, z], [huge, -huge, z], [0.0, huge, z]);
        let scene = scene_of(&[sheet(0.0), sheet(huge)]);
        let found = scene.ask(SphereThickness::default(), &Ray64::new([0.0; 3], up));
        assert_eq!(found, Some(f64::from(huge)), "{huge}");
    }
}
