//! `estoc check`: reports what is wrong with a mesh before it is printed or simulated.

mod faces;
mod pairs;

use crate::failure::Failure;
use crate::faulty_edges::FaultyEdges;
use crate::mesh_model::MeshModel;
use crate::mesh_source::MeshSource;
use crate::model_number::ModelNumber;
use crate::number::{counted, grouped};
use crate::output::ResultOutput;
use crate::output_name::Form;
use crate::precise_model::PreciseModel;
use crate::session::Session;
use crate::surface_facts::SurfaceFacts;
use crate::tree_args::TreeArgs;
use crate::two_models::TwoModels;
use estoc_core::SurfaceEdge;
use faces::Faces;
use pairs::{ComparedMeshes, IntersectingPairs};
use serde_json::json;
use std::cmp::Ordering;
use std::fmt::Write;

/// Check whether a mesh is closed, consistently oriented, and free of self-intersections.
///
/// Faults are open edges (an odd number of triangles uses them), misoriented edges (used more often
/// in one direction than in the other, by more than one where the edge is open, so triangles beside each
/// other face different sides), triangles of a closed and consistently oriented mesh that face inwards
/// (its signed volume is negative; signs by the winding number are then exchanged), crowded edges (more
/// than two triangles use them), triangles without area, duplicate triangles (with the same three
/// corners), and pairs of triangles that intersect: that have a common point which does not lie between
/// the corners that they share. Corners at the same position count as one. A pair crosses if some point
/// is inside both triangles, overlaps if both lie in one plane and have a common area, and else touches.
/// All is decided by exact arithmetic on the numbers of the file; there is no tolerance.
///
/// The first pairs are listed with commands that paint them from nearby. The exit status is 1 if there
/// is any fault. A mesh file without faces is an error, as for every verb but info.
///
/// With --json, prints an object of schema "estoc.check/1": mesh, triangles, ok, closed, open_edges
/// (null if there are none, else {count, first {prim, line, from, to}, gap (the distance within which
/// --weld auto closes the mesh, or null)}), edges, misoriented_edges and
/// crowded_edges (in the same form, without gap), orientation (outwards, inwards, neither for a volume of 0,
/// or null where it is open or not consistently oriented), degenerate {count, first (a list of {prim, line})}, duplicate
/// {count, first (a list of {prim, line, of}, of being the first triangle with these corners)},
/// self_intersections {count, crossing, coplanar_overlap, touching, first (a list of {first, second,
/// kind, command})}.
///
/// --with compares with another mesh, in the same coordinates, and then only tells whether, where and how
/// the two intersect: every pair of a triangle of the first and one of the other with a common point, be it
/// only a corner that they share. Faults of either mesh by itself are not looked for. The exit status is 1
/// if any pair intersects. A mesh that is wholly inside the other does not intersect it; estoc contains
/// tells that. With --json, prints an object of schema "estoc.check-with/1": mesh, with, triangles,
/// with_triangles, ok, intersections (in the form of self_intersections; first is of MESH, second of
/// the other).
///
/// Example: estoc check part.stl
///
/// Example: estoc check bolt.stl --with plate.stl
///
/// Example: estoc check part.stl --pairs 100 --json --out report.json
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A mesh file, - for stdin, or demo:NAME
    #[arg(value_name = "MESH")]
    mesh: MeshSource,
    /// Another mesh: tell only whether, where and how the two intersect
    #[arg(long, value_name = "MESH")]
    with: Option<MeshSource>,
    /// The number of pairs to list, and of triangles of each kind of fault
    #[arg(long, value_name = "N", default_value_t = 5)]
    pairs: usize,
    #[command(flatten)]
    tree: TreeArgs,
}

pub(crate) fn run(args: &Args, session: &Session) -> Result<(), Failure> {
    let with = args.with.as_ref();
    let inputs = [Some(&args.mesh), with].into_iter().flatten();
    let inputs: Vec<_> = inputs.flat_map(MeshSource::files).collect();
    let output = session.output(Form::Text, &inputs)?;
    if let Some(with) = with {
        return compare(args, with, output, session);
    }
    match PreciseModel::open(&args.mesh, args.tree, session)? {
        PreciseModel::F32(model) => check(args, &model, output, session),
        PreciseModel::F64(model) => check(args, &model, output, session),
    }
}

