//! The longest axes of directions, which leaf tests take as the last one.

use fearless_simd::{Select, Simd, SimdBase, SimdFloat};

/// The longest axis of each ray, as masks of lanes: the last of equal ones.
#[derive(Clone, Copy)]
pub(super) struct LongestAxes<M> {
    pub(super) not_x: M,
    pub(super) is_z: M,
}

impl<M: Copy> LongestAxes<M> {
    #[inline(always)]
    pub(super) fn of<S: Simd, V>([x, y, z]: [V; 3]) -> Self
    where
        V: SimdFloat<S, Element = f32, Mask = M>,
        M: core::ops::BitAnd<Output = M>,
    {
        let (x, y, z) = (x.abs(), y.abs(), z.abs());
        let not_x = y.max(z).simd_ge(x);
        let is_z = not_x & z.simd_ge(y);
        LongestAxes { not_x, is_z }
    }

    /// Returns numbers of the axes in rotated order, those of the longest last.
    #[inline(always)]
    pub(super) fn rotated<S: Simd, V: SimdBase<S>>(self, [x, y, z]: [V; 3]) -> [V; 3]
    where
        M: Select<V>,
    {
        [
            self.is_z.select(x, self.not_x.select(z, y)),
            self.is_z.select(y, self.not_x.select(x, z)),
            self.is_z.select(z, self.not_x.select(y, x)),
        ]
    }
}
