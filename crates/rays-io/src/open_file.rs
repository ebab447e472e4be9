//! Opening files of rays or points, which may be compressed, and recognising their format.

use crate::content::{Content, HEAD};
use crate::input_error::InputError;
use crate::item::Item;
use estoc_mesh::parts::open_packed;
use estoc_system::open_input;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// How much of an input is read, in rows, or in bytes where their number is not known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InputProgress {
    /// What is read.
    pub done: u64,
    /// What there is; `None` for a stream.
    pub total: Option<u64>,
}

/// The number of bytes read from a file.
#[derive(Clone, Debug, Default)]
pub(crate) struct FileProgress {
    read: Arc<AtomicU64>,
    /// The size of the file; `None` for a stream.
    size: Option<u64>,
}

impl FileProgress {
    /// Returns how many bytes are read, before decompression, of how many.
    pub(crate) fn progress(&self) -> InputProgress {
        InputProgress {
            done: self.read.load(Ordering::Relaxed),
            total: self.size,
        }
    }
}

/// An open file, or stdin.
pub(crate) struct OpenFile {
    /// The bytes, decompressed.
    pub(crate) reader: Box<dyn Read + Send>,
    pub(crate) progress: FileProgress,
    pub(crate) content: Content,
    /// The number of bytes, if it is known.
    pub(crate) length: Option<u64>,
    /// Whether there are no bytes.
    pub(crate) is_empty: bool,
    /// The same file, at its start, if it is an ordinary file that is not compressed.
    pub(crate) file: Option<File>,
}

/// Returns how messages name an input.
pub(crate) fn name_of(path: &Path) -> String {
    match path.as_os_str() == "-" {
        true => "<stdin>".to_owned(),
        false => path.display().to_string(),
    }
}

/// Opens a file of items, or stdin for `-`, and decompresses gzip and zstd.
pub(crate) fn open<T: Item>(path: &Path) -> io::Result<OpenFile> {
    let read = Arc::new(AtomicU64::new(0));
    let mut plain = None;
    let (packed, size): (Box<dyn Read + Send>, _) = if path.as_os_str() == "-" {
        (Box::new(io::stdin()), None)
    } else {
        let (file, size) = open_input(path)?;
        if size.is_some() {
            plain = Some(file.try_clone()?);
        }
        (Box::new(file), size)
    };
    let mut packed = packed;
    let packed_head = head_of(&mut packed)?;
    let packed = io::Cursor::new(packed_head.clone()).chain(packed);
    let mut unpacked = open_packed(packed, Arc::clone(&read))?;
    let head = head_of(&mut unpacked)?;
    if head != packed_head {
        plain = None;
    }
    let length = size.filter(|_| plain.is_some());
    let content = Content::of::<T>(&head);
    if let Some(file) = &mut plain {
        // Both handles share their place; the reader of bytes is not used then.
        match content {
            Content::Npy | Content::Npz | Content::Parquet => drop(file.seek(SeekFrom::Start(0))?),
            Content::Text | Content::Ply => plain = None,
        }
    }
    Ok(OpenFile {
        content,
        length,
        is_empty: head.is_empty(),
        reader: Box::new(io::Cursor::new(head).chain(unpacked)),
        progress: FileProgress { read, size },
        file: plain,
    })
}

/// Reads the first bytes.
fn head_of(reader: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut head = Vec::with_capacity(HEAD);
    reader.take(HEAD as u64).read_to_end(&mut head)?;
    Ok(head)
}

/// Reads `length` bytes at a place, which a file or archive must have.
pub(crate) fn read_at(mut file: impl Read + Seek, place: u64, length: u64) -> io::Result<Vec<u8>> {
    file.seek(SeekFrom::Start(place))?;
    let mut bytes = Vec::new();
    file.take(length).read_to_end(&mut bytes)?;
    match bytes.len() as u64 == length {
        true => Ok(bytes),
        false => Err(io::ErrorKind::UnexpectedEof.into()),
    }
}

/// Returns the error for a file that cannot be opened, or cannot be read from a row on.
pub(crate) fn io_error(
    items: &'static str,
    name: &str,
    row: Option<u64>,
    source: io::Error,
) -> InputError {
    let name = name.to_owned();
    InputError::Io {
        items,
        name,
        row,
        source,
    }
}
