//! A mesh that is placed in a world, with the numbers of the way from there to its own space.
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
use crate::traverse::plain_ray::ray::PlainRay;
use crate::tree::Bvh;
use crate::wide::Layout;
use estoc_core::exact::BlurredRay;
use estoc_core::{InlineMap, Ray};
use fearless_simd::{Simd, SimdBase, SimdFloat, SimdNarrow, SimdSplit, f32x4, f64x4};
use std::sync::Arc;

/// An approximate inverse B of a matrix A m, and bounds of its errors.
#[derive(Clone, Copy, Debug)]
pub struct InverseMap {
    /// The rows of B.
    pub rows: [[f64; 3]; 3],
    /// The translation m.
    pub moved: [f64; 3],
    /// At least the largest sum of the sizes of a row of B, and 1.34 times less than what an error of
    /// each coordinate before the map may become in one after it.
    pub norm: f32,
    /// Bounds the error of `B x` as the image of an exact x, roundings included, in units of the largest
    /// coordinate of x.
    pub share: f32,
}

/// A mesh that is placed in a world. Two cache lines.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub struct PlacedMesh {
    /// The columns of B, the translation, and the power of two that scales directions.
    numbers: [f64; 13],
    pub(super) mesh: Arc<Bvh>,
    norm: f32,
    share: f32,
    /// At least the largest coordinate of the translation.
    far: f32,
    pub(super) number: u32,
}

const _: () = assert!(size_of::<PlacedMesh>() == 128);

/// Usual sizes of the numbers of a map, and of translations.
const USUAL: core::ops::RangeInclusive<f32> =
    f32::from_bits((127 - 60) << 23)..=f32::from_bits((127 + 60) << 23);

/// 2^-34 is the largest share in units of a scaled direction, so that f is at most 2^-18.
const BLURRED: f64 = f64::from_bits((1023 - 34) << 52);

impl PlacedMesh {
    /// Returns a mesh with the number of its placement; `None` if kernels of plain rays are unfit for it.
    pub fn new(mesh: &Arc<Bvh>, number: u32, map: &InverseMap) -> Option<Self> {
        let InverseMap {
            rows: [a, b, c],
            moved,
            norm,
            share,
        } = *map;
        let far = moved.into_iter().fold(0.0, |far, x| f64::max(far, x.abs()));
        let tree = mesh.wide();
        let has_kernels = tree.measures.has_plain_rays()
            && tree.leaves.layout() == Layout::Fast
            && tree.scale.is_one()
            && !tree.nodes.is_empty();
        if !has_kernels || !USUAL.contains(&norm) || far > f64::from(*USUAL.end()) {
            return None;
        }
        // The inverse of the power of two below the norm.
        let exponent = (norm.to_bits() >> 23) as i32 - 127;
        let scale = f64::from_bits(((1023 - exponent) as u64) << 52);
        // In this form NaN is refused.
        let is_sharp = f64::from(share) * scale <= BLURRED;
        let [x, y, z] = moved;
        is_sharp.then(|| PlacedMesh {
            numbers: [
                a[0], b[0], c[0], a[1], b[1], c[1], a[2], b[2], c[2], x, y, z, scale,
            ],
            mesh: mesh.clone(),
            norm,
            share,
            far: (far as f32).next_up(),
            number,
        })
    }
}

/// A ray in the space of a mesh.
pub(super) struct ObjectRay<S: Simd> {
    pub(super) plain: PlainRay<S>,
    /// With the ends up to which hits may be certain.
    pub(super) ray: Ray,
    /// What the origin is off.
    pub(super) moved: f32,
    pub(super) ends: RayEnds,
}

impl PlacedMesh {
    /// Returns a ray of the world in the space of the mesh, from where it enters the placement's box, or from
    /// its least parameter on; `None` if it is not plain there.
    #[inline(always)]
    pub(super) fn map<S: Simd>(
        &self,
        simd: S,
        world: &WorldRay<S>,
        start: f32,
    ) -> Option<ObjectRay<S>> {
        let along = f64x4::splat(simd, f64::from(start))
            .mul_add(world.dir, world.origin - self.column(simd, 9));
        let [x, y, z, _] = along.to_array();
        let origin = self.image(simd, [x, y, z]);
        let dir = self.image(simd, world.wide_dir);
        let scale = self.numbers[12];
        let narrow = origin.narrow(dir * f64x4::splat(simd, scale));
        let (origin, dir): (f32x4<S>, f32x4<S>) = narrow.split();
        let share = self.share + (2.68 * V) as f32 * self.norm;
        let off = 1.2 * (world.size + self.far) * share;
        let blur = 2.64 * U + 1.44 * 65536.0 * self.share * scale as f32;
        let tree = self.mesh.wide();
        let moved = |way: f32| (off + way * blur) * (1.0 + 16.0 * U) + f32::MIN_POSITIVE;
        let (plain, moved) = PlainRay::of_mapped(simd, (origin, dir), &tree.measures, moved)?;
        let unit = 1.0 / scale;
        let ends = RayEnds::shifted(unit, f64::from(start) * unit);
        let [x, y, z, _] = origin.to_array();
        let [dx, dy, dz, _] = dir.to_array();
        // Everything in the box lies behind where that is entered.
        let t_min = if start > world.t_min { f32::MIN } else { 0.0 };
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
        let along = |o: f64, d: f64, moved: f64| {
            let (difference, rest) = two_sum(o, -moved);
            let (sum, more) = two_sum(difference, start * d);
            sum + (rest + more)
        };
        let [.., mx, my, mz, _] = self.numbers;
        let at = [along(ox, dx, mx), along(oy, dy, my), along(oz, dz, mz)];
        let [x, y, z, _] = self.image(simd, at).to_array();
        let [to_x, to_y, to_z, _] = self.image(simd, [dx, dy, dz]).to_array();
        let (share, norm) = (f64::from(self.share), f64::from(self.norm));
        let size = f64::from(world.size) + f64::from(self.far);
        let larger = |a: f64, b: f64| if a > b { a } else { b };
        let [at_x, at_y, at_z] = at.inline_map(f64::abs);
        let own_size = larger(larger(at_x, at_y), at_z) * (1.0 + 4.0 * V);
        BlurredRay {
            origin: [x, y, z],
            dir: [to_x, to_y, to_z],
            origin_error: own_size * (share + 2.68 * V * norm) + size * (16.0 * V * V * norm),
            dir_error: f64::from(world.dir_size) * share,
            start,
        }
    }

    /// Returns `B x`; the fourth lane is unused.
    #[inline(always)]
    fn image<S: Simd>(&self, simd: S, [x, y, z]: [f64; 3]) -> f64x4<S> {
        let [x, y, z] = [x, y, z].inline_map(|x| f64x4::splat(simd, x));
        x.mul_add(
            self.column(simd, 0),
            y.mul_add(self.column(simd, 3), z * self.column(simd, 6)),
        )
    }

    /// Returns three numbers from a place on; the fourth lane is unused.
    #[inline(always)]
    fn column<S: Simd>(&self, simd: S, at: usize) -> f64x4<S> {
        f64x4::from_slice(simd, &self.numbers[at..at + 4])
    }
}

/// Returns the rounded sum, and what is missing to the exact one.
#[inline(always)]
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let b_virtual = sum - a;
    let a_virtual = sum - b_virtual;
    (sum, (a - a_virtual) + (b - b_virtual))
}

/// 2^-53.
const V: f64 = f64::EPSILON / 2.0;
