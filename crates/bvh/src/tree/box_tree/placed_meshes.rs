//! Trees all of whose items are meshes in a world.

use super::BoxTree;
use crate::traverse::placed::{self, FirstPlaced, PlacedMesh, PlacedMeshes};
use estoc_core::{PrimId, Ray};
use estoc_system::parallel::prelude::*;

impl BoxTree {
    /// Sets the meshes that are the items; `placed` returns `None` for one that is unfit for kernels.
    pub fn place_meshes(&mut self, placed: impl Fn(u32) -> Option<PlacedMesh> + Sync) {
        let is_fit = self.tree.frame.is_own() && self.beyond.is_empty();
        self.meshes = is_fit.then(|| {
            let items = self.tree.items.par_iter();
            items.map(|&item| placed(item)).collect()
        });
    }

    /// Sets the meshes of items that have moved or were replaced, in a tree that was refitted for them. It
    /// forgets all of them without `placed`, which says that not all items are meshes.
    pub fn place_again(
        &mut self,
        moved: &[u32],
        placed: Option<impl Fn(u32) -> Option<PlacedMesh>>,
    ) {
        let Some(placed) = placed else {
            self.meshes = None;
            return;
        };
        for &item in moved {
            if let Some(slot) = self.slot_of(item)
                && let Some(meshes) = &mut self.meshes
            {
                meshes[slot] = placed(item);
            }
        }
    }

    /// Returns the first hit of a ray on a placed mesh but on the triangle `skip` of an item. Returns `None` if that is not certain: if items are no meshes, if a ray or a matrix is
    /// unfit for the kernels, or where hits are so close to each other or to edges that these leave them open.
    pub fn closest_placed(
        &self,
        ray: &Ray,
        skip: Option<(u32, PrimId)>,
    ) -> Option<Option<FirstPlaced>> {
        placed::closest(self.placed()?, self.token, ray, skip)
    }

    /// Returns whether a ray hits a placed mesh at all but on the triangle `skip` of an item; `None` if that
    /// is not certain, as in [`closest_placed`](BoxTree::closest_placed).
    pub fn any_placed(&self, ray: &Ray, skip: Option<(u32, PrimId)>) -> Option<bool> {
        placed::any(self.placed()?, self.token, ray, skip)
    }

    #[inline(always)]
    fn placed(&self) -> Option<PlacedMeshes<'_>> {
        let meshes = self.meshes.as_ref().filter(|meshes| !meshes.is_empty())?;
        Some(PlacedMeshes {
            tree: &self.tree,
            meshes,
        })
    }
}
