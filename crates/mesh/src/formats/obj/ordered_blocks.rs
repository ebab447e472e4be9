//! Processes blocks in parallel and takes the results in the order of the text.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError, sync_channel};

use super::text_blocks::{Blocks, Stop};
use estoc_system::parallel::HAS_THREADS;

/// The number of bytes of waiting blocks per thread, unless a single block is larger.
const AHEAD: usize = 2 << 20;

/// Calls `work` with each block and its number in the caller's rayon pool, and `take` with each
/// result and the size of its block, in the order of the text.
///
/// Reading and `take` run in the caller's thread, so neither the reader nor the consumer needs to
/// be thread-safe. Reading is only a few blocks ahead of `take`. `proceed` is called before each
/// block is read or taken, and at the end. The first error of `proceed` or `take` ends the
/// function; an error of the reader is returned after everything before it has been taken.
///
/// Without the feature `rayon`, spawned work is done at once: each block is taken before the next
/// one is read.
pub(super) fn in_order<T: Send, E>(
    mut blocks: Blocks<'_>,
    work: impl Fn(usize, &[u8]) -> T + Sync,
    proceed: impl Fn() -> Result<(), E>,
    mut take: impl FnMut(T, usize) -> Result<(), E>,
) -> Result<Option<Stop>, E> {
    proceed()?;
    let mut next = match blocks.next(Vec::new()) {
        Ok(block) => block,
        Err(stop) => return Ok(Some(stop)),
    };
    // A text of one block needs no threads.
    if blocks.are_over() || !HAS_THREADS {
        for number in 0.. {
            if !next.is_empty() {
                let made = work(number, &next);
                proceed()?;
                take(made, next.len())?;
            }
            proceed()?;
            if blocks.are_over() {
                break;
            }
            next = match blocks.next(next) {
                Ok(block) => block,
                Err(stop) => return Ok(Some(stop)),
            };
        }
        return Ok(None);
    }
    let most = 2 * estoc_system::parallel::current_num_threads() + 1;
    let work = &work;
    let untouched = &AtomicUsize::new(0);
    estoc_system::parallel::in_place_scope_fifo(|scope| {
        let mut ahead = VecDeque::new();
        let mut bytes_ahead = 0;
        let mut spare = Vec::new();
        let mut stop = None;
        for number in 0.. {
            if !next.is_empty() {
                let (sender, result) = sync_channel(1);
                bytes_ahead += next.len();
                ahead.push_back(result);
                untouched.fetch_add(1, Ordering::Relaxed);
                scope.spawn_fifo(move |_| {
                    untouched.fetch_sub(1, Ordering::Relaxed);
                    let made = work(number, &next);
                    // After an error the receiver is gone.
                    let _ = sender.send((made, next));
                });
            }
            loop {
                let may_read = stop.is_none() && !blocks.are_over();
                let has_room = ahead.len() < most && bytes_ahead < most * AHEAD;
                let done = match ahead.front() {
                    None if may_read => break,
                    None => {
                        proceed()?;
                        return Ok(stop);
                    }
                    Some(result) if may_read && has_room => match result.try_recv() {
                        Err(TryRecvError::Empty) => break,
                        done => done.ok(),
                    },
                    Some(result) => wait(result, untouched),
                };
                let Some((made, block)) = done else {
                    // The work panicked; the scope propagates the panic.
                    return Ok(stop);
                };
                ahead.pop_front();
                bytes_ahead -= block.len();
                proceed()?;
                take(made, block.len())?;
                spare.push(block);
            }
            proceed()?;
            next = blocks
                .next(spare.pop().unwrap_or_default())
                .unwrap_or_else(|stopped| {
                    stop = Some(stopped);
                    Vec::new()
                });
        }
        Ok(stop)
    })
}

