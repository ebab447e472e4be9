//! Consecutive items of an input.

use crate::csv::PassedCells;

/// Consecutive items of an input, with what is passed through from their rows to the output.
#[derive(Clone, Debug)]
pub struct Block<T> {
    /// The row of the first item, from 0.
    pub first_row: u64,
    /// The items.
    pub items: Vec<T>,
    /// The `ray_id` of each item, if the input has that column.
    pub ids: Option<Vec<i64>>,
    /// The columns passed through.
    pub passed: Passed,
}

/// Columns that are passed through from the input to the output, a value for each item.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub enum Passed {
    /// No columns.
    #[default]
    Nothing,
    /// Cells of CSV, as they are written.
    Cells(PassedCells),
    /// Columns of Arrow.
    #[cfg(feature = "parquet")]
    Arrays(Vec<arrow_array::ArrayRef>),
}

impl<T> Default for Block<T> {
    fn default() -> Self {
        Block {
            first_row: 0,
            items: Vec::new(),
            ids: None,
            passed: Passed::Nothing,
        }
    }
}

impl<T> Block<T> {
    /// Removes all items, and what belongs to them.
    pub(crate) fn clear(&mut self, first_row: u64) {
        self.first_row = first_row;
        self.items.clear();
        self.ids = None;
        match &mut self.passed {
            Passed::Cells(cells) => cells.clear(),
            passed => *passed = Passed::Nothing,
        }
    }
}
