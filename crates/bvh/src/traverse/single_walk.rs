//! Traversal with a single ray, nearer boxes first.

use super::child_order::{largest_first, nearest_first};
use super::f64_walk::walk_f64;
use super::kernel_ray::{KernelRay, Prepared};
use super::leaf_ray::LeafRay;
use super::leaf_visits::{CollectorSource, GivenCollector, LeafVisits, OnDemand};
use super::node_test::node_test;
use super::step_counter::StepCounter;
use super::traversal_stack::TraversalStack;
use super::wanted::{Any, Closest, Wanted};
use crate::wide::{Node, Tag, WideTree};
use core::ops::ControlFlow;
use estoc_core::exact::PreparedRay;
use estoc_core::{Collector, Hit, HitRule, QueryOptions, RayTest};
use fearless_simd::{Simd, SimdMask};

/// Offers the collector every triangle that the ray may hit up to its limit, or counts it where
/// that suffices and the kernels are certain.
///
/// A box that is entered exactly at the limit is still visited: of equal hits the one of the lowest
/// id counts, wherever it lies.
#[inline(always)]
pub(super) fn walk<S: Simd, W: Wanted>(
    simd: S,
    wanted: W,
    tree: &WideTree,
    question: &PreparedRay<'_>,
    collector: &mut Collector<'_>,
) {
    if tree.nodes.is_empty() {
        return;
    }
    let ray = match KernelRay::prepare(simd, question, tree) {
        Prepared::Ready(ray) => ray,
        Prepared::Unfit => return walk_f64(tree, question, collector, &mut ()),
        Prepared::Misses => return,
    };
    let mut leaves = LeafVisits::new();
    leaves.begin(&ray.ends, collector.hit_rule());
    let limit = ray.ends.limit(collector.t_limit());
    let mut source = GivenCollector(&mut *collector);
    descend(
        simd,
        wanted,
        tree,
        &ray,
        question,
        limit,
        &mut leaves,
        &mut source,
        &mut (),
    );
    leaves.end(tree.view(), collector, &mut ());
}

/// Returns the first hit of a ray all of whose hits count.
#[inline(always)]
pub(super) fn closest<S: Simd>(
    simd: S,
    tree: &WideTree,
    question: &PreparedRay<'_>,
    watch: &mut impl StepCounter,
) -> Option<Hit> {
    if tree.nodes.is_empty() {
        return None;
    }
    let make = || Collector::first(*question, const { &QueryOptions::new() }, None);
    let ray = match KernelRay::prepare(simd, question, tree) {
        Prepared::Ready(ray) => ray,
        Prepared::Unfit => {
            let mut collector = make();
            walk_f64(tree, question, &mut collector, watch);
            return collector.first_found();
        }
        Prepared::Misses => return None,
    };
    let mut source = OnDemand {
        collector: None,
        make,
    };
    let leaves = descend_plain(simd, Closest, tree, &ray, question, &mut source, watch);
    match &mut source.collector {
        Some(collector) => {
            leaves.end(tree.view(), collector, watch);
            collector.first_found()
        }
        None => {
            let (prim, triangle) = leaves.kept(tree.view())?;
            watch.triangle();
            triangle.only_hit(question, prim)
        }
    }
}

/// Returns whether a ray all of whose hits count hits anything.
#[inline(always)]
pub(super) fn any<S: Simd>(simd: S, tree: &WideTree, question: &PreparedRay<'_>) -> bool {
    if tree.nodes.is_empty() {
        return false;
    }
    let make = || Collector::any(*question, const { &QueryOptions::new() }, None);
    let ray = match KernelRay::prepare(simd, question, tree) {
        Prepared::Ready(ray) => ray,
        Prepared::Unfit => {
            let mut collector = make();
            walk_f64(tree, question, &mut collector, &mut ());
            return collector.any_found();
        }
        Prepared::Misses => return false,
    };
    let mut source = OnDemand {
        collector: None,
        make,
    };
    let leaves = descend_plain(simd, Any, tree, &ray, question, &mut source, &mut ());
    leaves.counted() > 0 || source.collector.is_some_and(|found| found.any_found())
}

#[inline(always)]
fn descend_plain<'r, S: Simd, W: Wanted>(
    simd: S,
    wanted: W,
    tree: &WideTree,
    ray: &KernelRay,
    question: &PreparedRay<'r>,
    source: &mut impl CollectorSource<'r>,
    watch: &mut impl StepCounter,
) -> LeafVisits {
    let mut leaves = LeafVisits::new();
    leaves.begin(&ray.ends, HitRule::Every);
    let limit = ray.ends.limit(question.t_max());
    descend(
        simd,
        wanted,
        tree,
        ray,
        question,
        limit,
        &mut leaves,
        source,
        watch,
    );
    leaves
}

/// The ray for leaf tests, computed at the first leaf: many rays reach none.
struct Lazily<'a> {
    ray: &'a KernelRay,
    found: Option<LeafRay>,
}

impl Lazily<'_> {
    #[inline(always)]
    fn get(&mut self) -> &LeafRay {
        self.found.get_or_insert_with(
            #[inline(always)]
            || LeafRay::of(self.ray),
        )
    }
}

#[inline(always)]
#[expect(
    clippy::too_many_arguments,
    reason = "the state of a traversal, in registers"
)]
fn descend<'r, S: Simd, W: Wanted>(
    simd: S,
    wanted: W,
    tree: &WideTree,
    ray: &KernelRay,
    question: &PreparedRay<'_>,
    mut limit: f32,
    leaves: &mut LeafVisits,
    audience: &mut impl CollectorSource<'r>,
    watch: &mut impl StepCounter,
) {
    let KernelRay { boxes, ends, .. } = ray;
    let mut leaf_ray = Lazily { ray, found: None };
    let nodes: &[Node] = &tree.nodes;
    let mut waiting = TraversalStack::new();
    let (mut tag, mut place) = (Tag::NODE, 0);
    loop {
        if tag.len() == 0 {
            watch.node();
            let node = &nodes[place as usize];
            let (entry, hit) = node_test(simd, node, boxes, limit);
            let hits = hit.to_bitmask() as u32;
            if hits != 0 {
                (tag, place) = match wanted.nearest_first() {
                    true => nearest_first(simd, node, entry, hit, hits, &mut waiting),
                    false => largest_first(simd, node, hits, &mut waiting),
                };
                continue;
            }
        } else {
            watch.leaf();
            let leaf = (place as usize, tag.len());
            match leaves.visit(
                simd,
                (leaf_ray.get(), ends),
                question,
                tree.view(),
                leaf,
                limit,
                wanted,
                audience,
                watch,
            ) {
                ControlFlow::Continue(nearer) => limit = nearer,
                ControlFlow::Break(()) => return,
            }
        }
        // The last deferred child that is not beyond the limit.
        (tag, place) = match waiting.pop(last_key(limit)) {
            Some(next) => next,
            None => return,
        };
    }
}

/// Returns the largest key, as a signed number, of a child that a ray enters up to the limit.
#[inline(always)]
pub fn last_key(limit: f32) -> i32 {
    limit.to_bits() as i32 | Tag::BITS as i32
}
