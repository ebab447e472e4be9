//! Whatever the plan, the answers are those of single calls.

use crate::common::{Answers, Backwards, picture, scene};
use estoc_batch::{Batch, Coherence, HitRows, ItemsError, Rays, RaysSoA};
use estoc_core::{
    All, Any, Closest, Count, CountCrossings, Crossings, Cull, PrimId, QueryOptions, Ray, RayQuery,
    Technique,
};

/// Returns batches with every technique and other settings.
fn plans() -> Vec<(String, Batch<'static>)> {
    let mut plans = Vec::new();
    let techniques = Technique::ALL.map(Some);
    for technique in techniques.into_iter().chain([None]) {
        for coherence in [Coherence::Auto, Coherence::Coherent, Coherence::Incoherent] {
            for reorder in [false, true] {
                let batch = Batch::new()
                    .technique(technique)
                    .coherence(coherence)
                    .reorder(reorder);
                plans.push((format!("{technique:?} {coherence:?} {reorder}"), batch));
            }
        }
    }
    plans
}

#[test]
fn plans_threads_and_chunks_change_no_answer() {
    let (bvh, mut rays) = scene(1500);
    rays.extend(picture(24));
    let expected = Answers::plain(&bvh, &rays);
    assert!(expected.closest.iter().flatten().count() > 500);
    let backwards = Backwards::new(bvh.clone(), 1 << 40);
    for (name, batch) in plans() {
        for (threads, chunk) in [
            (1, None),
            (2, Some(13)),
            (3, Some(64)),
            (7, Some(257)),
            (2, None),
        ] {
            let mut batch = batch.threads(threads);
            if let Some(chunk) = chunk {
                batch = batch.chunk_size(chunk);
            }
            let what = format!("{name} {threads} {chunk:?}");
            assert_eq!(Answers::of(&batch, &bvh, &rays), expected, "{what}");
            let found = Answers::of(&batch, &backwards, &rays);
            assert_eq!(found, expected, "backwards, {what}");
        }
    }
}

#[test]
fn options_and_flags_of_each_ray_reach_it() {
    let (bvh, mut rays) = scene(700);
    let closest: Vec<_> = rays.iter().map(|ray| bvh.closest_hit(ray)).collect();
    // Rays that begin or end at their first hit, most of them not exactly.
    for (i, hit) in closest.iter().enumerate() {
        if let (4, Some(hit)) = (i % 5, hit) {
            rays[i] = match i % 2 {
                0 => rays[i].with_interval(hit.t, f32::INFINITY),
                _ => rays[i].with_interval(0.0, hit.t),
            };
        }
    }
    // The first hit of each ray is skipped, continued behind, culled, or left out if it is at an end.
    let each: Vec<QueryOptions> = (closest.iter().enumerate())
        .map(|(i, hit)| {
            let (prim, options) = (hit.map(|hit| hit.prim), QueryOptions::new());
            match i % 5 {
                4 => options.open_ends(true),
                0 => options.skip(prim),
                1 => options.after(prim),
                2 => options.cull(Cull::Back),
                _ => options,
            }
        })
        .collect();
    let active: Vec<bool> = (0..rays.len()).map(|i| i % 5 != 2).collect();
    let same = QueryOptions::new().cull(Cull::Front).skip(PrimId::new(5));
    let expected_each = Answers::one_by_one(&bvh, &rays, |i| each[i], |i| active[i]);
    let expected_same = Answers::one_by_one(&bvh, &rays, |_| same, |i| active[i]);
    assert_ne!(expected_each.closest, expected_same.closest);
    let backwards = Backwards::new(bvh.clone(), 1 << 40);
    for (name, batch) in plans() {
        for (threads, chunk) in [(1, 9999), (3, 31)] {
            let batch = batch.threads(threads).chunk_size(chunk).active(&active);
            let found = Answers::of(&batch.options_each(&each), &bvh, &rays);
            assert_eq!(found, expected_each, "{name} {threads}");
            let found = Answers::of(&batch.options(same), &bvh, &rays);
            assert_eq!(found, expected_same, "{name} {threads}");
            let found = Answers::of(&batch.options(same), &backwards, &rays);
            assert_eq!(found, expected_same, "backwards, {name} {threads}");
        }
    }
    let built = Batch::new()
        .cull(Cull::Front)
        .skip(PrimId::new(5))
        .active(&active);
    assert_eq!(Answers::of(&built, &bvh, &rays), expected_same);
}

/// Returns each number of the rays as an array.
fn columns(rays: &[Ray]) -> [Vec<f32>; 8] {
    let number = |ray: &Ray| {
        let ([ox, oy, oz], [dx, dy, dz]) = (ray.origin.to_array(), ray.dir.to_array());
        [ox, oy, oz, dx, dy, dz, ray.t_min, ray.t_max]
    };
    std::array::from_fn(|column| rays.iter().map(|ray| number(ray)[column]).collect())
}

fn soa(columns: &[Vec<f32>; 8]) -> RaysSoA<'_> {
    let [ox, oy, oz, dx, dy, dz, t_min, t_max] = columns.each_ref().map(Vec::as_slice);
    let (t_min, t_max) = (Some(t_min), Some(t_max));
    RaysSoA {
        ox,
        oy,
        oz,
        dx,
        dy,
        dz,
        t_min,
        t_max,
    }
}

