//! Tiles of rays from several points: between points close together and a lamp, or parallel.

use super::{compare_skipping, compare_with, tree};
use crate::common::has_kernels;
use estoc_bvh::SimdLevel;
use estoc_core::glam::Vec3;
use estoc_core::{
    Any, Cull, QueryOptions, QuerySlice, Ray, RayQuery, Technique, TechniqueCounts, Triangle,
};
use estoc_testkit::generate::{Rng, scene};

/// Returns rays from a square with this side around a point to a lamp with this size.
fn shadow_rays(rng: &mut Rng, rays: usize, from: (Vec3, f32), lamp: (Vec3, f32)) -> Vec<Ray> {
    (0..rays)
        .map(|_| {
            let origin = from.0 + Vec3::new(rng.signed(), rng.signed(), 0.0) * from.1;
            let end = lamp.0 + rng.point() * lamp.1;
            let ray = Ray::new(origin, end - origin);
            ray.with_interval(0.0, rng.pick(&[1.0, 0.999, 0.5]))
        })
        .collect()
}

/// Returns small triangles anywhere in a cube.
fn soup(triangles: usize) -> Vec<Triangle> {
    let mut rng = Rng::new(77);
    (0..triangles)
        .map(|_| {
            let at = rng.point();
            let corners = [0; 3].map(|_: i32| at + rng.point() * 0.003);
            Triangle::new(corners[0], corners[1], corners[2])
        })
        .collect()
}

/// Compares any hit of these rays at a level with single calls.
fn compare(triangles: &[Triangle], level: SimdLevel, rays: &[Ray], what: &str) -> TechniqueCounts {
    let bvh = tree(triangles).with_simd_level(level);
    let describe = || format!("{level}, {what}");
    compare_with(Technique::Packets, &bvh, rays, &describe)[1]
}

#[test]
fn shadow_rays_of_every_number_form_tiles() {
    let sphere = scene("sphere", 1).unwrap().triangles;
    let mut rng = Rng::new(41);
    let lamp = (Vec3::new(1.5, 2.0, 4.0), 0.05);
    for (side, lamp_size) in [(0.05, 0.0), (0.0, 0.2), (0.1, 0.05)] {
        let from = (Vec3::new(0.1, -0.2, -1.6), side);
        let lamp = (lamp.0, lamp_size);
        let all = shadow_rays(&mut rng, 1100, from, lamp);
        for level in SimdLevel::available() {
            for len in [
                1, 15, 16, 17, 63, 64, 100, 255, 256, 257, 271, 272, 513, 1100,
            ] {
                let counts = compare(&sphere, level, &all[..len], &format!("{len} rays"));
                assert_eq!(counts.total(), len);
                let tiled = if len >= 16 && has_kernels(level) {
                    len / 2
                } else {
                    0
                };
                assert!(counts.packets >= tiled, "{level}, {len}: {counts:?}");
            }
        }
    }
}

#[test]
fn parallel_rays_of_every_number_form_tiles() {
    let sphere = scene("sphere", 1).unwrap().triangles;
    let mut rng = Rng::new(45);
    let mut from = || Vec3::new(0.1 + 0.05 * rng.signed(), 0.05 * rng.signed() - 0.2, -1.6);
    let all: Vec<Ray> = (0..600)
        .map(|_| Ray::new(from(), [0.1, -0.2, 1.0]))
        .collect();
    for level in SimdLevel::available() {
        let bvh = tree(&sphere).with_simd_level(level);
        for len in [1, 15, 16, 17, 255, 256, 257, 272, 600] {
            let describe = || format!("{level}, {len} parallel rays");
            let rays = &all[..len];
            for counts in compare_with(Technique::Packets, &bvh, rays, &describe) {
                assert_eq!(counts.total(), len);
                let tiled = match len >= 16 && has_kernels(level) {
                    true => len / 2,
                    false => 0,
                };
                assert!(counts.packets >= tiled, "{level}, {len}: {counts:?}");
            }
        }
    }
}

#[test]
fn undefined_rays_in_tiles_are_not_counted() {
    let sphere = scene("sphere", 1).unwrap().triangles;
    let mut rng = Rng::new(42);
    let (from, lamp) = (Vec3::new(0.1, -0.2, -1.6), Vec3::new(1.5, 2.0, 4.0));
    for share in [40, 9, 3] {
        let mut rays = shadow_rays(&mut rng, 700, (from, 0.1), (lamp, 0.05));
        for ray in &mut rays {
            if rng.one_in(share) {
                match rng.below(5) {
                    0 => ray.origin.y = f32::NAN,
                    1 => ray.dir = Vec3::ZERO,
                    2 => ray.t_max = f32::NAN,
                    // Defined, but not in the tile.
                    3 => ray.dir = -ray.dir,
                    _ => ray.t_min = -1.0,
                }
            }
        }
        let defined = rays.iter().filter(|ray| ray.check().is_ok()).count();
        for level in SimdLevel::available() {
            let counts = compare(&sphere, level, &rays, &format!("one of {share} is odd"));
            assert_eq!(counts.total(), defined, "{level}: {counts:?}");
        }
    }
}

