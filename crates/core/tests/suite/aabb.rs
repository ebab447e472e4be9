//! Ray against box: the five rays of the classic figure, and the cases that other projects test,
//! with the answers of exact arithmetic. `A` numbers identify a case by its source.

use estoc_core::{Aabb, Ray, Span};
use std::f32::consts::FRAC_1_SQRT_2 as DIAGONAL_2;
use std::ops::RangeInclusive;

const INF: f32 = f32::INFINITY;
/// A component of the direction (1, 1, 1) of length 1.
const DIAGONAL_3: f32 = 0.577_350_26;

/// Opposite corners.
type Corners = ([f32; 3], [f32; 3]);
const CUBE: Corners = ([-1.0; 3], [1.0; 3]);

/// The expected answers for one box and one ray.
#[derive(Clone, Copy)]
enum Expect {
    Miss,
    /// Entry and exit of the slabs, then the first parameter in the solid box and on its surface
    /// (`None`: the interval ends inside).
    Hit(f32, f32, f32, Option<f32>),
}
use Expect::{Hit, Miss};

#[derive(Clone, Copy)]
struct Row {
    source: &'static str,
    corners: Corners,
    origin: [f32; 3],
    dir: [f32; 3],
    interval: (f32, f32),
    expect: Expect,
}

const FORWARD: RangeInclusive<f32> = 0.0..=INF;

const fn row(
    source: &'static str,
    corners: Corners,
    origin: [f32; 3],
    dir: [f32; 3],
    interval: RangeInclusive<f32>,
    expect: Expect,
) -> Row {
    let interval = (*interval.start(), *interval.end());
    Row {
        source,
        corners,
        origin,
        dir,
        interval,
        expect,
    }
}

impl Row {
    fn ray(&self) -> Ray {
        Ray::new(self.origin, self.dir).with_interval(self.interval.0, self.interval.1)
    }

    fn check(&self) {
        let bounds = Aabb::try_new(self.corners.0, self.corners.1).expect(self.source);
        let ray = self.ray();
        let (slab, solid, surface) = match self.expect {
            Miss => (None, None, None),
            Hit(entry, exit, solid, surface) => (Some(Span { entry, exit }), Some(solid), surface),
        };
        let case = format!("{}: {bounds:?} {ray:?}", self.source);
        assert_eq!(bounds.slab(&ray), slab, "slab, {case}");
        assert_eq!(bounds.enter_solid(&ray), solid, "solid, {case}");
        assert_eq!(bounds.enter_surface(&ray), surface, "surface, {case}");
        // None of these boxes is so close to a miss that outward rounding may accept it.
        assert_eq!(bounds.may_hit(&ray), slab.is_some(), "may_hit, {case}");
    }
}

/// Kay and Kajiya 1986, in the plane z = 0 of a box that is 4 wide and 2 high.
#[test]
#[rustfmt::skip]
fn five_rays_of_the_classic_figure() {
    const BOX: Corners = ([2.0, 1.0, -1.0], [6.0, 3.0, 1.0]);
    for row in [
        // x from 0.5 to 2.5, y from 3 to 5.
        row("1 disjoint intervals", BOX, [1.0, -2.0, 0.0], [2.0, 1.0, 0.0], FORWARD, Miss),
        row("2 parallel, outside", BOX, [0.0, 4.0, 0.0], [1.0, 0.0, 0.0], FORWARD, Miss),
        // x from -1 to 1, y from -2 to 2.
        row("3 from inside", BOX, [4.0, 2.0, 0.0], [2.0, 0.5, 0.0], FORWARD, Hit(-1.0, 1.0, 0.0, Some(1.0))),
        // x from 2 to 6, y from 1 to 5.
        row("4 overlap", BOX, [0.0, 0.5, 0.0], [1.0, 0.5, 0.0], FORWARD, Hit(2.0, 5.0, 2.0, Some(2.0))),
        row("5 parallel, inside", BOX, [0.0, 2.0, 0.0], [1.0, 0.0, 0.0], FORWARD, Hit(2.0, 6.0, 2.0, Some(2.0))),
        row("the box behind", BOX, [7.0, 2.0, 0.0], [1.0, 0.0, 0.0], FORWARD, Miss),
    ] {
        row.check();
    }
}

