//! Layouts of rays in memory.

use super::Items;
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
/// # mod estoc { pub use estoc_core::*; pub mod batch { pub use estoc_batch::*; } }
/// use estoc::{BruteForce, Triangle, batch::{Rays, RaysSoA, closest_hits}};
/// let engine = BruteForce::new(vec![Triangle::new([0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0])]);
/// let (x, zeros, ones) = ([0.25, 2.0], [0.0; 2], [1.0; 2]);
/// let soa = RaysSoA {
///     ox: &x, oy: &zeros, oz: &ones,
///     dx: &zeros, dy: &zeros, dz: &[-1.0, -1.0],
///     t_min: None, t_max: None,
/// };
/// let hits = closest_hits(&engine, Rays::try_from(soa)?);
/// assert!(hits[0].is_some() && hits[1].is_none());
/// # Ok::<(), estoc::batch::RaysError>(())
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

/// The reason why numbers cannot be used as rays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RaysError {
    /// The arrays of a [`RaysSoA`] differ in length.
    #[error(
        "the length of {array} is {found} instead of {rays}, the length of ox; each array needs \
         one number per ray"
    )]
    Lengths {
        /// The array whose length differs from that of `ox`.
        array: &'static str,
        /// The length of `ox`.
        rays: usize,
        /// The length of this array.
        found: usize,
    },
    /// A flat list of numbers ends within a ray.
    #[error("the length {numbers} is not a multiple of {row} ({} left over)", numbers % row)]
    Rows {
        /// The number of numbers.
        numbers: usize,
        /// The number of numbers per ray.
        row: usize,
    },
}

impl<'a> Rays<'a> {
    /// Wraps a flat list of numbers, eight per ray: ox, oy, oz, dx, dy, dz, t_min, t_max.
    ///
    /// # Errors
    /// [`RaysError::Rows`] when the last ray is incomplete.
    pub fn rows_of_8(numbers: &'a [f32]) -> Result<Self, RaysError> {
        rows::<8>(numbers).map(Rays::from)
    }

    /// Wraps a flat list of numbers, six per ray: ox, oy, oz, dx, dy, dz. Intervals are 0 to
    /// infinity.
    ///
    /// # Errors
    /// [`RaysError::Rows`] when the last ray is incomplete.
    pub fn rows_of_6(numbers: &'a [f32]) -> Result<Self, RaysError> {
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

fn rows<const N: usize>(numbers: &[f32]) -> Result<&[[f32; N]], RaysError> {
    match numbers.as_chunks() {
        (rows, []) => Ok(rows),
        _ => Err(RaysError::Rows {
            numbers: numbers.len(),
            row: N,
        }),
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
    type Error = RaysError;

    /// Fails if the length of an array differs from that of `ox`.
    fn try_from(soa: RaysSoA<'a>) -> Result<Self, RaysError> {
        let rays = soa.ox.len();
        let wanted = [
            ("oy", Some(soa.oy)),
            ("oz", Some(soa.oz)),
            ("dx", Some(soa.dx)),
            ("dy", Some(soa.dy)),
            ("dz", Some(soa.dz)),
            ("t_min", soa.t_min),
            ("t_max", soa.t_max),
        ];
        for (array, numbers) in wanted {
            let found = numbers.map_or(rays, <[f32]>::len);
            if found != rays {
                return Err(RaysError::Lengths { array, rays, found });
            }
        }
        Ok(Rays(Layout::Apart(soa)))
    }
}

impl<'a> From<&'a [Ray]> for Rays<'a> {
    fn from(rays: &'a [Ray]) -> Self {
        Rays(Layout::Rays(rays))
    }
}

impl<'a> From<&'a Vec<Ray>> for Rays<'a> {
    fn from(rays: &'a Vec<Ray>) -> Self {
        Rays::from(rays.as_slice())
    }
}

impl<'a, const N: usize> From<&'a [Ray; N]> for Rays<'a> {
    fn from(rays: &'a [Ray; N]) -> Self {
        Rays::from(rays.as_slice())
    }
}

impl<'a> From<&'a [[f32; 8]]> for Rays<'a> {
    fn from(rows: &'a [[f32; 8]]) -> Self {
        Rays::from(bytemuck::cast_slice::<_, Ray>(rows))
    }
}

impl<'a> From<&'a Vec<[f32; 8]>> for Rays<'a> {
    fn from(rows: &'a Vec<[f32; 8]>) -> Self {
        Rays::from(rows.as_slice())
    }
}

impl<'a> From<&'a [[f32; 6]]> for Rays<'a> {
    fn from(rows: &'a [[f32; 6]]) -> Self {
        Rays(Layout::Six(rows))
    }
}

impl<'a> From<&'a Vec<[f32; 6]>> for Rays<'a> {
    fn from(rows: &'a Vec<[f32; 6]>) -> Self {
        Rays::from(rows.as_slice())
    }
}
