//! What a query wants of the hits on a ray, known at compile time of the kernels.

pub(super) use estoc_core::{Any, Closest, Count};

use estoc_core::Want;

/// [`Want`] as a type, that of a question: kernels are compiled once for each.
pub(crate) trait Wanted: Copy {
    /// Whether only the first hit matters, which kernels may then defer until the end.
    const FIRST: bool = false;

    /// Whether only the number of hits matters.
    const NUMBER: bool = false;

    /// Whether any one hit is the whole answer.
    const ANY: bool = false;

    /// Returns whether nearer triangles should be offered first, since they lower the limit.
    /// Otherwise the order does not matter, and those most likely to be hit come first.
    fn nearest_first(self) -> bool;
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

    #[inline(always)]
    fn nearest_first(self) -> bool {
        false
    }
}

impl Wanted for Count {
    const NUMBER: bool = true;

    #[inline(always)]
    fn nearest_first(self) -> bool {
        false
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
            estoc_core::Want::Any => {
                let $wanted = estoc_core::Any;
                $run
            }
            estoc_core::Want::Count => {
                let $wanted = estoc_core::Count;
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
