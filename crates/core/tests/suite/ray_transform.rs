//! Rays with a direction of length 1, and rays in an object's space.

use crate::rounding::beyond_half_an_ulp;
use estoc_core::glam::{DMat3, DVec3, Mat3, Mat4, Vec3};
use estoc_core::{BruteForce, ExpectedEntry, MatrixEntry, Ray, RayQuery, TransformError, Triangle};
use estoc_testkit::tables::Rng;
use std::f32::consts::FRAC_1_SQRT_2;

const INF: f32 = f32::INFINITY;
const LEAST: f32 = f32::from_bits(1);

/// Returns a number of any size, including subnormal ones.
fn any_size(rng: &mut Rng) -> f32 {
    loop {
        let x = rng.any();
        if x.is_finite() {
            return x;
        }
    }
}

#[test]
fn directions_of_any_size_become_1() {
    let (half, third) = (FRAC_1_SQRT_2, 3f32.sqrt().recip());
    for (dir, unit) in [
        ([LEAST, 0.0, 0.0], [1.0, 0.0, 0.0]),
        ([0.0, -LEAST, LEAST], [0.0, -half, half]),
        ([3e38; 3], [third; 3]),
        ([f32::MAX, 0.0, -f32::MAX], [half, 0.0, -half]),
        ([f32::MAX, LEAST, 0.0], [1.0, 0.0, 0.0]),
        ([3.0, 0.0, -4.0], [0.6, 0.0, -0.8]),
    ] {
        let ray = Ray::new([1.0, -2.0, 1e30], dir).normalized();
        assert_eq!(ray, Ray::new([1.0, -2.0, 1e30], unit), "{dir:?}");
    }
}

#[test]
fn the_interval_keeps_its_points() {
    let normalized = |dir: f32, t_min: f32, t_max: f32| {
        let ray = Ray::new([0.0; 3], [0.0, dir, 0.0]).with_interval(t_min, t_max);
        let ray = ray.normalized();
        assert_eq!(ray.check(), Ok(()));
        (ray.t_min, ray.t_max)
    };
    assert_eq!(normalized(4.0, -0.5, 3.0), (-2.0, 12.0));
    assert_eq!(normalized(4.0, 0.0, INF), (0.0, INF));
    assert_eq!(normalized(LEAST, -INF, INF), (-INF, INF));
    let end = 2f32.powi(127);
    assert_eq!(normalized(LEAST, -INF, end), (-INF, 2f32.powi(-22)));
    // To the nearest number: infinity above, zero below.
    assert_eq!(normalized(1e30, -1e10, 1e10), (-INF, INF));
    assert_eq!(normalized(1e-30, -1e-20, 1e-20), (0.0, 0.0));
    assert_eq!(normalized(0.1, 0.3, 0.3), (0.1 * 0.3, 0.1 * 0.3));
}

#[test]
fn undefined_rays_stay_as_they_are() {
    let good = Ray::new([1.0, 2.0, 3.0], [0.0, 0.0, 2.0]);
    let matrix = Mat4::from_scale(Vec3::splat(2.0));
    for ray in [
        Ray::new([f32::NAN, 0.0, 0.0], [0.0, 0.0, 2.0]),
        Ray::new([0.0; 3], [0.0, INF, 2.0]),
        Ray::new([0.0; 3], [0.0, -0.0, 0.0]),
        good.with_interval(1.0, 0.5),
        good.with_interval(f32::NAN, 0.5),
    ] {
        let bits = |ray: Ray| {
            let [o, d] = [ray.origin, ray.dir].map(|v| v.to_array().map(f32::to_bits));
            (o, d, ray.t_min.to_bits(), ray.t_max.to_bits())
        };
        assert_eq!(bits(ray.normalized()), bits(ray));
        assert_eq!(bits(ray.to_local(&matrix).unwrap()), bits(ray));
    }
}

/// The documented bound: half a unit in the last place of each component and 2^-50 of it.
#[test]
fn normalised_directions_are_rounded_once() {
    const SEED: u64 = 41;
    let mut rng = Rng::new(SEED);
    let (mut worst, mut length, mut turn) = (f64::NEG_INFINITY, 0f64, 0f64);
    for round in 0..100_000 {
        // Of similar sizes, or of any.
        let dir = Vec3::from(if round % 2 == 0 {
            rng.vec(-1.0, 1.0)
        } else {
            [(); 3].map(|()| any_size(&mut rng))
        });
        if dir == Vec3::ZERO {
            continue;
        }
        let unit = Ray::new([0.0; 3], dir).normalized().dir;
        let [x, y, z] = dir.to_array().map(f64::from);
        let exact = DVec3::new(x, y, z) / x.hypot(y).hypot(z);
        // Twice the bound, because the reference is in f64 too.
        let error = beyond_half_an_ulp(unit, exact) / exact.abs().max(DVec3::splat(1e-30));
        worst = worst.max(error.max_element());
        assert!(worst <= 2f64.powi(-49), "seed {SEED}, round {round}: {dir}");
        let unit = unit.as_dvec3();
        length = length.max((unit.length() - 1.0).abs());
        turn = turn.max(exact.cross(unit).length());
    }
    println!("worst: beyond half an ulp {worst:.3e}, length {length:.3e}, {turn:.3e} rad");
    assert!(length.max(turn) <= 2f64.powi(-24) + 2f64.powi(-48));
}

