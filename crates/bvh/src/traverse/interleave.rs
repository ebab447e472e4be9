//! Traverses with many rays in flight, one step of each in turn.
//!
//! A step ends with a prefetch of what the ray needs next; while that is loading, the other rays
//! take their steps (Kocberber, Falsafi and Grot 2015, "Asynchronous Memory Access Chaining"). So
//! the memory latencies of rays overlap, and so do their computations.

use super::child_order::in_order;
use super::completion::{DeferredCollector, end};
use super::late_hits::LateHits;
use super::leaf_visits::LeafVisits;
use super::prefetch;
use super::ray_group::{RayGroup, RayInGroup, Ready};
use super::ray_target::RayTarget;
use super::single_walk::{BoxTest, last_key};
use super::traversal_stack::TraversalStack;
use super::wanted::Wanted;
use crate::wide::{LeafView, Node, Tag};
use core::ops::ControlFlow;
use estoc_core::{Collector, Queue, Ray, RayKind, RayTest, Triangle};
use fearless_simd::{Simd, SimdMask};

/// The number of rays in flight. Their state is 24 times 256 bytes, and what they wait for another 6
/// to 8 KiB, so that both fit into 32 KiB of L1d. More hide no more of the memory latency, and 16 hide
/// less; see the figures in `docs/performance-notes.md`.
const RAYS: usize = 24;
/// Room for them, a power of two: it makes an index cheap.
const ROOM: usize = 32;

/// A ray in flight. What steps read comes first: at a node the first cache line, the fourth, and what
/// is on top of the stack; at a leaf the first four. That is 256 bytes as long as few children wait.
#[repr(C, align(64))]
struct RayInFlight<'r, P: RayTest<R> = Triangle, R: RayKind = Ray> {
    /// With the current limit.
    ray: Ready<'r, R>,
    leaves: LeafVisits,
    /// The next node or leaf to visit.
    tag: Tag,
    next: u32,
    /// The number of prefetch steps done for the next leaf.
    asked: u8,
    is_busy: bool,
    waiting: TraversalStack,
    collector: Option<Collector<'r, P, R>>,
}

