//! Questions about rays, which all worlds answer.

use crate::asking::{Asking, Filter, OptionsOf, Source};
use crate::call::{Call, call};
use crate::handles::give;
use crate::hits::{Found, TriangleId, estoc_hit};
use crate::lists::{Lists, estoc_lists};
use crate::outputs::{Outputs, estoc_output, given_outputs};
use crate::question::{
    ESTOC_ALL_HITS, ESTOC_ANY_HIT, ESTOC_CLOSEST_HIT, ESTOC_CROSSING_COUNT, ESTOC_CROSSINGS,
    ESTOC_DISTINCT_HITS, ESTOC_HIT_COUNT, estoc_question, not_here,
};
use crate::ray_options::{RayFilter, RayOptions, estoc_ray_options};
use crate::rays::{HostRay, RayInput, estoc_ray, estoc_rays};
use crate::run::{Run, estoc_run};
use crate::status::{Failure, estoc_status, given, room};
use crate::world::{World, estoc_world};
use estoc_batch::ColumnNumber::{I64, U8};
use estoc_batch::{Answers, Batch, BatchError, ColumnNumber, List};
use estoc_core::{
    All, Any, Closest, Count, CountCrossings, Crossings, Distinct, Engine, FirstK, Hit, HitOf,
    IdOf, Primitive, QuerySlice, QuerySliceError, Question, Ray, Ray64, RayEngine, RayTest,
    Triangle, ValueQuestion,
};
use estoc_system::Growth;
use std::mem::MaybeUninit;

/// An engine that a host may ask about a kind of rays.
pub(crate) trait RayWorld<R: HostRay>:
    RayEngine<R> + Engine<Primitive: RayTest<R> + Primitive<Id: TriangleId, Hit: Found>> + Sync
{
}

impl<R: HostRay, E> RayWorld<R> for E where
    E: RayEngine<R> + Engine<Primitive: RayTest<R> + Primitive<Id: TriangleId, Hit: Found>> + Sync
{
}

/// A callback decides, if there is one.
impl<R: HostRay, E: RayWorld<R>> Filter<E, R> for Option<RayFilter<'_>> {
    fn ask<Q: Question<E, R>>(
        &self,
        batch: &Batch<'_, IdOf<E>>,
        (engine, question): (&E, Q),
        items: List<'_, R>,
        answers: &mut impl Answers<E, Q, R>,
    ) -> Result<(), BatchError> {
        let Some(filter) = self else {
            return ().ask(batch, (engine, question), items, answers);
        };
        let accept = |ray: &R, hit: &_| filter.accepts(ray, hit);
        (batch.ask_where_into(engine, question, items, &accept, answers)).map(drop)
    }
}

/// What is asked of an engine.
trait Asked: Sized {
    type Answer;

    /// Asks an engine; `alone` tells that it is a scene that stands for one mesh.
    fn ask<R: HostRay, E: RayWorld<R>>(
        self,
        engine: &E,
        alone: bool,
    ) -> Result<Self::Answer, Failure>;

    /// Asks a world, as exactly as the rays need it: at a tree in `f32`, rays whose numbers are not all `f32`s are
    /// those of the scene of the tree alone.
    #[inline(always)]
    fn ask_world(
        self,
        world: &World,
        are_f32: impl FnOnce() -> bool,
    ) -> Result<Self::Answer, Failure> {
        let (scene, alone) = match world {
            World::Wide(bvh, _) => return self.ask::<Ray64, _>(&**bvh, false),
            World::Tree(tree) if tree.is_at_origin() => match are_f32() {
                true => return self.ask::<Ray, _>(&*tree.bvh, false),
                false => return self.ask::<Ray64, _>(tree.alone()?, true),
            },
            World::Tree(tree) => (tree.alone()?, true),
            World::Scene(scene, _) => (&**scene, false),
        };
        match are_f32() {
            true => self.ask::<Ray, _>(scene, alone),
            false => self.ask::<Ray64, _>(scene, alone),
        }
    }
}

