//! A point in the form that kernels use, and the limits that squared distances are compared with.
//!
//! Coordinates are the tree's: the mesh's times a power of two, exactly. A point that this power
//! does not multiply exactly, or that is farther out than 2^30, is unfit, and so is a tree that
//! reaches farther. So no difference of coordinates exceeds 2^31, and no squared distance 2^64.
//!
//! A point many sizes away is unfit too: bounds grow with the distance, and `f32` could not tell the
//! near triangles from the others.
//!
//! # Limits
//! Let u = 2^-24. A computed squared distance of a box exceeds the true one by at most 5.1u of it
//! (`box_distance.rs`), the lower bound of a triangle by at most 12.1u (`leaf_distance.rs`), and an
//! upper bound may fall short by 2u. The limit of a traversal is larger than the one that it stands
//! for by 32u, which also covers its conversion to `f32`, and by 2^-120, which is more than what
//! underflows in squares. It is finite, so that no lane without a child is within it.

use super::super::kernel_ray::U;
use super::near_limits::NearLimits;
use crate::wide::{Measures, WideTree};
use estoc_core::glam::Vec3;

/// The largest coordinate of points and trees for kernels in `f32`.
const MOST: f32 = (1u64 << 30) as f32;
/// The farthest that the box of a tree may be from a point, in sizes of that box.
const FAR: f32 = 2048.0;
/// 2^-120.
const TINY: f32 = f32::from_bits((127 - 120) << 23);

/// A point in units of the tree.
#[derive(Clone, Copy, Debug)]
pub struct NearPoint {
    pub coordinates: [f32; 3],
    /// Bounds how far each coordinate of a corner is off from that of the triangle that it stands for, where that
    /// may have no area.
    pub corners_off: f32,
    /// The factor of squared distances from the mesh's units to those of the tree.
    square_up: f64,
}

impl NearPoint {
    /// Returns `None` if the point or the tree are unfit for `f32`.
    #[inline(always)]
    pub fn of(point: Vec3, tree: &WideTree) -> Option<Self> {
        let scale = tree.scale;
        let scaled = scale.point_up(point);
        let is_exact =
            scale.is_one() || scaled.to_array().map(|x| scale.down(x)) == point.to_array();
        let up = f64::from(scale.up(1.0));
        (is_exact && is_fit(scaled, &tree.measures)).then_some(NearPoint {
            coordinates: scaled.to_array(),
            corners_off: 0.0,
            square_up: up * up,
        })
    }

    /// Returns a point in units of a tree, if it is fit for `f32` there, with what corners are off.
    pub(super) fn fit(coordinates: Vec3, corners_off: f32, measures: &Measures) -> Option<Self> {
        is_fit(coordinates, measures).then_some(NearPoint {
            coordinates: coordinates.to_array(),
            corners_off,
            square_up: 1.0,
        })
    }
}

/// Returns whether a point in units of a tree, and the tree, are fit for `f32`.
#[inline(always)]
fn is_fit(point: Vec3, measures: &Measures) -> bool {
    let [min, max] = [measures.min, measures.max].map(Vec3::from);
    let gap = (min - point).max(point - max).max_element();
    point.abs().max_element() <= MOST
        && measures.reach <= MOST
        && gap <= FAR * (max - min).max_element()
}

impl NearLimits for NearPoint {
    #[inline(always)]
    fn near(&self) -> &NearPoint {
        self
    }

    #[inline(always)]
    fn limit(&self, square: f64) -> f32 {
        grant((square * self.square_up) as f32)
    }

    #[inline(always)]
    fn limit_of_high(&self, high: f32) -> f32 {
        grant(high)
    }
}

/// Returns the limit of a traversal for a squared distance in units of the tree, which may have
/// been rounded to `f32`.
#[inline(always)]
pub fn grant(square: f32) -> f32 {
    let limit = square * (1.0 + 32.0 * U) + TINY;
    if limit < f32::MAX { limit } else { f32::MAX }
}
