//! Tests the rays of a tile against triangles: sixteen rays against one, or one ray against eight.
//!
//! Two numbers bound the `1 / Z` that matters to each ray: that of its end, or of the first hit so
//! far. A hit that is certain, certainly after the ray's start and certainly before that, replaces
//! it; a triangle that is missed, or certainly hit before the start or behind that, is ignored.
//! Anything else is a close call, for exact arithmetic.

use super::tile_rays::{GROUP, Row, TileBeam, TileRays};
use super::tile_triangles::{Linear, TileTriangles};
use super::triangle_table::TriangleTable;
use crate::traverse::kernel_ray::U;
use crate::wide::{Tag, WIDTH, WideTree};
use estoc_core::Ray;
use estoc_core::exact::PreparedRay;
use fearless_simd::{Select, Simd, SimdBase, SimdFloat, SimdMask, f32x8, f32x16, u32x16};

/// The exact rays of a tile and the triangles of its tree.
#[derive(Clone, Copy)]
pub struct Exact<'a> {
    pub rays: &'a [Ray],
    pub tree: &'a WideTree,
    pub beam: &'a TileBeam,
}

/// A leaf, and the numbers of its triangles in the table, or 0.
pub struct LeafEntries {
    leaf: u32,
    len: usize,
    numbers: [u32; WIDTH],
}

impl LeafEntries {
    #[inline(always)]
    pub fn new(leaf: u32, len: usize) -> Self {
        LeafEntries {
            leaf,
            len,
            numbers: [0; WIDTH],
        }
    }

    /// Returns the number of a triangle.
    #[inline(always)]
    fn number(&mut self, lane: usize, table: &mut TriangleTable) -> u32 {
        let lane = lane % WIDTH;
        if self.numbers[lane] == 0 {
            self.numbers[lane] = table.add(self.leaf, Tag::new(lane, self.len));
        }
        self.numbers[lane]
    }
}

/// A function that is linear in the slopes, in all lanes.
#[derive(Clone, Copy)]
struct LinearIn16<S: Simd> {
    x: f32x16<S>,
    y: f32x16<S>,
    middle: f32x16<S>,
}

impl<S: Simd> LinearIn16<S> {
    #[inline(always)]
    fn of(simd: S, linear: &Linear, lane: usize) -> Self {
        LinearIn16 {
            x: f32x16::splat(simd, linear.slope[0][lane]),
            y: f32x16::splat(simd, linear.slope[1][lane]),
            middle: f32x16::splat(simd, linear.middle[lane]),
        }
    }

    /// Returns the value for rays with these slopes.
    #[inline(always)]
    fn at(&self, x: f32x16<S>, y: f32x16<S>) -> f32x16<S> {
        x.mul_add(self.x, y.mul_add(self.y, self.middle))
    }
}

/// The middles and radii of all groups.
#[derive(Clone, Copy)]
struct Hulls<S: Simd> {
    middle: (f32x16<S>, f32x16<S>),
    radius: (f32x16<S>, f32x16<S>),
}

impl<S: Simd> Hulls<S> {
    /// Returns the greatest value that a function has in each group.
    #[inline(always)]
    fn greatest(&self, linear: LinearIn16<S>) -> f32x16<S> {
        let sum = linear.at(self.middle.0, self.middle.1);
        let sum = linear.y.abs().mul_add(self.radius.1, sum);
        linear.x.abs().mul_add(self.radius.0, sum)
    }
}

#[inline(always)]
fn load<S: Simd>(simd: S, row: &Row) -> f32x16<S> {
    f32x16::load_array_ref(simd, row)
}

/// The functions of one triangle, in all lanes.
pub struct OneTriangle<S: Simd> {
    edges: [LinearIn16<S>; 3],
    place: LinearIn16<S>,
    edge_error: f32x16<S>,
    place_error: f32x16<S>,
    lane: usize,
}

impl<S: Simd> OneTriangle<S> {
    #[inline(always)]
    pub fn of(simd: S, shapes: &TileTriangles, lane: usize) -> Self {
        let lane = lane % WIDTH;
        OneTriangle {
            edges: [
                LinearIn16::of(simd, &shapes.edges[0], lane),
                LinearIn16::of(simd, &shapes.edges[1], lane),
                LinearIn16::of(simd, &shapes.edges[2], lane),
            ],
            place: LinearIn16::of(simd, &shapes.place, lane),
            edge_error: f32x16::splat(simd, shapes.edge_error[lane]),
            place_error: f32x16::splat(simd, shapes.place_error[lane]),
            lane,
        }
    }