/// Waits for a result; returns `None` if the work panicked. `untouched` is the number of blocks
/// that no thread has started.
fn wait<T>(result: &Receiver<T>, untouched: &AtomicUsize) -> Option<T> {
    loop {
        match result.try_recv() {
            Err(TryRecvError::Empty) => {}
            done => return done.ok(),
        }
        // A worker of the pool helps, but only with these blocks, which are the last ones in its
        // own queue: other work may be another whole load, which would run on this stack and delay
        // the result. If no such block is left, or this is not a worker of the pool, the result is
        // already being computed by another thread.
        if untouched.load(Ordering::Relaxed) == 0 || !estoc_system::parallel::work_once() {
            return result.recv().ok();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;
    use std::time::Duration;

    const TEXT: &[u8] = b"a\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\nl\nm\nn\no\np\n";

    fn with_threads<T: Send>(threads: usize, run: impl FnOnce() -> T + Send) -> T {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.unwrap().install(run)
    }

    #[test]
    fn what_is_made_comes_in_order_whoever_is_faster() {
        for threads in [1, 2, 3, 7] {
            with_threads(threads, || {
                let mut taken = Vec::new();
                let work = |number: usize, block: &[u8]| {
                    std::thread::sleep(Duration::from_millis([3, 0, 1, 0][number % 4]));
                    (number, block.to_vec())
                };
                let stop = in_order(
                    Blocks::new(&mut { TEXT }, 1, 100),
                    work,
                    || Ok::<(), ()>(()),
                    |made, size| {
                        assert_eq!(made.1.len(), size);
                        taken.push(made);
                        Ok(())
                    },
                );
                assert!(matches!(stop, Ok(None)));
                assert!(taken.iter().map(|made| made.0).eq(0..16));
                assert_eq!(
                    taken
                        .into_iter()
                        .flat_map(|made| made.1)
                        .collect::<Vec<_>>(),
                    TEXT
                );
            });
        }
    }

    #[test]
    fn the_first_error_in_order_ends_all_and_not_much_was_read() {
        for threads in [1, 3] {
            let worked = AtomicUsize::new(0);
            let mut endless = std::io::Read::chain(TEXT, std::io::repeat(b'\n'));
            let result = with_threads(threads, || {
                in_order(
                    Blocks::new(&mut endless, 1, 100),
                    |number, _| {
                        worked.fetch_add(1, Ordering::Relaxed);
                        number
                    },
                    || Ok(()),
                    |number, _| if number < 3 { Ok(()) } else { Err(number) },
                )
            });
            assert_eq!(result.err(), Some(3));
            assert!(worked.into_inner() <= 3 + 2 * threads + 2);
        }
    }

    #[test]
    fn a_stop_waits_for_what_came_before() {
        let text = [TEXT, &[b'x'; 200]].concat();
        for threads in [1, 2] {
            let taken = with_threads(threads, || {
                let mut taken = 0;
                let stop = in_order(
                    Blocks::new(&mut &text[..], 1, 100),
                    |_, _| (),
                    || Ok::<(), ()>(()),
                    |(), size| {
                        taken += size;
                        Ok(())
                    },
                );
                assert!(matches!(stop, Ok(Some(Stop::TooLong))));
                taken
            });
            assert_eq!(taken, TEXT.len());
        }
    }

    #[test]
    fn proceed_is_asked_after_the_last_block_too() {
        for size in [1, 100] {
            let taken = RefCell::new(0);
            let result = in_order(
                Blocks::new(&mut { TEXT }, size, 100),
                |_, _| (),
                || match *taken.borrow() == TEXT.len() {
                    true => Err("enough"),
                    false => Ok(()),
                },
                |(), size| {
                    *taken.borrow_mut() += size;
                    Ok(())
                },
            );
            assert_eq!(result.err(), Some("enough"), "blocks of {size}");
        }
    }

    #[test]
    fn a_panic_comes_through() {
        for threads in [1, 2] {
            let result = std::panic::catch_unwind(|| {
                with_threads(threads, || {
                    let work = |number, _: &[u8]| assert_ne!(number, 5, "as it should");
                    let mut text = TEXT;
                    let blocks = Blocks::new(&mut text, 1, 100);
                    in_order(blocks, work, || Ok::<(), ()>(()), |(), _| Ok(())).is_ok()
                })
            });
            assert!(result.is_err());
        }
    }
}
