//! Cases computed by hand.

use super::*;
use crate::generate::{self, Rng};
use estoc_core::{Aabb, Feature};

const INF: f32 = f32::INFINITY;
const THIRD: f32 = f32::from_bits(0x3eaa_aaab); // the nearest, a little above

fn oracle(triangles: &[[[f32; 3]; 3]]) -> Oracle {
    let make = |&[a, b, c]: &[[f32; 3]; 3]| Triangle::new(a, b, c);
    Oracle::new(triangles.iter().map(make).collect())
}

fn prims(hits: &[Hit]) -> Vec<u32> {
    hits.iter().map(|hit| hit.prim.get()).collect()
}

fn prim(index: u32) -> PrimId {
    PrimId::new(index).unwrap()
}

/// In the plane z = 1, with the right angle on the axis.
const CORNER: [[f32; 3]; 3] = [[0.0, 0.0, 1.0], [1.0, 0.0, 1.0], [0.0, 1.0, 1.0]];

/// The unit square in the plane z = 0 with the diagonal from (0, 0) to (1, 1). Triangle 0 has x >=
/// y, triangle 1 has x <= y.
const SQUARE: [[[f32; 3]; 3]; 2] = [
    [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0]],
    [[0.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]],
];

fn down_at(x: f32, y: f32) -> Ray {
    Ray::new([x, y, 4.0], [0.0, 0.0, -1.0])
}

#[test]
fn a_plain_hit_has_its_numbers() {
    let oracle = oracle(&[CORNER]);
    let ray = Ray::new([0.25, 0.5, 0.0], [0.0, 0.0, 2.0]);
    let hit = oracle.closest_hit(&ray).unwrap();
    assert_eq!((hit.t, hit.u, hit.v, hit.prim), (0.5, 0.25, 0.5, prim(0)));
    assert!(oracle.any_hit(&ray));
    assert!(!oracle.any_hit(&Ray::new([0.25, 0.5, 0.0], [0.0, 0.0, -2.0])));
    assert!(!oracle.any_hit(&Ray::new([0.75, 0.5, 0.0], [0.0, 0.0, 2.0])));
}

#[test]
fn edges_corners_and_ends_of_the_interval_count() {
    let oracle = oracle(&[CORNER]);
    let up = |x: f32, y: f32| Ray::new([x, y, 0.0], [0.0, 0.0, 2.0]);
    for (x, y) in [
        (0.0, 0.0),
        (1.0, 0.0),
        (0.0, 1.0),
        (0.5, 0.5),
        (0.5, 0.0),
        (0.0, 0.25),
    ] {
        assert!(oracle.any_hit(&up(x, y)), "{x} {y}");
    }
    let step = f32::from_bits(1);
    for (x, y) in [
        (-step, 0.5),
        (0.5, -step),
        (0.5, 0.5f32.next_up()),
        (1.0, step),
    ] {
        assert!(!oracle.any_hit(&up(x, y)), "{x} {y}");
    }
    let ray = up(0.25, 0.25);
    for (t_min, t_max, is_hit) in [
        (0.5, 0.5, true),
        (-INF, 0.5, true),
        (0.5, INF, true),
        (0.0, 0.5f32.next_down(), false),
        (0.5f32.next_up(), INF, false),
        (INF, INF, false),
        (-INF, -INF, false),
        (1.0, 0.0, false),
        (f32::NAN, 1.0, false),
    ] {
        let ray = ray.with_interval(t_min, t_max);
        assert_eq!(oracle.any_hit(&ray), is_hit, "{t_min} {t_max}");
    }
}

