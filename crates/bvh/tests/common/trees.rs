//! Meshes of extreme sizes, and trees of every kind.

use super::Shape;
use estoc_bvh::{Bvh, Layout, SimdLevel};
use estoc_core::glam::Vec3;
use estoc_core::{BruteForce, Hit, Masks, Triangle};
use estoc_mesh::Mesh;

pub(crate) fn brute(mesh: &Mesh) -> BruteForce {
    BruteForce::new(mesh.triangles().collect::<Vec<_>>())
}

/// Returns the mesh of triangles that share no corners.
pub(crate) fn mesh_of(triangles: &[Triangle]) -> Mesh {
    let corners = triangles.iter().flat_map(Triangle::corners);
    let faces = (0..triangles.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]);
    Mesh::try_new(corners, faces).unwrap()
}

pub(crate) fn bits(hit: &Hit) -> [u32; 4] {
    let [t, u, v] = [hit.t, hit.u, hit.v].map(f32::to_bits);
    [t, u, v, hit.prim.get()]
}

/// Returns the trees of a mesh for every instruction set, in both layouts.
pub(crate) fn every_tree(mesh: &Mesh) -> impl Iterator<Item = Bvh> {
    let levels = SimdLevel::available().into_iter();
    let kinds = levels.flat_map(|level| Layout::ALL.map(|layout| (level, layout)));
    kinds.map(|(level, layout)| {
        let builder = Bvh::builder().layout(layout).simd_level(level);
        builder.build(mesh).unwrap()
    })
}

/// The corners of [`mixed_sizes`].
pub(crate) const MIXED: [[f32; 3]; 4] = [
    [0.0, 0.0, 0.0],
    [3e38, 0.0, 0.0],
    [0.0, 1e-45, 0.0],
    [1e-20, 1e-20, 1.0],
];

/// Returns a tetrahedron that no power of two brings to a usual size.
pub(crate) fn mixed_sizes() -> Mesh {
    Mesh::try_new(MIXED, [[0, 1, 2], [0, 1, 3], [1, 2, 3], [0, 2, 3]]).unwrap()
}

/// Returns a mesh, a tree that was refitted to it, and the same tree with masks that hide everything.
pub(crate) fn refitted() -> (Mesh, Bvh, Bvh) {
    let mesh = Shape::sphere(1.0, 30, 20, false).mesh();
    let place = |p: &Vec3| *p * Vec3::new(2.0, 1.0, 0.5) + Vec3::X;
    let moved = mesh.positions().iter().map(place);
    let moved = Mesh::try_new(moved, mesh.indices().to_vec()).unwrap();
    let mut tree = Bvh::build(&mesh);
    tree.refit(&moved).unwrap();
    let all = Masks::from_runs([(moved.triangle_count(), 0)]);
    let hidden = tree.clone().with_masks(all);
    (moved, tree, hidden)
}
