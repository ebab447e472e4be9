//! Why a build comes to no end.

use super::watch::Cancelled;

/// Why there is no tree.
#[derive(Clone, Copy, Debug)]
pub enum Unfinished {
    Cancelled,
    NoMemory,
    /// More binary nodes than can be told apart.
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
