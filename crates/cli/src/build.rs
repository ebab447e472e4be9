//! `estoc build`: writes a tree to a file.

use crate::failure::Failure;
use crate::mesh_model::{MeshModel, load_mesh};
use crate::mesh_source::MeshSource;
use crate::number::{bytes, counted, seconds as rounded};
use crate::output::ResultOutput;
use crate::output_name::Form;
use crate::session::Session;
use crate::tree_args::TreeArgs;
use estoc::query::Masks;
use estoc::{Bvh, Mesh, engine::Engine, io::TreeWriter};
use estoc_core::Coordinate;
use estoc_mesh::parts::NeededMesh;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Build a tree over a mesh and write it to a file, which every verb accepts in place of the mesh.
///
/// The file holds everything that queries need, and the faces, line numbers, objects, groups and
/// materials of the mesh, but not its texture coordinates and normals. Reading it is several times
/// as fast as reading the mesh and building the tree. The same mesh under the same name gives the
/// same bytes for any number of threads; the file includes the name. A mesh in f64, which --precision chooses,
/// becomes a tree in f64, which cast, near, contains and info accept; the other verbs need --precision f32 here.
///
/// With --json, stdout gets an object of schema "estoc.build/1": mesh, file, bytes, triangles,
/// mesh_hash (of positions and indices, the same for the same mesh), quality, layout, seconds
/// {load, build, save}, bvh {nodes, leaves, depth, sah_cost, bytes, bytes_per_triangle}.
///
/// Example: estoc build city.obj --out city.estoc --quality best
#[derive(clap::Args)]
#[command(override_usage = "estoc build [OPTIONS] <MESH> --out <FILE.estoc>")]
pub(crate) struct Args {
    /// A mesh file, - for stdin, or demo:NAME
    #[arg(value_name = "MESH")]
    mesh: MeshSource,
    #[command(flatten)]
    tree: TreeArgs,
}

pub(crate) fn run(args: &Args, session: &Session) -> Result<(), Failure> {
    let tree_to = session.binary_output("tree", Form::Tree, &args.mesh.files())?;
    let object_to = session.object_output()?;
    let start = Instant::now();
    if let Some(path) = args.mesh.f64_file(session.precision()) {
        let model = MeshModel::open_file(&args.mesh, path, TreeArgs::default(), session)?;
        let masks = Engine::masks(&**model.bvh()).cloned();
        let loaded = (model.mesh()?, masks, start.elapsed());
        return write(loaded, (tree_to, object_to), args, session);
    }
    if args.mesh.is_tree_file() {
        let (mesh, masks) = load_mesh(&args.mesh, session)?;
        let loaded = (Arc::new(mesh), masks, start.elapsed());
        return write(loaded, (tree_to, object_to), args, session);
    }
    match args.mesh.load_in_precision(session)? {
        NeededMesh::F32(mesh) => {
            let loaded = (Arc::new(mesh), None, start.elapsed());
            write(loaded, (tree_to, object_to), args, session)
        }
        NeededMesh::F64 { mesh, .. } => {
            let loaded = (Arc::new(mesh), None, start.elapsed());
            write(loaded, (tree_to, object_to), args, session)
        }
    }
}

/// Builds the tree over a mesh that was loaded with its masks in a time, and writes it.
fn write<C: Coordinate>(
    (mesh, masks, loaded): (Arc<Mesh<C>>, Option<Masks>, Duration),
    (mut tree_to, object_to): (ResultOutput, Option<ResultOutput>),
    args: &Args,
    session: &Session,
) -> Result<(), Failure> {
    let (bvh, built) = args.tree.build(&mesh, session)?;
    let bvh = bvh.with_masks(masks);

    let start = Instant::now();
    let mut written = Counted {
        to: &mut tree_to,
        bytes: 0,
    };
    {
        let bar = session.progress("writing", Some(1));
        let progress = |now| bar.show(now);
        let source = args.mesh.to_string();
        let writer = TreeWriter::new(&bvh).mesh(&mesh).source(&source);
        let writer = writer.cancel(&session.cancel).progress(&progress);
        writer.write_to(&mut written, &written_name(session))?;
    }
    let size = written.bytes;
    tree_to.sync()?;
    session.check_interrupt()?;
    tree_to.finish()?;
    let seconds = [loaded, built, start.elapsed()];

    let [load, build, save] = seconds.map(|time| format!("{:.2} s", time.as_secs_f64()));
    session.note(format_args!(
        "{}: {} in {}; loaded in {load}, built in {build}, saved in {save}",
        written_name(session),
        counted(mesh.triangle_count(), "triangle"),
        bytes(size),
    ));
    if let Some(output) = object_to {
        let hash = format!("{:016x}", mesh.content_hash());
        let object = object(args, session, &bvh, (size, hash), seconds);
        // The tree is written by now, so an interruption must not suppress the report.
        session.print_done(output, "", &object)?;
    }
    Ok(())
}

fn written_name(session: &Session) -> String {
    let out = session.out();
    out.map_or_else(|| "stdout".into(), |out| out.display().to_string())
}

fn object<C: Coordinate>(
    args: &Args,
    session: &Session,
    bvh: &Bvh<C>,
    (size, hash): (usize, String),
    seconds: [Duration; 3],
) -> Value {
    let stats = bvh.stats();
    let [load, build, save] = seconds.map(|time| rounded(time.as_secs_f64()));
    json!({
        "schema": "estoc.build/1",
        "mesh": args.mesh.to_string(),
        "file": session.out().map(|out| out.display().to_string()),
        "bytes": size,
        "triangles": stats.triangles,
        "mesh_hash": hash,
        "quality": args.tree.quality().to_string(),
        "layout": stats.layout.to_string(),
        "seconds": { "load": load, "build": build, "save": save },
        "bvh": {
            "nodes": stats.nodes,
            "leaves": stats.leaves,
            "depth": stats.depth,
            "sah_cost": stats.sah_cost,
            "bytes": stats.bytes,
            "bytes_per_triangle": stats.bytes_per_triangle(),
        },
    })
}

/// Counts the bytes written to an output.
struct Counted<'a> {
    to: &'a mut ResultOutput,
    bytes: usize,
}

impl std::io::Write for Counted<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let written = self.to.write(bytes)?;
        self.bytes += written;
        Ok(written)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.to.flush()
    }
}
