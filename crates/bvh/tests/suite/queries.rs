//! Ray queries on whole meshes, through brute force and trees at once: the cases that other
//! projects test, with the answers of exact arithmetic. `M` numbers identify a case by its source.

use crate::common::{Both, Name, Rng, Shape};
use estoc_core::{Cull, QueryOptions, Ray};
use estoc_testkit::conformance::Effort;

const DOWN: [f32; 3] = [0.0, 0.0, -1.0];
const UP: [f32; 3] = [0.0, 0.0, 1.0];

fn unit_box() -> Shape {
    Shape::cuboid([0.0; 3], [1.0; 3])
}

/// M1, M2 (Open3D count_intersections, list_intersections): the first two rays run through the
/// diagonals of two faces, but cross the surface once at each.
#[test]
fn a_box_is_crossed_twice_through_diagonals_too() {
    let both = Both::new(&unit_box());
    for (source, origin, dir, expected) in [
        ("M1", [0.5, 0.5, -1.0], UP, vec![1.0, 2.0]),
        ("M1", [0.5, 0.5, 0.5], UP, vec![0.5]),
        ("M1", [10.0; 3], [1.0, 0.0, 0.0], vec![]),
        (
            "through a corner and the opposite one",
            [-1.0; 3],
            [1.0; 3],
            vec![1.0, 2.0],
        ),
        (
            "through two edges",
            [-1.0, -1.0, 0.25],
            [1.0, 1.0, 0.0],
            vec![1.0, 2.0],
        ),
        (
            "past the edge",
            [-1.0, 1.0f32.next_up(), 0.25],
            [1.0, 0.0, 0.0],
            vec![],
        ),
    ] {
        let ray = Ray::new(origin, dir);
        assert_eq!(both.ask(&ray).crossed_at(), expected, "{source}: {ray:?}");
    }
    // A ray that touches an edge or a face only from outside crosses an even number of times.
    for (origin, dir) in [
        ([-1.0, 1.0, 0.25], [1.0, 0.0, 0.0]),  // in a face
        ([-1.0, 1.0, 0.0], [1.0, 0.0, 0.0]),   // along an edge
        ([-1.0, 2.0, 0.25], [1.0, -1.0, 0.0]), // over an edge
        ([-1.0, 2.0, 1.0], [1.0, -1.0, 0.0]),  // over a corner
    ] {
        let ray = Ray::new(origin, dir);
        assert_eq!(both.ask(&ray).crossings.len() % 2, 0, "{ray:?}");
    }
}

/// M3 (Open3D lots_of_count_intersections): random rays, counts compared with lists.
#[test]
fn counts_are_the_lengths_of_lists() {
    let both = Both::new(&unit_box());
    let mut rng = Rng::new(123);
    let (mut crossed, rays) = (0, if Effort::is_long() { 1_234_567 } else { 12_345 });
    for _ in 0..rays {
        let ray = Ray::new(rng.vec(0.0, 1.0), rng.vec(-1.0, 1.0));
        let answers = both.ask(&ray);
        assert_eq!(
            answers.crossings.len(),
            1,
            "every origin is inside: {ray:?}"
        );
        crossed += answers.crossings.len();
    }
    assert_eq!(crossed, rays);
}

