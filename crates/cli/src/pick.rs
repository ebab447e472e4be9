//! `estoc pick`: prints what is under a pixel.

use crate::failure::Failure;
use crate::found::FoundHit;
use crate::mesh_source::MeshSource;
use crate::number::Number;
use crate::output_name::Form;
use crate::scene_model::SceneModel;
use crate::session::Session;
use crate::tree_args::TreeArgs;
use crate::view_args;
use estoc::RayQuery;
use estoc::glam::Vec2;
use estoc_picture::PictureError;
use serde_json::json;
use std::fmt::Write;

/// Print what is under a pixel of the picture that `estoc render` paints with the same view.
///
/// Pixels count from 0 at the upper left corner. Whole numbers X,Y mean the centre of a pixel, and
/// numbers with a decimal point are continuous coordinates: 0.5,0.5 is the centre of the first
/// pixel.
///
/// With --json, prints an object of schema "estoc.pick/1": pixel, ray {origin, dir}, hit (null for
/// a miss, or {prim, t (the distance from where the ray starts), u, v, point, side, normal,
/// shading_normal, texcoord, face, line, object, group, material}), eye, at, up, fov and ortho (one of
/// which is null). In a scene, the hit also has
/// instance (the number of the placement in the file, from 0; for scenes in scenes, the numbers from
/// the outermost, separated by slashes), names (that of each of these placements, or null) and source
/// (the name of the object's file or generator, or of an object of spheres and boxes), and shape
/// ("sphere" or "box", or null for a triangle); points and normals are those in the world. For a
/// shape, prim counts the object's spheres and then its boxes, and what only triangles have is null, or
/// 0 for u and v.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A mesh file, a scene file, scene:FILE.glb, - for stdin, or demo:NAME
    #[arg(value_name = "MESH")]
    mesh: MeshSource,
    #[command(flatten)]
    view: view_args::Args,
    #[command(flatten)]
    tree: TreeArgs,
    /// Column and row of the pixel
    #[arg(long, value_name = "X,Y", value_parser = pixel, allow_hyphen_values = true)]
    pixel: Pixel,
}

/// A position in the picture, and the text that names it.
#[derive(Clone)]
struct Pixel {
    at: Vec2,
    text: String,
}

pub(crate) fn run(args: &Args, session: &Session) -> Result<(), Failure> {
    let viewport = Vec2::new(
        args.view.size.width() as f32,
        args.view.size.height() as f32,
    );
    let at = args.pixel.at;
    if !(at.cmpge(Vec2::ZERO).all() && at.cmple(viewport).all()) {
        let [right, bottom] = [args.view.size.width() - 1, args.view.size.height() - 1];
        return Err(Failure::Usage(format!(
            "the pixel {} is outside the picture of {}, whose last pixel is {right},{bottom}",
            args.pixel.text, args.view.size
        )));
    }
    let output = session.output(Form::Text, &args.mesh.files())?;
    let scene = SceneModel::open(&args.mesh, args.tree, session)?;
    let view = args.view.view(scene.target(), scene.frame(), session)?;
    let camera = view.camera(args.view.size).map_err(PictureError::from)?;
    let ray = camera.ray(at);
    let hit = scene.world().closest_hit(&ray);
    let found = hit.map(|hit| FoundHit::of(&scene, &ray, hit));
    // As it is cast again.
    let [origin, dir] = scene.ray_in_world(&ray);
    let text = match &found {
        None => "no hit\n".to_owned(),
        Some(found) => table(found, format!("{origin},{dir}")),
    };
    let mut object = json!({
        "schema": "estoc.pick/1",
        "pixel": [at.x, at.y],
        "ray": { "origin": origin.json(), "dir": dir.json() },
        "hit": found.as_ref().map(FoundHit::describe),
    });
    view_args::describe(&view, scene.frame(), &mut object);
    session.print(output, &text, &object)
}

fn table(found: &FoundHit<'_>, ray: String) -> String {
    let FoundHit { hit, details, .. } = found;
    let mut text = String::new();
    let mut line = |name: &str, value: String| {
        let _ = writeln!(text, "{name:<16}{value}");
    };
    let or_none = |text: Option<String>| text.unwrap_or_else(|| "none".into());
    if let Some(instance) = &found.instance {
        line("instance", instance.told());
        line("source", instance.source.clone());
        if let Some(shape) = instance.shape {
            line("shape", shape.into());
        }
    }
    if let Some(details) = details {
        let name = |name: Option<&str>| name.unwrap_or("none").to_owned();
        line("object", name(details.object));
        line("group", name(details.group));
        line("material", name(details.material.map(|m| m.name.as_str())));
    }
    line("prim", hit.prim.to_string());
    if let Some(details) = details {
        line(
            "face",
            match details.line {
                None => details.face.to_string(),
                Some(line) => format!("{} (line {line})", details.face),
            },
        );
    }
    line("side", found.side.into());
    line("point", or_none(found.point.map(|point| point.to_string())));
    line("distance", Number(hit.t).to_string());
    if details.is_some() {
        let u_v = [hit.u, hit.v].map(|x| Number(x).to_string()).join(",");
        line("barycentrics", u_v);
    }
    line("normal", or_none(found.normal.map(view_args::print)));
    if let Some(details) = details {
        line(
            "shading normal",
            or_none(details.shading_normal.map(view_args::print)),
        );
        let texcoord = |uv: Vec2| uv.to_array().map(|x| Number(x).to_string()).join(",");
        line("texture", or_none(details.texcoord.map(texcoord)));
    }
    line("ray", ray);
    text
}

/// Parses `x,y`; whole numbers mean the centre of a pixel.
fn pixel(text: &str) -> Result<Pixel, String> {
    let number = |word: &str| {
        let word = word.trim();
        match word.parse::<i32>() {
            Ok(whole) => Some(whole as f32 + 0.5),
            Err(_) => word.parse().ok().filter(|x: &f32| x.is_finite()),
        }
    };
    let at = text
        .split_once(',')
        .and_then(|(x, y)| Some(Vec2::new(number(x)?, number(y)?)))
        .ok_or("a pixel is a column and a row, as in 640,400 or 640.5,400.5")?;
    let text = text.to_owned();
    Ok(Pixel { at, text })
}
