//! Limits of the input.

use estoc_core::PrimId;

/// Limits of the input. A parameter, so that tests need no mesh of four billion triangles.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InputLimits {
    pub(crate) vertices: u64,
    pub(crate) triangles: u64,
    /// The largest length of a statement in bytes, including its line ends.
    pub(crate) statement: u64,
}

impl InputLimits {
    /// What `u32` indices and [`PrimId`] can address; for a statement, more than any polygon needs
    /// and little compared with a machine's memory.
    pub(crate) const REAL: InputLimits = InputLimits {
        vertices: u32::MAX as u64,
        triangles: PrimId::MAX.get() as u64 + 1,
        statement: 1 << 28,
    };
}
