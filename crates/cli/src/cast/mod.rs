//! `estoc cast`: rays in, hits out, in the order of the rays.

mod rows;

use crate::common::Session;
use crate::failure::Failure;
use crate::mesh_source::{MeshSource, build};
use crate::ray_arg;
use crate::rays::RayReader;
use estoc::{BruteForce, Cull, Ray, RayQuery, Triangle};
use rows::Rows;
use std::path::PathBuf;

/// Rays that are in memory at a time, with their answers.
const CHUNK: usize = 1 << 16;

/// Cast rays at a mesh and print what they hit, as CSV in the order of the rays.
///
/// Rays come from a CSV file whose first line names its columns, in any order: ox,oy,oz,
/// dx,dy,dz, optionally tmin,tmax (0 and inf where not given); others are ignored. t counts
/// lengths of the direction. A ray that cannot be cast (a number is not finite, no
/// direction, tmin > tmax) hits nothing.
///
/// The column `ray` counts data rows from 0. Closest and all: ray,hit,t,prim,u,v, where a
/// miss is N,0,inf,-1,, (all has a row for each hit and none for a miss). Any: ray,hit.
/// Count and crossings: ray,count. `prim` counts triangles from 0 in the order of the file,
/// u and v weigh its second and third corner. With --json an object of schema
/// "estoc.cast/1" with the same rows as objects in `results` (t is null when it is not
/// finite; hit tells a miss), then `rays`, the number of rays.
///
/// Example: estoc cast bunny.obj --rays rays.csv --query any --out hits.csv
#[derive(clap::Args)]
pub(crate) struct Args {
    /// An OBJ file or demo:NAME
    mesh: MeshSource,
    #[command(flatten)]
    source: RayArgs,
    /// What to ask
    #[arg(long, value_enum, default_value_t = Query::Closest)]
    query: Query,
    /// Which sides of triangles to leave out; the front is where corners run counter-clockwise
    #[arg(long, value_enum, default_value_t = Sides::None)]
    cull: Sides,
    /// What answers: the tree, or each triangle in turn, which is slow and says the same
    #[arg(long, value_enum, default_value_t = Engine::Tree)]
    engine: Engine,
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
            Query::Count => "count",
            Query::Crossings => "crossings",
        }
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
    // Rays are opened first: a name mistyped there should not wait for a large mesh.
    let rays = RaySource::open(&args.source)?;
    let mesh = args.mesh.load(session)?;
    match args.engine {
        Engine::Tree => cast(&build(&mesh, session)?.0, rays, args, session),
        Engine::Brute => {
            let triangles: Vec<Triangle> = mesh.triangles().collect();
            cast(&BruteForce::new(triangles), rays, args, session)
        }
    }
}

fn cast(
    engine: &(impl RayQuery + Sync),
    mut source: RaySource,
    args: &Args,
    session: &Session,
) -> Result<(), Failure> {
    let batch = session.batch().cull(args.cull.into());
    let bar = session.progress("casting", source.size());
    let mut rays = Vec::new();
    let mut rows = Rows::begin(session.output()?, args.query, session.json())?;
    loop {
        source.read(&mut rays)?;
        if rays.is_empty() {
            break;
        }
        match args.query {
            Query::Closest => rows.closest(&batch.closest_hits(engine, &rays)?)?,
            Query::Any => rows.any(&batch.any_hits(engine, &rays)?)?,
            Query::All => rows.all(&batch.all_hits(engine, &rays)?)?,
            Query::Count => rows.counts(&batch.count_hits(engine, &rays)?)?,
            Query::Crossings => rows.counts(&batch.count_crossings(engine, &rays)?)?,
        }
        bar.set(source.done());
        session.check_interrupt()?;
    }
    rows.end()
}

enum RaySource {
    One(Option<Ray>),
    Csv(RayReader<Box<dyn std::io::BufRead>>, Option<u64>),
}

impl RaySource {
    fn open(args: &RayArgs) -> Result<Self, Failure> {
        match &args.rays {
            None => Ok(RaySource::One(args.ray)),
            Some(path) => {
                let (reader, size) = RayReader::open(path)?;
                Ok(RaySource::Csv(reader, size))
            }
        }
    }

    fn read(&mut self, rays: &mut Vec<Ray>) -> Result<(), Failure> {
        match self {
            RaySource::One(ray) => {
                rays.clear();
                rays.extend(ray.take());
                Ok(())
            }
            RaySource::Csv(reader, _) => Ok(reader.read(rays, CHUNK)?),
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
