//! A good view of any mesh.
//!
//! A thing is seen from outside, a little from above, whole. A place, whose surfaces mostly
//! cannot be seen from outside, is seen from inside, along its longest free line.

mod inside;
mod outside;
mod place;

use super::View;
use crate::model::Model;
use estoc::glam::Vec3;

/// The view that shows this mesh, or `at` if that is given.
pub(super) fn view(
    model: Model<'_>,
    at: Option<Vec3>,
    up: Vec3,
    fov: Option<f32>,
    aspect: f32,
) -> View {
    let frame = Frame::of(up.normalize_or(Vec3::Y));
    if at.is_none()
        && place::is_place(model, &frame)
        && let Some(view) = inside::view(model, &frame, fov, aspect)
    {
        return view;
    }
    outside::view(model, &frame, at, fov.unwrap_or(View::FOV), aspect)
}

/// Returns where the viewer of a mesh stands, level with the ground.
pub(super) fn front(up: Vec3) -> Vec3 {
    Frame::of(up).front
}

/// Up, and two directions level with the ground.
struct Frame {
    up: Vec3,
    /// Where the viewer stands: +z where up is +y, and -y where up is +z, as plans are drawn.
    front: Vec3,
    right: Vec3,
}

impl Frame {
    fn of(up: Vec3) -> Self {
        let level = match up.z.abs() < 0.9 {
            true => Vec3::Z,
            false => Vec3::NEG_Y,
        };
        let right = up.cross(level).normalize_or(Vec3::X);
        let front = right.cross(up);
        Frame { up, front, right }
    }

    /// A direction by its angles, in radians: around, from the front to the right, and up.
    fn dir(&self, around: f32, above: f32) -> Vec3 {
        let level = self.front * libm::cosf(around) + self.right * libm::sinf(around);
        level * libm::cosf(above) + self.up * libm::sinf(above)
    }

    /// One of sixteen directions all around.
    fn sixteenth(&self, i: u8, above: f32) -> Vec3 {
        self.dir(f32::from(i) * std::f32::consts::TAU / 16.0, above)
    }
}
