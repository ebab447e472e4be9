//! estoc itself: exact answers, one ray at a time and in batches.

use crate::engine::{BuildFailed, Builder, Built, Engine, Mode};
use crate::ray::{Hit, Ray};
use crate::scenes::Scene;
use estoc::{Batch, Bvh, Quality, RayQuery};
use rayon::prelude::*;
use std::sync::{Arc, Mutex, PoisonError};

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

/// What all are judged by: exact first hits, whatever else is measured.
pub(crate) struct Exact(Bvh);

impl Exact {
    pub(crate) fn new(scene: &Scene) -> Self {
        Exact(Bvh::build(scene.mesh()))
    }

    /// The first hit of each ray, in the rayon pool that the caller is in.
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

impl Builder for Preset {
    fn name(&self) -> &str {
        "estoc"
    }

    fn preset(&self) -> &str {
        self.preset
    }

    fn engine_names(&self) -> Vec<String> {
        vec![self.engine.to_owned()]
    }

    fn build(&self, scene: &Arc<Scene>, _threads: usize) -> Result<Built, BuildFailed> {
        let builder = Bvh::builder().quality(self.quality);
        let built = builder.build(scene.mesh());
        let bvh = Arc::new(built.map_err(|error| BuildFailed(error.to_string()))?);
        Ok(Built {
            bytes: Some(bvh.stats().bytes),
            engines: vec![
                Box::new(OneByOne {
                    name: self.engine,
                    bvh: bvh.clone(),
                }),
                Box::new(Batched {
                    name: self.engine,
                    bvh,
                    room: Mutex::default(),
                }),
            ],
        })
    }
}

struct OneByOne {
    name: &'static str,
    bvh: Arc<Bvh>,
}

impl Engine for OneByOne {
    fn name(&self) -> &str {
        self.name
    }

    fn mode(&self) -> Mode {
        Mode::Single
    }

    fn closest_hits(&self, rays: &[Ray], hits: &mut [Hit]) {
        for (ray, hit) in rays.iter().zip(hits) {
            *hit = common(self.bvh.closest_hit(&ours(ray)));
        }
    }

    fn any_hits(&self, rays: &[Ray], hits: &mut [bool]) {
        for (ray, hit) in rays.iter().zip(hits) {
            *hit = self.bvh.any_hit(&ours(ray));
        }
    }
}

struct Batched {
    name: &'static str,
    bvh: Arc<Bvh>,
    /// Kept from call to call, as a program that asks often would.
    room: Mutex<Room>,
}

#[derive(Default)]
struct Room {
    rays: Vec<estoc::Ray>,
    hits: Vec<Option<estoc::Hit>>,
}

impl Engine for Batched {
    fn name(&self) -> &str {
        self.name
    }

    fn mode(&self) -> Mode {
        Mode::Batch
    }

    fn spreads_itself(&self) -> bool {
        true
    }

    fn closest_hits(&self, rays: &[Ray], hits: &mut [Hit]) {
        let mut room = self.room.lock().unwrap_or_else(PoisonError::into_inner);
        let room = &mut *room;
        rays.par_iter().map(ours).collect_into_vec(&mut room.rays);
        room.hits.resize(rays.len(), None);
        let done = Batch::new().closest_hits_into(&*self.bvh, &room.rays, &mut room.hits);
        done.expect("there is room for each, and nothing cancels");
        let answers = hits.par_iter_mut().zip(&room.hits);
        answers.for_each(|(hit, &answer)| *hit = common(answer));
    }

    fn any_hits(&self, rays: &[Ray], hits: &mut [bool]) {
        let mut room = self.room.lock().unwrap_or_else(PoisonError::into_inner);
        rays.par_iter().map(ours).collect_into_vec(&mut room.rays);
        let answers = Batch::new().any_hits(&*self.bvh, &room.rays);
        hits.copy_from_slice(&answers.expect("nothing cancels"));
    }
}

fn ours(ray: &Ray) -> estoc::Ray {
    estoc::Ray::new(ray.origin, ray.dir).with_interval(0.0, ray.t_max)
}

fn common(hit: Option<estoc::Hit>) -> Hit {
    hit.map_or(Hit::MISS, |hit| Hit {
        t: hit.t,
        prim: hit.prim.get(),
    })
}
