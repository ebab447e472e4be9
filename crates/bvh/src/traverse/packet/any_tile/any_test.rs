//! Tests the rays of a tile for any hit against triangles: sixteen rays against one, or one ray
//! against eight.
//!
//! A ray has a hit where a triangle is certainly hit between its ends. A triangle that is missed, or
//! certainly hit beyond an end, is ignored. Anything else is a close call, for exact arithmetic.
//! NaN is never inside or outside, early or late: it makes a close call.

use super::super::tile::tile_rays::GROUP;
use super::any_rays::{AnyBeam, AnyRays, NUMBERS, load};
use super::any_triangles::{AnyEdge, AnyTriangles};
use crate::wide::{WIDTH, WideTree};
use estoc_core::Ray;
use estoc_core::exact::PreparedRay;
use fearless_simd::{Select, Simd, SimdBase, SimdFloat, SimdMask, f32x8, f32x16, mask32x16};

/// The exact rays of a tile and the triangles of its tree.
#[derive(Clone, Copy)]
pub struct Exact<'a> {
    pub rays: &'a [Ray],
    pub tree: &'a WideTree,
    pub beam: &'a AnyBeam,
}

/// A leaf: its first slot and its length.
pub type Leaf = (usize, usize);

/// An edge function of one triangle, in all lanes.
#[derive(Clone, Copy)]
struct EdgeIn16<S: Simd> {
    middle: f32x16<S>,
    factor: [f32x16<S>; NUMBERS],
}

impl<S: Simd> EdgeIn16<S> {
    #[inline(always)]
    fn of(simd: S, edge: &AnyEdge, lane: usize) -> Self {
        let splat = |x: f32| f32x16::splat(simd, x);
        let [sx, sy, ox, oy, m] = &edge.factor;
        EdgeIn16 {
            middle: splat(edge.middle[lane]),
            factor: [
                splat(sx[lane]),
                splat(sy[lane]),
                splat(ox[lane]),
                splat(oy[lane]),
                splat(m[lane]),
            ],
        }
    }

    /// Returns the value for rays with these numbers.
    #[inline(always)]
    fn at(&self, numbers: [f32x16<S>; NUMBERS]) -> f32x16<S> {
        let [sx, sy, ox, oy, m] = self.factor;
        let sum = numbers[4].mul_add(m, self.middle);
        let sum = numbers[3].mul_add(oy, sum);
        let sum = numbers[2].mul_add(ox, sum);
        let sum = numbers[1].mul_add(sy, sum);
        numbers[0].mul_add(sx, sum)
    }
}

#[inline(always)]
fn numbers<S: Simd>(simd: S, rows: [&[f32; GROUP]; NUMBERS]) -> [f32x16<S>; NUMBERS] {
    let [sx, sy, ox, oy, m] = rows;
    [
        load(simd, sx),
        load(simd, sy),
        load(simd, ox),
        load(simd, oy),
        load(simd, m),
    ]
}

/// One triangle, in all lanes.
pub struct OneTriangle<S: Simd> {
    edges: [EdgeIn16<S>; 3],
    error: f32x16<S>,
    lane: usize,
}

impl<S: Simd> OneTriangle<S> {
    #[inline(always)]
    pub fn of(simd: S, shapes: &AnyTriangles, lane: usize) -> Self {
        let lane = lane % WIDTH;
        let [u, v, w] = &shapes.edges;
        OneTriangle {
            edges: [
                EdgeIn16::of(simd, u, lane),
                EdgeIn16::of(simd, v, lane),
                EdgeIn16::of(simd, w, lane),
            ],
            error: f32x16::splat(simd, shapes.error[lane]),
            lane,
        }
    }

