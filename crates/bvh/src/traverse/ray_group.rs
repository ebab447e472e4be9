//! Rays of a queue or of a list, prepared eight at a time (`prepare8.rs`).

use super::completion::unfit;
use super::kernel_ray::{BoxRay, KernelRay, Prepared, RayEnds};
use super::leaf_ray::LeafRay;
use super::prepare8::{Prepared8, transposed};
use crate::wide::{WIDTH, WideTree};
use arrayvec::ArrayVec;
use bytemuck::Zeroable;
use core::slice;
use estoc_core::Queue;
use estoc_core::Ray;
use estoc_core::exact::PreparedRay;
use estoc_core::glam::Vec3;
use fearless_simd::{Simd, SimdBase, f32x8};

/// A prepared ray for kernels: what box tests read, and then what leaf tests read.
#[repr(C)]
pub struct Ready<'r> {
    /// With the initial limit.
    pub boxes: BoxRay,
    pub leaves: LeafRay,
    pub question: PreparedRay<'r>,
    pub place: usize,
    pub ends: RayEnds,
}

impl Ready<'_> {
    /// Returns a ray that belongs to no query.
    pub fn nowhere() -> Self {
        static NOWHERE: Ray = Ray {
            origin: Vec3::ZERO,
            dir: Vec3::X,
            t_min: 0.0,
            t_max: 0.0,
        };
        Ready {
            place: usize::MAX,
            question: PreparedRay::new(&NOWHERE).expect("its numbers are finite"),
            boxes: BoxRay::zeroed(),
            leaves: LeafRay::zeroed(),
            ends: RayEnds::own(None),
        }
    }
}

/// Rays, prepared eight at a time.
pub struct RayGroup<'q, 'r> {
    rays: ArrayVec<(usize, PreparedRay<'r>), WIDTH>,
    next: usize,
    /// Rays that were taken from the queue before, if the group is of those and not of the queue.
    taken: Option<slice::Iter<'q, (usize, PreparedRay<'r>)>>,
    /// The number of rays that may still be taken from the queue.
    left: usize,
    /// The lanes that are ready, as bits, and those that miss the box of the tree.
    usual: u32,
    misses: u32,
    boxes: [BoxRay; WIDTH],
    leaves: [LeafRay; WIDTH],
}

impl<'q, 'r> RayGroup<'q, 'r> {
    #[inline(always)]
    pub fn new() -> Self {
        RayGroup {
            rays: ArrayVec::new(),
            next: 0,
            taken: None,
            left: usize::MAX,
            usual: 0,
            misses: 0,
            boxes: [BoxRay::zeroed(); WIDTH],
            leaves: [LeafRay::zeroed(); WIDTH],
        }
    }

    /// Returns a group of at most this number of rays.
    pub fn limited(rays: usize) -> Self {
        RayGroup {
            left: rays,
            ..RayGroup::new()
        }
    }

