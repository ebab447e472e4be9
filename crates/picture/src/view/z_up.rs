//! Detects meshes whose z is up.

use crate::target::MeshTarget;
use estoc::glam::{DVec3, Vec3};

/// Returns whether z may be up: the mesh is flat along z, and more of its surface faces along z
/// than along any other axis, as in terrain, buildings and most machine parts.
pub(super) fn is_probable(mesh: MeshTarget<'_>) -> bool {
    /// The greatest height of a flat box, relative to its shorter other side.
    const FLAT: f32 = 0.7;
    /// The least share of the surface that faces along z.
    const SHARE: f64 = 0.35;
    let bounds = mesh.bounds();
    if bounds.is_empty() {
        return false;
    }
    let size = bounds.max() - bounds.min();
    // Written so that NaN does not count as flat.
    if !(size.z > 0.0 && size.z < FLAT * size.x.min(size.y)) {
        return false;
    }
    let facing: DVec3 = mesh
        .triangles()
        .map(|t| {
            let [a, b, c] = t.corners().map(Vec3::as_dvec3);
            let cross = (b - a).cross(c - a);
            // The area along each axis, weighted by how squarely the triangle faces it.
            cross * cross / cross.length().max(f64::MIN_POSITIVE)
        })
        .sum();
    let share = facing.z / (facing.x + facing.y + facing.z);
    share > SHARE && facing.z > facing.x.max(facing.y)
}
