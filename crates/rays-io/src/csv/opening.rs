//! Opens texts: finds out what their lines hold.

use super::header::Header;
use super::layout::Layout;
use super::lines::{CsvLines, LONGEST_LINE};
use super::parse::{Role, without_end};
use super::reader::{CsvReader, long_line};
use super::unnamed::Unnamed;
use crate::content::{FOREIGN_HEAD, foreign};
use crate::input_error::InputError;
use crate::item::Item;
use crate::open_file::io_error;
use std::io::Read;

impl CsvReader {
    /// Creates a reader and reads the first line. `length` is that of the whole text, if known.
    pub(crate) fn new<T: Item>(
        name: String,
        input: Box<dyn Read + Send>,
        length: Option<u64>,
    ) -> Result<Self, InputError> {
        let mut lines = CsvLines::new(input);
        let of_io = |source| io_error(T::PLURAL, &name, source);
        if lines.peek(1).map_err(of_io)?.starts_with(b"\xef\xbb\xbf") {
            lines.skip(3);
        }
        if T::IS_POINT
            && let Some(unnamed) = Unnamed::find(&mut lines).map_err(of_io)?
        {
            let header = Header::of_names::<T>(unnamed.names, &name)?;
            let (before, bytes) = unnamed.before;
            lines.skip(bytes);
            let mut reader = CsvReader::of_header(name, lines, header, unnamed.layout);
            reader.line = before as u64;
            reader.rows = unnamed.rows;
            return Ok(reader);
        }
        let first = lines.peek(1).map_err(of_io)?;
        if first.is_empty() {
            let required = T::NAMES[..T::REQUIRED].join(",");
            return Err(InputError::Empty { name, required });
        }
        let bytes = first.len();
        let header = match bytes > LONGEST_LINE {
            true => Err(long_line::<T>(name.clone(), 1)),
            false => Header::read::<T>(without_end(first), &name),
        };
        match header {
            Ok(header) => {
                lines.skip(bytes);
                let mut reader = CsvReader::of_header(name, lines, header, Layout::Commas);
                reader.line = 1;
                Ok(reader)
            }
            Err(error) => {
                let head = lines.read(FOREIGN_HEAD);
                Err(foreign::<T>(&name, head, length).unwrap_or(error))
            }
        }
    }

    /// Creates a reader of the vertices of a PLY file, of which `lines` lines are read.
    pub(crate) fn of_ply<T: Item>(
        name: String,
        body: Box<dyn Read + Send>,
        names: Vec<String>,
        (lines, rows): (u64, u64),
    ) -> Result<Self, InputError> {
        let header = Header::of_names::<T>(names, &name)?;
        let body = CsvLines::new(body);
        let mut reader = CsvReader::of_header(name, body, header, Layout::Blanks);
        reader.line = lines;
        reader.rows = Some(rows);
        reader.goes_on = true;
        Ok(reader)
    }

    fn of_header(name: String, lines: CsvLines, header: Header, layout: Layout) -> Self {
        let mut roles = vec![Role::Other; header.names.len()];
        for (role, place) in header.places.iter().enumerate() {
            if let Some(place) = place {
                roles[*place] = Role::Number(role);
            }
        }
        if let Some(place) = header.mask {
            roles[place] = Role::Mask;
        }
        CsvReader {
            name,
            lines,
            line: 0,
            row: 0,
            header,
            layout,
            rows: None,
            goes_on: false,
            roles,
            passed: Vec::new(),
        }
    }
}
