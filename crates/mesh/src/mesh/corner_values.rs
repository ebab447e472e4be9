//! Texture coordinates and normals at the corners of triangles.

use estoc_core::glam::{Vec2, Vec3};
use estoc_core::{Coordinate, PrimId};

use crate::mesh::Mesh;

/// Values of one kind, and their indices for the corners of triangles.
#[derive(Clone, Debug, Default)]
pub(crate) struct CornerValues<V> {
    pub(crate) values: Vec<V>,
    /// The indices of each triangle; [`Mesh::NO_VALUE`] for a corner without a value, and empty if
    /// no corner has one.
    pub(crate) indices: Vec<[u32; 3]>,
}

impl<V: Copy> CornerValues<V> {
    /// Returns the values of a triangle if each corner has one that is `usable`.
    fn get(&self, prim: PrimId, usable: impl Fn(V) -> bool) -> Option<[V; 3]> {
        let &[a, b, c] = self.indices.get(prim.index())?;
        let value = |index: u32| {
            let value = *self.values.get(index as usize)?;
            usable(value).then_some(value)
        };
        Some([value(a)?, value(b)?, value(c)?])
    }
}

impl Mesh {
    /// The value in [`Mesh::texcoord_indices`] and [`Mesh::normal_indices`] for a corner without a
    /// value.
    pub const NO_VALUE: u32 = u32::MAX;
}

impl<C: Coordinate> Mesh<C> {
    /// Returns all texture coordinates of the source (`vt`), used or not. Those that could not be
    /// parsed are NaN.
    pub fn texcoords(&self) -> &[Vec2] {
        &self.texcoords.values
    }

    /// Returns all normals of the source (`vn`), used or not, as given: not scaled to length 1.
    /// Those that could not be parsed are NaN.
    pub fn normals(&self) -> &[Vec3] {
        &self.normals.values
    }

    /// Returns the texture coordinates of each triangle's corners, as indices into
    /// [`Mesh::texcoords`] or [`Mesh::NO_VALUE`]. Empty if no corner has any.
    pub fn texcoord_indices(&self) -> &[[u32; 3]] {
        &self.texcoords.indices
    }

    /// Returns the normals of each triangle's corners, as indices into [`Mesh::normals`] or
    /// [`Mesh::NO_VALUE`]. Empty if no corner has any.
    pub fn normal_indices(&self) -> &[[u32; 3]] {
        &self.normals.indices
    }

    /// Returns the texture coordinates at the corners of a triangle. Returns `None` if a corner has
    /// none that is finite, and beyond the last triangle.
    pub fn corner_texcoords(&self, prim: PrimId) -> Option<[Vec2; 3]> {
        self.texcoords.get(prim, Vec2::is_finite)
    }

    /// Returns the normals at the corners of a triangle, as given: not scaled to length 1. Returns
    /// `None` if a corner has none that is finite, and beyond the last triangle.
    ///
    /// ```
    /// # mod estoc { pub use {estoc_core::*, estoc_mesh::*}; pub mod io { pub use estoc_mesh::*; } }
    /// use estoc::{PrimId, io::ObjLoader};
    /// let text = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nvn 0 0 2\nf 1//1 2//1 3//1\nf 1 2 3//1\n";
    /// let mesh = ObjLoader::new().read(text, "flag.obj")?;
    /// let normals = |prim| mesh.corner_normals(PrimId::new(prim).unwrap());
    /// assert_eq!(normals(0), Some([[0.0, 0.0, 2.0].into(); 3]));
    /// assert_eq!(normals(1), None); // two corners have none
    /// # Ok::<(), estoc::MeshError>(())
    /// ```
    pub fn corner_normals(&self, prim: PrimId) -> Option<[Vec3; 3]> {
        self.normals.get(prim, Vec3::is_finite)
    }
}
