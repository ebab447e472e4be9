//! Exact numbers that are rounded in the end.

use super::{Ratio, Surd};

/// An exact number of any kind.
pub trait ExactNumber {
    /// Returns the nearest `f32`, ties to even; overflow is infinite, and zero is +0.
    fn nearest_f32(&self) -> f32;

    /// Returns the nearest `f64`, likewise.
    fn nearest_f64(&self) -> f64;
}

impl ExactNumber for Ratio {
    fn nearest_f32(&self) -> f32 {
        self.to_f32()
    }

    fn nearest_f64(&self) -> f64 {
        self.to_f64()
    }
}

impl ExactNumber for Surd {
    fn nearest_f32(&self) -> f32 {
        self.to_f32()
    }

    fn nearest_f64(&self) -> f64 {
        self.to_f64()
    }
}
