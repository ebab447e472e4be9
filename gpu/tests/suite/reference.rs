//! Reference rays at real meshes, whose answers were found by exact arithmetic of others.

use crate::devices;
use estoc::{Bvh, Mesh, Ray};
use estoc_gpu::{GpuBatch, GpuBvh};
use std::path::Path;
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
