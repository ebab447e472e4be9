//! `estoc info`: prints facts about meshes and the trees over them.

mod device_list;
mod report;
mod saved;
mod scene;
mod tree;

use crate::failure::Failure;
use crate::frame::{FileFrame, Point};
use crate::local_frame;
use crate::mesh_model::{KnownMesh, MeshModel};
use crate::mesh_source::MeshSource;
use crate::number::{Number, NumberJson, grouped};
use crate::opened::Opened;
use crate::output_name::Form;
use crate::precision::Precision;
use crate::session::Session;
use crate::surface_facts::SurfaceFacts;
use crate::tree_args::TreeArgs;
use estoc::{Aabb, mesh::Material};
use estoc_core::Coordinate;
use serde_json::{Value, json};
use std::fmt::Write;
use tree::Tree;

/// Print counts, bounds, names and faults of meshes, and the sizes of the trees over them.
///
/// A mesh file is read as its nearest f32s, to tell what that does to it, unless --precision f64 is given.
///
/// Several meshes are printed one after the other. Errors of those that cannot be read go to
/// stderr, and the exit status is that of the last error.
///
/// The row `rounding` tells how far the rounding of the file's numbers to f32 moved a vertex at most,
/// and how many different corners of triangles it made equal; `origin` is that of --local-frame. The row
/// `oriented` tells which way the triangles of a closed mesh face.
///
/// --devices lists the devices that --device of other verbs may choose, the fastest kinds first, in a build of
/// the command that has them; with --json, as an object of schema "estoc.devices/1": devices [{name, driver,
/// is_software}].
///
/// With --json, prints an object of schema "estoc.info/1" for one mesh, and for several meshes an
/// object of schema "estoc.info-list/1" whose `meshes` are such objects, or {mesh, error {status,
/// message}} for a mesh that cannot be read. Fields: mesh, triangles, vertices, origin, bounds {min,
/// max} and closed (both null without triangles), open_edges (null if there are none, else {count,
/// first {prim, line, from, to}, gap (the distance within which --weld auto closes the mesh, or null)}),
/// orientation (outwards, inwards, neither for a volume of 0, or null
/// where it is open or not consistently oriented), objects, groups, materials, report (the count of each
/// finding in the file, and where it was found first: prim, face or vertex, and line; rounding
/// {largest_movement, merged_corners, bounds_in_file {min, max} (null where nothing moved)}; weld {distance,
/// clusters, moved_vertices, widest, flattened_triangles}, null without --weld), warnings,
/// bvh {seconds, layout, nodes, leaves, max_leaf, depth, mean_depth (nodes on the path to a leaf),
/// leaf_sizes (numbers of leaves with 1, 2, ... triangles), children (numbers of nodes with 1, 2,
/// ... children), sah_cost (the expected cost of a random ray: 1 for each node of eight boxes, 0.8
/// for each leaf), expected {nodes, leaves, triangles} (the expected numbers that it visits),
/// bytes, bytes_by_part {nodes, triangles (their
/// corners), names (their numbers), tables}, shared_bytes (of the mesh, if the tree reads its
/// triangles from there), bytes_per_triangle, simd}. For a tree file, seconds is the time to read
/// it, report is null, and file has {version (of the format), writer, source (the name of the
/// mesh), bytes, mesh_hash (of its positions and indices), hash_with_masks (of the mesh and the masks of
/// its triangles; mesh_hash if there are none), quality}.
///
/// For a scene, the object is of schema "estoc.scene-info/1": scene, placements (of the file itself),
/// triangles (each counted as often as it is placed), stored_triangles (of all meshes), shapes (spheres
/// and boxes, each as often as it is placed), depth (the most placements on a path), bounds,
/// closed_meshes and open_meshes (each counted as often as it is placed; an object of spheres and boxes
/// is closed), objects [{name, source (the file or generator, or the name of an object of spheres and
/// boxes), is_scene, precision (f32 or f64, of a mesh), triangles, shapes, placed (how often, by the file
/// itself)}], tree_bytes, seconds.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Mesh files, scene files, scene:FILE.glb, - for stdin, or demo:NAME
    #[arg(required_unless_present = "devices", value_name = "MESH")]
    meshes: Vec<MeshSource>,
    /// List the devices that --device of cast, contains, render and bench may choose
    #[arg(long, conflicts_with = "meshes")]
    devices: bool,
    #[command(flatten)]
    tree: TreeArgs,
}

