//! Triangulates faces with more than three corners.
//!
//! `k` corners give `k - 2` triangles, consecutive in the mesh, each oriented like the face. The
//! fan from the first corner (a b c, a c d, ...) is used if all its triangles turn the same way;
//! triangles without area turn either way. Otherwise ears are clipped ([`ears`]). "Turn" means the
//! exact sign of the area, projected along the axis in which Newell's normal of the face is largest
//! (of equals, x before y before z). If the normal vanishes in `f64`, the first axis along which a
//! triangle of the fan has an area is used; a face without area keeps its fan.

mod axis_view;
mod blockers;
mod ears;

use crate::mesh::positions::Positions;
use axis_view::{AxisView, turn};
use estoc_core::glam::DVec3;
use estoc_system::{NoMemory, collected};

/// How a face was triangulated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Triangulation {
    /// As a fan.
    Fan,
    /// By ear clipping.
    Ears,
    /// The face crosses itself, so its triangles may overlap.
    Tangled,
}

/// Triangulates a face of at least three corners, whose positions must be finite. The triangles are
/// emitted as indices of corners, since several corners may share a position and differ in other
/// attributes.
pub(crate) fn triangulate(
    corners: &[u32],
    positions: &Positions,
    emit: &mut dyn FnMut([u32; 3]),
) -> Result<Triangulation, NoMemory> {
    let count = corners.len() as u32; // longer faces were refused before
    if count == 3 {
        emit([0, 1, 2]);
        return Ok(Triangulation::Fan);
    }
    let at = |corner: u32| positions.given(corner);
    let normal = newell(corners.iter().map(|&corner| at(corner)));
    let turns = |view: AxisView| {
        let point = move |corner: u32| view.project(at(corners[corner as usize]));
        fan(count).map(move |triangle| turn(triangle.map(point)))
    };
    let any_view = || {
        AxisView::ALL
            .into_iter()
            .find(|&view| turns(view).any(|sign| sign != 0))
    };
    let Some(view) = AxisView::along(normal).or_else(any_view) else {
        fan(count).for_each(emit);
        return Ok(Triangulation::Fan);
    };
    let (mut left, mut right) = (false, false);
    for sign in turns(view) {
        left |= sign > 0;
        right |= sign < 0;
    }
    if !(left && right) {
        fan(count).for_each(emit);
        return Ok(Triangulation::Fan);
    }
    let mut outline = collected(corners.iter().map(|&c| view.project(at(c))))?;
    axis_view::make_counter_clockwise(&mut outline, view.area_sign(normal));
    Ok(match ears::clip(&outline, emit)? {
        true => Triangulation::Ears,
        false => Triangulation::Tangled,
    })
}

/// Returns the triangles of the fan from the first corner.
fn fan(count: u32) -> impl Iterator<Item = [u32; 3]> {
    (2..count).map(|corner| [0, corner - 1, corner])
}

/// Returns Newell's normal: the sum of the cross products of consecutive corners relative to the
/// first one, which keeps far away faces precise, or 0 if it overflows. It is computed in `f64` and only chooses a
/// projection; for a flat face, any projection in which it does not vanish is as good.
fn newell(mut points: impl Iterator<Item = DVec3>) -> [f64; 3] {
    let origin = points.next().map_or([0.0; 3], |p| p.to_array());
    let mut normal = [0.0; 3];
    let mut last = [0.0; 3];
    for point in points {
        let point = point.to_array();
        let spoke: [f64; 3] = core::array::from_fn(|i| point[i] - origin[i]);
        for (i, sum) in normal.iter_mut().enumerate() {
            let (j, k) = ((i + 1) % 3, (i + 2) % 3);
            *sum += last[j] * spoke[k] - last[k] * spoke[j];
        }
        last = spoke;
    }
    match normal.iter().all(|x| x.is_finite()) {
        true => normal,
        false => [0.0; 3],
    }
}
