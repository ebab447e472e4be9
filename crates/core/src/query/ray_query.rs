//! Queries about rays, and those that have to do with them: whether a point is inside.

use super::{
    All, Closest, Contains, Count, CountCrossings, Crossings, FirstK, HitRowQuestion, Question,
    RowQuestion, ValueQuestion,
};
use crate::collect::{HitBuffer, QueryError, QueryOptions};
use crate::engine::{Engine, HitOf, IdOf, QuerySlice, QuerySliceError, RayEngine, TechniqueCounts};
use crate::shapes::{QueryItem, Ray, Ray64, RayKind};
use alloc::vec::Vec;
use core::cell::RefCell;
use glam::{DVec3, Vec3};

/// Queries on the primitives of one engine, such as the triangles of a mesh.
///
/// Every [`Engine`] implements them, and none can override them: an engine supplies candidates, and
/// the answers are computed here, in exact arithmetic, the same for every engine. Each named query
/// is one line over a [`Question`], or over the engine's shorter path for it ([`Engine::closest`],
/// [`Engine::any`]).
///
/// # Rules for all queries
/// - A ray hits a closed triangle when some finite `t` with `t_min <= t <= t_max` puts
///   `origin + t * dir` inside it, edges and corners included, in exact arithmetic on the numbers
///   given. A ray parallel to a triangle's plane does not hit it, nor is a triangle without area
///   ever hit.
/// - Hits are ordered by exact `t`, ties by [`PrimId`](crate::PrimId). The closest hit is the
///   first.
/// - An undefined ray (see [`Ray::check`]) hits nothing.
/// - Questions with [`QueryOptions`] are asked with [`ask_with`](RayQuery::ask_with). They fail only
///   when `after` names a primitive that the ray does not hit.
pub trait RayQuery: Engine {
    /// Answers a question about one item, without options.
    ///
    /// ```
    /// # mod estoc { pub use estoc_core::*; pub mod query { pub use estoc_core::*; } }
    /// use estoc::{BruteForce, Ray, RayQuery, Triangle, query::FirstK};
    /// let sheet = |z| Triangle::new([0.0, 0.0, z], [1.0, 0.0, z], [0.0, 1.0, z]);
    /// let engine = BruteForce::new([1.0, 2.0, 3.0].map(sheet));
    /// let hits = engine.ask(FirstK(2), &Ray::new([0.2, 0.2, 0.0], [0.0, 0.0, 1.0]));
    /// assert_eq!(hits.iter().map(|hit| hit.t).collect::<Vec<_>>(), [1.0, 2.0]);
    /// ```
    fn ask<I: QueryItem, Q: Question<Self, I>>(&self, question: Q, item: &I) -> Q::Answer {
        question
            .ask(self, item, &QueryOptions::DEFAULT, None)
            .unwrap_or_else(|_| unreachable!("only the option `after` can fail"))
    }

    /// Answers a question about one item, with options. They have no effect on questions about points,
    /// such as [`Contains`].
    ///
    /// ```
    /// # mod estoc { pub use estoc_core::*; pub mod query { pub use estoc_core::*; } }
    /// use estoc::{BruteForce, Cull, QueryOptions, Ray, RayQuery, Triangle, query::Any};
    /// let engine = BruteForce::new([Triangle::new([0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0])]);
    /// let from_behind = Ray::new([0.2, 0.2, -1.0], [0.0, 0.0, 1.0]);
    /// let fronts = QueryOptions::new().cull(Cull::Back);
    /// assert_eq!(engine.ask_with(Any, &from_behind, &fronts), Ok(false));
    /// ```
    ///
    /// # Errors
    /// Returns an error if `options.after` names a primitive that the ray does not hit.
    fn ask_with<I: QueryItem, Q: Question<Self, I>>(
        &self,
        question: Q,
        item: &I,
        options: &QueryOptions<IdOf<Self>>,
    ) -> Result<Q::Answer, QueryError> {
        question.ask(self, item, options, None)
    }

