//! Queries about points on trees: ties, extremes, hostile input, and trees of other kinds.

use crate::common::{MIXED, Rng, Shape, brute, every_tree, mixed_sizes, refitted};
use estoc_bvh::{Bvh, SimdLevel};
use estoc_core::glam::Vec3;
use estoc_core::{BruteForce, Feature, MeshEngine, PointEngine, PointQuery, PrimId, Triangle};
use estoc_demo::DemoSpec;
use estoc_mesh::Mesh;
use estoc_testkit::conformance::check_near_against;
use std::sync::Arc;

fn points(mesh: &Mesh, rng: &mut Rng, n: usize) -> Vec<Vec3> {
    let (min, max) = (mesh.bounds().min(), mesh.bounds().max());
    let (center, size) = ((min + max) * 0.5, (max - min).max_element());
    let mut points: Vec<Vec3> = (0..n)
        .map(|_| center + size * Vec3::from(rng.vec(-1.5, 1.5)))
        .collect();
    for _ in 0..n {
        let [corner, ..] = rng.pick(mesh.indices());
        let corner = mesh.positions()[corner as usize];
        points.push(corner);
        points.push(corner + 0.01 * size * Vec3::from(rng.vec(-1.0, 1.0)));
        points.push(corner + 1e9 * size * Vec3::from(rng.vec(-1.0, 1.0)));
    }
    // Where f64 does not tell the triangles apart.
    points.push(center + 1e20 * size * Vec3::from(rng.vec(-1.0, 1.0)));
    points
}

#[test]
fn trees_near_points_answer_as_brute_force() {
    let mut rng = Rng::new(1);
    let mut asked = 0;
    for spec in "sphere?n=3000 soup?n=2000 terrain?n=2000 hall?n=3000".split(' ') {
        let mesh = spec.parse::<DemoSpec>().unwrap().mesh();
        let truth = brute(&mesh);
        let points = points(&mesh, &mut rng, 12);
        for tree in every_tree(&mesh) {
            asked += check_near_against(&tree, &truth, &points).questions;
        }
    }
    assert!(asked > 1_000 * SimdLevel::available().len(), "{asked}");
}

/// A tree that is stored multiplied by a power of two, and one that cannot be.
#[test]
fn trees_of_extreme_size_near_points_answer_as_brute_force() {
    let mut rng = Rng::new(2);
    for size in [1e-30, 1e-12, 1e12, 1e30] {
        let mesh = Shape::random(300, 0.3, &mut rng).scaled(size).mesh();
        let mut points = points(&mesh, &mut rng, 20);
        points.retain(|point| point.is_finite());
        points.extend([f32::MAX, 1e-45, 0.0, 1.0].map(Vec3::splat));
        check_near_against(&Bvh::build(&mesh), &brute(&mesh), &points);
    }
    let mesh = mixed_sizes();
    let points: Vec<Vec3> = (0..50)
        .map(|i| Vec3::from(MIXED[i % 4]) * 0.5 + Vec3::from(rng.vec(-1.0, 1.0)) * 1e-3)
        .collect();
    check_near_against(&Bvh::build(&mesh), &brute(&mesh), &points);
}

/// More triangles than wait for their certificates at a time are equally close.
#[test]
fn of_many_equally_close_triangles_the_lowest_id_is_the_answer() {
    let n = 500;
    let ring = |i: usize| {
        let angle = std::f32::consts::TAU * i as f32 / n as f32;
        [angle.cos(), angle.sin(), 0.0]
    };
    let corners = (0..n).map(ring).chain([[0.0, 0.0, 1.0]]);
    let faces = (0..n).map(|i| [i as u32, ((i + 1) % n) as u32, n as u32]);
    let mesh = Mesh::try_new(corners, faces.rev()).unwrap();
    for level in SimdLevel::available() {
        let tree = Bvh::builder().simd_level(level).build(&mesh).unwrap();
        let closest = tree.closest_point([0.0, 0.0, 3.0]).unwrap();
        assert_eq!((closest.prim.get(), closest.distance), (0, 2.0));
        assert_eq!(closest.feature, Feature::Vertex(2));
        let within = tree.within([0.0, 0.0, 3.0], 2.0);
        let all: Vec<PrimId> = (0..n).filter_map(PrimId::from_index).collect();
        assert_eq!(within, all);
        assert!(tree.within([0.0, 0.0, 3.0], 2f32.next_down()).is_empty());
        let first = tree.closest_points([0.0, 0.0, 3.0], 3);
        assert!(first.iter().map(|found| found.prim.get()).eq(0..3));
    }
}

/// A grid of triangles in one plane, and points on and above its corners, edges and faces.
#[test]
fn many_triangles_in_one_plane_have_exact_answers() {
    let n = 64u32;
    let corners = (0..(n + 1) * (n + 1)).map(|i| [(i % (n + 1)) as f32, (i / (n + 1)) as f32, 2.0]);
    let faces = (0..n * n).flat_map(|i| {
        let a = i / n * (n + 1) + i % n;
        [[a, a + 1, a + n + 2], [a, a + n + 2, a + n + 1]]
    });
    let mesh = Mesh::try_new(corners, faces).unwrap();
    let (tree, truth) = (Bvh::build(&mesh), brute(&mesh));
    let mut points = Vec::new();
    for i in 0..12 {
        let at = i as f32 * 0.25;
        points.extend([
            Vec3::new(at, 2.0 * at, 2.0),
            Vec3::new(at, at, 7.5),
            Vec3::new(-at, at, 2.0),
            Vec3::new(40.0 + at, -at, -1.0),
        ]);
    }
    check_near_against(&tree, &truth, &points);
    let closest = tree.closest_point([3.0, 5.0, 6.0]).unwrap();
    let nearest = Vec3::new(3.0, 5.0, 2.0);
    assert_eq!((closest.distance, closest.point), (4.0, nearest));
    let around = tree.within([3.0, 5.0, 6.0], 4.0).len();
    assert_eq!(around, 6, "all around a corner");
}

