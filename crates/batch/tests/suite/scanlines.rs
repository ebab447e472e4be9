//! Rays that come in scanlines are grouped in tiles: the answers are those of single calls, in the
//! order asked.

use crate::common::{Answers, scene};
use estoc_batch::{Batch, Coherence, HitColumns, Plan, Query, Rays};
use estoc_bvh::Bvh;
use estoc_core::{Any, Camera, Closest, Hit, QueryOptions, Ray, RayQuery, Tile, Viewport};
use estoc_testkit::tables::Rng;
use std::ops::ControlFlow;

/// Returns rays through the pixels of a picture of the unit cube, row by row.
fn rows(width: usize, count: usize) -> Vec<Ray> {
    let at = |i: usize| (i as f32 + 0.5) / width as f32 - 0.5;
    (0..count)
        .map(|i| {
            let dir = [at(i % width) * 0.2, at(i / width) * 0.2, -1.0];
            Ray::new([0.5, 0.5, 3.0], dir)
        })
        .collect()
}

fn single(bvh: &Bvh, rays: &[Ray]) -> Vec<Option<Hit>> {
    rays.iter().map(|ray| bvh.closest_hit(ray)).collect()
}

/// Casts rays in all ways, and compares the answers. Returns the plan.
fn check(bvh: &Bvh, rays: &[Ray], expected: &[Option<Hit>], batch: Batch<'_>, what: &str) -> Plan {
    let some = expected.iter().copied().flatten().next();
    // What is there before is wrong, so that a ray without an answer is seen.
    let mut closest: Vec<Option<Hit>> = (expected.iter())
        .map(|hit| if hit.is_none() { some } else { None })
        .collect();
    let mut any: Vec<bool> = expected.iter().map(Option::is_none).collect();
    let report = batch.ask_into(bvh, Closest, rays, &mut closest[..]);
    let report = report.unwrap();
    let defined = rays.iter().filter(|ray| ray.check().is_ok()).count();
    assert_eq!(report.techniques.total(), defined, "{what}");
    assert!(closest == expected, "{what}");
    batch.ask_into(bvh, Any, rays, &mut any[..]).unwrap();
    let expected_any = expected.iter().map(Option::is_some);
    assert!(any.into_iter().eq(expected_any), "{what}");
    let columns: HitColumns = batch.ask_as(bvh, Closest, rays).unwrap();
    let mut rows = (0..rays.len()).map(|i| columns.get(i));
    assert!(rows.by_ref().eq(expected.iter().copied()), "{what}");
    report.plan
}

#[test]
fn scanlines_of_every_length_and_number_are_answered_in_their_order() {
    let (bvh, _) = scene(1);
    let (mut turn, mut grouped) = (0, 0);
    for width in [16, 17, 31, 64, 100, 257] {
        for whole in [4, 5, 8, 15, 16, 17, 33] {
            for (first, rest) in [(0, 0), (3, width - 1), (width - 1, 1)] {
                let rays = rows(width, width * whole + first + rest);
                let rays = &rays[first..];
                let expected = single(&bvh, rays);
                turn += 1;
                for threads in [1, [2, 3, 7][turn % 3]] {
                    let batch = Batch::new().threads(threads);
                    let what = format!("{width} by {whole}, {first} {rest}, {threads} threads");
                    let plan = check(&bvh, rays, &expected, batch, &what);
                    assert_eq!(plan.facts.sampled.scanline, width, "{what}: {plan}");
                    if threads == 1 && whole >= 16 {
                        assert_eq!(plan.tile_rows, 16, "{what}: {plan}");
                    }
                    grouped += usize::from(plan.tile_rows > 0);
                    // Chunks set by the caller are kept, whatever scanlines they have.
                    let size = [1, width - 1, 2 * width, 5 * width + 3][turn % 4];
                    let plan = check(&bvh, rays, &expected, batch.chunk_size(size), &what);
                    assert_eq!(plan.chunk_size, size);
                    assert_eq!(plan.tile_rows > 0, size >= 2 * width, "{what}: {plan}");
                }
            }
        }
    }
    assert!(grouped > 126, "{grouped}");
}

