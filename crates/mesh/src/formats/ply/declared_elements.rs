//! Reads the header of a PLY file: the elements and their properties.

use crate::error::MeshError;
use crate::format::Format;
use crate::formats::input::MeshInput;
use crate::formats::scalar::Scalar;
use crate::text::{name, quote, words};
use estoc_core::CancelToken;
use std::io::Read;

/// The encoding of the body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Encoding {
    /// Text, one element per line.
    Ascii,
    /// Binary, the lowest byte of a number first.
    LittleEndian,
    /// Binary, the highest byte of a number first.
    BigEndian,
}

/// Elements of one kind, which are consecutive in the body.
pub struct Element {
    /// The name, such as `vertex`.
    pub name: String,
    /// The number of elements.
    pub count: u64,
    /// What each of them has.
    pub properties: Vec<Property>,
}

/// A property of each element of a kind.
pub struct Property {
    /// The name, such as `x`.
    pub name: String,
    /// For a list, the type of its length.
    pub length: Option<Scalar>,
    /// The type of the number, or of those in the list.
    pub kind: Scalar,
}

/// The header of a file, for readers of points.
pub struct PlyHeader {
    /// The encoding of the body.
    pub encoding: Encoding,
    /// The elements in the order of the body.
    pub elements: Vec<Element>,
    /// The number of lines of the header.
    pub lines: u64,
    /// The first bytes of the body, which were read with the header.
    pub body: Vec<u8>,
}

impl PlyHeader {
    /// Reads the header of a file; `name` stands for it in messages.
    ///
    /// # Errors
    /// [`MeshError`], with the line.
    pub fn read(reader: &mut dyn Read, name: &str) -> Result<Self, MeshError> {
        let cancel = CancelToken::new();
        let mut input = MeshInput::new(
            (name, Format::Ply),
            (Box::new(reader), None),
            &cancel,
            &|| {},
        );
        let (encoding, elements) = read(&mut input)?;
        Ok(PlyHeader {
            encoding,
            elements,
            lines: input.line_number(),
            body: input.into_unread(),
        })
    }
}

/// More than in any real file; the elements of a hostile one may have no bytes at all.
const MOST_PROPERTIES: usize = 1 << 12;

/// Reads the header, including its last line.
pub(super) fn read(input: &mut MeshInput<'_>) -> Result<(Encoding, Vec<Element>), MeshError> {
    // If a lone carriage return ends lines, it also does so at the end of the header, whatever the
    // first byte of the body is.
    input.carriage_return_ends =
        matches!(input.peek(5)?, [b'p', b'l', b'y', b'\r', after] if *after != b'\n');
    if !input.next_line()? || input.last().trim_ascii_end() != b"ply" {
        return Err(input.bad_line("the file does not begin with \"ply\""));
    }
    let mut encoding = None;
    let mut elements: Vec<Element> = Vec::new();
    let mut declared = 0;
    loop {
        if !input.next_line()? {
            return Err(input.bad_line("the file ends before \"end_header\""));
        }
        let line = input.last();
        let mut words = words(line);
        let first = words.next();
        declared += usize::from(matches!(first, Some(b"element" | b"property")));
        let parsed = match first {
            None | Some(b"comment" | b"obj_info") => Some(()),
            Some(b"format") => {
                encoding = parse_format(words);
                encoding.map(drop)
            }
            Some(b"element") => parse_element(words).map(|element| elements.push(element)),
            Some(b"property") => match (parse_property(words), elements.last_mut()) {
                (Some(property), Some(element)) => {
                    element.properties.push(property);
                    Some(())
                }
                _ => None,
            },
            Some(b"end_header") => break,
            Some(_) => None,
        };
        if parsed.is_none() {
            let problem = format!("cannot parse the header line {}", quote(line));
            return Err(input.bad_line(problem));
        }
        if declared > MOST_PROPERTIES {
            return Err(input.bad_line("the header has too many properties"));
        }
    }
    input.carriage_return_ends = false;
    match encoding {
        Some(encoding) => Ok((encoding, elements)),
        None => Err(input.bad_line("the header does not declare a format")),
    }
}

fn parse_format<'a>(mut words: impl Iterator<Item = &'a [u8]>) -> Option<Encoding> {
    let encoding = match words.next()? {
        b"ascii" => Encoding::Ascii,
        b"binary_little_endian" => Encoding::LittleEndian,
        b"binary_big_endian" => Encoding::BigEndian,
        _ => return None,
    };
    (words.next()? == b"1.0").then_some(encoding)
}

fn parse_element<'a>(mut words: impl Iterator<Item = &'a [u8]>) -> Option<Element> {
    let name = name(words.next()?);
    let count = std::str::from_utf8(words.next()?).ok()?.parse().ok()?;
    let properties = Vec::new();
    let is_end = words.next().is_none();
    is_end.then_some(Element {
        name,
        count,
        properties,
    })
}

fn parse_property<'a>(mut words: impl Iterator<Item = &'a [u8]>) -> Option<Property> {
    let first = words.next()?;
    let (length, kind) = match first {
        b"list" => {
            // Lengths must have an integer type.
            let length = Scalar::parse(words.next()?)?;
            (Some(length), Scalar::parse(words.next()?)?)
        }
        kind => (None, Scalar::parse(kind)?),
    };
    let name = name(words.next()?);
    let is_end = words.next().is_none();
    is_end.then_some(Property { name, length, kind })
}

impl Element {
    /// Returns the minimum size of an element in a binary body. In a text it can be smaller, so
    /// this only serves to choose an initial capacity.
    pub(super) fn least_bytes(&self) -> u64 {
        let size = |property: &Property| property.length.unwrap_or(property.kind).size() as u64;
        self.properties.iter().map(size).sum()
    }
}
