//! The world as one mesh.

use super::World;
use crate::engine::Engine;
use crate::peers;
use crate::scenes::Scene;
use std::sync::Arc;

/// The largest number of triangles of such a mesh.
const MOST: usize = 15_000_000;

/// The structures that are built of it.
const STRUCTURES: [&str; 4] = ["estoc", "embree-medium", "embree-high", "embree-robust"];

/// Returns engines that have the world as one mesh, if it is not too large.
pub(super) fn engines(world: &World) -> Vec<Engine> {
    if world.triangles() > MOST {
        return Vec::new();
    }
    let mesh: Arc<Scene> = Arc::new(world.as_mesh());
    let mut all: Vec<Engine> = Vec::new();
    let mut builders = peers::builders();
    builders.retain(|builder| STRUCTURES.contains(&&*builder.engines[0]));
    for builder in builders {
        match (builder.build)(&mesh, 1) {
            Ok(built) => {
                // Not the techniques of batches, forced.
                let kept = built
                    .engines
                    .into_iter()
                    .filter(|engine| engine.name == "estoc" || !engine.name.starts_with("estoc"));
                all.extend(kept.map(|engine| Engine {
                    name: format!("flat-{}", engine.name),
                    ..engine
                }));
            }
            Err(reason) => {
                let name = &builder.engines[0];
                eprintln!("skipped {name} of a flat {}: {reason}", world.name);
            }
        }
    }
    all
}
