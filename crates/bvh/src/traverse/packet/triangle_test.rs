//! Tests all rays of a packet against one triangle.
//!
//! Two numbers bound the end that matters to each ray: the ray's own end, which is rounded, or the
//! position of the first hit so far. A hit that is certain, and certainly after the start and
//! before that end, replaces it; a triangle that is missed, or certainly hit before the start or
//! behind the end, is ignored. Anything else is a close call, for exact arithmetic
//! (`exact_fallback.rs`).
//!
//! NaN is never inside or outside, early or late: it makes a close call.

use super::beam_rays::BeamRays;
use super::exact_fallback::ExactFallback;
use super::packet_vectors::{bits, load, of_vector, store};
use super::prepared_triangles::{Edge, PreparedTriangles};
use super::ray_arrays::RAYS;
use crate::wide::Tag;
use fearless_simd::{Select, Simd, SimdBase, SimdFloat, SimdMask};

/// The results of the rays of a packet so far.
pub struct FoundHits {
    /// The leaf of the first hit so far, and a tag with the place in it, which is 0 if there is no
    /// hit.
    pub leaf: [u32; RAYS],
    pub tag: [u32; RAYS],
    /// Rays that need nothing more: those that have a hit where one suffices.
    pub done: u64,
    /// Rays with two hits so close to each other that they have to be traced alone.
    pub alone: u64,
}

impl FoundHits {
    pub fn new() -> Self {
        FoundHits {
            leaf: [0; RAYS],
            tag: [0; RAYS],
            done: 0,
            alone: 0,
        }
    }

    /// Clears the results for other rays.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.tag = [0; RAYS];
        (self.done, self.alone) = (0, 0);
    }
}

/// A triangle, and the rays that may reach it.
#[derive(Clone, Copy)]
pub struct Candidate {
    /// The first slot of its leaf; and a tag with the number of triangles in the leaf, and its
    /// place instead of a lane.
    pub leaf: u32,
    pub tag: Tag,
    /// The rays, as bits.
    pub active: u64,
}

/// Finds which rays hit a prepared triangle. Returns whether the results or ends of any ray may
/// have changed.
#[inline(always)]
pub fn test_triangle<S: Simd, const SHARED: bool, const ANY: bool>(
    simd: S,
    shapes: &PreparedTriangles,
    candidate: Candidate,
    judge: ExactFallback<'_>,
    rays: &mut BeamRays,
    found: &mut FoundHits,
) -> bool {
    let Candidate { leaf, tag, active } = candidate;
    let place = tag.lane();
    let error = S::f32s::splat(simd, shapes.error[place]);
    let mut changed = false;
    for vector in rays.part.vectors::<S>() {
        if of_vector::<S>(active, vector) == 0 {
            continue;
        }
        let u = edge::<S, SHARED>(simd, &shapes.edges[0], place, rays, vector);
        let v = edge::<S, SHARED>(simd, &shapes.edges[1], place, rays, vector);
        let w = edge::<S, SHARED>(simd, &shapes.edges[2], place, rays, vector);
        let (least, greatest) = (u.min(v).min(w), u.max(v).max(w));
        let outside = greatest.simd_gt(error) & least.simd_lt(-error);
        if outside.all_true() {
            continue;
        }
        // Where they meet it.
        let inside = least.simd_gt(error) | greatest.simd_lt(-error);
        let middle = S::f32s::splat(simd, shapes.middle[place]);
        let inverse = S::f32s::splat(simd, 1.0) / (u + v + w);
        let a = S::f32s::splat(simd, shapes.corners[0][place]);
        let b = S::f32s::splat(simd, shapes.corners[1][place]);
        let c = S::f32s::splat(simd, shapes.corners[2][place]);
        // Weights first: a product with an edge function might overflow.
        let at = (v * inverse).mul_add(b, (w * inverse) * c);
        let at = (u * inverse).mul_add(a, at) + middle;
        let off = (inverse.abs() * error).mul_add(
            S::f32s::splat(simd, shapes.spread[place]),
            S::f32s::splat(simd, shapes.besides[place]),
        );
        let nearest = S::f32s::splat(simd, shapes.nearest[place]);
        let farthest = S::f32s::splat(simd, shapes.farthest[place]);
        let low = inside.select(at - off, nearest);
        let high = inside.select(at + off, farthest);

        let (end_low, end_high) = (
            load(simd, &rays.low, vector),
            load(simd, &rays.high, vector),
        );
        let early = high.simd_lt(load(simd, &rays.from[0], vector));
        let late = low.simd_gt(end_high);
        let counts = !(outside | early | late);
        let counting = counts.to_bitmask();
        if counting == 0 {
            continue;
        }
        changed = true;
        let sure = inside
            & counts
            & low.simd_ge(load(simd, &rays.from[1], vector))
            & high.simd_lt(end_low);
        let sure_bits = sure.to_bitmask();
        if ANY {
            let never = S::f32s::splat(simd, f32::NEG_INFINITY);
            found.done |= bits::<S>(sure_bits, vector);
            store::<S, _>(&mut rays.high, vector, sure.select(never, end_high));
        } else {
            store::<S, _>(&mut rays.low, vector, sure.select(low, end_low));
            store::<S, _>(&mut rays.high, vector, sure.select(high, end_high));
            mark::<S>(found, sure_bits, vector, leaf, tag);
        }
        let close = counting & !sure_bits;
        if close != 0 {
            let close = bits::<S>(close, vector);
            judge.settle::<ANY>(close, candidate, rays, found);
        }
    }
    changed
}

#[inline(always)]
fn mark<S: Simd>(found: &mut FoundHits, mut sure: u64, vector: usize, leaf: u32, tag: Tag) {
    while sure != 0 {
        let lane = vector * S::f32s::LEN + sure.trailing_zeros() as usize;
        sure &= sure - 1;
        found.leaf[lane % RAYS] = leaf;
        found.tag[lane % RAYS] = tag.0;
    }
}

#[inline(always)]
fn edge<S: Simd, const SHARED: bool>(
    simd: S,
    edge: &Edge,
    place: usize,
    rays: &BeamRays,
    vector: usize,
) -> S::f32s {
    let slope_x = load(simd, &rays.slope[0], vector);
    let slope_y = load(simd, &rays.slope[1], vector);
    let mut sum = S::f32s::splat(simd, edge.middle[place]);
    sum = slope_x.mul_add(S::f32s::splat(simd, edge.slope[0][place]), sum);
    sum = slope_y.mul_add(S::f32s::splat(simd, edge.slope[1][place]), sum);
    if !SHARED {
        let offset_x = load(simd, &rays.offset[0], vector);
        let offset_y = load(simd, &rays.offset[1], vector);
        let moment = load(simd, &rays.moment, vector);
        sum = offset_x.mul_add(S::f32s::splat(simd, edge.offset[0][place]), sum);
        sum = offset_y.mul_add(S::f32s::splat(simd, edge.offset[1][place]), sum);
        sum = moment.mul_add(S::f32s::splat(simd, edge.moment[place]), sum);
    }
    sum
}
