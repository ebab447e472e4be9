//! The numbers that box tests need of rays, by axis; derived in `kernel_ray.rs`.

use super::kernel_ray::{SPREAD, STEEP, U};
use fearless_simd::{Select, Simd, SimdBase, SimdFloat, f32x16, mask32x16};

/// The numbers of one axis of as many rays as a vector holds, or of all axes of one ray.
#[derive(Clone, Copy)]
pub struct SlabNumbers<V> {
    pub origin: V,
    /// `r`, and `q` for near and for far faces.
    pub inverse: V,
    pub near: V,
    pub far: V,
    /// What is added to the margin of rays that are steep, else 0.
    pub beyond: V,
}

impl<V> SlabNumbers<V> {
    /// Returns the numbers for origins that are off by at most `moved`.
    #[inline(always)]
    pub fn of<S: Simd>(simd: S, o: V, d: V, way: V, moved: V) -> Self
    where
        V: SimdFloat<S, Element = f32>,
    {
        let splat = |x: f32| V::splat(simd, x);
        let steep = d.abs().simd_lt(splat(1.0 / STEEP));
        let inverse = steep.select(splat(STEEP), splat(1.0) / d);
        let product = -o * inverse;
        let beyond = steep.select(splat(4.0 * SPREAD) * way, splat(0.0));
        let pad = product.abs() * splat(8.0 * U) + inverse.abs() * (moved + moved) + beyond;
        SlabNumbers {
            origin: o,
            inverse,
            near: product - pad,
            far: product + pad,
            beyond,
        }
    }
}

impl<S: Simd> SlabNumbers<f32x16<S>> {
    /// Returns the numbers of some rays; the other lanes have a copy of one of them.
    #[inline(always)]
    pub fn copied(&self, simd: S, inside: mask32x16<S>, lane: usize) -> Self {
        let copied = |numbers: f32x16<S>| {
            let number = numbers.to_array()[lane % 16];
            inside.select(numbers, f32x16::splat(simd, number))
        };
        SlabNumbers {
            origin: copied(self.origin),
            inverse: copied(self.inverse),
            near: self.near,
            far: self.far,
            beyond: inside.select(self.beyond, f32x16::splat(simd, 0.0)),
        }
    }
}
