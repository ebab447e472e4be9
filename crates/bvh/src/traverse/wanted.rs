//! What is wanted of the hits on a ray, known when kernels are compiled.

use estoc_core::Want;

/// As [`Want`], as a type: kernels are compiled once for each.
pub(crate) trait Wanted: Copy {
    /// Whether only the first hit matters, which kernels may then hold back until the end.
    const FIRST: bool = false;

    /// Whether nothing matters about hits but how many there are.
    const NUMBER: bool = false;

    /// Whether one hit, whichever it is, is the whole answer.
    const ANY: bool = false;

    /// Whether nearer triangles are better shown first, since they lower the limit. Without, any
    /// order is as good, and those are shown first that are most likely to be hit.
    fn nearest_first(self) -> bool;
}

#[derive(Clone, Copy)]
pub(crate) struct First;

#[derive(Clone, Copy)]
pub(crate) struct Any;

#[derive(Clone, Copy)]
pub(crate) struct Number;

/// All hits, or the first `k`.
#[derive(Clone, Copy)]
pub(crate) struct Listed {
    pub(crate) nearest_first: bool,
}

impl Wanted for First {
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

impl Wanted for Number {
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

/// Runs an expression with the type of what is wanted.
macro_rules! with_wanted {
    ($want:expr, $wanted:ident => $run:expr) => {
        match $want {
            estoc_core::Want::First => {
                let $wanted = $crate::traverse::wanted::First;
                $run
            }
            estoc_core::Want::Any => {
                let $wanted = $crate::traverse::wanted::Any;
                $run
            }
            estoc_core::Want::Count => {
                let $wanted = $crate::traverse::wanted::Number;
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
