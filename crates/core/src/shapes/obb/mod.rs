//! The oriented box.
//!
//! Modules: the numbers given (`frame.rs`), the planes (`planes.rs`) and edges (`edge_directions.rs`) in
//! `f64`, where a line crosses the planes (`crossing.rs`, and `f64_line.rs` for nearly all lines),
//! and the queries: rays (`ray.rs`), the nearest of many boxes (`nearest.rs`), corners and bounds
//! (`box_corners.rs`).

mod box_corners;
mod crossing;
mod edge_directions;
mod error;
mod f64_line;
mod frame;
mod half_spaces;
mod nearest;
mod planes;
mod ray;

pub use error::ObbError;

use crate::arithmetic::{affine, widen};
use crate::shapes::Aabb;
pub(crate) use frame::Frame;
use glam::{DVec3, Mat4, Vec3};
use planes::PlanePair;

/// A closed box that may be rotated, mirrored and, if made by [`Obb::from_model`], sheared. It may
/// be flat, a line or a point.
///
/// It represents an exact set of points, defined by its constructor. Whether a ray hits it and
/// where, and whether it contains a point, is decided as exact arithmetic on the numbers given
/// would, whatever their size. All numbers returned are the `f32` nearest to the exact ones, ties
/// to even.
///
/// # Accuracy
/// - With centre, axes and half sizes ([`try_new`](Obb::try_new)) it is the set
///   `|a_i . (p - c)| <= h_i` for the axes as given; with a model matrix
///   ([`from_model`](Obb::from_model)), the exact image of a box, mirrored or sheared too.
/// - Parameters, points, normals and corners are nearest; [`bounds`](Obb::bounds) is rounded
///   outward.
/// - [`nearest`](Obb::nearest) orders boxes by exact parameter, ties by index.
/// - Half sizes of 0 are allowed. Negative ones, matrices whose determinant is exactly 0, and
///   corners beyond `f32` are errors.
/// - Axes such as (0.6, 0.8) are not exact in `f32`. Where contacts matter to the last bit, use a
///   matrix of integers.
///
/// ```
/// # use estoc_core as estoc;
/// use estoc::{Aabb, Obb, Ray, glam::{Mat4, Quat, Vec3}};
/// let unit = Aabb::try_new([-1.0; 3], [1.0; 3]).unwrap();
/// let model = Mat4::from_scale_rotation_translation(
///     Vec3::new(3.0, 1.0, 1.0),
///     Quat::from_rotation_z(0.5),
///     Vec3::new(0.0, 0.0, 10.0),
/// );
/// let turned = Obb::from_model(&unit, &model).unwrap();
/// let hit = turned.hit(&Ray::new([0.0; 3], [0.0, 0.0, 2.0])).unwrap();
/// assert_eq!((hit.t, hit.point.z, hit.normal), (4.5, 9.0, [0.0, 0.0, -1.0].into()));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Obb {
    frame: Frame,
    planes: [PlanePair; 3],
    /// Whether the lower faces have the greater bounds.
    is_mirrored: bool,
}

/// The tolerance for the squared length of an axis (from 1) and the cosine between two axes (from
/// 0).
const TOLERANCE: f64 = 1e-3;

