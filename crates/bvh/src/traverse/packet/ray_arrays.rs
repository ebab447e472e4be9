//! Rays as a structure of arrays.

use super::packet_vectors::{Part, bits, load};
use crate::wide::WideTree;
use arrayvec::ArrayVec;
use core::ops::Range;
use estoc_core::InlineMap;
use estoc_core::Ray;
use estoc_core::exact::PreparedRay;
use fearless_simd::{Simd, SimdBase, SimdMask};

/// The largest number of rays in a packet: one bit for each in a `u64`.
pub const RAYS: usize = 64;

/// A number of each ray.
pub type Lanes = [f32; RAYS];

/// The largest coordinate of a direction lies between this and its inverse, as for single rays.
const SPREAD: f32 = 256.0;
/// The largest slope of a ray, relative to the packet's axis.
pub const ASIDE: f32 = 1.5;

/// Up to 64 consecutive rays.
#[repr(C, align(64))]
pub struct RayArrays<'r> {
    /// By axis.
    pub origin: [Lanes; 3],
    pub dir: [Lanes; 3],
    /// `t_min` and `t_max`.
    pub ends: [Lanes; 2],
    /// The rays and their places in the queue.
    pub rays: ArrayVec<(usize, PreparedRay<'r>), RAYS>,
}

/// The rays of a group that fit together.
pub struct Fitting {
    /// The axis along which they all go, more than aside.
    pub axis: usize,
    /// 1 or -1: the direction along it.
    pub forward: f32,
    /// The rays, as bits.
    pub rays: u64,
}

impl RayArrays<'_> {
    pub fn new() -> Self {
        RayArrays {
            rays: ArrayVec::new(),
            origin: [[0.0; RAYS]; 3],
            dir: [[1.0; RAYS]; 3],
            ends: [[0.0; RAYS]; 2],
        }
    }

    /// Returns all rays, as bits.
    #[inline(always)]
    pub fn all(&self) -> u64 {
        match self.rays.len() {
            0 => 0,
            len => u64::MAX >> (RAYS - len),
        }
    }

    /// Copies the rays' numbers to the arrays.
    #[inline(always)]
    pub fn spread(&mut self, part: Part) {
        let Range { start, end } = part.lanes();
        for lane in start..end.min(self.rays.len()) {
            let ray = *self.rays[lane].1.ray();
            self.set(lane, &ray);
        }
    }

    #[inline(always)]
    fn set(&mut self, lane: usize, ray: &Ray) {
        self.origin[0][lane] = ray.origin.x;
        self.origin[1][lane] = ray.origin.y;
        self.origin[2][lane] = ray.origin.z;
        self.dir[0][lane] = ray.dir.x;
        self.dir[1][lane] = ray.dir.y;
        self.dir[2][lane] = ray.dir.z;
        self.ends[0][lane] = ray.t_min;
        self.ends[1][lane] = ray.t_max;
    }

    /// Writes a ray's numbers to lanes that have no ray of their own.
    #[cold]
    pub fn fill(&mut self, mut lanes: u64, from: usize) {
        let ray = *self.rays[from].1.ray();
        while lanes != 0 {
            self.set(lanes.trailing_zeros() as usize, &ray);
            lanes &= lanes - 1;
        }
    }

    /// Returns the rays that are fit for kernels in the mesh's own frame and have roughly the
    /// direction of the middle one. The conditions for the frame are those of single rays
    /// (`kernel_ray.rs`).
    #[inline(always)]
    pub fn fitting<S: Simd>(&self, simd: S, part: Part, tree: &WideTree) -> Fitting {
        let Range { start, end } = part.lanes();
        let middle = (start + end.min(self.rays.len())) / 2;
        let dir = [0, 1, 2].inline_map(|axis| self.dir[axis][middle]);
        let mut axis = if dir[1].abs() > dir[0].abs() { 1 } else { 0 };
        if dir[2].abs() > dir[axis].abs() {
            axis = 2;
        }
        let forward = 1f32.copysign(dir[axis]);
        let [x, y] = [(axis + 1) % 3, (axis + 2) % 3];

        let usual = S::f32s::splat(simd, tree.measures.usual);
        let least = S::f32s::splat(simd, 1.0 / SPREAD);
        let most = S::f32s::splat(simd, SPREAD);
        let zero = S::f32s::splat(simd, 0.0);
        let mut fitting = 0;
        for vector in part.vectors::<S>() {
            let origin_x = load(simd, &self.origin[0], vector).abs();
            let origin_y = load(simd, &self.origin[1], vector).abs();
            let origin_z = load(simd, &self.origin[2], vector).abs();
            let origin = origin_x.max(origin_y).max(origin_z);
            let along = load(simd, &self.dir[axis], vector) * S::f32s::splat(simd, forward);
            let x = load(simd, &self.dir[x], vector).abs();
            let y = load(simd, &self.dir[y], vector).abs();
            let longest = along.abs().max(x).max(y);
            let fits = origin.simd_le(usual)
                & longest.simd_ge(least)
                & longest.simd_le(most)
                & x.max(y).simd_le(along * S::f32s::splat(simd, ASIDE))
                & load(simd, &self.ends[0], vector).simd_ge(zero);
            fitting |= bits::<S>(fits.to_bitmask(), vector);
        }
        let rays = fitting & self.all() & part.bits();
        Fitting {
            axis,
            forward,
            rays,
        }
    }
}
