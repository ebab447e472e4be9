//! Queries allocate nothing, as counted by the allocator.
#![allow(unsafe_code, reason = "a global allocator cannot be written without")]

mod common;

use common::{Rng, Shape};
use estoc_bvh::{Bvh, Layout, Quality, SimdLevel};
use estoc_core::glam::Vec3;
use estoc_core::{
    Aabb, Any, Closest, Count, CountCrossings, Cull, Frustum, HalfSpace, HitBuffer, Obb, Plane,
    PointQuery, PrimId, QueryOptions, QuerySlice, Ray, RayQuery, Region, RegionQuery, Sphere,
    Technique, Triangle,
};
use std::alloc::{GlobalAlloc, Layout as Request, System};
use std::cell::Cell;

/// The system's allocator, counting the requests of each thread.
struct Counting;

thread_local! {
    // Constant and without a destructor, so that its use allocates nothing.
    static REQUESTS: Cell<usize> = const { Cell::new(0) };
}

fn count() {
    REQUESTS.set(REQUESTS.get() + 1);
}

// SAFETY: every call is forwarded to `System` unchanged; counting does not allocate, unwind or
// touch the memory.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Request) -> *mut u8 {
        count();
        // SAFETY: the caller upholds the contract of `alloc`, which is the same.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Request) -> *mut u8 {
        count();
        // SAFETY: the caller upholds the contract of `alloc_zeroed`, which is the same.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Request, size: usize) -> *mut u8 {
        count();
        // SAFETY: `memory` came from `System` with this layout, as the caller guarantees.
        unsafe { System.realloc(memory, layout, size) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Request) {
        // SAFETY: `memory` came from `System` with this layout, as the caller guarantees.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Returns the number of requests of `work`, and its result.
fn requests<A>(work: impl FnOnce() -> A) -> (usize, A) {
    let before = REQUESTS.get();
    let answer = work();
    (REQUESTS.get() - before, answer)
}

/// The results of a run of queries, so that the compiler cannot remove any.
#[derive(Debug, Default, PartialEq)]
struct Found {
    closest: usize,
    any: usize,
    hits: usize,
    crossings: usize,
    listed: usize,
    kept: usize,
    next: usize,
}

fn ask_all(tree: &Bvh, rays: &[Ray], buffer: &mut HitBuffer) -> Found {
    let mut found = Found::default();
    let everything = QueryOptions::new();
    for ray in rays {
        let closest = tree.closest_hit(ray);
        found.closest += usize::from(closest.is_some());
        found.any += usize::from(tree.any_hit(ray));
        found.hits += tree.count_hits(ray);
        found.crossings += tree.count_crossings(ray);
        found.listed += tree.all_hits_in(ray, &everything, buffer).unwrap().len();
        let options = QueryOptions::new().cull(Cull::Back).skip(PrimId::new(0));
        found.kept += usize::from(tree.ask_with(Any, ray, &options).unwrap());
        if let Some(hit) = closest {
            found.next += usize::from(tree.next_hit(ray, hit.prim).unwrap().is_some());
        }
    }
    found
}

#[test]
fn the_counter_counts() {
    let (count, text) = requests(|| vec![1u8; 100]);
    assert_eq!((count, text.len()), (1, 100));
    let (count, _) = requests(Vec::<u8>::new);
    assert_eq!(count, 0);
}

/// Points far and near, on vertices, and on a lattice, where exact arithmetic decides much.
#[test]
fn queries_about_points_allocate_only_results() {
    let mut rng = Rng::new(7);
    let scene = Shape::sphere(1.0, 60, 40, false).with(&Shape::random(5_000, 0.05, &mut rng));
    for layout in Layout::ALL {
        let tree = Bvh::builder().layout(layout).build(&scene.mesh()).unwrap();
        let mut points: Vec<[f32; 3]> = (0..500).map(|_| rng.vec(-2.0, 2.0)).collect();
        points.extend((0..500).map(|_| rng.pick(&scene.positions)));
        points.extend((0..100).map(|i| [i as f32 / 32.0, 0.25, 0.0]));
        let (count, sum) = requests(|| {
            let mut sum = 0.0;
            for &point in &points {
                let closest = tree.closest_point(point).unwrap();
                sum += closest.distance + tree.distance(point).unwrap();
                sum += tree
                    .closest_point_within(point, 0.5)
                    .map_or(0.0, |found| found.u);
                sum += f32::from(u8::from(tree.any_within(point, 0.1)));
                assert!(tree.within(point, -1.0).is_empty());
            }
            sum
        });
        assert_eq!(count, 0, "{layout}: {sum}");
    }
}

/// Once the tables are made: whether the surface is closed and oriented, and the clusters.
#[test]
fn queries_about_signs_allocate_nothing() {
    let mut rng = Rng::new(8);
    let scene = Shape::sphere(1.0, 60, 40, false);
    let tree = Bvh::build(&scene.mesh());
    let mut points: Vec<[f32; 3]> = (0..500).map(|_| rng.vec(-2.0, 2.0)).collect();
    points.extend((0..500).map(|_| rng.pick(&scene.positions)));
    let ask = |point: [f32; 3]| {
        let signed = tree.signed_distance(point).unwrap().unwrap().signed;
        let number = tree.winding_number(point).unwrap().number();
        let estimate = tree.winding_estimate(point).value;
        f64::from(signed) + number.map_or(0.0, |number| number as f64) + estimate
    };
    ask([0.0; 3]);
    let (count, sum) = requests(|| points.iter().map(|&point| ask(point)).sum::<f64>());
    assert_eq!(count, 0, "{sum}");
}

/// Regions of all kinds, with corners on vertices and on a lattice, where exact arithmetic decides
/// some.
#[test]
fn queries_about_regions_allocate_only_results() {
    let mut rng = Rng::new(8);
    let scene = Shape::sphere(1.0, 60, 40, false).with(&Shape::random(2_000, 0.05, &mut rng));
    for layout in Layout::ALL {
        let tree = Bvh::builder().layout(layout).build(&scene.mesh()).unwrap();
        let mut regions: Vec<Box<dyn Region>> = Vec::new();
        for i in 0..200 {
            let [a, b] = [0; 2].map(|_| Vec3::from(rng.pick(&scene.positions)));
            let c = Vec3::from(rng.vec(-1.0, 1.0));
            let normal = (b - a) + Vec3::X * 1e-3;
            let plane = Plane::through(a, normal).unwrap();
            let axes = [Vec3::new(0.6, 0.8, 0.0), Vec3::new(-0.8, 0.6, 0.0), Vec3::Z];
            let planes = [
                plane,
                Plane::through(c, normal * Vec3::new(1.0, -1.0, 2.0)).unwrap(),
            ];
            let lattice = Vec3::splat(i as f32 / 64.0);
            regions.push(Box::new(Aabb::of_points([a, a + 0.1 * c])));
            regions.push(Box::new(Aabb::of_points([lattice, a])));
            regions.push(Box::new(Sphere::try_new(a, 0.1 * c.length()).unwrap()));
            regions.push(Box::new(Obb::try_new(a, axes, (0.1 * c).abs()).unwrap()));
            regions.push(Box::new(Frustum::try_new(&planes).unwrap()));
            regions.push(Box::new(HalfSpace(plane)));
            regions.push(Box::new(plane));
            regions.push(Box::new(Triangle::new(a, b, c)));
        }
        let nowhere = Aabb::of_points([[9.0; 3]]);
        let (count, found) = requests(|| {
            assert!(tree.overlaps(&nowhere).is_empty());
            regions
                .iter()
                .filter(|region| tree.any_overlap(&***region))
                .count()
        });
        assert_eq!(count, 0, "{layout}: {found}");
        // A list grows to twice its size at a time.
        let (count, list) =
            requests(|| tree.overlaps(&nowhere.union(&Aabb::of_points([[-9.0; 3]]))));
        assert!(list.len() > 2_000 && count < 20, "{layout}: {count}");
    }
}

#[test]
fn queries_allocate_nothing_once_the_buffer_has_grown() {
    let mut rng = Rng::new(1);
    let scene = Shape::sphere(1.0, 100, 50, false).with(&Shape::random(20_000, 0.05, &mut rng));
    let build = |layout| Bvh::builder().layout(layout).build(&scene.mesh()).unwrap();
    let tree = build(Layout::Fast);
    let mut rays: Vec<Ray> = (0..2_000)
        .map(|_| Ray::new(rng.vec(-2.0, 2.0), rng.vec(-1.0, 1.0)))
        .collect();
    // From vertices, at vertices and along axes: some need exact arithmetic.
    for _ in 0..500 {
        let (a, b) = (rng.pick(&scene.positions), rng.pick(&scene.positions));
        rays.push(Ray::new(a, [0, 1, 2].map(|i| b[i] - a[i])));
        rays.push(Ray::new(
            b,
            rng.pick(&[[1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, 1.0]]),
        ));
    }
    // Undefined rays, too.
    rays.push(Ray::new([0.0; 3], [0.0; 3]));
    rays.push(Ray::new([f32::NAN; 3], [1.0; 3]));

    let mut buffer = HitBuffer::new();
    let warm = ask_all(&tree, &rays, &mut buffer);
    assert!(
        warm.hits > 1_000 && warm.kept > 500 && warm.next > 500,
        "{warm:?}"
    );
    let levels = SimdLevel::available().into_iter();
    let trees = levels.map(|level| tree.clone().with_simd_level(level));
    for tree in trees.chain([build(Layout::Compact)]) {
        let level = format!("{}, {}", tree.simd_level(), tree.stats().layout);
        // The first lookup of a primitive builds the table of slots.
        assert!(PrimId::new(0).is_some_and(|prim| tree.triangle(prim).is_some()));
        let (count, found) = requests(|| ask_all(&tree, &rays, &mut buffer));
        assert_eq!(found, warm, "{level}");
        assert_eq!(
            count,
            0,
            "{level}: requests for memory in {} rays",
            rays.len()
        );
    }

    // Whether the surface is closed is determined once; `contains` then allocates nothing.
    let sphere = Bvh::build(&Shape::sphere(1.0, 100, 50, false).mesh());
    assert_eq!(sphere.contains([0.0; 3]), Some(true));
    let points: Vec<[f32; 3]> = (0..1_000).map(|_| rng.vec(-1.0, 1.0)).collect();
    let (count, inside) = requests(|| {
        let inside = |p: &&[f32; 3]| sphere.contains(**p) == Some(true);
        points.iter().filter(inside).count()
    });
    assert_eq!(count, 0);
    // Close to the volume of a ball relative to its cube, pi/6.
    assert!((400..650).contains(&inside), "{inside}");
}

type Question = fn(&Bvh, &Ray) -> bool;

/// Any query can be the first: none initialises anything on first use.
#[test]
fn first_queries_allocate_nothing() {
    let mesh = Shape::sphere(1.0, 100, 50, false).mesh();
    let ray = Ray::new([0.1, 0.2, -3.0], [0.0, 0.0, 1.0]);
    let questions: [(&str, Question); 6] = [
        ("closest_hit", |tree, ray| tree.closest_hit(ray).is_some()),
        ("any_hit", |tree, ray| tree.any_hit(ray)),
        ("count_hits", |tree, ray| tree.count_hits(ray) == 2),
        ("count_crossings", |tree, ray| {
            tree.count_crossings(ray) == 2
        }),
        ("closest_hit", |tree, ray| {
            let options = QueryOptions::new().cull(Cull::Back).skip(PrimId::new(0));
            tree.ask_with(Closest, ray, &options)
                .is_ok_and(|hit| hit.is_some())
        }),
        ("any_hit", |tree, ray| {
            let options = QueryOptions::new().cull(Cull::Back).skip(PrimId::new(0));
            tree.ask_with(Any, ray, &options) == Ok(true)
        }),
    ];
    for level in SimdLevel::available() {
        for (name, question) in questions {
            let tree = Bvh::build(&mesh).with_simd_level(level);
            let (count, found) = requests(|| question(&tree, &ray));
            assert!(found, "{level}: {name}");
            assert_eq!(count, 0, "{level}: {name}");
        }
    }
}

/// Interleaving takes a fixed number of requests for any number of rays. Rays that tiles leave over
/// are traced as bundles, or interleaved, in groups of some thousands, with one request per group.
#[test]
fn techniques_hardly_allocate() {
    const MOST: usize = 4;
    let mut rng = Rng::new(7);
    let scene = Shape::sphere(1.0, 100, 50, false).with(&Shape::random(20_000, 0.05, &mut rng));
    let tree = Bvh::build(&scene.mesh());
    // A picture, and random rays: some suit packets and some do not.
    let mut rays: Vec<Ray> = (0..128 * 128)
        .map(|i| {
            let [x, y] = [i % 128, i / 128].map(|i| i as f32 / 128.0 - 0.5);
            Ray::new([0.0, 0.0, -3.0], [x, y, 1.0])
        })
        .collect();
    rays.extend((0..16_000).map(|_| Ray::new(rng.vec(-2.0, 2.0), rng.vec(-1.0, 1.0))));
    rays.push(Ray::new([f32::NAN; 3], [1.0; 3]));
    let (mut hits, mut any) = (vec![None; rays.len()], vec![false; rays.len()]);
    let (mut count, mut crossings) = (vec![0; rays.len()], vec![0; rays.len()]);
    let mut worst = 0;
    for level in SimdLevel::available() {
        let tree = tree.clone().with_simd_level(level);
        assert!(PrimId::new(0).is_some_and(|prim| tree.triangle(prim).is_some()));
        for technique in [
            Technique::Interleaved,
            Technique::Packets,
            Technique::Bundles,
        ] {
            for n in [1, 100, 1_000, rays.len()] {
                // Equally many of both kinds.
                let rays = &rays[rays.len() / 2 - n / 2..][..n];
                let many = QuerySlice::new(rays).technique(technique);
                let (hits, any) = (&mut hits[..n], &mut any[..n]);
                let (count, crossings) = (&mut count[..n], &mut crossings[..n]);
                let asked = [
                    requests(|| tree.ask_many(Closest, &many, hits).unwrap()),
                    requests(|| tree.ask_many(Any, &many, any).unwrap()),
                    requests(|| tree.ask_many(Count, &many, count).unwrap()),
                    requests(|| tree.ask_many(CountCrossings, &many, crossings).unwrap()),
                ];
                for (query, (requests, techniques)) in asked.into_iter().enumerate() {
                    let what = || format!("{level}, {technique}, query {query}, {n} rays");
                    let left_over = match technique {
                        // The table of triangles, and bundles or groups of rays left over.
                        Technique::Packets => 1 + n / 4000,
                        // The bundle, its stack, and what its rays have found.
                        Technique::Bundles => 3,
                        _ => 0,
                    };
                    assert!(
                        requests <= MOST + left_over,
                        "{}: {requests} requests",
                        what()
                    );
                    worst = worst.max(requests);
                    // Makes sure that the techniques were used; not all levels have packets.
                    let has_packets = level != SimdLevel::Baseline;
                    if has_packets && n > 10_000 && technique == Technique::Packets && query < 2 {
                        assert!(techniques.packets > 1_000, "{}: {techniques:?}", what());
                    }
                }
                assert_eq!(
                    hits.iter().flatten().count(),
                    any.iter().filter(|any| **any).count()
                );
            }
        }
    }
    println!("at most {worst} requests");
    assert!(hits.iter().flatten().count() > 5_000);
}

/// Returns plates across the z axis, `many` at each power of `step` from `least` up to `most`.
fn plates(least: f32, most: f32, step: f32, many: u32) -> Shape {
    let sizes = std::iter::successors(Some(least), |size| {
        Some(size * step).filter(|size| *size <= most)
    });
    Shape::soup(sizes.flat_map(|size| {
        (0..many).map(move |i| {
            let z = size * (1.0 + i as f32 / many as f32 * (step - 1.0) * 0.5);
            [[-z, -z, z], [z, -z, z], [0.0, z, z]]
        })
    }))
}

/// The deepest trees, and rays that meet every box of them from the small end, which need the
/// largest stack of any query.
#[test]
fn the_deepest_trees_do_not_allocate_either() {
    let mut deepest = 0;
    for (least, most) in [(1e-30, 1e30), (1e-37, 1e37), (1e-30, 1e4), (1e-3, 1e34)] {
        for (step, many) in [(2.0, 1), (2.0, 56), (4.0, 24), (16.0, 56), (40.0, 63)] {
            let mesh = plates(least, most, step, many).mesh();
            for quality in [Quality::Fast, Quality::Balanced, Quality::Best] {
                let tree = Bvh::builder().quality(quality).build(&mesh).unwrap();
                tree.validate().unwrap();
                deepest = deepest.max(tree.stats().depth);
                let up = [0.0, 0.0, 1.0];
                let rays = [
                    Ray::new([0.0; 3], up),
                    Ray::new([0.0, 0.0, -1.0], up),
                    Ray::new([0.0, 0.0, most], [0.0, 0.0, -1.0]),
                    Ray::new([0.0; 3], [1e-3, 1e-9, 1.0]),
                    Ray::new([0.0; 3], [0.0, 0.0, 1e30]),
                ];
                for level in SimdLevel::available() {
                    let tree = tree.clone().with_simd_level(level);
                    for ray in &rays {
                        // All hits, so that no box is pruned.
                        let (count, hits) = requests(|| tree.count_hits(ray));
                        assert_eq!(count, 0, "{least}..{most} {step} {many} {level} {ray:?}");
                        assert!(hits > 0 || ray.origin.z > 0.0);
                        let (count, _) = requests(|| tree.closest_hit(ray));
                        assert_eq!(count, 0, "{least}..{most} {step} {many} {level} {ray:?}");
                    }
                }
            }
        }
    }
    println!("up to {deepest} nodes deep");
    assert!(deepest > 9, "deeper than 64 places would do for");
}
