//! The usual length of edges.

use super::Mesh;
use estoc_core::glam::Vec3;
use estoc_core::{InlineMap, select_compactly};

/// The number of triangles whose edges are measured.
pub(crate) const MEASURED: usize = 1 << 16;

/// Returns the median length of edges: of all triangles, or of 65,536 of them at equal distances in the
/// order of the mesh. Returns `None` without triangles.
pub fn median_edge(mesh: &Mesh) -> Option<f64> {
    let mut squares: Vec<f64> = measured(mesh)
        .flat_map(|face| squares(mesh, face))
        .collect();
    let middle = squares.len().checked_sub(1)? / 2;
    let median = select_compactly(&mut squares, middle, f64::total_cmp);
    Some(median.sqrt())
}

/// Returns whether a length is at most the median edge times a factor, which must be a power of two; without triangles,
/// any is.
pub(crate) fn is_within_median_edge(mesh: &Mesh, length: f64, factor: f64) -> bool {
    let edges = 3 * measured(mesh).len();
    let before = edges.saturating_sub(1) / 2;
    // Squares are 0 or far from where this one underflows.
    let least = length / factor;
    let certain = least * least * (1.0 + 4.0 * f64::EPSILON);
    let mut enough = 0;
    for face in measured(mesh) {
        for square in squares(mesh, face) {
            enough += usize::from(square > certain || length <= factor * square.sqrt());
        }
        // So many are not before the median.
        if enough >= edges - before {
            return true;
        }
    }
    edges == 0
}

/// Returns the vertices of the triangles whose edges are measured.
fn measured(mesh: &Mesh) -> impl ExactSizeIterator<Item = &[u32; 3]> {
    let step = mesh.triangle_count().div_ceil(MEASURED).max(1);
    mesh.indices().iter().step_by(step)
}

/// Returns the squared lengths of a triangle's edges.
#[inline(always)]
fn squares(mesh: &Mesh, face: &[u32; 3]) -> [f64; 3] {
    let corners = mesh.buffers.triangle_of(face).corners();
    let [a, b, c] = corners.inline_map(Vec3::as_dvec3);
    [
        a.distance_squared(b),
        b.distance_squared(c),
        c.distance_squared(a),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn median_edges_are_of_all_parts_of_a_mesh() {
        assert_eq!(median_edge(&Mesh::default()), None);
        assert!(is_within_median_edge(&Mesh::default(), 1.0, 1.0));
        // Edges of 3, 4 and 5, many of them.
        let corners = [[0.0, 0.0, 0.0], [3.0, 0.0, 0.0], [0.0, 4.0, 0.0]];
        for count in [1, 2 * MEASURED + 1] {
            let mesh = Mesh::try_new(corners, vec![[0, 1, 2]; count]).unwrap();
            assert_eq!(median_edge(&mesh), Some(4.0));
            for (length, is_within) in [(8.0, true), (8.0_f64.next_up(), false), (0.0, true)] {
                assert_eq!(is_within_median_edge(&mesh, length, 2.0), is_within);
            }
        }
    }
}
