//! `estoc cast`: casts rays and prints their hits, in the order of the rays.

mod asked;
mod cast_job;
mod columns;
mod explain;
mod job_args;
mod query;
mod ray_source;
mod rows;
mod undefined;
mod world;

pub(crate) use query::{Engine, Query};

use crate::common::Session;
use crate::failure::Failure;
use crate::mesh_source::MeshSource;
use crate::model::{Opened, load_mesh};
use crate::output::Output;
use crate::output_name::Form;
use crate::result_rows::{JsonObject, ResultRows, metadata, rounding_note};
use crate::scene_model::SceneModel;
use crate::target::of_mesh;
use crate::target_hash;
use crate::tree_args::TreeArgs;
use asked::{Asked, CastRay, ask_some};
use cast_job::{CastJob, JobPlan};
use columns::{Answered, Columns, Place, RowHit};
use estoc::{
    BruteForce, Hit, Query as Question, Ray, Triangle,
    batch::BatchReport,
    engine::{HitOf, MeshEngine},
    glam::DVec3,
    mesh::HitDetails,
    scene::{Ray64, SceneHit},
};
use estoc_rays_io::{Emit, Format, Input, InputProgress, Limits, SinkOptions, Watch, hit_sink};
use job_args::JobArgs;
use query::Sides;
use ray_source::RayArgs;
use rows::{AnswersOf, Needed, Rows, Tell};
use undefined::Undefined;
use world::{in_world, place};

/// The size of the first chunk if a ray may have any number of answers.
const FIRST_CHUNK: usize = 1 << 8;
/// The size of the largest such chunk.
const LAST_CHUNK: usize = 1 << 12;
/// The number of hits in a chunk from which on the next chunk is smaller.
const MANY_HITS: usize = 1 << 20;
/// The most hits in memory at a time, unless a single ray has more, and the bytes of each with its
/// row.
const MOST_HITS: usize = 1 << 22;
const HIT_BYTES: u64 = 256;
/// Rays that a thread takes at a time if a ray may have any number of answers.
const PIECE: usize = 64;

/// Cast rays at a mesh or a scene and print what they hit, as CSV in the order of the rays.
///
/// Rays are read from CSV, from an array of numpy (NPY, N x 6 or N x 8 numbers of f32 or f64), or from
/// Parquet, as their content tells; a folder of Parquet files is one input. --out hits.npy writes an array
/// of records, and --out hits.parquet writes Parquet. Reading, casting and writing overlap, and rays and
/// hits take at most --memory, by default 1G, beside the tree. Parquet needs a build with --features
/// parquet.
///
/// Rays at a scene, and at a mesh with --local-frame or a tree file with an origin, are given in the
/// coordinates of the world, in f64, and points are those of the world in f64. Other rays are rounded to
/// f32.
///
/// The first line of a CSV file names its columns, in any order and letter case: ox,oy,oz,
/// dx,dy,dz, optionally tmin,tmax (default 0 and inf). Columns of Parquet have the same names, of
/// types Float32 or Float64; null in one of the first six makes the ray undefined. Other columns are
/// ignored, or passed through by --columns. Numbers of f64 that f32 cannot hold are rounded once, and a
/// note says how many. t is measured in lengths of the direction. An undefined ray (an origin or
/// direction that is not finite, a zero direction, a NaN bound, tmin > tmax) hits nothing; a note
/// on stderr counts these rays.
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
/// threads, reordered, why (lines of text), one_by_one, interleaved, packets, bundles, not_asked.
/// Rays are read in blocks, of at most 262,144, and the plan is that of the first block.
///
/// With --out-dir, the result is a job: a folder of parts, each the hits of --part-rows rays, and
/// _manifest.json, which says what the job is and, at the end, lists the parts. Each part appears whole or
/// not at all. Whatever ends the run, the same command with --resume checks and keeps the finished parts
/// and goes on, and in the end every byte is the same as without the interruption. A different mesh,
/// input, option or version of estoc is refused, with what differs, and so is a second run on the folder
/// at the same time. A request to terminate, Ctrl-C and a hang-up end the run after the part that it works
/// on, and a second one at once. Several runs can share a job, each with another --shard and folder;
/// estoc merge joins them. Stdin can be a job, too, but cannot go on. With --json, prints an object of
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
    #[arg(long, value_enum, default_value_t = Query::Closest)]
    query: Query,
    /// Number of hits of each ray that --query first lists
    #[arg(long, value_name = "N")]
    k: Option<usize>,
    /// The columns of the result: ray, hit, t, prim, u, v, point, normal, object, group, material,
    /// source, instance, count, and columns of the ray file by name
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    columns: Vec<String>,
    /// Sides of triangles to ignore; seen from the front, corners run counter-clockwise
    #[arg(long, value_enum, default_value_t = Sides::None)]
    cull: Sides,
    /// Engine that answers: the tree, or brute force, which is slow and gives the same answers
    #[arg(long, value_enum, default_value_t = Engine::Tree)]
    engine: Engine,
    #[command(flatten)]
    tree: TreeArgs,
    #[command(flatten)]
    job: JobArgs,
    /// Print on stderr which technique was used, and why
    #[arg(long)]
    explain: bool,
}

