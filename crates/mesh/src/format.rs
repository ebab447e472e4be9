//! Which format a mesh is in: what its first bytes say, then what its name says.

use core::fmt;
use core::str::FromStr;

use super::{off, ply, stl};

/// How many bytes of a file are looked at to tell its format.
pub(super) const HEAD: usize = 4096;

/// A format that [`MeshLoader`](crate::MeshLoader) reads.
///
/// ```
/// use estoc_mesh::Format;
/// assert_eq!("glb".parse(), Ok(Format::Gltf));
/// assert_eq!(Format::Gltf.to_string(), "glTF");
/// let error = "fbx".parse::<Format>().unwrap_err();
/// assert_eq!(error.to_string(), "no format \"fbx\"; there are obj, ply, stl, gltf, glb and off");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// Wavefront OBJ, read as by [`ObjLoader`](crate::ObjLoader).
    Obj,
    /// Stanford PLY: text, and binary of either byte order.
    Ply,
    /// STL: text and binary.
    Stl,
    /// glTF 2.0: `.gltf` and `.glb`. With the feature `gltf`.
    Gltf,
    /// Geomview OFF as text.
    Off,
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

    /// What the beginning of a file says; `length` is that of the whole file, where it is
    /// known. Nothing marks an OBJ file.
    pub(super) fn of_content(head: &[u8], length: Option<u64>) -> Option<Format> {
        let text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
        if text.starts_with(b"glTF") || text.trim_ascii_start().starts_with(b"{") {
            Some(Format::Gltf)
        } else if ply::is_ply(text) {
            Some(Format::Ply)
        } else if stl::is_stl(head, length) {
            Some(Format::Stl)
        } else if off::is_off(text) {
            Some(Format::Off)
        } else {
            None
        }
    }

    /// What the end of a file's name says, `.gz` and `.zst` aside.
    pub(super) fn of_name(name: &str) -> Option<Format> {
        let ends_with = |name: &str, end: &str| {
            let start = name.len().checked_sub(end.len())?;
            let found = name.get(start..)?;
            found.eq_ignore_ascii_case(end).then_some(start)
        };
        let packed = [".gz", ".zst", ".zstd"];
        let packed = packed.iter().find_map(|end| ends_with(name, end));
        let name = &name[..packed.unwrap_or(name.len())];
        let (_, extension) = name.rsplit_once('.')?;
        extension.parse().ok()
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Format::Obj => "OBJ",
            Format::Ply => "PLY",
            Format::Stl => "STL",
            Format::Gltf => "glTF",
            Format::Off => "OFF",
        })
    }
}

impl FromStr for Format {
    type Err = FormatError;

    /// The usual end of file names, in letters of either case.
    fn from_str(text: &str) -> Result<Format, FormatError> {
        match text.to_ascii_lowercase().as_str() {
            "obj" => Ok(Format::Obj),
            "ply" => Ok(Format::Ply),
            "stl" => Ok(Format::Stl),
            "gltf" | "glb" => Ok(Format::Gltf),
            "off" => Ok(Format::Off),
            _ => Err(FormatError {
                name: text.to_owned(),
            }),
        }
    }
}

/// There is no format of that name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no format {name:?}; there are obj, ply, stl, gltf, glb and off")]
#[non_exhaustive]
pub struct FormatError {
    /// The name.
    pub name: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_tells() {
        let mut binary_stl = vec![b'x'; 80];
        binary_stl.extend([0; 4]);
        let length = binary_stl.len() as u64;
        let table: [(&[u8], Option<Format>); 19] = [
            (b"", None),
            (b"v 0 0 0\n", None),
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
            let told = Format::of_content(head, Some(head.len() as u64));
            assert_eq!(told, format, "{:?}", String::from_utf8_lossy(head));
        }
        assert_eq!(Format::of_content(&binary_stl, Some(length + 1)), None);
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
