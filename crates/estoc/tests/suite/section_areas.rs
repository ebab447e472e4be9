//! Areas of cuts at many heights, summed up to volumes.

use crate::public_reports::boxes;
use estoc::demo::DemoSpec;
use estoc::glam::Vec3;
use estoc::io::BadFaces;
use estoc::{Batch, Bvh, Mesh, MeshLoader, Plane};
use std::path::Path;
use std::time::Instant;

/// Returns the volume that the triangles enclose.
fn volume(mesh: &Mesh) -> f64 {
    let corner = mesh.bounds().min().as_dvec3();
    let parts = mesh.triangles().map(|triangle| {
        let [a, b, c] = triangle.corners().map(|p| p.as_dvec3() - corner);
        a.dot(b.cross(c)) / 6.0
    });
    parts.sum()
}

/// Returns the sum of the areas at the middles of layers across an axis, times their thickness.
fn sliced(bvh: &Bvh, axis: usize, layers: usize) -> f64 {
    let (low, high) = (bvh.bounds().min()[axis], bvh.bounds().max()[axis]);
    let thickness = f64::from(high - low) / layers as f64;
    let planes: Vec<Plane> = (0..layers)
        .map(|layer| f64::from(low) + thickness * (layer as f64 + 0.5))
        .map(|height| Plane::from_offset(Vec3::AXES[axis], height as f32).unwrap())
        .collect();
    let start = Instant::now();
    let sections = Batch::new().threads(1).sections(bvh, &planes).unwrap();
    let cut = start.elapsed();
    let areas = sections
        .iter()
        .map(|section| section.area().expect("closed"));
    let sum = areas.sum::<f64>() * thickness;
    let points: usize = sections
        .iter()
        .map(|section| section.segments().count())
        .sum();
    println!(
        "  {points} points: cut {cut:?}, with areas {:?}",
        start.elapsed()
    );
    sum
}

#[test]
fn areas_of_layers_are_volumes() {
    // Layers of boxes are prisms, so that the sum is the volume.
    let low = ([0.0; 3], [4.0, 4.0, 8.0]);
    let inside = ([1.0, 1.0, 2.0], [2.0, 3.0, 7.0]);
    let beside = ([10.0, -1.0, 2.0], [12.0, 5.0, 6.0]);
    let solids = boxes(&[low, inside, beside]);
    assert_eq!(sliced(&solids, 2, 8), 128.0 - 10.0 + 48.0);
    assert_eq!(sliced(&solids, 1, 12), 128.0 - 10.0 + 48.0);
    for spec in ["sphere?n=5000", "teapot?n=5000"] {
        let mesh = spec.parse::<DemoSpec>().unwrap().mesh();
        let bvh = Bvh::build(&mesh);
        let volume = self::volume(&mesh);
        for axis in 0..3 {
            let sum = sliced(&bvh, axis, 100);
            assert!(
                (sum / volume - 1.0).abs() < 0.01,
                "{spec} {axis}: {sum} {volume}"
            );
        }
    }
}

#[test]
#[ignore = "needs meshes beside the repository"]
fn areas_of_layers_of_real_meshes_are_volumes() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/meshes");
    let mut closed = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "zst") {
            continue;
        }
        let mesh = MeshLoader::new()
            .bad_faces(BadFaces::Skip)
            .load(&path)
            .unwrap();
        let bvh = Bvh::build(&mesh);
        if !bvh.is_closed() {
            continue;
        }
        closed += 1;
        let volume = volume(&mesh).abs();
        println!("{}: volume {volume}", path.display());
        for axis in 0..3 {
            // Layers of whole voxels are prisms.
            let size = mesh.bounds().max()[axis] - mesh.bounds().min()[axis];
            let is_voxels = path.to_string_lossy().contains("voxel");
            let layers = if is_voxels { size as usize } else { 50 };
            let sum = sliced(&bvh, axis, layers);
            println!("  axis {axis}: {sum}, {:+.5}", sum / volume - 1.0);
            let most = if is_voxels { 1e-12 } else { 0.03 };
            assert!((sum / volume - 1.0).abs() < most, "{}", path.display());
        }
    }
    assert!(closed >= 4, "{closed}");
}
