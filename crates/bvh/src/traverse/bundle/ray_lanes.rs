//! The numbers of up to sixteen rays of a tree's space for box and leaf tests, one ray in each lane.
//!
//! Those of plain rays are those of single rays (`plain_ray/`), to the bit.

use super::box_lanes::BoxLanes;
use super::bundle_hull::Hull;
use super::{LANES, Lanes, load, store};
use crate::traverse::edge_functions::{EdgeValues, Line};
use crate::traverse::kernel_ray::{SPREAD, U};
use crate::traverse::leaf_ray::AXES;
use crate::traverse::longest_axes::LongestAxes;
use crate::traverse::plain_ray::leaf::{BOUND, SpanNumbers, SpanRay};
use crate::traverse::plain_ray::ray::{Numbers, PlainRay};
use crate::traverse::slab::SlabNumbers;
use crate::traverse::t_spans::Spans;
use crate::wide::{Axis, Block, Measures, WIDTH};
use bytemuck::Zeroable;
use estoc_core::InlineMap;
use fearless_simd::{Select, Simd, SimdBase, SimdMask, f32x16, mask32x16, u32x16};

/// The numbers of rays.
#[repr(C, align(64))]
pub struct RayLanes {
    pub boxes: BoxLanes,
    /// Bounds of all rays that traverse together, which have the same octant.
    pub hull: Hull,
    /// The limit, behind which nothing matters.
    pub limit: Lanes,
    // For leaf tests.
    origin: [Lanes; 3],
    shear: [Lanes; 2],
    inverse_z: Lanes,
    dir_z: Lanes,
    t_min: Lanes,
    t_max: Lanes,
    t_error: Lanes,
    way: Lanes,
    moved: Lanes,
    last: [u32; LANES],
}

/// Ends of rays.
#[derive(Clone, Copy)]
pub struct LaneEnds<V> {
    /// Boxes do not count before this parameter, which is not negative, and hits not before `t_min`.
    pub least: V,
    pub t_min: V,
    pub t_max: V,
    pub limit: V,
}

impl RayLanes {
    /// Returns the numbers of no rays.
    pub fn new() -> Self {
        const NUMBERS: Lanes = [0.0; LANES];
        RayLanes {
            boxes: BoxLanes::zeroed(),
            hull: Hull::default(),
            limit: NUMBERS,
            origin: [NUMBERS; 3],
            shear: [NUMBERS; 2],
            inverse_z: NUMBERS,
            dir_z: NUMBERS,
            t_min: NUMBERS,
            t_max: NUMBERS,
            t_error: NUMBERS,
            way: NUMBERS,
            moved: NUMBERS,
            last: [0; LANES],
        }
    }

    /// Takes rays whose origins are off by at most `moved`, and returns what their hull is made of.
    #[inline(always)]
    pub fn set<S: Simd>(
        &mut self,
        simd: S,
        ([ox, oy, oz], [dx, dy, dz]): ([f32x16<S>; 3], [f32x16<S>; 3]),
        ends: LaneEnds<f32x16<S>>,
        (way, moved): (f32x16<S>, f32x16<S>),
    ) -> [SlabNumbers<f32x16<S>>; 3] {
        let slabs = [
            SlabNumbers::of(simd, ox, dx, way, moved),
            SlabNumbers::of(simd, oy, dy, way, moved),
            SlabNumbers::of(simd, oz, dz, way, moved),
        ];
        self.boxes.set(&slabs, ends.least);
        store(&mut self.limit, ends.limit);
        store(&mut self.t_min, ends.t_min);
        store(&mut self.t_max, ends.t_max);
        store(&mut self.way, way);
        store(&mut self.moved, moved);

        let longest = LongestAxes::of([dx, dy, dz]);
        let [dx, dy, dz] = longest.rotated([dx, dy, dz]);
        let [_, _, inverse_z] = longest.rotated(slabs.inline_map(|slab| slab.inverse));
        let [_, _, last] = longest.rotated([0, 1, 2].inline_map(|n| u32x16::splat(simd, n)));
        let [ox, oy, oz] = longest.rotated([ox, oy, oz]);
        store(&mut self.origin[0], ox);
        store(&mut self.origin[1], oy);
        store(&mut self.origin[2], oz);
        store(&mut self.shear[0], -dx * inverse_z);
        store(&mut self.shear[1], -dy * inverse_z);
        store(&mut self.inverse_z, inverse_z);
        store(&mut self.dir_z, dz);
        let splat = |x: f32| f32x16::splat(simd, x);
        let t_error = splat(20.0 * U) * way + splat(4.0) * moved;
        store(&mut self.t_error, t_error * inverse_z.abs());
        last.store_array(&mut self.last);
        slabs
    }

    /// Returns those of the rays given as bits, of which there is at least one, that have the octant of the
    /// first, and prepares to test them: the limits of others are 0 then. `slabs` are those of
    /// [`set`](Self::set).
    #[inline(always)]
    pub fn take_part<S: Simd>(
        &mut self,
        simd: S,
        slabs: &[SlabNumbers<f32x16<S>>; 3],
        (moved, limit): (f32x16<S>, f32x16<S>),
        lanes: u32,
    ) -> u32 {
        let zero = f32x16::splat(simd, 0.0);
        let first = lanes.trailing_zeros() as usize % LANES;
        let mut part = lanes;
        for slab in slabs {
            let reversed = slab.inverse.simd_lt(zero).to_bitmask() as u32;
            part &= match reversed >> first & 1 {
                0 => !reversed,
                _ => reversed,
            };
        }
        self.boxes.set_near_faces(first);
        let inside = mask32x16::from_bitmask(simd, part.into());
        let [x, y, z] = slabs;
        let slabs = [
            x.copied(simd, inside, first),
            y.copied(simd, inside, first),
            z.copied(simd, inside, first),
        ];
        let limit = inside.select(limit, zero);
        let moved = inside.select(moved, zero).reduce_max();
        self.hull = Hull::of(&slabs, moved, load(simd, &self.boxes.least), limit);
        store(&mut self.limit, limit);
        part
    }

