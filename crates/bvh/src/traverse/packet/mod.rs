//! Packets: up to 64 rays of similar directions that traverse the tree together.
//!
//! One test tells which boxes any ray of a packet may meet (`packet_hull.rs`; Boulos, Wald and
//! Shirley 2006, "Geometric and Arithmetic Culling Methods for Entire Ray Packets"). In leaves,
//! triangles are prepared once for all rays (`prepared_triangles.rs`), and then lanes are rays
//! (`triangle_test.rs`). Exact arithmetic decides what that cannot (`exact_fallback.rs`). Each ray
//! ends with the triangle that it certainly hits first, which is certified and measured exactly as
//! every hit is; or with none; or, where two hits are too close to each other, it is traced alone.
//!
//! First hits of rays that start at one point are found in tiles of up to 256 rays instead
//! ([`tile`]), where they have enough in common; and so is any hit of rays that start or end close
//! together ([`any_tile`]). Rays for any hit that have too little in common are traced as bundles.
//! Packets for any hit remain for rays some of which are inactive or have options other than a
//! triangle to skip, and for trees of unusual size.

pub mod any_tile;
pub mod beam;
pub mod beam_rays;
pub mod exact_fallback;
mod group_start;
mod leftover_rays;
pub mod packet_hull;
pub mod packet_vectors;
mod packet_walk;
pub mod prepared_triangles;
pub mod ray_arrays;
pub mod tile;
pub mod triangle_test;

use super::wanted::Wanted;
use crate::wide::{Tag, WideTree};
use any_tile::{AnyRoom, Traced};
use arrayvec::ArrayVec;
use beam::Beam;
use beam_rays::BeamRays;
use bytemuck::Zeroable;
use estoc_core::exact::PreparedRay;
use estoc_core::{Queue, Ray, Technique, TechniqueCounts};
use exact_fallback::ExactFallback;
use fearless_simd::{Level, Simd};
use group_start::group_start;
use leftover_rays::LeftoverRays;
use packet_vectors::{LEAST, Part};
use prepared_triangles::PreparedTriangles;
use ray_arrays::{RAYS, RayArrays};
use tile::TileRoom;
use tile::tile_rays::TILE;
use triangle_test::FoundHits;

/// Fewer rays do not form a packet.
const FEWEST: u32 = 8;
/// The number of tiles for any hit that are not tried after one was given up.
const UNTRIED: usize = 7;

/// The buffers that packets reuse.
struct Room<'r> {
    group: RayArrays<'r>,
    rays: BeamRays,
    found: FoundHits,
    shapes: PreparedTriangles,
}

/// Traverses with all rays of a queue, in packets of rays with similar directions.
///
/// Returns `None`, and takes no ray, where interleaving is no slower.
pub(super) fn packets<W: Wanted>(
    wanted: W,
    tree: &WideTree,
    level: Level,
    queue: &mut Queue<'_>,
) -> Option<TechniqueCounts> {
    if tree.nodes.is_empty() {
        return None;
    }
    super::for_many!(level, simd => packets_with(simd, wanted, tree, level, queue))
}

#[inline(always)]
fn packets_with<S: Simd, W: Wanted>(
    simd: S,
    wanted: W,
    tree: &WideTree,
    level: Level,
    queue: &mut Queue<'_>,
) -> TechniqueCounts {
    let mut room = Room {
        group: RayArrays::new(),
        rays: BeamRays::new(),
        found: FoundHits::new(),
        shapes: PreparedTriangles::zeroed(),
    };
    let mut left = LeftoverRays::new();
    let mut packets = 0;
    let mut counts = TechniqueCounts::default();
    if W::FIRST && tile::may_have_tiles(tree) {
        let mut tile = TileRoom::new();
        let (mut place, all) = queue.next_slice(usize::MAX).unwrap_or_default();
        let (start, others) = all.split_at(group_start(all));
        for rays in (!start.is_empty())
            .then_some(start)
            .into_iter()
            .chain(others.chunks(TILE))
        {
            if let Some(beam) = tile::trace(simd, tree, rays, &mut tile) {
                let slice = (place, rays);
                packets += tile::answer(simd, tree, slice, &beam, &mut tile, queue, &mut left);
            } else {
                let slices = rays.chunks(RAYS).enumerate();
                for (nth, rays) in slices {
                    room.take(place + nth * RAYS, rays, queue);
                    packets += trace_group(simd, wanted, tree, &mut room, queue, &mut left);
                }
            }
            place += rays.len();
            counts += left.ask_if_full(wanted, tree, level, queue);
        }
    }
    if W::ANY && tile::may_have_tiles(tree) {
        let mut tile = AnyRoom::new();
        // The number of tiles that are not tried after one was given up.
        let mut untried = 0;
        while let Some((place, rays)) = queue.next_slice_skipping(TILE) {
            let mut traced = Traced::Refused;
            match untried {
                0 => traced = any_tile::trace(simd, tree, (place, rays), &mut tile, queue),
                _ => untried -= 1,
            }
            if traced == Traced::GivenUp {
                untried = UNTRIED;
            }
            packets += any_tile::answer((place, rays), traced, &tile, queue, &mut left);
            counts += left.ask_if_full(wanted, tree, level, queue);
        }
    }
    loop {
        room.group.rays.clear();
        while !room.group.rays.is_full() {
            let Some((place, ray)) = queue.next() else {
                break;
            };
            if queue.takes_every_hit(place) {
                room.group.rays.push((place, ray));
            } else {
                left.push(place, ray);
                counts += left.ask_if_full(wanted, tree, level, queue);
            }
        }
        if room.group.rays.is_empty() {
            counts += left.ask(wanted, tree, level, queue);
            return TechniqueCounts::of(Technique::Packets, packets) + counts;
        }
        packets += trace_group(simd, wanted, tree, &mut room, queue, &mut left);
        counts += left.ask_if_full(wanted, tree, level, queue);
    }
}

