//! Woo's box test: the classic cases with points and normals, and those of other projects. `A`
//! numbers identify a case by its source.

use estoc_core::{Aabb, BoxFace, BoxHit, Ray};
use std::f32::consts::FRAC_1_SQRT_2 as DIAGONAL_2;

const INF: f32 = f32::INFINITY;
/// A component of the direction (1, 1, 1) of length 1.
const DIAGONAL_3: f32 = 0.577_350_26;

type Corners = ([f32; 3], [f32; 3]);
const CUBE: Corners = ([-1.0; 3], [1.0; 3]);
const GODOT: Corners = ([-1.5, 2.0, -2.5], [2.5, 7.0, 3.5]);

#[derive(Clone, Copy)]
enum Expect {
    Miss,
    /// Parameter, point, and the face entered: its axis, and whether it is the upper one.
    Enter(f32, [f32; 3], usize, bool),
    /// Starts inside: the reversed direction, of length 1.
    Inside([f32; 3]),
}
use Expect::{Enter, Inside, Miss};

fn expected(ray: &Ray, expect: Expect) -> Option<BoxHit> {
    match expect {
        Miss => None,
        Enter(t, point, axis, is_max) => {
            let mut normal = [0.0; 3];
            normal[axis] = if is_max { 1.0 } else { -1.0 };
            Some(BoxHit {
                t,
                point: point.into(),
                normal: normal.into(),
                face: Some(BoxFace { axis, is_max }),
            })
        }
        Inside(normal) => Some(BoxHit {
            t: ray.t_min,
            point: ray.at(ray.t_min),
            normal: normal.into(),
            face: None,
        }),
    }
}

fn check_within(source: &str, (min, max): Corners, ray: Ray, expect: Expect) {
    let bounds = Aabb::try_new(min, max).expect(source);
    let found = bounds.woo(&ray);
    assert_eq!(
        found,
        expected(&ray, expect),
        "{source}: {bounds:?} {ray:?}"
    );
    assert_eq!(found.map(|hit| hit.t), bounds.enter_solid(&ray), "{source}");
}

fn check(source: &str, corners: Corners, origin: [f32; 3], dir: [f32; 3], expect: Expect) {
    check_within(source, corners, Ray::new(origin, dir), expect);
}

/// A box 4 wide and 2 high: below, between and above on each axis.
#[test]
#[rustfmt::skip]
fn the_candidate_faces() {
    const BOX: Corners = ([2.0, 1.0, -1.0], [6.0, 3.0, 1.0]);
    // Candidates x = 2 at t = 2 and y = 1 at t = 1: the greatest determines the face.
    check("two candidates", BOX, [0.0, 0.5, 0.0], [1.0, 0.5, 0.0], Enter(2.0, [2.0, 1.5, 0.0], 0, false));
    check("the other face", BOX, [1.0, 0.0, 0.0], [2.0, 1.0, 0.0], Enter(1.0, [3.0, 1.0, 0.0], 1, false));
    check("from above", BOX, [4.0, 5.0, 0.5], [0.0, -4.0, 0.0], Enter(0.5, [4.0, 3.0, 0.5], 1, true));
    check("from behind", BOX, [4.0, 2.0, 9.0], [0.0, 0.0, -2.0], Enter(4.0, [4.0, 2.0, 1.0], 2, true));
    check("the point lies beside", BOX, [0.0, -1.0, 0.0], [1.0, 0.5, 0.0], Enter(4.0, [4.0, 1.0, 0.0], 1, false));
    check("the point lies outside", BOX, [1.0, -2.0, 0.0], [2.0, 1.0, 0.0], Miss);
    check("points away", BOX, [0.0, 2.0, 0.0], [-1.0, 0.0, 0.0], Miss);
    check("parallel, outside", BOX, [0.0, 4.0, 0.0], [1.0, 0.0, 0.0], Miss);
    check("inside", BOX, [4.0, 2.0, 0.0], [3.0, 4.0, 0.0], Inside([-0.6, -0.8, 0.0]));
    // Given as origin and displacement, t in 0..1.
    let short = |dir| Ray::new([0.0, 2.0, 0.0], dir).with_interval(0.0, 1.0);
    check_within("stops short", BOX, short([1.5, 0.0, 0.0]), Miss);
    check_within("just reaches it", BOX, short([2.0, 0.0, 0.0]), Enter(1.0, [2.0, 2.0, 0.0], 0, false));
}

