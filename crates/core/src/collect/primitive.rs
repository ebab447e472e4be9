//! What rays are tested against, and how a candidate becomes a hit.

use crate::collect::Masks;
use crate::exact::{EIGHT, Eight, Hits, PreparedRay, Touch, Verdict, level};
use crate::shapes::{Hit, PrimId, Ray, RayKind, Side, Triangle};
use arrayvec::ArrayVec;
use core::cmp::Ordering;
use core::fmt::Debug;

/// A shape that is hit or missed: a [`Triangle`], a [`Triangle64`](crate::Triangle64), or a
/// [`PlacedPrimitive`](crate::PlacedPrimitive) of a scene. Rays are tested by [`RayTest`].
pub trait Primitive: Copy {
    /// The id of a primitive of an engine. Ties in the parameter go to the lowest id.
    type Id: Copy + Ord + Debug + Send + Sync;

    /// The hit that callers see.
    type Hit: Copy + Debug + PartialEq + Send + Sync;

    /// A certified hit, which has a meaning only together with its ray.
    type Touch: Copy + Debug;

    /// What points measure their distance from: the primitive, or a triangle that it may be.
    type Near: Copy;

    /// Returns the id of the primitive.
    fn id(touch: &Self::Touch) -> Self::Id;

    /// Returns the side that the ray comes from.
    fn side(touch: &Self::Touch) -> Side;

    /// Returns an upper bound of the exact parameter.
    fn t_high(touch: &Self::Touch) -> f64;

    /// Returns the number of the primitive, for masks and messages.
    fn prim(id: Self::Id) -> PrimId;

    /// Returns whether a ray with this mask sees the primitive of an engine with such masks.
    fn is_seen(&self, id: Self::Id, mask: u32, masks: Option<&Masks>) -> bool {
        match masks {
            None => mask != 0,
            Some(masks) => masks.shows(Self::prim(id), mask),
        }
    }
}

/// A primitive that rays of a kind hit or miss, decided exactly.
///
/// A candidate that is certainly hit becomes a touch, which contains an interval around the exact
/// parameter. Touches are ordered exactly and rounded to hits at the end.
pub trait RayTest<R: RayKind = Ray>: Primitive {
    /// Certifies the only candidates of several rays at once.
    type Certifier: Certifier<Self, R>;

    /// Decides whether the ray hits the primitive, as far as `f64` arithmetic can. May report a hit
    /// that is certainly beyond `t_limit` as a miss.
    fn touch_quickly(
        &self,
        ray: &PreparedRay<'_, R>,
        id: Self::Id,
        t_limit: f64,
    ) -> Verdict<Self::Touch>;

    /// Decides exactly what [`touch_quickly`](RayTest::touch_quickly) left open.
    fn touch_slowly(
        self,
        ray: &PreparedRay<'_, R>,
        id: Self::Id,
        t_limit: f64,
    ) -> Option<Self::Touch>;

    /// Decides whether the ray hits the primitive.
    #[inline(always)]
    fn touch(&self, ray: &PreparedRay<'_, R>, id: Self::Id, t_limit: f64) -> Option<Self::Touch> {
        match self.touch_quickly(ray, id, t_limit) {
            Verdict::Missed => None,
            Verdict::Touched(touch) => Some(touch),
            Verdict::Open => self.touch_slowly(ray, id, t_limit),
        }
    }

    /// Returns the hit of a ray whose only candidate is this primitive.
    #[inline(always)]
    fn only_hit(&self, ray: &PreparedRay<'_, R>, id: Self::Id) -> Option<Self::Hit> {
        let touch = self.touch(ray, id, ray.t_max())?;
        Some(Self::hit(ray, &touch))
    }

