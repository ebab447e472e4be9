//! Helpers that the generators of meshes share.

use super::Rng;
use estoc_core::Triangle;
use estoc_core::glam::Vec3;

/// Returns a number of triangles: usually few, sometimes up to 1,000.
pub(super) fn size(rng: &mut Rng) -> usize {
    let most = rng.pick(&[4, 12, 40, 40, 40, 150, 150, 1000]);
    1 + rng.below(most)
}

/// Returns the triangles with every corner mapped by `f`.
pub(super) fn map(triangles: Vec<Triangle>, f: impl Fn(Vec3) -> Vec3) -> Vec<Triangle> {
    triangles
        .into_iter()
        .map(|triangle| {
            let [a, b, c] = triangle.corners().map(&f);
            Triangle::new(a, b, c)
        })
        .collect()
}

/// Returns the same triangles in random order, with rotated corners and random orientation.
pub(super) fn scrambled(rng: &mut Rng, mut triangles: Vec<Triangle>) -> Vec<Triangle> {
    rng.shuffle(&mut triangles);
    triangles
        .into_iter()
        .map(|triangle| {
            let mut corners = triangle.corners();
            corners.rotate_left(rng.below(3));
            if rng.one_in(2) {
                corners.swap(1, 2);
            }
            let [a, b, c] = corners;
            Triangle::new(a, b, c)
        })
        .collect()
}

/// Returns the two halves of a quad whose corners are given in order.
pub(super) fn quad(a: Vec3, b: Vec3, c: Vec3, d: Vec3) -> [Triangle; 2] {
    [Triangle::new(a, b, c), Triangle::new(a, c, d)]
}
