//! The placements of a scene, shared between the scene and its snapshots.

use super::{Placement, SceneObject};
use crate::inverse::Inverse;
use estoc_bvh::object_space::{PlacedItem, PlacedObject, WideBounds};
use estoc_system::parallel::prelude::*;
use std::sync::Arc;

/// The number of placements that are copied when one of them changes that a snapshot shares.
const CHUNK: usize = 64;

/// The number of chunks whose boxes a thread computes at a time.
const GROUP: usize = 32;

/// A placement with the serial number of its id.
type StoredPlacement = Option<(u64, Placement)>;

/// Placements by number. Clones share them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Store {
    /// All but the last have [`CHUNK`] entries.
    chunks: Vec<Arc<Vec<StoredPlacement>>>,
    len: usize,
}

impl Store {
    /// Returns the number of entries, with those that are empty.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    #[inline(always)]
    pub(crate) fn get(&self, number: u32) -> Option<&(u64, Placement)> {
        let number = number as usize;
        let chunk = self.chunks.get(number / CHUNK)?;
        chunk.get(number % CHUNK)?.as_ref()
    }

    /// Returns a placement that there is, as kernels need it.
    pub(crate) fn item(&self, number: u32) -> PlacedItem {
        let (_, placement) = self.get(number).expect("the number of a placement");
        let inverse = Inverse::of(placement.matrix());
        let (inverse, object) = match placement.object() {
            SceneObject::Mesh(mesh) if placement.is_fit_for_kernels() => {
                (inverse, PlacedObject::Mesh(number, mesh.clone()))
            }
            SceneObject::Scene(scene) if placement.is_fit_for_kernels() => {
                let reach = placement.farthest_reach();
                let object = PlacedObject::World(number, scene.world.clone());
                (inverse.to_world(reach), object)
            }
            _ => (inverse, PlacedObject::Other(number)),
        };
        PlacedItem { inverse, object }
    }

    /// Sets an entry and returns what it was. `number` is at most the number of entries.
    pub(crate) fn set(&mut self, number: u32, entry: StoredPlacement) -> StoredPlacement {
        let number = number as usize;
        if number < self.len {
            let chunk = Arc::make_mut(&mut self.chunks[number / CHUNK]);
            return std::mem::replace(&mut chunk[number % CHUNK], entry);
        }
        match self.chunks.last_mut() {
            Some(last) if last.len() < CHUNK => Arc::make_mut(last).push(entry),
            _ => {
                let mut chunk = Vec::with_capacity(if self.len == 0 { 1 } else { CHUNK });
                chunk.push(entry);
                self.chunks.push(Arc::new(chunk));
            }
        }
        self.len += 1;
        None
    }

    /// Returns the boxes of all placements that hold something, with their numbers, in order. Threads share
    /// the work.
    pub(crate) fn boxes(&self) -> Vec<(u32, WideBounds)> {
        let groups = self.chunks.par_chunks(GROUP).enumerate();
        let boxes = groups.map(|(group, chunks)| {
            let entries = chunks.iter().flat_map(|chunk| chunk.iter());
            let numbered = (group * GROUP * CHUNK..).zip(entries);
            let boxes = numbered.filter_map(|(number, entry)| {
                let (_, placed) = entry.as_ref()?;
                Some((number as u32, placed.bounds()?.corners()))
            });
            boxes.collect()
        });
        let boxes: Vec<Vec<(u32, WideBounds)>> = boxes.collect();
        boxes.concat()
    }

    /// Returns the placements with their numbers, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, &(u64, Placement))> {
        let entries = self.chunks.iter().flat_map(|chunk| chunk.iter());
        (0..)
            .zip(entries)
            .filter_map(|(number, entry)| Some((number, entry.as_ref()?)))
    }
}
