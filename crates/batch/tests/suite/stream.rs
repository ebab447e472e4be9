//! Streams of rays: the same answers in the same order, and all ways of ending.

use crate::common::{Answers, Backwards, scene, streamed};
use estoc_batch::{Batch, BatchError, BatchReport, StreamError};
use estoc_bvh::Bvh;
use estoc_core::exact::PreparedRay;
use estoc_core::{
    All, Any, CancelToken, Closest, Collector, Count, CountCrossings, Crossings, Engine,
    MeshEngine, PrimId, QueryError, QueryOptions, Ray, RayQuery, Technique, Triangle,
};
use std::cell::Cell;
use std::convert::Infallible;
use std::ops::ControlFlow::{self, Break, Continue};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Returns the answers of all queries of a stream, concatenated.
fn collected(batch: &Batch<'_>, engine: &(impl MeshEngine + Sync), rays: &[Ray]) -> Answers {
    let mut origins = Vec::new();
    let ended = batch.stream(rays).ask(engine, Any, |rays, _| {
        origins.extend(rays.iter().map(|ray| ray.origin));
        ControlFlow::<Infallible>::Continue(())
    });
    assert!(ended.is_ok());
    assert!(origins.into_iter().eq(rays.iter().map(|ray| ray.origin)));
    Answers {
        closest: streamed(batch, engine, Closest, rays),
        any: streamed(batch, engine, Any, rays),
        count: streamed(batch, engine, Count, rays),
        count_crossings: streamed(batch, engine, CountCrossings, rays),
        all: streamed(batch, engine, All, rays),
        crossings: streamed(batch, engine, Crossings, rays),
    }
}

#[test]
fn answers_are_those_of_single_calls_in_the_same_order() {
    let (bvh, rays) = scene(1000);
    let expected = Answers::plain(&bvh, &rays);
    let backwards = Backwards {
        inner: bvh.clone(),
        bytes: 1 << 30,
    };
    for threads in [0, 1, 2, 3, 7] {
        for chunk in [0, 13, 64, 999, 5000] {
            let batch = Batch::new().threads(threads).chunk_size(chunk);
            assert_eq!(
                collected(&batch, &bvh, &rays),
                expected,
                "{threads} {chunk}"
            );
        }
        for technique in Technique::ALL {
            let batch = Batch::new().threads(threads).technique(technique);
            assert_eq!(
                collected(&batch, &bvh, &rays),
                expected,
                "{threads} {technique}"
            );
            let batch = batch.chunk_size(50);
            assert_eq!(
                collected(&batch, &backwards, &rays),
                expected,
                "{threads} {technique}"
            );
        }
    }
}

#[test]
fn streams_work_where_there_is_only_the_callers_thread() {
    let (bvh, rays) = scene(1000);
    let expected = Answers::plain(&bvh, &rays);
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        let batch = Batch::new().chunk_size(20);
        let found = pool.install(|| collected(&batch, &bvh, &rays));
        assert_eq!(found, expected);
        // Several streams at once, in threads that are all busy with streams.
        pool.scope(|scope| {
            for _ in 0..6 {
                scope.spawn(|_| assert_eq!(collected(&batch, &bvh, &rays), expected));
            }
        });
    }
}

#[test]
fn no_rays_and_one_ray() {
    let (bvh, rays) = scene(1);
    for threads in [1, 2] {
        let batch = Batch::new().threads(threads);
        for count in [0, 1] {
            let mut calls = 0;
            let ended = batch.stream(&rays[..count]).ask(&bvh, Any, |rays, any| {
                calls += 1;
                assert_eq!((rays.len(), any.len()), (1, 1));
                ControlFlow::<()>::Continue(())
            });
            let report: BatchReport = ended.unwrap().continue_value().unwrap();
            assert_eq!((calls, report.rays), (count, count as u64));
        }
    }
}

