//! The camera, which turns pixels into rays.

mod error;
mod frustum;
mod look_at;
mod projection;
mod tiles;
mod viewport;

pub use error::CameraError;
pub use look_at::FieldOfView;
pub use projection::DepthRange;
pub use tiles::Tile;
pub use viewport::Viewport;

use crate::arithmetic::affine::AffineInverse;
use crate::shapes::{Ray, ray::Line};
use glam::{DMat3, DVec2, DVec3, Mat4, Vec2, Vec3};
use projection::{Kind, Projection};

/// Turns pixels into rays, for picking and for whole pictures.
///
/// Picking has four steps, each with a method:
///
/// | step | from | to |
/// |---|---|---|
/// | [`projection_plane`](Camera::projection_plane) | a pixel | a point on the plane of projection |
/// | [`view_ray`](Camera::view_ray) | a pixel | the ray from the eye through that point, in view space |
/// | [`world_ray`](Camera::world_ray) | a pixel | the same, in world space |
/// | [`object_ray`](Camera::object_ray) | a pixel | the same, in the space of an object |
///
/// In all of these rays `t` is the same number, the depth in view space, so hits in the spaces of
/// different objects can be compared. [`ray`](Camera::ray) has a direction of length 1 instead, so
/// `t` is the distance. All rays have `0 <= t <= inf`.
///
/// ```
/// # mod estoc { pub use estoc_core::*; pub mod camera { pub use estoc_core::*; } }
/// use estoc::{BruteForce, Camera, RayQuery, Triangle, camera::{FieldOfView, Viewport}, glam::{Mat4, Vec3}};
///
/// let camera = Camera::look_at(
///     Viewport::new(800.0, 600.0), [0.0, 1.0, 6.0], [0.0, 0.0, 0.0], [0.0, 1.0, 0.0],
///     FieldOfView::vertical_degrees(45.0),
/// )?;
/// // Two objects made of one triangle each; the second is larger and further away.
/// let mesh = BruteForce::new(vec![Triangle::new([-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [0.0, 1.0, 0.0])]);
/// let models = [
///     Mat4::from_translation(Vec3::new(0.5, 0.0, 0.0)),
///     Mat4::from_translation(Vec3::new(0.0, 0.0, -2.0)) * Mat4::from_scale(Vec3::splat(3.0)),
/// ];
/// let pick = |pixel: [f32; 2]| -> Result<Option<usize>, estoc::camera::CameraError> {
///     let mut nearest: Option<(f32, usize)> = None;
///     for (object, model) in models.iter().enumerate() {
///         if let Some(hit) = mesh.closest_hit(&camera.object_ray(pixel, model)?)
///             && nearest.is_none_or(|(t, _)| hit.t < t)
///         {
///             nearest = Some((hit.t, object));
///         }
///     }
///     Ok(nearest.map(|(_, object)| object))
/// };
/// assert_eq!(pick([440.0, 300.0])?, Some(0)); // both are there, the first is nearer
/// assert_eq!(pick([300.0, 300.0])?, Some(1));
/// assert_eq!(pick([10.0, 10.0])?, None); // the background
/// # Ok::<(), estoc::camera::CameraError>(())
/// ```
///
/// # Accuracy
/// Everything is computed in `f64` from the `f32`s given and each number of a ray is rounded once.
/// Compared with exact arithmetic on the same matrices,
///
/// - a direction is off by at most 6e-8 rad (2^-24: half a unit in the last place of each
///   component), and that of [`ray`](Camera::ray) has a length of 1 to within 6e-8;
/// - an origin is off by half a unit in the last place of each component;
/// - the error of `f64` adds far less to both: for component `i`, 2^-48 times the sum over `j` of
///   `|inverse[i][j] * v[j]|`, with `inverse` that of the view matrix's 3x3 part and `v` the vector
///   in view space that is transformed to the world. For a view that only rotates and translates,
///   that is at most 2^-48 of the vector's length; it grows as the view flattens space. For
///   [`look_at`](Camera::look_at) it is at most 2^-31 of the length, when up is a millionth radian
///   from the view direction.
///
/// A view matrix of `f32`s does not contain the eye itself but a rotated eye, so far from the
/// origin its eye may already be off by some units in the last place. `look_at` uses the eye as
/// given, and so does [`look_at_orthographic`](Camera::look_at_orthographic).
///
/// # Undefined pixels
/// A pixel that is NaN or infinite, or so far outside of the viewport that a number exceeds `f32`,
/// has an undefined ray, which hits nothing ([`Ray::check`]).
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Camera {
    viewport: Viewport,
    projection: Projection,
    /// Maps vectors from view space to world space.
    to_world: DMat3,
    /// The origin of view space, in world space.
    view_origin: DVec3,
    /// The view depth where rays start.
    start: f64,
}

