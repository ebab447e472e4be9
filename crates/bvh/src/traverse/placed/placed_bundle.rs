//! The walk of up to sixteen rays over placed meshes, which they share.
//!
//! Rays are mapped to a mesh's space together (`placed_mesh.rs`), and traverse its tree as a bundle (`bundle/`).
//! Few rays go on one by one. What is left open for a ray ends its part in this.

use super::inverse_map::{InverseMap, ObjectLanes};
use super::placed_object::{PlacedObjects, PlacedTree};
use super::placed_walk::{
    FirstPlaced, FoundHit, FoundPlace, PlacedSkip, PlacedVisitor, first_placed,
};
use super::world_lanes::WorldLanes;
use super::world_ray::WorldRay;
use crate::traverse::bundle::LANES;
use crate::traverse::bundle::bundle_leaf::{BundleProgress, LaneDoubts, MeshBundle};
use crate::traverse::bundle::bundle_trial::Trial;
use crate::traverse::bundle::bundle_walk::{BundleVisitor, FEW, Item, Stack, walk};
use crate::traverse::bundle::ray_bundle::Bundle;
use crate::traverse::bundle::ray_lanes::RayLanes;
use crate::traverse::bundle::ray_window::NumberedRay;
use crate::traverse::for_many;
use crate::traverse::kernel_ray::grant;
use crate::traverse::leaf_visits::smaller;
use crate::traverse::mapped::LARGE;
use crate::traverse::nearest_certain::NearestCertain;
use crate::traverse::prefetch::{self, Ahead};
use crate::traverse::single_walk::descend;
use crate::traverse::skipped::Skipped;
use crate::traverse::wanted::{Any, Closest, Wanted};
use crate::wide::{ItemTree, Layout, Tag, WideTree};
use arrayvec::ArrayVec;
use estoc_core::ScenePath;
use fearless_simd::{Level, Simd};

/// What traversals of bundles at placed meshes reuse, and what recent ones had in common.
pub struct PlacedBundles<'r> {
    bundle: Bundle<'r>,
    world: WorldLanes,
    stack: Stack,
    mesh: MeshRoom,
    found: Found,
    trial: Trial,
    /// Whether kernels are fit for the tree's frame.
    pub(crate) is_fit: bool,
}

struct MeshRoom {
    lanes: RayLanes,
    stack: Stack,
    progress: BundleProgress,
}

/// What is known of the rays, in part as bits.
struct Found {
    best: [Option<FoundHit>; LANES],
    t_limit: [f64; LANES],
    hit: u32,
    unsure: u32,
    done: u32,
}

impl<'r> PlacedBundles<'r> {
    /// Returns them on the heap: they are too large for the stacks of some threads.
    pub fn new() -> Box<Self> {
        Box::new(PlacedBundles {
            bundle: Bundle::new(),
            world: WorldLanes::new(),
            stack: Stack::new(),
            mesh: MeshRoom {
                lanes: RayLanes::new(),
                stack: Stack::new(),
                progress: BundleProgress::new(),
            },
            found: Found {
                best: [None; LANES],
                t_limit: [0.0; LANES],
                hit: 0,
                unsure: 0,
                done: 0,
            },
            trial: Trial::of_placed_meshes(),
            is_fit: true,
        })
    }

    /// Returns whether the next sixteen rays are faster one by one, as recent ones had too little in common.
    pub fn is_alone(&mut self) -> bool {
        let is_alone = self.trial.is_alone();
        if is_alone {
            self.trial.pass(LANES as u32);
        }
        is_alone
    }

    /// Returns the rays of the next bundle, to be filled.
    pub fn rays(&mut self) -> &mut ArrayVec<NumberedRay<'r>, LANES> {
        &mut self.bundle.rays
    }

    /// Returns whether a ray of the last bundle, for any hit, hits something; `None` if that is not certain.
    pub fn any(&self, lane: usize) -> Option<bool> {
        let is_hit = self.found.hit >> lane & 1 == 1;
        (is_hit || self.is_certain(lane)).then_some(is_hit)
    }

    fn is_certain(&self, lane: usize) -> bool {
        (self.bundle.ready & !self.found.unsure) >> lane & 1 == 1
    }
}

