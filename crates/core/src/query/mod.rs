//! The questions that every engine answers, and the one thing that engines differ in.

mod collect;
mod goals;
mod many;
mod options;

pub use collect::{Collect, HitBuffer};
pub use many::{Many, ManyError, Queue, Shares, Technique};
pub use options::{Cull, QueryError, QueryOptions};

use crate::exact::{PreparedRay, Touch};
use crate::{Hit, PrimId, Ray, Triangle};
use alloc::vec::Vec;
use collect::{Filter, Goal};
use glam::Vec3;
use goals::{All, Any, Closest, Count, Crossings, FirstK};
use many::{Asking, CrossingRows, Rows, Slots};

/// Rays against the triangles of one mesh.
///
/// An engine supplies [`visit`](RayQuery::visit), which finds candidates, and the questions
/// about its triangles; the answers to queries are then made here, in exact arithmetic, the
/// same for every engine.
///
/// # What holds for all queries
/// - A ray hits a closed triangle when some finite `t` with `t_min <= t <= t_max` puts
///   `origin + t * dir` inside it, edges and corners included, in exact arithmetic on the
///   numbers given. A ray parallel to a triangle's plane does not hit it, nor is a triangle
///   without area ever hit.
/// - Hits are ordered by exact `t`, ties by [`PrimId`]. The closest hit is the first.
/// - An undefined ray (see [`Ray::check`]) hits nothing.
/// - The forms that end in `_with` take [`QueryOptions`]. They fail only when `after` names
///   a primitive that the ray does not hit.
pub trait RayQuery {
    /// How many triangles there are.
    fn triangle_count(&self) -> usize;

    /// One of the triangles; `None` when there is none of that id.
    fn triangle(&self, prim: PrimId) -> Option<Triangle>;

    /// Whether the triangles close off an inside: every edge, after joining corners of equal
    /// position, is used an even number of times. (No triangles at all are closed.)
    fn is_closed(&self) -> bool;

