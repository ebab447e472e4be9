//! Parses one block of statements, independently of the blocks before it.
//!
//! Counts, line numbers and negative indices are relative to the start of the block;
//! [`Gathered`](super::joined_blocks::Gathered) joins the partial results in order. Blocks can
//! therefore be parsed in any order, or in parallel ([`in_order`](super::ordered_blocks)).

use estoc_core::glam::{Vec2, Vec3};
use estoc_system::{Growth, NoMemory};

use super::attribute::{Attribute, parse_normal, parse_texture};
use super::block_arrays::ParsedPiece;
use super::face_corners::Corner;
use super::index_reach::IndexSpan;
use super::logical_lines::LogicalLines;
use super::simple_lines;
use super::statement::{Kind, split};
use super::statement_names::name;
use super::statement_words::Words;
use super::vertex::Vertex;
use crate::bad_faces::BadFaces;
use crate::error::{Location, MeshError};
use crate::frame::{FileFrame, RoundedCoordinate};
use crate::report::MeshReport;
use crate::text::quote;
use crate::value_runs::NumberRuns;

/// The contents of one block.
#[derive(Default)]
pub(super) struct Partial {
    /// Whether texture coordinates and normals are stored.
    keep_attributes: bool,
    frame: FileFrame,
    /// The number of physical lines.
    pub(super) lines: u64,
    /// The data for the arrays of the mesh.
    pub(super) piece: ParsedPiece,
    pub(super) vertex_lines: NumberRuns,
    /// The line of each face.
    pub(super) face_lines: NumberRuns,
    pub(super) objects: Vec<NameChange>,
    pub(super) groups: Vec<NameChange>,
    pub(super) materials: Vec<NameChange>,
    /// Material libraries, as written.
    pub(super) libraries: Vec<String>,
    /// The number of statements that are known in OBJ.
    pub(super) known: u64,
    /// Line and text of the first statement that is not.
    pub(super) first_unknown: Option<(u64, String)>,
    /// Counts; indices and lines are relative to the block.
    pub(super) report: MeshReport,
}

/// The range of the indices of one line.
#[derive(Clone, Copy, Default)]
struct Named {
    texture: IndexSpan,
    normal: IndexSpan,
}

/// The index of a face, and the name of that face and the following ones.
pub(super) type NameChange = (u64, Option<String>);

/// Options for reading blocks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reading {
    pub(super) policy: BadFaces,
    /// Whether texture coordinates and normals are stored.
    pub(super) attributes: bool,
    pub(super) frame: FileFrame,
}

impl Partial {
    /// Parses the first block, which may begin with a byte order mark; returns an error as
    /// [`Partial::parse`] does.
    pub(super) fn parse_first(block: &[u8], reading: Reading) -> Result<Partial, MeshError> {
        if block.starts_with(b"\xff\xfe") || block.starts_with(b"\xfe\xff") {
            return Err(MeshError::NotObj {
                at: Location::default(),
                problem: "the text is UTF-16 and must be saved as UTF-8".into(),
            });
        }
        let text = block.strip_prefix(b"\xef\xbb\xbf").unwrap_or(block);
        Partial::parse(text, reading)
    }

    /// Parses a block. With [`BadFaces::Skip`] there is no error but [`MeshError::NoMemory`].
    /// The line of an error is relative to the start of the block, and the file is not named.
    pub(super) fn parse(block: &[u8], reading: Reading) -> Result<Partial, MeshError> {
        let mut partial = Partial {
            keep_attributes: reading.attributes,
            frame: reading.frame,
            piece: ParsedPiece {
                texture: Attribute::new(reading.attributes),
                normal: Attribute::new(reading.attributes),
                ..ParsedPiece::default()
            },
            ..Partial::default()
        };
        partial.piece.reserve(block.len());
        let mut lines = LogicalLines::new(block);
        loop {
            if let Some(length) = partial.plain(lines.rest(), lines.passed() + 1)? {
                lines.pass(length);
                continue;
            }
            let Some(line) = lines.next()? else { break };
            partial.statement(line.text, line.number, reading.policy)?;
        }
        partial.piece.shrink();
        partial.lines = lines.passed();
        partial.report.texture_coordinates = partial.piece.texture.reach.defined;
        partial.report.normals = partial.piece.normal.reach.defined;
        partial.report.rounding = partial.piece.rounding.loss();
        Ok(partial)
    }

