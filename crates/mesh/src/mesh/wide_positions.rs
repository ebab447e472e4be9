//! The corners of a mesh in `f64`.

use crate::local_frame::LocalFrame;
use crate::mesh::Mesh;
use estoc_core::glam::{DVec3, Vec3};
use estoc_core::{Coordinate, two_sum};
use estoc_system::{Arena, NoMemory, collected};
use std::sync::Arc;

/// Returns the vertices of a mesh in `f64`, if it has them.
pub fn wide_positions<C: Coordinate>(mesh: &Mesh<C>) -> &C::Beside<WidePositions> {
    &mesh.wide
}

/// The vertices of a mesh in `f64`, beside those in `f32`, which lie in a frame of their own.
///
/// Immutable. A clone shares the array.
#[derive(Clone, Debug)]
pub struct WidePositions {
    all: Arc<Arena<DVec3>>,
    frame: NarrowFrame,
}

/// Where the `f32`s of a mesh in `f64` lie: a point p at `(p - origin) * 2^exponent`, rounded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NarrowFrame {
    /// The point at 0.
    pub origin: DVec3,
    /// The exponent of the unit.
    pub exponent: i32,
    /// Bounds how far each coordinate of a corner of a triangle is off, in units of the frame.
    pub error: f64,
}

/// Sizes that need no other unit: 2^-20 to 2^20. Any other becomes about 2^10.
const USUAL: core::ops::RangeInclusive<f64> = power(-20)..=power(20);
const SIZE: i32 = 10;
/// Exponents of units: these powers are normal numbers, and bring subnormal sizes near 1.
const LEAST: i32 = -1014;
const MOST: i32 = 1000;
/// Half the size of triangles in their frame, the least for subnormal numbers.
const SIZES: core::ops::RangeInclusive<f64> = power(-76)..=power(22);
/// The farthest coordinate in a frame, in units of that.
const FARTHEST: f64 = 16.0;

impl NarrowFrame {
    /// Returns a frame for triangles in a box.
    fn around(bounds: [DVec3; 2]) -> Self {
        let [low, high] = bounds;
        // Halved first, since the difference may overflow.
        let half = (0.5 * high - 0.5 * low).max_element();
        // In this form a box of nothing is usual.
        let is_unusual = half > 0.0 && !USUAL.contains(&half);
        let exponent = match is_unusual {
            true => (SIZE - ((half.to_bits() >> 52) as i32 - 1023)).clamp(LEAST, MOST),
            false => 0,
        };
        let origin = match half * 2.0 < f64::INFINITY {
            true => LocalFrame::origin_of(bounds),
            false => 0.5 * low + 0.5 * high,
        };
        // A single point, or a box that hardly has a size, far away.
        let farthest = low.abs().max(high.abs()).max_element();
        let is_far = farthest < f64::INFINITY && origin == DVec3::ZERO && farthest > 8.0 * half;
        NarrowFrame {
            origin: if is_far { low } else { origin },
            exponent,
            error: 0.0,
        }
    }

    /// Returns whether this may be the frame of triangles in a box, as far as kernels rely on it: the triangles are of a
    /// usual size in it and near 0, and the error is not above one step of an `f32`.
    pub fn fits(&self, bounds: [DVec3; 2]) -> bool {
        // Comparisons with NaN are false.
        let is_empty = bounds[0].x > bounds[1].x;
        let is_near = is_empty || self.error <= self.step(bounds) && self.is_usual(bounds);
        self.is_known() && is_near
    }

    /// Returns whether the map is one of finite numbers.
    pub fn is_known(&self) -> bool {
        self.origin.is_finite() && (LEAST..=MOST).contains(&self.exponent)
    }

    fn is_usual(&self, bounds: [DVec3; 2]) -> bool {
        let [low, high] = bounds.map(|p| self.place(p));
        let half = (0.5 * high - 0.5 * low).max_element();
        let farthest = low.abs().max(high.abs()).max_element();
        match half > 0.0 {
            // Where a difference overflows, the farthest coordinate is infinite.
            true => SIZES.contains(&half) && farthest <= FARTHEST * half,
            // All corners at one point.
            false => self.exponent == 0 && farthest <= f64::MIN_POSITIVE,
        }
    }

