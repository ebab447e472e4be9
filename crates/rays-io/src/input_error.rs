//! Errors in reading rays or points.

use crate::format::Format;
use crate::mask;
use std::io;

/// An error in reading a file of rays or points. Rows count from 0, lines from 1.
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
    /// The first line of CSV, or a Parquet file, lacks a column.
    #[error("{name}{}: missing {missing}; the {} must name {wanted}, but names {found}",
            if *is_csv { ":1" } else { "" }, if *is_csv { "first line" } else { "columns" })]
    NoColumn {
        /// The name of the file.
        name: String,
        /// Whether the file is CSV.
        is_csv: bool,
        /// The missing columns.
        missing: String,
        /// The columns that are read.
        wanted: String,
        /// The columns of the file.
        found: String,
    },
    /// The cells of CSV are separated otherwise.
    #[error("{name}:1: the cells are separated by {separator}; use commas")]
    Separator {
        /// The name of the file.
        name: String,
        /// The separator found.
        separator: &'static str,
    },
    /// The first line of CSV names no columns.
    #[error(
        "{name}:1: the first line holds numbers; put a line above it that names the columns {required}"
    )]
    NoHeader {
        /// The name of the file.
        name: String,
        /// The columns that are needed.
        required: String,
    },
    /// Two columns have one name.
    #[error("{name}{}: the column {column} appears twice; rename one of them",
            if *is_csv { ":1" } else { "" })]
    TwoColumns {
        /// The name of the file.
        name: String,
        /// Whether the file is CSV.
        is_csv: bool,
        /// The name of the columns.
        column: &'static str,
    },
    /// The file is empty.
    #[error("{name}: the file is empty; its first line must name the columns {required}")]
    Empty {
        /// The name of the file.
        name: String,
        /// The columns that are needed.
        required: String,
    },
    /// A file is empty whose name says that it is none of CSV.
    #[error("{name}: the file is empty, so it is not {format}; write it again")]
    EmptyArray {
        /// The name of the file.
        name: String,
        /// The format that its name states.
        format: Format,
    },
    /// A line of text has another number of cells than there are columns.
    #[error(
        "{name}:{line}: this line has {cells}, but there are {columns}; give each column one cell"
    )]
    Cells {
        /// The name of the file.
        name: String,
        /// The line.
        line: u64,
        /// How many cells it has.
        cells: String,
        /// How many columns there are.
        columns: String,
    },
    /// A cell of CSV is not a number.
    #[error(
        "{name}:{line}: {column} is {value:?}, which is not a number such as -1.5, 2e-3 or inf"
    )]
    Number {
        /// The name of the file.
        name: String,
        /// The line.
        line: u64,
        /// The column.
        column: &'static str,
        /// The start of the cell's text.
        value: String,
    },
    /// A cell of CSV is not a mask.
    #[error("{name}:{line}: mask is {value:?}, {}", mask::WANTED)]
    Mask {
        /// The name of the file.
        name: String,
        /// The line.
        line: u64,
        /// The start of the cell's text.
        value: String,
    },
    /// A line of CSV ends inside a cell in quotes.
    #[error(
        "{name}:{line}: a quote is not closed in this line; cells cannot hold line breaks, so close the \
         quote or replace them"
    )]
    Quote {
        /// The name of the file.
        name: String,
        /// The line.
        line: u64,
    },
    /// A line is too long for CSV.
    #[error("{name}:{line}: the line is longer than 1.0 MiB; write one {item} per line")]
    LongLine {
        /// What a line should hold: "ray" or "point".
        item: &'static str,
        /// The name of the file.
        name: String,
        /// The line.
        line: u64,
    },
    /// An NPY file, or an archive of them, cannot be used.
    #[error("{name}: {problem}")]
    Npy {
        /// The name of the file.
        name: String,
        /// What is wrong, and the way out.
        problem: String,
    },
    /// The file ends before the last row that it declares.
    #[error(
        "{name}: row {row}: the file ends here, but should have {rows}; it is truncated, so copy or \
         write it again"
    )]
    Truncated {
        /// The name of the file.
        name: String,
        /// The first row that is not whole.
        row: u64,
        /// How many rows it should have.
        rows: String,
    },
    /// A text goes on after the number of rows that it declares.
    #[error(
        "{name}:{line}: the file goes on after the {rows} that it declares; correct that number"
    )]
    MoreRows {
        /// The name of the file.
        name: String,
        /// The first line that is too many.
        line: u64,
        /// How many rows it declares.
        rows: String,
    },
    /// The file is something else than rays or points.
    #[error("{name}: is {what}, not {items}; {items} are read from {read}")]
    Foreign {
        /// The name of the file.
        name: String,
        /// What it is, as in "a PCD point cloud".
        what: String,
        /// What is read: "rays" or "points".
        items: &'static str,
        /// The formats that are read.
        read: &'static str,
    },
    /// A PLY file has no points that can be read.
    #[error("{name}{}: {problem}", line.map(|line| format!(":{line}")).unwrap_or_default())]
    Ply {
        /// The name of the file.
        name: String,
        /// The line of its header.
        line: Option<u64>,
        /// What is wrong, and the way out.
        problem: String,
    },
    /// A Parquet file cannot be used.
    #[error("{name}{}: {problem}", row.map(|row| format!(": row {row}")).unwrap_or_default())]
    Parquet {
        /// The name of the file.
        name: String,
        /// The row that could not be read, or that of a group of rows; `None` for the file as a
        /// whole.
        row: Option<u64>,
        /// What is wrong, and the way out.
        problem: String,
    },
    /// A column has a type that holds no numbers of rays.
    #[error("{name}: the column {column} is of type {found}; it must be {wanted}")]
    ColumnType {
        /// The name of the file.
        name: String,
        /// The column.
        column: String,
        /// Its type.
        found: String,
        /// The types that can be read.
        wanted: &'static str,
    },
    /// A row lies behind the end of the input.
    #[error("{name}: row {row} is wanted, but there are only {rows}")]
    NoRow {
        /// The name of the file.
        name: String,
        /// The row.
        row: u64,
        /// How many there are.
        rows: String,
    },
    /// This build lacks a format.
    #[error(
        "{name}: this build of estoc does not read {format}; install it with --features {feature}"
    )]
    FeatureOff {
        /// The name of the file.
        name: String,
        /// The format.
        format: Format,
        /// The feature that reads it.
        feature: &'static str,
    },
    /// A folder without files of rays.
    #[error("{name}: the folder has no file named *.parquet")]
    EmptyFolder {
        /// The name of the folder.
        name: String,
    },
}

/// Returns how a message about a file names a row.
fn at(row: &Option<u64>) -> String {
    row.map(|row| format!(", row {row}")).unwrap_or_default()
}