    /// Returns in which groups the triangle certainly lies between the ends of all rays, as bits.
    #[inline(always)]
    pub fn between(&self, simd: S, shapes: &AnyTriangles, rays: &AnyRays) -> u32 {
        let nearest = f32x16::splat(simd, shapes.nearest[self.lane]);
        let farthest = f32x16::splat(simd, shapes.farthest[self.lane]);
        let between = nearest.simd_gt(load(simd, &rays.hulls.inner_first))
            & farthest.simd_lt(load(simd, &rays.hulls.inner_last));
        between.to_bitmask() as u32
    }

    /// Finds which rays of a group hit the triangle, which may lie between all ends. Returns
    /// whether any does.
    #[inline(always)]
    pub fn test(
        &self,
        simd: S,
        exact: Exact<'_>,
        shapes: &AnyTriangles,
        (group, is_between): (usize, bool),
        rays: &mut AnyRays,
        leaf: Leaf,
    ) -> bool {
        let group = group % GROUP;
        let [sx, sy, ox, oy, m] = &rays.numbers;
        let rows = [&sx[group], &sy[group], &ox[group], &oy[group], &m[group]];
        let numbers = numbers(simd, rows);
        let [u, v, w] = &self.edges;
        let (u, v, w) = (u.at(numbers), v.at(numbers), w.at(numbers));
        let (least, greatest) = (u.min(v).min(w), u.max(v).max(w));
        let outside = greatest.simd_gt(self.error) & least.simd_lt(-self.error);
        let alive = rays.alive[group];
        let mut counts = alive & !(outside.to_bitmask() as u32);
        if counts == 0 {
            return false;
        }
        counts = (rays.skips).leave_rays(simd, exact.tree, group, (leaf, self.lane), counts);
        let inside = least.simd_gt(self.error) | greatest.simd_lt(-self.error);
        let mut sure = counts & inside.to_bitmask() as u32;
        if !is_between {
            let (low, high) = self.place(simd, shapes, (u, v, w), inside);
            let early = high.simd_lt(load(simd, &rays.first[0][group]));
            let late = low.simd_gt(load(simd, &rays.last[1][group]));
            counts &= !((early | late).to_bitmask() as u32);
            let within = low.simd_gt(load(simd, &rays.first[1][group]))
                & high.simd_lt(load(simd, &rays.last[0][group]));
            sure &= counts & within.to_bitmask() as u32;
        }
        let close = counts & !sure;
        if close != 0 {
            sure |= settle(exact, group, close, (leaf, self.lane));
        }
        rays.hit(group, sure)
    }

    /// Returns bounds of where rays with these edge functions may hit the triangle.
    #[inline(always)]
    fn place(
        &self,
        simd: S,
        shapes: &AnyTriangles,
        (u, v, w): (f32x16<S>, f32x16<S>, f32x16<S>),
        inside: mask32x16<S>,
    ) -> (f32x16<S>, f32x16<S>) {
        let splat = |row: &[f32; WIDTH]| f32x16::splat(simd, row[self.lane % WIDTH]);
        let inverse = f32x16::splat(simd, 1.0) / (u + v + w);
        let a = splat(&shapes.corners[0]);
        let b = splat(&shapes.corners[1]);
        let c = splat(&shapes.corners[2]);
        // Weights first: a product with an edge function might overflow.
        let at = (v * inverse).mul_add(b, (w * inverse) * c);
        let at = (u * inverse).mul_add(a, at) + splat(&shapes.middle);
        let off = inverse.abs() * self.error;
        let off = off.mul_add(splat(&shapes.spread), splat(&shapes.besides));
        (
            inside.select(at - off, splat(&shapes.nearest)),
            inside.select(at + off, splat(&shapes.farthest)),
        )
    }
}

/// Returns the value of each triangle's edge function for a ray.
#[inline(always)]
fn value<S: Simd>(simd: S, edge: &AnyEdge, ray: [f32x8<S>; NUMBERS]) -> f32x8<S> {
    let [sx, sy, ox, oy, m] = ray;
    let sum = f32x8::load_array_ref(simd, &edge.middle);
    let sum = m.mul_add(f32x8::load_array_ref(simd, &edge.factor[4]), sum);
    let sum = oy.mul_add(f32x8::load_array_ref(simd, &edge.factor[3]), sum);
    let sum = ox.mul_add(f32x8::load_array_ref(simd, &edge.factor[2]), sum);
    let sum = sy.mul_add(f32x8::load_array_ref(simd, &edge.factor[1]), sum);
    sx.mul_add(f32x8::load_array_ref(simd, &edge.factor[0]), sum)
}