    /// Answers a question about one ray in one traversal, where only hits count for which `accept`
    /// returns `true`, as for textures with holes (an alpha test).
    ///
    /// The result of `accept` must depend on the ray and the hit alone: it is called in any order,
    /// for some of the hits, and possibly more than once for the same hit.
    ///
    /// ```
    /// # mod estoc { pub use estoc_core::*; pub mod query { pub use estoc_core::*; } }
    /// use estoc::{BruteForce, QueryOptions, Ray, RayQuery, Triangle, query::Closest};
    /// let sheet = |z| Triangle::new([0.0, 0.0, z], [1.0, 0.0, z], [0.0, 1.0, z]);
    /// let engine = BruteForce::new([1.0, 2.0].map(sheet));
    /// let ray = Ray::new([0.2, 0.2, 0.0], [0.0, 0.0, 1.0]);
    /// let mut is_opaque = |_: &Ray, hit: &estoc::Hit| hit.prim.get() == 1;
    /// let hit = engine.ask_where(Closest, &ray, &QueryOptions::new(), &mut is_opaque)?;
    /// assert_eq!(hit.unwrap().t, 2.0);
    /// # Ok::<(), estoc::QueryError>(())
    /// ```
    ///
    /// # Errors
    /// The same as for [`ask_with`](RayQuery::ask_with).
    fn ask_where<R: RayKind, Q: Question<Self, R>>(
        &self,
        question: Q,
        ray: &R,
        options: &QueryOptions<IdOf<Self>>,
        accept: &mut dyn FnMut(&R, &HitOf<Self>) -> bool,
    ) -> Result<Q::Answer, QueryError> {
        let accept = RefCell::new(accept);
        let accept = |ray: &R, hit: &HitOf<Self>| (accept.borrow_mut())(ray, hit);
        question.ask(self, ray, options, Some(&accept))
    }

    /// Answers a question about many items in this thread and writes each answer at its item's
    /// index. Returns how many rays each technique traced. Batches do the same in parallel.
    ///
    /// ```
    /// # mod estoc { pub use estoc_core::*; pub mod query { pub use estoc_core::*; } pub mod engine { pub use estoc_core::*; } }
    /// use estoc::{BruteForce, Ray, RayQuery, Triangle, engine::QuerySlice, query::Count};
    /// let sheet = |z| Triangle::new([0.0, 0.0, z], [1.0, 0.0, z], [0.0, 1.0, z]);
    /// let engine = BruteForce::new([1.0, 2.0, 3.0].map(sheet));
    /// let up = Ray::new([0.2, 0.2, 0.0], [0.0, 0.0, 1.0]);
    /// let mut counts = [0; 2];
    /// engine.ask_many(Count, &QuerySlice::new(&[up, up.with_interval(1.5, 9.0)]), &mut counts)?;
    /// assert_eq!(counts, [3, 2]);
    /// # Ok::<(), estoc::engine::QuerySliceError>(())
    /// ```
    ///
    /// # Errors
    /// [`QuerySliceError`]: the number of answers or options differs from that of items, or an
    /// option cannot be met.
    fn ask_many<I: QueryItem, Q: ValueQuestion<Self, I>>(
        &self,
        question: Q,
        many: &QuerySlice<'_, I, IdOf<Self>>,
        answers: &mut [Q::Answer],
    ) -> Result<TechniqueCounts, QuerySliceError> {
        question.ask_many(self, many, None, answers)
    }

    /// Answers a question about many items in this thread. Calls `emit` with the index of an item and
    /// its values, such as the hits in order along a ray, once for each item that has any, items in
    /// any order.
    ///
    /// ```
    /// # mod estoc { pub use estoc_core::*; pub mod query { pub use estoc_core::*; } pub mod engine { pub use estoc_core::*; } }
    /// use estoc::{BruteForce, Ray, RayQuery, Triangle, engine::QuerySlice, query::All};
    /// let sheet = |z| Triangle::new([0.0, 0.0, z], [1.0, 0.0, z], [0.0, 1.0, z]);
    /// let engine = BruteForce::new([1.0, 2.0, 3.0].map(sheet));
    /// let up = Ray::new([0.2, 0.2, 0.0], [0.0, 0.0, 1.0]);
    /// let mut rows = Vec::new();
    /// engine.ask_rows(All, &QuerySlice::new(&[up]), &mut |ray, hits| rows.push((ray, hits.len())))?;
    /// assert_eq!(rows, [(0, 3)]);
    /// # Ok::<(), estoc::engine::QuerySliceError>(())
    /// ```
    ///
    /// # Errors
    /// The same as for [`ask_many`](RayQuery::ask_many).
    fn ask_rows<I: QueryItem, Q: RowQuestion<Self, I>>(
        &self,
        question: Q,
        many: &QuerySlice<'_, I, IdOf<Self>>,
        emit: &mut dyn FnMut(usize, &[Q::Value]),
    ) -> Result<TechniqueCounts, QuerySliceError> {
        question.ask_rows(self, many, None, emit)
    }