    /// Returns a group of rays that were taken from the queue before.
    pub fn of_taken(rays: &'q [(usize, PreparedRay<'r>)]) -> Self {
        RayGroup {
            taken: Some(rays.iter()),
            ..RayGroup::new()
        }
    }

    /// Writes the next ray that is fit for kernels to `start`, and returns whether there was one.
    /// Completes other rays, and adds all rays taken to `asked`.
    ///
    /// The ray is written in place: returned by value, it would be read back at once after being
    /// written in parts, which stalls processors.
    #[inline(always)]
    pub fn start_next<S: Simd>(
        &mut self,
        simd: S,
        tree: &WideTree,
        queue: &mut Queue<'r>,
        asked: &mut usize,
        start: &mut Ready<'r>,
    ) -> bool {
        loop {
            if self.next == self.rays.len() {
                self.fill(simd, tree, queue);
            }
            match self.next(simd, tree, queue, asked, start) {
                Some(true) => return true,
                Some(false) => {}
                None => return false,
            }
        }
    }

    /// Takes and prepares the next rays.
    #[inline(always)]
    fn fill<S: Simd>(&mut self, simd: S, tree: &WideTree, queue: &mut Queue<'r>) {
        self.rays.clear();
        self.next = 0;
        // Not by `extend`, which would not be inlined.
        while !self.rays.is_full() {
            match self.take(queue) {
                Some(ray) => self.rays.push(ray),
                None => break,
            }
        }
        if self.rays.is_empty() {
            return;
        }
        let last = self.rays.len() - 1;
        let ray = |lane: usize| self.rays[lane.min(last)].1.ray().as_array();
        let rays = [
            ray(0),
            ray(1),
            ray(2),
            ray(3),
            ray(4),
            ray(5),
            ray(6),
            ray(7),
        ];
        self.prepare(simd, tree, rays);
    }

    #[inline(always)]
    fn take(&mut self, queue: &mut Queue<'r>) -> Option<(usize, PreparedRay<'r>)> {
        if let Some(taken) = &mut self.taken {
            return taken.next().copied();
        }
        self.left = self.left.checked_sub(1)?;
        queue.next()
    }

    /// Takes the next ray, and returns whether it is fit for kernels; otherwise it has been
    /// completed. `None` if none is left.
    #[inline(always)]
    fn next<S: Simd>(
        &mut self,
        simd: S,
        tree: &WideTree,
        queue: &mut Queue<'r>,
        asked: &mut usize,
        ray: &mut Ready<'r>,
    ) -> Option<bool> {
        let &(place, question) = self.rays.get(self.next)?;
        let lane = self.next % WIDTH;
        self.next += 1;
        *asked += 1;
        (ray.place, ray.question) = (place, question);
        if self.usual >> lane & 1 == 1 {
            ray.boxes = self.boxes[lane];
            ray.leaves = self.leaves[lane];
            let t_max = question.ray().t_max;
            ray.ends = RayEnds::own(tree.measures.has_plain_rays().then_some(t_max));
            return Some(true);
        }
        let misses = self.misses >> lane & 1 == 1;
        Some(unusual(simd, tree, misses, queue, ray))
    }

    #[inline(always)]
    fn prepare<S: Simd>(&mut self, simd: S, tree: &WideTree, rays: [&[f32; 8]; WIDTH]) {
        let eight = Prepared8::of(simd, tree, rays);
        self.usual = eight.meets;
        self.misses = eight.usual & !eight.meets;
        let zero = f32x8::splat(simd, 0.0);
        let moved = f32x8::splat(simd, f32::MIN_POSITIVE);
        let [rx, ry, rz] = eight.inverse;
        let [nx, ny, nz] = eight.near;
        let [fx, fy, fz] = eight.far;
        let [bx, by, bz] = eight.near_face;
        let [ox, oy, oz] = eight.origin;
        let [sx, sy] = eight.shear;
        let (least, limit) = (eight.least, eight.limit);
        let first = transposed(simd, [rx, ry, rz, least, nx, ny, nz, limit]);
        let second = transposed(simd, [fx, fy, fz, zero, bx, by, bz, zero]);
        let (dir_z, inverse_z, last) = (eight.dir_z, eight.inverse_z, eight.last);
        let third = transposed(simd, [ox, oy, oz, dir_z, sx, sy, inverse_z, last]);
        let (from, farthest) = (eight.from, eight.farthest);
        let fourth = transposed(simd, [least, from, farthest, moved, zero, zero, zero, zero]);
        let boxes: &mut [[[f32; 8]; 2]; WIDTH] = bytemuck::cast_mut(&mut self.boxes);
        let leaves: &mut [[[f32; 4]; 3]; WIDTH] = bytemuck::cast_mut(&mut self.leaves);
        for lane in 0..WIDTH {
            first[lane].store_array(&mut boxes[lane][0]);
            second[lane].store_array(&mut boxes[lane][1]);
            let (low, high) = simd.split_f32x8(third[lane]);
            low.store_array(&mut leaves[lane][0]);
            high.store_array(&mut leaves[lane][1]);
            let (low, _) = simd.split_f32x8(fourth[lane]);
            low.store_array(&mut leaves[lane][2]);
        }
    }
}

/// Prepares a ray that needs another frame, unless it misses the tree's box. Returns `false` if the
/// ray has been completed instead.
///
/// Rays that miss come here, too, although they may be many: completing them where rays are started
/// makes the loop for all others 5 % slower.
#[cold]
#[inline(never)]
fn unusual<'r, S: Simd>(
    simd: S,
    tree: &WideTree,
    misses: bool,
    queue: &mut Queue<'r>,
    ready: &mut Ready<'r>,
) -> bool {
    let (place, question) = (ready.place, ready.question);
    if misses {
        queue.miss(place);
        return false;
    }
    match KernelRay::prepare(simd, &question, tree) {
        Prepared::Misses => queue.miss(place),
        Prepared::Unfit => unfit(tree, place, question, queue),
        Prepared::Ready(ray) => {
            *ready = Ready {
                place,
                question,
                boxes: BoxRay {
                    limit: ray.ends.limit(question.t_max()),
                    ..ray.boxes
                },
                leaves: LeafRay::of(&ray),
                ends: ray.ends,
            };
            return true;
        }
    }
    false
}