pub(crate) fn run(args: &Args, session: &Session) -> Result<(), Failure> {
    if args.devices {
        return device_list::print(session);
    }
    let inputs: Vec<_> = args.meshes.iter().flat_map(MeshSource::files).collect();
    let stdins = args
        .meshes
        .iter()
        .filter(|mesh| **mesh == MeshSource::Stdin);
    if stdins.count() > 1 {
        let problem = "stdin can be read only once; use - for one mesh only";
        return Err(Failure::Usage(problem.into()));
    }
    let output = session.output(Form::Text, &inputs)?;
    if let [mesh] = &args.meshes[..] {
        let (text, object) = info(mesh, args, session)?;
        return session.print(output, &text, &object);
    }
    let (mut texts, mut objects, mut failures) = (Vec::new(), Vec::new(), Vec::new());
    for mesh in &args.meshes {
        match info(mesh, args, session) {
            Ok((text, object)) => {
                texts.push(text);
                objects.push(object);
            }
            Err(Failure::Interrupted) => return Err(Failure::Interrupted),
            Err(failure) => {
                objects.push(json!({ "mesh": mesh.to_string(), "error": failure.object() }));
                failures.push(failure);
            }
        }
    }
    let object = json!({ "schema": "estoc.info-list/1", "meshes": objects });
    session.print(output, &texts.join("\n"), &object)?;
    // The caller reports the last one.
    let last = failures.pop();
    for failure in failures {
        failure.tell();
    }
    last.map_or(Ok(()), Err)
}

/// Returns the facts about one mesh, as text and as an object.
fn info(source: &MeshSource, args: &Args, session: &Session) -> Result<(String, Value), Failure> {
    if source.is_scene() {
        return scene::info(source, args.tree, session);
    }
    let is_f64 =
        source.f64_file(session.precision()).is_some() || session.precision() == Precision::F64;
    if is_f64 && let Opened::Wide(model) = Opened::open(source, args.tree, session)? {
        let surface = SurfaceFacts::of(&model, session)?;
        let [min, max] = model.bvh().bounds().map(Point::World);
        let told = Told {
            bounds: Some([min, max]),
            origin: FileFrame::FILE,
            surface: surface.objects(),
            surface_rows: surface.rows(),
            warnings: Vec::new(),
        };
        return Ok(describe(source, &model, &told));
    }
    let model = MeshModel::open_even_empty(source, session.precision(), args.tree, session)?;
    let surface = SurfaceFacts::of(&model, session)?;
    let told = Told {
        bounds: corners_in(&model.seen().bounds(), model.frame()),
        origin: model.frame(),
        surface: surface.objects(),
        surface_rows: surface.rows(),
        warnings: match &model.known {
            KnownMesh::Mesh(mesh) => source.warnings(mesh, session),
            KnownMesh::File(_) => Vec::new(),
        },
    };
    Ok(describe(source, &model, &told))
}

/// What is told of a mesh in another way in `f32` and in `f64`.
struct Told {
    /// The corners of the box around all triangles, if there are any.
    bounds: Option<[Point; 2]>,
    origin: FileFrame,
    /// The fields `closed`, `open_edges` and `orientation`.
    surface: [Value; 3],
    surface_rows: Vec<LabelledLine>,
    warnings: Vec<String>,
}

/// Returns the facts about a mesh, as text and as an object.
fn describe<C: Coordinate>(
    source: &MeshSource,
    model: &MeshModel<C>,
    told: &Told,
) -> (String, Value) {
    let bvh = model.bvh();
    let tree = Tree {
        stats: bvh.stats(),
        simd: bvh.simd_level(),
        had: match model.known {
            KnownMesh::Mesh(_) => ("built in", model.taken),
            KnownMesh::File(_) => ("read in", model.taken),
        },
    };
    (
        text(source, model, told, &tree),
        object(source, model, told, &tree),
    )
}

