//! Triangles over shared corners, and surfaces given by two parameters.

use crate::Polygons;
use estoc_core::glam::Vec3;
use estoc_mesh::Mesh;

/// What a generator makes that has no names and no faces but triangles.
#[derive(Default)]
pub(crate) struct TriangleList {
    pub(crate) positions: Vec<Vec3>,
    pub(crate) faces: Vec<[u32; 3]>,
}

impl TriangleList {
    /// Adds the surface that `at` gives over the unit square, cut into `columns * rows`
    /// quadrilaterals of two triangles each.
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

    /// The mesh, straight from the arrays: large scenes have no time for OBJ text.
    pub(crate) fn into_mesh(self) -> Mesh {
        Mesh::new(self.positions, self.faces).expect("generators make sound meshes")
    }

    /// The triangles as faces without names.
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
