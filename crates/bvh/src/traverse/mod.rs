//! Traverses the tree and finds the triangles that a ray may hit.
//!
//! The traversal and its two tests are written once and compiled for each instruction set
//! ([`SimdLevel`]). Candidates that pass are certified exactly elsewhere, unless a test is certain
//! of the hit, and only the existence or the number of hits matters, or its numbers are only rounded
//! (`plain_ray`).

pub mod bundle;
pub mod child_order;
mod collector_walk;
mod completion;
mod edge_functions;
mod f64_walk;
mod fixed_stack;
pub mod interleave;
pub mod kernel_ray;
#[cfg(feature = "kernels")]
pub mod kernel_timing;
mod late_hits;
mod leaf_block;
pub mod leaf_ray;
pub mod leaf_test;
mod leaf_visits;
mod longest_axes;
pub(crate) mod mapped;
pub(crate) mod mesh_space;
pub mod near;
pub mod nearest_certain;
mod node_test;
mod pair_bounds;
mod pair_leaf;
mod pair_queue;
pub(crate) mod pair_space;
pub(crate) mod pair_walk;
pub mod parallel_triangles;
pub(crate) mod placed;
pub mod plain_ray;
pub(crate) mod prefetch;
mod prepare8;
pub mod ray_group;
mod ray_target;
pub(crate) mod region;
mod short_rays;
pub mod single_walk;
pub(crate) mod skipped;
mod slab;
mod step_counter;
pub mod sweep;
pub mod t_spans;
pub mod tile;
pub mod traversal_stack;
mod wanted;
pub mod wide_target;
pub(crate) mod wide_walk;

pub use prefetch::value as prefetch;
pub use step_counter::TraversalSteps;

use crate::simd_level::at_level;
use crate::wide::WideTree;
use bundle::BundleRoom;
use core::cell::Cell;
use estoc_core::exact::PreparedRay;
use estoc_core::{
    Collector, Queue, Ray64, RayKind, RayTest, Technique, TechniqueCounts, Triangle64, Want,
};
use fearless_simd::Level;
use ray_group::{RayGroup, RayInGroup};
use ray_target::RayTarget;
use tile::mesh_target::TiledTree;
use tile::tile_ray::TileRay;
use wanted::{Any, Closest, HitCount, Wanted, with_wanted};
use wide_target::WideTarget;

/// Evaluates a kernel for many rays. Such kernels are large. On x86 they are compiled for two
/// instruction sets, one of which nearly all machines have, and not for the baseline; for WebAssembly
/// not at all.
macro_rules! for_many {
    ($level:expr, $simd:ident => $kernel:expr) => {
        match $level {
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            fearless_simd::Level::Avx2($simd) => Some(fearless_simd::Simd::vectorize(
                $simd,
                #[inline(always)]
                || $kernel,
            )),
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            fearless_simd::Level::Avx512($simd) => Some(fearless_simd::Simd::vectorize(
                $simd,
                #[inline(always)]
                || $kernel,
            )),
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            _ => None,
            #[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
            level => match estoc_core::Technique::HAS_OTHERS {
                true => Some(fearless_simd::dispatch!(level, $simd => $kernel)),
                false => None,
            },
        }
    };
}
pub(crate) use for_many;

/// Returns the token of a level that the machine has.
#[cfg(feature = "kernels")]
pub fn level_token(level: crate::SimdLevel) -> Option<Level> {
    level.token()
}

/// Offers the collector the triangles of every leaf whose box the ray may hit up to the collector's
/// limit, nearer boxes first where that helps. Returns the number of steps, which costs too little to
/// compile kernels that do not count.
pub(crate) fn visit(
    tree: &WideTree,
    level: Level,
    ray: &PreparedRay<'_>,
    collector: &mut Collector<'_>,
) -> TraversalSteps {
    let steps = Cell::new(TraversalSteps::default());
    with_wanted!(collector.want(), wanted => {
        at_level!(level, simd => collector_walk::walk(simd, wanted, tree, ray, collector, &steps));
    });
    steps.get()
}

