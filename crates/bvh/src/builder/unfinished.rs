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

/// Returns an empty vector with memory for exactly `count` items.
pub(super) fn room_for<T>(count: usize) -> Result<Vec<T>, Unfinished> {
    let mut list = Vec::new();
    let reserved = list.try_reserve_exact(count);
    reserved.map_err(|_| Unfinished::NoMemory)?;
    Ok(list)
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
