//! Passes over long arrays on all threads, with results that do not depend on the number of
//! threads.

use bytemuck::Pod;
use estoc_system::parallel::{join, prelude::*};

use estoc_system::{Arena, NoMemory};

/// The number of items per piece. It must not depend on the number of threads, since the combined
/// result may depend on where the array is split.
const PIECE: usize = 1 << 15;

/// Calls `find` with each piece of an array and the index of its first item, and returns the
/// results in order.
///
/// An array of one piece is processed in the calling thread, so that small meshes need no other
/// threads.
pub(crate) fn in_pieces<T: Sync, F: Send>(
    items: &[T],
    find: impl Fn(usize, &[T]) -> F + Sync,
) -> Vec<F> {
    match items.len() <= PIECE {
        true => vec![find(0, items)],
        false => {
            let pieces = items.par_chunks(PIECE).enumerate();
            pieces.map(|(i, items)| find(i * PIECE, items)).collect()
        }
    }
}

/// Calls two functions, on two threads if arrays of this length have several pieces.
pub(crate) fn both<A: Send, B: Send>(
    length: usize,
    first: impl FnOnce() -> A + Send,
    second: impl FnOnce() -> B + Send,
) -> (A, B) {
    match length <= PIECE {
        true => (first(), second()),
        false => join(first, second),
    }
}

/// Concatenates arrays.
pub(crate) fn concatenated<T: Pod + Send + Sync>(arrays: &[&[T]]) -> Result<Arena<T>, NoMemory> {
    let count = arrays.iter().map(|array| array.len()).sum();
    let mut whole = Arena::zeroed(count).ok_or(NoMemory)?;
    concatenate(arrays, &mut whole);
    Ok(whole)
}

/// Concatenates arrays into `to`, which must have their total length.
pub(crate) fn concatenate<T: Copy + Send + Sync>(arrays: &[&[T]], mut to: &mut [T]) {
    if let &[array] = arrays {
        return map_into(array, to, |item| *item);
    }
    let mut places = Vec::with_capacity(arrays.len());
    for array in arrays {
        let (place, rest) = to.split_at_mut(array.len());
        places.push((*array, place));
        to = rest;
    }
    places
        .into_par_iter()
        .for_each(|(array, place)| place.copy_from_slice(array));
}

/// Sets each item of a long array to what `map` returns for the one of `from`.
pub(crate) fn map_into<F: Sync, T: Send>(from: &[F], to: &mut [T], map: impl Fn(&F) -> T + Sync) {
    let set = |(from, to): (&[F], &mut [T])| {
        for (place, item) in to.iter_mut().zip(from) {
            *place = map(item);
        }
    };
    match from.len() <= PIECE {
        true => set((from, to)),
        false => (from.par_chunks(PIECE).zip(to.par_chunks_mut(PIECE))).for_each(set),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_come_in_order_and_leave_nothing_out() {
        for count in [0, 1, PIECE, PIECE + 1, 3 * PIECE + 7] {
            let items: Vec<usize> = (0..count).collect();
            let found = in_pieces(&items, |first, items| {
                assert!(items.iter().copied().eq(first..first + items.len()));
                items.len()
            });
            assert_eq!(found.iter().sum::<usize>(), count);
        }
    }

    #[test]
    fn arrays_come_to_lie_behind_each_other() {
        for lengths in [
            vec![],
            vec![0],
            vec![5],
            vec![2 * PIECE + 1],
            vec![1, 0, PIECE, 3],
        ] {
            let count = lengths.iter().sum();
            let items: Vec<usize> = (0..count).collect();
            let mut rest = &items[..];
            let arrays: Vec<_> = lengths
                .iter()
                .map(|&length| rest.split_off(..length).expect("enough"))
                .collect();
            let mut to = vec![0; count];
            concatenate(&arrays, &mut to);
            assert_eq!(to, items, "{lengths:?}");
        }
    }
}
