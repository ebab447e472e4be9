//! What estoc uses of rayon, on the calling thread.
//!
//! Names and arguments are rayon's; closures need not be `Send` or `Sync`. The feature `rayon`
//! does not affect this module: it is always compiled, so that tests can compare it with rayon.

mod iterator;
mod pool;
mod slice;

pub use iterator::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator, Serial};
pub use pool::{
    ScopeFifo, ThreadPool, ThreadPoolBuilder, Yield, current_num_threads, in_place_scope_fifo,
    join, yield_local,
};
pub use slice::{ParallelSlice, ParallelSliceMut};

/// The traits, for `use estoc_parallel::serial::prelude::*`.
pub mod prelude {
    pub use super::{
        IndexedParallelIterator, IntoParallelIterator, ParallelIterator, ParallelSlice,
        ParallelSliceMut,
    };
}

#[cfg(test)]
mod tests;
