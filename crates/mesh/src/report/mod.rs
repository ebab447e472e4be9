//! Findings of loading or making a mesh.

mod findings;
pub(crate) mod rounding;
pub(crate) mod warning;
pub(crate) mod weld;

pub use findings::{Finding, Findings};

use rounding::RoundingLoss;
use warning::{AttributeIndex, MaterialProblem, UnreadPart, Warning};
use weld::WeldReport;

/// Findings of loading or making a mesh: counts, and the first occurrences of each finding.
///
/// Indices of faces are zero-based and those of the source, where skipped faces count; indices of
/// triangles are those of the mesh; indices of vertices are zero-based. The text of a [`Warning`]
/// numbers faces and vertices of an OBJ file from 1.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct MeshReport {
    /// The number of vertices, used or not.
    pub vertices: u64,
    /// The number of faces of the source, used or not.
    pub faces: u64,
    /// The number of faces of the mesh with more than three corners.
    pub polygons: u64,
    /// The number of polygons that a fan would fold over, triangulated by ear clipping.
    pub concave_polygons: u64,
    /// The number of line statements, which make no triangles.
    pub lines: u64,
    /// The number of point statements, which make no triangles.
    pub points: u64,
    /// The number of texture coordinates, used or not.
    pub texture_coordinates: u64,
    /// The number of normals, used or not.
    pub normals: u64,
    /// The number of vertices with a colour, which is not stored.
    pub coloured_vertices: u64,
    /// What the rounding of the numbers in the file to `f32` did to the vertices.
    pub rounding: RoundingLoss,
    /// What a weld did to the corners; `None` if none was asked for.
    pub weld: Option<WeldReport>,

    /// Skipped faces with fewer than three corners.
    pub short_faces: Findings,
    /// Skipped faces that cannot be parsed.
    pub bad_indices: Findings,
    /// Skipped faces with a vertex that does not exist.
    pub out_of_range: Findings,
    /// Skipped faces with a vertex that is not finite or could not be parsed.
    pub non_finite_faces: Findings,

    /// Triangles without area, decided exactly. They keep their index and are never hit.
    pub degenerate: Findings,
    /// Triangles with the same three positions as an earlier one, in any order.
    pub duplicate: Findings,
    /// Faces that were found to cross themselves; their triangles may overlap.
    pub tangled_polygons: Findings,

    /// Vertices that could not be parsed.
    pub unreadable_vertices: Findings,
    /// Vertices that are not finite and that a face uses.
    pub non_finite_used: Findings,
    /// Vertices that are not finite and that no face uses.
    pub non_finite_unused: Findings,
    /// Vertices with a weight other than 1; coordinates are not divided by it.
    pub weighted_vertices: Findings,

    /// Statements of curves and surfaces, and calls of other files or programs: their geometry is
    /// missing.
    pub free_form_statements: Findings,
    /// Statements that OBJ, or STL as text, does not define.
    pub unknown_statements: Findings,
    /// Solids of STL as text without `endsolid`.
    pub unended_solids: Findings,
    /// Texture coordinates without finite numbers; corners that refer to them have none.
    pub unreadable_texture_coordinates: Findings,
    /// Normals without three finite numbers; corners that refer to them have none.
    pub unreadable_normals: Findings,
    /// The texture coordinate index that is farthest out of range.
    pub texture_index_out_of_range: Option<AttributeIndex>,
    /// The normal index that is farthest out of range.
    pub normal_index_out_of_range: Option<AttributeIndex>,
    /// Problems of material libraries; at most
    /// [`KEPT_MATERIAL_PROBLEMS`](MeshReport::KEPT_MATERIAL_PROBLEMS).
    pub material_problems: Vec<MaterialProblem>,
    /// The number of further problems of material libraries.
    pub more_material_problems: u64,
    /// The number of material libraries that were not read because of
    /// [`READ_LIBRARIES`](MeshReport::READ_LIBRARIES) or
    /// [`READ_LIBRARY_BYTES`](MeshReport::READ_LIBRARY_BYTES).
    pub skipped_libraries: u64,
    /// Parts of a file that are not read; at most
    /// [`KEPT_UNREAD_PARTS`](MeshReport::KEPT_UNREAD_PARTS) kinds.
    pub unread_parts: Vec<UnreadPart>,
    /// The number of further kinds of parts that are not read.
    pub more_unread_parts: u64,
    /// Other files that belong to the source, as named there: material libraries of OBJ that were
    /// searched for, buffers and images of glTF. Names are relative to the folder of the file.
    pub named_files: Vec<String>,
}

impl MeshReport {
    /// The largest number of entries of [`material_problems`](MeshReport::material_problems).
    pub const KEPT_MATERIAL_PROBLEMS: usize = 64;

    /// The largest number of entries of [`unread_parts`](MeshReport::unread_parts).
    pub const KEPT_UNREAD_PARTS: usize = 16;

    /// The largest number of material libraries that are searched for.
    pub const READ_LIBRARIES: usize = 64;

    /// The largest number of bytes of all material libraries together: 64 MiB.
    pub const READ_LIBRARY_BYTES: usize = 1 << 26;

    /// Returns the number of faces that were skipped because they are invalid
    /// ([`BadFaces`](crate::BadFaces)), without those of fewer than three corners.
    pub fn skipped_faces(&self) -> u64 {
        self.bad_indices.count() + self.out_of_range.count() + self.non_finite_faces.count()
    }

