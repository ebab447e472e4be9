//! Engines, which supply candidates, and the queue of many rays.

mod brute;
mod delegate;
mod find_after;
mod for_pointers;
mod point_engine;
mod query_slice;
mod queue;
mod ray_engine;
mod region_engine;
mod scaled_rays;
mod single_calls;
mod sweep_engine;
mod widened_rays;

pub use brute::BruteForce;
pub use delegate::Delegate;
pub(crate) use find_after::find_after;
pub use point_engine::{ClosestOf, LengthOf, NearEngine, NearIdOf, NearOf, PointEngine};
pub(crate) use query_slice::Options;
pub use query_slice::{QuerySlice, QuerySliceError, Technique, TechniqueCounts};
pub use queue::Queue;
pub(crate) use queue::{Sink, trace};
pub use ray_engine::{RayEngine, any_visited, closest_visited};
pub use region_engine::{PairEngine, RegionEngine};
pub use sweep_engine::SweepEngine;

use crate::collect::{Collector, Masks, Primitive, RayTest};
use crate::exact::PreparedRay;
use crate::shapes::{PrimId, Ray, RayKind, Triangle};
use for_pointers::for_pointers;
use glam::DVec3;

/// The hit that queries on an engine return.
pub type HitOf<E> = <<E as Engine>::Primitive as Primitive>::Hit;

/// The id of an engine's primitives.
pub type IdOf<E> = <<E as Engine>::Primitive as Primitive>::Id;

/// Finds the primitives that a ray may hit.
///
/// An engine supplies candidates. [`RayQuery`](crate::RayQuery), which every engine has, certifies,
/// orders and rounds them in exact arithmetic, the same for every engine. An engine can be slow or
/// miss a hit, but cannot change how hits are decided.
///
/// The trait is object-safe: `Box<dyn Engine<Primitive = Triangle>>`, or shorter
/// `Box<dyn MeshEngine>` ([`MeshEngine`]), answers every query.
///
/// ```
/// # mod estoc { pub use estoc_core::*; pub mod engine { pub use estoc_core::*; } }
/// use estoc::{BruteForce, Ray, RayQuery, Triangle, engine::MeshEngine};
/// // The same code asks any engine.
/// fn first(engine: &dyn MeshEngine, ray: &Ray) -> Option<f32> {
///     Some(engine.closest_hit(ray)?.t)
/// }
/// let engine = BruteForce::new([Triangle::new([0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0])]);
/// assert_eq!(first(&engine, &Ray::new([0.2, 0.2, 2.0], [0.0, 0.0, -1.0])), Some(2.0));
/// ```
pub trait Engine {
    /// The type of the primitives that rays are tested against.
    type Primitive: RayTest;

    /// Returns the number of primitives.
    fn primitive_count(&self) -> usize;

    /// Returns a primitive; `None` when no primitive has that id, or has it for some rays only (see
    /// [`primitive_on`](Engine::primitive_on)).
    fn primitive(&self, id: <Self::Primitive as Primitive>::Id) -> Option<Self::Primitive>;

    /// Returns a primitive as a ray meets it; the same as [`primitive`](Engine::primitive), but for
    /// engines with primitives that exist for one ray only.
    fn primitive_on(&self, ray: &PreparedRay<'_>, id: IdOf<Self>) -> Option<Self::Primitive> {
        let _ = ray;
        self.primitive(id)
    }

    /// Returns whether the primitives enclose an inside: every edge, after joining corners of equal
    /// position, is used an even number of times. An engine without primitives is closed.
    fn is_closed(&self) -> bool;

    /// Returns whether all primitives together enclose what is inside, by the parity of crossings.
    /// Otherwise the engine itself answers [`Contains`](crate::Contains), by
    /// [`encloses`](Engine::encloses).
    fn is_one_solid(&self) -> bool {
        true
    }

    /// Returns whether a point is inside, for an engine that [is not one solid](Engine::is_one_solid).
    fn encloses(&self, _point: DVec3) -> Option<bool> {
        None
    }

    /// Offers the collector every primitive that the ray may hit at a parameter up to
    /// [`Collector::t_limit`], each once, in any order, until the collector breaks.
    ///
    /// Primitives that the ray misses may be offered too. A primitive that it hits may be left out
    /// only if it is [counted](Collector::count) instead where that is allowed, or lies behind
    /// another hit that [counts](Collector::hit_rule) where [only the first
    /// hit](crate::Want::First) is wanted. Masks are applied by the collector: offer hidden
    /// primitives too.
    fn visit(&self, ray: &PreparedRay<'_>, collector: &mut Collector<'_, Self::Primitive>);

