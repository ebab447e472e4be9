//! Many regions: the answers of single calls in every form.

use super::common::{Joined, rows_of};
use super::pairs::soup;
use estoc_batch::{Batch, BatchError, ColumnRows, Rows, StreamError};
use estoc_core::glam::DVec3;
use estoc_core::{
    Aabb, BoxPosition, BruteForce, CancelToken, Cull, Frustum, Plane, Region, RegionEngine,
    RegionQuery, Sphere, Technique,
};
use std::convert::Infallible;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

const GO_ON: ControlFlow<Infallible> = ControlFlow::Continue(());

fn boxes(count: usize) -> Vec<Aabb> {
    let at = |i: usize| (i as f32 - 100.0) / 50.0;
    let corners = |at: f32| [[at, 0.1 * at, -at], [at + 0.2, 0.1, 0.3 - at]];
    let mut boxes: Vec<Aabb> = (0..count)
        .map(|i| Aabb::of_points(corners(at(i))))
        .collect();
    for place in (5..count).step_by(40) {
        boxes[place] = Aabb::EMPTY;
    }
    boxes
}

/// Asks in every form, with any number of threads and chunks of any size, and compares with single
/// calls. Returns the number of triangles found.
fn check<R: Region + Clone + Send + 'static>(
    engine: &(impl RegionEngine + Sync),
    regions: &[R],
) -> usize {
    let expected = rows_of(regions.iter().map(|region| engine.overlaps(region)));
    let any: Vec<bool> = regions.iter().map(|r| engine.any_overlap(r)).collect();
    let mut turn = 0;
    for threads in [0, 1, 2, 3, 7] {
        for chunk in [None, Some(1), Some(13), Some(1000)] {
            turn += 1;
            let batch = Batch::new().threads(threads).reorder(turn % 3 == 1);
            let batch = chunk.map_or(batch, |size| batch.chunk_size(size));
            assert_eq!(batch.overlaps(engine, regions).as_ref(), Ok(&expected));
            assert_eq!(batch.any_overlap(engine, regions).as_ref(), Ok(&any));
            let source = || regions.iter().cloned().map(Ok::<R, Infallible>);
            let mut streamed = Rows::default();
            let ended = batch.stream(source()).overlaps(engine, |some, rows| {
                assert_eq!(some.len(), rows.len());
                streamed.append(rows);
                GO_ON
            });
            let report = ended.unwrap().continue_value().unwrap();
            assert_eq!(streamed, expected);
            let asked = (report.rays, report.techniques.one_by_one);
            assert_eq!(asked, (regions.len() as u64, regions.len()));
            assert_eq!(report.plan.technique, Technique::OneByOne);
            let mut streamed: Vec<bool> = Vec::new();
            let ended = batch.stream(source()).any_overlap(engine, |_, any| {
                streamed.extend(any);
                GO_ON
            });
            assert!(ended.is_ok());
            assert_eq!(streamed, any);
        }
    }
    let columns = ColumnRows::from(&expected);
    assert_eq!(columns.offsets.len(), regions.len() + 1);
    let prims = expected.values.iter().map(|prim| prim.get());
    assert!(prims.eq(columns.values.prim));
    expected.values.len()
}

/// A region of the caller's own: the upper half of space.
#[derive(Clone)]
struct Above(f32);

impl Region for Above {
    fn bounds(&self) -> Option<[DVec3; 2]> {
        None
    }

    fn place_box(&self, _: DVec3, _: DVec3) -> BoxPosition {
        BoxPosition::Crossing
    }

    fn has_point_in(&self, corners: [DVec3; 3]) -> bool {
        corners.iter().any(|corner| corner.z >= self.0.into())
    }
}

#[test]
fn regions_of_batches_have_the_answers_of_single_calls() {
    let tree = soup();
    for count in [0, 1, 2, 65] {
        check(&tree, &boxes(count));
    }
    assert!(check(&tree, &boxes(200)) > 100);
    let spheres: Vec<Sphere> = (0..20)
        .map(|i| Sphere::try_new([0.02 * i as f32, 0.0, 0.0], 0.1).unwrap())
        .collect();
    assert!(check(&tree, &spheres) > 20);
    let plane = |normal, offset| Plane::from_offset(normal, offset).unwrap();
    let slabs: Vec<Frustum> = (0..5)
        .map(|i| 0.1 * i as f32)
        .map(|z| [plane([0.0, 0.0, 1.0], z), plane([0.0, 0.0, -1.0], -z - 0.1)])
        .map(|planes| Frustum::try_new(&planes).unwrap())
        .collect();
    assert!(check(&tree, &slabs) > 5);
    assert!(check(&tree, &[Above(0.0), Above(f32::NAN), Above(1e9)]) > 0);
    assert_eq!(check(&BruteForce::new([]), &boxes(9)), 0);
}

