//! What estoc uses of rayon, or the same on the calling thread; and values and locks that several threads
//! use, but that no child process waits for after a `fork`.
//!
//! With the feature `rayon`, on by default, the names here and in [`prelude`] are rayon's;
//! without it they are those of [`serial`], and nothing depends on rayon. Code that compiles with
//! both behaves the same, if its closures do not depend on the order in which they are called.
//!
//! ```
//! use estoc_system::parallel::prelude::*;
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
    ThreadPool, current_num_threads, current_thread_index, in_place_scope_fifo, join, prelude,
};
#[cfg(not(feature = "rayon"))]
pub use serial::{
    ThreadPool, current_num_threads, current_thread_index, in_place_scope_fifo, join, prelude,
};

/// Whether there may be more threads than the calling one.
pub const HAS_THREADS: bool = cfg!(feature = "rayon");

/// Calls `work` on one of `threads` threads that are started for it, or on the calling thread without rayon.
///
/// # Errors
/// The reason why threads cannot be started.
pub fn in_new_pool<R: Send>(threads: usize, work: impl FnOnce() -> R + Send) -> Result<R, String> {
    Ok(new_pool(threads)?.install(work))
}

/// Starts `threads` threads, or none without rayon, where the calling thread does the work of the pool.
///
/// # Errors
/// The reason why threads cannot be started.
#[cfg_attr(not(feature = "rayon"), expect(unused_variables))]
pub fn new_pool(threads: usize) -> Result<ThreadPool, String> {
    #[cfg(feature = "rayon")]
    return rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .thread_name(|number| format!("estoc {number}"))
        .build()
        .map_err(|error| error.to_string());
    #[cfg(not(feature = "rayon"))]
    Ok(ThreadPool(()))
}

/// Starts the threads that all work shares which is in no pool, unless they are running, or none without rayon.
///
/// # Errors
/// The reason why they cannot be started.
pub fn start() -> Result<(), String> {
    #[cfg(feature = "rayon")]
    return match rayon::ThreadPoolBuilder::new()
        .thread_name(|number| format!("estoc {number}"))
        .build_global()
    {
        // Without a source it tells that they are running.
        Err(error) if std::error::Error::source(&error).is_some() => Err(error.to_string()),
        _ => Ok(()),
    };
    #[cfg(not(feature = "rayon"))]
    Ok(())
}

/// Does the work that this thread has spawned last, if it is a worker and another has not begun it; returns
/// whether there was any.
pub fn work_once() -> bool {
    #[cfg(feature = "rayon")]
    return rayon::yield_local() == Some(rayon::Yield::Executed);
    #[cfg(not(feature = "rayon"))]
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pools_have_as_many_threads_as_asked() {
        let threads = if cfg!(feature = "rayon") { 3 } else { 1 };
        assert_eq!(in_new_pool(3, current_num_threads), Ok(threads));
    }

    #[test]
    fn outside_of_pools_there_is_no_work() {
        assert!(!work_once());
    }
}
