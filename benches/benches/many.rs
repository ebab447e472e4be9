//! Many rays in one thread, by each technique that the plan of a batch can choose.
//!
//! The terrain has 200 000 triangles; `TRIANGLES=2000000` sets another number, for a tree that
//! exceeds the caches.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use estoc::query::{Any, Closest};
use estoc::{
    Bvh, RayQuery,
    engine::{QuerySlice, Technique},
};
use estoc_benches::{Rays, mesh};
use std::env::VarError;
use std::time::Duration;

const RAYS: usize = 1 << 14;
const KINDS: [Rays; 3] = [Rays::Random, Rays::Bounce, Rays::Primary];
/// Its tree fits into the private cache of a core.
const SMALL: &str = "sphere?n=5000";
/// The default size of the terrain.
const TRIANGLES: &str = "200000";

fn terrain() -> String {
    let triangles = match std::env::var("TRIANGLES") {
        Ok(triangles) => triangles,
        Err(VarError::NotPresent) => TRIANGLES.to_owned(),
        Err(error) => panic!("TRIANGLES: {error}"),
    };
    format!("terrain?n={triangles}")
}

fn many(c: &mut Criterion) {
    for scene in [SMALL.to_owned(), terrain()] {
        let mesh = mesh(&scene);
        let bvh = Bvh::build(&mesh);
        for kind in KINDS {
            let rays = kind.make(&bvh, &mesh.bounds(), RAYS);
            let mut group = c.benchmark_group(format!("many/{scene}/{kind:?}"));
            group.throughput(Throughput::Elements(rays.len() as u64));
            group.sample_size(10);
            group.warm_up_time(Duration::from_millis(300));
            group.measurement_time(Duration::from_secs(1));
            for technique in Technique::ALL {
                let many = QuerySlice::new(&rays).technique(technique);
                let mut hits = vec![None; rays.len()];
                group.bench_function(BenchmarkId::new("closest", technique), |b| {
                    b.iter(|| bvh.ask_many(Closest, &many, &mut hits));
                });
                let mut any = vec![false; rays.len()];
                group.bench_function(BenchmarkId::new("any", technique), |b| {
                    b.iter(|| bvh.ask_many(Any, &many, &mut any));
                });
            }
            group.finish();
        }
    }
}

criterion_group!(benches, many);
criterion_main!(benches);
