//! Targets for rays: the points and edges of a mesh.

use super::Rng;
use estoc_core::Triangle;
use estoc_core::glam::Vec3;

/// The triangles of a mesh that rays can aim at, and their location.
pub(super) struct Target {
    triangles: Vec<Triangle>,
    pub(super) center: [f64; 3],
    /// The largest extent, or 1 if there is none.
    pub(super) size: f64,
}

/// Returns a point computed in `f64`, each coordinate rounded once.
pub(super) fn rounded(f: impl Fn(usize) -> f64) -> Vec3 {
    Vec3::from_array(std::array::from_fn(|axis| f(axis) as f32))
}

pub(super) fn lerp(a: Vec3, b: Vec3, k: f64) -> Vec3 {
    rounded(|i| {
        let (a, b) = (f64::from(a[i]), f64::from(b[i]));
        a + (b - a) * k
    })
}

/// Moves one coordinate by one ulp.
pub(super) fn nudged(mut point: Vec3, rng: &mut Rng) -> Vec3 {
    let axis = rng.below(3);
    point[axis] = if rng.one_in(2) {
        point[axis].next_up()
    } else {
        point[axis].next_down()
    };
    point
}

impl Target {
    pub(super) fn new(triangles: &[Triangle]) -> Self {
        let mut triangles: Vec<Triangle> = triangles
            .iter()
            .filter(|triangle| triangle.is_finite())
            .copied()
            .collect();
        if triangles.is_empty() {
            triangles.push(Triangle::new(Vec3::ZERO, Vec3::X, Vec3::Y));
        }
        let corners = || triangles.iter().flat_map(Triangle::corners);
        let min = corners().fold(Vec3::INFINITY, Vec3::min);
        let max = corners().fold(Vec3::NEG_INFINITY, Vec3::max);
        let along = |i: usize| (f64::from(min[i]), f64::from(max[i]));
        let size = (0..3).map(|i| along(i).1 - along(i).0).fold(0.0, f64::max);
        Target {
            center: std::array::from_fn(|i| (along(i).0 + along(i).1) / 2.0),
            size: if size > 0.0 { size } else { 1.0 },
            triangles,
        }
    }

    /// Returns the corners of a random triangle, randomly rotated.
    pub(super) fn corners(&self, rng: &mut Rng) -> [Vec3; 3] {
        let mut corners = rng.pick(&self.triangles).corners();
        corners.rotate_left(rng.below(3));
        corners
    }

    pub(super) fn vertex(&self, rng: &mut Rng) -> Vec3 {
        self.corners(rng)[0]
    }

    /// Returns a point on a triangle, or as near as rounding allows: a corner, on an edge, or
    /// inside.
    pub(super) fn point(&self, rng: &mut Rng) -> Vec3 {
        let [a, b, c] = self.corners(rng);
        match rng.below(6) {
            0 | 1 => a,
            2 => lerp(a, b, 0.5),
            3 => lerp(a, b, f64::from(rng.signed()).abs()),
            4 => lerp(lerp(a, b, 0.5), c, 0.5),
            _ => {
                let (k, l) = (f64::from(rng.signed()).abs(), f64::from(rng.signed()).abs());
                lerp(lerp(a, b, k), c, l)
            }
        }
    }

    /// Returns a point at up to `reach` sizes from the centre.
    pub(super) fn around(&self, rng: &mut Rng, reach: f64) -> Vec3 {
        let offset = rng.point();
        rounded(|i| self.center[i] + f64::from(offset[i]) * self.size * reach)
    }

    /// Returns a power of two not far below the size, as a unit for short exact offsets.
    pub(super) fn step(&self, rng: &mut Rng) -> f64 {
        2f64.powi(self.size.log2().floor() as i32 - rng.int(0, 6))
    }
}
