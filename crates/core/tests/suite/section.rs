//! Cuts with planes: corners and faces in the plane, orientation, joining, planes between the
//! largest and smallest numbers.

use crate::common::solid_box;
use estoc_core::glam::Vec3;
use estoc_core::{BruteForce, Plane, Polyline, RegionQuery, Section, Triangle};

fn at_height(triangles: &[Triangle], z: f32) -> Section {
    BruteForce::new(triangles).section(&Plane::from_offset([0.0, 0.0, 1.0], z).unwrap())
}

/// Returns the area that the polylines enclose, seen from +z; those that run clockwise count as
/// holes.
fn area(section: &Section) -> f64 {
    let twice = section.segments().map(|(_, ends)| {
        let [a, b] = ends.map(Vec3::as_dvec3);
        a.x * b.y - a.y * b.x
    });
    twice.sum::<f64>() / 2.0
}

fn points(polyline: &Polyline) -> Vec<[f32; 3]> {
    let points = polyline.points.iter();
    points.map(|point| point.point.to_array()).collect()
}

#[test]
fn a_cut_runs_counterclockwise_around_the_inside() {
    let mut triangles = solid_box([0.0; 3], [4.0; 3]);
    assert_eq!(area(&at_height(&triangles, 1.0)), 16.0);
    // A cavity faces inward.
    let cavity = solid_box([1.0; 3], [3.0; 3]);
    triangles.extend(cavity.iter().map(|t| Triangle::new(t.p0, t.p2, t.p1)));
    let section = at_height(&triangles, 2.0);
    assert_eq!((section.polylines.len(), area(&section)), (2, 12.0));
    assert!(section.is_closed());
    let from_below = Plane::from_offset([0.0, 0.0, -1.0], -2.0).unwrap();
    let section = BruteForce::new(triangles).section(&from_below);
    assert_eq!(area(&section), -12.0);
}

#[test]
fn a_face_in_the_plane_belongs_to_the_front() {
    let triangles = solid_box([0.0; 3], [4.0; 3]);
    // The mesh goes on in front of its lower face, and behind its upper one.
    assert!(at_height(&triangles, 0.0).is_empty());
    let top = at_height(&triangles, 4.0);
    assert_eq!((top.polylines.len(), area(&top)), (1, 16.0));
    assert!(
        points(&top.polylines[0])
            .iter()
            .all(|point| point[2] == 4.0)
    );
    assert!(at_height(&triangles, 4.0f32.next_up()).is_empty());
    // Two boxes, one upon the other: their common face is part of neither inside.
    let both = [triangles, solid_box([0.0, 0.0, 4.0], [8.0; 3])].concat();
    assert_eq!(area(&at_height(&both, 4.0)), 16.0);
}

#[test]
fn a_corner_that_only_touches_is_no_part_of_the_cut() {
    let [a, b, c, d] = [[0.0; 3], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0]];
    let faces = [[a, c, b], [a, b, d], [b, c, d], [a, d, c]];
    let tetrahedron = faces.map(|[a, b, c]| Triangle::new(a, b, c));
    assert!(at_height(&tetrahedron, 4.0).is_empty());
    let below = at_height(&tetrahedron, 4.0f32.next_down());
    assert_eq!(below.polylines.len(), 1);
    // A plane through the corners a and d leaves a triangle whose point d is on it twice.
    let plane = Plane::through([0.0; 3], [1.0, -1.0, 0.0]).unwrap();
    let section = BruteForce::new(tetrahedron).section(&plane);
    let expected = [[0.0; 3], [2.0, 2.0, 0.0], [0.0, 0.0, 4.0]];
    assert_eq!(points(&section.polylines[0]), expected);
}