#[test]
fn an_error_of_the_source_ends_it_after_all_answers_before() {
    let (bvh, rays) = scene(1000);
    for threads in [1, 2, 7] {
        for chunk in [1, 64, 5000] {
            for good in [0, 1, 64, 777, 1000] {
                let asked = Cell::new(0);
                let source = (0..).map(|i| {
                    asked.set(asked.get() + 1);
                    rays[..good].get(i).copied().ok_or("no more")
                });
                let mut delivered = Vec::new();
                let batch = Batch::new().threads(threads).chunk_size(chunk);
                let ended = batch.stream(source).ask(&bvh, Closest, |_, hits| {
                    delivered.extend_from_slice(hits);
                    ControlFlow::<()>::Continue(())
                });
                let expected = StreamError::Source {
                    ray: good as u64,
                    error: "no more",
                };
                assert_eq!(
                    expected.to_string(),
                    format!("the source failed at ray {good}: no more")
                );
                assert_eq!(ended.unwrap_err(), expected);
                assert_eq!(
                    delivered,
                    Batch::new().closest_hits(&bvh, &rays[..good]).unwrap()
                );
                assert_eq!(asked.get(), good + 1, "asked again after the error");
            }
        }
    }
}

#[test]
fn the_sink_may_break_off_an_endless_source() {
    let (bvh, rays) = scene(100);
    for threads in [0, 1, 2, 7] {
        let batch = Batch::new().threads(threads).chunk_size(30);
        let mut blocks = 0;
        let ended = batch
            .stream(rays.iter().cycle())
            .ask(&bvh, Count, |_, counts| {
                blocks += 1;
                assert_eq!(counts.len(), 30);
                if blocks == 50 {
                    Break("enough")
                } else {
                    Continue(())
                }
            });
        assert_eq!(ended.unwrap().break_value(), Some("enough"));
        assert_eq!(blocks, 50);
    }
}

#[test]
fn cancel_ends_an_endless_source() {
    let (bvh, rays) = scene(100);
    for threads in [0, 1, 2] {
        for from_source in [false, true] {
            let token = CancelToken::new();
            let source = rays.iter().cycle().enumerate().map(|(i, ray)| {
                if from_source && i == 5000 {
                    token.cancel();
                }
                ray
            });
            let mut seen = 0;
            let batch = Batch::new().threads(threads).chunk_size(50).cancel(&token);
            let ended = batch.stream(source).ask(&bvh, Any, |rays, _| {
                seen += rays.len();
                if !from_source && seen >= 5000 {
                    token.cancel();
                }
                ControlFlow::<()>::Continue(())
            });
            assert_eq!(
                ended.unwrap_err(),
                StreamError::Batch(BatchError::Cancelled)
            );
            assert!(seen <= 5050, "{seen}");
        }
    }
}

#[test]
fn errors_count_rays_from_the_first_of_the_stream() {
    let (bvh, rays) = scene(1000);
    let hits: Vec<_> = rays.iter().map(|ray| bvh.closest_hit(ray)).collect();
    // From here on no ray hits the triangle that all rays before hit: they are the same ray.
    let first = hits.iter().position(Option::is_some).unwrap();
    let prim = hits[first].unwrap().prim;
    let other = (0..).find(|&i| bvh.all_hits(&rays[i]).iter().all(|hit| hit.prim != prim));
    let mixed = (0..1000).map(|i| {
        if i < 333 {
            rays[first]
        } else {
            rays[other.unwrap()]
        }
    });
    for threads in [1, 2] {
        let batch = Batch::new().threads(threads).chunk_size(50);
        let batch = batch.options(QueryOptions::new().after(Some(prim)));
        let mut delivered = 0;
        let ended = batch.stream(mixed.clone()).ask(&bvh, Closest, |rays, _| {
            delivered += rays.len();
            ControlFlow::<()>::Continue(())
        });
        let error = QueryError::AfterMissed { prim };
        assert_eq!(
            ended.unwrap_err(),
            BatchError::Query { ray: 333, error }.into()
        );
        assert_eq!(delivered, 300, "whole blocks before");

        let rows = Batch::new().all_hits(&bvh, &rays[100..150]).unwrap();
        let too_few = rows.values.len() - 1;
        let batch = Batch::new()
            .threads(threads)
            .chunk_size(50)
            .max_hits(too_few);
        let start = &rays[100..];
        let padded = vec![rays[3]; 100].into_iter().chain(start.iter().copied());
        let ended = batch
            .stream(padded)
            .ask(&bvh, All, |_, _| ControlFlow::<()>::Continue(()));
        let Err(StreamError::Batch(BatchError::TooManyHits { limit, ray })) = ended else {
            panic!("{ended:?}");
        };
        assert_eq!(limit, too_few);
        assert!((100..150).contains(&ray), "{ray}");
    }
}

