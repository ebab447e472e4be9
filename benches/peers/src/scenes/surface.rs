//! Surfaces given by two parameters.

use super::Soup;
use estoc::glam::Vec3;

impl Soup {
    /// Adds the surface that `at` gives over the unit square, cut into `columns * rows`
    /// quadrilaterals of two triangles each.
    pub(super) fn surface(&mut self, columns: u32, rows: u32, at: impl Fn(f32, f32) -> Vec3) {
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
}
