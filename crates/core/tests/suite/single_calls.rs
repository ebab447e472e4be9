//! Rays traced one by one are answered by the engine's single calls where these answer the query.

use estoc_core::exact::PreparedRay;
use estoc_core::{
    Any, BruteForce, Closest, Collector, Count, Cull, Engine, Hit, Masks, PrimId, QueryOptions,
    QuerySlice, Queue, Ray, RayQuery, Technique, TechniqueCounts, Triangle, any_visited,
    closest_visited,
};
use std::cell::Cell;

/// An engine that counts calls of itself.
struct Counting {
    inner: BruteForce,
    closest: Cell<usize>,
    any: Cell<usize>,
    visit: Cell<usize>,
}

fn add_one(count: &Cell<usize>) {
    count.set(count.get() + 1);
}

impl Engine for Counting {
    type Primitive = Triangle;

    fn primitive_count(&self) -> usize {
        self.inner.primitive_count()
    }

    fn primitive(&self, id: PrimId) -> Option<Triangle> {
        self.inner.primitive(id)
    }

    fn is_closed(&self) -> bool {
        false
    }

    fn visit(&self, ray: &PreparedRay<'_>, collector: &mut Collector<'_>) {
        add_one(&self.visit);
        self.inner.visit(ray, collector);
    }

    fn closest(&self, ray: &Ray, skip: Option<PrimId>) -> Option<Hit> {
        if skip.is_some() {
            return closest_visited(self, ray, skip);
        }
        add_one(&self.closest);
        self.inner.closest(ray, None)
    }

    fn any(&self, ray: &Ray, skip: Option<PrimId>) -> bool {
        if skip.is_some() {
            return any_visited(self, ray, skip);
        }
        add_one(&self.any);
        self.inner.any(ray, None)
    }

    fn masks(&self) -> Option<&Masks> {
        self.inner.masks()
    }
}

/// Returns two triangles, one behind the other.
fn two() -> BruteForce {
    let at = |z: f32| Triangle::new([-1.0, -1.0, z], [1.0, -1.0, z], [0.0, 1.0, z]);
    BruteForce::new(vec![at(1.0), at(2.0)])
}

fn rays() -> [Ray; 3] {
    let ray = Ray::new([0.0; 3], [0.0, 0.0, 1.0]);
    [ray, Ray::new([f32::NAN; 3], [0.0, 0.0, 1.0]), ray]
}

impl Counting {
    fn new(inner: BruteForce) -> Self {
        let [closest, any, visit] = [0; 3].map(Cell::new);
        Counting {
            inner,
            closest,
            any,
            visit,
        }
    }

    /// Returns the numbers of calls of `closest`, `any` and `visit`.
    fn calls(&self) -> [usize; 3] {
        [&self.closest, &self.any, &self.visit].map(Cell::get)
    }
}

/// Asks for the first hits and for any hit with options of each ray, and returns the numbers of
/// calls.
fn calls(inner: BruteForce, options: [QueryOptions; 3]) -> [usize; 3] {
    let engine = Counting::new(inner);
    let rays = rays();
    let many = QuerySlice::new(&rays).options_each(&options);
    let (mut closest, mut any) = ([None; 3], [true; 3]);
    engine.ask_many(Closest, &many, &mut closest).unwrap();
    engine.ask_many(Any, &many, &mut any).unwrap();
    for (i, ray) in rays.iter().enumerate() {
        let expected = engine.inner.ask_with(Closest, ray, &options[i]).unwrap();
        assert_eq!((closest[i], any[i]), (expected, expected.is_some()));
    }
    engine.calls()
}

#[test]
fn rays_without_options_are_answered_by_single_calls() {
    // One of the three rays is undefined.
    let plain = [QueryOptions::new(); 3];
    assert_eq!(calls(two(), plain), [2, 2, 0]);
    let seen = two().with_masks(Masks::from_runs([(2, 1)]));
    assert_eq!(calls(seen, plain), [2, 2, 0]);
    let engine = Counting::new(two());
    let rays = rays();
    let mut closest = [None; 3];
    let many = QuerySlice::new(&rays);
    engine.ask_many(Closest, &many, &mut closest).unwrap();
    assert_eq!(closest, rays.map(|ray| two().closest_hit(&ray)));
    assert_eq!(engine.calls(), [2, 0, 0]);
}

