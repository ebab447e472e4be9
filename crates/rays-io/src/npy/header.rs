//! The header of NPY: a dictionary of Python, such as
//! `{'descr': '<f4', 'fortran_order': False, 'shape': (1000, 6), }`.

use std::io::{self, Read};

/// The bytes before the length of the header.
const MAGIC: &[u8] = b"\x93NUMPY";

/// The largest length of a header. numpy itself refuses those above 10,000 bytes unless it is told
/// to trust the file.
const LONGEST: u64 = 1 << 16;

/// The digits that a number of rows may have, for which headers leave room.
const ROWS_DIGITS: usize = 20;

/// What a header says of an array of plain numbers.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct NpyHeader {
    pub(super) dtype: Dtype,
    pub(super) is_fortran: bool,
    pub(super) shape: Vec<u64>,
    /// The number of bytes before the array.
    pub(super) length: u64,
}

/// A type of numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Dtype {
    pub(super) is_wide: bool,
    pub(super) is_big_endian: bool,
}

impl Dtype {
    /// Returns the number of bytes of a number.
    pub(super) fn size(self) -> usize {
        if self.is_wide { 8 } else { 4 }
    }
}

/// Reads a header. An error without a message of its own is one of the input.
pub(super) fn read(input: &mut impl Read) -> Result<NpyHeader, HeaderError> {
    let mut start = [0; 8];
    fill(input, &mut start)?;
    let length_bytes = match start[6..] {
        [1, _] => 2,
        [2 | 3, _] => 4,
        [major, minor] => {
            return Err(HeaderError::Problem(format!(
                "the file is of version {major}.{minor} of NPY, but this reads versions 1.0 to 3.0; save \
                 it with numpy.save"
            )));
        }
        _ => return Err(HeaderError::Problem(CUT.into())),
    };
    if !start.starts_with(MAGIC) {
        return Err(HeaderError::Problem("the file is not NPY".into()));
    }
    let mut length = [0; 4];
    fill(input, &mut length[..length_bytes])?;
    let length = u64::from(u32::from_le_bytes(length));
    if length > LONGEST {
        return Err(HeaderError::Problem(format!(
            "the header has {length} bytes, more than the {LONGEST} that an array of numbers needs; save \
             the array with numpy.save"
        )));
    }
    let mut text = Vec::new();
    input.take(length).read_to_end(&mut text)?;
    if (text.len() as u64) < length {
        return Err(HeaderError::Problem(CUT.into()));
    }
    let text = String::from_utf8_lossy(&text);
    let length = 8 + length_bytes as u64 + length;
    parse(&text, length).map_err(HeaderError::Problem)
}

/// The message for a file that ends in its header.
const CUT: &str = "the file ends in its header; it is truncated, so copy or write it again";

/// Why a header cannot be used.
#[derive(Debug)]
pub(super) enum HeaderError {
    Io(io::Error),
    Problem(String),
}

impl From<io::Error> for HeaderError {
    fn from(error: io::Error) -> Self {
        HeaderError::Io(error)
    }
}

fn fill(input: &mut impl Read, bytes: &mut [u8]) -> Result<(), HeaderError> {
    input.read_exact(bytes).map_err(|error| match error.kind() {
        io::ErrorKind::UnexpectedEof => HeaderError::Problem(CUT.into()),
        _ => HeaderError::Io(error),
    })
}

/// Parses the dictionary.
fn parse(text: &str, length: u64) -> Result<NpyHeader, String> {
    let broken = || {
        let shown: String = text.trim().chars().take(80).collect();
        format!("the header is {shown:?}, which is not one of NPY; save the array with numpy.save")
    };
    let mut rest = Rest(text.trim());
    let (mut dtype, mut is_fortran, mut shape) = (None, None, None);
    if !rest.take('{') {
        return Err(broken());
    }
    while !rest.take('}') {
        let key = rest.string().ok_or_else(broken)?;
        if !rest.take(':') {
            return Err(broken());
        }
        match key {
            "descr" if rest.starts('[') => {
                return Err("the array has fields; save its numbers as columns, as in \
                     numpy.column_stack([a['ox'], ...])"
                    .into());
            }
            "descr" => dtype = Some(dtype_of(rest.string().ok_or_else(broken)?)?),
            "fortran_order" => is_fortran = Some(rest.truth().ok_or_else(broken)?),
            "shape" => shape = Some(rest.tuple().ok_or_else(broken)?),
            _ => return Err(broken()),
        }
        rest.take(',');
    }
    if !rest.0.trim().is_empty() {
        return Err(broken());
    }
    match (dtype, is_fortran, shape) {
        (Some(dtype), Some(is_fortran), Some(shape)) => Ok(NpyHeader {
            dtype,
            is_fortran,
            shape,
            length,
        }),
        _ => Err(broken()),
    }
}

