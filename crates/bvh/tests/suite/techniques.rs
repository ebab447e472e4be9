//! Every technique with every instruction set gives the answers of single calls, for any number of
//! rays.

use crate::common::has_kernels;
use estoc_bvh::{Bvh, Layout, SimdLevel};
use estoc_core::glam::Vec3;
use estoc_core::{
    Any, BruteForce, Closest, Count, QueryOptions, QuerySlice, Ray, RayQuery, Technique, Triangle,
    ValueQuestion,
};
use estoc_mesh::Mesh;
use estoc_testkit::generate::{self, Rng};

const RAYS: usize = 200;

/// Returns the triangles of a scene that a mesh accepts, in their places.
pub(super) fn finite(triangles: &[Triangle]) -> Vec<Triangle> {
    let nothing = Triangle::new([0.0; 3], [0.0; 3], [0.0; 3]);
    let finite = |t: &Triangle| if t.is_finite() { *t } else { nothing };
    triangles.iter().map(finite).collect()
}

pub(super) fn mesh(triangles: &[Triangle]) -> Mesh {
    let corners = triangles.iter().flat_map(Triangle::corners);
    let faces = (0..triangles.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]);
    Mesh::try_new(corners, faces).expect("all corners are finite")
}

/// Runs each technique at each level, and compares with brute force.
fn check(name: &str, triangles: &[Triangle], rays: &[Ray]) -> usize {
    let brute = BruteForce::new(triangles);
    let closest: Vec<_> = rays.iter().map(|ray| brute.closest_hit(ray)).collect();
    let any: Vec<_> = rays.iter().map(|ray| brute.any_hit(ray)).collect();
    let count: Vec<_> = rays.iter().map(|ray| brute.count_hits(ray)).collect();
    let mesh = mesh(triangles);
    let trees = Layout::ALL.map(|layout| Bvh::builder().layout(layout).build(&mesh).unwrap());
    for (l, level) in SimdLevel::available().into_iter().enumerate() {
        let trees = trees.clone().map(|bvh| bvh.with_simd_level(level));
        for (t, technique) in Technique::ALL.into_iter().enumerate() {
            // Both would take twice as long; so each runs with each technique at some level.
            let bvh = &trees[(l + t) % 2];
            let many = QuerySlice::new(rays).technique(technique);
            let mut found = vec![None; rays.len()];
            let techniques = bvh.ask_many(Closest, &many, &mut found).unwrap();
            assert_eq!(found, closest, "{name}, {level}, {technique}");
            let defined = rays.iter().filter(|ray| ray.check().is_ok()).count();
            assert_eq!(techniques.total(), defined, "{name}, {level}, {technique}");
            let mut found = vec![false; rays.len()];
            bvh.ask_many(Any, &many, &mut found).unwrap();
            assert_eq!(found, any, "{name}, {level}, {technique}");
            let mut found = vec![0; rays.len()];
            bvh.ask_many(Count, &many, &mut found).unwrap();
            assert_eq!(found, count, "{name}, {level}, {technique}");
        }
    }
    count.iter().sum()
}

#[test]
fn techniques_say_what_brute_force_says_at_every_level() {
    let mut hits = 0;
    for scene in generate::scenes(9) {
        let rays: Vec<Ray> = generate::cases(&scene, RAYS).map(|case| case.ray).collect();
        hits += check(scene.name, &finite(&scene.triangles), &rays);
    }
    assert!(hits > 3000, "{hits}");
}

/// Sums over the corners of the large triangle overflow, and those of the small ones do not.
#[test]
fn a_triangle_too_large_for_sums_is_hit() {
    for size in [1e12, 5e12, 1e14, 1e18] {
        let s: f32 = size;
        let mut triangles = vec![Triangle::new([-s, -s, s], [s, -s, s], [0.0, s, s])];
        triangles.extend((0..20).map(|i| {
            let x = i as f32 * 3.0;
            Triangle::new([x, 5.0, 1.0], [x + 1.0, 5.0, 1.0], [x, 6.0, 1.0])
        }));
        let rays: Vec<Ray> = (0..100)
            .map(|i| Ray::new([0.0; 3], [0.01 * i as f32 / 100.0, 0.02, 1.0]))
            .map(|ray| ray.with_interval(0.0, 1e20))
            .collect();
        assert_eq!(check("large", &triangles, &rays), 100);
    }
}

