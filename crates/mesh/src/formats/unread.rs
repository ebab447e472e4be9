//! Formats that are not supported, so that such a file is not taken for a damaged OBJ file.

use super::name_end;

/// A format that is not supported.
struct Unread {
    name: &'static str,
    /// The usual file name extensions.
    extensions: &'static [&'static str],
    /// The possible first bytes of a file; the first format that matches is used.
    starts: &'static [&'static [u8]],
}

/// The formats that users are likely to try.
const TABLE: [Unread; 18] = [
    of("FBX", &["fbx"], &[b"Kaydara FBX Binary", b"; FBX"]),
    of("COLLADA", &["dae"], &[]),
    of("3MF", &["3mf"], &[]),
    of(
        "USD",
        &["usd", "usda", "usdc", "usdz"],
        &[b"PXR-USDC", b"#usda"],
    ),
    of("Blender's format", &["blend"], &[b"BLENDER"]),
    of("STEP", &["step", "stp"], &[b"ISO-10303-21"]),
    of("IGES", &["iges", "igs"], &[]),
    of("3DS", &["3ds"], &[]),
    of("X3D", &["x3d"], &[]),
    of("VRML", &["wrl"], &[b"#VRML"]),
    of("PNG", &["png"], &[b"\x89PNG\r\n\x1a\n"]),
    of("JPEG", &["jpg", "jpeg"], &[b"\xff\xd8\xff"]),
    of("GIF", &["gif"], &[b"GIF87a", b"GIF89a"]),
    of("WebP", &["webp"], &[]),
    of("TIFF", &["tif", "tiff"], &[b"II*\0", b"MM\0*"]),
    of("PDF", &["pdf"], &[b"%PDF-"]),
    of("ZIP", &["zip"], &[b"PK\x03\x04"]),
    of("xz", &["xz"], &[b"\xfd7zXZ\0"]),
];

const fn of(
    name: &'static str,
    extensions: &'static [&'static str],
    starts: &'static [&'static [u8]],
) -> Unread {
    Unread {
        name,
        extensions,
        starts,
    }
}

/// Returns the unsupported format that the head of a file indicates; `name` distinguishes archives.
pub(crate) fn of_content(head: &[u8], name: &str) -> Option<&'static str> {
    let text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    let begins = |unread: &&Unread| unread.starts.iter().any(|start| text.starts_with(start));
    let found = TABLE.iter().find(begins)?;
    // 3MF and USDZ files are archives.
    let named = of_name(name).filter(|_| found.name == "ZIP");
    Some(named.unwrap_or(found.name))
}

/// Returns the unsupported format that a file name indicates, ignoring `.gz` and `.zst`.
pub(crate) fn of_name(name: &str) -> Option<&'static str> {
    let end = name_end(name)?;
    let is_named = |unread: &&Unread| {
        let mut extensions = unread.extensions.iter();
        extensions.any(|extension| extension.eq_ignore_ascii_case(end))
    };
    Some(TABLE.iter().find(is_named)?.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_and_names_tell() {
        let content = |head: &[u8], name: &str| of_content(head, name);
        assert_eq!(content(b"Kaydara FBX Binary  \0", "a.obj"), Some("FBX"));
        assert_eq!(content(b"\xff\xd8\xff\xe0", "<stdin>"), Some("JPEG"));
        assert_eq!(content(b"PK\x03\x04", "part.3MF"), Some("3MF"));
        assert_eq!(content(b"PK\x03\x04", "part"), Some("ZIP"));
        assert_eq!(content(b"v 0 0 0\n", "a.png"), None);
        assert_eq!(of_name("scene.dae.gz"), Some("COLLADA"));
        assert_eq!(of_name("dae"), None);
        assert_eq!(of_name("a.obj"), None);
    }
}
