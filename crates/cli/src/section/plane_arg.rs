//! A plane as an argument, `A,B,C,D`, or as a row of a file.

use crate::failure::Failure;
use crate::frame::FileFrame;
use crate::ray_arg::{numbers_of, words_of};
use estoc::Plane;
use estoc::glam::DVec3;
use estoc_core::PlaneError;
use estoc_rays_io::{EitherNumber, Item, MOST_COLUMNS};

/// The most planes of one run.
pub(super) const MOST: usize = 1_000_000;

/// A plane, each number rounded once to either type.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlaneArg(pub(super) [EitherNumber; 4]);

impl Item for PlaneArg {
    const SINGULAR: &'static str = "plane";
    const PLURAL: &'static str = "planes";
    const NAMES: &'static [&'static str] = &["a", "b", "c", "d"];
    const REQUIRED: usize = 4;
    const IS_POINT: bool = false;
    const ID: Option<&'static str> = None;
    const MASK: Option<&'static str> = None;

    type Number = EitherNumber;

    fn from_numbers(numbers: [Option<EitherNumber>; MOST_COLUMNS]) -> Self {
        let [a, b, c, d, ..] = numbers.map(Option::unwrap_or_default);
        PlaneArg([a, b, c, d])
    }
}

impl PlaneArg {
    /// Returns the plane in the coordinates of a mesh: in a local frame each number is rounded once, from
    /// the exact one.
    pub(super) fn local(&self, frame: FileFrame) -> Result<Plane, PlaneError> {
        if frame.is_local() {
            let [a, b, c, d] = self.0.map(|number| number.wide);
            return Plane::relative_to(frame.0, DVec3::new(a, b, c), -d);
        }
        let [a, b, c, d] = self.0.map(|number| number.near);
        Plane::from_offset([a, b, c], -d)
    }

    /// Returns the plane in `f64`.
    pub(super) fn wide(&self) -> Result<Plane<f64>, PlaneError> {
        let [a, b, c, d] = self.0.map(|number| number.wide);
        Plane::from_offset_f64([a, b, c], -d)
    }

    /// Returns the parallel planes through a box in the coordinates of the file, at multiples of a distance
    /// from this one, from the back to the front. Their numbers D are computed in `f64`, from the numbers of
    /// this one in `f64`, or else in `f32`.
    pub(super) fn parallel(
        &self,
        step: f64,
        [min, max]: [DVec3; 2],
        is_wide: bool,
    ) -> Result<Vec<PlaneArg>, Failure> {
        let [a, b, c, d] = self.0.map(|number| match is_wide {
            true => number.wide,
            false => number.near.into(),
        });
        let normal = DVec3::new(a, b, c);
        // The square of its length may be beyond `f64`; a power of two changes no digits.
        let exponent = normal.abs().max_element().log2().floor();
        let scale = 2f64.powi(exponent.clamp(-1000.0, 1000.0) as i32);
        let normal = normal / scale;
        let length = normal.length();
        let steps = |low: DVec3, high: DVec3| {
            let corner = DVec3::select(normal.cmpgt(DVec3::ZERO), high, low);
            (normal.dot(corner) + d / scale) / length / step
        };
        let (first, last) = (steps(max, min).ceil(), steps(min, max).floor());
        let count = last - first + 1.0;
        if !(count <= MOST as f64 && first.abs() < 2f64.powi(53)) {
            return Err(Failure::Usage(format!(
                "--every {step:?}: more than {} through the mesh; use a larger distance",
                crate::number::counted(MOST, "plane")
            )));
        }
        let planes = (0..count.max(0.0) as usize).map(|i| {
            let wide = d - (first + i as f64) * step * length * scale;
            let near = wide as f32;
            let [a, b, c, _] = self.0;
            PlaneArg([a, b, c, EitherNumber { near, wide }])
        });
        Ok(planes.collect())
    }
}

pub(super) fn parse(text: &str) -> Result<PlaneArg, String> {
    let numbers = numbers_of(&words_of(text))?;
    let plane = match numbers[..] {
        [a, b, c, d] => PlaneArg([a, b, c, d]),
        _ => return Err(format!("a plane is 4 numbers, not {}", numbers.len())),
    };
    let checked = plane.wide().map(|_| plane);
    checked.map_err(|error| error.to_string())
}
