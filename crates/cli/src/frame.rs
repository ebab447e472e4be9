//! The coordinates that the command takes and prints: those of files, also of a mesh in a local frame.

use crate::failure::Failure;
use crate::local_frame::coordinates;
use crate::number::{Number, Number64, NumberJson};
use estoc::glam::{DVec3, Vec3};
use estoc_mesh::parts::relative_to;
use estoc_rays_io::EitherNumber;
use serde_json::{Value, json};
use std::fmt::Display;

/// Where the coordinates of a mesh have their origin in those of its file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct FileFrame(pub(crate) DVec3);

/// A point in the coordinates of a file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Point {
    /// Of a mesh without a local frame.
    Near(Vec3),
    /// Of the world in `f64`.
    World(DVec3),
}

/// A point as an argument.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PointArg([EitherNumber; 3]);

impl FileFrame {
    /// Coordinates of a mesh that are those of its file.
    pub(crate) const FILE: FileFrame = FileFrame(DVec3::ZERO);

    /// Returns whether coordinates of the mesh differ from those of its file.
    pub(crate) fn is_local(self) -> bool {
        self != FileFrame::FILE
    }

    /// Returns an error if coordinates of a mesh, and those of another one in the frame `of_other`, have
    /// different origins.
    pub(crate) fn check_same(
        self,
        mesh: &dyn Display,
        (other, of_other): (&dyn Display, FileFrame),
    ) -> Result<(), Failure> {
        match self == of_other {
            true => Ok(()),
            false => Err(Failure::Usage(format!(
                "{other} has its local frame at {}, and {mesh} at {}, so their coordinates do not fit \
                 together; load both with the same --local-frame X,Y,Z",
                coordinates(of_other.0),
                coordinates(self.0)
            ))),
        }
    }

    /// Returns where a point of the mesh is in its file: the nearest `f64`s in a local frame.
    pub(crate) fn world(self, point: Vec3) -> Point {
        match self.is_local() {
            false => Point::Near(point),
            true => Point::World(point.as_dvec3() + self.0),
        }
    }

    /// Returns where a point of the file is in the mesh: the nearest `f32`s.
    pub(crate) fn local(self, point: PointArg) -> Vec3 {
        match self.is_local() {
            false => point.near(),
            true => relative_to(self.0, point.0.map(|number| number.wide).into()),
        }
    }
}

impl Point {
    pub(crate) fn to_f64(self) -> DVec3 {
        match self {
            Point::Near(point) => point.as_dvec3(),
            Point::World(point) => point,
        }
    }

    /// Returns the coordinates as JSON.
    pub(crate) fn json(self) -> Value {
        match self {
            Point::Near(point) => json!(point.to_array().map(|x| Number(x).json())),
            Point::World(point) => json!(point.to_array()),
        }
    }
}

/// As the value of an option; it parses as the same point.
impl std::fmt::Display for Point {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let numbers = match self {
            Point::Near(point) => point.to_array().map(|x| Number(x).to_string()),
            Point::World(point) => point.to_array().map(|x| Number64(x).to_string()),
        };
        f.write_str(&numbers.join(","))
    }
}

impl PointArg {
    /// Returns the point with each number rounded to `f32`.
    pub(crate) fn near(self) -> Vec3 {
        self.0.map(|number| number.near).into()
    }
}

/// Parses `x,y,z`.
impl std::str::FromStr for PointArg {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split(',').map(|word| word.trim().parse());
        let numbers: Result<Vec<EitherNumber>, _> = numbers.collect();
        let point = numbers.ok().and_then(|numbers| numbers.try_into().ok());
        let point = point.map(PointArg).filter(|point| point.near().is_finite());
        point.ok_or_else(|| "a point is three finite numbers, as in 1,2.5,-3".into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_of_a_local_frame_read_back() {
        let frame = FileFrame(DVec3::new(500_000.25, 5_200_000.0, -0.001));
        // Sums that `f64` holds.
        for point in [[0.1, -0.125, 12.0], [0.0, 0.5, 1e3]].map(Vec3::from) {
            let text = frame.world(point).to_string();
            assert_eq!(frame.local(text.parse().unwrap()), point, "{text}");
        }
        let text = FileFrame::FILE.world(Vec3::new(0.1, 0.0, -2.5)).to_string();
        assert_eq!(text, "0.1,0,-2.5");
        assert!("1,2".parse::<PointArg>().is_err() && "1,2,nan".parse::<PointArg>().is_err());
    }
}