    /// Compares the exact parameters of two touches of a ray.
    fn order_t(ray: &PreparedRay<'_, R>, a: &Self::Touch, b: &Self::Touch) -> Ordering;

    /// Compares two touches of a ray: by exact parameter, then by id.
    #[inline(always)]
    fn order(ray: &PreparedRay<'_, R>, a: &Self::Touch, b: &Self::Touch) -> Ordering {
        Self::order_t(ray, a, b).then_with(|| Self::id(a).cmp(&Self::id(b)))
    }

    /// Returns whether the ray crosses the surface at this touch; see
    /// [`RayQuery::crossings`](crate::RayQuery::crossings).
    fn crosses(ray: &PreparedRay<'_, R>, touch: &Self::Touch) -> bool;

    /// Rounds a touch to a hit, each number once.
    fn hit(ray: &PreparedRay<'_, R>, touch: &Self::Touch) -> Self::Hit;
}

/// Certifies the only candidates of several rays at once. `()` takes none.
pub trait Certifier<P: Primitive, R: RayKind = Ray> {
    /// Returns a certifier without candidates.
    fn new() -> Self;

    /// Returns whether it takes candidates. Those of others are certified one by one.
    fn takes_any() -> bool;

    /// Returns whether no further candidate fits; at most eight do.
    fn is_full(&self) -> bool;

    /// Adds a candidate.
    fn push(&mut self, ray: &PreparedRay<'_, R>, id: P::Id, primitive: &P);

    /// Removes all candidates and calls `emit` for each in the order of insertion, with the hit, or
    /// with the candidate where it could not be certified.
    fn drain(&mut self, emit: impl FnMut(usize, Result<P::Hit, (P::Id, P)>));
}

impl<P: Primitive, R: RayKind> Certifier<P, R> for () {
    fn new() -> Self {}

    #[inline(always)]
    fn takes_any() -> bool {
        false
    }

    fn is_full(&self) -> bool {
        true
    }

    fn push(&mut self, _: &PreparedRay<'_, R>, _: P::Id, _: &P) {}

    fn drain(&mut self, _: impl FnMut(usize, Result<P::Hit, (P::Id, P)>)) {}
}

impl Primitive for Triangle {
    type Id = PrimId;
    type Hit = Hit;
    type Touch = Touch;
    type Near = Triangle;

    #[inline(always)]
    fn id(touch: &Touch) -> PrimId {
        touch.prim
    }

    #[inline(always)]
    fn side(touch: &Touch) -> Side {
        touch.side()
    }

    #[inline(always)]
    fn t_high(touch: &Touch) -> f64 {
        touch.t_high()
    }

    #[inline(always)]
    fn prim(id: PrimId) -> PrimId {
        id
    }
}

impl RayTest for Triangle {
    type Certifier = EightTriangles;

    #[inline(always)]
    fn touch_quickly(&self, ray: &PreparedRay<'_>, id: PrimId, t_limit: f64) -> Verdict {
        ray.touch_quickly(id, self, t_limit)
    }

    /// Takes the triangle by value: if its address escaped here, callers could not keep it in
    /// registers.
    #[cold]
    #[inline(never)]
    fn touch_slowly(self, ray: &PreparedRay<'_>, id: PrimId, t_limit: f64) -> Option<Touch> {
        ray.touch_slowly(id, &self, t_limit)
    }

    #[inline(always)]
    fn order_t(ray: &PreparedRay<'_>, a: &Touch, b: &Touch) -> Ordering {
        ray.order_t(a, b)
    }

    fn crosses(ray: &PreparedRay<'_>, touch: &Touch) -> bool {
        ray.crosses(touch)
    }

    #[inline(always)]
    fn hit(ray: &PreparedRay<'_>, touch: &Touch) -> Hit {
        ray.hit(touch)
    }
}

/// A certifier for up to eight rays with one triangle each, in the lanes of vectors.
pub struct EightTriangles {
    numbers: Eight,
    ids: ArrayVec<PrimId, EIGHT>,
    level: fearless_simd::Level,
}

impl Certifier<Triangle> for EightTriangles {
    fn new() -> Self {
        EightTriangles {
            numbers: Eight::NONE,
            ids: ArrayVec::new(),
            level: level(),
        }
    }

    #[inline(always)]
    fn takes_any() -> bool {
        true
    }

    #[inline(always)]
    fn is_full(&self) -> bool {
        self.ids.is_full()
    }

    #[inline(always)]
    fn push(&mut self, ray: &PreparedRay<'_>, id: PrimId, triangle: &Triangle) {
        self.numbers.set(self.ids.len(), ray, triangle);
        self.ids.push(id);
    }

    #[inline(always)]
    fn drain(&mut self, mut emit: impl FnMut(usize, Result<Hit, (PrimId, Triangle)>)) {
        if self.ids.is_empty() {
            return;
        }
        let Hits { t, u, v, certain } = self.numbers.hits(self.level);
        for (lane, &prim) in self.ids.iter().enumerate() {
            if certain >> lane & 1 == 1 {
                let (t, u, v) = (t[lane], u[lane], v[lane]);
                emit(lane, Ok(Hit { t, u, v, prim }));
            } else {
                emit(lane, Err((prim, self.numbers.triangle(lane))));
            }
        }
        self.ids.clear();
    }
}