/// M5, M7 (Open3D#5105), M22 (trimesh contains).
#[test]
fn inside_and_outside_of_boxes() {
    let unit = Both::new(&unit_box());
    for (point, inside) in [
        ([0.5, 0.5, 0.5], true),
        ([-0.5, -0.5, -0.5], false),
        ([0.0, 0.0, 0.0], true), // on the surface counts as inside
        ([1.0, 0.5, 0.0], true),
        ([1.0f32.next_up(), 0.5, 0.5], false),
        ([1.0f32.next_down(), 0.5, 0.5], true),
        ([-1.0, -1.0, 0.0], false),
        ([-1.0, -1.0, -1.0], false),
        ([-1.0, 1.0, 1.0], false), // the ray that decides runs along an edge
        ([-1.0, 0.0, 0.5], false), // ... in a face
        ([-1.0, 0.5, 0.5], false), // ... through diagonals
        ([f32::NAN, 0.5, 0.5], false),
        ([f32::INFINITY, 0.5, 0.5], false),
    ] {
        assert_eq!(unit.contains(point), Some(inside), "{point:?}");
    }

    let cube = Both::new(&Shape::cuboid([-1.0; 3], [1.0; 3]));
    let cavity = Shape::cuboid([-1.0; 3], [1.0; 3]).with(&Shape::cuboid([-0.1; 3], [0.1; 3]));
    let cavity = Both::new(&cavity);
    let mut rng = Rng::new(22);
    for _ in 0..500 {
        // A point on the surface, moved inwards and outwards.
        let mut point = rng.vec(-1.0, 1.0);
        point[rng.below(3) as usize] = rng.pick(&[-1.0, 1.0]);
        assert_eq!(
            cube.contains(point),
            Some(true),
            "on the surface: {point:?}"
        );
        assert_eq!(
            cube.contains(point.map(|x| x / 1.5)),
            Some(true),
            "{point:?} / 1.5"
        );
        assert_eq!(
            cube.contains(point.map(|x| x * 1.5)),
            Some(false),
            "{point:?} * 1.5"
        );
        assert_eq!(
            cavity.contains(point.map(|x| x * 0.05)),
            Some(false),
            "in the cavity"
        );
        assert_eq!(
            cavity.contains(point.map(|x| x * 0.5)),
            Some(true),
            "around it"
        );
    }
    assert_eq!(cavity.contains([0.0; 3]), Some(false));

    let mut open = unit_box();
    open.faces.pop();
    assert_eq!(
        Both::new(&open).contains([0.5; 3]),
        None,
        "an open box has no inside"
    );
}

/// M6 (Open3D#5669): 6^3 points over 1.1 times the bounds of a sphere of 20 by 40; M22, the sphere.
#[test]
fn inside_and_outside_of_a_sphere() {
    let sphere = Both::new(&Shape::sphere(0.8, 40, 20, false));
    let places = [-0.88, -0.528, -0.176, 0.176, 0.528, 0.88f32];
    let mut inside = 0;
    for (i, j, k) in (0..216).map(|n| (n / 36, n / 6 % 6, n % 6)) {
        // All but the outermost layer, without the eight corners of the rest.
        let inner = [i, j, k].iter().all(|n| (1..5).contains(n));
        let corner = [i, j, k].iter().all(|n| [1, 4].contains(n));
        let point = [places[i], places[j], places[k]];
        assert_eq!(sphere.contains(point), Some(inner && !corner), "{point:?}");
        inside += usize::from(inner && !corner);
    }
    assert_eq!(inside, 56);

    // The least distance from the centre to a chord of 9 degrees by 9 is above 0.8 cos^2 4.5.
    let mut rng = Rng::new(6);
    for _ in 0..500 {
        let dir = rng.vec(-1.0, 1.0);
        let length = dir.iter().map(|x| x * x).sum::<f32>().sqrt();
        let at = |radius: f32| dir.map(|x| x / length * radius);
        assert_eq!(
            sphere.contains(at(0.8 * 0.9938 * 0.995)),
            Some(true),
            "{dir:?}"
        );
        assert_eq!(sphere.contains(at(0.8 * 1.005)), Some(false), "{dir:?}");
    }
}

/// M11 (trimesh test_on_vertex): from the centre to each corner, exactly one crossing.
#[test]
fn corners_of_a_box_are_hit_once() {
    let shape = Shape::cuboid([-1.0; 3], [1.0; 3]);
    let both = Both::new(&shape);
    for corner in &shape.positions {
        let answers = both.ask(&Ray::new([0.0; 3], *corner));
        assert_eq!(answers.crossed_at(), [1.0], "{corner:?}");
        // Three faces meet there; each has one or two triangles at the corner.
        assert!((3..=6).contains(&answers.hits.len()), "{corner:?}");
    }
}

/// M13 (trimesh test_box): a grid of parallel rays over a cube and slightly beyond.
#[test]
fn a_grid_of_rays_over_a_cube() {
    let both = Both::new(&Shape::cuboid([-0.5; 3], [0.5; 3]));
    let place = |i: u8| -0.52 + 1.04 * f32::from(i) / 99.0;
    for (x, y) in (0..100).flat_map(|i| (0..100).map(move |j| (place(i), place(j)))) {
        let ray = Ray::new([x, y, -100.0], UP);
        let inside = x.abs() <= 0.5 && y.abs() <= 0.5;
        let expected: &[f32] = if inside { &[99.5, 100.5] } else { &[] };
        assert_eq!(both.ask(&ray).crossed_at(), expected, "{ray:?}");
    }
}

