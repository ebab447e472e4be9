//! Answers as columns of numbers, which numpy and Arrow take without a copy.

use super::Answers;
use super::fill_columns::{Columns, NO_PRIM, fill_columns};
use super::gather::{ValueList, fill_rows, make_room};
use crate::error::BatchError;
use crate::items::Item;
use crate::job::Job;
use crate::report::BatchReport;
use estoc_core::{Engine, Hit, PrimId, RowQuestion, ValueQuestion};
use std::ops::Range;

/// One hit or none for each ray, an array for each number.
///
/// A ray that misses has `prim == u32::MAX`, and only that tells it. Its `t` is infinite, its `u`
/// and `v` are 0; no number is NaN.
///
/// ```
/// # mod estoc { pub use {estoc_batch::*, estoc_core::*}; pub mod batch { pub use estoc_batch::*; } pub mod query { pub use estoc_core::*; } }
/// use estoc::{Batch, BruteForce, Ray, Triangle, batch::HitColumns, query::Closest};
/// let engine = BruteForce::new(vec![Triangle::new([0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0])]);
/// let rays = [0.25, 2.0].map(|x| Ray::new([x, 0.25, 1.0], [0.0, 0.0, -1.0]));
/// let hits: HitColumns = Batch::new().ask_as(&engine, Closest, &rays)?;
/// assert_eq!((&*hits.t, &*hits.prim), (&[1.0, f32::INFINITY][..], &[0, u32::MAX][..]));
/// assert_eq!(hits.validity(), [0b01]);
/// # Ok::<(), estoc::BatchError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct HitColumns {
    /// [`Hit::t`]; infinite for a miss.
    pub t: Vec<f32>,
    /// The number of the triangle; `u32::MAX` for a miss.
    pub prim: Vec<u32>,
    /// [`Hit::u`]; 0 for a miss.
    pub u: Vec<f32>,
    /// [`Hit::v`]; 0 for a miss.
    pub v: Vec<f32>,
}

impl HitColumns {
    /// Returns the number of rays.
    pub fn len(&self) -> usize {
        self.prim.len()
    }

    /// Returns whether there are no rays.
    pub fn is_empty(&self) -> bool {
        self.prim.is_empty()
    }

    /// Returns the hit of a ray; `None` for a miss, and when there is no such ray.
    pub fn hit(&self, ray: usize) -> Option<Hit> {
        hit(&self.t, &self.prim, &self.u, &self.v, ray)
    }

    /// Returns a bit for each ray that is 1 for a hit, eight in a byte, the first the least
    /// significant, as Arrow has them; bits beyond the last ray are 0.
    pub fn validity(&self) -> Vec<u8> {
        validity(&self.prim)
    }
}

/// Returns a bit for each number that is 1 where it names a primitive.
pub(super) fn validity(prims: &[u32]) -> Vec<u8> {
    let bits = |prims: &[u32]| {
        (prims.iter().enumerate()).fold(0, |byte, (bit, &prim)| {
            byte | u8::from(prim != NO_PRIM) << bit
        })
    };
    prims.chunks(8).map(bits).collect()
}

fn hit(t: &[f32], prim: &[u32], u: &[f32], v: &[f32], place: usize) -> Option<Hit> {
    let prim = PrimId::new(*prim.get(place)?)?;
    let (t, u, v) = (*t.get(place)?, *u.get(place)?, *v.get(place)?);
    Some(Hit { t, u, v, prim })
}

/// The columns of one chunk.
pub(super) struct HitPart<'a> {
    t: &'a mut [f32],
    prim: &'a mut [u32],
    u: &'a mut [f32],
    v: &'a mut [f32],
}

impl Columns for HitColumns {
    type Value = Hit;
    type Part<'a> = HitPart<'a>;

    fn resize(&mut self, items: usize) {
        self.prim.clear();
        self.prim.resize(items, NO_PRIM);
        for (column, missed) in [
            (&mut self.t, f32::INFINITY),
            (&mut self.u, 0.0),
            (&mut self.v, 0.0),
        ] {
            column.clear();
            column.resize(items, missed);
        }
    }

    fn parts(&mut self, size: usize) -> Vec<HitPart<'_>> {
        let numbers = (self.t.chunks_mut(size).zip(self.prim.chunks_mut(size)))
            .zip(self.u.chunks_mut(size).zip(self.v.chunks_mut(size)));
        numbers
            .map(|((t, prim), (u, v))| HitPart { t, prim, u, v })
            .collect()
    }

    fn set(part: &mut HitPart<'_>, place: usize, hit: Hit) {
        part.t[place] = hit.t;
        part.prim[place] = hit.prim.get();
        part.u[place] = hit.u;
        part.v[place] = hit.v;
    }
}

