//! Meshes of `f64`s.

use super::arrays::TriangleIndices;
use super::assembled::Assembled;
use super::survey::{duplicates, line_of};
use crate::bad_faces::BadFaces;
use crate::error::MeshError;
use crate::in_pieces::in_pieces;
use crate::mesh::Mesh;
use crate::mesh::positions::Positions;
use crate::mesh::wide_positions::WidePositions;
use crate::report::Findings;
use crate::report::rounding::RoundingLoss;
use estoc_core::glam::DVec3;
use estoc_core::{PrimId, Triangle64};
use estoc_system::{Arena, NoMemory, collected};

impl Mesh {
    /// Returns the mesh of triangles whose corners are `f64`s, which it keeps: answers about it are exact for
    /// these numbers. Takes what [`Mesh::try_new`] does, with positions that convert to a `DVec3`.
    ///
    /// # Errors
    /// As [`Mesh::try_new`].
    ///
    /// ```
    /// # use estoc_mesh as estoc;
    /// use estoc::Mesh;
    /// // Beside each other, though no `f32` lies between them.
    /// let corners = [[5.2e6, 0.0, 0.0], [5.2e6, 1.0, 0.0], [5.2e6 + 0.1, 0.0, 1.0]];
    /// let mesh = Mesh::from_f64(corners, [[0, 1, 2]])?;
    /// assert_eq!(mesh.positions()[2].x, 5.2e6 + 0.1);
    /// # Ok::<(), estoc::MeshError>(())
    /// ```
    pub fn from_f64<P: Into<DVec3>, T: TriangleIndices>(
        positions: impl IntoIterator<Item = P>,
        indices: impl IntoIterator<Item = T>,
    ) -> Result<Mesh<f64>, MeshError> {
        Mesh::from_f64_with_bad_faces(positions, indices, BadFaces::Reject)
    }

    /// Returns the mesh of triangles whose corners are `f64`s, with an option for those that are invalid.
    ///
    /// # Errors
    /// As [`Mesh::with_bad_faces`].
    pub fn from_f64_with_bad_faces<P: Into<DVec3>, T: TriangleIndices>(
        positions: impl IntoIterator<Item = P>,
        indices: impl IntoIterator<Item = T>,
        bad_faces: BadFaces,
    ) -> Result<Mesh<f64>, MeshError> {
        let positions = collected(positions.into_iter().map(P::into))?;
        let positions = Positions::wide(positions)?;
        Mesh::of_triangles(positions, indices, bad_faces)?.into_f64()
    }

    /// Returns the same mesh with corners in `f64`, and so answers in `f64`. Those of a mesh in a
    /// [local frame](crate::MeshLoader::local_frame) become the `f64`s nearest to where they are in the file.
    ///
    /// # Errors
    /// [`MeshError::NoMemory`].
    ///
    /// ```
    /// # use estoc_mesh as estoc;
    /// use estoc::Mesh;
    /// let mesh = Mesh::try_new([[0.1f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0, 1, 2]])?;
    /// assert_eq!(mesh.into_f64()?.positions()[0].x, f64::from(0.1f32));
    /// # Ok::<(), estoc::MeshError>(())
    /// ```
    pub fn into_f64(self) -> Result<Mesh<f64>, MeshError> {
        let mut assembled = Assembled {
            narrow: self,
            wide: None,
        };
        let narrow = &mut assembled.narrow;
        if narrow.origin != DVec3::ZERO {
            let in_file = narrow.positions().iter().map(|&p| narrow.to_world(p));
            let in_file = Positions::wide(collected(in_file)?)?;
            narrow.buffers = narrow.buffers.with_positions(in_file.narrow);
            assembled.wide = in_file.wide;
        }
        assembled.into_f64()
    }

    /// Returns the mesh of these positions with everything else of one in `f32`, whose positions are the same
    /// in the frame. What the report says about areas and duplicates becomes that of these positions.
    pub(super) fn of_narrow(narrow: Mesh, wide: WidePositions) -> Result<Mesh<f64>, NoMemory> {
        let mut mesh = Mesh::<f64> {
            buffers: narrow.buffers,
            wide,
            origin: DVec3::ZERO,
            bounds: [DVec3::INFINITY, DVec3::NEG_INFINITY],
            report: narrow.report,
            faces: narrow.faces,
            face_lines: narrow.face_lines,
            objects: narrow.objects,
            groups: narrow.groups,
            materials: narrow.materials,
            texcoords: narrow.texcoords,
            normals: narrow.normals,
        };
        let (bounds, degenerate) = mesh.bounds_and_degenerate();
        let duplicate = duplicates(&mesh, mesh.positions(), &mesh.face_lines)?;
        // Vertices that no triangle uses have no part in the choice of the frame.
        if let Some((wide, positions)) = mesh.wide.reframed(bounds)? {
            mesh.wide = wide;
            mesh.buffers = mesh.buffers.with_positions(Arena::of(positions));
        }
        mesh.bounds = bounds;
        mesh.report.degenerate = degenerate;
        mesh.report.duplicate = duplicate;
        mesh.report.rounding = RoundingLoss::default();
        Ok(mesh)
    }
}

impl Mesh<f64> {
    /// Returns all vertices of the source. Those that no triangle uses may have any value, including NaN.
    #[inline]
    pub fn positions(&self) -> &[DVec3] {
        self.wide.all()
    }

    /// Returns a triangle, or `None` beyond the last one.
    #[inline]
    pub fn triangle(&self, prim: PrimId) -> Option<Triangle64> {
        let face = self.indices().get(prim.index())?;
        Some(self.triangle_of(face))
    }

    /// Returns all triangles, in order.
    #[inline]
    pub fn triangles(&self) -> impl ExactSizeIterator<Item = Triangle64> + Clone + '_ {
        self.indices().iter().map(|face| self.triangle_of(face))
    }

    /// Returns the box around all triangles, and those without area.
    pub(crate) fn bounds_and_degenerate(&self) -> ([DVec3; 2], Findings) {
        let none = || {
            let nothing = [DVec3::INFINITY, DVec3::NEG_INFINITY];
            (nothing, Findings::default())
        };
        let found = in_pieces(self.indices(), |first, indices| {
            let (mut bounds, mut degenerate) = none();
            for (prim, face) in (first..).zip(indices) {
                let triangle = self.triangle_of(face);
                for corner in triangle.corners() {
                    bounds = [bounds[0].min(corner), bounds[1].max(corner)];
                }
                if triangle.is_degenerate() {
                    degenerate.add(prim as u64, line_of(self, prim, &self.face_lines));
                }
            }
            (bounds, degenerate)
        });
        let (mut bounds, mut degenerate) = none();
        for ([low, high], here) in found {
            bounds = [bounds[0].min(low), bounds[1].max(high)];
            degenerate.append(&here, 0, 0);
        }
        (bounds, degenerate)
    }

    #[inline(always)]
    fn triangle_of(&self, face: &[u32; 3]) -> Triangle64 {
        let [a, b, c] = face.map(|corner| self.positions()[corner as usize]);
        Triangle64::new(a, b, c)
    }
}
