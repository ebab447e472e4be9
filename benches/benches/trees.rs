//! Building trees, and traversing them with single rays and with batches.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use estoc::{Batch, Bvh, Quality, RayQuery};
use estoc_benches::{Rays, mesh};
use std::time::Duration;

const SCENES: [&str; 5] = [
    "hall",
    "sphere?n=100000",
    "terrain?n=200000",
    "soup?n=100000",
    "needles",
];

fn build(c: &mut Criterion) {
    let mut group = c.benchmark_group("build");
    group.sample_size(10);
    for scene in SCENES {
        let mesh = mesh(scene);
        group.throughput(Throughput::Elements(mesh.triangle_count() as u64));
        for quality in [Quality::Fast, Quality::Balanced, Quality::Best] {
            let id = BenchmarkId::new(format!("{quality:?}"), scene);
            let builder = Bvh::builder().quality(quality);
            group.bench_with_input(id, &mesh, |b, mesh| b.iter(|| builder.build(mesh)));
        }
        let mut bvh = Bvh::build(&mesh);
        let id = BenchmarkId::new("refit", scene);
        group.bench_with_input(id, &mesh, |b, mesh| b.iter(|| bvh.refit(mesh)));
    }
    group.finish();
}

fn rays(c: &mut Criterion) {
    for scene in SCENES {
        let mesh = mesh(scene);
        let bvh = Bvh::build(&mesh);
        for kind in Rays::ALL {
            let rays = kind.make(&bvh, &mesh.bounds(), 1 << 14);
            let mut group = c.benchmark_group(format!("{scene}/{kind:?}"));
            group.throughput(Throughput::Elements(rays.len() as u64));
            group.sample_size(10);
            group.warm_up_time(Duration::from_millis(300));
            group.measurement_time(Duration::from_secs(1));
            group.bench_function("closest", |b| {
                b.iter(|| rays.iter().filter_map(|ray| bvh.closest_hit(ray)).count());
            });
            group.bench_function("any", |b| {
                b.iter(|| rays.iter().filter(|ray| bvh.any_hit(ray)).count());
            });
            group.bench_function("crossings", |b| {
                b.iter(|| {
                    rays.iter()
                        .map(|ray| bvh.count_crossings(ray))
                        .sum::<usize>()
                });
            });
            for threads in [1, 2] {
                let batch = Batch::new().threads(threads);
                group.bench_function(BenchmarkId::new("closest, batch", threads), |b| {
                    b.iter(|| batch.closest_hits(&bvh, &rays));
                });
                group.bench_function(BenchmarkId::new("any, batch", threads), |b| {
                    b.iter(|| batch.any_hits(&bvh, &rays));
                });
            }
            group.finish();
        }
    }
}

criterion_group!(benches, build, rays);
criterion_main!(benches);