impl Args {
    /// Returns the query for each ray.
    fn question(&self) -> Result<Question, Failure> {
        if (self.query == Query::First) != self.k.is_some() {
            let problem = "--k and --query first require each other, as in --query first --k 3";
            return Err(Failure::Usage(problem.into()));
        }
        Ok(match self.query {
            Query::Closest => Question::Closest,
            Query::Any => Question::Any,
            Query::All => Question::All,
            Query::First => Question::FirstK(self.k.unwrap_or_default()),
            Query::Count => Question::Count,
            Query::Crossings => Question::CountCrossings,
            Query::CrossingHits => Question::Crossings,
        })
    }

    /// Returns the columns of the result, and has the reader keep those of the input.
    fn columns(&self, rays: &mut Input<Ray>, format: Format) -> Result<Columns, Failure> {
        let answered = Answered {
            query: self.query,
            is_scene: self.mesh.is_scene(),
            format,
        };
        if format == Format::Parquet {
            rays.read_ids();
        }
        if self.columns.is_empty() {
            return Ok(Columns::usual(answered));
        }
        let (columns, passed) = Columns::chosen(&self.columns, answered, rays.columns())?;
        rays.pass_through(passed);
        Ok(columns)
    }
}

pub(crate) fn run(args: &Args, session: &Session) -> Result<(), Failure> {
    if args.source.is_stdin() && matches!(args.mesh, MeshSource::Stdin) {
        let problem = "stdin cannot be both the mesh and the rays; name a file for one of them";
        return Err(Failure::Usage(problem.into()));
    }
    if args.mesh.is_scene() && args.engine == Engine::Brute {
        return Err(Failure::Usage(format!(
            "{}: --engine brute takes one mesh, not a scene of placed meshes; use --engine tree",
            args.mesh
        )));
    }
    let question = args.question()?;
    args.job
        .check(args.source.is_stdin(), args.engine, session)?;
    let format = match args.job.format() {
        Some(format) => format,
        None => session.rows_format()?,
    };
    // Open the rays first, so that a mistyped name fails before a large mesh is loaded.
    let mut rays = args.source.open(session)?;
    let columns = args.columns(&mut rays, format)?;
    let mut inputs = args.mesh.files();
    inputs.extend(args.source.file());
    let plan = JobPlan::of(args, &rays, &columns, format, session)?;
    let output = match &plan {
        Some(_) => None,
        None => Some(session.output(Form::of_rows(format), &inputs)?),
    };
    let names = columns.need_names();
    let mut result = Wanted {
        output,
        job: None,
        format,
        columns,
    };
    if args.mesh.is_scene() {
        let scene = SceneModel::open(&args.mesh, args.tree, session)?;
        args.mesh
            .refuse_empty_scene(scene.seen().primitive_count())?;
        if let Some(plan) = plan {
            result.job = Some(plan.open(target_hash::of_scene(&scene, session)?)?);
        }
        let tell = &|ray: &Ray64, hit: &SceneHit, needed: Needed| {
            let details = needed.details.then(|| scene.details(hit)).flatten();
            let place = needed.details.then(|| place(scene.snapshot(), ray, hit));
            RowHit {
                hit: *hit,
                place: place.flatten(),
                details,
                source: needed.source.then(|| scene.source_of(hit)),
            }
        };
        let engine = scene.snapshot();
        return Cast {
            engine,
            tell,
            is_world: true,
            mesh_hash: None,
            question,
            args,
            session,
        }
        .run(args.source.in_64(rays), result);
    }
    let cast = |engine: &(dyn MeshEngine + Sync),
                details: &Details<'_>,
                mesh_hash: Option<u64>,
                rays,
                result| {
        let tell = &|_: &Ray64, hit: &Hit, needed: Needed| {
            let details = needed.details.then(|| details(hit)).flatten();
            RowHit {
                hit: of_mesh(*hit),
                place: Place::of(details.as_ref()),
                details,
                source: None,
            }
        };
        Cast {
            engine,
            tell,
            is_world: false,
            mesh_hash,
            question,
            args,
            session,
        }
        .run(rays, result)
    };
    // Written into Parquet only.
    let is_hashed = format == Format::Parquet;
    match args.engine {
        Engine::Tree => {
            let opened = Opened::open_for_world(&args.mesh, args.tree, session)?;
            let mesh_hash = is_hashed.then(|| opened.model().content_hash()).flatten();
            if let Some(plan) = plan {
                result.job = Some(plan.open(target_hash::of_opened(&opened, names)?)?);
            }
            if opened.origin() == DVec3::ZERO {
                let model = opened.model();
                args.source.check()?;
                let details = |hit: &Hit| model.details(hit);
                return cast(model.bvh, &details, mesh_hash, rays, result);
            }
            let (mesh, bvh) = opened.into_mesh()?;
            let world = in_world(&mesh, bvh)?;
            let tell = &|ray: &Ray64, hit: &SceneHit, needed: Needed| {
                let details = || mesh.details(&hit.hit());
                let place = needed.details.then(|| place(&world, ray, hit));
                RowHit {
                    hit: *hit,
                    place: place.flatten(),
                    details: needed.details.then(details).flatten(),
                    source: None,
                }
            };
            Cast {
                engine: &*world,
                tell,
                is_world: true,
                mesh_hash,
                question,
                args,
                session,
            }
            .run(args.source.in_64(rays), result)
        }
        Engine::Brute => {
            let mesh = load_mesh(&args.mesh, session)?;
            if mesh.origin() != DVec3::ZERO {
                return Err(Failure::Usage(format!(
                    "{}: --engine brute takes no mesh in a local frame, at which rays of the world are \
                     cast; use --engine tree",
                    args.mesh
                )));
            }
            let bytes = mesh.triangle_count() * size_of::<Triangle>();
            session.check_room("all triangles", bytes)?;
            let triangles: Vec<Triangle> = mesh.triangles().collect();
            args.source.check()?;
            let engine = BruteForce::new(triangles);
            let mesh_hash = is_hashed.then(|| mesh.content_hash());
            cast(&engine, &|hit| mesh.details(hit), mesh_hash, rays, result)
        }
    }
}

