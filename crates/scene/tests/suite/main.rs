//! One program, because each test program would compile and link its dependencies again.

mod common;
mod conformance;
mod edits;
mod flattened;
mod mapped_rays;
mod refusals;
mod seam;
mod shapes;
