//! Triangles over shared corners, and parametric surfaces.

use crate::Polygons;
use estoc_core::glam::Vec3;
use estoc_mesh::Mesh;

/// The output of a generator without names and polygons.
#[derive(Default)]
pub(crate) struct TriangleList {
    pub(crate) positions: Vec<Vec3>,
    pub(crate) faces: Vec<[u32; 3]>,
}

impl TriangleList {
    /// Adds the surface `at` over the unit square, divided into `columns * rows` quads of two
    /// triangles each.
    pub(crate) fn surface(&mut self, columns: u32, rows: u32, at: impl Fn(f32, f32) -> Vec3) {
        let first = self.positions.len() as u32;
        for row in 0..=rows {
            for column in 0..=columns {
                let (u, v) = (column as f32 / columns as f32, row as f32 / rows as f32);
                self.positions.push(at(u, v));
            }
        }
        let above = columns + 1;
        for row in 0..rows {
            for column in 0..columns {
                let a = first + row * above + column;
                self.faces.push([a, a + 1, a + above]);
                self.faces.push([a + 1, a + above + 1, a + above]);
            }
        }
    }

    /// Returns the mesh, directly from the arrays: OBJ text would be too slow for large scenes.
    pub(crate) fn into_mesh(self) -> Mesh {
        Mesh::try_new(self.positions, self.faces).expect("generators make valid meshes")
    }

    /// Returns the triangles as faces without names.
    pub(crate) fn into_polygons(self) -> Polygons {
        let mut polygons = Polygons::new();
        for position in self.positions {
            polygons.add_position(position);
        }
        for face in self.faces {
            polygons.add_face(&face);
        }
        polygons
    }
}
