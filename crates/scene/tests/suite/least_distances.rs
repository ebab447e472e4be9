//! Least distances between placed meshes, compared with the independent oracle.

use crate::common::{bvh_of, effort, placed, scene_of, world_of};
use estoc_bvh::Bvh;
use estoc_core::glam::{DAffine3, DQuat, DVec3};
use estoc_core::{
    LeastDistance, NearestPair, PairQuery, PlacedTriangle, PlacementMatrix, PrimId, ScenePath,
    Triangle,
};
use estoc_demo::DemoSpec;
use estoc_scene::SceneSnapshot;
use estoc_testkit::conformance::check_placed_distances;
use estoc_testkit::generate::Rng;
use std::sync::Arc;

#[test]
fn least_distances_of_placed_meshes_equal_the_oracle() {
    let (effort, least) = effort([300, 40, 4_000], [6, 8, 100]);
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

/// Returns the nearest of all pairs of placed triangles, by their exact distances.
fn of_all_pairs([a, b]: [(&Bvh, &DAffine3); 2], max_distance: f32) -> Option<LeastDistance<DVec3>> {
    let placed = |(bvh, map): (&Bvh, &DAffine3)| -> Vec<PlacedTriangle> {
        let matrix = PlacementMatrix::try_new(map).expect("an inverse");
        let ids = (0..bvh.triangle_count()).filter_map(PrimId::from_index);
        ids.map(|prim| PlacedTriangle::new(bvh.triangle(prim).expect("an id"), matrix))
            .collect()
    };
    let (own, others) = (placed(a), placed(b));
    let mut nearest = NearestPair::within(max_distance)?;
    let ids = || (0..).map_while(PrimId::from_index);
    for (first, a) in ids().zip(&own) {
        for (second, b) in ids().zip(&others) {
            nearest.offer([first, second], [a, b], None);
        }
    }
    nearest.answer()
}

fn of_trees(
    [a, b]: [(&Arc<Bvh>, &DAffine3); 2],
    max_distance: f32,
) -> Option<LeastDistance<DVec3>> {
    let world = world_of([a, b].map(|(bvh, map)| placed(bvh.clone(), map)));
    let [a, b] = [0, 1].map(|number| {
        let path = ScenePath::try_new(&[number]).expect("a path");
        world.placed_mesh(path).expect("a mesh")
    });
    a.least_distance_within(&b, max_distance)
}

/// Turned, sheared, mirrored and moved, of trees of several levels.
#[test]
fn larger_meshes_placed_differently_equal_all_pairs() {
    let mesh = |spec: &str| {
        let mesh = spec.parse::<DemoSpec>().expect("a mesh").mesh();
        Arc::new(bvh_of(&mesh.triangles().collect::<Vec<_>>()))
    };
    let meshes = [mesh("sphere?n=60"), mesh("solids?n=100")];
    let mut rng = Rng::named(49, "least distances");
    // At the last sizes, squares are not normal numbers, and all is decided exactly.
    let sizes = [1.0; 8].into_iter().chain([1e-80, 1e80, 1e-160, 1e160]);
    for (round, size) in sizes.enumerate() {
        let mut map = || {
            let mut number = |size: f64| f64::from(rng.signed()) * size;
            let turn = DQuat::from_euler(Default::default(), number(3.0), number(3.0), number(3.0));
            let scale = DVec3::new(1.0 + number(0.9), number(2.0), number(2.0));
            let by = DVec3::new(number(4.0), number(4.0), number(4.0));
            let mut map = DAffine3::from_scale_rotation_translation(scale, turn, by);
            map.matrix3.x_axis.y += number(0.5);
            DAffine3::from_scale(DVec3::splat(size)) * map
        };
        let maps = [map(), map()];
        let [a, b] = [0, 1].map(|side| (&meshes[side], &maps[side]));
        let all = [a, b].map(|(bvh, map)| (&**bvh, map));
        let expected = of_all_pairs(all, f32::INFINITY);
        assert!(expected.is_some(), "{round}");
        assert_eq!(
            of_trees([a, b], f32::INFINITY),
            expected,
            "{round} {maps:?}"
        );
        let distance = expected.expect("they have area").distance;
        let near = [distance.next_down(), distance.next_up()];
        for most in near.into_iter().filter(|_| size == 1.0) {
            assert_eq!(
                of_trees([a, b], most),
                of_all_pairs(all, most),
                "{round} {most}"
            );
        }
    }
}

/// Where squares of squares overflow, and where the middles of both boxes are nearly the same point.
#[test]
fn no_number_is_too_large_or_too_small() {
    let triangle = |corners: [[f32; 3]; 3]| Triangle::new(corners[0], corners[1], corners[2]);
    let mesh = |triangles: &[Triangle]| Arc::new(bvh_of(triangles));
    let unit = mesh(&[triangle([[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])]);
    let large = DAffine3::from_scale(DVec3::splat(1e80));
    let beside = DAffine3::from_translation(DVec3::new(0.0, 0.0, 3e80)) * large;
    let found = of_trees([(&unit, &large), (&unit, &beside)], f32::INFINITY);
    assert_eq!(found.map(|found| found.distance), Some(f32::INFINITY));
    let box_like = mesh(&[
        triangle([[-1.3, -3.0, -2.35], [-1.3, 3.0, -2.35], [-1.3, 0.0, 2.35]]),
        triangle([[-1.3, -1.0, 2.35], [1.3, -1.0, 2.35], [0.0, 1.0, 2.35]]),
    ]);
    let inside = mesh(&[triangle([
        [0.0, -1.0, -1.0],
        [0.0, 1.0, -1.0],
        [0.0, 0.0, 1.0],
    ])]);
    let hardly = DAffine3::from_translation(DVec3::new(1.2 * 2f64.powi(-537), 0.0, 0.0));
    let found = of_trees([(&box_like, &DAffine3::IDENTITY), (&inside, &hardly)], 1.34);
    assert_eq!(found.map(|found| found.distance), Some(1.3));
    // A foot whose weights have an infinite sum.
    let leg = DAffine3::from_scale(DVec3::splat(1.3e77));
    let above = DAffine3::from_translation(DVec3::new(0.4e77, 0.4e77, 0.1e77));
    let pair = [(&unit, &leg), (&unit, &above)];
    let expected = of_all_pairs(pair.map(|(bvh, map)| (&**bvh, map)), f32::INFINITY);
    assert_eq!(of_trees(pair, f32::INFINITY), expected);
}
