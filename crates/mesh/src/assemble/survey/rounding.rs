//! Finds corners that rounding made equal.

use estoc_core::glam::DVec3;
use estoc_system::parallel::prelude::*;
use estoc_system::{Growth, NoMemory, collected};
use std::iter::repeat_n;

use super::duplicates::ComparedPosition;
use crate::mesh::Mesh;

/// A position, and the same vertex in the file.
type SurveyedCorner = ([u32; 3], [u64; 3]);

/// Sets the bounds of the triangles in the file, and counts the corners that became equal to a
/// different one. `in_file` has the vertices of the file, in order.
pub(crate) fn survey(mesh: &mut Mesh, in_file: &[Vec<DVec3>]) -> Result<(), NoMemory> {
    let vertices = mesh.positions().len();
    let mut is_used = collected(repeat_n(false, vertices))?;
    for &vertex in mesh.indices().as_flattened() {
        is_used[vertex as usize] = true;
    }
    let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    let all = mesh.positions().iter().zip(in_file.iter().flatten());
    let used = { all.zip(&is_used) }.filter_map(|(corner, is_used)| is_used.then_some(corner));
    let mut corners: Vec<SurveyedCorner> = Vec::new();
    corners.make_room(vertices)?;
    corners.extend(used.map(|(&position, &in_file)| {
        (low, high) = (low.min(in_file), high.max(in_file));
        // Adding 0 turns -0 into +0.
        let in_file = (in_file + DVec3::ZERO).to_array().map(f64::to_bits);
        (position.bits(), in_file)
    }));
    corners.par_sort_unstable();
    corners.dedup();
    let different = corners.len();
    corners.dedup_by_key(|corner| corner.0);
    let loss = &mut mesh.report.rounding;
    loss.merged_corners = Some((different - corners.len()) as u64);
    let bounds = [low.to_array(), high.to_array()];
    loss.bounds_in_file = (different > 0).then_some(bounds);
    Ok(())
}