#[rustfmt::skip]
const OUTSIDE_CASES: &[Row] = &[
    row("A1 three.js intersectBox", CUBE, [-2.0, 0.0, 0.0], [1.0, 0.0, 0.0], FORWARD, Hit(1.0, 3.0, 1.0, Some(1.0))),
    row("A2 three.js intersectBox", CUBE, [-2.0, 0.0, 0.0], [-1.0, 0.0, 0.0], FORWARD, Miss),
    row("A3 three.js intersectBox, inside", CUBE, [0.0; 3], [1.0, 0.0, 0.0], FORWARD, Hit(-1.0, 1.0, 0.0, Some(1.0))),
    row("A4 three.js intersectBox", CUBE, [0.0, 2.0, 1.0], [0.0, -DIAGONAL_2, -DIAGONAL_2], FORWARD,
        Hit(1.0 / DIAGONAL_2, 2.0 / DIAGONAL_2, 1.0 / DIAGONAL_2, Some(1.0 / DIAGONAL_2))),
    row("A5 three.js intersectBox, along an edge", CUBE, [1.0, -2.0, 1.0], [0.0, 1.0, 0.0], FORWARD, Hit(1.0, 3.0, 1.0, Some(1.0))),
    row("A6 three.js intersectBox", CUBE, [1.0, -2.0, 0.0], [0.0, -1.0, 0.0], FORWARD, Miss),
    // svenstaro/bvh calls A7 a miss; boxes are closed, so both rays run in a face.
    row("A7 bvh test_in_plane_ray_slice, x", ([-0.5; 3], [0.5; 3]), [0.0, 0.0, -0.5], [1.0, 0.0, 0.0], FORWARD, Hit(-0.5, 0.5, 0.0, Some(0.5))),
    row("A7 bvh test_in_plane_ray_slice, z", ([-0.5; 3], [0.5; 3]), [0.0, 0.5, 0.0], [0.0, 0.0, 1.0], FORWARD, Hit(-0.5, 0.5, 0.0, Some(0.5))),
    row("A8 bvh ray_hits_zero_depth_aabb", ([-1.0, -1.0, 1.0], [1.0; 3]), [0.0; 3], [0.0, 0.0, 1.0], FORWARD, Hit(1.0, 1.0, 1.0, Some(1.0))),
    // bvh expects 12.3034 within 0.01; the exit is at 12.295670.
    row("A9 bvh test_ray_slice_distance_accuracy", ([-6.0, -8.0, -5.0], [-3.0, -4.0, 5.0]), [2.0; 3],
        [-0.469_208_66, -0.813_294_4, -0.344_086_3], FORWARD, Hit(10.656_239_5, 12.295_670_5, 10.656_239_5, Some(10.656_239_5))),
    row("A9 with the direction as given", ([-6.0, -8.0, -5.0], [-3.0, -4.0, 5.0]), [2.0; 3],
        [-5.0, -8.66666, -3.666666], FORWARD, Hit(1.0, 1.153_847, 1.0, Some(1.0))),
    row("A10 bvh test_parallel_ray_slice", ([-50.5, -50.5, -25.5], [-49.5, -49.5, -24.5]), [-50.0; 3], [1.0, 0.0, 0.0], FORWARD, Miss),
    row("A11 bevy raycast3d", CUBE, [0.0, -5.0, 0.0], [0.0, 1.0, 0.0], 0.0..=90.0, Hit(4.0, 6.0, 4.0, Some(4.0))),
    row("A11 bevy raycast3d", CUBE, [0.0, 5.0, 0.0], [0.0, -1.0, 0.0], 0.0..=90.0, Hit(4.0, 6.0, 4.0, Some(4.0))),
    row("A12 bevy raycast3d", ([-2.0, 1.0, -2.0], [2.0, 5.0, 2.0]), [0.0; 3], [0.0, 1.0, 0.0], 0.0..=90.0, Hit(1.0, 5.0, 1.0, Some(1.0))),
    row("A12 bevy raycast3d", ([0.99, 0.99, -0.01], [1.01, 1.01, 0.01]), [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], 0.0..=1.0, Hit(0.99, 1.01, 0.99, Some(0.99))),
    row("A12 bevy raycast3d", ([-2.0, 3.0, -2.0], [2.0, 7.0, 2.0]), [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], 0.0..=90.0, Hit(3.0, 7.0, 3.0, Some(3.0))),
    // The ray only touches the edge y = 1, z = 1: with the given decimals, at t = sqrt(3).
    row("A13 bevy raycast3d", ([-1.0, 1.0, -1.0], [1.0, 3.0, 1.0]), [-0.001, 0.0, 0.0], [DIAGONAL_3; 3], 0.0..=90.0,
        Hit(1.0 / DIAGONAL_3, 1.0 / DIAGONAL_3, 1.0 / DIAGONAL_3, Some(1.0 / DIAGONAL_3))),
    row("A14 bevy raycast3d, beside", ([-1.0, 1.0, -1.0], [1.0, 3.0, 1.0]), [0.0; 3], [1.0, 0.0, 0.0], 0.0..=90.0, Miss),
    row("A14 bevy raycast3d, past the edge", ([-1.0, 1.0, -1.0], [1.0, 3.0, 1.0]), [0.0; 3], [0.579_27, 0.573_48, 0.579_27], 0.0..=90.0, Miss),
    row("A14 bevy raycast3d, too short", ([-1.0, 1.0, -1.0], [1.0, 3.0, 1.0]), [0.0; 3], [0.0, 1.0, 0.0], 0.0..=0.5, Miss),
    // Godot's two rays with a zero direction are undefined here, see `undefined_rays_miss`.
    row("A16 Godot test_aabb", GODOT, [-100.0, 3.0, 0.0], [1.0, 0.0, 0.0], FORWARD, Hit(98.5, 102.5, 98.5, Some(98.5))),
    row("A16 Godot test_aabb", GODOT, [10.0, 10.0, 0.0], [0.0, 1.0, 0.0], FORWARD, Miss),
    row("A16 Godot test_aabb", GODOT, [1.0; 3], [0.0, 1.0, 0.0], FORWARD, Hit(1.0, 6.0, 1.0, Some(1.0))),
    row("A16 Godot test_aabb", GODOT, [-10.0, 0.0, 0.0], [-1.0, 0.0, 0.0], FORWARD, Miss),
    row("A16 Godot test_aabb", GODOT, [0.0; 3], [1.0; 3], FORWARD, Hit(2.0, 2.5, 2.0, Some(2.0))),
    row("A16 Godot test_aabb, at a corner", GODOT, [-1.5, 2.0, -2.5], [-1.0, 0.0, 0.0], FORWARD, Hit(-4.0, 0.0, 0.0, Some(0.0))),
];

