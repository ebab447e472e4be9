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

/// Returns the walls of a tube along z, from z = -1 to 1, that face outward if the outline runs
/// counterclockwise.
fn tube(outline: &[[f32; 2]]) -> Vec<Triangle> {
    let count = outline.len();
    let at = |i: usize, z: f32| [outline[i % count][0], outline[i % count][1], z];
    let wall = |i: usize| {
        let [a, b, c, d] = [at(i, -1.0), at(i + 1, -1.0), at(i + 1, 1.0), at(i, 1.0)];
        [Triangle::new(a, b, c), Triangle::new(a, c, d)]
    };
    (0..count).flat_map(wall).collect()
}

fn square(x: f32, y: f32, size: f32) -> [[f32; 2]; 4] {
    let [a, b] = [x - size, x + size];
    [[a, y - size], [b, y - size], [b, y + size], [a, y + size]]
}

/// Returns the cut of tubes with the plane z = 0.5, and the area, parent and depth of each loop.
fn loops_of(outlines: &[&[[f32; 2]]]) -> (Section, Vec<(f64, Option<usize>, usize)>) {
    let triangles: Vec<Triangle> = outlines.iter().flat_map(|outline| tube(outline)).collect();
    let section = at_height(&triangles, 0.5);
    let loops = section.loops();
    let found = loops.iter().map(|of| (of.area, of.parent, of.depth));
    (section.clone(), found.collect())
}

#[test]
fn loops_lie_in_the_innermost_loop_around_them() {
    let mut hole = square(0.0, 0.0, 3.0);
    hole.reverse();
    let (section, loops) = loops_of(&[
        &square(0.5, 0.0, 1.0),
        &square(0.0, 0.0, 5.0),
        &hole,
        &square(20.0, 0.0, 2.0),
        &square(20.0, 0.0, 1.0),
        &square(-1.0, 2.0, 0.5),
    ]);
    assert_eq!(
        loops,
        [
            (4.0, Some(2), 2),
            (100.0, None, 0),
            (-36.0, Some(1), 1),
            (16.0, None, 0),
            // A hole, although it runs counterclockwise.
            (4.0, Some(3), 1),
            (1.0, Some(2), 2),
        ]
    );
    assert_eq!(section.area(), Some(100.0 - 36.0 + 4.0 + 1.0 + 16.0 - 4.0));
    // Seen from the other side, the inside is to the left again.
    let triangles = [tube(&square(0.0, 0.0, 5.0)), tube(&hole)].concat();
    let below = Plane::from_offset([0.0, 0.0, -0.001], -0.0).unwrap();
    let section = BruteForce::new(triangles).section(&below);
    let areas: Vec<f64> = section.loops().iter().map(|of| of.area).collect();
    assert_eq!((areas, section.area()), (vec![100.0, -36.0], Some(64.0)));
}

#[test]
fn loops_that_touch_have_an_inside_and_an_outside() {
    // The whole outline of a notch is on that of what it is cut from, and touches it in the middle.
    let notched = [
        [0.0, 0.0],
        [8.0, 0.0],
        [8.0, 8.0],
        [6.0, 8.0],
        [6.0, 4.0],
        [2.0, 4.0],
        [2.0, 8.0],
        [0.0, 8.0],
    ];
    let (_, loops) = loops_of(&[&notched, &[[2.0, 4.0], [6.0, 4.0], [6.0, 8.0], [2.0, 8.0]]]);
    assert_eq!(loops, [(48.0, None, 0), (16.0, None, 0)]);
    // All corners on the other loop, from inside.
    let inner = [[4.0, 0.0], [8.0, 4.0], [4.0, 8.0], [0.0, 4.0]];
    let (_, loops) = loops_of(&[&inner, &square(4.0, 4.0, 4.0)]);
    assert_eq!(loops, [(32.0, Some(1), 1), (64.0, None, 0)]);
    // At one corner, from inside and from outside.
    let (_, loops) = loops_of(&[
        &square(0.0, 0.0, 2.0),
        &square(1.0, 1.0, 1.0),
        &square(3.0, 3.0, 1.0),
    ]);
    assert_eq!(loops, [(16.0, None, 0), (4.0, Some(0), 1), (4.0, None, 0)]);
    // The same twice: the lower one counts as the greater, so that nothing is left.
    let mut again = square(0.0, 0.0, 2.0);
    again.rotate_left(2);
    again.reverse();
    let (section, loops) = loops_of(&[&square(0.0, 0.0, 2.0), &again]);
    assert_eq!(loops.len(), 2);
    assert_eq!((loops[1].1, section.area()), (Some(0), Some(0.0)));
}

