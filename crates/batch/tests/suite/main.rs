//! One program: what engines are compiled to is large, and would be compiled for each anew.

mod batch;
mod common;
mod conformance;
mod failures;
mod forms;
mod generators;
mod plans;
mod stream;
