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
//! 4. At last complete the rays: each ends with the triangle that it certainly hits first, whose
//!    numbers are rounded or certified, or with none. Those left over are traced as bundles, or
//!    interleaved (`leftover_rays.rs`).
//!
//! Tiles are traced at a mesh (`mesh_target.rs`), or at a world of placed ones (`placed/placed_tiles.rs`), whose
//! nodes and corners are taken to the rays' world (`tile_placement.rs`). Rays in `f64` are taken to the space of a mesh
//! in `f64` (`tile_ray.rs`), whose own corners are tested there (`tile_mesh.rs`).
//!
//! Groups should be compact, and so should tiles: a picture's rays in rows have tiles of 256 by 1
//! pixels, which gain little. A tile of rays from several points, or at placed meshes, is given up when they
//! turn out to have too little in common, as between many small triangles: then all of them are left over, or for any
//! hit those without one. For any hit, a ray may skip a triangle, such as the one that it leaves (`tile_skips.rs`).

pub mod exact_fallback;
pub mod group_hulls;
pub mod group_start;
pub mod hull_lines;
mod leftover_rays;
pub(in crate::traverse) mod mesh_target;
pub mod met_box;
pub mod raw_rays;
pub mod ray_rows;
pub mod tile_beam;
mod tile_ends;
pub mod tile_frame;
pub mod tile_hull;
pub mod tile_mesh;
pub mod tile_number;
pub mod tile_placement;
pub mod tile_ray;
pub mod tile_rays;
pub mod tile_skips;
pub mod tile_test;
pub mod tile_triangles;
pub mod tile_walk;
mod triangle_lanes;
pub mod triangle_table;

use super::bundle::ray_window::NumberedRay;
use super::wanted::Wanted;
use crate::wide::Measures;
use core::iter;
use core::ops::Range;
use estoc_core::exact::PreparedRay;
use estoc_core::{Queue, RayTest, Technique, TechniqueCounts};
use fearless_simd::{Level, Simd};
use group_start::group_start;
use leftover_rays::LeftoverRays;
use mesh_target::{MeshTarget, TiledTree};
use ray_rows::{GROUP, TILE};
use tile_beam::TileBeam;
use tile_ray::TileRay;
use tile_skips::TileSkips;
use tile_walk::TileRoom;

/// The number of tiles of rays from several points that are not tried after one was given up.
const UNTRIED: usize = 7;

/// Rays of the queue, and the place of the first of them.
pub(in crate::traverse) type Slice<'r, R> = (usize, &'r [R]);

/// How far rays were traced.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Traced {
    /// Not at all: they have too little in common.
    Refused,
    /// Not at all, as a recent tile was given up.
    Untried,
    /// Until they turned out to have too little in common: some have a hit, which need not be the first.
    GivenUp,
    Fully,
}

/// What tiles are traced at: a mesh, or a world of placed ones.
pub(in crate::traverse) trait TileTarget<'r> {
    type Ray: TileRay;
    type Primitive: RayTest<Self::Ray>;

    /// Whether tiles of rays from one point are given up after too many boxes, too.
    const COUNTS_BOXES: bool;

    /// Returns the measures of its tree.
    fn measures(&self) -> &Measures;

    /// Returns what takes rays to the space of its tree.
    fn frame(&self) -> FrameOf<'r, Self>;

    /// Tells a tile which primitives the rays at these places skip.
    fn take_skips(
        &mut self,
        skips: &mut TileSkips,
        queue: &Queue<'r, Self::Primitive, Self::Ray>,
        places: Range<usize>,
    );

    /// Does what [`walk`](tile_walk::walk) does.
    fn walk<S: Simd, const SHARED: bool, const ANY: bool>(
        &mut self,
        simd: S,
        rays: &[Self::Ray],
        beam: &TileBeam,
        room: &mut RoomOf<'r, Self>,
    ) -> bool;

    /// Completes the first hits of rays of a group, given as bits, of a slice of sixteen.
    fn answer<S: Simd, const SHARED: bool>(
        &self,
        simd: S,
        of: (usize, u32),
        slice: Slice<'r, Self::Ray>,
        room: &RoomOf<'r, Self>,
        queue: &mut Queue<'r, Self::Primitive, Self::Ray>,
    );

    /// Traces rays that are in no tile, and returns how many by which technique.
    fn trace_others(
        &mut self,
        rays: &[NumberedRay<'r, Self::Ray>],
        queue: &mut Queue<'r, Self::Primitive, Self::Ray>,
    ) -> TechniqueCounts;
}

