//! One ray against the eight boxes of a node, or the triangles of a leaf: the cost of each test
//! with each instruction set. The nodes and leaves are a few hundred that rays visit in real
//! scenes, so that they stay in the caches.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use estoc::{Bvh, engine::SimdLevel};
use estoc_benches::{RayKind, mesh, rays};
use estoc_bvh::kernels::{LeafBench, NodeBench, Pairs};
use std::time::Duration;

const SCENES: [&str; 2] = ["hall", "soup?n=100000"];
const TESTS: usize = 256;

fn kernels(c: &mut Criterion) {
    for scene in SCENES {
        let mesh = mesh(scene);
        let bvh = Bvh::build(&mesh);
        let rays = rays(RayKind::Diffuse, &mesh, &bvh, 4096);
        for level in SimdLevel::available() {
            let bvh = bvh.clone().with_simd_level(level);
            let mut time = |what: &str, how: &str, tests: usize, run: &dyn Fn() -> u32| {
                assert_eq!(tests, TESTS, "{what} of {scene}, {how}");
                let mut group = c.benchmark_group(format!("{what}/{scene}"));
                group.warm_up_time(Duration::from_millis(300));
                group.measurement_time(Duration::from_secs(1));
                group.throughput(Throughput::Elements(tests as u64));
                group.bench_function(BenchmarkId::new(how, level), |b| b.iter(run));
                group.finish();
            };
            for pairs in Pairs::ALL {
                let name = format!("{pairs:?}");
                let nodes = NodeBench::new(&bvh, &rays, pairs, TESTS);
                time("node", &name, nodes.tests(), &|| nodes.run::<false>());
                if pairs == Pairs::Hit {
                    // Each node is known only when the previous test is done; otherwise processors
                    // may overlap tests.
                    let in_turn = || nodes.run::<true>();
                    time("node", "Hit, in turn", nodes.tests(), &in_turn);
                }
                let leaves = LeafBench::new(&bvh, &rays, pairs, TESTS);
                time("leaf", &name, leaves.tests(), &|| leaves.run());
                let plain = format!("{name}, plain");
                time("leaf", &plain, leaves.tests(), &|| leaves.run_plain());
            }
        }
    }
}

criterion_group!(benches, kernels);
criterion_main!(benches);
