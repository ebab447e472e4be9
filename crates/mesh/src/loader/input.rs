//! What a loader reads.

use estoc_system::open_input;
use std::io::{self, Read};
use std::path::Path;

use crate::error::{Location, MeshError};
use crate::formats::HEAD;
use crate::packing;

/// A file or stream, of which the first bytes were read.
pub(super) struct LoaderInput<'r> {
    pub(super) name: &'r str,
    /// The folder of the files that it names, if they may be opened.
    pub(super) folder: Option<&'r Path>,
    /// The first bytes.
    pub(super) head: Vec<u8>,
    /// The others.
    pub(super) rest: Box<dyn Read + 'r>,
    /// The number of all bytes, if known.
    pub(super) length: Option<u64>,
}

impl<'r> LoaderInput<'r> {
    pub(super) fn open(path: &'r Path, name: &'r str) -> Result<Self, MeshError> {
        let opened = open_input(path);
        let (file, length) =
            opened.map_err(|source| packing::io_error(Location::of_file(name), source))?;
        Ok(LoaderInput {
            folder: Some(path.parent().unwrap_or(Path::new(""))),
            length,
            ..LoaderInput::of_stream(file, name)?
        })
    }

    pub(super) fn of_stream(mut reader: impl Read + 'r, name: &'r str) -> Result<Self, MeshError> {
        let head = read_head(&mut reader);
        Ok(LoaderInput {
            name,
            folder: None,
            head: head.map_err(|source| packing::io_error(Location::of_file(name), source))?,
            rest: Box::new(reader),
            length: None,
        })
    }

    pub(super) fn of_bytes(bytes: &'r [u8], name: &'r str) -> Self {
        let (head, rest) = bytes.split_at(bytes.len().min(HEAD));
        LoaderInput {
            name,
            folder: None,
            head: head.to_vec(),
            rest: Box::new(rest),
            length: Some(bytes.len() as u64),
        }
    }
}

pub(super) fn read_head(reader: &mut dyn Read) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    reader.take(HEAD as u64).read_to_end(&mut head)?;
    Ok(head)
}
