//! Formats that are not supported, so that such a file is not taken for a damaged mesh.

use crate::format::{Format, name_end};

/// A format that is not supported: its name, its kind, the usual file name extensions, separated by
/// blanks, and what a file may contain.
type Foreign = (&'static str, Kind, &'static str, &'static [Mark]);

/// What to do with a file.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// Convert it.
    Mesh,
    /// Unpack it.
    Packed,
    /// Nothing: it contains no mesh.
    Other,
}

/// Bytes that tell a format.
enum Mark {
    /// At this offset, for text after the byte order mark of UTF-8.
    At(usize, &'static [u8]),
    /// Anywhere in the head of a file that begins with the first bytes.
    Within(&'static [u8], &'static [u8]),
}

use Kind::{Mesh, Other, Packed};
use Mark::{At, Within};

/// The formats that users are likely to try; the first one with a matching mark is used.
#[rustfmt::skip]
const TABLE: [Foreign; 36] = [
    ("FBX", Mesh, "fbx", &[At(0, b"Kaydara FBX Binary"), At(0, b"; FBX")]),
    ("COLLADA", Mesh, "dae", &[Within(b"<", b"<COLLADA")]),
    ("3MF", Mesh, "3mf", &[Within(ZIP, b"3D/3dmodel.model")]),
    ("USD", Mesh, "usd usda usdc usdz", &[At(0, b"PXR-USDC"), At(0, b"#usda")]),
    ("Blender's format", Mesh, "blend", &[At(0, b"BLENDER")]),
    ("STEP", Mesh, "step stp", &[At(0, b"ISO-10303-21")]),
    ("IGES", Mesh, "iges igs", &[]),
    ("3DS", Mesh, "3ds", &[]),
    ("X3D", Mesh, "x3d", &[Within(b"<", b"<X3D")]),
    ("VRML", Mesh, "wrl", &[At(0, b"#VRML")]),
    ("VTK", Mesh, "vtk vtp vtu", &[At(0, b"# vtk DataFile"), Within(b"<", b"<VTKFile")]),
    ("MSH", Mesh, "msh", &[At(0, b"$MeshFormat"), At(0, b"$NOD")]),
    ("SMD", Mesh, "smd", &[At(0, b"version 1\n"), At(0, b"version 1\r\n")]),
    ("DirectX X", Mesh, "x", &[At(0, b"xof 0")]),
    ("HDF5", Mesh, "h5 hdf5", &[At(0, b"\x89HDF\r\n\x1a\n")]),
    ("ZIP", Packed, "zip", &[]),
    ("xz", Packed, "xz", &[At(0, b"\xfd7zXZ\0")]),
    // The fourth byte is a digit.
    ("bz2", Packed, "bz2", &[At(4, b"1AY&SY")]),
    ("7z", Packed, "7z", &[At(0, b"7z\xbc\xaf\x27\x1c")]),
    ("tar", Packed, "tar", &[At(257, b"ustar")]),
    ("a PNG picture", Other, "png", &[At(0, b"\x89PNG\r\n\x1a\n")]),
    ("a JPEG picture", Other, "jpg jpeg", &[At(0, b"\xff\xd8\xff")]),
    ("a GIF picture", Other, "gif", &[At(0, b"GIF87a"), At(0, b"GIF89a")]),
    ("a WebP picture", Other, "webp", &[At(8, b"WEBPVP8")]),
    ("a TIFF picture", Other, "tif tiff", &[At(0, b"II*\0"), At(0, b"MM\0*")]),
    ("a PDF document", Other, "pdf", &[At(0, b"%PDF-")]),
    ("an HTML page", Other, "html htm", &[Within(b"<", b"<html"), At(0, b"<!DOCTYPE html")]),
    ("a Git LFS pointer", Other, "", &[At(0, b"version https://git-lfs")]),
    ("an ELF program", Other, "so", &[At(0, b"\x7fELF")]),
    ("a Windows program", Other, "exe dll", &[At(0, b"MZ\x90\0")]),
    ("a PCD point cloud", Other, "pcd", &[At(0, b"# .PCD"), At(0, b"VERSION .7"), At(0, b"VERSION 0.7")]),
    ("a LAS point cloud", Other, "las laz", &[At(0, b"LASF")]),
    ("an E57 point cloud", Other, "e57", &[At(0, b"ASTM-E57")]),
    ("an NPY array", Other, "npy", &[At(0, b"\x93NUMPY")]),
    ("an NPZ archive", Other, "npz", &[Within(ZIP, b".npy")]),
    ("a Parquet table", Other, "parquet", &[At(0, b"PAR1")]),
];

/// The first bytes of a ZIP archive.
const ZIP: &[u8] = b"PK\x03\x04";

impl Mark {
    fn is_in(&self, head: &[u8]) -> bool {
        match *self {
            At(offset, bytes) => head.get(offset..).is_some_and(|at| at.starts_with(bytes)),
            Within(start, bytes) => {
                head.starts_with(start) && memchr::memmem::find(head, bytes).is_some()
            }
        }
    }
}

/// Returns the unsupported format that the head of a file indicates, as in "FBX" or "an ELF
/// program"; `name` distinguishes archives.
pub fn foreign_format(head: &[u8], name: &str) -> Option<&'static str> {
    let text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    let is_marked = |(.., marks): &&Foreign| marks.iter().any(|mark| mark.is_in(text));
    match TABLE.iter().find(is_marked) {
        Some((found, ..)) => Some(found),
        // Many formats are archives.
        None => text
            .starts_with(ZIP)
            .then(|| of_name(name).unwrap_or("ZIP")),
    }
}

