//! How many rays a device leaves to the processor, which does not depend on its speed.

use crate::devices;
use estoc::{Bvh, Mesh, Ray};
use estoc_gpu::{GpuBatch, GpuBvh};
use estoc_testkit::generate::Rng;
use std::path::Path;

/// Returns rays between random points of a box half as large again as that around a tree.
fn random_rays(bvh: &Bvh, count: usize) -> Vec<Ray> {
    let bounds = bvh.bounds();
    let (middle, half) = (
        (bounds.min() + bounds.max()) / 2.0,
        (bounds.max() - bounds.min()) * 0.75,
    );
    let mut rng = Rng::new(11);
    let mut point =
        || middle + half * estoc::glam::Vec3::new(rng.signed(), rng.signed(), rng.signed());
    let ray = |_| {
        let (from, to) = (point(), point());
        Ray::new(from, to - from)
    };
    (0..count).map(ray).collect()
}

fn check(name: &str, mesh: &Mesh, most: f64) {
    let bvh = Bvh::build(mesh);
    let rays = random_rays(&bvh, 20_000);
    for device in devices() {
        let gpu = GpuBvh::new(&bvh, device).unwrap();
        let batch = GpuBatch::new(&gpu);
        let share = |doubts: u64| 100.0 * doubts as f64 / rays.len() as f64;
        let (first, closest) = batch
            .run(|batch, engine| batch.closest_hits(engine, &rays))
            .unwrap();
        assert_eq!(
            first,
            estoc::Batch::new().closest_hits(&bvh, &rays).unwrap()
        );
        let (_, any) = batch
            .run(|batch, engine| batch.any_hits(engine, &rays))
            .unwrap();
        let (_, count) = batch
            .run(|batch, engine| batch.count_hits(engine, &rays))
            .unwrap();
        let shares = [closest, any, count].map(|report| share(report.doubts));
        eprintln!("{name}: doubts of first hits, any hits, counts in %: {shares:?} ({device:?})");
        assert!(shares[0] <= most && shares[1] <= most, "{name}: {shares:?}");
    }
}

#[test]
fn random_rays_at_surfaces_are_rarely_left_to_the_processor() {
    for demo in ["terrain", "sphere"] {
        let spec: estoc::demo::DemoSpec = format!("{demo}?n=100000").parse().unwrap();
        check(demo, &spec.mesh(), 0.5);
    }
}

#[test]
#[ignore = "needs meshes beside the repository"]
fn random_rays_at_scans_are_rarely_left_to_the_processor() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data/meshes");
    for name in [
        "stanford-bunny",
        "fuji-terrain",
        "scan-rangemap-lato000",
        "beast-quads",
    ] {
        let mesh = Mesh::load(folder.join(format!("{name}.obj.zst"))).unwrap();
        check(name, &mesh, 0.5);
    }
}