// Rays lie an odd number of cache lines apart: then the lines that all of them use are spread over
// all sets of the cache.
#[cfg(target_pointer_width = "64")]
const _: () = {
    use core::mem::offset_of;
    assert!(size_of::<RayInFlight<'_>>() / 64 % 2 == 1);
    assert!(offset_of!(RayInFlight<'_>, tag) == 192 && offset_of!(RayInFlight<'_>, waiting) == 208);
};

/// What interleaved rays took.
#[derive(Clone, Copy)]
pub struct Taken {
    pub rays: usize,
    /// The number of visits of nodes and leaves.
    pub visits: usize,
}

/// Traverses with all rays of the group.
#[inline(always)]
pub(super) fn interleave<'r, S: Simd, R: RayInGroup, T: RayTarget<R>, W: Wanted>(
    simd: S,
    wanted: W,
    target: T,
    queue: &mut Queue<'r, T::Primitive, R>,
    group: &mut RayGroup<'_, 'r, R>,
) -> Taken {
    // The arrays are looked up once.
    let tree = target.tree();
    let trees = Arrays {
        target,
        nodes: &tree.nodes,
        leaves: tree.view(),
        steps: tree.view().steps(),
    };
    let (mut asked, mut visits) = (0, 0);
    let mut late = LateHits::new();
    // On the heap: they are too large for the stacks of some threads.
    let mut slots: Vec<RayInFlight<'r, T::Primitive, R>> =
        (0..ROOM).map(|_| RayInFlight::free()).collect();
    let slots = slots.first_chunk_mut::<ROOM>();
    let slots = slots.expect("the vector has `ROOM` elements");
    // Whose step is next, nodes and leaves separately, so that branches are predictable.
    let mut then = Then {
        nodes: Turns::none(),
        leaves: Turns::none(),
        ended: Turns::all(),
    };
    loop {
        for turn in 0..then.ended.len {
            let at = then.ended.at[turn % ROOM];
            let slot = &mut slots[usize::from(at) % ROOM];
            answer::<S, R, T, W>(simd, &trees, slot, &mut late, queue);
            let goes_on = begin::<S, R, T, W>(simd, &trees, slot, group, queue, &mut asked);
            let is_node = slot.tag.len() == 0;
            then.nodes.push_if(at, goes_on & is_node);
            then.leaves.push_if(at, goes_on & !is_node);
        }
        let Then { nodes, leaves, .. } = then;
        if nodes.len + leaves.len == 0 {
            target.complete_late(simd, trees.leaves, &mut late, queue);
            return Taken {
                rays: asked,
                visits,
            };
        }
        then = Then::none();
        let mut visited = Turns::none();
        for turn in 0..nodes.len {
            let at = nodes.at[turn % ROOM];
            let slot = &mut slots[usize::from(at) % ROOM];
            node_step(simd, wanted, &trees, slot);
        }
        for turn in 0..leaves.len {
            let at = leaves.at[turn % ROOM];
            let slot = &mut slots[usize::from(at) % ROOM];
            if slot.asked < trees.steps {
                prefetch::named(trees.leaves, slot.tag, slot.next, slot.asked);
                slot.asked += 1;
                then.leaves.push_if(at, true);
                continue;
            }
            visited.push_if(at, true);
            if !leaf_step(simd, wanted, &trees, slot, queue) {
                slot.waiting.clear();
            }
        }
        visits += nodes.len + visited.len;
        // In loops of their own, so that the operands of branches are ready when these come.
        for turn in 0..nodes.len {
            let at = nodes.at[turn % ROOM];
            let slot = &mut slots[usize::from(at) % ROOM];
            let goes_on = slot.next(&trees);
            then.push(at, goes_on, slot.tag);
        }
        for turn in 0..visited.len {
            let at = visited.at[turn % ROOM];
            let slot = &mut slots[usize::from(at) % ROOM];
            let goes_on = slot.next(&trees);
            then.push(at, goes_on, slot.tag);
        }
    }
}

/// The slots of the next round.
struct Then {
    nodes: Turns,
    leaves: Turns,
    ended: Turns,
}

impl Then {
    #[inline(always)]
    fn none() -> Self {
        Then {
            nodes: Turns::none(),
            leaves: Turns::none(),
            ended: Turns::none(),
        }
    }

    #[inline(always)]
    fn push(&mut self, at: u8, goes_on: bool, tag: Tag) {
        let is_node = tag.len() == 0;
        self.nodes.push_if(at, goes_on & is_node);
        self.leaves.push_if(at, goes_on & !is_node);
        self.ended.push_if(at, !goes_on);
    }
}

/// The arrays that rays read.
struct Arrays<'t, T> {
    target: T,
    nodes: &'t [Node],
    leaves: LeafView<'t>,
    /// [`LeafView::steps`].
    steps: u8,
}

/// Slots in the order of their turns.
struct Turns {
    at: [u8; ROOM],
    len: usize,
}

impl Turns {
    #[inline(always)]
    fn none() -> Self {
        Turns {
            at: [0; ROOM],
            len: 0,
        }
    }

    #[inline(always)]
    fn all() -> Self {
        Turns {
            at: core::array::from_fn(|at| at as u8),
            len: RAYS,
        }
    }

    /// Pushes a slot if `is_there`, without a branch.
    #[inline(always)]
    fn push_if(&mut self, at: u8, is_there: bool) {
        self.at[self.len % ROOM] = at;
        self.len += usize::from(is_there);
    }
}

/// Completes the ray of a slot, if it has one.
#[inline(always)]
fn answer<'r, S: Simd, R: RayKind, T: RayTarget<R>, W: Wanted>(
    simd: S,
    arrays: &Arrays<'_, T>,
    slot: &mut RayInFlight<'r, T::Primitive, R>,
    late: &mut LateHits<'r, R>,
    queue: &mut Queue<'r, T::Primitive, R>,
) {
    if slot.is_busy {
        let ray = (slot.ray.place, slot.ray.question);
        let leaves = (arrays.leaves, &slot.leaves);
        end::<S, R, T, W>(
            simd,
            arrays.target,
            ray,
            leaves,
            &mut slot.collector,
            late,
            queue,
        );
    }
}

