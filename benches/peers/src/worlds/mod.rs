//! Worlds of placed meshes: estoc's scenes beside those of other libraries.

mod changes;
mod flat;
mod tree;
mod world;

pub(crate) use changes::{Changing, NamedChanging};
pub(crate) use world::{Placing, Rows, World};

use crate::Keep;
use crate::agreement::Judge;
use crate::args::{Args, is_wanted};
use crate::clock::Clock;
use crate::engine::Engine;
use crate::kind::Kind;
use crate::measure::{Contest, FEWEST};
use crate::peak_memory::PeakMemory;
use crate::peers::{EmbreeWorlds, EstocWorld, tinybvh_worlds};
use crate::rays::Maker;
use crate::row::{Measured, Row};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::error::Error;
use std::sync::Arc;

/// Edge length of a picture: 256k rays of each kind.
const SIDE: usize = 512;

/// The largest size of a world for which the height of places above the surface grows: a house is
/// lower.
const LARGEST: f64 = 500.0;

/// Builds a world of one level, with one thread, and returns the ways to query it; the error is the
/// library's message.
type Build = dyn Fn(&World) -> Result<Vec<Engine>, String>;

/// A structure of worlds that rays are traced in.
pub(crate) struct WorldBuilder {
    pub(crate) name: String,
    pub(crate) build: Box<Build>,
}

/// Measures the worlds that the arguments select: rays with one thread, or changes with each number
/// of threads.
pub(crate) fn measure(args: &Args, keep: Keep<'_>) -> Result<(), Box<dyn Error>> {
    let embree = EmbreeWorlds::open();
    let deepest = embree.as_ref().map(EmbreeWorlds::deepest).transpose()?;
    if let Some(deepest) = deepest {
        eprintln!("Embree: instances nest {deepest} deep");
        if deepest != 1 {
            return Err(
                "the harness declares Embree's structures for one level of instances".into(),
            );
        }
    }
    // Its changes are not measured.
    let tinybvh = (!args.changes).then(tinybvh_worlds);
    let embrees = embree.iter().flat_map(EmbreeWorlds::builders);
    let peers: Vec<WorldBuilder> = embrees.chain(tinybvh.into_iter().flatten()).collect();
    let pool = |threads| ThreadPoolBuilder::new().num_threads(threads).build();
    for name in args.worlds() {
        let world = Arc::new(World::of_name(name)?);
        let (placements, triangles) = (world.placements(), world.triangles());
        eprintln!("{name}: {placements} placements, {triangles} triangles");
        if args.changes {
            for &threads in &args.threads {
                keep(changes::rows(
                    &world,
                    embree.as_ref(),
                    &pool(threads)?,
                    args.reps,
                ))?;
            }
        } else {
            measure_rays(args, &world, &peers, &pool(1)?, keep)?;
        }
    }
    Ok(())
}

/// Returns whether engines of a structure may be selected.
fn may_want(structure: &str, patterns: &[String]) -> bool {
    let is_of = |pattern: &String| {
        pattern.contains(structure) || is_wanted(structure, std::slice::from_ref(pattern))
    };
    patterns.is_empty() || patterns.iter().any(is_of)
}

fn measure_rays(
    args: &Args,
    world: &Arc<World>,
    peers: &[WorldBuilder],
    pool: &ThreadPool,
    keep: Keep<'_>,
) -> Result<(), Box<dyn Error>> {
    let space = |engine: &str, memory: Option<PeakMemory>| {
        let bytes = memory.and_then(PeakMemory::held)?;
        Some(Row {
            count: Some(world.placements()),
            bytes: Some(bytes),
            ..Row::of(Measured::Memory, &world.name, engine, 1)
        })
    };
    let memory = PeakMemory::watch();
    let ours = pool.install(|| EstocWorld::build(world));
    keep(space("estoc", memory).into_iter().collect())?;
    let mut engines = ours.engines();
    // What others place nests one level deep.
    let theirs = match world.levels.len() {
        1 => world.clone(),
        _ => Arc::new(world.with_one_level()),
    };
    let wanted = |peer: &&WorldBuilder| may_want(&peer.name, &args.engines);
    for WorldBuilder { name, build } in peers.iter().filter(wanted) {
        let memory = PeakMemory::watch();
        match build(&theirs) {
            Ok(built) => {
                keep(space(name, memory).into_iter().collect())?;
                engines.extend(built);
            }
            Err(reason) => eprintln!("skipped {name} of {}: {reason}", world.name),
        }
    }
    engines.extend(pool.install(|| flat::engines(world)));
    engines.retain(|engine| is_wanted(&engine.name, &args.engines));
    let frame = ours.frame();
    let size = frame.diagonal().min(LARGEST);
    let maker = Maker::new(&world.views, frame, SIDE, size, |rays| ours.places(rays));
    let contest = Contest {
        measured: Measured::World,
        scene: &world.name,
        engines: &engines,
        exact: &|rays| ours.first_hits(rays),
        judge: Judge::Parameters,
        clock: Clock::Processor,
        pools: std::slice::from_ref(pool),
        rounds: args.reps,
        seconds: args.seconds,
        fewest: FEWEST,
    };
    args.rays_of(&Kind::OF_WORLDS)
        .into_iter()
        .try_for_each(|kind| keep(contest.rows(kind, &maker.rays(kind))))
}