#[test]
fn sides_go_by_the_normal() {
    // The normal is +z, so a ray upwards sees the back.
    let oracle = oracle(&[CORNER]);
    let up = Ray::new([0.25, 0.25, 0.0], [0.0, 0.0, 1.0]);
    let down = Ray::new([0.25, 0.25, 2.0], [0.0, 0.0, -1.0]);
    let count = |ray: &Ray, cull: Cull| {
        let options = QueryOptions::new().cull(cull);
        oracle.ask(ray).all_hits(&options).unwrap().len()
    };
    assert_eq!((count(&up, Cull::Back), count(&up, Cull::Front)), (0, 1));
    assert_eq!(
        (count(&down, Cull::Back), count(&down, Cull::Front)),
        (1, 0)
    );
    assert_eq!((count(&up, Cull::None), count(&down, Cull::None)), (1, 1));
}

#[test]
fn parallel_rays_and_triangles_without_area_miss() {
    let flat = oracle(&SQUARE);
    let in_plane = Ray::new([-1.0, 0.5, 0.0], [1.0, 0.0, 0.0]);
    let along_diagonal = Ray::new([-1.0, -1.0, 0.0], [1.0, 1.0, -0.0]);
    assert!(!flat.any_hit(&in_plane) && !flat.any_hit(&along_diagonal));
    let needle = oracle(&[
        [[0.0; 3], [2.0, 0.0, 0.0], [1.0, 0.0, 0.0]],
        [[1.0, 0.0, 0.0]; 3],
        [[f32::NAN, 0.0, 0.0], [2.0, 0.0, 0.0], [1.0, 5.0, 0.0]],
        [[INF, 0.0, 0.0], [-2.0, 0.0, 0.0], [1.0, 5.0, 0.0]],
    ]);
    assert!(!needle.any_hit(&down_at(1.0, 0.0)));
    assert!(!needle.any_hit(&down_at(0.5, 0.0)));
}

#[test]
fn decisions_use_the_exact_parameter() {
    let oracle = oracle(&[CORNER]);
    let ray = Ray::new([0.0, 0.0, 0.0], [1.0, 0.0, 3.0]);
    let hit = oracle.closest_hit(&ray).unwrap();
    assert_eq!((hit.t, hit.u, hit.v), (THIRD, THIRD, 0.0));
    // 1/3 lies between THIRD and the float below.
    let below = THIRD.next_down();
    for (t_min, t_max, is_hit) in [
        (0.0, THIRD, true),
        (0.0, below, false),
        (THIRD, INF, false),
        (below, INF, true),
        (below, THIRD, true),
        (THIRD, THIRD, false),
    ] {
        let ray = ray.with_interval(t_min, t_max);
        assert_eq!(oracle.any_hit(&ray), is_hit, "{t_min} {t_max}");
    }
}

#[test]
fn parameters_beyond_f32_are_infinite_and_hits() {
    let oracle = oracle(&[CORNER]);
    let ray = Ray::new([0.0; 3], [0.0, 0.0, f32::from_bits(1)]); // t = 2^149
    assert_eq!(oracle.closest_hit(&ray).unwrap().t, INF);
    assert!(!oracle.any_hit(&ray.with_interval(0.0, f32::MAX)));
    assert!(oracle.any_hit(&ray.with_interval(f32::MAX, INF)));
    assert!(!oracle.any_hit(&ray.with_interval(INF, INF)));
    let behind = Ray::new([0.0; 3], [0.0, 0.0, -f32::from_bits(1)]);
    let behind = behind.with_interval(-INF, 0.0);
    assert_eq!(oracle.closest_hit(&behind).unwrap().t, -INF);
}

#[test]
fn parameters_too_small_for_f32_are_positive_zero_and_not_zero() {
    let least = f32::from_bits(1);
    let oracle = oracle(&[[[0.0, 0.0, -least], [1.0, 0.0, -least], [0.0, 1.0, -least]]]);
    let ray = Ray::new([0.0; 3], [0.0, 0.0, 4.0]); // t = -2^-151
    assert!(!oracle.any_hit(&ray));
    let hit = oracle.closest_hit(&ray.with_interval(-least, INF)).unwrap();
    assert_eq!(hit.t.to_bits(), 0);
}