/// What takes the rays of a target to the space of its tree.
pub(in crate::traverse) type FrameOf<'r, T> = <<T as TileTarget<'r>>::Ray as TileRay>::Frame;
/// The room of a target's tiles.
pub(in crate::traverse) type RoomOf<'r, T> =
    TileRoom<<<T as TileTarget<'r>>::Ray as TileRay>::Number>;

/// Traverses with all rays of a queue, in tiles of rays with similar directions.
///
/// Returns `None`, and takes no ray, where interleaving is no slower.
pub(super) fn tiles<R: TileRay, T: TiledTree<R>, W: Wanted>(
    wanted: W,
    tree: T,
    level: Level,
    queue: &mut Queue<'_, T::Primitive, R>,
) -> Option<TechniqueCounts> {
    if tree.tree().nodes.is_empty() {
        return None;
    }
    let mut target = MeshTarget::new(wanted, tree, level);
    super::for_many!(level, simd => tiles_with::<_, W, _>(simd, &mut target, queue))
}

#[inline(always)]
pub(in crate::traverse) fn tiles_with<'r, S: Simd, W: Wanted, T: TileTarget<'r>>(
    simd: S,
    target: &mut T,
    queue: &mut Queue<'r, T::Primitive, T::Ray>,
) -> TechniqueCounts {
    let mut room = TileRoom::new(T::COUNTS_BOXES);
    let mut others = LeftoverRays::new();
    let mut counts = TechniqueCounts::default();
    // The numbers of tiles that are not tried after one was given up: of rays from one point, and of others.
    let [mut untried_shared, mut untried] = [0; 2];
    let may_have_tiles = target.measures().plain >= 0.0;
    while may_have_tiles
        && let Some((mut place, all)) = match W::FIRST {
            true => queue.next_slice(usize::MAX),
            false => queue.next_slice_skipping(TILE),
        }
    {
        let (start, rest) = all.split_at(if W::FIRST { group_start(all) } else { 0 });
        for rays in iter::once(start)
            .chain(rest.chunks(TILE))
            .filter(|rays| !rays.is_empty())
        {
            let (slice, room, others) = ((place, rays), &mut room, &mut others);
            let mut shared = Traced::Refused;
            if W::FIRST {
                let untried = &mut untried_shared;
                shared = attempt::<S, T, true, false>(simd, target, slice, untried, room, queue);
            }
            let tiled = match (W::FIRST, shared) {
                (true, Traced::Refused) => {
                    tile::<S, T, false>(simd, target, slice, &mut untried, room, queue, others)
                }
                (true, _) => {
                    answer::<S, T, true, false>(simd, target, slice, shared, room, queue, others)
                }
                (false, _) => {
                    tile::<S, T, true>(simd, target, slice, &mut untried, room, queue, others)
                }
            };
            counts += TechniqueCounts::of(Technique::Packets, tiled);
            counts += others.trace_if_many(target, queue);
            place += rays.len();
        }
    }
    while let Some((place, ray)) = queue.next() {
        others.push(place, ray);
        counts += others.trace_if_many(target, queue);
    }
    counts + others.trace(target, queue)
}

/// Traces rays from several points, and completes them or leaves them over. Returns the number of those
/// that were completed.
#[inline(always)]
fn tile<'r, S: Simd, T: TileTarget<'r>, const ANY: bool>(
    simd: S,
    target: &mut T,
    slice: Slice<'r, T::Ray>,
    untried: &mut usize,
    room: &mut RoomOf<'r, T>,
    queue: &mut Queue<'r, T::Primitive, T::Ray>,
    others: &mut LeftoverRays<'r, T::Ray>,
) -> usize {
    let traced = attempt::<S, T, false, ANY>(simd, target, slice, untried, room, queue);
    answer::<S, T, false, ANY>(simd, target, slice, traced, room, queue, others)
}

