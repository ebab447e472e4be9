//! Questions, each a type of its own.
//!
//! Each question is implemented once; the single query, the query about many rays, and, in
//! `estoc-batch`, the parallel query and the stream follow from it.

use crate::collect::{
    Collector, Goal, HitBuffer, HitRule, Listed, Masks, QueryError, QueryOptions, Rules, Want,
};
use crate::engine::{
    Engine, HitOf, IdOf, QuerySlice, QuerySliceError, RayEngine, Sink, Technique, TechniqueCounts,
    find_after, trace,
};
use crate::exact::PreparedRay;
use crate::shapes::{QueryItem, Ray, RayKind};
use alloc::vec::Vec;

/// Decides whether a certified hit counts; see [`RayQuery::ask_where`](crate::RayQuery::ask_where).
pub type AcceptHit<'a, E, I = Ray> = &'a dyn Fn(&I, &HitOf<E>) -> bool;

/// A question about one item of type `I`, such as [`Closest`] about a [`Ray`] or a
/// [`Ray64`](crate::Ray64).
pub trait Question<E: Engine + ?Sized, I: QueryItem = Ray>: Copy + Send + Sync {
    /// The type of the answer for one item.
    type Answer;

    /// Returns the answer for one item. Only hits count for which `accept` returns `true`. Options and
    /// `accept` have an effect on rays alone.
    ///
    /// # Errors
    /// Returns an error if `options.after` names a primitive that the ray does not hit.
    fn ask(
        &self,
        engine: &E,
        item: &I,
        options: &QueryOptions<IdOf<E>>,
        accept: Option<AcceptHit<'_, E, I>>,
    ) -> Result<Self::Answer, QueryError>;

    /// Returns what the question wants of the hits on a ray. Where that is the first hit, or any, rays of
    /// similar direction can be traced together.
    fn want(&self) -> Want {
        Want::All
    }

    /// Returns whether an engine answers the question about many items only one after the other, which batches
    /// then plan for. By default rays are traced together: a question about rays whose `ask_many` asks one
    /// by one returns `true`.
    fn is_one_by_one(&self, engine: &E) -> bool {
        let _ = engine;
        !I::IS_TRACED_TOGETHER
    }

    /// Returns whether items at neighbouring positions find the same part of a tree, so that sorting
    /// them pays where the tree exceeds the caches.
    fn is_about_positions(&self) -> bool {
        I::IS_POSITION
    }
}

/// A question with one answer of fixed size for each item.
pub trait ValueQuestion<E: Engine + ?Sized, I: QueryItem = Ray>:
    Question<E, I, Answer: Copy + Default + Send + PartialEq>
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
        many: &QuerySlice<'_, I, IdOf<E>>,
        accept: Option<AcceptHit<'_, E, I>>,
        answers: &mut [Self::Answer],
    ) -> Result<TechniqueCounts, QuerySliceError> {
        many.check_room(answers.len())?;
        answers.fill_with(Default::default);
        ask_each(self, engine, many, accept, |place, answer| {
            answers[place] = answer;
        })
    }
}

/// A question with any number of values for each item.
pub trait RowQuestion<E: Engine + ?Sized, I: QueryItem = Ray>:
    Question<E, I, Answer = Vec<<Self as RowQuestion<E, I>>::Value>>
{
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
        many: &QuerySlice<'_, I, IdOf<E>>,
        accept: Option<AcceptHit<'_, E, I>>,
        emit: &mut dyn FnMut(usize, &[Self::Value]),
    ) -> Result<TechniqueCounts, QuerySliceError> {
        ask_each(self, engine, many, accept, |place, values| {
            if !values.is_empty() {
                emit(place, &values);
            }
        })
    }
}

/// Asks about the active items one after the other and calls `take` with the index of each and its
/// answer. Returns the number of those that were asked about.
pub(crate) fn ask_each<E, I, Q>(
    question: &Q,
    engine: &E,
    many: &QuerySlice<'_, I, IdOf<E>>,
    accept: Option<AcceptHit<'_, E, I>>,
    mut take: impl FnMut(usize, Q::Answer),
) -> Result<TechniqueCounts, QuerySliceError>
where
    E: Engine + ?Sized,
    I: QueryItem,
    Q: Question<E, I>,
{
    many.check()?;
    let mut asked = 0;
    for (place, item) in many.items.iter().enumerate() {
        if many.is_active(place) && item.is_defined() {
            asked += 1;
            let answer = question.ask(engine, item, many.options_of(place), accept);
            take(
                place,
                answer.map_err(|error| QuerySliceError::Query { ray: place, error })?,
            );
        }
    }
    Ok(TechniqueCounts::of(Technique::OneByOne, asked))
}

