//! Properties of trees: valid for any input, the same for any number of threads, never deeper than
//! queries support, and with the answers of brute force.

use crate::common::{Both, Rng, Shape};
use estoc_bvh::{BuildError, Bvh, BvhBuilder, Quality};
use estoc_core::glam::Vec3;
use estoc_core::{CancelToken, Cull, PrimId, QueryOptions, Ray, RayQuery};
use estoc_mesh::Mesh;
use estoc_testkit::conformance::Effort;
use std::iter::repeat_n;

const INF: f32 = f32::INFINITY;

/// The stack of queries is large enough for this many steps.
const MAX_DEPTH: usize = 96;

fn builders() -> [BvhBuilder<'static>; 3] {
    [Quality::Fast, Quality::Balanced, Quality::Best].map(|q| Bvh::builder().quality(q))
}

/// Returns inputs on which splits at the middle, or by area, make no progress.
fn hostile() -> Vec<(&'static str, Shape)> {
    let mut rng = Rng::new(1);
    let at = |c: f32, size: f32| [[c, c, c], [c + size, c, c], [c, c + size, c]];
    let powers = |count: i32| (0..count).map(move |i| 2f32.powi(i - count / 2));
    let nested = |halves: Vec<f32>| {
        let boxes = halves
            .into_iter()
            .map(|half| Shape::cuboid([-half; 3], [half; 3]));
        boxes.fold(Shape::default(), |all, one| all.with(&one))
    };
    let along_x = |x: f32| [[x, 0.0, 0.0], [x, 1.0, 0.0], [x, 0.0, 1.0]];
    let around = |x: f32| [[-x, -x, 0.0], [2.0 * x, -x, 0.0], [-x, 2.0 * x, 0.0]];
    let centred = |r: f32| [[-r, -r, 0.0], [r, -r, 0.0], [0.0, r, 0.0]];
    let on_a_line = |x: f32| [[x, 0.0, 0.0], [x + 1.0, 0.0, 0.0], [x + 0.5, 0.0, 0.0]];
    let one_far_away = |i: u32| match i {
        0 => at(f32::MAX / 4.0, 1.0),
        _ => at(0.001 * i as f32, 0.001),
    };
    let sliver = |_| [(); 3].map(|()| rng.vec(-1.0, 1.0));
    let large = |i: u32| {
        let m = f32::MAX;
        let z = m / 200.0 * i as f32;
        [[-m, -m, z], [m, -m, z], [0.0, m, -z]]
    };
    let f = |i: u32| i as f32;
    let bits = f32::from_bits;
    let many = (0..20).flat_map(|_| powers(201));
    #[rustfmt::skip]
    let shapes = vec![
        ("growing by a factor of two along the axes",
         Shape::soup(powers(201).map(|x| at(x, x / 4.0)))),
        ("growing along x alone", Shape::soup(powers(201).map(along_x))),
        ("growing around the origin", Shape::soup(powers(201).map(around))),
        ("every power many times", Shape::soup(many.map(|x| at(x, x)))),
        ("one centre, many sizes", Shape::soup((1..3000).map(|i| centred(f(i))))),
        ("nested boxes", nested((1..100).map(f).collect())),
        ("nested boxes, halved", nested((0..120).map(|i| 2f32.powi(60 - i)).collect())),
        ("all the same", Shape::soup(repeat_n(at(0.0, 1.0), 5000))),
        ("two places", Shape::soup((0..5000).map(|i| at(f(i % 2) * 1e30, 1.0)))),
        ("one far away", Shape::soup((0..5000).map(one_far_away))),
        ("no area at all", Shape::soup((0..2000).map(|i| [[f(i); 3]; 3]))),
        ("a point", Shape::soup(repeat_n([[0.5; 3]; 3], 2000))),
        ("on a line", Shape::soup((0..2000).map(|i| on_a_line(f(i))))),
        ("steps of one ulp", Shape::soup((0..2000).map(|i| at(bits(0x3f80_0000 + i), 0.0)))),
        ("subnormals", Shape::soup((0..2000).map(|i| at(bits(i), bits(i / 2))))),
        ("slivers across everything", Shape::soup((0..500).map(sliver))),
        ("as large as can be", Shape::soup((0..200).map(large))),
    ];
    shapes
}

