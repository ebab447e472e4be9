//! estoc itself: exact answers, one ray per call, in batches, and by each technique forced.

mod batched;
mod forced;
mod single;
mod world;

use crate::engine::{BuildFailed, Builder, Built, Engine};
use crate::ray::{Hit, Ray};
use crate::scenes::Scene;
use batched::Batched;
use estoc::engine::{HitOf, Technique};
use estoc::glam::Vec3;
use estoc::{Batch, Bvh, PointQuery, Quality, RayQuery};
use estoc_core::Primitive;
use forced::Forced;
use rayon::prelude::*;
use single::OneByOne;
use std::sync::Arc;

pub(crate) use world::{EstocWorld, changing};

pub(super) fn builders() -> Vec<Box<dyn Builder>> {
    let presets = [
        ("estoc", "balanced", Quality::Balanced),
        ("estoc-fast", "fast", Quality::Fast),
        ("estoc-best", "best", Quality::Best),
    ];
    let builder = |(engine, preset, quality)| {
        Box::new(Preset {
            engine,
            preset,
            quality,
        }) as Box<dyn Builder>
    };
    presets.map(builder).into()
}

/// The engine that all are compared with: exact first hits, whatever else is measured.
pub(crate) struct Exact(Bvh);

impl Exact {
    pub(crate) fn new(scene: &Scene) -> Self {
        Exact(Bvh::build(scene.mesh()))
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

struct Preset {
    engine: &'static str,
    preset: &'static str,
    quality: Quality,
}

impl Preset {
    /// Returns the techniques that the balanced tree is also measured with, forced.
    fn forced(&self) -> &'static [Technique] {
        match self.quality {
            Quality::Balanced => &Technique::ALL,
            _ => &[],
        }
    }
}

impl Builder for Preset {
    fn name(&self) -> &str {
        "estoc"
    }

    fn preset(&self) -> &str {
        self.preset
    }

    fn engine_names(&self) -> Vec<String> {
        let forced = self
            .forced()
            .iter()
            .map(|&technique| forced::name(technique));
        [self.engine.to_owned()].into_iter().chain(forced).collect()
    }

    fn build(&self, scene: &Arc<Scene>, _threads: usize) -> Result<Built, BuildFailed> {
        let builder = Bvh::builder().quality(self.quality);
        let built = builder.build(scene.mesh());
        let bvh = Arc::new(built.map_err(|error| BuildFailed(error.to_string()))?);
        let mut engines: Vec<Box<dyn Engine>> = vec![
            Box::new(OneByOne::new(self.engine, bvh.clone())),
            Box::new(Batched::new(self.engine, bvh.clone())),
        ];
        for &technique in self.forced() {
            engines.push(Box::new(Forced::new(technique, bvh.clone())));
        }
        let bytes = Some(bvh.stats().bytes);
        Ok(Built { bytes, engines })
    }
}

/// Converts a ray to estoc's layout.
pub(crate) fn ours(ray: &Ray) -> estoc::Ray {
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
