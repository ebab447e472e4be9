//! Exact decisions about rays and triangles, and a test of boxes that loses no hit.

mod certify8;
mod close_call;
mod exact_line;
mod exact_test;
mod f64_lanes;
mod f64_test;
mod grid;
mod may_hit;
mod prepared_ray;
mod products;
mod quotients;
mod residue;
mod round_certain;
mod round_sixteen;
mod round_wide;
mod round_wide8;
mod touch;
mod triangle_corners;
mod triangle_hit;

pub use f64_test::Verdict;
pub use may_hit::BoxQuestion;
pub use prepared_ray::PreparedRay;
#[doc(hidden)]
pub use round_certain::{BlurredRay, round_blurred, round_blurred_triangle, round_certain};
#[doc(hidden)]
pub use round_sixteen::{RoundedHits, Wide16, round_sixteen, round_sixteen_blurred};
#[doc(hidden)]
pub use round_wide::round_wide;
pub use round_wide8::{EightPairs, RoundedEight, round_wide8};
pub use touch::Touch;

#[cfg(all(test, feature = "repository-tests"))]
pub(in crate::exact) use certify8::tests::levels;
pub(crate) use certify8::{EIGHT, Eight, Hits, level};
pub(crate) use exact_line::{ExactCorners, ExactLine};
pub(crate) use products::Products;
pub(crate) use round_wide::is_usual;
pub(crate) use touch::are_in_same_place;