/// Rays that meet hardly any box together, and rays that lie as close together as rounding allows.
#[test]
fn tiles_for_any_hit_are_given_up() {
    let soup = soup(100_000);
    let (from, lamp) = (Vec3::new(0.0, 0.0, -0.95), Vec3::new(0.05, 0.1, 0.95));
    for level in SimdLevel::available() {
        let bvh = tree(&soup).with_simd_level(level);
        let mut rng = Rng::new(43);
        for (size, is_sparse) in [(0.09, true), (1e-5, false)] {
            let mut counts = TechniqueCounts::default();
            for _ in 0..20 {
                let rays = shadow_rays(&mut rng, 32, (from, size), (lamp, size));
                let describe = || format!("{level}, soup, {size}");
                counts += compare_with(Technique::Packets, &bvh, &rays, &describe)[1];
            }
            assert_eq!(counts.total(), 20 * 32);
            if has_kernels(level) {
                let others = counts.interleaved + counts.bundles;
                assert_eq!(others > 0, is_sparse, "{level}: {counts:?}");
            }
        }
    }
}

/// Kinds of rays in one batch, in runs that do not end where tiles do.
#[test]
fn mixtures_of_rays_are_answered_in_tiles() {
    let soup = soup(20_000);
    let mut rng = Rng::new(44);
    let mut rays = Vec::new();
    for _ in 0..40 {
        let count = 1 + rng.below(300);
        let (from, lamp) = (rng.point(), rng.point() * 2.0);
        let sizes = [0.0, 1e-3, 0.02, 0.3, 2.0];
        let (side, lamp_size) = (rng.pick(&sizes), rng.pick(&sizes));
        let mut run = shadow_rays(&mut rng, count, (from, side), (lamp, lamp_size));
        run.retain(|ray| ray.dir != Vec3::ZERO);
        if rng.one_in(3) {
            run.iter_mut().for_each(|ray| ray.t_max = f32::INFINITY);
        }
        rays.extend(run);
    }
    for level in SimdLevel::available() {
        let counts = compare(&soup, level, &rays, "a mixture");
        assert_eq!(counts.total(), rays.len(), "{level}: {counts:?}");
    }
}

/// Each ray begins on a triangle, which it skips; every triangle is there twice, so that some rays
/// hit the twin of the one that they skip.
#[test]
fn rays_that_skip_the_triangle_they_leave_form_tiles() {
    let mut triangles = scene("sphere", 1).unwrap().triangles;
    triangles.extend_from_within(..triangles.len() / 3);
    let mut rng = Rng::new(44);
    let eye = Vec3::new(0.2, 0.1, 5.0);
    let lamp = Vec3::new(1.5, 2.0, 4.0);
    for level in SimdLevel::available() {
        let bvh = tree(&triangles).with_simd_level(level);
        let (mut rays, mut options) = (Vec::new(), Vec::new());
        while rays.len() < 1500 {
            let aside = Vec3::new(rng.signed(), rng.signed(), 0.0) * 0.3;
            let Some(hit) = bvh.closest_hit(&Ray::new(eye, aside - eye)) else {
                continue;
            };
            let origin = eye + (aside - eye) * hit.t;
            rays.push(Ray::new(origin, lamp - origin).with_interval(0.0, 1.0));
            let skipped = rng.one_in(9).then_some(hit.prim).xor(Some(hit.prim));
            options.push(QueryOptions::new().skip(skipped));
        }
        compare_skipping(&bvh, &rays, &|| format!("{level}, from a sphere"));
        let expected: Vec<bool> = (rays.iter().zip(&options))
            .map(|(ray, options)| bvh.ask_with(Any, ray, options).unwrap())
            .collect();
        let hits = expected.iter().filter(|&&hit| hit).count();
        assert!(hits > 100 && hits < 1400, "{hits} of {}", rays.len());
        let many = QuerySlice::new(&rays).technique(Technique::Packets);
        let mut any = vec![false; rays.len()];
        let counts = bvh
            .ask_many(Any, &many.options_each(&options), &mut any)
            .unwrap();
        assert_eq!(any, expected, "{level}");
        assert_eq!(counts.total(), rays.len());
        let tiled = if has_kernels(level) { 1200 } else { 0 };
        assert!(counts.packets >= tiled, "{level}: {counts:?}");
        // One that culls, and inactive ones.
        options[700].cull = Cull::Back;
        let active: Vec<bool> = (0..rays.len()).map(|i| i % 97 != 96 || i < 1000).collect();
        let many = many.options_each(&options).active(&active);
        bvh.ask_many(Any, &many, &mut any).unwrap();
        for (i, ray) in rays.iter().enumerate() {
            let hit = active[i] && bvh.ask_with(Any, ray, &options[i]).unwrap();
            assert_eq!(any[i], hit, "{level}: ray {i}: {ray:?}");
        }
    }
}
