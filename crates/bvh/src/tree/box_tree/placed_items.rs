//! What kernels need of the items of a tree that are placed in a world.

use super::BoxTree;
use crate::traverse::bundle::LANES;
use crate::traverse::bundle::ray_window::NumberedRay;
use crate::traverse::placed::{
    self, FirstPlaced, InverseMap, Matrices, Placed, PlacedBundles, PlacedObjects, PlacedSkip,
    PlacedTree, TraceOthers,
};
use crate::tree::Bvh;
use crate::wide::{ItemTree, WideBounds};
use estoc_core::{PlacedPrimitive, Queue, Ray, Ray64, TechniqueCounts};
use estoc_system::parallel::prelude::*;
use std::sync::Arc;

/// The number of items that are copied when one of them changes that others share.
const CHUNK: usize = 256;

/// What is placed in a world, as kernels need it: two cache lines.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub struct PlacedItem {
    /// The map from the world to its space.
    pub inverse: InverseMap,
    /// The tree of what is placed, with a number of the caller's.
    pub object: PlacedObject,
}

const _: () = assert!(size_of::<PlacedItem>() == 128);

/// What is placed in a world, with a number of the caller's.
#[derive(Clone, Debug)]
pub enum PlacedObject {
    /// A mesh.
    Mesh(u32, Arc<Bvh>),
    /// Another world. The map to it must be [one to a world](InverseMap::to_world).
    World(u32, Arc<PlacedWorld>),
    /// Anything else, about which kernels know nothing.
    Other(u32),
}

impl PlacedItem {
    /// Returns the number.
    #[inline(always)]
    pub fn number(&self) -> u32 {
        match self.object {
            PlacedObject::Mesh(number, _)
            | PlacedObject::World(number, _)
            | PlacedObject::Other(number) => number,
        }
    }
}

/// A tree over the boxes of what is placed in a world, and what that is.
#[derive(Clone, Debug)]
pub struct PlacedWorld {
    /// The tree, which has [numbered](BoxTree::number_by_leaves) the items by its leaves.
    pub tree: BoxTree,
    /// The items.
    pub items: PlacedItems,
}

/// The items of a tree that has [numbered](BoxTree::number_by_leaves) them by its leaves. Clones share them.
#[derive(Clone, Debug)]
pub struct PlacedItems {
    /// All but the last have [`CHUNK`] entries.
    chunks: Vec<Arc<[PlacedItem]>>,
    /// By the caller's number, the item; made when items first change.
    items: Option<Vec<u32>>,
}

impl PlacedObjects for PlacedItems {
    #[inline(always)]
    fn placed(&self, item: u32) -> Option<Placed<'_, Self>> {
        let PlacedItem { inverse, object } = self.at(item);
        let (number, tree) = match object {
            PlacedObject::Mesh(number, mesh) => (*number, PlacedTree::Mesh(mesh.tree())),
            PlacedObject::World(number, world) if world.tree.has_placed_walk() => {
                (*number, PlacedTree::World(&world.tree.tree, &world.items))
            }
            PlacedObject::World(..) | PlacedObject::Other(_) => return None,
        };
        Some(Placed {
            number,
            inverse,
            tree,
        })
    }

    #[inline(always)]
    fn prefetch(&self, item: u32) {
        PlacedItems::prefetch(self, item);
    }
}

impl PlacedItems {
    /// Returns the items of these numbers of the caller's. Threads share the work.
    pub fn of(numbers: &[u32], item: impl Fn(u32) -> PlacedItem + Sync) -> Self {
        let chunks = numbers.par_chunks(CHUNK);
        let chunks = chunks.map(|numbers| numbers.iter().map(|&number| item(number)).collect());
        PlacedItems {
            chunks: chunks.collect(),
            items: None,
        }
    }

    /// Returns an item.
    ///
    /// # Panics
    /// If there are not so many.
    #[inline(always)]
    pub fn at(&self, item: u32) -> &PlacedItem {
        let item = item as usize;
        &self.chunks[item / CHUNK][item % CHUNK]
    }

    /// Prefetches an item.
    #[inline(always)]
    pub fn prefetch(&self, item: u32) {
        crate::traverse::prefetch(self.at(item));
    }

    /// Changes the items of these numbers of the caller's. Returns which they are.
    pub fn update(&mut self, numbers: &[u32], item: impl Fn(u32) -> PlacedItem) -> Vec<u32> {
        let chunks = &mut self.chunks;
        let items = self.items.get_or_insert_with(|| {
            let all = || (0..).zip(chunks.iter().flat_map(|chunk| chunk.iter()));
            let most = all().map(|(_, of)| of.number() as usize + 1).max();
            let mut items = vec![u32::MAX; most.unwrap_or(0)];
            for (item, of) in all() {
                items[of.number() as usize] = item;
            }
            items
        });
        let changed = numbers.iter().filter_map(|&number| {
            let place = *items.get(number as usize)?;
            let chunk = chunks.get_mut(place as usize / CHUNK)?;
            Arc::make_mut(chunk)[place as usize % CHUNK] = item(number);
            Some(place)
        });
        changed.collect()
    }

    /// Changes all items. Threads share the work.
    fn update_all(&mut self, item: impl Fn(u32) -> PlacedItem + Sync) {
        let chunks = self.chunks.par_iter_mut();
        chunks.for_each(|chunk| match Arc::get_mut(chunk) {
            Some(all) => all.iter_mut().for_each(|of| *of = item(of.number())),
            None => *chunk = chunk.iter().map(|of| item(of.number())).collect(),
        });
    }

    /// Returns the size in bytes.
    pub fn bytes(&self) -> usize {
        let chunks = self.chunks.iter().map(|chunk| size_of_val(&chunk[..]));
        chunks.sum::<usize>()
            + self
                .items
                .as_ref()
                .map_or(0, |items| size_of_val(&items[..]))
    }
}

