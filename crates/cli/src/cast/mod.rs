//! `estoc cast`: rays in, hits out, in the order of the rays.

mod explain;
mod rows;

use crate::common::Session;
use crate::failure::Failure;
use crate::item_reader::ItemReader;
use crate::mesh_source::MeshSource;
use crate::model::{Opened, load_mesh};
use crate::output::Output;
use crate::ray_arg;
use estoc::{
    Batch, BatchError, BatchReport, BruteForce, Cull, MeshEngine, Query as Asked, QueryAnswers,
    Ray, RayError, Triangle,
};
use rows::Rows;
use std::path::PathBuf;

/// Rays that are in memory at a time, with their answers.
const CHUNK: usize = 1 << 16;
/// The same where a ray may have any number of answers: at first, at most, and how many
/// answers let the next chunk be larger.
const FIRST_CHUNK: usize = 1 << 8;
const LAST_CHUNK: usize = 1 << 12;
const MANY_HITS: usize = 1 << 20;
/// The most hits that are in memory at a time, if they are not of one ray.
const MOST_HITS: usize = 1 << 22;
/// Rays with any number of answers that one thread takes at a time.
const PIECE: usize = 64;

/// Cast rays at a mesh and print what they hit, as CSV in the order of the rays.
///
/// Rays come from a CSV file whose first line names its columns, in any order: ox,oy,oz,
/// dx,dy,dz, optionally tmin,tmax (0 and inf where not given); others are ignored. t counts
/// lengths of the direction. A ray that cannot be cast (a number is not finite, no
/// direction, tmin > tmax) hits nothing; a note on stderr counts them.
///
/// The column `ray` counts data rows from 0. Closest and all: ray,hit,t,prim,u,v, where a
/// miss is N,0,inf,-1,, (all has a row for each hit and none for a miss, and so have first and
/// crossing-hits). Any: ray,hit. Count and crossings: ray,count. `prim` counts triangles from 0 in the order of the file,
/// u and v weigh its second and third corner. With --json an object of schema
/// "estoc.cast/1" with the same rows as objects in `results` (t is null when it is not
/// finite; hit tells a miss), then `rays`, the number of rays.
///
/// --explain says on stderr which technique was used and why: one by one, several at once
/// (interleaved), in packets or in bundles, and how many went which way in the end. No answer depends on it.
/// With --json the object has it too, as `batch`: technique, chunk_size, threads, reordered, why
/// (lines of text), one_by_one, interleaved, packets, bundles, not_asked. Rays are read some ten thousand
/// at a time, and the plan is that of the first of them.
///
/// Example: estoc cast bunny.obj --rays rays.csv --query any --out hits.csv
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A mesh file, - for stdin, or demo:NAME
    mesh: MeshSource,
    #[command(flatten)]
    source: RayArgs,
    /// What to ask
    #[arg(long, value_enum, default_value_t = Query::Closest)]
    query: Query,
    /// How many hits --query first lists of each ray
    #[arg(long, value_name = "N")]
    k: Option<usize>,
    /// Which sides of triangles to leave out; the front is where corners run counter-clockwise
    #[arg(long, value_enum, default_value_t = Sides::None)]
    cull: Sides,
    /// What answers: the tree, or each triangle in turn, which is slow and says the same
    #[arg(long, value_enum, default_value_t = Engine::Tree)]
    engine: Engine,
    /// Say on stderr which technique was used, and why
    #[arg(long)]
    explain: bool,
}

