//! Triangles whose distances from others are measured: of a mesh, or placed in a world.

use crate::arithmetic::{InlineMap, Number, V3, Vector, widen};
use crate::shapes::{Coordinate, Triangle, Triangle64};

/// A triangle whose distance from others of its kind can be measured.
pub trait PairTriangle: Copy + Send + Sync {
    /// The numbers of points of the space in which distances are measured.
    type Space: Coordinate;

    /// The number of a distance.
    type Length: Coordinate;

    /// The triangle that is certified in its place: one type for meshes in either precision, so that it is compiled once.
    type Certified: PairTriangle;

    /// Returns the triangle that is certified in place of this one.
    fn certified(&self) -> Self::Certified;

    /// Returns whether the triangle has an area, decided exactly.
    fn has_area(&self) -> bool;

    /// Returns the corners in the space of the mesh.
    fn own_corners(&self) -> [V3; 3];

    /// Returns the edges, from each corner to the next one.
    #[inline(always)]
    fn edges<N: Number>(&self) -> [Vector<N>; 3] {
        let [a, b, c] = self.own_corners();
        [difference(b, a), difference(c, b), difference(a, c)]
    }

    /// Returns the vectors from the corners of another one to those of this one.
    #[inline(always)]
    fn minus<N: Number>(&self, other: &Self) -> [[Vector<N>; 3]; 3] {
        let (own, others) = (self.own_corners(), other.own_corners());
        own.inline_map(|own| others.inline_map(|other| difference(own, other)))
    }

    /// Returns a corner.
    fn corner<N: Number>(&self, i: usize) -> Vector<N> {
        self.own_corners()[i].map(N::exactly)
    }
}

impl PairTriangle for Triangle {
    type Space = f32;
    type Length = f32;
    type Certified = Triangle64;

    #[inline(always)]
    fn certified(&self) -> Triangle64 {
        (*self).into()
    }

    fn has_area(&self) -> bool {
        !self.is_degenerate()
    }

    #[inline(always)]
    fn own_corners(&self) -> [V3; 3] {
        self.corners().inline_map(widen)
    }
}

impl PairTriangle for Triangle64 {
    type Space = f64;
    type Length = f64;
    type Certified = Self;

    #[inline(always)]
    fn certified(&self) -> Self {
        *self
    }

    fn has_area(&self) -> bool {
        !self.is_degenerate()
    }

    #[inline(always)]
    fn own_corners(&self) -> [V3; 3] {
        self.coordinates()
    }
}

/// Returns `a - b`.
#[inline(always)]
pub(crate) fn difference<N: Number>(a: V3, b: V3) -> Vector<N> {
    [0, 1, 2].inline_map(|i: usize| N::of_difference(a[i], b[i]))
}
