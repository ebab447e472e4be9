//! The camera: which ray belongs to a pixel.

mod error;
mod look_at;
mod projection;
mod tiles;
mod viewport;

pub use error::CameraError;
pub use look_at::FieldOfView;
pub use projection::DepthRange;
pub use tiles::Tile;
pub use viewport::Viewport;

use crate::Ray;
use crate::affine::AffineInverse;
use crate::ray::Line;
use glam::{DMat3, DVec2, DVec3, Mat4, Vec2, Vec3};
use projection::{Kind, Projection};

/// Turns pixels into rays, for picking and for whole pictures.
///
/// Picking has four steps, and each has a name here:
///
/// | step | from | to |
/// |---|---|---|
/// | [`projection_plane`](Camera::projection_plane) | a pixel | a point on the plane of projection |
/// | [`view_ray`](Camera::view_ray) | a pixel | the ray from the eye through that point, in view space |
/// | [`world_ray`](Camera::world_ray) | a pixel | the same, in world space |
/// | [`object_ray`](Camera::object_ray) | a pixel | the same, in the space of an object |
///
/// Along all of them `t` is the same number, the depth in view space, so hits in the spaces
/// of different objects can be compared. [`ray`](Camera::ray) has a direction of length 1
/// instead, and `t` is the distance. All rays are `0 <= t <= inf`.
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
/// # How exact
/// Everything is computed in `f64` from the `f32`s given and each number of a ray is rounded
/// once. Against exact arithmetic on the same matrices,
///
/// - a direction is off by at most 6e-8 rad (2^-24: half a unit in the last place of each
///   component), and [`ray`](Camera::ray)'s has a length of 1 to 6e-8;
/// - an origin is off by half a unit in the last place of each component;
/// - what `f64` adds to both is far less: for component `i`, 2^-48 times the sum over `j` of
///   `|inverse[i][j] * v[j]|`, with `inverse` that of the view matrix's 3x3 part and `v` the
///   vector in view space that is brought to the world. For a view that rotates and moves
///   that is at most 2^-48 of the vector's length; the more a view flattens space, the more
///   it is. For [`look_at`](Camera::look_at) it is
///   2^-31 of the length at worst, when up is a millionth radian from the view direction.
///
/// A view matrix of `f32`s does not hold the eye itself but its rotation, so far from the
/// origin its eye may be off by some units in the last place before any of this starts.
/// `look_at` takes the eye as it is.
///
/// # Undefined pixels
/// A pixel that is NaN or infinite, or so far outside of the viewport that a number exceeds
/// `f32`, has an undefined ray: it hits nothing ([`Ray::check`]).
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Camera {
    viewport: Viewport,
    projection: Projection,
    /// View space to world space, for vectors.
    to_world: DMat3,
    /// The origin of view space, in world space.
    view_origin: DVec3,
    /// The view depth where rays start.
    start: f64,
}

impl Camera {
    /// The camera of a rasteriser: `projection * view` takes the world to normalised device
    /// coordinates, y up, which fill the viewport.
    ///
    /// The projection is a perspective, with eye and picture also off-centre, the far plane
    /// also at infinity, or orthographic, also oblique. Which way it looks along view z is
    /// read from the matrix, so views may be left- or right-handed: in a perspective from the
    /// sign of its last row, in an orthographic projection from the depth row and `depth`,
    /// which has to be the right one. Where device y points down (Vulkan), change the signs
    /// in the projection's second row.
    ///
    /// Rays start at the eye, or orthographic in the plane through the origin of view space;
    /// see [`from_near_plane`](Camera::from_near_plane).
    ///
    /// # Errors
    /// - [`CameraError::Viewport`]: no area, or a number that is not finite.
    /// - [`CameraError::Projection`]: another kind of matrix; the error names the entry.
    /// - [`CameraError::View`]: not affine, not finite, or singular (decided exactly).
    /// - [`CameraError::OutOfRange`]: the ray through the middle does not fit `f32`.
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

    /// The same camera with rays that start on the near plane, where `t` is then 0.
    ///
    /// # Errors
    /// - [`CameraError::NoNearPlane`]: the camera was made by [`look_at`](Camera::look_at);
    ///   use [`from_depth`](Camera::from_depth).
    /// - [`CameraError::NearPlane`]: the near plane of a perspective is not in front of the
    ///   eye, so the [`DepthRange`] is not the matrix's.
    pub fn from_near_plane(self) -> Result<Camera, CameraError> {
        let (depth, range) = self.projection.near.ok_or(CameraError::NoNearPlane)?;
        let in_front = depth > 0.0 || self.projection.kind == Kind::Orthographic;
        if depth.is_finite() && in_front {
            Camera {
                start: depth,
                ..self
            }
            .in_range()
        } else {
            Err(CameraError::NearPlane { depth, range })
        }
    }

