//! The reference engine.

use crate::collect::{Collector, Masks, PointCollector, RegionCollector, SweepCollector};
use crate::engine::{Engine, NearEngine, PairEngine, PointEngine, RegionEngine, SweepEngine};
use crate::exact::PreparedRay;
use crate::exact::pair::NearestPair;
use crate::shapes::{PrimId, SurfaceReport, Triangle};
use crate::work::CancelToken;
use alloc::vec::Vec;
use core::fmt;
use core::ops::ControlFlow;

/// An engine that tests every triangle for every ray.
///
/// It is slow and simple: the reference for every other engine, and sufficient for a few triangles.
#[derive(Clone)]
pub struct BruteForce {
    triangles: Vec<Triangle>,
    surface: SurfaceReport,
    masks: Option<Masks>,
}

impl BruteForce {
    /// Returns an engine over these triangles, whose indices are their [`PrimId`]s.
    ///
    /// Every triangle is accepted: one without area or with a corner that is not finite is never
    /// hit. Triangles past [`PrimId::MAX`] have no id and are ignored; they would take more than
    /// 140 GiB.
    pub fn new(triangles: impl Into<Vec<Triangle>>) -> Self {
        let triangles = triangles.into();
        let surface = SurfaceReport::of(triangles.iter().copied());
        BruteForce {
            triangles,
            surface,
            masks: None,
        }
    }

    /// Returns the number of triangles.
    pub fn triangle_count(&self) -> usize {
        self.triangles.len()
    }

    /// Returns a triangle; `None` when no triangle has that id.
    pub fn triangle(&self, prim: PrimId) -> Option<Triangle> {
        self.triangles.get(prim.index()).copied()
    }

    /// Returns whether the triangles are closed, so that they have an inside; see
    /// [`Engine::is_closed`].
    pub fn is_closed(&self) -> bool {
        self.surface.is_closed()
    }

    /// Returns whether the triangles form a closed and oriented surface.
    pub fn surface(&self) -> SurfaceReport {
        self.surface
    }

    /// Sets the masks of the triangles, which decide which triangles a ray sees.
    #[must_use]
    pub fn with_masks(self, masks: Masks) -> Self {
        let masks = Some(masks);
        BruteForce { masks, ..self }
    }

    /// Calls `offer` with all triangles by id, until it breaks.
    fn offer_all(&self, mut offer: impl FnMut(PrimId, &Triangle) -> ControlFlow<()>) {
        let ids = (0..).map_while(PrimId::from_index);
        let _ = (ids.zip(&self.triangles)).try_for_each(|(prim, triangle)| offer(prim, triangle));
    }
}

/// Prints one line: the number of triangles, not the triangles themselves.
impl fmt::Debug for BruteForce {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BruteForce")
            .field("triangles", &self.triangle_count())
            .field("closed", &self.is_closed())
            .field("has_masks", &self.masks.is_some())
            .finish_non_exhaustive()
    }
}

impl Engine for BruteForce {
    type Primitive = Triangle;

    fn primitive_count(&self) -> usize {
        self.triangle_count()
    }

    fn primitive(&self, prim: PrimId) -> Option<Triangle> {
        self.triangle(prim)
    }

    fn is_closed(&self) -> bool {
        self.is_closed()
    }

    fn visit(&self, _: &PreparedRay<'_>, collector: &mut Collector<'_>) {
        self.offer_all(|prim, triangle| collector.offer(prim, triangle));
    }

    fn masks(&self) -> Option<&Masks> {
        self.masks.as_ref()
    }
}

impl NearEngine for BruteForce {
    fn visit_near(&self, collector: &mut PointCollector) {
        self.offer_all(|prim, triangle| collector.offer(prim, triangle));
    }
}

impl PointEngine for BruteForce {
    fn surface(&self) -> SurfaceReport {
        self.surface
    }
}

impl RegionEngine for BruteForce {
    fn visit_region(&self, collector: &mut RegionCollector<'_>) {
        self.offer_all(|prim, triangle| collector.offer(prim, &(*triangle).into()));
    }
}

impl PairEngine for BruteForce {
    type Measured = Triangle;

    fn nearest_pair(
        &self,
        other: &Self,
        mut nearest: NearestPair<Triangle>,
        cancel: &CancelToken,
    ) -> Option<NearestPair<Triangle>> {
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

impl SweepEngine for BruteForce {
    fn visit_swept(&self, collector: &mut SweepCollector) {
        self.offer_all(|prim, triangle| collector.offer(prim, &(*triangle).into()));
    }
}
