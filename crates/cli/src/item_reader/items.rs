//! What a line of CSV holds.

use estoc::Ray;
use estoc::glam::Vec3;
use estoc::scene::Ray64;
use std::str::FromStr;

/// An item that one line of CSV holds.
pub(crate) trait CsvItem: Sized {
    /// Its name, for messages.
    const SINGULAR: &'static str;
    /// The plural of its name.
    const PLURAL: &'static str;
    /// The columns that are read, in the order of [`CsvItem::from_numbers`]: first the required
    /// ones, then the optional ones.
    const NAMES: &'static [&'static str];
    /// The number of required columns.
    const REQUIRED: usize;

    /// What a cell is read as.
    type Number: FromStr + Copy;

    /// Creates an item from one number for each column; `None` for a missing optional one.
    fn from_numbers(numbers: [Option<Self::Number>; MOST_COLUMNS]) -> Self;
}

/// A number of a ray in `f64`, rounded once to either type.
#[derive(Clone, Copy, Default)]
pub(crate) struct EitherNumber {
    pub(crate) near: f32,
    pub(crate) wide: f64,
}

impl FromStr for EitherNumber {
    type Err = std::num::ParseFloatError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (near, wide) = (text.parse()?, text.parse()?);
        Ok(EitherNumber { near, wide })
    }
}

impl CsvItem for Ray64 {
    const SINGULAR: &'static str = Ray::SINGULAR;
    const PLURAL: &'static str = Ray::PLURAL;
    const NAMES: &'static [&'static str] = Ray::NAMES;
    const REQUIRED: usize = Ray::REQUIRED;

    type Number = EitherNumber;

    fn from_numbers(numbers: [Option<EitherNumber>; MOST_COLUMNS]) -> Self {
        let [.., t_min, t_max] = numbers.map(|number| number.map(|number| number.near));
        let wide = numbers.map(|number| number.unwrap_or_default().wide);
        let [ox, oy, oz, dx, dy, dz, ..] = wide;
        Ray64::new([ox, oy, oz], [dx, dy, dz])
            .with_interval(t_min.unwrap_or(0.0), t_max.unwrap_or(f32::INFINITY))
    }
}

/// The largest number of columns of an item.
pub(super) const MOST_COLUMNS: usize = 8;

impl CsvItem for Ray {
    const SINGULAR: &'static str = "ray";
    const PLURAL: &'static str = "rays";
    const NAMES: &'static [&'static str] = &["ox", "oy", "oz", "dx", "dy", "dz", "tmin", "tmax"];
    const REQUIRED: usize = 6;

    type Number = f32;

    fn from_numbers(numbers: [Option<f32>; MOST_COLUMNS]) -> Self {
        let [.., t_min, t_max] = numbers;
        let [ox, oy, oz, dx, dy, dz, ..] = numbers.map(Option::unwrap_or_default);
        Ray::new([ox, oy, oz], [dx, dy, dz])
            .with_interval(t_min.unwrap_or(0.0), t_max.unwrap_or(f32::INFINITY))
    }
}

impl CsvItem for Vec3 {
    const SINGULAR: &'static str = "point";
    const PLURAL: &'static str = "points";
    const NAMES: &'static [&'static str] = &["x", "y", "z"];
    const REQUIRED: usize = 3;

    type Number = f32;

    fn from_numbers(numbers: [Option<f32>; MOST_COLUMNS]) -> Self {
        let [x, y, z, ..] = numbers.map(Option::unwrap_or_default);
        Vec3::new(x, y, z)
    }
}
