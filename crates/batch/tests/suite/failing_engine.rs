//! An engine that fails ends a batch, and a stream before the rays that have no answers.

use estoc_batch::{Batch, BatchError, StreamError};
use estoc_core::exact::PreparedRay;
use estoc_core::{
    Any, BruteForce, Closest, Collector, Contains, Engine, FirstK, PrimId, Queue, Ray, Technique,
    TechniqueCounts, Triangle, one_by_one,
};
use std::ops::ControlFlow;

/// Fails at rays that start at x = 9.
struct Failing(BruteForce);

impl Engine for Failing {
    type Primitive = Triangle;

    fn primitive_count(&self) -> usize {
        self.0.primitive_count()
    }

    fn primitive(&self, prim: PrimId) -> Option<Triangle> {
        self.0.primitive(prim)
    }

    fn is_closed(&self) -> bool {
        true
    }

    fn visit(&self, ray: &PreparedRay<'_>, collector: &mut Collector<'_>) {
        self.0.visit(ray, collector);
    }

    fn visit_many(&self, _: Technique, queue: &mut Queue<'_>) -> TechniqueCounts {
        while let Some((place, ray)) = queue.next() {
            if ray.origin()[0] == 9.0 {
                queue.fail(place);
                return TechniqueCounts::default();
            }
            let mut collector = queue.collector(place, ray);
            self.visit(&ray, &mut collector);
            queue.finish(place, &mut collector);
        }
        one_by_one(self, queue)
    }
}

#[test]
fn batches_and_streams_end_where_an_engine_fails() {
    let triangle = Triangle::new([0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]);
    let engine = Failing(BruteForce::new([triangle]));
    let ray = |x: f32| Ray::new([x, 0.25, 1.0], [0.0, 0.0, -1.0]);
    let rays: Vec<Ray> = (0..100)
        .map(|i| ray(if i == 77 { 9.0 } else { 0.25 }))
        .collect();
    let failed = Err(BatchError::Engine { ray: 77 });
    for (threads, chunk) in [(1, 10), (3, 10), (1, 100)] {
        let batch = Batch::new().threads(threads).chunk_size(chunk);
        assert_eq!(
            batch.ask(&engine, Any, &rays),
            failed.clone().map(|()| vec![])
        );
        assert_eq!(
            batch.ask(&engine, Closest, &rays).err(),
            failed.clone().err()
        );
        assert_eq!(
            batch.ask(&engine, FirstK(1), &rays).err(),
            failed.clone().err()
        );
        let points = [estoc_core::glam::Vec3::new(9.0, 0.0, 0.0)];
        let contains = batch.ask(&engine, Contains, &points);
        assert_eq!(contains, Err(BatchError::Engine { ray: 0 }));

        let mut answers = 0;
        let streamed = batch
            .stream(rays.iter().copied())
            .ask(&engine, Any, |_, any| {
                assert!(any.iter().all(|hit| *hit));
                answers += any.len();
                ControlFlow::<()>::Continue(())
            });
        let Err(StreamError::Batch(BatchError::Engine { ray: 77 })) = streamed else {
            panic!("{streamed:?}");
        };
        assert_eq!(answers, 77 / chunk * chunk);
    }
}
