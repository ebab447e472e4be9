//! Errors in reading rays or points.

use super::LONGEST_LINE;
use crate::number::bytes;
use std::io;

#[derive(Debug, thiserror::Error)]
pub(crate) enum ItemsError {
    #[error("cannot read {items} from {name}: {source}")]
    Io {
        items: &'static str,
        name: String,
        source: io::Error,
    },
    #[error("{name}:1: missing {missing}; the first line must name {wanted}, but names {found}")]
    NoColumn {
        name: String,
        missing: String,
        wanted: String,
        found: String,
    },
    #[error("{name}:1: the cells are separated by {separator}; use commas")]
    Separator {
        name: String,
        separator: &'static str,
    },
    #[error(
        "{name}:1: the first line holds numbers; put a line above it that names the columns {required}"
    )]
    NoHeader { name: String, required: String },
    #[error("{name}:1: the column {column} appears twice; rename one of them")]
    TwoColumns { name: String, column: &'static str },
    #[error("{name}: the file is empty; its first line must name the columns {required}")]
    Empty { name: String, required: String },
    #[error(
        "{name}:{line}: this line has {cells}, but the first line has {columns}; give each column \
         one cell"
    )]
    Cells {
        name: String,
        line: u64,
        cells: String,
        columns: String,
    },
    #[error(
        "{name}:{line}: {column} is {value:?}, which is not a number such as -1.5, 2e-3 or inf"
    )]
    Number {
        name: String,
        line: u64,
        column: &'static str,
        value: String,
    },
    #[error(
        "{name}:{line}: the line is longer than {}; write one {item} per line",
        bytes(LONGEST_LINE)
    )]
    LongLine {
        item: &'static str,
        name: String,
        line: u64,
    },
}
