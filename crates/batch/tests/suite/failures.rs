//! Failures of a batch, and the state afterwards.

use crate::common::{Answers, scene};
use estoc_batch::{Batch, BatchError, HitRows, StreamError};
use estoc_bvh::Bvh;
use estoc_core::glam::Vec3;
use estoc_core::{
    All, Any, CancelToken, Closest, Count, CountCrossings, Crossings, Plane, PrimId, Progress,
    QueryError, QueryOptions, Ray, RayQuery, Technique,
};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};

type Ask = fn(&Batch<'_>, &Bvh, &[Ray]) -> Result<(), BatchError>;

/// All queries, for the properties that they share.
const QUERIES: [(&str, Ask); 6] = [
    ("closest_hits", |batch, bvh, rays| {
        batch.closest_hits(bvh, rays).map(drop)
    }),
    ("any_hits", |batch, bvh, rays| {
        batch.any_hits(bvh, rays).map(drop)
    }),
    ("count_hits", |batch, bvh, rays| {
        batch.count_hits(bvh, rays).map(drop)
    }),
    ("count_crossings", |batch, bvh, rays| {
        batch.count_crossings(bvh, rays).map(drop)
    }),
    ("all_hits", |batch, bvh, rays| {
        batch.all_hits(bvh, rays).map(drop)
    }),
    ("crossings", |batch, bvh, rays| {
        batch.ask(bvh, Crossings, rays).map(drop)
    }),
];

#[test]
fn cancel_in_the_middle_leaves_the_rest_out() {
    let (bvh, rays) = scene(2000);
    for (name, ask) in QUERIES {
        for threads in [1, 2, 3, 7] {
            let token = CancelToken::new();
            let most = AtomicUsize::new(0);
            let stop_early = |now: Progress| {
                most.fetch_max(now.done as usize, Ordering::Relaxed);
                if now.done >= 100 {
                    token.cancel();
                }
            };
            let batch = Batch::new().threads(threads).chunk_size(10);
            let batch = batch.cancel(&token).progress(&stop_early);
            let cancelled = ask(&batch, &bvh, &rays);
            assert_eq!(cancelled, Err(BatchError::Cancelled), "{name} {threads}");
            // Each thread may have been in a chunk when the token was cancelled.
            let done = most.load(Ordering::Relaxed);
            assert!((100..1000).contains(&done), "{name} {threads}: {done}");
            // The token stays cancelled.
            assert_eq!(ask(&batch, &bvh, &rays[..1]), Err(BatchError::Cancelled));
            assert_eq!(ask(&batch, &bvh, &[]), Err(BatchError::Cancelled));
        }
    }
}

#[test]
fn a_cancel_that_comes_too_late_changes_nothing() {
    let (bvh, rays) = scene(100);
    let token = CancelToken::new();
    let last = |now: Progress| {
        if now.done == 100 {
            token.cancel();
        }
    };
    let batch = Batch::new().chunk_size(10).threads(1);
    let any = batch.cancel(&token).progress(&last).any_hits(&bvh, &rays);
    assert_eq!(any, Ok(Answers::plain(&bvh, &rays).any));
}

#[test]
fn a_panic_in_a_callback_reaches_the_caller_and_harms_nothing() {
    let (bvh, rays) = scene(3000);
    let expected = Answers::plain(&bvh, &rays);
    for (name, ask) in QUERIES {
        for threads in [0, 1, 2, 7] {
            let calls = AtomicUsize::new(0);
            let progress = |now: Progress| {
                calls.fetch_add(1, Ordering::Relaxed);
                assert!(now.done < 50, "from the callback");
            };
            let batch = Batch::new().threads(threads).chunk_size(5);
            let batch = batch.progress(&progress);
            let caught = catch_unwind(AssertUnwindSafe(|| ask(&batch, &bvh, &rays)));
            let message = caught.unwrap_err();
            let message = message.downcast_ref::<&str>().unwrap();
            assert_eq!(*message, "from the callback", "{name} {threads}");
            // Threads that were not in a chunk did not begin another.
            assert!(calls.into_inner() < 100, "{name} {threads}");
        }
    }
    let found = Answers::of(&Batch::new().chunk_size(5), &bvh, &rays);
    assert_eq!(found, expected);
}

#[test]
fn what_cannot_be_continued_behind_is_told_with_the_first_such_ray() {
    let (bvh, rays) = scene(2000);
    let missed = |ray: &Ray| {
        let hits = bvh.all_hits(ray);
        let mut prims = (0..).map(|prim| PrimId::new(prim).unwrap());
        prims.find(|prim| hits.iter().all(|h| h.prim != *prim))
    };
    let mut options = vec![QueryOptions::new(); rays.len()];
    for ray in [611, 612, 1200, 1999] {
        options[ray] = options[ray].after(missed(&rays[ray]));
    }
    let prim = options[611].after.unwrap();
    let expected = BatchError::Query {
        ray: 611,
        error: QueryError::AfterMissed { prim },
    };
    let told = expected.to_string();
    let start = "ray 611: cannot continue after triangle ";
    assert!(told.starts_with(start), "{told}");
    for (name, ask) in QUERIES {
        for threads in [1, 2, 7] {
            for chunk in [1, 13, 5000] {
                let batch = Batch::new().threads(threads).chunk_size(chunk);
                let batch = batch.options_each(&options);
                let forced = Technique::ALL.map(|technique| batch.technique(technique));
                for batch in [batch, batch.reorder(true)].into_iter().chain(forced) {
                    let found = ask(&batch, &bvh, &rays);
                    assert_eq!(found, Err(expected.clone()), "{name} {threads} {chunk}");
                }
            }
        }
        let batch = Batch::new().options(QueryOptions::new().after(PrimId::new(200)));
        let error = QueryError::NoSuchPrim {
            prim: PrimId::new(200).unwrap(),
            triangles: 200,
        };
        let refused = ask(&batch, &bvh, &rays);
        assert_eq!(refused, Err(BatchError::Query { ray: 0, error }), "{name}");
        // The options of an inactive ray are not checked.
        let is_active = |ray: usize| ![611, 612, 1200, 1999].contains(&ray);
        let active: Vec<bool> = (0..rays.len()).map(is_active).collect();
        let batch = Batch::new().options_each(&options).active(&active);
        assert_eq!(ask(&batch, &bvh, &rays), Ok(()), "{name}");
    }
}

#[test]
fn lists_must_be_as_long_as_the_rays() {
    let (bvh, rays) = scene(4);
    let (options, flags) = ([QueryOptions::new(); 3], [true; 5]);
    for (name, ask) in QUERIES {
        let refused = ask(&Batch::new().options_each(&options), &bvh, &rays).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "the number of options is 3 instead of 4, one for each ray",
            "{name}"
        );
        let refused = ask(&Batch::new().active(&flags), &bvh, &rays).unwrap_err();
        assert_eq!(
            refused,
            BatchError::Length {
                what: "flags",
                rays: 4,
                found: 5
            },
            "{name}"
        );
    }
    let room = Err(BatchError::Room { rays: 4, room: 3 });
    let batch = Batch::new();
    let refused = batch.ask_into(&bvh, Closest, &rays, &mut [None; 3][..]);
    assert_eq!(refused.map(drop), room);
    let refused = batch.ask_into(&bvh, Any, &rays, &mut [false; 3][..]);
    assert_eq!(refused.map(drop), room);
    let refused = batch.ask_into(&bvh, Count, &rays, &mut [0; 3][..]);
    assert_eq!(refused.map(drop), room);
    let refused = batch.ask_into(&bvh, CountCrossings, &rays, &mut [0; 3][..]);
    assert_eq!(refused.map(drop), room);
}

