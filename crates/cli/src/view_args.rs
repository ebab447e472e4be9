//! Views of a mesh: the options that `render` and `pick` share, and views as text.

use crate::common::Session;
use crate::failure::Failure;
use crate::number::{Number, NumberJson};
use crate::target::Target;
use estoc::glam::Vec3;
use estoc_picture::{Size, View, ViewOptions};
use serde_json::Value;

#[derive(clap::Args)]
#[group(id = "view")]
pub(crate) struct Args {
    /// Width and height in pixels
    #[arg(long, value_name = "WxH", default_value = "1280x800")]
    pub(crate) size: Size,
    /// Position of the eye [default: chosen to show the mesh well]
    #[arg(long, value_name = "X,Y,Z", value_parser = point, allow_hyphen_values = true)]
    eye: Option<Vec3>,
    /// Point that the eye looks at [default: the centre of the mesh with --eye, else chosen]
    #[arg(long, value_name = "X,Y,Z", value_parser = point, allow_hyphen_values = true)]
    at: Option<Vec3>,
    /// Up direction: an axis such as y, z or -z, or X,Y,Z [default: y]
    #[arg(long, value_name = "AXIS", value_parser = direction, allow_hyphen_values = true)]
    up: Option<Vec3>,
    /// Vertical field of view in degrees [default: 40, or 60 for a chosen view from inside]
    #[arg(long, value_name = "DEGREES", value_parser = degrees, allow_hyphen_values = true)]
    fov: Option<f32>,
}

impl Args {
    /// Returns options by which all but the size and the up direction are chosen.
    #[cfg(feature = "view")]
    pub(crate) fn of_up(size: Size, up: Option<Vec3>) -> Self {
        Args {
            size,
            eye: None,
            at: None,
            up,
            fov: None,
        }
    }

    /// Returns the view that the options specify, with the rest chosen for this mesh or scene. Prints a note
    /// if another up direction has to be used.
    pub(crate) fn view(&self, target: Target<'_>, session: &Session) -> Result<View, Failure> {
        let seen = target.seen();
        let options = ViewOptions::new()
            .eye(self.eye)
            .at(self.at)
            .up(self.up)
            .fov(self.fov)
            .cancel(&session.cancel);
        let view = {
            let bar = session.progress("choosing a view", Some(1));
            let show = |now| bar.show(now);
            options.progress(&show).view_as_given(seen, self.size)?
        };
        let usable = view.with_usable_up(self.size);
        if usable.up != view.up {
            session.note(format_args!(
                "the view is parallel to --up {}; using {} as up instead",
                print(view.up),
                print(usable.up)
            ));
        }
        Ok(usable)
    }
}

/// Returns the options that reproduce a view.
pub(crate) fn options(view: &View) -> String {
    let View { eye, at, up, fov } = *view;
    let up = match up {
        Vec3::Y => String::new(),
        _ => format!(" --up {}", print(up)),
    };
    let (eye, at, fov) = (print(eye), print(at), Number(fov));
    format!("--eye {eye} --at {at}{up} --fov {fov}")
}

/// Adds a view to a JSON object.
pub(crate) fn describe(view: &View, object: &mut Value) {
    for (name, point) in [("eye", view.eye), ("at", view.at), ("up", view.up)] {
        object[name] = json_point(point);
    }
    object["fov"] = Number(view.fov).json();
}

/// Returns a point as JSON.
pub(crate) fn json_point(point: Vec3) -> Value {
    point.to_array().map(|x| Number(x).json()).to_vec().into()
}

/// Formats a point as the value of an option; it parses as the same point.
pub(crate) fn print(point: Vec3) -> String {
    point.to_array().map(|x| Number(x).to_string()).join(",")
}

/// Parses `x,y,z`.
fn point(text: &str) -> Result<Vec3, String> {
    let numbers: Result<Vec<f32>, _> = text.split(',').map(|word| word.trim().parse()).collect();
    match numbers.as_deref() {
        Ok(&[x, y, z]) if Vec3::new(x, y, z).is_finite() => Ok(Vec3::new(x, y, z)),
        _ => Err("a point is three finite numbers, as in 1,2.5,-3".into()),
    }
}

/// Parses an axis, such as `z` or `-x`, or a nonzero direction `x,y,z`.
pub(crate) fn direction(text: &str) -> Result<Vec3, String> {
    let (sign, name) = match text.strip_prefix('-') {
        Some(name) => (-1.0, name),
        None => (1.0, text.strip_prefix('+').unwrap_or(text)),
    };
    let axis = match name {
        "x" | "X" => Some(Vec3::X),
        "y" | "Y" => Some(Vec3::Y),
        "z" | "Z" => Some(Vec3::Z),
        _ => None,
    };
    if let Some(axis) = axis {
        return Ok(axis * sign + Vec3::ZERO);
    }
    match point(text) {
        Ok(Vec3::ZERO) => Err("0,0,0 is not a direction".into()),
        Ok(dir) => Ok(dir),
        Err(_) => Err("up is an axis such as y, z or -z, or three numbers, as in 0,0,1".into()),
    }
}

/// Parses a field of view in degrees.
fn degrees(text: &str) -> Result<f32, String> {
    let angle = text.parse().ok();
    angle
        .filter(|&angle| 0.0 < angle && angle < 180.0)
        .ok_or_else(|| "a field of view must be above 0 and below 180 degrees".into())
}
