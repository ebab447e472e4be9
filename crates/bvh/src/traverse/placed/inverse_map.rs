//! The map from a world to the space of what is placed there: a mesh, or another world.
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
//!
//! # Worlds in worlds
//! In a world that was reached by such a map, a ray's origin is known up to eo, and its scaled direction up to
//! ed. At s that moves a point by `eo + s ed`, and its image by at most 1.34 norm times that. So
//! `1.34 norm (eo + s ed)` is added to E, and `1.34 norm ed` to the error of the direction: to f, as the scale
//! is at most `2 / norm`, `2.68 2^8 ed`, which is at most 2^-18 (`SHARP`); that f is 2^-17 then is covered by the
//! factors of `mapped_frame.rs`. Parameters there are those of the kernels.
//!
//! Boxes are entered early by up to 3 `moved` there, and `moved` is at most `1.2 eo + 2^-16 (R + O)`. The part of
//! eo adds at most `4 eo` to coordinates, whose share is below 2^-31 of what is added for eo, less than the
//! spare of 1.34 over 4/3. The direction is a number in `f64`: where a product with s is not fused, it has a
//! rounding of its own, so x is off by `v (2 O + 2.02 R + 2 M)` at most, still within `2 v (size + M)`.
//!
//! What is placed there is placed in the outermost world by the product of the matrices, whose entries are
//! rounded. That moves points of the outermost world by up to 16 v times the reach of all that is in the inner
//! one, in which the sizes of all terms are added. That `far` of its map is larger by nine times the reach
//! covers that: `9 2.68 > 16 1.34`. Each corner is moved by another vector, for which the kernels' bounds
//! hold, too (`plain_ray/leaf.rs`).

use super::world_ray::WorldRay;
use crate::traverse::kernel_ray::{RayEnds, U, certain_end};
use crate::traverse::mapped::longest;
use crate::traverse::plain_ray::ray::PlainRay;
use crate::wide::Measures;
use bytemuck::{Pod, Zeroable};
use estoc_core::exact::BlurredRay;
use estoc_core::{InlineMap, Ray, two_sum};
use fearless_simd::{Simd, SimdBase, SimdFloat, SimdNarrow, SimdSplit, f32x4, f64x4, f64x8};

/// An approximate inverse of a matrix: the map of p to `B (p - m)`, with a bound of its error.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct InverseMap {
    /// The columns of B.
    columns: [[f64; 3]; 3],
    translation: [f64; 3],
    /// The inverse of the power of two below the norm; 0 if kernels are unfit for the map.
    pub(super) scale: f32,
    /// With the scale the fourth lane of the translation, where it is never subnormal.
    norm: f32,
    /// At least the largest coordinate of m.
    far: f32,
    share: f32,
}

impl InverseMap {
    /// Maps the world to itself.
    pub(super) const IDENTITY: InverseMap = InverseMap {
        columns: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        translation: [0.0; 3],
        scale: 1.0,
        norm: 1.0,
        far: 0.0,
        share: 2.0 * V as f32,
    };

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

    /// Returns the map to a world, in which the sizes of all terms of a coordinate have a sum of at most `reach`
    /// in the outer world.
    #[must_use]
    pub fn to_world(self, reach: f64) -> Self {
        let far = (f64::from(self.far) + 9.0 * reach) as f32 * (1.0 + 2.0 * U);
        // In this form NaN is refused.
        let is_fit = far <= *USUAL.end();
        InverseMap {
            far,
            scale: if is_fit { self.scale } else { 0.0 },
            ..self
        }
    }

