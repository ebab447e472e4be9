//! The threads of this process.
//!
//! rayon's own pool does not survive a `fork`: the child has the pool's memory but none of its threads,
//! and would wait for them forever. So nothing here uses that pool. The pools of a process are made when
//! first asked for and remembered with the id of the process; a child finds another id than its own,
//! forgets them, and makes new ones.

use crate::failure::Failure;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::{Arc, Mutex, TryLockError};

/// The pools of one process, by their numbers of threads, those used last at the end.
struct Pools {
    process: u32,
    pools: Vec<Arc<ThreadPool>>,
}

/// The largest number of pools that a process keeps.
const MOST_POOLS: usize = 4;

/// The largest number of threads of a pool.
const MOST_THREADS: usize = 4096;

static POOLS: Mutex<Pools> = Mutex::new(Pools {
    process: 0,
    pools: Vec::new(),
});

/// Returns a pool of this process with `threads` threads, or with one for each processor for 0.
///
/// Never waits for a lock: in a child, the thread that held it at the `fork` does not exist. Who does
/// not get it makes a pool for a single call.
pub(crate) fn pool(threads: usize) -> Result<Arc<ThreadPool>, Failure> {
    let threads = match threads {
        0 => cpu_count(),
        threads => threads,
    };
    let mut known = match POOLS.try_lock() {
        Ok(known) => known,
        Err(TryLockError::Poisoned(known)) => known.into_inner(),
        Err(TryLockError::WouldBlock) => return started(threads),
    };
    let process = std::process::id();
    if known.process != process {
        // Dropping a pool would wake threads that do not exist, by locks that they may have held.
        std::mem::forget(std::mem::take(&mut known.pools));
        known.process = process;
    }
    let place = (known.pools.iter()).position(|pool| pool.current_num_threads() == threads);
    let pool = match place {
        Some(place) => known.pools.remove(place),
        None => started(threads)?,
    };
    if known.pools.len() == MOST_POOLS {
        known.pools.remove(0);
    }
    known.pools.push(pool.clone());
    Ok(pool)
}

fn started(threads: usize) -> Result<Arc<ThreadPool>, Failure> {
    let plural = if threads == 1 { "" } else { "s" };
    let refused = |reason: String| {
        Failure::Threads(format!(
            "cannot start {threads} thread{plural}: {reason}; request fewer by threads="
        ))
    };
    if threads > MOST_THREADS {
        return Err(refused(format!("at most {MOST_THREADS} are supported")));
    }
    let pool = ThreadPoolBuilder::new()
        .num_threads(threads)
        .thread_name(|number| format!("estoc-{number}"))
        .build();
    pool.map(Arc::new)
        .map_err(|error| refused(error.to_string()))
}

/// Returns the number of processors that this process may use.
#[pyfunction]
pub(crate) fn cpu_count() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
