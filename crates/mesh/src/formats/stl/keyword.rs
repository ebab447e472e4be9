//! The keywords of STL as text.

/// A keyword.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Keyword {
    Solid,
    Facet,
    Outer,
    Loop,
    Vertex,
    /// The first word of `end loop`, `end facet` and `end solid`.
    End,
    EndLoop,
    EndFacet,
    EndSolid,
}

impl Keyword {
    pub(super) fn name(self) -> &'static str {
        match self {
            Keyword::Solid => "solid",
            Keyword::Facet => "facet",
            Keyword::Outer => "outer",
            Keyword::Loop => "loop",
            Keyword::Vertex => "vertex",
            Keyword::End => "end",
            Keyword::EndLoop => "endloop",
            Keyword::EndFacet => "endfacet",
            Keyword::EndSolid => "endsolid",
        }
    }

    /// Returns the keyword that a word is, in upper or lower case.
    #[inline]
    pub(super) fn of(word: &[u8]) -> Option<Keyword> {
        let of_length: &[Keyword] = match word.len() {
            3 => &[Keyword::End],
            4 => &[Keyword::Loop],
            5 => &[Keyword::Facet, Keyword::Outer, Keyword::Solid],
            6 => &[Keyword::Vertex],
            7 => &[Keyword::EndLoop],
            8 => &[Keyword::EndFacet, Keyword::EndSolid],
            _ => &[],
        };
        let mut of_length = of_length.iter().copied();
        of_length.find(|keyword| word.eq_ignore_ascii_case(keyword.name().as_bytes()))
    }
}
