//! The walk of up to sixteen rays over placed meshes, which they share.
//!
//! Rays are mapped to a mesh's space together (`object_lanes.rs`), and traverse its tree as a bundle (`bundle/`).
//! Few rays go on one by one. What is left open for a ray ends its part in this.

use super::found_lanes::{Found, OpenDoubts};
use super::inverse_map::InverseMap;
use super::placed_hit::{FoundHit, IN_WORLD, Outer, inner_hit};
use super::placed_object::{Placed, PlacedObjects, PlacedTree};
use super::placed_walk::{PlacedSkip, PlacedVisitor, below};
use super::world_lanes::WorldLanes;
use crate::traverse::bundle::bundle_leaf::{BundleProgress, MeshBundle};
use crate::traverse::bundle::bundle_walk::{BundleVisitor, FEW, Item, Shared, Stack, walk};
use crate::traverse::bundle::ray_lanes::RayLanes;
use crate::traverse::bundle::{LANES, Lanes};
use crate::traverse::kernel_ray::grant;
use crate::traverse::leaf_visits::smaller;
use crate::traverse::mapped::LARGE;
use crate::traverse::prefetch::{self, Ahead};
use crate::traverse::single_walk::descend;
use crate::traverse::skipped::Skipped;
use crate::traverse::wanted::{Closest, Wanted};
use crate::wide::{ItemTree, Layout, Tag, WideTree};
use estoc_core::ScenePath;
use fearless_simd::Simd;

/// What traversals of what is placed reuse.
pub(super) struct MeshRoom {
    pub(super) lanes: RayLanes,
    pub(super) stack: Stack,
    pub(super) progress: BundleProgress,
    /// What rays had in common in worlds that are placed in the world.
    pub(super) shared: Shared,
}

/// What traversals of a world that is placed in the world reuse.
pub(super) struct WorldRoom {
    pub(super) lanes: RayLanes,
    pub(super) world: WorldLanes,
    pub(super) stack: Stack,
    pub(super) found: Found,
}

/// How rays of the outermost world were mapped to one that is placed in it.
pub(super) struct OuterLanes<'a> {
    world: &'a WorldLanes,
    inverse: &'a InverseMap,
    starts: &'a Lanes,
}

pub(super) struct PlacedBundle<'a, W, I> {
    pub(super) wanted: W,
    pub(super) tree: &'a ItemTree,
    pub(super) items: &'a I,
    pub(super) is_large: bool,
    pub(super) skips: &'a [PlacedSkip<'a>; LANES],
    pub(super) skips_any: bool,
    pub(super) world: &'a WorldLanes,
    /// The placements that lead to this world, and how rays were mapped to it; `None` for the outermost.
    pub(super) path: ScenePath,
    pub(super) outer: Option<OuterLanes<'a>>,
    pub(super) mesh: &'a mut MeshRoom,
    /// Of the outermost world.
    pub(super) inner: Option<&'a mut WorldRoom>,
    pub(super) found: &'a mut Found,
}

