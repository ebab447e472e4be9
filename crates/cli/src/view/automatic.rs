//! A good view of any mesh.
//!
//! A thing is seen from outside, a little from above, whole. A place, whose surfaces mostly
//! cannot be seen from outside, is seen from inside, along its longest free line.

use super::View;
use estoc::demo::SplitMix64;
use estoc::glam::Vec3;
use estoc::{Bvh, FieldOfView, Mesh, PrimId, Ray, RayQuery, Viewport};
use rayon::prelude::*;

/// The view that shows this mesh, or `at` if that is given.
pub(super) fn view(
    mesh: &Mesh,
    bvh: &Bvh,
    at: Option<Vec3>,
    up: Vec3,
    fov: Option<f32>,
    aspect: f32,
) -> View {
    let up = up.normalize_or(Vec3::Y);
    let frame = Frame::of(up);
    if at.is_none() && is_place(mesh, bvh, &frame) {
        if let Some(view) = from_inside(mesh, bvh, &frame, fov, aspect) {
            return view;
        }
    }
    from_outside(mesh, &frame, at, fov.unwrap_or(View::FOV), aspect)
}

/// Up, and two directions level with the ground; the first is the front, +z where up is +y.
struct Frame {
    up: Vec3,
    front: Vec3,
    right: Vec3,
}

impl Frame {
    fn of(up: Vec3) -> Self {
        // Away from the front where up is not +y: -y where it is +z, as plans are drawn.
        let towards = if up.z.abs() < 0.9 { Vec3::Z } else { Vec3::NEG_Y };
        let right = towards.reject_from(up).normalize_or(Vec3::X);
        let right = up.cross(right);
        Frame {
            up,
            front: right.cross(up),
            right,
        }
    }

    /// A direction by its angles, in radians: around, from the front to the right, and up.
    fn dir(&self, around: f32, above: f32) -> Vec3 {
        let level = self.front * libm::cosf(around) + self.right * libm::sinf(around);
        level * libm::cosf(above) + self.up * libm::sinf(above)
    }
}

/// Whether most of the surface cannot be seen by someone who walks around the mesh.
fn is_place(mesh: &Mesh, bvh: &Bvh, frame: &Frame) -> bool {
    const POINTS: usize = 512;
    let areas: Vec<f64> = mesh
        .triangles()
        .map(|t| f64::from((t.p1 - t.p0).cross(t.p2 - t.p0).length()))
        .scan(0.0, |sum, area| {
            *sum += if area.is_finite() { area } else { 0.0 };
            Some(*sum)
        })
        .collect();
    let total = areas.last().copied().unwrap_or(0.0);
    let mut rng = SplitMix64::new(5);
    let points: Vec<(PrimId, Vec3)> = (0..POINTS)
        .filter_map(|_| {
            let area = rng.between(0.0, total);
            let prim = PrimId::from_index(areas.partition_point(|&sum| sum < area))?;
            let t = mesh.triangle(prim)?;
            let (a, b) = (rng.between(0.0, 1.0).sqrt() as f32, rng.between(0.0, 1.0) as f32);
            Some((prim, t.p0 + a * (t.p1 - t.p0) + a * b * (t.p2 - t.p1)))
        })
        .collect();
    let seen = |&(prim, point): &(PrimId, Vec3)| {
        (0..16u8).any(|i| {
            let above = [0.1, 0.35][usize::from(i % 2)];
            let dir = frame.dir(f32::from(i) * std::f32::consts::TAU / 16.0, above);
            let options = estoc::QueryOptions::new().skip(Some(prim));
            bvh.any_hit_with(&Ray::new(point, dir), &options) == Ok(false)
        })
    };
    let seen = points.par_iter().filter(|point| seen(point)).count();
    2 * seen < points.len()
}

