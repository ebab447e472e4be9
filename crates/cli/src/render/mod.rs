//! `estoc render`: paints a picture of a mesh.

mod compared;

use crate::device_args::{DeviceArgs, DeviceRun, LoadedDevice};
use crate::failure::Failure;
use crate::frame::FileFrame;
use crate::mesh_source::{MeshSource, shell_word};
use crate::number::{counted, number_where, seconds as rounded};
use crate::output::ResultOutput;
use crate::output_name::Form;
use crate::picture_file;
use crate::scene_model::SceneModel;
use crate::session::Session;
use crate::tree_args::TreeArgs;
use crate::value_name::{NamedValue, one_of};
use crate::view_args;
use compared::Compared;
use estoc_picture::{Paint, Painted, PictureError, Shade, Size, Target, View, difference_picture};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::time::Instant;

/// Paint a picture of a mesh, computing every pixel by ray queries.
///
/// Writes a PNG file to --out, with the same bytes for any number of threads. Without --eye, a view
/// is chosen: objects are seen from outside, interiors from inside. The options that reproduce the
/// view are printed on stderr. The default picture casts about 300 rays for each pixel in an
/// interior: --samples 1 is a preview.
///
/// With --compare, the picture is also checked against a reference: the check fails, with exit
/// status 1, if the root mean square of the differences, in channel values from 0 to 255, is above
/// --threshold; --out is optional then. --difference shows where they differ.
///
/// With --device, a device traces camera rays, and those towards the sky for ao, unless there is --with.
///
/// With --json, stdout gets an object of schema "estoc.render/1": file, width, height, shade,
/// samples, eye, at, up, fov and ortho (one of which is null), rays, seconds, compared (null, or {file,
/// rms, most, pixels, ok}).
///
/// Example: estoc render bunny.obj --out bunny.png --shade normal --samples 1
#[derive(clap::Args)]
#[command(override_usage = "estoc render [OPTIONS] <MESH> --out <FILE.png>")]
pub(crate) struct Args {
    /// A mesh file, a scene file, scene:FILE.glb, - for stdin, or demo:NAME
    #[arg(value_name = "MESH")]
    mesh: MeshSource,
    #[command(flatten)]
    view: view_args::Args,
    #[command(flatten)]
    tree: TreeArgs,
    #[command(flatten)]
    device: DeviceArgs,
    /// What the colours show
    #[arg(long, value_parser = one_of(Shade::ALL.map(choice_of)), default_value_t = Shade::Ao)]
    shade: Shade,
    /// The mesh from which --shade distance measures, such as another scan of the same object
    #[arg(long, value_name = "MESH", required_if_eq("shade", "distance"))]
    to: Option<MeshSource>,
    /// Another mesh or scene, which is painted beside the first, in the same coordinates; --shade instance
    /// gives each a colour
    #[arg(long, value_name = "MESH")]
    with: Option<MeshSource>,
    /// Rays through each pixel, which smooth edges; ao casts 4 for each of these, and 4 more
    /// towards the sky from each hit
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=4096))]
    samples: u32,
    /// Check the picture against a reference
    #[arg(long, value_name = "FILE.png")]
    compare: Option<PathBuf>,
    /// Write a picture of the differences to the reference, from dark red for the smallest to
    /// bright yellow for the largest, over the picture in dark grey
    #[arg(long, value_name = "FILE.png", requires = "compare")]
    difference: Option<PathBuf>,
    /// Greatest root mean square difference that passes, from 0 (no difference at all) to 255
    #[arg(long, value_name = "RMS", default_value_t = 0.0, requires = "compare",
          allow_negative_numbers = true,
          value_parser = number_where(|rms: f64| (0.0..=255.0).contains(&rms),
                                      "a threshold is a number from 0 to 255"))]
    threshold: f64,
}

/// Returns a shade as a value of `--shade`.
fn choice_of(shade: Shade) -> NamedValue<Shade> {
    let help = match shade {
        Shade::Distance => "Distance from the mesh that --to names",
        shade => shade.description(),
    };
    (shade.name(), help, shade)
}

impl Args {
    /// Returns an error if the mesh or scene does not have what the shade shows.
    fn check_shade(&self) -> Result<(), Failure> {
        let lacks = match (self.shade, &self.with) {
            (Shade::Material, Some(_)) => Some("a mesh, or a scene file, without --with"),
            (shade, with) => shade.lacks(with.is_some() || self.mesh.is_scene()),
        };
        match lacks {
            None => Ok(()),
            Some(needed) => Err(Failure::Usage(format!(
                "{}: --shade {} needs {needed}; choose another --shade",
                self.mesh, self.shade
            ))),
        }
    }
}