/// Looks up the details of a hit.
type Details<'a> = dyn Fn(&Hit) -> Option<HitDetails<'a>> + Sync + 'a;

/// Answers the rays of a block.
type BlockAnswers<'a, R> = dyn FnMut(&[R], &mut Emit<'_>) -> Result<(), Failure> + 'a;

/// The result that is wanted.
struct Wanted<'a> {
    /// A file or stdout, unless it is a job.
    output: Option<Output>,
    job: Option<CastJob<'a>>,
    format: Format,
    columns: Columns,
}

/// A query with the engine that answers it.
struct Cast<'a, E: estoc::engine::Engine + ?Sized> {
    engine: &'a E,
    tell: &'a Tell<'a, HitOf<E>>,
    /// Whether rays and points are those of the world, in `f64`.
    is_world: bool,
    /// The content hash of the mesh, if it is known.
    mesh_hash: Option<u64>,
    question: Question,
    args: &'a Args,
    session: &'a Session,
}

/// What is added up over all rays.
#[derive(Default)]
struct Totals {
    undefined: Undefined,
    report: Option<BatchReport>,
}

impl<E: estoc::engine::Engine + ?Sized> Cast<'_, E> {
    fn run<R: CastRay, I: Copy>(
        &self,
        mut rays: Input<R>,
        result: Wanted<'_>,
    ) -> Result<(), Failure>
    where
        E: Asked<R, I>,
        HitOf<E>: Sync,
    {
        let Wanted {
            output,
            job,
            format,
            columns,
        } = result;
        if let Some(job) = job {
            return self.run_job(rays, job, format, &columns);
        }
        let mut output = match output {
            Some(output) => output,
            None => Output::open(None)?,
        };
        let to = output.name().to_owned();
        let json = self.session.json().then(|| JsonObject {
            head: format!(
                "\"schema\":\"estoc.cast/1\",\"query\":\"{}\"",
                self.args.query.name()
            ),
            items: "rays",
            has_nulls: columns.are_chosen(),
        });
        let mut options = SinkOptions::default();
        options.rows = rays.rows().filter(|_| !self.args.query.lists_hits());
        options.metadata = metadata(self.args.query.name(), self.mesh_hash);
        options.passed = rays.passed_types();
        let written = columns.output(format, self.is_world);
        let mut rows = ResultRows::begin(&mut output, format, written, json, options)?;
        let mut totals = Totals::default();
        if let Err(failure) = self.cast_all(&mut rays, &columns, &mut rows, &mut totals, &to) {
            let end = rows.end();
            drop(rows);
            return Err(output.fail(failure, end));
        }
        let mut more = String::new();
        if self.args.explain {
            // Even an empty batch has a plan.
            let batch = self.session.batch().cull(self.args.cull.into());
            let plan = || Asked::<R, I>::plan(self.engine, &batch, self.question);
            let report = totals.report.unwrap_or_else(|| plan().into());
            for line in report.to_string().lines() {
                self.session.note(line);
            }
            more = format!(",\n\"batch\":{}", explain::object(&report));
        }
        rows.finish(&more)
            .map_err(|error| Failure::of_output(error, &to))?;
        output.finish()?;
        self.tell_notes(&totals, &rays);
        Ok(())
    }

    /// Casts the rays of a job.
    fn run_job<R: CastRay, I: Copy>(
        &self,
        mut rays: Input<R>,
        job: CastJob<'_>,
        format: Format,
        columns: &Columns,
    ) -> Result<(), Failure>
    where
        E: Asked<R, I>,
        HitOf<E>: Sync,
    {
        let mut options = SinkOptions::default();
        options.metadata = metadata(self.args.query.name(), self.mesh_hash);
        options.passed = rays.passed_types();
        let written = columns.output(format, self.is_world);
        let mut totals = Totals::default();
        self.with_answers(columns, &mut totals, |answer| {
            let sink = |part| hit_sink(format, written.clone(), part, options.clone());
            job.run(&mut rays, &sink, answer)
        })?;
        self.tell_notes(&totals, &rays);
        Ok(())
    }

    fn tell_notes<R: CastRay>(&self, totals: &Totals, rays: &Input<R>) {
        if let Some(note) = totals.undefined.note() {
            self.session.note(note);
        }
        if let Some(note) = rounding_note(rays) {
            self.session.note(note);
        }
    }

    /// Reads all rays and writes their rows.
    fn cast_all<R: CastRay, I: Copy>(
        &self,
        rays: &mut Input<R>,
        columns: &Columns,
        rows: &mut ResultRows<'_>,
        totals: &mut Totals,
        to: &str,
    ) -> Result<(), Failure>
    where
        E: Asked<R, I>,
        HitOf<E>: Sync,
    {
        let bar = self.session.progress("casting", rays.progress().total);
        let progress = |items: u64, progress: InputProgress| {
            bar.set(progress.done);
            bar.set_items(items, "rays");
        };
        let watch = Watch::cancel(&self.session.cancel).progress(&progress);
        let limits = Limits::memory(self.session.rows_memory());
        self.with_answers(columns, totals, |answer| {
            estoc_rays_io::run(rays, 0..u64::MAX, limits, answer, rows.sink(), watch)
                .map(drop)
                .map_err(|error| Failure::of_run(error, to))
        })
    }

    /// Calls `work` with what answers the rays of a block.
    fn with_answers<R: CastRay, I: Copy>(
        &self,
        columns: &Columns,
        totals: &mut Totals,
        work: impl FnOnce(&mut BlockAnswers<'_, R>) -> Result<(), Failure>,
    ) -> Result<(), Failure>
    where
        E: Asked<R, I>,
        HitOf<E>: Sync,
    {
        let batch = self.session.batch().cull(self.args.cull.into());
        let memory = self.session.rows_memory();
        let most_hits = usize::try_from(memory / HIT_BYTES).unwrap_or(MOST_HITS);
        let most_hits = most_hits.clamp(1 << 10, MOST_HITS);
        let mut answers = AnswersOf::<HitOf<E>>::default();
        // Small chunks for each thread: the first rays may be few and have many hits each.
        let (mut chunk, settings) = match self.args.query.lists_hits() {
            true => (FIRST_CHUNK, batch.chunk_size(PIECE)),
            false => (usize::MAX, batch),
        };
        let made = Rows {
            columns,
            tell: self.tell,
            is_world: self.is_world,
        };
        work(&mut |rays: &[R], emit: &mut Emit<'_>| {
            totals.undefined.look(rays);
            let mut done = 0;
            while done < rays.len() && !emit.is_closed() {
                let asked = (self.engine, self.question);
                let some = &rays[done..rays.len().min(done.saturating_add(chunk))];
                let (count, report) = ask_some(&settings, asked, some, most_hits, &mut answers)?;
                emit.put(made.of(&answers, &some[..count], done));
                done += count;
                if let AnswersOf::Rows(rows) = &answers {
                    chunk = next_chunk(chunk, rows.values.len());
                }
                match &mut totals.report {
                    None => totals.report = Some(report),
                    Some(total) => *total += report,
                }
                self.session.check_interrupt()?;
            }
            Ok(())
        })
    }
}

/// Returns the size of the next chunk: memory grows with the hits, so many hits halve the chunk.
fn next_chunk(chunk: usize, hits: usize) -> usize {
    let next = if hits < MANY_HITS {
        chunk * 2
    } else {
        chunk / 2
    };
    next.clamp(1, LAST_CHUNK)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_follow_the_number_of_hits() {
        assert_eq!(next_chunk(FIRST_CHUNK, 0), 512);
        assert_eq!(next_chunk(FIRST_CHUNK, MANY_HITS), 128);
        assert_eq!(next_chunk(LAST_CHUNK, 5), LAST_CHUNK);
        assert_eq!(next_chunk(1, usize::MAX), 1);
    }
}
