//! Worlds of placed meshes: estoc's scenes beside Embree's instances.

mod changes;
mod contest;
mod flat;
mod rays;
mod tree;
mod world;

pub(crate) use changes::Changing;
pub(crate) use world::{Placing, Rows, World};

use crate::args::{Args, is_wanted};
use crate::engine::Engine;
use crate::peak_memory::PeakMemory;
use crate::peers::{EmbreeWorlds, EstocWorld};
use crate::row::{Row, SpaceRow};
use contest::Contest;
use rayon::{ThreadPool, ThreadPoolBuilder};
use rays::{Kind, Maker};
use std::error::Error;
use std::sync::Arc;

/// Edge length of a picture: 256k rays of each kind.
const SIDE: usize = 512;

type Keep<'a> = &'a mut dyn FnMut(Vec<Row>) -> Result<(), Box<dyn Error>>;

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
            measure_rays(args, &world, embree.as_ref(), &pool(1)?, keep)?;
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
    embree: Option<&EmbreeWorlds>,
    pool: &ThreadPool,
    keep: Keep<'_>,
) -> Result<(), Box<dyn Error>> {
    let space = |engine: &str, memory: Option<PeakMemory>| {
        let bytes = memory.and_then(PeakMemory::held)?;
        Some(Row::Space(SpaceRow {
            world: world.name().to_owned(),
            engine: engine.to_owned(),
            placements: world.placements(),
            bytes,
        }))
    };
    let memory = PeakMemory::watch();
    let ours = pool.install(|| EstocWorld::build(world));
    keep(space("estoc", memory).into_iter().collect())?;
    let mut engines: Vec<Box<dyn Engine>> = ours.engines();
    // Its instances nest one level deep.
    let theirs = match world.levels().len() {
        1 => world.clone(),
        _ => Arc::new(world.with_one_level()),
    };
    if let Some(embree) = embree {
        for name in embree.names() {
            if !may_want(name, &args.engines) {
                continue;
            }
            let memory = PeakMemory::watch();
            match embree.build(name, &theirs) {
                Ok(built) => {
                    keep(space(name, memory).into_iter().collect())?;
                    engines.extend(Arc::new(built).engines());
                }
                Err(reason) => eprintln!("skipped {name} of {}: {reason}", world.name()),
            }
        }
    }
    engines.extend(pool.install(|| flat::engines(world)));
    engines.retain(|engine| is_wanted(engine.name(), &args.engines));
    let maker = Maker::new(world, &ours, SIDE);
    for kind in Kind::ALL {
        let contest = Contest {
            world: world.name(),
            engines: &engines,
            exact: &ours,
            pool,
            effort: args.effort(),
        };
        keep(contest.rows(kind, &maker.rays(kind)))?;
    }
    Ok(())
}
