//! Exact numbers and numbers with bounds, by which all decisions are made.
//!
//! A polynomial in the `f32`s given is evaluated in `f64` as a [`Bounded`]. Where the bound leaves
//! its sign open, it is evaluated again as a [`Dyadic`], an integer times a power of two, which is
//! its exact value. An [`Interval`] and a [`Ratio`] are the same for a quotient. Nothing here depends
//! on rays or shapes.

pub(crate) mod affine;
mod bit_span;
mod decimal;
mod digits;
mod dyadic;
mod error_free;
mod exact_number;
mod inline_map;
mod integer;
mod interval;
mod moderate;
mod near_one;
mod nearest_f64;
mod number;
mod pair;
mod polynomial;
mod range;
mod ratio;
mod root;
mod running_bounds;
mod surd;
mod unit;
pub(crate) mod vector;

pub(crate) use bit_span::BitSpan;
pub use decimal::compare_decimal;
pub(crate) use dyadic::Dyadic;
pub(crate) use error_free::two_product;
pub use error_free::two_sum;
pub(crate) use exact_number::ExactNumber;
pub use inline_map::InlineMap;
pub(crate) use integer::{Integer, order_quotients};
pub(crate) use interval::{Interval, compare, quotient, round, round_root};
pub(crate) use moderate::are_moderate;
pub(crate) use near_one::near_one;
pub(crate) use nearest_f64::far_scaled;
pub(crate) use number::Number;
pub(crate) use number::{Vector, all, cross_product, dot};
pub(crate) use pair::Pair;
#[cfg(test)]
pub(crate) use polynomial::tests::{Numbers, share_of_bound, usual_or_long};
pub(crate) use polynomial::{
    Bounded, ExactV3, V3, cross, exact, exact_cross, exact_dot, exact_minus, exact_triple, triple,
    widen,
};
pub(crate) use range::{Range, power_of_two};
pub(crate) use ratio::{Ratio, nearest};
pub(crate) use root::{cmp_root, sqrt};
pub(crate) use running_bounds::{difference, product, root, sum};
pub(crate) use surd::Surd;
pub(crate) use unit::{exact_unit, over_root, unit};
pub use vector::{larger, smaller};
pub(crate) use vector::{largest, minus};

/// 2^-53: a rounding is off by at most this share of the number.
pub(crate) const V: f64 = f64::EPSILON / 2.0;
