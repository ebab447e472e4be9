//! Pairs of triangles: the answers of single calls for any number of threads.

use estoc_batch::{Batch, BatchError};
use estoc_bvh::Bvh;
use estoc_core::{
    BruteForce, CancelToken, Cull, Intersection, PairQuery, RegionEngine, RegionQuery, Triangle,
};
use estoc_demo::DemoSpec;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

fn pairs(
    batch: &Batch<'_>,
    engine: &(dyn RegionEngine<Primitive = Triangle> + Sync),
) -> Vec<Intersection> {
    let mut found = Vec::new();
    let end = batch.self_intersections(engine, |pair| {
        found.push(pair);
        ControlFlow::<()>::Continue(())
    });
    assert_eq!(end, Ok(ControlFlow::Continue(())));
    found
}

pub(super) fn soup() -> Bvh {
    Bvh::build(&"soup?n=6000".parse::<DemoSpec>().unwrap().mesh())
}

#[test]
fn pairs_are_the_same_for_any_number_of_threads() {
    let tree = soup();
    let mut single = Vec::new();
    let _ = tree.self_intersections(&mut |pair| {
        single.push(pair);
        ControlFlow::<()>::Continue(())
    });
    assert!(single.len() > 500, "{}", single.len());
    for threads in [0, 1, 2, 5] {
        let found = pairs(&Batch::new().threads(threads), &tree);
        assert!(found == single, "{threads}");
    }
    let other = Bvh::build(&"sphere?n=2000".parse::<DemoSpec>().unwrap().mesh());
    let of_two = |threads| {
        let mut found = Vec::new();
        let batch = Batch::new().threads(threads);
        let end = batch.intersections(&tree, &other, |pair| {
            found.push(pair);
            ControlFlow::<()>::Continue(())
        });
        assert_eq!(end, Ok(ControlFlow::Continue(())));
        found
    };
    let mut single = Vec::new();
    let _ = tree.intersections(&other, &mut |pair| {
        single.push(pair);
        ControlFlow::<()>::Continue(())
    });
    assert!(!single.is_empty() && of_two(1) == single && of_two(3) == single);
}

/// More pairs than wait at a time, in the order of ids.
#[test]
fn segments_with_many_pairs_pause() {
    let sheet = Triangle::new([0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]);
    // More than one segment, and more pairs than one may find before it pauses.
    let n = 1100;
    let engine = BruteForce::new(vec![sheet; n]);
    for threads in [1, 2, 5] {
        let found = pairs(&Batch::new().threads(threads), &engine);
        let ids = found
            .iter()
            .map(|pair| (pair.first.index(), pair.second.index()));
        let want = (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j)));
        assert!(ids.eq(want));
    }
}

#[test]
fn pairs_stop_and_are_cancelled_and_tell_their_progress() {
    let tree = soup();
    let mut calls = 0;
    let stopped = Batch::new().threads(2).self_intersections(&tree, |pair| {
        calls += 1;
        match calls {
            7 => ControlFlow::Break(pair),
            _ => ControlFlow::Continue(()),
        }
    });
    let seventh = pairs(&Batch::new(), &tree)[6];
    assert_eq!((stopped, calls), (Ok(ControlFlow::Break(seventh)), 7));

    let last = AtomicU64::new(0);
    let progress = |now: estoc_core::Progress| {
        assert_eq!(now.total, Some(6000));
        assert!(last.swap(now.done, Ordering::Relaxed) <= now.done);
    };
    pairs(&Batch::new().progress(&progress), &tree);
    assert_eq!(last.into_inner(), 6000);

    let cancel = CancelToken::new();
    cancel.cancel();
    let none = |_: Intersection| ControlFlow::<()>::Continue(());
    let cancelled = Batch::new().cancel(&cancel).self_intersections(&tree, none);
    assert_eq!(cancelled, Err(BatchError::Cancelled));
    let culled = Batch::new().cull(Cull::Back);
    let refused = culled.self_intersections(&tree, none);
    assert_eq!(refused, Err(BatchError::RaysOnly));
    let flagged = Batch::new().active(&[true]);
    assert!(flagged.self_intersections(&tree, none).is_err());
    let empty = BruteForce::new([]);
    assert!(pairs(&Batch::new(), &empty).is_empty());
}

#[test]
fn least_distances_are_the_same_for_any_number_of_threads_and_can_be_cancelled() {
    let (tree, other) = (
        soup(),
        Bvh::build(&"sphere?n=2000".parse::<DemoSpec>().unwrap().mesh()),
    );
    let single = tree.least_distance(&other);
    assert!(single.is_some());
    for threads in [0, 1, 3] {
        let batch = Batch::new().threads(threads);
        assert_eq!(
            batch.least_distance(&tree, &other, f32::INFINITY),
            Ok(single)
        );
        assert_eq!(batch.least_distance(&tree, &other, f32::NAN), Ok(None));
    }
    let token = CancelToken::new();
    token.cancel();
    let cancelled = Batch::new()
        .cancel(&token)
        .least_distance(&tree, &other, 1.0);
    assert_eq!(cancelled, Err(BatchError::Cancelled));
    let culled = Batch::new()
        .cull(Cull::Back)
        .least_distance(&tree, &other, 1.0);
    assert!(matches!(culled, Err(BatchError::RaysOnly)), "{culled:?}");
}
