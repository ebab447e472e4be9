//! Brute force, single triangles and boxes compared with the independent oracle. `ESTOC_LONG=1`
//! runs a million rays.

use estoc_core::{BruteForce, RayQuery, Triangle};
use estoc_testkit::conformance::{
    Effort, check_boxes, check_engines, check_near, check_regions, check_section_loops,
    check_sections, check_sweeps, check_triangles,
};
use estoc_testkit::oracle::Oracle;

#[test]
fn brute_force_equals_the_oracle() {
    let mut effort = Effort::from_env();
    if !Effort::is_long() {
        effort.seeds /= 2;
    }
    let report = check_engines(&["brute force"], |_, mesh| BruteForce::new(mesh), &effort);
    eprintln!("brute force: {report}");
    let least = if Effort::is_long() { 1_000_000 } else { 12_000 };
    assert!(report.rays >= least, "{report}");
}

#[test]
fn single_triangles_equal_the_oracle() {
    let report = check_triangles(&Effort::from_env());
    eprintln!("triangles: {report}");
    assert!(report.rays_that_hit * 4 > report.rays, "{report}");
}

#[test]
fn boxes_equal_rationals() {
    let report = check_boxes(&Effort::from_env());
    eprintln!("boxes: {report}");
    assert!(report.rays_that_hit * 4 > report.rays, "{report}");
}

/// Three sides of a tetrahedron end in a corner that is not finite. They are never hit, so the rest
/// is one triangle, which has no inside.
#[test]
fn triangles_that_are_never_hit_close_nothing() {
    for bad in [f32::INFINITY, f32::NAN] {
        let [a, b, c] = [[0.0, -1.0, -1.0], [0.0, 1.0, -1.0], [0.0, 0.0, 1.0]];
        let d = [bad, 0.0, 0.0];
        let triangles = vec![
            Triangle::new(a, c, b),
            Triangle::new(a, b, d),
            Triangle::new(b, c, d),
            Triangle::new(a, d, c),
        ];
        let engine = BruteForce::new(&triangles[..]);
        let oracle = Oracle::new(triangles);
        let outside = [-1.0, 0.0, 0.0];
        assert_eq!(oracle.contains(outside.into()), None);
        assert_eq!(engine.contains(outside), None, "corner {bad}");
    }
}

#[test]
fn brute_force_near_points_equals_the_oracle() {
    let effort = Effort::near_from_env();
    let report = check_near(&["brute force"], |_, mesh| BruteForce::new(mesh), &effort);
    eprintln!("brute force near points: {report}");
    assert!(report.points >= 1_000, "{report}");
}

#[test]
fn sections_equal_the_oracle() {
    let effort = Effort::near_from_env();
    let report = check_sections(&["brute force"], |_, mesh| BruteForce::new(mesh), &effort);
    eprintln!("sections: {report}");
    assert!(report.regions_that_overlap * 2 > report.regions, "{report}");
}

#[test]
fn areas_and_nesting_of_sections_equal_the_oracle() {
    let count = if Effort::is_long() { 300_000 } else { 10_000 };
    let report = check_section_loops(count);
    eprintln!("loops of sections: {report:?}");
    assert!(report.loops > 2 * count, "{report:?}");
    let least = report.holes.min(report.nested).min(report.without_area);
    assert!(least * 50 > report.loops, "{report:?}");
}

#[test]
fn brute_force_in_regions_equals_the_oracle() {
    let effort = Effort::regions_from_env();
    let report = check_regions(&["brute force"], |_, mesh| BruteForce::new(mesh), &effort);
    eprintln!("brute force in regions: {report}");
    assert!(report.regions >= 1_000, "{report}");
    assert!(report.regions_that_overlap * 4 > report.regions, "{report}");
}

#[test]
fn brute_force_about_moving_spheres_equals_the_oracle() {
    let effort = Effort::sweeps_from_env();
    let report = check_sweeps(&["brute force"], |_, mesh| BruteForce::new(mesh), &effort);
    eprintln!("brute force about moving spheres: {report}");
    assert!(report.rays_that_hit >= 500, "{report}");
}