/// Traverses with all rays of a queue by a technique. Returns `None`, and takes no ray, at levels
/// that have only kernels for single rays.
pub(crate) fn visit_many(
    tree: &WideTree,
    level: Level,
    technique: Technique,
    queue: &mut Queue<'_>,
) -> Option<TechniqueCounts> {
    if tree.nodes.is_empty() {
        return Some(TechniqueCounts::of(Technique::Interleaved, misses(queue)));
    }
    let shared = visit_together(tree, level, technique, queue);
    if shared.is_some() {
        return shared;
    }
    if queue.is_adaptive() && short_rays::may_be_short(tree) {
        let counts = match queue.want() {
            Want::First => short_rays::trace(Closest, tree, level, queue),
            Want::Any => short_rays::trace(Any, tree, level, queue),
            _ => None,
        };
        if counts.is_some() {
            return counts;
        }
    }
    let group = &mut RayGroup::new();
    with_wanted!(queue.want(), wanted => interleaved(wanted, tree, level, queue, group))
        .map(|taken| TechniqueCounts::of(Technique::Interleaved, taken.rays))
}

/// Traverses with rays that share a traversal: only those that end at their first hit, or at any, can. Returns `None`,
/// and takes no ray, where they do not.
fn visit_together<R: TileRay, T: TiledTree<R>>(
    target: T,
    level: Level,
    technique: Technique,
    queue: &mut Queue<'_, T::Primitive, R>,
) -> Option<TechniqueCounts> {
    match (technique, queue.want()) {
        (Technique::Packets, Want::First) => tile::tiles(Closest, target, level, queue),
        (Technique::Packets, Want::Any) => tile::tiles(Any, target, level, queue),
        (Technique::Bundles, Want::First) => {
            bundle::bundles(Closest, target, level, None, &mut BundleRoom::new(), queue)
        }
        (Technique::Bundles, Want::Any) => {
            bundle::bundles(Any, target, level, None, &mut BundleRoom::new(), queue)
        }
        _ => None,
    }
}

/// Traverses with all rays of a group, several of them in flight. Returns `None`, and takes no ray,
/// at levels without such a kernel.
fn interleaved<'r, R: RayInGroup, T: RayTarget<R>, W: Wanted>(
    wanted: W,
    target: T,
    level: Level,
    queue: &mut Queue<'r, T::Primitive, R>,
    group: &mut RayGroup<'_, 'r, R>,
) -> Option<interleave::Taken> {
    match W::NUMBER {
        true => {
            let ends_at_any = wanted.ends_at_any();
            let wanted = HitCount { ends_at_any };
            interleaved_with(wanted, target, level, queue, group)
        }
        false => interleaved_with(wanted, target, level, queue, group),
    }
}

#[inline(never)]
fn interleaved_with<'r, R: RayInGroup, T: RayTarget<R>, W: Wanted>(
    wanted: W,
    target: T,
    level: Level,
    queue: &mut Queue<'r, T::Primitive, R>,
    group: &mut RayGroup<'_, 'r, R>,
) -> Option<interleave::Taken> {
    for_many!(level, simd => interleave::interleave(simd, wanted, target, queue, group))
}

/// Traverses with all rays of a queue at triangles in `f64`. Returns `None`, and takes no ray, at levels
/// that have only kernels for single rays.
pub(crate) fn visit_many_wide(
    target: WideTarget<'_>,
    level: Level,
    technique: Technique,
    queue: &mut Queue<'_, Triangle64, Ray64>,
) -> Option<TechniqueCounts> {
    if target.tree.nodes.is_empty() {
        return Some(TechniqueCounts::of(Technique::Interleaved, misses(queue)));
    }
    let shared = visit_together(target, level, technique, queue);
    if shared.is_some() {
        return shared;
    }
    let group = &mut RayGroup::new();
    with_wanted!(queue.want(), wanted => interleaved(wanted, target, level, queue, group))
        .map(|taken| TechniqueCounts::of(Technique::Interleaved, taken.rays))
}

fn misses<P: RayTest<R>, R: RayKind>(queue: &mut Queue<'_, P, R>) -> usize {
    let mut rays = 0;
    while let Some((place, _)) = queue.next() {
        queue.miss(place);
        rays += 1;
    }
    rays
}
