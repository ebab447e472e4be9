//! Closest points as columns of numbers.

use super::Answers;
use super::features::{self, NO_FEATURE, feature};
use super::fill_columns::{Columns, NO_PRIM, fill_columns};
use super::gather::{ValueList, make_room};
use crate::error::BatchError;
use crate::items::Item;
use crate::job::Job;
use crate::report::BatchReport;
use estoc_core::glam::Vec3;
use estoc_core::{ClosestPoint, Engine, PrimId, ValueQuestion};
use std::ops::Range;

/// One closest point or none for each point, an array for each number.
///
/// A point without a closest point, such as one that is not finite, has `prim == u32::MAX`, and
/// only that tells it. Its `distance` is infinite, as that of a point very far away may be, and its
/// other numbers are those below; no number is NaN.
///
/// ```
/// # mod estoc { pub use {estoc_batch::*, estoc_core::*}; pub mod batch { pub use estoc_batch::*; } pub mod query { pub use estoc_core::*; } }
/// use estoc::{Batch, BruteForce, Triangle};
/// use estoc::{batch::ClosestPointColumns, query::ClosestPointWithin};
/// let engine = BruteForce::new(vec![Triangle::new([0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0])]);
/// let points = [[0.25, 0.25, 1.0], [5.0, 5.0, 5.0]];
/// let found: ClosestPointColumns = Batch::new().ask_as(&engine, ClosestPointWithin(2.0), &points)?;
/// assert_eq!((&*found.distance, &*found.prim), (&[1.0, f32::INFINITY][..], &[0, u32::MAX][..]));
/// assert_eq!(found.feature[0], ClosestPointColumns::FACE);
/// # Ok::<(), estoc::BatchError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ClosestPointColumns {
    /// [`ClosestPoint::distance`]; infinite where there is none.
    pub distance: Vec<f32>,
    /// The number of the triangle; `u32::MAX` where there is none.
    pub prim: Vec<u32>,
    /// [`ClosestPoint::u`]; 0 where there is none.
    pub u: Vec<f32>,
    /// [`ClosestPoint::v`]; 0 where there is none.
    pub v: Vec<f32>,
    /// [`ClosestPoint::feature`]: 0, 1 and 2 for the vertices, 3, 4 and 5 for the edges 0, 1 and 2,
    /// [`ClosestPointColumns::FACE`] for the face; 255 where there is none.
    pub feature: Vec<u8>,
    /// The first coordinate of [`ClosestPoint::point`]; 0 where there is none.
    pub x: Vec<f32>,
    /// The second coordinate; 0 where there is none.
    pub y: Vec<f32>,
    /// The third coordinate; 0 where there is none.
    pub z: Vec<f32>,
}

impl ClosestPointColumns {
    /// The number that stands for the face in [`ClosestPointColumns::feature`].
    pub const FACE: u8 = features::FACE;

    /// Returns the number of points.
    pub fn len(&self) -> usize {
        self.prim.len()
    }

    /// Returns whether there are no points.
    pub fn is_empty(&self) -> bool {
        self.prim.is_empty()
    }

    /// Returns the closest point of a point; `None` where there is none, and when there is no such
    /// point.
    pub fn closest_point(&self, point: usize) -> Option<ClosestPoint> {
        let number = |column: &[f32]| column.get(point).copied();
        Some(ClosestPoint {
            prim: PrimId::new(*self.prim.get(point)?)?,
            distance: number(&self.distance)?,
            u: number(&self.u)?,
            v: number(&self.v)?,
            point: Vec3::new(number(&self.x)?, number(&self.y)?, number(&self.z)?),
            feature: feature(*self.feature.get(point)?)?,
        })
    }

    /// Returns a bit for each point that is 1 where there is a closest point, eight in a byte, the
    /// first the least significant, as Arrow has them; bits beyond the last point are 0.
    pub fn validity(&self) -> Vec<u8> {
        super::columns::validity(&self.prim)
    }