#[test]
#[rustfmt::skip]
fn edges_and_corners_go_to_the_lowest_axis() {
    check("corner", CUBE, [-2.0; 3], [1.0; 3], Enter(1.0, [-1.0; 3], 0, false));
    check("corner", CUBE, [2.0, 2.0, -2.0], [-1.0, -1.0, 1.0], Enter(1.0, [1.0, 1.0, -1.0], 0, true));
    check("edge y, z", CUBE, [0.0, 3.0, -3.0], [0.0, -2.0, 2.0], Enter(1.0, [0.0, 1.0, -1.0], 1, true));
    check("edge x, z", CUBE, [-3.0, 0.5, -3.0], [2.0, 0.0, 2.0], Enter(1.0, [-1.0, 0.5, -1.0], 0, false));
    check("past the edge by the least step", CUBE, [-3.0, 0.0, -3.0], [2.0, 0.0, 2.0f32.next_down()],
        Enter(1.0f32.next_up(), [f32::EPSILON - 1.0, 0.0, -1.0], 2, false));
    check("only touches an edge", CUBE, [-2.0, 0.0, 0.0], [1.0, 0.0, 1.0], Enter(1.0, [-1.0, 0.0, 1.0], 0, false));
    check("only touches a corner", CUBE, [-2.0, 2.0, 0.0], [1.0, -1.0, 1.0], Enter(1.0, [-1.0, 1.0, 1.0], 0, false));
    check("in a face", CUBE, [-2.0, 1.0, 0.0], [1.0, 0.0, 0.0], Enter(1.0, [-1.0, 1.0, 0.0], 0, false));
    check("on a face, outward", CUBE, [1.0, 0.0, 0.0], [2.0, 0.0, 0.0], Inside([-1.0, 0.0, 0.0]));
    check("on a face, inward", CUBE, [-1.0, 0.0, 0.0], [2.0, 0.0, 0.0], Inside([-1.0, 0.0, 0.0]));
    check("on a corner, along an edge", CUBE, [-1.0; 3], [0.0, 0.0, 7.0], Inside([0.0, 0.0, -1.0]));
    check("on a corner, outward", CUBE, [-1.0; 3], [-1.0, 0.0, 0.0], Inside([1.0, 0.0, 0.0]));
}

