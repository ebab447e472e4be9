//! Shared traversal of a bundle, from the root to where its rays diverge.

use super::LANES;
use super::bundle_leaf::visit;
use super::bundle_vectors::{VECTORS, bits, load, mask, of_vector, store};
use super::ray_bundle::{Bundle, Lanes};
use crate::traverse::prefetch;
use crate::traverse::traversal_stack::ROOM;
use crate::wide::{MAX_WIDE_DEPTH, Node, Tag, WIDTH, WideTree};
use arrayvec::ArrayVec;
use fearless_simd::{Select, Simd, SimdBase, SimdFloat, SimdMask};

/// At most this many rays continue alone, each in its own order: if the order matters, and if not.
const FEW: u32 = 2;
const FEW_IN_ANY: u32 = 1;
/// The cost of a node for a bundle, relative to that for a single ray.
const PRICE: u32 = 6;
/// The number of nodes after which a bundle knows whether its rays have enough in common.
const TRIAL: u32 = 8;

/// What the rays of bundles had in common.
#[derive(Clone, Copy, Default)]
pub struct Shared {
    /// Nodes that were visited together.
    pub nodes: u32,
    /// The sum over these nodes of the number of rays.
    pub visits: u32,
}

impl Shared {
    /// Returns whether the rays would have been faster alone.
    pub fn is_too_dear(self) -> bool {
        self.nodes >= TRIAL && self.visits < PRICE * self.nodes
    }

    pub fn and(self, other: Shared) -> Shared {
        Shared {
            nodes: self.nodes + other.nodes,
            visits: self.visits + other.visits,
        }
    }
}

/// A child that several rays meet.
#[derive(Clone, Copy)]
struct Item {
    /// Where the first ray enters its box, and the child, as in [`TraversalStack`].
    ///
    /// [`TraversalStack`]: crate::traverse::traversal_stack::TraversalStack
    key: u32,
    place: u32,
    lanes: u32,
    /// The index of the box's entries.
    entry: u32,
}

/// Where rays enter the boxes of a node's children.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Entries([Lanes; WIDTH]);

/// The children that a bundle visits later.
pub struct Stack {
    items: ArrayVec<Item, ROOM>,
    /// By depth: the entries of all nodes above that have children on the stack.
    entries: Vec<Entries>,
}

impl Stack {
    pub fn new() -> Self {
        Stack {
            items: ArrayVec::new(),
            entries: vec![Entries([[0.0; LANES]; WIDTH]); MAX_WIDE_DEPTH + 1],
        }
    }
}

/// Traverses with the rays that are ready, if `ANY` until each has some hit. Leaves the remaining
/// children in each ray's own list, and returns what the rays had in common.
#[inline(always)]
pub fn walk<S: Simd, const ANY: bool>(
    simd: S,
    tree: &WideTree,
    bundle: &mut Bundle<'_>,
    stack: &mut Stack,
) -> Shared {
    let nodes: &[Node] = &tree.nodes;
    let leaves = tree.view();
    stack.items.clear();
    let mut next = Next {
        tag: Tag::NODE,
        place: 0,
        lanes: bundle.ready,
        entry: 0,
    };
    let mut spent = Shared::default();
    let mut few = if ANY { FEW_IN_ANY } else { FEW };
    loop {
        if next.tag.len() == 0 {
            spent.nodes += 1;
            spent.visits += next.lanes.count_ones();
            if spent.is_too_dear() {
                few = LANES as u32;
            }
            let node = &nodes[next.place as usize];
            let level = stack.level();
            let entries = &mut stack.entries[level].0;
            let met = meet(simd, node, next.lanes, bundle, entries);
            let shared = leave_to_few(node, &met, entries, few, bundle);
            let fetch = |tag, place| prefetch::child(nodes, leaves, tag, place);
            stack.push_shared::<S, ANY>(simd, node, &met, shared, level, fetch);
        } else {
            let Next { place, tag, .. } = next;
            let entry = stack.entry(next.entry);
            visit::<S, ANY>(simd, leaves, place, tag, next.lanes, entry, bundle);
        }
        next = match stack.pop::<S, ANY>(simd, few, bundle) {
            Some(next) => next,
            None => return spent,
        };
    }
}

/// The next node or leaf to visit.
struct Next {
    tag: Tag,
    place: u32,
    lanes: u32,
    /// The index of the box's entries.
    entry: usize,
}

/// Appends children that few rays meet to the lists of these rays. Returns the other children that
/// are met, as bits.
#[inline(always)]
fn leave_to_few(
    node: &Node,
    met: &[u32; WIDTH],
    entries: &[Lanes; WIDTH],
    few: u32,
    bundle: &mut Bundle<'_>,
) -> u32 {
    let (mut shared, mut alone) = (0, 0);
    for (child, met) in met.iter().enumerate() {
        let rays = met.count_ones();
        shared |= u32::from(rays > few) << child;
        alone |= u32::from(rays != 0) << child;
    }
    alone &= !shared;
    if !bundle.has_room(alone) {
        (shared, alone) = (shared | alone, 0);
    }
    while alone != 0 {
        let child = alone.trailing_zeros() as usize % WIDTH;
        alone &= alone - 1;
        let (tag, place) = (Tag(node.tags[child]), node.place[child]);
        bundle.leave(met[child], tag, place, &entries[child]);
    }
    shared
}

impl Stack {
    /// Returns the first level below the entries of nodes that have children on the stack.
    #[inline(always)]
    fn level(&self) -> usize {
        let last = self.items.last();
        last.map_or(0, |item| item.entry as usize / WIDTH + 1)
    }

    /// Returns where rays enter a box.
    #[inline(always)]
    fn entry(&self, at: usize) -> &Lanes {
        &self.entries[at / WIDTH].0[at % WIDTH]
    }

