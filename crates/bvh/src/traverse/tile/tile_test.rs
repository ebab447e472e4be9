//! Tests the rays of a tile against triangles: sixteen rays against one, or one ray against eight.
//!
//! Two numbers bound the end that matters to each ray: its own, or the first hit so far. A hit that
//! is certain, certainly after the ray's start and certainly before that, replaces it, or is enough
//! where any hit is wanted; a triangle that is missed, or certainly hit before the start or behind
//! that, is ignored. Anything else is a close call, for exact arithmetic (`exact_fallback.rs`). NaN is
//! never inside or outside, early or late: it makes a close call.

use super::exact_fallback::Exact;
use super::ray_rows::{GROUP, RayRows, load, sixteen};
use super::tile_mesh::TileMesh;
use super::tile_rays::{NUMBERS, TileRays};
use super::tile_triangles::{TileTriangles, TriangleRow};
use super::triangle_lanes::{EdgeLanes, LinearLanes, PlaceLanes};
use super::triangle_table::LeafEntries;
use crate::wide::WIDTH;
use fearless_simd::{Select, Simd, SimdBase, SimdFloat, SimdMask, f32x8, f32x16, u32x16};

/// One triangle, in all lanes.
pub struct OneTriangle<S: Simd> {
    edges: EdgeLanes<f32x16<S>>,
    lane: usize,
}

impl<S: Simd> OneTriangle<S> {
    #[inline(always)]
    pub fn of(simd: S, triangles: &TileTriangles, lane: usize) -> Self {
        let lane = lane % WIDTH;
        OneTriangle {
            edges: EdgeLanes::of(
                triangles,
                #[inline(always)]
                |row: &TriangleRow| sixteen(simd, row[lane]),
            ),
            lane,
        }
    }

    #[inline(always)]
    fn places(&self, simd: S, triangles: &TileTriangles) -> PlaceLanes<f32x16<S>> {
        let lane = self.lane % WIDTH;
        PlaceLanes::of(
            triangles,
            #[inline(always)]
            |row: &TriangleRow| sixteen(simd, row[lane]),
        )
    }

    /// Returns which groups of rays from one point may hit it, as bits, of those given.
    #[inline(always)]
    pub fn groups(&self, simd: S, triangles: &TileTriangles, rays: &TileRays, active: u32) -> u32 {
        let [u, v, w] = self.edges.edges;
        let least = greatest(simd, u, rays).min(greatest(simd, v, rays));
        let least = least.min(greatest(simd, w, rays));
        let inside = self.edges.error.mul_add(sixteen(simd, 2.0), least);
        let places = self.places(simd, triangles);
        let LinearLanes { middle, factor } = places.place;
        let [x, y, ..] = factor;
        // The greatest value of the opposite function.
        let negated = LinearLanes {
            middle: -middle,
            factor: [-x, -y, x, x, x],
        };
        let nearest =
            (places.place_error).mul_add(sixteen(simd, 2.0), greatest(simd, negated, rays));
        let met =
            inside.simd_ge(sixteen(simd, 0.0)) & nearest.simd_ge(-load(simd, &rays.hulls.last));
        met.to_bitmask() as u32 & active
    }

    /// Returns in which groups the triangle certainly lies between the ends of all rays, as bits.
    #[inline(always)]
    pub fn between(&self, simd: S, triangles: &TileTriangles, rays: &TileRays) -> u32 {
        let nearest = sixteen(simd, triangles.nearest[self.lane % WIDTH]);
        let farthest = sixteen(simd, triangles.farthest[self.lane % WIDTH]);
        let between = nearest.simd_gt(load(simd, &rays.hulls.inner_first))
            & farthest.simd_lt(load(simd, &rays.hulls.inner_last));
        between.to_bitmask() as u32
    }

