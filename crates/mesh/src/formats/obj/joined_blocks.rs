//! Joins the partial results of blocks.

use estoc_core::CancelToken;
use estoc_system::{Growth, NoMemory};

use super::block_arrays::{Before, ParsedPiece};
use super::block_parser::{NameChange, Partial, Reading};
use super::index_reach::IndexReach;
use super::mesh_of_blocks;
use crate::assemble::Source;
use crate::assemble::assembled::Assembled;
use crate::assemble::face_names::Names;
use crate::error::{InputLimits, MeshError};
use crate::mesh::material::Material;
use crate::report::MeshReport;

/// The contents of all blocks so far, in the order of the text.
#[derive(Default)]
pub(super) struct Gathered {
    pub(super) source: Source,
    pub(super) limits: InputLimits,
    lines: u64,
    /// The data for arrays, kept in pieces until the lengths of the arrays are known.
    pub(super) pieces: Vec<ParsedPiece>,
    /// The numbers of elements that precede the next piece.
    before: Before,
    /// The number of kept faces.
    kept: u64,
    pub(super) objects: Names,
    pub(super) groups: Names,
    pub(super) materials: Names,
    pub(super) libraries: Libraries,
    texture: IndexReach,
    normal: IndexReach,
    known: u64,
    first_unknown: Option<(u64, String)>,
    pub(super) report: MeshReport,
}

impl Gathered {
    pub(super) fn new(file: &str, limits: InputLimits) -> Self {
        Gathered {
            source: Source {
                file: Some(file.to_owned()),
                ..Source::default()
            },
            limits,
            ..Gathered::default()
        }
    }

    /// Appends the next block.
    pub(super) fn append(&mut self, block: Result<Partial, MeshError>) -> Result<(), MeshError> {
        let partial =
            block.map_err(|error| error.in_block(self.source.file.as_deref(), self.lines))?;
        let (first_line, before) = (self.lines, self.before);
        let mut piece = partial.piece;
        let vertices = before.vertices + piece.positions.len() as u64;
        self.kept += piece.kept as u64;
        let whole = || self.source.whole();
        self.limits.check_vertices(vertices, whole)?;
        self.limits.check_triangles(self.kept, whole)?;
        let (vertex_lines, face_lines) = (&partial.vertex_lines, &partial.face_lines);
        let source = &mut self.source;
        source
            .vertex_lines
            .append(vertex_lines, before.vertices, first_line)?;
        source
            .face_lines
            .append(face_lines, before.faces, first_line)?;
        append(&mut self.objects, partial.objects, before.faces)?;
        append(&mut self.groups, partial.groups, before.faces)?;
        append(&mut self.materials, partial.materials, before.faces)?;
        for library in partial.libraries {
            self.libraries.add(library);
        }
        self.texture.append(&piece.texture.reach, first_line);
        self.normal.append(&piece.normal.reach, first_line);
        self.known += partial.known;
        let unknown = partial.first_unknown;
        self.first_unknown = (self.first_unknown.take())
            .or_else(|| unknown.map(|(line, text)| (line + first_line, text)));
        self.report
            .append(&partial.report, [before.vertices, 0], first_line);
        self.lines += partial.lines;
        self.before = Before {
            vertices,
            faces: self.report.faces,
            texture: self.texture.defined,
            normal: self.normal.defined,
        };
        if !piece.is_empty() {
            piece.before = before;
            self.pieces.try_push(piece)?;
        }
        Ok(())
    }

    /// Returns the error for a next statement beyond the limit.
    pub(super) fn line_too_long(&self) -> MeshError {
        MeshError::LineTooLong {
            at: self.source.at_line(self.lines + 1),
            limit: self.limits.statement,
        }
    }

    /// Performs the checks that require the whole text, and returns the mesh.
    pub(super) fn finish(
        mut self,
        reading: Reading,
        materials: Vec<Material>,
        cancel: &CancelToken,
    ) -> Result<Assembled, MeshError> {
        // Any text has a word that OBJ knows.
        let most_unknown = self.report.unknown_statements.count() > self.known;
        let first_unknown = self.first_unknown.take();
        if let (true, 0, Some((line, text))) = (most_unknown, self.before.vertices, first_unknown) {
            let problem = match self.known {
                0 => format!("found {text}, but no OBJ statement"),
                _ => format!("found {text}, mostly no OBJ statements, and no vertex"),
            };
            return Err(MeshError::NotObj {
                at: self.source.at_line(line),
                problem,
            });
        }
        self.report.texture_index_out_of_range = self.texture.out_of_range();
        self.report.normal_index_out_of_range = self.normal.out_of_range();
        mesh_of_blocks::join_pieces(self, reading, materials, cancel)
    }
}

/// The names in `mtllib` statements.
#[derive(Default)]
pub(super) struct Libraries {
    /// The distinct statements as written, in order of first mention.
    pub(super) statements: Vec<String>,
    /// The number of statements that are not stored.
    pub(super) more: u64,
}

impl Libraries {
    fn add(&mut self, statement: String) {
        if self.statements.contains(&statement) {
        } else if self.statements.len() < MeshReport::READ_LIBRARIES {
            self.statements.push(statement);
        } else {
            self.more += 1;
        }
    }
}

/// Appends the names of a block that `first_face` faces precede.
fn append(names: &mut Names, changes: Vec<NameChange>, first_face: u64) -> Result<(), NoMemory> {
    for (face, name) in changes {
        names.set(first_face + face, name)?;
    }
    Ok(())
}
