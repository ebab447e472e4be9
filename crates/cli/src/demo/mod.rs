//! `estoc demo`: loads meshes, builds trees, casts and checks rays, and paints a picture.

mod job;
mod tiles;

use crate::failure::Failure;
use crate::mesh_source::MeshSource;
use crate::number::{counted, grouped, seconds as rounded};
use crate::output_name::Form;
use crate::picture_file;
use crate::session::Session;
use crate::tree_args::TreeArgs;
use estoc::scene::SceneSnapshot;
use estoc_picture::{Size, Target};
use job::DemoJob;
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The meshes of the folder `data`, and the scenes that they were made from.
const MESHES: [(&str, &str); 4] = [
    ("data/hall.obj", "hall?n=20000"),
    ("data/sphere.obj", "sphere?n=2000"),
    ("data/terrain.obj", "terrain?n=5000&seed=7"),
    ("data/solids.obj", "solids?n=1200"),
];

/// Load meshes, build trees, cast a million rays at each, check some of the answers against
/// brute force, and paint a picture.
///
/// Uses data/*.obj if it is started in a checkout of estoc, and generates the same meshes
/// elsewhere. The picture shows data/hall.obj four times: depth, normals, ambient occlusion, and
/// the number of traversal steps of each ray; `estoc render` paints such pictures of any mesh.
///
/// With --json, prints an object of schema "estoc.demo/1": meshes [{mesh, triangles, load_seconds,
/// build_seconds, rays, cast_seconds, mrays_per_second, hits, checked, ok, wrong (a ray for which
/// brute force gives another answer, or null)}], picture {file, width, height, rays, seconds}.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Number of rays to cast at each mesh
    #[arg(long, value_name = "N", default_value_t = 1_000_000,
          value_parser = clap::value_parser!(u32).range(1..=100_000_000))]
    count: u32,
    /// File to write the picture to
    #[arg(long, value_name = "FILE", default_value = "estoc-demo.png")]
    picture: PathBuf,
    /// Width and height of the picture
    #[arg(long, value_name = "WxH", default_value = "1280x800")]
    size: Size,
    #[command(flatten)]
    tree: TreeArgs,
}

pub(crate) fn run(args: &Args, session: &Session) -> Result<(), Failure> {
    if args.picture.as_os_str() == "-" {
        let message = "--picture must name a file, since the results go to stdout";
        return Err(Failure::Usage(message.into()));
    }
    let meshes = MESHES.map(|(path, _)| Path::new(path));
    let output = session.output(Form::Text, &meshes)?;
    let out = session.out();
    let needed: Vec<&Path> = meshes.into_iter().chain(out.as_deref()).collect();
    let picture = session.output_to("--picture", &args.picture, Form::Png, &needed)?;
    if !Path::new(MESHES[0].0).exists() {
        session.note("there is no folder data here; generating the meshes instead");
    }
    // The rays, and their answers in every form that is compared.
    session.check_room("the rays", args.count as usize * 128)?;
    let mut jobs = Vec::new();
    let mut hall = None;
    for (path, spec) in MESHES {
        let source = if Path::new(path).exists() {
            MeshSource::File(path.into())
        } else {
            MeshSource::Demo(spec.into())
        };
        let start = Instant::now();
        let mesh = source.load(session)?;
        let load_seconds = start.elapsed().as_secs_f64();
        let (bvh, built) = args.tree.build(&mesh, session)?;
        let seconds = [load_seconds, built.as_secs_f64()];
        jobs.push(job::run(
            source.to_string(),
            &mesh,
            &bvh,
            args.count as usize,
            seconds,
            session,
        )?);
        hall.get_or_insert((mesh, bvh));
    }
    let mut painted = None;
    if let Some((mesh, bvh)) = hall {
        let start = Instant::now();
        session.check_room("the picture", args.size.bytes_to_paint())?;
        let world = SceneSnapshot::of_mesh(bvh)?;
        let target = Target::mesh(&world, &mesh);
        let (image, rays) = tiles::paint_tiles(target, args.size, session)?;
        picture_file::write(picture, &image)?;
        painted = Some((rays, start.elapsed().as_secs_f64()));
    }
    let text = table(&jobs, args, painted);
    session.print(output, &text, &object(&jobs, args, painted))?;
    match jobs.into_iter().find_map(|job| job.wrong) {
        None => Ok(()),
        Some(wrong) => Err(Failure::Check(wrong)),
    }
}

fn table(jobs: &[DemoJob], args: &Args, painted: Option<(usize, f64)>) -> String {
    let width = jobs.iter().map(|job| job.name.len()).max().unwrap_or(0);
    let mut text = format!(
        "{:<width$} {:>9} {:>9} {:>9} {:>11} {:>9} {:>11}  {}\n",
        "mesh", "triangles", "load", "build", "rays", "Mrays/s", "hits", "against brute force"
    );
    for job in jobs {
        let [load, build] = job.seconds.map(|s| format!("{:.1} ms", s * 1e3));
        let verdict = match &job.wrong {
            None => format!("{} of {} equal", job.checked, job.checked),
            Some(_) => "DIFFERENT".into(),
        };
        let _ = writeln!(
            text,
            "{:<width$} {:>9} {:>9} {:>9} {:>11} {:>9.2} {:>11}  {verdict}",
            job.name,
            grouped(job.triangles),
            load,
            build,
            grouped(job.rays),
            job.mrays_per_second(),
            grouped(job.hits),
        );
    }
    if let Some((rays, seconds)) = painted {
        let _ = writeln!(
            text,
            "{}: {} pixels, {} in {seconds:.1} s",
            args.picture.display(),
            args.size,
            counted(rays, "ray"),
        );
    }
    text
}

fn object(jobs: &[DemoJob], args: &Args, painted: Option<(usize, f64)>) -> Value {
    let meshes: Vec<Value> = jobs.iter().map(DemoJob::object).collect();
    let picture = painted.map(|(rays, seconds)| {
        json!({
            "file": args.picture.display().to_string(),
            "width": args.size.width(),
            "height": args.size.height(),
            "rays": rays,
            "seconds": rounded(seconds),
        })
    });
    json!({ "schema": "estoc.demo/1", "meshes": meshes, "picture": picture })
}
