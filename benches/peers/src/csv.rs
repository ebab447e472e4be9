//! The CSV file of rows. It is written row by row, so a run that is stopped keeps its results so
//! far.

use crate::row::{HEADER, HEADER_START, Row};
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

/// A file for rows, or none.
pub(crate) struct Writer(Option<File>);

impl Writer {
    pub(crate) fn create(path: Option<&Path>) -> io::Result<Self> {
        let mut file = path.map(File::create).transpose()?;
        if let Some(file) = &mut file {
            writeln!(file, "{HEADER}")?;
        }
        Ok(Writer(file))
    }

    pub(crate) fn write(&mut self, row: &Row) -> io::Result<()> {
        match &mut self.0 {
            Some(file) => writeln!(file, "{row}"),
            None => Ok(()),
        }
    }
}

/// Reads the rows of a file.
pub(crate) fn read(path: &Path) -> io::Result<Vec<Row>> {
    let text = std::fs::read_to_string(path)?;
    let lines = text.lines().filter(|line| !line.starts_with(HEADER_START));
    let row = |line: &str| {
        let bad = || io::Error::other(format!("not a row of results: {line:?}"));
        Row::parse(line).ok_or_else(bad)
    };
    lines.map(row).collect()
}
