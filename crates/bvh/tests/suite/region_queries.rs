//! Queries about regions on trees: other levels, layouts and sizes, and tables of known answers.

use crate::common::{Rng, Shape, brute, every_tree, mixed_sizes, refitted};
use estoc_bvh::{Bvh, SimdLevel};
use estoc_core::glam::{Mat4, Quat, Vec3};
use estoc_core::{
    Aabb, Intersection, IntersectionKind, MeshEngine, Obb, PointQuery, RegionEngine, RegionQuery,
    Sphere, Triangle,
};
use estoc_demo::DemoSpec;
use estoc_mesh::Mesh;
use estoc_testkit::conformance::check_regions_against;
use estoc_testkit::generate::{self, RegionCase, Scene};
use std::ops::ControlFlow;
use std::sync::Arc;

fn regions(mesh: &Mesh, seed: u64, n: usize) -> Vec<RegionCase> {
    let triangles = mesh.triangles().collect();
    let scene = Scene {
        name: "mesh",
        seed,
        triangles,
    };
    generate::regions(&scene, &mut generate::Rng::named(seed, "trees"), n)
}

fn pairs(engine: &(impl RegionEngine + ?Sized)) -> Vec<Intersection> {
    let mut found = Vec::new();
    let _ = engine.self_intersections(&mut |pair| {
        found.push(pair);
        ControlFlow::<()>::Continue(())
    });
    found
}

#[test]
fn trees_in_regions_answer_as_brute_force() {
    let mut asked = 0;
    for spec in "sphere?n=3000 soup?n=2000 terrain?n=2000 hall?n=3000".split(' ') {
        let mesh = spec.parse::<DemoSpec>().unwrap().mesh();
        let truth = brute(&mesh);
        let cases = regions(&mesh, 1, 60);
        let mut known = None;
        for tree in every_tree(&mesh) {
            asked += check_regions_against(&tree, &truth, &cases).questions;
            let found = pairs(&tree);
            assert_eq!(
                *known.get_or_insert(found.clone()),
                found,
                "{spec} {}",
                tree.simd_level()
            );
        }
    }
    assert!(asked > 400 * SimdLevel::available().len(), "{asked}");
}

/// A tree that is stored multiplied by a power of two, and one that cannot be.
#[test]
fn trees_of_extreme_size_in_regions_answer_as_brute_force() {
    let mut rng = Rng::new(2);
    for size in [1e-38, 1e-30, 1e-12, 1e12, 1e30] {
        let mesh = Shape::random(200, 0.3, &mut rng).scaled(size).mesh();
        let (tree, truth) = (Bvh::build(&mesh), brute(&mesh));
        check_regions_against(&tree, &truth, &regions(&mesh, 2, 150));
        assert_eq!(pairs(&tree), pairs(&truth), "{size}");
    }
    let mesh = mixed_sizes();
    check_regions_against(&Bvh::build(&mesh), &brute(&mesh), &regions(&mesh, 3, 100));
}

/// M35 (three-mesh-bvh's tests of shapes), on the surface of a sphere of radius 1.
#[test]
fn shapes_of_three_mesh_bvh_meet_a_sphere_as_there() {
    let tree = Bvh::build(&Shape::sphere(1.0, 50, 50, false).mesh());
    let sphere = |center: [f32; 3], radius| Sphere::try_new(center, radius).unwrap();
    assert!(
        tree.any_overlap(&sphere([0.0, 0.0, 1.0], 0.01))
            || tree.any_overlap(&sphere([0.0, 1.0, 0.0], 0.01))
    );
    assert!(!tree.any_overlap(&sphere([0.0; 3], 0.9)));
    assert!(!tree.any_overlap(&sphere([0.0, 2.01, 0.0], 0.9)));
    let turn =
        Quat::from_rotation_x(45f32.to_radians()) * Quat::from_rotation_y(45f32.to_radians());
    let cube = |half: f32, y: f32| {
        let unit = Aabb::try_new([-half; 3], [half; 3]).unwrap();
        let model = Mat4::from_rotation_translation(turn, Vec3::new(0.0, y, 0.0));
        Obb::from_model(&unit, &model).unwrap()
    };
    assert!(!tree.any_overlap(&cube(1.0, 3.0)));
    assert!(tree.any_overlap(&cube(1.0, 2.0)));
    assert!(tree.any_overlap(&cube(10.0, 0.0)));
    assert!(!tree.any_overlap(&cube(0.5, 0.0)));
    let fine = Bvh::build(&Shape::sphere(1.0, 200, 200, false).mesh());
    let distance = fine.distance([0.0; 3]).unwrap();
    assert!((0.999..=1.0).contains(&distance), "{distance}");
    // A vertex: this sphere has its pole at z.
    assert_eq!(fine.distance([0.0, 0.0, 1.0]), Some(0.0));
    let mut rng = Rng::new(35);
    for _ in 0..100 {
        let point = Vec3::from(rng.vec(-2.0, 2.0));
        let (found, want) = (fine.distance(point).unwrap(), (point.length() - 1.0).abs());
        assert!((found - want).abs() < 1e-3, "{point}: {found}");
    }
}

#[test]
fn refitted_trees_and_masks_and_pointers_answer_alike() {
    let (moved, tree, hidden) = refitted();
    let cases = regions(&moved, 4, 60);
    check_regions_against(&tree, &brute(&moved), &cases);
    let engines: [Box<dyn RegionEngine<Primitive = Triangle>>; 3] = [
        Box::new(tree.clone()),
        Box::new(Arc::new(hidden)),
        Box::new(brute(&moved)),
    ];
    for engine in &engines {
        assert_eq!(engine.triangle_count(), moved.triangle_count());
        check_regions_against(&&**engine, &tree, &cases[..20]);
        assert_eq!(pairs(&**engine), []);
    }
    let none = Bvh::build(&Mesh::default());
    assert!(none.overlaps(&moved.bounds()).is_empty() && pairs(&none).is_empty());
}

/// A second sphere through the first, moved by a power of two, with the same pairs as two meshes.
#[test]
fn two_meshes_intersect_as_their_union_does() {
    let one = Shape::sphere(1.0, 30, 20, false);
    let other = Shape::sphere(1.0, 30, 20, false).moved([0.5, 0.25, 0.125]);
    let count = one.mesh().triangle_count() as u32;
    let union = Bvh::build(&one.clone().with(&other).mesh());
    let (one, other) = (Bvh::build(&one.mesh()), Bvh::build(&other.mesh()));
    let mut found = Vec::new();
    let _ = one.intersections(&other, &mut |pair| {
        found.push((pair.first.get(), pair.second.get() + count, pair.kind));
        ControlFlow::<()>::Continue(())
    });
    let of_union = pairs(&union).into_iter();
    let of_union = of_union.map(|pair| (pair.first.get(), pair.second.get(), pair.kind));
    assert!(of_union.eq(found.iter().copied()));
    assert!(found.len() > 50);
    let is_crossing = |pair: &(_, _, _)| pair.2 == IntersectionKind::Crossing;
    assert!(found.iter().any(is_crossing));
    // Every pair overlaps as a region, too.
    let triangle = |i: u32| -> Triangle {
        let prim = estoc_core::PrimId::new(i).unwrap();
        union.triangle(prim).unwrap()
    };
    for (first, second, _) in found {
        let overlapping = union.overlaps(&triangle(first));
        assert!(overlapping.iter().any(|prim| prim.get() == second));
    }
}
