//! Rounding errors of vectors.

use estoc_core::glam::{DVec3, Vec3};

/// Returns how much further than half a unit in its last place each component is from the exact
/// one.
pub(crate) fn beyond_half_an_ulp(got: Vec3, exact: DVec3) -> DVec3 {
    let half = |x: f32| (f64::from(x.abs().next_up()) - f64::from(x.abs())) / 2.0;
    (got.as_dvec3() - exact).abs() - DVec3::from(got.to_array().map(half))
}
