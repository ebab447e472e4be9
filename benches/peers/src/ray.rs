//! The common layout of rays and answers.
//!
//! It is no engine's own: each engine converts, and its time includes the conversion.

/// A ray `origin + t * dir` with `0 <= t <= t_max`; `dir` has length 1, except in
/// [`watertight`](crate::watertight), where it is exact.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
pub(crate) struct Ray {
    pub(crate) origin: [f32; 3],
    pub(crate) t_max: f32,
    pub(crate) dir: [f32; 3],
}

const _: () = assert!(size_of::<Ray>() == 32);

/// The first hit of a ray.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub(crate) struct Hit {
    /// Infinite for a miss.
    pub(crate) t: f32,
    /// `u32::MAX` for a miss.
    pub(crate) prim: u32,
}

impl Hit {
    pub(crate) const MISS: Hit = Hit {
        t: f32::INFINITY,
        prim: u32::MAX,
    };

    /// Returns whether anything is hit, by the primitive: `t` may overflow.
    pub(crate) fn is_hit(self) -> bool {
        self.prim != u32::MAX
    }
}
