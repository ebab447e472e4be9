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

use crate::shapes::{Coordinate, Plane, PrimId, Triangle64};
use alloc::vec::Vec;
use cut::Cut;

/// Takes the triangles that a plane may cut, in any order.
pub(crate) struct SectionBuilder<C: Coordinate> {
    plane: Plane<C>,
    /// The same plane.
    wide: Plane<f64>,
    cuts: Vec<Cut>,
}

impl<C: Coordinate> SectionBuilder<C> {
    pub(crate) fn new(plane: Plane<C>) -> Self {
        SectionBuilder {
            plane,
            wide: plane.wide(),
            cuts: Vec::new(),
        }
    }

    /// Takes a triangle, whose corners have numbers of the kind C, at most once; one with a corner that is not finite is
    /// left out.
    pub(crate) fn offer(&mut self, prim: PrimId, triangle: &Triangle64) {
        self.cuts.extend(Cut::new(&self.wide, prim, triangle));
    }

    pub(crate) fn finish(mut self) -> Section<C> {
        self.cuts.sort_unstable_by_key(|cut| cut.prim);
        let chains = join::chains::<C>(&self.cuts);
        let polylines = chains
            .iter()
            .map(|chain| chain.polyline(&self.wide, &self.cuts));
        Section {
            plane: self.plane,
            polylines: polylines.collect(),
        }
    }
}