#[test]
fn hits_are_bounded_and_the_first_ray_too_many_is_told() {
    let (bvh, rays) = scene(1500);
    let expected = Answers::plain(&bvh, &rays);
    for (rows, is_all) in [(&expected.all, true), (&expected.crossings, false)] {
        let total = rows.values.len();
        assert!(total > 5000);
        let ask = |batch: &Batch<'_>, rays: &[Ray]| match is_all {
            true => batch.all_hits(&bvh, rays),
            false => batch.ask(&bvh, Crossings, rays),
        };
        for limit in [0, 1, 17, total / 3, total - 1] {
            // The first ray whose hits exceed the limit.
            let mut ends = rows.offsets[1..].iter();
            let ray = ends.position(|&end| end > limit).unwrap();
            for (threads, chunk) in [(1, 9999), (1, 7), (2, 64), (7, 13)] {
                let batch = Batch::new().threads(threads).chunk_size(chunk);
                let batch = batch.max_hits(limit);
                let refused = Err(BatchError::TooManyHits { limit, ray });
                assert_eq!(ask(&batch, &rays), refused, "{threads} {chunk}");
                // The remedy that the message suggests.
                let before = ask(&batch, &rays[..ray]).unwrap();
                assert_eq!(before.offsets, rows.offsets[..=ray]);
            }
        }
        let enough = Batch::new().threads(2).chunk_size(10).max_hits(total);
        assert_eq!(&ask(&enough, &rays).unwrap(), rows);
    }
    let mut rows = HitRows::default();
    let batch = Batch::new().max_hits(3);
    let refused = batch.ask_into(&bvh, All, &rays, &mut rows).unwrap_err();
    let refused = refused.to_string();
    let said = "ray 0 has more than 3 hits; raise the limit, or query the first hits only";
    assert!(refused.contains(said), "{refused}");
    assert_eq!(rows, HitRows::default());
}

