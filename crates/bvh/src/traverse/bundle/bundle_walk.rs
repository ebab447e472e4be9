//! Traversal with a bundle.
//!
//! A node's boxes are tested against bounds of the whole bundle first, and then each box that passes
//! against all rays. Where only a few rays are left, each goes on alone to the end of that subtree,
//! as a single ray does.

use super::LANES;
use super::box_lanes::BoxLanes;
use super::bundle_hull::Hull;
use super::ray_lanes::RayLanes;
use crate::traverse::single_walk::last_key;
use crate::traverse::traversal_stack::ROOM;
use crate::traverse::wanted::Wanted;
use crate::wide::{Node, Tag, WIDTH};
use fearless_simd::{Bytes, Select, Simd, SimdBase, SimdMask, f32x16, mask32x16, u32x8};

/// At most this many rays go on alone.
pub(in crate::traverse) const FEW: u32 = 2;

/// Visits what a bundle reaches. All rays are given as bits.
pub(in crate::traverse) trait BundleVisitor<S: Simd> {
    /// Returns the rays that want no more.
    fn done(&self) -> u32;

    /// Visits a leaf, given by its first slot and its length, with these rays; none of them is in its box
    /// before `entry`, if nearer boxes come first. Returns those whose limit may have changed.
    fn visit_leaf(
        &mut self,
        simd: S,
        rays: &mut RayLanes,
        lanes: u32,
        leaf: (usize, usize),
        entry: f32,
    ) -> u32;

    /// Traverses what is below a node with the ray of one lane, and may lower its limit.
    fn go_alone(&mut self, simd: S, rays: &mut RayLanes, lane: usize, place: u32);

    /// Prefetches children that are visited soon.
    #[inline(always)]
    fn prefetch(&self, children: &[Item]) {
        let _ = children;
    }
}

/// What the rays of bundles had in common.
#[derive(Clone, Copy, Default)]
pub struct Shared {
    /// The number of nodes and leaves that were visited together.
    pub steps: u64,
    /// The sum over these of the number of rays.
    pub visits: u64,
    /// The sum over all rays of the number of subtrees that they traversed alone.
    pub alone: u64,
}

impl Shared {
    /// Counts a node or leaf that these rays, as bits, visit together.
    #[inline(always)]
    pub fn visit(&mut self, lanes: u32) {
        self.steps += 1;
        self.visits += u64::from(lanes.count_ones());
    }

    /// Counts a subtree that each of these rays, as bits, traverses alone.
    #[inline(always)]
    pub fn traverse_alone(&mut self, lanes: u32) {
        self.alone += u64::from(lanes.count_ones());
    }

    #[must_use]
    pub fn and(self, other: Shared) -> Shared {
        Shared {
            steps: self.steps + other.steps,
            visits: self.visits + other.visits,
            alone: self.alone + other.alone,
        }
    }
}

/// A child to be visited, and the rays that meet it, as bits.
#[derive(Clone, Copy)]
pub struct Item {
    /// Where the first ray may enter its box, and the child, as in [`TraversalStack`].
    ///
    /// [`TraversalStack`]: crate::traverse::traversal_stack::TraversalStack
    pub key: u32,
    pub place: u32,
    pub lanes: u32,
}

/// The children that a bundle visits later.
pub struct Stack {
    items: [Item; ROOM],
    len: usize,
}

impl Stack {
    pub fn new() -> Self {
        let none = Item {
            key: 0,
            place: 0,
            lanes: 0,
        };
        Stack {
            items: [none; ROOM],
            len: 0,
        }
    }

    /// Pushes a child if any ray meets it, without a branch.
    #[inline(always)]
    fn push(&mut self, item: Item) {
        self.items[self.len] = item;
        self.len += usize::from(item.lanes != 0);
    }

    #[inline(always)]
    fn pop(&mut self) -> Option<Item> {
        self.len = self.len.checked_sub(1)?;
        Some(self.items[self.len])
    }

    /// Returns the children above the first `least`.
    #[inline(always)]
    fn above(&self, least: usize) -> &[Item] {
        &self.items[least..self.len]
    }
}

