//! A mesh that is placed in a world, and the map from there to its own space.
//!
//! # Bound
//! The map is `B (p - m)`, with what is known of B as in [`InverseMap`]. A ray of the world starts at a
//! parameter s at which it enters the placement's box. Let O be its largest coordinate, R that of the
//! world's boxes, M that of m, and D that of the direction. No coordinate of the start is above 1.01 R: boxes
//! are entered early by a few roundings of O and R, and s is rounded down by at most 2^-16 of it, while O is
//! at most 16 R (`Measures`). With v = 2^-53, `x = (o - m) + s d` is off by at most `v (O + M)` and v times
//! its own size, as products of two `f32`s are exact. That is at most `1.01 R + M`, so with
//! `size = 1.1 (O + R)` neither is above `size + M`, and the error is below `2 v (size + M)`. Therefore the
//! image of the start is off by at most
//!
//! `E = (size + M) (share + 2.68 v norm)`
//!
//! and that of the direction by `share D`. Fused products have fewer roundings. What underflows is less than
//! the spare: R is at least 2^-20, norm lies between 2^-60 and 2^60, and share is at least v norm.
//!
//! Directions are scaled by a power of two, so that those of usual lengths have such lengths in the mesh's
//! space. In units of the largest coordinate, which is at least 2^-8, theirs is off by
//! `f = 2^16 share scale` for D up to 2^8. `mapped_frame.rs` derives `1.2 (e + 1.2 way f)` from that,
//! where e and f contain the roundings to `f32`; as no coordinate is above the way, it is at most
//!
//! `moved = 1.2 E + way (2.64 u + 1.44 f)`, with u = 2^-24.

use super::world_ray::WorldRay;
use crate::traverse::kernel_ray::{RayEnds, U, certain_end};
use crate::traverse::mapped::longest;
use crate::traverse::plain_ray::ray::PlainRay;
use crate::wide::{Layout, WideTree};
use bytemuck::{Pod, Zeroable};
use estoc_core::exact::BlurredRay;
use estoc_core::{InlineMap, Ray, two_sum};
use fearless_simd::{Simd, SimdBase, SimdFloat, SimdNarrow, SimdSplit, f32x4, f64x4};

/// An approximate inverse of a matrix: the map of p to `B (p - m)`, with a bound of its error.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct InverseMap {
    /// The columns of B.
    columns: [[f64; 3]; 3],
    translation: [f64; 3],
    /// The inverse of the power of two below the norm; 0 if kernels are unfit for the map.
    scale: f32,
    /// With the scale the fourth lane of the translation, where it is never subnormal.
    norm: f32,
    /// At least the largest coordinate of m.
    far: f32,
    share: f32,
}

impl InverseMap {
    /// Maps nothing.
    pub const NONE: InverseMap = InverseMap {
        columns: [[0.0; 3]; 3],
        translation: [0.0; 3],
        scale: 0.0,
        norm: f32::INFINITY,
        far: 0.0,
        share: f32::INFINITY,
    };

    /// Returns the map of the columns of B, and m, which is the translation of the matrix.
    ///
    /// `norm` is at least the largest sum of the sizes of a row of B: what is off by e before the map is off
    /// by at most `1.34 e norm` after it. `share` bounds the error of `B x` as the image of an exact x,
    /// roundings included, in units of the largest coordinate of x.
    pub fn new(columns: [[f64; 3]; 3], translation: [f64; 3], [norm, share]: [f32; 2]) -> Self {
        let far = longest(translation) as f32 * (1.0 + 2.0 * U);
        let exponent = (norm.to_bits() >> 23) as i32 - 127;
        let scale = f32::from_bits(((127 - exponent) << 23) as u32);
        // In this form NaN is refused.
        let is_fit = USUAL.contains(&norm) && share * scale <= BLURRED && far <= *USUAL.end();
        InverseMap {
            columns,
            translation,
            scale: if is_fit { scale } else { 0.0 },
            norm,
            far,
            share,
        }
    }

    /// Returns the columns of B.
    #[inline(always)]
    pub fn columns(&self) -> [[f64; 3]; 3] {
        self.columns
    }

    /// Returns the translation of the matrix.
    #[inline(always)]
    pub fn translation(&self) -> [f64; 3] {
        self.translation
    }

    /// Returns what bounds the rows of B; infinity if the matrix has no inverse here.
    #[inline(always)]
    pub fn norm(&self) -> f32 {
        self.norm
    }

    /// Returns what bounds the error of an image.
    #[inline(always)]
    pub fn share(&self) -> f32 {
        self.share
    }

    /// Returns `B x`; the fourth lane is unused.
    #[inline(always)]
    fn image<S: Simd>(&self, simd: S, x: [f64; 3]) -> f64x4<S> {
        let [x, y, z] = x.inline_map(|x| f64x4::splat(simd, x));
        let last = z * self.row_from(simd, 6);
        x.mul_add(
            self.row_from(simd, 0),
            y.mul_add(self.row_from(simd, 3), last),
        )
    }

    /// Returns four numbers from a place on, to be loaded at once: the fourth may be anything.
    #[inline(always)]
    fn row_from<S: Simd>(&self, simd: S, at: usize) -> f64x4<S> {
        let numbers: &[f64; 14] = bytemuck::cast_ref(self);
        f64x4::from_slice(simd, &numbers[at..at + 4])
    }
}

