//! Parsing one block of statements, knowing nothing of the blocks before it.
//!
//! Counts, line numbers and negative indices are relative to the start of the block;
//! [`Gathered`](super::gather::Gathered) puts partials together in order. So blocks can be
//! parsed in any order, or at the same time.

use estoc_core::glam::Vec3;

use super::attribute::Attribute;
use super::face::Corner;
use super::lines::Lines;
use super::names::{name, quote};
use super::number::parse_f32;
use super::statement::{Kind, split};
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
    /// The vertices of all kept faces, one face after the other, from 0.
    pub(super) corners: Vec<u32>,
    /// By corner: whether it counts from the start of the block, not of the text.
    pub(super) relative: Runs<bool>,
    /// Corners that name something that this block cannot hold.
    pub(super) far: Vec<FarCorner>,
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
    pub(super) texture: Attribute,
    pub(super) normal: Attribute,
    /// Whether any statement is one of OBJ.
    pub(super) is_obj: bool,
    /// Line and text of the first one that is not.
    pub(super) first_unknown: Option<(u64, String)>,
    /// Counts; ids and lines are relative.
    pub(super) report: MeshReport,
}

/// From a kept face on, what the faces are called.
pub(super) type NameChange = (usize, Option<String>);

/// A corner whose vertex is before the start of the block, or beyond any mesh.
#[derive(Clone, Copy, Debug)]
pub(super) struct FarCorner {
    pub(super) corner: usize,
    /// As written.
    pub(super) index: i64,
    /// For a negative index, the vertex it names, from the start of the block.
    pub(super) from_block: Option<i64>,
}

/// The value of a corner that names no vertex; no mesh has that many.
pub(super) const NO_VERTEX: u32 = u32::MAX;

/// Why a block cannot be read, with the line relative to its start.
#[derive(Debug)]
pub(super) enum Fault {
    BadVertex { line: u64, problem: String },
    BadIndex { line: u64, problem: String },
}

impl Partial {
    /// Parses a block. With [`Policy::Skip`] there is no [`Fault`].
    pub(super) fn parse(block: &[u8], policy: Policy) -> Result<Partial, Fault> {
        let mut partial = Partial::default();
        let mut lines = Lines::new(block);
        while let Some(line) = lines.next() {
            partial.statement(line.text, line.number, policy)?;
        }
        partial.lines = lines.passed();
        Ok(partial)
    }

    fn statement(&mut self, text: &[u8], line: u64, policy: Policy) -> Result<(), Fault> {
        let (kind, rest) = split(text);
        self.is_obj |= !matches!(kind, Kind::Empty | Kind::Unknown);
        match kind {
            Kind::Empty | Kind::Appearance => {}
            Kind::Vertex => return self.vertex(rest, line, policy),
            Kind::Face => return self.face(rest, line, policy),
            Kind::Texture => self.texture.defined += 1,
            Kind::Normal => self.normal.defined += 1,
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

    fn face(&mut self, text: &[u8], line: u64, policy: Policy) -> Result<(), Fault> {
        let number = self.report.faces;
        self.report.faces += 1;
        self.face_lines.push(number, line);
        let start = self.corners.len();
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
        let arity = self.corners.len() - start;
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
        let place = self.corners.len();
        let index = corner.vertex;
        let relative = index < 0;
        let vertex = match relative {
            true => index + self.positions.len() as i64,
            false => index - 1,
        };
        match u32::try_from(vertex) {
            Ok(vertex) if vertex != NO_VERTEX => {
                self.relative.set(place, relative);
                self.corners.push(vertex);
            }
            _ => {
                self.relative.set(place, false);
                self.corners.push(NO_VERTEX);
                self.far.push(FarCorner {
                    corner: place,
                    index,
                    from_block: relative.then_some(vertex),
                });
            }
        }
        if let Some(index) = corner.texture {
            self.texture.refer(index, line);
        }
        if let Some(index) = corner.normal {
            self.normal.refer(index, line);
        }
    }

    /// Takes back the corners of a face that is not kept.
    fn forget_corners(&mut self, start: usize) {
        self.corners.truncate(start);
        self.relative.truncate(start);
        while self.far.pop_if(|far| far.corner >= start).is_some() {}
    }
}

/// Counts a statement; its line says all.
fn count(tally: &mut Tally, line: u64) {
    tally.add(tally.count(), Some(line));
}

/// A vertex statement.
struct Vertex {
    position: Vec3,
    weight: Option<f32>,
    has_colour: bool,
}

impl Vertex {
    /// `x y z`, then an optional weight, then an optional colour of three or four numbers.
    fn parse(text: &[u8]) -> Result<Vertex, String> {
        const MOST: usize = 8;
        let mut numbers = [0.0; MOST];
        let mut count = 0;
        for word in Words::new(text) {
            let Some(value) = parse_f32(word) else {
                return Err(format!("{} is not a decimal number", quote(word)));
            };
            if count < MOST {
                numbers[count] = value;
            }
            count += 1;
        }
        let [x, y, z, w, ..] = numbers;
        let (weight, has_colour) = match count {
            3 => (None, false),
            4 => (Some(w), false),
            6 | 7 => (None, true),
            8 => (Some(w), true),
            _ => return Err(format!("a vertex of {count} numbers, not 3, 4, 6, 7 or 8")),
        };
        Ok(Vertex {
            position: Vec3::new(x, y, z),
            weight,
            has_colour,
        })
    }
}