#[test]
fn loops_without_area_contain_nothing() {
    // There and back, a figure of eight of equal halves, and one of different halves.
    let line = [[0.0, 0.0], [4.0, 1.0], [8.0, 2.0]];
    let eight = |size: f32| [[0.0, 0.0], [2.0, 2.0], [2.0, 0.0], [0.0, size]];
    let [equal, more] = [2.0, 3.0].map(eight);
    let (section, loops) = loops_of(&[&line, &equal, &more, &square(1.875, 1.0, 0.0625)]);
    let areas: Vec<f64> = loops.iter().map(|of| of.0).collect();
    assert_eq!(areas[..2], [0.0, 0.0], "{section:?}");
    assert_eq!(loops[3].1, Some(2), "{loops:?}");
    // An edge in the plane, of a tetrahedron behind it.
    let [a, b] = [[0.0; 3], [3.0, 1.0, 0.0]];
    let [c, d] = [[0.0, 0.0, -1.0], [1.0, 2.0, -1.0]];
    let faces = [[a, c, b], [a, b, d], [b, c, d], [a, d, c]];
    let section = at_height(&faces.map(|[a, b, c]| Triangle::new(a, b, c)), 0.0);
    assert_eq!(section.polylines[0].points.len(), 2);
    assert_eq!(section.area().map(f64::to_bits), Some(0));
    assert_eq!(at_height(&[], 0.0).area().map(f64::to_bits), Some(0));
}

#[test]
fn open_polylines_enclose_nothing() {
    let triangles = [
        tube(&square(0.0, 0.0, 1.0)),
        tube(&square(9.0, 0.0, 2.0))[1..].to_vec(),
    ];
    let section = at_height(&triangles.concat(), 0.5);
    assert_eq!(section.area(), None);
    let loops = section.loops();
    assert_eq!((loops.len(), loops[0].area), (1, 4.0));
    // Made by hand: numbers that are no cut.
    let mut broken = section.clone();
    broken.polylines.retain(|polyline| polyline.is_closed);
    broken.polylines.push(Polyline {
        points: Vec::new(),
        is_closed: true,
    });
    broken.polylines[0].points[1].edge_ends = [Vec3::NAN, Vec3::X];
    assert_eq!((broken.loops().len(), broken.area()), (1, None));
    broken.polylines[0].points[1].point.x = f32::INFINITY;
    assert_eq!(broken.loops(), []);
    assert!(broken.to_svg().starts_with("<svg"));
    let wall = Triangle::new([0.0; 3], [4.0, 0.0, 0.0], [0.0, 0.0, 4.0]);
    let svg = at_height(&[wall], 1.0).to_svg();
    assert!(svg.contains("fill=\"none\" d=\"M0 0L3 0\""), "{svg}");
}

#[test]
fn areas_have_their_sign_at_any_size_and_distance() {
    let far = 3e7f32;
    let step = far.next_up() - far;
    for (low, high) in [
        ([far, far], [far + step, far + step]),
        ([0.0, 0.0], [1e-45, 1e-45]),
        ([-f32::MAX, -1e-45], [f32::MAX, 1e-45]),
        ([1.0, 1.0], [1.0f32.next_up(), 1.0f32.next_up()]),
    ] {
        let outline = [low, [high[0], low[1]], high, [low[0], high[1]]];
        let [width, height] = [0, 1].map(|i| f64::from(high[i]) - f64::from(low[i]));
        let section = at_height(&tube(&outline), 0.3);
        let area = section.area().unwrap();
        let off = (area / (width * height) - 1.0).abs();
        assert!(off < 1e-12, "{low:?} {high:?}: {area:e}");
    }
}

#[test]
fn many_loops_are_nested_quickly() {
    // A plate with holes, each with a pin in it.
    let mut triangles = tube(&square(0.0, 0.0, 1000.0));
    let places =
        (0..80).flat_map(|x| (0..80).map(move |y| [x, y].map(|i| i as f32 * 20.0 - 790.0)));
    for [x, y] in places.clone() {
        triangles.extend(tube(&square(x, y, 8.0)));
        triangles.extend(tube(&square(x, y, 4.0)));
    }
    let section = at_height(&triangles, 0.5);
    let loops = section.loops();
    assert_eq!(loops.len(), 1 + 2 * 6400);
    assert!(
        loops[1..]
            .chunks(2)
            .enumerate()
            .all(|(i, pair)| { (pair[0].parent, pair[1].parent) == (Some(0), Some(2 * i + 1)) })
    );
    assert_eq!(section.area(), Some(4e6 - 6400.0 * (256.0 - 64.0)));
}

#[test]
fn equal_loops_lie_in_each_other_by_their_numbers() {
    let outline = square(0.25, 0.5, 2.0);
    let section = at_height(&tube(&outline).repeat(1001), 0.5);
    let loops = section.loops();
    assert_eq!(loops.len(), 1001);
    assert!(
        loops
            .iter()
            .enumerate()
            .all(|(at, of)| { (of.area, of.parent, of.depth) == (16.0, at.checked_sub(1), at) })
    );
    assert_eq!(section.area(), Some(16.0));
}