#[test]
fn lists_of_options_and_flags_are_refused() {
    let (bvh, rays) = scene(10);
    let go_on = |_: &[Ray], _: &Vec<bool>| ControlFlow::<()>::Continue(());
    let batch = Batch::new().active(&[true; 10]);
    let refused = batch.stream(&rays).ask(&bvh, Any, go_on).unwrap_err();
    assert_eq!(refused, BatchError::Endless { what: "flags" }.into());
    let options = [QueryOptions::new(); 10];
    let batch = Batch::new().options_each(&options);
    let refused = batch.stream(&rays).ask(&bvh, Any, go_on).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "a stream has no fixed length, so it takes no list of options; filter the rays at the source"
    );
}

/// An engine that panics at a certain ray.
struct Trap(Bvh);

impl Engine for Trap {
    type Primitive = Triangle;

    fn primitive_count(&self) -> usize {
        self.0.triangle_count()
    }

    fn primitive(&self, prim: PrimId) -> Option<Triangle> {
        self.0.triangle(prim)
    }

    fn is_closed(&self) -> bool {
        self.0.is_closed()
    }

    fn visit(&self, ray: &PreparedRay<'_>, collector: &mut Collector<'_>) {
        assert!(ray.t_max() != 1234.0, "in the engine");
        self.0.visit(ray, collector);
    }
}

#[test]
fn panics_reach_the_caller_and_harm_nothing() {
    let (bvh, mut rays) = scene(1000);
    let expected = Answers::plain(&bvh, &rays);
    let engine = Trap(bvh.clone());
    for threads in [0, 1, 2, 7] {
        let batch = Batch::new().threads(threads).chunk_size(20);
        let message = |panicking: &mut dyn FnMut()| {
            let caught = catch_unwind(AssertUnwindSafe(panicking)).unwrap_err();
            *caught.downcast_ref::<&str>().unwrap()
        };
        let said = message(&mut || {
            let mut seen = 0;
            let _ = batch.stream(rays.iter().cycle()).ask(&bvh, Any, |rays, _| {
                seen += rays.len();
                assert!(seen < 2000, "in the sink");
                ControlFlow::<()>::Continue(())
            });
        });
        assert_eq!(said, "in the sink");
        let said = message(&mut || {
            let source = rays
                .iter()
                .enumerate()
                .inspect(|(i, _)| assert!(*i < 500, "in the source"));
            let source = source.map(|(_, ray)| ray);
            let _ = batch
                .stream(source)
                .ask(&bvh, Any, |_, _| ControlFlow::<()>::Continue(()));
        });
        assert_eq!(said, "in the source");
        let progress = |now: estoc_core::Progress| assert!(now.done < 500, "in progress");
        let said = message(&mut || {
            let batch = batch.progress(&progress);
            let _ = batch
                .stream(&rays)
                .ask(&bvh, Any, |_, _| ControlFlow::<()>::Continue(()));
        });
        assert_eq!(said, "in progress");
        let end = std::mem::replace(&mut rays[500].t_max, 1234.0);
        let said = message(&mut || {
            let endless = rays.iter().cycle();
            let _ = batch
                .stream(endless)
                .ask(&engine, Any, |_, _| ControlFlow::<()>::Continue(()));
        });
        assert_eq!(said, "in the engine");
        rays[500].t_max = end;
        assert_eq!(collected(&batch, &engine, &rays), expected);
    }
}

#[test]
fn progress_counts_what_was_delivered() {
    let (bvh, rays) = scene(1000);
    for threads in [1, 3] {
        let told = std::sync::Mutex::new(Vec::new());
        let progress = |now: estoc_core::Progress| {
            assert_eq!(now.total, None);
            told.lock().unwrap().push(now.done);
        };
        let batch = Batch::new()
            .threads(threads)
            .chunk_size(300)
            .progress(&progress);
        let ended = batch
            .stream(&rays)
            .ask(&bvh, Any, |_, _| ControlFlow::<()>::Continue(()));
        let report = ended.unwrap().continue_value().unwrap();
        assert_eq!(*told.lock().unwrap(), [300, 600, 900, 1000]);
        assert_eq!(
            (report.plan.threads, report.plan.chunk_size),
            (threads, 300)
        );
    }
}
