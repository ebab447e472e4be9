//! Scenes, engines and answers of single calls, for all tests of batches.

#![allow(dead_code, reason = "every test file uses a part of this")]

use estoc_batch::{Batch, HitRows};
use estoc_bvh::Bvh;
use estoc_core::exact::PreparedRay;
use estoc_core::glam::Vec3;
use estoc_core::{
    All, Any, Closest, Collector, Count, CountCrossings, Crossings, Engine, Hit, MeshEngine,
    PrimId, QueryOptions, Queue, Ray, RayQuery, Technique, TechniqueCounts, Triangle,
};
use estoc_demo::DemoSpec;
use estoc_mesh::Mesh;
use estoc_testkit::tables::Rng;

/// Returns triangles anywhere in the unit cube, and rays between points in it. Some miss, some are
/// undefined, and some end before they hit anything.
pub(crate) fn scene(rays: usize) -> (Bvh, Vec<Ray>) {
    let mut rng = Rng::new(0x2545_f491);
    let positions: Vec<[f32; 3]> = (0..600).map(|_| rng.vec(0.0, 1.0)).collect();
    let faces = (0..200).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]);
    let bvh = Bvh::build(&Mesh::try_new(positions, faces).unwrap());
    let mut rays: Vec<Ray> = (0..rays)
        .map(|_| {
            let (from, to): ([f32; 3], [f32; 3]) = (rng.vec(0.0, 1.0), rng.vec(0.0, 1.0));
            Ray::new(from, [0, 1, 2].map(|i| to[i] - from[i]))
        })
        .collect();
    for (i, ray) in rays.iter_mut().enumerate() {
        match i % 97 {
            3 => ray.dir.x = f32::NAN,
            5 => ray.t_max = -1.0,
            7 => ray.t_max = 0.5,
            9 => ray.t_min = f32::NEG_INFINITY,
            _ => {}
        }
    }
    (bvh, rays)
}

/// Returns the rays of a picture of the unit cube, row by row.
pub(crate) fn picture(side: usize) -> Vec<Ray> {
    let at = |i: usize| (i as f32 + 0.5) / side as f32 - 0.5;
    let ray = |i: usize| {
        let dir = [at(i % side) * 0.5, at(i / side) * 0.5, -1.0];
        Ray::new([0.5, 0.5, 3.0], dir)
    };
    (0..side * side).map(ray).collect()
}

/// Returns a tree, its mesh, and points in and around it, some on corners and some not finite. They are
/// `start` of the mesh's size from its least corner or more, and at most twice `scale` from there.
pub(crate) fn teapot(seed: u64, count: usize, start: f32, scale: f32) -> (Bvh, Mesh, Vec<Vec3>) {
    let mesh = "teapot?n=2000".parse::<DemoSpec>().unwrap().mesh();
    let bounds = mesh.bounds();
    let size = bounds.max() - bounds.min();
    let mut rng = estoc_testkit::generate::Rng::new(seed);
    let mut point = || bounds.min() + size * start + size * scale * (rng.point() + 1.0);
    let mut points: Vec<Vec3> = (0..count).map(|_| point()).collect();
    for (i, point) in points.iter_mut().enumerate() {
        match i % 53 {
            3 => point.x = f32::NAN,
            9 => point.z = f32::NEG_INFINITY,
            20 => *point = mesh.positions()[i % mesh.positions().len()],
            _ => {}
        }
    }
    (Bvh::build(&mesh), mesh, points)
}

/// The answers of single calls, with options and flags.
#[derive(Debug, PartialEq)]
pub(crate) struct Answers {
    pub(crate) closest: Vec<Option<Hit>>,
    pub(crate) any: Vec<bool>,
    pub(crate) count: Vec<usize>,
    pub(crate) count_crossings: Vec<usize>,
    pub(crate) all: HitRows,
    pub(crate) crossings: HitRows,
}

