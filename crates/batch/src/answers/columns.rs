//! Answers as columns of numbers, which numpy and Arrow take without a copy.

use super::Answers;
use super::column_rows::ColumnRows;
use super::define_columns::{Columns, columns, fill_columns, validity};
use super::gather::{ValueList, fill_rows, make_room};
use super::record::record;
use super::rows::Rows;
use crate::batch_query::BatchQuery;
use crate::error::BatchError;
use crate::items::Item;
use crate::report::BatchReport;
use estoc_core::{
    ClosestPoint, Coordinate, Engine, Feature, Hit, PrimId, RowQuestion, SceneHit, SignedDistance,
    SphereContact, ValueQuestion, Winding,
};
use std::ops::Range;

columns! {
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
    pub struct HitColumns<C> of Hit<C> and SceneHit {
        /// [`Hit::t`]; infinite for a miss.
        t: C = C::INFINITY, |hit| hit.t;
        /// The number of the triangle; `u32::MAX` for a miss.
        prim: u32 = u32::MAX, |hit| hit.prim.get();
        /// [`Hit::u`]; 0 for a miss.
        u: C = 0.0, |hit| hit.u;
        /// [`Hit::v`]; 0 for a miss.
        v: C = 0.0, |hit| hit.v;
    }
    missing: prim == u32::MAX;
    row: Some(Hit { t, u, v, prim: PrimId::new(prim)? });
}

columns! {
    /// One closest point or none for each point, an array for each number.
    ///
    /// A point without a closest point, such as one that is not finite, has `prim == u32::MAX`, and
    /// only that tells it. Its `distance` is infinite, as that of a point very far away may be, and its
    /// other numbers are those below; no number is NaN.
    ///
    /// ```
    /// # mod estoc { pub use {estoc_batch::*, estoc_core::*}; pub mod batch { pub use estoc_batch::*; } pub mod query { pub use estoc_core::*; } }
    /// use estoc::{Batch, BruteForce, Triangle};
    /// use estoc::{batch::ClosestPointColumns, query::{ClosestPointWithin, Feature}};
    /// let engine = BruteForce::new(vec![Triangle::new([0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0])]);
    /// let points = [[0.25, 0.25, 1.0], [5.0, 5.0, 5.0]];
    /// let found: ClosestPointColumns = Batch::new().ask_as(&engine, ClosestPointWithin(2.0), &points)?;
    /// assert_eq!((&*found.distance, &*found.prim), (&[1.0, f32::INFINITY][..], &[0, u32::MAX][..]));
    /// assert_eq!(found.feature[0], Feature::Face.number());
    /// # Ok::<(), estoc::BatchError>(())
    /// ```
    pub struct ClosestPointColumns<C> of ClosestPoint<C> {
        /// [`ClosestPoint::distance`]; infinite where there is none.
        distance: C = C::INFINITY, |found| found.distance;
        /// The number of the triangle; `u32::MAX` where there is none.
        prim: u32 = u32::MAX, |found| found.prim.get();
        /// [`ClosestPoint::u`]; 0 where there is none.
        u: C = 0.0, |found| found.u;
        /// [`ClosestPoint::v`]; 0 where there is none.
        v: C = 0.0, |found| found.v;
        /// The [number](Feature::number) of [`ClosestPoint::feature`]; 255 where there is none.
        feature: u8 = u8::MAX, |found| found.feature.number();
        /// The first coordinate of [`ClosestPoint::point`]; 0 where there is none.
        x: C = 0.0, |found| found.point.x;
        /// The second coordinate; 0 where there is none.
        y: C = 0.0, |found| found.point.y;
        /// The third coordinate; 0 where there is none.
        z: C = 0.0, |found| found.point.z;
    }
    missing: prim == u32::MAX;
    row: Some(ClosestPoint {
        prim: PrimId::new(prim)?,
        distance,
        u,
        v,
        point: [x, y, z].into(),
        feature: Feature::of_number(feature)?,
    });
}

columns! {
    /// One contact or none for each moving sphere, an array for each number.
    ///
    /// A sphere that touches nothing has `prim == u32::MAX`, and only that tells it. Its `t` is
    /// infinite, as that of a very late contact may be, and its other numbers are those below; no number
    /// is NaN.
    ///
    /// ```
    /// # mod estoc { pub use {estoc_batch::*, estoc_core::*}; pub mod batch { pub use estoc_batch::*; } pub mod query { pub use estoc_core::*; } }
    /// use estoc::{Batch, BruteForce, Triangle};
    /// use estoc::{batch::SphereContactColumns, query::{Feature, FirstContact, MovingSphere}};
    /// let engine = BruteForce::new(vec![Triangle::new([0.0; 3], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0])]);
    /// let spheres = [-2.0, 2.0].map(|z| MovingSphere::new([1.0, 1.0, 5.0], [0.0, 0.0, z], 1.0));
    /// let found: SphereContactColumns = Batch::new().ask_as(&engine, FirstContact, &spheres)?;
    /// assert_eq!((&*found.t, &*found.prim), (&[2.0, f32::INFINITY][..], &[0, u32::MAX][..]));
    /// assert_eq!(found.feature[0], Feature::Face.number());
    /// # Ok::<(), estoc::BatchError>(())
    /// ```
    pub struct SphereContactColumns<C> of SphereContact<C> {
        /// [`SphereContact::t`]; infinite where there is none.
        t: C = C::INFINITY, |found| found.t;
        /// The number of the triangle; `u32::MAX` where there is none.
        prim: u32 = u32::MAX, |found| found.prim.get();
        /// The [number](Feature::number) of [`SphereContact::feature`]; 255 where there is none.
        feature: u8 = u8::MAX, |found| found.feature.number();
        /// [`SphereContact::is_touching_at_start`]: 1 for `true`, 0 for `false` and where there is none.
        is_touching_at_start: u8 = 0, |found| u8::from(found.is_touching_at_start);
        /// The first coordinate of [`SphereContact::point`]; 0 where there is none.
        x: C = 0.0, |found| found.point.x;
        /// The second coordinate; 0 where there is none.
        y: C = 0.0, |found| found.point.y;
        /// The third coordinate; 0 where there is none.
        z: C = 0.0, |found| found.point.z;
    }
    missing: prim == u32::MAX;
    row: Some(SphereContact {
        prim: PrimId::new(prim)?,
        t,
        point: [x, y, z].into(),
        feature: Feature::of_number(feature)?,
        is_touching_at_start: is_touching_at_start == 1,
    });
}

