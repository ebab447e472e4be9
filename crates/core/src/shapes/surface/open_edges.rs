//! Whether triangles enclose an inside.

use crate::shapes::{Coordinate, Triangle, Triangle64};
use alloc::vec::Vec;
use glam::Vec3;

/// The position of a triangle's corner.
pub(crate) type PositionOf<T> = <<T as JoinedTriangle>::Coordinate as Coordinate>::Position;

/// A triangle of a mesh, whose corners count as one where their positions are equal.
pub trait JoinedTriangle {
    /// The numbers of its corners, and of answers about it.
    type Coordinate: Coordinate;

    /// Returns the positions of the corners; `None` if one of them is not finite.
    #[doc(hidden)]
    fn positions(&self) -> Option<[PositionOf<Self>; 3]>;
}

impl JoinedTriangle for Triangle {
    type Coordinate = f32;

    fn positions(&self) -> Option<[[u32; 3]; 3]> {
        self.is_finite().then(|| self.corners().map(f32::position))
    }
}

impl JoinedTriangle for Triangle64 {
    type Coordinate = f64;

    fn positions(&self) -> Option<[[u64; 3]; 3]> {
        self.is_finite().then(|| self.corners().map(f64::position))
    }
}

/// Returns whether every edge, after joining corners of equal position, is used an even number of
/// times. Then every line crosses the surface an even number of times, so inside and outside are
/// defined. The winding of the triangles does not matter.
///
/// An edge between equal corners does not count, nor do the edges of triangles that are not finite,
/// which are never hit. An empty list of triangles is closed. Takes the time and memory of sorting
/// three edges per triangle.
pub fn is_closed<T: JoinedTriangle>(triangles: impl Iterator<Item = T>) -> bool {
    odd_edges(&sorted_edges(triangles)).next().is_none()
}

/// Returns the edges that are used an odd number of times, for which [`is_closed`] is false: each
/// once, with its two ends, in an order that depends on nothing but their positions.
///
/// Takes the time and memory of sorting three edges per triangle.
///
/// ```
/// # mod estoc { pub use estoc_core::*; pub mod mesh { pub use estoc_core::*; } }
/// use estoc::{Triangle, mesh::open_edges};
/// let [a, b, c, d] = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// let mut tetrahedron = vec![[a, c, b], [a, b, d], [b, c, d], [a, d, c]];
/// let edges = |faces: &[[[f32; 3]; 3]]| {
///     open_edges(faces.iter().map(|&[a, b, c]| Triangle::new(a, b, c))).len()
/// };
/// assert_eq!(edges(&tetrahedron), 0);
/// tetrahedron.pop();
/// assert_eq!(edges(&tetrahedron), 3);
/// ```
pub fn open_edges(triangles: impl Iterator<Item = Triangle>) -> Vec<[Vec3; 2]> {
    let ends = |edge: [[u32; 3]; 2]| edge.map(f32::at);
    odd_edges(&sorted_edges(triangles)).map(ends).collect()
}

/// The ends of an edge, as the bits of their coordinates.
pub(crate) type EdgeKey<P = [u32; 3]> = [P; 2];

/// Returns the edges of all triangles that are finite, in their directions, without those between
/// equal corners.
pub(crate) fn directed_edges<T: JoinedTriangle>(
    triangles: impl Iterator<Item = T>,
) -> impl Iterator<Item = EdgeKey<PositionOf<T>>> {
    triangles
        .filter_map(|triangle| triangle.positions())
        .flat_map(|[a, b, c]| [[a, b], [b, c], [c, a]])
        .filter(|[a, b]| a != b)
}

/// Returns the edge in the one of its directions that stands for both.
#[inline]
pub(crate) fn undirected<P: Copy + Ord>([a, b]: EdgeKey<P>) -> EdgeKey<P> {
    [a.min(b), a.max(b)]
}

fn sorted_edges<T: JoinedTriangle>(
    triangles: impl Iterator<Item = T>,
) -> Vec<EdgeKey<PositionOf<T>>> {
    let mut edges: Vec<_> = directed_edges(triangles).map(undirected).collect();
    match cfg!(target_family = "wasm") {
        true => sort_edges(&mut edges),
        false => edges.sort_unstable(),
    }
    edges
}

/// Sorts edges by their undirected ones. WebAssembly has no other sorting of edges, as each is 10 kB.
pub(super) fn sort_edges<P: Copy + Ord>(edges: &mut [EdgeKey<P>]) {
    edges.sort_unstable_by_key(|&edge| undirected(edge));
}

fn odd_edges<P: Copy + Ord>(sorted: &[EdgeKey<P>]) -> impl Iterator<Item = EdgeKey<P>> {
    let uses = sorted.chunk_by(|a, b| a == b);
    uses.filter(|uses| uses.len() % 2 == 1).map(|uses| uses[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tetrahedron() -> [Triangle; 4] {
        let [a, b, c, d] = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        [
            Triangle::new(a, c, b),
            Triangle::new(a, b, d),
            Triangle::new(b, c, d),
            Triangle::new(a, d, c),
        ]
    }

    #[test]
    fn an_edge_used_once_opens_the_surface() {
        assert!(is_closed(tetrahedron().into_iter()));
        assert!(!is_closed(tetrahedron().into_iter().skip(1)));
        assert!(is_closed(core::iter::empty::<Triangle>()));

        let [a, b, c] = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
        let edges = open_edges(tetrahedron().into_iter().skip(1));
        assert_eq!(
            edges,
            [[a, c], [a, b], [c, b]].map(|edge| edge.map(Vec3::from))
        );
        // Three triangles at an edge.
        let fin = Triangle::new(a, b, [0.0, -1.0, 0.0]);
        let edges = open_edges(tetrahedron().into_iter().chain([fin]));
        assert_eq!(edges.len(), 3);
    }

    #[test]
    fn signs_of_zero_and_winding_do_not_matter() {
        let mut t = tetrahedron();
        t[0].p0 = Vec3::splat(-0.0);
        core::mem::swap(&mut t[1].p0, &mut t[1].p1);
        assert!(is_closed(t.into_iter()));
    }

    #[test]
    fn a_sheet_twice_is_closed_and_a_needle_counts_its_edges() {
        let sheet = tetrahedron()[0];
        assert!(is_closed([sheet, sheet].into_iter()));
        let needle = Triangle::new([0.0; 3], [0.0; 3], [1.0, 0.0, 0.0]);
        assert!(is_closed([needle].into_iter()));
    }
}
