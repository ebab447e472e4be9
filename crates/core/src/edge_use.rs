//! How often triangles use each edge, and in which direction.

use crate::Triangle;
use crate::closed::position;
use alloc::vec::Vec;
use glam::Vec3;

/// How triangles meet along their edges, after joining corners of equal position.
///
/// Edges between equal corners do not count, nor do those of triangles that are not finite.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EdgeUse {
    /// The number of edges, each counted once.
    pub edges: usize,
    /// Edges that an odd number of triangles uses, where the surface is open.
    pub open: EdgeTally,
    /// Edges that are not used as often in one direction as in the other, or, if they are open, with a
    /// difference of more than one: the triangles there do not face the same side of the surface.
    pub misoriented: EdgeTally,
    /// Edges that more than two triangles use.
    pub crowded: EdgeTally,
}

/// A number of edges, and the first of them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EdgeTally {
    /// The number of edges.
    pub count: usize,
    /// The ends of the first one, in an order that depends on nothing but positions.
    pub first: Option<[Vec3; 2]>,
}

impl EdgeTally {
    fn add(&mut self, ends: [Vec3; 2]) {
        self.count += 1;
        self.first.get_or_insert(ends);
    }
}

/// Returns how the triangles meet along their edges.
///
/// A surface is closed if no edge is open, and then consistently oriented if none is misoriented.
/// Takes the time and memory of sorting three edges per triangle.
///
/// ```
/// # mod estoc { pub use estoc_core::*; pub mod mesh { pub use estoc_core::*; } }
/// use estoc::{Triangle, mesh::edge_use};
/// let [a, b, c, d] = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// let tetrahedron = [[a, c, b], [a, b, d], [b, c, d], [a, d, c]];
/// let found = edge_use(tetrahedron.map(|[a, b, c]| Triangle::new(a, b, c)).into_iter());
/// assert_eq!((found.edges, found.open.count, found.misoriented.count), (6, 0, 0));
/// let turned = [[a, b, c], [a, b, d], [b, c, d], [a, d, c]];
/// let found = edge_use(turned.map(|[a, b, c]| Triangle::new(a, b, c)).into_iter());
/// assert_eq!((found.open.count, found.misoriented.count), (0, 3));
/// ```
pub fn edge_use(triangles: impl Iterator<Item = Triangle>) -> EdgeUse {
    let mut edges: Vec<([[u32; 3]; 2], bool)> = triangles
        .filter(Triangle::is_finite)
        .flat_map(|triangle| {
            let [a, b, c] = triangle.corners().map(position);
            [[a, b], [b, c], [c, a]]
        })
        .filter(|[a, b]| a != b)
        .map(|[a, b]| ([a.min(b), a.max(b)], a > b))
        .collect();
    edges.sort_unstable();
    let mut found = EdgeUse::default();
    for uses in edges.chunk_by(|a, b| a.0 == b.0) {
        let back = uses.iter().filter(|(_, is_back)| *is_back).count();
        let difference = back.abs_diff(uses.len() - back);
        let is_open = uses.len() % 2 == 1;
        let ends = uses[0].0.map(|p| Vec3::from(p.map(f32::from_bits)));
        found.edges += 1;
        if is_open {
            found.open.add(ends);
        }
        if difference > usize::from(is_open) {
            found.misoriented.add(ends);
        }
        if uses.len() > 2 {
            found.crowded.add(ends);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(faces: &[[[f32; 3]; 3]]) -> EdgeUse {
        edge_use(faces.iter().map(|&[a, b, c]| Triangle::new(a, b, c)))
    }

    #[test]
    fn directions_and_numbers_of_uses_are_told() {
        let [a, b, c, d] = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let e = [0.0, -1.0, 0.0];
        let counts = |found: EdgeUse| {
            let EdgeUse {
                edges,
                open,
                misoriented,
                crowded,
            } = found;
            (edges, open.count, misoriented.count, crowded.count)
        };
        assert_eq!(counts(of(&[])), (0, 0, 0, 0));
        assert_eq!(counts(of(&[[a, b, c]])), (3, 3, 0, 0));
        assert_eq!(counts(of(&[[a, b, c], [b, a, d]])), (5, 4, 0, 0));
        let turned = of(&[[a, b, c], [a, b, d]]);
        assert_eq!(counts(turned), (5, 4, 1, 0));
        assert_eq!(turned.misoriented.first, Some([a, b].map(Vec3::from)));
        // Three at an edge, in two directions and in one.
        assert_eq!(counts(of(&[[a, b, c], [b, a, d], [a, b, e]])), (7, 7, 0, 1));
        assert_eq!(counts(of(&[[a, b, c], [a, b, d], [a, b, e]])), (7, 7, 1, 1));
        // The sign of zero does not matter.
        let minus = [-0.0; 3];
        assert_eq!(counts(of(&[[a, b, c], [b, minus, d]])), (5, 4, 0, 0));
        // Neither edges between equal corners nor triangles that are not finite count.
        let nan = [f32::NAN, 0.0, 0.0];
        assert_eq!(counts(of(&[[a, a, b], [a, b, nan]])), (1, 0, 0, 0));
    }
}
