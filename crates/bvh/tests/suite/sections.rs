//! Cuts of trees with planes: those of brute force.

use estoc_bvh::Bvh;
use estoc_core::glam::Vec3;
use estoc_core::{BruteForce, Plane, RegionQuery};
use estoc_demo::DemoSpec;

#[test]
fn sections_of_trees_are_those_of_brute_force() {
    for spec in [
        "sphere?n=3000",
        "teapot?n=5000",
        "terrain?n=3000",
        "soup?n=3000",
    ] {
        let mesh = spec.parse::<DemoSpec>().unwrap().mesh();
        let (bvh, truth) = (
            Bvh::build(&mesh),
            BruteForce::new(mesh.triangles().collect::<Vec<_>>()),
        );
        let is_closed = truth.is_closed();
        let (min, max) = (mesh.bounds().min(), mesh.bounds().max());
        let mut cut = 0;
        for i in 0..30 {
            let normal = [Vec3::Y, Vec3::new(0.3, 1.0, -0.2), Vec3::X][i % 3];
            // Through vertices, where many cuts meet, and between them.
            let corner = mesh.positions()[i * 97 % mesh.positions().len()];
            let point = if i % 2 == 0 {
                corner
            } else {
                min.lerp(max, i as f32 / 30.0)
            };
            let plane = Plane::through(point, normal).unwrap();
            let section = bvh.section(&plane);
            assert_eq!(section, truth.section(&plane), "{spec} {plane:?}");
            assert!(section.is_closed() || !is_closed, "{spec} {plane:?}");
            cut += usize::from(!section.is_empty());
        }
        assert!(cut > 20, "{spec}: {cut}");
    }
}
