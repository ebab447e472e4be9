//! How much memory queries of a scene read.

use super::{SceneObject, SceneSnapshot};
use estoc_core::Engine;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The objects of about this many placements are counted in the size of a scene.
const LOOKED_AT: usize = 64;

impl SceneSnapshot {
    /// Returns about how many bytes queries read: of its tree, and of the objects of a few placements, each
    /// once.
    pub(crate) fn bytes(&self) -> usize {
        *self.bytes.get_or_init(|| {
            let step = (self.store.len() / LOOKED_AT).max(1);
            let mut seen = BTreeMap::new();
            for number in (0..self.store.len()).step_by(step) {
                let placed = u32::try_from(number)
                    .ok()
                    .and_then(|number| self.placement(number));
                let Some(placed) = placed else {
                    continue;
                };
                let (name, bytes) = match placed.object() {
                    SceneObject::Mesh(bvh) => (Arc::as_ptr(bvh).addr(), bvh.query_bytes()),
                    SceneObject::Mesh64(bvh) => (Arc::as_ptr(bvh).addr(), bvh.query_bytes()),
                    SceneObject::Scene(scene) => (Arc::as_ptr(scene).addr(), scene.bytes()),
                    SceneObject::Shapes(shapes) => {
                        (Arc::as_ptr(shapes).addr(), shapes.tree.bytes())
                    }
                    SceneObject::User(shapes) => {
                        (Arc::as_ptr(&shapes.tree).addr(), shapes.tree.bytes())
                    }
                };
                seen.insert(name, bytes);
            }
            seen.values()
                .fold(self.world.bytes(), |sum, &bytes| sum.saturating_add(bytes))
        })
    }
}
