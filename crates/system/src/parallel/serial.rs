//! What estoc uses of rayon, on the calling thread.
//!
//! Names and arguments are rayon's; closures need not be `Send` or `Sync`. A parallel iterator is a
//! plain [`Iterator`], whose methods do what rayon's of the same name do. The feature `rayon` does not
//! affect this module: it is always compiled, so that tests can compare it with rayon.

use std::cmp::Ordering;
use std::slice::{Chunks, ChunksMut, Iter, IterMut};

/// The traits, for `use estoc_system::parallel::serial::prelude::*`.
pub mod prelude {
    pub use super::ParallelIterator as IndexedParallelIterator;
    pub use super::{IntoParallelIterator, ParallelIterator, ParallelSlice};
}

/// Conversion into a parallel iterator, for everything that can be iterated.
pub trait IntoParallelIterator: IntoIterator + Sized {
    /// Iterates over the items.
    fn into_par_iter(self) -> Self::IntoIter {
        self.into_iter()
    }
}

impl<I: IntoIterator> IntoParallelIterator for I {}

/// The methods of rayon's parallel iterators that estoc uses and [`Iterator`] lacks.
pub trait ParallelIterator: Iterator + Sized {
    /// Yields what `f` returns for each item, with one value of `init` that all calls share.
    fn map_init<T, R>(
        self,
        init: impl Fn() -> T,
        f: impl Fn(&mut T, Self::Item) -> R,
    ) -> impl Iterator<Item = R> {
        let mut state = init();
        self.map(move |item| f(&mut state, item))
    }

    /// Returns the first of the values that `f` returns.
    fn find_map_first<R>(mut self, f: impl Fn(Self::Item) -> Option<R>) -> Option<R> {
        self.find_map(f)
    }

    /// Combines all items; `None` if there are none.
    fn reduce_with(self, op: impl Fn(Self::Item, Self::Item) -> Self::Item) -> Option<Self::Item> {
        self.reduce(op)
    }

    /// Combines the values of all items until an item or `op` fails; `None` if there are none.
    fn try_reduce_with<T, E>(mut self, op: impl Fn(T, T) -> Result<T, E>) -> Option<Result<T, E>>
    where
        Self: Iterator<Item = Result<T, E>>,
    {
        let first = self.next()?;
        Some(first.and_then(|first| self.try_fold(first, |whole, item| op(whole, item?))))
    }

    /// Returns the same iterator: how many items a thread takes at least is for rayon.
    fn with_min_len(self, _: usize) -> Self {
        self
    }

    /// Returns the same iterator: how many items a thread takes at most is for rayon.
    fn with_max_len(self, _: usize) -> Self {
        self
    }

    /// Replaces the contents of two vectors by the parts of the items.
    fn unzip_into_vecs<A, B>(self, left: &mut Vec<A>, right: &mut Vec<B>)
    where
        Self: Iterator<Item = (A, B)>,
    {
        (*left, *right) = self.unzip();
    }

    /// Replaces the contents of `to` by the items.
    fn collect_into_vec(self, to: &mut Vec<Self::Item>) {
        to.clear();
        to.extend(self);
    }
}

impl<I: Iterator> ParallelIterator for I {}

/// The methods that rayon has for slices, as far as estoc uses them.
pub trait ParallelSlice<T>: AsRef<[T]> + AsMut<[T]> {
    /// Iterates over the items.
    fn par_iter(&self) -> Iter<'_, T> {
        self.as_ref().iter()
    }

    /// Iterates over the items.
    fn par_iter_mut(&mut self) -> IterMut<'_, T> {
        self.as_mut().iter_mut()
    }

    /// Iterates over chunks of `size` items; the last one may be shorter.
    fn par_chunks(&self, size: usize) -> Chunks<'_, T> {
        self.as_ref().chunks(size)
    }

    /// Iterates over chunks of `size` items; the last one may be shorter.
    fn par_chunks_mut(&mut self, size: usize) -> ChunksMut<'_, T> {
        self.as_mut().chunks_mut(size)
    }

    /// Sorts the slice; equal items may change places.
    fn par_sort_unstable(&mut self)
    where
        T: Ord,
    {
        self.as_mut().sort_unstable();
    }

    /// Sorts the slice by `compare`; equal items may change places.
    fn par_sort_unstable_by(&mut self, compare: impl Fn(&T, &T) -> Ordering) {
        self.as_mut().sort_unstable_by(compare);
    }
}

