//! Why a tree file cannot be read or written.

use super::section::TreeSection;
use crate::ValidateError;
use estoc_mesh::parts::counted;
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
    #[error("{file}: is not a regular file; a tree file must be one")]
    NotAFile {
        /// The file.
        file: String,
    },
    /// The file does not begin like a tree file.
    #[error(
        "{file}: is not a tree file, as it begins with \"{found}\"; load it as a mesh, build a tree \
         file from it, or decompress it if it is a compressed tree file"
    )]
    NotATreeFile {
        /// The file.
        file: String,
        /// Its first bytes, escaped.
        found: String,
    },
    /// The numbers have another byte order.
    #[error(
        "{file}: has the wrong byte order ({found:#010x} at byte 8); tree files are little-endian: \
         build it again with `estoc build`"
    )]
    ByteOrder {
        /// The file.
        file: String,
        /// The byte order mark that was found.
        found: u32,
    },
    /// The file has a version that this library does not read.
    #[error(
        "{file}: has format version {version}, but this estoc reads versions 1 to {known}; update \
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
    /// The file holds triangles of other coordinates than those to load.
    #[error(
        "{file}: holds triangles in {}; load it with {}, or build another in {} with `estoc build \
         --precision {} MESH`",
        precision(*.is_f64), loader(*.is_f64), precision(!*.is_f64), precision(!*.is_f64)
    )]
    Precision {
        /// The file.
        file: String,
        /// Whether the triangles are in `f64`.
        is_f64: bool,
    },
    /// The file is shorter than its header says.
    #[error(
        "{file}: is truncated: {length} of {needed} bytes; copy or build it again with `estoc build`"
    )]
    Truncated {
        /// The file.
        file: String,
        /// The number of bytes present.
        length: u64,
        /// The number of bytes needed.
        needed: u64,
    },
    /// The file is longer than its header says.
    #[error(
        "{file}: has {length} bytes instead of {needed}; copy or build it again with `estoc build`"
    )]
    TooLong {
        /// The file.
        file: String,
        /// The number of bytes present.
        length: u64,
        /// The number of bytes in the header.
        needed: u64,
    },
    /// The header or the table of sections has an impossible value.
    #[error(
        "{file}: invalid {field} {value} at byte {offset}: {problem}; build it again with `estoc build`"
    )]
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
    #[error(
        "{file}: in section \"{section}\" at byte {offset}: {problem}; build it again with `estoc build`"
    )]
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
    #[error("{file}: section \"{section}\" is missing; build it again with `estoc build`")]
    Missing {
        /// The file.
        file: String,
        /// The section.
        section: TreeSection,
    },
    /// Bytes have changed since they were written.
    #[error(
        "{file}: bytes {from} to {to} (section \"{section}\") are damaged; copy or build it again with `estoc build`"
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
    #[error("{file}: {source}; build it again with `estoc build`")]
    Tree {
        /// The file.
        file: String,
        /// The problem.
        source: ValidateError,
    },
    /// There is not enough memory for the tree.
    #[error("{file}: not enough memory to read {}; free some, or map the file", size(*.bytes))]
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
    #[error("{file}: tree files need a little-endian machine; build the tree from the mesh")]
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

/// Returns the type of coordinates.
fn precision(is_f64: bool) -> &'static str {
    if is_f64 { "f64" } else { "f32" }
}

/// Returns the methods that load them.
fn loader(is_f64: bool) -> &'static str {
    if is_f64 { "`load_f64`" } else { "`load`" }
}

/// Formats a number of bytes with a unit, rounded for people.
fn size(bytes: u64) -> String {
    const KIB: u64 = 1 << 10;
    const MIB: u64 = 1 << 20;
    const GIB: u64 = 1 << 30;
    let of = |unit: u64| bytes as f64 / unit as f64;
    match bytes {
        GIB.. => format!("{:.1} GiB", of(GIB)),
        MIB..GIB => format!("{:.1} MiB", of(MIB)),
        KIB..MIB => format!("{:.1} KiB", of(KIB)),
        0..KIB => counted(bytes, "byte"),
    }
}
