//! Rows of what is near many points: flags, limits, and numbers and radii that find nothing.

use estoc_batch::{Batch, BatchError, CacheSizes, Rows, StreamError};
use estoc_bvh::Bvh;
use estoc_core::glam::Vec3;
use estoc_core::{CancelToken, ClosestK, PointQuery, RayQuery, Within};
use estoc_demo::DemoSpec;
use std::convert::Infallible;
use std::ops::ControlFlow;

const GO_ON: ControlFlow<Infallible> = ControlFlow::Continue(());

fn sphere() -> (Bvh, Vec<Vec3>) {
    let bvh = Bvh::build(&"sphere?n=500".parse::<DemoSpec>().unwrap().mesh());
    let mut points: Vec<Vec3> = (0..300).map(|i| Vec3::splat(0.01 * i as f32)).collect();
    points[77].y = f32::NAN;
    (bvh, points)
}

#[test]
fn inactive_points_have_no_rows() {
    let (bvh, points) = sphere();
    let flags: Vec<bool> = (0..300).map(|i| i % 3 != 1).collect();
    for reorder in [false, true] {
        let batch = Batch::new().threads(2).chunk_size(31).reorder(reorder);
        let batch = batch.active(&flags);
        let (mut closest, mut within) = (Rows::default(), Rows::default());
        let reports = [
            batch.ask_into(&bvh, ClosestK(4), &points, &mut closest),
            batch.ask_into(&bvh, Within(0.7), &points, &mut within),
        ];
        for report in reports {
            // One of the active points is not finite.
            assert_eq!(report.unwrap().techniques.one_by_one, 199);
        }
        let mut found = 0;
        for (place, &point) in points.iter().enumerate() {
            let single = match flags[place] {
                true => (bvh.closest_points(point, 4), bvh.within(point, 0.7)),
                false => (vec![], vec![]),
            };
            assert_eq!(closest.row(place), Some(&*single.0));
            assert_eq!(within.row(place), Some(&*single.1));
            found += single.1.len();
        }
        assert!(found > 500, "{found}");
    }
}

#[test]
fn numbers_and_radii_that_find_nothing() {
    let (bvh, points) = sphere();
    let empty = Rows {
        offsets: vec![0; points.len() + 1],
        values: vec![],
    };
    let none = Batch::new().ask(&bvh, ClosestK(0), &points).unwrap();
    assert_eq!(none.offsets, empty.offsets);
    for radius in [-1.0, f32::NAN, f32::NEG_INFINITY] {
        let none = Batch::new().ask(&bvh, Within(radius), &points);
        assert_eq!(none.as_ref(), Ok(&empty));
    }
    let all = Batch::new().ask(&bvh, ClosestK(usize::MAX), &points[..3]);
    assert_eq!(all.unwrap().values.len(), 3 * bvh.triangle_count());
    let none = Batch::new().ask(&bvh, Within(1.0), &points[..0]);
    assert_eq!(none, Ok(Rows::default()));
    let point = &points[60];
    assert_eq!(bvh.ask(ClosestK(3), point), bvh.closest_points(*point, 3));
    assert_eq!(bvh.ask(Within(0.9), point), bvh.within(*point, 0.9));
}

#[test]
fn limits_and_cancelling_of_rows() {
    let (bvh, points) = sphere();
    for threads in [1, 3] {
        let batch = Batch::new().threads(threads).chunk_size(7).max_hits(99);
        let mut rows = Batch::new().ask(&bvh, Within(1.0), &points[..9]).unwrap();
        // Three for each point: the 34th is one too many.
        let refused = batch.ask(&bvh, ClosestK(3), &points);
        let error = BatchError::TooManyHits { limit: 99, ray: 33 };
        assert_eq!(refused, Err(error.clone()));
        assert!(!rows.values.is_empty());
        let refused = batch.ask_into(&bvh, Within(9.0), &points, &mut rows);
        assert!(refused.is_err());
        assert_eq!(rows, Rows::default());
        // The limit is for each block of a stream.
        let stream = batch.chunk_size(33).stream(&points);
        assert!(stream.ask(&bvh, ClosestK(3), |_, _| GO_ON).is_ok());
        let stream = batch.chunk_size(34).stream(&points);
        let refused = stream.ask(&bvh, ClosestK(3), |_, _| GO_ON);
        assert_eq!(refused, Err(StreamError::Batch(error)));
    }
    let cancel = CancelToken::new();
    cancel.cancel();
    let cancelled = Batch::new().cancel(&cancel).ask(&bvh, Within(1.0), &points);
    assert_eq!(cancelled, Err(BatchError::Cancelled));
}

#[test]
fn rows_of_sorted_points_are_in_the_given_order() {
    let (bvh, _) = sphere();
    let points: Vec<Vec3> = (0..3000)
        .map(|i| Vec3::splat(0.0007 * (i * 1409 % 3000) as f32))
        .collect();
    let tiny = CacheSizes {
        core: 1,
        ..CacheSizes::TYPICAL
    };
    for threads in [1, 2, 3, 7] {
        let batch = Batch::new().threads(threads).caches(tiny);
        let plans = [
            batch.plan(&bvh, ClosestK(3), &points),
            batch.plan(&bvh, Within(0.5), &points),
        ];
        assert!(plans.iter().all(|plan| plan.reorder));
        let closest = batch.ask(&bvh, ClosestK(3), &points).unwrap();
        let within = batch.ask(&bvh, Within(0.5), &points).unwrap();
        for (place, &point) in points.iter().enumerate() {
            assert_eq!(closest.row(place), Some(&*bvh.closest_points(point, 3)));
            assert_eq!(within.row(place), Some(&*bvh.within(point, 0.5)));
        }
    }
}
