//! Batches give the answers of single queries, for any threads and chunks, and stop when cancelled.

use estoc_batch::{Batch, BatchError};
use estoc_bvh::Bvh;
use estoc_core::{
    CancelToken, Closest, Count, Cull, PrimId, Progress, QueryOptions, Ray, RayQuery,
};
use estoc_mesh::Mesh;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Returns numbers in 0..1, the same sequence every time.
fn numbers() -> impl FnMut() -> f32 {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 40) as f32 / (1 << 24) as f32
    }
}

fn scene() -> (Bvh, Vec<Ray>) {
    let mut next = numbers();
    let mut point = || [next(), next(), next()];
    let positions: Vec<[f32; 3]> = (0..600).map(|_| point()).collect();
    let faces = (0..200).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]);
    let bvh = Bvh::build(&Mesh::try_new(positions, faces).unwrap());
    let mut rays: Vec<Ray> = (0..1500)
        .map(|_| {
            let (from, to) = (point(), point());
            Ray::new(from, [0, 1, 2].map(|i| to[i] - from[i]))
        })
        .collect();
    rays[3].dir.x = f32::NAN;
    rays[1000].t_max = -1.0;
    (bvh, rays)
}

#[test]
fn answers_do_not_depend_on_threads_or_chunks() {
    let (bvh, rays) = scene();
    let closest: Vec<_> = rays.iter().map(|ray| bvh.closest_hit(ray)).collect();
    let any: Vec<_> = rays.iter().map(|ray| bvh.any_hit(ray)).collect();
    let all: Vec<_> = rays.iter().map(|ray| bvh.all_hits(ray)).collect();
    let crossings: Vec<_> = rays.iter().map(|ray| bvh.count_crossings(ray)).collect();
    assert!(closest.iter().flatten().count() > 100);
    for threads in [0, 1, 2, 3, 7] {
        for chunk in [0, 1, 13, 256, 1500, 99999] {
            let batch = Batch::new().threads(threads).chunk_size(chunk);
            assert_eq!(batch.closest_hits(&bvh, &rays).unwrap(), closest);
            assert_eq!(batch.any_hits(&bvh, &rays).unwrap(), any);
            assert_eq!(batch.count_crossings(&bvh, &rays).unwrap(), crossings);
            let rows = batch.all_hits(&bvh, &rays).unwrap();
            assert_eq!(rows.len(), rays.len());
            assert!(rows.rows().eq(all.iter().map(Vec::as_slice)));
            let counts = batch.count_hits(&bvh, &rays).unwrap();
            assert!(counts.iter().copied().eq(all.iter().map(Vec::len)));
        }
    }
}

#[test]
fn the_pool_of_the_caller_is_used() {
    let (bvh, rays) = scene();
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(2)
        .build()
        .unwrap();
    let inside = AtomicUsize::new(0);
    let progress = |_| {
        assert_eq!(rayon::current_num_threads(), 2);
        inside.fetch_add(1, Ordering::Relaxed);
    };
    let batch = Batch::new().progress(&progress);
    pool.install(|| batch.any_hits(&bvh, &rays)).unwrap();
    assert!(inside.into_inner() > 1);
}

#[test]
fn options_reach_every_ray() {
    let (bvh, rays) = scene();
    let skip = PrimId::new(5);
    for cull in [Cull::None, Cull::Back, Cull::Front] {
        let options = QueryOptions::new().cull(cull).skip(skip);
        let batch = Batch::new().cull(cull).skip(skip);
        let one_by_one = rays
            .iter()
            .map(|ray| bvh.ask_with(Closest, ray, &options).unwrap());
        assert!(one_by_one.eq(batch.closest_hits(&bvh, &rays).unwrap()));
        let one_by_one = rays
            .iter()
            .map(|ray| bvh.ask_with(Count, ray, &options).unwrap());
        assert!(one_by_one.eq(batch.count_hits(&bvh, &rays).unwrap()));
    }
}

#[test]
fn no_rays_have_no_answers() {
    let (bvh, _) = scene();
    let batch = Batch::new().threads(2);
    assert_eq!(batch.closest_hits(&bvh, &[] as &[Ray]), Ok(vec![]));
    let rows = batch.all_hits(&bvh, &[] as &[Ray]).unwrap();
    assert_eq!((rows.offsets, rows.values), (vec![0], vec![]));
}

#[test]
fn room_must_fit() {
    let (bvh, rays) = scene();
    let mut room = [None; 3];
    let (rays, room_len) = (&rays[..4], room.len());
    let refused = Batch::new().ask_into(&bvh, Closest, rays, &mut room[..]);
    assert_eq!(
        refused,
        Err(BatchError::Room {
            rays: 4,
            room: room_len
        })
    );
}

#[test]
fn progress_counts_every_ray_and_cancel_stops() {
    let (bvh, rays) = scene();
    let most = AtomicUsize::new(0);
    let progress = |now: Progress| {
        assert_eq!(now.total, Some(rays.len() as u64));
        most.fetch_max(now.done as usize, Ordering::Relaxed);
    };
    let batch = Batch::new().threads(2).chunk_size(10).progress(&progress);
    batch.any_hits(&bvh, &rays).unwrap();
    assert_eq!(most.load(Ordering::Relaxed), rays.len());

    let token = CancelToken::new();
    let stop_early = |now: Progress| {
        if now.done >= 100 {
            token.cancel();
        }
    };
    let batch = Batch::new()
        .chunk_size(10)
        .cancel(&token)
        .progress(&stop_early);
    assert_eq!(batch.all_hits(&bvh, &rays), Err(BatchError::Cancelled));
    assert_eq!(batch.any_hits(&bvh, &rays[..1]), Err(BatchError::Cancelled));
}

#[test]
fn a_panic_in_a_callback_reaches_the_caller_and_harms_nothing() {
    let (bvh, rays) = scene();
    let progress = |_| panic!("from the callback");
    let batch = Batch::new().threads(2).progress(&progress);
    let caught =
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| batch.any_hits(&bvh, &rays)));
    assert!(caught.is_err());
    assert_eq!(
        Batch::new().any_hits(&bvh, &rays).unwrap().len(),
        rays.len()
    );
}
