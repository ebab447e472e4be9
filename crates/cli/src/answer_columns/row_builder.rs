//! Answers as rows in columns.

use super::column::{AnswerColumn, AnswerKind, Cells};
use estoc_rays_io::{Answers, ColumnValues, Values};
use std::ops::Range;
use std::sync::Arc;

/// Rows that are appended to one column after the other, at most.
const TOGETHER: usize = 1 << 8;

/// Collects rows.
pub(crate) struct RowBuilder<'c, K: AnswerKind> {
    columns: Vec<ColumnBuilder<'c, K>>,
    are_answers: Vec<bool>,
}

/// The values of a column, as they are collected.
pub(super) struct ColumnBuilder<'c, K: AnswerKind> {
    /// None for values of the input.
    pub(super) column: Option<&'c AnswerColumn<K>>,
    pub(super) values: Values,
    /// Which rows have a value, of a column that knows it.
    pub(super) present: Vec<bool>,
}

impl<'c, K: AnswerKind> RowBuilder<'c, K> {
    pub(super) fn new(columns: Vec<ColumnBuilder<'c, K>>) -> Self {
        let are_answers = Vec::new();
        RowBuilder {
            columns,
            are_answers,
        }
    }

    /// Appends a row for each answer.
    pub(crate) fn push(&mut self, answers: &[K::Answer<'_>]) {
        self.are_answers.extend(answers.iter().map(K::is_answer));
        for builder in &mut self.columns {
            if let Some(column) = builder.column {
                column.push(answers, &mut builder.values, &mut builder.present);
            }
        }
    }

    /// Appends a row for each answer, some rows at a time.
    pub(crate) fn extend<'a>(&mut self, mut answers: impl Iterator<Item = K::Answer<'a>>) {
        let mut some = Vec::with_capacity(TOGETHER);
        loop {
            some.extend(answers.by_ref().take(TOGETHER));
            if some.is_empty() {
                return;
            }
            self.push(&some);
            some.clear();
        }
    }

    /// Returns the rows of the answers about these items of a block; see [`Answers`].
    pub(crate) fn finish(self, items: Range<usize>, item_of_row: Option<Vec<u32>>) -> Answers {
        // Columns without a value in the same rows share what tells so.
        let shared = |all: Vec<bool>| all.contains(&false).then(|| Arc::new(all));
        let are_answers = shared(self.are_answers);
        let columns = self.columns.into_iter().map(|builder| ColumnValues {
            values: builder.values,
            present: match builder.column.map(|column| &column.cells) {
                Some(Cells::Shared { .. }) => are_answers.clone(),
                _ => shared(builder.present),
            },
        });
        Answers {
            items,
            item_of_row,
            columns: columns.collect(),
        }
    }
}
