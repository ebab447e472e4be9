//! Errors in reading rays or points.

use crate::mask;
use crate::table_format::TableFormat;
use std::{fmt, io};

/// An error in reading a file of rays or points.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InputError {
    /// The file cannot be opened or read.
    #[error("cannot read {items} from {name}{}: {source}", at(row))]
    Io {
        /// What is read: "rays" or "points".
        items: &'static str,
        /// The name of the file.
        name: String,
        /// The first row that cannot be read; `None` if the file cannot be opened.
        row: Option<u64>,
        /// The error of the system.
        source: io::Error,
    },
    /// The file cannot be used.
    #[error("{name}{place}: {problem}")]
    Unusable {
        /// The name of the file.
        name: String,
        /// Where the problem is.
        place: InputPlace,
        /// What is wrong, and the way out.
        problem: InputProblem,
    },
}

/// Where in a file something is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputPlace {
    /// The file as a whole.
    File,
    /// A line, from 1.
    Line(u64),
    /// A row, from 0, or that of a group of rows.
    Row(u64),
}

/// Why a file cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InputProblem {
    /// The first line of CSV, or a Parquet file, lacks a column.
    #[error("missing {missing}; the {} must name {wanted}, but names {found}",
            if *is_csv { "first line" } else { "columns" })]
    NoColumn {
        /// Whether the file is CSV.
        is_csv: bool,
        /// The missing columns.
        missing: String,
        /// The columns that are read.
        wanted: String,
        /// The columns of the file.
        found: String,
    },
    /// The cells of CSV are separated by these.
    #[error("the cells are separated by {0}; use commas")]
    Separator(&'static str),
    /// The first line of CSV does not name the columns, of which these are needed.
    #[error("the first line holds numbers; put a line above it that names the columns {0}")]
    NoHeader(String),
    /// Two columns have this name.
    #[error("the column {0} appears twice; rename one of them")]
    TwoColumns(&'static str),
    /// The file is empty; these columns are needed.
    #[error("the file is empty; its first line must name the columns {0}")]
    Empty(String),
    /// A file is empty whose name says that it is of this format.
    #[error("the file is empty, so it is not {0}; write it again")]
    EmptyArray(TableFormat),
    /// A line of text has another number of cells than there are columns.
    #[error("this line has {cells}, but there are {columns}; give each column one cell")]
    Cells {
        /// How many cells it has.
        cells: String,
        /// How many columns there are.
        columns: String,
    },
    /// A cell of CSV is not a number.
    #[error("{column} is {value:?}, which is not a number such as -1.5, 2e-3 or inf")]
    Number {
        /// The column.
        column: &'static str,
        /// The start of the cell's text.
        value: String,
    },
    /// A cell of CSV, whose text starts so, is not a mask.
    #[error("mask is {0:?}, {wanted}", wanted = mask::WANTED)]
    Mask(String),
    /// A line of CSV ends inside a cell in quotes.
    #[error(
        "a quote is not closed in this line; cells cannot hold line breaks, so close the quote or replace \
         them"
    )]
    Quote,
    /// A line, which should hold such an item, is too long for CSV.
    #[error("the line is longer than 1.0 MiB; write one {0} per line")]
    LongLine(&'static str),
    /// The file ends before the last of the rows that it declares, whose number this is.
    #[error("the file ends here, but should have {0}; it is truncated, so copy or write it again")]
    Truncated(String),
    /// A text goes on after the rows that it declares, whose number this is.
    #[error("the file goes on after the {0} that it declares; correct that number")]
    MoreRows(String),
    /// The file is something else than rays or points.
    #[error("is {what}, not {items}; {items} are read from {read}")]
    Foreign {
        /// What it is, as in "a PCD point cloud".
        what: String,
        /// What is read: "rays" or "points".
        items: &'static str,
        /// The formats that are read.
        read: &'static str,
    },
    /// A column has a type that holds no numbers of rays.
    #[error("the column {column} is of type {found}; it must be {wanted}")]
    ColumnType {
        /// The column.
        column: String,
        /// Its type.
        found: String,
        /// The types that can be read.
        wanted: &'static str,
    },
    /// A row lies behind the end of the input.
    #[error("row {row} is wanted, but there are only {rows}")]
    NoRow {
        /// The row.
        row: u64,
        /// How many there are.
        rows: String,
    },
    /// This build does not read the format of the file without a feature.
    #[error("this build of estoc does not read {0}; install it with --features {1}")]
    FeatureOff(TableFormat, &'static str),
    /// A folder without files of rays.
    #[error("the folder has no file named *.parquet")]
    EmptyFolder,
    /// Anything else that is wrong with a file of NPY, PLY or Parquet, and the way out.
    #[error("{0}")]
    Other(String),
}

impl InputProblem {
    /// Returns the error for a file as a whole.
    pub(crate) fn of_file(self, name: &str) -> InputError {
        self.at(name, InputPlace::File)
    }

    /// Returns the error for a place in a file.
    pub(crate) fn at(self, name: &str, place: InputPlace) -> InputError {
        InputError::Unusable {
            name: name.to_owned(),
            place,
            problem: self,
        }
    }
}

impl fmt::Display for InputPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InputPlace::File => Ok(()),
            InputPlace::Line(line) => write!(f, ":{line}"),
            InputPlace::Row(row) => write!(f, ": row {row}"),
        }
    }
}

/// Returns how a message about a file names a row.
fn at(row: &Option<u64>) -> String {
    row.map(|row| format!(", row {row}")).unwrap_or_default()
}