/// Returns the unsupported format that a file name indicates, ignoring `.gz` and `.zst`.
pub(crate) fn of_name(name: &str) -> Option<&'static str> {
    let end = name_end(name)?;
    let is_named = |(.., extensions, _): &&Foreign| {
        let mut extensions = extensions.split_whitespace();
        extensions.any(|extension| extension.eq_ignore_ascii_case(end))
    };
    Some(TABLE.iter().find(is_named)?.0)
}

/// Returns what is wrong with a file of this unsupported format, and what to do about it.
pub(crate) fn problem(name: &str) -> String {
    let found = TABLE.iter().find(|foreign| foreign.0 == name);
    match found.map(|foreign| foreign.1) {
        Some(Other) => format!("is {name}, not a mesh"),
        Some(Packed) => format!("{name} is not supported; unpack it first"),
        Some(Mesh) | None => {
            format!("{name} is not supported; convert it to {}", Format::list())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_and_names_tell() {
        let tar = [&[b'a'; 257][..], b"ustar\0"].concat();
        let table: [(&[u8], &str, &str); 18] = [
            (b"Kaydara FBX Binary  \0", "a.obj", "FBX"),
            (b"\xff\xd8\xff\xe0", "<stdin>", "a JPEG picture"),
            (b"PK\x03\x04", "part.3MF", "3MF"),
            (b"PK\x03\x04\x14\0\x08\0-3D/3dmodel.model", "part", "3MF"),
            (
                b"PK\x03\x04\x14\0\x08\0-arr_0.npy",
                "part.zip",
                "an NPZ archive",
            ),
            (b"PK\x03\x04", "part", "ZIP"),
            (b"\x7fELF\x02\x01\x01\0", "ls", "an ELF program"),
            (b"# vtk DataFile Version 4.2\n", "a", "VTK"),
            (
                b"<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\">",
                "a",
                "VTK",
            ),
            (b"$MeshFormat\n4.1 0 8\n", "a", "MSH"),
            (b"version 1\nnodes\n", "a", "SMD"),
            (
                b"version https://git-lfs.github.com/spec/v1\n",
                "a.stl",
                "a Git LFS pointer",
            ),
            (b"xof 0303txt 0032\n", "a", "DirectX X"),
            (b"BZh91AY&SY\0\0", "a", "bz2"),
            (b"7z\xbc\xaf\x27\x1c\0\x04", "a", "7z"),
            (&tar, "a", "tar"),
            (b"# .PCD v0.7\n", "a", "a PCD point cloud"),
            (b"LASF\0\0", "a", "a LAS point cloud"),
        ];
        for (head, name, format) in table {
            assert_eq!(foreign_format(head, name), Some(format));
        }
        assert_eq!(foreign_format(b"v 0 0 0\n", "a.png"), None);
        assert_eq!(foreign_format(b"# made by <VTKFile\nv 0 0 0\n", "a"), None);
        assert_eq!(of_name("scene.dae.gz"), Some("COLLADA"));
        assert_eq!(of_name("dae"), None);
        assert_eq!(of_name("a."), None);
        assert_eq!(of_name("a.obj"), None);
    }

    #[test]
    fn problems_say_what_to_do() {
        assert_eq!(problem("an HTML page"), "is an HTML page, not a mesh");
        assert_eq!(problem("bz2"), "bz2 is not supported; unpack it first");
        assert!(problem("FBX").starts_with("FBX is not supported; convert it to OBJ"));
    }
}