const GODOT: Corners = ([-1.5, 2.0, -2.5], [2.5, 7.0, 3.5]);

#[test]
fn cases_of_other_projects() {
    for row in OUTSIDE_CASES {
        row.check();
    }
}

#[test]
#[rustfmt::skip]
fn intervals_are_closed_and_may_lie_anywhere() {
    let (o, d) = ([-3.0, 0.0, 0.0], [2.0, 0.0, 0.0]); // enters at 1, leaves at 2
    let below = |x: f32| x.next_down();
    let above = |x: f32| x.next_up();
    for row in [
        row("whole line", CUBE, o, d, -INF..=INF, Hit(1.0, 2.0, 1.0, Some(1.0))),
        row("ends at the entry", CUBE, o, d, 0.0..=1.0, Hit(1.0, 2.0, 1.0, Some(1.0))),
        row("ends before the entry", CUBE, o, d, 0.0..=0.5, Miss),
        row("starts at the entry", CUBE, o, d, 1.0..=9.0, Hit(1.0, 2.0, 1.0, Some(1.0))),
        row("starts inside", CUBE, o, d, above(1.0)..=9.0, Hit(1.0, 2.0, above(1.0), Some(2.0))),
        row("starts at the exit", CUBE, o, d, 2.0..=9.0, Hit(1.0, 2.0, 2.0, Some(2.0))),
        row("starts behind the exit", CUBE, o, d, 2.5..=9.0, Miss),
        row("starts and ends inside", CUBE, o, d, 1.25..=1.75, Hit(1.0, 2.0, 1.25, None)),
        row("ends at the exit", CUBE, o, d, 1.25..=2.0, Hit(1.0, 2.0, 1.25, Some(2.0))),
        row("ends just inside", CUBE, o, d, 1.25..=below(2.0), Hit(1.0, 2.0, 1.25, None)),
        row("a moment at the entry", CUBE, o, d, 1.0..=1.0, Hit(1.0, 2.0, 1.0, Some(1.0))),
        row("a moment at the exit", CUBE, o, d, 2.0..=2.0, Hit(1.0, 2.0, 2.0, Some(2.0))),
        row("behind the origin", CUBE, [3.0, 0.0, 0.0], d, -9.0..=0.0, Hit(-2.0, -1.0, -2.0, Some(-2.0))),
        row("a negative t_min, inside", CUBE, [0.0; 3], d, -0.25..=INF, Hit(-0.5, 0.5, -0.25, Some(0.5))),
        row("a negative t_min, before the entry", CUBE, [0.0; 3], d, -0.75..=INF, Hit(-0.5, 0.5, -0.5, Some(-0.5))),
        row("the end of all numbers", CUBE, o, d, INF..=INF, Miss),
        row("their beginning", CUBE, o, d, -INF..=-INF, Miss),
    ] {
        row.check();
    }
    // Slabs are exact before they are rounded: 1/3 lies below its nearest f32 and above the
    // previous one, so an interval that starts at the rounded exit starts too late.
    let third = 1.0f32 / 3.0;
    assert!(f64::from(third) > 1.0 / 3.0);
    let bounds = Aabb::try_new([0.0; 3], [1.0; 3]).unwrap();
    let exits = |t_min| bounds.slab(&Ray::new([0.0, 0.5, 0.5], [3.0, 0.0, 0.0]).with_interval(t_min, INF));
    assert_eq!(exits(below(third)), Some(Span { entry: 0.0, exit: third }));
    assert_eq!(exits(third), None);
}

