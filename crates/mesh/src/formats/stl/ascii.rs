//! Reads STL as text.

use crate::assemble::draft::Draft;
use crate::error::MeshError;
use crate::formats::input::Input;
use crate::frame::{Coordinate, Frame};
use crate::text::{name, quote, shown, words};

/// A line, classified by its first word.
enum Statement {
    Solid,
    Facet,
    Loop,
    Vertex,
    EndLoop,
    EndFacet,
    EndSolid,
    Unknown,
}

impl Statement {
    fn of(word: &[u8]) -> Statement {
        let known: [(&[u8], Statement); 7] = [
            (b"vertex", Statement::Vertex),
            (b"facet", Statement::Facet),
            (b"outer", Statement::Loop),
            (b"endloop", Statement::EndLoop),
            (b"endfacet", Statement::EndFacet),
            (b"solid", Statement::Solid),
            (b"endsolid", Statement::EndSolid),
        ];
        let found = known
            .into_iter()
            .find(|(name, _)| word.eq_ignore_ascii_case(name));
        found.map_or(Statement::Unknown, |(_, statement)| statement)
    }
}

/// The construct that is open at the current line.
#[derive(Clone, Copy, PartialEq)]
enum Open {
    Nothing,
    Solid,
    Facet,
    Loop,
    /// A facet whose loop is complete.
    FacetWithLoop,
}

impl Open {
    fn in_words(self) -> &'static str {
        match self {
            Open::Nothing => "outside of any solid",
            Open::Solid => "within a solid",
            Open::Facet => "within a facet",
            Open::Loop => "within a loop",
            Open::FacetWithLoop => "after the loop of a facet",
        }
    }
}

pub(super) fn read(input: &mut Input<'_>, draft: &mut Draft) -> Result<(), MeshError> {
    let mut open = Open::Nothing;
    while input.next_text()? {
        let line = input.last();
        let line = line
            .strip_prefix(b"\xef\xbb\xbf")
            .unwrap_or(line)
            .trim_ascii_start();
        let number = input.line_number();
        let word = words(line).next().unwrap_or(line);
        open = match (Statement::of(word), open) {
            (Statement::Solid, Open::Nothing) => {
                let name = name(&line[word.len()..]);
                let name = (!name.is_empty()).then(|| shown(&name).into_owned());
                draft.objects.set(draft.face_count(), name);
                Open::Solid
            }
            (Statement::Facet, Open::Solid) => {
                draft.begin_face(Some(number));
                Open::Facet
            }
            (Statement::Loop, Open::Facet) => Open::Loop,
            (Statement::Vertex, Open::Loop) => {
                draft.corner(draft.vertex_count() as i64);
                match parse_vertex(&line[word.len()..], &draft.frame) {
                    Ok(corner) => draft.vertex(corner, Some(number))?,
                    Err(problem) => draft.bad_vertex(input.at_line(), problem)?,
                }
                Open::Loop
            }
            (Statement::EndLoop, Open::Loop) => Open::FacetWithLoop,
            (Statement::EndFacet, Open::Facet | Open::FacetWithLoop) => {
                draft.end_face()?;
                Open::Solid
            }
            (Statement::EndSolid, Open::Solid) => Open::Nothing,
            (Statement::Unknown, open) => {
                let tally = &mut draft.report.unknown_statements;
                tally.add(tally.count(), Some(number));
                open
            }
            (_, open) => {
                let problem = format!("unexpected {} {}", quote(word), open.in_words());
                return Err(input.bad_line(problem));
            }
        };
    }
    match open {
        Open::Nothing => Ok(()),
        _ => Err(input.bad_line(format!("the file ends {}", open.in_words()))),
    }
}

/// Parses the three coordinates of a vertex.
fn parse_vertex(text: &[u8], frame: &Frame) -> Result<[Coordinate; 3], String> {
    let mut numbers = words(text);
    let mut number = |axis| match numbers.next() {
        None => Err("a vertex has fewer than three numbers".to_owned()),
        Some(word) => {
            let read = frame.decimal(axis, word);
            read.ok_or_else(|| format!("{} is not a number", quote(word)))
        }
    };
    let corner = [number(0)?, number(1)?, number(2)?];
    match numbers.next() {
        None => Ok(corner),
        Some(word) => Err(format!(
            "unexpected {} after the three numbers of a vertex",
            quote(word)
        )),
    }
}