columns! {
    /// One signed distance or none for each point, an array for each number.
    ///
    /// A point without an answer, such as one that is not finite, has `inside == 255`, and only that
    /// tells it. Its `signed` is infinite, as that of a point very far away may be; no number is NaN.
    ///
    /// ```
    /// # mod estoc { pub use {estoc_batch::*, estoc_core::*}; pub mod batch { pub use estoc_batch::*; } pub mod query { pub use estoc_core::*; } }
    /// use estoc::{Batch, BruteForce, Triangle};
    /// use estoc::{batch::SignedDistanceColumns, query::{SignRule, SignedDistanceBy}};
    /// let [a, b, c, d] = [[0.0; 3], [8.0, 0.0, 0.0], [0.0, 8.0, 0.0], [0.0, 0.0, 8.0]];
    /// let faces = [[a, c, b], [a, b, d], [b, c, d], [a, d, c]];
    /// let solid = BruteForce::new(faces.map(|[a, b, c]| Triangle::new(a, b, c)));
    /// let points = [[1.0, 2.0, 2.0], [1.0, 2.0, -3.0], [f32::NAN; 3]];
    /// let question = SignedDistanceBy(SignRule::Parity);
    /// let found: SignedDistanceColumns = Batch::new().ask_as(&solid, question, &points)?;
    /// assert_eq!(found.signed, [-1.0, 3.0, f32::INFINITY]); // negative inside
    /// assert_eq!(found.inside, [1, 0, 255]);
    /// # Ok::<(), estoc::BatchError>(())
    /// ```
    pub struct SignedDistanceColumns<C> of SignedDistance<C> {
        /// [`SignedDistance::signed`], negative inside; infinite where there is none.
        signed: C = C::INFINITY, |found| found.signed;
        /// [`SignedDistance::inside`]: 1 inside and on the surface, 0 outside; 255 where there is no
        /// answer.
        inside: u8 = u8::MAX, |found| u8::from(found.inside);
    }
    missing: inside == u8::MAX;
}

columns! {
    /// One winding number or none for each point, an array for each number.
    ///
    /// ```
    /// # mod estoc { pub use {estoc_batch::*, estoc_core::*}; pub mod batch { pub use estoc_batch::*; } pub mod query { pub use estoc_core::*; } }
    /// use estoc::{Batch, BruteForce, Triangle, batch::WindingColumns, query::WindingNumber};
    /// let [a, b, c, d] = [[0.0; 3], [8.0, 0.0, 0.0], [0.0, 8.0, 0.0], [0.0, 0.0, 8.0]];
    /// let faces = [[a, c, b], [a, b, d], [b, c, d], [a, d, c]];
    /// let solid = BruteForce::new(faces.map(|[a, b, c]| Triangle::new(a, b, c)));
    /// let points = [[1.0, 2.0, 2.0], [1.0, 2.0, -3.0], [1.0, 2.0, 0.0]];
    /// let found: WindingColumns = Batch::new().ask_as(&solid, WindingNumber, &points)?;
    /// assert_eq!(found.number, [1, 0, 0]);
    /// assert_eq!(found.on_surface, [0, 0, 1]);
    /// # Ok::<(), estoc::BatchError>(())
    /// ```
    #[derive(Eq)]
    pub struct WindingColumns of Winding {
        /// The winding number; 0 where there is none.
        number: i64 = 0, |found| found.number().unwrap_or(0);
        /// 1 for a point on the surface, which has no winding number, 0 for one that has; 255 where
        /// there is no answer.
        on_surface: u8 = u8::MAX, |found| u8::from(*found == Winding::OnSurface);
    }
    missing: on_surface == u8::MAX;
    row: match on_surface {
        0 => Some(Winding::Number(number)),
        1 => Some(Winding::OnSurface),
        _ => None,
    };
}

columns! {
    /// Triangles by their numbers: the values of [`ColumnRows`] for questions such as `Within`.
    #[derive(Eq)]
    pub struct PrimColumns of PrimId {
        /// The numbers of the triangles.
        prim: u32 = u32::MAX, |prim| prim.get();
    }
    missing: prim == u32::MAX;
    row: PrimId::new(prim);
}
