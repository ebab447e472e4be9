//! Tiles for any hit: up to 256 rays that start or end close together, in groups of sixteen, that
//! find out together whether they hit anything.
//!
//! Shadow rays from neighbouring points to a lamp are traced from the lamp, as it were, where they
//! are close to each other (`any_rays.rs`). One test tells which boxes any ray may meet, one more
//! which groups do, and one for each of these which rays do (`any_walk.rs`). In leaves, triangles
//! are prepared once for all rays (`any_triangles.rs`). Then sixteen rays are tested against one
//! triangle at a time, in the groups that meet the leaf's box; or where few rays do, one ray against
//! eight triangles (`any_test.rs`). What that leaves open is decided by exact arithmetic. A ray may skip
//! a triangle, such as the one that it leaves (`tile_skips.rs`).
//!
//! A tile is given up when its rays turn out to have too little in common, as between many small
//! triangles: those without a hit are left over.

pub mod any_begin;
pub mod any_hull;
pub mod any_lines;
pub mod any_rays;
pub mod any_test;
pub mod any_triangles;
pub mod any_walk;
pub mod group_hulls;
pub mod tile_skips;

use super::leftover_rays::LeftoverRays;
use super::tile::tile_rays::GROUP;
use crate::traverse::skipped::Skipped;
use crate::wide::WideTree;
use any_rays::AnyRays;
use any_test::Exact;
use any_triangles::AnyTriangles;
use bytemuck::Zeroable;
use estoc_core::exact::PreparedRay;
use estoc_core::{Queue, Ray};
use fearless_simd::Simd;

/// The buffers that tiles reuse.
pub(super) struct AnyRoom {
    rays: AnyRays,
    shapes: AnyTriangles,
}

impl AnyRoom {
    pub(super) fn new() -> Self {
        AnyRoom {
            rays: AnyRays::new(),
            shapes: AnyTriangles::zeroed(),
        }
    }
}

/// How far rays were traced.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Traced {
    /// Not at all: they have too little in common.
    Refused,
    /// Until they turned out to have too little in common: some have a hit.
    GivenUp,
    Fully,
}

/// Traces rays of the queue, at most 256, of which the first has this place.
#[inline(never)]
pub(super) fn trace<S: Simd>(
    simd: S,
    tree: &WideTree,
    (place, rays): (usize, &[Ray]),
    room: &mut AnyRoom,
    queue: &Queue<'_>,
) -> Traced {
    match queue.is_plain() {
        true => room.rays.skips.clear(),
        false => {
            let places = place..place + rays.len();
            // The queue gives rays with other options in another way.
            let rules = places.map(|place| Skipped::of(queue.hit_rule(place)));
            (room.rays.skips).take(rules.map(|rule| rule.unwrap_or(Skipped::NONE)));
        }
    }
    simd.vectorize(
        #[inline(always)]
        || {
            let Some(beam) = room.rays.take(simd, rays, tree) else {
                return Traced::Refused;
            };
            let exact = Exact {
                rays,
                tree,
                beam: &beam,
            };
            match any_walk::walk(simd, exact, &mut room.rays, &mut room.shapes) {
                true => Traced::Fully,
                false => Traced::GivenUp,
            }
        },
    )
}

/// Completes the rays of a tile, the first of which has this place, and returns the number of those
/// that it traced. Undefined rays are not among them, and the others are left over; so are rays
/// without a hit if the tile was given up.
#[inline(never)]
pub(super) fn answer<'r>(
    (place, rays): (usize, &'r [Ray]),
    traced: Traced,
    room: &AnyRoom,
    queue: &mut Queue<'r>,
    left: &mut LeftoverRays<'r>,
) -> usize {
    let mut done = 0;
    for (group, rays) in rays.chunks(GROUP).enumerate() {
        let first = place + GROUP * group;
        let (fitting, alive) = match traced {
            Traced::Refused => (0, 0),
            _ => (
                room.rays.fitting[group % GROUP],
                room.rays.alive[group % GROUP],
            ),
        };
        let hit = fitting & !alive;
        let known = if traced == Traced::Fully {
            fitting
        } else {
            hit
        };
        done += known.count_ones() as usize;
        for (lane, ray) in rays.iter().enumerate() {
            if known >> lane & 1 == 1 {
                queue.counted(first + lane, (hit >> lane & 1) as usize);
                continue;
            }
            match PreparedRay::new(ray) {
                Some(ray) => left.push(first + lane, ray),
                None => queue.miss(first + lane),
            }
        }
    }
    done
}
