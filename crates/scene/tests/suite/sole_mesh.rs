//! Scenes of one mesh that is placed where it is.

use crate::common::{bits, bvh_of, here};
use estoc_bvh::Bvh;
use estoc_core::glam::DAffine3;
use estoc_core::{Any, Closest, PlacementMatrix, QueryOptions, RayQuery, SceneHit, ShapeEnd};
use estoc_scene::Scene;
use estoc_testkit::generate::{self, Rng};
use std::sync::Arc;

/// They have a shorter way to the first hit; it must be the same as that of all hits, and as the mesh's
/// own, also after the mesh has moved and come back, and if rays are hidden.
#[test]
fn they_answer_as_the_mesh_alone() {
    let soup = generate::scene("grid soup", 5).expect("a name");
    let mesh: Arc<Bvh> = Arc::new(bvh_of(&soup.triangles));
    let mut scene = Scene::new();
    let other = scene.add(here(mesh.clone()));
    let id = scene.add(here(mesh.clone()));
    let id = id.unwrap();
    scene.remove(other.unwrap()).unwrap();
    let alone = scene.commit();
    let far = PlacementMatrix::try_new(&DAffine3::from_scale([2.0; 3].into())).unwrap();
    scene.set_matrix(id, far).unwrap();
    let moved = scene.commit();
    scene.set_matrix(id, PlacementMatrix::IDENTITY).unwrap();
    let back = scene.commit();
    let hidden = here(mesh.clone()).mask(2);
    scene.replace(id, hidden).unwrap();
    let hidden = scene.commit();

    let numbers = |t: f32, u: f32, v: f32| [t, u, v].map(f32::to_bits);
    let (mut hits, mut differ) = (0, 0);
    for ray in generate::rays(&soup, &mut Rng::new(9), 400) {
        let all = mesh.all_hits(&ray);
        let expected = { all.iter() }.map(|hit| (1, hit.prim, numbers(hit.t, hit.u, hit.v)));
        let expected: Vec<_> = expected.collect();
        let told = |hit: &SceneHit| (hit.path.numbers()[0], hit.prim, bits(hit).1);
        for scene in [&alone, &back] {
            let found = scene.all_hits(&ray);
            assert_eq!(found.iter().map(told).collect::<Vec<_>>(), expected);
            let closest = scene.closest_hit(&ray);
            assert_eq!(closest.as_ref().map(told), expected.first().copied());
            assert_eq!(scene.any_hit(&ray), !expected.is_empty());
            if let [first, rest @ ..] = &*found {
                let skip = QueryOptions::default().skip(Some(first.id()));
                let next = scene.ask_with(Closest, &ray, &skip).unwrap();
                assert_eq!(next, rest.first().copied());
                assert_eq!(scene.ask_with(Any, &ray, &skip), Ok(!rest.is_empty()));
                // The end of a shape is no triangle.
                let mut end = first.id();
                end.end = Some(ShapeEnd::Entry);
                let skip = QueryOptions::default().skip(Some(end));
                assert_eq!(scene.ask_with(Closest, &ray, &skip), Ok(Some(*first)));
                assert_eq!(scene.ask_with(Any, &ray, &skip), Ok(true));
            }
        }
        hits += usize::from(!all.is_empty());
        differ += usize::from(moved.closest_hit(&ray) != alone.closest_hit(&ray));
        let only = QueryOptions::default().mask(1);
        assert_eq!(hidden.ask_with(Closest, &ray, &only), Ok(None));
        assert_eq!(hidden.any_hit(&ray), !all.is_empty());
    }
    assert!(hits > 100 && differ > 50, "{hits} {differ}");
}
