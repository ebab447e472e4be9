//! Projections as lines in view space.

use super::CameraError;
use crate::arithmetic::affine::{ExpectedEntry, MatrixEntry};
use crate::shapes::ray::Line;
use glam::{DVec2, DVec3, Mat4};

/// The normalised depths of the near plane and the far plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum DepthRange {
    /// 0 near, 1 far: Direct3D, Metal, Vulkan, WebGPU.
    ZeroToOne,
    /// -1 near, 1 far: OpenGL.
    MinusOneToOne,
    /// 1 near, 0 far: reversed, which distributes the precision of a float depth buffer evenly.
    OneToZero,
}

impl DepthRange {
    fn near_and_far(self) -> (f64, f64) {
        match self {
            DepthRange::ZeroToOne => (0.0, 1.0),
            DepthRange::MinusOneToOne => (-1.0, 1.0),
            DepthRange::OneToZero => (1.0, 0.0),
        }
    }
}

/// A projection: maps each point of the picture to the line in view space that is seen there.
///
/// For either kind, x and y of that line are linear functions of view z: `at_eye + slope * z`. In a
/// perspective `slope` varies over the picture and `at_eye` is fixed; in an orthographic projection
/// the reverse holds.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Projection {
    pub(super) kind: Kind,
    /// View z in front of the camera: 1 or -1.
    forward: f64,
    /// The varying one is `scale * ndc + shift`.
    scale: DVec2,
    shift: DVec2,
    fixed: DVec2,
    /// View depth of the near plane and the depth range used; `None` if neither was given.
    pub(super) near: Option<(f64, DepthRange)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub(super) enum Kind {
    Perspective,
    Orthographic,
}

impl Projection {
    /// Returns a pinhole that looks along -z; the picture extends from -`half` to `half` at depth
    /// 1.
    pub(super) fn pinhole(half: DVec2) -> Self {
        Projection {
            kind: Kind::Perspective,
            forward: -1.0,
            scale: -half,
            shift: DVec2::ZERO,
            fixed: DVec2::ZERO,
            near: None,
        }
    }

    /// Returns an orthographic projection along -z; the picture extends from -`half` to `half`.
    pub(super) fn orthographic(half: DVec2) -> Self {
        Projection {
            kind: Kind::Orthographic,
            scale: half,
            ..Projection::pinhole(half)
        }
    }

    /// Reads a matrix with rows `(a, 0, c, p)`, `(0, b, d, q)`, `(0, 0, e, f)` and either
    /// `(0, 0, w, 0)` or `(0, 0, 0, w)`.
    pub(super) fn try_new(matrix: &Mat4, depth: DepthRange) -> Result<Self, CameraError> {
        let entry = |row, column, must| {
            MatrixEntry::check(matrix, row, column, must)
                .map(f64::from)
                .map_err(CameraError::Projection)
        };
        for (row, column) in [(0, 1), (1, 0), (2, 0), (2, 1), (3, 0), (3, 1)] {
            entry(row, column, ExpectedEntry::Zero)?;
        }
        let two = |places: [(usize, usize); 2], must| {
            let [x, y] = places.map(|(row, column)| entry(row, column, must));
            Ok::<_, CameraError>(DVec2::new(x?, y?))
        };
        let a = two([(0, 0), (1, 1)], ExpectedEntry::NonZero)?;
        let c = two([(0, 2), (1, 2)], ExpectedEntry::Finite)?;
        let p = two([(0, 3), (1, 3)], ExpectedEntry::Finite)?;
        let e = entry(2, 2, ExpectedEntry::Finite)?;
        let f = entry(2, 3, ExpectedEntry::Finite)?;
        let (near, far) = depth.near_and_far();

        // Subtracted from 0, not negated, so that the zeros of symmetric projections stay positive.
        if entry(3, 2, ExpectedEntry::Finite)? == 0.0 {
            let w = entry(3, 3, ExpectedEntry::NonZero)?;
            let e = entry(2, 2, ExpectedEntry::NonZero)?;
            let forward = ((far - near) * w / e).signum();
            Ok(Projection {
                kind: Kind::Orthographic,
                forward,
                scale: w / a,
                shift: 0.0 - p / a,
                fixed: 0.0 - c / a,
                near: Some((forward * (near * w - f) / e, depth)),
            })
        } else {
            let w = entry(3, 2, ExpectedEntry::NonZero)?;
            entry(3, 3, ExpectedEntry::Zero)?;
            let forward = w.signum();
            Ok(Projection {
                kind: Kind::Perspective,
                forward,
                scale: w / a,
                shift: 0.0 - c / a,
                fixed: 0.0 - p / a,
                near: Some((forward * f / (near * w - e), depth)),
            })
        }
    }

    /// Returns x and y, at view z = 0, of the line through this point of the picture, and their
    /// slopes over view z.
    fn at_eye_and_slope(&self, ndc: DVec2) -> (DVec2, DVec2) {
        let varying = self.scale * ndc + self.shift;
        match self.kind {
            Kind::Perspective => (self.fixed, varying),
            Kind::Orthographic => (varying, self.fixed),
        }
    }

    /// Returns view x and y: of a perspective at depth 1, of an orthographic projection at depth 0.
    pub(super) fn plane(&self, ndc: DVec2) -> DVec2 {
        let (at_eye, slope) = self.at_eye_and_slope(ndc);
        match self.kind {
            Kind::Perspective => at_eye + slope * self.forward,
            Kind::Orthographic => at_eye,
        }
    }

    /// Returns the line in view space, from view depth `start`, with `t` in units of depth.
    pub(super) fn line(&self, ndc: DVec2, start: f64) -> Line {
        let (at_eye, slope) = self.at_eye_and_slope(ndc);
        let dir = (slope * self.forward).extend(self.forward);
        Line {
            origin: at_eye.extend(0.0) + dir * start,
            dir,
        }
    }

    /// Returns the point in view space where all lines of a perspective meet.
    pub(super) fn eye(&self) -> Option<DVec3> {
        match self.kind {
            Kind::Perspective => Some(self.fixed.extend(0.0)),
            Kind::Orthographic => None,
        }
    }
}
