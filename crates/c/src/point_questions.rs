//! Questions about what is near points, which all worlds answer, and about the points' side of a surface, which trees do.

use crate::asking::{Asking, Unfiltered};
use crate::lists::Lists;
use crate::outputs::{Outputs, estoc_outputs};
use crate::points::{HostPoint, PointInput};
use crate::radius_questions::{ClosestInRadius, InRadius};
use crate::run::Run;
use crate::status::{Failure, estoc_status};
use crate::world::{World, unsupported};
use estoc_batch::{ColumnNumber, Record};
use estoc_core::glam::{DVec3, Vec3};
use estoc_core::{
    ClosestK, Contains, ContainsBy, Distance, EstimatedWinding, IdOf, Length, NearEngine, NearOf,
    PointEngine, PointTest, QueryOptions, RayQuery, SignRule, SignedDistanceBy, SurfaceError,
    ValueQuestion, WindingNumber,
};
use estoc_scene::SceneSnapshot;

/// A question with one answer for each point.
#[derive(Clone, Copy)]
pub(crate) enum PointValues {
    Closest(f64),
    Distance,
    Contains(SignRule),
    SignedDistance(SignRule),
    Winding,
    WindingEstimate,
}

/// A question with a list for each point.
#[derive(Clone, Copy)]
pub(crate) enum PointLists {
    Within(f64),
    Closest(usize),
}

/// Points, and how they are asked about.
pub(crate) struct Points<'a> {
    pub(crate) points: &'a PointInput,
    pub(crate) run: Run<'a>,
}

/// A type of distances.
pub(crate) trait Distances: Length + Into<ColumnNumber> {
    /// Returns the nearest number of this type.
    fn nearest(x: f64) -> Self;
}

impl Distances for f32 {
    fn nearest(x: f64) -> Self {
        x as f32
    }
}

impl Distances for f64 {
    fn nearest(x: f64) -> Self {
        x
    }
}