/// Where rays come from: one of these.
#[derive(clap::Args)]
#[group(required = true, multiple = false)]
struct RayArgs {
    /// Rays as CSV; - is stdin
    #[arg(long, value_name = "FILE")]
    rays: Option<PathBuf>,
    /// One ray: ox,oy,oz,dx,dy,dz or ox,oy,oz,dx,dy,dz,tmin,tmax
    #[arg(long, value_name = "NUMBERS", value_parser = ray_arg::parse, allow_hyphen_values = true)]
    ray: Option<Ray>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Query {
    /// The first hit
    Closest,
    /// Whether there is a hit
    Any,
    /// Every triangle touched, in the order of the ray
    All,
    /// How many triangles are touched
    Count,
    /// How often the surface is crossed, an edge or corner shared by triangles counting once
    Crossings,
    /// The first hits of each ray, as many as --k says
    First,
    /// Where the surface is crossed, in the order of the ray
    CrossingHits,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Sides {
    /// Both sides count
    None,
    /// Only front sides count
    Back,
    /// Only back sides count
    Front,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Engine {
    /// The bounding volume hierarchy
    Tree,
    /// Every triangle for every ray
    Brute,
}

impl Query {
    /// As written on the command line.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Query::Closest => "closest",
            Query::Any => "any",
            Query::All => "all",
            Query::First => "first",
            Query::Count => "count",
            Query::Crossings => "crossings",
            Query::CrossingHits => "crossing-hits",
        }
    }
}

impl Query {
    /// Whether a ray may have any number of rows.
    fn lists_hits(self) -> bool {
        matches!(self, Query::All | Query::First | Query::CrossingHits)
    }
}

impl Args {
    /// What is asked of each ray.
    fn question(&self) -> Result<Asked, Failure> {
        if (self.query == Query::First) != self.k.is_some() {
            let problem = "--k and --query first go together, as in --query first --k 3";
            return Err(Failure::Usage(problem.into()));
        }
        Ok(match self.query {
            Query::Closest => Asked::Closest,
            Query::Any => Asked::Any,
            Query::All => Asked::All,
            Query::First => Asked::FirstK(self.k.unwrap_or_default()),
            Query::Count => Asked::Count,
            Query::Crossings => Asked::CountCrossings,
            Query::CrossingHits => Asked::Crossings,
        })
    }
}

impl From<Sides> for Cull {
    fn from(sides: Sides) -> Cull {
        match sides {
            Sides::None => Cull::None,
            Sides::Back => Cull::Back,
            Sides::Front => Cull::Front,
        }
    }
}

pub(crate) fn run(args: &Args, session: &Session) -> Result<(), Failure> {
    let rays_from_stdin = args
        .source
        .rays
        .as_deref()
        .is_some_and(|rays| rays.as_os_str() == "-");
    if rays_from_stdin && matches!(args.mesh, MeshSource::Stdin) {
        let problem = "stdin cannot be both the mesh and the rays; name a file for one of them";
        return Err(Failure::Usage(problem.into()));
    }
    let question = args.question()?;
    // Rays are opened first: a name mistyped there should not wait for a large mesh.
    let rays = RaySource::open(&args.source, session)?;
    let mut inputs = args.mesh.files();
    inputs.extend(
        args.source
            .rays
            .as_deref()
            .filter(|rays| rays.as_os_str() != "-"),
    );
    let output = session.output(&inputs)?;
    match args.engine {
        Engine::Tree => {
            let opened = Opened::open(&args.mesh, session)?;
            cast(opened.model().bvh, question, rays, output, args, session)
        }
        Engine::Brute => {
            let mesh = load_mesh(&args.mesh, session)?;
            let bytes = mesh.triangle_count() * size_of::<Triangle>();
            session.check_room("all triangles", bytes)?;
            let triangles: Vec<Triangle> = mesh.triangles().collect();
            let engine = BruteForce::new(triangles);
            cast(&engine, question, rays, output, args, session)
        }
    }
}

fn cast(
    engine: &(dyn MeshEngine + Sync),
    question: Asked,
    mut source: RaySource,
    output: Output,
    args: &Args,
    session: &Session,
) -> Result<(), Failure> {
    let mut rows = Rows::begin(output, args.query, session.json())?;
    let batch = session.batch().cull(args.cull.into());
    let bar = session.progress("casting", source.size());
    let (mut rays, mut answers) = (Vec::new(), QueryAnswers::default());
    let mut undefined = Undefined::default();
    let mut total: Option<BatchReport> = None;
    // Small pieces: the first rays may be few and have many hits each.
    let (mut chunk, settings) = match args.query.lists_hits() {
        true => (FIRST_CHUNK, batch.chunk_size(PIECE)),
        false => (CHUNK, batch),
    };
    loop {
        source.read(&mut rays, chunk)?;
        if rays.is_empty() {
            break;
        }
        undefined.look(&rays);
        let mut rest = &rays[..];
        while !rest.is_empty() {
            let (count, report) = ask_some(&settings, (engine, question), rest, &mut answers)?;
            rows.put(&answers)?;
            rest = &rest[count..];
            if let QueryAnswers::Rows(rows) = &answers {
                chunk = next_chunk(chunk, rows.hits.len());
            }
            match &mut total {
                None => total = Some(report),
                Some(total) => *total += report,
            }
            session.check_interrupt()?;
        }
        bar.set(source.done());
    }
    if args.explain {
        // No rays have a plan, too.
        let none: &[Ray] = &[];
        let total = total.unwrap_or_else(|| batch.plan(engine, question, none).into());
        for line in total.to_string().lines() {
            session.note(line);
        }
        rows.end(Some(&total))?;
    } else {
        rows.end(None)?;
    }
    if let Some(note) = undefined.note() {
        session.note(note);
    }
    Ok(())
}

/// Asks about the first of these rays, as many as there is memory for the hits of; returns how many.
fn ask_some(
    batch: &Batch<'_>,
    (engine, question): (&(dyn MeshEngine + Sync), Asked),
    rays: &[Ray],
    answers: &mut QueryAnswers,
) -> Result<(usize, BatchReport), Failure> {
    let mut count = rays.len();
    loop {
        let batch = match count {
            1 => *batch,
            _ => batch.max_hits(MOST_HITS),
        };
        let error = match batch.ask_into(engine, question, &rays[..count], answers) {
            Ok(report) => return Ok((count, report)),
            Err(error) => error,
        };
        count = match error {
            BatchError::TooManyHits { ray, .. } => ray.max(1),
            BatchError::NoMemory { .. } if count > 1 => count / 2,
            error => return Err(error.into()),
        };
        // What did not fit is given back first.
        *answers = QueryAnswers::default();
    }
}

/// Memory goes with the hits: few rays at a time while each has many.
fn next_chunk(chunk: usize, hits: usize) -> usize {
    let next = if hits < MANY_HITS {
        chunk * 2
    } else {
        chunk / 2
    };
    next.clamp(1, LAST_CHUNK)
}

/// Counts rays that cannot be cast.
#[derive(Default)]
struct Undefined {
    rays: usize,
    count: usize,
    first: Option<(usize, RayError)>,
}

impl Undefined {
    fn look(&mut self, rays: &[Ray]) {
        for ray in rays {
            if let Err(error) = ray.check() {
                self.first.get_or_insert((self.rays, error));
                self.count += 1;
            }
            self.rays += 1;
        }
    }

