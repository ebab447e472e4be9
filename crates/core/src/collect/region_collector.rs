//! Takes the candidates of one region, certifies them and keeps what is wanted.

use crate::exact::{
    pair::{Intersection, intersect, self_intersect},
    region::{BoxPosition, Region},
};
use crate::shapes::{PrimId, Triangle64};
use alloc::vec::Vec;
use core::ops::ControlFlow;
use glam::DVec3;

/// Takes candidates from an engine (see
/// [`RegionEngine::visit_region`](crate::RegionEngine::visit_region)).
pub struct RegionCollector<'a> {
    region: &'a dyn Region,
    bounds: Option<[DVec3; 2]>,
    goal: RegionGoal<'a>,
}

/// What a query wants, with what has been found so far.
pub(crate) enum RegionGoal<'a> {
    All(Vec<PrimId>),
    Any(bool),
    /// Whatever is offered, uncertified.
    Candidates(&'a mut dyn FnMut(PrimId, &Triangle64) -> ControlFlow<()>),
    /// The intersections of a triangle, which is the region, with triangles of the same mesh that
    /// have greater ids, or with all triangles of another mesh.
    Intersections {
        triangle: &'a Triangle64,
        first: PrimId,
        is_one_mesh: bool,
        found: &'a mut Vec<Intersection>,
    },
}

impl<'a> RegionCollector<'a> {
    /// Returns `None` for a region without points.
    pub(crate) fn new(region: &'a dyn Region, goal: RegionGoal<'a>) -> Option<Self> {
        // NaN excludes nothing.
        let is_known = |[low, high]: &[DVec3; 2]| !low.is_nan() && !high.is_nan();
        let bounds = region.bounds().filter(is_known);
        let is_empty = bounds.is_some_and(|[low, high]| low.cmpgt(high).any());
        (!is_empty).then_some(RegionCollector {
            region,
            bounds,
            goal,
        })
    }

    /// Returns a box that contains the region, which is not empty; `None` if there is no such box.
    #[inline]
    pub fn bounds(&self) -> Option<[DVec3; 2]> {
        self.bounds
    }

    /// Returns where the box from `min` to `max` lies, as
    /// [`Region::place_box`](crate::Region::place_box) does.
    #[inline]
    pub fn place_box(&self, min: DVec3, max: DVec3) -> BoxPosition {
        self.region.place_box(min, max)
    }

    /// Returns whether [`place_box`](RegionCollector::place_box) knows no more of the region than that
    /// it lies in its bounds, so that there is no need to ask.
    #[inline]
    pub fn is_known_by_bounds(&self) -> bool {
        matches!(self.goal, RegionGoal::Intersections { .. })
    }

    /// Returns whether a triangle of this name may be left out.
    #[inline]
    pub fn skips(&self, prim: PrimId) -> bool {
        match self.goal {
            RegionGoal::Intersections {
                first,
                is_one_mesh: true,
                ..
            } => prim <= first,
            _ => false,
        }
    }

    /// Takes a candidate, a [`Triangle`](crate::Triangle) as one in `f64` of the same corners. `Break` means that the
    /// answer is known.
    #[inline]
    pub fn offer(&mut self, prim: PrimId, triangle: &Triangle64) -> ControlFlow<()> {
        if self.skips(prim) || self.is_beside(triangle) {
            return ControlFlow::Continue(());
        }
        if let RegionGoal::Candidates(visit) = &mut self.goal {
            return visit(prim, triangle);
        }
        if triangle.is_degenerate() {
            return ControlFlow::Continue(());
        }
        if let RegionGoal::Intersections {
            triangle: region,
            first,
            is_one_mesh,
            found,
        } = &mut self.goal
        {
            let kind = match is_one_mesh {
                true => self_intersect(region, triangle),
                false => intersect(region, triangle),
            };
            found.extend(kind.map(|kind| Intersection {
                first: *first,
                second: prim,
                kind,
            }));
            ControlFlow::Continue(())
        } else if self.region.has_point_in(triangle.corners()) {
            self.take(prim)
        } else {
            ControlFlow::Continue(())
        }
    }

    /// Takes a triangle that is certainly inside the region. `Break` means that the answer is known.
    #[inline]
    pub fn offer_inside(&mut self, prim: PrimId, triangle: &Triangle64) -> ControlFlow<()> {
        match self.goal {
            RegionGoal::Intersections { .. } | RegionGoal::Candidates(_) => {
                self.offer(prim, triangle)
            }
            _ if triangle.is_degenerate() => ControlFlow::Continue(()),
            _ => self.take(prim),
        }
    }

    /// Returns whether the box of the triangle does not meet that of the region. A coordinate that is
    /// NaN lies beside nothing.
    #[inline]
    fn is_beside(&self, triangle: &Triangle64) -> bool {
        let [a, b, c] = triangle.corners();
        self.bounds.is_some_and(|[low, high]| {
            let (min, max) = (a.min(b).min(c), a.max(b).max(c));
            min.cmpgt(high).any() || max.cmplt(low).any()
        })
    }

    #[inline]
    fn take(&mut self, prim: PrimId) -> ControlFlow<()> {
        match &mut self.goal {
            RegionGoal::All(prims) => prims.push(prim),
            RegionGoal::Any(any) => {
                *any = true;
                return ControlFlow::Break(());
            }
            RegionGoal::Intersections { .. } | RegionGoal::Candidates(_) => {}
        }
        ControlFlow::Continue(())
    }

    /// Returns the triangles found by id, if that was wanted.
    pub(crate) fn all_found(self) -> Vec<PrimId> {
        match self.goal {
            RegionGoal::All(mut prims) => {
                prims.sort_unstable();
                prims
            }
            _ => Vec::new(),
        }
    }

    /// Returns whether any triangle was found, if that was wanted.
    pub(crate) fn any_found(&self) -> bool {
        matches!(self.goal, RegionGoal::Any(true))
    }
}