/// Returns `boxes` boxes in a row, of `side` by `side` squares on each face. Several boxes are open
/// at their ends.
fn boxes_in_a_row(boxes: usize, side: usize) -> Vec<Triangle> {
    let mut triangles = Vec::new();
    for at in 0..boxes {
        for axis in usize::from(boxes > 1)..3 {
            for level in [0.0, 1.0] {
                for square in 0..side * side {
                    let step = |i: usize| i as f32 / side as f32;
                    let corner = |x: usize, y: usize| {
                        let mut p = [0.0; 3];
                        p[axis] = level;
                        p[(axis + 1) % 3] = step(square % side + x);
                        p[(axis + 2) % 3] = step(square / side + y);
                        p[0] += 2.0 * at as f32;
                        p
                    };
                    let [a, b, c, d] = [(0, 0), (1, 0), (1, 1), (0, 1)].map(|(x, y)| corner(x, y));
                    triangles.extend([Triangle::new(a, b, c), Triangle::new(a, c, d)]);
                }
            }
        }
    }
    triangles
}

/// Asserts that at least these numbers of rays are cast one by one and in flight, if that is permitted, and
/// all of them in flight otherwise.
fn check_techniques<Q: ValueQuestion<Bvh> + Copy>(
    question: Q,
    bvh: &Bvh,
    rays: &[Ray],
    expected: &[Q::Answer],
    [one_by_one, interleaved]: [usize; 2],
) where
    Q::Answer: std::fmt::Debug,
{
    let level = bvh.simd_level();
    let defined = rays.iter().filter(|ray| ray.check().is_ok()).count();
    let many = QuerySlice::new(rays).technique(Technique::Interleaved);
    let has_kernels = has_kernels(level);
    let mut found = vec![Q::Answer::default(); rays.len()];
    let forced = bvh.ask_many(question, &many, &mut found).unwrap();
    assert_eq!((&*found, forced.total()), (expected, defined), "{level}");
    assert_eq!(forced.interleaved, if has_kernels { defined } else { 0 });
    found.fill(Q::Answer::default());
    let free = bvh.ask_many(question, &many.adaptive(true), &mut found);
    let free = free.unwrap();
    assert_eq!((&*found, free.total()), (expected, defined), "{level}");
    let enough = free.one_by_one >= one_by_one && free.interleaved >= interleaved;
    assert!(
        enough || !has_kernels,
        "{level}: {free:?} instead of [{one_by_one}, {interleaved}]"
    );
}

/// Rays in a room end at its walls; rays through many open boxes visit much before they end.
#[test]
fn rays_that_end_soon_are_cast_one_by_one_if_that_is_permitted() {
    let (room, row) = (boxes_in_a_row(1, 1), boxes_in_a_row(60, 8));
    let mut rng = Rng::new(12);
    let mut within = || Ray::new(rng.point() * 0.45 + Vec3::splat(0.5), rng.point());
    let mut rays: Vec<Ray> = (0..1500).map(|_| within()).collect();
    rays[77].dir = Vec3::ZERO;
    let through = |i: usize| {
        let from = [-1.0, 0.8 + (i % 7) as f32 * 1e-2, 0.3];
        Ray::new(from, [1.0, 0.0, 1e-4 * (i % 5) as f32])
    };
    let long: Vec<Ray> = (0..1500).map(through).collect();
    let mixed: Vec<Ray> = [&rays[..700], &long, &rays].concat();
    // The rays of a scaled tree are not plain.
    let large = |p: Vec3| p * 2f32.powi(40);
    let large_row: Vec<_> = row
        .iter()
        .map(|t| Triangle::new(large(t.p0), large(t.p1), large(t.p2)))
        .collect();
    let in_large_row: Vec<_> = long
        .iter()
        .map(|ray| Ray::new(large(ray.origin), ray.dir))
        .collect();
    for level in SimdLevel::available() {
        for (triangles, rays, least) in [
            (&room, &rays, [1499, 0]),
            (&row, &long, [0, 1400]),
            (&row, &mixed, [500, 1000]),
            (&large_row, &in_large_row, [0, 1400]),
        ] {
            let bvh = Bvh::build(&mesh(triangles)).with_simd_level(level);
            let any = |ray: &Ray| bvh.any_hit(ray);
            let expected: Vec<bool> = rays.iter().map(any).collect();
            check_techniques(Any, &bvh, rays, &expected, least);
            let first: Vec<_> = rays.iter().map(|ray| bvh.closest_hit(ray)).collect();
            check_techniques(Closest, &bvh, rays, &first, least);
            // Rays with options stay in flight.
            let defined = rays.iter().filter(|ray| ray.check().is_ok()).count();
            let many = QuerySlice::new(rays).technique(Technique::Interleaved);
            let has_kernels = has_kernels(level);
            let mut found = vec![false; rays.len()];
            let each = vec![QueryOptions::new(); rays.len()];
            let each = many.adaptive(true).options_each(&each);
            let options = bvh.ask_many(Any, &each, &mut found).unwrap();
            assert_eq!(options.interleaved, if has_kernels { defined } else { 0 });
            assert_eq!(found, expected);
        }
    }
}