    /// Finds which rays of a group hit the triangle, which may lie between all ends. Returns whether
    /// the ends of any may have changed, or if `ANY` hit will do whether there is one.
    #[inline(always)]
    pub fn test<M: TileMesh, const SHARED: bool, const ANY: bool>(
        &self,
        simd: S,
        exact: Exact<'_, M>,
        triangles: &TileTriangles,
        (group, is_between): (usize, bool),
        rays: &mut TileRays,
        leaf: &mut LeafEntries<'_>,
    ) -> bool {
        let group = group % GROUP;
        let numbers = numbers(simd, rays, group);
        let sides = self.edges.sides::<S, SHARED>(numbers);
        let alive = rays.alive::<SHARED>(group);
        let mut missed = sides.outside;
        if !SHARED && alive & !(missed.to_bitmask() as u32) == 0 {
            return false;
        }
        let mut inside = sides.inside;
        let mut counts = alive & !(missed.to_bitmask() as u32);
        if !ANY || !is_between {
            let places = self.places(simd, triangles);
            let (low, high) = self
                .edges
                .places::<S, SHARED>(simd, &places, numbers, &sides);
            let ends = [&rays.last[0][group], &rays.last[1][group]];
            let (end_low, end_high) = (load(simd, ends[0]), load(simd, ends[1]));
            missed |= low.simd_gt(end_high);
            inside &= high.simd_lt(end_low);
            if exact.beam.has_starts {
                missed |= high.simd_lt(load(simd, &rays.first[0][group]));
                inside &= low.simd_gt(load(simd, &rays.first[1][group]));
            }
            counts = alive & !(missed.to_bitmask() as u32);
            if counts == 0 {
                return false;
            }
            if !ANY {
                let number = u32x16::splat(simd, leaf.number(self.lane));
                let entries = u32x16::load_array_ref(simd, &rays.entry[group]);
                let entries = inside.select(number, entries);
                entries.store_array(&mut rays.entry[group]);
                (inside.select(low, end_low)).store_array(&mut rays.last[0][group]);
                (inside.select(high, end_high)).store_array(&mut rays.last[1][group]);
            }
        }
        if ANY {
            let place = (leaf.leaf, self.lane);
            counts = (rays.skips).leave_rays(simd, exact, group, place, counts);
        }
        let mut sure = inside.to_bitmask() as u32 & counts;
        let close = counts & !sure;
        if close != 0 {
            sure |= settle::<M, SHARED, ANY>(exact, rays, group, close, leaf, self.lane);
        }
        if ANY { rays.hit(group, sure) } else { true }
    }

    /// Does the same for a flat triangle and rays from one point.
    #[cold]
    #[inline(never)]
    pub fn test_flat<M: TileMesh>(
        &self,
        simd: S,
        exact: Exact<'_, M>,
        group: usize,
        rays: &mut TileRays,
        leaf: &mut LeafEntries<'_>,
    ) {
        let group = group % GROUP;
        let [u, v, w] = self
            .edges
            .sides::<S, true>(numbers(simd, rays, group))
            .values;
        let (least, greatest) = (u.min(v).min(w), u.max(v).max(w));
        let error = self.edges.error;
        let outside = least.simd_lt(-error) & greatest.simd_gt(error);
        let open = load(simd, &rays.last[1][group]).simd_gt(sixteen(simd, f32::NEG_INFINITY));
        let close = (open & !outside).to_bitmask() as u32;
        if close != 0 {
            settle::<M, true, false>(exact, rays, group, close, leaf, self.lane);
        }
    }
}

/// Returns the numbers of the rays of a group.
#[inline(always)]
fn numbers<S: Simd>(simd: S, rays: &TileRays, group: usize) -> [f32x16<S>; NUMBERS] {
    let [sx, sy, ox, oy, m] = &rays.numbers;
    [
        load(simd, &sx[group]),
        load(simd, &sy[group]),
        load(simd, &ox[group]),
        load(simd, &oy[group]),
        load(simd, &m[group]),
    ]
}

/// Returns the greatest value that a function has in each group of rays from one point.
#[inline(always)]
fn greatest<S: Simd>(simd: S, linear: LinearLanes<f32x16<S>>, rays: &TileRays) -> f32x16<S> {
    let [middle_x, middle_y] = &rays.hulls.middle;
    let [radius_x, radius_y] = &rays.hulls.radius;
    let [x, y, ..] = linear.factor;
    let sum = load(simd, middle_y).mul_add(y, linear.middle);
    let sum = load(simd, middle_x).mul_add(x, sum);
    let sum = y.abs().mul_add(load(simd, radius_y), sum);
    x.abs().mul_add(load(simd, radius_x), sum)
}