#[test]
fn ties_go_by_number_and_after_continues() {
    let oracle = oracle(&[CORNER, SQUARE[0], CORNER, SQUARE[1]]);
    let ray = Ray::new([0.25, 0.25, -1.0], [0.0, 0.0, 1.0]);
    let hits = oracle.all_hits(&ray);
    assert_eq!(prims(&hits), [1, 3, 0, 2]); // both halves of the square at its diagonal
    assert_eq!(oracle.all_hits(&ray).len(), 4);
    let next_on = |ray: &Ray, after: u32| {
        let options = QueryOptions::new().after(Some(prim(after)));
        oracle.ask(ray).closest_hit(&options)
    };
    let next = |after: u32| next_on(&ray, after);
    assert_eq!(next(1), Ok(Some(hits[1])));
    assert_eq!(next(3), Ok(Some(hits[2])));
    assert_eq!(next(0), Ok(Some(hits[3])));
    assert_eq!(next(2), Ok(None));
    let missed = Err(QueryError::AfterMissed { prim: prim(1) });
    let behind = ray.with_interval(1.5, INF);
    assert_eq!(next_on(&behind, 1), missed);
    let unknown = QueryError::NoSuchPrim {
        prim: prim(4),
        triangles: 4,
    };
    assert_eq!(next(4), Err(unknown));
    let options = QueryOptions::new().after(Some(prim(3))).skip(Some(prim(0)));
    assert_eq!(prims(&oracle.ask(&ray).all_hits(&options).unwrap()), [2]);
}

#[test]
fn a_shared_edge_is_touched_twice_and_crossed_once() {
    let oracle = oracle(&SQUARE);
    // The origin moves by (e, e^2), so to x > y: triangle 0.
    let middle = down_at(0.5, 0.5);
    assert_eq!(prims(&oracle.all_hits(&middle)), [0, 1]);
    assert_eq!(prims(&oracle.crossings(&middle)), [0]);
    // (0, 0) moves inside, the other corners outside.
    assert_eq!(prims(&oracle.crossings(&down_at(0.0, 0.0))), [0]);
    for (x, y, touched) in [(1.0, 0.0, 1), (1.0, 1.0, 2), (0.0, 1.0, 1)] {
        assert_eq!(oracle.all_hits(&down_at(x, y)).len(), touched, "{x} {y}");
        assert_eq!(oracle.crossings(&down_at(x, y)).len(), 0, "{x} {y}");
    }
    // In the edge y = 0 only e^2 decides: inside. In x = 1 e decides: outside.
    assert_eq!(oracle.crossings(&down_at(0.5, 0.0)).len(), 1);
    assert_eq!(oracle.crossings(&down_at(1.0, 0.5)).len(), 0);
}

#[test]
fn a_ridge_that_is_grazed_is_crossed_twice_or_not_at_all() {
    // Two slopes that meet in the x axis; the ray along y grazes them. The origin rises by e^3.
    let slopes = |height: f32| {
        let [a, b] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]];
        oracle(&[[a, b, [0.5, -1.0, height]], [a, b, [0.5, 1.0, height]]])
    };
    let ray = Ray::new([0.5, -4.0, 0.0], [0.0, 1.0, 0.0]);
    let (ridge, valley) = (slopes(-1.0), slopes(1.0));
    assert_eq!(
        (ridge.all_hits(&ray).len(), valley.all_hits(&ray).len()),
        (2, 2)
    );
    assert_eq!(ridge.crossings(&ray).len(), 0);
    assert_eq!(prims(&valley.crossings(&ray)), [0, 1]);
    assert!(valley.crossings(&ray).iter().all(|hit| hit.t == 4.0));
}

/// The cube from -1 to 1.
fn cube() -> Oracle {
    let scene = generate::scene("box", 1).unwrap();
    Oracle::new(scene.triangles)
}

