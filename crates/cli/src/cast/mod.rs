//! `estoc cast`: casts rays and prints their hits, in the order of the rays.

mod asked;
mod block_answers;
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
use crate::item_reader::Chunk;
use crate::mesh_source::MeshSource;
use crate::model::{Opened, load_mesh};
use crate::output_name::Form;
use crate::scene_model::SceneModel;
use crate::target::of_mesh;
use crate::target_hash;
use crate::tree_args::TreeArgs;
use asked::{Asked, CastRay, ask_some};
use block_answers::{BlockAnswers, output_columns};
use cast_job::{CastJob, JobInput};
use columns::{Answered, Columns, Place, RowHit};
use estoc::Ray;
use estoc::{
    BruteForce, Hit, Query as Question, Triangle,
    batch::BatchReport,
    engine::{HitOf, MeshEngine},
    glam::DVec3,
    mesh::HitDetails,
    scene::{Ray64, SceneHit},
};
use estoc_rays_io::{Emit, Format, Input, InputOptions, Item, Limits, hit_sink};
use job_args::JobArgs;
use query::Sides;
use ray_source::{RayArgs, RaySource};
use rows::{AnswersOf, Needed, Rows, Tell};
use std::collections::BTreeMap;
use undefined::Undefined;
use world::{in_world, place};

/// Rays in memory at a time, with their answers.
const CHUNK: usize = 1 << 16;
/// The size of the first chunk if a ray may have any number of answers.
const FIRST_CHUNK: usize = 1 << 8;
/// The size of the largest such chunk.
const LAST_CHUNK: usize = 1 << 12;
/// The number of hits in a chunk from which on the next chunk is smaller.
const MANY_HITS: usize = 1 << 20;
/// Rays that a thread takes at a time if a ray may have any number of answers.
const PIECE: usize = 64;

/// Cast rays at a mesh or a scene and print what they hit, as CSV in the order of the rays.
///
/// Rays at a scene, and at a mesh with --local-frame or a tree file with an origin, are given in the
/// coordinates of the world, in f64, and points are those of the world in f64. Other rays are rounded to
/// f32.
///
/// The first line of a ray file names its columns, in any order and letter case: ox,oy,oz,
/// dx,dy,dz, optionally tmin,tmax (default 0 and inf). Other columns are ignored, or passed through
/// by --columns. t is measured in lengths of the direction. An undefined ray (an origin or
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
/// Rays are read in chunks of at most 65,536, and the plan is that of the first chunk.
///
/// Example: estoc cast bunny.obj --rays rays.csv --query any --out hits.csv
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
    /// The format of the parts
    #[arg(long, value_enum, default_value_t = FileFormat::Csv, requires = "out_dir")]
    format: FileFormat,
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
    fn columns(&self, rays: &mut RaySource) -> Result<Columns, Failure> {
        let answered = Answered {
            query: self.query,
            is_scene: self.mesh.is_scene(),
        };
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
    args.job.check(args.source.is_stdin(), session)?;
    if args.job.out_dir.is_some() {
        return run_job(args, question, session);
    }
    // Open the rays first, so that a mistyped name fails before a large mesh is loaded.
    let mut rays = RaySource::open(&args.source, session)?;
    let columns = args.columns(&mut rays)?;
    let mut inputs = args.mesh.files();
    inputs.extend(args.source.file());
    let output = session.output(Form::Csv, &inputs)?;
    let begin = || Rows::begin(output, args.query, columns, session.json());
    if args.mesh.is_scene() {
        let scene = SceneModel::open(&args.mesh, args.tree, session)?;
        args.mesh
            .refuse_empty_scene(scene.seen().primitive_count())?;
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
            question,
            args,
            session,
        }
        .run(rays.in_64(&args.source), begin()?);
    }
    let cast = |engine: &(dyn MeshEngine + Sync), details: &Details<'_>, rays, rows| {
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
            question,
            args,
            session,
        }
        .run(rays, rows)
    };
    match args.engine {
        Engine::Tree => {
            let opened = Opened::open_for_world(&args.mesh, args.tree, session)?;
            if opened.origin() == DVec3::ZERO {
                let model = opened.model();
                rays.check()?;
                return cast(model.bvh, &|hit| model.details(hit), rays, begin()?);
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
                question,
                args,
                session,
            }
            .run(rays.in_64(&args.source), begin()?)
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
            rays.check()?;
            let engine = BruteForce::new(triangles);
            cast(&engine, &|hit| mesh.details(hit), rays, begin()?)
        }
    }
}

