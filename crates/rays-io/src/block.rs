//! Consecutive items of an input.

#[cfg(feature = "parquet")]
use crate::arrow_text;
use crate::cell_text::unquoted;
use crate::passed_cells::PassedCells;
#[cfg(feature = "parquet")]
use arrow_array::Array;

/// Consecutive items of an input, with what is passed through from their rows to the output.
#[derive(Clone, Debug)]
pub struct Block<T> {
    /// The row of the first item, from 0.
    pub first_row: u64,
    /// The items.
    pub items: Vec<T>,
    /// The `ray_id` of each item, if the input has that column.
    pub ids: Option<Vec<i64>>,
    /// The mask of each item, if the input has that column: which primitives a ray sees.
    pub masks: Option<Vec<u32>>,
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
            masks: None,
            passed: Passed::Nothing,
        }
    }
}

impl Passed {
    /// Returns the text of an item in a column; empty for null, and if there is no such column.
    ///
    /// # Errors
    /// Returns why the value has no text.
    pub fn text(&self, item: usize, column: usize) -> Result<String, String> {
        Ok(match self {
            Passed::Nothing => String::new(),
            Passed::Cells(cells) => unquoted(&String::from_utf8_lossy(cells.get(item, column))),
            #[cfg(feature = "parquet")]
            Passed::Arrays(arrays) => match arrays.get(column).filter(|array| item < array.len()) {
                Some(array) => arrow_text::text_of(&arrow_text::formatter(array)?, item)?,
                None => String::new(),
            },
        })
    }
}

impl<T> Block<T> {
    /// Removes all items, and what belongs to them.
    pub(crate) fn clear(&mut self, first_row: u64) {
        self.first_row = first_row;
        self.items.clear();
        self.ids = None;
        self.masks = None;
        match &mut self.passed {
            Passed::Cells(cells) => cells.clear(),
            passed => *passed = Passed::Nothing,
        }
    }
}