    /// Returns whether kernels are fit for the map.
    #[inline(always)]
    pub(super) fn is_fit(&self) -> bool {
        self.scale != 0.0
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

    /// Returns a coordinate of `B x`, for eight x.
    #[inline(always)]
    pub(super) fn coordinate<S: Simd>(
        &self,
        simd: S,
        axis: usize,
        [x, y, z]: [f64x8<S>; 3],
    ) -> f64x8<S> {
        let [a, b, c] = self
            .columns
            .inline_map(|column| f64x8::splat(simd, column[axis]));
        x.mul_add(a, y.mul_add(b, z * c))
    }

    /// Returns four numbers from a place on, to be loaded at once: the fourth may be anything.
    #[inline(always)]
    fn row_from<S: Simd>(&self, simd: S, at: usize) -> f64x4<S> {
        let numbers: &[f64; 14] = bytemuck::cast_ref(self);
        f64x4::from_slice(simd, &numbers[at..at + 4])
    }
}

/// Usual sizes of the numbers of a map, and of translations.
const USUAL: core::ops::RangeInclusive<f32> =
    f32::from_bits((127 - 60) << 23)..=f32::from_bits((127 + 60) << 23);

/// 2^-34 is the largest share in units of a scaled direction, so that f is at most 2^-18.
const BLURRED: f32 = f32::from_bits((127 - 34) << 23);

/// 2^-28: the largest error of a direction of a ray in a world that is placed in another, so that f is at most
/// 2^-17.
pub(super) const SHARP: f32 = f32::from_bits((127 - 28) << 23);

/// Bounds of the errors of mapped rays.
pub(super) struct MapBounds {
    /// 1.2 E, and the factor of the way: what makes `moved`.
    pub(super) off: f32,
    pub(super) blur: f32,
    /// E, and that of the scaled direction.
    pub(super) origin_error: f32,
    pub(super) dir_error: f32,
}

/// A ray in the space of what is placed.
pub(super) struct ObjectRay<S: Simd> {
    pub(super) plain: PlainRay<S>,
    /// With the ends up to which hits may be certain.
    pub(super) ray: Ray,
    /// What the origin is off.
    pub(super) moved: f32,
    pub(super) ends: RayEnds,
}

/// The same ray before it was rounded, with bounds of the errors of coordinates.
pub(super) struct WideRay<S: Simd> {
    pub(super) origin: f64x4<S>,
    pub(super) dir: f64x4<S>,
    pub(super) origin_error: f32,
    pub(super) dir_error: f32,
}

impl InverseMap {
    /// Returns a ray of the world in the space of a mesh or another world with these measures, from where it
    /// enters the placement's box, or from its least parameter on; `None` if kernels of plain rays are unfit
    /// for it, for what is placed, or for the matrix.
    #[inline(always)]
    pub(super) fn map<S: Simd>(
        &self,
        simd: S,
        world: &WorldRay<S>,
        from: f32,
        measures: &Measures,
    ) -> Option<(ObjectRay<S>, WideRay<S>)> {
        let scale = self.scale;
        // In this form NaN is refused.
        let is_sharp = world.dir_error <= SHARP;
        if scale == 0.0 || !is_sharp {
            return None;
        }
        let translation = self.row_from(simd, 9);
        let start = f64x4::splat(simd, f64::from(from));
        let [x, y, z, _] = start
            .mul_add(world.dir, world.origin - translation)
            .to_array();
        let wide_origin = self.image(simd, [x, y, z]);
        let wide_dir = self.image(simd, world.wide_dir) * f64x4::splat(simd, f64::from(scale));
        let (origin, dir): (f32x4<S>, f32x4<S>) = wide_origin.narrow(wide_dir).split();
        let sizes = [world.size, world.dir_size];
        let bounds = self.bounds(sizes, [world.origin_error, world.dir_error], from);
        let MapBounds { off, blur, .. } = bounds;
        let moved = |way: f32| (off + way * blur) * (1.0 + 16.0 * U) + f32::MIN_POSITIVE;
        let (plain, moved) = PlainRay::of_mapped(simd, (origin, dir), measures, moved)?;
        let ends = self.ends(from);
        let [x, y, z, _] = origin.to_array();
        let [dx, dy, dz, _] = dir.to_array();
        // Everything in the box lies behind where that is entered.
        let t_min = if from > world.t_min { f32::MIN } else { 0.0 };
        let t_max = certain_end(f64::from(world.t_max), ends.unit, ends.start);
        let ray = Ray::new([x, y, z], [dx, dy, dz]).with_interval(t_min, t_max);
        let wide = WideRay {
            origin: wide_origin,
            dir: wide_dir,
            origin_error: bounds.origin_error,
            dir_error: bounds.dir_error,
        };
        let object = ObjectRay {
            plain,
            ray,
            moved,
            ends,
        };
        Some((object, wide))
    }

    /// Returns the bounds of rays whose sizes and errors of origins and directions are these, from a parameter on
    /// that is at most `from`.
    #[inline(always)]
    pub(super) fn bounds(
        &self,
        [size, dir_size]: [f32; 2],
        [off, dir_off]: [f32; 2],
        from: f32,
    ) -> MapBounds {
        let &InverseMap {
            scale,
            far,
            norm,
            share,
            ..
        } = self;
        let before = off + from * dir_off;
        let origin_error = (size + far) * (share + (2.68 * V) as f32 * norm) + 1.34 * norm * before;
        let dir_error = (dir_size * share + 1.34 * norm * dir_off) * scale;
        MapBounds {
            off: 1.2 * origin_error,
            blur: 2.64 * U + 1.44 * (65536.0 * share * scale + 686.1 * dir_off),
            origin_error: origin_error * (1.0 + 16.0 * U),
            dir_error: dir_error * (1.0 + 16.0 * U),
        }
    }

