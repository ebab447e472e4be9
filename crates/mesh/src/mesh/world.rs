//! The origin of a mesh, and points in the coordinates of its file.

use estoc_core::Coordinate;
use estoc_core::glam::{DVec3, Vec3};

use crate::frame::FileFrame;
use crate::mesh::Mesh;

impl<C: Coordinate> Mesh<C> {
    /// Returns the origin of the mesh in the coordinates of its file: 0 unless the mesh was loaded in a
    /// [local frame](crate::MeshLoader::local_frame), which no mesh in `f64` is. Always finite.
    ///
    /// Positions, bounds, rays and answers of queries are relative to it. A corner is at `p + origin`,
    /// a sum that `f64` may have to round.
    #[inline]
    pub fn origin(&self) -> DVec3 {
        self.origin
    }
}

impl Mesh {
    /// Returns a point of the mesh in the coordinates of its file: `point + origin`, with each
    /// coordinate the nearest `f64`.
    ///
    /// ```
    /// # mod estoc { pub use {estoc_core::*, estoc_mesh::*}; pub mod io { pub use estoc_mesh::*; } }
    /// use estoc::{MeshLoader, glam::DVec3, io::LocalFrame};
    /// let text = b"v 500000.125 0 0\nv 500001.25 0 0\nv 500000.125 1 0\nf 1 2 3\n";
    /// let frame = LocalFrame::At(DVec3::new(500_000.0, 0.0, 0.0));
    /// let mesh = MeshLoader::new().local_frame(frame).read(text, "flag.obj")?;
    /// assert_eq!(mesh.positions()[1], [1.25, 0.0, 0.0].into());
    /// let world = mesh.to_world(mesh.positions()[1]);
    /// assert_eq!(world, DVec3::new(500_001.25, 0.0, 0.0));
    /// assert_eq!(mesh.from_world(world), mesh.positions()[1]);
    /// # Ok::<(), estoc::MeshError>(())
    /// ```
    #[inline]
    pub fn to_world(&self, point: impl Into<Vec3>) -> DVec3 {
        point.into().as_dvec3() + self.origin
    }

    /// Returns a point that is given in the coordinates of the file in those of the mesh: `point -
    /// origin`, with each coordinate the nearest `f32` to the exact difference, ties to even.
    ///
    /// The rounding moves the point by up to half a unit in the last place of the result, so a ray or
    /// query from there is exact for the rounded point only.
    pub fn from_world(&self, point: impl Into<DVec3>) -> Vec3 {
        relative_to(self.origin, point.into())
    }
}

/// Returns `point - origin`, with each coordinate the nearest `f32` to the exact difference, as
/// [`Mesh::from_world`] does.
pub fn relative_to(origin: DVec3, point: DVec3) -> Vec3 {
    FileFrame::new(origin, false).point(point)
}
