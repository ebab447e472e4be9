//! Primitives of scenes, as rays of any kind see them.

use super::{SceneHit, ScenePrim};
use crate::exact::{PreparedRay, Verdict};
use crate::query::{Certifier, Engine, Masks, Unmasked};
use crate::{Collector, PrimId, Primitive, Ray64, Side};
use alloc::boxed::Box;
use alloc::sync::Arc;
use arrayvec::ArrayVec;
use core::cmp::Ordering;
use core::fmt::Debug;

/// The line of a ray in the world.
#[derive(Clone, Copy, Debug)]
pub struct WorldLine {
    /// The origin.
    pub origin: [f64; 3],
    /// The direction, not all zero.
    pub dir: [f64; 3],
}

impl WorldLine {
    /// Returns the line of a ray in `f32`.
    #[inline(always)]
    pub fn of(ray: &PreparedRay<'_>) -> Self {
        WorldLine {
            origin: ray.origin(),
            dir: ray.dir(),
        }
    }

    /// Returns the line of a ray in `f64`.
    pub fn of_64(ray: &Ray64) -> Self {
        WorldLine {
            origin: ray.origin.to_array(),
            dir: ray.dir.to_array(),
        }
    }
}

/// A primitive in the world that is decided exactly for lines of `f64`s. The ray that is passed beside
/// such a line gives the interval.
///
/// Its methods are those of [`Primitive`].
#[doc(hidden)]
pub trait WorldPrimitive: Primitive<Id = ScenePrim, Hit = SceneHit> {
    /// See [`Primitive::touch_quickly`].
    fn touch_quickly_on(
        &self,
        line: &WorldLine,
        ray: &PreparedRay<'_>,
        id: ScenePrim,
        t_limit: f64,
    ) -> Verdict<Self::Touch>;

    /// See [`Primitive::touch_slowly`].
    fn touch_slowly_on(
        self,
        line: &WorldLine,
        ray: &PreparedRay<'_>,
        id: ScenePrim,
        t_limit: f64,
    ) -> Option<Self::Touch>;

    /// See [`Primitive::order`].
    fn order_on(line: &WorldLine, a: &Self::Touch, b: &Self::Touch) -> Ordering;

    /// See [`Primitive::crosses`].
    fn crosses_on(line: &WorldLine, touch: &Self::Touch) -> bool;

    /// See [`Primitive::hit`].
    fn hit_on(line: &WorldLine, touch: &Self::Touch) -> SceneHit;
}

/// An engine whose primitives lie in a world that rays in `f64` see, too.
pub trait WorldEngine: Engine<Primitive: WorldPrimitive> {
    /// Does for a ray in `f64` what [`Engine::visit`] does for one in `f32`.
    fn visit_64<'r>(
        &self,
        ray: &'r Ray64,
        collector: &mut Collector<'_, Seen<'r, Self::Primitive>>,
    );

    /// Does for a ray in `f64` what [`Engine::primitive_on`] does for one in `f32`.
    fn primitive_on_64(&self, ray: &Ray64, id: ScenePrim) -> Option<Self::Primitive> {
        let _ = ray;
        self.primitive(id)
    }
}

/// Implements it for a pointer to an engine.
macro_rules! world_behind_a_pointer {
    ($($pointer:ty),*) => {$(
        impl<E: WorldEngine + ?Sized> WorldEngine for $pointer {
            fn visit_64<'r>(
                &self,
                ray: &'r Ray64,
                collector: &mut Collector<'_, Seen<'r, Self::Primitive>>,
            ) {
                (**self).visit_64(ray, collector);
            }

            fn primitive_on_64(&self, ray: &Ray64, id: ScenePrim) -> Option<E::Primitive> {
                (**self).primitive_on_64(ray, id)
            }
        }
    )*};
}

world_behind_a_pointer!(&E, Box<E>, Arc<E>);

