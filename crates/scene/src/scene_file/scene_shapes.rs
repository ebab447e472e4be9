//! Spheres and boxes of scene files.

use super::SceneFileError;
use super::values::Fields;
use estoc_core::glam::Vec3;
use estoc_core::{Aabb, AabbError, Obb, ObbError, Shape, Sphere};
use std::fmt;

/// The spheres and boxes of an object of a scene file.
///
/// Their numbers in a [`ShapeList`](crate::ShapeList) are their places here: those of the spheres
/// first, in the order of the file, and then those of the boxes.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct SceneFileShapes {
    /// The spheres.
    pub spheres: Vec<Sphere>,
    /// The boxes.
    pub boxes: Vec<SceneFileBox>,
}

/// A box of a scene file.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum SceneFileBox {
    /// One between two corners.
    Aligned(Aabb),
    /// One with axes of its own.
    Oriented(OrientedBox),
}

/// A box of a scene file with axes of its own: the numbers that [`Obb::try_new`] takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OrientedBox {
    center: Vec3,
    half_sizes: Vec3,
    axes: [Vec3; 3],
}

/// The axes of a box that gives none.
const USUAL_AXES: [Vec3; 3] = [Vec3::X, Vec3::Y, Vec3::Z];

impl SceneFileShapes {
    /// Returns all as [`ShapeList::try_new`](crate::ShapeList::try_new) takes them, in the order of
    /// their numbers.
    pub fn shapes(&self) -> impl Iterator<Item = Shape> {
        let boxes = self.boxes.iter().map(|of| match of {
            SceneFileBox::Aligned(bounds) => Shape::from(*bounds),
            SceneFileBox::Oriented(of) => of.obb().into(),
        });
        let spheres = self.spheres.iter().map(|&sphere| Shape::from(sphere));
        spheres.chain(boxes)
    }
}

/// The number of each: "2 spheres, 1 box".
impl fmt::Display for SceneFileShapes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let spheres = match self.spheres.len() {
            1 => "1 sphere".to_owned(),
            n => format!("{n} spheres"),
        };
        let boxes = match self.boxes.len() {
            1 => "1 box".to_owned(),
            n => format!("{n} boxes"),
        };
        match (self.spheres.is_empty(), self.boxes.is_empty()) {
            (_, true) => f.write_str(&spheres),
            (true, false) => f.write_str(&boxes),
            (false, false) => write!(f, "{spheres}, {boxes}"),
        }
    }
}

impl OrientedBox {
    /// Returns the centre.
    pub fn center(&self) -> Vec3 {
        self.center
    }

    /// Returns the half sizes, each along the axis of its place.
    pub fn half_sizes(&self) -> Vec3 {
        self.half_sizes
    }

    /// Returns the axes.
    pub fn axes(&self) -> [Vec3; 3] {
        self.axes
    }

    /// Returns the box.
    pub fn obb(&self) -> Obb {
        let made = Obb::try_new(self.center, self.axes, self.half_sizes);
        made.expect("checked when it was read")
    }
}

/// Reads the keys `spheres` and `boxes` of an object; `None` if it has neither.
pub(super) fn read(fields: &Fields<'_>) -> Result<Option<SceneFileShapes>, SceneFileError> {
    let expected = "a list of spheres, as in [{ center = [0, 0, 0], radius = 1 }]";
    let spheres = fields.listed("spheres", "a sphere", expected)?;
    let expected = "a list of boxes, as in [{ min = [0, 0, 0], max = [1, 1, 1] }]";
    let boxes = fields.listed("boxes", "a box", expected)?;
    if spheres.is_none() && boxes.is_none() {
        return Ok(None);
    }
    let (spheres, boxes) = (spheres.unwrap_or_default(), boxes.unwrap_or_default());
    Ok(Some(SceneFileShapes {
        spheres: spheres.iter().map(sphere).collect::<Result<_, _>>()?,
        boxes: boxes.iter().map(one_box).collect::<Result<_, _>>()?,
    }))
}

fn sphere(fields: &Fields<'_>) -> Result<Sphere, SceneFileError> {
    fields.know(&["center", "radius"], "center and radius")?;
    let center = fields.needed_point("center")?;
    let radius = fields.number("radius")?;
    let radius = radius.ok_or_else(|| fields.missing("radius"))?;
    Sphere::try_new(center, radius.value).map_err(|error| SceneFileError::Sphere {
        at: fields.lines.at(radius.span),
        error,
    })
}

