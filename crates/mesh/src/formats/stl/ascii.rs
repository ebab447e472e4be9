//! Reads STL as text: a stream of words, whatever the lines.

use super::keyword::Keyword;
use crate::assemble::draft::Draft;
use crate::error::MeshError;
use crate::formats::input::MeshInput;
use crate::formats::text_words::TextWords;
use crate::frame::RoundedCoordinate;
use crate::text::number::parse_f32;
use crate::text::{name, quote, shown, words};

/// The construct that is open at the current word.
#[derive(Clone, Copy, PartialEq)]
enum Open {
    Nothing,
    Solid,
    Facet,
    Loop,
    /// A facet whose loop is complete.
    FacetWithLoop,
    /// A facet that is skipped.
    BadFacet,
}

impl Open {
    fn in_words(self) -> &'static str {
        match self {
            Open::Nothing => "outside of any solid",
            Open::Solid => "within a solid",
            Open::Facet | Open::BadFacet => "within a facet",
            Open::Loop => "within a loop",
            Open::FacetWithLoop => "after the loop of a facet",
        }
    }

    /// Returns whether a keyword may follow.
    fn allows(self, keyword: Keyword) -> bool {
        match self {
            Open::Nothing => keyword == Keyword::Solid,
            Open::Solid => matches!(keyword, Keyword::Solid | Keyword::Facet | Keyword::EndSolid),
            Open::Facet => matches!(keyword, Keyword::Outer | Keyword::EndFacet),
            Open::Loop => matches!(keyword, Keyword::Loop | Keyword::Vertex | Keyword::EndLoop),
            Open::FacetWithLoop => keyword == Keyword::EndFacet,
            Open::BadFacet => true,
        }
    }
}

struct AsciiReader<'w, 'i, 'a> {
    words: TextWords<'i, 'a>,
    draft: &'w mut Draft,
    open: Open,
    /// The line of the first word in the facet that is not understood, and the word, for errors.
    unknown: Option<(u64, String)>,
    /// The line and the name of the last solid.
    line: u64,
    name: String,
    /// The number of faces before it.
    faces_before: u64,
}

pub(super) fn read(input: &mut MeshInput<'_>, draft: &mut Draft) -> Result<(), MeshError> {
    let mut reader = AsciiReader {
        words: TextWords::new(input, None),
        draft,
        open: Open::Nothing,
        unknown: None,
        line: 0,
        name: String::new(),
        faces_before: 0,
    };
    while reader.words.advance()? {
        match Keyword::of(reader.words.word()) {
            None => reader.unknown(),
            Some(Keyword::End) => reader.end()?,
            Some(keyword) => reader.keyword(keyword)?,
        }
    }
    match reader.open {
        Open::Nothing => Ok(()),
        // A solid without facets is rather the beginning of one.
        Open::Solid if reader.draft.face_count() > reader.faces_before => {
            reader.draft.report.unended_solids.add_line(reader.line);
            Ok(())
        }
        open => {
            let problem = format!("the file ends {}", open.in_words());
            Err(reader.words.input.bad_line(problem))
        }
    }
}

