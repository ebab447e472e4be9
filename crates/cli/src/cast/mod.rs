//! `estoc cast`: casts rays and prints their hits, in the order of the rays.

mod asked;
mod cast_job;
mod cast_rays;
mod cast_target;
mod columns;
mod explain;
mod hit_rows;
mod job_args;
mod job_input;
mod query;
mod ray_source;
mod undefined;

pub(crate) use query::{CastQuery, EngineChoice};

use crate::answer_columns::{Doubles, ResultColumns};
use crate::device_args::DeviceArgs;
use crate::failure::Failure;
use crate::mesh_model::{KnownMesh, MeshModel, brute_force, load_mesh};
use crate::mesh_source::MeshSource;
use crate::opened::Opened;
use crate::output_name::Form;
use crate::session::Session;
use crate::target_hash;
use crate::tree_args::TreeArgs;
use crate::value_name::one_of;
use cast_job::{CastJob, check_columns};
use cast_rays::{Cast, CastCall, WantedResult};
use columns::{GROUP, MATERIAL, OBJECT};
use estoc::{Cull, QueryOptions, Ray, glam::DVec3, query::Query, scene::Ray64};
use estoc_rays_io::{Input, TableFormat};
use job_args::JobArgs;
use job_input::JobInput;
use query::SIDES;
use ray_source::RayArgs;
use std::sync::Arc;

