//! What estoc uses of rayon, or the same on the calling thread; and values and locks that several threads
//! use, but that no child process waits for after a `fork`.
//!
//! With the feature `rayon`, on by default, the names at the root and in [`prelude`] are rayon's;
//! without it they are those of [`serial`], and nothing depends on rayon. Code that compiles with
//! both behaves the same, if its closures do not depend on the order in which they are called.
//!
//! ```
//! use estoc_parallel::prelude::*;
//! let squares: Vec<u32> = (1..5_u32).into_par_iter().map(|i| i * i).collect();
//! assert_eq!(squares, [1, 4, 9, 16]);
//! ```
#![forbid(unsafe_code)]

mod first_use;
mod process_lock;
pub mod serial;

pub use first_use::FirstUse;
pub use process_lock::ProcessLock;

#[cfg(feature = "rayon")]
pub use rayon::{
    ThreadPoolBuilder, Yield, current_num_threads, in_place_scope_fifo, join, prelude, yield_local,
};
#[cfg(not(feature = "rayon"))]
pub use serial::{
    ThreadPoolBuilder, Yield, current_num_threads, in_place_scope_fifo, join, prelude, yield_local,
};
