//! Opens texts: finds out what their lines hold.

use super::header::Header;
use super::layout::CsvLayout;
use super::lines::{CsvLines, LONGEST_LINE};
use super::parse::{Role, without_end};
use super::read_state::ReadState;
use super::reader::CsvReader;
use super::unnamed::Unnamed;
use crate::content::{FOREIGN_HEAD, foreign};
use crate::input_error::{InputError, InputPlace, InputProblem};
use crate::item::Item;
use crate::open_file::io_error;
use std::io::{Cursor, Read};

impl CsvReader {
    /// Creates a reader and reads the first line. `length` is that of the whole text, if known.
    pub(crate) fn new<T: Item>(
        name: String,
        input: Box<dyn Read + Send>,
        length: Option<u64>,
    ) -> Result<Self, InputError> {
        let mut lines = CsvLines::new(input);
        let of_io = |source| io_error(T::PLURAL, &name, None, source);
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
            reader.state.rows = unnamed.rows;
            return Ok(reader);
        }
        let first = lines.peek(1).map_err(of_io)?;
        if first.is_empty() {
            let required = T::NAMES[..T::REQUIRED].join(",");
            return Err(InputProblem::Empty(required).of_file(&name));
        }
        let bytes = first.len();
        let header = match bytes > LONGEST_LINE {
            true => Err(InputProblem::LongLine(T::SINGULAR).at(&name, InputPlace::Line(1))),
            false => Header::read::<T>(without_end(first), &name),
        };
        match header {
            Ok(header) => {
                lines.skip(bytes);
                let mut reader = CsvReader::of_header(name, lines, header, CsvLayout::Commas);
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
        let mut reader = CsvReader::of_header(name, body, header, CsvLayout::Blanks);
        reader.line = lines;
        reader.state.rows = Some(rows);
        reader.goes_on = true;
        Ok(reader)
    }

    /// Creates a reader of one item, whose first numbers stand in a line.
    pub(crate) fn of_line<T: Item>(name: String, line: &str) -> Result<Self, InputError> {
        let names = T::NAMES.iter().zip(line.split(','));
        let names = names.map(|(name, _)| (*name).to_owned());
        let header = Header::of_names::<T>(names.collect(), &name)?;
        let lines = CsvLines::new(Box::new(Cursor::new(line.to_owned())));
        let mut reader = CsvReader::of_header(name, lines, header, CsvLayout::Commas);
        reader.state.rows = Some(1);
        // So that none is passed through.
        reader.state.header.names.clear();
        Ok(reader)
    }

    fn of_header(name: String, lines: CsvLines, header: Header, layout: CsvLayout) -> Self {
        let mut roles = vec![Role::Other; header.names.len()];
        for (role, place) in header.places.iter().enumerate() {
            if let Some(place) = place {
                roles[*place] = Role::Number(role);
            }
        }
        if let Some(place) = header.mask {
            roles[place] = Role::Mask;
        }
        let state = ReadState {
            name,
            header,
            ..ReadState::default()
        };
        CsvReader {
            state,
            lines,
            line: 0,
            layout,
            goes_on: false,
            roles,
        }
    }
}