impl<E, Q, T> Answers<E, Q, T> for HitColumns
where
    E: Engine + Sync + ?Sized,
    T: Item,
    Q: ValueQuestion<E, T, Answer = Option<Hit>>,
{
    fn has_rows(_: &Q) -> bool {
        false
    }

    fn fill(&mut self, job: &Job<'_, '_, E, Q, T>) -> Result<BatchReport, BatchError> {
        fill_columns(self, job)
    }
}

/// Any number of hits for each ray, an array for each number: those of ray `i` are at
/// `offsets[i]..offsets[i + 1]`, in the order of the ray.
///
/// ```
/// # mod estoc { pub use {estoc_batch::*, estoc_core::*}; pub mod batch { pub use estoc_batch::*; } pub mod query { pub use estoc_core::*; } }
/// use estoc::{Batch, BruteForce, Ray, Triangle, batch::RowColumns, query::All};
/// let sheet = |z| Triangle::new([0.0, 0.0, z], [1.0, 0.0, z], [0.0, 1.0, z]);
/// let engine = BruteForce::new(vec![sheet(0.0), sheet(1.0)]);
/// let rays = [2.0, 0.25].map(|x| Ray::new([x, 0.25, 9.0], [0.0, 0.0, -1.0]));
/// let rows: RowColumns = Batch::new().ask_as(&engine, All, &rays)?;
/// assert_eq!((rows.offsets, rows.prim), (vec![0, 0, 2], vec![1, 0]));
/// # Ok::<(), estoc::BatchError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RowColumns {
    /// The index of each ray's first hit, followed by the number of all hits; one entry more than
    /// there are rays.
    pub offsets: Vec<i64>,
    /// [`Hit::t`].
    pub t: Vec<f32>,
    /// The numbers of the triangles.
    pub prim: Vec<u32>,
    /// [`Hit::u`].
    pub u: Vec<f32>,
    /// [`Hit::v`].
    pub v: Vec<f32>,
}

impl RowColumns {
    /// Returns the number of rays.
    pub fn len(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    /// Returns whether there are no rays.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the hits of a ray, in its order; `None` when there is no such ray.
    pub fn row(&self, ray: usize) -> Option<impl Iterator<Item = Hit> + '_> {
        let end = *self.offsets.get(ray.checked_add(1)?)?;
        let span = usize::try_from(*self.offsets.get(ray)?).ok()?..usize::try_from(end).ok()?;
        Some(span.filter_map(|place| hit(&self.t, &self.prim, &self.u, &self.v, place)))
    }
}

impl Default for RowColumns {
    /// The rows of no rays.
    fn default() -> Self {
        RowColumns {
            offsets: vec![0],
            t: Vec::new(),
            prim: Vec::new(),
            u: Vec::new(),
            v: Vec::new(),
        }
    }
}

/// Hits in columns, without misses.
impl ValueList<Hit> for HitColumns {
    fn make_room(&mut self, more: usize) -> bool {
        let numbers = [&mut self.t, &mut self.u, &mut self.v];
        { numbers.into_iter() }.all(|column| make_room(column, more))
            && make_room(&mut self.prim, more)
    }

    fn len(&self) -> usize {
        self.prim.len()
    }

    fn clear(&mut self) {
        self.resize(0);
    }

    fn extend_from_values(&mut self, hits: &[Hit]) {
        self.t.extend(hits.iter().map(|hit| hit.t));
        self.prim.extend(hits.iter().map(|hit| hit.prim.get()));
        self.u.extend(hits.iter().map(|hit| hit.u));
        self.v.extend(hits.iter().map(|hit| hit.v));
    }

    fn extend_from_span(&mut self, other: &Self, span: Range<usize>) {
        self.t.extend_from_slice(&other.t[span.clone()]);
        self.prim.extend_from_slice(&other.prim[span.clone()]);
        self.u.extend_from_slice(&other.u[span.clone()]);
        self.v.extend_from_slice(&other.v[span]);
    }
}

impl<E, Q, T> Answers<E, Q, T> for RowColumns
where
    E: Engine + Sync + ?Sized,
    T: Item,
    Q: RowQuestion<E, T, Value = Hit>,
{
    fn has_rows(_: &Q) -> bool {
        true
    }

    /// After an error there are no rows.
    fn fill(&mut self, job: &Job<'_, '_, E, Q, T>) -> Result<BatchReport, BatchError> {
        let RowColumns { t, prim, u, v, .. } = self;
        let [t, u, v] = [t, u, v].map(std::mem::take);
        let prim = std::mem::take(prim);
        let mut hits = HitColumns { t, prim, u, v };
        let filled = fill_rows(job, &mut self.offsets, &mut hits, |offset| offset as i64);
        HitColumns {
            t: self.t,
            prim: self.prim,
            u: self.u,
            v: self.v,
        } = hits;
        filled
    }
}
