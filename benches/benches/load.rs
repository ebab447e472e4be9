//! Reading OBJ text, with all steps of loading a mesh.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use estoc::demo::DemoSpec;
use estoc::io::ObjLoader;

/// Triangles with positions only; quads and n-gons with attributes, groups and materials; triangles
/// that share no corners.
const SCENES: [&str; 3] = ["terrain?n=500000", "hall?n=200000", "soup?n=200000"];

fn read(c: &mut Criterion) {
    let mut group = c.benchmark_group("read OBJ");
    group.sample_size(10);
    for scene in SCENES {
        let spec: DemoSpec = scene.parse().expect("benchmarks name scenes that exist");
        let mut text = Vec::new();
        let written = spec.polygons().write_obj(&mut text, None);
        written.expect("writing to memory does not fail");
        group.throughput(Throughput::Bytes(text.len() as u64));
        for threads in [1, 2] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            let pool = pool.expect("the number of threads is valid");
            let id = BenchmarkId::new(scene, threads);
            group.bench_with_input(id, &text, |b, text| {
                let loader = ObjLoader::new();
                pool.install(|| b.iter(|| loader.read(text, scene)));
            });
        }
    }
    group.finish();
}

criterion_group!(benches, read);
criterion_main!(benches);
