//! Rays of a queue or of a list, prepared eight at a time (`prepare8.rs`).

use super::kernel_ray::{BoxRay, Prepared, RayEnds};
use super::leaf_ray::LeafRay;
use super::prepare8::{Prepared8, transposed};
use crate::wide::WIDTH;
use arrayvec::ArrayVec;
use bytemuck::Zeroable;
use core::slice;
use estoc_core::exact::PreparedRay;
use estoc_core::glam::{DVec3, Vec3};
use estoc_core::{InlineMap, PrimId, Queue, Ray, Ray64, RayKind, RayTest};
use fearless_simd::{Simd, SimdBase, f32x8};

/// A prepared ray for kernels: what box tests read, and then what leaf tests read.
#[repr(C)]
pub struct Ready<'r, R = Ray> {
    /// With the initial limit.
    pub boxes: BoxRay,
    pub leaves: LeafRay,
    pub question: PreparedRay<'r, R>,
    pub place: usize,
    pub ends: RayEnds,
}

/// A kind of rays in flight.
pub trait RayInGroup: RayKind + 'static {
    /// A defined ray that belongs to no query.
    const NOWHERE: &'static Self;

    /// Returns the direction, rounded.
    fn narrow_dir(&self) -> [f32; 3];
}

impl RayInGroup for Ray {
    const NOWHERE: &'static Ray = &Ray {
        origin: Vec3::ZERO,
        dir: Vec3::X,
        t_min: 0.0,
        t_max: 0.0,
    };

    #[inline(always)]
    fn narrow_dir(&self) -> [f32; 3] {
        self.dir.to_array()
    }
}

impl RayInGroup for Ray64 {
    const NOWHERE: &'static Ray64 = &Ray64 {
        origin: DVec3::ZERO,
        dir: DVec3::X,
        t_min: 0.0,
        t_max: 0.0,
    };

    #[inline(always)]
    fn narrow_dir(&self) -> [f32; 3] {
        self.dir.as_vec3().to_array()
    }
}

impl<R: RayInGroup> Ready<'_, R> {
    /// Returns a ray that belongs to no query.
    pub fn nowhere() -> Self {
        Ready {
            place: usize::MAX,
            question: PreparedRay::new(R::NOWHERE).expect("its numbers are finite"),
            boxes: BoxRay::zeroed(),
            leaves: LeafRay::zeroed(),
            ends: RayEnds::own(None),
        }
    }
}

/// What prepares rays for the kernels of a tree.
pub trait RayPreparation<R: RayKind = Ray>: Copy {
    /// A triangle that exact arithmetic decides about.
    type Primitive: RayTest<R, Id = PrimId>;

    /// Prepares eight rays at once, as far as they are usual.
    fn prepare8<S: Simd>(&self, simd: S, rays: [PreparedRay<'_, R>; WIDTH]) -> Prepared8<S>;

    /// Returns the ends of a ray that is usual.
    fn usual_ends(&self, ray: &PreparedRay<'_, R>) -> RayEnds;

    /// Prepares any ray.
    fn prepare<S: Simd>(&self, simd: S, ray: &PreparedRay<'_, R>) -> Prepared;

    /// Traverses with a ray that is unfit for `f32`, and completes it.
    fn trace_unfit<'r, S: Simd>(
        &self,
        simd: S,
        place: usize,
        ray: PreparedRay<'r, R>,
        queue: &mut Queue<'r, Self::Primitive, R>,
    );
}

/// Rays, prepared eight at a time.
pub struct RayGroup<'q, 'r, R = Ray> {
    rays: ArrayVec<(usize, PreparedRay<'r, R>), WIDTH>,
    next: usize,
    /// Rays that were taken from the queue before, if the group is of those and not of the queue.
    taken: Option<slice::Iter<'q, (usize, PreparedRay<'r, R>)>>,
    /// The number of rays that may still be taken from the queue.
    left: usize,
    /// The lanes that are ready, as bits, and those that miss the box of the tree.
    usual: u32,
    misses: u32,
    boxes: [BoxRay; WIDTH],
    leaves: [LeafRay; WIDTH],
}

impl<'q, 'r, R: RayKind> RayGroup<'q, 'r, R> {
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
    pub fn of_taken(rays: &'q [(usize, PreparedRay<'r, R>)]) -> Self {
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
    pub fn start_next<S: Simd, T: RayPreparation<R>>(
        &mut self,
        simd: S,
        target: T,
        queue: &mut Queue<'r, T::Primitive, R>,
        asked: &mut usize,
        start: &mut Ready<'r, R>,
    ) -> bool {
        loop {
            if self.next == self.rays.len() {
                self.fill(simd, target, queue);
            }
            match self.next(simd, target, queue, asked, start) {
                Some(true) => return true,
                Some(false) => {}
                None => return false,
            }
        }
    }

    /// Takes and prepares the next rays.
    #[inline(always)]
    fn fill<S: Simd, T: RayPreparation<R>>(
        &mut self,
        simd: S,
        target: T,
        queue: &mut Queue<'r, T::Primitive, R>,
    ) {
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
        let rays = [0, 1, 2, 3, 4, 5, 6, 7].inline_map(
            #[inline(always)]
            |lane: usize| self.rays[lane.min(last)].1,
        );
        self.prepare(simd, target, rays);
    }

    #[inline(always)]
    fn take<P: RayTest<R>>(
        &mut self,
        queue: &mut Queue<'r, P, R>,
    ) -> Option<(usize, PreparedRay<'r, R>)> {
        if let Some(taken) = &mut self.taken {
            return taken.next().copied();
        }
        self.left = self.left.checked_sub(1)?;
        queue.next()
    }

    /// Takes the next ray, and returns whether it is fit for kernels; otherwise it has been
    /// completed. `None` if none is left.
    #[inline(always)]
    fn next<S: Simd, T: RayPreparation<R>>(
        &mut self,
        simd: S,
        target: T,
        queue: &mut Queue<'r, T::Primitive, R>,
        asked: &mut usize,
        ray: &mut Ready<'r, R>,
    ) -> Option<bool> {
        let &(place, question) = self.rays.get(self.next)?;
        let lane = self.next % WIDTH;
        self.next += 1;
        *asked += 1;
        (ray.place, ray.question) = (place, question);
        if self.usual >> lane & 1 == 1 {
            ray.boxes = self.boxes[lane];
            ray.leaves = self.leaves[lane];
            ray.ends = target.usual_ends(&question);
            return Some(true);
        }
        let misses = self.misses >> lane & 1 == 1;
        Some(unusual(simd, target, misses, queue, ray))
    }

    #[inline(always)]
    fn prepare<S: Simd, T: RayPreparation<R>>(
        &mut self,
        simd: S,
        target: T,
        rays: [PreparedRay<'_, R>; WIDTH],
    ) {
        let eight = target.prepare8(simd, rays);
        self.usual = eight.meets;
        self.misses = eight.usual & !eight.meets;
        let zero = f32x8::splat(simd, 0.0);
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
        let (from, farthest, moved) = (eight.from, eight.farthest, eight.moved);
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
fn unusual<'r, S: Simd, R: RayKind, T: RayPreparation<R>>(
    simd: S,
    target: T,
    misses: bool,
    queue: &mut Queue<'r, T::Primitive, R>,
    ready: &mut Ready<'r, R>,
) -> bool {
    let (place, question) = (ready.place, ready.question);
    if misses {
        queue.miss(place);
        return false;
    }
    match target.prepare(simd, &question) {
        Prepared::Misses => queue.miss(place),
        Prepared::Unfit => target.trace_unfit(simd, place, question, queue),
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
