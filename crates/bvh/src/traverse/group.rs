//! Eight rays made ready at once, a ray a lane.
//!
//! What is computed, and why it is enough, is as in `ray.rs` and `leaf_test.rs`; only rays whose
//! frame is the mesh's own take part.

use super::ending::unfit;
use super::leaf_ray::LeafRay;
use super::ray::{BoxRay, Ends, KernelRay, Prepared, SPREAD, STEEP, U, grant_all};
use crate::wide::{WIDTH, WideTree};
use arrayvec::ArrayVec;
use bytemuck::Zeroable;
use estoc_core::Queue;
use estoc_core::Ray;
use estoc_core::exact::RayQuestion;
use estoc_core::glam::Vec3;
use fearless_simd::{Bytes, Select, Simd, SimdBase, SimdMask, f32x8, u32x8};

/// A ray that is ready.
pub(super) struct Ready<'r> {
    pub(super) place: usize,
    pub(super) question: RayQuestion<'r>,
    pub(super) boxes: BoxRay,
    pub(super) leaves: LeafRay,
    pub(super) ends: Ends,
    /// What it begins with.
    pub(super) limit: f32,
}

impl Ready<'_> {
    /// No ray of anybody's.
    pub(super) fn nowhere() -> Self {
        static NOWHERE: Ray = Ray {
            origin: Vec3::ZERO,
            dir: Vec3::X,
            t_min: 0.0,
            t_max: 0.0,
        };
        Ready {
            place: usize::MAX,
            question: RayQuestion::new(&NOWHERE).expect("its numbers are finite"),
            boxes: BoxRay::zeroed(),
            leaves: LeafRay::zeroed(),
            ends: Ends::own(0.0),
            limit: 0.0,
        }
    }
}

/// Rays of a queue, made ready eight at a time.
pub(super) struct Group<'r> {
    rays: ArrayVec<(usize, RayQuestion<'r>), WIDTH>,
    next: usize,
    /// Which of them are ready.
    usual: u32,
    boxes: [BoxRay; WIDTH],
    leaves: [LeafRay; WIDTH],
}

impl<'r> Group<'r> {
    #[inline(always)]
    pub(super) fn new() -> Self {
        Group {
            rays: ArrayVec::new(),
            next: 0,
            usual: 0,
            boxes: [BoxRay::zeroed(); WIDTH],
            leaves: [LeafRay::zeroed(); WIDTH],
        }
    }

    /// The next ray of the queue that is for kernels, if there are more; others are answered on
    /// the way.
    ///
    /// It takes the place of another: to hand it over by value would be to read at once what was
    /// written in parts, for which processors wait.
    #[inline(always)]
    pub(super) fn next<S: Simd>(
        &mut self,
        simd: S,
        tree: &WideTree,
        queue: &mut impl Queue<'r>,
        asked: &mut usize,
        ray: &mut Ready<'r>,
    ) -> bool {
        loop {
            if self.next == self.rays.len() {
                self.fill(simd, tree, queue);
            }
            let Some(&(place, question)) = self.rays.get(self.next) else {
                return false;
            };
            let lane = self.next % WIDTH;
            self.next += 1;
            *asked += 1;
            (ray.place, ray.question) = (place, question);
            if self.usual >> lane & 1 == 1 {
                ray.boxes = self.boxes[lane];
                ray.leaves = self.leaves[lane];
                ray.ends = Ends::own(question.ray().t_max);
                ray.limit = self.boxes[lane].limit;
                return true;
            }
            if unusual(simd, tree, queue, ray) {
                return true;
            }
        }
    }

