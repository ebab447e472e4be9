//! Engines that find what is near a point.

use super::for_pointers::for_pointers;
use crate::collect::{PointCollector, PointKind, PointTest, Primitive};
use crate::engine::{Engine, RayEngine};
use crate::exact::sign::WindingCollector;
use crate::shapes::{PrimId, SurfaceReport};
use glam::{DVec3, Vec3};

/// What points measure their distance from in an engine.
pub type NearOf<E> = <<E as Engine>::Primitive as Primitive>::Near;

/// A distance from what is in an engine.
pub type LengthOf<E, V> = <NearOf<E> as PointTest<V>>::Length;

/// The answer about the closest point of an engine.
pub type ClosestOf<E, V> = <NearOf<E> as PointTest<V>>::ClosestAnswer;

/// The id of what is near a point in an engine.
pub type NearIdOf<E, V> = <NearOf<E> as PointTest<V>>::Id;

/// Finds the triangles that may be near a point of a kind: a mesh near a `Vec3`, a mesh in `f64` or a scene near
/// a `glam::DVec3`.
///
/// As with rays, an engine only supplies candidates. [`PointQuery`](crate::PointQuery), which every
/// such engine has, certifies, orders and rounds them in exact arithmetic, the same for every
/// engine.
pub trait NearEngine<V: PointKind = Vec3>:
    Engine<Primitive: Primitive<Near: PointTest<V>>>
{
    /// Offers the collector every triangle whose squared distance from [`PointCollector::point`] is
    /// at most [`PointCollector::limit`], each at most once, in any order, until the collector
    /// breaks. The limit may fall with every offer.
    ///
    /// Triangles that are farther may be offered too. Where [only the closest
    /// one](PointCollector::wants_closest) is wanted, a triangle may be left out that is certainly
    /// farther than another one that has area.
    fn visit_near(&self, collector: &mut PointCollector<V, NearOf<Self>>);
}

/// An engine over the triangles of a mesh that finds what is near a point, and on which side of the
/// surface the point is: of a mesh in `f32` for a `Vec3`, of one in `f64` for a `glam::DVec3`.
///
/// The trait is object-safe: `Box<dyn PointEngine>` answers every query about points and about
/// rays.
pub trait PointEngine<V: PointKind = Vec3>:
    NearEngine<V> + RayEngine<V::Ray> + Engine<Primitive = V::Triangle>
{
    /// Offers the collector every triangle once, alone or in a cluster that it takes.
    ///
    /// This is the one query whose answer may depend on the engine: which triangles are in a cluster,
    /// and the order of sums, change the estimate within its bound. An engine should offer the same
    /// in the same order in all threads and on all machines.
    fn visit_winding(&self, collector: &mut WindingCollector) {
        for triangle in triangles(self) {
            collector.offer(&triangle.into());
        }
    }

    /// Returns whether the triangles form a closed and oriented surface. Every query for a sign asks
    /// this, so engines should find it once and keep it; the default finds it anew at each call.
    fn surface(&self) -> SurfaceReport<V::Coordinate> {
        SurfaceReport::of(triangles(self))
    }
}

/// Returns all triangles of an engine by id.
fn triangles<V: PointKind, E: PointEngine<V> + ?Sized>(
    engine: &E,
) -> impl Iterator<Item = V::Triangle> + '_ {
    let ids = (0..engine.primitive_count()).map_while(PrimId::from_index);
    ids.filter_map(|prim| engine.primitive(prim))
}

for_pointers! { [V: PointKind, E: NearEngine<V>] NearEngine<V>, {
    fn visit_near(&self, collector: &mut PointCollector<V, NearOf<E>>) {
        (**self).visit_near(collector);
    }
} }

/// Implements [`PointEngine`] for pointers, once for each kind of point, as rays of each kind have their own
/// [`RayEngine`] for pointers.
macro_rules! for_pointers_about {
    ($($point:ty),*) => {$(
        for_pointers! { [E: PointEngine<$point>] PointEngine<$point>, {
            fn visit_winding(&self, collector: &mut WindingCollector) {
                (**self).visit_winding(collector);
            }

            fn surface(&self) -> SurfaceReport<<$point as PointKind>::Coordinate> {
                (**self).surface()
            }
        } }
    )*};
}

for_pointers_about!(Vec3, DVec3);