    /// The same camera with rays that start at this view depth, where `t` is then 0.
    ///
    /// # Errors
    /// [`CameraError::StartDepth`]: not finite, or behind the eye of a perspective.
    pub fn from_depth(self, depth: f32) -> Result<Camera, CameraError> {
        let in_front = depth >= 0.0 || self.projection.kind == Kind::Orthographic;
        if depth.is_finite() && in_front {
            Camera {
                start: depth.into(),
                ..self
            }
            .in_range()
        } else {
            Err(CameraError::StartDepth(depth))
        }
    }

    /// Whether the ray through the middle fits `f32`.
    fn in_range(self) -> Result<Camera, CameraError> {
        let size = DVec2::new(self.viewport.width.into(), self.viewport.height.into());
        self.line(size / 2.0)
            .rounded()
            .check()
            .map_err(CameraError::OutOfRange)?;
        Ok(self)
    }

    /// The first step: the point of the projection plane that is seen at this pixel, as view
    /// x and y. The plane of a perspective is at view depth 1; of an orthographic projection
    /// it is the plane through the origin of view space.
    ///
    /// `pixel` is in the window, continuous: the centre of the first one is (0.5, 0.5).
    pub fn projection_plane(&self, pixel: impl Into<Vec2>) -> Vec2 {
        let ndc = self.ndc(self.in_viewport(pixel.into()));
        self.projection.plane(ndc).as_vec2()
    }

    /// The second step: the ray in view space. Its direction has |z| = 1, so `t` is the view
    /// depth behind where it starts.
    pub fn view_ray(&self, pixel: impl Into<Vec2>) -> Ray {
        let ndc = self.ndc(self.in_viewport(pixel.into()));
        self.projection.line(ndc, self.start).rounded()
    }

    /// The third step: the ray in world space, by the inverse of the view: its origin as
    /// a point, its direction as a vector. The direction's length is not changed, so `t` is
    /// the view depth still.
    pub fn world_ray(&self, pixel: impl Into<Vec2>) -> Ray {
        self.line(self.in_viewport(pixel.into())).rounded()
    }

    /// The fourth step: the ray in the space of an object whose affine model matrix takes it
    /// to the world. `t` is the view depth still; [`Ray::normalized`] makes it a distance in
    /// the object's space.
    ///
    /// It goes from view space to the object in `f64` and is rounded once, as
    /// [`Ray::to_local`] says, so it is a little more exact than the world ray brought there.
    ///
    /// # Errors
    /// [`CameraError::Model`]: the matrix is not affine, not finite or singular, or the ray
    /// does not fit `f32` there.
    pub fn object_ray(&self, pixel: impl Into<Vec2>, model: &Mat4) -> Result<Ray, CameraError> {
        let line = self.line(self.in_viewport(pixel.into()));
        AffineInverse::try_new(model)
            .and_then(|inverse| line.to_local(&inverse).try_rounded())
            .map_err(CameraError::Model)
    }

    /// The ray in world space with a direction of length 1, so that `t` is the distance from
    /// where it starts.
    pub fn ray(&self, pixel: impl Into<Vec2>) -> Ray {
        self.line(self.in_viewport(pixel.into()))
            .normalized()
            .rounded()
    }

    /// The part of the window that the picture fills.
    pub fn viewport(&self) -> Viewport {
        self.viewport
    }

    /// Where all rays meet, whether they start there or further on. `None` for orthographic
    /// cameras, whose rays are parallel.
    pub fn eye(&self) -> Option<Vec3> {
        let eye = self.projection.eye()?;
        Some((self.to_world * eye + self.view_origin).as_vec3())
    }

    /// Pixels right of and below the viewport's top left corner.
    fn in_viewport(&self, pixel: Vec2) -> DVec2 {
        pixel.as_dvec2() - DVec2::new(self.viewport.x.into(), self.viewport.y.into())
    }

    /// Normalised device x and y, from -1 to 1 and up; exactly 0 in the middle.
    fn ndc(&self, from_corner: DVec2) -> DVec2 {
        let size = DVec2::new(self.viewport.width.into(), self.viewport.height.into());
        let doubled = 2.0 * from_corner;
        DVec2::new(doubled.x - size.x, size.y - doubled.y) / size
    }

    /// The ray in world space before it is rounded.
    fn line(&self, from_corner: DVec2) -> Line {
        let line = self.projection.line(self.ndc(from_corner), self.start);
        Line {
            origin: self.to_world * line.origin + self.view_origin,
            dir: self.to_world * line.dir,
        }
    }
}