#[test]
fn open_polylines_have_both_ends() {
    // A strip of four triangles; the last is turned around.
    let strip = |i: usize| {
        let [a, b, c] = [i, i + 1, i + 2]
            .map(|k| [k as f32, 0.0, if k.is_multiple_of(2) { -1.0 } else { 1.0 }]);
        match i.is_multiple_of(2) {
            true => Triangle::new(a, c, b),
            false => Triangle::new(a, b, c),
        }
    };
    let mut triangles: Vec<Triangle> = (0..4).map(strip).collect();
    let whole = at_height(&triangles, 0.0);
    let line = [0.5, 1.5, 2.5, 3.5, 4.5].map(|x| [x, 0.0, 0.0]);
    let reversed: Vec<_> = line.iter().rev().copied().collect();
    let found = points(&whole.polylines[0]);
    assert!(found == line || found == reversed, "{found:?}");
    assert!(!whole.is_closed() && whole.polylines.len() == 1);
    let last = whole.polylines[0].points[4];
    assert_eq!(last.prim, whole.polylines[0].points[3].prim);
    assert_eq!(whole.segments().count(), 4);
    // The triangle of lowest id decides the direction.
    triangles[3] = Triangle::new(triangles[3].p0, triangles[3].p2, triangles[3].p1);
    assert_eq!(points(&at_height(&triangles, 0.0).polylines[0]), found);
    triangles.reverse();
    let mut turned = points(&at_height(&triangles, 0.0).polylines[0]);
    turned.reverse();
    assert_eq!(turned, found);
}

#[test]
fn triangles_without_area_connect_their_neighbours() {
    // One side of a box has a vertex on its edge (a T-junction) that a needle closes.
    let [a, b, c, d] = [[0.0; 3], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0]];
    let middle = [0.0, 0.0, 2.0];
    let faces = [
        [a, c, b],
        [a, b, middle],
        [middle, b, d],
        [b, c, d],
        [a, d, c],
        [a, middle, d],
    ];
    let triangles = faces.map(|[a, b, c]| Triangle::new(a, b, c));
    for z in [1.0, 2.0, 3.0] {
        let section = at_height(&triangles, z);
        assert!(section.is_closed(), "{z}");
        assert_eq!(section.polylines.len(), 1);
        assert!(section.segments().all(|(prim, _)| prim.get() != 5));
        assert_eq!(area(&section), f64::from((4.0 - z) * (4.0 - z) / 2.0));
    }
}

#[test]
fn where_more_than_two_triangles_meet_ids_decide() {
    // Two tubes with a common edge along z.
    let tube = |x: f32| solid_box([x, x, 0.0], [x + 1.0, x + 1.0, 2.0]);
    let triangles = [tube(0.0), tube(1.0)].concat();
    let section = at_height(&triangles, 1.0);
    assert!(section.is_closed());
    assert_eq!(area(&section), 2.0);
    let lowest = |polyline: &Polyline| polyline.points.iter().map(|point| point.prim).min();
    for polyline in &section.polylines {
        assert_eq!(lowest(polyline), Some(polyline.points[0].prim));
    }
    assert!(section.polylines.is_sorted_by_key(lowest));
}

#[test]
fn numbers_of_all_sizes_are_cut() {
    let wall =
        |low: f32, high: f32| Triangle::new([1.0, 0.0, low], [0.0, 0.0, high], [2.0, 0.0, high]);
    for (low, high) in [
        (-1e30, 1e30),
        (-1e-30, 1e30),
        (-f32::MAX, f32::MAX),
        (-1e-45, 1e-45),
    ] {
        let section = at_height(&[wall(low, high)], 0.0);
        let [start, end] = section.segments().next().expect("a segment").1;
        let is_cut = start.z == 0.0 && end.z == 0.0 && start.x >= end.x;
        assert!(is_cut, "{low} {high}: {start} {end}");
    }
    let broken = Triangle::new([1.0, 0.0, -1.0], [0.0, f32::NAN, 1.0], [2.0, 0.0, 1.0]);
    let endless = Triangle::new([1.0, 0.0, -1.0], [0.0, f32::INFINITY, 1.0], [2.0, 0.0, 1.0]);
    assert!(at_height(&[broken, endless], 0.0).is_empty());
    assert!(at_height(&[], 0.0).is_closed());
}
