//! Decisions of exact arithmetic at floating-point price.
//!
//! Every quantity a ray query decides with is a polynomial in the `f32`s that were given.
//! It is evaluated in `f64` with a proven error bound; when the bound leaves its sign open,
//! it is evaluated again in exact arithmetic: ray against triangle in integers of fixed width
//! if its numbers fit (`residue.rs`, `grid.rs`), everything else, and what does not fit, in
//! sums of `f64`s (`arithmetic/expansion.rs`). So no epsilon ever decides.
//!
//! - [`PreparedRay`] is a ray checked and prepared for tests of triangles;
//! - [`Touch`] is a triangle known to be hit, with an interval that holds its exact `t`.

mod certify8;
mod close_call;
mod exact_test;
mod f64_test;
mod grid;
mod prepared_ray;
mod products;
mod residue;
mod touch;
mod triangle_corners;
mod triangle_hit;

pub use f64_test::Verdict;
pub use prepared_ray::PreparedRay;
pub use touch::Touch;

pub(crate) use certify8::{EIGHT, Eight, Hits, level};
