//! `estoc bench`: measures how fast this machine builds trees and casts rays.

mod baseline;
mod baseline_change;
mod builds;
mod chart;
mod csv;
mod files;
mod fingerprint;
mod load;
mod machine;
mod measure;
mod names;
mod rays;
mod report;
mod show;
mod shuffle;
mod style;
mod table;

use crate::device_args::{DeviceArgs, DeviceRun, LoadedDevice, StartedDevice};
use crate::failure::Failure;
use crate::mesh_model::load_mesh;
use crate::mesh_source::MeshSource;
use crate::number::{counted, number_where, seconds as rounded};
use crate::session::Session;
use crate::tree_args::{LAYOUTS, QUALITIES};
use crate::value_name::one_of;
use estoc::{Mesh, Quality, engine::Layout, scene::SceneSnapshot};
use estoc_demo::ray_kinds::RayKind as Kind;
use estoc_picture::{Size, Target, ViewOptions};
use files::ResultFiles;
use load::Ticks;
use machine::Machine;
use measure::Contest;
use names::{Calls, once};
use rayon::{ThreadPool, ThreadPoolBuilder};
use rays::side_for;
use report::{MeshRows, Report, Settings};
use std::path::PathBuf;
use std::time::Instant;

/// Measure how fast trees are built and rays are cast.
///
/// Each mesh is loaded once, and its tree is built several times with each quality and number of
/// threads. Then each kind of rays is cast, with each quality and number of threads, in single
/// calls and as a batch. After a warm-up, which checks that all answers are equal, everything is
/// measured in rounds. Each round has a new random order (the same in every run), so that a machine
/// that slows down affects all rows alike. The result is the median over the rounds, ± the median
/// absolute deviation in percent.
///
/// Kinds of rays, always the same for a mesh and a count: primary (closest hits of the rays of a
/// picture, neighbours in succession), diffuse (closest hits of rays from the primary hits, spread
/// around the normal), random (closest hits of rays through the mesh's bounding box from all
/// around), shadow (any hit between the primary hits and a light), ao (any hit near the primary
/// hits), random-any (any hit of the random rays).
///
/// With --device, batches ask the device, and single calls the processor, so that the warm-up compares the two.
///
/// --save writes the result, and --compare reports how a later one differs from it: "faster" or
/// "slower" if the medians lie further apart than three times the larger deviation and one percent,
/// and both are of three samples or more; "noisy" if three deviations are more than a tenth of the
/// median, so that small differences would not show. Rounds even out changes during a run, but not
/// changes between two runs: the result includes a note if other programs used more than a tenth of
/// the time of the processors that estoc may use, too much to detect small differences, or if this
/// is unknown.
///
/// With --json, prints an object of schema "estoc.bench/1", the same that --save writes: version,
/// machine {cpu, cores, arch, os, simd, core_cache, shared_cache}, settings {count, seconds,
/// rounds, build_rounds, layout}, others (the share of processor time that other programs used,
/// from 0 to 1; null if it is unknown), meshes [{mesh, triangles, fingerprint,
/// load_seconds, builds, rays}].
/// Builds: quality, threads, sah_cost, bytes_per_triangle and times. Rays: rays, calls, quality,
/// threads, count, fingerprint, hits, times, and for batches plan {technique, chunk_size, threads,
/// why, one_by_one, interleaved, packets, bundles, not_asked, device {name, driver} with --device}. Times: ns (per ray, or per triangle
/// of a build), mad_ns, millions_per_second, samples_ns. With --compare, each row has change
/// {verdict (faster, slower, same, noisy, unclear with fewer than three samples, new, other), ratio
/// (of speeds, null if they cannot be compared)}, and the object has comparison {file, version,
/// same_machine, machine (the other one), gone, new, other}.
///
/// Example: estoc bench demo:hall mesh.obj --thread-counts 1,2 --qualities fast,best --svg a.svg
///
/// Example: estoc bench demo:hall --kinds primary,ao --calls batch --save before.json
///
/// Example: estoc bench demo:hall --kinds primary,ao --calls batch --compare before.json
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Mesh files or demo:NAME
    #[arg(required = true, value_name = "MESH")]
    meshes: Vec<MeshSource>,
    /// Qualities of the trees to build
    #[arg(long, value_parser = one_of(QUALITIES), value_delimiter = ',', default_value = "balanced")]
    qualities: Vec<Quality>,
    /// How the trees store their triangles
    #[arg(long, value_parser = one_of(LAYOUTS), default_value = "fast")]
    layout: Layout,
    #[command(flatten)]
    device: DeviceArgs,
    /// Kinds of rays to cast
    #[arg(
        long,
        value_parser = one_of(Kind::ALL.map(|kind| (kind.name(), kind.about(), kind))),
        value_delimiter = ',',
        default_value = "primary,diffuse,random,shadow,ao,random-any"
    )]
    kinds: Vec<Kind>,
    /// Make one call per ray, or one call for all rays
    #[arg(
        long,
        value_enum,
        value_delimiter = ',',
        default_value = "single,batch"
    )]
    calls: Vec<Calls>,
    /// Numbers of threads to measure with [default: 1, and --threads or one per core]
    #[arg(long, value_name = "N,...", value_delimiter = ',',
          value_parser = clap::value_parser!(u16).range(1..=1024))]
    thread_counts: Vec<u16>,
    /// Number of rays of each kind, rounded up to a square picture whose side is a multiple of 16
    #[arg(long, value_name = "N", default_value_t = 1 << 18,
          value_parser = clap::value_parser!(u32).range(1..=1 << 26))]
    count: u32,
    /// Least duration of a measurement in seconds; the rays are cast at least once
    #[arg(long, value_name = "S", default_value_t = 0.2, allow_hyphen_values = true,
          value_parser = number_where(|seconds: f64| 0.0 < seconds && seconds <= 3600.0,
                                      "the duration must be above 0 and at most 3600 seconds"))]
    seconds: f64,
    /// Number of rounds in which rays are measured
    #[arg(long, value_name = "R", default_value_t = 7,
          value_parser = clap::value_parser!(u32).range(1..=10_000))]
    rounds: u32,
    /// Number of times that each tree is built
    #[arg(long, value_name = "R", default_value_t = 3,
          value_parser = clap::value_parser!(u32).range(1..=10_000))]
    build_rounds: u32,
    /// Write one row for each measurement as CSV; - is stdout, here and in the next three options
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write tables as Markdown
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
    /// Write a chart as SVG
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Write the result to a file for a later --compare
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Compare with an earlier result that --save wrote
    #[arg(long, value_name = "FILE")]
    compare: Option<PathBuf>,
}

