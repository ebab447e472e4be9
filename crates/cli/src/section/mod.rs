//! `estoc section`: cuts a mesh with one plane or many.

mod cut_number;
mod cuts_output;
mod plane_arg;

use crate::failure::Failure;
use crate::mesh_model::MeshModel;
use crate::mesh_source::MeshSource;
use crate::number::{counted, number_where};
use crate::output::ResultOutput;
use crate::output_name::Form;
use crate::precise_model::PreciseModel;
use crate::result_rows::rounding_note;
use crate::session::Session;
use crate::tree_args::TreeArgs;
use cut_number::CutNumber;
use cuts_output::{CutsForm, CutsOutput};
use estoc::Plane;
use estoc::query::{Section, SectionLoop};
use estoc_rays_io::{Block, Input};
use plane_arg::{MOST, PlaneArg};
use rayon::prelude::*;
use std::path::{Path, PathBuf};

/// The planes that are cut with at a time.
const PLANES: usize = 64;

/// Print the cut of a mesh with planes, as polylines in CSV, or the areas of the cuts.
///
/// The result has the columns polyline,closed,prim,edge,parameter,x,y,z, one row for each point:
/// `polyline` is the number of the polyline, from 0, and `closed` is 1 if its last point is connected
/// to the first. `prim` is the triangle whose segment begins at the point, by its index in the order
/// of the file, and at the end of an open polyline the last triangle; `edge` is the edge of that
/// triangle which the point is on, by the vertex where it starts, from 0 to 2, and `parameter` is the
/// position on it, from 0 to 1. Every number is the nearest f32 to the exact value, of a mesh in f64 the
/// nearest f64.
///
/// The cut of a closed mesh is closed. Around the inside of a mesh that faces outward it runs
/// counterclockwise, seen from the side that A,B,C points to. A corner on the plane counts as in front
/// of it: of a face in the plane, the cut has the outline where the mesh goes on behind the plane.
///
/// --planes and --every cut with many planes; the first column is then `plane`, their number from 0.
/// --areas prints the columns plane,a,b,c,d,area,loops,holes,open instead, one row for each plane: the
/// area that the polylines enclose, without holes, in square units of the mesh; the number of closed
/// polylines; how many of them are holes; and the number of open ones. A loop is a hole if it is
/// directly in a loop that is none, whichever way the triangles face. Where a polyline is open there is no area, and the cell is empty. Areas
/// are those of the exact cut, within 2^-35 of the sum of all loops.
///
/// --svg paints the polylines as seen from that side, closed ones filled by the even-odd rule, in
/// units of the mesh. At a mesh with --local-frame or a tree file with an origin, planes and x,y,z are in
/// the coordinates of the file; planes are rounded to f32 relative to the origin, x,y,z are the nearest
/// f64s to the sum of the origin and an f32, and the picture is relative to the origin. With --json, prints an object of schema "estoc.section/1": plane, closed
/// (whether all polylines are), area (null if one is open), loops, holes, polylines [{closed, area (above 0 where it runs counterclockwise), hole,
/// parent (the polyline around it, or null), points [{prim, edge, parameter, x, y, z}]}], where open polylines have neither area, hole nor
/// parent, and with --areas there are no polylines; of many planes an object of schema
/// "estoc.sections/1": sections, a list of such objects.
///
/// Example: estoc section bunny.obj --plane 0,1,0,-0.1 --out slice.csv
///
/// Example: estoc section bunny.obj --plane 0,1,0,-0.1 --out slice.csv --svg slice.svg
///
/// Example: estoc section bunny.obj --plane 0,1,0,0 --every 0.01 --areas --out areas.csv
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A mesh file, - for stdin, or demo:NAME
    #[arg(value_name = "MESH")]
    mesh: MeshSource,
    /// The plane of all points with A x + B y + C z + D = 0; A,B,C need not have length 1
    #[arg(long, value_name = "A,B,C,D", value_parser = plane_arg::parse, allow_hyphen_values = true,
          required_unless_present = "planes")]
    plane: Option<PlaneArg>,
    /// Cut with each plane of a file: CSV, NPY or Parquet with the columns a,b,c,d, at most 1,000,000
    /// planes; - is stdin
    #[arg(long, value_name = "FILE", conflicts_with = "plane")]
    planes: Option<PathBuf>,
    /// Cut with all planes parallel to --plane, at multiples of STEP from it, through the box of the mesh,
    /// from the back to the front, at most 1,000,000. STEP is a distance, whatever the length of A,B,C; D of each
    /// plane is computed in f64 and rounded
    #[arg(long, value_name = "STEP", requires = "plane", allow_negative_numbers = true,
          value_parser = number_where(|step: f64| step > 0.0 && step.is_finite(),
                                      "a distance is a finite number above 0, such as 0.25"))]
    every: Option<f64>,
    /// Print a row for each plane, with its area, instead of points
    #[arg(long)]
    areas: bool,
    /// Also write an SVG picture to a file, of one plane
    #[arg(long, value_name = "FILE", conflicts_with_all = ["planes", "every"])]
    svg: Option<PathBuf>,
    #[command(flatten)]
    tree: TreeArgs,
}

