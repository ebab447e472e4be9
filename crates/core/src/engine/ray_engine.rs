//! Engines, as questions about rays of any kind ask them.

use super::for_pointers::for_pointers;
use crate::collect::{Collector, QueryOptions, RayTest};
use crate::engine::{Engine, HitOf, IdOf, Queue, Technique, TechniqueCounts, one_by_one};
use crate::exact::PreparedRay;
use crate::shapes::{Ray, Ray64, RayKind};

/// An engine that is asked about rays of a kind.
///
/// Every [`Engine`] is one for [`Ray`]s, by its own methods. Implement this trait for an engine whose
/// primitives are tested for [`Ray64`]s too.
pub trait RayEngine<R: RayKind = Ray>: Engine<Primitive: RayTest<R>> {
    /// Does for rays of this kind what [`Engine::visit`] does.
    fn visit_on(&self, ray: &PreparedRay<'_, R>, collector: &mut Collector<'_, Self::Primitive, R>);

    /// Does for rays of this kind what [`Engine::primitive_on`] does.
    fn primitive_for(&self, ray: &PreparedRay<'_, R>, id: IdOf<Self>) -> Option<Self::Primitive> {
        let _ = ray;
        self.primitive(id)
    }

    /// Does for rays of this kind what [`Engine::visit_many`] does.
    fn visit_rays(
        &self,
        technique: Technique,
        queue: &mut Queue<'_, Self::Primitive, R>,
    ) -> TechniqueCounts {
        let _ = technique;
        one_by_one(self, queue)
    }

    /// Returns whether [`visit_rays`](RayEngine::visit_rays) traces rays of this kind together, so that batches
    /// plan for it.
    fn traces_together(&self) -> bool {
        R::IS_TRACED_TOGETHER && Technique::HAS_OTHERS
    }

    /// Returns the first hit on a ray other than one on the primitive `skip`; see
    /// [`Engine::closest`].
    fn closest_on(&self, ray: &R, skip: Option<IdOf<Self>>) -> Option<HitOf<Self>> {
        closest_visited(self, ray, skip)
    }

    /// Returns whether a ray hits anything but the primitive `skip`; see [`Engine::any`].
    fn any_on(&self, ray: &R, skip: Option<IdOf<Self>>) -> bool {
        any_visited(self, ray, skip)
    }
}

impl<E: Engine + ?Sized> RayEngine for E {
    #[inline(always)]
    fn visit_on(&self, ray: &PreparedRay<'_>, collector: &mut Collector<'_, E::Primitive>) {
        self.visit(ray, collector);
    }

    fn primitive_for(&self, ray: &PreparedRay<'_>, id: IdOf<E>) -> Option<E::Primitive> {
        self.primitive_on(ray, id)
    }

    #[inline(always)]
    fn visit_rays(
        &self,
        technique: Technique,
        queue: &mut Queue<'_, E::Primitive>,
    ) -> TechniqueCounts {
        self.visit_many(technique, queue)
    }

    #[inline(always)]
    fn closest_on(&self, ray: &Ray, skip: Option<IdOf<E>>) -> Option<HitOf<E>> {
        self.closest(ray, skip)
    }

    #[inline(always)]
    fn any_on(&self, ray: &Ray, skip: Option<IdOf<E>>) -> bool {
        self.any(ray, skip)
    }
}

/// Returns the first hit that [`RayEngine::visit_on`] finds, masks included, other than one on the
/// primitive `skip`.
#[inline(never)]
pub fn closest_visited<R: RayKind, E: RayEngine<R> + ?Sized>(
    engine: &E,
    ray: &R,
    skip: Option<IdOf<E>>,
) -> Option<HitOf<E>> {
    let ray = PreparedRay::new(ray)?;
    let options = QueryOptions::DEFAULT.skip(skip);
    let mut collector = Collector::first(ray, &options, engine.masks());
    engine.visit_on(&ray, &mut collector);
    collector.first_found()
}

/// Returns whether [`RayEngine::visit_on`] finds any hit, masks included, but on the primitive `skip`.
#[inline(never)]
pub fn any_visited<R: RayKind, E: RayEngine<R> + ?Sized>(
    engine: &E,
    ray: &R,
    skip: Option<IdOf<E>>,
) -> bool {
    PreparedRay::new(ray).is_some_and(|ray| {
        let options = QueryOptions::DEFAULT.skip(skip);
        let mut collector = Collector::any(ray, &options, engine.masks());
        engine.visit_on(&ray, &mut collector);
        collector.any_found()
    })
}

for_pointers! { [E: RayEngine<Ray64>] RayEngine<Ray64>, {
    fn visit_on(
        &self,
        ray: &PreparedRay<'_, Ray64>,
        collector: &mut Collector<'_, E::Primitive, Ray64>,
    ) {
        (**self).visit_on(ray, collector);
    }

    fn primitive_for(
        &self,
        ray: &PreparedRay<'_, Ray64>,
        id: IdOf<E>,
    ) -> Option<E::Primitive> {
        (**self).primitive_for(ray, id)
    }

    fn visit_rays(
        &self,
        technique: Technique,
        queue: &mut Queue<'_, E::Primitive, Ray64>,
    ) -> TechniqueCounts {
        (**self).visit_rays(technique, queue)
    }

    fn traces_together(&self) -> bool {
        (**self).traces_together()
    }

    fn closest_on(&self, ray: &Ray64, skip: Option<IdOf<E>>) -> Option<HitOf<E>> {
        (**self).closest_on(ray, skip)
    }

    fn any_on(&self, ray: &Ray64, skip: Option<IdOf<E>>) -> bool {
        (**self).any_on(ray, skip)
    }
} }
