//! Spheres.

use super::{Report, corners, hostile_box, sign_of_sum};
use estoc_core::glam::{DVec3, Vec3};
use estoc_core::{BoxPosition, Region, Sphere};
use estoc_testkit::conformance::Effort;
use estoc_testkit::generate::Rng;

/// Returns the sign of the squared distance of the nearest or the farthest point of a box from a
/// sphere's centre, less the squared radius.
fn sign_of_gap(center: Vec3, radius: f32, min: Vec3, max: Vec3, farthest: bool) -> i32 {
    let mut terms = [0.0; 10];
    let wide = f64::from;
    for axis in 0..3 {
        let (low, high, c) = (wide(min[axis]), wide(max[axis]), wide(center[axis]));
        let is_above = match farthest {
            // Half the width of a box may have no f64, twice the centre has one.
            true => sign_of_sum(&[2.0 * c, -low, -high]) < 0,
            false => c < low,
        };
        let face = match (farthest, is_above) {
            (true, true) => high,
            (true, false) => low,
            (false, true) => low,
            (false, false) if c > high => high,
            (false, false) => continue,
        };
        // (f - c)^2
        terms[3 * axis] = face * face;
        terms[3 * axis + 1] = -2.0 * face * c;
        terms[3 * axis + 2] = c * c;
    }
    terms[9] = -wide(radius) * wide(radius);
    sign_of_sum(&terms)
}

fn search_spheres(
    seed: u64,
    cases: usize,
    place: impl Fn(&Sphere, DVec3, DVec3) -> BoxPosition,
) -> Report {
    let mut rng = Rng::named(seed, "boxes and spheres");
    let mut report = Report::default();
    while report.cases < cases && report.wrong.len() < 10 {
        let (min, max) = hostile_box(&mut rng);
        let corner = rng.pick(&corners(min, max));
        let center = match rng.below(3) {
            0 => corner + rng.grid_point(5),
            1 => corner + rng.point() * 10f32.powi(rng.int(-12, 3)) * corner.length(),
            _ => min.lerp(max, rng.signed()),
        };
        // About as far as the box's nearest or farthest corner.
        let reach = match rng.below(3) {
            0 => center - corner,
            1 => (center - min).abs().max((max - center).abs()),
            _ => (min - center).max(center - max).max(Vec3::ZERO),
        };
        let reach = reach.as_dvec3().length() as f32;
        let less = reach.next_down().max(0.0);
        let radius = rng.pick(&[reach, reach, reach.next_up(), less, 0.0]);
        let Ok(sphere) = Sphere::try_new(center, radius) else {
            continue;
        };
        let position = place(&sphere, min.as_dvec3(), max.as_dvec3());
        report.count(position);
        let holds = match position {
            BoxPosition::Crossing => true,
            BoxPosition::Outside => sign_of_gap(center, radius, min, max, false) > 0,
            BoxPosition::Inside => sign_of_gap(center, radius, min, max, true) <= 0,
        };
        report.expect(holds, || {
            format!("{position:?} {sphere:?}: {min:?} {max:?}")
        });
    }
    report
}

#[test]
fn the_search_finds_no_box_wrongly_placed_by_spheres() {
    let long = Effort::is_long();
    let cases = if long { 12_000_000 } else { 100_000 };
    search_spheres(3, cases, Region::place_box).assert_right(20);
    // Squares of `f32`s have room in `f64`, so that a test without a bound is hardly ever wrong. One
    // that is off by 2^-44 is.
    let without = |sphere: &Sphere, min: DVec3, max: DVec3| {
        let center = sphere.center().as_dvec3();
        let gap = (min - center).max(center - max).max(DVec3::ZERO);
        let reach = (center - min).abs().max((max - center).abs());
        let [gap, reach] = [gap, reach].map(DVec3::length_squared);
        let square = f64::from(sphere.radius()).powi(2);
        match (gap * (1.0 + 512.0 * f64::EPSILON) > square, reach <= square) {
            (true, _) => BoxPosition::Outside,
            (_, true) => BoxPosition::Inside,
            _ => BoxPosition::Crossing,
        }
    };
    let report = search_spheres(4, 100_000, without);
    let mut wrong = report.wrong.iter();
    assert!(wrong.any(|case| case.starts_with("Outside")), "{report:?}");
}