#[test]
fn hostile_input_is_defined() {
    let empty = Bvh::build(&Mesh::default());
    let flat = [[1.0, 1.0, 1.0], [2.0, 2.0, 2.0], [3.0, 3.0, 3.0]];
    let flat = Bvh::build(&Mesh::try_new(flat, [[0, 1, 2], [0, 0, 0]]).unwrap());
    let sheet = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let sheet = Bvh::build(&Mesh::try_new(sheet, [[0, 1, 2], [0, 1, 1], [2, 1, 0]]).unwrap());
    for nothing in [&empty, &flat] {
        assert_eq!(nothing.closest_point([0.0; 3]), None);
        assert_eq!(nothing.distance([0.0; 3]), None);
        assert!(nothing.closest_points([0.0; 3], 5).is_empty());
        assert!(nothing.within([0.0; 3], f32::INFINITY).is_empty());
        assert!(!nothing.any_within([0.0; 3], f32::INFINITY));
    }
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        assert_eq!(sheet.closest_point([0.0, bad, 0.0]), None);
        assert_eq!(sheet.distance([bad; 3]), None);
        assert!(sheet.closest_points([0.0, 0.0, bad], 5).is_empty());
        assert!(sheet.within([bad, 0.0, 0.0], f32::INFINITY).is_empty());
        assert!(!sheet.any_within([bad, 0.0, 0.0], f32::INFINITY));
    }
    let at = [0.25, 0.25, 0.0];
    for bad in [f32::NAN, -1.0, f32::NEG_INFINITY, -f32::MIN_POSITIVE] {
        assert_eq!(sheet.closest_point_within(at, bad), None);
        assert!(sheet.within(at, bad).is_empty() && !sheet.any_within(at, bad));
    }
    // 0 of either sign is a radius, and triangles without area have no points.
    for zero in [0.0, -0.0] {
        let closest = sheet.closest_point_within(at, zero).unwrap();
        assert_eq!(closest.distance.to_bits(), 0);
        assert_eq!(sheet.within(at, zero).len(), 2);
    }
    assert!(sheet.closest_points(at, 0).is_empty());
    assert_eq!(sheet.closest_points(at, usize::MAX).len(), 2);
    assert_eq!(sheet.within(at, f32::INFINITY).len(), 2);
    // Both coordinates of the way overflow: an infinite distance is an answer, but in no finite
    // radius.
    let far = [f32::MAX, f32::MAX, 0.0];
    assert_eq!(sheet.distance(far), Some(f32::INFINITY));
    assert_eq!(sheet.closest_point_within(far, f32::MAX), None);
    assert_eq!(sheet.within(far, f32::INFINITY).len(), 2);
}

#[test]
fn refitted_trees_and_masks_and_pointers_answer_alike() {
    let mut rng = Rng::new(3);
    let (moved, tree, hidden) = refitted();
    let points = points(&moved, &mut rng, 20);
    check_near_against(&tree, &brute(&moved), &points);
    let engines: [Box<dyn PointEngine>; 3] = [
        Box::new(tree.clone()),
        Box::new(Arc::new(hidden)),
        Box::new(brute(&moved)),
    ];
    for engine in &engines {
        assert_eq!(engine.triangle_count(), moved.triangle_count());
        check_near_against(&&**engine, &tree, &points[..20]);
    }
}

/// Both triangles that share an edge, and both orders of a doubled triangle, are ties.
#[test]
fn ties_go_to_the_lowest_id_whatever_the_order() {
    let [a, b, c, d] = [
        [0.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.5, -1.0, -0.5],
    ];
    let sheets = [
        Triangle::new(a, b, c),
        Triangle::new(b, a, d),
        Triangle::new(c, a, b),
    ];
    for order in [[0, 1, 2], [1, 0, 2], [2, 1, 0], [1, 2, 0]] {
        let engine = BruteForce::new(order.map(|i| sheets[i]));
        let closest = engine.closest_point([0.3, -0.1, 7.0]).unwrap();
        assert_eq!((closest.prim.get(), closest.point.y), (0, 0.0), "{order:?}");
        assert!(matches!(closest.feature, Feature::Edge(_)));
    }
}

/// Short lists are kept sorted, long ones are not: both begin the list of all triangles.
#[test]
fn closest_triangles_of_any_number_begin_the_list_of_all() {
    let mesh = Shape::sphere(1.0, 30, 40, false).mesh();
    let (tree, truth) = (Bvh::build(&mesh), brute(&mesh));
    let count = mesh.triangle_count();
    // At the center and on the axis many are equally close.
    for point in [[0.0; 3], [0.0, 0.5, 0.0], [0.3, -0.2, 0.7], [4.0, 1.0, 2.0]] {
        let all = truth.closest_points(point, usize::MAX);
        assert!(all.is_sorted_by(|a, b| a.distance <= b.distance));
        let mut prims: Vec<PrimId> = all.iter().map(|found| found.prim).collect();
        prims.sort_unstable();
        assert_eq!(prims, truth.within(point, f32::INFINITY));
        let near_all = [1000, count - 1, count, count + 1, usize::MAX];
        for k in [1, 63, 64, 65, 66, 97, 98, 99].into_iter().chain(near_all) {
            let first = &all[..k.min(all.len())];
            assert_eq!(tree.closest_points(point, k), first, "{k} near {point:?}");
            assert_eq!(truth.closest_points(point, k), first, "{k} near {point:?}");
        }
    }
}
