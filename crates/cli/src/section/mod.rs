//! `estoc section`: cuts a mesh with a plane.

mod plane_arg;
mod svg;

use crate::common::Session;
use crate::failure::Failure;
use crate::frame::FileFrame;
use crate::mesh_model::MeshModel;
use crate::mesh_source::MeshSource;
use crate::number::{Number, NumberJson, counted};
use crate::output_name::Form;
use crate::tree_args::TreeArgs;
use estoc::RegionQuery;
use estoc::query::Section;
use estoc_core::SectionPoint;
use plane_arg::PlaneArg;
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::PathBuf;

/// Print the cut of a mesh with a plane, as polylines in CSV.
///
/// The result has the columns polyline,closed,prim,edge,parameter,x,y,z, one row for each point:
/// `polyline` is the number of the polyline, from 0, and `closed` is 1 if its last point is connected
/// to the first. `prim` is the triangle whose segment begins at the point, by its index in the order
/// of the file, and at the end of an open polyline the last triangle; `edge` is the edge of that
/// triangle which the point is on, by the vertex where it starts, from 0 to 2, and `parameter` is the
/// position on it, from 0 to 1. Every number is the nearest f32 to the exact value.
///
/// The cut of a closed mesh is closed. Around the inside of a mesh that faces outward it runs
/// counterclockwise, seen from the side that A,B,C points to. A corner on the plane counts as in front
/// of it: of a face in the plane, the cut has the outline where the mesh goes on behind the plane.
///
/// --svg paints the polylines as seen from that side, closed ones filled by the even-odd rule, in
/// units of the mesh. At a mesh with --local-frame or a tree file with an origin, --plane and x,y,z are in
/// the coordinates of the file; the plane is rounded to f32 relative to the origin, x,y,z are the nearest
/// f64s to the sum of the origin and an f32, and the picture is relative to the origin. With --json, prints an object of schema "estoc.section/1": plane, closed
/// (whether all polylines are), polylines [{closed, points [{prim, edge, parameter, x, y, z}]}].
///
/// Example: estoc section bunny.obj --plane 0,1,0,-0.1 --out slice.csv
///
/// Example: estoc section bunny.obj --plane 0,1,0,-0.1 --out slice.csv --svg slice.svg
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A mesh file, - for stdin, or demo:NAME
    #[arg(value_name = "MESH")]
    mesh: MeshSource,
    /// The plane of all points with A x + B y + C z + D = 0; A,B,C need not have length 1
    #[arg(long, value_name = "A,B,C,D", value_parser = plane_arg::parse, allow_hyphen_values = true)]
    plane: PlaneArg,
    /// Also write an SVG picture to a file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    tree: TreeArgs,
}

pub(crate) fn run(args: &Args, session: &Session) -> Result<(), Failure> {
    let output = session.output(Form::Csv, &args.mesh.files())?;
    let svg = args
        .svg
        .as_ref()
        .map(|path| session.output_to("--svg", path, Form::Svg, &args.mesh.files()));
    let svg = svg.transpose()?;
    let model = MeshModel::open(&args.mesh, args.tree, session)?;
    let frame = model.frame();
    let plane = args.plane.local(frame)?;
    if frame.is_local() {
        session.note(match args.svg {
            None => "--plane was rounded to f32 in the local frame",
            Some(_) => {
                "--plane was rounded to f32 in the local frame, and --svg is relative to its origin"
            }
        });
    }
    let section = model.bvh().section(&plane);
    let count = section.polylines.len();
    let lines = section.polylines.iter();
    let open = lines.filter(|line| !line.is_closed).count();
    if section.is_empty() {
        session.note("the plane does not cut the mesh");
    } else if open > 0 {
        session.note(format_args!(
            "{open} of {} not closed: the mesh is open there",
            counted(count, "polyline")
        ));
    }
    session.check_interrupt()?;
    if let Some(mut svg) = svg {
        svg.put(format_args!("{}", svg::picture(&section, &plane)))?;
        svg.finish()?;
    }
    match session.json() {
        true => session.print_done(output, "", &object(args, &section, frame)),
        false => session.print_done(output, &csv(&section, frame), &Value::Null),
    }
}

fn csv(section: &Section, frame: FileFrame) -> String {
    let mut text = "polyline,closed,prim,edge,parameter,x,y,z\n".to_owned();
    for (number, polyline) in section.polylines.iter().enumerate() {
        let is_closed = u8::from(polyline.is_closed);
        for point in &polyline.points {
            let SectionPoint { prim, edge, .. } = point;
            let (parameter, point) = (Number(point.parameter), frame.world(point.point));
            let _ = writeln!(
                text,
                "{number},{is_closed},{prim},{edge},{parameter},{point}"
            );
        }
    }
    text
}

fn object(args: &Args, section: &Section, frame: FileFrame) -> Value {
    let point = |point: &SectionPoint| {
        let parameter = Number(point.parameter).json();
        let SectionPoint { prim, edge, .. } = point;
        let at = frame.world(point.point).json();
        json!({
            "prim": prim.get(), "edge": edge, "parameter": parameter,
            "x": at[0], "y": at[1], "z": at[2],
        })
    };
    let polylines = section.polylines.iter().map(|polyline| {
        let points: Vec<Value> = polyline.points.iter().map(point).collect();
        json!({ "closed": polyline.is_closed, "points": points })
    });
    json!({
        "schema": "estoc.section/1",
        "plane": args.plane.numbers.map(|number| match frame.is_local() {
            false => Number(number.near).json(),
            true => number.wide.into(),
        }),
        "closed": section.is_closed(),
        "polylines": polylines.collect::<Vec<_>>(),
    })
}