impl Camera {
    /// Returns the camera of a rasteriser: `projection * view` maps the world to normalised device
    /// coordinates, y up, which fill the viewport.
    ///
    /// The projection is a perspective (the eye and the picture may be off-centre, the far plane at
    /// infinity) or orthographic (possibly oblique). Its direction along view z is read from the
    /// matrix, so views may be left- or right-handed: in a perspective from the sign of its last
    /// row, in an orthographic projection from the depth row and `depth`, which must be the right
    /// one. Where device y points down (Vulkan), negate the projection's second row.
    ///
    /// Rays start at the eye, or for an orthographic projection in the plane through the origin of
    /// view space; see [`from_near_plane`](Camera::from_near_plane).
    ///
    /// # Errors
    /// - [`CameraError::Viewport`]: no area, or a number that is not finite.
    /// - [`CameraError::Projection`]: another kind of matrix; the error names the entry.
    /// - [`CameraError::View`]: not affine, not finite, or singular (decided exactly).
    /// - [`CameraError::OutOfRange`]: the ray through the middle exceeds `f32`.
    pub fn try_new(
        viewport: Viewport,
        projection: Mat4,
        view: Mat4,
        depth: DepthRange,
    ) -> Result<Camera, CameraError> {
        viewport.check()?;
        let projection = Projection::try_new(&projection, depth)?;
        let inverse = AffineInverse::try_new(&view).map_err(CameraError::View)?;
        Camera {
            viewport,
            projection,
            to_world: inverse.linear,
            view_origin: inverse.point(DVec3::ZERO),
            start: 0.0,
        }
        .in_range()
    }

    /// Returns the same camera with rays that start on the near plane, with `t = 0` there.
    ///
    /// # Errors
    /// - [`CameraError::NoNearPlane`]: the camera was made by [`look_at`](Camera::look_at) or
    ///   [`look_at_orthographic`](Camera::look_at_orthographic); use [`from_depth`](Camera::from_depth).
    /// - [`CameraError::NearPlane`]: the near plane of a perspective is not in front of the
    ///   eye, so the [`DepthRange`] is not the matrix's.
    pub fn from_near_plane(self) -> Result<Camera, CameraError> {
        let (depth, range) = self.projection.near.ok_or(CameraError::NoNearPlane)?;
        let camera = self.starting_at(depth, depth > 0.0);
        camera
            .ok_or(CameraError::NearPlane { depth, range })?
            .in_range()
    }

    /// Returns the same camera with rays that start at this view depth, with `t = 0` there.
    ///
    /// # Errors
    /// [`CameraError::StartDepth`]: not finite, or behind the eye of a perspective.
    pub fn from_depth(self, depth: f32) -> Result<Camera, CameraError> {
        let camera = self.starting_at(depth.into(), depth >= 0.0);
        camera.ok_or(CameraError::StartDepth(depth))?.in_range()
    }

    /// Returns the same camera with rays that start at a view depth, if that is finite and, in a
    /// perspective, in front of the eye.
    fn starting_at(self, start: f64, is_in_front: bool) -> Option<Camera> {
        let can_start = is_in_front || self.projection.kind == Kind::Orthographic;
        (can_start && start.is_finite()).then_some(Camera { start, ..self })
    }

