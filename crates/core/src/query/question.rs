//! Questions, each a type of its own.
//!
//! Each question is implemented once; the single query, the query about many rays, and, in
//! `estoc-batch`, the parallel query and the stream follow from it.

use super::collector::{Collector, Rules};
use super::engine::{HitOf, IdOf};
use super::goal::Goal;
use super::hit_buffer::HitBuffer;
use super::hit_rule::HitRule;
use super::primitive::Primitive;
use super::queue::{Sink, trace};
use super::{
    Engine, QueryError, QueryOptions, QuerySlice, QuerySliceError, TechniqueCounts, find_after,
};
use crate::Ray;
use crate::exact::PreparedRay;
use alloc::vec::Vec;

/// Decides whether a certified hit counts; see [`RayQuery::ask_where`](super::RayQuery::ask_where).
pub type AcceptHit<'a, E> = &'a dyn Fn(&Ray, &HitOf<E>) -> bool;

/// A question about one item, such as [`Closest`] about a ray.
pub trait Question<E: Engine + ?Sized>: Copy + Send + Sync {
    /// The type of the items: a [`Ray`], a point (`glam::Vec3`), or a
    /// [`MovingSphere`](crate::MovingSphere).
    type Item: Copy + Send + Sync;

    /// The type of the answer for one item.
    type Answer;

    /// Returns the answer for one item. Only hits count for which `accept` returns `true`.
    ///
    /// # Errors
    /// Returns an error if `options.after` names a primitive that the ray does not hit.
    fn ask(
        &self,
        engine: &E,
        item: &Self::Item,
        options: &QueryOptions<IdOf<E>>,
        accept: Option<AcceptHit<'_, E>>,
    ) -> Result<Self::Answer, QueryError>;

    /// Returns whether the first hit, or one certain to be the first, answers the question, so that
    /// rays of similar direction can be traced together.
    fn ends_at_first_hit(&self) -> bool {
        false
    }

    /// Returns whether any hit answers the question.
    fn ends_at_any_hit(&self) -> bool {
        false
    }

    /// Returns whether engines answer the question about many items only one after the other.
    fn is_one_by_one(&self) -> bool {
        false
    }

    /// Returns whether items at neighbouring positions find the same part of a tree, so that sorting
    /// them pays where the tree exceeds the caches.
    fn is_about_positions(&self) -> bool {
        self.is_one_by_one()
    }
}

/// A question with one answer of fixed size for each item.
pub trait ValueQuestion<E: Engine + ?Sized>:
    Question<E, Answer: Copy + Default + Send + PartialEq>
{
    /// Answers for many items and writes each answer at its item's index. Returns how many rays
    /// each technique traced.
    ///
    /// # Errors
    /// [`QuerySliceError`]: the number of answers or options differs from that of items, or an
    /// option cannot be met.
    fn ask_many(
        &self,
        engine: &E,
        many: &QuerySlice<'_, Self::Item, IdOf<E>>,
        accept: Option<AcceptHit<'_, E>>,
        answers: &mut [Self::Answer],
    ) -> Result<TechniqueCounts, QuerySliceError>;
}

/// A question with any number of values for each item.
pub trait RowQuestion<E: Engine + ?Sized>: Question<E> {
    /// The type of the values: the answer for one item is a list of them.
    type Value: Copy + Send;

    /// Answers for many items. Calls `emit` with the index of an item and its values in their order,
    /// once for each item that has any, items in any order.
    ///
    /// # Errors
    /// The same as for [`ValueQuestion::ask_many`].
    fn ask_rows(
        &self,
        engine: &E,
        many: &QuerySlice<'_, Self::Item, IdOf<E>>,
        accept: Option<AcceptHit<'_, E>>,
        emit: &mut dyn FnMut(usize, &[Self::Value]),
    ) -> Result<TechniqueCounts, QuerySliceError>;
}

/// A question with any number of hits for each ray, in order along the ray.
pub trait HitRowQuestion<E: Engine + ?Sized>:
    RowQuestion<E, Item = Ray, Answer = Vec<HitOf<E>>, Value = HitOf<E>>
{
    /// Answers for one ray, in a buffer that is cleared first.
    ///
    /// # Errors
    /// The same as for [`Question::ask`].
    fn ask_in<'b>(
        &self,
        engine: &E,
        ray: &Ray,
        options: &QueryOptions<IdOf<E>>,
        accept: Option<AcceptHit<'_, E>>,
        buffer: &'b mut HitBuffer<E::Primitive>,
    ) -> Result<&'b [HitOf<E>], QueryError>;
}

/// The question for the first hit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Closest;

/// The question whether there is a hit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Any;

