//! Reads rays and points from NPY.

use super::header::{self, Dtype, HeaderError, NpyHeader};
use crate::block::Block;
use crate::csv::ReadState;
use crate::input_error::{InputError, InputProblem};
use crate::item::{Item, ItemNumber, MOST_COLUMNS};
use crate::open_file::io_error;
use estoc_mesh::parts::counted;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

/// Reads an array of rays, N x 6 or N x 8, or of points, N x 3.
pub(crate) struct NpyReader {
    pub(crate) state: ReadState,
    source: NpySource,
    header: NpyHeader,
    rows: u64,
    columns: usize,
    bytes: Vec<u8>,
}

/// Where the numbers come from.
enum NpySource {
    File(File),
    /// What is read once, from the start.
    Stream(Box<dyn Read + Send>),
}

impl NpyReader {
    /// Reads the header of a stream, or of a file if there is one.
    pub(crate) fn new<T: Item>(
        name: String,
        stream: Box<dyn Read + Send>,
        file: Option<File>,
    ) -> Result<Self, InputError> {
        let mut source = match file {
            Some(file) => NpySource::File(file),
            None => NpySource::Stream(stream),
        };
        let header = match &mut source {
            NpySource::File(file) => header::read(file),
            NpySource::Stream(stream) => header::read(stream),
        };
        let header = header.map_err(|error| match error {
            HeaderError::Io(source) => io_error(T::PLURAL, &name, None, source),
            HeaderError::Problem(problem) => npy_error(&name, problem),
        })?;
        Self::of_header::<T>(name, source, header)
    }

    /// Reads an array of `f64`s without a header, the lowest byte of each first, with the required columns.
    pub(crate) fn of_numbers<T: Item>(
        name: String,
        stream: Box<dyn Read + Send>,
        rows: u64,
    ) -> Result<Self, InputError> {
        let header = NpyHeader {
            dtype: Dtype {
                is_wide: true,
                is_big_endian: false,
            },
            is_fortran: false,
            shape: vec![rows, T::REQUIRED as u64],
            length: 0,
        };
        Self::of_header::<T>(name, NpySource::Stream(stream), header)
    }

    fn of_header<T: Item>(
        name: String,
        source: NpySource,
        header: NpyHeader,
    ) -> Result<Self, InputError> {
        let (rows, columns) = shape::<T>(&header).map_err(|problem| npy_error(&name, problem))?;
        let state = ReadState {
            name,
            rows: Some(rows),
            ..ReadState::default()
        };
        let reader = NpyReader {
            state,
            source,
            rows,
            columns,
            bytes: Vec::new(),
            header,
        };
        reader.check_length::<T>()?;
        Ok(reader)
    }

    /// Compares the length of a file with its shape.
    fn check_length<T: Item>(&self) -> Result<(), InputError> {
        let NpySource::File(file) = &self.source else {
            let problem = "the array is in Fortran order, which can be read from a file only that is not \
                           compressed; save numpy.ascontiguousarray(array)";
            return match self.header.is_fortran && self.columns > 1 && self.rows > 1 {
                true => Err(npy_error(&self.state.name, problem.into())),
                false => Ok(()),
            };
        };
        let length = file
            .metadata()
            .map_err(|source| io_error(T::PLURAL, &self.state.name, None, source))?
            .len();
        let there = length.saturating_sub(self.header.length);
        let row = self.row_bytes();
        let wanted = self.rows.saturating_mul(row);
        if there < wanted {
            return Err(self.state.truncated(there / row));
        }
        if there > wanted {
            return Err(npy_error(&self.state.name, more(there - wanted)));
        }
        Ok(())
    }

    fn row_bytes(&self) -> u64 {
        (self.columns * self.header.dtype.size()) as u64
    }

    /// Goes forward to a row, which must be there.
    pub(crate) fn seek<T: Item>(&mut self, row: u64) -> Result<(), InputError> {
        let skipped = (row - self.state.row).saturating_mul(self.row_bytes());
        let done = match &mut self.source {
            // Files in either order are read at places of their own.
            NpySource::File(_) => Ok(skipped),
            NpySource::Stream(stream) => io::copy(&mut stream.take(skipped), &mut io::sink()),
        };
        let done = done.map_err(|source| self.state.io_error::<T>(source))?;
        if done < skipped {
            return Err(self
                .state
                .truncated(self.state.row + done / self.row_bytes()));
        }
        self.state.row = row;
        Ok(())
    }

