//! Words on the command line.

use estoc::Quality;

/// How much work goes into a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Level {
    /// Built soonest
    Fast,
    /// The usual choice
    Balanced,
    /// Asked fastest
    Best,
}

impl Level {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Level::Fast => "fast",
            Level::Balanced => "balanced",
            Level::Best => "best",
        }
    }

    pub(super) const fn quality(self) -> Quality {
        match self {
            Level::Fast => Quality::Fast,
            Level::Balanced => Quality::Balanced,
            Level::Best => Quality::Best,
        }
    }
}

/// How rays are handed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Calls {
    /// A call for each ray
    Single,
    /// One call for all rays
    Batch,
}

impl Calls {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Calls::Single => "single",
            Calls::Batch => "batch",
        }
    }
}

/// What was asked for, in this order, nothing twice.
pub(super) fn once<T: Copy + PartialEq>(asked: &[T]) -> Vec<T> {
    let mut once = Vec::new();
    for &one in asked {
        if !once.contains(&one) {
            once.push(one);
        }
    }
    once
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_there_twice() {
        assert_eq!(once(&[2, 1, 2, 2, 3, 1]), [2, 1, 3]);
        assert!(once::<u8>(&[]).is_empty());
    }
}
