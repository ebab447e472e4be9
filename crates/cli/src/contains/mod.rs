//! `estoc contains`: tells whether points are inside a mesh, in the order of the points.

mod columns;

use crate::closed::Closed;
use crate::common::Session;
use crate::failure::Failure;
use crate::item_reader::{Chunk, ItemReader, PassedCells};
use crate::mesh_source::MeshSource;
use crate::model::Opened;
use crate::number::counted;
use crate::output::Output;
use crate::output_name::Form;
use crate::tree_args::TreeArgs;
use columns::{Columns, Row};
use estoc::glam::Vec3;
use std::path::PathBuf;

/// Points in memory at a time, with their answers.
const CHUNK: usize = 1 << 14;

/// Print which points are inside a closed mesh, as CSV in the order of the points.
///
/// The first line of a point file names its columns, in any order and letter case: x,y,z; other
/// columns are ignored, or passed through by --columns. Without --columns, the result has the columns
/// point,inside: `point` is the index of the data row, from 0; `inside` is 1 for a point inside or
/// exactly on the surface, and 0 outside. A point that is not finite is outside. --columns selects
/// from these and accepts the names of columns of the point file, such as an id; input:NAME is the
/// input's column if both have one of that name. With --json, prints an object of schema "estoc.contains/1" with
/// the same rows as objects in `results` (inside is true or false), then `points`, the number of
/// points. A line that cannot be read ends the run with exit status 3, as with estoc cast: rows of
/// the points before it are written to stdout.
///
/// A mesh that is not closed has no inside and is rejected with exit status 3: every edge must
/// belong to an even number of triangles, as in a watertight solid, where corners at the same
/// position count as one. The message names such an edge, as estoc info MESH does.
///
/// Example: estoc contains bunny.obj --points points.csv --out inside.csv
///
/// Example: estoc contains bunny.obj --points points.csv --columns id,inside
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A mesh file, - for stdin, or demo:NAME
    #[arg(value_name = "MESH")]
    mesh: MeshSource,
    /// A CSV file of points, optionally compressed with gzip or zstd; - is stdin
    #[arg(long, value_name = "FILE")]
    points: PathBuf,
    /// The columns of the result: point, inside, and columns of the point file by name
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    columns: Vec<String>,
    #[command(flatten)]
    tree: TreeArgs,
}

pub(crate) fn run(args: &Args, session: &Session) -> Result<(), Failure> {
    let from_stdin = args.points.as_os_str() == "-";
    if from_stdin && matches!(args.mesh, MeshSource::Stdin) {
        let problem = "stdin cannot be both the mesh and the points; name a file for one of them";
        return Err(Failure::Usage(problem.into()));
    }
    // Open the points first, so that a mistyped name fails before a large mesh is loaded.
    let (mut source, progress) = ItemReader::<Vec3>::open(&args.points)?;
    for (name, known) in source.lookalikes() {
        session.note(format_args!(
            "{}: the column {name:?} is ignored; rename it to {known} to use it",
            args.points.display()
        ));
    }
    let mut columns = Columns::usual();
    if !args.columns.is_empty() {
        let (chosen, passed) = Columns::chosen(&args.columns, source.columns())?;
        source.pass_through(passed);
        columns = chosen;
    }
    let mut inputs = args.mesh.files();
    inputs.extend((!from_stdin).then_some(args.points.as_path()));
    let output = session.output(Form::Csv, &inputs)?;
    let opened = Opened::open(&args.mesh, args.tree, session)?;
    let bvh = opened.model().bvh;
    if let Closed::No(edges) = Closed::of(opened.model(), session)? {
        return Err(not_closed(&args.mesh, &format!(": {edges}")));
    }
    let mut rows = Rows::begin(output, columns, session.json())?;
    let batch = session.batch();
    let bar = session.progress("querying", progress.total());
    let (mut points, mut inside) = (Chunk::default(), Vec::new());
    let mut not_finite = 0;
    let mut ask_all = || loop {
        let read = source.read(&mut points, CHUNK);
        // Answer the points before a bad line, too.
        not_finite += (points.items.iter().filter(|point| !point.is_finite())).count();
        inside.resize(points.items.len(), None);
        batch.contains_into(bvh, &points.items, &mut inside)?;
        for (item, inside) in inside.iter().enumerate() {
            let inside = inside.ok_or_else(|| not_closed(&args.mesh, ""))?;
            rows.put(inside, (&points.cells, item))?;
        }
        read?;
        bar.set(progress.done());
        session.check_interrupt()?;
        if points.items.is_empty() {
            return Ok(());
        }
    };
    let asked = ask_all();
    if not_finite > 0 {
        let points = counted(not_finite, "point");
        session.note(format_args!(
            "{}: {points} with a coordinate that is not finite: outside",
            args.points.display()
        ));
    }
    match asked {
        Ok(()) => rows.end(),
        Err(failure) => Err(rows.fail(failure)),
    }
}

/// Writes rows of CSV or JSON as answers arrive.
struct Rows {
    output: Output,
    columns: Columns,
    json: bool,
    count: u64,
    /// Buffer for a row.
    text: Vec<u8>,
}

impl Rows {
    fn begin(mut output: Output, columns: Columns, json: bool) -> Result<Self, Failure> {
        if json {
            let schema = "estoc.contains/1";
            output.put(format_args!("{{\"schema\":\"{schema}\",\"results\":["))?;
        } else {
            output.put(format_args!("{}\n", columns.header()))?;
        }
        Ok(Rows {
            output,
            columns,
            json,
            count: 0,
            text: Vec::new(),
        })
    }

    fn put(&mut self, inside: bool, cells: (&PassedCells, usize)) -> Result<(), Failure> {
        let point = self.count;
        self.count += 1;
        let row = Row {
            point,
            inside,
            cells,
        };
        self.text.clear();
        if self.json {
            let comma: &[u8] = if point > 0 { b",\n" } else { b"\n" };
            self.text.extend_from_slice(comma);
            self.columns.put_json(&mut self.text, &row);
        } else {
            self.columns.put_csv(&mut self.text, &row);
        }
        self.output.put_bytes(&self.text)
    }

    /// Writes the text after the rows and finishes the output; only then does a file appear.
    fn end(mut self) -> Result<(), Failure> {
        if self.json {
            let end = self.rows_end();
            self.output.put(format_args!("{end}}}\n"))?;
        }
        self.output.finish()
    }

    /// Ends the result after a failure; see [`Output::fail`].
    fn fail(self, failure: Failure) -> Failure {
        let end = self.json.then(|| self.rows_end());
        self.output.fail(failure, end)
    }

    /// Returns the JSON that ends the rows.
    fn rows_end(&self) -> String {
        let line = if self.count > 0 { "\n" } else { "" };
        format!("{line}],\"points\":{}", self.count)
    }
}

/// Returns the error for a mesh that is not closed.
fn not_closed(mesh: &MeshSource, edges: &str) -> Failure {
    Failure::NotClosed(format!(
        "{mesh}: the mesh is not closed, so it has no inside{edges}; close the surface: every edge \
         must belong to an even number of triangles, where corners at the same position count as one"
    ))
}
