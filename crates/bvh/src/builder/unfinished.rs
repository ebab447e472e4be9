//! The reasons why a build ends without a tree.

use super::watch::Cancelled;
use estoc_system::NoMemory;

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

impl From<NoMemory> for Unfinished {
    fn from(_: NoMemory) -> Self {
        Unfinished::NoMemory
    }
}

impl From<Cancelled> for Unfinished {
    fn from(_: Cancelled) -> Self {
        Unfinished::Cancelled
    }
}
