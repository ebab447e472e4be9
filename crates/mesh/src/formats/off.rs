//! Reads OFF: counts, then the numbers of vertices and faces.
//!
//! Numbers may go on in the next line. What follows a vertex or face on its line is a colour, which
//! is not stored, unless the first vertex stands on the line of the counts: then the rest of the file
//! is one stream of numbers.

use estoc_core::glam::{Vec2, Vec3};

use crate::assemble::draft::Draft;
use crate::error::{Location, MeshError};
use crate::formats::input::MeshInput;
use crate::formats::text_words::TextWords;
use crate::frame::RoundedCoordinate;
use crate::text::number::parse_f32;
use crate::text::{counted, parse_index, quote, words};

/// The keyword of a file.
#[derive(Clone, Copy, Default)]
struct OffHeader {
    has_texture: bool,
    has_normals: bool,
    /// Whether vertices do not have three coordinates.
    is_of_other_dimension: bool,
    /// The number of bytes.
    length: usize,
}

/// Parses `[ST][C][N][4][n]OFF`, also in lower case, which need not be followed by a blank.
fn parse_header(word: &[u8]) -> Option<OffHeader> {
    in_given_case(word).or_else(|| in_given_case(&word.to_ascii_uppercase()))
}

fn in_given_case(word: &[u8]) -> Option<OffHeader> {
    let mut rest = word;
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
    Some(OffHeader {
        has_texture,
        has_normals,
        is_of_other_dimension,
        length: word.len() - rest.len(),
    })
}

/// Returns whether a file with this head is OFF.
pub(crate) fn is_off(head: &[u8]) -> bool {
    let lines = head.split(|&byte| byte == b'\n' || byte == b'\r');
    let text = lines.map(|line| line.split(|&byte| byte == b'#').next().unwrap_or_default());
    let mut words = text.flat_map(words);
    let Some(first) = words.next() else {
        return false;
    };
    // In lower case it could be a word of a text.
    let is_number = |word: &[u8]| word.first().is_some_and(u8::is_ascii_digit);
    in_given_case(first).is_some()
        || parse_header(first).is_some_and(|header| {
            is_number(&first[header.length..]) || words.next().is_some_and(is_number)
        })
}

/// Reads a whole file.
pub(crate) fn read(input: &mut MeshInput<'_>, draft: &mut Draft) -> Result<(), MeshError> {
    let mut words = TextWords::new(input, Some(b'#'));
    if !words.advance()? {
        return Err(no_counts(&words));
    }
    // The keyword may be missing.
    let header = parse_header(words.word()).unwrap_or_default();
    words.end_word_at(header.length);
    let problem = match header.is_of_other_dimension {
        true => Some("vertices without exactly three coordinates; save them with three"),
        false if words.advance_in_line() => {
            let is_binary = words.word() == b"BINARY";
            words.step_back();
            is_binary.then_some("binary data; save it as text")
        }
        false => None,
    };
    if let Some(problem) = problem {
        return Err(words.input.unsupported(words.input.at_line(), problem));
    }
    let [vertices, faces] = counts(&mut words)?;
    let input = &words.input;
    draft.reserve(input.possible(vertices, 6), input.possible(faces, 8))?;
    let is_stream = words.advance()? && !words.is_first_in_line();
    words.step_back();
    let mut reader = OffReader {
        words,
        draft,
        header,
        is_stream,
    };
    for number in 0..vertices {
        reader.begin("vertices", number, vertices)?;
        reader.vertex()?;
    }
    for number in 0..faces {
        reader.begin("faces", number, faces)?;
        reader.face()?;
    }
    let OffReader {
        mut words, draft, ..
    } = reader;
    while words.advance()? {
        draft.ignore("lines after the last face", 1);
        words.skip_line();
    }
    Ok(())
}

fn no_counts(words: &TextWords<'_, '_>) -> MeshError {
    let input = &words.input;
    input.malformed(input.whole(), "the file ends before the counts")
}

/// Reads the numbers of vertices and faces, and skips that of edges, which may be missing.
fn counts(words: &mut TextWords<'_, '_>) -> Result<[u64; 2], MeshError> {
    let bad_line = |words: &TextWords<'_, '_>| {
        let line = quote(words.input.last());
        let problem = format!("expected the numbers of vertices and faces, found {line}");
        words.input.bad_line(problem)
    };
    let mut counts = [0; 2];
    for count in &mut counts {
        if !words.advance()? {
            return Err(no_counts(words));
        }
        let found = parse_index(words.word()).and_then(|n| u64::try_from(n).ok());
        *count = found.ok_or_else(|| bad_line(words))?;
    }
    let line = words.input.line_number();
    if words.advance()? {
        let is_index = parse_index(words.word()).is_some();
        let is_same_line = words.input.line_number() == line;
        if is_same_line && !is_index {
            return Err(bad_line(words));
        }
        // A vertex has more numbers.
        if !(is_same_line || is_index && words.is_last_in_line()) {
            words.step_back();
        }
    }
    Ok(counts)
}

struct OffReader<'d, 'i, 'a> {
    words: TextWords<'i, 'a>,
    draft: &'d mut Draft,
    header: OffHeader,
    /// Whether vertices and faces do not begin on lines of their own.
    is_stream: bool,
}

