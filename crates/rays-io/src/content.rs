//! What a file is by its content: what is read as rays or points, and what is something else.

use crate::input_error::{InputError, InputProblem};
use crate::item::Item;
use crate::table_format::TableFormat;
use estoc_mesh::Format;
use estoc_mesh::parts::{TREE_FILE_START, foreign_format, mesh_format};

/// The number of bytes that tell what a file is read as.
pub(crate) const HEAD: usize = 6;

/// The number of bytes that tell what else a file is, if it has that many.
pub(crate) const FOREIGN_HEAD: usize = 4096;

/// What a file is read as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    /// CSV, or points without names of columns.
    Text,
    Npy,
    /// An archive of arrays.
    Npz,
    Parquet,
    /// For points only.
    Ply,
}

impl Content {
    /// Recognises what a file of items is read as.
    pub(crate) fn of<T: Item>(head: &[u8]) -> Content {
        match (TableFormat::of_content(head), head) {
            (Some(TableFormat::Npy), _) => Content::Npy,
            (Some(TableFormat::Parquet), _) => Content::Parquet,
            (_, [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..]) => Content::Npz,
            (_, [b'p', b'l', b'y', after, ..]) if T::IS_POINT && after.is_ascii_whitespace() => {
                Content::Ply
            }
            _ => Content::Text,
        }
    }
}

/// Returns the error for a file that begins with `head` and is something else than items; `None` if nothing
/// tells that. `length` is that of the whole file, if known.
pub(crate) fn foreign<T: Item>(name: &str, head: &[u8], length: Option<u64>) -> Option<InputError> {
    let head = &head[..head.len().min(FOREIGN_HEAD)];
    let is_control = |&byte: &u8| byte < 9 || (14..32).contains(&byte);
    let what = match (foreign_format(head, name), mesh_format(head, length)) {
        (Some(what), _) => what.to_owned(),
        (None, _) if head.starts_with(&TREE_FILE_START) => "a tree file".to_owned(),
        // All that begins with a brace is taken for glTF.
        (None, Some(Format::Gltf))
            if memchr::memmem::find(head, b"\"asset\"").is_none() && !head.starts_with(b"glTF") =>
        {
            "JSON".to_owned()
        }
        (None, Some(format @ (Format::Obj | Format::Stl | Format::Off))) => {
            format!("an {format} mesh")
        }
        (None, Some(Format::Ply)) => "a PLY mesh or point cloud".to_owned(),
        (None, Some(format)) => format!("a {format} mesh"),
        (None, None) if head.starts_with(b"\xff\xfe") || head.starts_with(b"\xfe\xff") => {
            "text in UTF-16".to_owned()
        }
        (None, None) if head.iter().any(is_control) => "binary data of no known format".to_owned(),
        (None, None) => return None,
    };
    let problem = InputProblem::Foreign {
        what,
        items: T::PLURAL,
        read: match T::IS_POINT {
            true => {
                "CSV, NPY, NPZ with one array, Parquet, PLY and text with three numbers or more a line"
            }
            false => "CSV, NPY, NPZ with one array and Parquet",
        },
    };
    Some(problem.of_file(name))
}