/// One ray, which is asked for its first hit or, with `any`, for any one.
struct One<'a> {
    ray: &'a estoc_ray,
    /// `None` if nothing is restricted, for a speed near that of the library itself.
    options: Option<&'a RayOptions<'a>>,
    any: bool,
}

impl Asked for One<'_> {
    /// The hit, and whether there is one.
    type Answer = (estoc_hit, bool);

    #[inline(always)]
    fn ask<R: HostRay, E: RayWorld<R>>(
        self,
        engine: &E,
        alone: bool,
    ) -> Result<Self::Answer, Failure> {
        let ray = R::of(self.ray);
        let hit = match (self.options, self.any) {
            (None, true) => return Ok((estoc_hit::MISS, engine.any_on(&ray, None))),
            (None, false) => engine.closest_on(&ray, None),
            (Some(options), any) => {
                let all = options.of_each(0, options.of_all(alone)?, alone)?;
                let filter = options.filter(alone);
                let accept =
                    |ray: &R, hit: &HitOf<E>| filter.is_none_or(|filter| filter.accepts(ray, hit));
                let accept = filter.is_some().then_some(&accept as _);
                if any {
                    return Ok((estoc_hit::MISS, Any.ask(engine, &ray, &all, accept)?));
                }
                Closest.ask(engine, &ray, &all, accept)?
            }
        };
        Ok((
            hit.map_or(estoc_hit::MISS, |hit| hit.hit(alone)),
            hit.is_some(),
        ))
    }
}

/// Many rays, and how they are asked about.
#[derive(Clone, Copy)]
struct Many<'a> {
    question: estoc_question,
    rays: &'a RayInput,
    options: &'a RayOptions<'a>,
    run: &'a Run<'a>,
    /// Where answers are written, unless they are lists.
    outputs: Option<&'a [(&'a str, estoc_output)]>,
    depth: usize,
}

impl Asked for Many<'_> {
    type Answer = Option<Lists>;

    fn ask<R: HostRay, E: RayWorld<R>>(
        self,
        engine: &E,
        alone: bool,
    ) -> Result<Self::Answer, Failure> {
        let Many {
            rays,
            options,
            depth,
            ..
        } = self;
        let all = options.of_all(alone)?;
        let each = |ray: usize| options.of_each(ray, all, alone);
        let asking = Asking {
            engine,
            source: rays,
            run: self.run,
            options: all,
            each: options.are_each().then_some(&each as &OptionsOf<'_, _>),
            filter: options.filter(alone),
        };
        let count = Source::<R>::count(rays);
        let Some(outputs) = self.outputs else {
            let rows = match self.question {
                ESTOC_ALL_HITS if options.max_hits > 0 => {
                    asking.rows::<_, R>(FirstK(options.max_hits))
                }
                ESTOC_ALL_HITS => asking.rows::<_, R>(All),
                ESTOC_CROSSINGS => asking.rows::<_, R>(Crossings),
                ESTOC_DISTINCT_HITS => asking.rows::<_, R>(Distinct),
                other => return Err(not_here(other, "estoc_list_rays")),
            };
            return Ok(Some(Lists::of(&rows?, depth)?));
        };
        let one = |name, like| Outputs::of_one(outputs, count, (name, like));
        match self.question {
            ESTOC_CLOSEST_HIT => {
                let to = Outputs::of::<HitOf<E>>(outputs, count, depth)?;
                asking.records::<_, R, _>(Closest, &to)?;
            }
            ESTOC_ANY_HIT => {
                asking.numbers::<_, R>(Any, &one("found", U8(0))?, flag)?;
            }
            ESTOC_HIT_COUNT => {
                asking.numbers::<_, R>(Count, &one("count", I64(0))?, number)?;
            }
            ESTOC_CROSSING_COUNT => {
                asking.numbers::<_, R>(CountCrossings, &one("count", I64(0))?, number)?;
            }
            other => return Err(not_here(other, "estoc_ask_rays")),
        }
        Ok(None)
    }
}

