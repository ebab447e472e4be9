//! A triangle that the plane cuts.

use super::crossing::crossing;
use super::polyline::SectionPoint;
use crate::arithmetic::InlineMap;
use crate::shapes::{
    Plane, PlaneSide, PrimId, Triangle,
    surface::{EdgeKey, position, undirected},
};
use glam::Vec3;

/// A triangle with corners in front of the plane and behind it.
pub(super) struct Cut {
    pub(super) prim: PrimId,
    corners: [Vec3; 3],
    sides: [PlaneSide; 3],
    /// The number of the edge that leads from the front to the back, where the cut begins, and of
    /// the one that leads to the front, where it ends.
    edges: [u8; 2],
    has_length: bool,
}

impl Cut {
    /// Returns `None` for a triangle that is not cut.
    pub(super) fn new(plane: &Plane, prim: PrimId, triangle: &Triangle) -> Option<Self> {
        let corners = triangle.corners();
        let [a, b, c] = corners.inline_map(|corner| plane.side_of(corner));
        let sides = [a?, b?, c?];
        let is_behind = sides.inline_map(|side| side == PlaneSide::Back);
        let edge = |from_behind| {
            (0..3u8).find(|&edge| {
                let start = usize::from(edge);
                is_behind[start] == from_behind && is_behind[(start + 1) % 3] != from_behind
            })
        };
        let edges = [edge(false)?, edge(true)?];
        // The two edges meet in the corner that is alone on its side. The cut is a point when that
        // corner is on the plane, and when the triangle has no area: all its corners are on one
        // line, which crosses the plane once.
        let is_alone = |corner: usize| {
            is_behind[corner] != is_behind[(corner + 1) % 3]
                && is_behind[corner] != is_behind[(corner + 2) % 3]
        };
        let lone = (0..3).find(|&corner| is_alone(corner))?;
        let has_length = sides[lone] != PlaneSide::On && !triangle.is_degenerate();
        Some(Cut {
            prim,
            corners,
            sides,
            edges,
            has_length,
        })
    }

    /// Returns whether the cut is more than a point.
    pub(super) fn has_length(&self) -> bool {
        self.has_length
    }

    /// Returns the edge at one end of the cut: 0 where it begins, 1 where it ends.
    pub(super) fn edge_key(&self, end: usize) -> EdgeKey {
        let corner = |corner: usize| position(self.corners[corner]);
        undirected(self.edge(end).inline_map(corner))
    }

    /// Returns the point at one end of the cut.
    pub(super) fn point(&self, plane: &Plane, end: usize) -> SectionPoint {
        let [start, stop] = self.edge(end);
        // The cut begins on the edge that leads to the back, and ends on the one from there.
        let (front, behind) = if end == 0 {
            (start, stop)
        } else {
            (stop, start)
        };
        let [a, b] = [front, behind].inline_map(|corner| self.corners[corner]);
        let (point, parameter) = match self.sides[front] {
            PlaneSide::On => (a + Vec3::ZERO, end as f32),
            _ => crossing(plane, a, b, end == 1),
        };
        SectionPoint {
            prim: self.prim,
            edge: self.edges[end],
            edge_ends: [start, stop].inline_map(|corner| self.corners[corner]),
            parameter,
            point,
        }
    }

    /// Returns the two corners of the edge at one end of the cut, in the order of the triangle.
    fn edge(&self, end: usize) -> [usize; 2] {
        let start = usize::from(self.edges[end]);
        [start, (start + 1) % 3]
    }
}
