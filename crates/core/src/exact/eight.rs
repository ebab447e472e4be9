//! The first stage for eight rays at once, each with a triangle of its own: from nine corners to
//! the numbers of a hit, where `f64` is enough for all of it.
//!
//! The same formulas with the same bounds as in `products.rs`, `quick.rs` and `touch.rs`, a lane
//! each. What is not certain is left to them.

use super::RayQuestion;
use super::quick::{ROOM, V, WELL_ABOVE};
use crate::Triangle;
use fearless_simd::{
    Level, Select, Simd, SimdBase, SimdMask, SimdNarrow, SimdWiden, f32x8, f64x4, mask64x4,
};

/// How many.
pub(crate) const EIGHT: usize = 8;

/// Origin, direction, interval, and three corners.
const ROWS: usize = 17;

/// Rays and triangles side by side, number by number.
#[derive(Clone, Debug)]
pub(crate) struct Eight([[f32; EIGHT]; ROWS]);

/// What there is to say of those that are certain.
pub(crate) struct Hits {
    pub(crate) t: [f32; EIGHT],
    pub(crate) u: [f32; EIGHT],
    pub(crate) v: [f32; EIGHT],
    /// Which of them are, as bits.
    pub(crate) certain: u32,
}

impl Eight {
    /// Of no ray that hits anything.
    pub(crate) const NONE: Eight = Eight([[0.0; EIGHT]; ROWS]);

    #[inline(always)]
    pub(crate) fn set(&mut self, lane: usize, ray: &RayQuestion<'_>, triangle: &Triangle) {
        let ray = ray.ray();
        let lane = lane % EIGHT;
        let vectors = [ray.origin, ray.dir, triangle.p0, triangle.p1, triangle.p2];
        for (row, number) in vectors.iter().flat_map(|v| [v.x, v.y, v.z]).enumerate() {
            self.0[row][lane] = number;
        }
        self.0[15][lane] = ray.t_min;
        self.0[16][lane] = ray.t_max;
    }

    /// The triangle of a lane.
    pub(crate) fn triangle(&self, lane: usize) -> Triangle {
        let corner = |row: usize| [0, 1, 2].map(|axis| self.0[row + axis][lane % EIGHT]);
        Triangle::new(corner(6), corner(9), corner(12))
    }

    pub(crate) fn hits(&self, level: Level) -> Hits {
        fearless_simd::dispatch!(level, simd => hits(simd, &self.0))
    }
}

/// The best instructions of this machine.
pub(crate) fn level() -> Level {
    #[cfg(feature = "std")]
    {
        Level::new()
    }
    #[cfg(not(feature = "std"))]
    {
        Level::baseline()
    }
}

#[inline(always)]
fn hits<S: Simd>(simd: S, rows: &[[f32; EIGHT]; ROWS]) -> Hits {
    let (o0, o1) = vector(simd, rows, 0);
    let (d0, d1) = vector(simd, rows, 3);
    let (a0, a1) = vector(simd, rows, 6);
    let (b0, b1) = vector(simd, rows, 9);
    let (c0, c1) = vector(simd, rows, 12);
    let (from0, from1) = row(simd, rows, 15).widen();
    let (to0, to1) = row(simd, rows, 16).widen();
    let low = four(simd, o0, d0, [a0, b0, c0], from0, to0);
    let high = four(simd, o1, d1, [a1, b1, c1], from1, to1);
    let (t, t_certain) = rounded(simd, low.t, high.t);
    let (u, u_certain) = rounded(simd, low.u, high.u);
    let (v, v_certain) = rounded(simd, low.v, high.v);
    let inside = low.certain.to_bitmask() as u32 | (high.certain.to_bitmask() as u32) << 4;
    Hits {
        t: t.to_array(),
        u: u.to_array(),
        v: v.to_array(),
        certain: inside & t_certain & u_certain & v_certain,
    }
}

/// What `f64` makes of four: intervals, and who is certain.
struct Four<S: Simd> {
    t: Span<S>,
    u: Span<S>,
    v: Span<S>,
    certain: mask64x4<S>,
}

/// Lower and upper end.
type Span<S> = (f64x4<S>, f64x4<S>);

