//! The cost of exactness where floating point cannot decide: ties, corners, far origins, outliers,
//! extreme scales, rays in planes. The plain sheets come first.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use estoc::demo::SplitMix64;
use estoc::glam::Vec3;
use estoc::{Bvh, Mesh, Ray, RayQuery};
use estoc_benches::sheet;

const SIDE: u32 = 200;

fn bvh(positions: &[Vec3], faces: &[[u32; 3]]) -> Bvh {
    let mesh = Mesh::try_new(positions.iter().copied(), faces.iter().copied());
    Bvh::build(&mesh.expect("sheets are valid meshes"))
}

/// Returns the rays with their origins moved back by `sizes` times the size of the sheet.
fn moved_back(rays: &[Ray], sizes: f32) -> Vec<Ray> {
    let by = |ray: &Ray| sizes * SIDE as f32 * ray.dir;
    rays.iter()
        .map(|ray| Ray::new(ray.origin - by(ray), ray.dir))
        .collect()
}

/// Builds the same scene and rays with all lengths multiplied by `by`.
fn scaled(positions: &[Vec3], faces: &[[u32; 3]], rays: &[Ray], by: f32) -> (Bvh, Vec<Ray>) {
    let positions: Vec<Vec3> = positions.iter().map(|&p| p * by).collect();
    let rays = rays.iter().map(|ray| Ray::new(ray.origin * by, ray.dir));
    (bvh(&positions, faces), rays.collect())
}

fn hostile(c: &mut Criterion) {
    let mut random = SplitMix64::new(3);
    let row = SIDE as usize + 1;
    let heights: Vec<f32> = (0..row * row).map(|_| random.unit() as f32).collect();
    let (positions, faces) = sheet(SIDE, |x, y| heights[y as usize * row + x as usize]);
    let twice: Vec<_> = faces.iter().flat_map(|face| [*face; 2]).collect();
    let mut outlier = positions.clone();
    outlier[row * row / 2] = Vec3::splat(1e30);
    // Every sum here is exact, so the sheet is a plane.
    let (tilted, tilted_faces) = sheet(SIDE, |x, y| 0.5 * x as f32 + 0.25 * y as f32);
    let other_cut = tilted_faces.chunks(2).flat_map(|pair| {
        let ([a, b, c], [_, _, d]) = (pair[0], pair[1]);
        [[a, b, c], [a, c, d], [b, c, d], [b, d, a]]
    });
    let layers = bvh(&tilted, &other_cut.collect::<Vec<_>>());
    let (plain, tilted) = (bvh(&positions, &faces), bvh(&tilted, &tilted_faces));

    let mut inside = || random.between(1.0, f64::from(SIDE) - 1.0) as f32;
    let down: Vec<Ray> = (0..4096)
        .map(|_| {
            Ray::new(
                [inside(), inside(), 200.0],
                [inside() * 1e-4, inside() * 1e-4, -1.0],
            )
        })
        .collect();
    let corners = down.iter().zip(positions.iter().cycle().step_by(7));
    let corners = corners.map(|(ray, corner)| Ray::new(ray.origin, *corner - ray.origin));
    let along = |lift: f32| -> Vec<Ray> {
        let grid = |x: f32| (x * 16.0).round() / 16.0;
        down.iter()
            .take(256)
            .map(|ray| {
                let (x, y) = (grid(ray.origin.x), grid(ray.origin.y));
                let (dx, dy) = (grid(ray.dir.x * 64.0) - 0.5, grid(ray.dir.y * 64.0) - 0.5);
                let z = 0.5 * x + 0.25 * y + lift;
                Ray::new([x, y, z], [dx, dy, 0.5 * dx + 0.25 * dy])
            })
            .collect()
    };
    let (tiny, tiny_rays) = scaled(&positions, &faces, &down, 1e-30);
    let (great, great_rays) = scaled(&positions, &faces, &down, 1e30);
    let outlier = bvh(&outlier, &faces);
    let doubled = bvh(&positions, &twice);

    let cases: [(&str, &Bvh, Vec<Ray>); 12] = [
        ("plain", &plain, down.clone()),
        ("plain, tilted", &tilted, down.clone()),
        ("plain, slightly off the plane", &tilted, along(1e-3)),
        ("every face twice", &doubled, down.clone()),
        (
            "two layers, triangulated differently",
            &layers,
            down.clone(),
        ),
        (
            "from a thousand mesh sizes away",
            &plain,
            moved_back(&down, 1e3),
        ),
        (
            "from a million mesh sizes away",
            &plain,
            moved_back(&down, 1e6),
        ),
        ("one corner at 1e30", &outlier, down.clone()),
        ("all at 1e-30", &tiny, tiny_rays),
        ("all at 1e30", &great, great_rays),
        ("through corners", &plain, corners.collect()),
        ("in the plane", &tilted, along(0.0)),
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
