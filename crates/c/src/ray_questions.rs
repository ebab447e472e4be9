//! Questions about rays, which all worlds answer.

use crate::asking::{Asking, Filter, OptionsOf, Source};
use crate::hits::{Found, TriangleId, estoc_hit};
use crate::lists::Lists;
use crate::outputs::{Outputs, estoc_outputs};
use crate::ray_options::RayOptions;
use crate::rays::{HostRay, RayInput, estoc_ray};
use crate::run::Run;
use crate::status::Failure;
use crate::world::World;
use estoc_batch::{ColumnNumber, Record};
use estoc_core::{
    All, Any, Closest, Count, CountCrossings, Crossings, Distinct, FirstK, HitOf, IdOf, Question,
    Ray, Ray64, RayEngine, RowQuestion, ValueQuestion,
};

/// What is asked of an engine.
trait Asked: Sized {
    type Answer;

    /// Asks an engine; `alone` tells that it is a scene that stands for one mesh.
    fn ask<R, E>(self, engine: &E, alone: bool) -> Result<Self::Answer, Failure>
    where
        R: HostRay,
        E: RayEngine<R> + Sync,
        IdOf<E>: TriangleId,
        HitOf<E>: Record + Found,
        RayInput: Source<R>;
}

/// Asks a world, as exactly as the rays need it: at a tree in `f32`, rays whose numbers are not all `f32`s are those of the
/// scene of the tree alone.
fn ask_world<A: Asked>(
    world: &World,
    are_f32: impl FnOnce() -> bool,
    asked: A,
) -> Result<A::Answer, Failure> {
    let (scene, alone) = match world {
        World::Wide(bvh) => return asked.ask::<Ray64, _>(&**bvh, false),
        World::Tree(tree) if tree.is_at_origin() => match are_f32() {
            true => return asked.ask::<Ray, _>(&*tree.bvh, false),
            false => return asked.ask::<Ray64, _>(tree.alone()?, true),
        },
        World::Tree(tree) => (tree.alone()?, true),
        World::Scene(scene) => (&**scene, false),
    };
    match are_f32() {
        true => asked.ask::<Ray, _>(scene, alone),
        false => asked.ask::<Ray64, _>(scene, alone),
    }
}

/// A question with one number for each ray.
#[derive(Clone, Copy)]
pub(crate) enum RayValues {
    Closest,
    Any,
    Count,
    CountCrossings,
}

/// A question with a list for each ray.
#[derive(Clone, Copy)]
pub(crate) enum RayLists {
    All,
    FirstK(usize),
    Crossings,
    Distinct,
}

/// Rays, and how they are asked about.
pub(crate) struct Rays<'a> {
    pub(crate) rays: &'a RayInput,
    pub(crate) options: RayOptions<'a>,
    pub(crate) run: Run<'a>,
}

impl Rays<'_> {
    /// Calls `work` with how the rays are asked about at a kind of engine.
    fn with<I: TriangleId, T>(
        &self,
        alone: bool,
        work: impl FnOnce(
            &Asking<'_, I, Option<crate::ray_options::RayFilter<'_>>>,
        ) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let all = self.options.of_all::<I>(alone)?;
        let each = |ray: usize| self.options.of_each(ray, all, alone);
        work(&Asking {
            run: &self.run,
            options: all,
            each: self
                .options
                .are_each()
                .then_some(&each as &OptionsOf<'_, _>),
            filter: self.options.filter(alone),
        })
    }

    /// Writes the answers to a question.
    pub(crate) fn write(
        &self,
        world: &World,
        question: RayValues,
        outputs: &estoc_outputs,
    ) -> Result<(), Failure> {
        let asked = Values {
            rays: self,
            question,
            outputs,
            depth: world.depth(),
        };
        ask_world(world, || self.rays.are_f32(), asked)
    }

    /// Returns the lists that answer a question.
    pub(crate) fn lists(&self, world: &World, question: RayLists) -> Result<Lists, Failure> {
        let asked = ListsOf {
            rays: self,
            question,
            depth: world.depth(),
        };
        ask_world(world, || self.rays.are_f32(), asked)
    }
}

struct Values<'a> {
    rays: &'a Rays<'a>,
    question: RayValues,
    outputs: &'a estoc_outputs,
    depth: usize,
}