    /// Replaces the items of the block by the next ones, at most `most`, and counts numbers that
    /// are rounded.
    pub(crate) fn read<T: Item>(
        &mut self,
        block: &mut Block<T>,
        most: usize,
        rounded: &mut u64,
    ) -> Result<(), InputError> {
        block.clear(self.state.row);
        let wanted = (self.rows - self.state.row).min(most as u64);
        if wanted == 0 {
            return self.check_end::<T>();
        }
        let (count, failure) = match self.header.is_fortran {
            false => self.read_rows(wanted),
            true => match self.read_columns(wanted) {
                Ok(read) => read,
                Err(error) => (0, Some(error)),
            },
        };
        let numbers = NpyNumbers {
            bytes: &self.bytes,
            dtype: self.header.dtype,
            columns: self.columns,
            is_fortran: self.header.is_fortran,
        };
        *rounded += numbers.items::<T>(count, &mut block.items);
        self.state.row += count as u64;
        if let Some(source) = failure {
            return Err(self.state.io_error::<T>(source));
        }
        if (count as u64) < wanted {
            return Err(self.state.truncated(self.state.row));
        }
        Ok(())
    }

    /// Reads the bytes of rows, and returns the number of whole ones, and the error after them.
    fn read_rows(&mut self, wanted: u64) -> (usize, Option<io::Error>) {
        let row = self.row_bytes();
        self.bytes.clear();
        let place = SeekFrom::Start(self.header.length + self.state.row * row);
        let read = match &mut self.source {
            NpySource::File(file) => file
                .seek(place)
                .and_then(|_| file.take(wanted * row).read_to_end(&mut self.bytes)),
            // The buffer grows with what arrives, whatever the header declares.
            NpySource::Stream(stream) => stream.take(wanted * row).read_to_end(&mut self.bytes),
        };
        // What arrived before an error is in the buffer.
        (self.bytes.len() / row as usize, read.err())
    }

    /// Reads the bytes of some rows column by column.
    fn read_columns(&mut self, wanted: u64) -> io::Result<(usize, Option<io::Error>)> {
        self.bytes.clear();
        let size = self.header.dtype.size() as u64;
        match &mut self.source {
            NpySource::File(file) => {
                for column in 0..self.columns as u64 {
                    let place = (column * self.rows + self.state.row) * size;
                    file.seek(SeekFrom::Start(self.header.length + place))?;
                    let read = file.take(wanted * size).read_to_end(&mut self.bytes)?;
                    if (read as u64) < wanted * size {
                        return Ok((0, None));
                    }
                }
            }
            // Of a single row or column, whose order is that of C, too.
            NpySource::Stream(_) => return Ok(self.read_rows(wanted)),
        }
        Ok((wanted as usize, None))
    }

    /// Looks for bytes after the array of a stream.
    fn check_end<T: Item>(&mut self) -> Result<(), InputError> {
        let NpySource::Stream(stream) = &mut self.source else {
            return Ok(());
        };
        let mut after = Vec::new();
        let read = stream.take(1).read_to_end(&mut after);
        match read.map_err(|source| self.state.io_error::<T>(source))? {
            0 => Ok(()),
            count => Err(npy_error(&self.state.name, more(count as u64))),
        }
    }
}

fn npy_error(name: &str, problem: String) -> InputError {
    InputProblem::Other(problem).of_file(name)
}

/// Returns the message for bytes after the array.
fn more(bytes: u64) -> String {
    format!(
        "the file goes on after its array, by {} or more; save one array per file",
        counted(bytes, "byte")
    )
}

