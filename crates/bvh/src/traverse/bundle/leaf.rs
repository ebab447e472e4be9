//! Rays of a bundle against the triangles of a leaf, one after the other.
//!
//! A triangle that is missed or certainly hit is told here. For a ray that is close to the edge of
//! one, or meets two whose order is not certain, the leaf is left to be visited alone, where exact
//! arithmetic decides.

use super::LANES;
use super::lanes::{Bundle, Lanes};
use super::vectors::{VECTORS, bits, load, of_vector, store};
use crate::traverse::edges::{Edges, Line};
use crate::traverse::leaf_block::with_block;
use crate::traverse::ray::{U, grant_all};
use crate::traverse::spans::{Bounds, spans};
use crate::wide::{Axis, Block, LeafView, Tag, WIDTH};
use fearless_simd::{Select, Simd, SimdBase, SimdFloat, SimdMask};

/// The origin is where the ray's is (`ray.rs`).
const MOVED: f32 = f32::MIN_POSITIVE;

/// What the rays of these lanes hit of a leaf whose box they enter there.
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

/// Tests the triangles of a leaf; which rays, as bits, it has to be left to.
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
        let get = |lanes: &[f32; LANES]| load(simd, lanes, vector);
        let (limit, least, dir_z) = (get(&bundle.limit), get(&bundle.least), get(&bundle.dir_z));
        let (from, farthest) = (get(&bundle.from), get(&bundle.farthest));
        // As for one ray, `leaf_test.rs`.
        let to = limit * dir_z;
        let to = to.abs().simd_lt(farthest).select(to, farthest.copysign(to));
        let (low, high) = (from.min(to), from.max(to));
        let grant = |x: S::f32s| {
            x.abs() * S::f32s::splat(simd, 4.0 * U) + S::f32s::splat(simd, 2.0 * MOVED)
        };
        let line = Line {
            origin: [
                get(&bundle.origin[0]),
                get(&bundle.origin[1]),
                get(&bundle.origin[2]),
            ],
            shear: [get(&bundle.shear[0]), get(&bundle.shear[1])],
            before: low - grant(low),
            behind: high + grant(high),
        };
        let bounds = Bounds {
            inverse_z: get(&bundle.inverse_z),
            least,
            limit,
            greatest: get(&bundle.greatest),
        };
        let (mut kept_from, mut kept_to) = (get(&bundle.kept_from), get(&bundle.kept_to));
        let mut which = [0u8; LANES];
        let (mut hit, mut unsure) = (0, 0);
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
            let certain = spans.passed.certain;
            unsure |= spans.passed.maybe & !certain;
            if ANY {
                hit |= certain;
                continue;
            }
            if certain == 0 {
                continue;
            }
            let nearer = spans.to.simd_lt(kept_from).to_bitmask() as u32 & certain;
            let overlaps = spans.from.simd_le(kept_to).to_bitmask() as u32;
            unsure |= certain & !nearer & overlaps;
            let takes = S::mask32s::from_bitmask(simd, nearer.into());
            kept_from = takes.select(spans.from, kept_from);
            kept_to = takes.select(spans.to, kept_to);
            hit |= nearer;
            let mut nearer = nearer;
            while nearer != 0 {
                which[nearer.trailing_zeros() as usize % LANES] = at as u8;
                nearer &= nearer - 1;
            }
        }
        if ANY {
            let gone = S::mask32s::from_bitmask(simd, hit.into());
            let never = S::f32s::splat(simd, f32::NEG_INFINITY);
            store::<S, _>(&mut bundle.limit, vector, gone.select(never, limit));
            bundle.done |= bits::<S>(hit.into(), vector);
            close |= bits::<S>((unsure & !hit).into(), vector);
            continue;
        }
        close |= bits::<S>(unsure.into(), vector);
        if hit == 0 {
            continue;
        }
        // There is a hit so near, even if it is not known which one is the first.
        let takes = S::mask32s::from_bitmask(simd, hit.into());
        let nearer = limit.min(grant_all(simd, kept_to));
        store::<S, _>(&mut bundle.limit, vector, takes.select(nearer, limit));
        let mut hit = hit & !unsure;
        let takes = S::mask32s::from_bitmask(simd, hit.into());
        let kept_from = takes.select(kept_from, get(&bundle.kept_from));
        let kept_to = takes.select(kept_to, get(&bundle.kept_to));
        store::<S, _>(&mut bundle.kept_from, vector, kept_from);
        store::<S, _>(&mut bundle.kept_to, vector, kept_to);
        while hit != 0 {
            let lane = hit.trailing_zeros() as usize;
            hit &= hit - 1;
            let at = usize::from(which[lane % LANES]);
            let lane = (vector * S::f32s::LEN + lane) % LANES;
            bundle.kept_leaf[lane] = place;
            bundle.kept_tag[lane] = Tag::new(at, len).0;
        }
    }
    close
}

/// A corner of one triangle for all rays.
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
