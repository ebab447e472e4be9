//! What may go wrong with a device is told, and takes nothing down.

use crate::{devices, tree_of};
use estoc::query::Closest;
use estoc::{Batch, BatchError, CancelToken, Mesh, Ray};
use estoc_gpu::{Device, GpuBatch, GpuBatchError, GpuBvh, GpuError};
use estoc_testkit::generate::{self, Rng};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// Returns devices of their own, which a test may break.
fn own_devices() -> Vec<Device> {
    devices()
        .iter()
        .map(|device| Device::open(&device.info().name).unwrap())
        .collect()
}

fn sphere() -> (estoc::Bvh, Vec<Ray>) {
    let scene = generate::scene("sphere", 3).unwrap();
    let rays = generate::cases(&scene, 20_000)
        .map(|case| case.ray)
        .collect();
    (tree_of(&scene.triangles), rays)
}

#[test]
fn chunks_of_any_size_in_any_number_of_threads_have_the_same_answers() {
    let (bvh, rays) = sphere();
    let expected = Batch::new().closest_hits(&bvh, &rays).unwrap();
    let mut rng = Rng::new(5);
    for device in devices() {
        let gpu = GpuBvh::new(&bvh, device).unwrap();
        for round in 0..12 {
            let (chunk, threads) = (
                [1 + rng.below(20_000), 100 + rng.below(900)][round % 2],
                rng.below(5),
            );
            let batch = GpuBatch::new(&gpu).set(|batch| batch.chunk_size(chunk).threads(threads));
            assert!(
                batch.closest_hits(&rays).unwrap() == expected,
                "chunks of {chunk}, {threads} threads, {device:?}"
            );
        }
        let none: &[Ray] = &[];
        assert_eq!(GpuBatch::new(&gpu).closest_hits(none), Ok(Vec::new()));
        let few = GpuBatch::new(&gpu)
            .set(|batch| batch.chunk_size(1))
            .closest_hits(&rays[..70])
            .unwrap();
        assert_eq!(few, expected[..70]);
    }
}

#[test]
fn many_devices_answer_at_once() {
    let (bvh, rays) = sphere();
    let expected = Batch::new().closest_hits(&bvh, &rays).unwrap();
    let all: Vec<Device> = own_devices().into_iter().chain(own_devices()).collect();
    std::thread::scope(|scope| {
        for device in &all {
            scope.spawn(|| {
                for _ in 0..3 {
                    let gpu = GpuBvh::new(&bvh, device).unwrap();
                    let batch = GpuBatch::new(&gpu).set(|batch| batch.chunk_size(3000));
                    assert!(batch.closest_hits(&rays).unwrap() == expected);
                }
            });
        }
    });
}

#[test]
fn a_device_that_is_lost_in_the_middle_is_told_or_replaced() {
    let (bvh, rays) = sphere();
    let expected = Batch::new().closest_hits(&bvh, &rays).unwrap();
    for falls_back in [false, true] {
        for device in own_devices() {
            let gpu = GpuBvh::new(&bvh, &device).unwrap();
            let chunks = AtomicUsize::new(0);
            let progress = |_| {
                if chunks.fetch_add(1, Ordering::Relaxed) == 5 {
                    device.destroy();
                }
            };
            let batch = GpuBatch::new(&gpu).falls_back(falls_back);
            let batch = batch.set(|batch| batch.chunk_size(1000).progress(&progress));
            let asked = batch.run(|batch, engine| batch.closest_hits(engine, &rays));
            match asked {
                Ok((hits, report)) => {
                    assert!(falls_back && hits == expected);
                    assert!(
                        matches!(report.fault, Some(GpuError::Lost { .. })),
                        "{report:?}"
                    );
                    assert!(report.rays < 20_000, "{report:?}");
                }
                Err(error) => {
                    let GpuBatchError::Gpu(GpuError::Lost { .. }) = error else {
                        panic!("{error}")
                    };
                    assert!(!falls_back);
                    assert!(error.to_string().contains("open it again"), "{error}");
                }
            }
            assert!(matches!(
                GpuBvh::new(&bvh, &device),
                Err(GpuError::Lost { .. })
            ));
        }
    }
    // The others are as before.
    for device in devices() {
        let gpu = GpuBvh::new(&bvh, device).unwrap();
        assert!(GpuBatch::new(&gpu).closest_hits(&rays).unwrap() == expected);
    }
}

/// A stream's answers cannot be taken back, so that none may follow a fault.
#[test]
fn a_stream_ends_where_the_device_is_lost() {
    let (bvh, rays) = sphere();
    let expected = Batch::new().closest_hits(&bvh, &rays).unwrap();
    for device in own_devices() {
        let gpu = GpuBvh::new(&bvh, &device).unwrap();
        let mut streamed = Vec::new();
        let asked = GpuBatch::new(&gpu).run(|batch, engine| {
            batch
                .chunk_size(500)
                .stream(rays.iter().copied())
                .ask(engine, Closest, |_, hits| {
                    streamed.extend_from_slice(hits);
                    if streamed.len() == 2000 {
                        device.destroy();
                    }
                    ControlFlow::<()>::Continue(())
                })
        });
        assert!(
            matches!(asked, Err(GpuBatchError::Gpu(GpuError::Lost { .. }))),
            "{asked:?}"
        );
        assert!(
            (2000..20_000).contains(&streamed.len()),
            "{}",
            streamed.len()
        );
        assert!(streamed == expected[..streamed.len()]);
    }
}

