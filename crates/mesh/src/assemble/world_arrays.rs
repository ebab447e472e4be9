//! Meshes from arrays of `f64`s, in local frames.

use crate::bad_faces::BadFaces;
use crate::error::{Location, MeshError};
use crate::frame::FileFrame;
use crate::local_frame::LocalFrame;
use crate::mesh::Mesh;
use estoc_core::glam::DVec3;

impl Mesh {
    /// Returns the mesh of corners in world coordinates, relative to an origin: each coordinate is the
    /// nearest `f32` to the exact difference of the number and that of the origin, ties to even.
    ///
    /// It is for coordinates far from 0, such as those of maps, which `f32` would round too much;
    /// [`MeshLoader::local_frame`](crate::MeshLoader::local_frame) does the same for files.
    /// [`LocalFrame::Auto`] looks at the corners of triangles without an index that is out of range or a
    /// corner that is not finite.
    ///
    /// # Errors
    /// As [`Mesh::with_bad_faces`], where a difference beyond `f32` is as a number that is not finite, and
    /// [`MeshError::OriginNotFinite`].
    ///
    /// ```
    /// # mod estoc { pub use {estoc_core::*, estoc_mesh::*}; pub mod io { pub use estoc_mesh::*; } }
    /// use estoc::{Mesh, glam::DVec3, io::{BadFaces, LocalFrame}};
    /// let corners = [[5e6, 0.0, 0.0], [5e6 + 1.125, 0.0, 0.0], [5e6, 1.0, 0.0]].map(DVec3::from_array);
    /// let frame = LocalFrame::At(corners[0]);
    /// let mesh = Mesh::in_local_frame(&corners, &[[0, 1, 2]], frame, BadFaces::Reject)?;
    /// assert_eq!(mesh.positions()[1].x, 1.125);
    /// assert_eq!(mesh.to_world(mesh.positions()[1]), corners[1]);
    /// # Ok::<(), estoc::MeshError>(())
    /// ```
    pub fn in_local_frame(
        positions: &[DVec3],
        indices: &[[u32; 3]],
        frame: LocalFrame,
        bad_faces: BadFaces,
    ) -> Result<Mesh, MeshError> {
        let origin = match frame {
            LocalFrame::At(origin) if !origin.is_finite() => {
                return Err(MeshError::OriginNotFinite {
                    at: Location::default(),
                    origin: Box::new(origin),
                });
            }
            LocalFrame::At(origin) => origin,
            LocalFrame::Auto => LocalFrame::origin_of(bounds_of(positions, indices)),
        };
        let frame = FileFrame::new(origin, false);
        let positions = positions.iter().map(|&point| frame.point(point));
        let mesh = Mesh::with_bad_faces(positions, indices, bad_faces)?;
        let origin = frame.origin();
        Ok(Mesh { origin, ..mesh })
    }
}

/// Returns the corners of the smallest box around the valid triangles.
fn bounds_of(positions: &[DVec3], indices: &[[u32; 3]]) -> [DVec3; 2] {
    let mut bounds = [DVec3::INFINITY, DVec3::NEG_INFINITY];
    for triangle in indices {
        let corners = triangle.map(|index| positions.get(index as usize));
        let [Some(a), Some(b), Some(c)] = corners else {
            continue;
        };
        if a.is_finite() && b.is_finite() && c.is_finite() {
            let [low, high] = bounds;
            bounds = [low.min(a.min(b.min(*c))), high.max(a.max(b.max(*c)))];
        }
    }
    bounds
}
