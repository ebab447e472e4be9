//! What cannot be placed, and objects with nothing in them.

use crate::common::{bvh_of, here, placed, square, world_of};
use estoc_core::glam::{DAffine3, DVec3};
use estoc_core::{
    Closest, Engine, QueryError, QueryOptions, Ray, Ray64, RayQuery, ScenePath, ScenePrim, Triangle,
};
use estoc_scene::{MatrixError, Placement, PlacementMatrix, Scene, SceneError, SceneObject};
use estoc_testkit::conformance::Effort;

fn scaled(scale: f64) -> DAffine3 {
    DAffine3::from_scale(DVec3::splat(scale))
}

#[test]
fn matrices_that_place_nothing_are_refused() {
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        for place in 0..12 {
            let mut numbers = DAffine3::IDENTITY.to_cols_array();
            numbers[place] = bad;
            let map = DAffine3::from_cols_array(&numbers);
            let told = Placement::try_new(square(), &map).unwrap_err().to_string();
            let (row, column) = (place % 3, place / 3);
            let expected = format!("row {row}, column {column} (from 0) is {bad}");
            assert!(told.contains(&expected), "{told}");
        }
    }
    let flat = DAffine3::from_scale(DVec3::new(1.0, 1.0, 0.0));
    let flat = Placement::try_new(square(), &flat);
    assert_eq!(flat.unwrap_err(), MatrixError::Singular);
}

#[test]
fn matrices_that_cannot_be_composed_are_refused() {
    for (scale, is_singular) in [(1e200, false), (1e-200, true)] {
        let inner = world_of([here(square()), placed(square(), &scaled(scale))]);
        let mut scene = Scene::new();
        let wrong = placed(inner.clone(), &scaled(scale));
        match scene.add(wrong.clone()).unwrap_err() {
            SceneError::Composed { path, error } => {
                assert_eq!(path.numbers(), [1]);
                assert_eq!(error == MatrixError::Singular, is_singular, "{error}");
            }
            other => panic!("{other}"),
        }
        assert!(scene.is_empty());
        // The inverse scale is fine, and moving to what is wrong changes nothing.
        let id = scene.add(placed(inner, &scaled(1.0 / scale))).unwrap();
        let before = *scene.placement(id).unwrap().matrix();
        scene.set_matrix(id, *wrong.matrix()).unwrap_err();
        assert_eq!(*scene.placement(id).unwrap().matrix(), before);
        let ray = Ray::new([0.25, 0.5, 1.0], [0.0, 0.0, -1.0]);
        // The other square is tiny, or in the same plane.
        let hit = scene.commit().closest_hit(&ray).unwrap();
        assert_eq!(hit.path.numbers(), [0, u32::from(!is_singular)]);
    }
}

#[test]
fn paths_have_a_greatest_depth() {
    let mut object: SceneObject = square().into();
    for depth in 1..=ScenePath::MAX_DEPTH {
        let snapshot = world_of([placed(object, &scaled(2.0))]);
        assert_eq!(snapshot.depth(), depth);
        let ray = Ray::new([0.25, 0.5, 1.0], [0.0, 0.0, -1.0]);
        let hit = snapshot.closest_hit(&ray).unwrap();
        assert_eq!(hit.path.numbers().len(), depth);
        object = snapshot.into();
    }
    let error = Scene::new().add(here(object)).unwrap_err();
    let depth = ScenePath::MAX_DEPTH;
    assert_eq!(error, SceneError::TooDeep { depth });
    assert!(ScenePath::try_new(&[0; 64]).is_err());
}

#[test]
fn ids_of_other_scenes_and_removed_ones_are_refused() {
    let (mut scene, mut other) = (Scene::new(), Scene::new());
    let placement = here(square());
    let id = scene.add(placement.clone()).unwrap();
    let foreign = other.add(placement.clone()).unwrap();
    assert_eq!(id.number(), foreign.number());
    let refused = |number| SceneError::NoSuchPlacement { number };
    assert_eq!(scene.remove(foreign).unwrap_err(), refused(0));
    scene.remove(id).unwrap();
    let again = scene.add(placement).unwrap();
    assert_eq!(again.number(), 0);
    assert_eq!(scene.remove(id).unwrap_err(), refused(0));
    assert!(scene.remove(again).is_ok() && scene.is_empty());
}

