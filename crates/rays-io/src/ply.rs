//! Reads the vertices of PLY as points.

use crate::block::Block;
use crate::csv::{CsvReader, Header};
use crate::input_error::InputError;
use crate::item::{Item, ItemNumber, MOST_COLUMNS};
use crate::open_file::{io_error, io_error_at};
use estoc_mesh::MeshError;
use estoc_mesh::parts::{PlyElement, PlyEncoding, PlyHeader, PlyScalar, counted};
use std::io::{self, Cursor, Read};

/// A reader of points: of lines, or of binary records.
pub(crate) enum PlyPoints {
    Lines(CsvReader),
    Records(PlyRecords),
}

/// Reads the vertices of a binary body.
pub(crate) struct PlyRecords {
    name: String,
    body: Box<dyn Read + Send>,
    /// The place in a record, and the type, of each of [`Item::NAMES`].
    places: [Option<(usize, PlyScalar)>; MOST_COLUMNS],
    highest_first: bool,
    record_bytes: usize,
    rows: u64,
    /// The row that is read next.
    row: u64,
    bytes: Vec<u8>,
}

/// Reads the header of a file.
pub(crate) fn open<T: Item>(
    name: String,
    mut file: Box<dyn Read + Send>,
) -> Result<PlyPoints, InputError> {
    let wrong = |line, problem: String| {
        let name = name.clone();
        InputError::Ply {
            name,
            line,
            problem,
        }
    };
    let header = PlyHeader::read(&mut file, &name).map_err(|error| match error {
        MeshError::Io { source, .. } => io_error(T::PLURAL, &name, source),
        MeshError::Malformed { at, problem, .. } => {
            wrong(at.line, format!("invalid PLY: {problem}"))
        }
        error => wrong(None, error.to_string()),
    })?;
    let mut elements = header.elements.iter().filter(|element| element.count > 0);
    let vertices: Vec<&PlyElement> = (header.elements.iter())
        .filter(|element| element.name == "vertex")
        .collect();
    let &[vertices] = &*vertices else {
        let problem = "points are the elements \"vertex\", which the header must declare once";
        return Err(wrong(None, problem.into()));
    };
    if vertices.count > 0 && elements.next().is_some_and(|first| first.name != "vertex") {
        let problem =
            "points are read only where the vertices are the first elements; save them first";
        return Err(wrong(None, problem.into()));
    }
    if vertices
        .properties
        .iter()
        .any(|property| property.length.is_some())
    {
        let problem =
            "the vertices have lists, so that they are not read as points; leave the lists out";
        return Err(wrong(None, problem.into()));
    }
    let names = vertices
        .properties
        .iter()
        .map(|property| property.name.clone())
        .collect();
    let rows = vertices.count;
    let kinds: Vec<PlyScalar> = vertices
        .properties
        .iter()
        .map(|property| property.kind)
        .collect();
    let body = Box::new(Cursor::new(header.body).chain(file));
    let highest_first = match header.encoding {
        PlyEncoding::Ascii => {
            let reader = CsvReader::of_ply::<T>(name, body, names, (header.lines, rows))?;
            return Ok(PlyPoints::Lines(reader));
        }
        encoding => encoding == PlyEncoding::BigEndian,
    };
    let place = |column: usize| {
        let before: usize = kinds[..column].iter().map(|kind| kind.size()).sum();
        (before, kinds[column])
    };
    let record_bytes = kinds.iter().map(|kind| kind.size()).sum();
    if rows
        .checked_mul(record_bytes as u64)
        .is_none_or(|bytes| bytes > i64::MAX as u64)
    {
        let problem = format!("the header declares {rows} vertices, more than a file can hold");
        return Err(wrong(None, problem));
    }
    let places = Header::of_names::<T>(names, &name)?
        .places
        .map(|column| column.map(place));
    Ok(PlyPoints::Records(PlyRecords {
        name,
        body,
        places,
        highest_first,
        record_bytes,
        rows,
        row: 0,
        bytes: Vec::new(),
    }))
}

impl PlyRecords {
    pub(crate) fn rows(&self) -> u64 {
        self.rows
    }

    pub(crate) fn row(&self) -> u64 {
        self.row
    }

    /// Goes forward to a row, which must be there.
    pub(crate) fn seek<T: Item>(&mut self, row: u64) -> Result<(), InputError> {
        let size = self.record_bytes as u64;
        let skipped = (row - self.row) * size;
        let done = io::copy(&mut (&mut self.body).take(skipped), &mut io::sink());
        let done = done.map_err(|source| io_error_at(T::PLURAL, &self.name, self.row, source))?;
        match done < skipped {
            true => Err(self.truncated(self.row + done / size)),
            false => {
                self.row = row;
                Ok(())
            }
        }
    }

    fn truncated(&self, row: u64) -> InputError {
        InputError::Truncated {
            name: self.name.clone(),
            row,
            rows: counted(self.rows, "row"),
        }
    }

    /// Replaces the items of the block by the next ones, at most `most`, and counts numbers that are
    /// rounded.
    pub(crate) fn read<T: Item>(
        &mut self,
        block: &mut Block<T>,
        most: usize,
        rounded: &mut u64,
    ) -> Result<(), InputError> {
        block.clear(self.row);
        let wanted = (self.rows - self.row).min(most as u64);
        self.bytes.clear();
        // The buffer grows with what arrives, whatever the header declares.
        let bytes = wanted * self.record_bytes as u64;
        let read = (&mut self.body).take(bytes).read_to_end(&mut self.bytes);
        for record in self.bytes.chunks_exact(self.record_bytes) {
            let numbers = self.places.map(|place| {
                let (start, kind) = place?;
                let bytes = &record[start..start + kind.size()];
                Some(kind.decode(bytes, self.highest_first))
            });
            *rounded += T::rounded(&numbers) as u64;
            let numbers = numbers.map(|number| number.map(T::Number::of_f64));
            block.items.push(T::from_numbers(numbers));
        }
        self.row += block.items.len() as u64;
        read.map_err(|source| io_error_at(T::PLURAL, &self.name, self.row, source))?;
        match (block.items.len() as u64) < wanted {
            true => Err(self.truncated(self.row)),
            false => Ok(()),
        }
    }
}