#[test]
fn a_closed_surface_is_crossed_evenly() {
    let cube = cube();
    assert!(cube.is_closed());
    for (origin, dir, crossings) in [
        ([0.0, 0.0, -3.0], [0.0, 0.0, 1.0], 2),
        ([-3.0, -3.0, -3.0], [1.0, 1.0, 1.0], 2), // from corner to corner
        ([0.0, -3.0, -3.0], [0.0, 1.0, 1.0], 2),  // from edge to edge
        ([0.0, -2.0, 0.0], [0.0, 1.0, -1.0], 2),  // through an edge into the box
        ([0.0, -3.0, 1.0], [0.0, 1.0, 0.0], 0),   // in the top face: it rises
        ([0.0, -3.0, -1.0], [0.0, 1.0, 0.0], 2),  // in the bottom face: it rises
        ([0.0, -2.0, 2.0], [0.0, 1.0, 0.0], 0),
        ([0.0; 3], [1.0, 1.0, 1.0], 1),
        ([0.0; 3], [1.0, 0.0, -0.0], 1),
    ] {
        let ray = Ray::new(origin, dir);
        assert_eq!(cube.crossings(&ray).len(), crossings, "{ray:?}");
        let whole = ray.with_interval(-INF, INF);
        assert_eq!(cube.crossings(&whole).len() % 2, 0, "{ray:?}");
    }
}

#[test]
fn points_on_the_surface_are_inside() {
    let cube = cube();
    let inside = [
        [0.0; 3],
        [1.0; 3],
        [1.0, -1.0, 0.3],
        [-1.0, 0.7, -0.2],
        [0.999, 0.0, 0.0],
    ];
    for point in inside {
        assert_eq!(cube.contains(point.into()), Some(true), "{point:?}");
    }
    let beyond = 1f32.next_up();
    for point in [
        [2.0, 0.0, 0.0],
        [beyond, 1.0, 1.0],
        [-2.0, 0.0, 0.0],
        [-2.0, 1.0, 1.0],
    ] {
        assert_eq!(cube.contains(point.into()), Some(false), "{point:?}");
    }
    assert_eq!(cube.contains([f32::NAN, 0.0, 0.0].into()), Some(false));
    assert_eq!(oracle(&SQUARE).contains([0.5, 0.5, 0.0].into()), None);
    assert_eq!(oracle(&[]).contains([0.0; 3].into()), Some(false));
    // A degenerate triangle contains no point, and is closed by itself.
    let needle = oracle(&[[[0.0; 3], [1.0, 0.0, 0.0], [-0.0; 3]]]);
    assert_eq!(needle.contains([0.5, 0.0, 0.0].into()), Some(false));
}

#[test]
fn a_triangle_that_is_not_finite_is_no_part_of_the_surface() {
    let mut triangles = cube().triangles().to_vec();
    triangles.push(Triangle::new([f32::NAN; 3], [0.0; 3], [1.0; 3]));
    assert!(Oracle::new(triangles).is_closed());
}

#[test]
fn intervals_never_lose_a_hit() {
    let mut touched = 0;
    let mut rng = Rng::new(11);
    for scene in generate::scenes(4) {
        let oracle = Oracle::new(scene.triangles.iter().take(40).copied().collect());
        for ray in generate::rays(&scene, &mut rng, 20) {
            if !is_defined(&ray) {
                continue;
            }
            let line = Line::new(&ray);
            for plate in oracle.plates.iter().flatten() {
                let exact = plate.meet_exactly(&line).is_some();
                assert_eq!(plate.meet(&line).is_some(), exact, "{} {ray:?}", scene.name);
                touched += usize::from(exact);
            }
        }
    }
    assert!(touched > 1000, "{touched}");
}