    /// Returns the columns of numbers, each with the number where there is none.
    fn numbers(&mut self) -> [(&mut Vec<f32>, f32); 6] {
        [
            (&mut self.distance, f32::INFINITY),
            (&mut self.u, 0.0),
            (&mut self.v, 0.0),
            (&mut self.x, 0.0),
            (&mut self.y, 0.0),
            (&mut self.z, 0.0),
        ]
    }
}

/// The columns of one chunk.
pub(super) struct PointPart<'a> {
    prim: &'a mut [u32],
    feature: &'a mut [u8],
    /// Distance, u, v, x, y and z.
    numbers: [&'a mut [f32]; 6],
}

impl Columns for ClosestPointColumns {
    type Value = ClosestPoint;
    type Part<'a> = PointPart<'a>;

    fn resize(&mut self, items: usize) {
        self.prim.clear();
        self.prim.resize(items, NO_PRIM);
        self.feature.clear();
        self.feature.resize(items, NO_FEATURE);
        for (column, none) in self.numbers() {
            column.clear();
            column.resize(items, none);
        }
    }

    fn parts(&mut self, size: usize) -> Vec<PointPart<'_>> {
        let ClosestPointColumns {
            distance,
            prim,
            u,
            v,
            feature,
            x,
            y,
            z,
        } = self;
        let names = prim.chunks_mut(size).zip(feature.chunks_mut(size));
        let weights = u.chunks_mut(size).zip(v.chunks_mut(size));
        let places = x.chunks_mut(size).zip(y.chunks_mut(size));
        let places = places.zip(z.chunks_mut(size));
        let numbers = distance.chunks_mut(size).zip(weights).zip(places);
        names
            .zip(numbers)
            .map(
                |((prim, feature), ((distance, (u, v)), ((x, y), z)))| PointPart {
                    prim,
                    feature,
                    numbers: [distance, u, v, x, y, z],
                },
            )
            .collect()
    }

    fn set(part: &mut PointPart<'_>, place: usize, closest: ClosestPoint) {
        part.prim[place] = closest.prim.get();
        part.feature[place] = closest.feature.number();
        for (column, number) in part.numbers.iter_mut().zip(numbers_of(&closest)) {
            column[place] = number;
        }
    }
}

/// Closest points in columns, without points that have none.
impl ValueList<ClosestPoint> for ClosestPointColumns {
    fn make_room(&mut self, more: usize) -> bool {
        make_room(&mut self.prim, more) && make_room(&mut self.feature, more) && {
            self.numbers().into_iter()
        }
        .all(|(column, _)| make_room(column, more))
    }

    fn len(&self) -> usize {
        self.prim.len()
    }

    fn clear(&mut self) {
        self.resize(0);
    }

    fn extend_from_values(&mut self, found: &[ClosestPoint]) {
        self.prim.extend(found.iter().map(|found| found.prim.get()));
        let features = found.iter().map(|found| found.feature.number());
        self.feature.extend(features);
        for (place, (column, _)) in self.numbers().into_iter().enumerate() {
            column.extend(found.iter().map(|found| numbers_of(found)[place]));
        }
    }

    fn extend_from_span(&mut self, other: &Self, span: Range<usize>) {
        self.prim.extend_from_slice(&other.prim[span.clone()]);
        self.feature.extend_from_slice(&other.feature[span.clone()]);
        let others = [
            &other.distance,
            &other.u,
            &other.v,
            &other.x,
            &other.y,
            &other.z,
        ];
        for ((column, _), other) in self.numbers().into_iter().zip(others) {
            column.extend_from_slice(&other[span.clone()]);
        }
    }
}

/// Returns distance, u, v, x, y and z.
fn numbers_of(found: &ClosestPoint) -> [f32; 6] {
    let [x, y, z] = found.point.to_array();
    [found.distance, found.u, found.v, x, y, z]
}

impl<E, Q, T> Answers<E, Q, T> for ClosestPointColumns
where
    E: Engine + Sync + ?Sized,
    T: Item,
    Q: ValueQuestion<E, T, Answer = Option<ClosestPoint>>,
{
    fn has_rows(_: &Q) -> bool {
        false
    }

    fn fill(&mut self, job: &Job<'_, '_, E, Q, T>) -> Result<BatchReport, BatchError> {
        fill_columns(self, job)
    }
}
