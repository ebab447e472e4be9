//! Parsing one block of statements, knowing nothing of the blocks before it.
//!
//! Counts, line numbers and negative indices are relative to the start of the block;
//! [`Gathered`](super::gather::Gathered) puts partials together in order. So blocks can be
//! parsed in any order, or at the same time.

use estoc_core::glam::{Vec2, Vec3};

use super::attribute::{Attribute, parse_normal, parse_texture};
use super::face::Corner;
use super::indices::Indices;
use super::lines::Lines;
use super::names::{name, quote};
use super::statement::{Kind, split};
use super::vertex::Vertex;
use super::words::Words;
use crate::mesh::report::MeshReport;
use crate::mesh::runs::{Ramp, Runs};
use crate::mesh::{Policy, Tally};

/// What one block says.
#[derive(Default)]
pub(super) struct Partial {
    /// How many physical lines it has.
    pub(super) lines: u64,
    pub(super) positions: Vec<Vec3>,
    pub(super) vertex_lines: Ramp,
    /// How many corners all kept faces have.
    pub(super) corner_count: usize,
    /// By corner: its vertex.
    pub(super) corners: Indices,
    /// By kept face: how many corners it has.
    pub(super) arity: Runs<usize>,
    /// How many faces are kept.
    pub(super) kept: usize,
    /// By kept face: its number among all faces.
    pub(super) numbers: Ramp,
    /// By number: the line.
    pub(super) face_lines: Ramp,
    pub(super) objects: Vec<NameChange>,
    pub(super) groups: Vec<NameChange>,
    pub(super) materials: Vec<NameChange>,
    /// Material libraries, as written.
    pub(super) libraries: Vec<String>,
    pub(super) texture: Attribute<Vec2>,
    pub(super) normal: Attribute<Vec3>,
    /// Whether any statement is one of OBJ.
    pub(super) is_obj: bool,
    /// Line and text of the first one that is not.
    pub(super) first_unknown: Option<(u64, String)>,
    /// Counts; ids and lines are relative.
    pub(super) report: MeshReport,
}

/// From a kept face on, what the faces are called.
pub(super) type NameChange = (usize, Option<String>);

/// How blocks are read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reading {
    pub(super) policy: Policy,
    /// Whether texture coordinates and normals are kept.
    pub(super) attributes: bool,
}

/// Why a block cannot be read, with the line relative to its start.
#[derive(Debug)]
pub(super) enum Fault {
    BadVertex { line: u64, problem: String },
    BadIndex { line: u64, problem: String },
}

impl Partial {
    /// Parses a block. With [`Policy::Skip`] there is no [`Fault`].
    pub(super) fn parse(block: &[u8], reading: Reading) -> Result<Partial, Fault> {
        let mut partial = Partial {
            texture: Attribute::new(reading.attributes),
            normal: Attribute::new(reading.attributes),
            ..Partial::default()
        };
        let mut lines = Lines::new(block);
        while let Some(line) = lines.next() {
            partial.statement(line.text, line.number, reading.policy)?;
        }
        partial.lines = lines.passed();
        partial.report.texture_coordinates = partial.texture.defined();
        partial.report.normals = partial.normal.defined();
        Ok(partial)
    }

    fn statement(&mut self, text: &[u8], line: u64, policy: Policy) -> Result<(), Fault> {
        let (kind, rest) = split(text);
        self.is_obj |= !matches!(kind, Kind::Empty | Kind::Unknown);
        match kind {
            Kind::Empty | Kind::Appearance => {}
            Kind::Vertex => return self.vertex(rest, line, policy),
            Kind::Face => return self.face(rest, line, policy),
            Kind::Texture => self.texture_coordinate(rest, line),
            Kind::Normal => self.normal(rest, line),
            Kind::Line => self.report.lines += 1,
            Kind::Point => self.report.points += 1,
            Kind::Object => self.objects.push((self.kept, name(rest))),
            Kind::Group => self.groups.push((self.kept, name(rest))),
            Kind::Material => self.materials.push((self.kept, name(rest))),
            Kind::Library => self.libraries.extend(name(rest)),
            Kind::FreeForm => count(&mut self.report.free_form_statements, line),
            Kind::Unknown => {
                count(&mut self.report.unknown_statements, line);
                self.first_unknown
                    .get_or_insert_with(|| (line, quote(text.trim_ascii())));
            }
        }
        Ok(())
    }

    fn vertex(&mut self, text: &[u8], line: u64, policy: Policy) -> Result<(), Fault> {
        let id = self.positions.len() as u64;
        self.vertex_lines.push(id, line);
        match Vertex::parse(text) {
            Ok(vertex) => {
                self.positions.push(vertex.position);
                self.report.coloured_vertices += u64::from(vertex.has_colour);
                if vertex.weight.is_some_and(|weight| weight != 1.0) {
                    self.report.weighted_vertices.add(id, Some(line));
                }
            }
            Err(problem) if policy == Policy::Reject => {
                return Err(Fault::BadVertex { line, problem });
            }
            Err(_) => {
                self.positions.push(Vec3::NAN);
                self.report.unreadable_vertices.add(id, Some(line));
            }
        }
        Ok(())
    }

    fn texture_coordinate(&mut self, text: &[u8], line: u64) {
        let id = self.texture.defined();
        if !self.texture.define(text, parse_texture, Vec2::NAN) {
            let tally = &mut self.report.unreadable_texture_coordinates;
            tally.add(id, Some(line));
        }
    }

    fn normal(&mut self, text: &[u8], line: u64) {
        let id = self.normal.defined();
        if !self.normal.define(text, parse_normal, Vec3::NAN) {
            self.report.unreadable_normals.add(id, Some(line));
        }
    }

    fn face(&mut self, text: &[u8], line: u64, policy: Policy) -> Result<(), Fault> {
        let number = self.report.faces;
        self.report.faces += 1;
        self.face_lines.push(number, line);
        let start = self.corner_count;
        for word in Words::new(text) {
            match Corner::parse(word) {
                Ok(corner) => self.corner(corner, line),
                Err(problem) if policy == Policy::Reject => {
                    return Err(Fault::BadIndex { line, problem });
                }
                Err(_) => {
                    self.report.bad_indices.add(number, Some(line));
                    self.forget_corners(start);
                    return Ok(());
                }
            }
        }
        let arity = self.corner_count - start;
        if arity < 3 {
            self.report.short_faces.add(number, Some(line));
            self.forget_corners(start);
            return Ok(());
        }
        self.arity.set(self.kept, arity);
        self.numbers.push(self.kept as u64, number);
        self.kept += 1;
        Ok(())
    }

    fn corner(&mut self, corner: Corner, line: u64) {
        let place = self.corner_count;
        self.corner_count += 1;
        self.corners.set(place, corner.vertex, self.positions.len());
        if let Some(index) = corner.texture {
            self.texture.refer(place, index, line);
        }
        if let Some(index) = corner.normal {
            self.normal.refer(place, index, line);
        }
    }

    /// Takes back the corners of a face that is not kept.
    fn forget_corners(&mut self, start: usize) {
        self.corner_count = start;
        self.corners.truncate(start);
        self.texture.forget_corners(start);
        self.normal.forget_corners(start);
    }
}

/// Counts a statement; its line says all.
fn count(tally: &mut Tally, line: u64) {
    tally.add(tally.count(), Some(line));
}