/// Traces rays, unless a tile was given up lately: so many are still not to be tried.
#[inline(always)]
fn attempt<'r, S: Simd, T: TileTarget<'r>, const SHARED: bool, const ANY: bool>(
    simd: S,
    target: &mut T,
    slice: Slice<'_, T::Ray>,
    untried: &mut usize,
    room: &mut RoomOf<'r, T>,
    queue: &Queue<'r, T::Primitive, T::Ray>,
) -> Traced {
    if *untried > 0 {
        *untried -= 1;
        return Traced::Untried;
    }
    let traced = trace::<S, T, SHARED, ANY>(simd, target, slice, room, queue);
    if traced == Traced::GivenUp {
        *untried = UNTRIED;
    }
    traced
}

/// Traces rays, at most [`TILE`], that start at one point if the origin is `SHARED`, and want any hit
/// if `ANY`, else the first one.
///
/// A function of its own, like `answer`: compilers optimize both less well within one function.
#[inline(never)]
fn trace<'r, S: Simd, T: TileTarget<'r>, const SHARED: bool, const ANY: bool>(
    simd: S,
    target: &mut T,
    (place, rays): Slice<'_, T::Ray>,
    room: &mut RoomOf<'r, T>,
    queue: &Queue<'r, T::Primitive, T::Ray>,
) -> Traced {
    match ANY && !queue.is_plain() {
        true => target.take_skips(&mut room.rays.skips, queue, place..place + rays.len()),
        false => room.rays.skips.clear(),
    }
    simd.vectorize(
        #[inline(always)]
        || {
            let space = (target.measures(), &target.frame());
            let given = (&mut room.raw, rays);
            let taken = room.rays.take::<S, T::Ray, SHARED, ANY>(simd, given, space);
            let Some(beam) = taken else {
                return Traced::Refused;
            };
            room.begin();
            match target.walk::<S, SHARED, ANY>(simd, rays, &beam, room) {
                true => Traced::Fully,
                false => Traced::GivenUp,
            }
        },
    )
}

/// Completes the rays of a tile, and returns the number of those that it traced. Undefined rays are
/// not among them, and the others are left over; so are rays without a certain answer if the tile was
/// given up.
#[inline(never)]
fn answer<'r, S: Simd, T: TileTarget<'r>, const SHARED: bool, const ANY: bool>(
    simd: S,
    target: &mut T,
    (place, rays): Slice<'r, T::Ray>,
    traced: Traced,
    room: &RoomOf<'r, T>,
    queue: &mut Queue<'r, T::Primitive, T::Ray>,
    others: &mut LeftoverRays<'r, T::Ray>,
) -> usize {
    simd.vectorize(
        #[inline(always)]
        || {
            let tile = &room.rays;
            let mut done = 0;
            for (group, rays) in rays.chunks(GROUP).enumerate() {
                let (group, slice) = (group % GROUP, (place + GROUP * group, rays));
                let known = match (traced, ANY) {
                    (Traced::Fully, _) => tile.fitting[group] & !tile.alone[group],
                    (Traced::GivenUp, true) => tile.fitting[group] & !tile.alive[group],
                    _ => 0,
                };
                done += known.count_ones() as usize;
                match ANY {
                    true => each(known, |lane| {
                        let hits = !tile.alive[group] >> lane & 1;
                        queue.counted(slice.0 + lane, hits as usize);
                    }),
                    false => target.answer::<S, SHARED>(simd, (group, known), slice, room, queue),
                }
                each(
                    u32::MAX >> (32 - rays.len()) & !known,
                    |lane| match PreparedRay::new(&rays[lane]) {
                        Some(ray) => others.push(slice.0 + lane, ray),
                        None => queue.miss(slice.0 + lane),
                    },
                );
            }
            done
        },
    )
}

/// Calls `go` with the number of each bit.
#[inline(always)]
pub(in crate::traverse) fn each(mut bits: u32, mut go: impl FnMut(usize)) {
    while bits != 0 {
        go(bits.trailing_zeros() as usize);
        bits &= bits - 1;
    }
}
