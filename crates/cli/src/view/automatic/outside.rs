//! The view of a thing.

use super::{Frame, View};
use estoc::Mesh;
use estoc::glam::{DVec3, Vec3};

/// Whole, from the front, a little to the right and above. In `f64`, since a mesh may be as
/// large as `f32` is.
pub(super) fn view(mesh: &Mesh, frame: &Frame, at: Option<Vec3>, fov: f32, aspect: f32) -> View {
    const MARGIN: f32 = 1.1;
    let back = frame.dir(0.5, 0.36);
    let right = frame.up.cross(back).normalize_or(frame.right);
    let [back, right, above] = [back, right, back.cross(right)].map(Vec3::as_dvec3);
    let slope = f64::from(libm::tanf(0.5 * fov.clamp(1.0, 170.0).to_radians()) / MARGIN);
    let aspect = f64::from(aspect);
    let bounds = mesh.bounds();
    let centre = match (at, bounds.is_empty()) {
        (Some(at), _) => at.as_dvec3(),
        (None, true) => DVec3::ZERO,
        (None, false) => 0.5 * (bounds.min().as_dvec3() + bounds.max().as_dvec3()),
    };
    // A corner c is inside the field when |c.right - x| <= slope (distance - c.back), for the
    // eye at x to the right: so the four greatest sums give the nearest eye, and the middle.
    // An eye cannot be nearer than what f32 tells apart.
    let mut reach = [slope * (1e-3 * centre.length()).max(1e-40); 4];
    for corner in mesh.triangles().flat_map(|t| t.corners()) {
        let c = corner.as_dvec3() - centre;
        let (x, y, z) = (c.dot(right) / aspect, c.dot(above), slope * c.dot(back));
        for (most, sum) in reach.iter_mut().zip([x + z, z - x, y + z, z - y]) {
            *most = most.max(sum);
        }
    }
    let [east, west, north, south] = reach;
    let (distance, shift) = match at {
        // What was asked for stays in the middle.
        Some(_) => (east.max(west).max(north).max(south), DVec3::ZERO),
        None => {
            let shift = right * (0.5 * (east - west) * aspect) + above * (0.5 * (north - south));
            ((0.5 * (east + west)).max(0.5 * (north + south)), shift)
        }
    };
    let in_range = |p: DVec3| {
        let most = DVec3::splat(f32::MAX.into());
        p.clamp(-most, most).as_vec3()
    };
    View {
        eye: in_range(centre + shift + distance / slope * back),
        at: in_range(centre + shift),
        up: frame.up,
        fov,
    }
}
