//! Decisions of exact arithmetic at floating-point price.
//!
//! Every quantity a ray query decides with is a polynomial in the `f32`s that were given.
//! It is evaluated in `f64` with a proven error bound; when the bound leaves its sign open,
//! it is evaluated again in exact arithmetic: ray against triangle in integers of fixed width
//! if its numbers fit (`residue.rs`, `grid.rs`), everything else, and what does not fit, in
//! sums of `f64`s (`expansion.rs`). So no epsilon ever decides.
//!
//! - [`PreparedRay`] is a ray made ready to be asked about triangles;
//! - [`Touch`] is a triangle known to be hit, with an interval that holds its exact `t`.

mod area;
mod close_call;
mod corners;
mod eight;
mod expansion;
mod grid;
mod integer;
mod interval;
pub(crate) mod polynomial;
mod products;
mod question;
mod quick;
mod ratio;
mod residue;
mod root;
mod slow;
mod touch;
mod unit;

pub use question::PreparedRay;
pub use touch::Touch;

pub(crate) use area::has_area;
pub(crate) use eight::{EIGHT, Eight, Hits, level};
pub(crate) use expansion::{Expansion, two_product, two_sum};
pub(crate) use interval::{Interval, quotient, round};
pub(crate) use polynomial::{
    Bounded, ExactV3, V3, cross, exact, exact_cross, exact_dot, exact_minus, exact_triple, minus,
    triple, widen,
};
pub(crate) use quick::Verdict;
pub(crate) use ratio::{Ratio, nearest};
pub(crate) use root::{cmp_root, sqrt};
pub(crate) use unit::unit;
