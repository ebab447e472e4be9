//! One ray against one box or one triangle: the cost of each test.

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use estoc::demo::SplitMix64;
use estoc::{Aabb, PrimId, Ray, Triangle};
use estoc_core::BadouelTriangle;
use std::hint::black_box;

/// Returns rays and triangles in a unit box, close enough together that many rays hit.
fn pairs(n: usize) -> Vec<(Ray, Triangle)> {
    let mut random = SplitMix64::new(1);
    let mut point = || [0; 3].map(|_| random.unit() as f32);
    (0..n)
        .map(|_| {
            let (from, to) = (point(), point());
            let ray = Ray::new(from, [0, 1, 2].map(|i| to[i] - from[i]));
            (ray, Triangle::new(point(), point(), point()))
        })
        .collect()
}

fn tests_of_one(c: &mut Criterion) {
    let pairs = pairs(1024);
    let prim = PrimId::new(0).expect("0 is an id");
    let mut group = c.benchmark_group("one");
    group.throughput(Throughput::Elements(pairs.len() as u64));
    let mut each = |name: &str, test: &dyn Fn(&Ray, &Triangle) -> bool| {
        group.bench_function(name, |b| {
            b.iter(|| {
                pairs
                    .iter()
                    .filter(|(ray, triangle)| test(black_box(ray), triangle))
                    .count()
            });
        });
    };
    each("badouel", &|ray, t| {
        t.badouel_both_sides(ray, f32::INFINITY).is_some()
    });
    each("exact", &|ray, t| t.exact_hit(ray, prim).is_some());
    let boxes: Vec<(Ray, Aabb)> = pairs
        .iter()
        .map(|(ray, triangle)| (*ray, Aabb::of_triangle(triangle)))
        .collect();
    let mut each_box = |name: &str, test: &dyn Fn(&Ray, &Aabb) -> bool| {
        group.bench_function(name, |b| {
            b.iter(|| {
                boxes
                    .iter()
                    .filter(|(ray, aabb)| test(black_box(ray), aabb))
                    .count()
            });
        });
    };
    each_box("box may_hit", &|ray, aabb| aabb.may_hit(ray));
    each_box("box slab", &|ray, aabb| aabb.slab(ray).is_some());
    let precomputed: Vec<_> = pairs
        .iter()
        .filter_map(|(ray, triangle)| Some((*ray, BadouelTriangle::new(triangle)?)))
        .collect();
    group.bench_function("badouel precomputed", |b| {
        b.iter(|| {
            precomputed
                .iter()
                .filter(|(ray, t)| t.hit_both_sides(black_box(ray), f32::INFINITY).is_some())
                .count()
        });
    });
    group.finish();

    c.bench_function("one/precompute badouel", |b| {
        b.iter_batched(
            || pairs.clone(),
            |pairs| {
                pairs
                    .iter()
                    .filter_map(|(_, t)| BadouelTriangle::new(t))
                    .count()
            },
            BatchSize::SmallInput,
        );
    });
}

criterion_group!(benches, tests_of_one);
criterion_main!(benches);
