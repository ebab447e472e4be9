//! The world as one mesh.

use super::World;
use crate::engine::{Engine, Mode};
use crate::peers;
use crate::ray::{Hit, Ray};
use crate::scenes::Scene;
use std::sync::Arc;

/// The largest number of triangles of such a mesh.
const MOST: usize = 15_000_000;

/// The structures that are built of it.
const STRUCTURES: [&str; 4] = ["estoc", "embree-medium", "embree-high", "embree-robust"];

/// An engine that has the world as one mesh.
struct Flat {
    name: String,
    inner: Box<dyn Engine>,
}

/// Returns engines that have the world as one mesh, if it is not too large.
pub(super) fn engines(world: &World) -> Vec<Box<dyn Engine>> {
    if world.triangles() > MOST {
        return Vec::new();
    }
    let mesh: Arc<Scene> = Arc::new(world.as_mesh());
    let mut all: Vec<Box<dyn Engine>> = Vec::new();
    for builder in peers::builders() {
        let names = builder.engine_names();
        if !names
            .first()
            .is_some_and(|name| STRUCTURES.contains(&name.as_str()))
        {
            continue;
        }
        match builder.build(&mesh, 1) {
            Ok(built) => {
                // Not the techniques of batches, forced.
                let kept = built.engines.into_iter().filter(|engine| {
                    engine.name() == "estoc" || !engine.name().starts_with("estoc")
                });
                all.extend(kept.map(|inner| {
                    let name = format!("flat-{}", inner.name());
                    Box::new(Flat { name, inner }) as Box<dyn Engine>
                }));
            }
            Err(reason) => eprintln!("skipped {} of a flat {}: {reason}", names[0], world.name()),
        }
    }
    all
}

impl Engine for Flat {
    fn name(&self) -> &str {
        &self.name
    }

    fn mode(&self) -> Mode {
        self.inner.mode()
    }

    fn closest_hits(&self, rays: &[Ray], hits: &mut [Hit]) {
        self.inner.closest_hits(rays, hits);
    }

    fn any_hits(&self, rays: &[Ray], hits: &mut [bool]) {
        self.inner.any_hits(rays, hits);
    }

    fn spreads_itself(&self) -> bool {
        self.inner.spreads_itself()
    }
}
