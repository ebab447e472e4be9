//! A good view of any mesh.
//!
//! A thing is seen from outside, a little from above, whole. A place, whose surfaces mostly
//! cannot be seen from outside, is seen from inside, along its longest free line.

use super::View;
use estoc::demo::SplitMix64;
use estoc::glam::{DVec3, Vec3};
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
    let frame = Frame::of(up.normalize_or(Vec3::Y));
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
        let towards = if up.z.abs() < 0.9 {
            Vec3::Z
        } else {
            Vec3::NEG_Y
        };
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
            let (a, b) = (
                rng.between(0.0, 1.0).sqrt() as f32,
                rng.between(0.0, 1.0) as f32,
            );
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

/// Whole, from the front, a little to the right and above. In `f64`, since a mesh may be as
/// large as `f32` is.
fn from_outside(mesh: &Mesh, frame: &Frame, at: Option<Vec3>, fov: f32, aspect: f32) -> View {
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
        let height = [0.2, 0.3, 0.4, 0.5][i / 49];
        // The two level axes are those that up is least along.
        let up = frame.up.abs();
        let place = if up.y >= up.x && up.y >= up.z {
            Vec3::new(
                share.x,
                if frame.up.y > 0.0 {
                    height
                } else {
                    1.0 - height
                },
                share.y,
            )
        } else if up.z >= up.x {
            Vec3::new(
                share.x,
                share.y,
                if frame.up.z > 0.0 {
                    height
                } else {
                    1.0 - height
                },
            )
        } else {
            Vec3::new(
                if frame.up.x > 0.0 {
                    height
                } else {
                    1.0 - height
                },
                share.x,
                share.y,
            )
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
        .map(|view| score(view, mesh, bvh, size.length(), aspect))
        .collect();
    let best =
        (0..scores.len()).max_by(|&a, &b| scores[a].total_cmp(&scores[b]).then(b.cmp(&a)))?;
    (scores[best] > 0.0).then(|| candidates[best])
}

/// How much of the place a view shows: the mean over its rays of the distance, times how
/// often things change from one ray to the next. Near things count against it.
fn score(view: &View, mesh: &Mesh, bvh: &Bvh, size: f32, aspect: f32) -> f32 {
    const COLUMNS: usize = 20;
    const ROWS: usize = 12;
    let viewport = Viewport::new(COLUMNS as f32, COLUMNS as f32 / aspect);
    let fov = FieldOfView::Vertical(view.fov.to_radians());
    let Ok(camera) = estoc::Camera::look_at(viewport, view.eye, view.at, view.up, fov) else {
        return 0.0;
    };
    let look = |i: usize| {
        let x = (i % COLUMNS) as f32 + 0.5;
        let y = ((i / COLUMNS) as f32 + 0.5) / ROWS as f32 * viewport.height;
        let hit = bvh.closest_hit(&camera.ray([x, y]))?;
        let normal = mesh.triangle(hit.prim)?.normal()?;
        Some((hit.t, normal))
    };
    let looks: Vec<_> = (0..COLUMNS * ROWS).map(look).collect();
    let (mut far, mut near, mut changes) = (0.0, 0, 0);
    for (i, look) in looks.iter().enumerate() {
        let Some((t, normal)) = look else { continue };
        far += libm::logf(1.0 + 20.0 * t / size);
        near += usize::from(*t < 0.03 * size);
        let right = (i % COLUMNS + 1 < COLUMNS).then(|| looks[i + 1]).flatten();
        let below = looks.get(i + COLUMNS).copied().flatten();
        for (other, facing) in [right, below].into_iter().flatten() {
            let step = (other - t).abs() > 0.15 * t;
            changes += usize::from(step || normal.dot(facing).abs() < 0.8);
        }
    }
    let rays = looks.len() as f32;
    let clear = (1.0 - 3.0 * near as f32 / rays).max(0.0);
    (far / rays) * clear * (0.3 + changes as f32 / rays) * room(view.eye, bvh, 0.05 * size)
}

/// 1 where nothing is nearer to the eye than `reach`, less where something is: under tables,
/// inside of pillars.
fn room(eye: Vec3, bvh: &Bvh, reach: f32) -> f32 {
    let sign = |i: u8, bit: u8| if i & bit == 0 { -1.0 } else { 1.0 };
    let corners = (0..8).map(|i| Vec3::new(sign(i, 1), sign(i, 2), sign(i, 4)).normalize());
    let axes = Vec3::AXES.into_iter().flat_map(|axis| [axis, -axis]);
    let distances = corners.chain(axes).map(|dir| {
        let hit = bvh.closest_hit(&Ray::new(eye, dir).with_interval(0.0, reach));
        hit.map_or(reach, |hit| hit.t)
    });
    distances.fold(reach, f32::min) / reach
}
