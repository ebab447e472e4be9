//! Packets and bundles compared with single rays, bit for bit.

mod kinds;
mod lengths;
mod shadow_tiles;

use crate::common::has_kernels;
use estoc_bvh::{Bvh, SimdLevel};
use estoc_core::glam::Vec3;
use estoc_core::{
    Any, Closest, Count, Hit, QueryOptions, QuerySlice, Ray, RayQuery, Technique, TechniqueCounts,
    Triangle,
};
use estoc_mesh::Mesh;
use estoc_testkit::conformance::{Effort, on_all_cores};
use estoc_testkit::generate::{Rng, rays, scenes};
use kinds::{KINDS, Target, spoil};

fn bits(hit: Option<Hit>) -> Option<[u32; 4]> {
    hit.map(|hit| {
        [
            hit.t.to_bits(),
            hit.u.to_bits(),
            hit.v.to_bits(),
            hit.prim.get(),
        ]
    })
}

fn tree(triangles: &[Triangle]) -> Bvh {
    let corners = triangles.iter().flat_map(Triangle::corners);
    let faces = (0..triangles.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]);
    Bvh::build(&Mesh::try_new(corners, faces).unwrap())
}

/// Compares both techniques for both answers; returns the techniques used.
fn compare(bvh: &Bvh, rays: &[Ray], describe: &dyn Fn() -> String) -> [TechniqueCounts; 4] {
    let [a, b] = compare_with(Technique::Packets, bvh, rays, describe);
    let [c, d] = compare_with(Technique::Bundles, bvh, rays, describe);
    compare_skipping(bvh, rays, describe);
    [a, b, c, d]
}

/// Compares all techniques, and single calls, where each ray skips a triangle: often its first hit,
/// or that of another ray.
fn compare_skipping(bvh: &Bvh, rays: &[Ray], describe: &dyn Fn() -> String) {
    let first: Vec<_> = rays.iter().map(|ray| bvh.closest_hit(ray)).collect();
    let prim = |i: usize| first[i % rays.len()].map(|hit| hit.prim);
    let skipped = |i: usize| match i % 8 {
        6 => prim(i + 1),
        7 => None,
        _ => prim(i),
    };
    let options: Vec<_> = (0..rays.len())
        .map(|i| QueryOptions::new().skip(skipped(i)))
        .collect();
    // Hits after the first one are not found by the kernels that skip.
    let expected: Vec<_> = (rays.iter().enumerate())
        .map(|(i, ray)| match first[i] {
            Some(hit) if skipped(i) == Some(hit.prim) => bvh.next_hit(ray, hit.prim).unwrap(),
            hit => hit,
        })
        .collect();
    let counts: Vec<_> = (rays.iter().enumerate())
        .map(|(i, ray)| {
            let all = bvh.all_hits(ray);
            (all.iter().filter(|hit| Some(hit.prim) != skipped(i))).count()
        })
        .collect();
    for technique in Technique::ALL {
        let many = QuerySlice::new(rays)
            .technique(technique)
            .options_each(&options);
        let (mut hits, mut any) = (vec![None; rays.len()], vec![false; rays.len()]);
        bvh.ask_many(Closest, &many, &mut hits).unwrap();
        bvh.ask_many(Any, &many, &mut any).unwrap();
        let mut found = vec![0; rays.len()];
        bvh.ask_many(Count, &many, &mut found).unwrap();
        assert_eq!(found, counts, "{technique}, {}", describe());
        for (i, ray) in rays.iter().enumerate() {
            let told = || format!("{technique}, {}: ray {i} skips: {ray:?}", describe());
            assert_eq!(bits(hits[i]), bits(expected[i]), "{}", told());
            assert_eq!(any[i], expected[i].is_some(), "any, {}", told());
        }
    }
    for ((ray, options), &expected) in rays.iter().zip(&options).zip(&expected) {
        let hit = bvh.ask_with(Closest, ray, options).unwrap();
        assert_eq!(
            bits(hit),
            bits(expected),
            "{}: {ray:?}, {options:?}",
            describe()
        );
        let any = bvh.ask_with(Any, ray, options).unwrap();
        assert_eq!(
            any,
            expected.is_some(),
            "{}: {ray:?}, {options:?}",
            describe()
        );
    }
}

