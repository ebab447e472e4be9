//! The view of an object from outside.

use super::{LevelFrame, View, ViewProjection};
use crate::target::Target;
use crate::watch::{WorkCancelled, WorkWatch};
use estoc::glam::{DVec2, DVec3, Vec3};

/// Returns a view of the whole object from the front, a little from the right and above. Computes
/// in `f64`, since a mesh may be as large as the range of `f32`. Fails only if the work is cancelled.
pub(super) fn view(
    target: Target<'_>,
    frame: &LevelFrame,
    at: Option<Vec3>,
    projection: ViewProjection,
    aspect: f32,
    watch: WorkWatch<'_>,
) -> Result<View, WorkCancelled> {
    const MARGIN: f32 = 1.1;
    let back = frame.dir(0.5, 0.36);
    let right = frame.up.cross(back).normalize_or(frame.right);
    let [back, right, above] = [back, right, back.cross(right)].map(Vec3::as_dvec3);
    // By parallel rays as far away, so that nothing is behind the eye.
    let (fov, is_orthographic) = match projection {
        ViewProjection::Perspective(fov) => (fov, false),
        ViewProjection::Orthographic(_) => (View::DEFAULT_FOV, true),
    };
    let slope = f64::from(libm::tanf(0.5 * fov.clamp(1.0, 170.0).to_radians()) / MARGIN);
    let aspect = f64::from(aspect);
    let bounds = target.bounds();
    let centre = match (at, bounds.is_empty()) {
        (Some(at), _) => at.as_dvec3(),
        (None, true) => DVec3::ZERO,
        (None, false) => 0.5 * (bounds.min().as_dvec3() + bounds.max().as_dvec3()),
    };
    // A corner c is in the field of view if |c.right - x| <= slope (distance - c.back), for an eye
    // at x to the right: so the four greatest sums give the nearest eye, and the centre.
    // The eye cannot be nearer than the resolution of f32.
    let mut reach = [slope * (1e-3 * centre.length()).max(1e-40); 4];
    target.each_corner(watch, &mut |corner| {
        let c = corner.as_dvec3() - centre;
        let (x, y, z) = (c.dot(right) / aspect, c.dot(above), slope * c.dot(back));
        for (most, sum) in reach.iter_mut().zip([x + z, z - x, y + z, z - y]) {
            *most = most.max(sum);
        }
    })?;
    let [east, west, north, south] = reach;
    let (distance, shift) = match at {
        // The requested point stays in the centre.
        Some(_) => (east.max(west).max(north).max(south) / slope, DVec3::ZERO),
        None => {
            let distance = (0.5 * (east + west)).max(0.5 * (north + south)) / slope;
            let shift = right * (0.5 * (east - west) * aspect) + above * (0.5 * (north - south));
            let axes = [right, above, back];
            let distances = (distance, is_orthographic);
            let shift = centred(target, centre, shift, distances, axes, watch)?;
            (distance, shift)
        }
    };
    let in_range = |p: DVec3| {
        let most = DVec3::splat(f32::MAX.into());
        p.clamp(-most, most).as_vec3()
    };
    Ok(View {
        eye: in_range(centre + shift + distance * back),
        at: in_range(centre + shift),
        up: frame.up,
        projection,
    })
}

/// Returns the shift of the eye that leaves equal margins on the left and right, and above and
/// below: the distance is larger than one of these pairs needs.
fn centred(
    target: Target<'_>,
    centre: DVec3,
    mut shift: DVec3,
    (distance, is_orthographic): (f64, bool),
    [right, above, back]: [DVec3; 3],
    watch: WorkWatch<'_>,
) -> Result<DVec3, WorkCancelled> {
    for _ in 0..3 {
        let (mut low, mut high) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
        target.each_corner(watch, &mut |corner| {
            let c = corner.as_dvec3() - centre - shift;
            let depth = match is_orthographic {
                true => distance,
                false => (distance - c.dot(back)).max(1e-3 * distance),
            };
            let seen = DVec2::new(c.dot(right), c.dot(above)) / depth;
            (low, high) = (low.min(seen), high.max(seen));
        })?;
        let off = 0.5 * (low + high) * distance;
        if off.is_finite() {
            shift += off.x * right + off.y * above;
        }
    }
    Ok(shift)
}
