//! The common layout of rays and answers.
//!
//! It is no engine's own: each engine converts, and its time includes the conversion.

use crate::number::Number;

/// A ray `origin + t * dir` with `0 <= t <= t_max`; `dir` has length 1, except in
/// [`watertight`](crate::watertight), where it is exact.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
pub(crate) struct Ray<F: Number = f32> {
    pub(crate) origin: [F; 3],
    pub(crate) t_max: F,
    pub(crate) dir: [F; 3],
}

const _: () = assert!(size_of::<Ray>() == 32 && size_of::<Ray<f64>>() == 64);

/// The first hit of a ray.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub(crate) struct Hit<F: Number = f32> {
    /// Infinite for a miss.
    pub(crate) t: F,
    /// `u32::MAX` for a miss.
    pub(crate) prim: u32,
}

impl<F: Number> Hit<F> {
    pub(crate) const MISS: Hit<F> = Hit {
        t: F::INFINITY,
        prim: u32::MAX,
    };

    /// Returns whether anything is hit, by the primitive: `t` may overflow.
    pub(crate) fn is_hit(self) -> bool {
        self.prim != u32::MAX
    }
}
