//! Least distances between placed meshes, compared with the independent oracle.

use crate::common::{bvh_of, effort, placed, scene_of, world_of};
use estoc_core::glam::{DAffine3, DVec3};
use estoc_core::{PairQuery, ScenePath};
use estoc_demo::DemoSpec;
use estoc_scene::SceneSnapshot;
use estoc_testkit::conformance::check_placed_distances;
use std::sync::Arc;

#[test]
fn least_distances_of_placed_meshes_equal_the_oracle() {
    let (effort, least) = effort([60, 40, 10_000], [2, 4, 60]);
    let distance = |scene: &Arc<SceneSnapshot>, paths: [ScenePath; 2]| {
        let [a, b] = paths.map(|path| scene.placed_mesh(path).expect("a mesh"));
        a.least_distance(&b)
    };
    let report = check_placed_distances(scene_of, distance, &effort);
    eprintln!("least distances of placed meshes: {report}");
    assert!(report.regions >= least, "{report}");
    assert!(report.regions_that_overlap < report.regions, "{report}");
}

/// Placed by the identity and by exact translations, meshes are as far apart as the same corners as given.
#[test]
fn placed_meshes_are_as_far_apart_as_their_corners() {
    let mesh = "solids?n=2000".parse::<DemoSpec>().expect("a mesh").mesh();
    let other = "sphere?n=2000".parse::<DemoSpec>().expect("a mesh").mesh();
    let [bvh, sphere] =
        [&mesh, &other].map(|mesh| Arc::new(bvh_of(&mesh.triangles().collect::<Vec<_>>())));
    let expected = bvh.least_distance(&sphere).expect("they have area");
    for by in [DVec3::ZERO, DVec3::new(1e9, -3.0, 2f64.powi(-30))] {
        let map = DAffine3::from_translation(by);
        let world = world_of([placed(bvh.clone(), &map), placed(sphere.clone(), &map)]);
        let [a, b] = [0, 1].map(|number| {
            let path = ScenePath::try_new(&[number]).expect("a path");
            world.placed_mesh(path).expect("a mesh")
        });
        let found = a.least_distance(&b).expect("they have area");
        assert_eq!(found.distance, expected.distance, "{by}");
        assert_eq!(
            (found.prims, found.features),
            (expected.prims, expected.features)
        );
    }
    let world = world_of([placed(bvh, &DAffine3::IDENTITY)]);
    assert!(world.placed_mesh(ScenePath::ROOT).is_none());
}
