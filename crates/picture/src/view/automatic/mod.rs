//! Chooses a view of any mesh.
//!
//! An object is seen as a whole from outside, a little from above. An interior (a *place*), whose
//! surfaces mostly cannot be seen from outside, is seen from inside, along its longest free line.

mod inside;
mod outside;
mod place;

use super::{View, ViewProjection};
use crate::target::Target;
use crate::watch::{WorkCancelled, WorkWatch};
use estoc::glam::Vec3;

/// Returns the view that shows this mesh or scene, or the point `at` if given. Scenes are seen from
/// outside. Fails only if the work is cancelled.
pub(super) fn view(
    target: Target<'_>,
    at: Option<Vec3>,
    up: Vec3,
    projection: Option<ViewProjection>,
    aspect: f32,
    watch: WorkWatch<'_>,
) -> Result<View, WorkCancelled> {
    let frame = LevelFrame::of(up.normalize_or(Vec3::Y));
    // From inside, what is behind the eye would be missing from a picture by parallel rays.
    let is_orthographic = matches!(projection, Some(ViewProjection::Orthographic(_)));
    if at.is_none()
        && !is_orthographic
        && !target.is_scene()
        && place::is_place(target, &frame, watch)?
        && let Some(view) = inside::view(target, &frame, projection, aspect, watch)?
    {
        return Ok(view);
    }
    let projection = projection.unwrap_or(ViewProjection::DEFAULT);
    outside::view(target, &frame, at, projection, aspect, watch)
}

/// Returns the level direction from a mesh to its viewer.
pub(super) fn front(up: Vec3) -> Vec3 {
    LevelFrame::of(up).front
}

/// The up direction, and two directions level with the ground.
struct LevelFrame {
    up: Vec3,
    /// The direction to the viewer: +z if up is +y, and -y if up is +z, as in floor plans.
    front: Vec3,
    right: Vec3,
}

impl LevelFrame {
    fn of(up: Vec3) -> Self {
        let level = match up.z.abs() < 0.9 {
            true => Vec3::Z,
            false => Vec3::NEG_Y,
        };
        let right = up.cross(level).normalize_or(Vec3::X);
        let front = right.cross(up);
        LevelFrame { up, front, right }
    }

    /// Returns a direction by its angles in radians: around, from the front to the right, and up.
    fn dir(&self, around: f32, above: f32) -> Vec3 {
        let level = self.front * libm::cosf(around) + self.right * libm::sinf(around);
        level * libm::cosf(above) + self.up * libm::sinf(above)
    }

    /// Returns one of sixteen directions all around.
    fn sixteenth(&self, i: u8, above: f32) -> Vec3 {
        self.dir(f32::from(i) * std::f32::consts::TAU / 16.0, above)
    }
}
