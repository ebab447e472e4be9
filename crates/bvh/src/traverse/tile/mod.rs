//! Tiles: up to 256 rays of similar directions, in groups of sixteen, that traverse the tree
//! together.
//!
//! Rays that start at one point find their first hits together. So do other rays whose origins are
//! close to each other, such as those of a parallel projection; or they find out whether they hit
//! anything, if they start or end close together (`tile_rays.rs`).
//!
//! 1. Pop a child. Test its box against the hulls of all groups, and where few groups meet it,
//!    against each of their rays (`met_box.rs`).
//! 2. At a node, test the boxes of its children against the hull of all rays (`tile_hull.rs`; Boulos,
//!    Wald and Shirley 2006, "Geometric and Arithmetic Culling Methods for Entire Ray Packets"), and
//!    push those that any ray may meet.
//! 3. In a leaf, prepare the triangles once for all rays (`tile_triangles.rs`). Then test sixteen rays
//!    against one triangle at a time, in the groups that may meet it; or where few rays meet the leaf,
//!    one ray against eight triangles (`tile_test.rs`). Exact arithmetic decides what that leaves open
//!    (`exact_fallback.rs`), but which of two hits that are too close to each other is first: then the
//!    ray is left over.
//! 4. At last complete the rays (`tile_answers.rs`): each ends with the triangle that it certainly
//!    hits first, which is certified and measured exactly as every hit is; or with none. Those left
//!    over are traced as bundles, or interleaved (`leftover_rays.rs`).
//!
//! Groups should be compact, and so should tiles: a picture's rays in rows have tiles of 256 by 1
//! pixels, which gain little. A tile of rays from several points is given up when they turn out to
//! have too little in common, as between many small triangles: then all of them are left over, or for any
//! hit those without one. For any hit, a ray may skip a triangle, such as the one that it leaves (`tile_skips.rs`).

pub mod exact_fallback;
pub mod group_hulls;
pub mod group_start;
pub mod hull_lines;
mod leftover_rays;
pub mod met_box;
pub mod ray_rows;
mod tile_answers;
pub mod tile_beam;
mod tile_ends;
pub mod tile_frame;
pub mod tile_hull;
pub mod tile_rays;
pub mod tile_skips;
pub mod tile_test;
pub mod tile_triangles;
pub mod tile_walk;
mod triangle_lanes;
pub mod triangle_table;

use super::skipped::Skipped;
use super::wanted::Wanted;
use crate::wide::WideTree;
use bytemuck::Zeroable;
use core::iter;
use estoc_core::{Queue, Ray, Technique, TechniqueCounts};
use exact_fallback::Exact;
use fearless_simd::{Level, Simd};
use group_start::group_start;
use leftover_rays::LeftoverRays;
use ray_rows::TILE;
use tile_answers::answer;
use tile_rays::TileRays;
use tile_triangles::TileTriangles;
use triangle_table::TriangleTable;

/// The number of tiles of rays from several points that are not tried after one was given up.
const UNTRIED: usize = 7;

/// Rays of the queue, and the place of the first of them.
type Slice<'r> = (usize, &'r [Ray]);

/// The buffers that tiles reuse.
struct TileBuffers {
    rays: TileRays,
    triangles: TileTriangles,
    table: TriangleTable,
}

/// How far rays were traced.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Traced {
    /// Not at all: they have too little in common.
    Refused,
    /// Until they turned out to have too little in common: some have a hit, which need not be the first.
    GivenUp,
    Fully,
}

/// Traverses with all rays of a queue, in tiles of rays with similar directions.
///
/// Returns `None`, and takes no ray, where interleaving is no slower.
pub(super) fn tiles<W: Wanted>(
    wanted: W,
    tree: &WideTree,
    level: Level,
    queue: &mut Queue<'_>,
) -> Option<TechniqueCounts> {
    if tree.nodes.is_empty() {
        return None;
    }
    super::for_many!(level, simd => tiles_with(simd, wanted, tree, level, queue))
}

