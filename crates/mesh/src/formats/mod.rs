//! The formats of meshes: the name, recognition and reader of each.

pub(crate) mod input;
pub(crate) mod obj;
pub(crate) mod sibling_file;

#[cfg(feature = "gltf")]
mod gltf;
mod off;
pub(crate) mod ply;
mod scalar;
mod stl;
mod text_words;

#[cfg(feature = "gltf")]
pub(crate) use gltf::read_nodes;

use crate::assemble::draft::Draft;
use crate::error::MeshError;
use crate::format::{Format, FormatError, name_end};
use core::fmt;
use core::str::FromStr;
use input::MeshInput;
use std::io;

/// The number of bytes from which the format of a file is recognised.
pub(crate) const HEAD: usize = 4096;

/// The properties of a format.
struct Properties {
    name: &'static str,
    /// The usual file name extensions.
    extensions: &'static [&'static str],
    /// Returns whether a file is of the format.
    recognises: fn(&Head<'_>) -> bool,
    reader: FormatReader,
}

/// The beginning of a file.
struct Head<'a> {
    bytes: &'a [u8],
    /// The same without the byte order mark of UTF-8.
    text: &'a [u8],
    /// The length of the whole file, if known.
    length: Option<u64>,
}

/// Opens a file that a mesh names, and reads at most a given number of its bytes.
pub(crate) type OpenSibling<'a> = dyn Fn(&str, u64) -> io::Result<Vec<u8>> + 'a;

/// The reader of a format.
#[derive(Clone, Copy)]
pub(crate) enum FormatReader {
    /// The [`ObjLoader`](obj::ObjLoader), which parses a text with all threads.
    Obj,
    /// A reader that appends vertices and faces in the order of the file.
    Draft(fn(&mut MeshInput<'_>, &mut Draft, &OpenSibling<'_>) -> Result<(), MeshError>),
    /// None, because this feature is off.
    #[cfg_attr(
        feature = "gltf",
        allow(dead_code, reason = "every reader is compiled")
    )]
    FeatureOff(&'static str),
}

impl Format {
    /// Every format, in no particular order.
    pub const ALL: &'static [Format] = &[
        Format::Obj,
        Format::Ply,
        Format::Stl,
        Format::Gltf,
        Format::Off,
    ];

    /// All formats in the order in which they are recognised: first those whose text begins with a mark.
    const BY_CONTENT: [Format; Format::ALL.len()] = [
        Format::Ply,
        Format::Gltf,
        Format::Obj,
        Format::Stl,
        Format::Off,
    ];

    fn properties(self) -> Properties {
        match self {
            Format::Obj => Properties {
                name: "OBJ",
                extensions: &["obj"],
                recognises: |head| obj::is_obj(head.text),
                reader: FormatReader::Obj,
            },
            Format::Ply => Properties {
                name: "PLY",
                extensions: &["ply"],
                recognises: |head| ply::is_ply(head.text),
                reader: FormatReader::Draft(|input, draft, _| ply::read(input, draft)),
            },
            Format::Stl => Properties {
                name: "STL",
                extensions: &["stl"],
                recognises: |head| stl::is_stl(head.bytes, head.length),
                reader: FormatReader::Draft(|input, draft, _| stl::read(input, draft)),
            },
            Format::Gltf => Properties {
                name: "glTF",
                extensions: &["gltf", "glb"],
                recognises: |head| {
                    let text = head.text;
                    text.starts_with(b"glTF") || text.trim_ascii_start().starts_with(b"{")
                },
                #[cfg(feature = "gltf")]
                reader: FormatReader::Draft(gltf::read),
                #[cfg(not(feature = "gltf"))]
                reader: FormatReader::FeatureOff("gltf"),
            },
            Format::Off => Properties {
                name: "OFF",
                extensions: &["off"],
                recognises: |head| off::is_off(head.text),
                reader: FormatReader::Draft(|input, draft, _| off::read(input, draft)),
            },
        }
    }

    pub(crate) fn reader(self) -> FormatReader {
        self.properties().reader
    }

    /// Returns the name of the format.
    pub(crate) fn name(self) -> &'static str {
        self.properties().name
    }

    /// Returns the likely format of a file that neither its content nor its name tells.
    pub(crate) fn likely(head: &[u8]) -> Format {
        // Every other format has a mark or is text.
        match stl::may_be_binary(head) {
            true => Format::Stl,
            false => Format::Obj,
        }
    }

    /// Recognises the format from a file name, ignoring `.gz` and `.zst`.
    pub(crate) fn of_name(name: &str) -> Option<Format> {
        name_end(name)?.parse().ok()
    }

    /// Names all formats, as in "OBJ, PLY or STL".
    pub(crate) fn list() -> String {
        let names = Format::ALL.iter().map(|format| format.name());
        // glTF is last, because some builds do not read it.
        let is_gltf = |name: &&str| *name == Format::Gltf.name();
        let (last, mut names): (Vec<&str>, Vec<&str>) = names.partition(is_gltf);
        names.extend(last);
        listed(&names, "or")
    }

    /// Names the extensions of all formats, as in "obj, ply and stl".
    pub(crate) fn extensions() -> String {
        let all = Format::ALL.iter();
        let all = all.flat_map(|format| format.properties().extensions);
        listed(&all.copied().collect::<Vec<_>>(), "and")
    }
}

