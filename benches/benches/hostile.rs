//! What exactness costs where floating point cannot decide: ties, corners, far origins,
//! rays in planes. Each beside the same scene without.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use estoc::demo::SplitMix64;
use estoc::glam::Vec3;
use estoc::{Bvh, Mesh, Ray, RayQuery};
use estoc_benches::sheet;

const SIDE: u32 = 200;

fn hostile(c: &mut Criterion) {
    let mut random = SplitMix64::new(3);
    let row = SIDE as usize + 1;
    let heights: Vec<f32> = (0..row * row).map(|_| random.unit() as f32).collect();
    let (positions, faces) = sheet(SIDE, |x, y| heights[y as usize * row + x as usize]);
    let twice: Vec<_> = faces.iter().flat_map(|face| [*face; 2]).collect();
    let (flat, flat_faces) = sheet(SIDE, |x, y| 0.5 * x as f32 + 0.3 * y as f32);
    let bvh = |positions: &[Vec3], faces: &[[u32; 3]]| {
        let mesh = Mesh::new(positions.iter().copied(), faces.iter().copied());
        Bvh::build(&mesh.expect("sheets are sound"))
    };
    let plain = bvh(&positions, &faces);
    let doubled = bvh(&positions, &twice);
    let tilted = bvh(&flat, &flat_faces);

    let mut inside = || random.between(1.0, f64::from(SIDE) - 1.0) as f32;
    let down: Vec<Ray> = (0..4096)
        .map(|_| {
            Ray::new(
                [inside(), inside(), 9.0],
                [inside() * 1e-3, inside() * 1e-3, -1.0],
            )
        })
        .collect();
    let far = down
        .iter()
        .map(|ray| Ray::new(ray.origin - 1e6 * ray.dir, ray.dir));
    let corners = down.iter().zip(positions.iter().cycle().step_by(7));
    let corners = corners.map(|(ray, corner)| Ray::new(ray.origin, *corner - ray.origin));
    let in_plane = down.iter().map(|ray| {
        let (x, y) = (ray.origin.x, ray.origin.y);
        let (dx, dy) = (ray.dir.x - 0.1, ray.dir.y - 0.1);
        Ray::new([x, y, 0.5 * x + 0.3 * y], [dx, dy, 0.5 * dx + 0.3 * dy])
    });

    let cases: [(&str, &Bvh, Vec<Ray>); 5] = [
        ("plain", &plain, down.clone()),
        ("every face twice", &doubled, down.clone()),
        ("far origins", &plain, far.collect()),
        ("through corners", &plain, corners.collect()),
        ("in the plane", &tilted, in_plane.take(512).collect()),
    ];
    let mut group = c.benchmark_group("hostile");
    for (name, bvh, rays) in cases {
        group.throughput(Throughput::Elements(rays.len() as u64));
        group.bench_function(name, |b| {
            b.iter(|| rays.iter().filter_map(|ray| bvh.closest_hit(ray)).count());
        });
    }
    group.finish();
}

criterion_group!(benches, hostile);
criterion_main!(benches);
