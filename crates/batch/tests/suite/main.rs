//! One program, because engines compile to much code, which each test program would repeat.

mod batch;
mod common;
mod conformance;
mod doubles;
mod failing_engine;
mod failures;
mod forms;
mod generators;
mod many_questions;
mod near;
mod near_rows;
mod pairs;
mod plans;
mod regions;
mod scanlines;
mod sections;
mod signs;
mod sizes_and_orders;
mod stream;
mod sweeps;
