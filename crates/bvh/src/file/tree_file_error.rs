//! Why a tree file cannot be read or written.

use super::section::TreeSection;
use crate::ValidateError;
use std::io;

/// Why a tree file cannot be read or written. The message names the file, the position and the
/// value, and says what to do about it, in one line.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TreeFileError {
    /// The system refuses to read, write or map the file.
    #[error("{file}: cannot be {done}: {source}")]
    Io {
        /// The file.
        file: String,
        /// What could not be done: `read`, `written` or `mapped`.
        done: &'static str,
        /// The error of the system.
        source: io::Error,
    },
    /// The file is a folder, a pipe or a device, which cannot be read at an arbitrary position.
    #[error("{file}: is no ordinary file; tree files are read from disk, at any place")]
    NotAFile {
        /// The file.
        file: String,
    },
    /// The file does not begin like a tree file.
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
    /// The numbers have another byte order.
    #[error(
        "{file}: has its numbers in another byte order (found {found:#010x} at byte 8); tree \
         files are little endian: build it again"
    )]
    ByteOrder {
        /// The file.
        file: String,
        /// The byte order mark that was found.
        found: u32,
    },
    /// The file has a version that this library does not read.
    #[error(
        "{file}: has version {version} of the format, and this estoc reads 1 to {known}; update \
         estoc, or build the file again from its mesh"
    )]
    Version {
        /// The file.
        file: String,
        /// The version in the file.
        version: u32,
        /// The latest version that can be read.
        known: u32,
    },
    /// The file is shorter than its header says.
    #[error("{file}: has {length} bytes of {needed}; it was cut off: copy or build it again")]
    Truncated {
        /// The file.
        file: String,
        /// The number of bytes present.
        length: u64,
        /// The number of bytes needed.
        needed: u64,
    },
    /// The file is longer than its header says.
    #[error("{file}: has {length} bytes instead of {needed}; copy or build it again")]
    TooLong {
        /// The file.
        file: String,
        /// The number of bytes present.
        length: u64,
        /// The number of bytes in the header.
        needed: u64,
    },
    /// The header or the table of sections has an impossible value.
    #[error("{file}: {field} at byte {offset} is {value}, but {problem}; build it again")]
    Header {
        /// The file.
        file: String,
        /// The offset in the file.
        offset: u64,
        /// The field.
        field: &'static str,
        /// Its value.
        value: String,
        /// Why the value is impossible.
        problem: String,
    },
    /// A section has impossible contents.
    #[error("{file}: in the section of {section} at byte {offset}: {problem}; build it again")]
    Section {
        /// The file.
        file: String,
        /// The section.
        section: TreeSection,
        /// The offset in the file.
        offset: u64,
        /// The problem.
        problem: String,
    },
    /// A section is missing.
    #[error("{file}: has no section of {section}; build it again")]
    Missing {
        /// The file.
        file: String,
        /// The section.
        section: TreeSection,
    },
    /// Bytes have changed since they were written.
    #[error(
        "{file}: bytes {from} to {to}, of {section}, are not what was written; copy or build it \
         again"
    )]
    Damaged {
        /// The file.
        file: String,
        /// The section.
        section: TreeSection,
        /// The first byte of the block with the wrong checksum.
        from: u64,
        /// The end of that block.
        to: u64,
    },
    /// The file does not contain a valid tree.
    #[error("{file}: {source}; build it again")]
    Tree {
        /// The file.
        file: String,
        /// The problem.
        source: ValidateError,
    },
    /// There is not enough memory for the tree.
    #[error("{file}: no memory for {bytes} bytes of it; free some, or map the file")]
    NoMemory {
        /// The file.
        file: String,
        /// The number of bytes requested.
        bytes: u64,
    },
    /// The mesh to save with a tree is not the one that the tree was built for.
    #[error("{file}: {problem}; save a tree with the mesh that it was built for")]
    OtherMesh {
        /// The file, which is not written.
        file: String,
        /// How tree and mesh differ.
        problem: String,
    },
    /// This machine is not little endian, as tree files are.
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
