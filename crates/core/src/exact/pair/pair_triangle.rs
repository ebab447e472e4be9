//! Triangles whose distances from others are measured: of a mesh, or placed in a world.

use crate::arithmetic::{InlineMap, Interval, Number, Ratio, V3, Vector, round, widen};
use crate::shapes::Triangle;
use glam::Vec3;

/// A triangle whose distance from others of its kind can be measured.
pub trait PairTriangle: Copy + Send + Sync {
    /// A point of the space in which distances are measured.
    type Point: Copy + Send + Sync + From<[Self::Scalar; 3]>;

    /// A coordinate of a point.
    type Scalar;

    /// Returns whether the triangle has an area, decided exactly.
    fn has_area(&self) -> bool;

    /// Returns the corners in the space of the mesh.
    fn own_corners(&self) -> [V3; 3];

    /// Returns the edges, from each corner to the next one.
    fn edges<N: Number>(&self) -> [Vector<N>; 3];

    /// Returns the vectors from the corners of another one to those of this one.
    fn minus<N: Number>(&self, other: &Self) -> [[Vector<N>; 3]; 3];

    /// Returns a corner.
    fn corner<N: Number>(&self, i: usize) -> Vector<N>;

    /// Returns the nearest number to the one in an interval, which `exact` returns.
    fn round(interval: (f64, f64), exact: impl FnOnce() -> Ratio) -> Self::Scalar;
}

impl PairTriangle for Triangle {
    type Point = Vec3;
    type Scalar = f32;

    fn has_area(&self) -> bool {
        !self.is_degenerate()
    }

    fn own_corners(&self) -> [V3; 3] {
        self.corners().map(widen)
    }

    #[inline(always)]
    fn edges<N: Number>(&self) -> [Vector<N>; 3] {
        let [a, b, c] = self.corners().inline_map(widen);
        [difference(b, a), difference(c, b), difference(a, c)]
    }

    #[inline(always)]
    fn minus<N: Number>(&self, other: &Self) -> [[Vector<N>; 3]; 3] {
        let others = other.corners().inline_map(widen);
        let own = self.corners().inline_map(widen);
        own.inline_map(|own| others.inline_map(|other| difference(own, other)))
    }

    fn corner<N: Number>(&self, i: usize) -> Vector<N> {
        widen(self.corners()[i]).map(N::exactly)
    }

    fn round(interval: Interval, exact: impl FnOnce() -> Ratio) -> f32 {
        round(interval).unwrap_or_else(|| exact().to_f32())
    }
}

/// Returns `a - b`.
#[inline(always)]
pub(crate) fn difference<N: Number>(a: V3, b: V3) -> Vector<N> {
    [0, 1, 2].inline_map(|i: usize| N::of_difference(a[i], b[i]))
}