fn compare_with(
    technique: Technique,
    bvh: &Bvh,
    rays: &[Ray],
    describe: &dyn Fn() -> String,
) -> [TechniqueCounts; 2] {
    let many = QuerySlice::new(rays).technique(technique);
    let mut hits = vec![None; rays.len()];
    let closest = bvh.ask_many(Closest, &many, &mut hits).unwrap();
    let mut any = vec![false; rays.len()];
    let techniques = bvh.ask_many(Any, &many, &mut any).unwrap();
    for (i, ray) in rays.iter().enumerate() {
        let expected = bvh.closest_hit(ray);
        assert_eq!(
            bits(hits[i]),
            bits(expected),
            "{technique}, {}: ray {i} of {}: {ray:?}: {:?} is not {expected:?}",
            describe(),
            rays.len(),
            hits[i]
        );
        assert_eq!(
            any[i],
            expected.is_some(),
            "{technique}, {}: any hit of ray {i}: {ray:?}",
            describe()
        );
    }
    [closest, techniques]
}

#[test]
fn packets_and_bundles_answer_as_single_rays_do() {
    let (seeds, repeats) = if Effort::is_long() { (40, 20) } else { (2, 2) };
    for level in SimdLevel::available() {
        for &(name, bundle) in KINDS {
            let of_seeds = on_all_cores(seeds, |seed| {
                let mut techniques = [TechniqueCounts::default(); 4];
                for scene in scenes(seed as u64) {
                    let finite = scene.triangles.iter().all(Triangle::is_finite);
                    let target = Target::new(&scene.triangles);
                    let (true, Some(target)) = (finite, target) else {
                        continue;
                    };
                    let bvh = tree(&scene.triangles).with_simd_level(level);
                    let mut rng = Rng::named(seed as u64, name);
                    for _ in 0..repeats {
                        let mut rays = bundle(&target, &mut rng);
                        spoil(&mut rays, &mut rng, |ray| {
                            bvh.closest_hit(ray).map(|hit| hit.t)
                        });
                        let describe = || format!("{level}, {name}, {} {seed}", scene.name);
                        let found = compare(&bvh, &rays, &describe);
                        for (sum, found) in techniques.iter_mut().zip(found) {
                            *sum += found;
                        }
                    }
                }
                techniques
            });
            let mut techniques = [TechniqueCounts::default(); 4];
            for found in of_seeds {
                for (sum, found) in techniques.iter_mut().zip(found) {
                    *sum += found;
                }
            }
            println!("{level}, {name}: {techniques:?}");
            if !has_kernels(level) {
                continue;
            }
            // Elsewhere many rays are close calls, as these scenes intend.
            let packets = match name {
                "camera" | "parallel" => 0.4,
                "from a place anywhere" => 0.0,
                _ => 0.125,
            };
            for techniques in &techniques[..2] {
                let least = packets * techniques.total() as f64;
                assert!(techniques.packets as f64 >= least, "{name}: {techniques:?}");
            }
            for techniques in &techniques[2..] {
                let least = 0.125 * techniques.total() as f64;
                assert!(techniques.bundles as f64 >= least, "{name}: {techniques:?}");
            }
        }
    }
}

/// Groups that have nothing in common, also with options.
#[test]
fn rays_of_all_kinds_are_answered() {
    for scene in scenes(3) {
        if !scene.triangles.iter().all(Triangle::is_finite) {
            continue;
        }
        let bvh = tree(&scene.triangles);
        let mut rng = Rng::named(3, "mixed");
        let rays = rays(&scene, &mut rng, 200);
        compare(&bvh, &rays, &|| scene.name.to_owned());
    }
}

#[test]
fn every_size_of_a_group_is_answered() {
    let scene = estoc_testkit::generate::scene("sphere", 1).unwrap();
    let bvh = tree(&scene.triangles);
    let target = Target::new(&scene.triangles).unwrap();
    let mut rng = Rng::new(5);
    let camera = KINDS[0].1;
    let mut all = Vec::new();
    while all.len() < 300 {
        all.extend(camera(&target, &mut rng));
    }
    for len in (0..200).chain([255, 256, 257, 271, 299]) {
        for techniques in compare(&bvh, &all[..len], &|| format!("{len} rays")) {
            assert_eq!(techniques.total(), len);
        }
    }
}

