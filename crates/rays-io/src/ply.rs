//! Reads the vertices of PLY as points: those of a text as lines, those of a binary body as an array.

use crate::csv::{CsvReader, Header};
use crate::input_error::{InputError, InputPlace, InputProblem};
use crate::item::Item;
use crate::npy::NpyReader;
use crate::open_file::io_error;
use estoc_mesh::MeshError;
use estoc_mesh::ply_header::{PlyElement, PlyEncoding, PlyHeader, PlyScalar};
use std::io::{self, Cursor, Read};

/// A reader of points.
pub(crate) enum PlyPoints {
    Text(Box<CsvReader>),
    Array(Box<NpyReader>),
}

/// The number of records that are converted at a time.
const RECORDS: u64 = 4096;

/// Reads the header of a file.
pub(crate) fn open<T: Item>(
    name: String,
    mut file: Box<dyn Read + Send>,
) -> Result<PlyPoints, InputError> {
    let wrong = |line: Option<u64>, problem: String| {
        let place = line.map_or(InputPlace::File, InputPlace::Line);
        InputProblem::Other(problem).at(&name, place)
    };
    let header = PlyHeader::read(&mut file, &name).map_err(|error| match error {
        MeshError::Io { source, .. } => io_error(T::PLURAL, &name, None, source),
        MeshError::Malformed { at, problem, .. } => {
            wrong(at.line, format!("invalid PLY: {problem}"))
        }
        error => wrong(None, error.to_string()),
    })?;
    let vertices = vertices_of(&header.elements).map_err(|problem| wrong(None, problem.into()))?;
    let properties = vertices.properties.iter();
    let names = properties.clone().map(|property| property.name.clone());
    let names: Vec<String> = names.collect();
    let (rows, body) = (vertices.count, Cursor::new(header.body).chain(file));
    if header.encoding == PlyEncoding::Ascii {
        let reader = CsvReader::of_ply::<T>(name, Box::new(body), names, (header.lines, rows))?;
        return Ok(PlyPoints::Text(reader.into()));
    }
    let columns = Header::of_names::<T>(names, &name)?.places;
    let kinds: Vec<PlyScalar> = properties.map(|property| property.kind).collect();
    let place = |column: usize| {
        let before = kinds[..column].iter().map(|kind| kind.size());
        (before.sum(), kinds[column])
    };
    let records = Records {
        body: Box::new(body),
        left: rows,
        bytes: kinds.iter().map(|kind| kind.size()).sum(),
        places: columns.into_iter().flatten().map(place).collect(),
        highest_first: header.encoding == PlyEncoding::BigEndian,
        numbers: Cursor::default(),
        error: None,
    };
    let reader = NpyReader::of_numbers::<T>(name, Box::new(records), rows)?;
    Ok(PlyPoints::Array(reader.into()))
}

/// Returns the vertices, which must come first, since lists before them have any length; the problem if
/// they are no points.
fn vertices_of(elements: &[PlyElement]) -> Result<&PlyElement, &'static str> {
    let mut all = elements.iter().filter(|element| element.name == "vertex");
    let (Some(vertices), None) = (all.next(), all.next()) else {
        return Err("points are the elements \"vertex\", which the header must declare once");
    };
    let first = elements.iter().find(|element| element.count > 0);
    if vertices.count > 0 && first.is_some_and(|first| first.name != "vertex") {
        return Err(
            "points are read only where the vertices are the first elements; save them first",
        );
    }
    let mut properties = vertices.properties.iter();
    match properties.any(|property| property.length.is_some()) {
        true => {
            Err("the vertices have lists, so that they are not read as points; leave the lists out")
        }
        false => Ok(vertices),
    }
}

/// The coordinates of binary vertices as `f64`s, the lowest byte first, which hold every number of PLY.
struct Records {
    body: Box<dyn Read + Send>,
    /// The number of records that are not read.
    left: u64,
    /// The number of bytes of a record.
    bytes: usize,
    /// The place in a record, and the type, of each coordinate.
    places: Vec<(usize, PlyScalar)>,
    highest_first: bool,
    /// The numbers that are converted.
    numbers: Cursor<Vec<u8>>,
    /// The error after them.
    error: Option<io::Error>,
}

impl Read for Records {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.numbers.read(into)?;
            if read > 0 || into.is_empty() {
                return Ok(read);
            }
            if let Some(error) = self.error.take() {
                return Err(error);
            }
            let (most, mut bytes) = (self.left.min(RECORDS), Vec::new());
            let mut body = (&mut self.body).take(most * self.bytes as u64);
            self.error = body.read_to_end(&mut bytes).err();
            let records = bytes.chunks_exact(self.bytes);
            self.left -= records.len() as u64;
            let numbers = records.flat_map(|record| {
                let number = |&(start, kind): &(usize, PlyScalar)| {
                    kind.decode(&record[start..start + kind.size()], self.highest_first)
                };
                self.places
                    .iter()
                    .flat_map(move |place| number(place).to_le_bytes())
            });
            self.numbers = Cursor::new(numbers.collect());
            if self.numbers.get_ref().is_empty() && self.error.is_none() {
                return Ok(0);
            }
        }
    }
}
