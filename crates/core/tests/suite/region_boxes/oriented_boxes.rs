//! Oriented boxes.

use super::{Report, corners, hostile_box, nudged};
use estoc_core::glam::{Mat3, Mat4, Vec3};
use estoc_core::{Aabb, BoxPosition, Obb, Region, Triangle};
use estoc_testkit::conformance::Effort;
use estoc_testkit::generate::Rng;

/// Oriented boxes, which have no reference apart from their own exact tests: of corners, and of the
/// triangles of a box's faces.
#[test]
fn the_search_finds_no_box_wrongly_placed_by_oriented_boxes() {
    let cases = if Effort::is_long() { 1_000_000 } else { 10_000 };
    let mut rng = Rng::named(5, "boxes and oriented boxes");
    let mut report = Report::default();
    while report.cases < cases {
        let (min, max) = hostile_box(&mut rng);
        let corners = corners(min, max);
        let size = (max - min).max_element();
        let size = size.max(min.abs().max_element() * 1e-6);
        let columns = [0; 3].map(|_: i32| match rng.one_in(2) {
            true => rng.grid_direction(2) * size,
            false => rng.point() * size,
        });
        let at = nudged(rng.pick(&corners), &mut rng);
        let [x, y, z] = columns;
        let mut model = Mat4::from_mat3(Mat3::from_cols(x, y, z));
        model.w_axis = at.extend(1.0);
        let unit = Aabb::try_new([0.0; 3], [1.0; 3]).unwrap();
        let Ok(obb) = Obb::from_model(&unit, &model) else {
            continue;
        };
        let position = obb.place_box(min.as_dvec3(), max.as_dvec3());
        report.count(position);
        let case = || format!("{position:?} {obb:?}: {min:?} {max:?}");
        match position {
            BoxPosition::Crossing => {}
            BoxPosition::Inside => {
                report.expect(corners.iter().all(|&corner| obb.contains(corner)), case);
            }
            BoxPosition::Outside => {
                // A corner's number has a bit for each axis, so opposite faces differ in one. Two
                // triangles each.
                let faces = [[1, 2], [4, 1], [2, 4]].map(|[a, b]| {
                    let far = 7 - a - b;
                    [0, far].map(|at| [[at, at + a, at + b], [at + a, at + b, at + a + b]])
                });
                let faces = faces.as_flattened().as_flattened();
                let has_none = faces.iter().all(|face| {
                    let [a, b, c] = face.map(|i: usize| corners[i]);
                    let triangle = Triangle::new(a, b, c);
                    triangle.is_degenerate() || !obb.has_point_in([a, b, c].map(Vec3::as_dvec3))
                });
                let apart = corners.iter().all(|&corner| !obb.contains(corner));
                report.expect(has_none && apart, case);
            }
        }
    }
    report.assert_right(100);
}
