//! Directions of lengths that are scaled before rays are traced together.

use super::{bits, compare, compare_with, kinds::KINDS, kinds::Target, kinds::spoil, tree};
use estoc_bvh::Bvh;
use estoc_core::glam::Vec3;
use estoc_core::{
    All, Any, Closest, Count, CountCrossings, Cull, Engine, HitOf, Masks, MeshTriangle, PrimId,
    QueryOptions, QuerySlice, QuerySliceError, Ray, RayQuery, Technique, Triangle, Unmasked,
    ValueQuestion,
};
use estoc_mesh::Mesh;
use estoc_testkit::conformance::{Effort, on_all_cores};
use estoc_testkit::generate::{Rng, scenes};

/// Returns the same ray, up to rounding, with a direction `by` times as long.
fn of_length(ray: &Ray, by: f32) -> Ray {
    Ray::new(ray.origin, ray.dir * by).with_interval(ray.t_min / by, ray.t_max / by)
}

#[test]
fn rays_of_all_lengths_are_answered_together() {
    let seeds = if Effort::is_long() { 40 } else { 1 };
    on_all_cores(seeds, |seed| {
        for scene in scenes(seed as u64) {
            let finite = scene.triangles.iter().all(Triangle::is_finite);
            let target = Target::new(&scene.triangles);
            let (true, Some(target)) = (finite, target) else {
                continue;
            };
            let bvh = tree(&scene.triangles);
            let mut rng = Rng::named(seed as u64, "lengths");
            for &(name, bundle) in KINDS {
                let mut rays = bundle(&target, &mut rng);
                spoil(&mut rays, &mut rng, |ray| {
                    bvh.closest_hit(ray).map(|hit| hit.t)
                });
                // Of some only a part is too long; some cannot be scaled exactly.
                for by in [300.0, 1e-3, 1e4, 1e-30, 1e33, 1.7e38] {
                    let mut length = || by * rng.pick(&[1.0, 1.0, 1.0, 1e-4, 1.3]);
                    let rays: Vec<Ray> = rays.iter().map(|ray| of_length(ray, length())).collect();
                    let describe = || format!("{} {seed}, {name}, {by:e}", scene.name);
                    compare(&bvh, &rays, &describe);
                    // Lists are not scaled.
                    for ray in &rays {
                        let first = bvh.all_hits(ray).first().copied();
                        let hit = bvh.closest_hit(ray);
                        assert_eq!(bits(hit), bits(first), "{}: {ray:?}", describe());
                    }
                }
            }
        }
    });
}

/// At the start of the ray, and so near to it that the parameter of the scaled ray or its own has lost
/// digits.
#[test]
fn parameters_next_to_zero_are_those_of_lists() {
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
        for ray in &rays {
            let first = bvh.all_hits(ray).first().copied();
            assert!(first.is_some(), "{ray:?}");
            assert_eq!(bits(bvh.closest_hit(ray)), bits(first), "{ray:?}");
        }
        for technique in Technique::ALL {
            compare_with(technique, &bvh, &rays, &|| format!("{by:e}"));
        }
    }
}

/// Eight sheets, and more long rays through them than are scaled at a time.
fn sheets() -> (Bvh, Vec<Ray>) {
    let triangles: Vec<Triangle> = (0..8)
        .map(|i| {
            let z = i as f32;
            Triangle::new([-9.0, -9.0, z], [20.0, -9.0, z], [-9.0, 20.0, z])
        })
        .collect();
    let ray = |i: usize| {
        let [x, y] = [i % 16, i / 16].map(|i| i as f32);
        Ray::new([0.0, 0.0, -1.0], [1.0 + x, 2.0 + 0.1 * y, 1000.0])
    };
    (tree(&triangles), (0..5000).map(ray).collect())
}

/// Returns a tree over the same triangles in `f64`.
fn in_f64(bvh: &Bvh) -> Bvh<f64> {
    let prims = (0..bvh.triangle_count()).filter_map(PrimId::from_index);
    let triangles = prims.filter_map(|prim| bvh.triangle(prim));
    let corners = triangles.flat_map(|triangle| triangle.corners().map(Vec3::as_dvec3));
    let faces = (0..bvh.triangle_count() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]);
    Bvh::build(&Mesh::from_f64(corners.collect::<Vec<_>>(), faces).expect("finite corners"))
}

#[test]
fn all_questions_about_long_rays_are_answered() {
    let (bvh, rays) = sheets();
    let has_kernels =
        cfg!(target_arch = "x86_64") && bvh.simd_level() != estoc_bvh::SimdLevel::Baseline;
    check_all_questions(&bvh, &rays, has_kernels, |hit| (hit.prim, hit.t.into()));
    // At corners in `f64`, rays are copied in such parts, too.
    let wide = in_f64(&bvh);
    check_all_questions(&wide, &rays, false, |hit| (hit.prim, hit.t));
}