    /// Returns the first hit on the ray.
    ///
    /// ```
    /// # mod estoc { pub use estoc_core::*; pub mod query { pub use estoc_core::*; } }
    /// use estoc::{BruteForce, Ray, RayQuery, Triangle};
    /// let sheet = |z| Triangle::new([0.0, 0.0, z], [1.0, 0.0, z], [0.0, 1.0, z]);
    /// let engine = BruteForce::new([1.0, 2.0, 3.0].map(sheet));
    /// let up = Ray::new([0.2, 0.2, 0.0], [0.0, 0.0, 1.0]);
    /// let hit = engine.closest_hit(&up).expect("a hit");
    /// assert_eq!((hit.prim.get(), hit.t), (0, 1.0));
    /// ```
    #[inline(always)]
    #[must_use]
    #[doc(alias = "intersects_first")]
    #[doc(alias = "raycast")]
    #[doc(alias = "cast_ray")]
    fn closest_hit<R: RayKind>(&self, ray: &R) -> Option<HitOf<Self>>
    where
        Self: RayEngine<R>,
    {
        self.closest_on(ray, None)
    }

    /// Returns whether anything is hit.
    ///
    /// ```
    /// # mod estoc { pub use estoc_core::*; pub mod query { pub use estoc_core::*; } }
    /// use estoc::{BruteForce, Ray, RayQuery, Triangle};
    /// let sheet = |z| Triangle::new([0.0, 0.0, z], [1.0, 0.0, z], [0.0, 1.0, z]);
    /// let engine = BruteForce::new([1.0, 2.0, 3.0].map(sheet));
    /// let up = Ray::new([0.2, 0.2, 0.0], [0.0, 0.0, 1.0]);
    /// assert!(engine.any_hit(&up));
    /// assert!(!engine.any_hit(&up.with_interval(0.0, 0.5)));
    /// ```
    #[inline(always)]
    #[must_use]
    #[doc(alias = "occluded")]
    #[doc(alias = "intersects_any")]
    fn any_hit<R: RayKind>(&self, ray: &R) -> bool
    where
        Self: RayEngine<R>,
    {
        self.any_on(ray, None)
    }

    /// Returns every primitive that the ray touches, each once, in order along the ray. A ray
    /// through an edge that two triangles share touches both; see
    /// [`crossings`](RayQuery::crossings) for counting surfaces.
    ///
    /// ```
    /// # mod estoc { pub use estoc_core::*; pub mod query { pub use estoc_core::*; } }
    /// use estoc::{BruteForce, Ray, RayQuery, Triangle};
    /// let sheet = |z| Triangle::new([0.0, 0.0, z], [1.0, 0.0, z], [0.0, 1.0, z]);
    /// let engine = BruteForce::new([1.0, 2.0, 3.0].map(sheet));
    /// let up = Ray::new([0.2, 0.2, 0.0], [0.0, 0.0, 1.0]);
    /// let hits = engine.all_hits(&up);
    /// assert_eq!(hits.iter().map(|hit| hit.t).collect::<Vec<_>>(), [1.0, 2.0, 3.0]);
    /// ```
    #[must_use]
    fn all_hits<R: RayKind>(&self, ray: &R) -> Vec<HitOf<Self>>
    where
        Self: RayEngine<R>,
    {
        self.ask(All, ray)
    }