    /// Returns an error if the ray through the middle exceeds `f32`.
    fn in_range(self) -> Result<Camera, CameraError> {
        let size = DVec2::new(self.viewport.width.into(), self.viewport.height.into());
        self.line(size / 2.0)
            .rounded()
            .check()
            .map_err(CameraError::OutOfRange)?;
        Ok(self)
    }

    /// Returns the point of the projection plane at this pixel, as view x and y (the first step).
    /// The plane of a perspective is at view depth 1; that of an orthographic projection goes
    /// through the origin of view space.
    ///
    /// `pixel` is in the window, with continuous coordinates: the centre of the first pixel is
    /// (0.5, 0.5).
    pub fn projection_plane(&self, pixel: impl Into<Vec2>) -> Vec2 {
        let ndc = self.ndc(self.in_viewport(pixel.into()));
        self.projection.plane(ndc).as_vec2()
    }

    /// Returns the ray in view space (the second step). Its direction has |z| = 1, so `t` is the
    /// view depth measured from the start of the ray.
    pub fn view_ray(&self, pixel: impl Into<Vec2>) -> Ray {
        let ndc = self.ndc(self.in_viewport(pixel.into()));
        self.projection.line(ndc, self.start).rounded()
    }

    /// Returns the ray in world space (the third step), by the inverse of the view: its origin is
    /// transformed as a point, its direction as a vector. The direction is not normalised, so `t`
    /// is still the view depth.
    pub fn world_ray(&self, pixel: impl Into<Vec2>) -> Ray {
        self.line(self.in_viewport(pixel.into())).rounded()
    }

    /// Returns the ray in the space of an object (the fourth step), given the affine model matrix
    /// that maps it to the world. `t` is still the view depth; [`Ray::normalized`] makes it a
    /// distance in the object's space.
    ///
    /// The ray is transformed from view space to the object in `f64` and rounded once, as in
    /// [`Ray::to_local`], so it is slightly more accurate than the world ray transformed to the
    /// object.
    ///
    /// # Errors
    /// [`CameraError::Model`]: the matrix is not affine, not finite or singular, or the ray exceeds
    /// `f32` in that space.
    pub fn object_ray(&self, pixel: impl Into<Vec2>, model: &Mat4) -> Result<Ray, CameraError> {
        let line = self.line(self.in_viewport(pixel.into()));
        AffineInverse::try_new(model)
            .and_then(|inverse| line.to_local(&inverse).try_rounded())
            .map_err(CameraError::Model)
    }

    /// Returns the ray in world space with a direction of length 1, so that `t` is the distance
    /// from its start.
    pub fn ray(&self, pixel: impl Into<Vec2>) -> Ray {
        self.line(self.in_viewport(pixel.into()))
            .normalized()
            .rounded()
    }

    /// Returns the part of the window that the picture fills.
    pub fn viewport(&self) -> Viewport {
        self.viewport
    }

    /// Returns the point where the lines of all rays meet, wherever the rays start. `None` for
    /// orthographic cameras, whose rays are parallel.
    pub fn eye(&self) -> Option<Vec3> {
        let eye = self.projection.eye()?;
        Some((self.to_world * eye + self.view_origin).as_vec3())
    }

    /// Returns the offset of a pixel to the right of and below the viewport's top left corner.
    fn in_viewport(&self, pixel: Vec2) -> DVec2 {
        pixel.as_dvec2() - DVec2::new(self.viewport.x.into(), self.viewport.y.into())
    }

    /// Returns normalised device x and y, from -1 to 1 with y up; exactly 0 in the middle.
    fn ndc(&self, from_corner: DVec2) -> DVec2 {
        let size = DVec2::new(self.viewport.width.into(), self.viewport.height.into());
        let doubled = 2.0 * from_corner;
        DVec2::new(doubled.x - size.x, size.y - doubled.y) / size
    }

    /// Returns the ray in world space before it is rounded.
    fn line(&self, from_corner: DVec2) -> Line {
        let line = self.projection.line(self.ndc(from_corner), self.start);
        Line {
            origin: self.to_world * line.origin + self.view_origin,
            dir: self.to_world * line.dir,
        }
    }
}