/// Finds which of the triangles of a leaf, given as bits, a ray hits. Returns whether its end may have
/// changed, or if `ANY` hit will do whether there is one.
#[inline(always)]
pub fn test_ray<S: Simd, M: TileMesh, const SHARED: bool, const ANY: bool>(
    simd: S,
    exact: Exact<'_, M>,
    (group, lane): (usize, usize),
    (triangles, passed): (&TileTriangles, u32),
    rays: &mut TileRays,
    leaf: &mut LeafEntries<'_>,
) -> bool {
    let (group, lane) = (group % GROUP, lane % GROUP);
    let ray = (group, lane);
    let [sx, sy, ox, oy, m] = &rays.numbers;
    let numbers = [
        one(simd, sx, ray),
        one(simd, sy, ray),
        one(simd, ox, ray),
        one(simd, oy, ray),
        one(simd, m, ray),
    ];
    let edges = EdgeLanes::of(
        triangles,
        #[inline(always)]
        |row: &TriangleRow| f32x8::load_array_ref(simd, row),
    );
    let sides = edges.sides::<S, SHARED>(numbers);
    let mut missed = sides.outside;
    if !SHARED && passed & !(missed.to_bitmask() as u32) == 0 {
        return false;
    }
    let places = PlaceLanes::of(
        triangles,
        #[inline(always)]
        |row: &TriangleRow| f32x8::load_array_ref(simd, row),
    );
    let (low, high) = edges.places::<S, SHARED>(simd, &places, numbers, &sides);
    missed |= low.simd_gt(one(simd, &rays.last[1], ray));
    let mut inside = sides.inside;
    if exact.beam.has_starts {
        missed |= high.simd_lt(one(simd, &rays.first[0], ray));
        inside &= low.simd_gt(one(simd, &rays.first[1], ray));
    }
    let mut counts = passed & !(missed.to_bitmask() as u32);
    if counts == 0 {
        return false;
    }
    if ANY {
        counts = (rays.skips).leave_triangles(simd, exact, ray, leaf.leaf, counts);
        inside &= high.simd_lt(one(simd, &rays.last[0], ray));
        let mut hit = inside.to_bitmask() as u32 & counts != 0;
        while !hit && counts != 0 {
            let place = counts.trailing_zeros() as usize;
            counts &= counts - 1;
            hit = settle::<M, SHARED, ANY>(exact, rays, group, 1 << lane, leaf, place) != 0;
        }
        return hit && rays.hit(group, 1 << lane);
    }
    let inside = inside.to_bitmask() as u32;
    let (low, high) = (low.to_array(), high.to_array());
    while counts != 0 {
        let place = counts.trailing_zeros() as usize % WIDTH;
        counts &= counts - 1;
        let is_late = low[place] > rays.last[1][group][lane];
        if inside >> place & 1 == 1 && high[place] < rays.last[0][group][lane] {
            rays.last[0][group][lane] = low[place];
            rays.last[1][group][lane] = high[place];
            rays.entry[group][lane] = leaf.number(place);
        } else if !is_late {
            settle::<M, SHARED, ANY>(exact, rays, group, 1 << lane, leaf, place);
        }
    }
    true
}

/// Returns a number of a ray, in all lanes.
#[inline(always)]
fn one<S: Simd>(simd: S, rows: &RayRows, (group, lane): (usize, usize)) -> f32x8<S> {
    f32x8::splat(simd, rows[group][lane])
}

/// Decides by exact arithmetic which rays of a group, given as bits, hit the triangle at a place.
#[inline(always)]
fn settle<M: TileMesh, const SHARED: bool, const ANY: bool>(
    exact: Exact<'_, M>,
    rays: &mut TileRays,
    group: usize,
    close: u32,
    leaf: &mut LeafEntries<'_>,
    place: usize,
) -> u32 {
    let number = if ANY { 0 } else { leaf.number(place) };
    exact.settle::<SHARED, ANY>(rays, group, close, (leaf.leaf, place), number)
}

impl TileRays {
    /// Returns the rays of a group among which hits are looked for, as bits. Those from one point are
    /// all of them: where a ray needs nothing more, or does not belong to the tile, its end is `-inf`,
    /// and exact arithmetic takes only those that belong to it.
    #[inline(always)]
    pub(super) fn alive<const SHARED: bool>(&self, group: usize) -> u32 {
        if SHARED { 0xffff } else { self.alive[group] }
    }

    /// Records that rays of a group, given as bits, have a hit. Returns whether there are any.
    #[inline(always)]
    fn hit(&mut self, group: usize, sure: u32) -> bool {
        self.alive[group] &= !sure;
        if self.alive[group] == 0 {
            self.hulls.end(group);
        }
        sure != 0
    }
}