impl<E: WorldEngine + ?Sized> WorldEngine for Unmasked<'_, E> {
    fn visit_64<'r>(
        &self,
        ray: &'r Ray64,
        collector: &mut Collector<'_, Seen<'r, Self::Primitive>>,
    ) {
        self.0.visit_64(ray, collector);
    }

    fn primitive_on_64(&self, ray: &Ray64, id: ScenePrim) -> Option<E::Primitive> {
        self.0.primitive_on_64(ray, id)
    }
}

/// A primitive as a ray in `f64` sees it. The ray that is passed to its methods only gives the interval.
#[derive(Clone, Copy, Debug)]
pub struct Seen<'r, P> {
    /// The ray.
    pub ray: &'r Ray64,
    /// The primitive.
    pub primitive: P,
}

/// A certified hit of such a primitive.
#[derive(Clone, Copy, Debug)]
pub struct SeenTouch<'r, T> {
    ray: &'r Ray64,
    touch: T,
}

impl<'r, P: WorldPrimitive> Primitive for Seen<'r, P> {
    type Id = ScenePrim;
    type Hit = SceneHit;
    type Touch = SeenTouch<'r, P::Touch>;
    type Certifier = NoCertifier<Self>;

    fn touch_quickly(
        &self,
        ray: &PreparedRay<'_>,
        id: ScenePrim,
        t_limit: f64,
    ) -> Verdict<Self::Touch> {
        let line = WorldLine::of_64(self.ray);
        match self.primitive.touch_quickly_on(&line, ray, id, t_limit) {
            Verdict::Missed => Verdict::Missed,
            Verdict::Open => Verdict::Open,
            Verdict::Touched(touch) => Verdict::Touched(SeenTouch {
                ray: self.ray,
                touch,
            }),
        }
    }

    fn touch_slowly(
        self,
        ray: &PreparedRay<'_>,
        id: ScenePrim,
        t_limit: f64,
    ) -> Option<Self::Touch> {
        let line = WorldLine::of_64(self.ray);
        let touch = self.primitive.touch_slowly_on(&line, ray, id, t_limit)?;
        let ray = self.ray;
        Some(SeenTouch { ray, touch })
    }

    fn order(_: &PreparedRay<'_>, a: &Self::Touch, b: &Self::Touch) -> Ordering {
        P::order_on(&WorldLine::of_64(a.ray), &a.touch, &b.touch)
    }

    fn crosses(_: &PreparedRay<'_>, touch: &Self::Touch) -> bool {
        P::crosses_on(&WorldLine::of_64(touch.ray), &touch.touch)
    }

    fn hit(_: &PreparedRay<'_>, touch: &Self::Touch) -> SceneHit {
        P::hit_on(&WorldLine::of_64(touch.ray), &touch.touch)
    }

    fn side(touch: &Self::Touch) -> Side {
        P::side(&touch.touch)
    }

    fn t_high(touch: &Self::Touch) -> f64 {
        P::t_high(&touch.touch)
    }

    fn prim(id: ScenePrim) -> PrimId {
        P::prim(id)
    }

    fn is_seen(&self, id: ScenePrim, mask: u32, masks: Option<&Masks>) -> bool {
        self.primitive.is_seen(id, mask, masks)
    }
}

/// Puts candidates off and certifies none.
pub struct NoCertifier<P: Primitive>(ArrayVec<(P::Id, P), 1>);

impl<P: Primitive> Certifier<P> for NoCertifier<P> {
    fn new() -> Self {
        NoCertifier(ArrayVec::new())
    }

    fn is_full(&self) -> bool {
        self.0.is_full()
    }

    fn push(&mut self, _: &PreparedRay<'_>, id: P::Id, primitive: &P) {
        self.0.push((id, *primitive));
    }

    fn drain(&mut self, mut emit: impl FnMut(usize, Result<P::Hit, (P::Id, P)>)) {
        for (lane, candidate) in self.0.drain(..).enumerate() {
            emit(lane, Err(candidate));
        }
    }
}
