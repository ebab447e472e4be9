//! The command `estoc`: exact ray queries on triangle meshes.
//!
//! Results go to stdout or `--out`, everything else to stderr.
#![forbid(unsafe_code)]

mod bench;
mod build;
mod byte_size;
mod cast;
mod common;
mod contains;
mod demo;
mod failure;
mod info;
mod interrupt;
mod item_reader;
mod mesh_source;
mod model;
mod number;
mod output;
mod pick;
mod picture;
mod progress;
mod ray_arg;
mod render;
mod shade;
mod verify;
mod view;

use clap::{Parser, Subcommand};
use common::{Common, Session};
use failure::Failure;
use std::process::ExitCode;

/// Exact ray queries on triangle meshes.
///
/// MESH is a file in OBJ, PLY, STL, glTF (.gltf, .glb) or OFF, packed by gzip or zstd or not,
/// whatever its name; or a tree file that estoc build has made of one; or - for stdin; or a scene
/// made on the spot: demo:sphere, demo:terrain, demo:hall, demo:solids, demo:soup or demo:teapot,
/// with ?n=COUNT for about so many triangles and &seed=NUMBER for other random numbers, as in
/// 'demo:sphere?n=100000&seed=1'.
///
/// Queries use the best vector instructions of the machine. The environment variable ESTOC_SIMD
/// names others (baseline, avx2, avx512); answers do not depend on them.
///
/// Exit status: 0 done, 1 a check failed, 2 wrong usage, 3 input that cannot be used, a file that
/// cannot be written, or too little memory; 129, 130 or 143 interrupted by a hang-up, Ctrl-C or a
/// request to terminate.
#[derive(Parser)]
#[command(name = "estoc", version, max_term_width = 100)]
struct Cli {
    #[command(flatten)]
    common: Common,
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    Info(info::Args),
    Build(build::Args),
    Cast(cast::Args),
    Contains(contains::Args),
    Verify(verify::Args),
    Render(render::Args),
    Pick(pick::Args),
    Bench(bench::Args),
    Demo(demo::Args),
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let out = cli.common.out();
    let common = match cli.verb {
        // Takes a list of numbers of threads, and has a pool for each.
        Verb::Bench(_) => cli.common.without_threads(),
        _ => cli.common,
    };
    let done = Session::start(common).and_then(|session| match cli.verb {
        Verb::Info(args) => info::run(&args, &session),
        Verb::Build(args) => build::run(&args, &session),
        Verb::Cast(args) => cast::run(&args, &session),
        Verb::Contains(args) => contains::run(&args, &session),
        Verb::Verify(args) => verify::run(&args, &session),
        Verb::Render(args) => render::run(&args, &session),
        Verb::Pick(args) => pick::run(&args, &session),
        Verb::Bench(args) => bench::run(&args, &session),
        Verb::Demo(args) => demo::run(&args, &session),
    });
    done.map_or_else(
        |failure: Failure| failure.report(out.as_deref()),
        |()| ExitCode::SUCCESS,
    )
}