type Three<S> = [f64x4<S>; 3];

#[inline(always)]
fn four<S: Simd>(
    simd: S,
    o: Three<S>,
    d: Three<S>,
    [p0, p1, p2]: [Three<S>; 3],
    t_min: f64x4<S>,
    t_max: f64x4<S>,
) -> Four<S> {
    // As `Products::of`.
    let (a, e1, e2) = (minus(p0, o), minus(p1, p0), minus(p2, p0));
    let (n, q) = (cross(e1, e2), cross(a, d));
    let (num, den) = (dot(a, n), dot(d, n));
    let edge1 = dot(e2, q);
    let edge2 = -dot(e1, q);
    let edge0 = den - edge1 - edge2;
    let (size_a, size_1, size_2) = (largest(a), largest(e1), largest(e2));
    let both = size_1 * size_2;
    let share = f64x4::splat(simd, super::products::SHARE);
    let share_d = share * largest(d);
    let num_error = share * size_a * both;
    let den_error = share_d * both;
    let edge_error = share_d * (size_a * (size_1 + size_2) + both);

    // As `RayQuestion::touch_from`.
    let size_den = den.abs();
    let divides = size_den.simd_gt(den_error * f64x4::splat(simd, WELL_ABOVE));
    let zero = f64x4::splat(simd, 0.0);
    let reversed = den.simd_lt(zero);
    let least = reversed.select(-edge0, edge0);
    let least = least.min(reversed.select(-edge1, edge1));
    let least = least.min(reversed.select(-edge2, edge2));
    let inverse = f64x4::splat(simd, 1.0) / den;
    let size = inverse.abs() * f64x4::splat(simd, ROOM);
    let relative_error = den_error * size + f64x4::splat(simd, 4.0 * V);
    let t = num * inverse;
    let t_error = num_error * size + t.abs() * relative_error;
    let (t_low, t_high) = (t - t_error, t + t_error);
    let certain =
        divides & least.simd_gt(edge_error) & t_low.simd_ge(t_min) & t_high.simd_le(t_max);

    // As `Touch::round_weight`.
    let weight_error = edge_error * size;
    let (u, v) = (edge1 * inverse, edge2 * inverse);
    let u_error = weight_error + u.abs() * relative_error;
    let v_error = weight_error + v.abs() * relative_error;
    Four {
        t: (t_low, t_high),
        u: (u - u_error, u + u_error),
        v: (v - v_error, v + v_error),
        certain,
    }
}

/// As [`round`](super::round), with the bits of those that it decides.
#[inline(always)]
fn rounded<S: Simd>(simd: S, low: Span<S>, high: Span<S>) -> (f32x8<S>, u32) {
    // Added to 0, so that no zero is negative.
    let zero = f32x8::splat(simd, 0.0);
    let from = low.0.narrow(high.0) + zero;
    let to = low.1.narrow(high.1) + zero;
    (from, from.simd_eq(to).to_bitmask() as u32)
}

#[inline(always)]
fn row<S: Simd>(simd: S, rows: &[[f32; EIGHT]; ROWS], row: usize) -> f32x8<S> {
    f32x8::load_array_ref(simd, &rows[row])
}

#[inline(always)]
fn vector<S: Simd>(simd: S, rows: &[[f32; EIGHT]; ROWS], first: usize) -> (Three<S>, Three<S>) {
    let (x0, x1) = row(simd, rows, first).widen();
    let (y0, y1) = row(simd, rows, first + 1).widen();
    let (z0, z1) = row(simd, rows, first + 2).widen();
    ([x0, y0, z0], [x1, y1, z1])
}

#[inline(always)]
fn minus<S: Simd>(a: Three<S>, b: Three<S>) -> Three<S> {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

#[inline(always)]
fn cross<S: Simd>(a: Three<S>, b: Three<S>) -> Three<S> {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

#[inline(always)]
fn dot<S: Simd>(a: Three<S>, b: Three<S>) -> f64x4<S> {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline(always)]
fn largest<S: Simd>(v: Three<S>) -> f64x4<S> {
    v[0].abs().max(v[1].abs()).max(v[2].abs())
}
