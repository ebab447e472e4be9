//! What the reader of a mesh file noticed.

use super::LabelledLine;
use crate::number::grouped;
use estoc::io::MeshReport;
use estoc_mesh::Findings;
use serde_json::{Value, json};
use std::fmt::Write;

pub(super) fn object(report: &MeshReport) -> Value {
    // Nothing became equal where nothing moved.
    let rounding = &report.rounding;
    let unmoved = (rounding.largest_movement == 0.0).then_some(0);
    let merged = rounding.merged_corners.or(unmoved);
    let mut object = json!({
        "vertices": report.vertices,
        "faces": report.faces,
        "polygons": report.polygons,
        "concave_polygons": report.concave_polygons,
        "lines": report.lines,
        "points": report.points,
        "texture_coordinates": report.texture_coordinates,
        "normals": report.normals,
        "coloured_vertices": report.coloured_vertices,
        "skipped_faces": report.skipped_faces(),
        "rounding": {
            "largest_movement": report.rounding.largest_movement,
            "merged_corners": merged,
            "bounds_in_file": report.rounding.bounds_in_file.map(|[min, max]| {
                json!({ "min": min, "max": max })
            }),
        },
    });
    object["weld"] = json!(report.weld);
    for (name, noun, tally) in tallies(report) {
        let first = tally.first().iter();
        let first = first.map(|place| json!({ noun: place.id, "line": place.line }));
        object[name] = json!({ "count": tally.count(), "first": first.collect::<Value>() });
    }
    object
}

/// Returns every finding of a report: its name, what its numbers count, and its occurrences.
fn tallies(report: &MeshReport) -> [(&'static str, &'static str, &Findings); 16] {
    [
        ("short_faces", "face", &report.short_faces),
        ("bad_indices", "face", &report.bad_indices),
        ("out_of_range", "face", &report.out_of_range),
        ("non_finite_faces", "face", &report.non_finite_faces),
        ("degenerate", "prim", &report.degenerate),
        ("duplicate", "prim", &report.duplicate),
        ("tangled_polygons", "face", &report.tangled_polygons),
        ("unreadable_vertices", "vertex", &report.unreadable_vertices),
        ("non_finite_used", "vertex", &report.non_finite_used),
        ("non_finite_unused", "vertex", &report.non_finite_unused),
        ("weighted_vertices", "vertex", &report.weighted_vertices),
        (
            "unreadable_texture_coordinates",
            "texture_coordinate",
            &report.unreadable_texture_coordinates,
        ),
        ("unreadable_normals", "normal", &report.unreadable_normals),
        (
            "free_form_statements",
            "statement",
            &report.free_form_statements,
        ),
        (
            "unknown_statements",
            "statement",
            &report.unknown_statements,
        ),
        ("unended_solids", "solid", &report.unended_solids),
    ]
}

/// Returns what only a mesh tells: before the number of triangles, after that, and after the names.
pub(super) fn rows(report: &MeshReport) -> (Vec<LabelledLine>, Vec<LabelledLine>, LabelledLine) {
    let mut rows = vec![("vertices", grouped(report.vertices as usize))];
    if report.faces > 0 {
        let mut faces = grouped(report.faces as usize);
        for (what, count) in [
            ("with more than 3 corners", report.polygons),
            ("concave", report.concave_polygons),
        ] {
            if count > 0 {
                let _ = write!(faces, ", {} {what}", grouped(count as usize));
            }
        }
        rows.push(("faces", faces));
    }
    let noticed: Vec<String> = tallies(report)
        .into_iter()
        .filter(|(_, _, tally)| !tally.is_empty())
        .map(|(name, _, tally)| finding(name, tally.count()))
        .collect();
    let faults = match noticed.is_empty() {
        true => "no faults".into(),
        false => noticed.join(", "),
    };
    (Vec::new(), rows, ("report", faults))
}

/// Formats a finding with its count; its name is a plural or has no number.
fn finding(name: &str, count: u64) -> String {
    let mut words = name.replace('_', " ");
    if count == 1 {
        for (plural, singular) in [("indices", "index"), ("vertices", "vertex"), ("s", "")] {
            if let Some(start) = words.strip_suffix(plural) {
                words = format!("{start}{singular}");
                break;
            }
        }
    }
    format!("{} {words}", grouped(count as usize))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_single_finding_is_singular() {
        let told = |count| ["short_faces", "bad_indices", "duplicate"].map(|n| finding(n, count));
        assert_eq!(told(1), ["1 short face", "1 bad index", "1 duplicate"]);
        assert_eq!(
            told(2000),
            ["2,000 short faces", "2,000 bad indices", "2,000 duplicate"]
        );
    }
}
