//! Compares estoc with other ray query libraries: the same scenes, the same rays, one process.
//!
//! `METHOD.md` says what is measured, how, and how to read the results.

mod agreement;
mod answers;
mod args;
mod builds;
mod clock;
mod engine;
mod kind;
mod loads;
mod machine;
mod measure;
mod number;
mod peak_memory;
mod peers;
mod points;
mod ray;
mod rays;
mod report;
mod rounds;
mod row;
mod rows_file;
mod sample;
mod scenes;
mod statistics;
mod watertight;
mod worlds;

use agreement::Judge;
use args::{Args, is_wanted};
use clap::Parser;
use clock::Clock;
use engine::Builder;
use kind::Kind;
use measure::{Contest, FEWEST};
use number::Number;
use peers::{Exact, Exactly};
use ray::{Hit, Ray};
use rayon::{ThreadPool, ThreadPoolBuilder};
use rays::Maker;
use row::Row;
use rows_file::RowWriter;
use scenes::Scene;
use std::error::Error;
use std::fs;
use std::sync::Arc;

/// Keeps rows as soon as they are measured.
type Keep<'a> = &'a mut dyn FnMut(Vec<Row>) -> Result<(), Box<dyn Error>>;

fn main() -> Result<(), Box<dyn Error>> {
    let args = Args::parse();
    // Read before anything is written: `--csv` may name the same file.
    let earlier = args.from.iter().map(|path| rows_file::read(path));
    let earlier: Vec<Vec<Row>> = earlier.collect::<Result<_, _>>()?;
    let mut writer = RowWriter::create(args.csv.as_deref())?;
    let mut rows = Vec::new();
    let mut keep = |new: Vec<Row>| -> Result<(), Box<dyn Error>> {
        new.iter().try_for_each(|row| writer.write(row))?;
        rows.extend(new);
        Ok(())
    };
    if args.from.is_empty() {
        keep(vec![machine::row()])?;
    }
    if args.watertight {
        let patterns = args.watertight_engines();
        let (leaks, globe) =
            watertight::measure(&wanted(peers::builders(), &patterns)?, &patterns)?;
        if let Some(path) = &args.watertight_svg {
            fs::write(path, report::globes(&globe, &leaks))?;
        }
        keep(leaks)?;
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
fn measure_all(args: &Args, keep: Keep<'_>) -> Result<(), Box<dyn Error>> {
    let pool = |&threads: &usize| ThreadPoolBuilder::new().num_threads(threads).build();
    let pools: Vec<ThreadPool> = args.threads.iter().map(pool).collect::<Result<_, _>>()?;
    if args.doubles {
        let builders = wanted(peers::double_builders(), &args.engines)?;
        return measure_scenes(args, &builders, &pools, keep);
    }
    let builders = match &args.batch_sizes[..] {
        [] => wanted(peers::builders(), &args.engines)?,
        sizes => vec![peers::of_sizes(sizes)],
    };
    measure_scenes(args, &builders, &pools, keep)
}

fn measure_scenes<F: Exactly>(
    args: &Args,
    builders: &[Builder<F>],
    pools: &[ThreadPool],
    keep: Keep<'_>,
) -> Result<(), Box<dyn Error>> {
    for name in args.scenes() {
        let scene = match Scene::load(name, &args.mesh_dir) {
            Ok(scene) => Arc::new(scene),
            Err(reason) => {
                eprintln!("skipped scene {name}: {reason}");
                continue;
            }
        };
        eprintln!("{name}: {} triangles", scene.triangle_count());
        measure_scene(args, builders, &scene, pools, keep)?;
    }
    Ok(())
}

fn measure_scene<F: Exactly>(
    args: &Args,
    builders: &[Builder<F>],
    scene: &Arc<Scene>,
    pools: &[ThreadPool],
    keep: Keep<'_>,
) -> Result<(), Box<dyn Error>> {
    let (fitting, large): (Vec<&Builder<F>>, Vec<&Builder<F>>) = builders
        .iter()
        .partition(|builder| scene.triangle_count() <= builder.most_triangles);
    for Builder { name, preset, .. } in large {
        eprintln!(
            "skipped {name} ({preset}): {} is too large for it",
            scene.name
        );
    }
    let (rows, mut engines) = builds::build_all(&fitting, scene, pools, args.build_reps);
    keep(rows)?;
    if args.loads {
        return keep(loads::rows(scene, &args.mesh_dir, pools, args.build_reps)?);
    }
    engines.retain(|engine| is_wanted(&engine.name, &args.engines));
    let exact = pools[0].install(|| Exact::<F>::new(scene));
    // Processor time is steadier, and known where there is one thread.
    let clock = match args.doubles && args.threads == [1] {
        true => Clock::Processor,
        false => Clock::Wall,
    };
    if args.points {
        return keep(points::rows(
            scene, &engines, &exact, clock, pools, args.reps,
        ));
    }
    // Batches of a size are measured with at least one of the largest, and bit for bit.
    let largest = args.batch_sizes.iter().copied().max();
    let side = largest.map_or(0, rays::side_for).max(rays::SIDE);
    let find = |rays: &[Ray]| {
        let rays: Vec<Ray<F>> = rays.iter().map(F::of_ray).collect();
        let hits = exact.first_hits(&rays).into_iter();
        let narrow = |hit: Hit<F>| Hit {
            t: hit.t.to_f64() as f32,
            prim: hit.prim,
        };
        hits.map(narrow).collect()
    };
    let maker = pools[0].install(|| Maker::of_scene(scene, side, find));
    let contest = Contest {
        measured: F::RAYS,
        scene: &scene.name,
        engines: &engines,
        exact: &|rays| exact.first_hits(rays),
        judge: largest.map_or(Judge::Triangles, |_| Judge::Bits),
        clock,
        pools,
        rounds: args.reps,
        seconds: args.seconds,
        fewest: largest.unwrap_or(0).max(FEWEST),
    };
    args.rays_of(&Kind::ALL).into_iter().try_for_each(|kind| {
        let rays: Vec<Ray<F>> = maker.rays(kind).iter().map(F::of_ray).collect();
        keep(contest.rows(kind, &rays))
    })
}

/// Returns the builders with at least one selected engine; an error that lists all engines when
/// there is none.
fn wanted<F: Number>(
    mut builders: Vec<Builder<F>>,
    patterns: &[String],
) -> Result<Vec<Builder<F>>, String> {
    let names = builders.iter().flat_map(|builder| builder.engines.clone());
    let all = names.collect::<Vec<_>>().join(", ");
    builders.retain(|builder| builder.engines.iter().any(|name| is_wanted(name, patterns)));
    match builders.is_empty() {
        true => Err(format!(
            "no engine matches --engines; the engines are {all}"
        )),
        false => Ok(builders),
    }
}