/// Starts the next ray in a free slot, and returns whether there was one.
#[inline(always)]
fn begin<'r, S: Simd, R: RayKind, T: RayTarget<R>, W: Wanted>(
    simd: S,
    arrays: &Arrays<'_, T>,
    slot: &mut RayInFlight<'r, T::Primitive, R>,
    group: &mut RayGroup<'_, 'r, R>,
    queue: &mut Queue<'r, T::Primitive, R>,
    asked: &mut usize,
) -> bool {
    slot.waiting.clear();
    slot.waiting.push(Tag::NODE.0, 0);
    if !group.start_next(simd, arrays.target, queue, asked, &mut slot.ray) {
        slot.is_busy = false;
        return false;
    }
    let ray = &slot.ray;
    let rule = queue.hit_rule(ray.place);
    slot.leaves
        .begin::<W>(&ray.ends, rule, T::HAS_SPANS_IN_ANY_FRAME);
    slot.is_busy = true;
    slot.next(arrays)
}

#[inline(always)]
fn node_step<S: Simd, R: RayKind, T: RayTarget<R>>(
    simd: S,
    wanted: impl Wanted,
    tree: &Arrays<'_, T>,
    slot: &mut RayInFlight<'_, T::Primitive, R>,
) {
    let node = &tree.nodes[slot.next as usize];
    let (entry, hit) = slot.ray.boxes.test(simd, node, slot.ray.boxes.limit);
    let hits = hit.to_bitmask() as u32;
    in_order(simd, wanted, node, entry, hit, hits, &mut slot.waiting);
}

#[inline(always)]
fn leaf_step<'r, S: Simd, R: RayKind, T: RayTarget<R>, W: Wanted>(
    simd: S,
    wanted: W,
    arrays: &Arrays<'_, T>,
    slot: &mut RayInFlight<'r, T::Primitive, R>,
    queue: &mut Queue<'r, T::Primitive, R>,
) -> bool {
    let mut sink = DeferredCollector {
        queue,
        place: slot.ray.place,
        question: slot.ray.question,
        collector: &mut slot.collector,
        target: arrays.target,
        leaves: arrays.leaves,
    };
    let leaf = (slot.next as usize, slot.tag.len());
    let (ray, limit) = ((&slot.ray.leaves, &slot.ray.ends), slot.ray.boxes.limit);
    let dir = arrays.target.exact_dir(&slot.ray.question);
    let visited = slot.leaves.visit(
        simd,
        wanted,
        ray,
        dir,
        arrays.leaves,
        leaf,
        limit,
        #[inline(always)]
        |candidate| sink.offer(candidate),
        &(),
    );
    match visited {
        ControlFlow::Continue(nearer) => {
            if nearer < slot.ray.boxes.limit {
                slot.ray.boxes.limit = nearer;
                // This is rare, so it is cheaper than checking the limit at each pop.
                slot.waiting.cull(last_key(nearer));
            }
            true
        }
        ControlFlow::Break(()) => false,
    }
}

impl<P: RayTest<R>, R: RayInGroup> RayInFlight<'_, P, R> {
    #[inline(always)]
    fn free() -> Self {
        RayInFlight {
            is_busy: false,
            ray: Ready::nowhere(),
            leaves: LeafVisits::new(),
            collector: None,
            tag: Tag::NODE,
            next: 0,
            asked: 0,
            waiting: TraversalStack::new(),
        }
    }
}

impl<P: RayTest<R>, R: RayKind> RayInFlight<'_, P, R> {
    /// Pops the next node or leaf and prefetches it. Returns false if none is left.
    #[inline(always)]
    fn next<T: RayTarget<R>>(&mut self, tree: &Arrays<'_, T>) -> bool {
        let Some((tag, next)) = self.waiting.pop_any() else {
            return false;
        };
        (self.tag, self.next, self.asked) = (tag, next, 0);
        prefetch::child(tree.nodes, tree.leaves, tag, next);
        true
    }
}