/// Finds whether a ray hits one of the triangles of a leaf, given as bits.
#[inline(always)]
pub fn test_ray<S: Simd>(
    simd: S,
    exact: Exact<'_>,
    (group, lane): (usize, usize),
    (shapes, passed): (&AnyTriangles, u32),
    rays: &mut AnyRays,
    leaf: Leaf,
) -> bool {
    let (group, lane) = (group % GROUP, lane % GROUP);
    let splat = |rows: &[[f32; GROUP]; GROUP]| f32x8::splat(simd, rows[group][lane]);
    let row = |row: &[f32; WIDTH]| f32x8::load_array_ref(simd, row);
    let [sx, sy, ox, oy, m] = &rays.numbers;
    let (sx, sy, ox, oy, m) = (splat(sx), splat(sy), splat(ox), splat(oy), splat(m));
    let numbers = [sx, sy, ox, oy, m];
    let u = value(simd, &shapes.edges[0], numbers);
    let v = value(simd, &shapes.edges[1], numbers);
    let w = value(simd, &shapes.edges[2], numbers);
    let error = row(&shapes.error);
    let (least, greatest) = (u.min(v).min(w), u.max(v).max(w));
    let outside = greatest.simd_gt(error) & least.simd_lt(-error);
    let mut counts = passed & !(outside.to_bitmask() as u32);
    if counts == 0 {
        return false;
    }
    counts = (rays.skips).leave_triangles(simd, exact.tree, (group, lane), leaf, counts);
    let inside = least.simd_gt(error) | greatest.simd_lt(-error);
    let inverse = f32x8::splat(simd, 1.0) / (u + v + w);
    let at = (v * inverse).mul_add(
        row(&shapes.corners[1]),
        (w * inverse) * row(&shapes.corners[2]),
    );
    let at = (u * inverse).mul_add(row(&shapes.corners[0]), at) + row(&shapes.middle);
    let off = inverse.abs() * error;
    let off = off.mul_add(row(&shapes.spread), row(&shapes.besides));
    let low = inside.select(at - off, row(&shapes.nearest));
    let high = inside.select(at + off, row(&shapes.farthest));
    let beyond = high.simd_lt(splat(&rays.first[0])) | low.simd_gt(splat(&rays.last[1]));
    counts &= !(beyond.to_bitmask() as u32);
    let within = low.simd_gt(splat(&rays.first[1])) & high.simd_lt(splat(&rays.last[0]));
    let mut hit = (within & inside).to_bitmask() as u32 & counts != 0;
    while !hit && counts != 0 {
        let place = counts.trailing_zeros() as usize;
        counts &= counts - 1;
        hit = settle(exact, group, 1 << lane, (leaf, place)) != 0;
    }
    hit && rays.hit(group, 1 << lane)
}

impl AnyRays {
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

/// Decides by exact arithmetic which rays of a group, given as bits, hit a triangle.
#[cold]
#[inline(never)]
fn settle(
    exact: Exact<'_>,
    group: usize,
    mut close: u32,
    ((first, len), place): (Leaf, usize),
) -> u32 {
    let (prim, triangle) = exact.tree.triangle(first, len, place);
    let mut hit = 0;
    while close != 0 {
        let lane = close.trailing_zeros() as usize % GROUP;
        close &= close - 1;
        let ray = exact.rays.get(group * GROUP + lane);
        let touch = ray
            .and_then(PreparedRay::new)
            .and_then(|ray| ray.touch(prim, &triangle, f64::INFINITY));
        hit |= u32::from(touch.is_some()) << lane;
    }
    hit
}