/// A15 (bevy raycast3d, inside): the solid box is entered at 0, its surface is hit at the exit.
#[test]
fn from_inside_the_solid_answer_is_zero() {
    let bounds = Aabb::try_new([-0.5; 3], [1.5; 3]).unwrap();
    for origin in [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0; 3], [0.0; 3]] {
        for (axis, way) in (0..3).flat_map(|axis| [(axis, 1.0f32), (axis, -1.0)]) {
            for t_max in [0.0, 1.0, 900.0] {
                let mut dir = [0.0; 3];
                dir[axis] = way;
                let ray = Ray::new(origin, dir).with_interval(0.0, t_max);
                assert_eq!(bounds.enter_solid(&ray), Some(0.0), "{ray:?}");
                let exit = if way > 0.0 {
                    1.5 - origin[axis]
                } else {
                    0.5 + origin[axis]
                };
                let surface = (exit <= t_max).then_some(exit);
                assert_eq!(bounds.enter_surface(&ray), surface, "{ray:?}");
            }
        }
    }
}

#[test]
#[rustfmt::skip]
fn flat_boxes_lines_and_points_are_boxes() {
    let point = ([2.0; 3], [2.0; 3]);
    let line = ([2.0, 0.0, 0.0], [2.0, 4.0, 0.0]);
    let sheet = ([2.0, 0.0, 0.0], [2.0, 4.0, 4.0]);
    for row in [
        row("a point, along the diagonal", point, [0.0; 3], [1.0; 3], FORWARD, Hit(2.0, 2.0, 2.0, Some(2.0))),
        row("a point, from itself", point, [2.0; 3], [1.0, -0.0, 0.0], FORWARD, Hit(0.0, 0.0, 0.0, Some(0.0))),
        row("a point, just missed", point, [0.0; 3], [1.0, 1.0, 1.0f32.next_up()], FORWARD, Miss),
        row("a line, across", line, [0.0; 3], [1.0, 2.0, 0.0], FORWARD, Hit(2.0, 2.0, 2.0, Some(2.0))),
        row("a line, along it", line, [2.0, -1.0, 0.0], [0.0, 1.0, 0.0], FORWARD, Hit(1.0, 5.0, 1.0, Some(1.0))),
        row("a line, past its end", line, [0.0; 3], [1.0, 2.0f32.next_up(), 0.0], FORWARD, Miss),
        row("a sheet, at a corner", sheet, [1.0, 5.0, 5.0], [1.0, -1.0, -1.0], FORWARD, Hit(1.0, 1.0, 1.0, Some(1.0))),
        row("a sheet, in it", sheet, [2.0, -1.0, 1.0], [0.0, 1.0, 0.0], FORWARD, Hit(1.0, 5.0, 1.0, Some(1.0))),
        row("a sheet, beside it", sheet, [2.0f32.next_up(), -1.0, 1.0], [0.0, 1.0, 0.0], FORWARD, Miss),
    ] {
        row.check();
    }
}
