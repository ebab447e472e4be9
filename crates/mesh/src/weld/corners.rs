//! The different positions of the corners of a mesh.

use estoc_system::parallel::prelude::*;

use super::distance::Position;
use crate::error::MeshError;
use crate::mesh::Mesh;
use core::cmp::Ordering;
use estoc_core::CancelToken;
use estoc_core::glam::Vec3;
use estoc_system::{Growth, collected};
use std::iter::repeat_n;

/// A position and its number.
#[derive(Clone, Copy, Debug)]
pub(super) struct CornerPoint {
    pub(super) at: Position,
    pub(super) id: u32,
}

/// The different positions of the corners of triangles, numbered in the order of x, then y, then z.
pub(super) struct Corners {
    /// All of them, in order.
    pub(super) points: Vec<CornerPoint>,
    /// The number of each vertex's position; [`Corners::UNUSED`] if it is no corner of a triangle.
    pub(super) of_vertex: Vec<u32>,
}

impl Corners {
    /// There are at most as many positions as vertices, of which the last has a smaller number.
    pub(super) const UNUSED: u32 = u32::MAX;

    pub(super) fn of(mesh: &Mesh, cancel: &CancelToken) -> Result<Self, MeshError> {
        let positions = mesh.positions();
        let mut of_vertex = collected(repeat_n(Corners::UNUSED, positions.len()))?;
        let mut used = 0;
        for &vertex in mesh.indices().as_flattened() {
            let id = &mut of_vertex[vertex as usize];
            used += usize::from(*id == Corners::UNUSED);
            *id = 0;
        }
        // The numbers are those of vertices at first.
        let mut points: Vec<CornerPoint> = Vec::new();
        points.make_room(used)?;
        for ((vertex, &position), &id) in (0..).zip(positions).zip(&of_vertex) {
            if id != Corners::UNUSED {
                // Adding 0 turns -0 into +0.
                let at = (position + Vec3::ZERO).to_array();
                points.push(CornerPoint { at, id: vertex });
            }
        }
        MeshError::check_cancelled(cancel)?;
        // No coordinate of a corner is NaN.
        let order =
            |a: &CornerPoint, b: &CornerPoint| a.at.partial_cmp(&b.at).unwrap_or(Ordering::Equal);
        points.par_sort_unstable_by(order);
        MeshError::check_cancelled(cancel)?;
        let mut id = 0;
        for i in 0..points.len() {
            id += u32::from(i > 0 && points[i].at != points[i - 1].at);
            of_vertex[points[i].id as usize] = id;
        }
        points.dedup_by_key(|point| point.at);
        for (id, point) in (0..).zip(&mut points) {
            point.id = id;
        }
        Ok(Corners { points, of_vertex })
    }

    /// Returns the numbers of the positions of a triangle's corners.
    pub(super) fn of_triangle(&self, triangle: &[u32; 3]) -> [u32; 3] {
        triangle.map(|vertex| self.of_vertex[vertex as usize])
    }

    pub(super) fn position(&self, id: u32) -> Position {
        self.points[id as usize].at
    }
}