impl OffReader<'_, '_, '_> {
    /// Advances to before a vertex or face.
    fn begin(&mut self, what: &str, number: u64, count: u64) -> Result<(), MeshError> {
        if !self.words.advance()? {
            let problem = format!("the file ends after {number} of {count} {what}");
            return Err(self.words.input.bad_line(problem));
        }
        self.words.step_back();
        Ok(())
    }

    /// Returns whether the vertex or face that began on a line went on in the next one, but was not
    /// all there was on it, so that the first line rather lacks numbers.
    fn is_short(&self, line: u64) -> bool {
        let goes_on = self.words.input.line_number() != line;
        !self.is_stream && goes_on && !self.words.is_last_in_line()
    }

    /// Skips the rest of a vertex or face.
    fn end(&mut self) {
        if !self.is_stream {
            self.words.skip_line();
        }
    }

    /// Adds a vertex: three coordinates, a normal if the file has normals, possibly a colour, and
    /// texture coordinates if the file has them.
    fn vertex(&mut self) -> Result<(), MeshError> {
        let line = self.words.input.line_number();
        let corner = match self.words.corner(&self.draft.frame) {
            Some(corner) => corner,
            None => {
                let mut corner = [RoundedCoordinate::UNREAD; 3];
                let mut rest = corner.iter_mut().enumerate();
                let take = |draft: &mut Draft, word: &[u8]| {
                    let (axis, coordinate) = rest.next()?;
                    *coordinate = draft.frame.decimal(axis, word)?;
                    Some(())
                };
                let too_few = |_| "a vertex has too few numbers".into();
                match self.values((3, line), "a number", too_few, take)? {
                    None => corner,
                    Some((at, problem)) => return self.draft.bad_vertex(at, problem),
                }
            }
        };
        let vertex = self.draft.vertex_count();
        self.draft.vertex(corner, Some(line))?;
        if self.header.has_normals {
            let normal = Vec3::new(self.value()?, self.value()?, self.value()?);
            self.draft.normals.set(vertex, normal)?;
        }
        if self.header.has_texture {
            if !self.is_stream {
                let colour = words(self.words.rest_of_line()).count().saturating_sub(2);
                (0..colour).for_each(|_| _ = self.words.advance_in_line());
            }
            let texture = Vec2::new(self.value()?, self.value()?);
            self.draft.texcoords.set(vertex, texture)?;
        }
        self.end();
        Ok(())
    }

    /// Reads the values of a vertex or face that begins on a line; if one cannot be taken, or they are
    /// too few, returns the problem, after the vertex or face.
    fn values(
        &mut self,
        (count, line): (i64, u64),
        what: &str,
        too_few: impl Fn(i64) -> String,
        mut take: impl FnMut(&mut Draft, &[u8]) -> Option<()>,
    ) -> Result<Option<(Location, String)>, MeshError> {
        let mut on_first_line = 0;
        let mut bad = None;
        for number in 0..count {
            if !self.words.advance()? {
                return Ok(Some((self.words.input.at(line), too_few(number))));
            }
            if take(self.draft, self.words.word()).is_none() && bad.is_none() {
                let problem = format!("{} is not {what}", quote(self.words.word()));
                bad = Some((self.words.input.at_line(), problem));
                if !self.is_stream {
                    break;
                }
            }
            on_first_line += i64::from(self.words.input.line_number() == line);
        }
        if bad.is_some() {
            self.end();
        } else if self.is_short(line) {
            self.words.restart_line();
            bad = Some((self.words.input.at(line), too_few(on_first_line)));
        }
        Ok(bad)
    }

    /// Returns the next number of a normal or texture coordinates, or NaN.
    fn value(&mut self) -> Result<f32, MeshError> {
        let is_there = match self.is_stream {
            true => self.words.advance()?,
            false => self.words.advance_in_line(),
        };
        let value = is_there.then(|| parse_f32(self.words.word())).flatten();
        Ok(value.unwrap_or(f32::NAN))
    }

    /// Adds a face: the number of its corners, the indices, and possibly a colour.
    fn face(&mut self) -> Result<(), MeshError> {
        self.words.advance()?;
        let line = self.words.input.line_number();
        self.draft.begin_face(Some(line));
        let Some(corners) = parse_index(self.words.word()).filter(|&count| count >= 0) else {
            let problem = format!("{} is not a number of corners", quote(self.words.word()));
            if self.is_stream {
                // The next face cannot be found.
                return Err(self.words.input.bad_line(problem));
            }
            self.words.skip_line();
            return self.draft.bad_face(self.words.input.at(line), problem);
        };
        let too_few = |count: i64| {
            let corners = counted(corners as u64, "corner");
            format!("a face of {corners} has only {count}")
        };
        let take =
            |draft: &mut Draft, word: &[u8]| parse_index(word).map(|index| draft.corner(index));
        if let Some((at, problem)) = self.values((corners, line), "an index", too_few, take)? {
            return self.draft.bad_face(at, problem);
        }
        self.end();
        self.draft.end_face()
    }
}