    /// Returns one step of an `f32` as large as the farthest corner of a box.
    fn step(&self, bounds: [DVec3; 2]) -> f64 {
        let [low, high] = bounds.map(|p| self.place(p).abs().max_element());
        low.max(high) * f64::from(f32::EPSILON) + f64::from(f32::MIN_POSITIVE)
    }

    /// Returns the power of two of the map.
    #[inline(always)]
    pub fn up(&self) -> f64 {
        power(self.exponent)
    }

    /// Returns a point in the frame. Each coordinate has one rounding, of the difference, unless it overflows or
    /// underflows.
    #[inline(always)]
    pub fn place(&self, point: DVec3) -> DVec3 {
        (point - self.origin) * self.up()
    }

    /// Returns the largest distance of a coordinate from a point in the frame to what it was rounded to, or more
    /// by a few roundings. Coordinates that are not finite in the frame do not count.
    pub fn movement(&self, point: DVec3, narrow: Vec3) -> f64 {
        let movement = |axis: usize| {
            let (sum, rest) = two_sum(point[axis], -self.origin[axis]);
            let moved = (sum * self.up() - f64::from(narrow[axis])) + rest * self.up();
            moved.abs() * (1.0 + 4.0 * f64::EPSILON)
        };
        // What underflows in a product, unless there is none.
        let lost = if self.exponent == 0 {
            0.0
        } else {
            f64::MIN_POSITIVE
        };
        movement(0).max(movement(1)).max(movement(2)) + lost
    }
}

/// 2 to the power of an exponent for which that is a normal number.
const fn power(exponent: i32) -> f64 {
    f64::from_bits(((1023 + exponent) as u64) << 52)
}

impl WidePositions {
    /// Returns the positions with those in `f32`, for triangles in a box. Positions that are finite stay so.
    pub(crate) fn rounded(
        all: Arc<Arena<DVec3>>,
        bounds: [DVec3; 2],
    ) -> Result<(Self, Vec<Vec3>), NoMemory> {
        let mut frame = NarrowFrame::around(bounds);
        let mut off = 0.0;
        let narrow = |p: &DVec3| {
            // Infinities stay, and NaN is none of those numbers.
            const MOST: DVec3 = DVec3::splat(f32::MAX as f64);
            let most = if p.is_finite() { MOST } else { DVec3::INFINITY };
            let narrow = frame.place(*p).clamp(-most, most).as_vec3();
            off = f64::max(off, frame.movement(*p, narrow));
            narrow
        };
        let narrow = collected(all.iter().map(narrow))?;
        // Positions of no triangle, which may be anywhere, do not count.
        frame.error = off.min(frame.step(bounds));
        Ok((WidePositions { all, frame }, narrow))
    }

    /// Returns positions with the frame of those in `f32`.
    pub fn in_frame(all: Arena<DVec3>, frame: NarrowFrame) -> Self {
        WidePositions {
            all: Arc::new(all),
            frame,
        }
    }

    /// Returns positions in `f32`, which lie in the space of these.
    pub(crate) fn of_narrow(narrow: &[Vec3]) -> Result<Self, NoMemory> {
        let all = collected(narrow.iter().map(|p| p.as_dvec3()))?;
        let frame = NarrowFrame {
            origin: DVec3::ZERO,
            exponent: 0,
            error: 0.0,
        };
        Ok(WidePositions::in_frame(Arena::of(all), frame))
    }

    /// Returns the same with other positions in `f32`, if triangles in this box are in another frame.
    pub(crate) fn reframed(
        &self,
        bounds: [DVec3; 2],
    ) -> Result<Option<(Self, Vec<Vec3>)>, NoMemory> {
        let frame = NarrowFrame {
            error: self.frame.error,
            ..NarrowFrame::around(bounds)
        };
        match frame == self.frame {
            true => Ok(None),
            false => WidePositions::rounded(Arc::clone(&self.all), bounds).map(Some),
        }
    }

    /// Returns all vertices.
    #[inline(always)]
    pub fn all(&self) -> &[DVec3] {
        &self.all
    }

    /// Returns the frame of the vertices in `f32`.
    #[inline(always)]
    pub fn frame(&self) -> &NarrowFrame {
        &self.frame
    }
}