/// The format of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum FileFormat {
    /// Comma-separated values
    Csv,
    /// An array of numpy
    Npy,
    /// Apache Parquet
    Parquet,
}

impl From<FileFormat> for Format {
    fn from(format: FileFormat) -> Format {
        match format {
            FileFormat::Csv => Format::Csv,
            FileFormat::Npy => Format::Npy,
            FileFormat::Parquet => Format::Parquet,
        }
    }
}

/// Casts the rays of a file as a job.
fn run_job(args: &Args, question: Question, session: &Session) -> Result<(), Failure> {
    let (Some(out), Some(path)) = (&args.job.out_dir, args.source.path()) else {
        return Err(Failure::Usage("--out-dir requires --rays".into()));
    };
    let format = Format::from(args.format);
    let mut input = Input::<Ray>::open(path, &InputOptions::default())?;
    let answered = Answered {
        query: args.query,
        is_scene: args.mesh.is_scene(),
    };
    let columns = match &args.columns[..] {
        [] => Columns::usual(answered),
        names => {
            let (columns, passed) = Columns::chosen(names, answered, input.columns())?;
            input.pass_through(passed);
            columns
        }
    };
    let files = match path.metadata() {
        Ok(found) if found.is_dir() => Some(input.parquet_files()),
        Ok(found) if found.is_file() => Some(vec![path.to_owned()]),
        _ => None,
    };
    let mut options: BTreeMap<String, String> = BTreeMap::new();
    let mut set = |name: &str, value: String| drop(options.insert(name.to_owned(), value));
    set("query", args.query.name().to_owned());
    set("cull", args.cull.name().to_owned());
    if let Some(k) = args.k {
        set("k", k.to_string());
    }
    if !args.columns.is_empty() {
        set("columns", args.columns.join(","));
    }
    if let Some(frame) = session.local_frame_text() {
        set("local-frame", frame);
    }
    let job_input = JobInput {
        options,
        format: format.extension(),
        files,
    };
    let open = |hash: String| CastJob::open(out, &args.job, job_input, hash, session);
    let names = columns.need_names();
    let job = |hash| Ok::<_, Failure>((open(hash)?, columns));
    if args.mesh.is_scene() {
        let scene = SceneModel::open(&args.mesh, args.tree, session)?;
        args.mesh
            .refuse_empty_scene(scene.seen().primitive_count())?;
        let job = job(target_hash::of_scene(&scene, session)?)?;
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
            question,
            args,
            session,
        }
        .run_job(input.with_items::<Ray64>(), job, true);
    }
    let opened = Opened::open_for_world(&args.mesh, args.tree, session)?;
    let job = job(target_hash::of_opened(&opened, names)?)?;
    if opened.origin() == DVec3::ZERO {
        let model = opened.model();
        let tell = &|_: &Ray64, hit: &Hit, needed: Needed| {
            let details = needed.details.then(|| model.details(hit)).flatten();
            RowHit {
                hit: of_mesh(*hit),
                place: Place::of(details.as_ref()),
                details,
                source: None,
            }
        };
        let engine: &(dyn MeshEngine + Sync) = model.bvh;
        return Cast {
            engine,
            tell,
            question,
            args,
            session,
        }
        .run_job(input, job, false);
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
        question,
        args,
        session,
    }
    .run_job(input.with_items::<Ray64>(), job, true)
}

/// Looks up the details of a hit.
type Details<'a> = dyn Fn(&Hit) -> Option<HitDetails<'a>> + 'a;

/// A query with the engine that answers it.
struct Cast<'a, E: estoc::engine::Engine + ?Sized> {
    engine: &'a E,
    tell: &'a Tell<'a, HitOf<E>>,
    question: Question,
    args: &'a Args,
    session: &'a Session,
}