#[test]
fn hostile_input_gives_valid_trees_of_bounded_depth() {
    let mut rng = Rng::new(2);
    for (name, shape) in hostile() {
        let mesh = shape.mesh();
        for builder in builders() {
            let tree = builder.build(&mesh).expect(name);
            assert_eq!(tree.validate(), Ok(()), "{name}");
            let stats = tree.stats();
            assert_eq!(stats.triangles, mesh.triangle_count(), "{name}");
            assert!(stats.depth <= MAX_DEPTH, "{name}: {stats:?}");
            assert!(stats.sah_cost.is_finite(), "{name}: {stats:?}");
            assert!(stats.max_leaf <= 8, "{name}: {stats:?}");
        }
        // A few answers, where brute force is fast enough.
        let both = Both::of(&mesh);
        for _ in 0..20 {
            let (from, to) = (rng.pick(&shape.positions), rng.pick(&shape.positions));
            let dir = [0, 1, 2].map(|i| to[i] / 2.0 - from[i] / 2.0 + rng.between(-1.0, 1.0));
            both.closest(&Ray::new(from, dir).with_interval(-INF, INF));
            both.closest(&Ray::new(from, [0.0, 0.0, 1.0]).with_interval(-INF, INF));
        }
    }
}

#[test]
fn identical_triangles_make_a_shallow_tree() {
    for count in [10, 1_000, 50_000usize] {
        let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0f32]];
        let mesh = Mesh::try_new(corners, repeat_n([0, 1, 2], count)).unwrap();
        for builder in builders() {
            let tree = builder.build(&mesh).unwrap();
            assert_eq!(tree.validate(), Ok(()));
            let halvings = count.ilog2() as usize + 1;
            let stats = tree.stats();
            assert!(stats.depth <= halvings, "{count}: {stats:?}");
        }
    }
}

/// The statistics of a tree are consistent.
#[test]
fn statistics_fit_together() {
    let mut rng = Rng::new(3);
    for count in [1, 2, 100, 5_000] {
        let mesh = Shape::random(count, 0.1, &mut rng).mesh();
        for builder in builders() {
            let stats = builder.build(&mesh).unwrap().stats();
            assert_eq!(stats.triangles, count);
            // A node has up to eight children, and every node but the root is a child.
            let children = stats.leaves + stats.nodes - 1;
            assert!(stats.nodes <= children, "{stats:?}");
            assert!(children <= 8 * stats.nodes, "{stats:?}");
            assert!(stats.max_leaf <= 8, "{stats:?}");
            assert!(stats.leaves >= count.div_ceil(stats.max_leaf), "{stats:?}");
            assert!(stats.depth <= stats.nodes, "{stats:?}");
            assert!(stats.leaves <= 1 << (3 * stats.depth), "{stats:?}");
            // A triangle takes nine numbers and an id.
            assert!(stats.bytes >= count * 40, "{stats:?}");
        }
    }
}

#[test]
fn any_number_of_threads_gives_the_same_tree() {
    let mut rng = Rng::new(4);
    let unit = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let (corner, along) = ([-1.0, -1.0, 0.0], [[2.0, 0.0, 0.0], [0.0, 2.0, 0.0]]);
    let plane = Shape::plane(corner, along[0], along[1], [100, 100]);
    let shapes = [
        // Enough that groups are both measured and split in parallel.
        (Shape::random(40_000, 0.02, &mut rng), 400),
        (Shape::sphere(1.0, 200, 100, false), 400),
        // A ray that hits one of these hits all.
        (Shape::soup(repeat_n(unit, 40_000)), 2),
        // Zeros of both signs, whose order must not matter.
        (
            plane.map(|[x, y, z]| [x, y, if x < 0.0 { -z } else { z }]),
            400,
        ),
    ];
    for (shape, rays) in &shapes {
        let mesh = shape.mesh();
        let from = Vec3::new(0.0, 0.0, 3.0);
        let rays: Vec<_> = (0..*rays)
            .map(|case| match case % 2 {
                0 => Ray::new(rng.vec(-2.0, 2.0), rng.vec(-1.0, 1.0)),
                _ => Ray::new(from, Vec3::from(rng.pick(&shape.positions)) - from),
            })
            .collect();
        for builder in builders() {
            let build = |threads: usize| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
                let pool = pool.build().unwrap();
                pool.install(|| builder.build(&mesh)).unwrap()
            };
            let alone = build(1);
            assert_eq!(alone.validate(), Ok(()));
            for threads in [2, 3, 7] {
                let tree = build(threads);
                assert_eq!(tree.validate(), Ok(()));
                let at_most = builder.threads(threads).build(&mesh).unwrap();
                for stats in [tree.stats(), at_most.stats()] {
                    assert_eq!(stats, alone.stats(), "{threads} threads");
                }
                for ray in &rays {
                    let [found, expected] =
                        [&tree, &alone].map(|tree| (tree.closest_hit(ray), tree.count_hits(ray)));
                    assert_eq!(found, expected, "{threads} threads, {ray:?}");
                }
            }
        }
    }
}

