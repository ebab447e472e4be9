//! Half spaces, planes and frusta.

use super::{Report, corners, hostile_box, nudged, sign_of_sum};
use estoc_core::glam::{DVec3, Vec3};
use estoc_core::{BoxPosition, Frustum, HalfSpace, Plane, Region};
use estoc_testkit::conformance::Effort;
use estoc_testkit::generate::Rng;

/// The numbers of a plane: its normal, and a point on it or an offset.
#[derive(Clone, Copy, Debug)]
struct Given {
    normal: Vec3,
    through: Result<Vec3, f32>,
}

impl Given {
    fn plane(&self) -> Option<Plane> {
        match self.through {
            Ok(point) => Plane::through(point, self.normal).ok(),
            Err(offset) => Plane::from_offset(self.normal, offset).ok(),
        }
    }

    /// Returns the terms of the height of a point, each a product of two `f32`s and so exact.
    fn terms(&self, point: Vec3) -> [f64; 6] {
        let (n, p) = (self.normal.as_dvec3(), point.as_dvec3());
        let [x, y, z] = (n * p).to_array();
        match self.through {
            Err(offset) => [x, y, z, -f64::from(offset), 0.0, 0.0],
            Ok(on) => {
                let [a, b, c] = (n * on.as_dvec3()).to_array();
                [x, y, z, -a, -b, -c]
            }
        }
    }
}

fn hostile_plane(rng: &mut Rng, corners: &[Vec3; 8]) -> Given {
    let mut normal = match rng.below(4) {
        0 => rng.grid_direction(3),
        1 => Vec3::from_array([0; 3].map(|_: i32| rng.signed() * 10f32.powi(rng.int(-9, 9)))),
        _ => rng.point(),
    };
    let corner = rng.pick(corners);
    let along = |normal: Vec3| normal.as_dvec3().dot(corner.as_dvec3());
    if rng.one_in(2) {
        // The corner is across the normal, nearly: then the offset is a small difference of large
        // products, and as near to the exact one as that one is small.
        let axis = rng.below(3);
        let mut others = normal;
        others[axis] = 0.0;
        let adjusted = (-along(others) / f64::from(corner[axis])) as f32;
        if adjusted.is_finite() {
            normal[axis] = adjusted;
        }
        // Added up in another order, so that tests do not come to the same rounded sum.
        let [x, y, z] = (normal.as_dvec3() * corner.as_dvec3()).to_array();
        let through = Err((z + y + x) as f32);
        return Given { normal, through };
    }
    let on = match rng.below(3) {
        0 => nudged(corner, rng),
        1 => {
            // Elsewhere in the plane, as far as that is a number.
            let across = normal.cross(rng.point()).normalize_or_zero();
            corner + across * corner.length() * rng.signed() * rng.pick(&[1.0, 1e3])
        }
        _ => corner,
    };
    let through = match rng.one_in(2) {
        true => Ok(on),
        false => Err(normal.as_dvec3().dot(on.as_dvec3()) as f32),
    };
    Given { normal, through }
}

/// Asks `place` where boxes lie relative to what is in front of planes.
fn search_planes(
    seed: u64,
    cases: usize,
    place: impl Fn(&[Given], &[Plane], DVec3, DVec3) -> BoxPosition,
) -> Report {
    let mut rng = Rng::named(seed, "boxes and planes");
    let mut report = Report::default();
    while report.cases < cases && report.wrong.len() < 1000 {
        let (min, max) = hostile_box(&mut rng);
        let corners = corners(min, max);
        let count = 1 + rng.below(4);
        let given = (0..count).map(|_| hostile_plane(&mut rng, &corners));
        let given: Vec<Given> = given.collect();
        let Some(planes) = given.iter().map(Given::plane).collect::<Option<Vec<_>>>() else {
            continue;
        };
        let position = place(&given, &planes, min.as_dvec3(), max.as_dvec3());
        report.count(position);
        // A corner in front of a plane, by plane.
        let sign = |given: &Given, corner: Vec3| sign_of_sum(&given.terms(corner));
        match position {
            BoxPosition::Crossing => {}
            BoxPosition::Inside => {
                let is_in_front = |g: &Given| corners.iter().all(|&p| sign(g, p) >= 0);
                let holds = given.iter().all(is_in_front);
                report.expect(holds, || format!("inside {given:?}: {min:?} {max:?}"));
            }
            BoxPosition::Outside => {
                let behind = |g: &&Given| corners.iter().all(|&p| sign(g, p) < 0);
                let separating = given.iter().find(behind);
                report.expect(separating.is_some(), || {
                    format!("outside {given:?}: {min:?} {max:?}")
                });
                // Where this plane decided, and the terms are those that the test adds up.
                let decided = separating.filter(|g| count == 1 && g.through.is_err());
                let Some(given) = decided else {
                    continue;
                };
                for &corner in &corners {
                    let terms = given.terms(corner);
                    let (height, sizes) = (terms.iter().sum::<f64>(), terms.map(f64::abs));
                    let share = height.abs() / sizes.iter().sum::<f64>();
                    report.closest = Some(report.closest.unwrap_or(1.0).min(share));
                }
            }
        }
    }
    report
}

fn by_regions(given: &[Given], planes: &[Plane], min: DVec3, max: DVec3) -> BoxPosition {
    let frustum = Frustum::try_new(planes).unwrap().place_box(min, max);
    if let [plane] = planes {
        assert_eq!(HalfSpace(*plane).place_box(min, max), frustum, "{given:?}");
        let flat = plane.place_box(min, max);
        let behind = HalfSpace(plane.flipped()).place_box(min, max);
        let is_apart = [frustum, behind].contains(&BoxPosition::Outside);
        assert_eq!(flat == BoxPosition::Outside, is_apart, "{given:?}");
    }
    frustum
}

/// The same test without a bound.
fn without_bound(given: &[Given], _: &[Plane], min: DVec3, max: DVec3) -> BoxPosition {
    let mut position = BoxPosition::Inside;
    for plane in given {
        let normal = plane.normal.as_dvec3();
        let rises = normal.cmpge(DVec3::ZERO);
        let height = |point: DVec3| match plane.through {
            Ok(on) => normal.dot(point - on.as_dvec3()),
            Err(offset) => normal.dot(point) - f64::from(offset),
        };
        if height(DVec3::select(rises, max, min)) < 0.0 {
            return BoxPosition::Outside;
        }
        if height(DVec3::select(rises, min, max)) < 0.0 {
            position = BoxPosition::Crossing;
        }
    }
    position
}

#[test]
fn the_search_finds_no_box_wrongly_placed_by_planes() {
    let long = Effort::is_long();
    let report = search_planes(1, if long { 12_000_000 } else { 100_000 }, by_regions);
    report.assert_right(50);
    let closest = report.closest.unwrap_or(1.0);
    println!("of one that was rejected, the height was {closest:.2e} of its terms");
    assert!(report.closest < Some(1e-14), "{report:?}");
}

#[test]
fn the_search_finds_boxes_that_planes_without_a_bound_lose() {
    let report = search_planes(2, 100_000, without_bound);
    assert!(!report.wrong.is_empty(), "{report:?}");
    assert!(report.wrong.iter().any(|case| case.starts_with("outside")));
}
