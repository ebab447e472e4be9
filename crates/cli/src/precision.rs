//! `--precision`: whether corners are kept in `f32` or in `f64`.

/// The numbers that the corners of a mesh are kept in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Precision {
    /// f32, unless that makes corners equal that differ, or moves one by more than 1/4096 of the median edge
    #[default]
    Auto,
    /// The nearest f32 to each number of the file
    F32,
    /// The nearest f64
    F64,
}
