//! First contacts of moving spheres as columns of numbers.

use super::Answers;
use super::features::{self, NO_FEATURE, feature};
use super::fill_columns::{Columns, NO_PRIM, fill_columns};
use crate::error::BatchError;
use crate::items::Item;
use crate::job::Job;
use crate::report::BatchReport;
use estoc_core::glam::Vec3;
use estoc_core::{Engine, PrimId, SphereContact, ValueQuestion};

/// One contact or none for each moving sphere, an array for each number.
///
/// A sphere that touches nothing has `prim == u32::MAX`, and only that tells it. Its `t` is
/// infinite, as that of a very late contact may be, and its other numbers are those below; no number
/// is NaN.
///
/// ```
/// # mod estoc { pub use {estoc_batch::*, estoc_core::*}; pub mod batch { pub use estoc_batch::*; } pub mod query { pub use estoc_core::*; } }
/// use estoc::{Batch, BruteForce, Triangle};
/// use estoc::{batch::SphereContactColumns, query::{FirstContact, MovingSphere}};
/// let engine = BruteForce::new(vec![Triangle::new([0.0; 3], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0])]);
/// let spheres = [-2.0, 2.0].map(|z| MovingSphere::new([1.0, 1.0, 5.0], [0.0, 0.0, z], 1.0));
/// let found: SphereContactColumns = Batch::new().ask_as(&engine, FirstContact, &spheres)?;
/// assert_eq!((&*found.t, &*found.prim), (&[2.0, f32::INFINITY][..], &[0, u32::MAX][..]));
/// assert_eq!(found.feature[0], SphereContactColumns::FACE);
/// # Ok::<(), estoc::BatchError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SphereContactColumns {
    /// [`SphereContact::t`]; infinite where there is none.
    pub t: Vec<f32>,
    /// The number of the triangle; `u32::MAX` where there is none.
    pub prim: Vec<u32>,
    /// [`SphereContact::feature`]: 0, 1 and 2 for the vertices, 3, 4 and 5 for the edges 0, 1 and 2,
    /// [`SphereContactColumns::FACE`] for the face; 255 where there is none.
    pub feature: Vec<u8>,
    /// [`SphereContact::is_touching_at_start`]: 1 for `true`, 0 for `false` and where there is none.
    pub is_touching_at_start: Vec<u8>,
    /// The first coordinate of [`SphereContact::point`]; 0 where there is none.
    pub x: Vec<f32>,
    /// The second coordinate; 0 where there is none.
    pub y: Vec<f32>,
    /// The third coordinate; 0 where there is none.
    pub z: Vec<f32>,
}

impl SphereContactColumns {
    /// The number that stands for the face in [`SphereContactColumns::feature`].
    pub const FACE: u8 = features::FACE;

    /// Returns the number of spheres.
    pub fn len(&self) -> usize {
        self.prim.len()
    }

    /// Returns whether there are no spheres.
    pub fn is_empty(&self) -> bool {
        self.prim.is_empty()
    }

    /// Returns the first contact of a sphere; `None` where there is none, and when there is no such
    /// sphere.
    pub fn contact(&self, sphere: usize) -> Option<SphereContact> {
        let number = |column: &[f32]| column.get(sphere).copied();
        Some(SphereContact {
            prim: PrimId::new(*self.prim.get(sphere)?)?,
            t: number(&self.t)?,
            point: Vec3::new(number(&self.x)?, number(&self.y)?, number(&self.z)?),
            feature: feature(*self.feature.get(sphere)?)?,
            is_touching_at_start: *self.is_touching_at_start.get(sphere)? == 1,
        })
    }

    /// Returns a bit for each sphere that is 1 where there is a contact, eight in a byte, the first
    /// the least significant, as Arrow has them; bits beyond the last sphere are 0.
    pub fn validity(&self) -> Vec<u8> {
        super::columns::validity(&self.prim)
    }
}

/// The columns of one chunk.
pub(super) struct ContactPart<'a> {
    prim: &'a mut [u32],
    feature: &'a mut [u8],
    is_touching_at_start: &'a mut [u8],
    /// t, x, y and z.
    numbers: [&'a mut [f32]; 4],
}

impl Columns for SphereContactColumns {
    type Value = SphereContact;
    type Part<'a> = ContactPart<'a>;

    fn resize(&mut self, items: usize) {
        fn refill<T: Copy>(column: &mut Vec<T>, items: usize, none: T) {
            column.clear();
            column.resize(items, none);
        }
        refill(&mut self.t, items, f32::INFINITY);
        refill(&mut self.prim, items, NO_PRIM);
        refill(&mut self.feature, items, NO_FEATURE);
        refill(&mut self.is_touching_at_start, items, 0);
        for column in [&mut self.x, &mut self.y, &mut self.z] {
            refill(column, items, 0.0);
        }
    }

    fn parts(&mut self, size: usize) -> Vec<ContactPart<'_>> {
        let marks = (self.feature.chunks_mut(size)).zip(self.is_touching_at_start.chunks_mut(size));
        let names = self.prim.chunks_mut(size).zip(marks);
        let [t, x, y, z] =
            [&mut self.t, &mut self.x, &mut self.y, &mut self.z].map(|c| c.chunks_mut(size));
        let numbers = t.zip(x).zip(y.zip(z));
        names
            .zip(numbers)
            .map(
                |((prim, (feature, is_touching_at_start)), ((t, x), (y, z)))| ContactPart {
                    prim,
                    feature,
                    is_touching_at_start,
                    numbers: [t, x, y, z],
                },
            )
            .collect()
    }

    fn set(part: &mut ContactPart<'_>, place: usize, found: SphereContact) {
        part.prim[place] = found.prim.get();
        part.feature[place] = found.feature.number();
        part.is_touching_at_start[place] = found.is_touching_at_start.into();
        let [x, y, z] = found.point.to_array();
        for (column, number) in part.numbers.iter_mut().zip([found.t, x, y, z]) {
            column[place] = number;
        }
    }
}

impl<E, Q, T> Answers<E, Q, T> for SphereContactColumns
where
    E: Engine + Sync + ?Sized,
    T: Item,
    Q: ValueQuestion<E, T, Answer = Option<SphereContact>>,
{
    fn has_rows(_: &Q) -> bool {
        false
    }

    fn fill(&mut self, job: &Job<'_, '_, E, Q, T>) -> Result<BatchReport, BatchError> {
        fill_columns(self, job)
    }
}
