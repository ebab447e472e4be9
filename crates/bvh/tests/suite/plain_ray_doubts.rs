//! Plain rays that `f32` is not certain of: crowds of triangles in the plane of the ray, equal
//! triangles, and triangles in doubt before and behind certain ones. The answers are those of brute
//! force, at every level and in both layouts.

use crate::bounds::leaf_scene::{Scene, prim};
use crate::leaf_writer::LeafWriter;
use crate::plain_rays::{Subject, at_every_level};
use estoc_bvh::Bvh;
use estoc_bvh::internals::traverse::plain_ray::{leaf, ray::PlainRay};
use estoc_bvh::internals::traverse::single_walk::BoxTest;
use estoc_bvh::internals::tree::BvhInternals;
use estoc_bvh::internals::wide::{Block, WIDTH, WideTree};
use estoc_core::{BruteForce, Ray, RayQuery, Triangle};
use estoc_testkit::generate::Rng;
use fearless_simd::{Level, SimdBase};

const INF: f32 = f32::INFINITY;

/// Triangles in the plane x = y with corners by `point`, and a wall at x = 3. Some triangles stand
/// across the plane.
fn crowd(point: &mut dyn FnMut() -> [f32; 2]) -> Vec<Triangle> {
    let mut corner = || {
        let [a, b] = point();
        [a, a, b]
    };
    let mut triangles: Vec<Triangle> = (0..100)
        .map(|_| Triangle::new(corner(), corner(), corner()))
        .collect();
    triangles.push(Triangle::new(
        [3.0, -9.0, -9.0],
        [3.0, 9.0, -9.0],
        [3.0, 0.0, 18.0],
    ));
    for x in [0.25, 0.5] {
        let [a, b, c] = [[x - 0.5, -1.0], [x + 0.5, -1.0], [x, -0.5]].map(|[y, z]| [x, y, z]);
        triangles.push(Triangle::new(a, b, c));
    }
    triangles
}

#[test]
fn a_crowd_in_the_plane_of_the_ray_hides_no_hit() {
    let mut rng = Rng::new(1);
    let coarse = crowd(&mut || rng.grid_point(8).truncate().to_array().map(|x| x / 8.0));
    let fine = crowd(&mut || rng.point().truncate().to_array());
    for (name, triangles) in [("a coarse crowd", coarse), ("a fine crowd", fine)] {
        let subject = Subject::new(name, &triangles);
        for z in [0.0, 0.125, -0.75, 0.9, 1.5] {
            for up in [0.0, 0.125, -0.3] {
                for size in [1.0, 64.0, 0.01] {
                    let ray = Ray::new([-2.0, -2.0, z], [size, size, size * up]);
                    let is_hit = subject.compare("in the plane", &ray);
                    assert!(is_hit, "{name}: the wall: {ray:?}");
                    for (case, t_min, t_max) in [
                        ("within the crowd", 1.5 / size, 2.5 / size),
                        ("up to the wall", 0.0, 5.0 / size),
                        ("before the wall", 0.0, 4.9 / size),
                    ] {
                        subject.compare(case, &ray.with_interval(t_min, t_max));
                    }
                    for (case, origin) in [
                        ("beside the plane", [(-2f32).next_up(), -2.0, z]),
                        ("on a corner", triangles[7].p1.to_array()),
                    ] {
                        subject.compare(case, &Ray::new(origin, ray.dir.to_array()));
                    }
                    let mut aslant = ray;
                    aslant.dir.x = aslant.dir.x.next_up();
                    subject.compare("a hair across the plane", &aslant);
                }
            }
        }
    }
}

#[test]
fn the_first_of_equal_triangles_is_hit() {
    let triangle = |x: f32, size: f32| {
        let [a, b, c] = [[x, 0.0, 2.0], [x + size, 0.0, 2.0], [x, size, 2.0]];
        Triangle::new(a, b, c)
    };
    let turned = |t: Triangle| Triangle::new(t.p2, t.p1, t.p0);
    let (one, other) = (triangle(0.0, 1.0), triangle(-0.5, 3.0));
    let away = triangle(8.0, 1.0);
    // It meets the others where y = 0.
    let aslant = Triangle::new([-1.0, -1.0, 1.0], [2.0, -1.0, 1.0], [0.25, 3.0, 5.0]);
    let many = [[away; 9].to_vec(), vec![other; 20], vec![one; 20]].concat();
    let inside: &[(f32, f32)] = &[(0.25, 0.25), (0.5, 0.125)];
    let on_edges = &[(0.0, 0.25), (0.5, 0.5), (0.25, 0.0), (0.0, 0.0), (1.0, 0.0)];
    let both = &[inside, on_edges].concat();
    let low = &[(0.25, 0.0), (0.5, 0.0), (0.0, 0.0)];
    for (name, triangles, first, points) in [
        ("two equal triangles", vec![one, one], 0, &both[..]),
        ("two behind another", vec![away, one, away, one], 1, both),
        (
            "a triangle and its other side",
            vec![turned(one), one],
            0,
            both,
        ),
        ("its other side first", vec![one, turned(one)], 0, both),
        ("two triangles of a plane", vec![other, one], 0, both),
        ("the smaller first", vec![one, other], 0, both),
        ("twenty of each", many, 9, both),
        ("three that meet", vec![away, aslant, other, one], 1, low),
        ("three, the other order", vec![other, one, aslant], 0, low),
    ] {
        let subject = Subject::new(name, &triangles);
        for &(x, y) in points {
            for dir in [[0.0, 0.0, 1.0], [0.25, -0.5, 1.0], [0.0, 0.0, 0.25]] {
                let t = 2.0 / dir[2];
                let ray = Ray::new([x - t * dir[0], y - t * dir[1], 0.0], dir);
                for ray in [ray, ray.with_interval(0.0, t), ray.with_interval(t, t)] {
                    subject.compare("a tie", &ray);
                    let hit = subject.trees[0].closest_hit(&ray).expect("a hit");
                    assert_eq!((hit.t, hit.prim.index()), (t, first), "{name}: {ray:?}");
                }
            }
        }
    }
}

