//! The kinds of rays in tiles: in `f32`, whose numbers are those of the tree, or in `f64`, which are taken to the
//! frame of a tree whose triangles stand for others.

use super::tile_number::TileNumber;
use crate::traverse::kernel_ray::U;
use crate::traverse::prepare8::OriginError;
use crate::traverse::ray_group::RayInGroup;
use bytemuck::Pod;
use core::fmt::Debug;
use estoc_core::{InlineMap, Ray, Ray64};
use estoc_mesh::parts::NarrowFrame;
use fearless_simd::{Simd, SimdBase, f64x8};

/// 2^-53.
const V: f32 = f32::from_bits((127 - 53) << 23);

/// A kind of rays in tiles: in memory, origin, direction and ends.
pub trait TileRay: RayInGroup + Pod + Debug {
    type Number: TileNumber + Into<f64>;
    /// What takes rays to a tree.
    type Frame: Copy;
    /// Whether the numbers in the space of a tree are rounded.
    const IS_FRAMED: bool;

    /// Returns the numbers of a ray in the space of a tree.
    fn framed_one(&self, frame: &Self::Frame) -> [Self::Number; 8];

    /// Returns those of sixteen rays in the space of a tree, with the same bits as [`framed_one`](TileRay::framed_one).
    fn framed<S: Simd>(
        simd: S,
        rays: [<Self::Number as TileNumber>::Lanes<S>; 8],
        frame: &Self::Frame,
    ) -> [<Self::Number as TileNumber>::Lanes<S>; 8];

    /// Returns the number of the tree's units in one of the rays.
    fn unit(frame: &Self::Frame) -> f64;

    /// Returns what a frame adds to the errors of a tile.
    fn errors(frame: &Self::Frame) -> FrameErrors;
}

/// The errors of coordinates in the space of a tree. Those of rays and of corners are roundings to `f64`
/// (`tile_rays.rs`).
#[derive(Clone, Copy, Debug)]
pub struct FrameErrors {
    /// What the slack of a tile is multiplied by.
    pub slack: f32,
    /// Bounds how far a coordinate is off, as a share of the way.
    pub share: f32,
    /// How far corners may lie outside of the tree's boxes, and a tile's origin from what it is rounded to.
    pub(in crate::traverse) of_boxes: OriginError,
}

impl TileRay for Ray {
    type Number = f32;
    type Frame = ();
    const IS_FRAMED: bool = false;

    #[inline(always)]
    fn framed_one(&self, (): &()) -> [f32; 8] {
        *self.as_array()
    }

    #[inline(always)]
    fn framed<S: Simd>(
        _: S,
        rays: [<f32 as TileNumber>::Lanes<S>; 8],
        (): &(),
    ) -> [<f32 as TileNumber>::Lanes<S>; 8] {
        rays
    }

    #[inline(always)]
    fn unit((): &()) -> f64 {
        1.0
    }

    #[inline(always)]
    fn errors((): &()) -> FrameErrors {
        FrameErrors {
            slack: 1.0,
            share: 0.0,
            of_boxes: OriginError::NONE,
        }
    }
}

impl TileRay for Ray64 {
    type Number = f64;
    type Frame = NarrowFrame;
    const IS_FRAMED: bool = true;

    #[inline(always)]
    fn framed_one(&self, frame: &NarrowFrame) -> [f64; 8] {
        let up = frame.up();
        let ([x, y, z], [dx, dy, dz]) = (frame.place(self.origin).to_array(), self.dir.to_array());
        [x, y, z, dx, dy, dz, self.t_min * up, self.t_max * up]
    }

    #[inline(always)]
    fn framed<S: Simd>(
        simd: S,
        [x, y, z, dx, dy, dz, from, to]: [<f64 as TileNumber>::Lanes<S>; 8],
        frame: &NarrowFrame,
    ) -> [<f64 as TileNumber>::Lanes<S>; 8] {
        let up = f64x8::splat(simd, frame.up());
        let [ox, oy, oz] = frame.origin.to_array().inline_map(
            #[inline(always)]
            |x: f64| f64x8::splat(simd, x),
        );
        [
            ((x.0 - ox) * up, (x.1 - ox) * up),
            ((y.0 - oy) * up, (y.1 - oy) * up),
            ((z.0 - oz) * up, (z.1 - oz) * up),
            dx,
            dy,
            dz,
            (from.0 * up, from.1 * up),
            (to.0 * up, to.1 * up),
        ]
    }

    #[inline(always)]
    fn unit(frame: &NarrowFrame) -> f64 {
        frame.up()
    }

    #[inline(always)]
    fn errors(frame: &NarrowFrame) -> FrameErrors {
        FrameErrors {
            slack: 2.0,
            share: 4.0 * V,
            of_boxes: OriginError {
                off: 1.01 * frame.error as f32 + f32::MIN_POSITIVE,
                share: 2.0 * U,
            },
        }
    }
}