/// Whole, from the front, a little to the right and above.
fn from_outside(mesh: &Mesh, frame: &Frame, at: Option<Vec3>, fov: f32, aspect: f32) -> View {
    const MARGIN: f32 = 1.06;
    let bounds = mesh.bounds();
    let (low, high) = match bounds.is_empty() {
        true => (Vec3::NEG_ONE, Vec3::ONE),
        false => (bounds.min(), bounds.max()),
    };
    let at = at.unwrap_or(0.5 * (low + high));
    let towards_eye = frame.dir(0.5, 0.36);
    let side = frame.up.cross(towards_eye).normalize_or(frame.right);
    let above = towards_eye.cross(side);
    let half = libm::tanf(0.5 * fov.clamp(1.0, 170.0).to_radians()) / MARGIN;
    // Far enough that every corner of the box is in the picture.
    let corner = |i: u8| {
        let pick = |bit: u8, low: f32, high: f32| if i & bit == 0 { low } else { high };
        Vec3::new(pick(1, low.x, high.x), pick(2, low.y, high.y), pick(4, low.z, high.z)) - at
    };
    let distance = (0..8).map(corner).map(|p| {
        let across = p.dot(side).abs() / (half * aspect);
        p.dot(towards_eye) + across.max(p.dot(above).abs() / half)
    });
    let distance = distance.fold(f32::MIN_POSITIVE, f32::max);
    View {
        eye: at + distance * towards_eye,
        at,
        up: frame.up,
        fov,
    }
}

/// From where the view is longest and widest.
fn from_inside(
    mesh: &Mesh,
    bvh: &Bvh,
    frame: &Frame,
    fov: Option<f32>,
    aspect: f32,
) -> Option<View> {
    /// An eye sees more inside than 40 degrees, as a wide lens does.
    const FOV: f32 = 60.0;
    let fov = fov.unwrap_or(FOV);
    let bounds = mesh.bounds();
    let (low, size) = (bounds.min(), bounds.max() - bounds.min());
    let eyes = (0..7 * 7 * 4).map(|i| {
        let share = Vec3::new(i as f32 % 7.0 + 0.5, (i / 7 % 7) as f32 + 0.5, 0.0) / 7.0;
        let height = [0.15, 0.25, 0.35, 0.5][i / 49];
        // The two level axes are those that up is least along.
        let up = frame.up.abs();
        let place = if up.y >= up.x && up.y >= up.z {
            Vec3::new(share.x, if frame.up.y > 0.0 { height } else { 1.0 - height }, share.y)
        } else if up.z >= up.x {
            Vec3::new(share.x, share.y, if frame.up.z > 0.0 { height } else { 1.0 - height })
        } else {
            Vec3::new(if frame.up.x > 0.0 { height } else { 1.0 - height }, share.x, share.y)
        };
        low + size * place
    });
    let candidates: Vec<View> = eyes
        .flat_map(|eye| {
            (0..16u8).map(move |i| {
                let dir = frame.dir(f32::from(i) * std::f32::consts::TAU / 16.0, -0.02);
                let at = eye + dir * size.length();
                let up = frame.up;
                View { eye, at, up, fov }
            })
        })
        .collect();
    let scores: Vec<f32> = candidates
        .par_iter()
        .map(|view| score(view, bvh, size.length(), aspect))
        .collect();
    let best = (0..scores.len()).max_by(|&a, &b| scores[a].total_cmp(&scores[b]).then(b.cmp(&a)))?;
    (scores[best] > 0.0).then(|| candidates[best])
}

/// How much of the place a view shows: the mean over its rays of the distance, near things
/// and holes to the outside counting against it.
fn score(view: &View, bvh: &Bvh, size: f32, aspect: f32) -> f32 {
    const COLUMNS: u8 = 16;
    const ROWS: u8 = 10;
    let viewport = Viewport::new(f32::from(ROWS) * aspect, f32::from(ROWS));
    let fov = FieldOfView::Vertical(view.fov.to_radians());
    let Ok(camera) = estoc::Camera::look_at(viewport, view.eye, view.at, view.up, fov) else {
        return 0.0;
    };
    let mut sum = 0.0;
    let mut near = 0;
    for i in 0..COLUMNS * ROWS {
        let x = (f32::from(i % COLUMNS) + 0.5) / f32::from(COLUMNS) * viewport.width;
        let y = f32::from(i / COLUMNS) + 0.5;
        if let Some(hit) = bvh.closest_hit(&camera.ray([x, y])) {
            sum += libm::logf(1.0 + 20.0 * hit.t / size);
            near += u32::from(hit.t < 0.03 * size);
        }
    }
    let rays = f32::from(COLUMNS) * f32::from(ROWS);
    (sum / rays) * (1.0 - 2.0 * near as f32 / rays).max(0.0)
}