    /// Shows the collector every triangle that the ray may hit at a parameter up to
    /// [`Collect::t_limit`], each once, in whatever order, until it says stop. Triangles that
    /// the ray misses may be shown too; one that it hits must not be missing, unless it is
    /// [counted](Collect::count) instead where that is allowed, or lies behind another where
    /// [nothing but the first hit](Collect::FIRST_HIT_ONLY) matters.
    fn visit<C: Collect>(&self, ray: &PreparedRay<'_>, collector: &mut C);

    /// Visits many rays, by a technique that the engine may know; answers what was done.
    ///
    /// An engine that has more than one ray under way takes them from the queue as it goes.
    fn visit_many<'r, Q: Queue<'r>>(&self, technique: Technique, queue: &mut Q) -> Shares {
        let _ = technique;
        one_by_one(self, queue)
    }

    /// How many bytes queries read from, all in all; 0 for an engine that does not tell. Decides
    /// how to go through many rays, and no answer.
    fn query_bytes(&self) -> usize {
        0
    }

    /// The first hit on the ray.
    #[must_use]
    fn closest_hit(&self, ray: &Ray) -> Option<Hit> {
        ask(self, ray, Closest::default())
    }

    /// The first hit on the ray, as the options allow.
    ///
    /// # Errors
    /// When `options.after` names a primitive that the ray does not hit.
    fn closest_hit_with(
        &self,
        ray: &Ray,
        options: &QueryOptions,
    ) -> Result<Option<Hit>, QueryError> {
        run(self, ray, options, Closest::default())
    }

    /// Whether anything is hit.
    #[must_use]
    fn any_hit(&self, ray: &Ray) -> bool {
        ask(self, ray, Any::default())
    }

    /// Whether anything is hit, as the options allow.
    ///
    /// # Errors
    /// As [`closest_hit_with`](RayQuery::closest_hit_with).
    fn any_hit_with(&self, ray: &Ray, options: &QueryOptions) -> Result<bool, QueryError> {
        run(self, ray, options, Any::default())
    }

    /// Every triangle that the ray touches, each once, in the order of the ray. A ray through
    /// an edge that two triangles share touches both; see
    /// [`crossings`](RayQuery::crossings) for counting surfaces.
    #[must_use]
    fn all_hits(&self, ray: &Ray) -> Vec<Hit> {
        self.all_hits_with(ray, &QueryOptions::new())
            .unwrap_or_default()
    }

    /// Every triangle touched, as the options allow.
    ///
    /// # Errors
    /// As [`closest_hit_with`](RayQuery::closest_hit_with).
    fn all_hits_with(&self, ray: &Ray, options: &QueryOptions) -> Result<Vec<Hit>, QueryError> {
        let mut buffer = HitBuffer::new();
        self.all_hits_in(ray, options, &mut buffer)?;
        Ok(buffer.into_hits())
    }

    /// [`all_hits_with`](RayQuery::all_hits_with) into a buffer that is cleared first and
    /// can be used again, so that a long run of queries allocates nothing.
    ///
    /// # Errors
    /// As [`closest_hit_with`](RayQuery::closest_hit_with).
    fn all_hits_in<'b>(
        &self,
        ray: &Ray,
        options: &QueryOptions,
        buffer: &'b mut HitBuffer,
    ) -> Result<&'b [Hit], QueryError> {
        run(self, ray, options, All(buffer.clear()))?;
        Ok(buffer.hits())
    }

    /// The first `k` hits in the order of the ray; fewer when there are not so many.
    #[must_use]
    fn first_hits(&self, ray: &Ray, k: usize) -> Vec<Hit> {
        self.first_hits_with(ray, k, &QueryOptions::new())
            .unwrap_or_default()
    }

    /// The first `k` hits, as the options allow.
    ///
    /// # Errors
    /// As [`closest_hit_with`](RayQuery::closest_hit_with).
    fn first_hits_with(
        &self,
        ray: &Ray,
        k: usize,
        options: &QueryOptions,
    ) -> Result<Vec<Hit>, QueryError> {
        let mut buffer = HitBuffer::new();
        run(self, ray, options, FirstK::new(buffer.clear(), k))?;
        Ok(buffer.into_hits())
    }

    /// How many triangles the ray touches: the length of [`all_hits`](RayQuery::all_hits).
    #[must_use]
    fn count_hits(&self, ray: &Ray) -> usize {
        ask(self, ray, Count::default())
    }

    /// How many triangles the ray touches, as the options allow.
    ///
    /// # Errors
    /// As [`closest_hit_with`](RayQuery::closest_hit_with).
    fn count_hits_with(&self, ray: &Ray, options: &QueryOptions) -> Result<usize, QueryError> {
        run(self, ray, options, Count::default())
    }

    /// The hit that follows `after` on the same ray: no hit is lost and none comes twice,
    /// however close they are, and no offset is needed.
    ///
    /// # Errors
    /// When the ray does not hit `after`.
    fn next_hit(&self, ray: &Ray, after: PrimId) -> Result<Option<Hit>, QueryError> {
        self.closest_hit_with(ray, &QueryOptions::new().after(Some(after)))
    }

    /// Where the ray crosses the surface, in the order of the ray.
    ///
    /// Unlike [`all_hits`](RayQuery::all_hits), which tells of triangles, this tells of the
    /// surface that they make up: through an edge or a corner of a closed surface a ray
    /// crosses once where it passes to the other side, and not at all or twice where it only
    /// grazes; on a whole line the number of crossings of a closed surface is always even.
    /// Decided by simulation of simplicity (Edelsbrunner and Muecke 1990) with the ray's
    /// origin moved by an infinitely small `(e, e^2, e^3)`; the interval applies to the exact
    /// parameter of the ray that was not moved.
    #[must_use]
    fn crossings(&self, ray: &Ray) -> Vec<Hit> {
        self.crossings_with(ray, &QueryOptions::new())
            .unwrap_or_default()
    }

    /// Where the ray crosses the surface, as the options allow.
    ///
    /// # Errors
    /// As [`closest_hit_with`](RayQuery::closest_hit_with).
    fn crossings_with(&self, ray: &Ray, options: &QueryOptions) -> Result<Vec<Hit>, QueryError> {
        let mut buffer = HitBuffer::new();
        run(self, ray, options, Crossings(All(buffer.clear())))?;
        Ok(buffer.into_hits())
    }

    /// How often the ray crosses the surface.
    #[must_use]
    fn count_crossings(&self, ray: &Ray) -> usize {
        ask(self, ray, Crossings(Count::default()))
    }

    /// How often the ray crosses the surface, as the options allow.
    ///
    /// # Errors
    /// As [`closest_hit_with`](RayQuery::closest_hit_with).
    fn count_crossings_with(&self, ray: &Ray, options: &QueryOptions) -> Result<usize, QueryError> {
        run(self, ray, options, Crossings(Count::default()))
    }

    /// The first hit of each of many rays, in this thread. Tells how many rays went which way.
    ///
    /// # Errors
    /// [`ManyError`]: not as many places or options as rays, or an option that cannot be met.
    fn closest_hits_into(
        &self,
        many: &Many<'_>,
        hits: &mut [Option<Hit>],
    ) -> Result<Shares, ManyError> {
        fill(self, many, hits, Closest::default)
    }

    /// Whether each of many rays hits anything; as
    /// [`closest_hits_into`](RayQuery::closest_hits_into).
    ///
    /// # Errors
    /// As [`closest_hits_into`](RayQuery::closest_hits_into).
    fn any_hits_into(&self, many: &Many<'_>, any: &mut [bool]) -> Result<Shares, ManyError> {
        fill(self, many, any, Any::default)
    }

    /// How many triangles each of many rays touches; as
    /// [`closest_hits_into`](RayQuery::closest_hits_into).
    ///
    /// # Errors
    /// As [`closest_hits_into`](RayQuery::closest_hits_into).
    fn count_hits_into(&self, many: &Many<'_>, counts: &mut [usize]) -> Result<Shares, ManyError> {
        fill(self, many, counts, Count::default)
    }

    /// How often each of many rays crosses the surface; as
    /// [`closest_hits_into`](RayQuery::closest_hits_into).
    ///
    /// # Errors
    /// As [`closest_hits_into`](RayQuery::closest_hits_into).
    fn count_crossings_into(
        &self,
        many: &Many<'_>,
        counts: &mut [usize],
    ) -> Result<Shares, ManyError> {
        fill(self, many, counts, || Crossings(Count::default()))
    }

    /// All hits of each of many rays: `emit` is told the place of a ray and its hits in their
    /// order, once for each ray that touches anything, rays in no order.
    ///
    /// # Errors
    /// As [`closest_hits_into`](RayQuery::closest_hits_into).
    fn all_hits_of(
        &self,
        many: &Many<'_>,
        emit: impl FnMut(usize, &[Hit]),
    ) -> Result<Shares, ManyError> {
        answer(self, many, Rows::new(emit))
    }

    /// Where each of many rays crosses the surface; as [`all_hits_of`](RayQuery::all_hits_of).
    ///
    /// # Errors
    /// As [`closest_hits_into`](RayQuery::closest_hits_into).
    fn crossings_of(
        &self,
        many: &Many<'_>,
        emit: impl FnMut(usize, &[Hit]),
    ) -> Result<Shares, ManyError> {
        answer(self, many, CrossingRows(Rows::new(emit)))
    }

    /// Whether the point is inside the closed surface or exactly on one of its triangles
    /// (those without area aside). `None` when the surface is not closed, so has no inside.
    /// A point that is not finite is outside.
    ///
    /// Inside means an odd number of crossings from the point in the direction +x.
    #[must_use]
    fn contains(&self, point: impl Into<Vec3>) -> Option<bool> {
        let point = point.into();
        if !self.is_closed() {
            return None;
        }
        // A triangle that holds the point is hit at t = 0 by a ray along at least one axis,
        // the one that its normal is not perpendicular to.
        let on_surface = Vec3::AXES
            .iter()
            .any(|&axis| self.any_hit(&Ray::new(point, axis).with_interval(0.0, 0.0)));
        Some(on_surface || self.count_crossings(&Ray::new(point, Vec3::X)) % 2 == 1)
    }
}

