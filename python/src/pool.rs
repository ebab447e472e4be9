//! The threads of this process.
//!
//! Each call has a pool of its own while it runs: calls of several threads of Python then neither wait
//! for each other nor do each other's work. Pools that no call has are kept for later calls.
//!
//! rayon's own pool does not survive a `fork`: the child has the pool's memory but none of its threads,
//! and would wait for them forever. So nothing here uses that pool. The pools that are kept are remembered
//! with the id of the process; a child finds another id than its own, forgets them, and makes new ones.

use crate::failure::Failure;
use crate::fork;
use estoc_system::check_threads;
use estoc_system::parallel::ProcessLock;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::ops::Deref;

/// The pools of one process that no call has, those used last at the end.
struct IdlePools {
    process: u32,
    pools: Vec<ThreadPool>,
}

/// The largest number of pools that are kept.
const MOST_POOLS: usize = 16;

/// The largest number of threads of all pools that are kept, or four times the number of processors if
/// that is more.
const MOST_IDLE_THREADS: usize = 64;

static IDLE: ProcessLock<IdlePools> = ProcessLock::new(IdlePools {
    process: 0,
    pools: Vec::new(),
});

impl IdlePools {
    /// Does something with the pools of this process; nothing where they cannot be used: another thread
    /// had them at a `fork` that Python knows nothing of.
    fn with<T>(work: impl FnOnce(&mut Vec<ThreadPool>) -> T) -> Option<T> {
        fork::apart(|| {
            let mut idle = IDLE.lock()?;
            let process = std::process::id();
            if idle.process != process {
                // Dropping a pool would wake threads that do not exist, by locks that they may have held.
                std::mem::forget(std::mem::take(&mut idle.pools));
                idle.process = process;
            }
            Some(work(&mut idle.pools))
        })
    }
}

/// A pool that a call has until this is dropped, without the interpreter's lock.
pub(crate) struct LentPool {
    /// `None` only when it is dropped.
    pool: Option<ThreadPool>,
    process: u32,
}

/// Returns a pool of this process with `threads` threads, or with one for each processor for 0. Must be
/// called without the interpreter's lock.
pub(crate) fn lend(threads: usize) -> Result<LentPool, Failure> {
    let threads = match threads {
        0 => cpu_count(),
        threads => threads,
    };
    let kept = IdlePools::with(|pools| {
        let place = pools
            .iter()
            .rposition(|pool| pool.current_num_threads() == threads);
        place.map(|place| pools.remove(place))
    });
    let pool = match kept.flatten() {
        Some(pool) => pool,
        None => started(threads)?,
    };
    Ok(LentPool {
        pool: Some(pool),
        process: std::process::id(),
    })
}

impl Deref for LentPool {
    type Target = ThreadPool;

    fn deref(&self) -> &ThreadPool {
        self.pool
            .as_ref()
            .expect("it is there until this is dropped")
    }
}

impl Drop for LentPool {
    /// Gives the pool back, and ends those that are too many.
    fn drop(&mut self) {
        let Some(pool) = self.pool.take() else { return };
        if std::process::id() != self.process {
            std::mem::forget(pool);
            return;
        }
        let most_threads = MOST_IDLE_THREADS.max(4 * cpu_count());
        let ended = IdlePools::with(|pools| {
            pools.push(pool);
            let (mut kept, mut threads) = (0, 0);
            for pool in pools.iter().rev() {
                threads += pool.current_num_threads();
                if kept == MOST_POOLS || threads > most_threads {
                    break;
                }
                kept += 1;
            }
            let many = pools.len() - kept;
            pools.drain(..many).collect::<Vec<_>>()
        });
        // Their threads end by themselves.
        drop(ended);
    }
}

fn started(threads: usize) -> Result<ThreadPool, Failure> {
    let plural = if threads == 1 { "" } else { "s" };
    let refused = |reason: String| {
        Failure::Threads(format!(
            "cannot start {threads} thread{plural}: {reason}; request fewer by threads="
        ))
    };
    check_threads(threads).map_err(refused)?;
    let pool = ThreadPoolBuilder::new()
        .num_threads(threads)
        .thread_name(|number| format!("estoc-{number}"))
        .build();
    pool.map_err(|error| refused(error.to_string()))
}

/// Returns the number of processors that this process may use.
#[pyfunction]
pub(crate) fn cpu_count() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