    /// Returns every primitive that the ray touches, with options, in a buffer that is cleared first.
    /// Reusing the buffer avoids an allocation per query.
    ///
    /// ```
    /// # mod estoc { pub use estoc_core::*; pub mod query { pub use estoc_core::*; } }
    /// use estoc::{BruteForce, QueryOptions, Ray, RayQuery, Triangle, query::HitBuffer};
    /// let sheet = |z| Triangle::new([0.0, 0.0, z], [1.0, 0.0, z], [0.0, 1.0, z]);
    /// let engine = BruteForce::new([1.0, 2.0, 3.0].map(sheet));
    /// let up = Ray::new([0.2, 0.2, 0.0], [0.0, 0.0, 1.0]);
    /// let mut buffer = HitBuffer::default();
    /// let beyond = QueryOptions::new().after(Some(engine.closest_hit(&up).unwrap().prim));
    /// assert_eq!(engine.all_hits_in(&up, &beyond, &mut buffer)?.len(), 2);
    /// # Ok::<(), estoc::QueryError>(())
    /// ```
    ///
    /// # Errors
    /// The same as for [`ask_with`](RayQuery::ask_with).
    fn all_hits_in<'b>(
        &self,
        ray: &Ray,
        options: &QueryOptions<IdOf<Self>>,
        buffer: &'b mut HitBuffer<Self::Primitive>,
    ) -> Result<&'b [HitOf<Self>], QueryError> {
        All.ask_in(self, ray, options, None, buffer)
    }

    /// Returns the first `k` hits in order along the ray, or all if there are fewer.
    ///
    /// ```
    /// # mod estoc { pub use estoc_core::*; pub mod query { pub use estoc_core::*; } }
    /// use estoc::{BruteForce, Ray, RayQuery, Triangle};
    /// let sheet = |z| Triangle::new([0.0, 0.0, z], [1.0, 0.0, z], [0.0, 1.0, z]);
    /// let engine = BruteForce::new([1.0, 2.0, 3.0].map(sheet));
    /// let up = Ray::new([0.2, 0.2, 0.0], [0.0, 0.0, 1.0]);
    /// let hits = engine.first_hits(&up, 2);
    /// assert_eq!((hits[0].t, hits[1].t, hits.len()), (1.0, 2.0, 2));
    /// ```
    #[must_use]
    fn first_hits<R: RayKind>(&self, ray: &R, k: usize) -> Vec<HitOf<Self>>
    where
        Self: RayEngine<R>,
    {
        self.ask(FirstK(k), ray)
    }

    /// Returns the number of primitives that the ray touches: the length of
    /// [`all_hits`](RayQuery::all_hits).
    ///
    /// ```
    /// # mod estoc { pub use estoc_core::*; pub mod query { pub use estoc_core::*; } }
    /// use estoc::{BruteForce, Ray, RayQuery, Triangle};
    /// let sheet = |z| Triangle::new([0.0, 0.0, z], [1.0, 0.0, z], [0.0, 1.0, z]);
    /// let engine = BruteForce::new([1.0, 2.0, 3.0].map(sheet));
    /// let up = Ray::new([0.2, 0.2, 0.0], [0.0, 0.0, 1.0]);
    /// assert_eq!(engine.count_hits(&up), 3);
    /// ```
    #[must_use]
    fn count_hits<R: RayKind>(&self, ray: &R) -> usize
    where
        Self: RayEngine<R>,
    {
        self.ask(Count, ray)
    }

    /// Returns the hit that follows `after` on the same ray. No hit is lost and none is returned
    /// twice, however close they are, and no offset is needed.
    ///
    /// ```
    /// # mod estoc { pub use estoc_core::*; pub mod query { pub use estoc_core::*; } }
    /// use estoc::{BruteForce, Ray, RayQuery, Triangle};
    /// let sheet = |z| Triangle::new([0.0, 0.0, z], [1.0, 0.0, z], [0.0, 1.0, z]);
    /// let engine = BruteForce::new([1.0, 2.0, 3.0].map(sheet));
    /// let up = Ray::new([0.2, 0.2, 0.0], [0.0, 0.0, 1.0]);
    /// let mut found = engine.closest_hit(&up);
    /// let mut distances = Vec::new();
    /// while let Some(hit) = found {
    ///     distances.push(hit.t);
    ///     found = engine.next_hit(&up, hit.prim)?;
    /// }
    /// assert_eq!(distances, [1.0, 2.0, 3.0]);
    /// # Ok::<(), estoc::QueryError>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the ray does not hit `after`.
    fn next_hit(&self, ray: &Ray, after: IdOf<Self>) -> Result<Option<HitOf<Self>>, QueryError> {
        self.ask_with(Closest, ray, &QueryOptions::DEFAULT.after(Some(after)))
    }

    /// Returns the hits at which the ray crosses the surface, in order along the ray.
    ///
    /// [`all_hits`](RayQuery::all_hits) is about triangles; this is about the surface that they
    /// form. At an edge or a corner of a closed surface a ray crosses once where it passes to the
    /// other side, and not at all or twice where it only grazes. On a whole line the number of
    /// crossings of a closed surface is always even. Crossings are decided by simulation of
    /// simplicity (Edelsbrunner and Muecke 1990) with the ray's origin moved by an infinitely small
    /// `(e, e^2, e^3)`; the interval applies to the exact parameter of the ray that was not moved.
    ///
    /// ```
    /// # mod estoc { pub use estoc_core::*; pub mod query { pub use estoc_core::*; } }
    /// use estoc::{BruteForce, Ray, RayQuery, Triangle};
    /// // Two triangles with a common edge, which the ray meets.
    /// let right = Triangle::new([0.0, 0.0, 1.0], [1.0, 0.0, 1.0], [1.0, 1.0, 1.0]);
    /// let left = Triangle::new([0.0, 0.0, 1.0], [1.0, 1.0, 1.0], [0.0, 1.0, 1.0]);
    /// let engine = BruteForce::new([right, left]);
    /// let up = Ray::new([0.2, 0.2, 0.0], [0.0, 0.0, 1.0]);
    /// assert_eq!((engine.all_hits(&up).len(), engine.crossings(&up).len()), (2, 1));
    /// ```
    #[must_use]
    fn crossings<R: RayKind>(&self, ray: &R) -> Vec<HitOf<Self>>
    where
        Self: RayEngine<R>,
    {
        self.ask(Crossings, ray)
    }

    /// Returns the number of times that the ray crosses the surface.
    ///
    /// ```
    /// # mod estoc { pub use estoc_core::*; pub mod query { pub use estoc_core::*; } }
    /// use estoc::{BruteForce, Ray, RayQuery, Triangle};
    /// // Two triangles with a common edge, which the ray meets.
    /// let right = Triangle::new([0.0, 0.0, 1.0], [1.0, 0.0, 1.0], [1.0, 1.0, 1.0]);
    /// let left = Triangle::new([0.0, 0.0, 1.0], [1.0, 1.0, 1.0], [0.0, 1.0, 1.0]);
    /// let engine = BruteForce::new([right, left]);
    /// let up = Ray::new([0.2, 0.2, 0.0], [0.0, 0.0, 1.0]);
    /// assert_eq!((engine.count_hits(&up), engine.count_crossings(&up)), (2, 1));
    /// ```
    #[must_use]
    fn count_crossings<R: RayKind>(&self, ray: &R) -> usize
    where
        Self: RayEngine<R>,
    {
        self.ask(CountCrossings, ray)
    }

    /// Returns whether the point is inside the closed surface or exactly on one of its triangles
    /// (those without area aside). `None` when the surface is not closed, so has no inside. A point
    /// that is not finite is outside. Masks have no effect: hidden primitives still enclose.
    ///
    /// Inside means an odd number of crossings from the point in the direction +x.
    /// In a scene of several objects, a point is inside if it is inside at least one of them that is
    /// closed; `None` then means that there are objects, but none that is closed.
    ///
    /// For a mesh that is not closed, ask [`PointQuery::contains_by`](crate::PointQuery::contains_by)
    /// with [`SignRule::WindingEstimate`](crate::SignRule::WindingEstimate).
    ///
    /// ```
    /// # mod estoc { pub use estoc_core::*; pub mod query { pub use estoc_core::*; } }
    /// use estoc::{BruteForce, RayQuery, Triangle};
    /// let [o, x, y, z] = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    /// let faces = [[o, y, x], [o, x, z], [o, z, y], [x, y, z]];
    /// let tetrahedron = BruteForce::new(faces.map(|[a, b, c]| Triangle::new(a, b, c)));
    /// assert_eq!(tetrahedron.contains([0.25; 3]), Some(true));
    /// assert_eq!(tetrahedron.contains([0.5; 3]), Some(false));
    /// let open = BruteForce::new([Triangle::new(x, y, z)]);
    /// assert_eq!(open.contains([0.25; 3]), None);
    /// ```
    #[must_use]
    fn contains(&self, point: impl Into<Vec3>) -> Option<bool> {
        let point: Vec3 = point.into();
        self.ask(Contains, &point)
    }

    /// Does the same for a point in `f64`, of a mesh in `f64` or of a scene, where spheres, boxes and shapes of the
    /// user count, too.
    #[must_use]
    fn contains_64(&self, point: impl Into<DVec3>) -> Option<bool>
    where
        Self: RayEngine<Ray64>,
    {
        let point: DVec3 = point.into();
        self.ask(Contains, &point)
    }
}

impl<E: Engine + ?Sized> RayQuery for E {}
