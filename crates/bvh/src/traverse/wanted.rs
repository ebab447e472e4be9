//! What a query wants of the hits on a ray, known at compile time of the kernels.

pub(super) use estoc_core::{Any, Closest};

use estoc_core::Want;

/// [`Want`] as a type, that of a question: kernels are compiled once for each.
pub(crate) trait Wanted: Copy {
    /// Whether only the first hit matters, which kernels may then defer until the end.
    const FIRST: bool = false;

    /// Whether only the number of hits matters.
    const NUMBER: bool = false;

    /// Whether any one hit is the whole answer.
    const ANY: bool = false;

    /// Returns whether any one hit is the whole answer.
    #[inline(always)]
    fn ends_at_any(self) -> bool {
        Self::ANY
    }

    /// Returns whether nearer triangles should be offered first, since they lower the limit.
    /// Otherwise the order does not matter, and those most likely to be hit come first.
    #[inline(always)]
    fn nearest_first(self) -> bool {
        false
    }
}

/// The number of hits, up to one if any suffices: one kernel for both.
#[derive(Clone, Copy)]
pub(crate) struct HitCount {
    pub(crate) ends_at_any: bool,
}

/// All hits, or the first `k`.
#[derive(Clone, Copy)]
pub(crate) struct Listed {
    pub(crate) nearest_first: bool,
}

impl Wanted for Closest {
    const FIRST: bool = true;

    #[inline(always)]
    fn nearest_first(self) -> bool {
        true
    }
}

impl Wanted for Any {
    const NUMBER: bool = true;
    const ANY: bool = true;
}

impl Wanted for HitCount {
    const NUMBER: bool = true;

    #[inline(always)]
    fn ends_at_any(self) -> bool {
        self.ends_at_any
    }
}

impl Wanted for Listed {
    #[inline(always)]
    fn nearest_first(self) -> bool {
        self.nearest_first
    }
}

/// Evaluates an expression with the type of what is wanted.
macro_rules! with_wanted {
    ($want:expr, $wanted:ident => $run:expr) => {
        match $want {
            estoc_core::Want::First => {
                let $wanted = estoc_core::Closest;
                $run
            }
            want @ (estoc_core::Want::Any | estoc_core::Want::Count) => {
                let ends_at_any = want == estoc_core::Want::Any;
                let $wanted = $crate::traverse::wanted::HitCount { ends_at_any };
                $run
            }
            want => {
                let $wanted = $crate::traverse::wanted::Listed::of(want);
                $run
            }
        }
    };
}
pub(crate) use with_wanted;

impl Listed {
    pub(crate) fn of(want: Want) -> Self {
        Listed {
            nearest_first: matches!(want, Want::FirstK(_)),
        }
    }
}
