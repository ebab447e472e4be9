//! Warnings: findings as text.

use core::fmt::{self, Write};

use crate::report::{Findings, MeshReport, WeldReport};
use crate::text::counted;

/// An index of a texture coordinate or normal that does not exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct AttributeIndex {
    /// The index as in the file, one-based or negative; clamped to `i64`.
    pub index: i64,
    /// The one-based physical line.
    pub line: u64,
    /// The number of values that the file defines; for a negative index, before that line.
    pub defined: u64,
}

impl AttributeIndex {
    /// Returns how far the index is out of range; index 0, which refers to nothing, ranks first.
    fn distance(&self) -> u64 {
        match self.index {
            0 => u64::MAX,
            index => index.unsigned_abs().saturating_sub(self.defined),
        }
    }

    /// Returns the index that is farther out of range, the first if both are equally far.
    pub(crate) fn farther(first: Option<Self>, second: Option<Self>) -> Option<Self> {
        match (first, second) {
            (Some(a), Some(b)) if b.distance() > a.distance() => second,
            _ => first.or(second),
        }
    }

    fn write(&self, f: &mut fmt::Formatter<'_>, noun: &str) -> fmt::Result {
        let AttributeIndex {
            index,
            line,
            defined,
        } = self;
        write!(
            f,
            "{noun} index {index} is out of range ({defined} defined, line {line}); the geometry is not \
             affected"
        )
    }
}

/// A problem of a material library, which is never a reason to refuse the mesh. Displays as one
/// line.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct MaterialProblem {
    /// The library as named by `mtllib`.
    pub library: String,
    /// The one-based physical line of the library; `None` for a problem of the library as a whole.
    pub line: Option<u64>,
    /// The problem.
    pub problem: String,
}

impl fmt::Display for MaterialProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 200;
        // The name comes from the file: it must not break the line or control a terminal.
        for c in self.library.chars().take(SHOWN) {
            match c.is_control() {
                true => write!(f, "{}", c.escape_default())?,
                false => f.write_char(c)?,
            }
        }
        if self.library.chars().nth(SHOWN).is_some() {
            f.write_str("...")?;
        }
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        write!(f, ": {}", self.problem)
    }
}

/// A part of a file that is not read, although the mesh is. Displays as one line.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct UnreadPart {
    /// The name of the part, in the plural.
    pub what: String,
    /// The number of such parts.
    pub count: u64,
}

impl fmt::Display for UnreadPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not read: {} ({})", self.what, self.count)
    }
}