/// More close calls than a ray of a bundle has space for.
#[test]
fn a_corner_of_a_thousand_triangles_is_hit_once() {
    let rim = |i: usize| {
        let turn = i as f32 * (core::f32::consts::TAU / 1000.0);
        [turn.cos(), turn.sin(), 0.1 * turn.cos()]
    };
    let fan = |i: usize| Triangle::new([0.0; 3], rim(i), rim((i + 1) % 1000));
    let triangles: Vec<Triangle> = (0..1000).map(fan).collect();
    let bvh = tree(&triangles);
    let mut rng = Rng::new(21);
    let mut beside = || rng.point() * rng.pick(&[0.0, 1e-9, 1e-7, 1e-3, 0.3]);
    let rays: Vec<Ray> = (0..3000)
        .map(|_| {
            let from = Vec3::new(0.3, 0.2, 2.0) + beside();
            Ray::new(from, beside() - from)
        })
        .collect();
    compare(&bvh, &rays, &|| "a fan".to_owned());
}

/// Incoherent rays, then coherent ones, then incoherent ones, more than fit into one window.
#[test]
fn bundles_are_given_up_and_tried_again() {
    let scene = estoc_testkit::generate::scene("sphere", 1).unwrap();
    let bvh = tree(&scene.triangles);
    let target = Target::new(&scene.triangles).unwrap();
    let mut rng = Rng::new(8);
    let mut rays = Vec::new();
    let anywhere = |rng: &mut Rng| Ray::new(rng.point() * 3.0, rng.point());
    rays.extend((0..5000).map(|_| anywhere(&mut rng)));
    while rays.len() < 9000 {
        rays.extend(KINDS[0].1(&target, &mut rng));
    }
    rays.extend((0..3001).map(|_| anywhere(&mut rng)));
    compare(&bvh, &rays, &|| "by turns".to_owned());
}

/// Products of edge functions and positions overflow while edge functions do not.
#[test]
fn triangles_of_1e14_are_not_lost() {
    let triangle = Triangle::new(
        [-7455.986, 0.0016005829, 129428670000000.0],
        [-13174.159, 257936090000000.0, -146147.0],
        [7919166000.0, -6381324300.0, -6542338000.0],
    );
    let ray = Ray::new(
        [-388.1292, 135.73001, -423.17218],
        [24.351604, -3.2e-19, 25.692764],
    );
    // The others have a usual size, which determines the scale of the tree.
    let usual = Triangle::new([0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]);
    let mut triangles = [usual; 8];
    triangles[0] = triangle;
    let beside = |i: i32| Ray::new(ray.origin, ray.dir + Vec3::Y * (i as f32 * 1e-6));
    let rays: Vec<Ray> = (0..64).map(beside).collect();
    let bvh = tree(&triangles);
    assert!(rays.iter().any(|ray| bvh.closest_hit(ray).is_some()));
    compare(&bvh, &rays, &|| "1e14".to_owned());
}

/// Tiles read the ends of rays as they stand in memory.
#[test]
fn a_start_of_minus_zero_is_zero() {
    let bvh = tree(&[Triangle::new(
        [-9.0, -9.0, 5.0],
        [20.0, -9.0, 5.0],
        [-9.0, 20.0, 5.0],
    )]);
    let ray = |i: i32| {
        let dir = Vec3::new(i as f32 * 0.01, 0.0, 1.0);
        let start = if i == 7 { -0.0 } else { 0.1 };
        Ray::new([0.0; 3], dir).with_interval(start, f32::INFINITY)
    };
    let rays: Vec<Ray> = (0..64).map(ray).collect();
    assert!(rays.iter().all(|ray| bvh.closest_hit(ray).is_some()));
    compare(&bvh, &rays, &|| "-0".to_owned());
}

/// Every face twice, in many layers one behind the other: first hits with equal parameters.
#[test]
fn layers_of_twins_are_hit_once() {
    let mut triangles = Vec::new();
    for layer in 0..150 {
        let z = layer as f32 * 0.1;
        for _ in 0..2 {
            triangles.push(Triangle::new(
                [-9.0, -9.0, z],
                [20.0, -9.0, z],
                [-9.0, 20.0, z],
            ));
        }
    }
    let bvh = tree(&triangles);
    let mut rng = Rng::new(31);
    let ray = |_| Ray::new(rng.point() - Vec3::Z * 3.0, Vec3::Z + rng.point() * 0.4);
    let rays: Vec<Ray> = (0..500).map(ray).collect();
    compare(&bvh, &rays, &|| "twins".to_owned());
}