/// Traverses with the rays of a bundle, of the same octant, until each has some hit.
pub(crate) fn any_bundle(
    of: (&ItemTree, &impl PlacedObjects),
    level: Level,
    skips: &[PlacedSkip<'_>; LANES],
    bundles: &mut PlacedBundles<'_>,
) {
    let _ = for_many!(level, simd => trace(simd, Any, of, skips, bundles));
}

/// Traverses with the rays of a bundle, of the same octant. Passes on the first hit of each, and the number of
/// its lane; `None` if that is not certain.
pub(crate) fn closest_bundle<'r>(
    (tree, items): (&ItemTree, &impl PlacedObjects),
    level: Level,
    skips: &[PlacedSkip<'_>; LANES],
    bundles: &mut PlacedBundles<'r>,
    answer: &mut dyn FnMut(NumberedRay<'r>, Option<Option<FirstPlaced>>),
) {
    let done = for_many!(level, simd => {
        trace(simd, Closest, (tree, items), skips, bundles);
        for (lane, of) in bundles.bundle.rays.iter().enumerate() {
            let first = match (bundles.is_certain(lane), &bundles.found.best[lane]) {
                (false, _) => None,
                (true, None) => Some(None),
                (true, Some(best)) => {
                    let ray = of.1.ray();
                    let world = WorldRay::of(simd, ray, ray.t_min, &tree.measures);
                    first_placed(simd, items, &world, best).map(Some)
                }
            };
            answer(*of, first);
        }
    });
    if done.is_none() {
        bundles.bundle.rays.iter().for_each(|&of| answer(of, None));
    }
}

#[inline(always)]
fn trace<S: Simd, W: Wanted, I: PlacedObjects>(
    simd: S,
    wanted: W,
    (tree, items): (&ItemTree, &I),
    skips: &[PlacedSkip<'_>; LANES],
    bundles: &mut PlacedBundles<'_>,
) {
    let PlacedBundles {
        bundle,
        world,
        stack,
        mesh,
        found,
        trial,
        is_fit,
    } = bundles;
    (found.hit, found.unsure, found.done) = (0, 0, 0);
    if !*is_fit || tree.nodes.is_empty() || bundle.rays.is_empty() {
        bundle.ready = 0;
        return;
    }
    let raw = bundle.prepare(simd, &tree.measures);
    if bundle.ready == 0 {
        return;
    }
    world.set(raw, &tree.measures);
    for lane in 0..LANES {
        found.best[lane] = None;
        found.t_limit[lane] = f64::from(world.t_max[lane]);
    }
    let mut visitor = PlacedBundle {
        wanted,
        tree,
        items,
        is_large: tree.nodes.len() >= LARGE,
        rays: &bundle.rays,
        skips,
        skips_any: skips.iter().any(Option::is_some),
        world,
        mesh,
        found,
    };
    let lanes = (&mut bundle.lanes, bundle.ready);
    let shared = walk(simd, Closest, &tree.nodes, lanes, stack, &mut visitor);
    trial.take(shared);
}

struct PlacedBundle<'a, 'r, W, I> {
    wanted: W,
    tree: &'a ItemTree,
    items: &'a I,
    is_large: bool,
    rays: &'a [NumberedRay<'r>],
    skips: &'a [PlacedSkip<'a>; LANES],
    skips_any: bool,
    world: &'a WorldLanes,
    mesh: &'a mut MeshRoom,
    found: &'a mut Found,
}

impl<S: Simd, W: Wanted, I: PlacedObjects> BundleVisitor<S> for PlacedBundle<'_, '_, W, I> {
    #[inline(always)]
    fn done(&self) -> u32 {
        self.found.done
    }

    #[inline(always)]
    fn visit_leaf(
        &mut self,
        simd: S,
        rays: &mut RayLanes,
        lanes: u32,
        (slot, len): (usize, usize),
        entry: f32,
    ) -> u32 {
        let item = slot as u32;
        let mut alone = lanes;
        if lanes.count_ones() > FEW
            && let Some(placed) = self.items.placed(item)
            && let PlacedTree::Mesh(tree) = placed.tree
            && tree.leaves.layout() == Layout::Fast
        {
            let placed = (placed.number, placed.inverse, tree);
            alone = self.enter(simd, rays, lanes, placed, (item, entry));
        }
        while alone != 0 {
            let lane = alone.trailing_zeros() as usize % LANES;
            alone &= alone - 1;
            let key = entry.to_bits() & !Tag::BITS | Tag::new(0, len).0;
            self.trace_alone(simd, rays, lane, (Tag(key), item));
        }
        lanes
    }

    #[inline(always)]
    fn go_alone(&mut self, simd: S, rays: &mut RayLanes, lane: usize, place: u32) {
        self.trace_alone(simd, rays, lane, (Tag::NODE, place));
    }

    #[inline(always)]
    fn prefetch(&self, children: &[Item]) {
        if !self.is_large {
            return;
        }
        for item in children {
            match Tag::of(item.key).len() {
                0 => prefetch::node(&self.tree.nodes, item.place),
                _ => self.items.prefetch(item.place),
            }
        }
    }
}

impl<W: Wanted, I: PlacedObjects> PlacedBundle<'_, '_, W, I> {
    /// Looks for nearer hits on a mesh with these rays. Returns those that are to enter it alone.
    #[inline(never)]
    fn enter<S: Simd>(
        &mut self,
        simd: S,
        rays: &mut RayLanes,
        lanes: u32,
        placed: (u32, &InverseMap, &WideTree),
        (item, entry): (u32, f32),
    ) -> u32 {
        simd.vectorize(
            #[inline(always)]
            || self.enter_with(simd, rays, lanes, placed, (item, entry)),
        )
    }

    #[inline(always)]
    fn enter_with<S: Simd>(
        &mut self,
        simd: S,
        rays: &mut RayLanes,
        lanes: u32,
        (number, inverse, tree): (u32, &InverseMap, &WideTree),
        (item, entry): (u32, f32),
    ) -> u32 {
        let MeshRoom {
            lanes: inner,
            stack,
            progress,
        } = &mut *self.mesh;
        let from = (entry, &self.found.t_limit);
        let Some(object) = inverse.map_lanes(simd, self.world, from, &tree.measures, inner) else {
            return lanes;
        };
        let mut left = object.ready & lanes;
        let mut alone = lanes & !left;
        let mut skipped = [Skipped::NONE; LANES];
        if self.skips_any {
            for (to, skip) in skipped.iter_mut().zip(self.skips) {
                if let &Some((&[of], prim)) = skip
                    && of == number
                {
                    *to = Skipped::from(prim);
                }
            }
        }
        while left != 0 {
            let limits = (object.moved, object.limit);
            let part = inner.take_part(simd, &object.slabs, limits, left);
            left &= !part;
            if part.count_ones() <= FEW {
                alone |= part;
                continue;
            }
            progress.begin(skipped);
            let mut visitor = MeshBundle {
                wanted: self.wanted,
                tree,
                leaves: tree.leaves.blocks(),
                progress,
                doubts: OpenDoubts(0),
            };
            walk(
                simd,
                self.wanted,
                &tree.nodes,
                (inner, part),
                stack,
                &mut visitor,
            );
            let open = visitor.doubts.0;
            self.found
                .take::<S, W>(rays, &object, (part, open), item, progress);
        }
        alone
    }

    /// Goes on with the ray of one lane from a node or an item.
    #[inline(never)]
    fn trace_alone<S: Simd>(
        &mut self,
        simd: S,
        rays: &mut RayLanes,
        lane: usize,
        (tag, place): (Tag, u32),
    ) {
        simd.vectorize(
            #[inline(always)]
            || {
                let ray = self.rays[lane].1.ray();
                let plain = rays.plain(simd, lane);
                let found = &mut *self.found;
                let mut visitor = PlacedVisitor {
                    tree: self.tree,
                    items: self.items,
                    is_large: self.is_large,
                    world: WorldRay::of(simd, ray, plain.t_min, &self.tree.measures),
                    path: ScenePath::ROOT,
                    outer: None,
                    wanted: self.wanted,
                    skip: self.skips[lane],
                    best: found.best[lane],
                    is_hit: false,
                    t_limit: found.t_limit[lane],
                    is_unsure: false,
                };
                let start = (rays.limit[lane], tag, place);
                let nodes = (&self.tree.nodes[..], Ahead::Nothing);
                let _ = descend(simd, Closest, nodes, &plain, start, &(), &mut visitor);
                found.best[lane] = visitor.best;
                found.t_limit[lane] = visitor.t_limit;
                found.hit |= u32::from(visitor.is_hit) << lane;
                found.unsure |= u32::from(visitor.is_unsure) << lane;
                let is_done = visitor.is_hit || (W::FIRST && visitor.is_unsure);
                found.done |= u32::from(is_done) << lane;
                let limit = grant((visitor.t_limit as f32).next_up());
                rays.limit[lane] = smaller(limit, rays.limit[lane]);
            },
        );
    }
}

impl Found {
    /// Takes in what rays, as bits, have found on an item, and which of them left something open there.
    #[inline(always)]
    fn take<S: Simd, W: Wanted>(
        &mut self,
        rays: &mut RayLanes,
        object: &ObjectLanes<S>,
        (part, open): (u32, u32),
        item: u32,
        progress: &BundleProgress,
    ) {
        self.unsure |= open;
        if !W::FIRST {
            self.hit |= progress.done & part;
            self.done |= progress.done & part;
            return;
        }
        self.done |= open;
        let mut left = part & !open;
        while left != 0 {
            let lane = left.trailing_zeros() as usize % LANES;
            left &= left - 1;
            let kept = progress.kept(lane);
            let Some(place) = kept.place() else {
                continue;
            };
            let (first, len, place) = place;
            let place = FoundPlace::Leaf(first, len, place);
            let ends = object.ends(lane);
            let (from, to) = ends.own_interval(kept.from().into(), kept.limit().into());
            match &self.best[lane] {
                Some(best) if from > best.to => continue,
                Some(best) if to >= best.from => {
                    self.unsure |= 1 << lane;
                    self.done |= 1 << lane;
                    continue;
                }
                _ => {}
            }
            self.best[lane] = Some(FoundHit {
                from,
                to,
                item,
                start: object.starts[lane],
                place,
            });
            self.t_limit[lane] = to;
            let limit = grant((to as f32).next_up());
            rays.limit[lane] = smaller(limit, rays.limit[lane]);
        }
    }
}

/// Leaves all doubts open, of rays that are given as bits.
struct OpenDoubts(u32);

impl LaneDoubts for OpenDoubts {
    #[inline(always)]
    fn settle<S: Simd>(
        &mut self,
        _: S,
        lane: usize,
        _: (NearestCertain, u32, usize, usize),
    ) -> Option<NearestCertain> {
        self.0 |= 1 << lane;
        None
    }

    #[inline(always)]
    fn any<S: Simd>(&mut self, _: S, lane: usize, _: (u32, usize, usize)) -> bool {
        self.0 |= 1 << lane;
        false
    }
}