/// Asks an engine about many rays by all techniques, and compares with single calls.
fn check_all_questions<E>(
    engine: &E,
    rays: &[Ray],
    has_packets: bool,
    of: impl Fn(&HitOf<E>) -> (PrimId, f64),
) where
    E: Engine<Primitive: MeshTriangle>,
{
    fn bits<H: std::fmt::Debug>(hit: Option<H>) -> String {
        format!("{hit:?}")
    }
    let active: Vec<bool> = (0..rays.len()).map(|i| i % 3 > 0).collect();
    let after = engine.closest_hit(&rays[0]).map(|hit| of(&hit).0);
    for technique in Technique::ALL {
        let many = QuerySlice::new(rays).technique(technique);
        let (mut hits, mut any) = (vec![None; rays.len()], vec![false; rays.len()]);
        let first = engine.ask_many(Closest, &many, &mut hits).unwrap();
        let counts = engine.ask_many(Any, &many, &mut any).unwrap();
        if has_packets {
            match technique {
                Technique::Packets => assert!(first.packets > 0 && counts.packets > 0),
                Technique::Bundles => assert!(first.bundles > 0 && counts.bundles > 0),
                _ => {}
            }
        }
        let many = many.active(&active);
        let options = [
            QueryOptions::new(),
            QueryOptions::new().after(after),
            QueryOptions::new().skip(after),
            QueryOptions::new().cull(Cull::Front),
        ];
        for options in options {
            let many = many.options(&options);
            let (mut counts, mut crossings) = (vec![7; rays.len()], vec![7; rays.len()]);
            engine.ask_many(Count, &many, &mut counts).unwrap();
            engine.ask_many(Closest, &many, &mut hits).unwrap();
            engine.ask_many(Any, &many, &mut any).unwrap();
            let mut rows = vec![Vec::new(); rays.len()];
            let emit = &mut |ray: usize, hits: &[HitOf<E>]| rows[ray] = hits.to_vec();
            engine.ask_rows(All, &many, emit).unwrap();
            for (i, ray) in rays.iter().enumerate() {
                let expected = match active[i] {
                    true => engine.ask_with(All, ray, &options).unwrap(),
                    false => Vec::new(),
                };
                let told = || format!("{technique}, {options:?}: {ray:?}");
                assert_eq!(rows[i], expected, "{}", told());
                assert_eq!(counts[i], expected.len(), "{}", told());
                assert_eq!(any[i], !expected.is_empty(), "{}", told());
                assert_eq!(bits(hits[i]), bits(expected.first().copied()), "{}", told());
            }
            if options == QueryOptions::new() {
                engine
                    .ask_many(CountCrossings, &many, &mut crossings)
                    .unwrap();
                let expected = active
                    .iter()
                    .map(|&is_active| if is_active { 8 } else { 0 });
                assert!(crossings.into_iter().eq(expected), "{technique}");
            }
        }

        // The parameters that a function sees are those of the ray.
        let seen = |ray: &Ray, hit: &HitOf<E>| ray.dir.z == 1000.0 && of(hit).1 > 0.0055;
        Closest
            .ask_many(engine, &many, Some(&seen), &mut hits)
            .unwrap();
        for ((ray, hit), is_active) in rays.iter().zip(&hits).zip(&active) {
            let mut all = engine.all_hits(ray).into_iter();
            let expected = all.find(|hit| *is_active && seen(ray, hit));
            assert_eq!(bits(*hit), bits(expected), "{technique}: {ray:?}");
        }
    }
}

/// Ray 4500, in the second part that is scaled, does not hit the triangle after which it should
/// continue: rays before it are answered, those behind it keep what was there.
#[test]
fn an_error_names_its_ray_among_long_ones() {
    let (bvh, mut rays) = sheets();
    rays[4500].origin.x = 100.0;
    check_error(&bvh, &rays);
    check_error(&in_f64(&bvh), &rays);
}

fn check_error<E: Engine<Primitive: MeshTriangle>>(bvh: &E, rays: &[Ray]) {
    let after = PrimId::new(0);
    let options = QueryOptions::new().after(after);
    let before = bvh.closest_hit(&rays[1]);
    for technique in Technique::ALL {
        let many = QuerySlice::new(rays).technique(technique).options(&options);
        let mut hits = vec![before; rays.len()];
        let error = bvh.ask_many(Closest, &many, &mut hits).unwrap_err();
        assert!(
            matches!(error, QuerySliceError::Query { ray: 4500, .. }),
            "{technique}: {error}"
        );
        let expected = bvh.ask_with(Closest, &rays[4000], &options).unwrap();
        assert_eq!(hits[4000], expected, "{technique}");
        assert!(
            hits[4501..]
                .iter()
                .all(|hit| hit.is_none_or(|_| *hit == before))
        );
    }
}

#[test]
fn questions_without_masks_about_long_rays_see_every_triangle() {
    let (bvh, rays) = sheets();
    let expected = bvh.closest_hit(&rays[0]);
    let hidden = bvh.clone().with_masks(Masks::from_runs([(8, 0)]));
    assert_eq!(hidden.closest_hit(&rays[0]), None);
    for technique in Technique::ALL {
        let many = QuerySlice::new(&rays[..500]).technique(technique);
        let (mut hits, mut any) = (vec![None; 500], vec![false; 500]);
        hidden
            .ask_many(Unmasked(Closest), &many, &mut hits)
            .unwrap();
        hidden.ask_many(Unmasked(Any), &many, &mut any).unwrap();
        assert_eq!(bits(hits[0]), bits(expected), "{technique}");
        assert!(hits.iter().all(Option::is_some) && any.iter().all(|&any| any));
        hidden.ask_many(Closest, &many, &mut hits).unwrap();
        assert!(hits.iter().all(Option::is_none), "{technique}");
    }
}
