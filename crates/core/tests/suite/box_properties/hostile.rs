//! Boxes and rays that are most likely to expose an error.

use super::reference::Solid;
use estoc_core::glam::{Mat3, Mat4, Quat, Vec3};
use estoc_core::{Aabb, Obb, Ray};
use estoc_testkit::tables::Rng;

/// A box with its exact description.
pub(crate) struct Case {
    pub(crate) obb: Obb,
    pub(crate) solid: Solid,
}

fn point(rng: &mut Rng, low: f32, high: f32) -> Vec3 {
    rng.vec(low, high).into()
}

/// Returns a power of two between 2^-100 and 2^100, which is 1e-30 to 1e30.
fn scale(rng: &mut Rng) -> f32 {
    2f32.powi(rng.integer(-100, 100) as i32)
}

fn rotation(rng: &mut Rng) -> Mat3 {
    let axis = point(rng, -1.0, 1.0).try_normalize().unwrap_or(Vec3::X);
    Mat3::from_quat(Quat::from_axis_angle(axis, rng.between(-3.0, 3.0)))
}

fn by_axes(center: Vec3, axes: [Vec3; 3], half: Vec3) -> Option<Case> {
    let obb = Obb::try_new(center, axes, half).ok()?;
    let solid = Solid::of_axes(center, axes, half);
    Some(Case { obb, solid })
}

fn by_model(local: Aabb, model: Mat4) -> Option<Case> {
    let obb = Obb::from_model(&local, &model).ok()?;
    let solid = Solid::of_model(local.min(), local.max(), &model);
    Some(Case { obb, solid })
}

fn local(rng: &mut Rng, wild: bool) -> Aabb {
    let corner = |_| match wild {
        true => rng.vec(-2.0, 2.0),
        false => rng.grid(-3, 3),
    };
    Aabb::of_points([0, 1].map(corner))
}

fn model(columns: [Vec3; 3], translation: Vec3) -> Mat4 {
    let [x, y, z] = columns.map(|column| column.extend(0.0));
    Mat4::from_cols(x, y, z, translation.extend(1.0))
}

pub(crate) const KINDS: usize = 8;

/// Returns a case of this kind, or `None` if the numbers make no box.
pub(crate) fn case(rng: &mut Rng, kind: usize) -> Option<Case> {
    match kind {
        // Integers: ties, parallel faces, flat boxes and exact contacts everywhere.
        0 => {
            let columns = [(); 3].map(|()| Vec3::from(rng.grid(-2, 2)));
            by_model(local(rng, false), model(columns, rng.grid(-3, 3).into()))
        }
        // Axes parallel to those of the world, in any order, and half sizes that may be 0.
        1 => {
            let turn = rng.below(3) as usize;
            let axes = [0, 1, 2].map(|i| {
                let axis = [Vec3::X, Vec3::Y, Vec3::Z][(i + turn) % 3];
                if rng.below(2) == 0 { axis } else { -axis }
            });
            by_axes(rng.grid(-4, 4).into(), axes, rng.grid(0, 3).into())
        }
        // Ordinary: rotated by a rounded rotation.
        2 => {
            let axes = rotation(rng);
            let half = point(rng, 0.0, 2.0);
            let axes = [axes.x_axis, axes.y_axis, axes.z_axis];
            by_axes(point(rng, -3.0, 3.0), axes, half)
        }
        // Axes with the largest error allowed, and some half sizes 0.
        3 => {
            let axes = rotation(rng);
            let axes = [axes.x_axis, axes.y_axis, axes.z_axis].map(|a| a + point(rng, -4e-4, 4e-4));
            let half = point(rng, -1.0, 1.0).max(Vec3::ZERO);
            by_axes(rng.grid(-3, 3).into(), axes, half)
        }
        // A rotation with uneven scale.
        4 => {
            let turn = rotation(rng);
            let columns = [turn.x_axis, turn.y_axis, turn.z_axis].map(|c| c * scale(rng).powf(0.2));
            by_model(local(rng, true), model(columns, point(rng, -3.0, 3.0)))
        }
        // Shear with three decimals; the last column nearly in the plane of the others.
        5 => {
            let [x, y] = [(); 2].map(|()| point(rng, -2.0, 2.0));
            let mut z = x * rng.between(-1.0, 1.0) + y * rng.between(-1.0, 1.0);
            if rng.below(2) == 0 {
                z = point(rng, -2.0, 2.0);
            }
            by_model(local(rng, true), model([x, y, z], point(rng, -3.0, 3.0)))
        }
        // Tiny or huge as a whole.
        6 => {
            let (size, turn) = (scale(rng), rotation(rng));
            let columns = [turn.x_axis, turn.y_axis, turn.z_axis].map(|c| c * size);
            let local = local(rng, false);
            by_model(local, model(columns, point(rng, -3.0, 3.0) * size))
        }
        // All exponents.
        _ => {
            let mut any = || {
                let v = [(); 3].map(|()| rng.between(-2.0, 2.0) * scale(rng));
                Vec3::from(v)
            };
            let (columns, at) = ([any(), any(), any()], any());
            by_model(local(rng, true), model(columns, at))
        }
    }
}

/// Returns a ray that is likely to touch the box: from a point on it, near it or a million sizes
/// away, to a point on it, or along one of its edges or the world's axes.
pub(crate) fn ray(rng: &mut Rng, obb: &Obb) -> Ray {
    let corners = obb.corners();
    let some_point = |rng: &mut Rng| {
        let (a, b) = (rng.pick(&corners), rng.pick(&corners));
        match rng.below(4) {
            0 => a,
            1 => a * 0.5 + b * 0.5,
            2 => a + (b - a) * rng.unit(),
            _ => obb.center(),
        }
    };
    let size = (corners[7] - corners[0]).abs().max_element();
    let size = size.clamp(f32::MIN_POSITIVE, 1e36);
    let target = some_point(rng);
    let origin = match rng.below(6) {
        0 => some_point(rng),
        1 => target + point(rng, -1.0, 1.0) * size * 1e6,
        2 => (target + Vec3::from(rng.grid(-4, 4)) * size).round(),
        _ => target + point(rng, -1.0, 1.0) * size * 4.0,
    };
    let dir = match rng.below(8) {
        0 => rng.pick(&[Vec3::X, Vec3::Y, Vec3::Z, -Vec3::X, -Vec3::Y, -Vec3::Z]),
        1 => rng.pick(&obb.half_edges()),
        2 => rng.pick(&corners) - rng.pick(&corners),
        3 => rng.grid(-2, 2).into(),
        4 => (target - origin) * scale(rng),
        _ => target - origin,
    };
    let inf = f32::INFINITY;
    let (t_min, t_max) = match rng.below(6) {
        0 => (-inf, inf),
        1 => (rng.between(-2.0, 1.0), rng.between(1.0, 2.0)),
        2 => (1.0, rng.pick(&[1.0, 2.0, inf])),
        _ => (0.0, inf),
    };
    Ray::new(origin, dir).with_interval(t_min, t_max)
}