    /// Returns the relation of parameters to those of a ray that was mapped from a parameter on.
    #[inline(always)]
    pub(super) fn ends(&self, from: f32) -> RayEnds {
        let unit = 1.0 / f64::from(self.scale);
        RayEnds::shifted(unit, f64::from(from) * unit)
    }

    /// Returns the ray in `f64`, not scaled.
    ///
    /// Here x is the sum of exact terms: of the two roundings that [`two_sum`] returns, and of products of `start`
    /// with two halves of a coordinate of the direction, of which the lesser is 0 for a ray in `f32`. It is off by
    /// `2 v` times its size and by `8 v^2 (size + M)`.
    #[inline(always)]
    pub(super) fn blurred<S: Simd>(&self, simd: S, world: &WorldRay<S>, start: f32) -> BlurredRay {
        let ([ox, oy, oz, _], [dx, dy, dz, _]) = (world.origin.to_array(), world.dir.to_array());
        let start = f64::from(start);
        let along = |o: f64, d: f64, m: f64| {
            let upper = f64::from_bits(d.to_bits() & !0xff_ffff);
            let (difference, rest) = two_sum(o, -m);
            let (sum, more) = two_sum(difference, start * upper);
            (sum + start * (d - upper)) + (rest + more)
        };
        let [mx, my, mz] = self.translation;
        let at = [along(ox, dx, mx), along(oy, dy, my), along(oz, dz, mz)];
        let [x, y, z, _] = self.image(simd, at).to_array();
        let [to_x, to_y, to_z, _] = self.image(simd, [dx, dy, dz]).to_array();
        let InverseMap { share, norm, .. } = *self;
        let (share, norm) = (f64::from(share), f64::from(norm));
        let size = f64::from(world.size) + f64::from(self.far);
        let own_size = longest(at) * (1.0 + 4.0 * V);
        BlurredRay {
            origin: [x, y, z],
            dir: [to_x, to_y, to_z],
            origin_error: own_size * (share + 2.68 * V * norm) + size * (16.0 * V * V * norm),
            dir_error: f64::from(world.dir_size) * share,
            start,
        }
    }

    /// Returns what the roundings of composed matrices move corners by, for the map to a world, in its space.
    ///
    /// Of the product of matrices on a path, `composed` is the number of multiplications: each rounds
    /// entries, which moves corners by up to v times the reach, of which `far` is at least nine times as much
    /// (see "Worlds in worlds").
    #[inline(always)]
    pub(super) fn moved_by_composing(&self, composed: usize) -> f64 {
        let moved = composed as f64 * (1.02 * V / 9.0) * f64::from(self.far);
        moved * (1.341 * f64::from(self.norm))
    }

    /// Returns a ray and corners with errors in the space of what is placed in their world, from a parameter on.
    ///
    /// Here a coordinate has a rounded difference of parameters, and a difference, a product and a sum, all
    /// of which together are off by less than 4 v times the sizes of their terms.
    #[inline(always)]
    pub(super) fn blurred_again<S: Simd>(
        &self,
        simd: S,
        (ray, edge_error): (&BlurredRay, f64),
        start: f64,
    ) -> (BlurredRay, f64) {
        let way = start - ray.start;
        let at = [0, 1, 2].inline_map(|axis: usize| {
            (ray.origin[axis] - self.translation[axis]) + way * ray.dir[axis]
        });
        let [x, y, z, _] = self.image(simd, at).to_array();
        let [to_x, to_y, to_z, _] = self.image(simd, ray.dir).to_array();
        let (share, norm) = (f64::from(self.share), f64::from(self.norm));
        let (way, dir_size) = (way.abs(), longest(ray.dir));
        let size = longest(ray.origin) + longest(self.translation) + way * dir_size;
        let before = ray.origin_error + way * ray.dir_error + size * (4.0 * V);
        let own_size = longest(at) * (1.0 + 4.0 * V);
        let grown = 1.341 * norm;
        let ray = BlurredRay {
            origin: [x, y, z],
            dir: [to_x, to_y, to_z],
            origin_error: own_size * (share + 2.68 * V * norm) + grown * before,
            dir_error: dir_size * share + grown * ray.dir_error,
            start,
        };
        (ray, grown * edge_error)
    }
}

/// 2^-53.
const V: f64 = f64::EPSILON / 2.0;