/// A finding of a [`MeshReport`]. Displays as one line.
///
/// The text numbers vertices and faces from 1 if the mesh comes from an OBJ file, otherwise from 0;
/// triangles always have their [`PrimId`](estoc_core::PrimId).
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Warning<'a> {
    /// Faces that cannot be parsed were skipped.
    BadIndices(&'a Findings),
    /// Faces with a vertex that does not exist were skipped.
    OutOfRange(&'a Findings),
    /// Faces with a vertex that is not finite were skipped.
    NonFiniteFaces(&'a Findings),
    /// Vertices could not be parsed.
    UnreadableVertices(&'a Findings),
    /// Faces with fewer than three corners were skipped.
    ShortFaces(&'a Findings),
    /// Statements whose geometry is not read.
    FreeFormStatements(&'a Findings),
    /// Statements that OBJ, or STL as text, does not define.
    UnknownStatements(&'a Findings),
    /// Solids of STL as text without `endsolid`.
    UnendedSolids(&'a Findings),
    /// Polygons whose triangles may overlap.
    TangledPolygons(&'a Findings),
    /// Triangles without area.
    Degenerate(&'a Findings),
    /// Triangles with the corners of an earlier one.
    Duplicate(&'a Findings),
    /// Vertices that are not finite and not used.
    NonFiniteUnused(&'a Findings),
    /// Vertices with a weight.
    WeightedVertices(&'a Findings),
    /// Texture coordinates without finite numbers.
    UnreadableTextureCoordinates(&'a Findings),
    /// Normals without three finite numbers.
    UnreadableNormals(&'a Findings),
    /// Corners were welded.
    Welded(WeldReport),
    /// A texture coordinate index that does not exist.
    TextureIndex(AttributeIndex),
    /// A normal index that does not exist.
    NormalIndex(AttributeIndex),
    /// A problem of a material library.
    Material(&'a MaterialProblem),
    /// Material libraries that were not read because of limits.
    SkippedLibraries(u64),
    /// More problems of material libraries than are kept.
    MoreMaterialProblems(u64),
    /// A part of the file that is not read.
    UnreadPart(&'a UnreadPart),
    /// More kinds of parts that are not read than are kept.
    MoreIgnored(u64),
    /// Vertices, but no faces that could be hit.
    NoFaces(u64),
}

impl Warning<'_> {
    /// Returns the count and the first occurrences, if the finding has any.
    pub fn tally(&self) -> Option<&Findings> {
        self.found().map(|(found, ..)| found)
    }

    /// Returns the occurrences, their noun, and the words that follow it, for [`inflected`].
    fn found(&self) -> Option<(&Findings, &'static str, &'static str)> {
        const UNREADABLE: &str = "{is|are} not finite or could not be parsed, and {is|are} skipped";
        Some(match self {
            Warning::BadIndices(found) => {
                (found, "face", "that could not be parsed {was|were} skipped")
            }
            Warning::OutOfRange(found) => (
                found,
                "face",
                "with {a vertex that does not exist was|vertices that do not exist were} skipped",
            ),
            Warning::NonFiniteFaces(found) => (
                found,
                "face",
                "with {a vertex that is not finite was|vertices that are not finite were} skipped",
            ),
            Warning::UnreadableVertices(found) => (found, "vertex", "could not be parsed"),
            Warning::ShortFaces(found) => (
                found,
                "face",
                "with fewer than three corners {was|were} skipped",
            ),
            Warning::FreeFormStatements(found) => (
                found,
                "statement",
                "of {a curve, surface or call was ignored; its|curves, surfaces or calls were ignored; \
                 their} geometry is missing",
            ),
            Warning::UnknownStatements(found) => (found, "unknown statement", "{was|were} ignored"),
            Warning::UnendedSolids(found) => (found, "solid", "{has|have} no endsolid"),
            Warning::TangledPolygons(found) => (
                found,
                "polygon",
                "{crosses itself; its|cross themselves; their} triangles may overlap",
            ),
            Warning::Degenerate(found) => (
                found,
                "triangle",
                "{has|have} no area and {is|are} never hit",
            ),
            Warning::Duplicate(found) => (
                found,
                "triangle",
                "{repeats the corners of an earlier one|repeat the corners of earlier ones}",
            ),
            Warning::NonFiniteUnused(found) => {
                (found, "vertex", "{is|are} not finite, but not used")
            }
            Warning::WeightedVertices(found) => (
                found,
                "vertex",
                "{has|have} a weight other than 1, which is ignored",
            ),
            Warning::UnreadableTextureCoordinates(found) => {
                (found, "texture coordinate", UNREADABLE)
            }
            Warning::UnreadableNormals(found) => (found, "normal", UNREADABLE),
            _ => return None,
        })
    }
}

impl fmt::Display for Warning<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((found, noun, words)) = self.found() {
            let (count, words) = (found.count(), inflected(words, found.count()));
            write!(f, "{} {words} (", counted(count, noun))?;
            return write_places(f, noun, found);
        }
        let (count, words) = match self {
            Warning::TextureIndex(far) => return far.write(f, "texture coordinate"),
            Warning::NormalIndex(far) => return far.write(f, "normal"),
            Warning::Material(problem) => return problem.fmt(f),
            Warning::UnreadPart(part) => return part.fmt(f),
            Warning::Welded(report) => return report.fmt(f),
            Warning::SkippedLibraries(count) => {
                (count, "more material {library was|libraries were} skipped")
            }
            Warning::MoreMaterialProblems(count) => {
                (count, "more {problem|problems} in material libraries")
            }
            Warning::MoreIgnored(count) => (
                count,
                "more {kind of parts of the file is|kinds of parts of the file are} not read",
            ),
            Warning::NoFaces(count) => (
                count,
                "{vertex|vertices}, but no faces, as in point clouds and wireframes: nothing can be hit",
            ),
            // Those with occurrences are written above.
            _ => return Ok(()),
        };
        write!(f, "{count} {}", inflected(words, *count))?;
        match self {
            Warning::SkippedLibraries(_) => write!(
                f,
                "; the limit is {}, and {} MiB in total",
                MeshReport::READ_LIBRARIES,
                MeshReport::READ_LIBRARY_BYTES >> 20
            ),
            _ => Ok(()),
        }
    }
}

/// Returns words in which `{is|are}` is "is" for one thing and "are" for many, and likewise.
fn inflected(words: &str, count: u64) -> String {
    let other = if count == 1 { 2 } else { 1 };
    let parts = words.split(['{', '|', '}']).enumerate();
    parts
        .filter(|(place, _)| place % 3 != other)
        .map(|(_, part)| part)
        .collect()
}

/// Writes the first few occurrences and the closing parenthesis.
fn write_places(f: &mut fmt::Formatter<'_>, noun: &str, tally: &Findings) -> fmt::Result {
    const SHOWN: usize = 3;
    for (i, place) in tally.first().iter().take(SHOWN).enumerate() {
        if i > 0 {
            f.write_str(", ")?;
        }
        // A polygon has its index among all faces.
        let noun = if noun == "polygon" { "face" } else { noun };
        match place.line {
            // These are easier to find by their line than by their index.
            Some(line) if noun.ends_with("statement") || noun == "solid" => {
                write!(f, "line {line}")?;
            }
            Some(line) if noun == "triangle" => {
                write!(f, "{noun} {} on line {line}", place.id)?;
            }
            Some(line) => write!(f, "{noun} {} on line {line}", tally.number_in_file(place))?,
            None => write!(f, "{noun} {}", place.id)?,
        }
    }
    f.write_str(if tally.count() > SHOWN as u64 {
        ", ...)"
    } else {
        ")"
    })
}