    #[inline(always)]
    fn fill<S: Simd>(&mut self, simd: S, tree: &WideTree, queue: &mut impl Queue<'r>) {
        self.rays.clear();
        self.next = 0;
        while !self.rays.is_full() {
            match queue.next() {
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
    fn prepare<S: Simd>(&mut self, simd: S, tree: &WideTree, rays: [&[f32; 8]; WIDTH]) {
        let splat = |x: f32| f32x8::splat(simd, x);
        let zero = splat(0.0);
        let load = |lane: usize| f32x8::load_array_ref(simd, rays[lane]);
        let [ox, oy, oz, dx, dy, dz, t_min, t_max] = transposed(
            simd,
            [
                load(0),
                load(1),
                load(2),
                load(3),
                load(4),
                load(5),
                load(6),
                load(7),
            ],
        );
        let (ax, ay, az) = (dx.abs(), dy.abs(), dz.abs());
        let longest = ax.max(ay).max(az);
        let farthest = ox.abs().max(oy.abs()).max(oz.abs());
        let usual = longest.simd_ge(splat(1.0 / SPREAD))
            & longest.simd_le(splat(SPREAD))
            & farthest.simd_le(splat(tree.measures.usual))
            & t_min.simd_ge(zero);
        self.usual = usual.to_bitmask() as u32;
        let way = farthest + splat(tree.measures.reach);
        let least = t_min.simd_gt(zero).select(t_min, zero);
        let limit = grant_all(simd, t_max);

        let (rx, nx, fx, bx) = axis(simd, ox, dx, way);
        let (ry, ny, fy, by) = axis(simd, oy, dy, way);
        let (rz, nz, fz, bz) = axis(simd, oz, dz, way);
        let first = transposed(simd, [rx, ry, rz, least, nx, ny, nz, limit]);
        let second = transposed(simd, [fx, fy, fz, zero, bx, by, bz, zero]);

        let not_x = ay.max(az).simd_ge(ax);
        let is_z = not_x & az.simd_ge(ay);
        let turned = |x: f32x8<S>, y: f32x8<S>, z: f32x8<S>| {
            (
                is_z.select(x, not_x.select(z, y)),
                is_z.select(y, not_x.select(x, z)),
                is_z.select(z, not_x.select(y, x)),
            )
        };
        let (ox, oy, oz) = turned(ox, oy, oz);
        let (dx, dy, dz) = turned(dx, dy, dz);
        let one = u32x8::splat(simd, 1);
        let last = is_z.select(one + one, not_x.select(one, u32x8::splat(simd, 0)));
        let inverse_z = splat(1.0) / dz;
        let third = transposed(
            simd,
            [
                ox,
                oy,
                oz,
                dz,
                -dx / dz,
                -dy / dz,
                inverse_z,
                last.bitcast(),
            ],
        );
        let moved = splat(f32::MIN_POSITIVE);
        let (from, farthest) = (least * dz, way * splat(4.0));
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

/// What boxes ask of one axis: `r`, `q` for near and for far faces, and which is the near one.
#[inline(always)]
fn axis<S: Simd>(
    simd: S,
    o: f32x8<S>,
    d: f32x8<S>,
    way: f32x8<S>,
) -> (f32x8<S>, f32x8<S>, f32x8<S>, f32x8<S>) {
    let zero = f32x8::splat(simd, 0.0);
    let steep = d.abs().simd_lt(f32x8::splat(simd, 1.0 / STEEP));
    let inverse = steep.select(f32x8::splat(simd, STEEP), f32x8::splat(simd, 1.0) / d);
    let product = -o * inverse;
    let pad = product.abs() * f32x8::splat(simd, 8.0 * U)
        + inverse.abs() * f32x8::splat(simd, 2.0 * f32::MIN_POSITIVE)
        + steep.select(way * f32x8::splat(simd, 4.0 * SPREAD), zero);
    let reversed = inverse.simd_lt(zero);
    let reversed = reversed.select(u32x8::splat(simd, 1), u32x8::splat(simd, 0));
    (inverse, product - pad, product + pad, reversed.bitcast())
}

/// A ray that wants thought; `false` if that has answered it.
#[cold]
#[inline(never)]
fn unusual<'r, S: Simd, Q: Queue<'r>>(
    simd: S,
    tree: &WideTree,
    queue: &mut Q,
    ready: &mut Ready<'r>,
) -> bool {
    let (place, question) = (ready.place, ready.question);
    match KernelRay::prepare(simd, &question, tree) {
        Prepared::Misses => queue.miss(place),
        Prepared::Unfit => unfit(tree, place, question, queue),
        Prepared::Ready(ray) => {
            *ready = Ready {
                place,
                question,
                boxes: ray.boxes,
                leaves: LeafRay::of(&ray),
                ends: ray.ends,
                limit: ray.ends.limit(question.t_max()),
            };
            return true;
        }
    }
    false
}

/// Rows for columns: three perfect shuffles.
#[inline(always)]
pub(super) fn transposed<S: Simd>(simd: S, rows: [f32x8<S>; 8]) -> [f32x8<S>; 8] {
    shuffled(simd, shuffled(simd, shuffled(simd, rows)))
}

#[inline(always)]
fn shuffled<S: Simd>(simd: S, [a, b, c, d, e, f, g, h]: [f32x8<S>; 8]) -> [f32x8<S>; 8] {
    let (a, e) = simd.interleave_f32x8(a, e);
    let (b, f) = simd.interleave_f32x8(b, f);
    let (c, g) = simd.interleave_f32x8(c, g);
    let (d, h) = simd.interleave_f32x8(d, h);
    [a, e, b, f, c, g, d, h]
}
