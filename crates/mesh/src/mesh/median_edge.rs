//! The usual length of edges.

use super::Mesh;
use estoc_core::InlineMap;
use estoc_core::glam::Vec3;

/// The number of triangles whose edges are measured.
pub(crate) const MEASURED: usize = 1 << 16;

/// Returns the median length of edges: of all triangles, or of 65,536 of them at equal distances in the
/// order of the mesh. Returns `None` without triangles.
pub fn median_edge(mesh: &Mesh) -> Option<f64> {
    let step = mesh.triangle_count().div_ceil(MEASURED).max(1);
    let squares = mesh.triangles().step_by(step).flat_map(|triangle| {
        let [a, b, c] = triangle.corners().inline_map(Vec3::as_dvec3);
        [
            a.distance_squared(b),
            b.distance_squared(c),
            c.distance_squared(a),
        ]
    });
    let mut squares: Vec<f64> = squares.collect();
    let middle = squares.len().checked_sub(1)? / 2;
    let (_, median, _) = squares.select_nth_unstable_by(middle, f64::total_cmp);
    Some(median.sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn median_edges_are_of_all_parts_of_a_mesh() {
        assert_eq!(median_edge(&Mesh::default()), None);
        // Edges of 3, 4 and 5, many of them.
        let corners = [[0.0, 0.0, 0.0], [3.0, 0.0, 0.0], [0.0, 4.0, 0.0]];
        for count in [1, 2 * MEASURED + 1] {
            let mesh = Mesh::try_new(corners, vec![[0, 1, 2]; count]).unwrap();
            assert_eq!(median_edge(&mesh), Some(4.0));
        }
    }
}
