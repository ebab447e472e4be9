//! The cost of planning a batch, of batches compared with single calls, and of each technique.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use estoc::query::{Any, Closest};
use estoc::{Batch, Bvh, engine::Technique, query::Query};
use estoc_benches::{Rays, mesh};
use std::hint::black_box;
use std::time::Duration;

const SCENES: [&str; 2] = ["hall", "soup?n=100000"];

/// Measures the plan alone. It should take at most a thousandth of the time that [`techniques`]
/// measures for the same rays.
fn plan(c: &mut Criterion) {
    let mesh = mesh("hall");
    let bvh = Bvh::build(&mesh);
    let rays = Rays::Primary.make(&bvh, &mesh.bounds(), 1 << 20);
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

/// Compares batches with single calls, from few rays to many.
fn sizes(c: &mut Criterion) {
    let mesh = mesh("hall");
    let bvh = Bvh::build(&mesh);
    let rays = Rays::Bounce.make(&bvh, &mesh.bounds(), 1 << 18);
    let mut group = c.benchmark_group("sizes");
    group.sample_size(20);
    group.warm_up_time(Duration::from_millis(300));
    group.measurement_time(Duration::from_secs(1));
    for count in [1, 16, 100, 1 << 10, 1 << 14, 1 << 18] {
        let rays = &rays[..count.min(rays.len())];
        let mut hits = vec![None; rays.len()];
        group.throughput(Throughput::Elements(rays.len() as u64));
        group.bench_function(BenchmarkId::new("single calls", count), |b| {
            use estoc::RayQuery;
            b.iter(|| {
                for (hit, ray) in hits.iter_mut().zip(rays) {
                    *hit = bvh.closest_hit(ray);
                }
            });
        });
        for threads in [1, 2] {
            let batch = Batch::new().threads(threads);
            group.bench_function(BenchmarkId::new(format!("batch, {threads}"), count), |b| {
                b.iter(|| batch.ask_into(&bvh, Closest, rays, &mut hits[..]));
            });
        }
    }
    group.finish();
}

/// Measures each technique, forced, and the technique that the plan chooses.
fn techniques(c: &mut Criterion) {
    for scene in SCENES {
        let mesh = mesh(scene);
        let bvh = Bvh::build(&mesh);
        for kind in Rays::ALL {
            let rays = kind.make(&bvh, &mesh.bounds(), 1 << 16);
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

criterion_group!(benches, plan, sizes, techniques);
criterion_main!(benches);