fn flag(&found: &bool) -> ColumnNumber {
    U8(found.into())
}

fn number(&count: &usize) -> ColumnNumber {
    I64(count as i64)
}

/// Asks an engine, in the place of the tree that it stands for, for the first hits of rays or for any
/// (`ESTOC_CLOSEST_HIT`, `ESTOC_ANY_HIT`), as `estoc_ask_rays` asks a world: in the calling thread, all rays at once, and
/// without a filter. Writes nothing about rays whose numbers are not all `f32`s.
pub fn ask_engine<E: Engine<Primitive = Triangle>>(
    call: &Call,
    engine: &E,
    (question, rays): (estoc_question, Option<&estoc_rays>),
    options: Option<&estoc_ray_options>,
    (outputs, output_count): (*const estoc_output, usize),
) -> Result<(), Failure> {
    let input = RayInput::of(given(rays, "rays")?)?;
    if !input.are_f32() {
        return Ok(());
    }
    let count = Source::<Ray>::count(&input);
    let options = RayOptions::of(options, count, call)?;
    let (all, mut each) = (options.of_all(false)?, Vec::new());
    let mut rays: Vec<Ray> = Vec::new();
    rays.make_room(count)?;
    rays.extend((0..count).map(|ray| -> Ray { input.at(ray) }));
    let mut many = QuerySlice::new(&rays).options(&all);
    if options.are_each() {
        each.make_room(count)?;
        for ray in 0..count {
            each.push(options.of_each(ray, all, false)?);
        }
        many = many.options_each(&each);
    }
    let outputs = given_outputs(call, outputs, output_count)?;
    match question {
        ESTOC_CLOSEST_HIT => {
            let to = Outputs::of::<Hit>(&outputs, count, 0)?;
            let hits = answers_of(Closest, engine, &many)?;
            to.put_all(|| (0..).zip(hits.iter().map(Option::as_ref)));
        }
        ESTOC_ANY_HIT => {
            let to = Outputs::of_one(&outputs, count, ("found", U8(0)))?;
            to.put_numbers((0..).zip(answers_of(Any, engine, &many)?.iter().map(flag)));
        }
        other => return Err(not_here(other, "an engine in the place of a tree")),
    }
    Ok(())
}

fn answers_of<E: Engine, Q: ValueQuestion<E, Ray>>(
    question: Q,
    engine: &E,
    many: &QuerySlice<'_, Ray, IdOf<E>>,
) -> Result<Vec<Q::Answer>, Failure> {
    let mut answers = Vec::new();
    answers.make_room(many.len())?;
    answers.resize(many.len(), Q::Answer::default());
    (question.ask_many(engine, many, None, &mut answers)).map_err(|error| match error {
        QuerySliceError::Query { error, .. } => Failure::from(error),
        QuerySliceError::Engine { ray } => BatchError::Engine { ray }.into(),
        _ => BatchError::NoMemory { ray: 0 }.into(),
    })?;
    Ok(answers)
}

/// Asks about one ray in the calling thread.
#[inline(always)]
fn one<T>(
    world: *const estoc_world,
    (ray, any): (Option<&estoc_ray>, bool),
    options: Option<&estoc_ray_options>,
    to: Option<&mut MaybeUninit<T>>,
    answer: impl FnOnce((estoc_hit, bool)) -> T,
) -> estoc_status {
    call(|call| {
        let world: &World = call.get(world)?;
        let (ray, to) = (given(ray, "ray")?, room(to, "the answer")?);
        let given_options = match RayOptions::restricts_nothing(options) {
            true => None,
            false => Some(RayOptions::of(options, 1, call)?),
        };
        let options = given_options.as_ref();
        to.write(answer(
            One { ray, options, any }.ask_world(world, || ray.is_f32())?,
        ));
        Ok(())
    })
}