/// Returns the numbers of rows and columns.
fn shape<T: Item>(header: &NpyHeader) -> Result<(u64, usize), String> {
    let (least, most) = (T::REQUIRED, T::NAMES.len());
    let wanted = match least == most {
        true => format!("N x {least}"),
        false => format!("N x {least} or N x {most}"),
    };
    let columns = |columns: u64| (columns == least as u64 || columns == most as u64) as usize;
    match header.shape[..] {
        [rows, count] if columns(count) == 1 => {
            let bytes = rows.checked_mul(count * header.dtype.size() as u64);
            if bytes.is_none_or(|bytes| bytes > i64::MAX as u64) {
                return Err(format!(
                    "the header declares {rows} rows, more than a file can hold; write it again"
                ));
            }
            Ok((rows, count as usize))
        }
        _ => {
            let shape: Vec<String> = header.shape.iter().map(u64::to_string).collect();
            Err(format!(
                "the array has the shape ({}), but {} are {wanted}; use numpy.reshape",
                shape.join(", "),
                T::PLURAL
            ))
        }
    }
}

/// Numbers as they stand in the file.
struct NpyNumbers<'a> {
    bytes: &'a [u8],
    dtype: Dtype,
    columns: usize,
    is_fortran: bool,
}

impl NpyNumbers<'_> {
    /// Appends items, and returns how many numbers were rounded.
    fn items<T: Item>(&self, count: usize, items: &mut Vec<T>) -> u64 {
        items.reserve(count);
        let (near, wide) = (T::Number::from, T::Number::of_f64);
        match (self.dtype.is_wide, self.dtype.is_big_endian) {
            (false, false) => self.items_of(count, items, f32::from_le_bytes, |_| 0, near),
            (false, true) => self.items_of(count, items, f32::from_be_bytes, |_| 0, near),
            (true, false) => self.items_of(count, items, f64::from_le_bytes, T::rounded, wide),
            (true, true) => self.items_of(count, items, f64::from_be_bytes, T::rounded, wide),
        }
    }

    /// Appends the items of numbers of a type; `rounded` counts those of an item that are rounded.
    fn items_of<T: Item, N: Copy, const SIZE: usize>(
        &self,
        count: usize,
        items: &mut Vec<T>,
        of_bytes: impl Fn([u8; SIZE]) -> N,
        rounded: impl Fn(&[Option<N>; MOST_COLUMNS]) -> usize,
        number: impl Fn(N) -> T::Number,
    ) -> u64 {
        let mut all_rounded = 0;
        self.each(count, of_bytes, |numbers| {
            all_rounded += rounded(&numbers) as u64;
            items.push(T::from_numbers(numbers.map(|found| found.map(&number))));
        });
        all_rounded
    }

    /// Calls `put` with the numbers of each row.
    #[inline(always)]
    fn each<N: Copy, const SIZE: usize>(
        &self,
        count: usize,
        of_bytes: impl Fn([u8; SIZE]) -> N,
        mut put: impl FnMut([Option<N>; MOST_COLUMNS]),
    ) {
        let (words, _) = self.bytes.as_chunks::<SIZE>();
        // Loops of a length that the compiler knows take half the time or less.
        match (self.is_fortran, self.columns) {
            (false, 3) => return each_row::<3, _, SIZE>(words, of_bytes, put),
            (false, 6) => return each_row::<6, _, SIZE>(words, of_bytes, put),
            (false, 8) => return each_row::<8, _, SIZE>(words, of_bytes, put),
            _ => {}
        }
        for row in 0..count {
            let mut numbers = [None; MOST_COLUMNS];
            for (column, number) in numbers.iter_mut().enumerate().take(self.columns) {
                let place = match self.is_fortran {
                    false => row * self.columns + column,
                    true => column * count + row,
                };
                let word = words.get(place);
                *number = word.map(|&word| of_bytes(word));
            }
            put(numbers);
        }
    }
}

/// Calls `put` with the numbers of each row, which follow each other.
#[inline(always)]
fn each_row<const COLUMNS: usize, N: Copy, const SIZE: usize>(
    words: &[[u8; SIZE]],
    of_bytes: impl Fn([u8; SIZE]) -> N,
    mut put: impl FnMut([Option<N>; MOST_COLUMNS]),
) {
    let (rows, _) = words.as_chunks::<COLUMNS>();
    for row in rows {
        let mut numbers = [None; MOST_COLUMNS];
        for (number, &word) in numbers.iter_mut().zip(row) {
            *number = Some(of_bytes(word));
        }
        put(numbers);
    }
}
