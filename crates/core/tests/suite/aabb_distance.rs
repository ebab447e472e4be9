//! Distance of point and box. `M40` identifies a case by its source.

use estoc_core::Aabb;

const INF: f32 = f32::INFINITY;

fn unit() -> Aabb {
    Aabb::try_new([0.0; 3], [1.0; 3]).unwrap()
}

/// M40 (pbrt Bounds3.PointDistance).
#[test]
fn cases_of_pbrt() {
    for (point, distance) in [
        ([0.5, 0.5, 0.5], 0.0),
        ([0.0, 1.0, 0.5], 0.0),
        ([6.0, 1.0, 1.0], 5.0),
        ([0.0, -10.0, 1.0], 10.0),
        ([0.5, 0.5, 3.0], 2.0),
        ([0.5, 0.5, -3.0], 3.0),
    ] {
        assert_eq!(unit().distance(point), distance, "{point:?}");
        assert_eq!(unit().distance_squared(point), distance * distance);
    }
    assert_eq!(unit().distance_squared([4.0, 8.0, -10.0]), 158.0);
    assert_eq!(unit().distance_squared([-6.0, -10.0, 8.0]), 185.0);
    let other = Aabb::try_new([-1.0, -3.0, 5.0], [2.0, -2.0, 18.0]).unwrap();
    assert_eq!(other.distance_squared([-3.0, -9.0, 22.0]), 56.0);
    assert_eq!(other.distance([-3.0, -9.0, 22.0]), 56f32.sqrt());
}

#[test]
fn the_closest_point_is_exact() {
    let closest = |point: [f32; 3]| unit().closest_point(point).unwrap().to_array();
    assert_eq!(closest([0.25, 0.5, 1.0]), [0.25, 0.5, 1.0]);
    assert_eq!(closest([-7.0, 0.1, 1e30]), [0.0, 0.1, 1.0]);
    assert_eq!(closest([INF, -INF, 0.5]), [1.0, 0.0, 0.5]);
    assert_eq!(Aabb::EMPTY.closest_point([0.0; 3]), None);
    assert_eq!(unit().closest_point([0.5, f32::NAN, 0.5]), None);
}

#[test]
fn what_has_no_distance() {
    assert_eq!(Aabb::EMPTY.distance([0.0; 3]), INF);
    assert_eq!(Aabb::EMPTY.distance_squared([0.0; 3]), INF);
    for point in [[f32::NAN, 0.5, 0.5], [INF, 0.5, f32::NAN]] {
        assert!(unit().distance(point).is_nan());
        assert!(unit().distance_squared(point).is_nan());
        assert!(Aabb::EMPTY.distance(point).is_nan());
    }
    assert_eq!(unit().distance([0.5, -INF, 0.5]), INF);
    assert_eq!(unit().distance_squared([INF, 0.5, INF]), INF);
}

/// The square leaves the range of `f32` long before the distance does.
#[test]
fn sizes_do_not_matter() {
    let tiny = f32::from_bits(1);
    let origin = Aabb::of_points([[0.0; 3]]);
    for (point, distance, squared) in [
        ([3e30, 4e30, 0.0], 5e30, INF),
        ([3e-30, 4e-30, 0.0], 5e-30, 0.0),
        ([tiny, 0.0, 0.0], tiny, 0.0),
        ([tiny, tiny, tiny], 2.0 * tiny, 0.0), // 1.73 of them
        ([tiny, tiny, 0.0], tiny, 0.0),        // 1.41 of them
        ([f32::MAX, f32::MAX, 0.0], INF, INF),
        ([f32::MAX, 1e30, 0.0], f32::MAX, INF),
        // The square root of 2^-149 and half of it.
        (
            [2f32.powi(-75), 2f32.powi(-75), 0.0],
            2f32.sqrt() * 2f32.powi(-75),
            tiny,
        ),
        ([2f32.powi(-75), 0.0, 0.0], 2f32.powi(-75), 0.0), // a tie goes to even
        ([2f32.powi(-75), tiny, 0.0], 2f32.powi(-75), tiny),
    ] {
        assert_eq!(origin.distance(point), distance, "{point:?}");
        assert_eq!(origin.distance_squared(point), squared, "{point:?}");
    }
    // Corners that are further apart than the greatest f32.
    let end = Aabb::of_points([[-f32::MAX; 3]]);
    assert_eq!(end.distance([f32::MAX, -f32::MAX, -f32::MAX]), INF);
}
