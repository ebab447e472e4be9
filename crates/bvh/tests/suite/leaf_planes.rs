//! The planes by which rays pass over leaves.

use crate::leaf_writer::LeafWriter;
use estoc_bvh::internals::traverse::level_token;
use estoc_bvh::internals::tree::BvhInternals;
use estoc_bvh::internals::wide::{Block, WIDTH, planes_of};
use estoc_bvh::{Bvh, Layout, SimdLevel, ValidateError};
use estoc_core::glam::Vec3;
use estoc_core::{PrimId, RayQuery, Triangle};
use estoc_demo::{Demo, DemoSpec, RaySampler};
use estoc_mesh::Mesh;
use estoc_testkit::generate::{Rng, scenes};
use fearless_simd::SimdBase;

/// Returns the planes of triangles, the same at every level.
fn planes(triangles: [Triangle; WIDTH]) -> [[f32; 4]; WIDTH] {
    let mut leaf = LeafWriter::with_triangles(WIDTH);
    leaf.write(
        0,
        triangles
            .into_iter()
            .map(|triangle| (PrimId::MAX, triangle)),
    );
    let leaves = leaf.finish();
    let block = Block::of(leaves.numbers(), 0, WIDTH);
    let at_level = |level: SimdLevel| {
        let rows = fearless_simd::dispatch!(level_token(level).unwrap(), simd => {
            planes_of(simd, block).map(SimdBase::to_array)
        });
        [0, 1, 2, 3, 4, 5, 6, 7].map(|place| rows.map(|row| row[place]))
    };
    let best = at_level(SimdLevel::best());
    let bits = |planes: [[f32; 4]; WIDTH]| planes.map(|plane| plane.map(f32::to_bits));
    for level in SimdLevel::available() {
        assert_eq!(bits(at_level(level)), bits(best), "{level}: {triangles:?}");
    }
    best
}

/// The largest distance of a corner from the plane, in units of 2^-24 times the largest coordinate.
fn off([x, y, z, d]: [f32; 4], triangle: &Triangle) -> f64 {
    let normal = Vec3::new(x, y, z).as_dvec3();
    let corners = triangle.corners().map(Vec3::as_dvec3);
    let largest = corners.map(|p| p.abs().max_element());
    let largest = largest.into_iter().fold(0.0, f64::max);
    let off = corners.map(|p| (p.dot(normal) - f64::from(d)).abs());
    off.into_iter().fold(0.0, f64::max) / largest * f64::from(1 << 24)
}

#[test]
fn planes_are_near_their_triangles_or_say_nothing() {
    let mut triangles: Vec<Triangle> = Vec::new();
    for seed in 0..20 {
        let finite = |triangle: &Triangle| triangle.is_finite();
        triangles.extend(
            scenes(seed)
                .flat_map(|scene| scene.triangles)
                .filter(finite),
        );
    }
    let mut rng = Rng::named(1, "planes");
    triangles.extend((0..100_000).map(|_| {
        // Of any size, at any distance, up to needles.
        let size = 2f32.powi(rng.int(-60, 20));
        let at = rng.point() * 2f32.powi(rng.int(-40, 20));
        let [a, b, c] = [0; 3].map(|_: i32| rng.point() * size + at);
        let is_needle = rng.one_in(4);
        Triangle::new(
            a,
            b,
            if is_needle {
                a.lerp(b, rng.signed())
            } else {
                c
            },
        )
    }));
    let (mut found, mut worst) = (0, 0.0);
    let (eights, _) = triangles.as_chunks::<WIDTH>();
    for &eight in eights {
        for (plane, triangle) in planes(eight).into_iter().zip(&eight) {
            if plane == [0.0; 4] {
                continue;
            }
            found += 1;
            let [x, y, z, _] = plane;
            let length = Vec3::new(x, y, z).as_dvec3().length();
            assert!(
                (length - 1.0).abs() <= 1.01 * 2f64.powi(-24),
                "{triangle:?}"
            );
            worst = off(plane, triangle).max(worst);
        }
    }
    println!(
        "{found} planes of {} triangles, at most {worst:.2} of 4 off",
        triangles.len()
    );
    assert!(worst > 1.0 && worst < 4.0, "{worst}");
    assert!(
        found > triangles.len() / 2,
        "{found} of {}",
        triangles.len()
    );
}

#[test]
fn triangles_without_a_plane_have_none() {
    let (zero, far) = (Vec3::ZERO, Vec3::splat(f32::MAX));
    let flat = [
        [zero; 3],
        [Vec3::ONE; 3],
        [zero, Vec3::X, 2.0 * Vec3::X],
        [Vec3::NAN, Vec3::X, Vec3::Y],
        [Vec3::X, Vec3::NAN, Vec3::Y],
        [Vec3::INFINITY, Vec3::X, Vec3::Y],
        [far, -far, zero],
        [far, far, -far],
    ];
    let flat = flat.map(|[a, b, c]| Triangle::new(a, b, c));
    assert_eq!(planes(flat), [[0.0; 4]; WIDTH]);
    let large = [far, -far, Vec3::new(f32::MAX, 0.0, 0.0)];
    let large = large.map(|p| [p, p * 0.5, p * 1e-30]);
    let large = [0, 1, 2].map(|size| Triangle::new(large[0][size], large[1][size], large[2][size]));
    let large = [0, 1, 2, 0, 1, 2, 0, 1].map(|i| large[i]);
    for (plane, triangle) in planes(large).into_iter().zip(&large) {
        assert!(plane != [0.0; 4] && off(plane, triangle) <= 4.0);
    }
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
fn planes_of_other_triangles_are_found() {
    let mesh = |n: usize| DemoSpec::new(Demo::Mountains).n(n).mesh();
    let (mut bvh, other) = (Bvh::build(&mesh(2_000)), Bvh::build(&mesh(4_000)));
    bvh.inner_mut().planes = other.inner().planes.clone();
    let found = bvh.validate();
    assert!(
        matches!(found, Err(ValidateError::OffPlane { .. })),
        "{found:?}"
    );
}

#[test]
fn trees_of_unusual_size_have_no_planes() {
    let mesh = DemoSpec::new(Demo::Hall).n(2_000).mesh();
    let sized = |size: f32| {
        let corners = mesh.positions().iter().map(|&p| p * size);
        Mesh::try_new(corners, mesh.indices().iter().copied()).unwrap()
    };
    let mut bvh = Bvh::build(&mesh);
    for (size, has_planes) in [(1e30, false), (1.0, true), (1e-30, false), (1e3, true)] {
        bvh.refit(&sized(size)).unwrap();
        assert_eq!(bvh.validate(), Ok(()));
        let built = Bvh::build(&sized(size));
        for bvh in [&bvh, &built] {
            assert_eq!(bvh.stats().bytes_by_part.planes > 0, has_planes, "{size}");
        }
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
