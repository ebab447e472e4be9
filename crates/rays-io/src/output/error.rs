//! Errors in writing results.

use crate::table_format::TableFormat;
use std::io;

/// An error in writing a result.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OutputError {
    /// The file cannot be written.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The format cannot hold a column.
    #[error(
        "{format} cannot hold the column {column}, which is {what}; use {other}, or columns without it"
    )]
    Column {
        /// The format.
        format: TableFormat,
        /// The column.
        column: String,
        /// What it holds.
        what: &'static str,
        /// What can hold it.
        other: &'static str,
    },
    /// Two columns have one name.
    #[error("{format} cannot have two columns named {column}; name each column once")]
    TwoColumns {
        /// The format.
        format: TableFormat,
        /// The name.
        column: String,
    },
    /// The number of rows of NPY is not known before they are written, and a stream cannot be changed
    /// afterwards.
    #[error(
        "NPY starts with the number of rows, which is known only at the end; write it to a file, or \
         use CSV"
    )]
    RowsUnknown,
    /// The index of a triangle is too large for the format.
    #[error(
        "row {row}: triangle {prim} has no number in {format}, which ends at 2147483647; use CSV"
    )]
    PrimTooLarge {
        /// The format.
        format: TableFormat,
        /// The row of the input.
        row: u64,
        /// The index.
        prim: u32,
    },
    /// The type of a column that is passed through has no text.
    #[error("the column {column} has no text ({problem}); write Parquet, or leave the column out")]
    NoText {
        /// The column.
        column: String,
        /// Why it has none.
        problem: String,
    },
    /// A value that is passed through has no text.
    #[error(
        "row {row}: the value of the column {column} has no text ({problem}); write Parquet, or leave the \
         column out"
    )]
    Text {
        /// The row of the input.
        row: u64,
        /// The column.
        column: String,
        /// Why it has none.
        problem: String,
    },
    /// This build lacks a format.
    #[error("this build of estoc does not write {format}; install it with --features {feature}")]
    FeatureOff {
        /// The format.
        format: TableFormat,
        /// The feature that writes it.
        feature: &'static str,
    },
    /// The library that writes Parquet failed.
    #[error("Parquet: {0}")]
    Parquet(String),
    /// The answers do not fit the columns.
    #[error("the answers do not fit the columns of the result")]
    Answers,
}

impl OutputError {
    /// Returns whether a row of the input is at fault, and not what the caller asked for.
    pub fn is_of_row(&self) -> bool {
        matches!(
            self,
            OutputError::Text { .. } | OutputError::PrimTooLarge { .. }
        )
    }
}