fn one_box(fields: &Fields<'_>) -> Result<SceneFileBox, SceneFileError> {
    let has_any = |keys: &[&str]| keys.iter().any(|key| fields.get(key).is_some());
    if has_any(&["min", "max"]) {
        fields.know(
            &["min", "max"],
            "min and max, or center, half_sizes and axes",
        )?;
        let (min, max) = (fields.needed_point("min")?, fields.needed_point("max")?);
        return match Aabb::try_new(min, max) {
            Ok(made) => Ok(SceneFileBox::Aligned(made)),
            Err(error) => Err(SceneFileError::Box {
                at: fields.lines.at(fields.span.clone()),
                error,
            }),
        };
    }
    let known = ["center", "half_sizes", "axes"];
    fields.know(&known, "center, half_sizes and axes, or min and max")?;
    if !has_any(&known) {
        return Err(fields.missing("min or the key center"));
    }
    let oriented = OrientedBox {
        center: fields.needed_point("center")?,
        half_sizes: fields.needed_point("half_sizes")?,
        axes: fields.points("axes")?.unwrap_or(USUAL_AXES),
    };
    let OrientedBox {
        center,
        half_sizes,
        axes,
    } = oriented;
    match Obb::try_new(center, axes, half_sizes) {
        Ok(_) => Ok(SceneFileBox::Oriented(oriented)),
        Err(error) => Err(SceneFileError::OrientedBox {
            at: fields.lines.at(fields.span.clone()),
            error,
        }),
    }
}

/// Writes the keys of an object, as they are read.
pub(super) fn write(shapes: &SceneFileShapes, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let has_neither = shapes.spheres.is_empty() && shapes.boxes.is_empty();
    if !shapes.spheres.is_empty() || has_neither {
        writeln!(f, "spheres = [")?;
        for sphere in &shapes.spheres {
            let (center, radius) = (TomlPoint(sphere.center()), sphere.radius());
            writeln!(f, "    {{ center = {center}, radius = {radius:?} }},")?;
        }
        writeln!(f, "]")?;
    }
    if shapes.boxes.is_empty() {
        return Ok(());
    }
    writeln!(f, "boxes = [")?;
    for of in &shapes.boxes {
        match of {
            SceneFileBox::Aligned(bounds) => {
                let (min, max) = (TomlPoint(bounds.min()), TomlPoint(bounds.max()));
                writeln!(f, "    {{ min = {min}, max = {max} }},")?;
            }
            SceneFileBox::Oriented(of) => {
                let (center, half_sizes) = (TomlPoint(of.center), TomlPoint(of.half_sizes));
                write!(f, "    {{ center = {center}, half_sizes = {half_sizes}")?;
                if of.axes != USUAL_AXES {
                    let [x, y, z] = of.axes.map(TomlPoint);
                    write!(f, ", axes = [{x}, {y}, {z}]")?;
                }
                writeln!(f, " }},")?;
            }
        }
    }
    writeln!(f, "]")
}

/// Three numbers of TOML.
struct TomlPoint(Vec3);

impl fmt::Display for TomlPoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [x, y, z] = self.0.to_array();
        write!(f, "[{x:?}, {y:?}, {z:?}]")
    }
}

/// Returns what is wrong with a box between two corners, and the way out in a scene file.
pub(super) fn problem_of_box(error: &AabbError) -> String {
    match error {
        AabbError::Inverted { min, max } => format!(
            "the box from {} to {} is inverted (min > max): swap the coordinates",
            TomlPoint(*min),
            TomlPoint(*max)
        ),
        other => other.to_string(),
    }
}

/// Returns the same for a box with axes of its own.
pub(super) fn problem_of_oriented_box(error: &ObbError) -> String {
    let way_out =
        "or leave the axes out, and turn, scale or shear the box by the matrix of a placement";
    match error {
        ObbError::NegativeHalfSize { axis, half_size } => format!(
            "the box's half size {half_size:?} along axis {axis} must not be negative: write its \
             absolute value"
        ),
        ObbError::NotUnit {
            axis,
            direction,
            length,
        } => format!(
            "the box's axis {axis}, {}, has length {length} instead of 1: normalise it, {way_out}",
            TomlPoint(*direction)
        ),
        ObbError::NotOrthogonal {
            axes: [a, b],
            cosine,
        } => format!(
            "the box's axes {a} and {b} must be at right angles, but the cosine between them is \
             {cosine}: correct them, {way_out}"
        ),
        other => other.to_string(),
    }
}