/// The question for the number of primitives that are hit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count;

/// The question for the number of crossings of the surface; see
/// [`RayQuery::crossings`](super::RayQuery::crossings).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CountCrossings;

/// The question for the crossings from behind, where the ray leaves what the surface encloses, minus
/// those from the front, where it enters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct SumCrossings;

/// The question for every primitive that is hit, in order along the ray.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct All;

/// The question for the first `k` hits, in order along the ray.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FirstK(pub usize);

/// The question for the crossings of the surface, in order along the ray; see
/// [`RayQuery::crossings`](super::RayQuery::crossings).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Crossings;

/// A prepared ray, and the touch after which its query continues.
type Start<'a, E> = (PreparedRay<'a>, Option<TouchOf<E>>);

type TouchOf<E> = <<E as Engine>::Primitive as Primitive>::Touch;

/// Prepares a ray. Returns `None` for an undefined one, which hits nothing.
#[inline(always)]
fn start<'a, E: Engine + ?Sized>(
    engine: &E,
    ray: &'a Ray,
    options: &QueryOptions<IdOf<E>>,
) -> Result<Option<Start<'a, E>>, QueryError> {
    let ray = PreparedRay::new(ray);
    let after = match options.after {
        None => None,
        Some(id) => Some(find_after(engine, ray.as_ref(), id)?),
    };
    Ok(ray.map(|ray| (ray, after)))
}

/// Collects the hits of one ray and calls `finish` on the collector.
///
/// The collector is large, so it is never moved.
#[inline(always)]
fn collect<'a, E: Engine + ?Sized, A>(
    engine: &'a E,
    (ray, after): Start<'a, E>,
    rules: Rules<'a, E::Primitive>,
    goal: Goal<E::Primitive>,
    finish: impl FnOnce(&mut Collector<'a, E::Primitive>) -> A,
) -> A {
    let mut collector = Collector::new(ray, rules, after, goal);
    engine.visit(&ray, &mut collector);
    finish(&mut collector)
}

/// Returns the rules that decide which hits count.
#[inline(always)]
fn rules<'a, E: Engine + ?Sized>(
    engine: &'a E,
    options: &'a QueryOptions<IdOf<E>>,
    accept: Option<AcceptHit<'a, E>>,
    crossings: bool,
) -> Rules<'a, E::Primitive> {
    Rules {
        options,
        masks: engine.masks(),
        accept,
        crossings,
    }
}

impl<E: Engine + ?Sized> Question<E> for Closest {
    type Item = Ray;
    type Answer = Option<HitOf<E>>;

    fn ask(
        &self,
        engine: &E,
        ray: &Ray,
        options: &QueryOptions<IdOf<E>>,
        accept: Option<AcceptHit<'_, E>>,
    ) -> Result<Option<HitOf<E>>, QueryError> {
        match rules(engine, options, accept, false).hit_rule() {
            HitRule::Every => return Ok(engine.closest(ray)),
            HitRule::EveryBut(skip) => return Ok(engine.closest_skipping(ray, skip)),
            HitRule::Chosen => {}
        }
        let Some(start) = start(engine, ray, options)? else {
            return Ok(None);
        };
        let rules = rules(engine, options, accept, false);
        Ok(collect(engine, start, rules, Goal::First(None), |found| {
            found.first_found()
        }))
    }

    fn ends_at_first_hit(&self) -> bool {
        true
    }
}

impl<E: Engine + ?Sized> ValueQuestion<E> for Closest {
    fn ask_many(
        &self,
        engine: &E,
        many: &QuerySlice<'_, Ray, IdOf<E>>,
        accept: Option<AcceptHit<'_, E>>,
        hits: &mut [Option<HitOf<E>>],
    ) -> Result<TechniqueCounts, QuerySliceError> {
        many.check_room(hits.len())?;
        trace(engine, many, accept, false, Sink::First(hits))
    }
}

impl<E: Engine + ?Sized> Question<E> for Any {
    type Item = Ray;
    type Answer = bool;

    fn ask(
        &self,
        engine: &E,
        ray: &Ray,
        options: &QueryOptions<IdOf<E>>,
        accept: Option<AcceptHit<'_, E>>,
    ) -> Result<bool, QueryError> {
        match rules(engine, options, accept, false).hit_rule() {
            HitRule::Every => return Ok(engine.any(ray)),
            HitRule::EveryBut(skip) => return Ok(engine.any_skipping(ray, skip)),
            HitRule::Chosen => {}
        }
        let Some(start) = start(engine, ray, options)? else {
            return Ok(false);
        };
        let rules = rules(engine, options, accept, false);
        Ok(collect(engine, start, rules, Goal::Any(false), |found| {
            found.any_found()
        }))
    }