#[test]
fn a_device_that_takes_too_long_is_told() {
    let (bvh, rays) = sphere();
    for device in own_devices() {
        let gpu = GpuBvh::new(&bvh, &device).unwrap();
        device.set_patience(Duration::ZERO);
        let asked = GpuBatch::new(&gpu).closest_hits(&rays);
        let Err(GpuBatchError::Gpu(GpuError::TimedOut { waited })) = asked else {
            panic!("{asked:?}")
        };
        assert_eq!(waited, Duration::ZERO);
        // Nor is it asked again.
        device.set_patience(Duration::from_secs(60));
        let again = GpuBatch::new(&gpu).any_hits(&rays);
        assert!(
            matches!(again, Err(GpuBatchError::Gpu(GpuError::TimedOut { .. }))),
            "{again:?}"
        );
    }
}

#[test]
fn a_tree_beyond_the_budget_is_refused() {
    let (bvh, _) = sphere();
    let bytes = GpuBvh::bytes(&bvh);
    assert!(bytes > 48 * bvh.triangle_count() as u64);
    for device in devices() {
        assert!(GpuBvh::within(&bvh, device, bytes).is_ok());
        let refused = GpuBvh::within(&bvh, device, bytes - 1).unwrap_err();
        assert_eq!(
            refused,
            GpuError::TooLarge {
                bytes,
                limit: bytes - 1
            }
        );
        assert!(
            refused.to_string().contains("use the processor"),
            "{refused}"
        );
    }
}

#[test]
fn memory_that_there_is_not_is_told() {
    let (bvh, rays) = sphere();
    for device in own_devices() {
        // Buffers beyond what may be bound are refused before they are made.
        let gpu = GpuBvh::new(&bvh, &device).unwrap();
        device.set_most_bytes(1 << 16);
        let asked = GpuBatch::new(&gpu).closest_hits(&rays);
        assert!(
            matches!(asked, Err(GpuBatchError::Gpu(GpuError::NoMemory { .. }))),
            "{asked:?}"
        );
        let small = GpuBatch::new(&gpu).set(|batch| batch.chunk_size(1000));
        assert!(small.closest_hits(&rays).is_ok());
        // With buffers for few triangles, those of a tree are in all four.
        let expected = Batch::new().closest_hits(&bvh, &rays).unwrap();
        let fourth = bvh.triangle_count().div_ceil(4).next_power_of_two();
        device.set_most_bytes(48 * fourth as u64);
        let parts = GpuBvh::new(&bvh, &device).unwrap();
        let small = GpuBatch::new(&parts).set(|batch| batch.chunk_size(100));
        assert!(small.closest_hits(&rays).unwrap() == expected);
        device.set_most_bytes(48);
        assert!(matches!(
            GpuBvh::new(&bvh, &device),
            Err(GpuError::TooLarge { .. })
        ));
    }
}

#[test]
fn what_is_wrong_with_a_batch_is_told_as_without_a_device() {
    let (bvh, rays) = sphere();
    for device in devices() {
        let gpu = GpuBvh::new(&bvh, device).unwrap();
        let token = CancelToken::new();
        token.cancel();
        let cancelled = GpuBatch::new(&gpu)
            .set(|batch| batch.cancel(&token))
            .any_hits(&rays);
        assert_eq!(cancelled, Err(GpuBatchError::Batch(BatchError::Cancelled)));
        let many = GpuBatch::new(&gpu)
            .set(|batch| batch.threads(5000))
            .any_hits(&rays);
        assert!(matches!(
            many,
            Err(GpuBatchError::Batch(BatchError::Threads { .. }))
        ));
    }
}

#[test]
fn an_empty_mesh_is_missed() {
    let bvh = estoc::Bvh::build(&Mesh::try_new([[0.0; 3]; 0], [[0u32; 3]; 0]).unwrap());
    let (_, rays) = sphere();
    for device in devices() {
        let gpu = GpuBvh::new(&bvh, device).unwrap();
        assert!(
            GpuBatch::new(&gpu)
                .closest_hits(&rays)
                .unwrap()
                .iter()
                .all(Option::is_none)
        );
        assert!(
            GpuBatch::new(&gpu)
                .any_hits(&rays)
                .unwrap()
                .iter()
                .all(|hit| !hit)
        );
    }
}

#[test]
fn a_device_that_is_not_there_is_told() {
    let error = Device::open("no such device").unwrap_err();
    assert!(error.to_string().contains("no such device"), "{error}");
    for info in Device::all().iter().filter(|info| info.is_software) {
        // Software is used only where it is named.
        assert_ne!(
            Device::open("").map(|device| device.info().clone()),
            Ok(info.clone())
        );
    }
}