#[test]
fn rays_with_options_are_visited() {
    let plain = QueryOptions::new();
    let skip = plain.skip(PrimId::new(0));
    for options in [skip, plain.cull(Cull::Back), plain.cull(Cull::Front)] {
        assert_eq!(calls(two(), [options; 3]), [0, 0, 4], "{options:?}");
    }
    let hidden = two().with_masks(Masks::from_runs([(1, 0), (1, 1)]));
    assert_eq!(calls(hidden, [plain; 3]), [0, 0, 4]);
    assert_eq!(calls(two(), [skip, plain, plain]), [1, 1, 2]);
}

#[test]
fn other_questions_are_visited() {
    let engine = Counting::new(two());
    let rays = rays();
    let mut counts = [9; 3];
    let many = QuerySlice::new(&rays);
    engine.ask_many(Count, &many, &mut counts).unwrap();
    assert_eq!(counts, [2, 0, 2]);
    assert_eq!(engine.calls(), [0, 0, 2]);
}

/// An engine that shows all triangles of one that has masks.
struct Unmasked(BruteForce);

impl Engine for Unmasked {
    type Primitive = Triangle;

    fn primitive_count(&self) -> usize {
        self.0.primitive_count()
    }

    fn primitive(&self, id: PrimId) -> Option<Triangle> {
        self.0.primitive(id)
    }

    fn is_closed(&self) -> bool {
        false
    }

    fn visit(&self, ray: &PreparedRay<'_>, collector: &mut Collector<'_>) {
        self.0.visit(ray, collector);
    }

    fn visit_many(&self, technique: Technique, queue: &mut Queue<'_>) -> TechniqueCounts {
        self.0.visit_many(technique, queue)
    }
}

#[test]
fn masks_of_an_engine_behind_another_are_not_applied() {
    let engine = Unmasked(two().with_masks(Masks::from_runs([(1, 0), (1, 1)])));
    let rays = rays();
    let expected = rays.map(|ray| two().closest_hit(&ray));
    assert_eq!(expected[0].map(|hit| hit.prim), PrimId::new(0));
    let (mut closest, mut any) = ([None; 3], [false; 3]);
    let many = QuerySlice::new(&rays).technique(Technique::OneByOne);
    engine.ask_many(Closest, &many, &mut closest).unwrap();
    engine.ask_many(Any, &many, &mut any).unwrap();
    assert_eq!(closest, expected);
    assert_eq!(any, [true, false, true]);
}

/// An engine that answers single calls only.
struct SingleCalls(BruteForce);

impl Engine for SingleCalls {
    type Primitive = Triangle;

    fn primitive_count(&self) -> usize {
        self.0.primitive_count()
    }

    fn primitive(&self, id: PrimId) -> Option<Triangle> {
        self.0.primitive(id)
    }

    fn is_closed(&self) -> bool {
        false
    }

    fn visit(&self, ray: &PreparedRay<'_>, _: &mut Collector<'_>) {
        panic!("{ray:?} is answered by a single call");
    }

    fn closest(&self, ray: &Ray, skip: Option<PrimId>) -> Option<Hit> {
        self.0.closest(ray, skip)
    }

    fn any(&self, ray: &Ray, skip: Option<PrimId>) -> bool {
        self.0.any(ray, skip)
    }
}

#[test]
fn rays_that_skip_a_triangle_are_answered_by_single_calls() {
    let boxed: Box<dyn Engine<Primitive = Triangle>> = Box::new(SingleCalls(two()));
    let rays = rays();
    let mut each = [QueryOptions::new(); 3];
    each[0] = each[0].skip(PrimId::new(0));
    let unusual = [PrimId::new(1), PrimId::new(9), Some(PrimId::MAX), None];
    for skip in [PrimId::new(0)].into_iter().chain(unusual) {
        let options = QueryOptions::new().skip(skip);
        each[2] = options;
        let same = QuerySlice::new(&rays).options(&options);
        let differ = QuerySlice::new(&rays).options_each(&each);
        for (many, options) in [(same, [options; 3]), (differ, each)] {
            let (mut closest, mut any) = ([None; 3], [true; 3]);
            boxed.ask_many(Closest, &many, &mut closest).unwrap();
            boxed.ask_many(Any, &many, &mut any).unwrap();
            for (i, ray) in rays.iter().enumerate() {
                let all = two().all_hits(ray);
                let mut others = all.into_iter();
                let expected = others.find(|hit| Some(hit.prim) != options[i].skip);
                let is_hit = expected.is_some();
                assert_eq!((closest[i], any[i]), (expected, is_hit));
                assert_eq!(boxed.ask_with(Closest, ray, &options[i]), Ok(expected));
                assert_eq!(boxed.ask_with(Any, ray, &options[i]), Ok(is_hit));
            }
        }
    }
}