impl AsciiReader<'_, '_, '_> {
    /// Ignores a word that is not understood: with the rest of its line, if it is the first there.
    fn unknown(&mut self) {
        let (line, word) = (self.words.input.line_number(), self.words.word());
        self.unknown.get_or_insert_with(|| (line, quote(word)));
        self.draft.report.unknown_statements.add_line(line);
        if self.words.is_first_in_line() {
            self.words.skip_line();
        } else {
            while self.words.advance_in_line() {
                if Keyword::of(self.words.word()).is_some() {
                    self.words.step_back();
                    return;
                }
            }
        }
    }

    /// Reads a keyword whose first word is `end`.
    fn end(&mut self) -> Result<(), MeshError> {
        let line = self.words.input.line_number();
        let is_next = self.words.advance()?;
        let ends = match Keyword::of(self.words.word()).filter(|_| is_next) {
            Some(Keyword::Solid) => Keyword::EndSolid,
            Some(Keyword::Facet) => Keyword::EndFacet,
            Some(Keyword::Loop) => Keyword::EndLoop,
            _ => {
                self.draft.report.unknown_statements.add_line(line);
                self.words.step_back();
                return Ok(());
            }
        };
        self.keyword(ends)
    }

    fn keyword(&mut self, keyword: Keyword) -> Result<(), MeshError> {
        if !self.open.allows(keyword) {
            self.misplaced(keyword)?;
        }
        self.open = match (keyword, self.open) {
            (Keyword::Solid, open) => {
                if open != Open::Nothing {
                    self.draft.report.unended_solids.add_line(self.line);
                }
                self.solid()?;
                Open::Solid
            }
            (Keyword::EndSolid, _) => {
                self.end_solid();
                Open::Nothing
            }
            (Keyword::Facet, _) => {
                self.unknown = None;
                self.draft.begin_face(Some(self.words.input.line_number()));
                self.skip_normal()?;
                Open::Facet
            }
            (_, Open::BadFacet) if keyword != Keyword::EndFacet => Open::BadFacet,
            (Keyword::Vertex, open) => {
                self.vertex()?;
                open
            }
            (Keyword::Outer, _) => Open::Loop,
            (Keyword::EndLoop, _) => Open::FacetWithLoop,
            (Keyword::EndFacet, open) => {
                let unknown = self.unknown.take().filter(|_| self.draft.arity() < 3);
                match unknown {
                    _ if open == Open::BadFacet => {}
                    Some((line, word)) => self.draft.bad_face(
                        self.words.input.at(line),
                        format!("{word} is not understood"),
                    )?,
                    None => self.draft.end_face()?,
                }
                Open::Solid
            }
            (Keyword::Loop | Keyword::End, open) => open,
        };
        Ok(())
    }

    /// Skips the facet with a keyword in a wrong place, or returns an error.
    fn misplaced(&mut self, keyword: Keyword) -> Result<(), MeshError> {
        let at = self.words.input.at_line();
        let mut problem = format!("unexpected \"{}\" {}", keyword.name(), self.open.in_words());
        if let Some((line, word)) = self.unknown.take() {
            problem += &format!(", after {word} on line {line}, which is not understood");
        }
        match self.open {
            Open::Nothing => return Err(self.words.input.malformed(at, problem)),
            Open::Solid => self.draft.begin_face(at.line),
            _ => {}
        }
        self.open = Open::BadFacet;
        self.draft.bad_face(at, problem)
    }

    /// Begins a solid.
    fn solid(&mut self) -> Result<(), MeshError> {
        self.line = self.words.input.line_number();
        self.faces_before = self.draft.face_count();
        let start = self.words.place().end;
        self.skip_name();
        self.name = name(self.words.line_from(start));
        let name = (!self.name.is_empty()).then(|| shown(&self.name).into_owned());
        Ok(self.draft.objects.set(self.draft.face_count(), name)?)
    }

    /// Skips the name of a solid, which may contain any words: the rest of the line, unless the solid
    /// ends or has a facet, with the first number of its normal, on the same line.
    fn skip_name(&mut self) {
        let words = &mut self.words;
        while words.advance_in_line() {
            let place = words.place();
            let is_end = match Keyword::of(words.word()) {
                Some(Keyword::EndSolid) => true,
                Some(Keyword::End) => {
                    words.advance_in_line() && Keyword::of(words.word()) == Some(Keyword::Solid)
                }
                Some(Keyword::Facet) => {
                    words.advance_in_line()
                        && words.word().eq_ignore_ascii_case(b"normal")
                        && words.advance_in_line()
                        && parse_f32(words.word()).is_some()
                }
                _ => false,
            };
            words.return_to(place);
            if is_end {
                words.step_back();
                return;
            }
        }
    }

    /// Skips the name after `endsolid`: the rest of the line, unless another solid follows the name.
    fn end_solid(&mut self) {
        let rest = self.words.rest_of_line();
        let after = rest.trim_ascii_start().strip_prefix(self.name.as_bytes());
        let next = after.and_then(|after| words(after).next());
        match (after, next.and_then(Keyword::of)) {
            (Some(after), Some(Keyword::Solid)) => self.words.skip(rest.len() - after.len()),
            _ => self.words.skip_line(),
        }
    }

    /// Skips the word `normal` and its numbers, which the corners define, and the rest of the line.
    fn skip_normal(&mut self) -> Result<(), MeshError> {
        let mut count = 0;
        while self.words.advance_in_line() || count < 4 && self.words.advance()? {
            if Keyword::of(self.words.word()).is_some() {
                self.words.step_back();
                break;
            }
            count += 1;
        }
        Ok(())
    }

    /// Adds a vertex.
    fn vertex(&mut self) -> Result<(), MeshError> {
        let line = self.words.input.line_number();
        self.draft.corner(self.draft.vertex_count() as i64);
        let start = self.words.place();
        if let Some(corner) = self.words.corner(&self.draft.frame)
            && self.words.is_last_in_line()
        {
            return self.draft.vertex(corner, Some(line));
        }
        self.words.return_to(start);
        let mut corner = [RoundedCoordinate::UNREAD; 3];
        for (axis, coordinate) in corner.iter_mut().enumerate() {
            let is_there = self.words.advance()?;
            let read = match is_there {
                true => self.draft.frame.decimal(axis, self.words.word()),
                false => None,
            };
            match read {
                Some(read) => *coordinate = read,
                None if !is_there || Keyword::of(self.words.word()).is_some() => {
                    let problem = "a vertex has fewer than three numbers".into();
                    let at = self.words.input.at(line);
                    self.words.step_back();
                    return self.draft.bad_vertex(at, problem);
                }
                None => {
                    let problem = format!("{} is not a number", quote(self.words.word()));
                    return self.bad_vertex(problem);
                }
            }
        }
        if self.words.advance_in_line() {
            let word = self.words.word();
            if Keyword::of(word).is_none() {
                let problem = format!(
                    "unexpected {} after the three numbers of a vertex",
                    quote(word)
                );
                return self.bad_vertex(problem);
            }
            self.words.step_back();
        }
        self.draft.vertex(corner, Some(line))
    }

    /// Adds a vertex that cannot be parsed, or returns an error, and skips the words that belong to it.
    fn bad_vertex(&mut self, problem: String) -> Result<(), MeshError> {
        self.draft.bad_vertex(self.words.input.at_line(), problem)?;
        while self.words.advance()? {
            if Keyword::of(self.words.word()).is_some() {
                self.words.step_back();
                break;
            }
        }
        Ok(())
    }
}