pub(crate) fn run(args: &Args, session: &Session) -> Result<(), Failure> {
    let file = args.planes.as_deref();
    let named = file.filter(|path| path.as_os_str() != "-");
    (args.mesh).refuse_stdin_twice(named != file, "the mesh and the planes")?;
    let mut inputs = args.mesh.files();
    inputs.extend(named);
    let output = session.output(Form::Csv, &inputs)?;
    let svg = args
        .svg
        .as_ref()
        .map(|path| session.output_to("--svg", path, Form::Svg, &inputs));
    let svg = svg.transpose()?;
    // Before a large mesh is loaded.
    let listed = file.map(|path| read(path, session)).transpose()?;
    let outputs = (output, svg);
    match PreciseModel::open(&args.mesh, args.tree, session)? {
        PreciseModel::F32(model) => cut(args, &model, listed, outputs, session),
        PreciseModel::F64(model) => cut(args, &model, listed, outputs, session),
    }
}

/// Cuts a mesh with the planes of a list, or with those of the options.
fn cut<C: CutNumber>(
    args: &Args,
    model: &MeshModel<C>,
    listed: Option<Vec<PlaneArg>>,
    (output, mut svg): (ResultOutput, Option<ResultOutput>),
    session: &Session,
) -> Result<(), Failure> {
    let file = args.planes.as_deref();
    let frame = model.frame();
    let given = match (args.plane, args.every) {
        (Some(plane), Some(step)) => {
            let bounds = C::bounds(model.bvh()).map(|corner| corner + frame.0);
            plane.parallel(step, bounds, C::is_wide(frame))?
        }
        (Some(plane), None) => vec![plane],
        (None, _) => listed.unwrap_or_default(),
    };
    let planes = given.iter().enumerate().map(|(number, plane)| {
        C::plane(plane, frame).map_err(|error| {
            Failure::Usage(error.to_string()).of_object(match file {
                Some(path) => format!("{}: row {number}", path.display()),
                None => format!("a plane in {}", C::NAME),
            })
        })
    });
    let planes = planes.collect::<Result<Vec<Plane<C>>, Failure>>()?;
    if frame.is_local() {
        let plane = file.map_or("--plane was", |_| "--planes were");
        let svg = svg
            .as_ref()
            .map_or("", |_| ", and --svg is relative to its origin");
        session.note(format_args!(
            "{plane} rounded to f32 in the local frame{svg}"
        ));
    }
    let form = CutsForm {
        is_json: session.json(),
        only_areas: args.areas,
        is_single: file.is_none() && args.every.is_none(),
    };
    let mut cuts = CutsOutput::begin(output, form, frame)?;
    let bar = session.progress("cutting", Some(planes.len() as u64));
    let (mut done, mut lines, mut open) = (0, 0, 0);
    for planes in planes.chunks(PLANES) {
        let sections = match session.batch().sections(C::engine(model.bvh()), planes) {
            Ok(sections) => sections,
            Err(error) => return Err(cuts.fail(error.into())),
        };
        if let (Some(mut svg), [section]) = (svg.take(), &sections[..]) {
            svg.put(format_args!("{}", section.to_svg()))?;
            svg.finish()?;
        }
        let loops_of = |section: &Section<C>| match form.has_loops() {
            true => section.loops(),
            false => Vec::new(),
        };
        let loops: Vec<Vec<SectionLoop>> = sections.par_iter().map(loops_of).collect();
        for (section, loops) in sections.iter().zip(&loops) {
            cuts.put(&given[done], section, loops)?;
            done += 1;
            lines += section.polylines.len();
            let polylines = section.polylines.iter();
            open += polylines.filter(|line| !line.is_closed).count();
        }
        bar.set(done as u64);
    }
    drop(bar);
    if lines == 0 {
        session.note(match form.is_single {
            true => "the plane does not cut the mesh",
            false => "no plane cuts the mesh",
        });
    } else if open > 0 {
        session.note(format_args!(
            "{open} of {} not closed: the mesh is open there",
            counted(lines, "polyline")
        ));
    }
    cuts.finish()
}

/// Reads the planes of a file.
fn read(path: &Path, session: &Session) -> Result<Vec<PlaneArg>, Failure> {
    let mut input: Input<PlaneArg> = session.open_items(path)?;
    let (mut planes, mut block) = (Vec::new(), Block::default());
    loop {
        session.check_interrupt()?;
        input.read(&mut block, 1 << 12)?;
        if block.items.is_empty() {
            break;
        }
        planes.append(&mut block.items);
        if planes.len() > MOST {
            let (name, most) = (path.display(), counted(MOST, "plane"));
            let problem = format!("{name}: more than {most}; use several files");
            return Err(Failure::Usage(problem));
        }
    }
    if let Some(note) = rounding_note(&input).filter(|_| !session.has_local_frame()) {
        session.note(note);
    }
    Ok(planes)
}