/// A mesh that is placed in a world.
#[derive(Clone, Copy)]
pub(crate) struct PlacedMesh<'a> {
    pub(crate) tree: &'a WideTree,
    pub(crate) inverse: &'a InverseMap,
    /// The number of the placement.
    pub(crate) number: u32,
}

/// The meshes that are the items of a tree, numbered by its leaves.
pub(crate) trait MeshItems {
    /// Returns an item; `None` if it is no mesh.
    fn mesh(&self, item: u32) -> Option<PlacedMesh<'_>>;

    /// Prefetches what is read of an item.
    fn prefetch(&self, item: u32);
}

/// Usual sizes of the numbers of a map, and of translations.
const USUAL: core::ops::RangeInclusive<f32> =
    f32::from_bits((127 - 60) << 23)..=f32::from_bits((127 + 60) << 23);

/// 2^-34 is the largest share in units of a scaled direction, so that f is at most 2^-18.
const BLURRED: f32 = f32::from_bits((127 - 34) << 23);

/// A ray in the space of a mesh.
pub(super) struct ObjectRay<S: Simd> {
    pub(super) plain: PlainRay<S>,
    /// With the ends up to which hits may be certain.
    pub(super) ray: Ray,
    /// What the origin is off.
    pub(super) moved: f32,
    pub(super) ends: RayEnds,
}

impl PlacedMesh<'_> {
    /// Returns a ray of the world in the space of the mesh, from where it enters the placement's box, or from
    /// its least parameter on; `None` if kernels of plain rays are unfit for it, for the mesh, or for the
    /// matrix.
    #[inline(always)]
    pub(super) fn map<S: Simd>(
        &self,
        simd: S,
        world: &WorldRay<S>,
        from: f32,
    ) -> Option<ObjectRay<S>> {
        let &InverseMap {
            scale,
            far,
            norm,
            share,
            ..
        } = self.inverse;
        let tree = self.tree;
        if scale == 0.0 || tree.leaves.layout() != Layout::Fast {
            return None;
        }
        let translation = self.inverse.row_from(simd, 9);
        let start = f64x4::splat(simd, f64::from(from));
        let [x, y, z, _] = start
            .mul_add(world.dir, world.origin - translation)
            .to_array();
        let origin = self.inverse.image(simd, [x, y, z]);
        let dir = self.inverse.image(simd, world.wide_dir) * f64x4::splat(simd, f64::from(scale));
        let (origin, dir): (f32x4<S>, f32x4<S>) = origin.narrow(dir).split();
        let off = 1.2 * (world.size + far) * (share + (2.68 * V) as f32 * norm);
        let blur = 2.64 * U + 1.44 * 65536.0 * share * scale;
        let moved = |way: f32| (off + way * blur) * (1.0 + 16.0 * U) + f32::MIN_POSITIVE;
        let (plain, moved) = PlainRay::of_mapped(simd, (origin, dir), &tree.measures, moved)?;
        let unit = 1.0 / f64::from(scale);
        let ends = RayEnds::shifted(unit, f64::from(from) * unit);
        let [x, y, z, _] = origin.to_array();
        let [dx, dy, dz, _] = dir.to_array();
        // Everything in the box lies behind where that is entered.
        let t_min = if from > world.t_min { f32::MIN } else { 0.0 };
        let t_max = certain_end(f64::from(world.t_max), ends.unit, ends.start);
        let ray = Ray::new([x, y, z], [dx, dy, dz]).with_interval(t_min, t_max);
        Some(ObjectRay {
            plain,
            ray,
            moved,
            ends,
        })
    }

    /// Returns the ray in `f64`, not scaled.
    ///
    /// Here x is the sum of exact terms: of the two roundings that [`two_sum`] returns, and is off by v times
    /// its size and by `8 v^2 (size + M)`.
    #[inline(always)]
    pub(super) fn blurred<S: Simd>(&self, simd: S, world: &WorldRay<S>, start: f32) -> BlurredRay {
        let ([ox, oy, oz, _], [dx, dy, dz, _]) = (world.origin.to_array(), world.dir.to_array());
        let start = f64::from(start);
        let along = |o: f64, d: f64, m: f64| {
            let (difference, rest) = two_sum(o, -m);
            let (sum, more) = two_sum(difference, start * d);
            sum + (rest + more)
        };
        let [mx, my, mz] = self.inverse.translation;
        let at = [along(ox, dx, mx), along(oy, dy, my), along(oz, dz, mz)];
        let [x, y, z, _] = self.inverse.image(simd, at).to_array();
        let [to_x, to_y, to_z, _] = self.inverse.image(simd, [dx, dy, dz]).to_array();
        let InverseMap { share, norm, .. } = *self.inverse;
        let (share, norm) = (f64::from(share), f64::from(norm));
        let size = f64::from(world.size) + f64::from(self.inverse.far);
        let own_size = longest(at) * (1.0 + 4.0 * V);
        BlurredRay {
            origin: [x, y, z],
            dir: [to_x, to_y, to_z],
            origin_error: own_size * (share + 2.68 * V * norm) + size * (16.0 * V * V * norm),
            dir_error: f64::from(world.dir_size) * share,
            start,
        }
    }
}

/// 2^-53.
const V: f64 = f64::EPSILON / 2.0;
