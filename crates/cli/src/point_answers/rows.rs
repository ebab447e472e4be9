//! Answers as rows in columns.

use super::columns::{AnswerColumn, Column, Columns};
use estoc_rays_io::{Answers, ColumnValues, Values};
use rayon::prelude::*;
use std::sync::Arc;

/// Points whose rows a thread makes at a time.
const PIECE: usize = 1 << 12;

/// Returns the rows of the answers about all points of a block.
pub(super) fn rows<C: AnswerColumn>(columns: &Columns<C>, answers: &[C::Answer]) -> Answers {
    let pieces: Vec<Answers> = answers
        .par_chunks(PIECE)
        .enumerate()
        .map(|(piece, answers)| Answers {
            items: piece * PIECE..piece * PIECE + answers.len(),
            item_of_row: None,
            columns: columns
                .0
                .iter()
                .map(|column| values(column, answers))
                .collect(),
        })
        .collect();
    Answers::joined(pieces)
}

fn values<C: AnswerColumn>(column: &Column<C>, answers: &[C::Answer]) -> ColumnValues {
    let Column::Answer(column) = column else {
        return ColumnValues::all(Values::Given);
    };
    let mut values = column.values();
    let present: Vec<bool> = answers
        .iter()
        .map(|answer| column.push(&mut values, answer))
        .collect();
    let present = present.contains(&false).then(|| Arc::new(present));
    ColumnValues { values, present }
}
