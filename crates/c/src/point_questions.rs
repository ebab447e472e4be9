//! Questions about what is near points, which all worlds answer, and about the points' side of a surface, which trees
//! do.

use crate::asking::{Asking, Source};
use crate::call::call;
use crate::handles::give;
use crate::lists::{Lists, estoc_lists};
use crate::outputs::{Outputs, estoc_output, given_outputs};
use crate::points::{HostPoint, PointInput, estoc_points};
use crate::question::{
    ESTOC_CLOSEST_POINT, ESTOC_CLOSEST_TRIANGLES, ESTOC_CONTAINS, ESTOC_DISTANCE,
    ESTOC_SIGNED_DISTANCE, ESTOC_WINDING_ESTIMATE, ESTOC_WINDING_NUMBER, ESTOC_WITHIN,
    estoc_question, not_here,
};
use crate::run::{Run, estoc_run};
use crate::status::{Failure, bad, estoc_status, given, room};
use crate::surface_room::{SurfaceRoom, most_triangles};
use crate::world::{World, estoc_world, unsupported};
use estoc_batch::{ColumnNumber, Record};
use estoc_core::glam::{DVec3, Vec3};
use estoc_core::{
    ClosestK, ClosestPointWithin, Contains, ContainsBy, Coordinate, Distance, Engine,
    EstimatedWinding, Length, NearEngine, PointEngine, PointTest, Primitive, QueryOptions,
    RayQuery, SceneClosestPoint, SignRule, SignedDistance, SignedDistanceBy, SurfaceError, Winding,
    WindingEstimate, WindingNumber, Within,
};
use estoc_scene::SceneSnapshot;
use std::collections::HashSet;
use std::mem::MaybeUninit;

/// What decides whether a point is inside: one of the constants `ESTOC_RULE_PARITY` to `ESTOC_RULE_ESTIMATE`.
pub type estoc_rule = i32;
/// A ray to the outside crosses the surface an odd number of times, exactly. The mesh must be closed.
pub const ESTOC_RULE_PARITY: estoc_rule = 0;
/// The winding number is positive, exactly; shells may overlap. The mesh must be closed, and its triangles oriented
/// alike.
pub const ESTOC_RULE_WINDING: estoc_rule = 1;
/// An estimate of the winding number is above one half. For every mesh, but not exact.
pub const ESTOC_RULE_ESTIMATE: estoc_rule = 2;

/// Options of questions about points. All zeros, or a null pointer in its place, are the usual way.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct estoc_point_options<'a> {
    /// What decides whether a point is inside.
    pub rule: estoc_rule,
    /// For `ESTOC_CLOSEST_POINT` and `ESTOC_WITHIN`: the largest distance that counts, rounded to `float` but for worlds in
    /// `double`; null or infinite for any distance, as other questions need it.
    pub max_distance: Option<&'a f64>,
    /// For `ESTOC_CLOSEST_TRIANGLES`: the number of triangles for each point.
    pub max_triangles: usize,
}

/// Points, and how they are asked about.
#[derive(Clone, Copy)]
struct Asked<'a> {
    question: estoc_question,
    points: &'a PointInput,
    rule: SignRule,
    max_distance: f64,
    max_triangles: usize,
    run: &'a Run<'a>,
    /// Where answers are written, unless they are lists.
    outputs: Option<&'a [(&'a str, estoc_output)]>,
    depth: usize,
}

/// An engine that a host may ask what is near a kind of points.
trait NearWorld<V: HostPoint>:
    NearEngine<V>
    + Engine<
        Primitive: Primitive<
            Near: PointTest<V, ClosestAnswer: Record, Id: Record, Length: Into<ColumnNumber>>,
        >,
    > + Sync
{
}

impl<V: HostPoint, E> NearWorld<V> for E where
    E: NearEngine<V>
        + Engine<
            Primitive: Primitive<
                Near: PointTest<V, ClosestAnswer: Record, Id: Record, Length: Into<ColumnNumber>>,
            >,
        > + Sync
{
}

