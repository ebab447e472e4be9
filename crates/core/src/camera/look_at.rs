//! Cameras given by an eye and a point to look at.

use super::projection::Projection;
use super::{Camera, CameraError, Viewport};
use glam::{DMat3, DVec2, Vec3};

/// The sine of the least angle between up and the view direction: below about a millionth, the roll
/// would consist of the rounding errors of the coordinates.
const LEAST_SINE: f64 = 1.0 / (1u32 << 20) as f64;

/// The field of view of a pinhole camera: the full angle, between 0 and 180 degrees.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum FieldOfView {
    /// From the top edge of the picture to the bottom one, in radians.
    VerticalRadians(f32),
    /// From the left edge to the right one, in radians.
    HorizontalRadians(f32),
}

impl FieldOfView {
    /// Returns the field of view from the top edge of the picture to the bottom one.
    pub fn vertical_degrees(degrees: f32) -> Self {
        FieldOfView::VerticalRadians(degrees.to_radians())
    }

    /// Returns the field of view from the left edge of the picture to the right one.
    pub fn horizontal_degrees(degrees: f32) -> Self {
        FieldOfView::HorizontalRadians(degrees.to_radians())
    }

    /// Returns half the picture's width and height at depth 1.
    fn half_extent(self, viewport: Viewport) -> Result<DVec2, CameraError> {
        let (FieldOfView::VerticalRadians(angle) | FieldOfView::HorizontalRadians(angle)) = self;
        let angle = f64::from(angle);
        // In this form NaN is an error too.
        if !(angle > 0.0 && angle < core::f64::consts::PI) {
            return Err(CameraError::FieldOfView(self));
        }
        let half = libm::tan(angle / 2.0);
        let (width, height) = (f64::from(viewport.width), f64::from(viewport.height));
        Ok(match self {
            FieldOfView::VerticalRadians(_) => DVec2::new(half * (width / height), half),
            FieldOfView::HorizontalRadians(_) => DVec2::new(half, half * (height / width)),
        })
    }
}

impl Camera {
    /// Returns a pinhole camera at `eye` that looks at `at`. Its view space is right-handed with x
    /// to the right, y up and -z ahead.
    ///
    /// The picture's vertical middle line is in the plane of the view direction and `up`. No `f32`
    /// matrix is involved, so an eye far from the origin loses no accuracy: the rays start at
    /// exactly `eye`.
    ///
    /// # Errors
    /// - [`CameraError::Viewport`]: no area, or a number that is not finite.
    /// - [`CameraError::NotFinite`]: a coordinate of `eye`, `at` or `up` is not finite.
    /// - [`CameraError::NowhereToLook`]: `eye == at`.
    /// - [`CameraError::Up`]: zero, or within 1e-6 rad (2^-20) of the view direction or its
    ///   opposite.
    /// - [`CameraError::FieldOfView`]: not between 0 and pi.
    ///
    /// ```
    /// # mod estoc { pub use estoc_core::*; pub mod camera { pub use estoc_core::*; } }
    /// use estoc::{Camera, camera::{FieldOfView, Viewport}};
    /// let fov = FieldOfView::vertical_degrees(60.0);
    /// let camera = Camera::look_at(
    ///     Viewport::new(640.0, 480.0), [0.0, 0.0, 5.0], [0.0; 3], [0.0, 1.0, 0.0], fov,
    /// )?;
    /// assert_eq!(camera.ray([320.0, 240.0]).dir, [0.0, 0.0, -1.0].into());
    /// # Ok::<(), estoc::camera::CameraError>(())
    /// ```
    pub fn look_at(
        viewport: Viewport,
        eye: impl Into<Vec3>,
        at: impl Into<Vec3>,
        up: impl Into<Vec3>,
        fov: FieldOfView,
    ) -> Result<Camera, CameraError> {
        let projection = || Ok(Projection::pinhole(fov.half_extent(viewport)?));
        framed(viewport, [eye.into(), at.into(), up.into()], projection)
    }

    /// Returns an orthographic camera in the plane through `eye` across the view direction, from where it
    /// looks along the direction to `at`. Its view space is that of [`look_at`](Self::look_at).
    ///
    /// All rays have one direction, the same bits of it, and start in that plane, the one through the middle
    /// at exactly `eye`: what is behind the plane is not seen, unless [`from_depth`](Self::from_depth) moves
    /// the start back. `height` is that of what the picture shows, in the units of the world (twice the `ymag`
    /// of a camera of glTF); the width is `height` times that of the viewport over its height. Of `at`, only
    /// the direction matters.
    ///
    /// Origins are rounded to `f32`: keep the eye about as near to the origin of the world as what is seen.
    ///
    /// # Errors
    /// Those of [`look_at`](Self::look_at), with [`CameraError::OrthographicHeight`] for a height that is
    /// NaN, infinite, or not above 0, in place of that of the field of view.
    ///
    /// ```
    /// # mod estoc { pub use estoc_core::*; pub mod camera { pub use estoc_core::*; } }
    /// use estoc::{Camera, camera::Viewport};
    /// // A millimetre of a part in millimetres is ten pixels, at every depth.
    /// let camera = Camera::look_at_orthographic(
    ///     Viewport::new(640.0, 480.0), [0.0, 0.0, 90.0], [0.0; 3], [0.0, 1.0, 0.0], 48.0,
    /// )?;
    /// let ray = camera.ray([330.0, 240.0]);
    /// assert_eq!((ray.origin, ray.dir), ([1.0, 0.0, 90.0].into(), [0.0, 0.0, -1.0].into()));
    /// # Ok::<(), estoc::camera::CameraError>(())
    /// ```
    pub fn look_at_orthographic(
        viewport: Viewport,
        eye: impl Into<Vec3>,
        at: impl Into<Vec3>,
        up: impl Into<Vec3>,
        height: f32,
    ) -> Result<Camera, CameraError> {
        let projection = || {
            // In this form NaN is an error too.
            if !(height > 0.0 && height.is_finite()) {
                return Err(CameraError::OrthographicHeight(height));
            }
            let half = f64::from(height) / 2.0;
            let aspect = f64::from(viewport.width) / f64::from(viewport.height);
            Ok(Projection::orthographic(DVec2::new(half * aspect, half)))
        };
        framed(viewport, [eye.into(), at.into(), up.into()], projection)
    }
}

/// Returns the camera at `eye` that looks at `at`, with the projection that is made once these are valid.
fn framed(
    viewport: Viewport,
    [eye, at, up]: [Vec3; 3],
    projection: impl FnOnce() -> Result<Projection, CameraError>,
) -> Result<Camera, CameraError> {
    viewport.check()?;
    for (name, value) in [("eye", eye), ("at", at), ("up", up)] {
        if !value.is_finite() {
            return Err(CameraError::NotFinite { name, value });
        }
    }
    if eye == at {
        return Err(CameraError::NowhereToLook { eye });
    }
    // Not normalised before the product: the difference and the products of f32s are mostly
    // exact, so the roll is accurate even for a view direction close to up.
    let way = at.as_dvec3() - eye.as_dvec3();
    let across = way.cross(up.as_dvec3());
    let ahead = way.normalize();
    if across.length() <= LEAST_SINE * way.length() * up.as_dvec3().length() {
        return Err(CameraError::Up {
            up,
            ahead: ahead.as_vec3(),
        });
    }
    let right = across.normalize();
    let upright = right.cross(ahead);
    Ok(Camera {
        viewport,
        projection: projection()?,
        to_world: DMat3::from_cols(right, upright, -ahead),
        view_origin: eye.as_dvec3(),
        start: 0.0,
    })
}
