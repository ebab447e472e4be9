//! Engines that find what is near a point.

use super::{Engine, PointCollector};
use crate::Triangle;
use alloc::boxed::Box;
use alloc::sync::Arc;

/// Finds the triangles that may be near a point.
///
/// As with rays, an engine only supplies candidates. [`PointQuery`](crate::PointQuery), which every
/// such engine has, certifies, orders and rounds them in exact arithmetic, the same for every
/// engine.
///
/// The trait is object-safe: `Box<dyn PointEngine>` answers every query about points and about
/// rays.
pub trait PointEngine: Engine<Primitive = Triangle> {
    /// Offers the collector every triangle whose squared distance from [`PointCollector::point`] is
    /// at most [`PointCollector::limit`], each at most once, in any order, until the collector
    /// breaks. The limit may fall with every offer.
    ///
    /// Triangles that are farther may be offered too. Where [only the closest
    /// one](PointCollector::wants_closest) is wanted, a triangle may be left out that is certainly
    /// farther than another one that has area.
    fn visit_near(&self, collector: &mut PointCollector);
}

macro_rules! point_engine_behind_a_pointer {
    ($($pointer:ty),*) => {$(
        impl<E: PointEngine + ?Sized> PointEngine for $pointer {
            fn visit_near(&self, collector: &mut PointCollector) {
                (**self).visit_near(collector);
            }
        }
    )*};
}

point_engine_behind_a_pointer!(&E, Box<E>, Arc<E>);
