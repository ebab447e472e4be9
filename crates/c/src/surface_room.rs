//! Whether there is memory to find out what a surface is. The first question about its sides looks at all edges, in
//! lists that do not report a lack of memory.

use crate::status::{Failure, estoc_status};
use estoc_core::{SignRule, Triangle64, TriangleCluster};
use estoc_scene::{SceneObject, SceneSnapshot};
use estoc_system::has_room;
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What was found out about a surface by each rule, and is kept.
#[derive(Default)]
pub(crate) struct SurfaceRoom([AtomicBool; 3]);

/// The sizes of an edge between points of `f32`s, three times for each triangle, and lists that grow have three times
/// their size.
const EDGES: usize = 3 * 24 * 3;

/// The same of what estimates need: corners, and at most a node for each two triangles.
const CLUSTERS: usize = 3 * size_of::<Triangle64>() + 4 * size_of::<TriangleCluster>();

/// What is left to others.
const BESIDES: usize = 8 << 20;

impl SurfaceRoom {
    /// Finds out by `look` what a surface is by a rule; `size` is the number of its triangles, and 1 for `f32`s or 2
    /// for `f64`s. Fails without memory, unless that is known.
    pub(crate) fn find<T>(
        &self,
        rule: SignRule,
        size: impl FnOnce() -> (usize, usize),
        look: impl FnOnce() -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let known = &self.0[rule as usize];
        if !known.load(Ordering::Acquire) {
            let (triangles, width) = size();
            let bytes = match rule {
                SignRule::WindingEstimate => CLUSTERS,
                _ => EDGES * width,
            };
            let bytes = triangles.saturating_mul(bytes).saturating_add(BESIDES);
            if !has_room(bytes) {
                let megabytes = bytes / 1_000_000;
                return Err(Failure::new(
                    estoc_status::ESTOC_NO_MEMORY,
                    format!(
                        "not enough memory to find out what is inside: up to {megabytes} MB are needed"
                    ),
                ));
            }
        }
        let found = look()?;
        known.store(true, Ordering::Release);
        Ok(found)
    }
}

/// Returns the number of triangles of the largest mesh in a scene, twice for one in `f64`. Scenes are visited once
/// each.
pub(crate) fn most_triangles(
    scene: &SceneSnapshot,
    seen: &mut HashSet<*const SceneSnapshot>,
) -> usize {
    let largest = scene
        .placements()
        .map(|(_, placement)| match placement.object() {
            SceneObject::Mesh(bvh) => bvh.triangle_count(),
            SceneObject::Mesh64(bvh) => 2 * bvh.triangle_count(),
            SceneObject::Scene(inner) if seen.insert(Arc::as_ptr(inner)) => {
                most_triangles(inner, seen)
            }
            _ => 0,
        });
    largest.max().unwrap_or(0)
}
