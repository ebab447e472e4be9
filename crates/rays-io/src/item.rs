//! What a row of a file of rays or points holds.

use estoc_core::glam::{DVec3, Vec3};
use estoc_core::{InlineMap, Ray, Ray64};
use std::str::FromStr;

/// The largest number of columns of an item.
pub const MOST_COLUMNS: usize = 8;

/// An item that one row of a file holds: a [`Ray`], a [`Ray64`] or a point, in numbers of either type.
pub trait Item: Copy + Send + Sync + 'static {
    /// Its name, for messages.
    const SINGULAR: &'static str;
    /// The plural of its name.
    const PLURAL: &'static str;
    /// The columns that are read, in the order of [`Item::from_numbers`]: first the required ones,
    /// then the optional ones.
    const NAMES: &'static [&'static str];
    /// The number of required columns.
    const REQUIRED: usize;
    /// Whether it is a point, which other files hold, too: PLY, and text without names of columns.
    const IS_POINT: bool = false;
    /// The column of whole numbers that names the items, if they have one.
    const ID: Option<&'static str>;
    /// The column of whole numbers that are the items' masks, if they have one.
    const MASK: Option<&'static str> = None;

    /// What a number of the file is read as.
    type Number: ItemNumber;

    /// Creates an item from one number for each column; `None` for a missing optional one.
    fn from_numbers(numbers: [Option<Self::Number>; MOST_COLUMNS]) -> Self;

    /// Returns the number of values of these columns that are rounded when they are read from `f64`.
    #[inline]
    fn rounded(numbers: &[Option<f64>; MOST_COLUMNS]) -> usize {
        let given = numbers.iter().flatten();
        given.filter(|&&x| Self::Number::rounds(x)).count()
    }
}

/// A number as an item keeps it: rounded once from text or from `f64`.
pub trait ItemNumber: FromStr + From<f32> + Copy + Send + Sync + 'static {
    /// Returns the number, rounded once where it does not fit.
    fn of_f64(number: f64) -> Self;

    /// Returns whether a number is rounded, which NaN is not.
    fn rounds(number: f64) -> bool;
}

impl ItemNumber for f32 {
    #[inline]
    fn of_f64(number: f64) -> f32 {
        number as f32
    }

    #[inline]
    fn rounds(number: f64) -> bool {
        f64::from(number as f32) != number && !number.is_nan()
    }
}

impl ItemNumber for f64 {
    #[inline]
    fn of_f64(number: f64) -> f64 {
        number
    }

    fn rounds(_: f64) -> bool {
        false
    }
}

/// A number, rounded once to either type.
#[derive(Clone, Copy, Debug, Default)]
pub struct EitherNumber {
    /// The nearest `f32`.
    pub near: f32,
    /// The nearest `f64`.
    pub wide: f64,
}

impl FromStr for EitherNumber {
    type Err = std::num::ParseFloatError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (near, wide) = (text.parse()?, text.parse()?);
        Ok(EitherNumber { near, wide })
    }
}

impl From<f32> for EitherNumber {
    #[inline]
    fn from(near: f32) -> Self {
        let wide = near.into();
        EitherNumber { near, wide }
    }
}

impl ItemNumber for EitherNumber {
    #[inline]
    fn of_f64(wide: f64) -> Self {
        let near = wide as f32;
        EitherNumber { near, wide }
    }

    #[inline]
    fn rounds(number: f64) -> bool {
        f32::rounds(number)
    }
}

impl Item for Ray64 {
    const SINGULAR: &'static str = Ray::SINGULAR;
    const PLURAL: &'static str = Ray::PLURAL;
    const NAMES: &'static [&'static str] = Ray::NAMES;
    const REQUIRED: usize = Ray::REQUIRED;
    const ID: Option<&'static str> = Ray::ID;
    const MASK: Option<&'static str> = Ray::MASK;

    type Number = f64;

    #[inline]
    fn from_numbers(numbers: [Option<f64>; MOST_COLUMNS]) -> Self {
        let [.., t_min, t_max] = numbers;
        let [ox, oy, oz, dx, dy, dz, ..] = numbers.inline_map(Option::unwrap_or_default);
        Ray64::new([ox, oy, oz], [dx, dy, dz])
            .with_interval(t_min.unwrap_or(0.0), t_max.unwrap_or(f64::INFINITY))
    }
}

impl Item for Ray {
    const SINGULAR: &'static str = "ray";
    const PLURAL: &'static str = "rays";
    const NAMES: &'static [&'static str] = &["ox", "oy", "oz", "dx", "dy", "dz", "tmin", "tmax"];
    const REQUIRED: usize = 6;
    const ID: Option<&'static str> = Some("ray_id");
    const MASK: Option<&'static str> = Some("mask");

    type Number = f32;

    #[inline]
    fn from_numbers(numbers: [Option<f32>; MOST_COLUMNS]) -> Self {
        let [.., t_min, t_max] = numbers;
        let [ox, oy, oz, dx, dy, dz, ..] = numbers.inline_map(Option::unwrap_or_default);
        Ray::new([ox, oy, oz], [dx, dy, dz])
            .with_interval(t_min.unwrap_or(0.0), t_max.unwrap_or(f32::INFINITY))
    }
}

impl Item for Vec3 {
    const SINGULAR: &'static str = "point";
    const PLURAL: &'static str = "points";
    const NAMES: &'static [&'static str] = &["x", "y", "z"];
    const REQUIRED: usize = 3;
    const IS_POINT: bool = true;
    const ID: Option<&'static str> = Some("point_id");

    type Number = f32;

    #[inline]
    fn from_numbers(numbers: [Option<f32>; MOST_COLUMNS]) -> Self {
        let [x, y, z, ..] = numbers.inline_map(Option::unwrap_or_default);
        Vec3::new(x, y, z)
    }
}

impl Item for DVec3 {
    const SINGULAR: &'static str = Vec3::SINGULAR;
    const PLURAL: &'static str = Vec3::PLURAL;
    const NAMES: &'static [&'static str] = Vec3::NAMES;
    const REQUIRED: usize = Vec3::REQUIRED;
    const IS_POINT: bool = true;
    const ID: Option<&'static str> = Vec3::ID;

    type Number = f64;

    #[inline]
    fn from_numbers(numbers: [Option<f64>; MOST_COLUMNS]) -> Self {
        let [x, y, z, ..] = numbers.inline_map(Option::unwrap_or_default);
        DVec3::new(x, y, z)
    }
}
