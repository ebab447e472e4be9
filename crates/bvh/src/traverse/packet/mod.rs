//! Rays that go the same way, up to 64 at once.

mod beam;
mod group;
mod planes;
mod shapes;
mod sieve;
#[cfg(test)]
mod tests;
mod vectors;
mod walk;

use crate::wide::{Block, Tag, WideTree};
use beam::{Beam, BeamRays};
use estoc_core::exact::RayQuestion;
use estoc_core::{Collect, Queue, Shares, Technique};
use fearless_simd::{Level, Simd};
use group::Group;
use shapes::Shapes;
use sieve::Found;

/// Fewer rays are no packet.
const FEWEST: u32 = 8;

/// What packets need room for, one after the other.
struct Room<'r> {
    group: Group<'r>,
    rays: BeamRays,
    found: Found,
    shapes: Shapes,
}

/// Visits all rays of a queue, in packets where they go the same way.
pub(crate) fn packets<'r, Q: Queue<'r>>(tree: &WideTree, level: Level, queue: &mut Q) -> Shares {
    if tree.nodes.is_empty() {
        let mut rays = 0;
        while let Some((place, _)) = queue.next() {
            queue.miss(place);
            rays += 1;
        }
        return Shares::of(Technique::Packets, rays);
    }
    fearless_simd::dispatch!(level, simd => packets_with(simd, tree, level, queue))
}

/// Visits rays that are in no packet.
#[inline(never)]
fn rest<'r, Q: Queue<'r>>(
    tree: &WideTree,
    level: Level,
    place: usize,
    ray: RayQuestion<'r>,
    queue: &mut Q,
) {
    let mut collector = queue.collector(place, ray);
    super::nearest_first(tree, level, &ray, &mut collector, &mut ());
    queue.finish(place, &mut collector);
}

#[inline(always)]
fn packets_with<'r, S: Simd, Q: Queue<'r>>(
    simd: S,
    tree: &WideTree,
    level: Level,
    queue: &mut Q,
) -> Shares {
    let mut room = Room {
        group: Group::new(),
        rays: BeamRays::new(),
        found: Found::new(),
        shapes: Shapes::new(),
    };
    let mut shares = Shares::default();
    loop {
        room.group.rays.clear();
        while !room.group.rays.is_full() {
            let Some((place, ray)) = queue.next() else {
                break;
            };
            if is_for_packets::<Q>() && queue.takes_every_hit(place) {
                room.group.rays.push((place, ray));
            } else {
                rest(tree, level, place, ray, queue);
                shares += Shares::of(Technique::OneByOne, 1);
            }
        }
        if room.group.rays.is_empty() {
            return shares;
        }
        let all = room.group.all();
        let done = if Q::Collector::FIRST_HIT_ONLY {
            trace::<S, false>(simd, tree, &mut room)
        } else {
            trace::<S, true>(simd, tree, &mut room)
        };
        let mut left = all & !done;
        shares += Shares::of(Technique::Packets, done.count_ones() as usize);
        shares += Shares::of(Technique::OneByOne, left.count_ones() as usize);
        answer(tree, &room, done, queue);
        while left != 0 {
            let lane = left.trailing_zeros() as usize;
            left &= left - 1;
            let (place, ray) = room.group.rays[lane];
            rest(tree, level, place, ray, queue);
        }
    }
}

/// Whether packets know how to answer.
#[inline(always)]
const fn is_for_packets<'r, Q: Queue<'r>>() -> bool {
    Q::Collector::FIRST_HIT_ONLY || Q::Collector::STOPS_AT_FIRST
}

/// Sends the rays of a group that fit together through the tree; answers which of them need
/// nothing else.
#[inline(always)]
fn trace<S: Simd, const ANY: bool>(simd: S, tree: &WideTree, room: &mut Room<'_>) -> u64 {
    let Room {
        group,
        rays,
        found,
        shapes,
    } = room;
    group.spread();
    let fitting = group.fitting(simd, tree);
    if fitting.rays.count_ones() < FEWEST {
        return 0;
    }
    if fitting.rays != u64::MAX {
        group.fill(!fitting.rays, fitting.rays.trailing_zeros() as usize);
    }
    let Some(beam) = Beam::of(simd, group, &fitting, tree, rays) else {
        return 0;
    };
    found.clear();
    if beam.is_shared {
        walk::walk::<S, true, ANY>(simd, tree, &beam, rays, found, shapes);
    } else {
        walk::walk::<S, false, ANY>(simd, tree, &beam, rays, found, shapes);
    }
    fitting.rays & !found.alone
}

/// Tells what was found out about rays.
#[inline(always)]
fn answer<'r, Q: Queue<'r>>(tree: &WideTree, room: &Room<'r>, mut rays: u64, queue: &mut Q) {
    let numbers = tree.leaves.numbers();
    while rays != 0 {
        let lane = rays.trailing_zeros() as usize;
        rays &= rays - 1;
        let (place, ray) = room.group.rays[lane];
        if Q::Collector::STOPS_AT_FIRST {
            if room.found.done >> lane & 1 == 0 {
                queue.miss(place);
            } else {
                let mut collector = queue.collector(place, ray);
                let _ = collector.count(1);
                queue.finish(place, &mut collector);
            }
            continue;
        }
        let tag = Tag(room.found.tag[lane]);
        if tag.len() == 0 {
            queue.miss(place);
        } else {
            let block = Block::of(numbers, room.found.leaf[lane] as usize, tag.len());
            let (prim, triangle) = tree.scale.triangle_down(block, tag.lane());
            queue.only(place, ray, prim, &triangle);
        }
    }
}
