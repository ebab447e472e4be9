//! Where rows end that together fit in an array: an array cannot hold more than 2 GiB.

use super::answers::AnsweredBlock;
use super::column::{ColumnKind, OutputColumn};
use crate::arrow_bytes::bytes_of;
use crate::block::Passed;
use arrow_array::{Array, ArrayRef, RecordBatch};
use std::ops::Range;

/// Returns the row of a block after rows from `start` on whose values passed through take `most` bytes:
/// the rows of an item repeat them.
pub(super) fn end_of_long_rows(
    block: &AnsweredBlock<'_>,
    columns: &[OutputColumn],
    start: usize,
    most: usize,
) -> usize {
    let is_passed = |column: &OutputColumn| matches!(column.kind, ColumnKind::Passed(_));
    if !columns.iter().any(is_passed) {
        return block.rows();
    }
    let mut bytes = 0;
    for row in start..block.rows() {
        bytes += passed_bytes(block, columns, block.item(row));
        if bytes >= most {
            return row + 1;
        }
    }
    block.rows()
}

/// Returns how many bytes the values without a fixed size take that are passed through for an item.
fn passed_bytes(block: &AnsweredBlock<'_>, columns: &[OutputColumn], item: usize) -> usize {
    let passed = columns.iter().map(|column| match column.kind {
        ColumnKind::Passed(place) => match block.passed {
            Passed::Cells(cells) => cells.get(item, place).len(),
            Passed::Arrays(arrays) => arrays
                .get(place)
                .filter(|array| array.data_type().primitive_width().is_none())
                .map_or(0, |array| bytes_of(array, item..item + 1)),
            Passed::Nothing => 0,
        },
        _ => 0,
    });
    passed.sum()
}

/// Returns the number of rows of a batch at which the bytes of their values without a fixed size
/// reach `most`, or that of all, and these bytes.
pub(super) fn rows_within(batch: &RecordBatch, rows: Range<usize>, most: usize) -> (usize, usize) {
    let columns = batch.columns().iter();
    let columns = columns.filter(|array| array.data_type().primitive_width().is_none());
    let columns: Vec<&ArrayRef> = columns.collect();
    let bytes = |rows: Range<usize>| -> usize {
        columns
            .iter()
            .map(|array| bytes_of(array, rows.clone()))
            .sum()
    };
    let all = bytes(rows.clone());
    if all < most {
        return (rows.len(), all);
    }
    let mut sum = 0;
    for row in rows.clone() {
        sum += bytes(row..row + 1);
        if sum >= most {
            return (row + 1 - rows.start, sum);
        }
    }
    (rows.len(), sum)
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::{Int64Array, StringArray};
    use std::sync::Arc;

    #[test]
    fn a_slice_ends_where_its_texts_are_long() {
        let texts = StringArray::from(vec!["a", "bcd", "", "efg", "h"]);
        let numbers = Int64Array::from(vec![1; 5]);
        let columns: [(&str, ArrayRef); 2] = [("t", Arc::new(texts)), ("n", Arc::new(numbers))];
        let batch = RecordBatch::try_from_iter(columns).unwrap();
        assert_eq!(rows_within(&batch, 0..5, 100), (5, 8));
        assert_eq!(rows_within(&batch, 0..5, 4), (2, 4));
        assert_eq!(rows_within(&batch, 1..5, 4), (3, 6));
        assert_eq!(rows_within(&batch, 3..5, 1), (1, 3));
    }
}