/// Returns a triangle that begins at `entry`, and an edge of which lies `x` beside the z axis, at
/// `t`.
fn edge_at(x: f32, entry: f32, t: f32) -> Triangle {
    Triangle::new([x, -1.0, t], [x, 1.0, t], [1.0, 0.0, entry])
}

/// What the leaf test says of a triangle that is alone in its leaf.
#[derive(Debug, PartialEq)]
enum Outcome {
    Doubt,
    Certain,
}

/// Returns a tree each leaf of which has one triangle.
fn each_alone(triangles: &[Triangle; WIDTH]) -> WideTree {
    let mut tree = Scene::of(*triangles).tree;
    let mut leaves = LeafWriter::with_triangles(WIDTH);
    for (i, &triangle) in triangles.iter().enumerate() {
        leaves.write(i, core::iter::once((prim(i), triangle)));
    }
    tree.leaves = leaves.finish();
    tree
}

/// Returns the parameter at which the ray enters each of the first three leaves, and the outcome of
/// its test.
fn outcomes(tree: &WideTree, ray: &Ray) -> [(f32, Outcome); 3] {
    fearless_simd::dispatch!(Level::new(), simd => {
        let plain = PlainRay::of(simd, ray, &tree.measures).expect("a plain ray");
        let leaf_ray = leaf::SpanRay::of(ray, &plain, &plain.inverse_dir);
        let (entry, _) = plain.test(simd, &tree.nodes[0], f32::MAX);
        let entry = entry.to_array();
        [0, 1, 2].map(|lane| {
            let block = Block::of(tree.leaves.numbers(), lane, 1);
            let passed = leaf::spans(simd, block, &leaf_ray, f32::MAX).passed;
            let test = match (passed.maybe, passed.certain) {
                (1, 0) => Outcome::Doubt,
                (1, 1) => Outcome::Certain,
                other => panic!("{other:?}: lane {lane}"),
            };
            (f32::from_bits(entry[lane] as u32), test)
        })
    })
}

#[test]
fn doubts_before_and_behind_a_certain_hit_are_settled() {
    let certain = Triangle::new([-1.0, -1.0, 1.0], [1.0, -1.0, 1.0], [0.0, 1.0, 3.0]);
    let away = |i: usize| edge_at(10.0 + i as f32, 50.0, 60.0);
    let ray = Ray::new([0.0; 3], [0.0, 0.0, 1.0]);
    let beside = 1e-30;
    let mut closest = Vec::new();
    for (first, first_at) in [
        (0.0, 3.0),
        (0.0, 2.0),
        (0.0, 1.5),
        (beside, 2.0),
        (-beside, 2.5),
    ] {
        for (last, last_at) in [
            (0.0, 1.75),
            (0.0, 2.0),
            (0.0, 2.5),
            (beside, 1.5),
            (-beside, 2.0),
        ] {
            let actors = [
                edge_at(first, 0.5, first_at),
                certain,
                edge_at(last, 1.25, last_at),
            ];
            for order in [
                [0, 1, 2],
                [0, 2, 1],
                [1, 0, 2],
                [1, 2, 0],
                [2, 0, 1],
                [2, 1, 0],
            ] {
                let mut triangles: [Triangle; WIDTH] = core::array::from_fn(away);
                for (place, triangle) in order.into_iter().zip(actors) {
                    triangles[place] = triangle;
                }
                let tree = each_alone(&triangles);
                let found = outcomes(&tree, &ray);
                let apart = Bvh::from_inner(tree);
                apart.validate().expect("a valid tree");
                let [a, b, c] = order.map(|place| &found[place]);
                assert!(a.0 < b.0 && b.0 < c.0, "{found:?}");
                assert_eq!(
                    [&a.1, &b.1, &c.1],
                    [&Outcome::Doubt, &Outcome::Certain, &Outcome::Doubt]
                );
                let brute = BruteForce::new(triangles.to_vec());
                let hit = brute.closest_hit(&ray).expect("a hit");
                closest.push(order.iter().position(|&place| place == hit.prim.index()));
                let subject = Subject::new("in one leaf", &triangles);
                for (t_min, t_max) in [(0.0, INF), (0.0, hit.t), (hit.t, INF), (hit.t, hit.t)] {
                    let ray = ray.with_interval(t_min, t_max);
                    let expected = brute.closest_hit(&ray);
                    for tree in at_every_level(&apart) {
                        assert_eq!(tree.closest_hit(&ray), expected, "{tree:?} {triangles:?}");
                        assert_eq!(tree.any_hit(&ray), expected.is_some(), "{triangles:?}");
                    }
                    subject.compare("in one leaf", &ray);
                }
            }
        }
    }
    // Each of the three is the nearest now and then.
    for actor in 0..3 {
        let nearest = closest.iter().filter(|&&found| found == Some(actor));
        assert!(nearest.count() > 20, "{actor}: {closest:?}");
    }
}
