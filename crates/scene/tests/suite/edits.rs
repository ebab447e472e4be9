//! Scenes that are changed.

use crate::common::{bits, bvh_of, placed, square};
use estoc_bvh::Bvh;
use estoc_core::glam::{DAffine3, DVec3};
use estoc_core::{Ray, RayQuery, Shape, Sphere, Triangle};
use estoc_scene::{
    Placement, PlacementId, PlacementMatrix, Scene, SceneError, SceneObject, SceneSnapshot,
    ShapeList,
};
use estoc_testkit::generate::Rng;
use std::sync::Arc;

fn matrix(rng: &mut Rng) -> PlacementMatrix {
    let scale = DVec3::new(f64::from(rng.signed()) + 1.5, 1.0, -1.0);
    let moved = rng.point().as_dvec3() * 4.0;
    let turn = estoc_core::glam::DQuat::from_rotation_y(f64::from(rng.signed()) * 3.0);
    let affine = DAffine3::from_scale_rotation_translation(scale, turn, moved);
    PlacementMatrix::try_new(&affine).expect("it has an inverse")
}

/// By ray, the bits of each hit and the number of its placement.
type Answers = Vec<Vec<([u32; 3], u64)>>;

fn answers(scene: &SceneSnapshot) -> Answers {
    let mut rng = Rng::new(99);
    let rays = (0..40).map(|_| {
        let (from, to) = (rng.point() * 5.0, rng.point() * 3.0);
        Ray::new(from, to - from)
    });
    let answers = rays.map(|ray| {
        let hits = scene.all_hits(&ray);
        let first = scene.closest_hit(&ray);
        assert_eq!(first.as_ref().map(bits), hits.first().map(bits), "{ray:?}");
        assert_eq!(scene.any_hit(&ray), first.is_some(), "{ray:?}");
        let hits = hits.iter().map(|hit| {
            let placements = scene.placements_on(hit.path).expect("a path of the scene");
            (bits(hit).1, placements[0].get_user_id())
        });
        hits.collect()
    });
    answers.collect()
}

/// After any changes, a scene answers as one that is made anew from what is left, and snapshots made
/// before answer as before.
#[test]
fn changed_scenes_answer_as_fresh_ones() {
    let mut rng = Rng::new(3);
    let triangle = Triangle::new([-1.0, 0.0, 0.5], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]);
    let [one, none] = [&[triangle][..], &[]].map(|triangles| Arc::new(bvh_of(triangles)));
    let meshes: [Arc<Bvh>; 3] = [square(), one, none];
    let mut scene = Scene::new();
    let mut ids: Vec<PlacementId> = Vec::new();
    let mut kept: Vec<(Arc<SceneSnapshot>, Answers)> = Vec::new();
    let (mut hits, mut user_id, mut replaced) = (0, 0, Vec::new());
    for step in 0..300 {
        match rng.below(4) {
            0 | 1 if ids.len() < 30 => {
                user_id += 1;
                let mesh = meshes[rng.below(3)].clone();
                let placement = Placement::with_matrix(mesh, matrix(&mut rng)).user_id(user_id);
                ids.push(scene.add(placement).unwrap());
            }
            2 if !ids.is_empty() => {
                let id = ids.swap_remove(rng.below(ids.len()));
                scene.remove(id).unwrap();
                let number = id.number();
                let gone = SceneError::NoSuchPlacement { number };
                assert_eq!(scene.remove(id).unwrap_err(), gone);
                let moved = scene.set_matrix(id, PlacementMatrix::IDENTITY);
                assert_eq!(moved.unwrap_err(), gone);
                assert_eq!(scene.placement(id).unwrap_err(), gone);
            }
            _ if !ids.is_empty() => {
                let id = ids[rng.below(ids.len())];
                scene.set_matrix(id, matrix(&mut rng)).unwrap();
                // Now and then by what has no kernels, or is hidden; later back.
                user_id += 1;
                let by = |object: SceneObject, rng: &mut Rng| {
                    Placement::with_matrix(object, matrix(rng)).user_id(user_id)
                };
                let back = replaced.pop().filter(|id| ids.contains(id));
                if let Some(id) = back {
                    let mesh = by(meshes[0].clone().into(), &mut rng);
                    scene.replace(id, mesh).unwrap();
                } else if rng.one_in(8) {
                    let sphere = Sphere::try_new([0.0; 3], 0.5).expect("a radius");
                    let list = ShapeList::try_new([Shape::from(sphere)]).expect("few shapes");
                    let other = match rng.one_in(2) {
                        true => by(list.into(), &mut rng),
                        false => by(meshes[0].clone().into(), &mut rng).mask(0),
                    };
                    scene.replace(id, other).unwrap();
                    replaced.push(id);
                }
            }
            _ => {}
        }
        assert_eq!(scene.len(), ids.len());
        if step % 20 == 0 {
            let snapshot = scene.commit();
            let mut fresh = Scene::new();
            for id in scene.ids() {
                fresh.add(scene.placement(id).unwrap().clone()).unwrap();
            }
            let found = answers(&snapshot);
            assert_eq!(found, answers(&fresh.commit()));
            hits += found.iter().flatten().count();
            kept.push((snapshot, found));
        }
    }
    assert!(hits > 50, "{hits}");
    for (snapshot, before) in &kept {
        assert_eq!(&answers(snapshot), before);
    }
}

#[test]
fn snapshots_are_read_while_another_is_committed() {
    let mut scene = Scene::new();
    let at = |z: f64| DAffine3::from_translation(DVec3::new(0.0, 0.0, z));
    let id = scene.add(placed(square(), &at(1.0))).unwrap();
    let first = scene.commit();
    let ray = Ray::new([0.25, 0.5, 0.0], [0.0, 0.0, 1.0]);
    std::thread::scope(|scope| {
        let is_first = || first.closest_hit(&ray).is_some_and(|hit| hit.t == 1.0);
        let reader = scope.spawn(move || (0..500).all(|_| is_first()));
        for step in 2..50 {
            let matrix = PlacementMatrix::try_new(&at(f64::from(step))).unwrap();
            scene.set_matrix(id, matrix).unwrap();
            assert_eq!(scene.commit().closest_hit(&ray).unwrap().t, step as f32);
        }
        assert!(reader.join().unwrap());
    });
}