impl Asked<'_> {
    /// Asks a world, as exactly as the points need it: at a tree in `f32`, points whose numbers are not all `f32`s
    /// are those of the scene of the tree alone.
    fn ask_world(self, world: &World) -> Result<Option<Lists>, Failure> {
        let is_near =
            self.outputs.is_none() || matches!(self.question, ESTOC_CLOSEST_POINT | ESTOC_DISTANCE);
        let sides = ESTOC_CONTAINS..=ESTOC_WINDING_ESTIMATE;
        let is_about_sides = sides.contains(&self.question);
        match world {
            World::Wide(bvh, _) if is_near => self.near::<DVec3, _>(&**bvh),
            World::Wide(bvh, room) => self.sides::<DVec3, _>(&**bvh, (room, 2)),
            World::Scene(scene, room) => self.at_scene(scene, room),
            // What types answers have depends on that of the points, not on their values.
            World::Tree(tree)
                if self.points.is_f64() && self.question == ESTOC_CLOSEST_TRIANGLES =>
            {
                self.at_scene(tree.alone()?, &tree.room)
            }
            World::Tree(tree) => match tree.is_at_origin() && self.points.are_f32() {
                true if self.points.is_f64() && self.question == ESTOC_CLOSEST_POINT => {
                    self.all::<SceneClosestPoint>()?;
                    self.near::<Vec3, _>(&*tree.bvh)
                }
                true if is_near => self.near::<Vec3, _>(&*tree.bvh),
                true => self.sides::<Vec3, _>(&*tree.bvh, (&tree.room, 1)),
                false if is_near || self.is_contains_by_parity() => {
                    self.at_scene(tree.alone()?, &tree.room)
                }
                false if !is_about_sides => Err(not_here(self.question, "estoc_ask_points")),
                false => Err(Failure::new(
                    estoc_status::ESTOC_NOT_F32,
                    "coordinates of points are no floats in the frame of the mesh; round them, or make the mesh in \
                     ESTOC_F64",
                )),
            },
        }
    }

    fn is_contains_by_parity(&self) -> bool {
        (self.question, self.rule) == (ESTOC_CONTAINS, SignRule::Parity)
    }

    fn asking<'e, E: Engine>(&'e self, engine: &'e E) -> Asking<'e, E, PointInput, ()> {
        Asking {
            engine,
            source: self.points,
            run: self.run,
            options: QueryOptions::default(),
            each: None,
            filter: (),
        }
    }

    fn count(&self) -> usize {
        Source::<Vec3>::count(self.points)
    }

    /// Returns the output of one number for each point.
    fn one(&self, name: &'static str, like: ColumnNumber) -> Result<Outputs, Failure> {
        Outputs::of_one(self.outputs.unwrap_or_default(), self.count(), (name, like))
    }

    /// Returns the outputs of the numbers of answers of a kind.
    fn all<R: Record>(&self) -> Result<Outputs, Failure> {
        Outputs::of::<R>(self.outputs.unwrap_or_default(), self.count(), self.depth)
    }

    /// Answers what is near.
    fn near<V: HostPoint, E: NearWorld<V>>(self, engine: &E) -> Result<Option<Lists>, Failure> {
        let (asking, most) = (self.asking(engine), self.max_distance);
        if self.outputs.is_none() {
            let lists = match self.question {
                ESTOC_WITHIN => {
                    let within = Within(Coordinate::of(most));
                    Lists::of(&asking.rows::<_, V>(within)?, self.depth)?
                }
                ESTOC_CLOSEST_TRIANGLES => {
                    let closest = ClosestK(self.max_triangles);
                    Lists::of(&asking.rows::<_, V>(closest)?, self.depth)?
                }
                other => return Err(not_here(other, "estoc_list_points")),
            };
            return Ok(Some(lists));
        }
        if self.question == ESTOC_DISTANCE {
            let none = Length::INFINITY;
            let to = self.one("distance", Into::into(none))?;
            asking.numbers::<_, V>(Distance, &to, |found| found.unwrap_or(none).into())?;
        } else {
            let closest = ClosestPointWithin(Coordinate::of(most));
            asking.records::<_, V, _>(closest, &self.all::<estoc_core::ClosestOf<E, V>>()?)?;
        }
        Ok(None)
    }

    /// Answers about the sides of the surface of a tree.
    fn sides<V, E>(
        self,
        engine: &E,
        (room, width): (&SurfaceRoom, usize),
    ) -> Result<Option<Lists>, Failure>
    where
        V: HostPoint,
        E: PointEngine<V> + Sync,
        Failure: From<SurfaceError<V::Coordinate>>,
        SignedDistance<V::Coordinate>: Record,
    {
        let rule = match self.question {
            ESTOC_WINDING_NUMBER => SignRule::WindingNumber,
            ESTOC_WINDING_ESTIMATE => SignRule::WindingEstimate,
            ESTOC_CONTAINS | ESTOC_SIGNED_DISTANCE => self.rule,
            other => return Err(not_here(other, "estoc_ask_points")),
        };
        let size = || (engine.primitive_count(), width);
        room.find(rule, size, || {
            SignedDistanceBy(rule).check_surface(engine)?;
            let asking = self.asking(engine);
            match self.question {
                ESTOC_CONTAINS => {
                    let to = self.one("found", ColumnNumber::U8(0))?;
                    asking.numbers::<_, V>(ContainsBy(rule), &to, is_inside)
                }
                ESTOC_SIGNED_DISTANCE => {
                    let to = self.all::<SignedDistance<V::Coordinate>>()?;
                    asking.records::<_, V, _>(SignedDistanceBy(rule), &to)
                }
                ESTOC_WINDING_NUMBER => {
                    asking.records::<_, V, _>(WindingNumber, &self.all::<Winding>()?)
                }
                _ => {
                    let to = self.all::<WindingEstimate>()?;
                    asking.chunks::<_, V>(EstimatedWinding, |first, chunk| {
                        to.put_all(|| {
                            (chunk.iter()).map(|(place, found)| (first + place, Some(found)))
                        });
                    })
                }
            }
        })?;
        Ok(None)
    }

    fn at_scene(self, scene: &SceneSnapshot, room: &SurfaceRoom) -> Result<Option<Lists>, Failure> {
        match self.question {
            _ if self.outputs.is_none() => return self.near::<DVec3, _>(scene),
            ESTOC_CLOSEST_POINT | ESTOC_DISTANCE => return self.near::<DVec3, _>(scene),
            ESTOC_CONTAINS if self.rule == SignRule::Parity => {}
            ESTOC_CONTAINS..=ESTOC_WINDING_ESTIMATE => {
                return Err(unsupported(
                    "scenes tell which points are inside by ESTOC_RULE_PARITY only; ask the world of one mesh",
                ));
            }
            other => return Err(not_here(other, "estoc_ask_points")),
        }
        let size = || (most_triangles(scene, &mut HashSet::new()), 1);
        room.find(SignRule::Parity, size, || {
            // It has an answer for all points or for none.
            if scene.contains_64(DVec3::ZERO).is_none() {
                return Err(Failure::new(
                    estoc_status::ESTOC_OPEN_SURFACE,
                    "no object of the world is closed, so nothing is inside; mend a mesh",
                ));
            }
            let to = self.one("found", ColumnNumber::U8(0))?;
            self.asking(scene)
                .numbers::<_, DVec3>(Contains, &to, is_inside)
        })?;
        Ok(None)
    }
}

