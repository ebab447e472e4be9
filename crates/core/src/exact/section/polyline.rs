//! The answer: the polylines of a cut.

use super::SectionBuilder;
use crate::shapes::{Plane, PrimId, Triangle};
use alloc::vec::Vec;
use glam::Vec3;

/// The cut of a mesh with a plane: the segments in which the plane cuts triangles that have corners
/// in front of it and behind it.
///
/// A corner on the plane counts as in front of it. So a face in the plane belongs to the half space
/// in front; its outline is part of the cut where the mesh goes on behind the plane. What only
/// touches the plane from the front is not part of it.
///
/// ```
/// # mod estoc { pub use estoc_core::*; pub mod query { pub use estoc_core::*; } }
/// use estoc::{Plane, Triangle, query::Section};
/// let upright = Triangle::new([0.0, 0.0, -1.0], [2.0, 0.0, -1.0], [0.0, 0.0, 1.0]);
/// let ground = Plane::through([0.0; 3], [0.0, 0.0, 1.0]).unwrap();
/// let section = Section::of_triangles(&ground, [upright]);
/// let (prim, ends) = section.segments().next().unwrap();
/// assert_eq!((prim.get(), section.is_closed()), (0, false));
/// assert_eq!(ends[0].distance(ends[1]), 1.0);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Section {
    /// The polylines, by the lowest id of their triangles.
    pub polylines: Vec<Polyline>,
}

impl Section {
    /// Returns the cut of these triangles, whose indices are their ids.
    ///
    /// [`RegionQuery::section`](crate::RegionQuery::section) returns the same of an engine, which
    /// finds the triangles at the plane.
    pub fn of_triangles(plane: &Plane, triangles: impl IntoIterator<Item = Triangle>) -> Self {
        let mut section = SectionBuilder::new(*plane);
        for (index, triangle) in triangles.into_iter().enumerate() {
            if let Some(prim) = PrimId::from_index(index) {
                section.offer(prim, &triangle);
            }
        }
        section.finish()
    }

    /// Returns whether nothing is cut.
    pub fn is_empty(&self) -> bool {
        self.polylines.is_empty()
    }

    /// Returns whether all polylines are closed. Those of a closed mesh always are.
    pub fn is_closed(&self) -> bool {
        self.polylines.iter().all(|polyline| polyline.is_closed)
    }

    /// Returns the segments of all polylines: the triangle and the two ends of each.
    pub fn segments(&self) -> impl Iterator<Item = (PrimId, [Vec3; 2])> {
        self.polylines.iter().flat_map(Polyline::segments)
    }
}

/// A polyline of a [`Section`]: consecutive segments, each across one triangle.
///
/// Where neighbouring triangles have the same orientation, front faces are on the right of the
/// polyline as seen from the side that the plane's normal points to: around the inside of a closed
/// mesh that faces outward it runs counterclockwise. Elsewhere the triangle of lowest id decides.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Polyline {
    /// The starts of the segments, in order; of an open polyline also the end of the last one.
    ///
    /// A closed polyline begins at its triangle of lowest id.
    pub points: Vec<SectionPoint>,
    /// Whether the last point is connected to the first.
    pub is_closed: bool,
}

impl Polyline {
    /// Returns the segments: the triangle and the two ends of each.
    pub fn segments(&self) -> impl Iterator<Item = (PrimId, [Vec3; 2])> {
        let count = self.points.len() - usize::from(!self.is_closed && !self.points.is_empty());
        let ends = self.points.iter().cycle().skip(1);
        self.points
            .iter()
            .zip(ends)
            .take(count)
            .map(|(start, end)| (start.prim, [start.point, end.point]))
    }
}

/// A point of a [`Polyline`], on an edge of a triangle.
///
/// The numbers are the `f32` nearest to the exact values, ties to even; zero is +0.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SectionPoint {
    /// The triangle whose segment begins here; at the end of an open polyline, the last triangle.
    pub prim: PrimId,
    /// The edge of that triangle which the point is on, by the vertex where it starts: 0 from `p0`
    /// to `p1`, 1 from `p1` to `p2`, 2 from `p2` to `p0`.
    pub edge: u8,
    /// The position on that edge: 0 where it starts, 1 where it ends.
    pub parameter: f32,
    /// The point, each coordinate rounded on its own.
    pub point: Vec3,
}
