//! What the tests of this crate share: random numbers, shapes, and a judge that asks brute
//! force and trees of every quality at once.
#![allow(dead_code, unused_imports, reason = "each test file uses its own part")]

mod both;
mod shapes;
pub(crate) mod tree_bytes;

pub(crate) use both::{Answers, Both, Name};
pub(crate) use estoc_testkit::tables::Rng;
pub(crate) use shapes::Shape;