    /// Parses the first line of a text if it is simple; returns its length in bytes.
    #[inline]
    fn plain(&mut self, text: &[u8], line: u64) -> Result<Option<usize>, NoMemory> {
        let length = match text {
            // If they are not stored, `statement` counts them without parsing their numbers.
            [b'v', b'n', ..] if self.keep_attributes => {
                let Some(normal) = simple_lines::decimals::<3>(text, 2) else {
                    return Ok(None);
                };
                let normal_read = normal.value.map(|x| x as f32);
                self.piece.normal.define_read(normal_read.into())?;
                normal.length
            }
            [b'v', b't', ..] if self.keep_attributes => {
                let Some(texture) = simple_lines::two_or_three_decimals(text, 2) else {
                    return Ok(None);
                };
                let texture_read = texture.value.map(|x| x as f32);
                self.piece.texture.define_read(texture_read.into())?;
                texture.length
            }
            [b'v', ..] => {
                let Some(vertex) = simple_lines::decimals(text, 1) else {
                    return Ok(None);
                };
                let Some(corner) = self.frame.near_decimals(vertex.value) else {
                    return Ok(None);
                };
                self.vertex_lines
                    .push(self.piece.positions.len() as u64, line)?;
                self.place(corner)?;
                vertex.length
            }
            [b'f', ..] => {
                let start = self.piece.corner_count;
                let mut named = Named::default();
                let mut added = Ok(());
                let add = |corner| {
                    if added.is_ok() {
                        added = self.corner(corner, &mut named);
                    }
                };
                let face = simple_lines::face(text, add);
                added?;
                let Some(face) = face else {
                    // The line may not be a face at all, so its indices do not count.
                    self.forget_corners(start);
                    return Ok(None);
                };
                self.check(named, line);
                let number = self.report.faces;
                self.report.faces += 1;
                self.face_lines.push(number, line)?;
                self.keep(number, face.value)?;
                face.length
            }
            _ => return Ok(None),
        };
        self.known += 1;
        Ok(Some(length))
    }

    fn statement(&mut self, text: &[u8], line: u64, policy: BadFaces) -> Result<(), MeshError> {
        let (kind, rest) = split(text);
        self.known += u64::from(!matches!(kind, Kind::Empty | Kind::Unknown));
        match kind {
            Kind::Empty | Kind::Appearance => {}
            Kind::Vertex => return self.vertex(rest, line, policy),
            Kind::Face => return self.face(rest, line, policy),
            Kind::Texture => {
                let unreadable = &mut self.report.unreadable_texture_coordinates;
                let texture = &mut self.piece.texture;
                texture.define((rest, line), parse_texture, Vec2::NAN, unreadable)?;
            }
            Kind::Normal => {
                let unreadable = &mut self.report.unreadable_normals;
                let normal = &mut self.piece.normal;
                normal.define((rest, line), parse_normal, Vec3::NAN, unreadable)?;
            }
            Kind::Line => self.report.lines += 1,
            Kind::Point => self.report.points += 1,
            Kind::Object => self.objects.try_push((self.report.faces, name(rest)?))?,
            Kind::Group => self.groups.try_push((self.report.faces, name(rest)?))?,
            Kind::Material => self.materials.try_push((self.report.faces, name(rest)?))?,
            Kind::Library => {
                if let Some(library) = name(rest)? {
                    self.libraries.try_push(library)?;
                }
            }
            Kind::FreeForm => self.report.free_form_statements.add_line(line),
            Kind::Unknown => {
                self.report.unknown_statements.add_line(line);
                self.first_unknown
                    .get_or_insert_with(|| (line, quote(text.trim_ascii())));
            }
        }
        Ok(())
    }

