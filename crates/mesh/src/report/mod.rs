//! What was noticed while a mesh was made.

pub(crate) mod warning;

use warning::{AttributeIndex, MaterialProblem, UnreadPart, Warning};

/// One finding: a face, vertex, triangle or statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Finding {
    /// Its number from 0, of the kind that the [`MeshReport`] field counts.
    pub id: u64,
    /// The physical line from 1, when the mesh came from a file.
    pub line: Option<u64>,
}

/// How often something was found, and where first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Findings {
    count: u64,
    first: Vec<Finding>,
    /// Whether the format counts from 0 what is found; OBJ counts from 1.
    from_zero: bool,
}

impl Findings {
    /// The most places that a tally keeps.
    pub const KEPT: usize = 8;

    /// How often.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The first places, in order of the input.
    pub fn first(&self) -> &[Finding] {
        &self.first
    }

    /// Whether it was never found.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    pub(crate) fn add(&mut self, id: u64, line: Option<u64>) {
        self.count += 1;
        if self.first.len() < Findings::KEPT {
            self.first.push(Finding { id, line });
        }
    }

    /// The number that a person knows a place by that has a line.
    pub(crate) fn number_in_file(&self, place: &Finding) -> u64 {
        place.id + u64::from(!self.from_zero)
    }

    /// Adds what was found in a later stretch of the input.
    pub(crate) fn append(&mut self, later: &Findings, id_shift: u64, line_shift: u64) {
        self.count += later.count;
        let room = Findings::KEPT - self.first.len();
        self.first
            .extend(later.first.iter().take(room).map(|place| Finding {
                id: place.id + id_shift,
                line: place.line.map(|line| line + line_shift),
            }));
    }
}

/// What was noticed while a mesh was made: counts, and the first places of each finding.
///
/// Faces are numbered from 0 as the source has them, those that were left out included;
/// triangles as the mesh numbers them; vertices from 0. A [`Warning`] in words counts faces
/// and vertices of an OBJ file from 1.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct MeshReport {
    /// Vertices, used or not.
    pub vertices: u64,
    /// Faces of the source, used or not.
    pub faces: u64,
    /// Faces in the mesh that had more than three corners.
    pub polygons: u64,
    /// Polygons that a fan would have folded over, cut by clipping ears.
    pub concave_polygons: u64,
    /// Line statements; they are no triangles.
    pub lines: u64,
    /// Point statements; they are no triangles.
    pub points: u64,
    /// Texture coordinates, used or not.
    pub texture_coordinates: u64,
    /// Normals, used or not.
    pub normals: u64,
    /// Vertices with a colour; it is not kept.
    pub coloured_vertices: u64,

    /// Faces with fewer than three corners, left out.
    pub short_faces: Findings,
    /// Faces with something else than indices, left out.
    pub bad_indices: Findings,
    /// Faces with a vertex that does not exist, left out.
    pub out_of_range: Findings,
    /// Faces with a vertex that is not finite or could not be read, left out.
    pub non_finite_faces: Findings,

    /// Triangles without area, decided exactly. They keep their number and are never hit.
    pub degenerate: Findings,
    /// Triangles with the same three positions as an earlier one, in whatever order.
    pub duplicate: Findings,
    /// Faces that were found to cross themselves; their triangles may overlap.
    pub tangled_polygons: Findings,

    /// Vertices that could not be read.
    pub unreadable_vertices: Findings,
    /// Vertices that are not finite and that a face names.
    pub non_finite_used: Findings,
    /// Vertices that are not finite and that no face names.
    pub non_finite_unused: Findings,
    /// Vertices with a weight other than 1; it is not divided by.
    pub weighted_vertices: Findings,

    /// Statements of curves and surfaces, and calls of other files or programs: their
    /// geometry is missing.
    pub free_form_statements: Findings,
    /// Statements that OBJ, or STL as text, does not have.
    pub unknown_statements: Findings,
    /// Texture coordinates without finite numbers; corners that name them have none.
    pub unreadable_texture_coordinates: Findings,
    /// Normals without three finite numbers; corners that name them have none.
    pub unreadable_normals: Findings,
    /// A texture coordinate index that does not exist, the farthest one.
    pub texture_index_out_of_range: Option<AttributeIndex>,
    /// A normal index that does not exist, the farthest one.
    pub normal_index_out_of_range: Option<AttributeIndex>,
    /// What is wrong with material libraries, the first
    /// [`KEPT_MATERIAL_PROBLEMS`](MeshReport::KEPT_MATERIAL_PROBLEMS).
    pub material_problems: Vec<MaterialProblem>,
    /// How many more problems material libraries have.
    pub more_material_problems: u64,
    /// Material libraries that were not read because of
    /// [`READ_LIBRARIES`](MeshReport::READ_LIBRARIES) or
    /// [`READ_LIBRARY_BYTES`](MeshReport::READ_LIBRARY_BYTES).
    pub skipped_libraries: u64,
    /// Parts of a file that are not read, the first
    /// [`KEPT_UNREAD_PARTS`](MeshReport::KEPT_UNREAD_PARTS) kinds.
    pub unread_parts: Vec<UnreadPart>,
    /// How many more kinds of parts are not read.
    pub more_unread_parts: u64,
    /// Other files that the source is made of, as it names them: material libraries of OBJ that
    /// were looked for, buffers and images of glTF. Names are relative to the folder of the file.
    pub named_files: Vec<String>,
}

