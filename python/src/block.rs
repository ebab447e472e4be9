//! Items of a query, block by block.

use crate::ask::Source;
use crate::call::Call;
use crate::failure::Failure;
use std::ops::Range;

/// The number of items of a block. A block is one batch, large enough for the batch to plan and for its
/// threads to end together; between blocks the progress is told.
pub(crate) const BLOCK: usize = 1 << 20;

/// Calls `work` with the range of each block of items, in order.
pub(crate) fn each_block<I>(
    call: &Call,
    source: &impl Source<I>,
    mut work: impl FnMut(Range<usize>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let (count, block) = (source.count(), source.block());
    for first in (0..count).step_by(block) {
        call.check()?;
        call.report(first as u64, count as u64);
        work(first..count.min(first + block))?;
    }
    call.report(count as u64, count as u64);
    Ok(())
}
