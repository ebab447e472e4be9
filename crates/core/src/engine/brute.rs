//! The reference engine.

use crate::collect::{
    Collector, Masks, MeshTriangle, PointCollector, PointKind, RayTest, RegionCollector,
    SweepCollector,
};
use crate::engine::{
    Engine, NearEngine, PairEngine, PointEngine, RayEngine, RegionEngine, SweepEngine,
};
use crate::exact::PreparedRay;
use crate::exact::pair::NearestPair;
use crate::shapes::{PrimId, Ray64, SurfaceReport, Triangle, Triangle64};
use crate::work::CancelToken;
use alloc::vec::Vec;
use core::fmt;
use core::ops::ControlFlow;
use glam::{DVec3, Vec3};

/// An engine that tests every triangle for every ray.
///
/// It is slow and simple: the reference for every other engine, and sufficient for a few triangles.
///
/// Triangles in `f64` are collected into one:
/// ```
/// # use estoc_core as estoc;
/// use estoc::{BruteForce, PointQuery, Triangle64};
/// let corners = [[0.0, 0.0, 0.1], [1.0, 0.0, 0.1], [0.0, 1.0, 0.1]];
/// let [a, b, c] = corners;
/// let engine: BruteForce<_> = [Triangle64::new(a, b, c)].into_iter().collect();
/// assert_eq!(engine.distance([0.25, 0.25, 0.3]), Some(0.3 - 0.1));
/// ```
#[derive(Clone)]
pub struct BruteForce<T: MeshTriangle = Triangle> {
    triangles: Vec<T>,
    surface: SurfaceReport<T::Coordinate>,
    masks: Option<Masks>,
}

/// Collects triangles into an engine, as [`BruteForce::new`] does.
impl<T: MeshTriangle> FromIterator<T> for BruteForce<T> {
    fn from_iter<I: IntoIterator<Item = T>>(triangles: I) -> Self {
        let triangles: Vec<T> = triangles.into_iter().collect();
        BruteForce {
            surface: SurfaceReport::of(triangles.iter().copied()),
            triangles,
            masks: None,
        }
    }
}

impl BruteForce {
    /// Returns an engine over these triangles, whose indices are their [`PrimId`]s.
    ///
    /// Every triangle is accepted: one without area or with a corner that is not finite is never
    /// hit. Triangles past [`PrimId::MAX`] have no id and are ignored; they would take more than
    /// 140 GiB.
    pub fn new(triangles: impl Into<Vec<Triangle>>) -> Self {
        triangles.into().into_iter().collect()
    }
}

impl<T: MeshTriangle> BruteForce<T> {
    /// Returns the number of triangles.
    pub fn triangle_count(&self) -> usize {
        self.triangles.len()
    }

    /// Returns a triangle; `None` when no triangle has that id.
    pub fn triangle(&self, prim: PrimId) -> Option<T> {
        self.triangles.get(prim.index()).copied()
    }

    /// Returns whether the triangles are closed, so that they have an inside; see
    /// [`Engine::is_closed`].
    pub fn is_closed(&self) -> bool {
        self.surface.is_closed()
    }

    /// Returns whether the triangles form a closed and oriented surface.
    pub fn surface(&self) -> SurfaceReport<T::Coordinate> {
        self.surface
    }

    /// Sets the masks of the triangles, which decide which triangles a ray sees.
    #[must_use]
    pub fn with_masks(self, masks: Masks) -> Self {
        let masks = Some(masks);
        BruteForce { masks, ..self }
    }

    /// Calls `offer` with all triangles by id, until it breaks.
    fn offer_all(&self, mut offer: impl FnMut(PrimId, &T) -> ControlFlow<()>) {
        let ids = (0..).map_while(PrimId::from_index);
        let _ = (ids.zip(&self.triangles)).try_for_each(|(prim, triangle)| offer(prim, triangle));
    }
}

/// Prints one line: the number of triangles, not the triangles themselves.
impl<T: MeshTriangle> fmt::Debug for BruteForce<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BruteForce")
            .field("triangles", &self.triangle_count())
            .field("closed", &self.is_closed())
            .field("has_masks", &self.masks.is_some())
            .finish_non_exhaustive()
    }
}

impl<T: MeshTriangle> Engine for BruteForce<T> {
    type Primitive = T;

    fn primitive_count(&self) -> usize {
        self.triangle_count()
    }

    fn primitive(&self, prim: PrimId) -> Option<T> {
        self.triangle(prim)
    }

    fn is_closed(&self) -> bool {
        self.is_closed()
    }

    fn visit(&self, _: &PreparedRay<'_>, collector: &mut Collector<'_, T>) {
        self.offer_all(|prim, triangle| collector.offer(prim, triangle));
    }

    fn masks(&self) -> Option<&Masks> {
        self.masks.as_ref()
    }
}

impl<T: MeshTriangle + RayTest<Ray64>> RayEngine<Ray64> for BruteForce<T> {
    fn visit_on(&self, _: &PreparedRay<'_, Ray64>, collector: &mut Collector<'_, T, Ray64>) {
        self.offer_all(|prim, triangle| collector.offer(prim, triangle));
    }
}

/// Implements what is asked about points once for each kind, so that the compiler infers the kind from the engine.
macro_rules! points {
    ($($point:ty, $triangle:ty;)*) => {$(
        impl NearEngine<$point> for BruteForce<$triangle> {
            fn visit_near(&self, collector: &mut PointCollector<$point, $triangle>) {
                self.offer_all(|prim, triangle| collector.offer(prim, triangle));
            }
        }

        impl PointEngine<$point> for BruteForce<$triangle> {
            fn surface(&self) -> SurfaceReport<<$point as PointKind>::Coordinate> {
                self.surface
            }
        }
    )*};
}

points! {
    Vec3, Triangle;
    DVec3, Triangle64;
}

impl<T: MeshTriangle> RegionEngine for BruteForce<T> {
    fn visit_region(&self, collector: &mut RegionCollector<'_>) {
        self.offer_all(|prim, triangle| collector.offer(prim, &(*triangle).into()));
    }
}

impl<T: MeshTriangle> PairEngine for BruteForce<T> {
    type Measured = T;

    fn nearest_pair(
        &self,
        other: &Self,
        mut nearest: NearestPair<T>,
        cancel: &CancelToken,
    ) -> Option<NearestPair<T>> {
        self.offer_all(|first, a| {
            other.offer_all(|second, b| {
                nearest.offer([first, second], [a, b], None);
                match second.get() % 1024 == 0 && cancel.is_cancelled() {
                    true => ControlFlow::Break(()),
                    false => ControlFlow::Continue(()),
                }
            });
            match cancel.is_cancelled() {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        });
        (!cancel.is_cancelled()).then_some(nearest)
    }
}

impl<T: MeshTriangle> SweepEngine for BruteForce<T> {
    fn visit_swept(&self, collector: &mut SweepCollector) {
        self.offer_all(|prim, triangle| collector.offer(prim, &(*triangle).into()));
    }
}