#[test]
#[rustfmt::skip]
fn cases_of_other_projects() {
    check("A1 three.js intersectBox", CUBE, [-2.0, 0.0, 0.0], [1.0, 0.0, 0.0], Enter(1.0, [-1.0, 0.0, 0.0], 0, false));
    check("A2 three.js intersectBox", CUBE, [-2.0, 0.0, 0.0], [-1.0, 0.0, 0.0], Miss);
    check("A4 three.js intersectBox", CUBE, [0.0, 2.0, 1.0], [0.0, -DIAGONAL_2, -DIAGONAL_2],
        Enter(1.0 / DIAGONAL_2, [0.0, 1.0, 0.0], 1, true));
    check("A5 three.js intersectBox", CUBE, [1.0, -2.0, 1.0], [0.0, 1.0, 0.0], Enter(1.0, [1.0, -1.0, 1.0], 1, false));
    check("A6 three.js intersectBox", CUBE, [1.0, -2.0, 0.0], [0.0, -1.0, 0.0], Miss);
    check("A8 bvh ray_hits_zero_depth_aabb", ([-1.0, -1.0, 1.0], [1.0; 3]), [0.0; 3], [0.0, 0.0, 1.0],
        Enter(1.0, [0.0, 0.0, 1.0], 2, false));
    let far = |origin, dir| Ray::new(origin, dir).with_interval(0.0, 90.0);
    check_within("A11 bevy raycast3d", CUBE, far([0.0, -5.0, 0.0], [0.0, 1.0, 0.0]), Enter(4.0, [0.0, -1.0, 0.0], 1, false));
    check_within("A11 bevy raycast3d", CUBE, far([0.0, 5.0, 0.0], [0.0, -1.0, 0.0]), Enter(4.0, [0.0, 1.0, 0.0], 1, true));
    let up = |origin| far(origin, [0.0, 1.0, 0.0]);
    check_within("A12 bevy raycast3d", ([-2.0, 1.0, -2.0], [2.0, 5.0, 2.0]), up([0.0; 3]), Enter(1.0, [0.0, 1.0, 0.0], 1, false));
    check_within("A12 bevy raycast3d", ([0.99, 0.99, -0.01], [1.01, 1.01, 0.01]), up([1.0, 0.0, 0.0]).with_interval(0.0, 1.0),
        Enter(0.99, [1.0, 0.99, 0.0], 1, false));
    check_within("A12 bevy raycast3d", ([-2.0, 3.0, -2.0], [2.0, 7.0, 2.0]), up([1.0, 0.0, 0.0]), Enter(3.0, [1.0, 3.0, 0.0], 1, false));
    const ABOVE: Corners = ([-1.0, 1.0, -1.0], [1.0, 3.0, 1.0]);
    // The line enters y = 1 and leaves z = 1 at the same point of an edge.
    check_within("A13 bevy raycast3d", ABOVE, far([-0.001, 0.0, 0.0], [DIAGONAL_3; 3]),
        Enter(1.0 / DIAGONAL_3, [0.999, 1.0, 1.0], 1, false));
    check_within("A14 bevy raycast3d", ABOVE, far([0.0; 3], [1.0, 0.0, 0.0]), Miss);
    check_within("A14 bevy raycast3d", ABOVE, far([0.0; 3], [0.579_27, 0.573_48, 0.579_27]), Miss);
    check_within("A14 bevy raycast3d", ABOVE, up([0.0; 3]).with_interval(0.0, 0.5), Miss);
    check("A16 Godot test_aabb", GODOT, [-100.0, 3.0, 0.0], [1.0, 0.0, 0.0], Enter(98.5, [-1.5, 3.0, 0.0], 0, false));
    check("A16 Godot test_aabb", GODOT, [10.0, 10.0, 0.0], [0.0, 1.0, 0.0], Miss);
    check("A16 Godot test_aabb", GODOT, [1.0; 3], [0.0, 1.0, 0.0], Enter(1.0, [1.0, 2.0, 1.0], 1, false));
    check("A16 Godot test_aabb", GODOT, [-10.0, 0.0, 0.0], [-1.0, 0.0, 0.0], Miss);
    check("A16 Godot test_aabb", GODOT, [0.0; 3], [1.0; 3], Enter(2.0, [2.0; 3], 1, false));
    check("A16 Godot test_aabb, at a corner", GODOT, [-1.5, 2.0, -2.5], [-1.0, 0.0, 0.0], Inside([1.0, 0.0, 0.0]));
}

/// Other projects report a hit for a zero direction when the origin is inside (Godot test_aabb,
/// parry ray_aabb); here a ray without a direction is undefined and misses.
#[test]
fn undefined_rays_and_the_empty_box_miss() {
    for (name, (min, max), origin) in [
        ("A16, inside", GODOT, [-1.0, 3.0, -2.0]),
        ("A16, outside", GODOT, [-1000.0, 3.0, -2.0]),
        ("A19", CUBE, [0.0; 3]),
    ] {
        let bounds = Aabb::try_new(min, max).unwrap();
        for zero in [0.0, -0.0] {
            assert_eq!(bounds.woo(&Ray::new(origin, [zero; 3])), None, "{name}");
        }
        let ray = Ray::new(origin, [1.0, f32::NAN, 0.0]);
        assert_eq!(bounds.woo(&ray), None, "{name}");
        let nowhere = Ray::new(origin, [1.0, 0.0, 0.0]).with_interval(1.0, 0.0);
        assert_eq!(bounds.woo(&nowhere), None, "{name}");
    }
    let ray = Ray::new([0.0; 3], [1.0, 0.0, 0.0]);
    assert_eq!(Aabb::EMPTY.woo(&ray), None);
}