impl<'r> Room<'r> {
    /// Takes the rays from this place on, at most [`RAYS`], and completes undefined ones.
    #[inline(always)]
    fn take(&mut self, place: usize, rays: &'r [Ray], queue: &mut Queue<'r>) {
        self.group.rays.clear();
        for (place, ray) in (place..).zip(rays.iter().take(RAYS)) {
            match PreparedRay::new(ray) {
                Some(ray) => self.group.rays.push((place, ray)),
                None => queue.miss(place),
            }
        }
    }
}

/// Traverses with the rays of a group. Returns the number of those that are complete; the others
/// are left over.
#[inline(always)]
fn trace_group<'r, S: Simd, W: Wanted>(
    simd: S,
    wanted: W,
    tree: &WideTree,
    room: &mut Room<'r>,
    queue: &mut Queue<'r>,
    left: &mut LeftoverRays<'r>,
) -> usize {
    let all = room.group.all();
    if all == 0 {
        return 0;
    }
    let done = if W::FIRST {
        trace::<S, false>(simd, tree, room)
    } else {
        trace::<S, true>(simd, tree, room)
    };
    answer(simd, wanted, tree, room, done, queue);
    let mut alone = all & !done;
    while alone != 0 {
        let lane = alone.trailing_zeros() as usize;
        alone &= alone - 1;
        let (place, ray) = room.group.rays[lane];
        left.push(place, ray);
    }
    done.count_ones() as usize
}

/// Traverses with the rays of a group that fit together. Returns those whose answer is known, as
/// bits.
///
/// A function of its own, like `answer`: compilers optimize both less well within one function.
#[inline(never)]
fn trace<S: Simd, const ANY: bool>(simd: S, tree: &WideTree, room: &mut Room<'_>) -> u64 {
    simd.vectorize(
        #[inline(always)]
        || trace_parts::<S, ANY>(simd, tree, room),
    )
}

#[inline(always)]
fn trace_parts<S: Simd, const ANY: bool>(simd: S, tree: &WideTree, room: &mut Room<'_>) -> u64 {
    room.found.clear();
    let mut parts = ArrayVec::<Part, { RAYS / LEAST }>::new();
    parts.push(Part::ALL);
    let mut done = 0;
    while let Some(part) = parts.pop() {
        if room.group.rays.len() <= part.lanes().start {
            continue;
        }
        match trace_part::<S, ANY>(simd, tree, part, room) {
            Some(rays) => done |= rays,
            None => parts.extend(part.halves().into_iter().flatten()),
        }
    }
    done
}

/// Does what [`trace`] does, for some of the rays; `None` if they have too little in common.
#[inline(always)]
fn trace_part<S: Simd, const ANY: bool>(
    simd: S,
    tree: &WideTree,
    part: Part,
    room: &mut Room<'_>,
) -> Option<u64> {
    let Room {
        group,
        rays,
        found,
        shapes,
    } = room;
    group.spread(part);
    let fitting = group.fitting(simd, part, tree);
    let there = group.all() & part.bits();
    if fitting.rays.count_ones() < FEWEST.max(there.count_ones() / 2) {
        // Where few fit, parts hardly ever fit better.
        return Some(0);
    }
    let missing = part.bits() & !fitting.rays;
    if missing != 0 {
        group.fill(missing, fitting.rays.trailing_zeros() as usize);
    }
    let beam = Beam::of(simd, group, &fitting, part, tree, rays)?;
    let judge = ExactFallback {
        tree,
        group,
        fitting: fitting.rays,
        frame: &beam.frame,
    };
    if beam.frame.is_shared {
        packet_walk::walk::<S, true, ANY>(simd, judge, &beam, rays, found, shapes);
    } else {
        packet_walk::walk::<S, false, ANY>(simd, judge, &beam, rays, found, shapes);
    }
    Some(fitting.rays & !found.alone)
}

/// Completes rays whose answer is known.
#[inline(never)]
fn answer<'r, S: Simd, W: Wanted>(
    simd: S,
    wanted: W,
    tree: &WideTree,
    room: &Room<'r>,
    rays: u64,
    queue: &mut Queue<'r>,
) {
    simd.vectorize(
        #[inline(always)]
        || answer_each(wanted, tree, room, rays, queue),
    );
}

#[inline(always)]
fn answer_each<'r, W: Wanted>(
    _: W,
    tree: &WideTree,
    room: &Room<'r>,
    mut rays: u64,
    queue: &mut Queue<'r>,
) {
    let leaves = tree.view();
    while rays != 0 {
        let lane = rays.trailing_zeros() as usize;
        rays &= rays - 1;
        let (place, ray) = room.group.rays[lane];
        if W::ANY {
            queue.counted(place, (room.found.done >> lane & 1) as usize);
            continue;
        }
        let tag = Tag(room.found.tag[lane]);
        if tag.len() == 0 {
            queue.miss(place);
        } else {
            let first = room.found.leaf[lane] as usize;
            let (prim, triangle) = leaves.triangle(first, tag.len(), tag.lane());
            queue.only(place, ray, prim, &triangle);
        }
    }
}
