//! From the root to the triangles that a ray may hit.
//!
//! The walk and its two tests are written once and compiled for each instruction set
//! ([`SimdLevel`]); what passes them is certified elsewhere, exactly, unless they are certain of
//! it and nothing but its being there is asked.

#[cfg(test)]
mod attack;
mod bundle;
mod edges;
mod eight;
mod ending;
mod group;
mod interleave;
mod kept;
#[cfg(feature = "kernels")]
pub mod kernels;
mod leaf_ray;
mod leaf_test;
mod leaves;
mod level;
mod node_test;
mod order;
mod packet;
mod parallel;
mod plain;
mod prefetch;
mod ray;
mod spans;
mod steps;
mod waiting;
mod walk;

pub(crate) use bundle::bundles;
pub use level::{SimdLevel, SimdLevelError};
pub(crate) use packet::packets;
pub use steps::Steps;

use crate::wide::WideTree;
use estoc_core::exact::PreparedRay;
use estoc_core::{Collect, Queue};
use fearless_simd::{Level, Simd};
use ray::{KernelRay, Prepared};
use steps::Watch;

/// Kernels for many rays are large. Those of x86 are compiled for two sets of instructions, which
/// nearly all machines have one of, and not for its baseline as well.
macro_rules! for_many {
    ($level:expr, $simd:ident => $kernel:expr) => {
        match $level {
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            fearless_simd::Level::Avx2($simd) => Some($simd.vectorize(
                #[inline(always)]
                || $kernel,
            )),
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            fearless_simd::Level::Avx512($simd) => Some($simd.vectorize(
                #[inline(always)]
                || $kernel,
            )),
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            _ => None,
            #[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
            level => Some(fearless_simd::dispatch!(level, $simd => $kernel)),
        }
    };
}
use for_many;

/// Offers the collector the triangles of every leaf whose box the ray may hit up to the
/// collector's limit, nearer boxes first.
#[inline]
pub(crate) fn nearest_first<C: Collect>(
    tree: &WideTree,
    level: Level,
    ray: &PreparedRay<'_>,
    collector: &mut C,
    watch: &mut impl Watch,
) {
    if tree.nodes.is_empty() {
        return;
    }
    // Those that most machines have, apart: so callers need no room for the others.
    match level {
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        Level::Avx2(simd) => simd.vectorize(
            #[inline(always)]
            || walk_with(simd, tree, ray, collector, watch),
        ),
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        Level::Avx512(simd) => simd.vectorize(
            #[inline(always)]
            || walk_with(simd, tree, ray, collector, watch),
        ),
        _ => walk_somehow(tree, level, ray, collector, watch),
    }
}

#[inline(never)]
fn walk_somehow<C: Collect>(
    tree: &WideTree,
    level: Level,
    ray: &PreparedRay<'_>,
    collector: &mut C,
    watch: &mut impl Watch,
) {
    fearless_simd::dispatch!(level, simd => walk_with(simd, tree, ray, collector, watch));
}

/// Asks all rays of a queue, several of them under way at once; how many there were. `None`, and
/// none asked, with instructions for which there is no such kernel.
#[inline(never)]
pub(crate) fn interleaved<'r, Q: Queue<'r>>(
    tree: &WideTree,
    level: Level,
    queue: &mut Q,
) -> Option<usize> {
    if tree.nodes.is_empty() {
        return Some(misses(queue));
    }
    for_many!(level, simd => interleave::interleave(simd, tree, queue, &mut group::Group::new()))
}

/// Whether rays end at their first hit, or at any: what packets and bundles know how to answer.
#[inline(always)]
const fn ends_at_first_hit<'r, Q: Queue<'r>>() -> bool {
    let any = Q::Collector::STOPS_AT_FIRST && Q::Collector::HITS_ARE_EQUAL;
    any || Q::Collector::FIRST_HIT_ONLY && !Q::Collector::STOPS_AT_FIRST
}

fn misses<'r, Q: Queue<'r>>(queue: &mut Q) -> usize {
    let mut rays = 0;
    while let Some((place, _)) = queue.next() {
        queue.miss(place);
        rays += 1;
    }
    rays
}

#[inline(always)]
fn walk_with<S: Simd, C: Collect>(
    simd: S,
    tree: &WideTree,
    ray: &PreparedRay<'_>,
    collector: &mut C,
    watch: &mut impl Watch,
) {
    match KernelRay::prepare(simd, ray, tree) {
        Prepared::Ready(kernel) => walk::walk(simd, tree, &kernel, ray, collector, watch),
        Prepared::Unfit => plain::plain(tree, ray, collector, watch),
        Prepared::Misses => {}
    }
}