impl<E: estoc::engine::Engine + ?Sized> Cast<'_, E> {
    fn run<R: CastRay, I: Copy>(
        &self,
        mut source: RaySource<R>,
        mut rows: Rows,
    ) -> Result<(), Failure>
    where
        E: Asked<R, I>,
    {
        let (mut undefined, mut total) = (Undefined::default(), None);
        if let Err(failure) = self.cast_all(&mut source, &mut rows, &mut undefined, &mut total) {
            return Err(rows.fail(failure));
        }
        if self.args.explain {
            // Even an empty batch has a plan.
            let batch = self.session.batch().cull(self.args.cull.into());
            let plan = || Asked::<R, I>::plan(self.engine, &batch, self.question);
            let total = total.unwrap_or_else(|| plan().into());
            for line in total.to_string().lines() {
                self.session.note(line);
            }
            rows.end(Some(&total))?;
        } else {
            rows.end(None)?;
        }
        if let Some(note) = undefined.note() {
            self.session.note(note);
        }
        Ok(())
    }

    /// Casts the rays of a job.
    fn run_job<R: CastRay + Item, I: Copy>(
        &self,
        mut input: Input<R>,
        (job, columns): (CastJob<'_>, Columns),
        is_world: bool,
    ) -> Result<(), Failure>
    where
        E: Asked<R, I>,
    {
        let format = Format::from(self.args.format);
        let outputs = output_columns(&columns, is_world);
        let turn = BlockAnswers {
            columns: &columns,
            is_world,
        };
        let batch = self.session.batch().cull(self.args.cull.into());
        let (most, settings) = match self.args.query.lists_hits() {
            true => (LAST_CHUNK, batch.chunk_size(PIECE)),
            false => (usize::MAX, batch),
        };
        let (mut undefined, mut answers) = (Undefined::default(), AnswersOf::<HitOf<E>>::default());
        let mut answer = |rays: &[R], emit: &mut Emit<'_>| -> Result<(), Failure> {
            undefined.look(rays);
            let mut done = 0;
            while done < rays.len() && !emit.is_closed() {
                let end = done.saturating_add(most).min(rays.len());
                let asked = (self.engine, self.question);
                let (count, _) = ask_some(&settings, asked, &rays[done..end], &mut answers)?;
                emit.put(turn.of(&answers, self.tell, (&rays[done..], done)));
                done += count;
                self.session.check_interrupt()?;
            }
            Ok(())
        };
        job.run(
            &mut input,
            Limits::memory(self.session.rows_memory()),
            &|part, options| hit_sink(format, outputs.clone(), part, options),
            &mut answer,
        )?;
        if let Some(note) = undefined.note() {
            self.session.note(note);
        }
        Ok(())
    }

    /// Reads all rays and writes their rows.
    fn cast_all<R: CastRay, I: Copy>(
        &self,
        source: &mut RaySource<R>,
        rows: &mut Rows,
        undefined: &mut Undefined,
        total: &mut Option<BatchReport>,
    ) -> Result<(), Failure>
    where
        E: Asked<R, I>,
    {
        let batch = self.session.batch().cull(self.args.cull.into());
        let bar = self.session.progress("casting", source.size());
        let (mut rays, mut answers) = (Chunk::default(), AnswersOf::<HitOf<E>>::default());
        // Small chunks for each thread: the first rays may be few and have many hits each.
        let (mut chunk, settings) = match self.args.query.lists_hits() {
            true => (FIRST_CHUNK, batch.chunk_size(PIECE)),
            false => (CHUNK, batch),
        };
        loop {
            let read = source.read(&mut rays, chunk);
            // Answer the rays before a bad line, too.
            undefined.look(&rays.items);
            let mut done = 0;
            while done < rays.items.len() {
                let asked = (self.engine, self.question);
                let (count, report) =
                    ask_some(&settings, asked, &rays.items[done..], &mut answers)?;
                rows.put(&answers, self.tell, (&rays, done))?;
                done += count;
                if let AnswersOf::Rows(rows) = &answers {
                    chunk = next_chunk(chunk, rows.values.len());
                }
                match total {
                    None => *total = Some(report),
                    Some(total) => *total += report,
                }
                self.session.check_interrupt()?;
            }
            read?;
            bar.set(source.done());
            self.session.check_interrupt()?;
            if rays.items.is_empty() {
                return Ok(());
            }
        }
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