#[test]
fn inactive_regions_overlap_nothing() {
    let (tree, boxes) = (soup(), boxes(200));
    let single: Vec<_> = boxes.iter().map(|region| tree.overlaps(region)).collect();
    let flags: Vec<bool> = (0..200).map(|i| i % 3 == 0).collect();
    let batch = Batch::new().threads(2).active(&flags);
    let some = batch.overlaps(&tree, &boxes).unwrap();
    let any = batch.any_overlap(&tree, &boxes).unwrap();
    for (place, found) in some.rows().enumerate() {
        let expected = if flags[place] { &*single[place] } else { &[] };
        assert_eq!((found, any[place]), (expected, !expected.is_empty()));
    }
    let short = Batch::new().active(&flags[1..]).overlaps(&tree, &boxes);
    assert!(matches!(short, Err(BatchError::Length { found: 199, .. })));
    let endless = batch.stream(&boxes).overlaps(&tree, |_, _| GO_ON);
    let Err(StreamError::Batch(error)) = endless else {
        panic!("{endless:?}")
    };
    assert_eq!(error, BatchError::Endless { what: "flags" });
}

#[test]
fn limits_of_regions_are_errors() {
    let (tree, boxes) = (soup(), boxes(200));
    let all = tree.overlaps(&boxes[100]).len();
    let expected = Batch::new().overlaps(&tree, &boxes).unwrap();
    let first = expected.offsets.iter().position(|&end| end > all).unwrap() - 1;
    for threads in [1, 3] {
        let batch = Batch::new().threads(threads).max_hits(all);
        let refused = batch.overlaps(&tree, &boxes);
        let (limit, ray) = (all, first);
        assert_eq!(refused, Err(BatchError::TooManyHits { limit, ray }));
    }
    let refused = Batch::new().cull(Cull::Back).overlaps(&tree, &boxes);
    assert_eq!(refused, Err(BatchError::RaysOnly));
    let stream = Batch::new().cull(Cull::Back).stream(&boxes);
    let refused = stream.any_overlap(&tree, |_, _| GO_ON);
    let expected = StreamError::Batch(BatchError::RaysOnly);
    assert_eq!(refused, Err(expected));
}

#[test]
fn batches_of_regions_tell_their_progress_and_can_be_cancelled() {
    let (tree, boxes) = (soup(), boxes(100));
    let cancel = CancelToken::new();
    cancel.cancel();
    for boxes in [&boxes[..], &[]] {
        let cancelled = Batch::new().cancel(&cancel).overlaps(&tree, boxes);
        assert_eq!(cancelled, Err(BatchError::Cancelled));
    }
    let stream = Batch::new().cancel(&cancel).stream(&boxes);
    let cancelled = stream.overlaps(&tree, |_, _| GO_ON);
    assert_eq!(cancelled, Err(StreamError::Batch(BatchError::Cancelled)));

    let seen = Mutex::new(Vec::new());
    let note = |progress: estoc_core::Progress| seen.lock().unwrap().push(progress.done);
    let batch = Batch::new().threads(3).progress(&note);
    assert!(batch.any_overlap(&tree, &boxes).is_ok());
    let mut seen = seen.into_inner().unwrap();
    seen.sort_unstable();
    assert!(seen.into_iter().eq(1..=100), "region by region");

    // Raised during the batch, by region 10: those under way end, and no others start.
    let (cancel, done) = (CancelToken::new(), AtomicU64::new(0));
    let raise = |progress: estoc_core::Progress| {
        done.fetch_max(progress.done, Ordering::Relaxed);
        if progress.done == 10 {
            cancel.cancel();
        }
    };
    let batch = Batch::new().threads(1).progress(&raise).cancel(&cancel);
    let cancelled = batch.overlaps(&tree, &boxes);
    assert_eq!(cancelled, Err(BatchError::Cancelled));
    assert_eq!(done.into_inner(), 10);
}