/// Cast rays at a mesh or a scene and print what they hit, as CSV in the order of the rays.
///
/// Rays are read from CSV, from an array of numpy (NPY, or NPZ with one array, of N x 6 or N x 8 numbers of
/// f32 or f64), or from Parquet, as their content tells; a folder of Parquet files is one input. --out hits.npy writes an array
/// of records, and --out hits.parquet writes Parquet. Reading, casting and writing overlap, and rays and
/// hits take at most --memory, by default 1G, beside the tree. Parquet needs a build with --features
/// parquet.
///
/// Rays at a scene, and at a mesh with --local-frame or a tree file with an origin, are given in the
/// coordinates of the world, in f64, and points are those of the world in f64. At a mesh in f64, which
/// --precision chooses, rays are used in f64 too, and t, u, v and points are f64s. Other rays are rounded to
/// f32.
///
/// The first line of a CSV file names its columns, in any order and letter case: ox,oy,oz, dx,dy,dz,
/// optionally tmin,tmax (default 0 and inf) and mask, a whole number of 32 bits (default all): the ray
/// sees only what shares a bit with it, of the objects of a scene file and of tree files that have
/// masks. A cell in double quotes may hold commas, but no line breaks. Columns of Parquet have the same
/// names, of types Float32 or Float64, and mask Int32, UInt32 or Int64; null in one of the first six
/// makes the ray undefined. Other columns are ignored, or passed through by --columns. Numbers of f64
/// that f32 cannot hold are rounded once, and a note says how many. t is measured in lengths of the
/// direction. An undefined ray (an origin or direction that is not finite, a zero direction, a NaN
/// bound, tmin > tmax) hits nothing; a note on stderr counts these rays.
///
/// Without --columns, the columns are ray,hit,t,prim,u,v for --query closest, where a miss is
/// N,0,inf,-1,, and also for all, first and crossing-hits, which print one row for each hit and
/// none for a miss; ray,hit for any; ray,count for count and crossings. `ray` is the index of the
/// data row, from 0; `prim` is the index of the triangle in the order of the file, from 0; u and v
/// are the weights of the second and third corner. For a scene, these rows also have `source`, the
/// name of the object's file or generator, and `instance`, the number of the placement in the scene
/// file, from 0; for scenes in scenes, the numbers from the outermost, separated by slashes. An object
/// of spheres and boxes has its own name as `source`, prim counts its spheres and then its boxes, u and
/// v are 0, and a ray hits where it enters and where it leaves.
///
/// In Parquet, the columns are ray_id,t,prim,u,v (ray_id,hit for any; ray_id,count for counts), where
/// ray_id is the column ray_id of a Parquet input, else the index of the row, and a miss is null. In
/// NPY, the fields are t,prim,u,v, where prim is -1 for a miss, and ray,t,prim,u,v for lists of hits;
/// any and the counts are plain arrays.
///
/// --columns selects from these columns and point, normal (those in the world, for a scene), object,
/// group and material, and accepts
/// the names of columns of the ray file, such as an id; input:NAME is the input's column if both
/// have one of that name. In CSV, point and normal are three columns each
/// (point_x,point_y,point_z), and missing values are empty.
///
/// With --json, prints an object of schema "estoc.cast/1": query, results (the rows as objects; t
/// is null if it is not finite, hit is false for a miss), rays (the number of rays). With
/// --columns, every row has every column: missing values are null, points and normals are lists,
/// columns of the input are text.
///
/// A line that cannot be read ends the run with exit status 3. If the result goes to stdout, the
/// rows of the rays before that line are written, and the object of --json ends with error {status,
/// message}; a file named by --out does not appear.
///
/// --explain prints on stderr the technique and the reasons for it (one by one, interleaved, in
/// packets or in bundles), and the number of rays that each technique traced. Answers do not depend
/// on the technique. With --json, the object also has it as `batch`: technique, chunk_size,
/// threads, reordered, why (lines of text), one_by_one, interleaved, packets, bundles, not_asked. With
/// --device, it tells how many rays the device traced, and how many of them it left to the processor, as
/// `batch.device`: name, driver, rays, doubts, fault (why the processor went on alone, or null).
/// Rays are read in blocks, of at most 262,144, and the plan is that of the first block.
///
/// With --out-dir, the result is a job: a folder of parts, each the hits of --part-rows rays, and
/// _manifest.json, which says what the job is and, at the end, lists the parts. Each part appears whole or
/// not at all. Whatever ends the run, the same command with --resume checks and keeps the finished parts
/// and goes on, and in the end every byte is the same as without the interruption. A different mesh,
/// input, option or version of estoc is refused, with what differs, and so is a second run on the folder
/// at the same time. A request to terminate, Ctrl-C and a hang-up end the run after the part that it works
/// on, and a second one at once. Several runs can share a job, each with another --shard and folder;
/// estoc merge joins them. Stdin or a pipe can be a job, too, but cannot go on or be shared. A file of
/// rays that changes ends the job before the next part is recorded. With --json, prints an object of
/// schema "estoc.job-summary/1" at the end: out_dir, format, shard (null for all parts), rays (of the
/// input), rays_of_parts (those of this folder), rows, bytes, parts, made (parts that this run made) and
/// kept (those of earlier runs).
///
/// Example: estoc cast bunny.obj --rays rays.csv --query any --out hits.csv
///
/// Example: estoc cast bunny.obj --rays rays.csv --out-dir hits --resume
///
/// Example: estoc cast bunny.obj --rays rays.csv --columns id,t,point,material
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A mesh file, a scene file, scene:FILE.glb, - for stdin, or demo:NAME
    mesh: MeshSource,
    #[command(flatten)]
    source: RayArgs,
    /// The query for each ray
    #[arg(long, value_enum, default_value_t = CastQuery::Closest)]
    query: CastQuery,
    /// Number of hits of each ray that --query first lists
    #[arg(long, value_name = "N")]
    k: Option<usize>,
    /// The columns of the result: ray, hit, t, prim, u, v, point, normal, object, group, material,
    /// source, instance, count, and columns of the ray file by name
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    columns: Vec<String>,
    /// Sides of triangles to ignore; seen from the front, corners run counter-clockwise
    #[arg(long, value_parser = one_of(SIDES), default_value = "none")]
    cull: Cull,
    /// Leave out hits exactly at tmin or at tmax: those with tmin < t < tmax count
    #[arg(long)]
    open_ends: bool,
    /// Engine that answers: the tree, or brute force, which is slow and gives the same answers
    #[arg(long, value_enum, default_value_t = EngineChoice::Tree)]
    engine: EngineChoice,
    #[command(flatten)]
    tree: TreeArgs,
    #[command(flatten)]
    device: DeviceArgs,
    #[command(flatten)]
    job: JobArgs,
    /// Print on stderr which technique was used, and why
    #[arg(long)]
    explain: bool,
}

impl Args {
    /// Returns the query for each ray.
    fn question(&self) -> Result<Query, Failure> {
        if (self.query == CastQuery::First) != self.k.is_some() {
            let problem = "--k and --query first require each other, as in --query first --k 3";
            return Err(Failure::Usage(problem.into()));
        }
        Ok(match self.query {
            CastQuery::Closest => Query::Closest,
            CastQuery::Any => Query::Any,
            CastQuery::All => Query::All,
            CastQuery::First => Query::FirstK(self.k.unwrap_or_default()),
            CastQuery::Count => Query::Count,
            CastQuery::Crossings => Query::CountCrossings,
            CastQuery::CrossingHits => Query::Crossings,
        })
    }

    /// Returns the options of all rays.
    fn options<I: Copy>(&self) -> QueryOptions<I> {
        QueryOptions::default()
            .cull(self.cull)
            .open_ends(self.open_ends)
    }

    /// Returns the columns of the result, and has the reader keep those of the input.
    fn columns(
        &self,
        rays: &mut Input<Ray>,
        format: TableFormat,
    ) -> Result<ResultColumns, Failure> {
        if format == TableFormat::Parquet {
            rays.read_ids();
        }
        let asked = (self.query, self.mesh.is_scene());
        let (columns, passed) = columns::columns(&self.columns, asked, format, rays.columns())?;
        rays.pass_through(passed);
        Ok(columns)
    }
}