/// Returns the materials as JSON objects.
fn materials(all: &[Material]) -> Vec<Value> {
    let told = |m: &Material| {
        let diffuse = m.diffuse.map(|rgb| rgb.map(|x| Number(x).json()));
        json!({ "name": m.name, "defined": m.defined, "diffuse": diffuse })
    };
    all.iter().map(told).collect()
}

fn object<C: Coordinate>(
    source: &MeshSource,
    model: &MeshModel<C>,
    told: &Told,
    tree: &Tree,
) -> Value {
    let mut object = json!({ "schema": "estoc.info/1", "mesh": source.to_string() });
    let (vertices, report) = match &model.known {
        KnownMesh::Mesh(mesh) => (Some(mesh.report().vertices), report::object(mesh.report())),
        KnownMesh::File(file) => {
            object["file"] = saved::object(file);
            (file.facts().vertices, Value::Null)
        }
    };
    let [objects, groups] = model.known.object_and_group_names();
    object["triangles"] = model.bvh().triangle_count().into();
    object["vertices"] = vertices.into();
    object["origin"] = json!(told.origin.0.to_array());
    object["bounds"] = bounds(told.bounds);
    for (name, value) in ["closed", "open_edges", "orientation"]
        .iter()
        .zip(&told.surface)
    {
        object[name] = value.clone();
    }
    object["objects"] = json!(objects);
    object["groups"] = json!(groups);
    object["materials"] = materials(model.known.materials()).into();
    object["report"] = report;
    object["warnings"] = json!(told.warnings);
    object["bvh"] = tree.object();
    object
}

fn text<C: Coordinate>(
    source: &MeshSource,
    model: &MeshModel<C>,
    told: &Told,
    tree: &Tree,
) -> String {
    let (before, faces, after) = match &model.known {
        KnownMesh::Mesh(mesh) => report::rows(mesh.report()),
        KnownMesh::File(file) => saved::rows(file),
    };
    let [objects, groups] = model.known.object_and_group_names();
    let mut rows = before;
    rows.push(("triangles", grouped(model.bvh().triangle_count())));
    rows.extend(faces);
    rows.push(("bounds", span(told.bounds)));
    if told.origin.is_local() {
        rows.push(("origin", local_frame::coordinates(told.origin.0)));
    }
    if let KnownMesh::Mesh(mesh) = &model.known
        && mesh.report().rounding.largest_movement > 0.0
    {
        let loss = local_frame::loss_in_words(&mesh.report().rounding);
        rows.push(("rounding", loss));
    }
    rows.extend(told.surface_rows.iter().cloned());
    rows.push(("objects", names(objects.iter())));
    rows.push(("groups", names(groups.iter())));
    let materials = model.known.materials().iter();
    let materials = materials.map(|material| &material.name);
    rows.push(("materials", names(materials)));
    rows.push(after);
    rows.extend(tree.rows());
    let mut text = format!("{source}\n");
    for (label, value) in rows {
        let _ = writeln!(text, "  {label:<10} {value}");
    }
    text
}

/// A line of text with its label.
type LabelledLine = (&'static str, String);

/// Returns the corners of a box in a frame, if it is not empty.
fn corners_in(bounds: &Aabb, frame: FileFrame) -> Option<[Point; 2]> {
    let corners = [bounds.min(), bounds.max()].map(|corner| frame.world(corner));
    (!bounds.is_empty()).then_some(corners)
}

fn bounds(corners: Option<[Point; 2]>) -> Value {
    corners.map_or(Value::Null, |corners| {
        let [min, max] = corners.map(Point::json);
        json!({ "min": min, "max": max })
    })
}

fn span(corners: Option<[Point; 2]>) -> String {
    corners.map_or("none".into(), |corners| {
        let [min, max] = corners.map(|corner| corner.to_string().replace(',', ", "));
        format!("({min}) to ({max})")
    })
}

/// Returns the number of names, and the first of them.
fn names<'a>(names: impl ExactSizeIterator<Item = &'a String>) -> String {
    const SHOWN: usize = 6;
    let count = names.len();
    if count == 0 {
        return "none".into();
    }
    let shown: Vec<&str> = names.take(SHOWN).map(String::as_str).collect();
    let more = if count > SHOWN { ", ..." } else { "" };
    format!("{count}: {}{more}", shown.join(", "))
}
