//! Boxes that grow.

/// A box that grows; starts empty.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    pub(crate) min: [f32; 3],
    pub(crate) max: [f32; 3],
}

impl Bounds {
    pub(crate) const EMPTY: Bounds = Bounds {
        min: [f32::INFINITY; 3],
        max: [f32::NEG_INFINITY; 3],
    };

    pub(crate) fn add(&mut self, min: &[f32; 3], max: &[f32; 3]) {
        for axis in 0..3 {
            self.min[axis] = self.min[axis].min(min[axis]);
            self.max[axis] = self.max[axis].max(max[axis]);
        }
    }

    /// Half the surface, in `f64` so that nothing overflows; 0 when empty.
    pub(crate) fn half_area(&self) -> f64 {
        let [x, y, z] =
            [0, 1, 2].map(|i| (f64::from(self.max[i]) - f64::from(self.min[i])).max(0.0));
        x * y + y * z + z * x
    }
}
