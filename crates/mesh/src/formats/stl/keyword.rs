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

const NAMES: [(&str, Keyword); 9] = [
    ("vertex", Keyword::Vertex),
    ("facet", Keyword::Facet),
    ("outer", Keyword::Outer),
    ("loop", Keyword::Loop),
    ("endloop", Keyword::EndLoop),
    ("endfacet", Keyword::EndFacet),
    ("solid", Keyword::Solid),
    ("endsolid", Keyword::EndSolid),
    ("end", Keyword::End),
];

impl Keyword {
    pub(super) fn name(self) -> &'static str {
        let found = NAMES.iter().find(|(_, keyword)| *keyword == self);
        found.map_or("", |(name, _)| name)
    }

    /// Returns the keyword that a word is, in upper or lower case.
    #[inline]
    pub(super) fn of(word: &[u8]) -> Option<Keyword> {
        let is_word = |name: &str| word.eq_ignore_ascii_case(name.as_bytes());
        let found = NAMES.iter().find(|(name, _)| is_word(name))?;
        Some(found.1)
    }
}