#[test]
fn normalised_rays_hit_at_the_distance() {
    const SEED: u64 = 42;
    let mut rng = Rng::new(SEED);
    let square = BruteForce::new(vec![
        Triangle::new([-9.0, -9.0, 0.0], [9.0, -9.0, 0.0], [9.0, 9.0, 0.0]),
        Triangle::new([-9.0, -9.0, 0.0], [9.0, 9.0, 0.0], [-9.0, 9.0, 0.0]),
    ]);
    for round in 0..1000 {
        let [x, y] = [(); 2].map(|()| rng.between(-1.0, 1.0));
        let origin = [x, y, rng.between(1.0, 4.0)];
        let size = 10f32.powf(rng.between(-30.0, 30.0));
        let dir = Vec3::new(rng.between(-1.0, 1.0), rng.between(-1.0, 1.0), -1.0) * size;
        let ray = Ray::new(origin, dir);
        let hit = square.closest_hit(&ray);
        let hit = hit.expect("rays go down inside the square");
        let distance = square.closest_hit(&ray.normalized()).unwrap().t;
        let expected = (f64::from(hit.t) * dir.as_dvec3().length()) as f32;
        let case = format!("seed {SEED}, round {round}: {ray:?}");
        assert!((distance - expected).abs() <= 1e-6 * expected, "{case}");
    }
}

#[test]
fn what_f32_holds_is_kept_exactly() {
    let ray = Ray::new([1e6, -3.0, 1e-45], [LEAST, 0.0, -LEAST]).with_interval(-1.0, 5.0);
    assert_eq!(ray.to_local(&Mat4::IDENTITY), Ok(ray));
    let ray = Ray::new([1_000_001.0, 4.0, 6.0], [1.0, -2.0, 3.0]).with_interval(0.5, INF);
    let model = Mat4::from_translation(Vec3::new(1e6, 0.0, 2.0))
        * Mat4::from_scale(Vec3::new(0.25, -2.0, 4.0));
    let local = Ray::new([4.0, -2.0, 1.0], [4.0, 1.0, 0.75]).with_interval(0.5, INF);
    assert_eq!(ray.to_local(&model), Ok(local));
}

/// A hit of the unit triangle in its own space has the t of the scaled, rotated and moved one.
#[test]
fn t_is_the_same_in_both_spaces() {
    const SEED: u64 = 43;
    let mut rng = Rng::new(SEED);
    let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]].map(Vec3::from);
    let unit = BruteForce::new(vec![Triangle::new(corners[0], corners[1], corners[2])]);
    let mut worst = 0f32;
    for round in 0..2000 {
        let scale = [(); 3].map(|()| 2f32.powf(rng.between(-4.0, 4.0)) * rng.pick(&[-1.0, 1.0]));
        let model = Mat4::from_translation(Vec3::from(rng.vec(-5.0, 5.0)))
            * Mat4::from_rotation_x(rng.between(-3.0, 3.0))
            * Mat4::from_rotation_y(rng.between(-3.0, 3.0))
            * Mat4::from_scale(Vec3::from(scale));
        let world = corners.map(|corner| model.transform_point3(corner));
        // Through the middle, across the plane, so that rounding cannot change the decision.
        let middle = (world[0] + world[1] + world[2]) / 3.0;
        let normal = (world[1] - world[0]).cross(world[2] - world[0]).normalize();
        let across = normal + 0.3 * Vec3::from(rng.vec(-1.0, 1.0));
        let dir = across * rng.between(0.01, 100.0);
        let ray = Ray::new(middle - dir * rng.between(0.5, 2.0), dir);
        let world = BruteForce::new(vec![Triangle::new(world[0], world[1], world[2])]);
        let case = format!("seed {SEED}, round {round}: {model} {ray:?}");
        let here = world.closest_hit(&ray).expect(&case).t;
        let local = ray.to_local(&model).expect(&case);
        let there = unit.closest_hit(&local).expect(&case).t;
        // The corners are rounded too, relative to their coordinates.
        let places = (middle.length() + ray.origin.length()) / (dir.length() * here) + 1.0;
        let error = (here - there).abs() / (here * places);
        worst = worst.max(error);
        assert!(error <= 1e-6, "{case}: {here} {there}");
    }
    println!("worst: {worst:.3e} of the way");
}