impl MeshReport {
    /// The most entries of [`material_problems`](MeshReport::material_problems).
    pub const KEPT_MATERIAL_PROBLEMS: usize = 64;

    /// The most entries of [`ignored`](MeshReport::unread_parts).
    pub const KEPT_UNREAD_PARTS: usize = 16;

    /// The most material libraries that are looked for.
    pub const READ_LIBRARIES: usize = 64;

    /// The most bytes that all material libraries together may have, 64 MiB.
    pub const READ_LIBRARY_BYTES: usize = 1 << 26;

    /// Faces that were left out because they cannot be used ([`BadFaces`](crate::BadFaces));
    /// those with fewer than three corners not counted.
    pub fn skipped_faces(&self) -> u64 {
        self.bad_indices.count() + self.out_of_range.count() + self.non_finite_faces.count()
    }

    /// Everything that a person should be told, the gravest first.
    pub fn warnings(&self) -> Vec<Warning<'_>> {
        let tallies = [
            Warning::BadIndices(&self.bad_indices),
            Warning::OutOfRange(&self.out_of_range),
            Warning::NonFiniteFaces(&self.non_finite_faces),
            Warning::UnreadableVertices(&self.unreadable_vertices),
            Warning::ShortFaces(&self.short_faces),
            Warning::FreeFormStatements(&self.free_form_statements),
            Warning::UnknownStatements(&self.unknown_statements),
            Warning::TangledPolygons(&self.tangled_polygons),
            Warning::Degenerate(&self.degenerate),
            Warning::Duplicate(&self.duplicate),
            Warning::NonFiniteUnused(&self.non_finite_unused),
            Warning::WeightedVertices(&self.weighted_vertices),
            Warning::UnreadableTextureCoordinates(&self.unreadable_texture_coordinates),
            Warning::UnreadableNormals(&self.unreadable_normals),
        ];
        let texture = self.texture_index_out_of_range;
        let normal = self.normal_index_out_of_range;
        let some = |count: u64| (count > 0).then_some(count);
        let no_faces = self.vertices > 0 && self.faces == 0;
        tallies
            .into_iter()
            .filter(|warning| warning.tally().is_some_and(|tally| !tally.is_empty()))
            .chain(texture.map(Warning::TextureIndex))
            .chain(normal.map(Warning::NormalIndex))
            .chain(some(self.skipped_libraries).map(Warning::SkippedLibraries))
            .chain(self.material_problems.iter().map(Warning::Material))
            .chain(some(self.more_material_problems).map(Warning::MoreMaterialProblems))
            .chain(self.unread_parts.iter().map(Warning::UnreadPart))
            .chain(some(self.more_unread_parts).map(Warning::MoreIgnored))
            .chain(no_faces.then_some(Warning::NoFaces(self.vertices)))
            .collect()
    }

    /// The format of the source counts vertices and faces from 0.
    pub(crate) fn count_from_zero(&mut self) {
        for tally in [
            &mut self.short_faces,
            &mut self.bad_indices,
            &mut self.out_of_range,
            &mut self.non_finite_faces,
            &mut self.tangled_polygons,
            &mut self.unreadable_vertices,
            &mut self.non_finite_used,
            &mut self.non_finite_unused,
            &mut self.weighted_vertices,
        ] {
            tally.from_zero = true;
        }
    }

    /// Adds what the text of a later stretch of a source says, before anything is known of the
    /// whole.
    pub(crate) fn append(&mut self, later: &MeshReport, vertex_shift: u64, line_shift: u64) {
        let face_shift = self.faces;
        self.faces += later.faces;
        self.lines += later.lines;
        self.points += later.points;
        self.coloured_vertices += later.coloured_vertices;
        let (texture_shift, normal_shift) = (self.texture_coordinates, self.normals);
        self.texture_coordinates += later.texture_coordinates;
        self.normals += later.normals;
        let free_form = self.free_form_statements.count();
        let unknown = self.unknown_statements.count();
        for (tally, later, id_shift) in [
            (&mut self.short_faces, &later.short_faces, face_shift),
            (&mut self.bad_indices, &later.bad_indices, face_shift),
            (
                &mut self.unreadable_vertices,
                &later.unreadable_vertices,
                vertex_shift,
            ),
            (
                &mut self.weighted_vertices,
                &later.weighted_vertices,
                vertex_shift,
            ),
            (
                &mut self.unreadable_texture_coordinates,
                &later.unreadable_texture_coordinates,
                texture_shift,
            ),
            (
                &mut self.unreadable_normals,
                &later.unreadable_normals,
                normal_shift,
            ),
            (
                &mut self.free_form_statements,
                &later.free_form_statements,
                free_form,
            ),
            (
                &mut self.unknown_statements,
                &later.unknown_statements,
                unknown,
            ),
        ] {
            tally.append(later, id_shift, line_shift);
        }
    }

    /// Adds what was noticed of faces of a later stretch while they became triangles; places
    /// are those of the whole source.
    pub(crate) fn append_cut(&mut self, later: &MeshReport) {
        self.polygons += later.polygons;
        self.concave_polygons += later.concave_polygons;
        for (tally, later) in [
            (&mut self.out_of_range, &later.out_of_range),
            (&mut self.non_finite_faces, &later.non_finite_faces),
            (&mut self.tangled_polygons, &later.tangled_polygons),
        ] {
            tally.append(later, 0, 0);
        }
    }

    /// Notes a problem of a material library; of those beyond the first, only that there are.
    pub(crate) fn material_problem(
        &mut self,
        library: &str,
        line: Option<u64>,
        problem: impl FnOnce() -> String,
    ) {
        if self.material_problems.len() == MeshReport::KEPT_MATERIAL_PROBLEMS {
            self.more_material_problems += 1;
            return;
        }
        self.material_problems.push(MaterialProblem {
            library: library.to_owned(),
            line,
            problem: problem(),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tally_counts_all_and_keeps_the_first() {
        let mut all = Findings::default();
        let mut early = Findings::default();
        let mut late = Findings::default();
        for id in 0..12 {
            all.add(id, Some(2 * id));
            if id < 5 {
                early.add(id, Some(2 * id));
            } else {
                late.add(id - 5, Some(2 * id - 10));
            }
        }
        early.append(&late, 5, 10);
        assert_eq!(early, all);
        assert_eq!(all.count(), 12);
        assert_eq!(all.first().len(), Findings::KEPT);
        assert_eq!(
            all.first()[7],
            Finding {
                id: 7,
                line: Some(14)
            }
        );
    }

    #[test]
    fn a_clean_report_has_no_warnings_and_each_finding_one() {
        let mut report = MeshReport::default();
        assert!(report.warnings().is_empty());
        report.short_faces.add(6, Some(80));
        report.short_faces.add(9, None);
        report.degenerate.add(3, None);
        report.normal_index_out_of_range = Some(AttributeIndex {
            index: -7,
            line: 12,
            defined: 3,
        });
        report.tangled_polygons.add(2, Some(9));
        report.non_finite_unused.add(0, Some(1));
        report.skipped_libraries = 1;
        for line in 4..70 {
            report.material_problem("a.mtl", Some(line), || "no number".into());
        }
        let kept = MeshReport::KEPT_MATERIAL_PROBLEMS;
        assert_eq!(report.material_problems.len(), kept);
        report.material_problems.truncate(1);
        let text: Vec<String> = report.warnings().iter().map(ToString::to_string).collect();
        assert_eq!(
            text,
            [
                "2 faces with fewer than three corners were left out (face 7 on line 80, face 9)",
                "1 polygon crosses itself; its triangles may overlap (face 3 on line 9)",
                "1 triangle has no area and is never hit (triangle 3)",
                "1 vertex is not finite, and not used (vertex 1 on line 1)",
                "normal index -7 of 3 (line 12); the geometry is not affected",
                "1 more material library was not read: the most are 64, with 64 MiB together",
                "a.mtl:4: no number",
                "2 more problems of material libraries",
            ]
        );
        assert_eq!(report.skipped_faces(), 0);
    }
}
