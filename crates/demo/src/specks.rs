//! Small triangles anywhere in a cube, without structure that a tree could exploit.

use crate::single_random::SingleRandom;
use crate::triangle_list::TriangleList;
use estoc_core::glam::Vec3;

/// The largest distance of corners from the triangle's centre, along each axis.
const REACH: f32 = 0.006;

/// Generates exactly `n` triangles in the cube from 0 to 1. A smaller scene consists of the first
/// triangles of a larger one.
pub(super) fn specks(n: usize) -> TriangleList {
    let mut random = SingleRandom::new(99);
    let mut specks = TriangleList::default();
    for triangle in 0..n as u32 {
        let [x, y, z] = [0; 3].map(|_| random.unit());
        for _ in 0..3 {
            let corner = Vec3::new(x, y, z) + random.cube() * REACH;
            specks.positions.push(corner);
        }
        let first = 3 * triangle;
        specks.faces.push([first, first + 1, first + 2]);
    }
    specks
}
