//! Normals of vertices.

use super::Mesh;
use estoc_core::glam::{DVec3, Vec3};

impl Mesh {
    /// Returns a normal of length 1 for each vertex of [`positions`](Mesh::positions): the mean of the normals
    /// of the triangles that use the vertex, weighted by their angles there (Thürmer and Wüthrich 1998,
    /// "Computing vertex normals from polygonal facets"), so that it does not depend on how faces are divided
    /// into triangles. Off a closed surface, it tells the side of a point whose closest point is the vertex
    /// (Bærentzen and Aanæs 2005, "Signed distance computation using the angle weighted pseudonormal"; exact
    /// signs are those of `PointQuery::signed_distance`).
    ///
    /// It is [`Vec3::ZERO`] for a vertex that only triangles without area use, or none, whatever its
    /// coordinates are, and where the weighted normals cancel. Vertices of equal position that triangles do not
    /// share have normals of their own, as those of hard edges need.
    ///
    /// The normals are computed in `f64` from [`Triangle::normal`](estoc_core::Triangle::normal) in the order
    /// of the triangles, and rounded once: not exact, but the same bits on every machine. Coordinates of any
    /// size neither overflow nor vanish.
    ///
    /// ```
    /// # use estoc_mesh as estoc;
    /// use estoc::Mesh;
    /// let tent = [[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 2.0]];
    /// let mesh = Mesh::try_new(tent, [[0, 1, 3], [0, 3, 2]])?;
    /// let normals = mesh.vertex_normals();
    /// assert_eq!(normals[0], [0.0, 0.8944272, 0.4472136].into());
    /// # Ok::<(), estoc::MeshError>(())
    /// ```
    #[must_use]
    pub fn vertex_normals(&self) -> Vec<Vec3> {
        let mut sums = vec![DVec3::ZERO; self.positions().len()];
        for (face, triangle) in self.indices().iter().zip(self.triangles()) {
            let Some(normal) = triangle.normal() else {
                continue;
            };
            for (&vertex, angle) in face.iter().zip(triangle.corner_angles()) {
                sums[vertex as usize] += angle * normal.as_dvec3();
            }
        }
        let unit = |sum: &DVec3| sum.normalize_or_zero().as_vec3() + Vec3::ZERO;
        sums.iter().map(unit).collect()
    }
}
