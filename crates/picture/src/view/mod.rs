//! Views of a mesh or a scene.

mod automatic;
mod z_up;

use crate::picture::Size;
use crate::target::{MeshTarget, Target};
use estoc::glam::Vec3;
use estoc::{
    Camera,
    camera::{CameraError, FieldOfView, Viewport},
};

/// The position of an eye, the point that it looks at, and its field of view.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// The position of the eye.
    pub eye: Vec3,
    /// The point that it looks at.
    pub at: Vec3,
    /// The direction that is up in the picture, of any length.
    pub up: Vec3,
    /// The vertical field of view in degrees.
    pub fov: f32,
}

/// What a caller wants of a view; the rest is chosen to show the target well.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ViewOptions {
    /// The position of the eye; chosen by default.
    pub eye: Option<Vec3>,
    /// The point that it looks at; by default the centre of the target with an eye, else chosen.
    pub at: Option<Vec3>,
    /// The up direction; y by default.
    pub up: Option<Vec3>,
    /// The vertical field of view in degrees; by default 40, or 60 for a view from inside.
    pub fov: Option<f32>,
}

impl ViewOptions {
    /// Returns the view for a picture of this size. An object is seen as a whole, from outside; a mesh
    /// that mostly cannot be seen from outside, such as a hall, from inside. Where up is parallel to the
    /// view, another up direction is used ([`View::with_usable_up`]). Numbers that are not finite lead
    /// to a view without a camera. Choosing a view from inside casts about 800,000 rays.
    pub fn view(&self, target: Target<'_>, size: Size) -> View {
        self.view_as_asked(target, size).with_usable_up(size)
    }

    /// Like [`ViewOptions::view`], with the up direction as it was asked for even if it cannot be used.
    pub fn view_as_asked(&self, target: Target<'_>, size: Size) -> View {
        let up = self.up.unwrap_or(Vec3::Y);
        let bounds = target.bounds();
        let middle = match bounds.is_empty() {
            true => Vec3::ZERO,
            false => 0.5 * bounds.min() + 0.5 * bounds.max(),
        };
        match (self.eye, self.at) {
            (Some(eye), at) => View {
                eye,
                at: at.unwrap_or(middle),
                up,
                fov: self.fov.unwrap_or(View::FOV),
            },
            (None, at) => automatic::view(target, at, up, self.fov, size.aspect()),
        }
    }
}

impl View {
    /// The field of view of objects in degrees: 40 is what a 50 mm lens sees of a picture's longer side.
    pub const FOV: f32 = 40.0;

    /// Returns the camera of this view, for pictures of this size.
    ///
    /// # Errors
    /// Those of [`Camera::look_at`]: a number that is not finite, an eye at the point that it looks at,
    /// an up direction parallel to the view, or a field of view that is not between 0 and 180 degrees.
    pub fn camera(&self, size: Size) -> Result<Camera, CameraError> {
        let viewport = Viewport::new(size.width() as f32, size.height() as f32);
        let fov = FieldOfView::VerticalRadians(self.fov.to_radians());
        Camera::look_at(viewport, self.eye, self.at, self.up, fov)
    }

    /// Returns the view with another up direction if its own is parallel to the view. Seen from above,
    /// the direction away from the usual viewer is at the top; seen from below, at the bottom.
    pub fn with_usable_up(self, size: Size) -> View {
        let Err(CameraError::Up { ahead, .. }) = self.camera(size) else {
            return self;
        };
        let up = self.up.normalize_or(Vec3::Y);
        let back = -automatic::front(up);
        // Adding zero turns -0 into 0, so that no component prints as -0.
        let another = if ahead.dot(up) < 0.0 { back } else { -back };
        View {
            up: another + Vec3::ZERO,
            ..self
        }
    }
}

/// Returns whether z is probably up in a mesh: it is flat along z, and more of its surface faces along z
/// than along any other axis, as in terrain, buildings and most machine parts.
pub fn is_z_probably_up(mesh: MeshTarget<'_>) -> bool {
    z_up::is_probable(mesh)
}
