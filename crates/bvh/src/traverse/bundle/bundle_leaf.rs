//! Tests rays of a bundle against the triangles of a leaf, one after the other.
//!
//! This decides triangles that are missed or certainly hit. A ray that passes close to an edge, or
//! meets two triangles whose order is not certain, visits the leaf alone later, where exact
//! arithmetic decides.

use super::LANES;
use super::bundle_vectors::{VECTORS, bits, load, of_vector, store};
use super::ray_bundle::{Bundle, Lanes};
use crate::traverse::edge_functions::{Edges, Line};
use crate::traverse::kernel_ray::{U, grant_all};
use crate::traverse::leaf_block::with_block;
use crate::traverse::t_spans::{Bounds, Spans, spans};
use crate::wide::{Axis, Block, LeafView, Tag, WIDTH};
use fearless_simd::{Select, Simd, SimdBase, SimdFloat, SimdMask};

/// The bound of the origin's error: the frame is the mesh's own (`kernel_ray.rs`).
const MOVED: f32 = f32::MIN_POSITIVE;

/// Tests a leaf against the rays of these lanes, which enter its box at `entry`.
#[inline(always)]
pub(super) fn visit<S: Simd, const ANY: bool>(
    simd: S,
    leaves: LeafView<'_>,
    place: u32,
    tag: Tag,
    lanes: u32,
    entry: &Lanes,
    bundle: &mut Bundle<'_>,
) {
    let len = tag.len();
    let close = with_block(
        simd,
        leaves,
        (place as usize, len),
        #[inline(always)]
        |block| test::<S, ANY>(simd, block, (place, len), lanes, bundle),
    );
    bundle.leave_leaf(close, tag, place, entry);
}

/// Tests the triangles of a leaf. Returns the rays, as bits, that have to visit it alone.
#[inline(always)]
fn test<S: Simd, const ANY: bool>(
    simd: S,
    block: Block<'_>,
    (place, len): (u32, usize),
    lanes: u32,
    bundle: &mut Bundle<'_>,
) -> u32 {
    let axes = bundle.axes();
    let mut close = 0;
    for vector in 0..VECTORS::<S>() {
        let lanes = of_vector::<S>(lanes, vector);
        if lanes == 0 {
            continue;
        }
        let bounds = bounds(simd, bundle, vector);
        let line = line(simd, bundle, vector, &bounds);
        let mut tested = Tested::before(simd, bundle, vector);
        for at in 0..len {
            let at = at % WIDTH;
            let corners = [
                corner::<S, 0>(simd, block, axes, at),
                corner::<S, 1>(simd, block, axes, at),
                corner::<S, 2>(simd, block, axes, at),
            ];
            let edges = Edges::of(simd, corners, &line, MOVED);
            let maybe = !edges.missed as u32 & lanes;
            if maybe == 0 {
                continue;
            }
            let spans = spans(simd, &edges, maybe, &bounds, MOVED);
            tested.add::<ANY>(simd, &spans, at);
        }
        let unsure = match ANY {
            true => tested.end_any(simd, bundle, vector, bounds.limit),
            false => tested.keep_nearest(simd, bundle, vector, bounds.limit, (place, len)),
        };
        close |= bits::<S>(unsure.into(), vector);
    }
    close
}

/// Returns the bounds within which hits count.
#[inline(always)]
fn bounds<S: Simd>(simd: S, bundle: &Bundle<'_>, vector: usize) -> Bounds<S::f32s> {
    Bounds {
        inverse_z: load(simd, &bundle.inverse_z, vector),
        least: load(simd, &bundle.least, vector),
        limit: load(simd, &bundle.limit, vector),
        greatest: load(simd, &bundle.greatest, vector),
    }
}

/// Returns the rays between their ends, as for one ray (`leaf_test.rs`).
#[inline(always)]
fn line<S: Simd>(
    simd: S,
    bundle: &Bundle<'_>,
    vector: usize,
    bounds: &Bounds<S::f32s>,
) -> Line<S::f32s> {
    let get = |lanes: &[f32; LANES]| load(simd, lanes, vector);
    let (from, farthest) = (get(&bundle.from), get(&bundle.farthest));
    let to = bounds.limit * get(&bundle.dir_z);
    let to = to.abs().simd_lt(farthest).select(to, farthest.copysign(to));
    let (low, high) = (from.min(to), from.max(to));
    let grant =
        |x: S::f32s| x.abs() * S::f32s::splat(simd, 4.0 * U) + S::f32s::splat(simd, 2.0 * MOVED);
    Line {
        origin: [
            get(&bundle.origin[0]),
            get(&bundle.origin[1]),
            get(&bundle.origin[2]),
        ],
        shear: [get(&bundle.shear[0]), get(&bundle.shear[1])],
        before: low - grant(low),
        behind: high + grant(high),
    }
}

