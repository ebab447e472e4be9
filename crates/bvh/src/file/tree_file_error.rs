//! Why a tree file cannot be read or written.

use super::section::TreeSection;
use crate::ValidateError;
use std::io;

/// Why a tree file cannot be read or written. The message names the file and where in it, the
/// value, and what to do about it, in one line.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TreeFileError {
    /// The system does not let it be read, written or mapped.
    #[error("{file}: cannot be {done}: {source}")]
    Io {
        /// The file.
        file: String,
        /// What could not be done.
        done: &'static str,
        /// What the system says.
        source: io::Error,
    },
    /// It is a folder, a pipe or a device: places in it cannot be looked up.
    #[error("{file}: is no ordinary file; tree files are read from disk, at any place")]
    NotAFile {
        /// What was named.
        file: String,
    },
    /// It does not begin as tree files do.
    #[error(
        "{file}: begins with \"{found}\" and is no tree file; load it as a mesh, or build a tree \
         file from one"
    )]
    NotATreeFile {
        /// The file.
        file: String,
        /// Its first bytes, escaped.
        found: String,
    },
    /// Its numbers have their bytes in another order.
    #[error(
        "{file}: has its numbers in another byte order (found {found:#010x} at byte 8); tree \
         files are little endian: build it again"
    )]
    ByteOrder {
        /// The file.
        file: String,
        /// The mark that tells the order.
        found: u32,
    },
    /// It has a version that this library does not read.
    #[error(
        "{file}: has version {version} of the format, and this estoc reads {known}; update estoc, \
         or build the file again from its mesh"
    )]
    Version {
        /// The file.
        file: String,
        /// The version that it says it has.
        version: u32,
        /// The version that is read.
        known: u32,
    },
    /// It ends before it should.
    #[error("{file}: has {length} bytes of {needed}; it was cut off: copy or build it again")]
    Truncated {
        /// The file.
        file: String,
        /// Bytes that there are.
        length: u64,
        /// Bytes that it needs.
        needed: u64,
    },
    /// It goes on behind its end.
    #[error("{file}: has {length} bytes instead of {needed}; copy or build it again")]
    TooLong {
        /// The file.
        file: String,
        /// Bytes that there are.
        length: u64,
        /// Bytes that it says it has.
        needed: u64,
    },
    /// The header, or the table of sections, says what cannot be.
    #[error("{file}: {field} at byte {offset} is {value}, but {problem}; build it again")]
    Header {
        /// The file.
        file: String,
        /// Where in the file.
        offset: u64,
        /// What it is.
        field: &'static str,
        /// What it says.
        value: String,
        /// Why that cannot be.
        problem: String,
    },
    /// A section holds what cannot be.
    #[error("{file}: in the section of {section} at byte {offset}: {problem}; build it again")]
    Section {
        /// The file.
        file: String,
        /// Which section.
        section: TreeSection,
        /// Where in the file.
        offset: u64,
        /// What is wrong.
        problem: String,
    },
    /// A section is not there.
    #[error("{file}: has no section of {section}; build it again")]
    Missing {
        /// The file.
        file: String,
        /// Which section.
        section: TreeSection,
    },
    /// Bytes are not what they were when they were written.
    #[error(
        "{file}: bytes {from} to {to}, of {section}, are not what was written; copy or build it \
         again"
    )]
    Damaged {
        /// The file.
        file: String,
        /// Which section.
        section: TreeSection,
        /// The first of the bytes that have one checksum.
        from: u64,
        /// The end of these bytes.
        to: u64,
    },
    /// What it holds is no tree that queries may trust.
    #[error("{file}: {source}; build it again")]
    Tree {
        /// The file.
        file: String,
        /// What is wrong.
        source: ValidateError,
    },
    /// There is no memory for it.
    #[error("{file}: no memory for {bytes} bytes of it; free some, or map the file")]
    NoMemory {
        /// The file.
        file: String,
        /// How many bytes were asked for.
        bytes: u64,
    },
    /// The mesh that is to be saved with a tree is not the one that it was built for.
    #[error("{file}: {problem}; save a tree with the mesh that it was built for")]
    OtherMesh {
        /// The file that is not written.
        file: String,
        /// What shows it.
        problem: String,
    },
    /// This machine has its numbers in another byte order than tree files.
    #[error(
        "{file}: tree files are for machines of little endian numbers, and this is none; build \
         the tree from the mesh"
    )]
    BigEndian {
        /// The file.
        file: String,
    },
    /// The [`CancelToken`](estoc_core::CancelToken) was raised.
    #[error("{file}: cancelled")]
    Cancelled {
        /// The file.
        file: String,
    },
}