    fn vertex(&mut self, text: &[u8], line: u64, policy: BadFaces) -> Result<(), MeshError> {
        let id = self.piece.positions.len() as u64;
        self.vertex_lines.push(id, line)?;
        match Vertex::parse(text, &self.frame) {
            Ok(vertex) => {
                self.place(vertex.corner)?;
                self.report.coloured_vertices += u64::from(vertex.has_colour);
                if vertex.weight.is_some_and(|weight| weight != 1.0) {
                    self.report.weighted_vertices.add(id, Some(line));
                }
            }
            Err(problem) if policy == BadFaces::Reject => {
                return Err(MeshError::BadVertex {
                    at: Location::of_line(line),
                    problem,
                });
            }
            Err(_) => {
                self.place([RoundedCoordinate::UNREAD; 3])?;
                self.report.unreadable_vertices.add(id, Some(line));
            }
        }
        Ok(())
    }

    /// Adds a vertex.
    #[inline]
    fn place(&mut self, corner: [RoundedCoordinate; 3]) -> Result<(), NoMemory> {
        let position = corner.map(|coordinate| coordinate.value);
        self.piece.positions.try_push(position.into())?;
        self.piece.rounding.add(&corner, &self.frame)
    }

    fn face(&mut self, text: &[u8], line: u64, policy: BadFaces) -> Result<(), MeshError> {
        let number = self.report.faces;
        self.report.faces += 1;
        self.face_lines.push(number, line)?;
        let start = self.piece.corner_count;
        let mut named = Named::default();
        for word in Words::new(text) {
            match Corner::parse(word) {
                Ok(corner) => self.corner(corner, &mut named)?,
                Err(problem) if policy == BadFaces::Reject => {
                    return Err(MeshError::BadIndex {
                        at: Location::of_line(line),
                        problem,
                    });
                }
                Err(_) => {
                    self.report.bad_indices.add(number, Some(line));
                    self.check(named, line);
                    self.forget_corners(start);
                    return Ok(());
                }
            }
        }
        self.check(named, line);
        let arity = self.piece.corner_count - start;
        if arity < 3 {
            self.report.short_faces.add(number, Some(line));
            self.forget_corners(start);
            return Ok(());
        }
        Ok(self.keep(number, arity)?)
    }

    /// Adds the face of this number, whose corners were added last.
    fn keep(&mut self, number: u64, arity: usize) -> Result<(), NoMemory> {
        self.piece.arity.set(self.piece.kept, arity)?;
        self.piece.numbers.push(self.piece.kept as u64, number)?;
        self.piece.kept += 1;
        Ok(())
    }

    #[inline]
    fn corner(&mut self, corner: Corner, named: &mut Named) -> Result<(), NoMemory> {
        let place = self.piece.corner_count;
        self.piece.corner_count += 1;
        self.piece
            .corners
            .set(place, corner.vertex, self.piece.positions.len())?;
        if let Some(index) = corner.texture {
            named.texture.take(index);
            self.piece.texture.refer(place, index)?;
        }
        if let Some(index) = corner.normal {
            named.normal.take(index);
            self.piece.normal.refer(place, index)?;
        }
        Ok(())
    }

    /// Records the indices of a line for validation.
    #[inline]
    fn check(&mut self, named: Named, line: u64) {
        self.piece.texture.reach.refer_to_all(named.texture, line);
        self.piece.normal.reach.refer_to_all(named.normal, line);
    }

    /// Removes the corners of a face that is not added.
    fn forget_corners(&mut self, start: usize) {
        self.piece.corner_count = start;
        self.piece.corners.truncate(start);
        self.piece.texture.indices.truncate(start);
        self.piece.normal.indices.truncate(start);
    }
}
