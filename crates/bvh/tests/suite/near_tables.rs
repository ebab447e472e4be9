//! Closest points that other libraries' tests document.

use crate::common::Shape;
use estoc_bvh::Bvh;
use estoc_core::glam::Vec3;
use estoc_core::{Feature, PointQuery};

fn tree(triangles: &[[[f32; 3]; 3]]) -> Bvh {
    Bvh::build(&Shape::soup(triangles.iter().copied()).mesh())
}

/// M4 (Open3D compute_closest_points).
#[test]
fn closest_points_of_a_triangle_are_those_of_open3d() {
    let tree = tree(&[[[0.0; 3], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0]]]);
    for (point, closest) in [
        ([0.2, 0.1, 1.0], [0.2, 0.1, 0.0]),
        ([10.0; 3], [1.0, 1.0, 0.0]),
    ] {
        assert_eq!(tree.closest_point(point).unwrap().point.to_array(), closest);
    }
}

/// M23 (trimesh test_proximity): points over an edge of an acute tetrahedron. Both faces at the edge are
/// equally close, so the lower id is the answer; trimesh decides by normals.
#[test]
fn closest_faces_of_a_tetrahedron_are_both_at_the_edge() {
    let corners = [
        [-1.0, 0.5, 0.0],
        [1.0, 0.5, 0.0],
        [0.0, -1.0, -0.5],
        [0.0, -1.0, 0.5],
    ];
    let faces = [[0, 1, 2], [0, 2, 3], [0, 3, 1], [3, 2, 1]];
    let tree = tree(&faces.map(|face: [usize; 3]| face.map(|corner| corners[corner])));
    for i in 0..20 {
        let z = (i as f32 - 9.5) / 20.0;
        let [first, second] = tree.closest_points([0.0, 1.0, z], 2)[..] else {
            panic!("two triangles");
        };
        assert_eq!((first.prim.get(), second.prim.get()), (0, 2), "{z}");
        assert_eq!(first.point, Vec3::new(0.0, 0.5, 0.0));
        assert_eq!(
            (first.point, first.distance),
            (second.point, second.distance)
        );
        assert!(matches!(
            (first.feature, second.feature),
            (Feature::Edge(0), Feature::Edge(2))
        ));
    }
}

/// M32 (Embree PointQueryTest).
#[test]
fn closest_triangles_of_a_stack_are_those_of_embree() {
    let stack: Vec<[[f32; 3]; 3]> = (0..32)
        .map(|i| {
            let (reach, z) = (1.0 + 5.0 * i as f32, i as f32);
            [[0.0, 0.0, z], [reach, 0.0, z], [0.0, reach, z]]
        })
        .collect();
    let tree = tree(&stack);
    for i in 0..64 {
        let closest = tree
            .closest_point([0.25, 0.75, i as f32 / 2.0 - 0.25])
            .unwrap();
        let id = i / 2;
        assert_eq!(closest.prim.get(), id, "{i}");
        assert_eq!(closest.point, Vec3::new(0.25, 0.75, id as f32));
        assert_eq!(closest.distance, 0.25);
        assert_eq!(closest.feature == Feature::Face, id > 0, "{i}");
    }
}
