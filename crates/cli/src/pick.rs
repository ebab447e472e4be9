//! `estoc pick`: prints what is under a pixel.

use crate::common::Session;
use crate::failure::Failure;
use crate::mesh_source::MeshSource;
use crate::model::Opened;
use crate::number::Number;
use crate::output_name::Form;
use crate::ray_arg;
use crate::tree_args::TreeArgs;
use crate::view;
use estoc::glam::Vec2;
use estoc::{Hit, Ray, RayQuery, Side, mesh::HitDetails};
use serde_json::{Value, json};
use std::fmt::Write;

/// Print what is under a pixel of the picture that `estoc render` paints with the same view.
///
/// Pixels count from 0 at the upper left corner. Whole numbers X,Y mean the centre of a pixel, and
/// numbers with a decimal point are continuous coordinates: 0.5,0.5 is the centre of the first
/// pixel.
///
/// With --json, prints an object of schema "estoc.pick/1": pixel, ray {origin, dir}, hit (null for
/// a miss, or {prim, t (the distance from the eye), u, v, point, side, normal, shading_normal,
/// texcoord, face, line, object, group, material}), eye, at, up, fov.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A mesh file, - for stdin, or demo:NAME
    #[arg(value_name = "MESH")]
    mesh: MeshSource,
    #[command(flatten)]
    view: view::Args,
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
    let viewport = Vec2::new(args.view.size.width as f32, args.view.size.height as f32);
    let at = args.pixel.at;
    if !(at.cmpge(Vec2::ZERO).all() && at.cmple(viewport).all()) {
        let [right, bottom] = [args.view.size.width - 1, args.view.size.height - 1];
        return Err(Failure::Usage(format!(
            "the pixel {} is outside the picture of {}, whose last pixel is {right},{bottom}",
            args.pixel.text, args.view.size
        )));
    }
    let output = session.output(Form::Text, &args.mesh.files())?;
    let opened = Opened::open(&args.mesh, args.tree, session)?;
    let model = opened.model();
    let view = args.view.view(model, &args.mesh, session);
    let ray = view.camera(args.view.size)?.ray(at);
    let hit = model.bvh.closest_hit(&ray);
    let found = hit.and_then(|hit| Some((hit, model.details(&hit)?)));
    let text = match &found {
        None => "no hit\n".to_owned(),
        Some((hit, details)) => table(&ray, hit, details),
    };
    let mut object = json!({
        "schema": "estoc.pick/1",
        "pixel": [at.x, at.y],
        "ray": { "origin": view::json_point(ray.origin), "dir": view::json_point(ray.dir) },
        "hit": found.as_ref().map(|(hit, details)| describe(&ray, hit, details)),
    });
    view.describe(&mut object);
    session.print(output, &text, &object)
}

fn table(ray: &Ray, hit: &Hit, details: &HitDetails<'_>) -> String {
    let mut text = String::new();
    let mut line = |name: &str, value: String| {
        let _ = writeln!(text, "{name:<16}{value}");
    };
    let name = |name: Option<&str>| name.unwrap_or("none").to_owned();
    line("object", name(details.object));
    line("group", name(details.group));
    line("material", name(details.material.map(|m| m.name.as_str())));
    line("prim", hit.prim.to_string());
    line(
        "face",
        match details.line {
            None => details.face.to_string(),
            Some(line) => format!("{} (line {line})", details.face),
        },
    );
    line("side", side(ray, details).into());
    line("point", view::print(details.point));
    line("distance", Number(hit.t).to_string());
    let u_v = [hit.u, hit.v].map(|x| Number(x).to_string()).join(",");
    line("barycentrics", u_v);
    line("normal", view::print(details.normal));
    let or_none = |text: Option<String>| text.unwrap_or_else(|| "none".into());
    line(
        "shading normal",
        or_none(details.shading_normal.map(view::print)),
    );
    let texcoord = |uv: Vec2| uv.to_array().map(|x| Number(x).to_string()).join(",");
    line("texture", or_none(details.texcoord.map(texcoord)));
    line("ray", ray_arg::print(ray));
    text
}

fn describe(ray: &Ray, hit: &Hit, details: &HitDetails<'_>) -> Value {
    json!({
        "prim": hit.prim.get(),
        "t": Number(hit.t).json(),
        "u": Number(hit.u).json(),
        "v": Number(hit.v).json(),
        "point": view::json_point(details.point),
        "side": side(ray, details),
        "normal": view::json_point(details.normal),
        "shading_normal": details.shading_normal.map(view::json_point),
        "texcoord": details.texcoord.map(|uv| uv.to_array().map(|x| Number(x).json())),
        "face": details.face,
        "line": details.line,
        "object": details.object,
        "group": details.group,
        "material": details.material.map(|material| &material.name),
    })
}

fn side(ray: &Ray, details: &HitDetails<'_>) -> &'static str {
    match details.side(ray) {
        Some(Side::Front) => "front",
        Some(Side::Back) => "back",
        None => "edge-on",
    }
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