#[inline(always)]
fn tiles_with<S: Simd, W: Wanted>(
    simd: S,
    wanted: W,
    tree: &WideTree,
    level: Level,
    queue: &mut Queue<'_>,
) -> TechniqueCounts {
    let mut buffers = TileBuffers {
        rays: TileRays::zeroed(),
        triangles: TileTriangles::zeroed(),
        table: TriangleTable::new(),
    };
    let mut left = LeftoverRays::new();
    let mut counts = TechniqueCounts::default();
    // The number of tiles that are not tried after one was given up.
    let mut untried = 0;
    let may_have_tiles = tree.measures.plain >= 0.0;
    while may_have_tiles
        && let Some((mut place, all)) = match W::FIRST {
            true => queue.next_slice(usize::MAX),
            false => queue.next_slice_skipping(TILE),
        }
    {
        let (start, others) = all.split_at(if W::FIRST { group_start(all) } else { 0 });
        for rays in iter::once(start)
            .chain(others.chunks(TILE))
            .filter(|rays| !rays.is_empty())
        {
            let (slice, left) = ((place, rays), &mut left);
            let mut traced = Traced::Refused;
            if W::FIRST {
                traced = trace::<S, true, false>(simd, tree, slice, &mut buffers, queue);
            }
            let tiled = match (W::FIRST, traced) {
                (true, Traced::Fully) => {
                    answer::<S, true, false>(simd, tree, slice, traced, &buffers, queue, left)
                }
                (true, _) => {
                    tile::<S, false>(simd, tree, slice, &mut untried, &mut buffers, queue, left)
                }
                (false, _) => {
                    tile::<S, true>(simd, tree, slice, &mut untried, &mut buffers, queue, left)
                }
            };
            counts += TechniqueCounts::of(Technique::Packets, tiled);
            counts += left.ask_if_full(wanted, tree, level, queue);
            place += rays.len();
        }
    }
    while let Some((place, ray)) = queue.next() {
        left.push(place, ray);
        counts += left.ask_if_full(wanted, tree, level, queue);
    }
    counts + left.ask(wanted, tree, level, queue)
}

/// Traces rays from several points, unless tiles are not tried, and completes them or leaves them
/// over. Returns the number of those that were completed.
#[inline(always)]
fn tile<'r, S: Simd, const ANY: bool>(
    simd: S,
    tree: &WideTree,
    slice: Slice<'r>,
    untried: &mut usize,
    buffers: &mut TileBuffers,
    queue: &mut Queue<'r>,
    left: &mut LeftoverRays<'r>,
) -> usize {
    let mut traced = Traced::Refused;
    match *untried {
        0 => traced = trace::<S, false, ANY>(simd, tree, slice, buffers, queue),
        _ => *untried -= 1,
    }
    if traced == Traced::GivenUp {
        *untried = UNTRIED;
    }
    answer::<S, false, ANY>(simd, tree, slice, traced, buffers, queue, left)
}

/// Traces rays, at most [`TILE`], that start at one point if the origin is `SHARED`, and want any hit
/// if `ANY`, else the first one.
///
/// A function of its own, like `answer`: compilers optimize both less well within one function.
#[inline(never)]
fn trace<S: Simd, const SHARED: bool, const ANY: bool>(
    simd: S,
    tree: &WideTree,
    (place, rays): Slice<'_>,
    buffers: &mut TileBuffers,
    queue: &Queue<'_>,
) -> Traced {
    if ANY && !queue.is_plain() {
        let places = place..place + rays.len();
        // The queue gives rays with other options in another way.
        let rules = places.map(|place| Skipped::of(queue.hit_rule(place)));
        let rules = rules.map(|rule| rule.unwrap_or(Skipped::NONE));
        buffers.rays.skips.take(rules);
    } else {
        buffers.rays.skips.clear();
    }
    simd.vectorize(
        #[inline(always)]
        || {
            let TileBuffers {
                rays: tile,
                triangles,
                table,
            } = buffers;
            let Some(beam) = tile.take::<S, SHARED, ANY>(simd, rays, tree) else {
                return Traced::Refused;
            };
            table.clear();
            let exact = Exact {
                rays,
                tree,
                beam: &beam,
            };
            match tile_walk::walk::<S, SHARED, ANY>(simd, exact, tile, triangles, table) {
                true => Traced::Fully,
                false => Traced::GivenUp,
            }
        },
    )
}
