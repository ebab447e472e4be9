//! Exact decisions at nearly the cost of floating point.
//!
//! Every quantity that decides a query is a polynomial in the `f32`s given. It is evaluated in
//! `f64` with a proven error bound. When the bound leaves its sign open, it is evaluated again in
//! exact arithmetic: for a ray and a triangle in integers of fixed width if the numbers fit
//! (`ray/residue.rs`, `ray/grid.rs`), otherwise in integers of any length (`arithmetic/dyadic/mod.rs`).
//! So no epsilon ever decides.
//!
//! - [`PreparedRay`] is a ray checked and prepared for tests of triangles;
//! - [`Touch`] is a certified hit of a triangle, with an interval that contains its exact `t`.

pub(crate) mod pair;
pub(crate) mod proximity;
pub(crate) mod ray;
pub(crate) mod region;
pub(crate) mod section;
pub(crate) mod sign;
mod sums;
pub(crate) mod sweep;

#[doc(hidden)]
pub use ray::{
    BlurredRay, EightPairs, RoundedEight, RoundedHits, Wide16, round_blurred,
    round_blurred_triangle, round_certain, round_sixteen, round_sixteen_blurred, round_wide,
    round_wide8,
};
pub(crate) use ray::{
    EIGHT, Eight, ExactCorners, ExactLine, Hits, Products, are_in_same_place, is_usual, level,
};
pub use ray::{PreparedRay, Touch, Verdict};
