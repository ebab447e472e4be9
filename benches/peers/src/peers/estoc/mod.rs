//! estoc itself: exact answers, one ray per call, in batches, and by each technique forced.

mod batched;
mod exact;
mod single;
mod world;

use crate::engine::{Builder, Built, Engine};
use crate::ray::{Hit, Ray};
use batched::Batched;
use estoc::engine::{HitOf, Technique};
use estoc::glam::Vec3;
use estoc::{Batch, Bvh, PointQuery, Quality};
use estoc_core::Primitive;
use exact::{InDoubles, ManyInDoubles};
use single::OneByOne;
use std::sync::Arc;

pub(crate) use exact::{Exact, Exactly};
pub(crate) use world::{EstocWorld, changing};

pub(super) fn builders() -> Vec<Builder> {
    let batch = |name: &str| (name.to_owned(), None, None);
    // The balanced tree is also measured with each technique, forced.
    let forced = Technique::ALL.iter().map(|&technique| {
        let name = format!("estoc-{technique}").replace(' ', "-");
        (name, Some(technique), None)
    });
    let balanced = [batch("estoc")].into_iter().chain(forced).collect();
    let (fast, best) = (batch("estoc-fast"), batch("estoc-best"));
    vec![
        builder("estoc", "balanced", Quality::Balanced, balanced),
        builder("estoc-fast", "fast", Quality::Fast, vec![fast]),
        builder("estoc-best", "best", Quality::Best, vec![best]),
    ]
}

/// Returns a builder of the balanced tree in batches of these sizes, and with single calls.
pub(crate) fn of_sizes(sizes: &[usize]) -> Builder {
    let batches = sizes
        .iter()
        .map(|&size| (format!("estoc-{size}"), None, Some(size)));
    builder("estoc", "balanced", Quality::Balanced, batches.collect())
}

/// An engine of batches: its name, the technique if it is forced, and the rays per batch if they are
/// given.
type BatchEngine = (String, Option<Technique>, Option<usize>);

/// Returns a builder of a tree with single calls, under this name, and in batches.
fn builder(
    single: &'static str,
    preset: &'static str,
    quality: Quality,
    batches: Vec<BatchEngine>,
) -> Builder {
    let names = batches.iter().map(|(name, ..)| name.clone()).collect();
    Builder::new("estoc", preset, names, move |scene, _| {
        let built = Bvh::builder().quality(quality).build(&scene.mesh);
        let bvh = Arc::new(built.map_err(|error| error.to_string())?);
        let mut engines = vec![Engine::single(single, OneByOne(bvh.clone()))];
        engines.extend(batches.iter().map(|(name, technique, size)| {
            Engine::batch(name, Batched::new(bvh.clone(), *technique, *size))
        }));
        Ok(Built {
            bytes: Some(bvh.stats().bytes),
            engines,
        })
    })
}

/// Returns the builders of trees that are asked in `f64`: in `f64`, and in `f32` for the price of it.
pub(super) fn double_builders() -> Vec<Builder<f64>> {
    vec![
        in_doubles::<f64>("estoc-f64"),
        in_doubles::<f32>("estoc-f32"),
    ]
}

fn in_doubles<F: Exactly>(name: &'static str) -> Builder<f64> {
    Builder::new(name, "balanced", vec![name.to_owned()], move |scene, _| {
        let tree = Arc::new(F::build(scene)?);
        Ok(Built {
            bytes: Some(F::bytes(&tree)),
            engines: vec![
                Engine::single(name, InDoubles::<F>(tree.clone())),
                Engine::batch(name, ManyInDoubles::<F>(tree)),
            ],
        })
    })
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