pub(crate) fn run(args: &Args, session: &Session) -> Result<(), Failure> {
    // Check all arguments before the first mesh is loaded.
    for mesh in &args.meshes {
        mesh.check()?;
    }
    let baseline = args.compare.as_deref().map(baseline::read).transpose()?;
    let files = ResultFiles::open(args, session)?;
    let device = args.device.start(session)?;
    let pools = pools(&args.thread_counts)?;
    let start = Ticks::now();

    let mut report = Report::new(
        Machine::here()?,
        Settings {
            count: side_for(args.count as usize).pow(2),
            seconds: args.seconds,
            rounds: args.rounds,
            build_rounds: args.build_rounds,
            layout: args.layout.to_string(),
        },
    );
    for source in &args.meshes {
        report.meshes.push(measure_mesh(
            args,
            (source, device.as_ref()),
            &pools,
            session,
        )?);
    }
    report.others = load::others(start);
    if let (Some(baseline), Some(file)) = (&baseline, &args.compare) {
        let comparison =
            baseline_change::compare(&file.display().to_string(), baseline, &mut report);
        for note in comparison.notes() {
            session.note(note);
        }
        report.comparison = Some(comparison);
    }
    files.write(&report, session)
}

/// Returns a thread pool for each number of threads.
fn pools(threads: &[u16]) -> Result<Vec<ThreadPool>, Failure> {
    let threads = match threads {
        // The global pool has --threads threads, or one per core.
        [] => vec![1, rayon::current_num_threads()],
        asked => asked.iter().map(|&n| n.into()).collect(),
    };
    let pool = |threads: usize| {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build();
        pool.map_err(|error| {
            let threads = counted(threads, "thread");
            Failure::Usage(format!("cannot start {threads}: {error}"))
        })
    };
    once(&threads).into_iter().map(pool).collect()
}

fn measure_mesh(
    args: &Args,
    (source, device): (&MeshSource, Option<&StartedDevice>),
    pools: &[ThreadPool],
    session: &Session,
) -> Result<MeshRows, Failure> {
    let start = Instant::now();
    let (mesh, _) = load_mesh(source, session)?;
    let load_seconds = start.elapsed().as_secs_f64();
    let name = source.to_string();
    let levels = once(&args.qualities);
    let (trees, rows) = builds::build_all(
        &mesh,
        &levels,
        args.layout,
        pools,
        args.build_rounds,
        session,
    )?;
    let mut rays = Vec::new();
    if let Some(tree) = trees.first() {
        let side = side_for(args.count as usize);
        let size = Size::try_new(side, side).map_err(|error| Failure::Usage(error.to_string()))?;
        let world = SceneSnapshot::of_mesh(tree.clone())?;
        let options = ViewOptions::new().cancel(&session.cancel);
        let view = options.view_as_given(Target::mesh(&world, &mesh), size)?;
        let maker = rays::maker(&mesh, tree, &view, side)?;
        let kinds = once(&args.kinds);
        let mut cast = Vec::new();
        for kind in kinds {
            let made = maker.rays(kind, side * side);
            if made.is_empty() {
                let kind = kind.name();
                session.note(format_args!(
                    "{name}: no {kind} rays, since they start at hits of the primary rays and no \
                     primary ray hits"
                ));
            } else {
                cast.push((kind, made));
            }
        }
        let mut loaded = Vec::new();
        if let Some(device) = device {
            for tree in &trees {
                loaded.push(device.load(tree, session)?);
            }
        }
        // All of them, or none.
        let loaded: Option<Vec<LoadedDevice<'_>>> = loaded.into_iter().collect();
        let loaded = loaded.unwrap_or_default();
        let devices: Vec<_> = loaded.iter().map(LoadedDevice::run).collect();
        let contest = Contest {
            mesh: &name,
            levels: &levels,
            trees: &trees,
            devices: &devices,
            rays: &cast,
            calls: &once(&args.calls),
            pools,
            rounds: args.rounds,
            seconds: args.seconds,
        };
        rays = contest.rows(session)?;
        for note in devices.iter().filter_map(DeviceRun::fault_note) {
            session.note(note);
        }
    }
    Ok(MeshRows {
        mesh: name,
        triangles: mesh.triangle_count(),
        fingerprint: fingerprint_of(&mesh),
        load_seconds: rounded(load_seconds),
        builds: rows,
        rays,
    })
}

fn fingerprint_of(mesh: &Mesh) -> String {
    let numbers = mesh.triangles().flat_map(|t| t.corners());
    fingerprint::of(numbers.flat_map(|p| p.to_array()))
}
