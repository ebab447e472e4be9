//! Where the picture of the hall is taken from.

use super::image::Size;
use estoc::Ray;
use estoc::glam::Vec3;

/// A pinhole camera.
pub(super) struct View {
    eye: Vec3,
    forward: Vec3,
    /// Across half the picture's width, for a forward of length 1.
    right: Vec3,
    up: Vec3,
    size: Size,
}

impl View {
    /// In the nave, a little left of its middle, looking at the far end.
    pub(super) fn of_hall(size: Size) -> Self {
        let eye = Vec3::new(-1.35, 2.05, -1.2);
        let target = Vec3::new(0.75, 4.15, -20.0);
        let forward = (target - eye).normalize();
        let side = forward.cross(Vec3::Y).normalize();
        // The vertical field stays as it is when the picture grows wider.
        let half_height = 0.56;
        let half_width = half_height * size.width as f32 / size.height as f32;
        View {
            eye,
            forward,
            right: side * half_width,
            up: side.cross(forward) * half_height,
            size,
        }
    }

    /// Through a point of the picture, counted in pixels from its upper left corner.
    pub(super) fn ray(&self, x: f32, y: f32) -> Ray {
        let across = 2.0 * x / self.size.width as f32 - 1.0;
        let down = 2.0 * y / self.size.height as f32 - 1.0;
        let dir = self.forward + across * self.right - down * self.up;
        Ray::new(self.eye, dir.normalize())
    }
}