impl<S: Simd, W: Wanted, I: PlacedObjects> BundleVisitor<S> for PlacedBundle<'_, W, I> {
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
            && let Some(Placed {
                number,
                inverse,
                tree,
            }) = self.items.placed(item)
        {
            let (placed, at) = ((number, inverse), (item, entry));
            alone = match tree {
                PlacedTree::Mesh(tree) if tree.leaves.layout() == Layout::Fast => {
                    self.enter(simd, rays, lanes, (placed, tree), at)
                }
                PlacedTree::Mesh(_) => lanes,
                PlacedTree::World(tree, items) => {
                    self.enter_world(simd, rays, lanes, (placed, tree, items), at)
                }
            };
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

impl<W: Wanted, I: PlacedObjects> PlacedBundle<'_, W, I> {
    /// Looks for nearer hits on a mesh with these rays. Returns those that are to enter it alone.
    #[inline(never)]
    fn enter<S: Simd>(
        &mut self,
        simd: S,
        rays: &mut RayLanes,
        lanes: u32,
        placed: ((u32, &InverseMap), &WideTree),
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
        ((number, inverse), tree): ((u32, &InverseMap), &WideTree),
        (item, entry): (u32, f32),
    ) -> u32 {
        let MeshRoom {
            lanes: inner,
            stack,
            progress,
            ..
        } = &mut *self.mesh;
        let from = (lanes, entry, &self.found.t_limit);
        let mut starts = [0.0; LANES];
        let to = (&mut *inner, &mut starts);
        let Some(object) = inverse.map_lanes(simd, self.world, from, &tree.measures, to) else {
            return lanes;
        };
        let mut left = object.ready & lanes;
        let mut alone = lanes & !left;
        let mut skipped = [Skipped::NONE; LANES];
        if self.skips_any {
            for (to, skip) in skipped.iter_mut().zip(self.skips) {
                if let Some(([], prim)) = below(*skip, number) {
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
            let map = (inverse, &starts);
            self.found
                .take::<W>(rays, map, (part, open), item, progress);
        }
        alone
    }

    /// Looks for nearer hits, or any, in a world that is placed in this one. Returns the rays that are to
    /// enter it alone.
    #[inline(never)]
    fn enter_world<S: Simd>(
        &mut self,
        simd: S,
        rays: &mut RayLanes,
        lanes: u32,
        ((number, inverse), tree, items): ((u32, &InverseMap), &ItemTree, &I),
        (item, entry): (u32, f32),
    ) -> u32 {
        simd.vectorize(
            #[inline(always)]
            || {
                let (Some(room), Some(path)) = (self.inner.as_deref_mut(), self.path.then(number))
                else {
                    return lanes;
                };
                let WorldRoom {
                    lanes: inner,
                    world,
                    stack,
                    found,
                } = room;
                let from = (lanes, entry, &self.found.t_limit);
                let mut starts = [0.0; LANES];
                let to = (&mut *inner, &mut starts);
                let object = inverse.map_lanes(simd, self.world, from, &tree.measures, to);
                let Some(object) = object else {
                    return lanes;
                };
                world.set_mapped(simd, (&object, object.ready & lanes), &tree.measures);
                let mut skips: [PlacedSkip<'_>; LANES] = [None; LANES];
                if self.skips_any {
                    skips = self.skips.map(|skip| below(skip, number));
                }
                let mut left = object.ready & lanes;
                let mut alone = lanes & !left;
                while left != 0 {
                    let limits = (object.moved, object.limit);
                    let part = inner.take_part(simd, &object.slabs, limits, left);
                    left &= !part;
                    if part.count_ones() <= FEW {
                        alone |= part;
                        continue;
                    }
                    found.begin(&inner.limit);
                    let mut visitor = PlacedBundle {
                        wanted: self.wanted,
                        tree,
                        items,
                        is_large: tree.nodes.len() >= LARGE,
                        skips: &skips,
                        skips_any: self.skips_any,
                        world,
                        path,
                        outer: Some(OuterLanes {
                            world: self.world,
                            inverse,
                            starts: &starts,
                        }),
                        mesh: self.mesh,
                        inner: None,
                        found,
                    };
                    let of = (&mut *inner, part);
                    let spent = walk(simd, Closest, &tree.nodes, of, stack, &mut visitor);
                    self.mesh.shared = self.mesh.shared.and(spent);
                    self.found.unsure |= found.unsure & part;
                    if !W::FIRST {
                        self.found.hit |= found.hit & part;
                        self.found.done |= found.hit & part;
                        continue;
                    }
                    self.found.done |= found.unsure & part;
                    let mut met = part & !found.unsure;
                    while met != 0 {
                        let lane = met.trailing_zeros() as usize % LANES;
                        met &= met - 1;
                        let Some(best) = &found.best[lane] else {
                            continue;
                        };
                        let start = starts[lane];
                        let outer = &Outer {
                            world: &self.world.ray(simd, lane),
                            inverse,
                            start,
                            outer: None,
                            is_here: false,
                        };
                        let (from, to) = inverse.ends(start).own_interval(best.from, best.to);
                        if from > self.found.t_limit[lane] {
                            continue;
                        }
                        let inner = &found.inner[lane];
                        let hit = inner_hit(simd, (items, path), best, inner, outer);
                        let found = FoundHit {
                            from,
                            to,
                            item,
                            start,
                            place: IN_WORLD,
                        };
                        match hit {
                            None => alone |= 1 << lane,
                            Some(_) if self.found.keep(rays, lane, found) => {
                                self.found.inner[lane] = hit;
                            }
                            Some(_) => {}
                        }
                    }
                }
                alone
            },
        )
    }

    /// Goes on with the ray of one lane from a node or an item.
    #[inline(never)]
    fn trace_alone<S: Simd>(
        &mut self,
        simd: S,
        rays: &mut RayLanes,
        lane: usize,
        from: (Tag, u32),
    ) {
        simd.vectorize(
            #[inline(always)]
            || {
                let Some(outer) = &self.outer else {
                    return self.trace_from(simd, rays, lane, from, None);
                };
                let outer = Outer {
                    world: &outer.world.ray(simd, lane),
                    inverse: outer.inverse,
                    start: outer.starts[lane],
                    outer: None,
                    is_here: false,
                };
                self.trace_from(simd, rays, lane, from, Some(&outer));
            },
        );
    }

    #[inline(always)]
    fn trace_from<S: Simd>(
        &mut self,
        simd: S,
        rays: &mut RayLanes,
        lane: usize,
        (tag, place): (Tag, u32),
        outer: Option<&Outer<'_, S>>,
    ) {
        let found = &mut *self.found;
        let mut visitor = PlacedVisitor {
            tree: self.tree,
            items: self.items,
            is_large: self.is_large,
            world: self.world.ray(simd, lane),
            path: self.path,
            outer,
            wanted: self.wanted,
            skip: self.skips[lane],
            best: found.best[lane],
            inner: None,
            is_hit: false,
            t_limit: found.t_limit[lane],
            is_unsure: false,
        };
        let start = (rays.limit[lane], tag, place);
        let nodes = (&self.tree.nodes[..], Ahead::Nothing);
        let plain = rays.plain(simd, lane);
        let _ = descend(simd, Closest, nodes, &plain, start, &(), &mut visitor);
        found.best[lane] = visitor.best;
        if visitor.inner.is_some() {
            found.inner[lane] = visitor.inner;
        }
        found.t_limit[lane] = visitor.t_limit;
        found.hit |= u32::from(visitor.is_hit) << lane;
        found.unsure |= u32::from(visitor.is_unsure) << lane;
        let is_done = visitor.is_hit || (W::FIRST && visitor.is_unsure);
        found.done |= u32::from(is_done) << lane;
        let limit = grant((visitor.t_limit as f32).next_up());
        rays.limit[lane] = smaller(limit, rays.limit[lane]);
    }
}
