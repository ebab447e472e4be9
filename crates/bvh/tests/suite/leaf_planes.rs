//! The planes by which rays pass over leaves.

use estoc_bvh::internals::wide::plane_of;
use estoc_bvh::{Bvh, Layout};
use estoc_core::glam::Vec3;
use estoc_core::{RayQuery, Triangle};
use estoc_demo::{Demo, DemoSpec, RaySampler};
use estoc_mesh::Mesh;
use estoc_testkit::generate::{Rng, scenes};

/// The largest distance of a corner from the plane, in units of 2^-24 times the largest coordinate.
fn off(triangle: &Triangle) -> f64 {
    let [x, y, z, d] = plane_of(triangle).map(f64::from);
    let corners = triangle.corners().map(Vec3::as_dvec3);
    let largest = corners.map(|p| p.abs().max_element());
    let largest = largest.into_iter().fold(0.0, f64::max);
    let off = corners.map(|p| (p.x * x + p.y * y + p.z * z - d).abs());
    off.into_iter().fold(0.0, f64::max) / largest * f64::from(1 << 24)
}

#[test]
fn planes_are_near_their_triangles_or_say_nothing() {
    let (mut planes, mut triangles, mut worst) = (0, 0, 0.0);
    let mut look = |triangle: &Triangle| {
        triangles += 1;
        let [x, y, z, d] = plane_of(triangle);
        if [x, y, z, d] == [0.0; 4] {
            return;
        }
        planes += 1;
        let length = Vec3::new(x, y, z).as_dvec3().length();
        assert!((length - 1.0).abs() <= 2f64.powi(-24), "{triangle:?}");
        worst = off(triangle).max(worst);
    };
    for seed in 0..20 {
        scenes(seed)
            .flat_map(|scene| scene.triangles)
            .for_each(|t| look(&t));
    }
    let mut rng = Rng::named(1, "planes");
    for _ in 0..100_000 {
        // Of any size, at any distance, up to needles.
        let size = 2f32.powi(rng.int(-60, 20));
        let at = rng.point() * 2f32.powi(rng.int(-40, 20));
        let [a, b, c] = [0; 3].map(|_: i32| rng.point() * size + at);
        let c = if rng.one_in(4) {
            a.lerp(b, rng.signed())
        } else {
            c
        };
        look(&Triangle::new(a, b, c));
    }
    println!("{planes} planes of {triangles} triangles, at most {worst:.2} of 4 off");
    assert!(worst > 1.0 && worst < 4.0, "{worst}");
    assert!(planes > triangles / 2, "{planes} of {triangles}");
}

#[test]
fn triangles_without_a_plane_have_none() {
    let (zero, far) = (Vec3::ZERO, Vec3::splat(f32::MAX));
    for [a, b, c] in [
        [zero; 3],
        [Vec3::ONE; 3],
        [zero, Vec3::X, 2.0 * Vec3::X],
        [Vec3::NAN, Vec3::X, Vec3::Y],
        [Vec3::INFINITY, Vec3::X, Vec3::Y],
    ] {
        assert_eq!(plane_of(&Triangle::new(a, b, c)), [0.0; 4]);
    }
    let triangle = Triangle::new(far, -far, Vec3::new(f32::MAX, 0.0, 0.0));
    assert!(off(&triangle) <= 4.0);
}

#[test]
fn a_tree_without_planes_answers_alike() {
    let mesh = DemoSpec::new(Demo::Hall).n(5_000).mesh();
    let usual = Bvh::build(&mesh);
    let compact = Bvh::builder().layout(Layout::Compact);
    let compact = compact.build(&mesh).unwrap();
    let planes = |bvh: &Bvh| bvh.stats().bytes_by_part.planes;
    assert!(planes(&usual) >= 16 * mesh.triangle_count() && planes(&compact) == 0);
    for ray in RaySampler::new(&mesh, 3).take(300) {
        assert_eq!(compact.closest_hit(&ray), usual.closest_hit(&ray));
        assert_eq!(compact.any_hit(&ray), usual.any_hit(&ray));
    }
}

#[test]
fn a_refit_moves_planes() {
    let mesh = DemoSpec::new(Demo::Hall).n(2_000).mesh();
    let mut bvh = Bvh::build(&mesh);
    let moved = mesh
        .positions()
        .iter()
        .map(|p| Vec3::new(p.y, p.z, p.x) * 2.0 + Vec3::ONE);
    let moved = Mesh::try_new(moved, mesh.indices().iter().copied()).unwrap();
    bvh.refit(&moved).unwrap();
    assert_eq!(bvh.validate(), Ok(()));
    let built = Bvh::build(&moved);
    assert_eq!(
        bvh.stats().bytes_by_part.planes,
        built.stats().bytes_by_part.planes
    );
    for ray in RaySampler::new(&moved, 3).take(300) {
        assert_eq!(bvh.closest_hit(&ray), built.closest_hit(&ray));
    }
}