    /// Traverses with many rays, by the given technique if the engine implements it. Returns how
    /// many rays each technique traced.
    ///
    /// An engine that has several rays in flight takes them from the queue one at a time.
    fn visit_many(
        &self,
        technique: Technique,
        queue: &mut Queue<'_, Self::Primitive>,
    ) -> TechniqueCounts {
        let _ = technique;
        one_by_one(self, queue)
    }

    /// Returns the first hit on a ray, other than one on the primitive `skip`, as for
    /// [`QueryOptions::skip`](crate::QueryOptions::skip) without other options; an undefined ray has
    /// none. Override it where the engine has a shorter path than [`visit`](Engine::visit). The answer
    /// must be that of [`visit`](Engine::visit), masks included. [`one_by_one`] calls it, so it must not
    /// ask [`visit_many`](Engine::visit_many).
    fn closest(&self, ray: &Ray, skip: Option<IdOf<Self>>) -> Option<HitOf<Self>> {
        closest_visited(self, ray, skip)
    }

    /// Returns whether a ray hits anything, but the primitive `skip`. May be overridden like
    /// [`closest`](Engine::closest).
    fn any(&self, ray: &Ray, skip: Option<IdOf<Self>>) -> bool {
        any_visited(self, ray, skip)
    }

    /// Returns the masks of the primitives, if they have any.
    fn masks(&self) -> Option<&Masks> {
        None
    }

    /// Returns the number of bytes that queries read from, 0 if unknown. It affects how many rays
    /// are traversed together, never an answer.
    fn query_bytes(&self) -> usize {
        0
    }
}

/// An engine over triangles with [`PrimId`](crate::PrimId)s. Implemented for all such engines.
pub trait MeshEngine: Engine<Primitive = Triangle> {
    /// Returns the number of triangles.
    fn triangle_count(&self) -> usize {
        self.primitive_count()
    }

    /// Returns a triangle; `None` when no triangle has that id.
    fn triangle(&self, prim: PrimId) -> Option<Triangle> {
        self.primitive(prim)
    }
}

impl<E: Engine<Primitive = Triangle> + ?Sized> MeshEngine for E {}

/// Traces all rays of a queue, one after the other: the default of [`Engine::visit_many`]. Where
/// the first hit or any is wanted, rays without options, or that only skip a primitive, are answered by
/// [`Engine::closest`] or [`Engine::any`]; all others by [`Engine::visit`].
pub fn one_by_one<R: RayKind, E: RayEngine<R> + ?Sized>(
    engine: &E,
    queue: &mut Queue<'_, E::Primitive, R>,
) -> TechniqueCounts {
    let mut rays = queue.complete_all_by_single_calls(engine);
    while let Some((place, ray)) = queue.next() {
        rays += 1;
        if !queue.complete_by_single_call(engine, place, &ray) {
            let mut collector = queue.collector(place, ray);
            engine.visit_on(&ray, &mut collector);
            queue.finish(place, &mut collector);
        }
    }
    TechniqueCounts::of(Technique::OneByOne, rays)
}

for_pointers! { [E: Engine] Engine, {
    type Primitive = E::Primitive;

    fn primitive_count(&self) -> usize {
        (**self).primitive_count()
    }

    fn primitive(&self, id: IdOf<E>) -> Option<E::Primitive> {
        (**self).primitive(id)
    }

    fn primitive_on(&self, ray: &PreparedRay<'_>, id: IdOf<E>) -> Option<E::Primitive> {
        (**self).primitive_on(ray, id)
    }

    fn is_closed(&self) -> bool {
        (**self).is_closed()
    }

    fn visit(&self, ray: &PreparedRay<'_>, collector: &mut Collector<'_, E::Primitive>) {
        (**self).visit(ray, collector);
    }

    fn visit_many(
        &self,
        technique: Technique,
        queue: &mut Queue<'_, E::Primitive>,
    ) -> TechniqueCounts {
        (**self).visit_many(technique, queue)
    }

    fn query_bytes(&self) -> usize {
        (**self).query_bytes()
    }

    fn is_one_solid(&self) -> bool {
        (**self).is_one_solid()
    }

    fn encloses(&self, point: DVec3) -> Option<bool> {
        (**self).encloses(point)
    }

    fn closest(&self, ray: &Ray, skip: Option<IdOf<E>>) -> Option<HitOf<E>> {
        (**self).closest(ray, skip)
    }

    fn any(&self, ray: &Ray, skip: Option<IdOf<E>>) -> bool {
        (**self).any(ray, skip)
    }

    fn masks(&self) -> Option<&Masks> {
        (**self).masks()
    }
} }