/// M15 (trimesh test_embree_duplicate_hits, trimesh#2504): from the top of a box cut into many
/// triangles, down through vertices, edges and faces, the surface is crossed twice at every size.
#[test]
fn crossings_are_not_doubled_at_any_scale() {
    let cut = Shape::cuboid([-0.5; 3], [0.5; 3]).subdivided().subdivided();
    for scale in [1e-4, 0.1, 1.0, 10.0, 1e4, 1e8] {
        let both = Both::new(&cut.clone().scaled(scale));
        let half = 0.5 * scale;
        let mut rng = Rng::new(15);
        for case in 0..100 {
            // On vertices and edges of the triangles in one of two cases.
            let mut place = || match case % 2 {
                0 => (rng.integer(-3, 3) / 8.0) * scale,
                _ => rng.between(-0.5, 0.5) * scale,
            };
            let ray = Ray::new([place(), place(), half], DOWN);
            assert_eq!(
                both.ask(&ray).crossed_at(),
                [0.0, 2.0 * half],
                "scale {scale}: {ray:?}"
            );
        }
    }
    // A box of 1e-3, seen from 1e4 away, through its middle vertices.
    let both = Both::new(&cut.scaled(1e-3));
    let ray = Ray::new([0.0, 0.0, 1e4], DOWN);
    let answers = both.ask(&ray);
    assert_eq!(answers.crossings.len(), 2);
    assert_ne!(answers.crossings[0].number(), answers.crossings[1].number());
    let half = f64::from(5e-4f32);
    assert_eq!(
        answers.crossed_at(),
        [-half, half].map(|z| (1e4 + z) as f32)
    );
}

/// T15 (libigl ray_mesh_intersect): a triangle, and a fan whose centre a ray hits exactly or
/// nearly.
#[test]
fn a_fan_is_met_at_its_middle() {
    let one = Both::new(&Shape::soup([[[0.0; 3], [1.0, 0.0, 0.0], [0.5, 1.0, 0.0]]]));
    let answers = one.ask(&Ray::new([0.5, 0.5, -1.0], UP));
    assert_eq!((answers.hits.len(), answers.crossed_at()), (1, vec![1.0]));

    let rim = [
        [-1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [1.0, 0.0, 0.0],
        [0.0, -1.0, 0.0f32],
    ];
    let fan = Both::new(&Shape::soup(
        (0..4).map(|i| [[0.0; 3], rim[(i + 1) % 4], rim[i]]),
    ));
    for (e, touched) in [(0.0, 4), (1e-5, 1), (-1e-5, 1)] {
        let answers = fan.ask(&Ray::new([e, e, 1.0 + e], DOWN));
        assert_eq!(answers.hits.len(), touched, "offset {e}");
        assert_eq!(answers.crossings.len(), 1, "offset {e}");
    }
}

/// T9 (three-mesh-bvh geometryUtils), T13 (parry culling) and T16 (trimesh#2462), with trees.
#[test]
fn single_triangles_in_trees() {
    let sliver = Both::new(&Shape::soup([[
        [2.0, 0.0, 0.0],
        [0.0; 3],
        [1.0, 1e-15, 0.0],
    ]]));
    let hits = sliver.ask(&Ray::new([0.0, 0.0, 1.0], DOWN)).hits;
    let [hit] = hits[..] else { panic!("{hits:?}") };
    assert_eq!((hit.t, hit.u, hit.v), (1.0, 1.0, 0.0));

    let corner = Both::new(&Shape::soup([[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]]));
    for (dir, cull, expected) in [
        (UP, Cull::Front, true),
        (UP, Cull::Back, false),
        (DOWN, Cull::Front, false),
        (DOWN, Cull::Back, true),
    ] {
        let ray = Ray::new([0.0, 0.0, -dir[2]], dir);
        let options = QueryOptions::new().cull(cull);
        assert_eq!(
            corner.closest_with(&ray, &options).is_some(),
            expected,
            "{dir:?} {cull:?}"
        );
    }

    let rectangle = Shape::plane([0.0; 3], [0.1, 0.0, 0.0], [0.0, 0.3, 0.0], [1, 1]);
    let answers = Both::new(&rectangle).ask(&Ray::new([-0.5, 0.1, 0.0], [1.0, 0.0, 0.0]));
    assert_eq!(answers.hits, [], "a ray in the plane does not hit");
}