impl BoxTree {
    /// Returns whether the boxes are of sizes for which rays may be traced at placed meshes ([`PlacedWorld`]).
    #[inline(always)]
    pub fn has_placed_walk(&self) -> bool {
        self.tree.frame.is_own() && self.beyond.is_empty()
    }
}

impl PlacedWorld {
    /// Moves items to these boxes, which are not empty, and changes them, by the numbers of the caller's. Returns
    /// whether that was possible and pays; otherwise the tree is to be built again.
    #[must_use]
    pub fn refit(
        &mut self,
        numbers: &[u32],
        bounds: impl Fn(u32) -> Option<WideBounds>,
        item: impl Fn(u32) -> PlacedItem,
    ) -> bool {
        let items = self.items.update(numbers, item);
        let boxes = items.iter();
        let boxes = boxes.filter_map(|&item| Some((item, bounds(self.items.at(item).number())?)));
        self.tree.refit(&boxes.collect::<Vec<_>>())
    }

    /// Does the same for all items. Boxes are in the order of the caller's numbers.
    #[must_use]
    pub fn refit_all(
        &mut self,
        boxes: &[(u32, WideBounds)],
        item: impl Fn(u32) -> PlacedItem + Sync,
    ) -> bool {
        let items = &self.items;
        let pays = self.tree.refit_all(|item| {
            let number = items.at(item).number();
            // No number is left out as a rule.
            let place = match boxes.get(number as usize) {
                Some((at, _)) if *at == number => number as usize,
                _ => boxes.binary_search_by_key(&number, |of| of.0).ok()?,
            };
            Some(boxes[place].1)
        });
        if pays {
            self.items.update_all(item);
        }
        pays
    }
}

/// Questions about rays of the world, and what skips a triangle: the numbers of the placements that lead to
/// its mesh.
impl PlacedWorld {
    /// Returns the first hit of a ray on placed meshes, other than one on a triangle to skip.
    ///
    /// Returns `None` if the answer is not certain: where a ray meets an item that is neither a mesh nor a
    /// world, or numbers that kernels are unfit for, or where hits are so close to each other or to edges
    /// that kernels leave them open.
    pub fn closest(&self, ray: &Ray, skip: PlacedSkip<'_>) -> Option<Option<FirstPlaced>> {
        placed::closest(self.fit_items()?, self.tree.token, ray, skip)
    }

    /// Returns whether a ray hits placed meshes at all, other than on a triangle to skip; `None` if that is not
    /// certain, as in [`closest`](PlacedWorld::closest).
    pub fn any(&self, ray: &Ray, skip: PlacedSkip<'_>) -> Option<bool> {
        placed::any(self.fit_items()?, self.tree.token, ray, skip)
    }

    /// Does what [`closest`](PlacedWorld::closest) does, for a ray in `f64`.
    pub fn closest_64(&self, ray: &Ray64, skip: PlacedSkip<'_>) -> Option<Option<FirstPlaced>> {
        placed::closest_64(self.fit_items()?, self.tree.token, ray, skip)
    }

    /// Does what [`any`](PlacedWorld::any) does, for a ray in `f64`.
    pub fn any_64(&self, ray: &Ray64, skip: PlacedSkip<'_>) -> Option<bool> {
        placed::any_64(self.fit_items()?, self.tree.token, ray, skip)
    }

    /// Answers for the rays of a bundle, which must have the same octant (`RayWindow`) or may lose hits, as
    /// [`closest`](PlacedWorld::closest) does for one.
    pub fn closest_bundle<'r>(
        &self,
        skips: &[PlacedSkip<'_>; LANES],
        bundles: &mut PlacedBundles<'r>,
        answer: &mut dyn FnMut(NumberedRay<'r>, Option<Option<FirstPlaced>>),
    ) {
        bundles.is_fit = self.tree.has_placed_walk();
        placed::closest_bundle(
            self.items_of_tree(),
            self.tree.token,
            skips,
            bundles,
            answer,
        );
    }

    /// Finds out for the rays of a bundle, which must have the same octant (`RayWindow`) or may lose hits, whether they
    /// [hit](PlacedBundles::any) placed meshes.
    pub fn any_bundle(&self, skips: &[PlacedSkip<'_>; LANES], bundles: &mut PlacedBundles<'_>) {
        bundles.is_fit = self.tree.has_placed_walk();
        placed::any_bundle(self.items_of_tree(), self.tree.token, skips, bundles);
    }

    /// Traverses with the rays of a queue in tiles, and has those that are in no tile traced otherwise. Returns
    /// how many were traced by which technique; `None`, after taking no ray, where first hits or any are not
    /// what is asked for, or where kernels are not fit for the world.
    pub fn visit_in_tiles<'r>(
        &self,
        matrices: Matrices<'_>,
        queue: &mut Queue<'r, PlacedPrimitive>,
        trace_others: TraceOthers<'_, 'r>,
    ) -> Option<TechniqueCounts> {
        let of = self.fit_items()?;
        placed::placed_tiles(of, self.tree.token, matrices, queue, trace_others)
    }

    /// Returns the items if kernels are fit for the tree.
    #[inline(always)]
    fn fit_items(&self) -> Option<(&ItemTree, &PlacedItems)> {
        (self.tree.has_placed_walk()).then(|| self.items_of_tree())
    }

    #[inline(always)]
    fn items_of_tree(&self) -> (&ItemTree, &PlacedItems) {
        (&self.tree.tree, &self.items)
    }

    /// Returns the size in bytes, without what is placed.
    pub fn bytes(&self) -> usize {
        self.tree.bytes() + self.items.bytes()
    }
}