/// The documented bound: half a unit in the last place and 2^-49 of the sum of magnitudes.
#[test]
fn local_rays_are_rounded_once() {
    const SEED: u64 = 44;
    let mut rng = Rng::new(SEED);
    let (mut worst, mut tested) = (f64::NEG_INFINITY, 0);
    for round in 0..10_000 {
        let mut axis = || Vec3::from(rng.vec(-1.0, 1.0)) * 10f32.powf(rng.between(-3.0, 3.0));
        let axes = Mat3::from_cols(axis(), axis(), axis());
        let [x, y, z] = [axes.x_axis, axes.y_axis, axes.z_axis].map(Vec3::as_dvec3);
        let exact = DMat3::from_cols(x, y, z);
        if exact.determinant().abs() < 0.05 * x.length() * y.length() * z.length() {
            continue; // the reference is inaccurate there
        }
        tested += 1;
        let offset = Vec3::from(rng.vec(-1e6, 1e6));
        let model = Mat4::from_translation(offset) * Mat4::from_mat3(axes);
        let ray = Ray::new(rng.vec(-1e6, 1e6), rng.vec(-1.0, 1.0));
        let local = ray.to_local(&model).unwrap();
        let inverse = exact.inverse();
        let way = ray.origin.as_dvec3() - offset.as_dvec3();
        for (got, v) in [(local.origin, way), (local.dir, ray.dir.as_dvec3())] {
            let error = beyond_half_an_ulp(got, inverse * v) / (inverse.abs() * v.abs());
            worst = worst.max(error.max_element());
            // The reference, with a determinant in f64, is less exact.
            let case = format!("seed {SEED}, round {round}: {model} {ray:?}");
            assert!(worst <= 2f64.powi(-46), "{case}");
        }
    }
    println!("{tested} matrices, worst: beyond half an ulp {worst:.3e} of the magnitudes");
    assert!(tested > 3000);
}

#[test]
fn what_has_no_inverse_or_does_not_fit_is_refused() {
    let ray = Ray::new([1.0; 3], [0.0, 0.0, 1.0]);
    let flat = Mat3::from_cols_array(&[1.0, 4.0, 7.0, 2.0, 5.0, 8.0, 3.0, 6.0, 9.0]);
    // Exactly flat, and flat except for the last bit of one entry.
    let singular = ray.to_local(&Mat4::from_mat3(flat));
    assert_eq!(singular, Err(TransformError::Singular));
    let mut nearly = flat;
    nearly.z_axis.z = 9f32.next_up();
    let local = ray.to_local(&Mat4::from_mat3(nearly)).unwrap();
    let back =
        DMat3::from_cols_array(&nearly.to_cols_array().map(f64::from)) * local.dir.as_dvec3();
    let lost = 10.0 * 2f64.powi(-24) * local.dir.as_dvec3().length();
    assert!(back.distance(DVec3::Z) <= lost, "{back}");

    for (row, column, value, must) in [
        (3, 0, 1e-45, ExpectedEntry::Zero),
        (3, 3, 0.5, ExpectedEntry::One),
        (0, 3, INF, ExpectedEntry::Finite),
        (2, 1, -INF, ExpectedEntry::Finite),
    ] {
        let mut model = Mat4::IDENTITY;
        model.col_mut(column)[row] = value;
        let error = ray.to_local(&model).unwrap_err();
        let entry = MatrixEntry {
            row,
            column,
            value,
            expected: must,
        };
        assert_eq!(error, TransformError::Entry(entry));
        let says = format!("row {row}, column {column} (from 0) is {value} but must be");
        assert!(error.to_string().contains(&says), "{error}");
    }

    let scaled = |dir: f32, scale: f32| {
        let ray = Ray::new([0.0; 3], [0.0, dir, 0.0]);
        ray.to_local(&Mat4::from_scale(Vec3::splat(scale)))
    };
    assert!(scaled(1e30, 1e-8).is_ok());
    for (dir, scale) in [(1e30, 1e-9), (1e-30, 1e20), (1e-30, 1.1e9)] {
        let error = scaled(dir, scale).unwrap_err();
        let is_out = matches!(error, TransformError::OutOfRange { .. });
        let says = error.to_string();
        assert!(is_out && says.contains("normalise the ray first"), "{says}");
    }
}
