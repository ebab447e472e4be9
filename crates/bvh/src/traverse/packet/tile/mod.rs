//! Tiles: up to 256 rays from one point, in groups of sixteen, that find their first hits together.
//!
//! One test tells which boxes any ray may meet, and one more which groups do (`tile_walk.rs`). In
//! leaves, triangles are prepared once for all rays (`tile_triangles.rs`). Then sixteen rays are
//! tested against one triangle at a time, in the groups whose hull meets it; or where few rays meet
//! a leaf, one ray against eight triangles (`tile_test.rs`). What that leaves open is decided by
//! exact arithmetic, as in packets. At last the hits of a group on one triangle are rounded
//! together.
//!
//! Groups should be compact, and so should tiles: a picture's rays in rows have tiles of 256 by 1
//! pixels, which gain little.

pub mod tile_rays;
pub mod tile_test;
pub mod tile_triangles;
pub mod tile_walk;
pub mod triangle_table;

use super::leftover_rays::LeftoverRays;
use crate::wide::WideTree;
use bytemuck::Zeroable;
use estoc_core::exact::{PreparedRay, RoundedHits, round_sixteen};
use estoc_core::glam::Vec3;
use estoc_core::{Hit, PrimId, Queue, Ray};
use fearless_simd::{Select, Simd, SimdBase, SimdMask, f32x16, mask32x16, u32x16};
use tile_rays::{GROUP, TileBeam, TileRays};
use tile_test::Exact;
use tile_triangles::TileTriangles;
use triangle_table::TriangleTable;

/// The buffers that tiles reuse.
pub(super) struct TileRoom {
    rays: TileRays,
    shapes: TileTriangles,
    table: TriangleTable,
}

impl TileRoom {
    pub(super) fn new() -> Self {
        TileRoom {
            rays: TileRays::zeroed(),
            shapes: TileTriangles::zeroed(),
            table: TriangleTable::new(),
        }
    }
}

/// Returns whether rays in a tree may form tiles.
pub(super) fn may_have_tiles(tree: &WideTree) -> bool {
    tree.measures.plain >= 0.0
}

/// Traces rays, at most [`tile_rays::TILE`]. Returns `None` if they have too little in common.
#[inline(never)]
pub(super) fn trace<S: Simd>(
    simd: S,
    tree: &WideTree,
    rays: &[Ray],
    room: &mut TileRoom,
) -> Option<TileBeam> {
    simd.vectorize(
        #[inline(always)]
        || {
            let beam = room.rays.take(simd, rays, tree)?;
            room.table.clear();
            let exact = Exact {
                rays,
                tree,
                beam: &beam,
            };
            let TileRoom {
                rays,
                shapes,
                table,
            } = room;
            tile_walk::walk(simd, exact, rays, shapes, table);
            Some(beam)
        },
    )
}

/// Completes the rays of a tile, the first of which has this place, and returns the number of those
/// that it traced. Undefined rays are not among them, and the others are left over.
#[inline(never)]
pub(super) fn answer<'r, S: Simd>(
    simd: S,
    tree: &WideTree,
    (place, rays): (usize, &'r [Ray]),
    beam: &TileBeam,
    room: &mut TileRoom,
    queue: &mut Queue<'r>,
    left: &mut LeftoverRays<'r>,
) -> usize {
    simd.vectorize(
        #[inline(always)]
        || {
            let mut done = 0;
            for (group, rays) in rays.chunks(GROUP).enumerate() {
                let first = place + GROUP * group;
                done += answer_group(simd, tree, group % GROUP, first, rays, beam, room, queue);
                let there = u32::MAX >> (32 - rays.len());
                let fitting = room.rays.fitting[group] & !room.rays.alone[group];
                let mut others = there & !fitting;
                while others != 0 {
                    let lane = others.trailing_zeros() as usize;
                    others &= others - 1;
                    match PreparedRay::new(&rays[lane]) {
                        Some(ray) => left.push(first + lane, ray),
                        None => queue.miss(first + lane),
                    }
                }
            }
            done
        },
    )
}

/// Completes the rays of a group that belong to the tile and need not be traced alone, and returns
/// their number.
#[inline(always)]
#[expect(
    clippy::too_many_arguments,
    reason = "a part of the function above, compiled with it"
)]
fn answer_group<'r, S: Simd>(
    simd: S,
    tree: &WideTree,
    group: usize,
    place: usize,
    rays: &'r [Ray],
    beam: &TileBeam,
    room: &mut TileRoom,
    queue: &mut Queue<'r>,
) -> usize {
    let TileRoom {
        rays: tile, table, ..
    } = room;
    let leaves = tree.view();
    let [x, y, z] = beam.frame.axes;
    let mut origin = [0.0; 3];
    (origin[x], origin[y], origin[z]) = beam.frame.origin.into();
    let complete = tile.fitting[group] & !tile.alone[group];
    let numbers = &tile.entry[group];
    let entries = u32x16::load_array_ref(simd, numbers);
    let hit = entries.simd_ne(u32x16::splat(simd, 0)).to_bitmask() as u32 & complete;
    let dir = [
        f32x16::load_array_ref(simd, &tile.dir[0][group]),
        f32x16::load_array_ref(simd, &tile.dir[1][group]),
        f32x16::load_array_ref(simd, &tile.dir[2][group]),
    ];
    let zero = f32x16::splat(simd, 0.0);
    let mut corners = [[zero; 3]; 3];
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
    complete.count_ones() as usize
}

/// Sets some lanes of three vectors to the coordinates of a point.
#[inline(always)]
fn set<S: Simd>(simd: S, lanes: mask32x16<S>, to: &mut [f32x16<S>; 3], point: Vec3) {
    to[0] = lanes.select(f32x16::splat(simd, point.x), to[0]);
    to[1] = lanes.select(f32x16::splat(simd, point.y), to[1]);
    to[2] = lanes.select(f32x16::splat(simd, point.z), to[2]);
}
