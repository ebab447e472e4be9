//! What kernels need of the items of a tree that are placed in a world.

use super::BoxTree;
use crate::traverse::placed::{self, FirstPlaced, InverseMap, MeshItems, PlacedMesh};
use crate::tree::Bvh;
use estoc_core::{PrimId, Ray};
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
    /// The mesh, if it is one.
    pub mesh: Option<Arc<Bvh>>,
    /// A number of the caller's.
    pub number: u32,
}

const _: () = assert!(size_of::<PlacedItem>() == 128);

/// The items of a tree that has [numbered](BoxTree::number_by_leaves) them by its leaves. Clones share them.
#[derive(Clone, Debug)]
pub struct PlacedItems {
    /// All but the last have [`CHUNK`] entries.
    chunks: Vec<Arc<[PlacedItem]>>,
    /// By the caller's number, the item; made when items first change.
    items: Option<Vec<u32>>,
}

impl MeshItems for PlacedItems {
    #[inline(always)]
    fn mesh(&self, item: u32) -> Option<PlacedMesh<'_>> {
        let item = self.at(item);
        Some(PlacedMesh {
            tree: item.mesh.as_deref()?.tree(),
            inverse: &item.inverse,
            number: item.number,
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
            let most = all().map(|(_, of)| of.number as usize + 1).max();
            let mut items = vec![u32::MAX; most.unwrap_or(0)];
            for (item, of) in all() {
                items[of.number as usize] = item;
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
    /// Returns whether the boxes are of sizes for which rays may be traced at placed meshes
    /// ([`closest_placed`](BoxTree::closest_placed)).
    #[inline(always)]
    pub fn has_placed_walk(&self) -> bool {
        self.tree.frame.is_own() && self.beyond.is_empty()
    }

    /// Returns the first hit of a ray on placed meshes, other than one on the triangle `skip` of an item, named
    /// by the caller's number. The items are those that the tree has
    /// [numbered](BoxTree::number_by_leaves).
    ///
    /// Returns `None` if the answer is not certain: where a ray meets an item that is no mesh, or numbers that
    /// kernels are unfit for, or where hits are so close to each other or to edges that kernels leave them
    /// open.
    pub fn closest_placed(
        &self,
        items: &PlacedItems,
        ray: &Ray,
        skip: Option<(u32, PrimId)>,
    ) -> Option<Option<FirstPlaced>> {
        match self.has_placed_walk() {
            true => placed::closest((&self.tree, items), self.token, ray, skip),
            false => None,
        }
    }

    /// Returns whether a ray hits placed meshes at all, other than on the triangle `skip` of an item; `None`
    /// if that is not certain, as in [`closest_placed`](BoxTree::closest_placed).
    pub fn any_placed(
        &self,
        items: &PlacedItems,
        ray: &Ray,
        skip: Option<(u32, PrimId)>,
    ) -> Option<bool> {
        match self.has_placed_walk() {
            true => placed::any((&self.tree, items), self.token, ray, skip),
            false => None,
        }
    }
}