impl Answers {
    pub(crate) fn one_by_one(
        engine: &impl MeshEngine,
        rays: &[Ray],
        options: impl Fn(usize) -> QueryOptions,
        active: impl Fn(usize) -> bool,
    ) -> Self {
        let asked = || rays.iter().enumerate();
        let rows = |ask: &dyn Fn(&Ray, &QueryOptions) -> Vec<Hit>| {
            let mut rows = HitRows::default();
            for (i, ray) in asked() {
                if active(i) {
                    rows.values.extend(ask(ray, &options(i)));
                }
                rows.offsets.push(rows.values.len());
            }
            rows
        };
        let all = rows(&|ray, options| engine.ask_with(All, ray, options).unwrap());
        let crossings = rows(&|ray, options| engine.ask_with(Crossings, ray, options).unwrap());
        Answers {
            closest: asked()
                .map(|(i, ray)| {
                    engine
                        .ask_with(Closest, ray, &options(i))
                        .unwrap()
                        .filter(|_| active(i))
                })
                .collect(),
            any: asked()
                .map(|(i, ray)| active(i) && engine.ask_with(Any, ray, &options(i)).unwrap())
                .collect(),
            count: asked()
                .map(|(i, ray)| {
                    usize::from(active(i)) * engine.ask_with(Count, ray, &options(i)).unwrap()
                })
                .collect(),
            count_crossings: asked()
                .map(|(i, ray)| {
                    usize::from(active(i))
                        * engine.ask_with(CountCrossings, ray, &options(i)).unwrap()
                })
                .collect(),
            all,
            crossings,
        }
    }

    pub(crate) fn plain(engine: &impl MeshEngine, rays: &[Ray]) -> Self {
        Answers::one_by_one(engine, rays, |_| QueryOptions::new(), |_| true)
    }

    /// Returns the answers of a batch.
    pub(crate) fn of<'r>(
        batch: &Batch<'_>,
        engine: &(impl MeshEngine + Sync),
        rays: impl Into<estoc_batch::Rays<'r>>,
    ) -> Self {
        let rays = rays.into();
        Answers {
            closest: batch.closest_hits(engine, rays).unwrap(),
            any: batch.any_hits(engine, rays).unwrap(),
            count: batch.count_hits(engine, rays).unwrap(),
            count_crossings: batch.count_crossings(engine, rays).unwrap(),
            all: batch.all_hits(engine, rays).unwrap(),
            crossings: batch.ask(engine, Crossings, rays).unwrap(),
        }
    }
}

/// An engine that reports any given size, and answers the rays of a chunk in reverse order.
pub(crate) struct Backwards<Q> {
    pub(crate) inner: Q,
    pub(crate) bytes: usize,
}

impl<Q> Backwards<Q> {
    pub(crate) fn new(inner: Q, bytes: usize) -> Self {
        Backwards { inner, bytes }
    }
}

impl<E: MeshEngine> Engine for Backwards<E> {
    type Primitive = Triangle;

    fn primitive_count(&self) -> usize {
        self.inner.primitive_count()
    }

    fn primitive(&self, prim: PrimId) -> Option<Triangle> {
        self.inner.primitive(prim)
    }

    fn is_closed(&self) -> bool {
        self.inner.is_closed()
    }

    fn visit(&self, ray: &PreparedRay<'_>, collector: &mut Collector<'_>) {
        self.inner.visit(ray, collector);
    }

    fn visit_many(&self, technique: Technique, queue: &mut Queue<'_>) -> TechniqueCounts {
        let rays: Vec<_> = std::iter::from_fn(|| queue.next()).collect();
        for &(place, ray) in rays.iter().rev() {
            let mut collector = queue.collector(place, ray);
            self.inner.visit(&ray, &mut collector);
            queue.finish(place, &mut collector);
        }
        TechniqueCounts::of(technique, rays.len())
    }

    fn query_bytes(&self) -> usize {
        self.bytes
    }
}
