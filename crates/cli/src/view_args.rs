//! Views of a mesh: the options that `render` and `pick` share, and views as text.

use crate::failure::Failure;
use crate::frame::{FileFrame, Point, PointArg};
use crate::number::{Number, NumberJson, number_where};
use crate::session::Session;
use estoc::glam::Vec3;
use estoc_picture::{Size, Target, View, ViewOptions, ViewProjection};
use serde_json::Value;

#[derive(clap::Args)]
#[group(id = "view")]
pub(crate) struct Args {
    /// Width and height in pixels
    #[arg(long, value_name = "WxH", default_value = "1280x800")]
    pub(crate) size: Size,
    /// Position of the eye [default: chosen to show the mesh well]
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true)]
    eye: Option<PointArg>,
    /// Point that the eye looks at [default: the centre of the mesh with --eye, else chosen]
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true)]
    at: Option<PointArg>,
    /// Up direction: an axis such as y, z or -z, or X,Y,Z [default: y]
    #[arg(long, value_name = "AXIS", value_parser = direction, allow_hyphen_values = true)]
    up: Option<Vec3>,
    /// Vertical field of view in degrees [default: 40, or 60 for a chosen view from inside]
    #[arg(long, value_name = "DEGREES", allow_hyphen_values = true,
          value_parser = number_where(|angle: f32| 0.0 < angle && angle < 180.0,
                                      "a field of view must be above 0 and below 180 degrees"))]
    fov: Option<f32>,
    /// Look by parallel rays from the plane through the eye: height of what is seen, in the units of the
    /// mesh
    #[arg(long, value_name = "HEIGHT", conflicts_with = "fov", allow_hyphen_values = true,
          value_parser = number_where(|height: f32| height > 0.0 && height.is_finite(),
                                      "a height must be above 0 and finite"))]
    ortho: Option<f32>,
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
            ortho: None,
        }
    }

    /// Returns the view that the options specify, with the rest chosen for this mesh or scene in this frame.
    /// Prints a note if another up direction has to be used.
    pub(crate) fn view(
        &self,
        target: Target<'_>,
        frame: FileFrame,
        session: &Session,
    ) -> Result<View, Failure> {
        let options = ViewOptions::new()
            .eye(self.eye.map(|eye| frame.local(eye)))
            .at(self.at.map(|at| frame.local(at)))
            .up(self.up)
            .fov(self.fov)
            .ortho(self.ortho)
            .cancel(&session.cancel);
        let view = {
            let bar = session.progress("choosing a view", Some(1));
            let show = |now| bar.show(now);
            options.progress(&show).view_as_given(target, self.size)?
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

/// Returns the options that reproduce a view of a mesh in this frame.
pub(crate) fn options(view: &View, frame: FileFrame) -> String {
    let View {
        eye,
        at,
        up,
        projection,
    } = *view;
    let up = match up {
        Vec3::Y => String::new(),
        _ => format!(" --up {}", print(up)),
    };
    let (eye, at) = (frame.world(eye), frame.world(at));
    let (name, number) = match projection {
        ViewProjection::Perspective(fov) => ("fov", fov),
        ViewProjection::Orthographic(height) => ("ortho", height),
    };
    format!("--eye {eye} --at {at}{up} --{name} {}", Number(number))
}

/// Adds a view of a mesh in this frame to a JSON object.
pub(crate) fn describe(view: &View, frame: FileFrame, object: &mut Value) {
    object["eye"] = frame.world(view.eye).json();
    object["at"] = frame.world(view.at).json();
    object["up"] = json_point(view.up);
    let (fov, ortho) = match view.projection {
        ViewProjection::Perspective(fov) => (Some(fov), None),
        ViewProjection::Orthographic(height) => (None, Some(height)),
    };
    let json = |number: Option<f32>| number.map(|number| Number(number).json());
    object["fov"] = json(fov).into();
    object["ortho"] = json(ortho).into();
}

/// Returns a direction as JSON.
pub(crate) fn json_point(direction: Vec3) -> Value {
    Point::Near(direction).json()
}

/// Formats a direction as the value of an option; it parses as the same one.
pub(crate) fn print(direction: Vec3) -> String {
    Point::Near(direction).to_string()
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
    match text.parse().map(PointArg::near) {
        Ok(Vec3::ZERO) => Err("0,0,0 is not a direction".into()),
        Ok(dir) => Ok(dir),
        Err(_) => Err("up is an axis such as y, z or -z, or three numbers, as in 0,0,1".into()),
    }
}
