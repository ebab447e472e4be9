//! Scenes, engines and answers of single calls, for all tests of batches.

#![allow(dead_code, reason = "every test file uses a part of this")]

use estoc_batch::{
    AnswerChunk, Batch, BatchEngine, BatchQuestion, ForChunks, HitRows, Item, Rows, StreamItem,
};
use estoc_bvh::Bvh;
use estoc_core::exact::PreparedRay;
use estoc_core::glam::Vec3;
use estoc_core::{
    All, Any, Closest, Collector, Count, CountCrossings, Crossings, Engine, Hit, MeshEngine,
    PrimId, QueryOptions, Question, Queue, Ray, RayQuery, Technique, TechniqueCounts, Triangle,
};
use estoc_demo::DemoSpec;
use estoc_mesh::Mesh;
use estoc_testkit::tables::Rng;
use std::convert::Infallible;
use std::ops::ControlFlow;
use std::sync::Mutex;

/// Answers about items that are joined to those about others.
pub(crate) trait Joined: Default {
    /// Returns the number of items.
    fn items(&self) -> usize;

    fn append(&mut self, more: &Self);
}

impl<T: Copy> Joined for Vec<T> {
    fn items(&self) -> usize {
        self.len()
    }

    fn append(&mut self, more: &Self) {
        self.extend_from_slice(more);
    }
}

impl<T: Copy> Joined for Rows<T> {
    fn items(&self) -> usize {
        self.len()
    }

    fn append(&mut self, more: &Self) {
        for row in more.rows() {
            self.values.extend(row);
            self.offsets.push(self.values.len());
        }
    }
}

/// Returns lists as rows.
pub(crate) fn rows_of<T>(lists: impl IntoIterator<Item = Vec<T>>) -> Rows<T> {
    let mut rows = Rows::default();
    for list in lists {
        rows.values.extend(list);
        rows.offsets.push(rows.values.len());
    }
    rows
}

/// Returns the answers of a stream of these items, all of which each block and the report must count.
pub(crate) fn streamed<'s, T, E, Q>(
    batch: &Batch<'_>,
    engine: &E,
    question: Q,
    items: &'s [T],
) -> Q::Answers
where
    T: Item + 'static,
    &'s T: StreamItem<Item = T, Error = Infallible>,
    E: BatchEngine + ?Sized,
    Q: BatchQuestion<E, T, Answers: Joined>,
{
    let mut all = Q::Answers::default();
    let ended = batch.stream(items).ask(engine, question, |some, found| {
        assert_eq!(some.len(), found.items());
        all.append(found);
        ControlFlow::<Infallible>::Continue(())
    });
    let ControlFlow::Continue(report) = ended.unwrap();
    assert_eq!(report.rays, items.len() as u64);
    all
}

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
        fn each<E: MeshEngine, Q: Question<E, Answer: Default>>(
            question: Q,
            engine: &E,
            rays: &[Ray],
            options: &impl Fn(usize) -> QueryOptions,
            active: &impl Fn(usize) -> bool,
        ) -> Vec<Q::Answer> {
            let answer = |(i, ray): (usize, &Ray)| match active(i) {
                true => engine.ask_with(question, ray, &options(i)).unwrap(),
                false => Q::Answer::default(),
            };
            rays.iter().enumerate().map(answer).collect()
        }
        let (options, active) = (&options, &active);
        Answers {
            closest: each(Closest, engine, rays, options, active),
            any: each(Any, engine, rays, options, active),
            count: each(Count, engine, rays, options, active),
            count_crossings: each(CountCrossings, engine, rays, options, active),
            all: rows_of(each(All, engine, rays, options, active)),
            crossings: rows_of(each(Crossings, engine, rays, options, active)),
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
        let closest = batch.closest_hits(engine, rays).unwrap();
        // The same, chunk by chunk.
        let found = Mutex::new(vec![None; rays.len()]);
        let mut put = ForChunks(|chunk: AnswerChunk<'_, Option<Hit>>| {
            let mut found = found.lock().unwrap();
            for (ray, hit) in chunk.iter() {
                found[ray] = Some(*hit);
            }
        });
        batch.ask_into(engine, Closest, rays, &mut put).unwrap();
        let found = found.into_inner().unwrap();
        assert!(found.into_iter().eq(closest.iter().copied().map(Some)));
        Answers {
            closest,
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