#[test]
fn empty_objects_are_hit_by_nothing() {
    let ray = Ray::new([0.25, 0.5, 1.0], [0.0, 0.0, -1.0]);
    let nothing = Scene::new().commit();
    assert_eq!(nothing.closest_hit(&ray), None);
    assert_eq!(nothing.contains([0.0; 3]), Some(false));
    let mut scene = Scene::new();
    let empty = std::sync::Arc::new(bvh_of(&[]));
    let count = if Effort::is_long() { 1_000_000 } else { 1000 };
    for _ in 0..count {
        scene.add(placed(empty.clone(), &scaled(3.0))).unwrap();
    }
    scene.add(placed(nothing, &scaled(3.0))).unwrap();
    let id = scene.add(placed(square(), &scaled(3.0))).unwrap();
    let snapshot = scene.commit();
    assert_eq!(snapshot.placement_count(), count + 2);
    assert_eq!(snapshot.triangle_count(), 2);
    let hit = snapshot.closest_hit(&ray).unwrap();
    assert_eq!(hit.path.numbers(), [id.number()]);
    assert_eq!(snapshot.count_hits(&ray), 1);
    // Ids that lead nowhere: into a mesh and into the empty scene, too.
    let scene = count as u32;
    for numbers in [&[][..], &[scene + 5], &[0, 0], &[scene], &[scene, 0]] {
        let path = ScenePath::try_new(numbers).unwrap();
        let id = ScenePrim::triangle(path, hit.prim);
        assert!(snapshot.primitive(id).is_none() && snapshot.matrix(path).is_none());
        let after = QueryOptions::default().after(Some(id));
        let error = snapshot.ask_with(Closest, &ray, &after).unwrap_err();
        assert!(matches!(error, QueryError::NoSuchPrim { .. }), "{error}");
    }
}

/// The limits of what matrices may be.
#[test]
fn extreme_matrices_are_answered() {
    let tiny = f64::from_bits(1);
    for scale in [tiny, 1e-300, 1e-100, 1e100, 1e300] {
        let scene = world_of([placed(square(), &scaled(scale))]);
        let at_corner = Ray::new([0.0; 3], [1.0, 1.0, -1.0]).with_interval(-1.0, 1.0);
        assert_eq!(scene.closest_hit(&at_corner).unwrap().t, 0.0);
        assert_eq!(scene.count_hits(&at_corner), 2);
        let beside = Ray::new([1.0, 0.5, 1.0], [0.0, 0.0, -1.0]);
        assert_eq!(scene.any_hit(&beside), scale > 1.0, "{scale}");
    }
    let moved = DAffine3::from_translation(DVec3::new(1e300, 0.0, 0.0));
    let scene = world_of([placed(square(), &moved)]);
    assert!(!scene.any_hit(&Ray::new([0.25, 0.5, 1.0], [0.0, 0.0, -1.0])));
    assert!(!scene.any_hit(&Ray::new([0.0, 0.5, 0.0], [1.0, 0.0, 0.0])));
    let singular = PlacementMatrix::from_rows([[0.0; 4]; 3]);
    assert_eq!(singular, Err(MatrixError::Singular));
}

/// Differences of coordinates that overflow must not lose what is there, and matrices whose product is
/// too small to be represented are refused.
#[test]
fn the_ends_of_the_range_of_numbers_are_no_exception() {
    let sheet = || {
        let triangle = Triangle::new([0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]);
        std::sync::Arc::new(bvh_of(&[triangle]))
    };
    let far = |x: f64| {
        placed(
            sheet(),
            &DAffine3::from_translation(DVec3::new(x, 0.0, 0.0)),
        )
    };
    let world = world_of([1e308, 1.5e308].map(far));
    for (from, dir, first) in [
        (-1e308, 1e300, 0),
        (1.7e308, -1e300, 1),
        (-1.7e308, 1e308, 0),
    ] {
        let ray = Ray64::new([from, 0.25, 0.25], [dir, 0.0, 0.0]);
        let hit = world.closest_hit(&ray).expect("it hits both");
        assert_eq!(hit.path.numbers(), [first], "{ray:?}");
        assert_eq!(world.count_hits(&ray), 2);
        let ray = ray.with_interval(0.0, 1e10);
        assert_eq!(world.closest_hit(&ray), Some(hit));
        assert!(!world.any_hit(&Ray64::new([from, 0.25, 0.25], [-dir, 0.0, 0.0])));
    }

    let inner = world_of([placed(sheet(), &scaled(1.25 * 2f64.powi(-537)))]);
    let refused = Scene::new().add(placed(inner, &scaled(1.5 * 2f64.powi(-537))));
    let is_underflow = matches!(refused, Err(SceneError::Underflow { .. }));
    assert!(is_underflow, "{refused:?}");
}
