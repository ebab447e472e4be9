//! What all readers of items keep.

use super::header::Header;
use crate::input_error::{InputError, InputPlace, InputProblem};
use crate::item::Item;
use crate::open_file::io_error;
use estoc_mesh::parts::counted;
use std::io;

/// What an open input is, and how far it is read.
#[derive(Default)]
pub(crate) struct ReadState {
    /// The name for messages.
    pub(crate) name: String,
    /// The columns; none for an array.
    pub(crate) header: Header,
    /// The columns that are passed through.
    pub(crate) passed: Vec<usize>,
    /// The row that is read next, from 0.
    pub(crate) row: u64,
    /// The number of rows, if it is declared.
    pub(crate) rows: Option<u64>,
}

impl ReadState {
    /// Returns the error for an input that cannot be read from the next row on.
    pub(crate) fn io_error<T: Item>(&self, source: io::Error) -> InputError {
        io_error(T::PLURAL, &self.name, Some(self.row), source)
    }

    /// Returns the error for a file that ends before a row that it declares.
    pub(crate) fn truncated(&self, row: u64) -> InputError {
        let rows = counted(self.rows.unwrap_or_default(), "row");
        InputProblem::Truncated(rows).at(&self.name, InputPlace::Row(row))
    }
}