    /// Returns the ray of a lane for box tests.
    #[inline(always)]
    pub fn plain<S: Simd>(&self, simd: S, lane: usize) -> PlainRay<S> {
        let lane = lane % LANES;
        let each = |lanes: &[Lanes; 3]| [lanes[0][lane], lanes[1][lane], lanes[2][lane]];
        PlainRay::of_numbers(
            simd,
            &Numbers {
                inverse: each(&self.boxes.inverse),
                near: each(&self.boxes.near),
                far: each(&self.boxes.far),
                near_face: self.boxes.near_face,
                t_min: self.boxes.least[lane],
                t_max: self.t_max[lane],
                way: self.way[lane],
            },
        )
    }

    /// Returns the ray of a lane for leaf tests.
    #[inline(always)]
    pub fn leaf_ray(&self, lane: usize) -> SpanRay {
        let lane = lane % LANES;
        SpanRay {
            origin: [
                self.origin[0][lane],
                self.origin[1][lane],
                self.origin[2][lane],
            ],
            shear: [self.shear[0][lane], self.shear[1][lane]],
            inverse_z: self.inverse_z[lane],
            dir_z: self.dir_z[lane],
            last: self.last[lane] as usize,
            t_min: self.t_min[lane],
            t_max: self.t_max[lane],
            t_error: self.t_error[lane],
            way: self.way[lane],
            moved: self.moved[lane],
        }
    }

    /// Returns the first of these rays, given as bits, and those with the same longest axis.
    #[inline(always)]
    pub fn with_axis_of_first<S: Simd>(&self, simd: S, lanes: u32) -> u32 {
        let last = self.last[lanes.trailing_zeros() as usize % LANES];
        let all = u32x16::load_array_ref(simd, &self.last);
        lanes & all.simd_eq(u32x16::splat(simd, last)).to_bitmask() as u32
    }

    /// Returns which of these rays, given as bits, may hit a triangle up to the limits, which of them
    /// certainly do, and intervals of these hits' parameters. All have the longest axis of the first, and the
    /// test is that of one ray and eight triangles (`plain_ray/leaf.rs`).
    #[inline(always)]
    pub fn spans<S: Simd>(
        &self,
        simd: S,
        block: Block<'_>,
        place: usize,
        lanes: u32,
    ) -> Spans<f32x16<S>> {
        let splat = |x: f32| f32x16::splat(simd, x);
        let line = Line {
            origin: [
                load(simd, &self.origin[0]),
                load(simd, &self.origin[1]),
                load(simd, &self.origin[2]),
            ],
            shear: [load(simd, &self.shear[0]), load(simd, &self.shear[1])],
            off: load(simd, &self.moved) * splat(2.2),
        };
        let axes = AXES[self.last[lanes.trailing_zeros() as usize % LANES] as usize & 3];
        let corners = [
            corner::<S, 0>(simd, block, axes, place),
            corner::<S, 1>(simd, block, axes, place),
            corner::<S, 2>(simd, block, axes, place),
        ];
        let edges = EdgeValues::of(simd, corners, &line, BOUND);
        let maybe = !edges.outside.to_bitmask() as u32 & lanes;
        if maybe == 0 {
            return Spans::none(simd);
        }
        let inverse_z = load(simd, &self.inverse_z);
        let numbers = SpanNumbers {
            inverse_z,
            spread: inverse_z.abs() * splat(3.2),
            t_min: load(simd, &self.t_min),
            t_max: load(simd, &self.t_max),
            t_error: load(simd, &self.t_error),
            limit: load(simd, &self.limit),
        };
        Spans::of(simd, (&edges, maybe), &numbers)
    }

    /// Returns the limits.
    #[inline(always)]
    pub fn limits<S: Simd>(&self, simd: S) -> f32x16<S> {
        load(simd, &self.limit)
    }
}

/// Returns which origins and directions are those of plain rays, as bits: the conditions of
/// `plain_ray/ray.rs`.
#[inline(always)]
pub fn plain_lanes<S: Simd>(
    simd: S,
    ([ox, oy, oz], [dx, dy, dz]): ([f32x16<S>; 3], [f32x16<S>; 3]),
    tree: &Measures,
) -> u32 {
    let splat = |x: f32| f32x16::splat(simd, x);
    let near = |o: f32x16<S>| o.abs().simd_le(splat(tree.plain));
    let short = |d: f32x16<S>| d.abs().simd_le(splat(SPREAD));
    let long = |d: f32x16<S>| d.abs().simd_ge(splat(1.0 / SPREAD));
    // In this form NaN is not plain.
    let fits = near(ox) & near(oy) & near(oz) & short(dx) & short(dy) & short(dz);
    let fits = fits & (long(dx) | long(dy) | long(dz));
    fits.to_bitmask() as u32
}

/// Returns a corner of a triangle in all lanes.
#[inline(always)]
fn corner<S: Simd, const CORNER: usize>(
    simd: S,
    block: Block<'_>,
    [x, y, z]: [Axis; 3],
    place: usize,
) -> [f32x16<S>; 3] {
    [
        f32x16::splat(simd, block.row::<CORNER>(x)[place % WIDTH]),
        f32x16::splat(simd, block.row::<CORNER>(y)[place % WIDTH]),
        f32x16::splat(simd, block.row::<CORNER>(z)[place % WIDTH]),
    ]
}