/// Asks all rays of a queue, one after the other: what
/// [`visit_many`](RayQuery::visit_many) does if an engine has nothing better.
pub fn one_by_one<'r, E: RayQuery + ?Sized, Q: Queue<'r>>(engine: &E, queue: &mut Q) -> Shares {
    let mut rays = 0;
    while let Some((place, ray)) = queue.next() {
        let mut collector = queue.collector(place, ray);
        engine.visit(&ray, &mut collector);
        queue.finish(place, &mut collector);
        rays += 1;
    }
    Shares::of(Technique::OneByOne, rays)
}

/// Asks an engine one question, about everything on the ray.
#[inline(always)]
fn ask<Q: RayQuery + ?Sized, G: Goal>(engine: &Q, ray: &Ray, goal: G) -> G::Answer {
    match PreparedRay::new(ray) {
        None => goal.finish_empty(),
        Some(question) => visit(engine, &question, &QueryOptions::new(), None, goal),
    }
}

/// Asks an engine one question.
fn run<Q: RayQuery + ?Sized, G: Goal>(
    engine: &Q,
    ray: &Ray,
    options: &QueryOptions,
    goal: G,
) -> Result<G::Answer, QueryError> {
    let question = PreparedRay::new(ray);
    let after = match options.after {
        None => None,
        Some(prim) => Some(find_after(engine, question.as_ref(), prim)?),
    };
    Ok(match question {
        None => goal.finish_empty(),
        Some(question) => visit(engine, &question, options, after, goal),
    })
}

