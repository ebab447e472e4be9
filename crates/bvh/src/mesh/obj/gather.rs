//! Putting partials together, and making the mesh.

use estoc_core::CancelToken;
use estoc_core::glam::{Vec2, Vec3};
use std::collections::HashMap;

use super::attribute::Attribute;
use super::indices::{Indices, NOTHING};
use super::partial::{Fault, NameChange, Partial, Reading};
use crate::mesh::assemble::{Assembler, Source};
use crate::mesh::error::{Limits, MeshError};
use crate::mesh::report::MeshReport;
use crate::mesh::runs::{Ramp, Runs};
use crate::mesh::{Labels, Location, Material, Mesh, Policy};

/// Everything that was read so far, in the order of the text.
pub(super) struct Gathered {
    source: Source,
    limits: Limits,
    lines: u64,
    positions: Vec<Vec3>,
    corners: Indices,
    arity: Runs<usize>,
    kept: usize,
    numbers: Ramp,
    objects: Names,
    groups: Names,
    materials: Names,
    libraries: Libraries,
    texture: Attribute<Vec2>,
    normal: Attribute<Vec3>,
    is_obj: bool,
    first_unknown: Option<(u64, String)>,
    report: MeshReport,
}

impl Gathered {
    pub(super) fn new(file: &str, limits: Limits, reading: Reading) -> Self {
        Gathered {
            source: Source {
                file: Some(file.to_owned()),
                ..Source::default()
            },
            limits,
            lines: 0,
            positions: Vec::new(),
            corners: Indices::default(),
            arity: Runs::default(),
            kept: 0,
            numbers: Ramp::default(),
            objects: Names::default(),
            groups: Names::default(),
            materials: Names::default(),
            libraries: Libraries::default(),
            texture: Attribute::new(reading.attributes),
            normal: Attribute::new(reading.attributes),
            is_obj: false,
            first_unknown: None,
            report: MeshReport::default(),
        }
    }

    /// Adds the next block.
    pub(super) fn append(&mut self, block: Result<Partial, Fault>) -> Result<(), MeshError> {
        let partial = block.map_err(|fault| self.refuse(fault))?;
        let (first_line, first_face) = (self.lines, self.report.faces);
        let first_vertex = self.positions.len() as u64;
        if first_vertex + partial.positions.len() as u64 > self.limits.vertices {
            return Err(MeshError::TooManyVertices {
                at: self.whole_file(),
                limit: self.limits.vertices,
            });
        }
        if (self.kept + partial.kept) as u64 > self.limits.triangles {
            return Err(MeshError::TooManyTriangles {
                at: self.whole_file(),
                limit: self.limits.triangles,
            });
        }
        let first_corner = self.corners.places().len();
        self.corners
            .append(&partial.corners, first_corner, first_vertex);
        self.positions.extend_from_slice(&partial.positions);
        for &(face, arity) in partial.arity.changes() {
            self.arity.set(self.kept + face, arity);
        }
        let first_kept = self.kept as u64;
        self.numbers
            .append(&partial.numbers, first_kept, first_face);
        let (vertex_lines, face_lines) = (&partial.vertex_lines, &partial.face_lines);
        let source = &mut self.source;
        source
            .vertex_lines
            .append(vertex_lines, first_vertex, first_line);
        source.face_lines.append(face_lines, first_face, first_line);
        self.objects.append(partial.objects, self.kept);
        self.groups.append(partial.groups, self.kept);
        self.materials.append(partial.materials, self.kept);
        for library in partial.libraries {
            self.libraries.add(library);
        }
        self.texture
            .append(&partial.texture, first_corner, first_line);
        self.normal
            .append(&partial.normal, first_corner, first_line);
        self.is_obj |= partial.is_obj;
        let unknown = partial.first_unknown;
        self.first_unknown = (self.first_unknown.take())
            .or_else(|| unknown.map(|(line, text)| (line + first_line, text)));
        self.report
            .append(&partial.report, first_vertex, first_line);
        self.kept += partial.kept;
        self.lines += partial.lines;
        Ok(())
    }

    fn whole_file(&self) -> Location {
        Location {
            file: self.source.file.clone(),
            ..Location::default()
        }
    }

    fn refuse(&self, fault: Fault) -> MeshError {
        match fault {
            Fault::BadVertex { line, problem } => MeshError::BadVertex {
                at: self.source.at_line(self.lines + line),
                problem,
            },
            Fault::BadIndex { line, problem } => MeshError::BadIndex {
                at: self.source.at_line(self.lines + line),
                problem,
            },
        }
    }

    /// The next statement goes beyond the limit.
    pub(super) fn line_too_long(&self) -> MeshError {
        MeshError::LineTooLong {
            at: self.source.at_line(self.lines + 1),
            limit: self.limits.statement,
        }
    }

    /// Takes the library statements out.
    pub(super) fn take_libraries(&mut self) -> Libraries {
        core::mem::take(&mut self.libraries)
    }

