//! The bytes of a file after its header, read or mapped.

use super::checksum;
use super::file_header::BLOCK;
use super::progress::FileWork;
use super::section::{Entry, Kind};
use super::tree_file_error::TreeFileError;
use bytemuck::Pod;
use estoc_system::Arena;
#[cfg(feature = "map")]
use estoc_system::UnchangedFiles;
use estoc_system::parallel::prelude::*;
use std::fs::File;
use std::io;
#[cfg(feature = "map")]
use std::sync::Arc;

/// The source of the bytes, and whether they are copied.
pub(super) enum ReadingMode<'a> {
    /// A file that is copied into memory.
    Read(File),
    /// A file that is used in place.
    #[cfg(feature = "map")]
    Map(Arc<File>, UnchangedFiles),
    /// Bytes in memory, copied to an aligned array.
    Copy(&'a [u8]),
}

/// An open file.
pub(super) struct FileBody<'a> {
    pub(super) work: &'a FileWork<'a>,
    pub(super) how: ReadingMode<'a>,
}

impl FileBody<'_> {
    /// Fills the buffer with the bytes from `offset` on.
    pub(super) fn read(&self, buffer: &mut [u8], offset: u64) -> Result<(), TreeFileError> {
        let read = match &self.how {
            ReadingMode::Read(file) => read_at(file, buffer, offset),
            #[cfg(feature = "map")]
            ReadingMode::Map(file, _) => read_at(file, buffer, offset),
            ReadingMode::Copy(bytes) => {
                let rest = usize::try_from(offset).ok().and_then(|at| bytes.get(at..));
                match rest.and_then(|rest| rest.get(..buffer.len())) {
                    Some(bytes) => {
                        buffer.copy_from_slice(bytes);
                        Ok(())
                    }
                    None => Err(io::ErrorKind::UnexpectedEof.into()),
                }
            }
        };
        read.map_err(|error| self.work.io("read", error))
    }

    /// Returns all items of a section, which must be within the file, and compares its blocks with
    /// `checksums`, if given.
    pub(super) fn items<T: Pod + Send>(
        &self,
        entry: &Entry,
        kind: Kind,
        checksums: Option<&[u64]>,
    ) -> Result<Arena<T>, TreeFileError> {
        let length = entry.length as usize;
        if length == 0 {
            return Ok(Arena::default());
        }
        let blocks = SectionBlocks {
            body: self,
            offset: entry.offset,
            kind,
            checksums,
        };
        match &self.how {
            ReadingMode::Read(_) | ReadingMode::Copy(_) => {
                let no_memory = || TreeFileError::NoMemory {
                    file: self.work.file.to_owned(),
                    bytes: entry.length,
                };
                let mut items = Arena::zeroed(length / size_of::<T>()).ok_or_else(no_memory)?;
                blocks.read(bytemuck::cast_slice_mut(&mut items))?;
                Ok(items)
            }
            #[cfg(feature = "map")]
            ReadingMode::Map(file, promise) => {
                let items = promise.items(file, entry.offset, length);
                let items = items.map_err(|error| self.work.io("mapped", error))?;
                blocks.check_all(bytemuck::cast_slice::<T, u8>(&items))?;
                Ok(items)
            }
        }
    }
}

/// The blocks of a section as bytes, whatever its items are, so that this is compiled once.
struct SectionBlocks<'a> {
    body: &'a FileBody<'a>,
    /// Where the section begins in the file.
    offset: u64,
    kind: Kind,
    checksums: Option<&'a [u64]>,
}

impl SectionBlocks<'_> {
    /// Fills the bytes of the section, and compares them with its checksums.
    fn read(&self, bytes: &mut [u8]) -> Result<(), TreeFileError> {
        in_blocks(
            self.body.work,
            bytes.par_chunks_mut(BLOCK),
            |number, block| {
                self.body.read(block, self.start(number))?;
                self.check(number, block)
            },
        )
    }

    /// Compares the bytes of the section with its checksums, if it has any.
    #[cfg(feature = "map")]
    fn check_all(&self, bytes: &[u8]) -> Result<(), TreeFileError> {
        if self.checksums.is_none() {
            return Ok(());
        }
        in_blocks(self.body.work, bytes.par_chunks(BLOCK), |number, block| {
            self.check(number, block)
        })
    }

    /// Returns where a block begins in the file.
    fn start(&self, number: usize) -> u64 {
        self.offset + (number * BLOCK) as u64
    }

    fn check(&self, number: usize, block: &[u8]) -> Result<(), TreeFileError> {
        let expected = (self.checksums).map(|checksums| checksums.get(number).copied());
        if expected.is_none_or(|expected| expected == Some(checksum::of_block(block))) {
            self.body.work.done(block.len());
            return Ok(());
        }
        let from = self.start(number);
        Err(TreeFileError::Damaged {
            file: self.body.work.file.to_owned(),
            section: self.kind,
            from,
            to: from + block.len() as u64,
        })
    }
}

/// Calls `each` with each block and its number until one fails or the work is cancelled. Of several
/// errors, returns the one of the first block, whatever the order in which threads found them.
pub fn in_blocks<B: Send>(
    work: &FileWork<'_>,
    blocks: impl IndexedParallelIterator<Item = B>,
    each: impl Fn(usize, B) -> Result<(), TreeFileError> + Sync,
) -> Result<(), TreeFileError> {
    let failed = blocks.enumerate().find_map_first(|(number, block)| {
        let done = work.check().and_then(|()| each(number, block));
        done.err()
    });
    failed.map_or(Ok(()), Err)
}

/// Fills the buffer with the bytes from `offset` on.
#[cfg(unix)]
fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, buffer, offset)
}

/// Fills the buffer with the bytes from `offset` on.
#[cfg(windows)]
fn read_at(file: &File, mut buffer: &mut [u8], mut offset: u64) -> io::Result<()> {
    use std::os::windows::fs::FileExt;
    while !buffer.is_empty() {
        match file.seek_read(buffer, offset) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(read) => {
                buffer = &mut buffer[read..];
                offset += read as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Fills the buffer with the bytes from `offset` on.
#[cfg(not(any(unix, windows)))]
fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<()> {
    use std::io::{Read, Seek, SeekFrom};
    use std::sync::Mutex;
    // The file has a single position, shared by all threads.
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _one = ONE_AT_A_TIME.lock();
    let mut file = file;
    file.seek(SeekFrom::Start(offset))?;
    file.read_exact(buffer)
}