    /// Pushes the children of a node that several rays meet, the nearest last; `fetch` prefetches
    /// each.
    #[inline(always)]
    fn push_shared<S: Simd, const ANY: bool>(
        &mut self,
        simd: S,
        node: &Node,
        met: &[u32; WIDTH],
        mut shared: u32,
        level: usize,
        fetch: impl Fn(Tag, u32),
    ) {
        let Stack { items, entries } = self;
        let bottom = items.len();
        // The smallest first.
        while shared != 0 {
            let child = shared.ilog2() as usize % WIDTH;
            shared ^= 1 << child;
            let (tag, place) = (Tag(node.tags[child]), node.place[child]);
            // All children that several rays meet will most likely be visited soon.
            fetch(tag, place);
            let key = match ANY {
                true => tag.0,
                false => {
                    let first = first::<S>(simd, &entries[level].0[child], met[child]);
                    (first.to_bits() & !Tag::BITS) | tag.0
                }
            };
            items.push(Item {
                key,
                place,
                lanes: met[child],
                entry: (level * WIDTH + child) as u32,
            });
            if !ANY {
                let mut at = items.len() - 1;
                while at > bottom && items[at - 1].key < items[at].key {
                    items.swap(at, at - 1);
                    at -= 1;
                }
            }
        }
    }

    /// Pops the next child that more than a few rays still need. Children that fewer need go to the
    /// lists of these rays.
    #[inline(always)]
    fn pop<S: Simd, const ANY: bool>(
        &mut self,
        simd: S,
        few: u32,
        bundle: &mut Bundle<'_>,
    ) -> Option<Next> {
        loop {
            let item = self.items.pop()?;
            let entry = self.entry(item.entry as usize);
            let (tag, place) = (Tag::of(item.key), item.place);
            let mut lanes = item.lanes & still::<S>(simd, entry, &bundle.limit);
            // Where any hit suffices, there is no nearer limit to wait for.
            let parted = if ANY { 0 } else { lanes & bundle.parted };
            if parted != 0 && bundle.has_room(1) {
                bundle.leave(parted, tag, place, entry);
                lanes &= !parted;
            }
            if lanes.count_ones() > few || (lanes != 0 && !bundle.has_room(1)) {
                return Some(Next {
                    tag,
                    place,
                    lanes,
                    entry: item.entry as usize,
                });
            }
            bundle.leave(lanes, tag, place, entry);
        }
    }
}

/// Returns which of these rays meet the boxes of a node's children, and writes where to `entries`.
#[inline(always)]
fn meet<S: Simd>(
    simd: S,
    node: &Node,
    lanes: u32,
    bundle: &Bundle<'_>,
    entries: &mut [Lanes; WIDTH],
) -> [u32; WIDTH] {
    let faces = |axis: usize| {
        let near_face = bundle.near_face[axis] & 1;
        (
            &node.faces[axis][near_face],
            &node.faces[axis][near_face ^ 1],
        )
    };
    let ((low_x, high_x), (low_y, high_y), (low_z, high_z)) = (faces(0), faces(1), faces(2));
    let mut met = [0; WIDTH];
    for vector in 0..VECTORS::<S>() {
        let get = |lanes: &Lanes| load(simd, lanes, vector);
        let [x, y, z] = [
            get(&bundle.inverse[0]),
            get(&bundle.inverse[1]),
            get(&bundle.inverse[2]),
        ];
        let [near_x, near_y, near_z] = [
            get(&bundle.near[0]),
            get(&bundle.near[1]),
            get(&bundle.near[2]),
        ];
        let [far_x, far_y, far_z] = [
            get(&bundle.far[0]),
            get(&bundle.far[1]),
            get(&bundle.far[2]),
        ];
        let (least, limit) = (get(&bundle.least), get(&bundle.limit));
        let of_vector = of_vector::<S>(lanes, vector);
        for child in 0..WIDTH {
            let splat = |x: f32| S::f32s::splat(simd, x);
            let enter_x = splat(low_x[child]).mul_add(x, near_x);
            let enter_y = splat(low_y[child]).mul_add(y, near_y);
            let enter_z = splat(low_z[child]).mul_add(z, near_z);
            let leave_x = splat(high_x[child]).mul_add(x, far_x);
            let leave_y = splat(high_y[child]).mul_add(y, far_y);
            let leave_z = splat(high_z[child]).mul_add(z, far_z);
            let enter = enter_x.max(enter_y).max(enter_z.max(least));
            let leave = leave_x.min(leave_y).min(leave_z.min(limit));
            let here = leave.simd_gt(enter).to_bitmask() as u32 & of_vector;
            met[child] |= bits::<S>(here.into(), vector);
            store::<S, _>(&mut entries[child], vector, enter);
        }
    }
    met
}

/// Returns where the first of these rays enters.
#[inline(always)]
fn first<S: Simd>(simd: S, entry: &Lanes, lanes: u32) -> f32 {
    let mut least = S::f32s::splat(simd, f32::INFINITY);
    for vector in 0..VECTORS::<S>() {
        let here = mask::<S>(simd, lanes, vector);
        least = least.min(here.select(load(simd, entry, vector), least));
    }
    least.reduce_min()
}

/// Returns the rays that enter before their limit, as bits.
#[inline(always)]
fn still<S: Simd>(simd: S, entry: &Lanes, limit: &Lanes) -> u32 {
    let mut still = 0;
    for vector in 0..VECTORS::<S>() {
        let before = load(simd, entry, vector).simd_le(load(simd, limit, vector));
        still |= bits::<S>(before.to_bitmask(), vector);
    }
    still
}