pub(crate) fn run(args: &Args, session: &Session) -> Result<(), Failure> {
    (args.mesh).refuse_stdin_twice(args.source.is_stdin(), "the mesh and the rays")?;
    if args.mesh.is_scene() && args.engine == EngineChoice::Brute {
        return Err(Failure::Usage(format!(
            "{}: --engine brute takes one mesh, not a scene of placed meshes; use --engine tree",
            args.mesh
        )));
    }
    let question = args.question()?;
    let device = args.device.start(session)?;
    if let Some(device) = &device {
        device.refuse_scene(&args.mesh)?;
        if args.engine == EngineChoice::Brute {
            device.refuse("--engine brute")?;
        }
    }
    args.job
        .check(args.source.is_stream(), args.engine, session)?;
    let format = match args.job.format() {
        Some(format) => format,
        None => session.rows_format()?,
    };
    // Open the rays first, so that a mistyped name fails before a large mesh is loaded.
    let (mut rays, job_input) = JobInput::open(args, session)?;
    let columns = args.columns(&mut rays, format)?;
    let mut inputs = args.mesh.files();
    inputs.extend(args.source.file());
    let job = args.job.out_dir.as_deref().zip(job_input);
    let output = match &job {
        Some(_) => check_columns(&rays, &columns, format).map(|()| None)?,
        None => Some(session.output(Form::of_rows(format), &inputs)?),
    };
    let names = columns.show(&[OBJECT, GROUP, MATERIAL]);
    let mut result = WantedResult {
        output,
        job: None,
        format,
        columns,
    };
    let mut call = CastCall {
        mesh_hash: None,
        question,
        device: None,
        args,
        session,
    };
    // Written into Parquet only.
    let is_hashed = format == TableFormat::Parquet;
    if args.engine == EngineChoice::Brute {
        let (mesh, masks) = load_mesh(&args.mesh, session)?;
        if mesh.origin() != DVec3::ZERO {
            return Err(Failure::Usage(format!(
                "{}: --engine brute takes no mesh in a local frame, at which rays of the world are \
                 cast; use --engine tree",
                args.mesh
            )));
        }
        let engine = brute_force(&mesh, masks, session)?;
        call.mesh_hash = is_hashed.then(|| mesh.content_hash());
        args.source.check()?;
        let mesh = KnownMesh::Mesh(Arc::new(mesh));
        let (engine, target) = (&engine, &mesh);
        let cast = Cast {
            engine,
            target,
            call,
        };
        return cast.run(rays, result);
    }
    let opened = Opened::open(&args.mesh, args.tree, session)?;
    if is_hashed {
        call.mesh_hash = match &opened {
            Opened::Scene(scene) => scene.mesh().and_then(MeshModel::content_hash),
            Opened::Wide(model) => model.content_hash(),
        };
    }
    if let Some(device) = &device {
        device.refuse_opened(&args.mesh, &opened)?;
    }
    if let Some(job) = job {
        let hash = match &opened {
            Opened::Scene(scene) => scene.hash(names, session)?,
            Opened::Wide(model) => target_hash::of_wide(model, names)?,
        };
        let is_f64 = matches!(opened, Opened::Wide(_));
        let job = CastJob::open(job, (hash, is_f64), format, rays.rows(), args, session)?;
        result.job = Some(job);
    }
    match opened {
        Opened::Wide(model) => {
            let (engine, target) = (&**model.bvh(), &model);
            let cast = Cast {
                engine,
                target,
                call,
            };
            cast.run(rays.with_items::<Ray64>(), result)
        }
        Opened::Scene(scene) => {
            let scene = scene.in_file()?;
            let near_mesh = scene.near_mesh();
            let loaded = match (&device, near_mesh) {
                (Some(device), Some(mesh)) => device.load(mesh.bvh(), session)?,
                _ => None,
            };
            if let (Some(loaded), Some(mesh)) = (&loaded, near_mesh) {
                let device = loaded.run();
                call.device = Some(&device);
                args.source.check()?;
                let (engine, target) = (device.engine(), &mesh.known);
                let cast = Cast {
                    engine,
                    target,
                    call,
                };
                return cast.run(rays, result);
            }
            let (engine, target) = (scene.world(), &scene);
            let cast = Cast {
                engine,
                target,
                call,
            };
            match scene.doubles() {
                Doubles::None => {
                    args.source.check()?;
                    cast.run(rays, result)
                }
                _ => cast.run(rays.with_items::<Ray64>(), result),
            }
        }
    }
}