/// Recognises the format of a mesh from the first bytes of a file, 4096 if it has as many; `length` is
/// that of the whole file, if known.
pub fn mesh_format(head: &[u8], length: Option<u64>) -> Option<Format> {
    let head = Head {
        bytes: head,
        text: head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head),
        length,
    };
    let recognises = |format: &Format| (format.properties().recognises)(&head);
    Format::BY_CONTENT.into_iter().find(recognises)
}

fn listed(names: &[&str], before_last: &str) -> String {
    match names.split_last() {
        Some((last, others)) => format!("{} {before_last} {last}", others.join(", ")),
        None => String::new(),
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Format {
    type Err = FormatError;

    /// Parses a usual file name extension, in upper or lower case.
    fn from_str(text: &str) -> Result<Format, FormatError> {
        let known = |format: &Format| {
            let mut extensions = format.properties().extensions.iter();
            extensions.any(|extension| extension.eq_ignore_ascii_case(text))
        };
        let format = Format::ALL.iter().copied().find(known);
        format.ok_or_else(|| FormatError {
            name: text.to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_tells() {
        let mut binary_stl = vec![b'x'; 80];
        binary_stl.extend([0; 4]);
        let length = binary_stl.len() as u64;
        let table: [(&[u8], Option<Format>); 26] = [
            (b"", None),
            (b"v 0 0 0\n", Some(Format::Obj)),
            (
                b"\xef\xbb\xbf# by hand\r\n\r\n  g one\r\n",
                Some(Format::Obj),
            ),
            (b"# only a comment\n", None),
            (b"v 0 0 0\n\0", None),
            (b"vertex 0 0 0\n", None),
            (b"p", None),
            (b"o \n", None),
            (b"3 1 0\nv", None),
            (b"ply\nformat ascii 1.0\n", Some(Format::Ply)),
            (b"ply\r\nformat ascii 1.0\r\n", Some(Format::Ply)),
            (b"plywood 3\n", None),
            (b"glTF\x02\0\0\0", Some(Format::Gltf)),
            (b"\xef\xbb\xbf \n{\"asset\":", Some(Format::Gltf)),
            (b"OFF\n3 1 3\n", Some(Format::Off)),
            (b"# made by hand\nCOFF\n", Some(Format::Off)),
            (b"OFF8 6 12", Some(Format::Off)),
            (b"OFFSET 8", None),
            (b"STOFF\n", Some(Format::Off)),
            (b"solid a\n facet normal 0 0 1\n", Some(Format::Stl)),
            (b"SOLID\nENDSOLID\n", Some(Format::Stl)),
            (b"solid ground\nv 0 0 0\n", None),
            (b"solid\n", None),
            (b"solid and yet binary \0\0", Some(Format::Stl)),
            (&binary_stl, Some(Format::Stl)),
            (&binary_stl[..83], None),
        ];
        for (head, format) in table {
            let told = mesh_format(head, Some(head.len() as u64));
            assert_eq!(told, format, "{:?}", String::from_utf8_lossy(head));
        }
        assert_eq!(mesh_format(&binary_stl, Some(length + 1)), None);
    }

    #[test]
    fn names_tell() {
        for (name, format) in [
            ("a.obj", Some(Format::Obj)),
            ("b/c.d/a.PLY", Some(Format::Ply)),
            ("a.stl.gz", Some(Format::Stl)),
            ("a.off.ZST", Some(Format::Off)),
            ("a.glb.zstd", Some(Format::Gltf)),
            ("a.gz", None),
            (".gz", None),
            ("gz", None),
            ("a.gltf.bak", None),
            ("größe", None),
            ("ö.gltf", Some(Format::Gltf)),
            ("", None),
        ] {
            assert_eq!(Format::of_name(name), format, "{name}");
        }
        for &format in Format::ALL {
            assert_eq!(format.to_string().parse(), Ok(format));
        }
    }
}
