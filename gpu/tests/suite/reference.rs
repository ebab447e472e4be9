//! Reference rays at real meshes, whose answers were found by exact arithmetic of others, and files that are hostile.

use crate::devices;
use estoc::io::BadFaces;
use estoc::{Batch, Bvh, Mesh, MeshLoader, Ray, Triangle};
use estoc_gpu::{GpuBatch, GpuBvh};
use estoc_testkit::generate::{self, Scene};
use std::path::{Path, PathBuf};
use std::process::Command;

#[test]
#[ignore = "needs meshes and rays beside the repository"]
fn reference_rays() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data");
    for name in [
        "utah-teapot",
        "cad-adis16480",
        "sponza-dabrovic",
        "stanford-bunny",
    ] {
        let mesh = Mesh::load(data.join(format!("meshes/{name}.obj.zst"))).unwrap();
        let unpacked = Command::new("xz")
            .arg("-dc")
            .arg(data.join(format!("reference/{name}.rays.csv.xz")))
            .output();
        let text = String::from_utf8(unpacked.unwrap().stdout).unwrap();
        let mut lines = text.lines();
        let columns: Vec<&str> = lines.next().unwrap().split(',').collect();
        let column = |name: &str| columns.iter().position(|column| *column == name).unwrap();
        let numbers = ["ox", "oy", "oz", "dx", "dy", "dz", "tmin", "tmax"].map(column);
        let [hit, t, prim] = ["hit", "t", "prim"].map(column);
        let (mut rays, mut expected) = (Vec::new(), Vec::new());
        for line in lines {
            let cells: Vec<&str> = line.split(',').collect();
            let [ox, oy, oz, dx, dy, dz, t_min, t_max] =
                numbers.map(|column| cells[column].parse::<f32>().unwrap());
            rays.push(Ray::new([ox, oy, oz], [dx, dy, dz]).with_interval(t_min, t_max));
            let t = || cells[t].parse::<f64>().unwrap() as f32;
            expected.push((cells[hit] == "1").then(|| (t(), cells[prim].parse::<u32>().unwrap())));
        }
        let bvh = Bvh::build(&mesh);
        for device in devices() {
            let gpu = GpuBvh::new(&bvh, device).unwrap();
            let hits = GpuBatch::new(&gpu).closest_hits(&rays).unwrap();
            for ((ray, hit), expected) in rays.iter().zip(hits).zip(&expected) {
                assert_eq!(
                    hit.map(|hit| (hit.t, hit.prim.get())),
                    *expected,
                    "{name}: {ray:?}, {device:?}"
                );
            }
        }
    }
}

/// Returns the files of a folder and of those in it.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    entries
        .flat_map(|path| {
            if path.is_dir() {
                files(&path)
            } else {
                vec![path]
            }
        })
        .collect()
}

#[test]
#[ignore = "needs meshes and rays beside the repository"]
fn hostile_files() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data");
    let mut meshes = 0;
    for path in files(&data.join("hostile"))
        .iter()
        .chain(&files(&data.join("reports")))
    {
        let Ok(mesh) = MeshLoader::new().bad_faces(BadFaces::Skip).load(path) else {
            continue;
        };
        let triangles: Vec<Triangle> = mesh.triangles().take(1000).collect();
        if triangles.is_empty() {
            continue;
        }
        meshes += 1;
        let scene = Scene {
            name: "a file",
            seed: 1,
            triangles,
        };
        let rays: Vec<Ray> = generate::cases(&scene, 500).map(|case| case.ray).collect();
        let bvh = Bvh::build(&mesh);
        let expected = Batch::new().closest_hits(&bvh, &rays).unwrap();
        let counts = Batch::new().count_hits(&bvh, &rays).unwrap();
        for device in devices() {
            let gpu = GpuBvh::new(&bvh, device).unwrap();
            assert!(
                GpuBatch::new(&gpu).closest_hits(&rays).unwrap() == expected,
                "{path:?}, {device:?}"
            );
            assert!(
                GpuBatch::new(&gpu).count_hits(&rays).unwrap() == counts,
                "{path:?}, {device:?}"
            );
        }
    }
    assert!(meshes > 50, "{meshes}");
}