pub(crate) fn run(args: &Args, session: &Session) -> Result<(), Failure> {
    if args.to.is_some() && args.shade != Shade::Distance {
        return Err(Failure::Usage(format!(
            "--to has no effect on --shade {}; add --shade distance",
            args.shade
        )));
    }
    args.check_shade()?;
    for other in [&args.to, &args.with].into_iter().flatten() {
        (args.mesh).refuse_stdin_twice(*other == MeshSource::Stdin, "meshes")?;
        if !other.is_scene() {
            other.check()?;
        }
    }
    let [picture_to, difference_to, object_to] = outputs(args, session)?;
    let reference = match &args.compare {
        None => None,
        Some(path) => Some((path, picture_file::read(path)?)),
    };
    if let Some((path, reference)) = &reference
        && reference.size() != args.view.size
    {
        return Err(Failure::Usage(format!(
            "{} is {}: add --size {} to compare with it",
            path.display(),
            reference.size(),
            reference.size()
        )));
    }
    let device = args.device.start(session)?;
    if let Some(device) = &device {
        device.refuse_scene(&args.mesh)?;
        if args.with.is_some() {
            device.refuse("--with")?;
        }
    }
    let scene = SceneModel::open(&args.mesh, args.tree, session)?;
    if let Some(device) = &device {
        device.refuse_shown(&args.mesh, &scene)?;
    }
    let (both, frame) = match &args.with {
        Some(with) => {
            let other = SceneModel::open(with, args.tree, session)?;
            let (both, frame) = scene.beside(&other)?;
            (Some(both), frame)
        }
        None => (None, scene.frame()),
    };
    let target = both.as_deref().map_or(scene.target(), Target::scene);
    session.check_room("the picture", args.view.size.bytes_to_paint())?;
    let view = args.view.view(target, frame, session)?;
    if args.shade == Shade::Material && !target.has_materials() {
        session.note(format_args!(
            "{}: the mesh has no materials, so everything is grey; choose another --shade",
            args.mesh
        ));
    }
    let to = match &args.to {
        Some(to) => {
            to.refuse_scene()?;
            Some(SceneModel::open(to, args.tree, session)?.world_in(frame)?)
        }
        None => None,
    };
    let loaded = match (&device, scene.mesh(), &args.with) {
        (Some(device), Some(mesh), None) => device.load(mesh.bvh(), session)?,
        _ => None,
    };
    let device = loaded.as_ref().map(LoadedDevice::run);
    let painted = match &device {
        Some(device) => target.with_engine(device.engine()),
        None => target,
    };
    let how = Paint::new(painted)
        .reference(to.as_deref())
        .shade(args.shade)
        .samples(args.samples);
    let start = Instant::now();
    let painted = paint(how, &view, args.view.size, session).map_err(Failure::from);
    let Painted { picture, rays, .. } = match &device {
        Some(device) => device.told(painted)?,
        None => painted?,
    };
    let seconds = start.elapsed().as_secs_f64();
    if let Some(note) = device.as_ref().and_then(DeviceRun::fault_note) {
        session.note(note);
    }
    let mesh_word = shell_word(&args.mesh.to_string());
    let with = MeshSource::with_option(args.with.as_ref());
    session.note(format_args!(
        "{mesh_word}{with} {}: {} in {seconds:.1} s",
        view_args::options(&view, frame),
        counted(rays, "ray")
    ));
    let difference = reference
        .as_ref()
        .map(|(path, reference)| Compared::of(path, &picture, reference, args.threshold))
        .transpose()?;
    if let (Some(output), Some((_, reference))) = (difference_to, &reference) {
        picture_file::write(output, &difference_picture(&picture, reference)?)?;
    }
    if let Some(output) = picture_to {
        picture_file::write(output, &picture)?;
    }
    if let Some(output) = object_to {
        let view = (&view, frame);
        let object = object(args, session, view, rays, seconds, difference.as_ref());
        session.print(output, "", &object)?;
    }
    match difference {
        Some(compared) if !compared.ok => Err(Failure::Check(compared.message())),
        _ => Ok(()),
    }
}

/// Paints a picture; an interruption ends it.
pub(crate) fn paint(
    how: Paint<'_>,
    view: &View,
    size: Size,
    session: &Session,
) -> Result<Painted, PictureError> {
    let bar = session.progress("painting", Some(1));
    let show = |now| bar.show(now);
    how.cancel(&session.cancel)
        .progress(&show)
        .paint(view, size)
}

/// Opens the outputs that the options request: for the picture, the differences and the object.
fn outputs(args: &Args, session: &Session) -> Result<[Option<ResultOutput>; 3], Failure> {
    let mut needed = args.mesh.files();
    needed.extend(args.compare.as_deref());
    needed.extend(
        [&args.to, &args.with]
            .into_iter()
            .flatten()
            .flat_map(MeshSource::files),
    );
    let picture = match session.named_out().is_none() && args.compare.is_some() {
        true => None,
        false => Some(session.binary_output("picture", Form::Png, &needed)?),
    };
    let out = session.out();
    needed.extend(out.as_deref());
    let difference = match &args.difference {
        None => None,
        Some(path) if path.as_os_str() == "-" => {
            let problem = "--difference must name a file, since stdout is for the picture";
            return Err(Failure::Usage(problem.into()));
        }
        Some(path) => Some(session.output_to("--difference", path, Form::Png, &needed)?),
    };
    Ok([picture, difference, session.object_output()?])
}

fn object(
    args: &Args,
    session: &Session,
    (view, frame): (&View, FileFrame),
    rays: usize,
    seconds: f64,
    compared: Option<&Compared<'_>>,
) -> Value {
    let mut object = json!({
        "schema": "estoc.render/1",
        "file": session.out().map(|out| out.display().to_string()),
        "width": args.view.size.width(),
        "height": args.view.size.height(),
        "shade": args.shade.to_string(),
        "samples": args.samples,
        "rays": rays,
        "seconds": rounded(seconds),
        "compared": compared.map(Compared::object),
    });
    view_args::describe(view, frame, &mut object);
    object
}