    /// Returns all findings that deserve a warning, the most serious first.
    pub fn warnings(&self) -> Vec<Warning<'_>> {
        let tallies = [
            Warning::BadIndices(&self.bad_indices),
            Warning::OutOfRange(&self.out_of_range),
            Warning::NonFiniteFaces(&self.non_finite_faces),
            Warning::UnreadableVertices(&self.unreadable_vertices),
            Warning::ShortFaces(&self.short_faces),
            Warning::FreeFormStatements(&self.free_form_statements),
            Warning::UnknownStatements(&self.unknown_statements),
            Warning::UnendedSolids(&self.unended_solids),
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
            .chain(self.weld.map(Warning::Welded))
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

    /// Marks the source as one that numbers vertices and faces from 0.
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

    /// Appends the findings in a later part of a source, or in a mesh that follows this one: all but the
    /// number of vertices and the duplicate triangles, which require the whole. `vertex_shift` vertices
    /// and `triangle_shift` triangles precede the later ones.
    pub(crate) fn append(
        &mut self,
        later: &MeshReport,
        [vertex_shift, triangle_shift]: [u64; 2],
        line_shift: u64,
    ) {
        // Exhaustive, so that a new field is appended too.
        let MeshReport {
            vertices: _,
            duplicate: _,
            faces,
            polygons,
            concave_polygons,
            lines,
            points,
            texture_coordinates,
            normals,
            coloured_vertices,
            rounding,
            weld,
            short_faces,
            bad_indices,
            out_of_range,
            non_finite_faces,
            degenerate,
            tangled_polygons,
            unreadable_vertices,
            non_finite_used,
            non_finite_unused,
            weighted_vertices,
            free_form_statements,
            unknown_statements,
            unended_solids,
            unreadable_texture_coordinates,
            unreadable_normals,
            texture_index_out_of_range,
            normal_index_out_of_range,
            material_problems,
            more_material_problems,
            skipped_libraries,
            unread_parts,
            more_unread_parts,
            named_files,
        } = later;
        for (findings, later) in [
            (&mut self.short_faces, short_faces),
            (&mut self.bad_indices, bad_indices),
            (&mut self.out_of_range, out_of_range),
            (&mut self.non_finite_faces, non_finite_faces),
            (&mut self.tangled_polygons, tangled_polygons),
        ] {
            findings.append(later, self.faces, line_shift);
        }
        for (findings, later) in [
            (&mut self.unreadable_vertices, unreadable_vertices),
            (&mut self.non_finite_used, non_finite_used),
            (&mut self.non_finite_unused, non_finite_unused),
            (&mut self.weighted_vertices, weighted_vertices),
        ] {
            findings.append(later, vertex_shift, line_shift);
        }
        for (findings, later) in [
            (&mut self.free_form_statements, free_form_statements),
            (&mut self.unknown_statements, unknown_statements),
            (&mut self.unended_solids, unended_solids),
        ] {
            findings.append(later, findings.count(), line_shift);
        }
        let (texture, normal) = (self.texture_coordinates, self.normals);
        let unreadable_texture = &mut self.unreadable_texture_coordinates;
        unreadable_texture.append(unreadable_texture_coordinates, texture, line_shift);
        let unreadable_normal = &mut self.unreadable_normals;
        unreadable_normal.append(unreadable_normals, normal, line_shift);
        self.degenerate
            .append(degenerate, triangle_shift, line_shift);
        for (count, later) in [
            (&mut self.faces, faces),
            (&mut self.polygons, polygons),
            (&mut self.concave_polygons, concave_polygons),
            (&mut self.lines, lines),
            (&mut self.points, points),
            (&mut self.texture_coordinates, texture_coordinates),
            (&mut self.normals, normals),
            (&mut self.coloured_vertices, coloured_vertices),
            (&mut self.more_material_problems, more_material_problems),
            (&mut self.skipped_libraries, skipped_libraries),
        ] {
            *count += later;
        }
        self.rounding = self.rounding.joined(*rounding);
        self.weld = WeldReport::joined(self.weld, *weld);
        let texture_index = &mut self.texture_index_out_of_range;
        *texture_index = AttributeIndex::farther(*texture_index, *texture_index_out_of_range);
        let normal_index = &mut self.normal_index_out_of_range;
        *normal_index = AttributeIndex::farther(*normal_index, *normal_index_out_of_range);
        for problem in material_problems {
            self.material_problem(&problem.library, problem.line, || problem.problem.clone());
        }
        for part in unread_parts {
            self.unread_part(part.clone());
        }
        self.more_unread_parts += more_unread_parts;
        self.named_files.extend_from_slice(named_files);
    }

    /// Appends the findings of triangulating later faces; their indices and lines are those of the
    /// whole source.
    pub(crate) fn append_triangulated(&mut self, later: &MeshReport) {
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

    /// Adds parts of a file that are not read to those of the same kind, or only counts the kind if
    /// there are too many.
    pub(crate) fn unread_part(&mut self, part: UnreadPart) {
        let parts = &mut self.unread_parts;
        match parts.iter().position(|old| old.what == part.what) {
            Some(old) => parts[old].count = parts[old].count.saturating_add(part.count),
            None if parts.len() == MeshReport::KEPT_UNREAD_PARTS => self.more_unread_parts += 1,
            None => parts.push(part),
        }
    }

    /// Adds a problem of a material library, or only counts it if there are too many.
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
                "2 faces with fewer than three corners were skipped (face 7 on line 80, face 9)",
                "1 polygon crosses itself; its triangles may overlap (face 3 on line 9)",
                "1 triangle has no area and is never hit (triangle 3)",
                "1 vertex is not finite, but not used (vertex 1 on line 1)",
                "normal index -7 is out of range (3 defined, line 12); the geometry is not affected",
                "1 more material library was skipped; the limit is 64, and 64 MiB in total",
                "a.mtl:4: no number",
                "2 more problems in material libraries",
            ]
        );
        assert_eq!(report.skipped_faces(), 0);
    }
}
