//! The kinds of statements.

use super::statement_words::keyword;

/// The kind of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// An empty statement or a comment.
    Empty,
    Vertex,
    Texture,
    Normal,
    Face,
    Line,
    Point,
    Object,
    Group,
    Material,
    Library,
    /// Appearance or tessellation; no geometry.
    Appearance,
    /// Curves, surfaces, and calls of other files: geometry that is not supported.
    FreeForm,
    Unknown,
}

/// Returns whether the first statement of a text is one of OBJ with an argument, and the text has no
/// zero bytes.
pub(crate) fn is_obj(text: &[u8]) -> bool {
    let lines = text.split(|&byte| byte == b'\n' || byte == b'\r');
    let first = lines.map(split).find(|(kind, _)| *kind != Kind::Empty);
    let is_statement = |(kind, rest): (Kind, &[u8])| {
        !matches!(kind, Kind::Unknown | Kind::FreeForm) && !rest.trim_ascii().is_empty()
    };
    first.is_some_and(is_statement) && memchr::memchr(0, text).is_none()
}

/// Returns the kind of a statement, and the text after its keyword.
pub(super) fn split(line: &[u8]) -> (Kind, &[u8]) {
    let (keyword, rest) = keyword(line);
    (kind(keyword), rest)
}

fn kind(keyword: &[u8]) -> Kind {
    match keyword {
        b"v" => Kind::Vertex,
        // `fo` is the face keyword before version 3.
        b"f" | b"fo" => Kind::Face,
        b"vt" => Kind::Texture,
        b"vn" => Kind::Normal,
        b"" => Kind::Empty,
        b"l" => Kind::Line,
        b"p" => Kind::Point,
        b"o" => Kind::Object,
        b"g" => Kind::Group,
        b"usemtl" => Kind::Material,
        b"mtllib" => Kind::Library,
        b"s" | b"mg" | b"bevel" | b"c_interp" | b"d_interp" | b"lod" | b"usemap" | b"maplib"
        | b"shadow_obj" | b"trace_obj" | b"ctech" | b"stech" => Kind::Appearance,
        b"vp" | b"cstype" | b"deg" | b"bmat" | b"step" | b"curv" | b"curv2" | b"surf" | b"parm"
        | b"trim" | b"hole" | b"scrv" | b"sp" | b"end" | b"con" | b"bzp" | b"bsp" | b"cdc"
        | b"cdp" | b"res" | b"call" | b"csh" => Kind::FreeForm,
        _ => Kind::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_end_at_blanks_and_comments() {
        let table: [(&[u8], Kind, &[u8]); 8] = [
            (b"", Kind::Empty, b""),
            (b"  # v 1", Kind::Empty, b"# v 1"),
            (b"\t v 1 2", Kind::Vertex, b" 1 2"),
            (b"v", Kind::Vertex, b""),
            (b"g#x", Kind::Group, b"#x"),
            (b"fo\t1", Kind::Face, b"\t1"),
            (b"V 1", Kind::Unknown, b" 1"),
            (b"v1 2 3", Kind::Unknown, b" 2 3"),
        ];
        for (line, kind, rest) in table {
            assert_eq!(
                split(line),
                (kind, rest),
                "{}",
                String::from_utf8_lossy(line)
            );
        }
    }
}