/// A15 (bevy raycast3d, inside): t = 0, the normal against the direction.
#[test]
fn from_inside_the_normal_faces_the_ray() {
    let bounds = ([-0.5; 3], [1.5; 3]);
    for origin in [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0; 3], [0.0; 3]] {
        for (axis, way) in (0..3).flat_map(|axis| [(axis, 1.0f32), (axis, -1.0)]) {
            for t_max in [0.0, 1.0, 900.0] {
                let (mut dir, mut normal) = ([0.0; 3], [0.0; 3]);
                (dir[axis], normal[axis]) = (way, -way);
                let ray = Ray::new(origin, dir).with_interval(0.0, t_max);
                check_within("A15", bounds, ray, Inside(normal));
            }
        }
    }
}

#[test]
#[rustfmt::skip]
fn intervals_may_start_anywhere() {
    let ray = |t_min, t_max| Ray::new([-3.0, 0.0, 0.0], [2.0, 0.0, 0.0]).with_interval(t_min, t_max);
    let entry = Enter(1.0, [-1.0, 0.0, 0.0], 0, false);
    let back = Inside([-1.0, 0.0, 0.0]);
    check_within("whole line", CUBE, ray(-INF, INF), entry);
    check_within("just before the entry", CUBE, ray(1.0f32.next_down(), 1.0), entry);
    check_within("at the entry", CUBE, ray(1.0, 2.0), back);
    check_within("in the middle", CUBE, ray(1.5, 1.5), back);
    check_within("at the exit", CUBE, ray(2.0, INF), back);
    check_within("behind the exit", CUBE, ray(2.0f32.next_up(), INF), Miss);
    check_within("at infinity", CUBE, ray(INF, INF), Miss);
}

/// The exact point lies below the midpoint of two `f32`s by 2^-60, which `f64` cannot represent:
/// rounded twice it would be above.
#[test]
fn points_are_rounded_once() {
    let (t, step) = (
        1.0 + 2f32.powi(-18),
        2f32.powi(-24) * (1.0 - 2f32.powi(-18)),
    );
    let ray = Ray::new([1.0f32.next_up(), 0.0, 0.0], [step, 0.0, 0.0]).with_interval(t, INF);
    let hit = Aabb::try_new([-2.0; 3], [2.0; 3])
        .unwrap()
        .woo(&ray)
        .unwrap();
    assert_eq!((hit.face, hit.point.x), (None, 1.0f32.next_up()));
}

/// Lengths that square to 0 or infinity in `f32`, and numbers that overflow.
#[test]
fn sizes_do_not_matter() {
    for size in [1e-45, 1e-30, 1e30, f32::MAX] {
        let hit = |origin: [f32; 3], dir: [f32; 3]| {
            let bounds = Aabb::try_new([-1.0; 3], [1.0; 3]).unwrap();
            bounds.woo(&Ray::new(origin, dir))
        };
        let inside = hit([0.0; 3], [size, -size, size]).unwrap();
        assert_eq!(inside.normal, [-DIAGONAL_3, DIAGONAL_3, -DIAGONAL_3].into());
        let outside = hit([-2.0, 0.0, 0.0], [size, 0.0, 0.0]).unwrap();
        assert_eq!((outside.t, outside.point.x), (1.0 / size, -1.0));
    }
    // From one end of the range to the other: t overflows and the hit remains.
    let wall = ([f32::MAX, -1.0, -1.0], [f32::MAX, 1.0, 1.0]);
    check(
        "overflow",
        wall,
        [-f32::MAX, 0.0, 0.0],
        [1e-45, 0.0, 0.0],
        Enter(INF, [f32::MAX, 0.0, 0.0], 0, false),
    );
    // Zero is +0 everywhere.
    let hit = Aabb::try_new([-1.0, -0.0, -0.0], [1.0, 0.0, 0.0]).unwrap();
    let hit = hit
        .woo(&Ray::new([-2.0, -0.0, -0.0], [1.0, -0.0, 0.0]))
        .unwrap();
    for zero in [hit.point.y, hit.point.z, hit.normal.y, hit.normal.z] {
        assert_eq!(zero.to_bits(), 0);
    }
}
