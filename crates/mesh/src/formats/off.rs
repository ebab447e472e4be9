//! Reads OFF: counts, one vertex per line, one face per line.

use estoc_core::glam::{Vec2, Vec3};

use crate::assemble::draft::Draft;
use crate::error::MeshError;
use crate::formats::input::Input;
use crate::frame::{Coordinate, Frame};
use crate::text::number::parse_f32;
use crate::text::{counted, parse_index, quote, words};

/// The keyword of the first line, and the rest of the line.
struct Header<'a> {
    has_texture: bool,
    has_normals: bool,
    /// Whether vertices do not have three coordinates.
    is_of_other_dimension: bool,
    rest: &'a [u8],
}

/// Parses `[ST][C][N][4][n]OFF`, which need not be followed by a blank.
fn parse_header(line: &[u8]) -> Option<Header<'_>> {
    let mut rest = line;
    let mut has = |letters: &[u8]| match rest.strip_prefix(letters) {
        Some(later) => {
            rest = later;
            true
        }
        None => false,
    };
    let has_texture = has(b"ST");
    has(b"C");
    let has_normals = has(b"N");
    let is_of_other_dimension = has(b"4") | has(b"n");
    if !has(b"OFF") || rest.first().is_some_and(u8::is_ascii_alphabetic) {
        return None;
    }
    Some(Header {
        has_texture,
        has_normals,
        is_of_other_dimension,
        rest,
    })
}

/// Returns whether a file with this head is OFF.
pub(crate) fn is_off(head: &[u8]) -> bool {
    let mut lines = head
        .split(|&byte| byte == b'\n' || byte == b'\r')
        .map(content);
    let first = lines.find(|line| !line.is_empty());
    first.is_some_and(|line| parse_header(line).is_some())
}

/// Returns a line without its comment and surrounding blanks.
fn content(line: &[u8]) -> &[u8] {
    let end = memchr::memchr(b'#', line).unwrap_or(line.len());
    line[..end].trim_ascii()
}

/// Consumes lines up to the next one with contents; returns `false` at the end.
fn next_line(input: &mut Input<'_>) -> Result<bool, MeshError> {
    while input.next_text()? {
        if !content(input.last()).is_empty() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Reads a whole file.
pub(crate) fn read(input: &mut Input<'_>, draft: &mut Draft) -> Result<(), MeshError> {
    let empty =
        |input: &Input<'_>| input.malformed(input.whole(), "the file ends before the counts");
    if !next_line(input)? {
        return Err(empty(input));
    }
    let line = input.last();
    let line = content(line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line));
    // The keyword may be missing.
    let header = parse_header(line).unwrap_or(Header {
        has_texture: false,
        has_normals: false,
        is_of_other_dimension: false,
        rest: line,
    });
    if header.is_of_other_dimension || header.rest.trim_ascii().starts_with(b"BINARY") {
        let problem = match header.is_of_other_dimension {
            true => "vertices without exactly three coordinates; save them with three",
            false => "binary data; save it as text",
        };
        return Err(input.unsupported(input.at_line(), problem));
    }
    let (has_texture, has_normals) = (header.has_texture, header.has_normals);
    let counts = match header.rest.trim_ascii().is_empty() {
        false => parse_counts(header.rest),
        true if next_line(input)? => parse_counts(content(input.last())),
        true => return Err(empty(input)),
    };
    let Some([vertices, faces]) = counts else {
        let problem = format!(
            "expected the numbers of vertices and faces, found {}",
            quote(input.last())
        );
        return Err(input.bad_line(problem));
    };
    draft.reserve(input.possible(vertices, 6), input.possible(faces, 8))?;
    for number in 0..vertices {
        if !next_line(input)? {
            let problem = format!("the file ends after {number} of {vertices} vertices");
            return Err(input.bad_line(problem));
        }
        vertex(input, draft, has_normals, has_texture)?;
    }
    for number in 0..faces {
        if !next_line(input)? {
            let problem = format!("the file ends after {number} of {faces} faces");
            return Err(input.bad_line(problem));
        }
        draft.begin_face(Some(input.line_number()));
        match face(content(input.last()), draft) {
            Ok(()) => draft.end_face()?,
            Err(problem) => draft.bad_face(input.at_line(), problem)?,
        }
    }
    while next_line(input)? {
        draft.ignore("lines after the last face", 1);
    }
    Ok(())
}

/// Parses the numbers of vertices and faces; the number of edges, which may follow, is not used.
fn parse_counts(text: &[u8]) -> Option<[u64; 2]> {
    let mut counts = words(text).map(|word| parse_index(word).and_then(|n| u64::try_from(n).ok()));
    let found = [counts.next()??, counts.next()??];
    let edges = counts.next();
    (edges != Some(None) && counts.next().is_none()).then_some(found)
}

/// Adds the vertex on the current line: three coordinates, a normal if the file has normals,
/// possibly a colour, and texture coordinates if the file has them.
fn vertex(
    input: &Input<'_>,
    draft: &mut Draft,
    has_normals: bool,
    has_texture: bool,
) -> Result<(), MeshError> {
    let line = content(input.last());
    let mut numbers = words(line);
    let vertex = draft.vertex_count();
    match corner(&mut numbers, &draft.frame) {
        Ok(corner) => draft.vertex(corner, Some(input.line_number()))?,
        Err(problem) => return draft.bad_vertex(input.at_line(), problem),
    }
    if has_normals {
        let mut number = || parse_f32(numbers.next()?);
        let mut three = || Some(Vec3::new(number()?, number()?, number()?));
        let normal = three().unwrap_or(Vec3::NAN);
        draft.normals.set(vertex, normal, normal.is_finite());
    }
    if has_texture {
        let (before, behind) = (3 + 3 * usize::from(has_normals), 2);
        let count = words(line).count();
        let at = count.saturating_sub(behind).max(before);
        let mut last = words(line)
            .skip(at)
            .map(|word| parse_f32(word).unwrap_or(f32::NAN));
        let mut number = || last.next().unwrap_or(f32::NAN);
        let texture = Vec2::new(number(), number());
        draft.texcoords.set(vertex, texture, texture.is_finite());
    }
    Ok(())
}

/// Parses the three coordinates of a vertex.
fn corner<'a>(
    numbers: &mut impl Iterator<Item = &'a [u8]>,
    frame: &Frame,
) -> Result<[Coordinate; 3], String> {
    let mut number = |axis| match numbers.next() {
        None => Err("a vertex has too few numbers".to_owned()),
        Some(word) => {
            let read = frame.decimal(axis, word);
            read.ok_or_else(|| format!("{} is not a number", quote(word)))
        }
    };
    Ok([number(0)?, number(1)?, number(2)?])
}

/// Adds the corners of a face: their number, the indices, and possibly a colour.
fn face(line: &[u8], draft: &mut Draft) -> Result<(), String> {
    let mut words = words(line);
    let count = words.next().unwrap_or(line);
    let Some(corners) = parse_index(count).filter(|&count| count >= 0) else {
        return Err(format!("{} is not a number of corners", quote(count)));
    };
    for number in 0..corners {
        let Some(word) = words.next() else {
            return Err(format!(
                "a face of {} has only {number}",
                counted(corners as u64, "corner")
            ));
        };
        let Some(index) = parse_index(word) else {
            return Err(format!("{} is not an index", quote(word)));
        };
        draft.corner(index);
    }
    Ok(())
}
