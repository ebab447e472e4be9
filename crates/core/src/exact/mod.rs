//! Exact decisions at nearly the cost of floating point.
//!
//! Every quantity that decides a ray query is a polynomial in the `f32`s given. It is evaluated in
//! `f64` with a proven error bound. When the bound leaves its sign open, it is evaluated again in
//! exact arithmetic: for a ray and a triangle in integers of fixed width if the numbers fit
//! (`residue.rs`, `grid.rs`), otherwise in integers of any length (`arithmetic/dyadic.rs`). So no epsilon
//! ever decides.
//!
//! - [`PreparedRay`] is a ray checked and prepared for tests of triangles;
//! - [`Touch`] is a certified hit of a triangle, with an interval that contains its exact `t`.

mod certify8;
mod close_call;
mod exact_test;
mod f64_lanes;
mod f64_test;
mod grid;
mod prepared_ray;
mod products;
mod quotients;
mod residue;
mod round_certain;
mod round_sixteen;
mod touch;
mod triangle_corners;
mod triangle_hit;

pub use f64_test::Verdict;
pub use prepared_ray::PreparedRay;
#[doc(hidden)]
pub use round_certain::round_certain;
#[doc(hidden)]
pub use round_sixteen::{RoundedHits, round_sixteen};
pub use touch::Touch;

pub(crate) use certify8::{EIGHT, Eight, Hits, level};
pub(crate) use products::Products;
pub(crate) use touch::are_in_same_place;
