//! Points at scenes compared with the independent oracle, and with the same triangles as one mesh.
//! `ESTOC_LONG=1` asks about many more.

use crate::common::{
    bvh_of, each, effort, exact_scenes, flattened, flattened_case, here, placed, scene_of, square,
    world_of,
};
use estoc_batch::Batch;
use estoc_bvh::Layout;
use estoc_core::glam::{DAffine3, DVec3, Vec3};
use estoc_core::{
    AnyWithin, ClosestK, ClosestPoint, ClosestPointWithin, Contains, Distance, PointQuery,
    RayQuery, SceneClosestPoint, ScenePrim, Within,
};
use estoc_scene::SceneSnapshot;
use estoc_testkit::conformance::{Effort, check_placed_points};
use estoc_testkit::generate::{self, Rng};
use std::sync::Arc;

#[test]
fn points_at_scenes_equal_the_oracle() {
    let (effort, least) = effort([250, 60, 150_000], [2, 6, 150]);
    let report = check_placed_points(scene_of, &effort);
    eprintln!("points at scenes: {report}");
    assert!(report.points >= least, "{report}");
    assert!(report.points_with_ties * 8 > report.points, "{report}");
    let mut features = report.features.iter();
    assert!(
        features.all(|&count| count * 10 > report.points),
        "{report}"
    );
}

/// The numbers that a mesh's answer has too; they are equal only with the same bits.
type Bits = (ScenePrim, estoc_core::Feature, [u32; 3]);

fn bits(found: &SceneClosestPoint) -> Bits {
    let numbers = [found.distance, found.u, found.v].map(f32::to_bits);
    (found.id(), found.feature, numbers)
}

/// Scenes whose corners are all `f32`s in the world answer as one mesh of all their triangles, and
/// batches as single calls.
#[test]
fn flattened_scenes_have_the_same_bits() {
    let (seeds, points) = if Effort::is_long() {
        (300, 300)
    } else {
        (2, 20)
    };
    let (mut found_any, mut ties) = (0, 0);
    for (index, scene) in exact_scenes(seeds).enumerate() {
        let (flat, ids) = flattened(&scene, Layout::Fast);
        let mesh = flattened_case(&flat, index);
        let as_scene = |found: &ClosestPoint| {
            let numbers = [found.distance, found.u, found.v].map(f32::to_bits);
            (ids[found.prim.index()], found.feature, numbers)
        };
        let mut rng = Rng::named(index as u64, "points");
        let points = generate::near_points(&mesh, &mut rng, points);
        for &point in &points {
            let what = || format!("scene {index}, {point:?}");
            let expected = flat.closest_point(point);
            let found = scene.closest_point(point);
            let [of_mesh, of_scene] = [expected.as_ref().map(as_scene), found.as_ref().map(bits)];
            assert_eq!(of_scene, of_mesh, "{}", what());
            assert_eq!(scene.distance(point), flat.distance(point), "{}", what());
            let expected_two = flat.closest_points(point, 2);
            let two = scene.closest_points(point, 2);
            let list = |found: &[ClosestPoint]| found.iter().map(as_scene).collect::<Vec<_>>();
            let of_scene: Vec<_> = two.iter().map(bits).collect();
            assert_eq!(of_scene, list(&expected_two), "{}", what());
            ties += usize::from(two.len() == 2 && two[0].distance == two[1].distance);
            let Some((found, expected)) = found.zip(expected) else {
                continue;
            };
            found_any += 1;
            let narrow = expected.point.to_array();
            for (wide, narrow) in found.point.to_array().into_iter().zip(narrow) {
                // Rounded twice, it may be a step away.
                let rounded = wide as f32;
                let is_next = [narrow, narrow.next_up(), narrow.next_down()].contains(&rounded);
                assert!(is_next, "{wide} {narrow} {}", what());
            }
            for radius in [found.distance, found.distance.next_down()] {
                let within = flat.within(point, radius).into_iter();
                let within: Vec<_> = within.map(|prim| ids[prim.index()]).collect();
                assert_eq!(scene.within(point, radius), within, "{}", what());
                let any_within = flat.any_within(point, radius);
                assert_eq!(scene.any_within(point, radius), any_within);
            }
        }
        check_batches(&scene, &points);
    }
    assert!(found_any > 100 && ties > 20, "{found_any} {ties}");
}