/// Parallel rays of an orthographic camera, row by row and in tiles: the same hits, and tiles trace them.
#[test]
fn orthographic_pictures_are_traced_in_tiles_with_the_same_hits() {
    let (bvh, _) = scene(1);
    let viewport = Viewport::new(96.0, 64.0);
    let mut packets = 0;
    for (eye, height) in [
        ([0.5, 0.5, 3.0], 1.2),
        ([3.0, 2.0, -1.0], 0.3),
        ([0.5, 9.0, 0.4], 5.0),
    ] {
        let up = [0.1, 0.2, 1.0];
        let camera = Camera::look_at_orthographic(viewport, eye, [0.5; 3], up, height).unwrap();
        let rays: Vec<Ray> = camera.rays(96, 64).collect();
        let expected = single(&bvh, &rays);
        assert!(expected.iter().flatten().count() > 100);
        for coherence in [Coherence::Auto, Coherence::Coherent, Coherence::Incoherent] {
            let batch = Batch::new().threads(1).coherence(coherence);
            check(
                &bvh,
                &rays,
                &expected,
                batch,
                &format!("{eye:?} {coherence:?}"),
            );
        }
        for tile in Tile::all(96, 64, 16) {
            let rays: Vec<Ray> = camera.tile_rays(tile).collect();
            let expected = single(&bvh, &rays);
            let mut hits = vec![None; rays.len()];
            let batch = Batch::new().threads(1).coherence(Coherence::Coherent);
            let report = batch.ask_into(&bvh, Closest, &rays, &mut hits[..]).unwrap();
            assert!(hits == expected, "{eye:?} {tile:?}");
            packets += report.techniques.packets;
        }
    }
    assert!(packets > 0);
}

#[test]
fn forms_of_rays_flags_and_declared_coherence_make_no_difference() {
    let (bvh, _) = scene(1);
    let rays = rows(100, 100 * 37 + 11);
    let expected = single(&bvh, &rays);
    let plain = Batch::new().threads(1);
    for (name, coherence, tile_rows) in [
        ("auto", Coherence::Auto, 16),
        ("declared", Coherence::Coherent, 16),
        ("incoherent", Coherence::Incoherent, 0),
    ] {
        let plan = check(&bvh, &rays, &expected, plain.coherence(coherence), name);
        assert_eq!(plan.tile_rows, tile_rows, "{name}");
    }

    let six = rays.iter().flat_map(|ray| ray.as_array()[..6].to_vec());
    let six: Vec<f32> = six.collect();
    let six = Rays::rows_of_6(&six).unwrap();
    for threads in [1, 2] {
        let mut hits = vec![None; rays.len()];
        let batch = Batch::new().threads(threads);
        let report = batch.ask_into(&bvh, Closest, six, &mut hits[..]).unwrap();
        assert_eq!(report.plan.facts.sampled.scanline, 100);
        assert!(hits == expected);
    }

    let is_active = |i: usize| !i.is_multiple_of(3) && i % 1000 < 900;
    let active: Vec<bool> = (0..rays.len()).map(is_active).collect();
    let masked = plain.active(&active);
    let found = Answers::of(&masked, &bvh, &rays);
    let options = |_| QueryOptions::new();
    let expected = Answers::one_by_one(&bvh, &rays, options, is_active);
    assert_eq!(found, expected);
    assert_eq!(masked.plan(&bvh, Closest, &rays).tile_rows, 16);

    // Rays with many answers or with options keep their order.
    assert_eq!(plain.plan(&bvh, Query::All, &rays).tile_rows, 0);
    let culled = plain.cull(estoc_core::Cull::Back);
    assert_eq!(culled.plan(&bvh, Closest, &rays).tile_rows, 0);
    assert_eq!(plain.reorder(true).plan(&bvh, Closest, &rays).tile_rows, 0);
}