#[test]
fn slabs_by_hand() {
    let unit = Aabb::try_new([-1.0; 3], [1.0; 3]).unwrap();
    let ends = |origin: [f32; 3], dir: [f32; 3]| {
        let slab = ExactSlab::new(&unit, &Ray::new(origin, dir))?;
        Some((slab.entry(), slab.exit(), slab.enter_solid()))
    };
    assert_eq!(
        ends([-3.0, 0.0, 0.0], [1.0, 0.0, 0.0]),
        Some((2.0, 4.0, 2.0))
    );
    assert_eq!(ends([0.0; 3], [0.0, 3.0, -0.0]), Some((-THIRD, THIRD, 0.0)));
    assert_eq!(
        ends([-3.0, 1.0, -1.0], [2.0, -0.0, 0.0]),
        Some((1.0, 2.0, 1.0))
    );
    assert_eq!(ends([-3.0, 1f32.next_up(), 0.0], [2.0, 0.0, 0.0]), None);
    assert_eq!(
        ends([-2.0, 0.0, 0.0], [1.0, 1.0, 0.0]),
        Some((1.0, 1.0, 1.0))
    ); // an edge
    assert_eq!(ends([3.0, 0.0, 0.0], [1.0, 0.0, 0.0]), None);
    let inside = Ray::new([0.0; 3], [1.0, 0.0, 0.0]);
    let negative_zero = ExactSlab::new(&unit, &inside.with_interval(-0.0, 1.0)).unwrap();
    assert_eq!(negative_zero.enter_solid().to_bits(), 0);
    let surface = |ray: Ray| ExactSlab::new(&unit, &ray).and_then(|slab| slab.enter_surface());
    assert_eq!(surface(inside), Some(1.0));
    assert_eq!(surface(inside.with_interval(0.0, 0.5)), None);
    assert_eq!(surface(inside.with_interval(-5.0, 0.5)), Some(-1.0));
    assert!(ExactSlab::new(&Aabb::EMPTY, &inside).is_none());
}

#[test]
fn contacts_of_moving_spheres_are_known() {
    let oracle = oracle(&[CORNER]);
    let sweep = |center: [f32; 3], velocity: [f32; 3], radius, t_max| {
        let found = oracle.sweep(&Sweep {
            center: center.into(),
            velocity: velocity.into(),
            radius,
            t_max,
        });
        found.map(|found| {
            let contact = found.contact;
            (contact.t, contact.feature, contact.is_touching_at_start)
        })
    };
    let up = [0.0, 0.0, 1.0];
    let face = Some((3.5, Feature::Face, false));
    assert_eq!(sweep([0.25, 0.25, -3.0], up, 0.5, INF), face);
    assert_eq!(sweep([0.25, 0.25, -3.0], up, 0.5, 3.5), face);
    assert_eq!(sweep([0.25, 0.25, -3.0], up, 0.5, 3.4), None);
    assert_eq!(sweep([0.25, 0.25, -3.0], up.map(|x| -x), 0.5, INF), None);
    let vertex = Some((3.0, Feature::Vertex(0), false));
    assert_eq!(sweep([-3.0, 0.0, -6.0], up, 5.0, INF), vertex);
    let edge = Some((3.0, Feature::Edge(0), false));
    assert_eq!(sweep([0.5, -3.0, -6.0], up, 5.0, INF), edge);
    // It touches at one time only.
    let grazed = Some((7.0, Feature::Vertex(0), false));
    assert_eq!(sweep([-5.0, 0.0, -6.0], up, 5.0, INF), grazed);
    assert_eq!(sweep([-5f32.next_up(), 0.0, -6.0], up, 5.0, INF), None);
    assert_eq!(
        sweep([0.25, 0.25, 0.5], up, 0.5, INF),
        Some((0.0, Feature::Face, true))
    );
    assert_eq!(sweep([0.25, 0.25, 0.0], [0.0; 3], 0.5, INF), None);
    assert_eq!(sweep([0.25, 0.25, 0.0], up, -1.0, INF), None);
}
