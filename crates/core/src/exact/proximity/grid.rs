//! The common grid of a point and a triangle: all coordinates as integers times a power of two, and
//! the region of the triangle by exact signs.

use super::Feature;
use glam::Vec3;

/// The grid of some finite points.
pub(super) struct Grid {
    /// The exponent of the greatest power of two that divides all coordinates; 0 if all are zero.
    pub(super) unit: i32,
    /// One more than the exponent of the highest bit of all coordinates.
    top: i32,
}

impl Grid {
    pub(super) fn of(points: [Vec3; 4]) -> Self {
        let (mut unit, mut top) = (i32::MAX, i32::MIN);
        for x in points.iter().flat_map(Vec3::to_array) {
            let (mantissa, exponent) = mantissa_and_exponent(x);
            if mantissa != 0 {
                unit = unit.min(exponent + mantissa.trailing_zeros() as i32);
                top = top.max(exponent + (32 - mantissa.leading_zeros()) as i32);
            }
        }
        match unit == i32::MAX {
            true => Grid { unit: 0, top: 0 },
            false => Grid { unit, top },
        }
    }

    /// Returns the number of bits of the largest integer.
    pub(super) fn bits(&self) -> i32 {
        self.top - self.unit
    }

    /// Returns `shifted(odd, places)` for a number that is `odd 2^places` units; 0 is 0 and 0.
    pub(super) fn integer<T>(&self, x: f32, shifted: impl Fn(i64, usize) -> T) -> T {
        let (mantissa, exponent) = mantissa_and_exponent(x);
        if mantissa == 0 {
            return shifted(0, 0);
        }
        let zeros = mantissa.trailing_zeros();
        let odd = i64::from(mantissa >> zeros);
        let places = (exponent + zeros as i32 - self.unit) as usize;
        shifted(if x < 0.0 { -odd } else { odd }, places)
    }
}

/// Returns `m` and `e` with `|x| = m 2^e`, for a finite number.
fn mantissa_and_exponent(x: f32) -> (u32, i32) {
    let bits = x.to_bits();
    let exponent = (bits >> 23 & 0xff) as i32;
    let leading = u32::from(exponent > 0) << 23;
    (bits & 0x7f_ffff | leading, exponent.max(1) - 150)
}

/// Returns the part of the triangle that is closest to the point, by the signs of `c_i . e_i`,
/// `c_(i+1) . e_i` and `n . (c_i x e_i)`.
pub(super) fn regions(starts: [i32; 3], ends: [i32; 3], side: impl Fn(usize) -> i32) -> Feature {
    for i in 0..3 {
        if starts[i] >= 0 && ends[(i + 2) % 3] <= 0 {
            return Feature::Vertex(i as u8);
        }
    }
    for i in 0..3 {
        if starts[i] < 0 && ends[i] > 0 && side(i) <= 0 {
            return Feature::Edge(i as u8);
        }
    }
    Feature::Face
}