/// Tells the first hit on one ray; of hits at exactly the same place that on the triangle with the lowest number.
/// `options` may be null.
///
/// `t` is in lengths of the direction. A ray that is not defined, as one with NaN, misses. Fails with
/// `ESTOC_BAD_QUERY` if the ray does not hit the triangle in `options->after`. Threads: any, at the same time.
#[unsafe(no_mangle)]
pub extern "C" fn estoc_closest_hit(
    world: *const estoc_world,
    ray: Option<&estoc_ray>,
    options: Option<&estoc_ray_options>,
    hit: Option<&mut MaybeUninit<estoc_hit>>,
) -> estoc_status {
    one(world, (ray, false), options, hit, |(hit, _)| hit)
}

/// Tells whether one ray hits anything: 1 or 0. As `estoc_closest_hit` otherwise.
#[unsafe(no_mangle)]
pub extern "C" fn estoc_any_hit(
    world: *const estoc_world,
    ray: Option<&estoc_ray>,
    options: Option<&estoc_ray_options>,
    found: Option<&mut MaybeUninit<i32>>,
) -> estoc_status {
    one(world, (ray, true), options, found, |(_, found)| {
        found.into()
    })
}

/// Asks a world about rays, with the answers in outputs or in lists.
fn many(
    world: *const estoc_world,
    (question, rays): (estoc_question, Option<&estoc_rays>),
    options: Option<&estoc_ray_options>,
    run: Option<&estoc_run>,
    outputs: Option<(*const estoc_output, usize)>,
    lists: Option<&mut MaybeUninit<*mut estoc_lists>>,
) -> estoc_status {
    call(|call| {
        let world: &World = call.get(world)?;
        let to = match outputs {
            Some(_) => None,
            None => Some(room(lists, "lists")?),
        };
        let rays = &RayInput::of(given(rays, "rays")?)?;
        let options = &RayOptions::of(options, Source::<Ray>::count(rays), call)?;
        let outputs = outputs
            .map(|(outputs, count)| given_outputs(call, outputs, count))
            .transpose()?;
        let (run, outputs, depth) = (&Run::of(run, call)?, outputs.as_deref(), world.depth());
        let many = Many {
            question,
            rays,
            options,
            run,
            outputs,
            depth,
        };
        match (many.ask_world(world, || rays.are_f32())?, to) {
            (Some(lists), Some(to)) => give(lists, to),
            _ => Ok(()),
        }
    })
}

/// Answers a question about many rays, and writes the answers where `outputs` say, of which there are `output_count`.
/// `options` and `run` may be null.
///
/// Rays are traced in the fastest way for their order, by the threads in `run`. The answers are those of one ray at a
/// time, to the bit, whatever the number of threads.
///
/// Fails with `ESTOC_NULL`, `ESTOC_BAD_ARGUMENT` and `ESTOC_BAD_LENGTH` for arrays that cannot be, with
/// `ESTOC_BAD_QUERY` for the first ray that does not hit its triangle in `after`, with `ESTOC_CANCELLED`,
/// `ESTOC_NO_MEMORY` and `ESTOC_NO_THREADS`. Threads: any, at the same time.
#[unsafe(no_mangle)]
pub extern "C" fn estoc_ask_rays(
    world: *const estoc_world,
    question: estoc_question,
    rays: Option<&estoc_rays>,
    options: Option<&estoc_ray_options>,
    run: Option<&estoc_run>,
    outputs: *const estoc_output,
    output_count: usize,
) -> estoc_status {
    many(
        world,
        (question, rays),
        options,
        run,
        Some((outputs, output_count)),
        None,
    )
}

/// Answers a question about many rays with a list for each. As `estoc_ask_rays` otherwise; fails with
/// `ESTOC_TOO_MANY` beyond `run->max_values`. Release the lists by `estoc_release`.
#[unsafe(no_mangle)]
pub extern "C" fn estoc_list_rays(
    world: *const estoc_world,
    question: estoc_question,
    rays: Option<&estoc_rays>,
    options: Option<&estoc_ray_options>,
    run: Option<&estoc_run>,
    lists: Option<&mut MaybeUninit<*mut estoc_lists>>,
) -> estoc_status {
    many(world, (question, rays), options, run, None, lists)
}