impl Asked for Values<'_> {
    type Answer = ();

    fn ask<R, E>(self, engine: &E, alone: bool) -> Result<(), Failure>
    where
        R: HostRay,
        E: RayEngine<R> + Sync,
        IdOf<E>: TriangleId,
        HitOf<E>: Record + Found,
        RayInput: Source<R>,
    {
        let (outputs, rays, source) = (self.outputs, self.rays, self.rays.rays);
        match self.question {
            RayValues::Closest => {
                let to = Outputs::of::<HitOf<E>>(outputs, source.len(), self.depth)?;
                let put = |first, chunk: crate::asking::Chunk<'_, Option<HitOf<E>>>| {
                    to.put_all(|| {
                        chunk
                            .iter()
                            .map(|(place, hit)| (first + place, hit.as_ref()))
                    });
                };
                rays.with(alone, |asking| {
                    asking.chunks((engine, Closest), source, put)
                })
            }
            RayValues::Any => {
                let to = Outputs::of_one(outputs, source.len(), ("found", ColumnNumber::U8(0)))?;
                let put = |ray, &found: &bool| to.put(ray, ColumnNumber::U8(found.into()));
                rays.with(alone, |asking| asking.values((engine, Any), source, put))
            }
            RayValues::Count => self.counts((engine, Count), alone),
            RayValues::CountCrossings => self.counts((engine, CountCrossings), alone),
        }
    }
}

impl Values<'_> {
    fn counts<R, E, Q>(&self, asked: (&E, Q), alone: bool) -> Result<(), Failure>
    where
        R: HostRay,
        E: RayEngine<R> + Sync,
        Q: ValueQuestion<E, R, Answer = usize>,
        IdOf<E>: TriangleId,
        HitOf<E>: Found,
        RayInput: Source<R>,
    {
        let source = self.rays.rays;
        let to = Outputs::of_one(self.outputs, source.len(), ("count", ColumnNumber::I64(0)))?;
        let put = |ray, &count: &usize| to.put(ray, ColumnNumber::I64(count as i64));
        self.rays
            .with(alone, |asking| asking.values(asked, source, put))
    }
}

struct ListsOf<'a> {
    rays: &'a Rays<'a>,
    question: RayLists,
    depth: usize,
}

impl Asked for ListsOf<'_> {
    type Answer = Lists;

    fn ask<R, E>(self, engine: &E, alone: bool) -> Result<Lists, Failure>
    where
        R: HostRay,
        E: RayEngine<R> + Sync,
        IdOf<E>: TriangleId,
        HitOf<E>: Record + Found,
        RayInput: Source<R>,
    {
        match self.question {
            RayLists::All => self.of((engine, All), alone),
            RayLists::FirstK(k) => self.of((engine, FirstK(k)), alone),
            RayLists::Crossings => self.of((engine, Crossings), alone),
            RayLists::Distinct => self.of((engine, Distinct), alone),
        }
    }
}

impl ListsOf<'_> {
    fn of<R, E, Q>(&self, asked: (&E, Q), alone: bool) -> Result<Lists, Failure>
    where
        R: HostRay,
        E: RayEngine<R> + Sync,
        Q: RowQuestion<E, R, Value = HitOf<E>>,
        IdOf<E>: TriangleId,
        HitOf<E>: Record + Found,
        RayInput: Source<R>,
    {
        let rows = self
            .rays
            .with(alone, |asking| asking.rows(asked, self.rays.rays))?;
        Ok(Lists::of(&rows, self.depth)?)
    }
}

/// One ray, whose first hit is asked for.
pub(crate) struct First<'a> {
    pub(crate) ray: &'a estoc_ray,
    pub(crate) options: &'a RayOptions<'a>,
}

impl First<'_> {
    pub(crate) fn hit(self, world: &World) -> Result<estoc_hit, Failure> {
        let ray = self.ray;
        ask_world(world, || ray.is_f32(), self)
    }
}

impl Asked for First<'_> {
    type Answer = estoc_hit;

    fn ask<R, E>(self, engine: &E, alone: bool) -> Result<estoc_hit, Failure>
    where
        R: HostRay,
        E: RayEngine<R> + Sync,
        IdOf<E>: TriangleId,
        HitOf<E>: Record + Found,
        RayInput: Source<R>,
    {
        let (ray, options) = (R::of(self.ray), self.options.of_all(alone)?);
        let filter = self.options.filter(alone);
        let hit = Filter::<E, R>::with(&filter, |accept| {
            Closest.ask(engine, &ray, &options, accept)
        })?;
        Ok(hit.map_or(estoc_hit::MISS, |hit| hit.hit(alone)))
    }
}

/// The first hit on a ray that nothing restricts, at a speed near that of the library itself.
pub(crate) struct Plain<'a>(pub(crate) &'a estoc_ray);

impl Plain<'_> {
    #[inline(always)]
    pub(crate) fn hit(self, world: &World) -> Result<estoc_hit, Failure> {
        let ray = self.0;
        ask_world(world, || ray.is_f32(), self)
    }
}

impl Asked for Plain<'_> {
    type Answer = estoc_hit;

    #[inline(always)]
    fn ask<R, E>(self, engine: &E, alone: bool) -> Result<estoc_hit, Failure>
    where
        R: HostRay,
        E: RayEngine<R> + Sync,
        IdOf<E>: TriangleId,
        HitOf<E>: Record + Found,
        RayInput: Source<R>,
    {
        let hit = engine.closest_on(&R::of(self.0), None);
        Ok(hit.map_or(estoc_hit::MISS, |hit| hit.hit(alone)))
    }
}
