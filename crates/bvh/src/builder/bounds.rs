//! Boxes.

use estoc_core::InlineMap;

/// A box.
#[derive(Clone, Copy, Debug)]
pub struct ReferenceBounds {
    pub min: [f32; 3],
    pub max: [f32; 3],
}

impl ReferenceBounds {
    /// Returns half the surface area, in `f64` so that it does not overflow; 0 if empty.
    pub fn half_area(&self) -> f64 {
        let [x, y, z] =
            [0, 1, 2].inline_map(|i| (f64::from(self.max[i]) - f64::from(self.min[i])).max(0.0));
        x * y + y * z + z * x
    }
}