#[test]
fn every_layout_has_the_same_answers() {
    let (bvh, rays) = scene(900);
    let columns = columns(&rays);
    let eight: Vec<[f32; 8]> = (0..rays.len())
        .map(|i| columns.each_ref().map(|c| c[i]))
        .collect();
    let six = eight.iter().map(|row| std::array::from_fn(|i| row[i]));
    let six: Vec<[f32; 6]> = six.collect();
    let endless = rays.iter().map(|ray| Ray::new(ray.origin, ray.dir));
    let endless: Vec<Ray> = endless.collect();
    let (with, without) = (Answers::plain(&bvh, &rays), Answers::plain(&bvh, &endless));
    assert_ne!(with.closest, without.closest);

    let soa = soa(&columns);
    let no_interval = RaysSoA {
        t_min: None,
        t_max: None,
        ..soa
    };
    let rows_of_8 = Rays::rows_of_8(eight.as_flattened()).unwrap();
    let rows_of_6 = Rays::rows_of_6(six.as_flattened()).unwrap();
    for (threads, chunk, reorder) in [(1, 100, false), (2, 64, false), (3, 77, true)] {
        let batch = Batch::new()
            .threads(threads)
            .chunk_size(chunk)
            .reorder(reorder);
        let found = |rays: Rays<'_>| Answers::of(&batch, &bvh, rays);
        let copy = |range: std::ops::Range<usize>, to: &mut [Ray]| to.copy_from_slice(&rays[range]);
        for rays in [
            Rays::made(rays.len(), &copy),
            Rays::from(&rays),
            Rays::from(rays.as_slice()),
            Rays::from(&eight),
            Rays::from(eight.as_slice()),
            rows_of_8,
            Rays::try_from(soa).unwrap(),
        ] {
            assert_eq!(found(rays), with, "{rays:?}");
        }
        for rays in [
            Rays::from(&endless),
            Rays::from(&six),
            Rays::from(six.as_slice()),
            rows_of_6,
            Rays::try_from(no_interval).unwrap(),
        ] {
            assert_eq!(found(rays), without, "{rays:?}");
        }
    }
    let origin = Rays::from(&six).get(5).map(|ray| ray.origin);
    assert_eq!(origin, Some(rays[5].origin));
    assert_eq!(Rays::try_from(soa).unwrap().get(rays.len()), None);
}

#[test]
fn lengths_that_do_not_match_are_named() {
    let columns = columns(&scene(10).1);
    let soa = soa(&columns);
    let short = &columns[2][..7];
    let lengths = |array| ItemsError::Lengths {
        array,
        first: "ox",
        items: 10,
        found: 7,
    };
    assert_eq!(
        lengths("oz").to_string(),
        "the length of oz is 7 instead of 10, the length of ox; each array needs one number per item"
    );
    let t = Some(short);
    for (array, wrong) in [
        ("oy", RaysSoA { oy: short, ..soa }),
        ("oz", RaysSoA { oz: short, ..soa }),
        ("dx", RaysSoA { dx: short, ..soa }),
        ("dy", RaysSoA { dy: short, ..soa }),
        ("dz", RaysSoA { dz: short, ..soa }),
        ("t_min", RaysSoA { t_min: t, ..soa }),
        ("t_max", RaysSoA { t_max: t, ..soa }),
    ] {
        assert_eq!(Rays::try_from(wrong).unwrap_err(), lengths(array));
    }
    let refused = Rays::rows_of_6(&[0.0; 20]).unwrap_err().to_string();
    assert_eq!(
        refused,
        "the length 20 is not a multiple of 6 (2 left over)"
    );
    let refused = Rays::rows_of_8(&[0.0; 7]).unwrap_err();
    assert_eq!(refused, ItemsError::Rows { numbers: 7, row: 8 });
    assert!(Rays::rows_of_8(&[]).unwrap().is_empty());
}

#[test]
fn room_is_used_again() {
    let (bvh, rays) = scene(300);
    let expected = Answers::plain(&bvh, &rays);
    let batch = Batch::new();
    let mut rows = HitRows::default();
    for _ in 0..2 {
        let report = batch.ask_into(&bvh, All, &rays, &mut rows).unwrap();
        assert_eq!(rows, expected.all);
        assert_eq!((report.rays, report.not_asked()), (300, 8));
    }
    let room = rows.values.as_ptr();
    batch.ask_into(&bvh, All, &rays[..100], &mut rows).unwrap();
    assert_eq!((rows.len(), rows.values.as_ptr()), (100, room));
    batch.ask_into(&bvh, Crossings, &rays, &mut rows).unwrap();
    assert_eq!(rows, expected.crossings);
    let mut counts = vec![7; 300];
    batch.ask_into(&bvh, Count, &rays, &mut counts[..]).unwrap();
    assert_eq!(counts, expected.count);
    batch
        .ask_into(&bvh, CountCrossings, &rays, &mut counts[..])
        .unwrap();
    assert_eq!(counts, expected.count_crossings);
    let mut any = vec![true; 300];
    batch.ask_into(&bvh, Any, &rays, &mut any[..]).unwrap();
    assert_eq!(any, expected.any);
    let mut closest = expected.closest.clone();
    closest.reverse();
    batch
        .ask_into(&bvh, Closest, &rays, &mut closest[..])
        .unwrap();
    assert_eq!(closest, expected.closest);
}
