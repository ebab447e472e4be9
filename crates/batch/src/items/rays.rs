//! Layouts of rays in memory.

use super::ItemsError;
use super::items_error::rows;
use super::list::{List, OfNumbers};
use estoc_core::{Ray, Ray64};

/// Many rays in the caller's memory, in any usual layout. The rays are never copied as a whole. Every
/// query takes this, and all inputs below but [`RaysSoA`], of which it is made by `try_from`.
///
/// | input | layout | cost |
/// |---|---|---|
/// | `&[Ray]`, `&Vec<Ray>`, `&[Ray; N]` | rays | none |
/// | `&[[f32; 8]]` | ox, oy, oz, dx, dy, dz, t_min, t_max | none: the same layout as a ray |
/// | `&[[f32; 6]]` | ox, oy, oz, dx, dy, dz; the interval is 0 to infinity | gathered chunk by chunk |
/// | [`Rays::rows_of_8`], [`Rays::rows_of_6`] | the same as a flat list of numbers | the same |
/// | [`RaysSoA`] | an array per coordinate | gathered chunk by chunk |
///
/// ```
/// # mod estoc { pub use {estoc_batch::*, estoc_core::*}; pub mod batch { pub use estoc_batch::*; } }
/// use estoc::{Batch, BruteForce, Triangle, batch::Rays};
/// let engine = BruteForce::new(vec![Triangle::new([0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0])]);
/// let numbers = [0.25, 0.25, 1.0, 0.0, 0.0, -1.0, /* next */ 2.0, 0.25, 1.0, 0.0, 0.0, -1.0];
/// let hits = Batch::new().any_hits(&engine, Rays::rows_of_6(&numbers)?)?;
/// assert_eq!(hits, [true, false]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type Rays<'a> = List<'a, Ray>;

/// Rays with an array per coordinate, all of the same length.
///
/// ```
/// # mod estoc { pub use {estoc_batch::*, estoc_core::*}; pub mod batch { pub use estoc_batch::*; } }
/// use estoc::{Batch, BruteForce, Triangle, batch::{Rays, RaysSoA}};
/// let engine = BruteForce::new(vec![Triangle::new([0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0])]);
/// let (x, zeros, ones) = ([0.25, 2.0], [0.0; 2], [1.0; 2]);
/// let soa = RaysSoA {
///     ox: &x, oy: &zeros, oz: &ones,
///     dx: &zeros, dy: &zeros, dz: &[-1.0, -1.0],
///     t_min: None, t_max: None,
/// };
/// let hits = Batch::new().closest_hits(&engine, Rays::try_from(soa)?)?;
/// assert!(hits[0].is_some() && hits[1].is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[expect(missing_docs, reason = "the names say which coordinates they are")]
pub struct RaysSoA<'a> {
    pub ox: &'a [f32],
    pub oy: &'a [f32],
    pub oz: &'a [f32],
    pub dx: &'a [f32],
    pub dy: &'a [f32],
    pub dz: &'a [f32],
    /// The starts of the intervals; all 0 if `None`.
    pub t_min: Option<&'a [f32]>,
    /// The ends of the intervals; all infinity if `None`.
    pub t_max: Option<&'a [f32]>,
}

impl<'a> Rays<'a> {
    /// Wraps a flat list of numbers, eight per ray: ox, oy, oz, dx, dy, dz, t_min, t_max.
    ///
    /// # Errors
    /// [`ItemsError::Rows`] when the last ray is incomplete.
    pub fn rows_of_8(numbers: &'a [f32]) -> Result<Self, ItemsError> {
        rows::<8>(numbers).map(Rays::from)
    }

    /// Wraps a flat list of numbers, six per ray: ox, oy, oz, dx, dy, dz. Intervals are 0 to
    /// infinity.
    ///
    /// # Errors
    /// [`ItemsError::Rows`] when the last ray is incomplete.
    pub fn rows_of_6(numbers: &'a [f32]) -> Result<Self, ItemsError> {
        rows::<6>(numbers).map(Rays::from)
    }
}

impl OfNumbers for Ray {
    const NAMES: &'static [&'static str] = &["ox", "oy", "oz", "dx", "dy", "dz", "t_min", "t_max"];

    #[inline(always)]
    fn of_numbers(number: impl Fn(usize) -> Option<f32>) -> Ray {
        let [ox, oy, oz, dx, dy, dz] = [0, 1, 2, 3, 4, 5].map(|place| number(place).unwrap_or(0.0));
        Ray::new([ox, oy, oz], [dx, dy, dz])
            .with_interval(number(6).unwrap_or(0.0), number(7).unwrap_or(f32::INFINITY))
    }
}

impl OfNumbers for Ray64 {
    const NAMES: &'static [&'static str] = Ray::NAMES;

    #[inline(always)]
    fn of_numbers(number: impl Fn(usize) -> Option<f32>) -> Ray64 {
        Ray::of_numbers(number).into()
    }
}

impl<'a> TryFrom<RaysSoA<'a>> for Rays<'a> {
    type Error = ItemsError;

    /// Fails if the length of an array differs from that of `ox`.
    fn try_from(soa: RaysSoA<'a>) -> Result<Self, ItemsError> {
        let coordinates = [soa.ox, soa.oy, soa.oz, soa.dx, soa.dy, soa.dz];
        let [ox, oy, oz, dx, dy, dz] = coordinates.map(Some);
        List::of_columns([ox, oy, oz, dx, dy, dz, soa.t_min, soa.t_max])
    }
}

impl<'a> From<&'a [[f32; 8]]> for Rays<'a> {
    fn from(rows: &'a [[f32; 8]]) -> Self {
        Rays::from(bytemuck::cast_slice::<_, Ray>(rows))
    }
}

impl<'a> From<&'a [[f32; 6]]> for Rays<'a> {
    fn from(rows: &'a [[f32; 6]]) -> Self {
        List::of_rows_of_six(rows)
    }
}
