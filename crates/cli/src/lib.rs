//! The command `estoc`: exact queries on triangle meshes.
//!
//! Results go to stdout or `--out`, everything else to stderr.
#![forbid(unsafe_code)]

mod answer_columns;
mod bench;
mod build;
mod byte_size;
mod cast;
mod check;
mod closed;
mod common_options;
#[cfg(feature = "shell")]
mod completions;
mod contains;
mod demo;
mod device_args;
mod devices;
mod failure;
mod faulty_edges;
mod file_stamps;
mod found;
mod frame;
mod info;
mod interrupt;
mod job_run;
#[macro_use]
#[cfg(any(test, not(all(feature = "shell", feature = "view"))))]
mod left_out;
mod local_frame;
#[cfg(feature = "shell")]
mod man;
mod merge;
mod mesh_model;
mod mesh_source;
mod model_number;
mod near;
mod near_mesh;
mod needed_mesh;
mod number;
mod opened;
mod output;
mod output_name;
mod pick;
mod picture_file;
mod point_answers;
mod point_source;
mod precise_model;
mod precision;
mod progress;
mod ray_arg;
mod render;
mod result_rows;
mod saved_tree;
mod scene_model;
mod scene_parts;
mod section;
mod session;
mod side_rule;
mod stderr_line;
mod stdout_state;
mod surface_facts;
mod target_hash;
mod thread_start;
mod tree_args;
mod two_models;
mod value_name;
mod verify;
mod version;
#[cfg(feature = "view")]
mod view;
mod view_args;
mod weld;

#[cfg(not(feature = "shell"))]
left_out!(completions);
#[cfg(not(feature = "shell"))]
left_out!(man);
#[cfg(not(feature = "view"))]
left_out!(view);

use clap::error::ErrorKind;
use clap::{Parser, Subcommand};
use common_options::CommonOptions;
pub use devices::{
    AskedDevice, Device, DeviceError, DeviceFacts, DeviceReport, DeviceTree, Devices,
};
use failure::Failure;
use serde_json::json;
use session::Session;
use std::process::ExitCode;

/// Exact queries about rays and points on triangle meshes.
///
/// MESH is a file in OBJ, PLY, STL, glTF (.gltf, .glb) or OFF format, optionally compressed with
/// gzip or zstd; the format is detected by content, not by name. It can also be a tree file that
/// estoc build wrote; - for stdin; or a generated scene: demo:box, demo:sphere, demo:terrain,
/// demo:hall, demo:solids, demo:soup, demo:teapot, demo:tower, demo:court or demo:house, with ?n=COUNT
/// for about COUNT triangles and &seed=NUMBER for other random numbers, as in
/// 'demo:sphere?n=100000&seed=1'. demo:gallery, demo:mountains, demo:specks and demo:hairball are
/// scenes for comparisons with other libraries.
///
/// info, cast, near, contains, pick, render and view also take a scene of placed objects: a scene file,
/// whose name ends in .toml; scene:FILE for a glTF file, whose nodes with meshes are then placements and not one mesh;
/// demo:city, with ?n=COUNT for that many placements and &seed=NUMBER; or demo:pick, with
/// ?time=SECONDS. A scene file has [[object]] tables with name and mesh (a file, relative to the
/// folder of the scene file, or demo:NAME) and, for a file, precision (auto, f32 or f64, as --precision
/// otherwise; f32 if neither is given), or scene (another scene file, a glTF file with its nodes, or
/// demo:city and the like), or spheres ([{ center = [0, 0, 1], radius = 2 }, ...]) and boxes
/// ([{ min = [0, 0, 0], max = [1, 1, 1] }, ...], or with center, half_sizes and axes), and
/// [[placement]] tables with object (a name) and optionally matrix (twelve numbers: three rows,
/// each of three factors and the translation along one axis), or instead translation, rotation (a
/// quaternion x, y, z, w) and scale, as nodes of glTF have them, name, mask and reversed. Scene
/// files have at most 32 MiB, unless --max-input says otherwise.
///
/// Queries use the best vector instructions of the machine. The environment variable ESTOC_SIMD
/// selects others (baseline, avx2, avx512); answers do not depend on them.
///
/// With --json, a failure, including wrong usage, prints {"schema": "estoc.error/1", "error":
/// {status, message}} on stdout, unless a result that reports the failure was printed there.
///
/// Exit status: 0 success; 1 a check failed; 2 wrong usage; 3 unusable input, a file that cannot be
/// written, a port that cannot be listened on, a device that cannot be used, or too little memory; 129, 130 or 143 interrupted by a hang-up, Ctrl-C or a request to
/// terminate.
#[derive(Parser)]
#[command(name = "estoc", bin_name = "estoc", version = version::text(), max_term_width = 100)]
struct Cli {
    #[command(flatten)]
    common: CommonOptions,
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    Info(info::Args),
    Build(build::Args),
    Cast(cast::Args),
    Merge(merge::Args),
    Contains(contains::Args),
    Check(check::Args),
    Near(near::Args),
    Section(section::Args),
    Verify(verify::Args),
    Render(render::Args),
    Pick(pick::Args),
    View(view::Args),
    Bench(bench::Args),
    Demo(demo::Args),
    Completions(completions::Args),
    Man(man::Args),
}

/// Runs the command with the words of the command line, and returns its exit status.
#[must_use]
pub fn run() -> ExitCode {
    run_on(None)
}

/// Does what [`run`] does in a build that has devices.
#[must_use]
pub fn run_with(devices: &'static dyn Devices) -> ExitCode {
    run_on(Some(devices))
}

fn run_on(devices: Option<&'static dyn Devices>) -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return wrong_usage(&error),
    };
    let (out, json) = (cli.common.out_file(), cli.common.json);
    let done = Session::start(cli.common, devices).and_then(|session| match cli.verb {
        Verb::Info(args) => info::run(&args, &session),
        Verb::Build(args) => build::run(&args, &session),
        Verb::Cast(args) => cast::run(&args, &session),
        Verb::Merge(args) => merge::run(&args, &session),
        Verb::Contains(args) => contains::run(&args, &session),
        Verb::Check(args) => check::run(&args, &session),
        Verb::Near(args) => near::run(&args, &session),
        Verb::Section(args) => section::run(&args, &session),
        Verb::Verify(args) => verify::run(&args, &session),
        Verb::Render(args) => render::run(&args, &session),
        Verb::Pick(args) => pick::run(&args, &session),
        Verb::View(args) => view::run(&args, &session),
        Verb::Bench(args) => bench::run(&args, &session),
        Verb::Demo(args) => demo::run(&args, &session),
        Verb::Completions(args) => completions::run(&args, &session),
        Verb::Man(args) => man::run(&args, &session),
    });
    done.map_or_else(
        |failure: Failure| failure.report(out.as_deref(), json),
        |()| ExitCode::SUCCESS,
    )
}

/// Prints the requested help or version on stdout, or the error in the arguments on stderr and,
/// with `--json`, also on stdout.
fn wrong_usage(error: &clap::Error) -> ExitCode {
    // If the output is closed, the exit status suffices.
    let _ = error.print();
    if matches!(
        error.kind(),
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion
    ) {
        return ExitCode::SUCCESS;
    }
    let words = std::env::args_os().skip(1);
    if words
        .take_while(|word| word != "--")
        .any(|word| word == "--json")
    {
        let text = error.to_string();
        let first = text.split("\n\n").next().unwrap_or_default();
        let message = first.strip_prefix("error: ").unwrap_or(first);
        failure::print_error_object(&json!({ "status": 2, "message": message }));
    }
    ExitCode::from(2)
}
