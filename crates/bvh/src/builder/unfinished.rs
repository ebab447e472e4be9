//! The reasons why a build ends without a tree.

use super::watch::Cancelled;

/// The reason why there is no tree.
#[derive(Clone, Copy, Debug)]
pub enum Unfinished {
    Cancelled,
    NoMemory,
    /// There are more binary nodes than can be numbered.
    TooMany,
    OverBudget {
        needed: usize,
    },
}

impl From<Cancelled> for Unfinished {
    fn from(_: Cancelled) -> Self {
        Unfinished::Cancelled
    }
}
