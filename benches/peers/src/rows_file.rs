//! Files of rows, in CSV.

use crate::row::Row;
use std::error::Error;
use std::fs::File;
use std::io::{Read, Stdout, Write, stdout};
use std::path::Path;

/// Reads the rows of a file.
pub(crate) fn read(path: &Path) -> Result<Vec<Row>, Box<dyn Error>> {
    let rows = File::open(path).map_err(csv::Error::from).and_then(parse);
    rows.map_err(|error| format!("{}: {error}", path.display()).into())
}

pub(crate) fn parse(text: impl Read) -> Result<Vec<Row>, csv::Error> {
    csv::Reader::from_reader(text).into_deserialize().collect()
}

/// Writes rows to standard output, and to a file if one is named.
pub(crate) struct RowWriter {
    out: csv::Writer<Stdout>,
    file: Option<csv::Writer<File>>,
}

impl RowWriter {
    pub(crate) fn create(path: Option<&Path>) -> Result<Self, csv::Error> {
        Ok(RowWriter {
            out: csv::Writer::from_writer(stdout()),
            file: path.map(csv::Writer::from_path).transpose()?,
        })
    }

    /// Writes a row at once: a run that is stopped leaves all rows until then.
    pub(crate) fn write(&mut self, row: &Row) -> Result<(), csv::Error> {
        put(&mut self.out, row)?;
        self.file.as_mut().map_or(Ok(()), |file| put(file, row))
    }
}

fn put(file: &mut csv::Writer<impl Write>, row: &Row) -> Result<(), csv::Error> {
    file.serialize(row)?;
    Ok(file.flush()?)
}

#[cfg(test)]
pub(crate) fn written(rows: &[Row]) -> String {
    let mut file = csv::Writer::from_writer(Vec::new());
    for row in rows {
        put(&mut file, row).expect("memory");
    }
    String::from_utf8(file.into_inner().expect("memory")).expect("text")
}