impl<T> ParallelSlice<T> for [T] {}

/// Returns 1.
pub fn current_num_threads() -> usize {
    1
}

/// Returns `None`: the calling thread is in no pool.
pub fn current_thread_index() -> Option<usize> {
    None
}

/// A pool whose work the calling thread does.
#[derive(Debug)]
pub struct ThreadPool(pub(super) ());

impl ThreadPool {
    /// Calls `work`.
    pub fn install<R>(&self, work: impl FnOnce() -> R) -> R {
        work()
    }

    /// Returns 1.
    pub fn current_num_threads(&self) -> usize {
        1
    }
}

/// Calls `a`, then `b`.
pub fn join<A, B>(a: impl FnOnce() -> A, b: impl FnOnce() -> B) -> (A, B) {
    let a = a();
    (a, b())
}

/// Calls `op` with a scope in which work can be spawned.
pub fn in_place_scope_fifo<R>(op: impl FnOnce(&ScopeFifo) -> R) -> R {
    op(&ScopeFifo(()))
}

/// A scope whose work is done where it is spawned.
#[derive(Debug)]
pub struct ScopeFifo(());

impl ScopeFifo {
    /// Calls `body` at once.
    pub fn spawn_fifo(&self, body: impl FnOnce(&ScopeFifo)) {
        body(self);
    }
}

#[cfg(test)]
mod tests {
    //! Compares with rayon: the same expression, with the names of this module and of rayon.

    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

    /// Returns numbers below 2^13 in no order, some of them equal.
    fn numbers() -> Vec<u64> {
        let hash = |i: u64| i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 51;
        (0..10_000).map(hash).collect()
    }

    /// Makes a test that the expression has the same value with both.
    macro_rules! same {
        ($name:ident, $value:expr) => {
            #[test]
            fn $name() {
                let serial = {
                    #[allow(unused_imports, reason = "not all need both")]
                    use super::{prelude::*, *};
                    $value
                };
                let parallel = {
                    #[allow(unused_imports, reason = "not all need both")]
                    use rayon::{prelude::*, *};
                    $value
                };
                assert_eq!(serial, parallel);
            }
        };
    }

    same!(items_of_slices_come_in_order, {
        let mut numbers = numbers();
        numbers.par_iter_mut().for_each(|number| *number += 1);
        let halves: Vec<u64> = numbers.par_iter().map(|number| number / 2).collect();
        (numbers, halves)
    });

    same!(vectors_and_ranges_are_consumed, {
        let texts = numbers().into_par_iter().map(|number| number.to_string());
        let squares = (3..1000_u32).into_par_iter().map(|i| i * i);
        (texts.collect::<Vec<_>>(), squares.collect::<Vec<_>>())
    });

    same!(chunks_are_cut_at_the_same_places, {
        let mut numbers = numbers();
        let mut found = Vec::new();
        for size in [1, 7, 9_999, 10_000, 10_001] {
            let chunks = numbers.par_chunks_mut(size).enumerate();
            chunks.for_each(|(i, chunk)| chunk[0] ^= i as u64);
            let sums = numbers.par_chunks(size).map(|chunk| chunk.iter().sum());
            found.push(sums.collect::<Vec<u64>>());
        }
        let none: &[u64] = &[];
        found.push(none.par_chunks(5).map(|chunk| chunk[0]).collect());
        (numbers, found)
    });

    same!(pairs_are_taken_apart, {
        let (mut halves, mut texts) = (vec![7], vec![String::new()]);
        let numbers = numbers();
        (numbers.par_iter().with_min_len(10).with_max_len(20))
            .map(|number| (number / 2, number.to_string()))
            .unzip_into_vecs(&mut halves, &mut texts);
        (halves, texts)
    });

    same!(pairs_end_with_the_shorter, {
        let numbers = numbers();
        let mut few = vec![0; 70];
        let chunks = numbers.par_chunks(100).zip(few.par_chunks_mut(1));
        chunks.for_each(|(chunk, place)| place[0] = chunk[3]);
        let pairs = numbers.par_iter().zip(&mut few).map(|(a, b)| (*a, *b));
        let pairs: Vec<_> = pairs.collect();
        (few, pairs)
    });

    same!(filters_keep_the_order, {
        let odd = numbers().into_par_iter().filter(|number| number % 2 == 1);
        odd.collect::<Vec<_>>()
    });