/// Random meshes, random rays and rays at vertices and edges; all queries, with options.
#[test]
fn trees_answer_as_brute_force_does() {
    const SEED: u64 = 5;
    let mut rng = Rng::new(SEED);
    let shapes = [
        Shape::random(300, 0.3, &mut rng),
        Shape::random(1_000, 0.05, &mut rng),
        // Small integers: ties, shared edges, coplanar triangles.
        Shape::soup((0..400).map(|_| [rng.grid(-3, 3), rng.grid(-3, 3), rng.grid(-3, 3)])),
        Shape::sphere(1.0, 20, 10, true),
        Shape::random(300, 0.3, &mut rng).scaled(1e-38),
        Shape::random(300, 0.3, &mut rng).scaled(1e36),
        Shape::random(300, 0.3, &mut rng).moved([1e6, -1e5, 1e4]),
    ];
    let rays = if Effort::is_long() { 20_000 } else { 800 };
    for (number, shape) in shapes.iter().enumerate() {
        let both = Both::new(shape);
        let mut hits = 0;
        for case in 0..rays {
            let mut vertex = || rng.pick(&shape.positions);
            let (a, b, c) = (vertex(), vertex(), vertex());
            let minus = |a: [f32; 3], b: [f32; 3]| [0, 1, 2].map(|i| a[i] - b[i]);
            let (origin, dir) = match case % 5 {
                0 => (a, minus(b, c)),
                1 => (a, minus(b, a)),
                2 => (a, rng.vec(-1.0, 1.0)),
                3 => (minus(a, minus(b, c)), minus(b, c)),
                _ => (a, rng.grid(-1, 1)),
            };
            let interval =
                rng.pick(&[(0.0, INF), (0.0, 1.0), (-INF, INF), (-1.0, 0.5), (1.0, 1.0)]);
            let ray = Ray::new(origin, dir).with_interval(interval.0, interval.1);
            let answers = both.ask(&ray);
            hits += answers.hits.len();
            let options = QueryOptions::new()
                .cull(rng.pick(&[Cull::None, Cull::Back, Cull::Front]))
                .skip(answers.closest().map(|hit| hit.prim));
            let skipped = both.closest_with(&ray, &options);
            let is_other = skipped.is_none_or(|hit| Some(hit.prim) != options.skip);
            assert!(is_other, "seed {SEED}, mesh {number}, case {case}");
            walk(&both, &ray, &answers.hits);
        }
        let case = format!("mesh {number}, seed {SEED}");
        assert!(hits > rays / 2, "only {hits} hits on {case}");
    }
}

/// Steps from hit to hit with `next_hit`: the list of all hits, none lost, none twice.
fn walk(both: &Both, ray: &Ray, hits: &[estoc_core::Hit]) {
    for (_, tree) in &both.trees[1..2] {
        let mut found = Vec::new();
        let mut next = tree.closest_hit(ray);
        while let Some(hit) = next {
            found.push(hit);
            assert!(found.len() <= hits.len(), "{ray:?}");
            next = tree.next_hit(ray, hit.prim).unwrap();
        }
        assert_eq!(found, hits, "{ray:?}");
    }
}

/// Triangles in another order: the same hits under their new ids.
#[test]
fn the_order_of_the_input_changes_names_only() {
    let mut rng = Rng::new(6);
    let shape = Shape::random(500, 0.2, &mut rng);
    let mut order: Vec<usize> = (0..500).collect();
    for i in (1..order.len()).rev() {
        order.swap(i, rng.below(i as u64 + 1) as usize);
    }
    let mut shuffled = shape.clone();
    shuffled.faces = order.iter().map(|&i| shape.faces[i]).collect();
    let (before, after) = (Bvh::build(&shape.mesh()), Bvh::build(&shuffled.mesh()));
    for _ in 0..2_000 {
        let ray = Ray::new(rng.vec(-2.0, 2.0), rng.vec(-1.0, 1.0));
        let old_name = |hit: estoc_core::Hit| estoc_core::Hit {
            prim: PrimId::from_index(order[hit.prim.index()]).unwrap(),
            ..hit
        };
        // No two of these triangles are hit at the same parameter.
        let renamed: Vec<_> = after.all_hits(&ray).into_iter().map(old_name).collect();
        assert_eq!(renamed, before.all_hits(&ray), "{ray:?}");
    }
}

#[test]
fn a_raised_token_stops_the_build() {
    let mesh = Shape::random(10_000, 0.1, &mut Rng::new(7)).mesh();
    let token = CancelToken::new();
    assert!(Bvh::builder().cancel(&token).build(&mesh).is_ok());
    token.cancel();
    let stopped = Bvh::builder().cancel(&token).build(&mesh);
    assert!(matches!(stopped, Err(BuildError::Cancelled)));
}
