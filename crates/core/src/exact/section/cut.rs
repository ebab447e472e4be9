//! A triangle that the plane cuts.

use super::crossing::crossing;
use super::polyline::SectionPoint;
use crate::arithmetic::InlineMap;
use crate::shapes::{
    Coordinate, Plane, PrimId, Triangle64,
    surface::{EdgeKey, undirected},
};
use glam::DVec3;

/// A triangle with corners in front of the plane and behind it.
pub(super) struct Cut {
    pub(super) prim: PrimId,
    corners: [DVec3; 3],
    /// The signs of their heights.
    sides: [i32; 3],
    /// The number of the edge that leads from the front to the back, where the cut begins, and of
    /// the one that leads to the front, where it ends.
    edges: [u8; 2],
    has_length: bool,
}

impl Cut {
    /// Returns `None` for a triangle that is not cut.
    pub(super) fn new(plane: &Plane<f64>, prim: PrimId, triangle: &Triangle64) -> Option<Self> {
        if !triangle.is_finite() {
            return None;
        }
        let corners = triangle.corners();
        let sides = corners.inline_map(|corner| plane.sign_at(corner.to_array()));
        let is_behind = sides.inline_map(|side| side < 0);
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
        let has_length = sides[lone] != 0 && !triangle.is_degenerate();
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
    pub(super) fn edge_key<C: Coordinate>(&self, end: usize) -> EdgeKey<C::Position> {
        let corner = |corner: usize| C::position(C::nearest_point(self.corners[corner]));
        undirected(self.edge(end).inline_map(corner))
    }

    /// Returns the point at one end of the cut.
    pub(super) fn point<C: Coordinate>(&self, plane: &Plane<f64>, end: usize) -> SectionPoint<C> {
        let [start, stop] = self.edge(end);
        // The cut begins on the edge that leads to the back, and ends on the one from there.
        let (front, behind) = if end == 0 {
            (start, stop)
        } else {
            (stop, start)
        };
        let [a, b] = [front, behind].inline_map(|corner| self.corners[corner]);
        let (point, parameter) = match self.sides[front] {
            0 => (C::nearest_point(a + DVec3::ZERO), C::of(end as f64)),
            _ => crossing(plane, a, b, end == 1),
        };
        SectionPoint {
            prim: self.prim,
            edge: self.edges[end],
            edge_ends: [start, stop].inline_map(|corner| C::nearest_point(self.corners[corner])),
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