#[inline(always)]
fn visit<Q: RayQuery + ?Sized, G: Goal>(
    engine: &Q,
    question: &PreparedRay<'_>,
    options: &QueryOptions,
    after: Option<Touch>,
    goal: G,
) -> G::Answer {
    let mut filter = Filter::new(*question, options, after, goal);
    engine.visit(question, &mut filter);
    filter.finish()
}

/// One answer for each of many rays.
fn fill<Q: RayQuery + ?Sized, G: Goal>(
    engine: &Q,
    many: &Many<'_>,
    answers: &mut [G::Answer],
    start: impl FnMut() -> G,
) -> Result<Shares, ManyError> {
    many.has_room(answers.len())?;
    answer(engine, many, Slots { answers, start })
}

fn answer<Q: RayQuery + ?Sized>(
    engine: &Q,
    many: &Many<'_>,
    answers: impl many::Answers,
) -> Result<Shares, ManyError> {
    many.check()?;
    let mut asking = Asking::new(engine, many, answers);
    let shares = engine.visit_many(many.technique, &mut asking);
    asking.end().map(|()| shares)
}

/// The hit on a primitive that a query continues behind.
#[inline(never)]
fn find_after<Q: RayQuery + ?Sized>(
    engine: &Q,
    question: Option<&PreparedRay<'_>>,
    prim: PrimId,
) -> Result<Touch, QueryError> {
    let triangle = engine.triangle(prim).ok_or(QueryError::NoSuchPrim {
        prim,
        triangles: engine.triangle_count(),
    })?;
    question
        .and_then(|ray| ray.touch(prim, &triangle, f64::INFINITY))
        .ok_or(QueryError::AfterMissed { prim })
}