/// The hits of the rays of a vector on the triangles tested so far.
struct Tested<S: Simd> {
    /// The interval of each ray's nearest hit, in this leaf or before.
    from: S::f32s,
    to: S::f32s,
    /// The triangle of the leaf that is hit.
    which: [u8; LANES],
    /// Rays that hit, and rays for which `f32` cannot tell, as bits.
    hit: u32,
    unsure: u32,
}

impl<S: Simd> Tested<S> {
    #[inline(always)]
    fn before(simd: S, bundle: &Bundle<'_>, vector: usize) -> Self {
        Tested {
            from: load(simd, &bundle.kept_from, vector),
            to: load(simd, &bundle.kept_to, vector),
            which: [0; LANES],
            hit: 0,
            unsure: 0,
        }
    }

    /// Adds the hits of the rays on triangle `at`.
    #[inline(always)]
    fn add<const ANY: bool>(&mut self, simd: S, spans: &Spans<S::f32s>, at: usize) {
        let certain = spans.passed.certain;
        self.unsure |= spans.passed.maybe & !certain;
        if ANY {
            self.hit |= certain;
            return;
        }
        if certain == 0 {
            return;
        }
        let nearer = spans.to.simd_lt(self.from).to_bitmask() as u32 & certain;
        let overlaps = spans.from.simd_le(self.to).to_bitmask() as u32;
        self.unsure |= certain & !nearer & overlaps;
        let takes = S::mask32s::from_bitmask(simd, nearer.into());
        self.from = takes.select(spans.from, self.from);
        self.to = takes.select(spans.to, self.to);
        self.hit |= nearer;
        let mut nearer = nearer;
        while nearer != 0 {
            self.which[nearer.trailing_zeros() as usize % LANES] = at as u8;
            nearer &= nearer - 1;
        }
    }

    /// Ends the rays that hit anything. Returns those that have to visit the leaf alone.
    #[inline(always)]
    fn end_any(self, simd: S, bundle: &mut Bundle<'_>, vector: usize, limit: S::f32s) -> u32 {
        let gone = S::mask32s::from_bitmask(simd, self.hit.into());
        let never = S::f32s::splat(simd, f32::NEG_INFINITY);
        store::<S, _>(&mut bundle.limit, vector, gone.select(never, limit));
        bundle.done |= bits::<S>(self.hit.into(), vector);
        self.unsure & !self.hit
    }

    /// Stores each ray's nearest hit, where it is certain. Returns the rays that have to visit the
    /// leaf alone.
    #[inline(always)]
    fn keep_nearest(
        self,
        simd: S,
        bundle: &mut Bundle<'_>,
        vector: usize,
        limit: S::f32s,
        (place, len): (u32, usize),
    ) -> u32 {
        let Tested { hit, unsure, .. } = self;
        if hit == 0 {
            return unsure;
        }
        // A hit so near exists, even if it is not certain which one is first.
        let takes = S::mask32s::from_bitmask(simd, hit.into());
        let nearer = limit.min(grant_all(simd, self.to));
        store::<S, _>(&mut bundle.limit, vector, takes.select(nearer, limit));
        let mut hit = hit & !unsure;
        let takes = S::mask32s::from_bitmask(simd, hit.into());
        let from = takes.select(self.from, load(simd, &bundle.kept_from, vector));
        let to = takes.select(self.to, load(simd, &bundle.kept_to, vector));
        store::<S, _>(&mut bundle.kept_from, vector, from);
        store::<S, _>(&mut bundle.kept_to, vector, to);
        while hit != 0 {
            let lane = hit.trailing_zeros() as usize;
            hit &= hit - 1;
            let at = usize::from(self.which[lane % LANES]);
            let lane = (vector * S::f32s::LEN + lane) % LANES;
            bundle.kept_leaf[lane] = place;
            bundle.kept_tag[lane] = Tag::new(at, len).0;
        }
        unsure
    }
}

/// Returns a corner of one triangle, for all rays.
#[inline(always)]
fn corner<S: Simd, const CORNER: usize>(
    simd: S,
    block: Block<'_>,
    [x, y, z]: [Axis; 3],
    at: usize,
) -> [S::f32s; 3] {
    [
        S::f32s::splat(simd, block.row::<CORNER>(x)[at]),
        S::f32s::splat(simd, block.row::<CORNER>(y)[at]),
        S::f32s::splat(simd, block.row::<CORNER>(z)[at]),
    ]
}