/// Everything that takes a number of threads or a chunk size.
#[test]
fn absurd_numbers_of_threads_and_chunk_sizes_are_typed_errors() {
    let (bvh, rays) = scene(3_000);
    let planes = [Plane::from_offset([0.0, 0.0, 1.0], 0.5).unwrap()];
    let go_on = || ControlFlow::<()>::Continue(());
    // Sorted, sampled, in scanlines or not: each has products of its own in the plan.
    let every = |batch: &Batch<'_>, expected: &Result<(), BatchError>| {
        for (name, ask) in QUERIES {
            assert_eq!(&ask(batch, &bvh, &rays), expected, "{name}");
            let reordered = batch.reorder(true);
            assert_eq!(&ask(&reordered, &bvh, &rays), expected, "{name}, reordered");
        }
        let few = batch.any_hits(&bvh, &rays[..1]).map(drop);
        assert_eq!(&few, expected, "one ray");
        let streamed = batch.stream(&rays).ask(&bvh, Any, |_, _| go_on());
        let expected_of_stream = expected.clone().map_err(StreamError::Batch);
        assert_eq!(streamed.map(drop), expected_of_stream, "stream");
        let sections = batch.sections(&bvh, &planes).map(drop);
        assert_eq!(&sections, expected, "sections");
        let pairs = batch.self_intersections(&bvh, |_| go_on()).map(drop);
        assert_eq!(&pairs, expected, "pairs");
        let points = [Vec3::ZERO; 3];
        let inside = batch.contains(&bvh, &points).map(drop);
        assert_eq!(&inside, expected, "points");
    };
    for threads in [usize::MAX, 1 << 60, 1_000_000, 1_025] {
        let batch = Batch::new().threads(threads);
        let reason = "at most 1024 are supported".to_owned();
        let refused = Err(BatchError::Threads { threads, reason });
        every(&batch, &refused);
        every(&batch.chunk_size(1), &refused);
        // A plan is made for any number.
        for batch in [batch, batch.reorder(true), batch.chunk_size(usize::MAX)] {
            let plan = batch.plan(&bvh, Closest, &rays);
            assert!((1..=1 << 30).contains(&plan.chunk_size), "{threads}");
        }
    }
    let message = Batch::new().threads(1 << 60).any_hits(&bvh, &rays);
    assert_eq!(
        message.unwrap_err().to_string(),
        "cannot start 1152921504606846976 threads for the batch: at most 1024 are supported; \
         request fewer"
    );
    every(&Batch::new().threads(0), &Ok(()));
    for rays in [usize::MAX, 1 << 60, (1 << 30) + 1] {
        let most = 1 << 30;
        let refused = Err(BatchError::ChunkSize { rays, most });
        every(&Batch::new().chunk_size(rays), &refused);
        every(&Batch::new().threads(2).chunk_size(rays), &refused);
    }
    let (rays_wanted, most) = (1 << 60, 1 << 30);
    let error = BatchError::ChunkSize {
        rays: rays_wanted,
        most,
    };
    assert_eq!(
        error.to_string(),
        "a chunk has at most 1073741824 rays, not 1152921504606846976; set a smaller \
         Batch::chunk_size"
    );
    for rays in [0, 1_000_000, 1 << 30] {
        every(&Batch::new().chunk_size(rays), &Ok(()));
    }
}
