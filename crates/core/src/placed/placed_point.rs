//! A placed triangle near a point of the world.

use super::placed_triangle::PlacedTriangle;
use crate::arithmetic::{Number, V3, Vector};
use crate::exact::pair::difference;
use crate::exact::proximity::Corners;

/// A placed triangle near a point of the world.
pub(super) struct PlacedCorners<'a> {
    pub(super) point: V3,
    pub(super) placed: &'a PlacedTriangle,
}

impl Corners for PlacedCorners<'_> {
    fn corner<N: Number>(&self, corner: u8) -> [Vector<N>; 2] {
        let own = self.placed.triangle.coordinates()[usize::from(corner) % 3];
        let linear: Vector<N> = self.placed.matrix.image_of(&own.map(N::exactly));
        let moved = self.placed.matrix.translation();
        let plus = |axis: usize, more: N| linear[axis].plus(&more);
        let point = self.point;
        [
            [0, 1, 2].map(|axis| plus(axis, N::exactly(moved[axis]))),
            [0, 1, 2].map(|axis| plus(axis, N::of_difference(moved[axis], point[axis]))),
        ]
    }

    fn edge<N: Number>(&self, from: u8, to: u8) -> Vector<N> {
        let corners = self.placed.triangle.coordinates();
        let [from, to] = [from, to].map(|corner| corners[usize::from(corner) % 3]);
        self.placed.matrix.image_of(&difference(to, from))
    }
}