#[test]
fn rays_in_other_orders_and_of_mixed_kinds_are_answered_in_their_order() {
    let (bvh, unrelated) = scene(64 * 48);
    let rays = rows(64, 64 * 48);
    let mut rng = Rng::new(3);
    let mut shuffled = rays.clone();
    for i in (1..shuffled.len()).rev() {
        shuffled.swap(i, rng.below(i as u64 + 1) as usize);
    }
    let mut undefined = rays.clone();
    for ray in undefined.iter_mut().skip(700).step_by(41) {
        ray.dir.y = f32::NAN;
    }
    // Two unrelated scanlines, and rays with ends.
    let mut mixed = rays.clone();
    for row in [19, 39] {
        mixed[row * 64..row * 64 + 64].copy_from_slice(&unrelated[row * 64..row * 64 + 64]);
    }
    for (i, ray) in mixed.iter_mut().enumerate() {
        ray.t_max = [f32::INFINITY, 2.2, 2.5][i % 3];
    }
    let halves = [&rays[..64 * 24], &unrelated[64 * 24..]].concat();
    for (name, rays, row) in [
        ("shuffled", &shuffled, 0),
        ("undefined", &undefined, 64),
        ("mixed", &mixed, 64),
        ("halves", &halves, 0),
        ("unrelated", &unrelated, 0),
    ] {
        let expected = single(&bvh, rays);
        for threads in [1, 2, 5] {
            let plan = check(&bvh, rays, &expected, Batch::new().threads(threads), name);
            assert_eq!(plan.facts.sampled.scanline, row, "{name}: {plan}");
        }
    }
}

#[test]
fn streams_group_the_scanlines_of_a_block() {
    let (bvh, _) = scene(1);
    let rays = rows(90, 20_000);
    let expected = single(&bvh, &rays);
    for (threads, size) in [(1, None), (2, None), (2, Some(1000)), (3, Some(64))] {
        let mut batch = Batch::new().threads(threads);
        if let Some(size) = size {
            batch = batch.chunk_size(size);
        }
        let mut found = Vec::new();
        let ended = batch.stream(&rays).ask(&bvh, Closest, |_, hits| {
            found.extend_from_slice(hits);
            ControlFlow::<()>::Continue(())
        });
        let report = ended.unwrap().continue_value().unwrap();
        assert!(found == expected, "{threads} {size:?}");
        let row = if size == Some(64) { 0 } else { 90 };
        let scanline = report.plan.facts.sampled.scanline;
        assert_eq!(scanline, row, "{threads} {size:?}");
        assert_eq!(report.plan.tile_rows > 0, row > 0);
    }
}

#[test]
fn plans_tell_scanlines_and_have_chunks_of_whole_bands() {
    let (bvh, _) = scene(1);
    let rays = rows(640, 640 * 480);
    for (threads, tile_rows, chunk_size) in [(1, 16, 16 * 640), (2, 16, 16 * 640), (8, 8, 8 * 640)]
    {
        let plan = Batch::new().threads(threads).plan(&bvh, Closest, &rays);
        let found = (plan.tile_rows, plan.chunk_size);
        assert_eq!(found, (tile_rows, chunk_size), "{plan}");
        let told = format!("scanlines of 640 rays, traced in tiles of up to {tile_rows} scanlines");
        assert_eq!(plan.to_string().lines().nth(2), Some(&*told));
        assert_eq!(plan.reasons()[2], told);
    }
    // Too many threads for bands of scanlines.
    let plan = Batch::new().threads(64).plan(&bvh, Closest, &rays);
    assert_eq!(plan.tile_rows, 0, "{plan}");
    // Short scanlines share a chunk.
    let short = rows(32, 32 * 1000);
    let plan = Batch::new().threads(1).plan(&bvh, Closest, &short);
    assert_eq!((plan.tile_rows, plan.chunk_size), (16, 4096), "{plan}");
}
