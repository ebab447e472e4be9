//! Scenes of many placements of which few move, or all a little: the tree is refitted.

use crate::common::{bits, square};
use estoc_core::glam::{DAffine3, DQuat, DVec3, Vec3};
use estoc_core::{PlacementMatrix, Ray, RayQuery};
use estoc_scene::{Placement, Scene};
use estoc_testkit::generate::Rng;

/// Where a placement may be: mostly in a block, sometimes far out.
fn place(rng: &mut Rng) -> PlacementMatrix {
    let far = match rng.below(12) {
        0 => 1e3,
        1 => 1e9,
        _ => 1.0,
    };
    let at = rng.point().as_dvec3() * 20.0 * far;
    let turn = DQuat::from_rotation_x(f64::from(rng.signed()) * 3.0);
    let scale = DVec3::splat(1.0 + f64::from(rng.signed()) * 0.5);
    let map = DAffine3::from_scale_rotation_translation(scale, turn, at);
    PlacementMatrix::try_new(&map).expect("it has an inverse")
}

/// The same, a little aside.
fn nudged(matrix: &PlacementMatrix, rng: &mut Rng) -> PlacementMatrix {
    let mut map = matrix.to_affine();
    map.translation += rng.point().as_dvec3() * 0.5;
    PlacementMatrix::try_new(&map).expect("it has an inverse")
}

/// After each commit, rays find what they find in a scene that is made anew, whether the snapshot before
/// was dropped or is held.
#[test]
fn moves_of_few_or_all_placements_are_found() {
    let mut rng = Rng::new(11);
    let mut scene = Scene::new();
    let add = |scene: &mut Scene, matrix| {
        let placement = Placement::with_matrix(square(), matrix);
        scene.add(placement).expect("a number is free")
    };
    let ids: Vec<_> = (0..120).map(|_| add(&mut scene, place(&mut rng))).collect();
    let mut held = Vec::new();
    let mut hits = 0;
    for step in 0..60 {
        let mut moved = Vec::new();
        // Now and then the same twice, or all.
        let moving: Vec<_> = match step % 10 {
            4 | 9 => ids.clone(),
            _ => (0..1 + step % 5).map(|_| rng.pick(&ids)).collect(),
        };
        for id in moving {
            let matrix = match step % 10 {
                9 => nudged(scene.placement(id).unwrap().matrix(), &mut rng),
                _ => place(&mut rng),
            };
            scene.set_matrix(id, matrix).unwrap();
            moved.push(matrix);
        }
        let world = scene.commit();
        let mut fresh = Scene::new();
        for id in scene.ids() {
            add(&mut fresh, *scene.placement(id).unwrap().matrix());
        }
        let fresh = fresh.commit();
        for matrix in &moved {
            // Through what has moved, and past it.
            let middle = matrix
                .to_affine()
                .transform_point3(DVec3::new(0.5, 0.5, 0.0))
                .as_vec3();
            for _ in 0..6 {
                let way: Vec3 = rng.point();
                let ray = Ray::new(middle - way * 3.0, way + rng.point() * 0.05);
                let found: Vec<_> = world.all_hits(&ray).iter().map(bits).collect();
                let expected: Vec<_> = fresh.all_hits(&ray).iter().map(bits).collect();
                assert_eq!(found, expected, "step {step}, {ray:?}");
                let first = world.closest_hit(&ray);
                assert_eq!(first.as_ref().map(bits), expected.first().copied());
                hits += usize::from(!expected.is_empty());
            }
        }
        if step % 3 == 0 {
            let ray = Ray::new([0.0, -60.0, 0.1], [0.01, 1.0, 0.02]);
            held.push((world.clone(), ray, world.all_hits(&ray)));
        }
        if step % 7 == 0 {
            held.pop();
        }
    }
    assert!(hits > 300, "{hits}");
    for (world, ray, hits) in held {
        assert_eq!(world.all_hits(&ray), hits);
    }
}