/// Reports the faults of a mesh.
fn check<C: ModelNumber>(
    args: &Args,
    model: &MeshModel<C>,
    output: ResultOutput,
    session: &Session,
) -> Result<(), Failure> {
    let surface = SurfaceFacts::of(model, session)?;
    let edges = &surface.edges;
    let faulty = |noun, count, first: Option<SurfaceEdge<C>>| {
        first.map(|first| FaultyEdges::new(noun, count, first, model))
    };
    let misoriented = edges.misoriented_edges;
    let misoriented = faulty("misoriented edge", misoriented, edges.first_misoriented);
    let crowded = faulty("edge", edges.crowded_edges, edges.first_crowded);
    let faces = Faces::of(model, args.pairs, session)?;
    let meshes = ComparedMeshes {
        model,
        source: &args.mesh,
        other: None,
    };
    let pairs = IntersectingPairs::of(meshes, args.pairs, session)?;
    let inwards = match surface.volume {
        Some(Ordering::Less) => "triangles that face inwards",
        _ => "",
    };
    let faults = [
        counted(edges.open_edges, "open edge"),
        counted(edges.misoriented_edges, "misoriented edge"),
        counted(edges.crowded_edges, "crowded edge"),
        inwards.to_owned(),
        counted(faces.degenerate.count, "triangle") + " without area",
        counted(faces.duplicate.count, "duplicate triangle"),
        counted(pairs.count(), "pair") + " of triangles that intersect",
    ];
    let faults: Vec<String> = faults
        .into_iter()
        .filter(|fault| !fault.is_empty() && !fault.starts_with("0 "))
        .collect();

    let name = args.mesh.to_string();
    let commands = pairs.commands(meshes, session);
    let mut text = format!("{name}\n");
    let mut row = |label: &str, value: &str| {
        let _ = writeln!(text, "  {label:<14} {value}");
    };
    row("triangles", &grouped(model.bvh().triangle_count()));
    row("closed", &surface.closed.to_string());
    row("oriented", &oriented(misoriented.as_ref(), &surface));
    let crowded_text = crowded.as_ref().map(FaultyEdges::to_string);
    row("crowded edges", crowded_text.as_deref().unwrap_or("none"));
    row("without area", &faces.degenerate.text());
    row("duplicate", &faces.duplicate.text());
    row("intersections", &pairs.text());
    text += &pairs.listed(&commands, false);
    let [is_closed, open_edges] = surface.closed.json();
    let object = json!({
        "schema": "estoc.check/1",
        "mesh": name,
        "triangles": model.bvh().triangle_count(),
        "ok": faults.is_empty(),
        "closed": is_closed,
        "open_edges": open_edges,
        "edges": edges.edges,
        "misoriented_edges": misoriented.as_ref().map(FaultyEdges::json),
        "crowded_edges": crowded.as_ref().map(FaultyEdges::json),
        "orientation": surface.orientation_json(),
        "degenerate": faces.degenerate.object(),
        "duplicate": faces.duplicate.object(),
        "self_intersections": pairs.object(&commands),
    });
    session.print(output, &text, &object)?;
    match faults.is_empty() {
        true => Ok(()),
        false => Err(Failure::Check(format!("{name}: {}", faults.join(", ")))),
    }
}

/// Reports how the mesh intersects another one.
fn compare(
    args: &Args,
    with: &MeshSource,
    output: ResultOutput,
    session: &Session,
) -> Result<(), Failure> {
    match TwoModels::open([&args.mesh, with], args.tree, session)? {
        TwoModels::F32(models) => compare_models(args, with, &models, output, session),
        TwoModels::F64(models) => compare_models(args, with, &models, output, session),
    }
}

fn compare_models<C: ModelNumber>(
    args: &Args,
    with: &MeshSource,
    [model, other]: &[MeshModel<C>; 2],
    output: ResultOutput,
    session: &Session,
) -> Result<(), Failure> {
    let meshes = ComparedMeshes {
        model,
        source: &args.mesh,
        other: Some((other, with)),
    };
    let pairs = IntersectingPairs::of(meshes, args.pairs, session)?;
    let commands = pairs.commands(meshes, session);
    let [triangles, of_other] = [model, other].map(|model| model.bvh().triangle_count());
    let text = format!(
        "{} with {with}\n  triangles      {} and {}\n  intersections  {}\n{}",
        args.mesh,
        grouped(triangles),
        grouped(of_other),
        pairs.text(),
        pairs.listed(&commands, true),
    );
    let object = json!({
        "schema": "estoc.check-with/1",
        "mesh": args.mesh.to_string(),
        "with": with.to_string(),
        "triangles": triangles,
        "with_triangles": of_other,
        "ok": pairs.count() == 0,
        "intersections": pairs.object(&commands),
    });
    session.print(output, &text, &object)?;
    match pairs.count() {
        0 => Ok(()),
        count => Err(Failure::Check(format!(
            "{} with {with}: {} of triangles that intersect",
            args.mesh,
            counted(count, "pair")
        ))),
    }
}

/// Returns whether the triangles fit together, and which way they face.
fn oriented<C: ModelNumber>(
    misoriented: Option<&FaultyEdges>,
    surface: &SurfaceFacts<C>,
) -> String {
    match (misoriented, surface.facing()) {
        (Some(edges), _) => format!("no, {edges}"),
        (None, None) => "yes".into(),
        (None, Some(facing)) => format!("yes, {facing}"),
    }
}
