//! Layouts of rays in memory.

use super::items_error::{check_lengths, rows};
use super::{Items, ItemsError};
use estoc_core::Ray;
use std::ops::Range;

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
#[derive(Clone, Copy, Debug)]
pub struct Rays<'a>(Layout<'a>);

#[derive(Clone, Copy, Debug)]
enum Layout<'a> {
    Rays(&'a [Ray]),
    Six(&'a [[f32; 6]]),
    Apart(RaysSoA<'a>),
}

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

    /// Returns the number of rays.
    pub fn len(&self) -> usize {
        match self.0 {
            Layout::Rays(rays) => rays.len(),
            Layout::Six(rows) => rows.len(),
            Layout::Apart(soa) => soa.ox.len(),
        }
    }

    /// Returns whether the list is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the ray at this index, or `None` if it is out of range.
    #[inline]
    pub fn get(&self, ray: usize) -> Option<Ray> {
        match self.0 {
            Layout::Rays(rays) => rays.get(ray).copied(),
            Layout::Six(rows) => rows.get(ray).map(from_six),
            Layout::Apart(soa) => (ray < soa.ox.len()).then(|| soa.ray(ray)),
        }
    }
}

impl Items for Rays<'_> {
    type Item = Ray;

    fn len(&self) -> usize {
        Rays::len(self)
    }

    #[inline]
    fn get(&self, index: usize) -> Option<Ray> {
        Rays::get(self, index)
    }

    fn chunk<'b>(&'b self, range: Range<usize>, gathered: &'b mut Vec<Ray>) -> &'b [Ray] {
        gathered.clear();
        match self.0 {
            Layout::Rays(rays) => return &rays[range],
            Layout::Six(rows) => gathered.extend(rows[range].iter().map(from_six)),
            Layout::Apart(soa) => gathered.extend(range.map(|ray| soa.ray(ray))),
        }
        gathered
    }
}

fn from_six(&[ox, oy, oz, dx, dy, dz]: &[f32; 6]) -> Ray {
    Ray::new([ox, oy, oz], [dx, dy, dz])
}

impl RaysSoA<'_> {
    /// Panics if `ray` is out of range.
    fn ray(&self, ray: usize) -> Ray {
        let origin = [self.ox[ray], self.oy[ray], self.oz[ray]];
        let dir = [self.dx[ray], self.dy[ray], self.dz[ray]];
        Ray::new(origin, dir).with_interval(
            self.t_min.map_or(0.0, |t_min| t_min[ray]),
            self.t_max.map_or(f32::INFINITY, |t_max| t_max[ray]),
        )
    }
}

impl<'a> TryFrom<RaysSoA<'a>> for Rays<'a> {
    type Error = ItemsError;

    /// Fails if the length of an array differs from that of `ox`.
    fn try_from(soa: RaysSoA<'a>) -> Result<Self, ItemsError> {
        let columns = [
            ("oy", Some(soa.oy)),
            ("oz", Some(soa.oz)),
            ("dx", Some(soa.dx)),
            ("dy", Some(soa.dy)),
            ("dz", Some(soa.dz)),
            ("t_min", soa.t_min),
            ("t_max", soa.t_max),
        ];
        let columns = columns.into_iter();
        let others = columns.filter_map(|(name, column)| Some((name, column?)));
        check_lengths(("ox", soa.ox), others)?;
        Ok(Rays(Layout::Apart(soa)))
    }
}

impl<'a> From<&'a [Ray]> for Rays<'a> {
    fn from(rays: &'a [Ray]) -> Self {
        Rays(Layout::Rays(rays))
    }
}

impl<'a> From<&'a [[f32; 8]]> for Rays<'a> {
    fn from(rows: &'a [[f32; 8]]) -> Self {
        Rays::from(bytemuck::cast_slice::<_, Ray>(rows))
    }
}

impl<'a> From<&'a [[f32; 6]]> for Rays<'a> {
    fn from(rows: &'a [[f32; 6]]) -> Self {
        Rays(Layout::Six(rows))
    }
}

from_lists!(Rays: Ray, [f32; 8], [f32; 6]);
