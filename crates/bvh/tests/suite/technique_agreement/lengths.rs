//! Directions of lengths that kernels scale before they trace rays together.

use super::{bits, compare, compare_with, kinds::KINDS, kinds::Target, tree};
use estoc_core::{
    All, Closest, Count, CountCrossings, Hit, QueryOptions, QuerySlice, QuerySliceError, Ray,
    RayQuery, Technique, Triangle, ValueQuestion,
};
use estoc_testkit::conformance::{Effort, on_all_cores};
use estoc_testkit::generate::{Rng, scenes};

/// Returns the ray with a direction of another length, and with its ends where they were but for
/// roundings.
fn of_length(ray: &Ray, by: f32) -> Ray {
    Ray::new(ray.origin, ray.dir * by).with_interval(ray.t_min / by, ray.t_max / by)
}

#[test]
fn rays_of_all_lengths_are_answered_together() {
    let seeds = if Effort::is_long() { 40 } else { 1 };
    let packets = on_all_cores(seeds, |seed| {
        let mut packets = 0;
        for scene in scenes(seed as u64) {
            let finite = scene.triangles.iter().all(Triangle::is_finite);
            let target = Target::new(&scene.triangles);
            let (true, Some(target)) = (finite, target) else {
                continue;
            };
            let bvh = tree(&scene.triangles);
            let mut rng = Rng::named(seed as u64, "lengths");
            for &(name, bundle) in KINDS {
                let rays = bundle(&target, &mut rng);
                // Of some only a part is too long; some cannot be scaled exactly.
                for by in [300.0, 1e-3, 1e4, 1e-30, 1e33, 1.7e38] {
                    let mut each = |ray| of_length(ray, by * rng.pick(&[1.0, 1.0, 1.0, 1e-4, 1.3]));
                    let rays: Vec<Ray> = rays.iter().map(&mut each).collect();
                    let describe = || format!("{} {seed}, {name}, {by:e}", scene.name);
                    packets += compare(&bvh, &rays, &describe)[0].packets;
                }
            }
        }
        packets
    });
    let packets: usize = packets.into_iter().sum();
    println!("{packets} rays in packets");
    assert!(packets > 1000 * seeds || cfg!(not(target_arch = "x86_64")));
}

/// At the start of the ray, and so near to it that the parameter of the scaled ray or its own has lost
/// digits.
#[test]
fn parameters_next_to_zero_are_those_of_single_rays() {
    let height = |i: usize| [0.0, 1e-38, 3e-39, 1e-20, 1.0][i % 5];
    let triangles: Vec<Triangle> = (0..200)
        .map(|i| {
            let (x, z) = (i as f32, height(i));
            Triangle::new([x, 0.0, z], [x + 0.9, 0.0, z], [x, 0.9, z])
        })
        .collect();
    let bvh = tree(&triangles);
    for by in [1e-30, 1e-5, 1e3, 1e12, 1e36] {
        let rays: Vec<Ray> = (0..200)
            .map(|i| Ray::new([i as f32 + 0.2, 0.2, 0.0], [0.0, 0.0, by]))
            .collect();
        assert!(rays.iter().all(|ray| bvh.closest_hit(ray).is_some()));
        for technique in Technique::ALL {
            compare_with(technique, &bvh, &rays, &|| format!("{by:e}"));
        }
    }
}

/// Answers with the parameters of several hits, counts, rays that do not count, and errors.
#[test]
fn all_questions_about_long_rays_are_answered() {
    let triangles: Vec<Triangle> = (0..64)
        .map(|i| {
            let z = (i / 8) as f32;
            Triangle::new([-9.0, -9.0, z], [20.0, -9.0, z], [-9.0, 20.0, z])
        })
        .collect();
    let bvh = tree(&triangles);
    let rays: Vec<Ray> = (0..100)
        .map(|i| Ray::new([0.01 * i as f32, 0.0, -1.0], [1.0, 2.0, 1000.0]))
        .collect();
    let active: Vec<bool> = (0..rays.len()).map(|i| i % 3 > 0).collect();
    for technique in Technique::ALL {
        let many = QuerySlice::new(&rays).technique(technique).active(&active);
        let (mut counts, mut crossings) = (vec![7; rays.len()], vec![7; rays.len()]);
        bvh.ask_many(Count, &many, &mut counts).unwrap();
        bvh.ask_many(CountCrossings, &many, &mut crossings).unwrap();
        let mut rows = vec![Vec::new(); rays.len()];
        let emit = &mut |ray: usize, hits: &[Hit]| rows[ray] = hits.to_vec();
        bvh.ask_rows(All, &many, emit).unwrap();
        for (i, ray) in rays.iter().enumerate() {
            let expected = if active[i] {
                bvh.all_hits(ray)
            } else {
                Vec::new()
            };
            assert_eq!(counts[i], expected.len(), "{technique}: {ray:?}");
            assert_eq!(crossings[i], if active[i] { 64 } else { 0 }, "{technique}");
            assert_eq!(rows[i], expected, "{technique}: {ray:?}");
        }

        // The parameters that a function sees are those of the ray.
        let seen = |ray: &Ray, hit: &Hit| ray.dir.z == 1000.0 && hit.t > 0.0055;
        let mut hits = vec![None; rays.len()];
        let many = QuerySlice::new(&rays).technique(technique);
        Closest
            .ask_many(&bvh, &many, Some(&seen), &mut hits)
            .unwrap();
        for (ray, hit) in rays.iter().zip(hits) {
            let expected = bvh.all_hits(ray).into_iter().find(|hit| seen(ray, hit));
            assert_eq!(bits(hit), bits(expected), "{technique}: {ray:?}");
        }

        // The 60th ray does not hit the triangle after which it should continue.
        let mut rays = rays.clone();
        rays[60].origin.x = 100.0;
        let options = QueryOptions::new().after(bvh.closest_hit(&rays[0]).map(|hit| hit.prim));
        let many = QuerySlice::new(&rays)
            .technique(technique)
            .options(&options);
        let error = bvh.ask_many(Count, &many, &mut counts).unwrap_err();
        assert!(
            matches!(error, QuerySliceError::Query { ray: 60, .. }),
            "{technique}: {error}"
        );
    }
}
