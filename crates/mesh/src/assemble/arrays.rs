//! The input of meshes made in memory: positions and indices, owned or borrowed.

use super::assembled::Assembled;
use super::face_chunk::{FaceChunk, Ground, join_with_wide};
use crate::bad_faces::BadFaces;
use crate::error::{InputLimits, Location, MeshError};
use crate::mesh::Mesh;
use crate::mesh::positions::Positions;
use crate::report::MeshReport;
use estoc_core::CancelToken;
use estoc_core::glam::{Vec3, Vec3A};
use estoc_system::{Arena, collected};

/// The position of a vertex: `[f32; 3]`, [`Vec3`], [`Vec3A`] or three numbers in a tuple, or a
/// reference to one of them.
pub trait VertexPosition: sealed::Sealed {
    #[doc(hidden)]
    fn position(self) -> Vec3;
}

/// The indices of a triangle's vertices: `[u32; 3]` or three numbers in a tuple, or a
/// reference to one of them.
pub trait TriangleIndices: sealed::Sealed {
    #[doc(hidden)]
    fn indices(self) -> [u32; 3];
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! inputs {
    ($($t:ty: $trait:ident::$method:ident -> $out:ty;)*) => {$(
        impl sealed::Sealed for $t {}

        impl $trait for $t {
            #[inline]
            fn $method(self) -> $out {
                self.into()
            }
        }

        impl sealed::Sealed for &$t {}

        impl $trait for &$t {
            #[inline]
            fn $method(self) -> $out {
                (*self).into()
            }
        }
    )*};
}

inputs! {
    [f32; 3]: VertexPosition::position -> Vec3;
    (f32, f32, f32): VertexPosition::position -> Vec3;
    Vec3: VertexPosition::position -> Vec3;
    Vec3A: VertexPosition::position -> Vec3;
    [u32; 3]: TriangleIndices::indices -> [u32; 3];
    (u32, u32, u32): TriangleIndices::indices -> [u32; 3];
}

/// Triangles that are taken from an iterator at a time.
const AT_A_TIME: usize = 512;

impl Mesh {
    /// Returns the mesh of these triangles; indices are zero-based. Takes arrays, vectors, slices
    /// and iterators.
    ///
    /// # Errors
    /// [`MeshError`] when an index is out of range, a triangle uses a vertex that is not finite, or
    /// there are more than `u32` can count. [`Mesh::with_bad_faces`] can skip such triangles.
    ///
    /// ```
    /// # use estoc_mesh as estoc;
    /// use estoc::Mesh;
    /// let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    /// let faces = vec![[0, 1, 2]];
    /// let mesh = Mesh::try_new(&corners, &faces)?;
    /// assert_eq!(mesh.triangle_count(), 1);
    /// let error = Mesh::try_new(corners, [[0, 1, 2], [0, 1, 3]]).unwrap_err();
    /// assert!(error.to_string().starts_with("face 1: vertex index 3 is out of range"));
    /// # Ok::<(), estoc::MeshError>(())
    /// ```
    pub fn try_new<P: VertexPosition, T: TriangleIndices>(
        positions: impl IntoIterator<Item = P>,
        indices: impl IntoIterator<Item = T>,
    ) -> Result<Mesh, MeshError> {
        Mesh::with_bad_faces(positions, indices, BadFaces::Reject)
    }

    /// Returns the mesh of these triangles, with an option for those that are invalid.
    ///
    /// Triangles that are skipped have no [`PrimId`](estoc_core::PrimId); [`Mesh::face_of`] returns
    /// the index that a triangle had in `indices`.
    ///
    /// # Errors
    /// As [`Mesh::try_new`] with [`BadFaces::Reject`]; with [`BadFaces::Skip`] only when there are too
    /// many vertices or triangles.
    pub fn with_bad_faces<P: VertexPosition, T: TriangleIndices>(
        positions: impl IntoIterator<Item = P>,
        indices: impl IntoIterator<Item = T>,
        bad_faces: BadFaces,
    ) -> Result<Mesh, MeshError> {
        let positions = collected(positions.into_iter().map(P::position))?;
        let positions = Positions::narrow(Arena::of(positions));
        Ok(Mesh::of_triangles(positions, indices, bad_faces)?.narrow)
    }

    /// Returns the mesh of these triangles, as [`with_bad_faces`](Mesh::with_bad_faces) does.
    pub(super) fn of_triangles<T: TriangleIndices>(
        positions: Positions,
        indices: impl IntoIterator<Item = T>,
        bad_faces: BadFaces,
    ) -> Result<Assembled, MeshError> {
        let mut indices = indices.into_iter().map(T::indices);
        let least = indices.size_hint().0;
        let next = &mut |some: &mut Vec<[u32; 3]>| {
            some.clear();
            some.extend(indices.by_ref().take(AT_A_TIME));
        };
        Mesh::of_batches(positions, least, next, bad_faces)
    }

    /// Returns the mesh of triangles, of which there are about `least` or more. `next` replaces those in
    /// the vector by the next ones: [`AT_A_TIME`], or fewer at the end. Apart, so that it is not compiled
    /// anew for each type of iterator.
    fn of_batches(
        positions: Positions,
        least: usize,
        next: &mut dyn FnMut(&mut Vec<[u32; 3]>),
        bad_faces: BadFaces,
    ) -> Result<Assembled, MeshError> {
        let source = super::Source::default();
        let limits = InputLimits::REAL;
        let ground = Ground::new(positions, bad_faces, limits, &source)?;
        let (mut chunk, mut faces) = (FaceChunk::default(), 0);
        // The hint may be wrong; a capacity of up to a million costs nothing.
        chunk.reserve(least.min(1 << 20))?;
        let mut some = Vec::new();
        loop {
            next(&mut some);
            chunk.triangles_from(&ground, &some, faces)?;
            faces += some.len() as u64;
            if some.len() < AT_A_TIME {
                break;
            }
        }
        let report = MeshReport {
            faces,
            ..MeshReport::default()
        };
        join_with_wide(ground, vec![chunk], report, &CancelToken::new())
    }

    /// Returns the mesh of flat buffers, as used by graphics APIs: three numbers per vertex, three
    /// indices per triangle.
    ///
    /// # Errors
    /// As [`Mesh::try_new`], and [`MeshError::NotTriples`] when a length is not a multiple of 3.
    ///
    /// ```
    /// # use estoc_mesh as estoc;
    /// use estoc::Mesh;
    /// let mesh = Mesh::from_flat(&[0., 0., 0., 1., 0., 0., 0., 1., 0.], &[0, 1, 2])?;
    /// assert_eq!(mesh.triangle_count(), 1);
    /// assert!(Mesh::from_flat(&[0.0; 10], &[0, 1, 2]).is_err());
    /// # Ok::<(), estoc::MeshError>(())
    /// ```
    pub fn from_flat(positions: &[f32], indices: &[u32]) -> Result<Mesh, MeshError> {
        let not_triples = |what, length| {
            let at = Location::default();
            Err(MeshError::NotTriples { at, what, length })
        };
        match (positions.as_chunks::<3>(), indices.as_chunks::<3>()) {
            ((positions, []), (triangles, [])) => Mesh::try_new(positions, triangles),
            ((_, [_, ..]), _) => not_triples("positions", positions.len()),
            _ => not_triples("indices", indices.len()),
        }
    }
}
