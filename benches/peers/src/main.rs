//! Compares estoc with other ray query libraries: the same scenes, the same rays, one process.
//!
//! `METHOD.md` says what is measured, how, and how to read the results.

mod agreement;
mod answers;
mod args;
mod builds;
mod clock;
mod csv;
mod engine;
mod kind;
mod loads;
mod machine;
mod measure;
mod peak_memory;
mod peers;
mod points;
mod ray;
mod rays;
mod report;
mod row;
mod sample;
mod scenes;
mod sizes;
mod statistics;
mod watertight;
mod worlds;

use args::{Args, is_wanted};
use clap::Parser;
use engine::Builder;
use machine::Machine;
use measure::Contest;
use peers::Exact;
use rayon::{ThreadPool, ThreadPoolBuilder};
use row::Row;
use scenes::Scene;
use sizes::Sizes;
use std::error::Error;
use std::fs;
use std::io;
use std::sync::Arc;

fn main() -> Result<(), Box<dyn Error>> {
    let args = Args::parse();
    // Read before anything is written: `--csv` may name the same file.
    let earlier: Vec<Vec<Row>> = args
        .from
        .iter()
        .map(|path| csv::read(path))
        .collect::<io::Result<_>>()?;
    let mut file = csv::Writer::create(args.csv.as_deref())?;
    println!("{}", row::HEADER);
    let mut rows = Vec::new();
    let mut keep = |new: Vec<Row>| -> Result<(), Box<dyn Error>> {
        for row in &new {
            println!("{row}");
            file.write(row)?;
        }
        rows.extend(new);
        Ok(())
    };
    if args.from.is_empty() {
        keep(vec![Row::Machine(Machine::here())])?;
    }
    if args.watertight {
        let patterns = args.watertight_engines();
        let (tight, globe) = watertight::measure(&wanted_builders(&patterns)?, &patterns)?;
        if let Some(path) = &args.watertight_svg {
            fs::write(path, report::globes(&globe, &tight))?;
        }
        keep(tight)?;
    } else if args.worlds.is_some() {
        worlds::measure(&args, &mut keep)?;
    } else if args.from.is_empty() {
        measure_all(&args, &mut keep)?;
    } else {
        earlier.into_iter().try_for_each(&mut keep)?;
    }
    if let Some(path) = &args.markdown {
        fs::write(path, report::markdown(&rows))?;
    }
    if let Some(path) = &args.mesh_svg {
        let missing = "nothing to draw: there are no rows of estoc on terrains of two sizes";
        fs::write(path, report::growth(&rows).ok_or(missing)?)?;
    }
    Ok(())
}

/// Measures what the arguments select; a scene that cannot be loaded is left out, with a message on
/// stderr.
fn measure_all(
    args: &Args,
    keep: &mut dyn FnMut(Vec<Row>) -> Result<(), Box<dyn Error>>,
) -> Result<(), Box<dyn Error>> {
    let pool = |&threads: &usize| ThreadPoolBuilder::new().num_threads(threads).build();
    let pools: Vec<ThreadPool> = args.threads.iter().map(pool).collect::<Result<_, _>>()?;
    let builders = wanted_builders(&args.engines)?;
    for name in args.scenes() {
        let scene = match Scene::load(name, &args.mesh_dir) {
            Ok(scene) => Arc::new(scene),
            Err(reason) => {
                eprintln!("skipped scene {name}: {reason}");
                continue;
            }
        };
        eprintln!("{name}: {} triangles", scene.triangle_count());
        if args.batch_sizes.is_empty() {
            measure_scene(args, &builders, &scene, &pools, keep)?;
        } else {
            measure_sizes(args, &scene, &pools, keep)?;
        }
    }
    Ok(())
}

fn measure_scene(
    args: &Args,
    builders: &[Box<dyn Builder>],
    scene: &Arc<Scene>,
    pools: &[ThreadPool],
    keep: &mut dyn FnMut(Vec<Row>) -> Result<(), Box<dyn Error>>,
) -> Result<(), Box<dyn Error>> {
    let fits = |builder: &&dyn Builder| {
        let fits = scene.triangle_count() <= builder.most_triangles();
        if !fits {
            let (name, preset) = (builder.name(), builder.preset());
            let scene = scene.name();
            eprintln!("skipped {name} ({preset}): {scene} is too large for it");
        }
        fits
    };
    let builders = builders.iter().map(|builder| &**builder);
    let builders: Vec<&dyn Builder> = builders.filter(fits).collect();
    let mut builds = builds::build_all(&builders, scene, pools, args.build_reps);
    keep(builds.rows)?;
    if args.loads {
        return keep(loads::rows(scene, &args.mesh_dir, pools, args.build_reps)?);
    }
    let engines = &mut builds.engines;
    engines.retain(|engine| is_wanted(engine.name(), &args.engines));
    let exact = pools[0].install(|| Exact::new(scene));
    let places = pools[0].install(|| rays::places(scene, |rays| exact.first_hits(rays)));
    if args.points {
        return keep(points::rows(scene, engines, &exact, pools, args.effort()));
    }
    let contest = Contest {
        scene: scene.name(),
        engines,
        exact: &exact,
        pools,
        effort: args.effort(),
    };
    for kind in &args.rays {
        let rays = rays::make(*kind, scene, &places, rays::SIDE);
        keep(contest.rows(*kind, &rays))?;
    }
    Ok(())
}

fn measure_sizes(
    args: &Args,
    scene: &Scene,
    pools: &[ThreadPool],
    keep: &mut dyn FnMut(Vec<Row>) -> Result<(), Box<dyn Error>>,
) -> Result<(), Box<dyn Error>> {
    let exact = pools[0].install(|| Exact::new(scene));
    let places = pools[0].install(|| rays::places(scene, |rays| exact.first_hits(rays)));
    let sizes = Sizes {
        scene,
        exact: &exact,
        places: &places,
        sizes: &args.batch_sizes,
        pools,
        effort: args.effort(),
    };
    args.rays
        .iter()
        .try_for_each(|kind| keep(sizes.rows(*kind)))
}

/// Returns the builders with at least one selected engine; an error that lists all engines when
/// there is none.
fn wanted_builders(patterns: &[String]) -> Result<Vec<Box<dyn Builder>>, String> {
    let mut builders = peers::builders();
    let mut all = Vec::new();
    builders.retain(|builder| {
        let names = builder.engine_names();
        let keep = names.iter().any(|name| is_wanted(name, patterns));
        all.extend(names);
        keep
    });
    if builders.is_empty() {
        return Err(format!(
            "no engine matches --engines; the engines are {}",
            all.join(", ")
        ));
    }
    Ok(builders)
}