    /// Returns which groups may have rays that hit it, as bits, of those given.
    #[inline(always)]
    pub fn groups(&self, simd: S, rays: &TileRays, active: u32) -> u32 {
        let hulls = Hulls {
            middle: (load(simd, &rays.middle[0]), load(simd, &rays.middle[1])),
            radius: (load(simd, &rays.radius[0]), load(simd, &rays.radius[1])),
        };
        let [u, v, w] = self.edges;
        let least = hulls.greatest(u).min(hulls.greatest(v));
        let least = least.min(hulls.greatest(w));
        let two = f32x16::splat(simd, 2.0);
        let inside = self.edge_error.mul_add(two, least);
        let nearest = self.place_error.mul_add(two, hulls.greatest(self.place));
        let met =
            inside.simd_ge(f32x16::splat(simd, 0.0)) & nearest.simd_ge(load(simd, &rays.least));
        met.to_bitmask() as u32 & active
    }

    /// Finds which rays of a group hit the triangle. Returns whether the ends of any may have
    /// changed.
    #[inline(always)]
    pub fn test(
        &self,
        simd: S,
        exact: Exact<'_>,
        group: usize,
        rays: &mut TileRays,
        leaf: &mut LeafEntries,
        table: &mut TriangleTable,
    ) -> bool {
        let group = group % GROUP;
        let x = load(simd, &rays.slope[0][group]);
        let y = load(simd, &rays.slope[1][group]);
        let [u, v, w] = self.edges;
        let (u, v, w) = (u.at(x, y), v.at(x, y), w.at(x, y));
        let least = u.min(v).min(w);
        let place = self.place.at(x, y);
        let (low, high) = (place - self.place_error, place + self.place_error);
        let (end_low, end_high) = (load(simd, &rays.low[group]), load(simd, &rays.high[group]));
        let mut counts = least.simd_ge(-self.edge_error) & high.simd_ge(end_low);
        let mut sure = least.simd_gt(self.edge_error) & low.simd_gt(end_high);
        if exact.beam.has_starts {
            counts &= low.simd_le(load(simd, &rays.start_high[group]));
            sure &= high.simd_le(load(simd, &rays.start_low[group]));
        }
        let counting = counts.to_bitmask() as u32;
        if counting == 0 {
            return false;
        }
        let sure = counts & sure;
        let sure_bits = sure.to_bitmask() as u32;
        let number = leaf.number(self.lane, table);
        sure.select(low, end_low).store_array(&mut rays.low[group]);
        sure.select(high, end_high)
            .store_array(&mut rays.high[group]);
        let numbers = u32x16::load_array_ref(simd, &rays.entry[group]);
        sure.select(u32x16::splat(simd, number), numbers)
            .store_array(&mut rays.entry[group]);
        let close = counting & !sure_bits;
        if close != 0 {
            settle(exact, group, close, number, rays, table);
        }
        true
    }

    /// Does the same for a flat triangle.
    #[cold]
    #[inline(never)]
    pub fn test_flat(
        &self,
        simd: S,
        exact: Exact<'_>,
        group: usize,
        rays: &mut TileRays,
        leaf: &mut LeafEntries,
        table: &mut TriangleTable,
    ) {
        let group = group % GROUP;
        let x = load(simd, &rays.slope[0][group]);
        let y = load(simd, &rays.slope[1][group]);
        let [u, v, w] = self.edges;
        let (u, v, w) = (u.at(x, y), v.at(x, y), w.at(x, y));
        let (least, greatest) = (u.min(v).min(w), u.max(v).max(w));
        let outside = least.simd_lt(-self.edge_error) & greatest.simd_gt(self.edge_error);
        let open = load(simd, &rays.low[group]).simd_lt(f32x16::splat(simd, f32::INFINITY));
        let close = (open & !outside).to_bitmask() as u32;
        if close != 0 {
            let number = leaf.number(self.lane, table);
            settle(exact, group, close, number, rays, table);
        }
    }
}

