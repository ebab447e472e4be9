//! Casts blocks of rays in several threads.

use super::pump::{Block, Fill, Pump, Sink, Solve, Solved};
use crate::error::BatchError;
use crate::run::pool;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::Duration;

/// The number of blocks in memory: this many per thread, one being cast and one waiting, and some
/// in addition, which wait to be delivered.
const BLOCKS_A_THREAD: usize = 2;
const BLOCKS_BESIDE: usize = 2;

/// A finished block with its number; `None` if casting it panicked.
type Message<K> = Option<(u64, K, Solved)>;

impl Pump<'_> {
    /// Moves blocks until `fill` has no more items or the sink breaks.
    pub(super) fn in_threads<T: Send, A: Default + Send>(
        &self,
        fill: &mut Fill<'_, T>,
        sink: &mut Sink<'_, Block<T, A>>,
        solve: &Solve<'_, Block<T, A>>,
    ) -> Result<(), BatchError> {
        let stop = AtomicBool::new(false);
        match self.threads {
            0 => rayon::in_place_scope(|scope| {
                let workers = Workers {
                    scope,
                    solve,
                    stop: &stop,
                    has_caller: true,
                };
                self.in_parallel(fill, sink, &workers)
            }),
            threads => pool(threads)?.in_place_scope(|scope| {
                let workers = Workers {
                    scope,
                    solve,
                    stop: &stop,
                    has_caller: false,
                };
                self.in_parallel(fill, sink, &workers)
            }),
        }
    }

    fn in_parallel<'scope, T: Send + 'scope, A: Default + Send + 'scope>(
        &self,
        fill: &mut Fill<'_, T>,
        sink: &mut Sink<'_, Block<T, A>>,
        workers: &Workers<'_, 'scope, Block<T, A>>,
    ) -> Result<(), BatchError> {
        let most = BLOCKS_A_THREAD * sink.threads + BLOCKS_BESIDE;
        let (done, results) = mpsc::channel();
        // The next blocks in order: finished blocks wait here for earlier ones.
        let mut waiting: VecDeque<Option<(Block<T, A>, Solved)>> = VecDeque::with_capacity(most);
        let mut free: Vec<Block<T, A>> = Vec::with_capacity(most);
        let (mut delivered, mut has_more) = (0, true);
        // However this function ends, blocks that are no longer needed are not cast.
        let _stop = RaiseInTheEnd(workers.stop);
        loop {
            BatchError::if_cancelled(self.cancel)?;
            let mut message = results.try_recv().ok();
            if message.is_none() {
                if has_more && waiting.len() < most {
                    let mut block = free.pop().unwrap_or_default();
                    has_more = fill(&mut block.items)?;
                    if has_more {
                        let number = delivered + waiting.len() as u64;
                        waiting.push_back(None);
                        workers.cast(number, block, done.clone());
                    }
                } else if waiting.is_empty() {
                    return Ok(());
                } else {
                    message = Some(workers.wait(&results));
                }
            }
            match message {
                None => continue,
                // The scope propagates the panic when this function returns.
                Some(None) => return Err(BatchError::Cancelled),
                Some(Some((number, block, solved))) => {
                    waiting[(number - delivered) as usize] = Some((block, solved));
                }
            }
            while let Some((block, solved)) = waiting.front_mut().and_then(Option::take) {
                // The receiver of the last one may have raised the token.
                BatchError::if_cancelled(self.cancel)?;
                waiting.pop_front();
                delivered += 1;
                if sink.deliver(&block, solved)?.is_break() {
                    return Ok(());
                }
                free.push(block);
            }
        }
    }
}

/// The threads that cast blocks.
struct Workers<'s, 'scope, K> {
    scope: &'s rayon::Scope<'scope>,
    solve: &'scope Solve<'scope, K>,
    stop: &'scope AtomicBool,
    /// Whether the caller's thread may be one of them.
    has_caller: bool,
}

impl<'scope, K: Send + 'scope> Workers<'_, 'scope, K> {
    /// Spawns the casting of a block; `done` receives the message.
    fn cast(&self, number: u64, mut block: K, done: Sender<Message<K>>) {
        let Workers { solve, stop, .. } = *self;
        self.scope.spawn(move |_| {
            if stop.load(Ordering::Relaxed) {
                return;
            }
            let mut teller = Teller {
                done,
                message: None,
            };
            let solved = solve(&mut block);
            teller.message = Some((number, block, solved));
        });
    }

    /// Returns the next message. If the caller's thread is a worker it must not merely sleep, since
    /// it may be the only one.
    fn wait(&self, results: &Receiver<Message<K>>) -> Message<K> {
        const A_WHILE: Duration = Duration::from_millis(1);
        loop {
            let helped = self.has_caller && rayon::yield_now() == Some(rayon::Yield::Executed);
            let message = match helped {
                true => results.try_recv().ok(),
                false => results.recv_timeout(A_WHILE).ok(),
            };
            if let Some(message) = message {
                return message;
            }
        }
    }
}

/// Sends the message that a block is done, or, if dropped during a panic, `None`.
struct Teller<K> {
    done: Sender<Message<K>>,
    message: Message<K>,
}

impl<K> Drop for Teller<K> {
    fn drop(&mut self) {
        // The receiver is gone once the sink has broken off.
        let _ = self.done.send(self.message.take());
    }
}

struct RaiseInTheEnd<'a>(&'a AtomicBool);

impl Drop for RaiseInTheEnd<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
