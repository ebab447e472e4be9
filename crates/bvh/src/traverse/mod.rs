//! From the root to the triangles that a ray may hit.
//!
//! The walk and its two tests are written once and compiled for each instruction set
//! ([`SimdLevel`]); what passes them is certified elsewhere, exactly.

#[cfg(test)]
mod attack;
mod leaf_test;
mod level;
mod node_test;
mod plain;
mod ray;
mod steps;
mod walk;

pub use level::{SimdLevel, SimdLevelError};
pub use steps::Steps;

use crate::wide::WideTree;
use estoc_core::Collect;
use estoc_core::exact::RayQuestion;
use fearless_simd::Level;
use ray::{KernelRay, Prepared};
use steps::Watch;

/// Offers the collector the triangles of every leaf whose box the ray may hit up to the
/// collector's limit, nearer boxes first.
#[inline]
pub(crate) fn nearest_first<C: Collect>(
    tree: &WideTree,
    level: Level,
    ray: &RayQuestion,
    collector: &mut C,
    watch: &mut impl Watch,
) {
    if tree.nodes.is_empty() {
        return;
    }
    fearless_simd::dispatch!(level, simd => match KernelRay::prepare(simd, ray, tree) {
        Prepared::Ready(kernel) => walk::walk(simd, tree, &kernel, collector, watch),
        Prepared::Unfit => plain::plain(tree, ray, collector, watch),
        Prepared::Misses => {}
    });
}