fn dtype_of(text: &str) -> Result<Dtype, String> {
    let (order, of) = match text.as_bytes() {
        [order @ (b'<' | b'>' | b'=' | b'|'), of @ ..] => (*order, of),
        of => (b'=', of),
    };
    let is_wide = match of {
        b"f4" => false,
        b"f8" => true,
        _ => {
            let shown: String = text.chars().take(20).collect();
            return Err(format!(
                "the numbers are of type {shown:?}; save f32s or f64s, as in \
                 numpy.save(name, array.astype(numpy.float32))"
            ));
        }
    };
    Ok(Dtype {
        is_wide,
        is_big_endian: order == b'>' || (order == b'=' && cfg!(target_endian = "big")),
    })
}

/// The text that is not parsed yet.
struct Rest<'a>(&'a str);

impl<'a> Rest<'a> {
    fn starts(&mut self, sign: char) -> bool {
        self.0 = self.0.trim_start();
        self.0.starts_with(sign)
    }

    fn take(&mut self, sign: char) -> bool {
        let starts = self.starts(sign);
        if starts {
            self.0 = &self.0[sign.len_utf8()..];
        }
        starts
    }

    /// Takes a text in quotes of either kind.
    fn string(&mut self) -> Option<&'a str> {
        let quote = if self.take('\'') {
            '\''
        } else if self.take('"') {
            '"'
        } else {
            return None;
        };
        let (text, rest) = self.0.split_once(quote)?;
        self.0 = rest;
        Some(text)
    }

    fn truth(&mut self) -> Option<bool> {
        self.0 = self.0.trim_start();
        for (word, truth) in [("True", true), ("False", false)] {
            if let Some(rest) = self.0.strip_prefix(word) {
                self.0 = rest;
                return Some(truth);
            }
        }
        None
    }

    /// Takes whole numbers in parentheses.
    fn tuple(&mut self) -> Option<Vec<u64>> {
        if !self.take('(') {
            return None;
        }
        let mut numbers = Vec::new();
        while !self.take(')') {
            self.0 = self.0.trim_start();
            let end = self.0.find(|c: char| !c.is_ascii_digit())?;
            let (number, rest) = self.0.split_at(end);
            numbers.push(number.parse().ok()?);
            // Python 2 wrote long numbers with an L.
            self.0 = rest.strip_prefix('L').unwrap_or(rest);
            if !self.take(',') && !self.starts(')') {
                return None;
            }
        }
        Some(numbers)
    }
}

/// Returns the first bytes of a file of version 1.0 for a one-dimensional array. They have the same
/// length for any number of rows.
pub(crate) fn header_bytes(dtype: &str, rows: u64) -> Vec<u8> {
    let dictionary = format!("{{'descr': {dtype}, 'fortran_order': False, 'shape': ({rows},), }}");
    let most = dictionary.len() - rows.to_string().len() + ROWS_DIGITS;
    // Numbers start at a multiple of 64 bytes, and the header ends with a line.
    let length = (MAGIC.len() + 4 + most + 1).next_multiple_of(64) - MAGIC.len() - 4;
    let mut bytes = MAGIC.to_vec();
    bytes.extend_from_slice(&[1, 0]);
    // Headers of few columns are shorter than the 65,535 bytes of version 1.0.
    bytes.extend_from_slice(&u16::try_from(length).unwrap_or(u16::MAX).to_le_bytes());
    bytes.extend_from_slice(dictionary.as_bytes());
    bytes.resize(MAGIC.len() + 4 + length - 1, b' ');
    bytes.push(b'\n');
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_that_are_written_have_one_length() {
        let dtype = "[('t', '<f4'), ('prim', '<i4')]";
        let lengths = [0, 1000, u64::MAX].map(|rows| header_bytes(dtype, rows).len());
        assert_eq!(lengths, [192; 3].map(|_| lengths[0]));
        assert!(lengths[0].is_multiple_of(64));
    }

    #[test]
    fn headers_are_read_as_numpy_writes_them() {
        let of = |text: &str| parse(text, 128);
        let header = of("{'descr': '<f4', 'fortran_order': False, 'shape': (1000, 6), }   \n");
        let header = header.unwrap();
        assert_eq!(header.shape, [1000, 6]);
        assert!(!header.dtype.is_wide && !header.dtype.is_big_endian);
        let header = of("{\"shape\":(3L,),\"descr\":\">f8\",\"fortran_order\":True}").unwrap();
        assert!(header.is_fortran && header.dtype.is_big_endian && header.shape == [3]);
        for (text, told) in [
            (
                "{'descr': '<i4', 'fortran_order': False, 'shape': (2, 6), }",
                "\"<i4\"",
            ),
            (
                "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2,), }",
                "fields",
            ),
            ("{'descr': '<f4', 'shape': (2, 6), }", "not one of NPY"),
            ("{'descr': '<f4'", "not one of NPY"),
            ("", "not one of NPY"),
            ("{'shape': (99999999999999999999, 6)}", "not one of NPY"),
        ] {
            let problem = of(text).unwrap_err();
            assert!(problem.contains(told), "{problem}");
        }
    }
}