fn check_batches(scene: &SceneSnapshot, points: &[Vec3]) {
    let points: Vec<DVec3> = points.iter().map(|point| point.as_dvec3()).collect();
    let size = points.len();
    for (threads, chunk) in [(1, size), (2, 3)] {
        let batch = Batch::new().threads(threads).chunk_size(chunk);
        let closest = batch.ask(scene, ClosestPointWithin::default(), &points);
        assert_eq!(closest, Ok(each(&points, |p| scene.closest_point(p))));
        let distances = batch.ask(scene, Distance, &points);
        assert_eq!(distances, Ok(each(&points, |p| scene.distance(p))));
        let any = batch.ask(scene, AnyWithin(1.0), &points);
        assert_eq!(any, Ok(each(&points, |p| scene.any_within(p, 1.0))));
        let inside = batch.ask(scene, Contains, &points);
        assert_eq!(inside, Ok(each(&points, |p| scene.contains_64(p))));
        let closest = batch.ask(scene, ClosestK(3), &points).expect("no limit");
        let within = batch.ask(scene, Within(1.0), &points).expect("no limit");
        for (place, &point) in points.iter().enumerate() {
            let three = scene.closest_points(point, 3);
            assert_eq!(closest.row(place), Some(&three[..]));
            assert_eq!(within.row(place), Some(&scene.within(point, 1.0)[..]));
        }
    }
}

/// A scene of one mesh that is where it is has a shorter way to the closest point.
#[test]
fn a_sole_mesh_answers_as_the_mesh_alone() {
    let soup = generate::scene("grid soup", 5).expect("a name");
    let mesh = Arc::new(bvh_of(&soup.triangles));
    let scene = world_of([here(mesh.clone())]);
    let mut found_any = 0;
    for point in generate::near_points(&soup, &mut Rng::new(4), 100) {
        let found = scene.closest_point(point);
        // Lists go the long way.
        let list = scene.closest_points(point, 1);
        assert_eq!(found, list.first().copied(), "{point:?}");
        let expected = mesh.closest_point(point).map(|found| found.prim);
        assert_eq!(found.map(|found| found.prim), expected);
        assert_eq!(scene.distance(point), mesh.distance(point), "{point:?}");
        if let Some(found) = found {
            let within = |radius| scene.closest_point_within(point, radius);
            assert_eq!(within(found.distance.next_up()), Some(found));
            assert_eq!(within(found.distance.next_down()), None);
            found_any += 1;
        }
        // Just beside what `f32` has.
        let beside = point.as_dvec3() * (1.0 + f64::EPSILON);
        let list = scene.closest_points(beside, 1);
        assert_eq!(scene.closest_point(beside), list.first().copied());
    }
    assert!(found_any > 50, "{found_any}");
}

/// Points pass spheres and boxes over, and the scene tells how many there are.
#[test]
fn shapes_are_left_out() {
    use estoc_core::Sphere;
    use estoc_scene::ShapeList;
    let sphere = Sphere::try_new([0.0; 3], 1.0).expect("a radius");
    let list = Arc::new(ShapeList::try_new([sphere]).expect("few shapes"));
    let only_shapes = world_of([here(list.clone())]);
    assert_eq!(only_shapes.closest_point([0.5, 0.0, 0.0]), None);
    assert!(!only_shapes.any_within([0.5, 0.0, 0.0], f32::INFINITY));
    assert_eq!(only_shapes.shape_count(), 1);
    let away = DAffine3::from_translation(DVec3::new(9.0, 0.0, 0.0));
    let both = world_of([here(list), placed(square(), &away)]);
    assert_eq!(both.distance([0.0; 3]), Some(9.0));
    assert!(both.any_hit(&estoc_core::Ray::new([-5.0, 0.0, 0.0], [1.0, 0.0, 0.0])));
}
