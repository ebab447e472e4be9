//! Views of a mesh: the options that `render` and `pick` share.

mod automatic;
mod z_up;

use crate::common::Session;
use crate::failure::Failure;
use crate::mesh_source::MeshSource;
use crate::number::Number;
use crate::picture::Size;
use crate::target::Target;
use estoc::glam::Vec3;
use estoc::{
    Camera,
    camera::{CameraError, FieldOfView, Viewport},
};
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

/// The position of an eye, the point that it looks at, and its field of view.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct View {
    pub(crate) eye: Vec3,
    pub(crate) at: Vec3,
    pub(crate) up: Vec3,
    /// Vertical, in degrees.
    pub(crate) fov: f32,
}

impl Args {
    /// Returns the view that the options specify, with the rest chosen for this mesh or scene. Prints a note
    /// if z may be up, or if another up direction has to be used.
    pub(crate) fn view(&self, target: Target<'_>, source: &MeshSource, session: &Session) -> View {
        let view = self.asked(target);
        let is_free = self.up.is_none() && self.eye.is_none();
        let may_be_up = |model| is_free && z_up::is_likely(model);
        if !matches!(source, MeshSource::Demo(_)) && target.mesh().is_some_and(may_be_up) {
            session.note(format_args!(
                "{source}: the mesh is flat along z, so z may be up; use --up z for that, or --up \
                 y to keep this view"
            ));
        }
        match view.along_up(self.size) {
            None => view,
            Some(up) => {
                session.note(format_args!(
                    "the view is parallel to --up {}; using {} as up instead",
                    print(view.up),
                    print(up)
                ));
                View { up, ..view }
            }
        }
    }

    fn asked(&self, target: Target<'_>) -> View {
        let up = self.up.unwrap_or(Vec3::Y);
        let aspect = self.size.width as f32 / self.size.height as f32;
        let bounds = target.bounds();
        let middle = 0.5 * (bounds.min() + bounds.max());
        match (self.eye, self.at) {
            (Some(eye), at) => View {
                eye,
                at: at.unwrap_or(middle),
                up,
                fov: self.fov.unwrap_or(View::FOV),
            },
            (None, at) => automatic::view(target, at, up, self.fov, aspect),
        }
    }
}

impl View {
    /// The default for objects: 40 degrees is what a 50 mm lens sees of a picture's longer side.
    const FOV: f32 = 40.0;

    /// Returns the view that shows this mesh, with y up.
    pub(crate) fn automatic(target: Target<'_>, aspect: f32) -> View {
        automatic::view(target, None, Vec3::Y, None, aspect)
    }

    /// Returns the camera of this view.
    pub(crate) fn camera(&self, size: Size) -> Result<Camera, Failure> {
        self.look_at(size)
            .map_err(|error| Failure::Usage(error.to_string()))
    }

    fn look_at(&self, size: Size) -> Result<Camera, CameraError> {
        let viewport = Viewport::new(size.width as f32, size.height as f32);
        let fov = FieldOfView::VerticalRadians(self.fov.to_radians());
        Camera::look_at(viewport, self.eye, self.at, self.up, fov)
    }

    /// Returns another up direction if the view is parallel to up. Seen from above, the direction
    /// away from the usual viewer is at the top; seen from below, at the bottom.
    fn along_up(&self, size: Size) -> Option<Vec3> {
        let Err(CameraError::Up { ahead, .. }) = self.look_at(size) else {
            return None;
        };
        let up = self.up.normalize_or(Vec3::Y);
        let back = -automatic::front(up);
        // Adding zero turns -0 into 0, so that no component prints as -0.
        let another = if ahead.dot(up) < 0.0 { back } else { -back };
        Some(another + Vec3::ZERO)
    }

    /// Returns the options that reproduce this view.
    pub(crate) fn options(&self) -> String {
        let View { eye, at, up, fov } = *self;
        let up = match up {
            Vec3::Y => String::new(),
            _ => format!(" --up {}", print(up)),
        };
        let (eye, at, fov) = (print(eye), print(at), Number(fov));
        format!("--eye {eye} --at {at}{up} --fov {fov}")
    }

    /// Adds the view to a JSON object.
    pub(crate) fn describe(&self, object: &mut Value) {
        for (name, point) in [("eye", self.eye), ("at", self.at), ("up", self.up)] {
            object[name] = json_point(point);
        }
        object["fov"] = Number(self.fov).json();
    }
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
fn direction(text: &str) -> Result<Vec3, String> {
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