    /// Takes out the names of materials that faces use, each with its number.
    pub(super) fn take_material_names(&mut self) -> HashMap<String, u32> {
        core::mem::take(&mut self.materials.ids)
    }

    pub(super) fn report_mut(&mut self) -> &mut MeshReport {
        &mut self.report
    }

    /// Checks what only the whole text can tell, and makes the mesh.
    pub(super) fn finish(
        mut self,
        policy: Policy,
        materials: Vec<Material>,
        cancel: &CancelToken,
    ) -> Result<Mesh, MeshError> {
        if let (false, Some((line, text))) = (self.is_obj, self.first_unknown.take()) {
            return Err(MeshError::NotObj {
                at: self.source.at_line(line),
                problem: format!("{text} and nothing that OBJ knows"),
            });
        }
        self.report.texture_index_out_of_range = self.texture.out_of_range();
        self.report.normal_index_out_of_range = self.normal.out_of_range();

        let mut objects = Relabel::new(&self.objects.runs);
        let mut groups = Relabel::new(&self.groups.runs);
        let mut material = Relabel::new(&self.materials.runs);
        let cancelled = MeshError::Cancelled {
            at: self.whole_file(),
        };
        let (positions, report) = (self.positions, self.report);
        let source = &self.source;
        let mut assembler = Assembler::new(positions, report, policy, self.limits, source)?;
        let corners = self.corners.places();
        let triangles = corners.len() - 2 * self.kept;
        assembler.reserve(triangles);
        let mut texture = self.texture.by_triangle(triangles);
        let mut normal = self.normal.by_triangle(triangles);
        let mut start = 0;
        for (faces, arity) in self.arity.spans(self.kept, 0) {
            for face in faces {
                if face % 4096 == 0 && cancel.is_cancelled() {
                    return Err(cancelled);
                }
                let prim = assembler.triangle_count();
                objects.advance(face, prim);
                groups.advance(face, prim);
                material.advance(face, prim);
                let vertices = &corners[start..start + arity];
                // Every kept face was given a number.
                let number = self.numbers.get(face as u64).unwrap_or_default();
                if let Some(at) = vertices.iter().position(|&vertex| vertex == NOTHING) {
                    let index = self.corners.far_index(start + at).unwrap_or_default();
                    assembler.out_of_range(number, index.to_string())?;
                } else {
                    assembler.face(vertices, number, |triangle| {
                        texture.push(start, triangle);
                        normal.push(start, triangle);
                    })?;
                }
                start += arity;
            }
        }
        let (texture, normal) = (texture.finish(), normal.finish());
        let mut mesh = assembler.finish();
        mesh.objects = objects.labels(in_order(self.objects.ids));
        mesh.groups = groups.labels(in_order(self.groups.ids));
        mesh.materials = material.labels(materials);
        mesh.face_lines = self.source.face_lines;
        mesh.texcoords = self.texture.corner_values(texture);
        mesh.normals = self.normal.corner_values(normal);
        Ok(mesh)
    }
}

/// What `mtllib` statements say.
#[derive(Default)]
pub(super) struct Libraries {
    /// As written, each once, in order of first mention.
    pub(super) statements: Vec<String>,
    /// How many more there are.
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

/// The names of one kind, and which kept faces have them. There may be as many names as
/// statements, so each is kept only once.
#[derive(Default)]
struct Names {
    /// By name, its place in order of first mention.
    ids: HashMap<String, u32>,
    runs: Runs<Option<u32>>,
}

impl Names {
    /// The place of a name among all, where it is added when it is new.
    fn number(&mut self, name: String) -> u32 {
        // More names than u32 can count need more text than memory holds.
        let next = self.ids.len() as u32;
        *self.ids.entry(name).or_insert(next)
    }

    fn append(&mut self, changes: Vec<NameChange>, shift: usize) {
        for (face, name) in changes {
            let id = name.map(|name| self.number(name));
            self.runs.set(shift + face, id);
        }
    }
}

/// Names by their place.
fn in_order(ids: HashMap<String, u32>) -> Vec<String> {
    let mut names = vec![String::new(); ids.len()];
    for (name, id) in ids {
        names[id as usize] = name;
    }
    names
}

/// Turns names by face into names by triangle, while triangles are made.
struct Relabel<'a> {
    changes: &'a [(usize, Option<u32>)],
    by_prim: Runs<Option<u32>>,
}

impl<'a> Relabel<'a> {
    fn new(by_face: &'a Runs<Option<u32>>) -> Self {
        Relabel {
            changes: by_face.changes(),
            by_prim: Runs::default(),
        }
    }

    /// The next triangle is `prim`, and comes from `face`.
    fn advance(&mut self, face: usize, prim: usize) {
        while let [(start, name), later @ ..] = self.changes
            && *start <= face
        {
            self.by_prim.set(prim, *name);
            self.changes = later;
        }
    }

    fn labels<T>(self, all: Vec<T>) -> Labels<T> {
        Labels {
            all,
            runs: self.by_prim,
        }
    }
}