    fn ends_at_first_hit(&self) -> bool {
        true
    }

    fn ends_at_any_hit(&self) -> bool {
        true
    }
}

impl<E: Engine + ?Sized> ValueQuestion<E> for Any {
    fn ask_many(
        &self,
        engine: &E,
        many: &QuerySlice<'_, Ray, IdOf<E>>,
        accept: Option<AcceptHit<'_, E>>,
        any: &mut [bool],
    ) -> Result<TechniqueCounts, QuerySliceError> {
        many.check_room(any.len())?;
        trace(engine, many, accept, false, Sink::Any(any))
    }
}

/// Implements a question that counts hits.
macro_rules! counting_question {
    ($question:ident, crossings: $crossings:literal, $kind:ident: $number:ty, $found:ident) => {
        impl<E: Engine + ?Sized> Question<E> for $question {
            type Item = Ray;
            type Answer = $number;

            fn ask(
                &self,
                engine: &E,
                ray: &Ray,
                options: &QueryOptions<IdOf<E>>,
                accept: Option<AcceptHit<'_, E>>,
            ) -> Result<$number, QueryError> {
                let Some(start) = start(engine, ray, options)? else {
                    return Ok(0);
                };
                let rules = rules(engine, options, accept, $crossings);
                Ok(collect(engine, start, rules, Goal::$kind(0), |found| {
                    found.$found()
                }))
            }
        }

        impl<E: Engine + ?Sized> ValueQuestion<E> for $question {
            fn ask_many(
                &self,
                engine: &E,
                many: &QuerySlice<'_, Ray, IdOf<E>>,
                accept: Option<AcceptHit<'_, E>>,
                counts: &mut [$number],
            ) -> Result<TechniqueCounts, QuerySliceError> {
                many.check_room(counts.len())?;
                trace(engine, many, accept, $crossings, Sink::$kind(counts))
            }
        }
    };
}

counting_question!(Count, crossings: false, Count: usize, number_found);
counting_question!(CountCrossings, crossings: true, Count: usize, number_found);
counting_question!(SumCrossings, crossings: true, Winding: i64, winding_found);

/// Implements a question that lists hits: all, or the first `k`.
macro_rules! listing_question {
    ($question:ident, crossings: $crossings:literal, |$self:ident| $k:expr) => {
        impl<E: Engine + ?Sized> Question<E> for $question {
            type Item = Ray;
            type Answer = Vec<HitOf<E>>;

            fn ask(
                &self,
                engine: &E,
                ray: &Ray,
                options: &QueryOptions<IdOf<E>>,
                accept: Option<AcceptHit<'_, E>>,
            ) -> Result<Vec<HitOf<E>>, QueryError> {
                let mut buffer = HitBuffer::default();
                self.ask_in(engine, ray, options, accept, &mut buffer)?;
                Ok(buffer.into_hits())
            }
        }

        impl<E: Engine + ?Sized> RowQuestion<E> for $question {
            type Value = HitOf<E>;

            fn ask_rows(
                &self,
                engine: &E,
                many: &QuerySlice<'_, Ray, IdOf<E>>,
                accept: Option<AcceptHit<'_, E>>,
                emit: &mut dyn FnMut(usize, &[HitOf<E>]),
            ) -> Result<TechniqueCounts, QuerySliceError> {
                let $self = self;
                trace(engine, many, accept, $crossings, Sink::Rows(emit, $k))
            }
        }

        impl<E: Engine + ?Sized> HitRowQuestion<E> for $question {
            fn ask_in<'b>(
                &self,
                engine: &E,
                ray: &Ray,
                options: &QueryOptions<IdOf<E>>,
                accept: Option<AcceptHit<'_, E>>,
                buffer: &'b mut HitBuffer<E::Primitive>,
            ) -> Result<&'b [HitOf<E>], QueryError> {
                let $self = self;
                buffer.clear();
                // The buffer is taken only after the last step that can fail.
                if let Some(start) = start(engine, ray, options)? {
                    let goal = match $k {
                        None => Goal::All(core::mem::take(buffer)),
                        Some(k) => Goal::FirstK(core::mem::take(buffer), k),
                    };
                    let rules = rules(engine, options, accept, $crossings);
                    *buffer = collect(engine, start, rules, goal, |found| found.take_buffer());
                }
                Ok(buffer.hits())
            }
        }
    };
}

listing_question!(All, crossings: false, |_all| None);
listing_question!(FirstK, crossings: false, |first| Some(first.0));
listing_question!(Crossings, crossings: true, |_crossings| None);
