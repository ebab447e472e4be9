//! A point of another space, such as the world that an object is placed in.
//!
//! # Limits
//! Let x be a point of the tree's space and X its place in the world. With the true image q of the world's
//! point P in the tree's space, `|x - q| <= shrink |X' - P|` and `|X' - P| <= stretch |x - q|`, where X' is
//! at most `slack` away from X; and q is at most `error` away from the point given. So a point farther than
//! `(D + slack) shrink + error` from the point given is farther than D from P in the world. And where one
//! is at most h away in the tree, what is farther than
//! `((h + error) stretch + 2 slack) shrink + error` is farther away in the world.
//!
//! In units of the tree these distances are multiplied by `up`, and the point is rounded to `f32`, which
//! adds the distance that it is moved. Each formula has at most ten roundings in `f64`, all terms are not
//! negative, and 2^-48 of the sum is granted; the square has less than what [`grant`] covers of `f32`.

use super::near_limits::NearLimits;
use super::near_point::{NearPoint, grant};
use crate::wide::Measures;
use estoc_core::InlineMap;
use estoc_core::glam::{DVec3, Vec3};
use estoc_mesh::parts::NarrowFrame;

/// More than the roundings of a limit.
const MORE: f64 = 1.0 + 16.0 * f64::EPSILON;

/// A point in the space of a tree that stands for one in the world.
#[derive(Clone, Copy, Debug)]
pub struct MappedPoint {
    /// The point in the space of the tree.
    pub at: [f64; 3],
    /// Bounds how far it is from the true image.
    pub error: f64,
    /// Bounds the factor by which distances grow from the world to the space of the tree.
    pub shrink: f64,
    /// Bounds the factor by which distances grow from the space of the tree to the world.
    pub stretch: f64,
    /// Bounds how far what the tree holds is in the world from where these factors put it.
    pub slack: f64,
}

/// A point in units of a tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct MappedNear {
    near: NearPoint,
    /// `limit = distance * factor + rest`.
    factor: f64,
    rest: f64,
    /// The same for an upper bound in units of the tree.
    high_factor: f64,
    high_rest: f64,
}

impl MappedPoint {
    /// Returns a point as it is.
    pub fn of(point: DVec3) -> Self {
        MappedPoint {
            at: point.to_array(),
            error: 0.0,
            shrink: 1.0,
            stretch: 1.0,
            slack: 0.0,
        }
    }

    /// Returns the point as one in the frame of triangles in `f64`, where corners are off by less than the square
    /// root of 3 times the error of a coordinate, and so is the point, by its rounding.
    pub(crate) fn framed(&self, frame: &NarrowFrame) -> Self {
        let at = frame.place(self.at.into());
        let off = frame.error + at.abs().max_element() * f64::EPSILON + f64::MIN_POSITIVE;
        MappedPoint {
            at: at.to_array(),
            error: self.error * frame.up() + 1.75 * off,
            shrink: self.shrink * frame.up(),
            stretch: self.stretch / frame.up(),
            slack: self.slack,
        }
    }

    /// Returns the point in units of a tree, which are those of a frame `(p - origin) * up`, where up is
    /// a power of two; `None` if it is unfit for `f32`. Corners are off by at most `corners_off` in the space of the
    /// tree; 0 if all triangles that they stand for have an area.
    pub(super) fn near(
        &self,
        (origin, up): ([f64; 3], f64),
        corners_off: f64,
        measures: &Measures,
    ) -> Option<MappedNear> {
        let at = [0, 1, 2].inline_map(|axis| (self.at[axis] - origin[axis]) * up);
        let rounded = at.inline_map(|x| x as f32);
        let corners_off = match corners_off > 0.0 {
            true => ((corners_off * up) as f32).max(f32::MIN_POSITIVE),
            false => 0.0,
        };
        let near = NearPoint::fit(Vec3::from(rounded), corners_off, measures)?;
        // The sum bounds the distance. A difference of two numbers rounds by a part of itself, and what
        // underflows is less than the least normal number.
        let moved = |axis: usize| (at[axis] - f64::from(rounded[axis])).abs();
        let far = at[0].abs() + at[1].abs() + at[2].abs();
        let off = moved(0) + moved(1) + moved(2) + far * f64::EPSILON + f64::MIN_POSITIVE;
        let error = self.error * up + off;
        let slack = self.slack * up;
        let found = MappedNear {
            near,
            factor: self.shrink * up * MORE,
            rest: (slack * self.shrink + error) * MORE,
            high_factor: self.stretch * self.shrink * MORE,
            high_rest: ((error * self.stretch + 2.0 * slack) * self.shrink + error) * MORE,
        };
        let all = [found.factor, found.rest, found.high_factor, found.high_rest];
        all.iter().all(|x| x.is_finite()).then_some(found)
    }

    /// Returns whether upper bounds of distances in the tree are of use in the world.
    pub(super) fn is_near_uniform(&self) -> bool {
        self.stretch * self.shrink <= 1.25
    }
}

impl NearLimits for MappedNear {
    #[inline(always)]
    fn near(&self) -> &NearPoint {
        &self.near
    }

    #[inline(always)]
    fn limit(&self, square: f64) -> f32 {
        let root = square.sqrt() * self.factor + self.rest;
        grant((root * root * MORE) as f32)
    }

    #[inline(always)]
    fn limit_of_high(&self, high: f32) -> f32 {
        let root = f64::from(high).sqrt() * self.high_factor + self.high_rest;
        grant((root * root * MORE) as f32)
    }
}
