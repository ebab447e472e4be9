//! The cost of planning a batch, and of each technique. `estoc bench` compares batches with single
//! calls, and `benches/peers` batches of all sizes.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use estoc::query::{Any, Closest, Query};
use estoc::{Batch, Bvh, engine::Technique};
use estoc_benches::{RayKind, mesh, rays};
use std::hint::black_box;
use std::time::Duration;

/// The tree of the first fits into the private cache of a core, that of the last exceeds it.
const SCENES: [&str; 4] = ["sphere?n=5000", "hall", "soup?n=100000", "terrain?n=200000"];

/// Measures the plan alone. It should take at most a thousandth of the time that [`techniques`]
/// measures for the same rays.
fn plan(c: &mut Criterion) {
    let mesh = mesh("hall");
    let bvh = Bvh::build(&mesh);
    let rays = rays(RayKind::Primary, &mesh, &bvh, 1 << 20);
    let mut group = c.benchmark_group("plan");
    group.warm_up_time(Duration::from_millis(300));
    group.measurement_time(Duration::from_secs(1));
    for count in [16, 100, 511, 512, 1 << 12, 1 << 16, 1 << 20] {
        group.bench_function(BenchmarkId::from_parameter(count), |b| {
            let rays = &rays[..count.min(rays.len())];
            let batch = Batch::new().threads(2);
            b.iter(|| batch.plan(&bvh, Query::Closest, black_box(rays)));
        });
    }
    group.finish();
}

/// Measures each technique, forced, and the technique that the plan chooses.
fn techniques(c: &mut Criterion) {
    for scene in SCENES {
        let mesh = mesh(scene);
        let bvh = Bvh::build(&mesh);
        for kind in RayKind::ALL {
            let rays = rays(kind, &mesh, &bvh, 1 << 16);
            let (mut hits, mut any) = (vec![None; rays.len()], vec![false; rays.len()]);
            let mut group = c.benchmark_group(format!("{scene}/{kind:?}"));
            group.throughput(Throughput::Elements(rays.len() as u64));
            group.sample_size(10);
            group.warm_up_time(Duration::from_millis(300));
            group.measurement_time(Duration::from_secs(1));
            let batch = Batch::new().threads(1).reorder(false);
            let forced = Technique::ALL.map(|technique| (technique.to_string(), Some(technique)));
            for (name, technique) in forced.into_iter().chain([("plan".into(), None)]) {
                let batch = batch.technique(technique);
                group.bench_function(BenchmarkId::new("closest", &name), |b| {
                    b.iter(|| batch.ask_into(&bvh, Closest, &rays, &mut hits[..]));
                });
                group.bench_function(BenchmarkId::new("any", &name), |b| {
                    b.iter(|| batch.ask_into(&bvh, Any, &rays, &mut any[..]));
                });
            }
            group.finish();
        }
    }
}

criterion_group!(benches, plan, techniques);
criterion_main!(benches);
