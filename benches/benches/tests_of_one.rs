//! One ray against one box or one triangle: the cost of each test.

use criterion::measurement::WallTime;
use criterion::{
    BatchSize, BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main,
};
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
    fn each<T>(
        group: &mut BenchmarkGroup<'_, WallTime>,
        name: &str,
        pairs: &[(Ray, T)],
        test: impl Fn(&Ray, &T) -> bool,
    ) {
        let is_hit = |(ray, other): &&(Ray, T)| test(black_box(ray), other);
        group.bench_function(name, |b| b.iter(|| pairs.iter().filter(is_hit).count()));
    }
    each(&mut group, "badouel", &pairs, |ray, t| {
        t.badouel_both_sides(ray, f32::INFINITY).is_some()
    });
    each(&mut group, "exact", &pairs, |ray, t| {
        t.exact_hit(ray, prim).is_some()
    });
    let bounds = |(ray, triangle): &(Ray, Triangle)| (*ray, Aabb::of_triangle(triangle));
    let boxes: Vec<(Ray, Aabb)> = pairs.iter().map(bounds).collect();
    each(&mut group, "box may_hit", &boxes, |ray, aabb| {
        aabb.may_hit(ray)
    });
    each(&mut group, "box slab", &boxes, |ray, aabb| {
        aabb.slab(ray).is_some()
    });
    let precompute = |(ray, t): &(Ray, Triangle)| Some((*ray, BadouelTriangle::new(t)?));
    let precomputed: Vec<_> = pairs.iter().filter_map(precompute).collect();
    each(&mut group, "badouel precomputed", &precomputed, |ray, t| {
        t.hit_both_sides(ray, f32::INFINITY).is_some()
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
