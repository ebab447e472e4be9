//! A plane as an argument: `A,B,C,D`.

use crate::failure::Failure;
use crate::frame::FileFrame;
use estoc::Plane;
use estoc::glam::DVec3;
use estoc_rays_io::EitherNumber;

/// A plane, each number rounded once to either type.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlaneArg {
    pub(super) numbers: [EitherNumber; 4],
    near: Plane,
}

impl PlaneArg {
    /// Returns the plane in the coordinates of a mesh: in a local frame each number is rounded once, from
    /// the exact one.
    pub(super) fn local(&self, frame: FileFrame) -> Result<Plane, Failure> {
        if !frame.is_local() {
            return Ok(self.near);
        }
        let [a, b, c, d] = self.numbers.map(|number| number.wide);
        let plane = Plane::relative_to(frame.0, DVec3::new(a, b, c), -d);
        plane.map_err(|error| Failure::Usage(format!("--plane, in the local frame: {error}")))
    }
}

pub(super) fn parse(text: &str) -> Result<PlaneArg, String> {
    let cells = text.split(',').map(|cell| {
        let number = cell.trim().parse::<EitherNumber>();
        number.map_err(|_| format!("{cell:?} is not a number"))
    });
    let numbers = cells.collect::<Result<Vec<EitherNumber>, String>>()?;
    let Ok(numbers) = <[EitherNumber; 4]>::try_from(&numbers[..]) else {
        return Err(format!("a plane is 4 numbers, not {}", numbers.len()));
    };
    let [a, b, c, d] = numbers.map(|number| number.near);
    let near = Plane::from_offset([a, b, c], -d).map_err(|error| error.to_string())?;
    Ok(PlaneArg { numbers, near })
}