impl Obb {
    /// Returns the box about a centre, with half sizes along three axes: exactly the points p with
    /// `|axes[i] . (p - center)| <= half_sizes[i]` for each i.
    ///
    /// The axes must have length 1 and be at right angles, within a tolerance for rounded rotations
    /// and numbers with three decimals: squared lengths within 0.001 of 1, dot products within
    /// 0.001 of 0. They may be left-handed. They are used as given, without correction: for axes
    /// that are slightly off, the set above is still exact. Half sizes may be 0.
    ///
    /// # Errors
    /// In this order: [`ObbError::Center`], [`ObbError::HalfSizes`] and [`ObbError::Axis`]
    /// for numbers that are NaN or infinite, [`ObbError::NegativeHalfSize`],
    /// [`ObbError::NotUnit`], [`ObbError::NotOrthogonal`], and [`ObbError::TooLarge`] when a
    /// corner is beyond `f32`.
    ///
    /// ```
    /// # mod estoc { pub use estoc_core::*; pub mod shapes { pub use estoc_core::*; } }
    /// use estoc::{Obb, shapes::ObbError};
    /// let axes = [[0.6, 0.8, 0.0], [-0.8, 0.6, 0.0], [0.0, 0.0, 1.0]];
    /// let turned = Obb::try_new([0.0; 3], axes.map(Into::into), [5.0, 5.0, 1.0]).unwrap();
    /// assert!(turned.contains([6.9, 1.0, 1.0]) && !turned.contains([5.0, 5.0, 0.0]));
    /// assert!(matches!(
    ///     Obb::try_new([0.0; 3], axes.map(Into::into), [5.0, -5.0, 1.0]),
    ///     Err(ObbError::NegativeHalfSize { axis: 1, .. })
    /// ));
    /// ```
    pub fn try_new(
        center: impl Into<Vec3>,
        axes: [Vec3; 3],
        half_sizes: impl Into<Vec3>,
    ) -> Result<Self, ObbError> {
        let (center, half_sizes) = (center.into(), half_sizes.into());
        if !center.is_finite() {
            return Err(ObbError::Center(center));
        }
        if !half_sizes.is_finite() {
            return Err(ObbError::HalfSizes(half_sizes));
        }
        if let Some(axis) = (0..3).find(|&axis| !axes[axis].is_finite()) {
            let direction = axes[axis];
            return Err(ObbError::Axis { axis, direction });
        }
        if let Some(axis) = (0..3).find(|&axis| half_sizes[axis] < 0.0) {
            let half_size = half_sizes[axis];
            return Err(ObbError::NegativeHalfSize { axis, half_size });
        }
        check_axes(axes)?;
        Obb::of_frame(Frame::Axes {
            center,
            axes,
            half_sizes,
        })
    }

    /// Returns the image of a box under a matrix that maps local to world coordinates: exactly the
    /// points `model * q` with q in `local`.
    ///
    /// Rotation, translation, mirroring, any scale and shear are allowed. The result has the faces,
    /// edges and corners of `local`, in the same order.
    ///
    /// # Errors
    /// - [`ObbError::Empty`]: `local` is [`Aabb::EMPTY`].
    /// - [`ObbError::Model`]: an entry of the matrix is NaN or infinite, or its last row is
    ///   not `0 0 0 1`.
    /// - [`ObbError::Singular`]: its determinant is 0, decided exactly.
    /// - [`ObbError::TooLarge`]: a corner of the image is beyond `f32`.
    pub fn from_model(local: &Aabb, model: &Mat4) -> Result<Self, ObbError> {
        if local.is_empty() {
            return Err(ObbError::Empty);
        }
        let (columns, translation) = affine::columns(model).map_err(ObbError::Model)?;
        Obb::of_frame(Frame::Model {
            translation,
            columns,
            min: local.min(),
            max: local.max(),
        })
    }

    /// Returns the numbers that define the box.
    pub(crate) fn frame(&self) -> Frame {
        self.frame
    }

    /// Returns the box that these numbers define.
    pub(crate) fn of_frame(frame: Frame) -> Result<Self, ObbError> {
        let det = planes::determinant(&frame)?;
        let planes = [0, 1, 2].map(|axis| PlanePair::new(&frame, axis, det));
        let made = Obb {
            frame,
            planes,
            is_mirrored: matches!(frame, Frame::Model { .. }) && det.value < 0.0,
        };
        if made.fits_f32() {
            Ok(made)
        } else {
            Err(ObbError::TooLarge)
        }
    }
}

/// Checks that the axes are close enough to an orthonormal frame.
fn check_axes(axes: [Vec3; 3]) -> Result<(), ObbError> {
    let wide = axes.map(|axis| DVec3::from_array(widen(axis)));
    for (axis, v) in wide.into_iter().enumerate() {
        if (v.length_squared() - 1.0).abs() > TOLERANCE {
            return Err(ObbError::NotUnit {
                axis,
                direction: axes[axis],
                length: v.length(),
            });
        }
    }
    for (a, b) in [(0, 1), (0, 2), (1, 2)] {
        let cosine = wide[a].dot(wide[b]);
        if cosine.abs() > TOLERANCE {
            return Err(ObbError::NotOrthogonal {
                axes: [a, b],
                cosine,
            });
        }
    }
    Ok(())
}