    same!(states_are_used_again, {
        let lengths = numbers().into_par_iter();
        let lengths = lengths.map_init(Vec::new, |scratch, number| {
            scratch.clear();
            scratch.extend(0..number % 5);
            scratch.len()
        });
        lengths.collect::<Vec<_>>()
    });

    same!(vectors_are_replaced, {
        let mut to = vec![1; 20_000];
        let numbers = numbers();
        let items = numbers.par_iter().with_min_len(64).map(|number| !number);
        items.collect_into_vec(&mut to);
        to
    });

    same!(results_are_collected, {
        let to = |end: u64| {
            let checked = |number| if number < end { Ok(number) } else { Err("end") };
            let results = numbers().into_par_iter().map(checked);
            results.collect::<Result<Vec<_>, _>>()
        };
        [to(1), to(1 << 13)]
    });

    same!(items_are_combined, {
        let sum = |numbers: Vec<u64>| numbers.into_par_iter().reduce_with(|a, b| a + b);
        [sum(numbers()), sum(Vec::new())]
    });

    same!(results_are_combined_until_one_fails, {
        let sum = |end: u64, most: u64| {
            let checked = |number| {
                if number < end {
                    Ok(number)
                } else {
                    Err("item")
                }
            };
            let results = numbers().into_par_iter().map(checked);
            let add = |a, b| if a + b <= most { Ok(a + b) } else { Err("sum") };
            results.try_reduce_with(add)
        };
        let none = Vec::<Result<u64, &str>>::new().into_par_iter();
        let none = none.try_reduce_with(|a, b| Ok(a + b));
        [
            sum(1 << 13, u64::MAX),
            sum(1, u64::MAX),
            sum(1 << 13, 9999),
            none,
        ]
    });

    same!(the_first_error_ends_calls, {
        let all_below = |end: u64| {
            let seen = AtomicU64::new(0);
            let result = numbers().into_par_iter().try_for_each(|number| {
                seen.fetch_add(number, Relaxed);
                if number < end { Ok(()) } else { Err("end") }
            });
            result.map(|()| seen.into_inner())
        };
        [all_below(1), all_below(1 << 13)]
    });

    same!(one_item_is_enough, {
        let any = |wanted: u64| numbers().par_iter_mut().any(|number| *number == wanted);
        [any(numbers()[5000]), any(1 << 13)]
    });

    same!(the_first_of_several_is_found, {
        let find = |from: u64| {
            let numbers = numbers();
            let numbered = numbers.par_iter().enumerate();
            numbered.find_map_first(|(i, &number)| (number >= from).then_some((i, number)))
        };
        [find(0), find(8000), find(1 << 13)]
    });

    same!(slices_are_sorted, {
        let mut up = numbers();
        up.par_sort_unstable();
        let mut down = numbers();
        down.par_sort_unstable_by(|a, b| b.cmp(a));
        (up, down)
    });

    same!(both_sides_are_joined, {
        let numbers = numbers();
        let (left, right) = numbers.split_at(10);
        join(|| left.to_vec(), || right.len())
    });

    same!(scopes_end_after_what_they_spawn, {
        let sum = AtomicU64::new(0);
        let sum = &sum;
        let made = in_place_scope_fifo(|scope| {
            for number in numbers() {
                scope.spawn_fifo(move |scope| {
                    sum.fetch_add(number, Relaxed);
                    if number == 7 {
                        scope.spawn_fifo(|_| {
                            sum.fetch_add(1, Relaxed);
                        });
                    }
                });
            }
            "made"
        });
        (made, sum.load(Relaxed))
    });

    #[test]
    fn everything_runs_on_the_calling_thread_in_order() {
        use super::{prelude::*, *};
        let log = std::cell::RefCell::new(Vec::new());
        let note = |what: u32| log.borrow_mut().push(what);
        join(|| note(0), || note(1));
        in_place_scope_fifo(|scope| {
            scope.spawn_fifo(|_| note(2));
            note(3);
        });
        (4..7_u32).into_par_iter().for_each(note);
        let stopped = (7..20_u32).into_par_iter().try_for_each(|i| {
            note(i);
            if i < 9 { Ok(()) } else { Err(i) }
        });
        assert_eq!(stopped, Err(9));
        assert!(log.into_inner().into_iter().eq(0..10));
        assert_eq!(current_num_threads(), 1);
    }
}
