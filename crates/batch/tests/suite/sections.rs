//! Cuts with many planes are those of single calls, and stop when cancelled.

use estoc_batch::{Batch, BatchError};
use estoc_bvh::Bvh;
use estoc_core::{BruteForce, CancelToken, Cull, Plane, Progress, RegionQuery, Section};
use estoc_demo::DemoSpec;
use std::sync::atomic::{AtomicUsize, Ordering};

fn planes(n: usize) -> Vec<Plane> {
    let height = |i: usize| i as f32 / n as f32 * 1.4 - 0.7;
    let plane = |i| Plane::from_offset([0.3, 1.0, -0.2], height(i)).expect("a plane");
    (0..n).map(plane).collect()
}

#[test]
fn sections_do_not_depend_on_threads() {
    let mesh = "teapot?n=3000".parse::<DemoSpec>().unwrap().mesh();
    let bvh = Bvh::build(&mesh);
    let planes = planes(50);
    let single: Vec<Section> = planes.iter().map(|plane| bvh.section(plane)).collect();
    let lines = single.iter().map(|section| section.polylines.len());
    assert!(lines.filter(|&lines| lines > 1).count() > 10);
    assert!(single.iter().all(Section::is_closed));
    for threads in [0, 1, 2, 7] {
        let batch = Batch::new().threads(threads);
        assert_eq!(batch.sections(&bvh, &planes).unwrap(), single, "{threads}");
    }
    let brute = BruteForce::new(mesh.triangles().collect::<Vec<_>>());
    let of_brute = Batch::new().sections(&brute, &planes[..10]).unwrap();
    assert_eq!(of_brute, single[..10]);
    assert_eq!(Batch::new().sections(&bvh, &[]), Ok(Vec::new()));
    let cut = single.iter().position(|section| !section.is_empty());
    let cut = cut.unwrap();
    let active: Vec<bool> = (0..planes.len()).map(|i| i != cut).collect();
    let some = Batch::new().active(&active).sections(&bvh, &planes);
    let some = some.unwrap();
    assert!(some[cut].is_empty() && some[cut + 1..] == single[cut + 1..]);
    let culled = Batch::new().cull(Cull::Back).sections(&bvh, &planes);
    assert_eq!(culled, Err(BatchError::RaysOnly));
}

#[test]
fn cancelled_sections_return_nothing() {
    let bvh = Bvh::build(&"sphere?n=500".parse::<DemoSpec>().unwrap().mesh());
    let planes = planes(1000);
    for threads in [1, 2] {
        let token = CancelToken::new();
        let most = AtomicUsize::new(0);
        let stop_early = |now: Progress| {
            most.fetch_max(now.done as usize, Ordering::Relaxed);
            assert_eq!(now.total, Some(1000));
            if now.done == 100 {
                token.cancel();
            }
        };
        let batch = Batch::new().threads(threads).cancel(&token);
        let sections = batch.progress(&stop_early).sections(&bvh, &planes);
        assert_eq!(sections, Err(BatchError::Cancelled), "{threads}");
        let most = most.load(Ordering::Relaxed);
        assert!((100..900).contains(&most), "{most}");
        assert_eq!(batch.sections(&bvh, &[]), Err(BatchError::Cancelled));
    }
}
