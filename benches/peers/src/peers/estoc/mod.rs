//! estoc itself: exact answers, one ray per call, in batches, and by each technique forced.

mod batched;
mod single;
mod world;

use crate::engine::{Builder, Built, Engine};
use crate::ray::{Hit, Ray};
use crate::scenes::Scene;
use batched::Batched;
use estoc::engine::{HitOf, Technique};
use estoc::glam::Vec3;
use estoc::{Batch, Bvh, PointQuery, Quality, RayQuery};
use estoc_core::Primitive;
use rayon::prelude::*;
use single::OneByOne;
use std::sync::Arc;

pub(crate) use world::{EstocWorld, changing};

pub(super) fn builders() -> Vec<Builder> {
    // The balanced tree is also measured with each technique, forced.
    let presets = [
        ("estoc", "balanced", Quality::Balanced, &Technique::ALL[..]),
        ("estoc-fast", "fast", Quality::Fast, &[]),
        ("estoc-best", "best", Quality::Best, &[]),
    ];
    let builder = |(name, preset, quality, techniques): (&'static str, _, _, &'static [_])| {
        let forced = techniques.iter().map(forced_name);
        let names = [name.to_owned()].into_iter().chain(forced).collect();
        Builder::new("estoc", preset, names, move |scene, _| {
            build(scene, quality, |bvh| {
                let single = Engine::single(name, OneByOne(bvh.clone()));
                let batched = Engine::batch(name, Batched::new(bvh.clone()));
                let forced = techniques.iter().map(|technique| {
                    let batched = Batched::new(bvh.clone()).forced(*technique);
                    Engine::batch(forced_name(technique), batched)
                });
                [single, batched].into_iter().chain(forced).collect()
            })
        })
    };
    presets.map(builder).into()
}

/// Returns the engine's name for a technique.
fn forced_name(technique: &Technique) -> String {
    format!("estoc-{technique}").replace(' ', "-")
}

/// Returns a builder of the balanced tree in batches of these sizes, and with single calls.
pub(crate) fn of_sizes(sizes: &[usize]) -> Builder {
    let sizes = sizes.to_vec();
    Builder::new(
        "estoc",
        "balanced",
        vec!["estoc".to_owned()],
        move |scene, _| {
            build(scene, Quality::Balanced, |bvh| {
                let batch = |&size: &usize| {
                    Engine::batch(
                        format!("estoc-{size}"),
                        Batched::new(bvh.clone()).of_size(size),
                    )
                };
                let single = Engine::single("estoc", OneByOne(bvh.clone()));
                [single]
                    .into_iter()
                    .chain(sizes.iter().map(batch))
                    .collect()
            })
        },
    )
}

fn build(
    scene: &Scene,
    quality: Quality,
    engines: impl FnOnce(&Arc<Bvh>) -> Vec<Engine>,
) -> Result<Built, String> {
    let built = Bvh::builder().quality(quality).build(&scene.mesh);
    let bvh = Arc::new(built.map_err(|error| error.to_string())?);
    Ok(Built {
        bytes: Some(bvh.stats().bytes),
        engines: engines(&bvh),
    })
}

/// The engine that all are compared with: exact first hits, whatever else is measured.
pub(crate) struct Exact(Bvh);

impl Exact {
    pub(crate) fn new(scene: &Scene) -> Self {
        Exact(Bvh::build(&scene.mesh))
    }

    /// Returns its tree.
    pub(crate) fn bvh(&self) -> &Bvh {
        &self.0
    }

    /// Finds the first hit of each ray, in the rayon pool of the caller.
    pub(crate) fn first_hits(&self, rays: &[Ray]) -> Vec<Hit> {
        let first_hit = |ray: &Ray| common(self.0.closest_hit(&ours(ray)));
        rays.par_iter().map(first_hit).collect()
    }
}

/// Converts a ray to estoc's layout.
fn ours(ray: &Ray) -> estoc::Ray {
    estoc::Ray::new(ray.origin, ray.dir).with_interval(0.0, ray.t_max)
}

/// What is asked: a tree of one mesh or a scene.
trait Asked: estoc::engine::Engine<Primitive: Primitive<Id: 'static>> + Send + Sync {
    /// Converts an answer to the common layout.
    fn common(hit: Option<HitOf<Self>>) -> Hit;

    /// Finds the closest point, if this can be asked.
    fn nearest(&self, _point: Vec3) -> Option<Hit> {
        None
    }

    /// Finds the closest points of many at once; `false` if this cannot be asked.
    fn nearest_of_many(&self, _points: &[Vec3], _found: &mut [Hit]) -> bool {
        false
    }
}

impl Asked for Bvh {
    fn common(hit: Option<estoc::Hit>) -> Hit {
        common(hit)
    }

    fn nearest(&self, point: Vec3) -> Option<Hit> {
        Some(nearest(self.closest_point(point)))
    }

    fn nearest_of_many(&self, points: &[Vec3], found: &mut [Hit]) -> bool {
        let closest = Batch::new().closest_points(self, points);
        let closest = closest.expect("nothing cancels, and there is memory");
        batched::convert(&closest, found, |&closest| nearest(closest));
        true
    }
}

fn nearest(found: Option<estoc::query::ClosestPoint>) -> Hit {
    found.map_or(Hit::MISS, |found| Hit {
        t: found.distance,
        prim: found.prim.get(),
    })
}

fn common(hit: Option<estoc::Hit>) -> Hit {
    hit.map_or(Hit::MISS, |hit| Hit {
        t: hit.t,
        prim: hit.prim.get(),
    })
}
