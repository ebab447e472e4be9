//! A million small triangles anywhere in a cube: nothing that a tree could make use of.

use super::{Soup, View};
use crate::random::Random;
use estoc::glam::Vec3;

const TRIANGLES: u32 = 1_000_000;
/// Corners lie within this distance of the triangle's place, along each axis.
const REACH: f32 = 0.006;

pub(super) fn soup() -> (Soup, View) {
    let mut random = Random::new(99);
    let mut soup = Soup::default();
    for triangle in 0..TRIANGLES {
        let [x, y, z] = [0; 3].map(|_| random.unit());
        for _ in 0..3 {
            let corner = Vec3::new(x, y, z) + random.cube() * REACH;
            soup.positions.push(corner);
        }
        let first = 3 * triangle;
        soup.faces.push([first, first + 1, first + 2]);
    }
    let view = soup.view_from(Vec3::new(0.5, 0.35, 1.0), 0.9);
    (soup, view)
}