/// A question with any number of hits for each ray, in order along the ray.
pub trait HitRowQuestion<E: RayEngine<R> + ?Sized, R: RayKind = Ray>:
    RowQuestion<E, R, Value = HitOf<E>>
{
    /// Answers for one ray, in a buffer that is cleared first.
    ///
    /// # Errors
    /// The same as for [`Question::ask`].
    fn ask_in<'b>(
        &self,
        engine: &E,
        ray: &R,
        options: &QueryOptions<IdOf<E>>,
        accept: Option<AcceptHit<'_, E, R>>,
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
/// [`RayQuery::crossings`](crate::RayQuery::crossings).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CountCrossings;

/// The question for the crossings from behind, where the ray leaves what the surface encloses, minus
/// those from the front, where it enters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct SumCrossings;

/// The question for every primitive that is hit, in order along the ray.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct All;

/// The question for the first `k` hits, in order along the ray.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FirstK(pub usize);

/// The question for hits at different parameters, in order along the ray: of those whose exact parameters are
/// equal, as at an edge that primitives share, the one with the lowest id. Unlike a
/// [crossing](crate::RayQuery::crossings), each place counts where the ray touches the surface.
///
/// ```
/// # mod estoc { pub use estoc_core::*; pub mod query { pub use estoc_core::*; } }
/// use estoc::{BruteForce, Ray, RayQuery, Triangle, query::{Crossings, Distinct}};
/// // Two sides of a roof, whose ridge the ray touches without getting inside.
/// let left = Triangle::new([0.0, -1.0, 1.0], [0.0, 1.0, 1.0], [-1.0, 0.0, 0.0]);
/// let right = Triangle::new([0.0, 1.0, 1.0], [0.0, -1.0, 1.0], [1.0, 0.0, 0.0]);
/// let engine = BruteForce::new([left, right]);
/// let across = Ray::new([-2.0, 0.0, 1.0], [1.0, 0.0, 0.0]);
/// assert_eq!(engine.all_hits(&across).len(), 2);
/// assert_eq!(engine.ask(Distinct, &across).len(), 1);
/// assert_eq!(engine.ask(Crossings, &across).len() % 2, 0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Distinct;

/// The question for the crossings of the surface, in order along the ray; see
/// [`RayQuery::crossings`](crate::RayQuery::crossings).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Crossings;

/// A question about rays that see all primitives, also those that masks hide.
///
/// ```
/// # mod estoc { pub use estoc_core::*; }
/// use estoc::{Any, BruteForce, Masks, Ray, RayQuery, Triangle, Unmasked};
/// let triangle = Triangle::new([0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]);
/// let hidden = BruteForce::new([triangle]).with_masks(Masks::from_runs([(1, 0)]));
/// let ray = Ray::new([0.2, 0.2, 2.0], [0.0, 0.0, -1.0]);
/// assert!(!hidden.ask(Any, &ray) && hidden.ask(Unmasked(Any), &ray));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unmasked<Q>(pub Q);

/// Collects the hits of one ray and returns what `finish` reads of the collector; `None` for an
/// undefined ray, which hits nothing. `goal` is called after the last step that can fail.
///
/// The collector is large, so it is never moved.
#[inline(always)]
fn collect<'a, R: RayKind, E: RayEngine<R> + ?Sized, A>(
    engine: &'a E,
    ray: &'a R,
    rules: Rules<'a, E::Primitive, R>,
    goal: impl FnOnce() -> Goal<E::Primitive>,
    finish: impl FnOnce(&mut Collector<'a, E::Primitive, R>) -> A,
) -> Result<Option<A>, QueryError> {
    let ray = PreparedRay::new(ray);
    let after = match rules.options.after {
        None => None,
        Some(id) => Some(find_after(engine, ray.as_ref(), id)?),
    };
    let Some(ray) = ray else {
        return Ok(None);
    };
    let mut collector = Collector::new(ray, rules, after, goal());
    engine.visit_on(&ray, &mut collector);
    Ok(Some(finish(&mut collector)))
}

/// Implements a question with one answer for each ray, also without masks. `goal` collects it where nothing is found
/// yet, `found` reads it, and `single` is the call of an engine that has it at once.
macro_rules! value_question {
    ($question:ident => $($rest:tt)*) => {
        value_question!(@one $question, masks_of => $($rest)*);
        value_question!(@one Unmasked<$question>, no_masks_of => $($rest)*);
    };
    (
        @one $question:ty, $masks:ident => $answer:ty, crossings: $crossings:literal,
        goal: $goal:ident($nothing:expr), found: $found:ident,
        want: $want:ident $(, single: $single:ident)?
    ) => {
        impl<R: RayKind, E: RayEngine<R> + ?Sized> Question<E, R> for $question {
            type Answer = $answer;

            fn ask(
                &self,
                engine: &E,
                ray: &R,
                options: &QueryOptions<IdOf<E>>,
                accept: Option<AcceptHit<'_, E, R>>,
            ) -> Result<$answer, QueryError> {
                let masks = $masks(engine);
                let rules = Rules {
                    options,
                    masks,
                    accept,
                    crossings: $crossings,
                };
                $(match rules.hit_rule() {
                    // A single call applies the masks of the engine.
                    _ if masks.is_none() && engine.masks().is_some() => {}
                    HitRule::Every => return Ok(engine.$single(ray, None)),
                    HitRule::EveryBut(skip) => return Ok(engine.$single(ray, Some(skip))),
                    HitRule::Inner | HitRule::Chosen => {}
                })?
                let goal = || Goal::$goal($nothing);
                let found = collect(engine, ray, rules, goal, |found| found.$found())?;
                Ok(found.unwrap_or($nothing))
            }

            fn want(&self) -> Want {
                Want::$want
            }

            fn is_one_by_one(&self, engine: &E) -> bool {
                !engine.traces_together()
            }
        }

        impl<R: RayKind, E: RayEngine<R> + ?Sized> ValueQuestion<E, R> for $question {
            fn ask_many(
                &self,
                engine: &E,
                many: &QuerySlice<'_, R, IdOf<E>>,
                accept: Option<AcceptHit<'_, E, R>>,
                answers: &mut [$answer],
            ) -> Result<TechniqueCounts, QuerySliceError> {
                many.check_room(answers.len())?;
                let rules = Rules {
                    masks: $masks(engine),
                    accept,
                    crossings: $crossings,
                    ..Rules::default()
                };
                trace(engine, many, rules, Sink::$goal(answers))
            }
        }
    };
}

value_question!(Closest => Option<HitOf<E>>, crossings: false,
    goal: First(None), found: first_found, want: First, single: closest_on);
value_question!(Any => bool, crossings: false,
    goal: Any(false), found: any_found, want: Any, single: any_on);
value_question!(Count => usize, crossings: false,
    goal: Count(0), found: number_found, want: Count);
value_question!(CountCrossings => usize, crossings: true,
    goal: Count(0), found: number_found, want: All);
value_question!(SumCrossings => i64, crossings: true,
    goal: Winding(0), found: winding_found, want: All);

fn masks_of<E: Engine + ?Sized>(engine: &E) -> Option<&Masks> {
    engine.masks()
}

fn no_masks_of<E: Engine + ?Sized>(_: &E) -> Option<&Masks> {
    None
}

/// Implements a question that lists hits, all or the first `k`, also without masks.
macro_rules! listing_question {
    ($question:ident, crossings: $crossings:literal, |$self:ident| $listed:expr) => {
        listing_question!(@one $question, masks_of, $self => $crossings, $listed);
        listing_question!(@one Unmasked<$question>, no_masks_of, Unmasked($self) => $crossings, $listed);
    };
    (@one $question:ty, $masks:ident, $pattern:pat => $crossings:literal, $listed:expr) => {
        impl<R: RayKind, E: RayEngine<R> + ?Sized> Question<E, R> for $question {
            type Answer = Vec<HitOf<E>>;

            fn ask(
                &self,
                engine: &E,
                ray: &R,
                options: &QueryOptions<IdOf<E>>,
                accept: Option<AcceptHit<'_, E, R>>,
            ) -> Result<Vec<HitOf<E>>, QueryError> {
                let mut buffer = HitBuffer::default();
                self.ask_in(engine, ray, options, accept, &mut buffer)?;
                Ok(buffer.into_hits())
            }

            fn want(&self) -> Want {
                let $pattern = *self;
                $listed.want()
            }

            fn is_one_by_one(&self, engine: &E) -> bool {
                !engine.traces_together()
            }
        }

        impl<R: RayKind, E: RayEngine<R> + ?Sized> RowQuestion<E, R> for $question {
            type Value = HitOf<E>;

            fn ask_rows(
                &self,
                engine: &E,
                many: &QuerySlice<'_, R, IdOf<E>>,
                accept: Option<AcceptHit<'_, E, R>>,
                emit: &mut dyn FnMut(usize, &[HitOf<E>]),
            ) -> Result<TechniqueCounts, QuerySliceError> {
                let $pattern = *self;
                let rules = Rules {
                    masks: $masks(engine),
                    accept,
                    crossings: $crossings,
                    ..Rules::default()
                };
                trace(engine, many, rules, Sink::Rows(emit, $listed))
            }
        }

        impl<R: RayKind, E: RayEngine<R> + ?Sized> HitRowQuestion<E, R> for $question {
            fn ask_in<'b>(
                &self,
                engine: &E,
                ray: &R,
                options: &QueryOptions<IdOf<E>>,
                accept: Option<AcceptHit<'_, E, R>>,
                buffer: &'b mut HitBuffer<E::Primitive>,
            ) -> Result<&'b [HitOf<E>], QueryError> {
                let $pattern = *self;
                buffer.clear();
                let rules = Rules {
                    options,
                    masks: $masks(engine),
                    accept,
                    crossings: $crossings,
                };
                let goal = || $listed.goal(core::mem::take(buffer));
                if let Some(found) = collect(engine, ray, rules, goal, |found| found.take_buffer())?
                {
                    *buffer = found;
                }
                Ok(buffer.hits())
            }
        }
    };
}

listing_question!(All, crossings: false, |_all| Listed::All);
listing_question!(FirstK, crossings: false, |first| Listed::FirstK(first.0));
listing_question!(Distinct, crossings: false, |_distinct| Listed::Distinct);
listing_question!(Crossings, crossings: true, |_crossings| Listed::All);
