//! Building trees, and refitting them. `estoc bench` measures how fast rays are cast in them.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use estoc::{Bvh, Quality};
use estoc_benches::mesh;

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

criterion_group!(benches, build);
criterion_main!(benches);
