//! What a rectangle of the picture shows.

use super::projection::Kind;
use super::{Camera, CameraError, Viewport};
use crate::exact::region::Frustum;
use crate::shapes::Plane;
use glam::{DVec2, DVec3};

impl Camera {
    /// Returns the region that a rectangle of the window shows, to select the triangles there with
    /// [`RegionQuery::overlaps`](crate::RegionQuery::overlaps): what lies between the rays through its
    /// edges, from where rays start. It has no end behind.
    ///
    /// The planes are computed in `f64` and each of their numbers is rounded once; what is in front of
    /// the rounded planes is decided exactly. Each plane goes through the eye, or in an orthographic
    /// projection through the start of a ray, and has a normal of about length 1. Triangles that others
    /// hide are selected too, and so are those that only touch the region.
    ///
    /// ```
    /// # mod estoc { pub use estoc_core::*; pub mod camera { pub use estoc_core::*; } }
    /// use estoc::{BruteForce, Camera, RegionQuery, Triangle, camera::{FieldOfView, Viewport}};
    /// let camera = Camera::look_at(
    ///     Viewport::new(640.0, 480.0), [0.0, 0.0, 5.0], [0.0; 3], [0.0, 1.0, 0.0],
    ///     FieldOfView::vertical_degrees(60.0),
    /// )?;
    /// let sheet = |x, z| Triangle::new([x, 0.0, z], [x + 1.0, 0.0, z], [x, 1.0, z]);
    /// // To the left of the middle, to the right of it, and behind the eye.
    /// let engine = BruteForce::new([sheet(-2.0, 0.0), sheet(1.0, 0.0), sheet(-2.0, 9.0)]);
    /// let left_half = camera.frustum(Viewport::new(320.0, 480.0))?;
    /// let found = engine.overlaps(&left_half);
    /// assert_eq!(found.iter().map(|prim| prim.get()).collect::<Vec<_>>(), [0]);
    /// # Ok::<(), estoc::camera::CameraError>(())
    /// ```
    ///
    /// # Errors
    /// [`CameraError::Rectangle`]: the rectangle has no area or a number that is not finite, or is so
    /// small or so far outside of the viewport that `f64` does not tell its edges apart.
    pub fn frustum(&self, rectangle: Viewport) -> Result<Frustum, CameraError> {
        let error = CameraError::Rectangle(rectangle);
        rectangle.check().map_err(|_| error)?;
        self.planes_around(rectangle)
            .and_then(|planes| Frustum::try_new(&planes).ok())
            .ok_or(error)
    }

    /// Returns the planes through the edges of a rectangle, and the one where rays start.
    fn planes_around(&self, rectangle: Viewport) -> Option<[Plane; 5]> {
        let [x, y, width, height] =
            [rectangle.x, rectangle.y, rectangle.width, rectangle.height].map(f64::from);
        let window = DVec2::new(self.viewport.x.into(), self.viewport.y.into());
        let line = |right: f64, down: f64| {
            let pixel = DVec2::new(x + right * width, y + down * height) - window;
            let line = self.projection.line(self.ndc(pixel), self.start);
            let origin = self.to_world * line.origin + self.view_origin;
            (origin, self.to_world * line.dir)
        };
        let eye = self.projection.eye();
        let eye = eye.map(|eye| self.to_world * eye + self.view_origin);
        let corners = [
            line(0.0, 0.0),
            line(1.0, 0.0),
            line(1.0, 1.0),
            line(0.0, 1.0),
        ];
        let (middle, ahead) = line(0.5, 0.5);
        let side = |i: usize| {
            let ((start, dir), (next_start, next_dir)) = (corners[i], corners[(i + 1) % 4]);
            let across = match self.projection.kind {
                Kind::Perspective => next_dir,
                Kind::Orthographic => next_start - start,
            };
            plane(eye.unwrap_or(start), dir.cross(across), middle + ahead)
        };
        // Where rays start, all have the same depth.
        let (right, down) = (self.to_world.x_axis, self.to_world.y_axis);
        let start = plane(middle, right.cross(down), middle + ahead);
        Some([side(0)?, side(1)?, side(2)?, side(3)?, start?])
    }
}

/// Returns the plane through a point, with a normal of about length 1 towards the side of another
/// point.
fn plane(point: DVec3, normal: DVec3, front: DVec3) -> Option<Plane> {
    let size = normal.abs().max_element();
    // Scaled first: squares of small numbers underflow.
    let normal = (normal / size).normalize();
    let height = normal.dot(front - point);
    if !(size > 0.0 && height != 0.0 && height.is_finite()) {
        return None;
    }
    Plane::through(point.as_vec3(), (normal * height.signum()).as_vec3()).ok()
}
