//! Completes the rays of a tile.

use super::leftover_rays::LeftoverRays;
use super::ray_rows::{GROUP, load, sixteen};
use super::{Slice, TileBuffers, Traced};
use crate::wide::WideTree;
use estoc_core::exact::{PreparedRay, RoundedHits, round_sixteen};
use estoc_core::glam::Vec3;
use estoc_core::{Hit, PrimId, Queue};
use fearless_simd::{Select, Simd, SimdBase, SimdMask, f32x16, mask32x16, u32x16};

/// Completes the rays of a tile, and returns the number of those that it traced. Undefined rays are
/// not among them, and the others are left over; so are rays without a certain answer if the tile was
/// given up.
#[inline(never)]
pub(super) fn answer<'r, S: Simd, const SHARED: bool, const ANY: bool>(
    simd: S,
    tree: &WideTree,
    (place, rays): Slice<'r>,
    traced: Traced,
    buffers: &TileBuffers,
    queue: &mut Queue<'r>,
    left: &mut LeftoverRays<'r>,
) -> usize {
    simd.vectorize(
        #[inline(always)]
        || {
            let tile = &buffers.rays;
            let mut done = 0;
            for (group, rays) in rays.chunks(GROUP).enumerate() {
                let (group, slice) = (group % GROUP, (place + GROUP * group, rays));
                let known = match (traced, ANY) {
                    (Traced::Fully, _) => tile.fitting[group] & !tile.alone[group],
                    (Traced::GivenUp, true) => tile.fitting[group] & !tile.alive[group],
                    _ => 0,
                };
                done += known.count_ones() as usize;
                if SHARED {
                    round_group(simd, tree, (group, known), slice, buffers, queue);
                } else {
                    answer_group::<ANY>(tree, (group, known), slice, buffers, queue);
                }
                let mut others = u32::MAX >> (32 - rays.len()) & !known;
                while others != 0 {
                    let lane = others.trailing_zeros() as usize;
                    others &= others - 1;
                    match PreparedRay::new(&rays[lane]) {
                        Some(ray) => left.push(slice.0 + lane, ray),
                        None => queue.miss(slice.0 + lane),
                    }
                }
            }
            done
        },
    )
}

/// Completes rays of a group, given as bits, one by one.
#[inline(always)]
fn answer_group<'r, const ANY: bool>(
    tree: &WideTree,
    (group, mut known): (usize, u32),
    (place, rays): Slice<'r>,
    TileBuffers {
        rays: tile, table, ..
    }: &TileBuffers,
    queue: &mut Queue<'r>,
) {
    while known != 0 {
        let lane = known.trailing_zeros() as usize % GROUP;
        known &= known - 1;
        if ANY {
            queue.counted(place + lane, (!tile.alive[group] >> lane & 1) as usize);
            continue;
        }
        match (tile.entry[group][lane], PreparedRay::new(&rays[lane])) {
            (0, _) | (_, None) => queue.miss(place + lane),
            (number, Some(ray)) => {
                let (prim, triangle) = table.triangle(tree.view(), number);
                queue.only(place + lane, ray, prim, &triangle);
            }
        }
    }
}

/// Completes rays of a group, given as bits, that start at one point: their hits are rounded together.
#[inline(always)]
fn round_group<'r, S: Simd>(
    simd: S,
    tree: &WideTree,
    (group, known): (usize, u32),
    (place, rays): Slice<'r>,
    buffers: &TileBuffers,
    queue: &mut Queue<'r>,
) {
    let TileBuffers {
        rays: tile, table, ..
    } = buffers;
    let leaves = tree.view();
    let numbers = &tile.entry[group];
    let entries = u32x16::load_array_ref(simd, numbers);
    let hit = entries.simd_ne(u32x16::splat(simd, 0)).to_bitmask() as u32 & known;
    let [_, _, _, x, y, z, ..] = &tile.raw;
    let dir = [
        load(simd, &x[group]),
        load(simd, &y[group]),
        load(simd, &z[group]),
    ];
    let mut corners = [[sixteen(simd, 0.0); 3]; 3];
    let mut prims = u32x16::splat(simd, u32::MAX);
    let mut open = hit;
    while open != 0 {
        let number = numbers[open.trailing_zeros() as usize % GROUP];
        let same = entries.simd_eq(u32x16::splat(simd, number));
        open &= !(same.to_bitmask() as u32);
        let (prim, triangle) = table.triangle(leaves, number);
        set(simd, same, &mut corners[0], triangle.p0);
        set(simd, same, &mut corners[1], triangle.p1);
        set(simd, same, &mut corners[2], triangle.p2);
        prims = same.select(u32x16::splat(simd, prim.get()), prims);
    }
    let origin = tile.origin.to_array();
    let RoundedHits { t, u, v, certain } = round_sixteen(simd, origin, dir, corners);
    let (t, u, v) = (t.to_array(), u.to_array(), v.to_array());
    let prims = prims.to_array();
    let hits = queue.first_hits(place, rays.len());
    for (lane, hit) in hits.iter_mut().enumerate().take(GROUP) {
        *hit = PrimId::new(prims[lane]).map(|prim| Hit {
            t: t[lane],
            u: u[lane],
            v: v[lane],
            prim,
        });
    }
    let mut unsure = hit & !certain;
    while unsure != 0 {
        let lane = unsure.trailing_zeros() as usize % GROUP;
        unsure &= unsure - 1;
        let (prim, triangle) = table.triangle(leaves, numbers[lane]);
        if let Some(ray) = PreparedRay::new(&rays[lane]) {
            queue.only(place + lane, ray, prim, &triangle);
        }
    }
}

/// Sets some lanes of three vectors to the coordinates of a point.
#[inline(always)]
fn set<S: Simd>(simd: S, lanes: mask32x16<S>, to: &mut [f32x16<S>; 3], point: Vec3) {
    to[0] = lanes.select(sixteen(simd, point.x), to[0]);
    to[1] = lanes.select(sixteen(simd, point.y), to[1]);
    to[2] = lanes.select(sixteen(simd, point.z), to[2]);
}