/// Traverses with these rays, given as bits, until each is done. Returns what the rays had in common.
#[inline(always)]
pub(in crate::traverse) fn walk<S: Simd, W: Wanted>(
    simd: S,
    wanted: W,
    nodes: &[Node],
    (rays, mut lanes): (&mut RayLanes, u32),
    stack: &mut Stack,
    visitor: &mut impl BundleVisitor<S>,
) -> Shared {
    stack.len = 0;
    let mut limits = rays.limits(simd);
    let mut limit = rays.hull.limit;
    let (mut tag, mut place, mut entry) = (Tag::NODE, 0, 0.0);
    let mut spent = Shared::default();
    loop {
        let mut nearer = 0;
        if tag.len() > 0 {
            spent.visit(lanes);
            let leaf = (place as usize, tag.len());
            nearer = visitor.visit_leaf(simd, rays, lanes, leaf, entry);
        } else if lanes.count_ones() <= FEW {
            spent.traverse_alone(lanes);
            nearer = lanes;
            while lanes != 0 {
                let lane = lanes.trailing_zeros() as usize % LANES;
                lanes &= lanes - 1;
                visitor.go_alone(simd, rays, lane, place);
            }
        } else {
            spent.visit(lanes);
            let node = &nodes[place as usize];
            let of = (&rays.boxes, &rays.hull);
            let before = stack.len;
            push_children(simd, wanted, node, of, lanes, (limits, limit), stack);
            visitor.prefetch(stack.above(before));
        }
        if W::FIRST && nearer != 0 {
            while nearer != 0 {
                let lane = nearer.trailing_zeros() as usize % LANES;
                nearer &= nearer - 1;
                let this = mask32x16::from_bitmask(simd, 1 << lane);
                limits = this.select(f32x16::splat(simd, rays.limit[lane]), limits);
            }
            limit = limits.reduce_max();
        }
        loop {
            let Some(item) = stack.pop() else {
                return spent;
            };
            lanes = item.lanes & !visitor.done();
            if lanes == 0 || (W::FIRST && item.key as i32 > last_key(limit)) {
                continue;
            }
            // Without its lowest bits, the key is no greater than where the first ray enters the box.
            entry = f32::from_bits(item.key & !Tag::BITS);
            (tag, place) = (Tag::of(item.key), item.place);
            break;
        }
    }
}

/// Pushes the children of a node that these rays meet, the one to visit next on top: that whose box
/// the first ray enters first, or the largest if the order does not matter.
#[inline(always)]
fn push_children<S: Simd, W: Wanted>(
    simd: S,
    wanted: W,
    node: &Node,
    (boxes, hull): (&BoxLanes, &Hull),
    lanes: u32,
    (limits, limit): (f32x16<S>, f32),
    stack: &mut Stack,
) {
    let (entry, hit) = hull.test(simd, node, boxes.near_face, limit);
    let mut hits = hit.to_bitmask() as u32;
    if hits == 0 {
        return;
    }
    let meet = |child: usize| boxes.meet(simd, node, child, limits) & lanes;
    if !wanted.nearest_first() {
        while hits != 0 {
            let child = hits.ilog2() as usize % WIDTH;
            hits ^= 1 << child;
            let (key, place) = (node.tags[child], node.place[child]);
            stack.push(Item {
                key,
                place,
                lanes: meet(child),
            });
        }
        return;
    }
    let keys = (entry.bitcast::<u32x8<S>>() & u32x8::splat(simd, !Tag::BITS))
        | u32x8::load_array_ref(simd, &node.tags);
    let keys = sorted(simd, hit.select(keys, u32x8::splat(simd, !0)));
    for &key in &keys[..hits.count_ones() as usize % (WIDTH + 1)] {
        let child = Tag::of(key).lane();
        let place = node.place[child];
        stack.push(Item {
            key,
            place,
            lanes: meet(child),
        });
    }
}

/// Returns keys in descending order as signed numbers.
#[inline(always)]
fn sorted<S: Simd>(simd: S, keys: u32x8<S>) -> [u32; WIDTH] {
    #[cfg(target_arch = "x86_64")]
    if let Some(avx2) = simd.level().as_avx2() {
        use crate::traverse::child_order::x86;
        use fearless_simd::SimdFrom;
        let keys = u32x8::simd_from(simd, x86::sort(avx2, keys.into()));
        return keys.to_array();
    }
    let _ = simd;
    let mut keys = keys.to_array();
    keys.sort_unstable_by_key(|&key| core::cmp::Reverse(key as i32));
    keys
}