fn is_inside(inside: &Option<bool>) -> ColumnNumber {
    ColumnNumber::U8((*inside == Some(true)).into())
}

/// Asks a world about points, with the answers in outputs or in lists.
fn ask(
    world: *const estoc_world,
    (question, points): (estoc_question, Option<&estoc_points>),
    options: Option<&estoc_point_options<'_>>,
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
        let (rule, max_distance) = match options {
            None => (ESTOC_RULE_PARITY, None),
            Some(options) => (options.rule, options.max_distance),
        };
        let has_limit = max_distance.is_some_and(|most| *most != f64::INFINITY);
        if has_limit && !matches!(question, ESTOC_CLOSEST_POINT | ESTOC_WITHIN) {
            return Err(bad(format!(
                "max_distance has no effect on question {question}; leave it out"
            )));
        }
        let outputs = outputs
            .map(|(outputs, count)| given_outputs(call, outputs, count))
            .transpose()?;
        let asked = Asked {
            question,
            points: &PointInput::of(given(points, "points")?)?,
            rule: match rule {
                ESTOC_RULE_PARITY => SignRule::Parity,
                ESTOC_RULE_WINDING => SignRule::WindingNumber,
                ESTOC_RULE_ESTIMATE => SignRule::WindingEstimate,
                other => {
                    return Err(bad(format!(
                        "rule is {other}, which is no ESTOC_RULE constant"
                    )));
                }
            },
            max_distance: max_distance.copied().unwrap_or(f64::INFINITY),
            max_triangles: options.map_or(0, |options| options.max_triangles),
            run: &Run::of(run, call)?,
            outputs: outputs.as_deref(),
            depth: world.depth(),
        };
        match (asked.ask_world(world)?, to) {
            (Some(lists), Some(to)) => give(lists, to),
            _ => Ok(()),
        }
    })
}

/// Answers a question about many points, and writes the answers where `outputs` say, of which there are
/// `output_count`. `options` and `run` may be null. A point that is not finite is near nothing, and not inside.
///
/// Fails with `ESTOC_NULL`, `ESTOC_BAD_ARGUMENT` and `ESTOC_BAD_LENGTH` for arrays that cannot be; with
/// `ESTOC_OPEN_SURFACE` for questions about an inside that the mesh does not have, with the place where it is open;
/// with `ESTOC_UNSUPPORTED` for questions that scenes do not answer; with `ESTOC_NOT_F32` if those about the inside
/// are asked of a tree in `float` about points that are no `float`s; with `ESTOC_CANCELLED`, `ESTOC_NO_MEMORY` and
/// `ESTOC_NO_THREADS`. Threads: any, at the same time.
#[unsafe(no_mangle)]
pub extern "C" fn estoc_ask_points(
    world: *const estoc_world,
    question: estoc_question,
    points: Option<&estoc_points>,
    options: Option<&estoc_point_options<'_>>,
    run: Option<&estoc_run>,
    outputs: *const estoc_output,
    output_count: usize,
) -> estoc_status {
    ask(
        world,
        (question, points),
        options,
        run,
        Some((outputs, output_count)),
        None,
    )
}

/// Answers a question about many points with a list for each. As `estoc_ask_points` otherwise; fails with
/// `ESTOC_TOO_MANY` beyond `run->max_values`. Release the lists by `estoc_release`.
#[unsafe(no_mangle)]
pub extern "C" fn estoc_list_points(
    world: *const estoc_world,
    question: estoc_question,
    points: Option<&estoc_points>,
    options: Option<&estoc_point_options<'_>>,
    run: Option<&estoc_run>,
    lists: Option<&mut MaybeUninit<*mut estoc_lists>>,
) -> estoc_status {
    ask(world, (question, points), options, run, None, lists)
}