    fn note(&self) -> Option<String> {
        let (index, error) = self.first.as_ref()?;
        let verb = match self.count {
            1 => "is undefined and hits",
            _ => "are undefined and hit",
        };
        let (count, rays) = (self.count, self.rays);
        let of = if rays == 1 { "ray" } else { "rays" };
        Some(format!(
            "{count} of {rays} {of} {verb} nothing (first: ray {index}: {error})"
        ))
    }
}

enum RaySource {
    One(Option<Ray>),
    Csv(Box<ItemReader<Ray, Box<dyn std::io::BufRead>>>, Option<u64>),
}

impl RaySource {
    fn open(args: &RayArgs, session: &Session) -> Result<Self, Failure> {
        match &args.rays {
            None => Ok(RaySource::One(args.ray)),
            Some(path) => {
                let (reader, size) = ItemReader::open(path)?;
                for (name, known) in reader.lookalikes() {
                    session.note(format_args!(
                        "{}: the column {name:?} is ignored; name it {known} if it is meant",
                        path.display()
                    ));
                }
                Ok(RaySource::Csv(Box::new(reader), size))
            }
        }
    }

    fn read(&mut self, rays: &mut Vec<Ray>, most: usize) -> Result<(), Failure> {
        match self {
            RaySource::One(ray) => {
                rays.clear();
                rays.extend(ray.take());
                Ok(())
            }
            RaySource::Csv(reader, _) => Ok(reader.read(rays, most)?),
        }
    }

    fn size(&self) -> Option<u64> {
        match self {
            RaySource::One(_) => None,
            RaySource::Csv(_, size) => *size,
        }
    }

    fn done(&self) -> u64 {
        match self {
            RaySource::One(_) => 0,
            RaySource::Csv(reader, _) => reader.bytes(),
        }
    }
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

    #[test]
    fn undefined_rays_are_counted_across_chunks() {
        let (good, bad) = (
            Ray::new([0.0; 3], [1.0, 0.0, 0.0]),
            Ray::new([0.0; 3], [0.0; 3]),
        );
        let mut undefined = Undefined::default();
        undefined.look(&[good, good]);
        assert_eq!(undefined.note(), None);
        undefined.look(&[good, bad]);
        assert_eq!(
            undefined.note().unwrap(),
            "1 of 4 rays is undefined and hits nothing (first: ray 3: the ray's direction must \
             not be zero)"
        );
        undefined.look(&[bad]);
        assert!(
            undefined
                .note()
                .unwrap()
                .starts_with("2 of 5 rays are undefined and hit nothing (first: ray 3: ")
        );
    }
}