/// Finds which of eight triangles, given as bits, a ray hits. Returns whether its end may have
/// changed.
#[inline(always)]
#[expect(
    clippy::too_many_arguments,
    reason = "the state of a traversal, in registers"
)]
pub fn test_ray<S: Simd>(
    simd: S,
    exact: Exact<'_>,
    (group, lane): (usize, usize),
    shapes: &TileTriangles,
    upright: u32,
    rays: &mut TileRays,
    leaf: &mut LeafEntries,
    table: &mut TriangleTable,
) -> bool {
    let (group, lane) = (group % GROUP, lane % GROUP);
    let x = f32x8::splat(simd, rays.slope[0][group][lane]);
    let y = f32x8::splat(simd, rays.slope[1][group][lane]);
    let u = value(simd, &shapes.edges[0], x, y);
    let v = value(simd, &shapes.edges[1], x, y);
    let w = value(simd, &shapes.edges[2], x, y);
    let least = u.min(v).min(w);
    let place = value(simd, &shapes.place, x, y);
    let error = f32x8::load_array_ref(simd, &shapes.edge_error);
    let place_error = f32x8::load_array_ref(simd, &shapes.place_error);
    let (low, high) = (place - place_error, place + place_error);
    let end = f32x8::splat(simd, rays.low[group][lane]);
    let mut counts = least.simd_ge(-error) & high.simd_ge(end);
    let mut inside = least.simd_gt(error);
    if exact.beam.has_starts {
        let start_low = f32x8::splat(simd, rays.start_low[group][lane]);
        let start_high = f32x8::splat(simd, rays.start_high[group][lane]);
        counts &= low.simd_le(start_high);
        inside &= high.simd_le(start_low);
    }
    let mut counting = counts.to_bitmask() as u32 & upright;
    if counting == 0 {
        return false;
    }
    let inside = inside.to_bitmask() as u32;
    let (low, high) = (low.to_array(), high.to_array());
    while counting != 0 {
        let place = counting.trailing_zeros() as usize % WIDTH;
        counting &= counting - 1;
        if inside >> place & 1 == 1 && low[place] > rays.high[group][lane] {
            rays.low[group][lane] = low[place];
            rays.high[group][lane] = high[place];
            rays.entry[group][lane] = leaf.number(place, table);
        } else if high[place] >= rays.low[group][lane] {
            let number = leaf.number(place, table);
            settle(exact, group, 1 << lane, number, rays, table);
        }
    }
    true
}

/// Returns the value of each triangle's function for a ray.
#[inline(always)]
fn value<S: Simd>(simd: S, linear: &Linear, x: f32x8<S>, y: f32x8<S>) -> f32x8<S> {
    let sum = f32x8::load_array_ref(simd, &linear.middle);
    let sum = y.mul_add(f32x8::load_array_ref(simd, &linear.slope[1]), sum);
    x.mul_add(f32x8::load_array_ref(simd, &linear.slope[0]), sum)
}

/// Decides by exact arithmetic whether rays of a group, given as bits, hit a triangle before
/// anything else that they hit. Where two hits are too close for `f32` to order them, the ray is
/// marked to be traced alone.
#[cold]
#[inline(never)]
fn settle(
    exact: Exact<'_>,
    group: usize,
    close: u32,
    number: u32,
    rays: &mut TileRays,
    table: &TriangleTable,
) {
    let (prim, triangle) = table.triangle(exact.tree.view(), number);
    let mut close = close & rays.fitting[group];
    while close != 0 {
        let lane = close.trailing_zeros() as usize % GROUP;
        close &= close - 1;
        let ray = exact.rays.get(group * GROUP + lane);
        let (end_low, end_high) = (&mut rays.low[group][lane], &mut rays.high[group][lane]);
        let Some(ray) = ray.and_then(PreparedRay::new) else {
            (*end_low, *end_high) = (f32::INFINITY, f32::INFINITY);
            continue;
        };
        let Some(touch) = ray.touch(prim, &triangle, f64::INFINITY) else {
            continue;
        };
        let along = ray.dir()[exact.beam.frame.axes[2]].abs();
        let [low, high] = places([touch.t_low(), touch.t_high()], along);
        // Without an earlier hit, the end is the ray's own, and the hit is known to be within.
        if rays.entry[group][lane] == 0 || low > *end_high {
            (*end_low, *end_high) = (low, high);
            rays.entry[group][lane] = number;
        } else if high >= *end_low {
            rays.alone[group] |= 1 << lane;
            (*end_low, *end_high) = (f32::INFINITY, f32::INFINITY);
        }
    }
}

/// Returns bounds of `1 / Z` of a hit with these bounds of its parameter.
///
/// In `f64` they are off by a few times 2^-53, and then rounded to `f32`, or off by 2^-150.
fn places([first, last]: [f64; 2], along: f64) -> [f32; 2] {
    let low = match last > 0.0 {
        true => (1.0 / (last * along)) as f32,
        false => f32::INFINITY,
    };
    let high = match first > 0.0 {
        true => (1.0 / (first * along)) as f32,
        false => f32::INFINITY,
    };
    [
        (low * (1.0 - 4.0 * U) - f32::MIN_POSITIVE).clamp(0.0, f32::MAX),
        high * (1.0 + 4.0 * U) + f32::MIN_POSITIVE,
    ]
}