impl Points<'_> {
    /// Writes the answers to a question.
    pub(crate) fn write(
        &self,
        world: &World,
        question: PointValues,
        outputs: &estoc_outputs,
    ) -> Result<(), Failure> {
        let depth = world.depth();
        let is_near = matches!(question, PointValues::Closest(_) | PointValues::Distance);
        match world {
            World::Wide(bvh) if is_near => self.near::<DVec3, _>(&**bvh, question, outputs, depth),
            World::Wide(bvh) => self.sides::<DVec3, _>(&**bvh, question, outputs),
            World::Scene(scene) => self.at_scene(scene, question, outputs, depth),
            World::Tree(tree) => match tree.is_at_origin() && self.points.are_f32() {
                true if is_near => self.near::<Vec3, _>(&*tree.bvh, question, outputs, depth),
                true => self.sides::<Vec3, _>(&*tree.bvh, question, outputs),
                false if is_near || matches!(question, PointValues::Contains(SignRule::Parity)) => {
                    self.at_scene(tree.alone()?, question, outputs, depth)
                }
                false => Err(Failure::new(
                    estoc_status::ESTOC_NOT_F32,
                    "coordinates of points are no floats in the world's coordinates; round them, or make the mesh in \
                     ESTOC_F64",
                )),
            },
        }
    }

    /// Returns the lists that answer a question.
    pub(crate) fn lists(&self, world: &World, question: PointLists) -> Result<Lists, Failure> {
        let depth = world.depth();
        match world {
            World::Wide(bvh) => self.near_lists::<DVec3, _>(&**bvh, question, depth),
            World::Scene(scene) => self.near_lists::<DVec3, _>(&**scene, question, depth),
            World::Tree(tree) => match tree.is_at_origin() && self.points.are_f32() {
                true => self.near_lists::<Vec3, _>(&*tree.bvh, question, depth),
                false => self.near_lists::<DVec3, _>(tree.alone()?, question, depth),
            },
        }
    }

    fn asking<I>(&self) -> Asking<'_, I, Unfiltered> {
        Asking {
            run: &self.run,
            options: QueryOptions::default(),
            each: None,
            filter: Unfiltered,
        }
    }

    fn near<V, E>(
        &self,
        engine: &E,
        question: PointValues,
        outputs: &estoc_outputs,
        depth: usize,
    ) -> Result<(), Failure>
    where
        V: HostPoint,
        E: NearEngine<V> + Sync,
        NearOf<E>: PointTest<V, ClosestAnswer: Record, Length: Distances>,
        IdOf<E>: Copy + Sync,
    {
        match question {
            PointValues::Closest(most) => {
                let question = ClosestInRadius(Distances::nearest(most));
                self.records((engine, question), outputs, depth)
            }
            _ => {
                let none = Length::INFINITY;
                let to = self.one(outputs, "distance", Into::into(none))?;
                self.asking()
                    .values((engine, Distance), self.points, |point, distance| {
                        to.put(point, distance.unwrap_or(none).into());
                    })
            }
        }
    }

    fn near_lists<V, E>(
        &self,
        engine: &E,
        question: PointLists,
        depth: usize,
    ) -> Result<Lists, Failure>
    where
        V: HostPoint,
        E: NearEngine<V> + Sync,
        NearOf<E>: PointTest<V, ClosestAnswer: Record, Id: Record, Length: Distances>,
        IdOf<E>: Copy + Sync,
    {
        Ok(match question {
            PointLists::Within(radius) => {
                let question = InRadius(Distances::nearest(radius));
                Lists::of(&self.asking().rows((engine, question), self.points)?, depth)?
            }
            PointLists::Closest(k) => Lists::of(
                &self.asking().rows((engine, ClosestK(k)), self.points)?,
                depth,
            )?,
        })
    }

    /// Answers about the sides of the surface of a tree.
    fn sides<V, E>(
        &self,
        engine: &E,
        question: PointValues,
        outputs: &estoc_outputs,
    ) -> Result<(), Failure>
    where
        V: HostPoint,
        E: PointEngine<V> + Sync,
        Failure: From<SurfaceError<V::Coordinate>>,
        estoc_core::SignedDistance<V::Coordinate>: Record,
    {
        match question {
            PointValues::Contains(rule) => {
                SignedDistanceBy(rule).check_surface(engine)?;
                self.contains((engine, ContainsBy(rule)), outputs)
            }
            PointValues::SignedDistance(rule) => {
                SignedDistanceBy(rule).check_surface(engine)?;
                self.records((engine, SignedDistanceBy(rule)), outputs, 0)
            }
            PointValues::Winding => {
                WindingNumber.check_surface(engine)?;
                self.records((engine, WindingNumber), outputs, 0)
            }
            _ => {
                let to = Outputs::of::<estoc_core::WindingEstimate>(outputs, self.points.len(), 0)?;
                self.asking().values(
                    (engine, EstimatedWinding),
                    self.points,
                    |point, estimate| {
                        to.put_all(|| std::iter::once((point, Some(estimate))));
                    },
                )
            }
        }
    }

    fn at_scene(
        &self,
        scene: &SceneSnapshot,
        question: PointValues,
        outputs: &estoc_outputs,
        depth: usize,
    ) -> Result<(), Failure> {
        match question {
            PointValues::Closest(_) | PointValues::Distance => {
                self.near::<DVec3, _>(scene, question, outputs, depth)
            }
            PointValues::Contains(SignRule::Parity) => {
                // It has an answer for all points or for none.
                if scene.contains_64(DVec3::ZERO).is_none() {
                    return Err(Failure::new(
                        estoc_status::ESTOC_OPEN_SURFACE,
                        "no object of the world is closed, so nothing is inside; mend a mesh",
                    ));
                }
                self.contains::<_, _, DVec3>((scene, Contains), outputs)
            }
            _ => Err(unsupported(
                "scenes answer which points are inside by ESTOC_RULE_PARITY only; ask the world of one mesh",
            )),
        }
    }

    /// Answers a question with one answer or none for each point.
    fn records<E, Q, V, R>(
        &self,
        asked: (&E, Q),
        outputs: &estoc_outputs,
        depth: usize,
    ) -> Result<(), Failure>
    where
        E: estoc_core::Engine + Sync,
        IdOf<E>: Copy + Sync,
        Q: ValueQuestion<E, V, Answer = Option<R>>,
        V: HostPoint,
        R: Record,
    {
        let to = Outputs::of::<R>(outputs, self.points.len(), depth)?;
        self.asking().chunks(asked, self.points, |first, chunk| {
            to.put_all(|| {
                chunk
                    .iter()
                    .map(|(place, found)| (first + place, found.as_ref()))
            });
        })
    }

    /// Answers whether each point is inside.
    fn contains<E, Q, V>(&self, asked: (&E, Q), outputs: &estoc_outputs) -> Result<(), Failure>
    where
        E: estoc_core::Engine + Sync,
        IdOf<E>: Copy + Sync,
        Q: ValueQuestion<E, V, Answer = Option<bool>>,
        V: HostPoint,
    {
        let to = self.one(outputs, "found", ColumnNumber::U8(0))?;
        self.asking().values(asked, self.points, |point, &inside| {
            to.put(point, ColumnNumber::U8((inside == Some(true)).into()));
        })
    }

    fn one(
        &self,
        outputs: &estoc_outputs,
        name: &'static str,
        like: ColumnNumber,
    ) -> Result<Outputs, Failure> {
        Outputs::of_one(outputs, self.points.len(), (name, like))
    }
}
