//! Transforms a mesh by a matrix.

use super::Source;
use super::face_chunk::{FaceChunk, Ground, join};
use crate::affine_transform::{NormalTransform, is_mirrored};
use crate::bad_faces::BadFaces;
use crate::error::{InputLimits, Location, MeshError};
use crate::mesh::Mesh;
use crate::mesh::corner_values::CornerValues;
use crate::mesh::positions::Positions;
use crate::report::Findings;
use estoc_core::CancelToken;
use estoc_core::glam::{DAffine3, Mat4, Vec3};
use estoc_system::{Arena, collected};

impl Mesh {
    /// Returns the mesh transformed by an affine matrix, with the same triangles, names and texture
    /// coordinates.
    ///
    /// Positions are computed in `f64` and rounded once to `f32`. If the matrix mirrors (its
    /// determinant is negative), the second and third corner of each triangle are swapped, so that
    /// its front remains its front. Normals are multiplied by the inverse transpose of the linear
    /// part and scaled to length 1. They are unchanged if the linear part is the identity, and NaN
    /// if it has no inverse and leaves no normal.
    ///
    /// The matrix applies to the positions, which are relative to the [origin](Mesh::origin), and the
    /// origin stays: a rotation turns the mesh about its origin.
    ///
    /// Vertices that are not finite stay so, and the [report](Mesh::report) still distinguishes
    /// those that skipped faces use. A vertex that becomes too large for `f32`, and that no triangle
    /// uses, is reported as one that no face uses.
    ///
    /// # Errors
    /// [`MeshError::NotAffine`] when a number of the matrix is not finite or its last row is not
    /// (0, 0, 0, 1); [`MeshError::NonFiniteVertex`] when a corner of a triangle becomes too large
    /// for `f32`.
    ///
    /// ```
    /// # mod estoc { pub use {estoc_core::*, estoc_mesh::*}; }
    /// use estoc::{Mesh, glam::{Mat4, Vec3}};
    /// let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    /// let mesh = Mesh::try_new(corners, [[0, 1, 2]])?;
    /// let moved = mesh.transformed(&Mat4::from_translation(Vec3::new(0.0, 0.0, 5.0)))?;
    /// assert_eq!(moved.bounds().min(), Vec3::new(0.0, 0.0, 5.0));
    /// # Ok::<(), estoc::MeshError>(())
    /// ```
    pub fn transformed(&self, matrix: &Mat4) -> Result<Mesh, MeshError> {
        if !matrix.is_finite() || matrix.row(3).to_array() != [0.0, 0.0, 0.0, 1.0] {
            let at = Location::default();
            return Err(MeshError::NotAffine {
                at,
                matrix: Box::new(*matrix),
            });
        }
        let transform = DAffine3::from_mat4(matrix.as_dmat4());
        let place = |p: &Vec3| transform.transform_point3(p.as_dvec3()).as_vec3();
        let positions = collected(self.positions().iter().map(place))?;
        let report = self.report.clone();
        let source = Source {
            face_lines: self.face_lines.clone(),
            ..Source::default()
        };
        let is_mirrored = is_mirrored(&transform);
        let order = |[a, b, c]: [u32; 3]| match is_mirrored {
            true => [a, c, b],
            false => [a, b, c],
        };
        let (reject, limits) = (BadFaces::Reject, InputLimits::REAL);
        let ground = Ground::new(
            Positions::narrow(Arena::of(positions)),
            reject,
            limits,
            &source,
        )?;
        let mut chunk = FaceChunk::default();
        chunk.reserve(self.triangle_count())?;
        chunk.mesh(&ground, self, &order, 0)?;
        let mut moved = join(ground, vec![chunk], report, &CancelToken::new())?;
        self.keep_non_finite(&mut moved);
        let mut normals = self.normals.clone();
        if let Some(turn) = NormalTransform::of(&transform) {
            for normal in &mut normals.values {
                *normal = turn.turn(normal.as_dvec3()).as_vec3();
            }
        }
        Ok(Mesh {
            origin: self.origin,
            faces: self.faces.clone(),
            face_lines: self.face_lines.clone(),
            objects: self.objects.clone(),
            groups: self.groups.clone(),
            materials: self.materials.clone(),
            texcoords: reordered(self.texcoords.clone(), order),
            normals: reordered(normals, order),
            ..moved
        })
    }

    /// Reports non-finite vertices of the transformed mesh as in this one, and those that have
    /// become non-finite as unused: a triangle that used one would be an error.
    fn keep_non_finite(&self, moved: &mut Mesh) {
        let mut new = Findings::default();
        let pairs = self.positions().iter().zip(moved.positions());
        for (index, (before, after)) in pairs.enumerate() {
            if before.is_finite() && !after.is_finite() {
                new.add(index as u64, None);
            }
        }
        // Whether a skipped face uses a vertex is known only from the report.
        moved.report.non_finite_used = self.report.non_finite_used.clone();
        moved.report.non_finite_unused = self.report.non_finite_unused.clone();
        moved.report.non_finite_unused.merge(&new);
    }
}

/// Returns the values of corners in another order.
fn reordered<V>(
    mut values: CornerValues<V>,
    order: impl Fn([u32; 3]) -> [u32; 3],
) -> CornerValues<V> {
    for corners in &mut values.indices {
        *corners = order(*corners);
    }
    values
}
