//! Items of a query, read block by block.

use crate::ask::{Source, reserve};
use crate::call::Call;
use crate::failure::Failure;
use rayon::prelude::*;

/// The number of items of a block. A block is one batch, large enough for the batch to plan and for its
/// threads to end together; the memory of a call is bounded by it, whatever the length of the arrays.
pub(crate) const BLOCK: usize = 1 << 20;

/// The number of items that a thread reads at a time.
const PIECE: usize = 1 << 12;

/// Calls `work` with blocks of all items, in order, each with the index of its first item.
pub(crate) fn each_block<I: Copy + Send>(
    call: &Call,
    source: &impl Source<I>,
    mut work: impl FnMut(usize, &[I]) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let (count, block) = (source.count(), source.block());
    let mut items = Vec::new();
    reserve(&mut items, block.min(count))?;
    for first in (0..count).step_by(block) {
        call.check()?;
        call.report(first as u64, count as u64);
        items.resize(block.min(count - first), source.none());
        fill(&mut items, |start, piece| {
            let start = first + start;
            source.read_into(start..start + piece.len(), piece);
        });
        work(first, &items)?;
    }
    call.report(count as u64, count as u64);
    Ok(())
}

/// Calls `work` with pieces of a list, each with the index of its first element, in parallel.
pub(crate) fn fill<I: Send>(items: &mut [I], work: impl Fn(usize, &mut [I]) + Sync) {
    match items.len() <= PIECE || rayon::current_num_threads() == 1 {
        true => work(0, items),
        false => (items.par_chunks_mut(PIECE).enumerate())
            .for_each(|(number, piece)| work(number * PIECE, piece)),
    }
}

/// Calls `work` with each element of a list and its index, in parallel.
pub(crate) fn each<A: Sync>(answers: &[A], work: impl Fn(usize, &A) + Sync) {
    let piece = |first: usize, piece: &[A]| {
        for (place, answer) in piece.iter().enumerate() {
            work(first + place, answer);
        }
    };
    match answers.len() <= PIECE || rayon::current_num_threads() == 1 {
        true => piece(0, answers),
        false => (answers.par_chunks(PIECE).enumerate())
            .for_each(|(number, answers)| piece(number * PIECE, answers)),
    }
}
