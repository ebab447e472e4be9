//! `estoc contains`: points in, whether each is inside out, in the order of the points.

use crate::common::Session;
use crate::failure::Failure;
use crate::item_reader::ItemReader;
use crate::mesh_source::{MeshSource, shell_word};
use crate::model::Opened;
use crate::output::Output;
use estoc::glam::Vec3;
use std::io::BufRead;
use std::path::PathBuf;

/// Points that are in memory at a time, with their answers.
const CHUNK: usize = 1 << 14;

/// Tell which points are inside a closed mesh, as CSV in the order of the points.
///
/// Points come from a CSV file whose first line names its columns, in any order: x,y,z; others
/// are ignored. The rows are point,inside: `point` counts data rows from 0, `inside` is 1 inside
/// and exactly on the surface, and 0 outside. A point that is not finite is outside. With --json
/// an object of schema "estoc.contains/1" with the same rows as objects in `results` (inside is
/// true or false), then `points`, the number of points.
///
/// A mesh that is not closed has no inside and is refused, with exit status 3: every edge must
/// belong to an even number of triangles, as those of a watertight solid do, where corners at the
/// same place are one. estoc info MESH lists faults of the file that may be the reason.
///
/// Example: estoc contains bunny.obj --points points.csv --out inside.csv
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A mesh file, - for stdin, or demo:NAME
    #[arg(value_name = "MESH")]
    mesh: MeshSource,
    /// Points as CSV; - is stdin
    #[arg(long, value_name = "FILE")]
    points: PathBuf,
}

type PointReader = ItemReader<Vec3, Box<dyn BufRead>>;

pub(crate) fn run(args: &Args, session: &Session) -> Result<(), Failure> {
    let from_stdin = args.points.as_os_str() == "-";
    if from_stdin && matches!(args.mesh, MeshSource::Stdin) {
        let problem = "stdin cannot be both the mesh and the points; name a file for one of them";
        return Err(Failure::Usage(problem.into()));
    }
    // Points are opened first: a name mistyped there should not wait for a large mesh.
    let (mut source, size) = PointReader::open(&args.points)?;
    for (name, known) in source.lookalikes() {
        session.note(format_args!(
            "{}: the column {name:?} is ignored; name it {known} if it is meant",
            args.points.display()
        ));
    }
    let mut inputs = args.mesh.files();
    inputs.extend((!from_stdin).then_some(args.points.as_path()));
    let output = session.output(&inputs)?;
    let opened = Opened::open(&args.mesh, session)?;
    let bvh = opened.model().bvh;
    if !opened.model().is_closed(session)? {
        return Err(not_closed(&args.mesh));
    }
    let mut rows = Rows::begin(output, session.json())?;
    let batch = session.batch();
    let bar = session.progress("asking", size);
    let (mut points, mut inside) = (Vec::new(), Vec::new());
    loop {
        source.read(&mut points, CHUNK)?;
        if points.is_empty() {
            break;
        }
        inside.resize(points.len(), None);
        batch.contains_into(bvh, &points, &mut inside)?;
        for inside in &inside {
            rows.put(inside.ok_or_else(|| not_closed(&args.mesh))?)?;
        }
        bar.set(source.bytes());
        session.check_interrupt()?;
    }
    rows.end()
}

/// Writes rows of CSV or JSON as answers come.
struct Rows {
    output: Output,
    json: bool,
    count: u64,
}

impl Rows {
    fn begin(mut output: Output, json: bool) -> Result<Self, Failure> {
        if json {
            let schema = "estoc.contains/1";
            output.put(format_args!("{{\"schema\":\"{schema}\",\"results\":["))?;
        } else {
            output.put(format_args!("point,inside\n"))?;
        }
        Ok(Rows {
            output,
            json,
            count: 0,
        })
    }

    fn put(&mut self, inside: bool) -> Result<(), Failure> {
        let point = self.count;
        self.count += 1;
        if self.json {
            let comma = if point > 0 { "," } else { "" };
            (self.output).put(format_args!(
                "{comma}\n{{\"point\":{point},\"inside\":{inside}}}"
            ))
        } else {
            (self.output).put(format_args!("{point},{}\n", u8::from(inside)))
        }
    }

    /// Only then a file appears.
    fn end(mut self) -> Result<(), Failure> {
        if self.json {
            let line = if self.count > 0 { "\n" } else { "" };
            let points = self.count;
            (self.output).put(format_args!("{line}],\"points\":{points}}}\n"))?;
        }
        self.output.finish()
    }
}

/// Names the mesh, and the verb that says more.
fn not_closed(mesh: &MeshSource) -> Failure {
    Failure::NotClosed(format!(
        "{mesh}: the mesh is not closed, so it has no inside: some edge belongs to an odd number \
         of triangles, counting corners at the same place as one; estoc info {} lists the faults of \
         the file that may be the reason",
        shell_word(&mesh.to_string())
    ))
}
