//! The questions about rays in `f64`.
//!
//! They are those about rays in `f32`, asked of an engine whose primitives know the ray. What these
//! questions take for the ray has only its interval.

use super::{ScenePrim, Seen, WorldEngine};
use crate::exact::PreparedRay;
use crate::query::{
    AcceptHit, All, Any, Closest, Collector, Count, CountCrossings, Crossings, Engine, FirstK,
    HitOf, IdOf, Masks, QueryError, QueryOptions, QuerySlice, QuerySliceError, Question,
    RowQuestion, Technique, TechniqueCounts, ValueQuestion,
};
use crate::{Ray, Ray64};
use alloc::vec::Vec;
use glam::Vec3;

/// A question about a [`Ray64`]: `In64(Closest)` is the question for its first hit. All questions about
/// a [`Ray`] have one: [`Closest`], [`Any`], [`Count`], [`CountCrossings`], [`All`], [`FirstK`] and
/// [`Crossings`]. So have the questions about what is near a point:
/// [`ClosestPointWithin`](crate::ClosestPointWithin), [`Distance`](crate::Distance),
/// [`AnyWithin`](crate::AnyWithin), [`ClosestK`](crate::ClosestK) and [`Within`](crate::Within), and
/// [`Contains`](crate::Contains); their item is a `glam::DVec3`.
///
/// What decides whether a hit counts, in queries that take a function for that, gets the ray
/// [rounded](Ray64::to_ray) to `f32`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct In64<Q>(pub Q);

/// An engine as a ray in `f64` sees it.
struct SeenBy<'r, E: ?Sized> {
    ray: &'r Ray64,
    engine: &'r E,
}

impl<'r, E: WorldEngine + ?Sized> Engine for SeenBy<'r, E> {
    type Primitive = Seen<'r, E::Primitive>;

    fn primitive_count(&self) -> usize {
        self.engine.primitive_count()
    }

    fn primitive(&self, id: ScenePrim) -> Option<Self::Primitive> {
        let primitive = self.engine.primitive(id)?;
        let ray = self.ray;
        Some(Seen { ray, primitive })
    }

    fn primitive_on(&self, _: &PreparedRay<'_>, id: ScenePrim) -> Option<Self::Primitive> {
        let primitive = self.engine.primitive_on_64(self.ray, id)?;
        let ray = self.ray;
        Some(Seen { ray, primitive })
    }

    fn is_closed(&self) -> bool {
        self.engine.is_closed()
    }

    fn visit(&self, _: &PreparedRay<'_>, collector: &mut Collector<'_, Self::Primitive>) {
        self.engine.visit_64(self.ray, collector);
    }

    fn masks(&self) -> Option<&Masks> {
        self.engine.masks()
    }
}

impl<Q: Copy> In64<Q> {
    /// Asks the question about one ray.
    fn ask_of<'e, E, A>(
        self,
        engine: &'e E,
        ray: &'e Ray64,
        options: &QueryOptions<ScenePrim>,
        accept: Option<AcceptHit<'_, E>>,
    ) -> Result<A, QueryError>
    where
        E: WorldEngine + ?Sized,
        Q: for<'r> Question<SeenBy<'r, E>, Item = Ray, Answer = A>,
    {
        let seen = SeenBy { ray, engine };
        // An undefined ray is none for this one, either.
        let dir = match ray.check() {
            Ok(()) => Vec3::X,
            Err(_) => Vec3::ZERO,
        };
        let interval = Ray::new(Vec3::ZERO, dir).with_interval(ray.t_min, ray.t_max);
        let rounded = ray.to_ray();
        let accepted = accept.map(|accept| move |_: &Ray, hit: &HitOf<E>| accept(&rounded, hit));
        let accepted = accepted
            .as_ref()
            .map(|accept| accept as AcceptHit<'_, SeenBy<'_, E>>);
        self.0.ask(&seen, &interval, options, accepted)
    }
}

/// Asks about each active ray, one after the other, and calls `emit` with its index and the answer.
/// Returns the number of defined ones.
fn each<T, I>(
    many: &QuerySlice<'_, Ray64, I>,
    ask: impl Fn(&Ray64, &QueryOptions<I>) -> Result<T, QueryError>,
    mut emit: impl FnMut(usize, T),
) -> Result<TechniqueCounts, QuerySliceError> {
    many.check()?;
    let mut asked = 0;
    for (place, ray) in many.items().iter().enumerate() {
        if !many.is_active(place) {
            continue;
        }
        let answer = ask(ray, many.options_of(place));
        let answer = answer.map_err(|error| QuerySliceError::Query { ray: place, error })?;
        asked += usize::from(ray.check().is_ok());
        emit(place, answer);
    }
    Ok(TechniqueCounts::of(Technique::OneByOne, asked))
}

/// Implements a question for rays in `f64`.
macro_rules! question_in_64 {
    ($question:ident: $answer:ty) => {
        impl<E: WorldEngine + ?Sized> Question<E> for In64<$question> {
            type Item = Ray64;
            type Answer = $answer;

            fn ask(
                &self,
                engine: &E,
                ray: &Ray64,
                options: &QueryOptions<IdOf<E>>,
                accept: Option<AcceptHit<'_, E>>,
            ) -> Result<$answer, QueryError> {
                self.ask_of(engine, ray, options, accept)
            }

            fn is_one_by_one(&self) -> bool {
                true
            }

            fn is_about_positions(&self) -> bool {
                false
            }
        }
    };
}

/// Implements a question with one answer of fixed size.
macro_rules! value_question_in_64 {
    ($($question:ident: $answer:ty),*) => {$(
        question_in_64!($question: $answer);

        impl<E: WorldEngine + ?Sized> ValueQuestion<E> for In64<$question> {
            fn ask_many(
                &self,
                engine: &E,
                many: &QuerySlice<'_, Ray64, IdOf<E>>,
                accept: Option<AcceptHit<'_, E>>,
                answers: &mut [$answer],
            ) -> Result<TechniqueCounts, QuerySliceError> {
                many.check_room(answers.len())?;
                answers.fill_with(Default::default);
                each(
                    many,
                    |ray, options| self.ask(engine, ray, options, accept),
                    |place, answer| answers[place] = answer,
                )
            }
        }
    )*};
}

value_question_in_64!(Closest: Option<HitOf<E>>, Any: bool, Count: usize, CountCrossings: usize);

/// Implements a question that lists hits.
macro_rules! row_question_in_64 {
    ($($question:ident),*) => {$(
        question_in_64!($question: Vec<HitOf<E>>);

        impl<E: WorldEngine + ?Sized> RowQuestion<E> for In64<$question> {
            type Value = HitOf<E>;

            fn ask_rows(
                &self,
                engine: &E,
                many: &QuerySlice<'_, Ray64, IdOf<E>>,
                accept: Option<AcceptHit<'_, E>>,
                emit: &mut dyn FnMut(usize, &[HitOf<E>]),
            ) -> Result<TechniqueCounts, QuerySliceError> {
                each(
                    many,
                    |ray, options| self.ask(engine, ray, options, accept),
                    |place, hits| {
                        if !hits.is_empty() {
                            emit(place, &hits);
                        }
                    },
                )
            }
        }
    )*};
}

row_question_in_64!(All, FirstK, Crossings);
