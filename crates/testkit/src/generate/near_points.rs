//! Points for distance queries.

use super::rays64::on_grid;
use super::target::{Target, lerp, nudged, rounded};
use super::{Rng, Scene};
use estoc_core::glam::{DVec3, Vec3};

/// Generates points for distance queries: on vertices, edges and faces and one ulp beside them,
/// over the borders between the regions of vertices, edges and faces, equally far from several
/// triangles, near, far, of any bits, and a few that are not finite.
pub fn near_points(scene: &Scene, rng: &mut Rng, n: usize) -> Vec<Vec3> {
    let target = Target::new(&scene.triangles);
    (0..n).map(|_| near_point(&target, rng)).collect()
}

/// Returns a point in `f64` after one in `f32`: that itself, one that `f32` cannot tell from it, one of
/// these points of interest, or one between two of them. All coordinates that are finite are multiples of
/// `2^-300`.
pub fn point_64(point: Vec3, corners: &[DVec3], rng: &mut Rng) -> DVec3 {
    let wide = point.as_dvec3();
    let found = match rng.below(8) {
        0..=2 => wide,
        3 => {
            let steps = |rng: &mut Rng| f64::from(rng.int(-1 << 20, 1 << 20)) * f64::EPSILON;
            wide * (DVec3::ONE + DVec3::new(steps(rng), steps(rng), steps(rng)))
        }
        _ if corners.is_empty() => wide,
        kind => {
            let mut corner = || corners[rng.below(corners.len())];
            let (a, b) = (corner(), corner());
            match kind {
                4 => a,
                5 => a * 0.5 + b * 0.5,
                6 => a + (b - a) * f64::from(rng.signed()),
                // Far above a corner.
                _ => a + rng.grid_point(9).as_dvec3() * (b - a).length(),
            }
        }
    };
    let is_finite = |x: f64| x.is_finite() && x.abs() < 2f64.powi(900);
    match found.to_array().into_iter().all(is_finite) {
        true => on_grid(found),
        false => wide,
    }
}

pub(super) fn near_point(target: &Target, rng: &mut Rng) -> Vec3 {
    match rng.below(16) {
        0 => target.vertex(rng),
        1 => target.point(rng),
        2 => {
            let point = target.point(rng);
            nudged(point, rng)
        }
        3 => above_edge(target, rng),
        4 | 5 => over_border(target, rng),
        // Equally far from two vertices, and from all that touches either.
        6 => lerp(target.vertex(rng), target.vertex(rng), 0.5),
        7 => between_planes(target, rng),
        8 => {
            // Equally far from much that is symmetric.
            let center = target.center;
            let mut point = rounded(|i| center[i]);
            point[rng.below(3)] = target.around(rng, 0.6)[0];
            point
        }
        9 => snapped(target, rng),
        10 => far(target, rng),
        11 => unusual(target, rng),
        12 => {
            let point = target.point(rng);
            let reach = 10f64.powi(-rng.int(1, 6));
            let offset = rng.point();
            rounded(|i| f64::from(point[i]) + f64::from(offset[i]) * target.size * reach)
        }
        _ => target.around(rng, 1.5),
    }
}

/// Returns a point whose foot lies on an edge or a vertex, or would if nothing were rounded.
fn above_edge(target: &Target, rng: &mut Rng) -> Vec3 {
    let [a, b, c] = target.corners(rng);
    let normal = unit_normal(a, b, c);
    let foot = match rng.one_in(2) {
        true => a,
        false => lerp(a, b, f64::from(rng.signed())),
    };
    let height = f64::from(rng.signed()) * rng.pick(&[1.0, 1e-3, 10.0]);
    (foot.as_dvec3() + normal * height * target.size).as_vec3()
}

/// Returns a point on the plane through a vertex across an edge, where the vertex and the edge are
/// equally close, as far as rounding allows.
fn over_border(target: &Target, rng: &mut Rng) -> Vec3 {
    let [a, b, c] = target.corners(rng);
    let normal = unit_normal(a, b, c);
    let across = normal.cross(b.as_dvec3() - a.as_dvec3());
    let k = target.step(rng) / across.length().max(1e-300);
    let k = f64::from(rng.signed()) * k;
    let h = f64::from(rng.signed()) * target.size;
    (a.as_dvec3() + across * k + normal * h).as_vec3()
}

/// Returns a point about equally far from the planes of two triangles: the middle between points on
/// them, or a corner moved by both normals.
fn between_planes(target: &Target, rng: &mut Rng) -> Vec3 {
    let [a, b, c] = target.corners(rng);
    let [d, e, f] = target.corners(rng);
    if rng.one_in(2) {
        return lerp(target.point(rng), target.point(rng), 0.5);
    }
    let both = unit_normal(a, b, c) + unit_normal(d, e, f);
    let height = f64::from(rng.signed()) * target.size;
    (a.as_dvec3() + both * height).as_vec3()
}

/// Returns a point on a coarse grid, where many distances are exactly equal.
fn snapped(target: &Target, rng: &mut Rng) -> Vec3 {
    let step = target.step(rng);
    let point = target.around(rng, 1.2);
    rounded(|i| (f64::from(point[i]) / step).round() * step)
}

/// Returns a point many sizes away, up to the greatest numbers.
fn far(target: &Target, rng: &mut Rng) -> Vec3 {
    let reach = 10f64.powi(rng.int(1, 12));
    match rng.below(4) {
        0 => Vec3::from_array([0; 3].map(|_: i32| rng.pick(&[f32::MAX, -f32::MAX, 1e30, -3.0]))),
        _ => {
            let most = f64::from(f32::MAX);
            let point = rng.point();
            let at = |i: usize| target.center[i] + f64::from(point[i]) * target.size * reach;
            rounded(|i| at(i).clamp(-most, most))
        }
    }
}

/// Returns a point with numbers of all sizes, rarely one that is not finite.
fn unusual(target: &Target, rng: &mut Rng) -> Vec3 {
    let mut point = target.point(rng);
    let axis = rng.below(3);
    point[axis] = match rng.below(6) {
        0 => rng.pick(&[f32::NAN, f32::INFINITY, f32::NEG_INFINITY]),
        1 => rng.zero(),
        2 => f32::from_bits(rng.below(100) as u32),
        3 => rng.pick(&[1e30, -1e30, 1e-30, f32::MAX]),
        _ => rng.finite_bits(),
    };
    point
}

/// Returns the unit normal in `f64`; zero where there is none.
pub(super) fn unit_normal(a: Vec3, b: Vec3, c: Vec3) -> DVec3 {
    let [a, b, c] = [a, b, c].map(Vec3::as_dvec3);
    let normal = (b - a).cross(c - a);
    let length = normal.length();
    match length > 0.0 {
        true => normal / length,
        false => DVec3::ZERO,
    }
}
