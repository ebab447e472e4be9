//! The cut of a mesh with a plane, as polylines.
//!
//! A corner on the plane counts as in front of it. So a triangle is cut when it has corners on both
//! sides, its cut leads from one of its edges to another one, and where the plane goes through a
//! corner, the edges around it still tell which triangles follow each other. All this is decided by
//! the exact sides of corners and by equal positions; numbers are computed at the end.

mod crossing;
mod cut;
mod join;
mod loops;
mod nesting;
mod polyline;

pub use polyline::{Polyline, Section, SectionLoop, SectionPoint};

use crate::shapes::{Plane, PrimId, Triangle};
use alloc::vec::Vec;
use cut::Cut;

/// Takes the triangles that a plane may cut, in any order.
pub(crate) struct SectionBuilder {
    plane: Plane,
    cuts: Vec<Cut>,
}

impl SectionBuilder {
    pub(crate) fn new(plane: Plane) -> Self {
        let cuts = Vec::new();
        SectionBuilder { plane, cuts }
    }

    /// Takes a triangle, at most once; one with a corner that is not finite is left out.
    pub(crate) fn offer(&mut self, prim: PrimId, triangle: &Triangle) {
        self.cuts.extend(Cut::new(&self.plane, prim, triangle));
    }

    pub(crate) fn finish(mut self) -> Section {
        self.cuts.sort_unstable_by_key(|cut| cut.prim);
        let chains = join::chains(&self.cuts);
        let polylines = chains
            .iter()
            .map(|chain| chain.polyline(&self.plane, &self.cuts));
        Section {
            plane: self.plane,
            polylines: polylines.collect(),
        }
    }
}
