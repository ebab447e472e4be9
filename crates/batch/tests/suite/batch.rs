//! Batches give the answers of single queries, for any threads and chunks, and stop when cancelled.

use crate::common::{Answers, scene};
use estoc_batch::{Batch, BatchError};
use estoc_core::{
    CancelToken, Closest, Count, Cull, PrimId, Progress, QueryOptions, Ray, RayQuery,
};
use std::sync::atomic::{AtomicUsize, Ordering};

#[test]
fn answers_do_not_depend_on_threads_or_chunks() {
    let (bvh, rays) = scene(1500);
    let expected = Answers::plain(&bvh, &rays);
    assert!(expected.closest.iter().flatten().count() > 100);
    for threads in [0, 1, 2, 3, 7] {
        for chunk in [0, 1, 13, 256, 1500, 99999] {
            let batch = Batch::new().threads(threads).chunk_size(chunk);
            let found = Answers::of(&batch, &bvh, &rays);
            assert_eq!(found, expected, "{threads} threads, chunks of {chunk}");
        }
    }
}

#[test]
fn the_pool_of_the_caller_is_used() {
    let (bvh, rays) = scene(1500);
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
    let (bvh, rays) = scene(1500);
    let skip = PrimId::new(5);
    for cull in [Cull::None, Cull::Back, Cull::Front] {
        let options = QueryOptions::new().cull(cull).skip(skip);
        let batch = Batch::new().cull(cull).skip(skip);
        let single = rays.iter().map(|ray| bvh.ask_with(Closest, ray, &options));
        let found = batch.closest_hits(&bvh, &rays).unwrap();
        assert!(single.eq(found.into_iter().map(Ok)), "{cull:?}");
        let single = rays.iter().map(|ray| bvh.ask_with(Count, ray, &options));
        let found = batch.count_hits(&bvh, &rays).unwrap();
        assert!(single.eq(found.into_iter().map(Ok)), "{cull:?}");
    }
}

#[test]
fn no_rays_have_no_answers() {
    let (bvh, _) = scene(1);
    let batch = Batch::new().threads(2);
    assert_eq!(batch.closest_hits(&bvh, &[] as &[Ray]), Ok(vec![]));
    let rows = batch.all_hits(&bvh, &[] as &[Ray]).unwrap();
    assert_eq!((rows.offsets, rows.values), (vec![0], vec![]));
}

#[test]
fn room_must_fit() {
    let (bvh, rays) = scene(4);
    let refused = Batch::new().ask_into(&bvh, Closest, &rays, &mut [None; 3][..]);
    assert_eq!(refused, Err(BatchError::Room { rays: 4, room: 3 }));
}

#[test]
fn progress_counts_every_ray_and_cancel_stops() {
    let (bvh, rays) = scene(1500);
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
    let (bvh, rays) = scene(1500);
    let progress = |_| panic!("from the callback");
    let batch = Batch::new().threads(2).progress(&progress);
    let ask = std::panic::AssertUnwindSafe(|| batch.any_hits(&bvh, &rays));
    assert!(std::panic::catch_unwind(ask).is_err());
    let any = Batch::new().any_hits(&bvh, &rays).unwrap();
    assert_eq!(any.len(), rays.len());
}
