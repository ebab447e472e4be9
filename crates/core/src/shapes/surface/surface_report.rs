//! What the edges of triangles say about the surface that they form.

use super::JoinedTriangle;
use super::open_edges::{directed_edges, sort_edges, undirected};
use crate::shapes::Coordinate;
use alloc::vec::Vec;

/// What the edges of some triangles say about the surface that they form: whether it is closed,
/// whether it is oriented, and the first edge where it is not.
///
/// Corners of equal position are joined. An edge between equal corners does not count, nor do the
/// edges of triangles that are not finite, which have no points in any query. Triangles without
/// area count: they may join what would be open without them.
///
/// ```
/// # mod estoc { pub use estoc_core::*; pub mod mesh { pub use estoc_core::*; } }
/// use estoc::{Triangle, mesh::SurfaceReport};
/// let [a, b, c, d] = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// let report = |faces: &[[[f32; 3]; 3]]| {
///     SurfaceReport::of(faces.iter().map(|&[a, b, c]| Triangle::new(a, b, c)))
/// };
/// let solid = report(&[[a, c, b], [a, b, d], [b, c, d], [a, d, c]]);
/// assert!(solid.is_closed() && solid.is_oriented());
/// let turned = report(&[[a, b, c], [a, b, d], [b, c, d], [a, d, c]]);
/// assert!(turned.is_closed() && !turned.is_oriented());
/// let edge = turned.first_unpaired.unwrap();
/// assert_eq!((edge.forward, edge.backward), (0, 2));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(
        serialize = "C: serde::Serialize, C::Point: serde::Serialize",
        deserialize = "C: serde::Deserialize<'de>, C::Point: serde::Deserialize<'de>"
    ))
)]
#[non_exhaustive]
pub struct SurfaceReport<C: Coordinate = f32> {
    /// The number of edges, each counted once.
    pub edges: usize,
    /// The number of edges that are used an odd number of times.
    pub open_edges: usize,
    /// The first of these, in an order that depends on positions alone.
    pub first_open: Option<SurfaceEdge<C>>,
    /// The number of edges that are not used equally often in both directions; open edges are among
    /// them.
    pub unpaired_edges: usize,
    /// The first of these, in an order that depends on positions alone.
    pub first_unpaired: Option<SurfaceEdge<C>>,
    /// The number of edges that are not used equally often in both directions, or, where they are
    /// open, that differ by more than one: triangles there face different sides of the surface.
    pub misoriented_edges: usize,
    /// The first of these, in an order that depends on positions alone.
    pub first_misoriented: Option<SurfaceEdge<C>>,
    /// The number of edges that are used more than twice.
    pub crowded_edges: usize,
    /// The first of these, in an order that depends on positions alone.
    pub first_crowded: Option<SurfaceEdge<C>>,
}

/// An edge of a surface, with the number of its uses in each direction. Its ends are finite.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(
        serialize = "C: serde::Serialize, C::Point: serde::Serialize",
        deserialize = "C: serde::Deserialize<'de>, C::Point: serde::Deserialize<'de>"
    ))
)]
#[non_exhaustive]
pub struct SurfaceEdge<C: Coordinate = f32> {
    /// The two ends.
    pub ends: [C::Point; 2],
    /// The number of triangles that have the edge from the first end to the second.
    pub forward: usize,
    /// The number of triangles that have it from the second end to the first.
    pub backward: usize,
}

/// No coordinate is NaN.
impl<C: Coordinate> Eq for SurfaceEdge<C> {}

impl<C: Coordinate> Eq for SurfaceReport<C> {}

/// The report about no triangles.
impl<C: Coordinate> Default for SurfaceReport<C> {
    fn default() -> Self {
        SurfaceReport {
            edges: 0,
            open_edges: 0,
            first_open: None,
            unpaired_edges: 0,
            first_unpaired: None,
            misoriented_edges: 0,
            first_misoriented: None,
            crowded_edges: 0,
            first_crowded: None,
        }
    }
}

impl<C: Coordinate> SurfaceReport<C> {
    /// Returns the report about these triangles; no triangles are closed and oriented. Takes the
    /// time and memory of sorting three edges per triangle.
    pub fn of<T: JoinedTriangle<Coordinate = C>>(triangles: impl Iterator<Item = T>) -> Self {
        let mut edges: Vec<_> = directed_edges(triangles).collect();
        sort_edges(&mut edges);
        let mut report = SurfaceReport::default();
        for uses in edges.chunk_by(|&a, &b| undirected(a) == undirected(b)) {
            let ends = undirected(uses[0]);
            let forward = uses.iter().filter(|&&edge| edge == ends).count();
            let edge = SurfaceEdge {
                ends: ends.map(C::at),
                forward,
                backward: uses.len() - forward,
            };
            report.edges += 1;
            if uses.len() % 2 == 1 {
                report.open_edges += 1;
                report.first_open.get_or_insert(edge);
            }
            if edge.forward != edge.backward {
                report.unpaired_edges += 1;
                report.first_unpaired.get_or_insert(edge);
            }
            if edge.forward.abs_diff(edge.backward) > uses.len() % 2 {
                report.misoriented_edges += 1;
                report.first_misoriented.get_or_insert(edge);
            }
            if uses.len() > 2 {
                report.crowded_edges += 1;
                report.first_crowded.get_or_insert(edge);
            }
        }
        report
    }

    /// Returns whether every edge is used an even number of times, so that every line crosses the
    /// surface an even number of times: it has an inside by parity.
    pub fn is_closed(&self) -> bool {
        self.first_open.is_none()
    }

    /// Returns whether every edge is used equally often in both directions, so that the surface
    /// winds around every point that is not on it a whole number of times. Then it is closed, too.
    pub fn is_oriented(&self) -> bool {
        self.first_unpaired.is_none()
    }

    /// Returns an error if the surface is not closed.
    ///
    /// # Errors
    /// [`SurfaceError::Open`], with the first open edge.
    pub fn check_closed(&self) -> Result<(), SurfaceError<C>> {
        self.first_open
            .map_or(Ok(()), |edge| Err(SurfaceError::Open { edge }))
    }

    /// Returns an error if the surface is not closed and oriented.
    ///
    /// # Errors
    /// [`SurfaceError::Open`] with the first open edge, or else [`SurfaceError::Unpaired`] with the
    /// first edge that is not used equally often in both directions.
    pub fn check_oriented(&self) -> Result<(), SurfaceError<C>> {
        self.check_closed()?;
        self.first_unpaired
            .map_or(Ok(()), |edge| Err(SurfaceError::Unpaired { edge }))
    }
}

/// Why a surface has no inside, or none that a rule can find.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SurfaceError<C: Coordinate = f32> {
    /// The surface is not closed.
    #[error(
        "the surface is not closed, so it has no inside: an odd number of triangles, {}, have the \
         edge {}; close it, by welding if only noise opens its seams, or use the estimate of the winding \
         number",
        edge.forward + edge.backward, EdgeText(edge)
    )]
    Open {
        /// The first edge that is used an odd number of times.
        edge: SurfaceEdge<C>,
    },
    /// The surface is closed, but its triangles are not consistently oriented.
    #[error(
        "the triangles are not consistently oriented, so they have no winding number: the edge {} is \
         used {} to {} in its two directions; turn some of them, or decide by parity",
        EdgeText(edge), edge.forward, edge.backward
    )]
    Unpaired {
        /// The first edge that is not used equally often in both directions.
        edge: SurfaceEdge<C>,
    },
}

impl<C: Coordinate> Eq for SurfaceError<C> {}

/// Displays the ends of an edge.
struct EdgeText<'a, C: Coordinate>(&'a SurfaceEdge<C>);

impl<C: Coordinate> core::fmt::Display for EdgeText<'_, C> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let [from, to] = self.0.ends;
        let [a, b] = [from, to].map(C::coordinates);
        write!(f, "from {a:?} to {b:?}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shapes::{Triangle, Triangle64};
    use glam::Vec3;
    use std::string::ToString;

    fn tetrahedron() -> [Triangle; 4] {
        let [a, b, c, d] = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        [
            Triangle::new(a, c, b),
            Triangle::new(a, b, d),
            Triangle::new(b, c, d),
            Triangle::new(a, d, c),
        ]
    }

    #[test]
    fn directions_and_numbers_of_uses_are_told() {
        let of = |faces: &[[[f32; 3]; 3]]| {
            SurfaceReport::of(faces.iter().map(|&[a, b, c]| Triangle::new(a, b, c)))
        };
        let [a, b, c, d] = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let e = [0.0, -1.0, 0.0];
        let counts = |found: SurfaceReport| {
            let (misoriented, crowded) = (found.misoriented_edges, found.crowded_edges);
            (found.edges, found.open_edges, misoriented, crowded)
        };
        assert_eq!(counts(of(&[])), (0, 0, 0, 0));
        assert_eq!(counts(of(&[[a, b, c]])), (3, 3, 0, 0));
        assert_eq!(counts(of(&[[a, b, c], [b, a, d]])), (5, 4, 0, 0));
        let turned = of(&[[a, b, c], [a, b, d]]);
        assert_eq!(counts(turned), (5, 4, 1, 0));
        assert_eq!(
            turned.first_misoriented.unwrap().ends,
            [a, b].map(Vec3::from)
        );
        // Three at an edge, in two directions and in one.
        let three = of(&[[a, b, c], [b, a, d], [a, b, e]]);
        assert_eq!(counts(three), (7, 7, 0, 1));
        assert_eq!(three.first_crowded.unwrap().ends, [a, b].map(Vec3::from));
        assert_eq!(counts(of(&[[a, b, c], [a, b, d], [a, b, e]])), (7, 7, 1, 1));
        // The sign of zero does not matter.
        let minus = [-0.0; 3];
        assert_eq!(counts(of(&[[a, b, c], [b, minus, d]])), (5, 4, 0, 0));
        // Neither edges between equal corners nor triangles that are not finite count.
        let nan = [f32::NAN, 0.0, 0.0];
        assert_eq!(counts(of(&[[a, a, b], [a, b, nan]])), (1, 0, 0, 0));
    }

    #[test]
    fn the_last_bit_of_an_f64_opens_a_surface() {
        let mut faces = tetrahedron().map(Triangle64::from);
        assert!(SurfaceReport::of(faces.into_iter()).is_oriented());
        faces[0].p2.x = f64::from_bits(1);
        let report = SurfaceReport::of(faces.into_iter());
        assert_eq!(report.open_edges, 4);
        let error = report.check_closed().unwrap_err().to_string();
        assert!(error.contains("[5e-324, "), "{error}");
    }

    fn turned(triangle: Triangle) -> Triangle {
        Triangle::new(triangle.p0, triangle.p2, triangle.p1)
    }

    #[test]
    fn open_and_turned_surfaces_name_their_first_edge() {
        let solid = SurfaceReport::of(tetrahedron().into_iter());
        assert!(solid.is_closed() && solid.is_oriented());
        assert_eq!((solid.edges, solid.check_oriented()), (6, Ok(())));
        assert!(SurfaceReport::of(core::iter::empty::<Triangle>()).is_oriented());

        let open = SurfaceReport::of(tetrahedron().into_iter().skip(1));
        assert_eq!(
            (open.edges, open.open_edges, open.unpaired_edges),
            (6, 3, 3)
        );
        let edge = open.first_open.unwrap();
        assert_eq!(edge.ends, [Vec3::ZERO, Vec3::Y]);
        assert_eq!((edge.forward, edge.backward), (0, 1));
        let error = open.check_oriented().unwrap_err();
        assert_eq!(error, SurfaceError::Open { edge });
        assert!(
            error.to_string().contains(
                "an odd number of triangles, 1, have the edge from [0.0, 0.0, 0.0] to [0.0, 1.0, 0.0]"
            ),
            "{error}"
        );

        let mut faces = tetrahedron();
        faces[0] = turned(faces[0]);
        faces[1].p0 = Vec3::splat(-0.0);
        let report = SurfaceReport::of(faces.into_iter());
        assert!(report.is_closed() && report.check_closed().is_ok());
        assert_eq!((report.open_edges, report.unpaired_edges), (0, 3));
        let edge = report.first_unpaired.unwrap();
        assert_eq!(edge.forward.abs_diff(edge.backward), 2);
        let error = report.check_oriented().unwrap_err();
        assert_eq!(error, SurfaceError::Unpaired { edge });
    }

    #[test]
    fn four_triangles_at_an_edge_pair_up() {
        let solids = tetrahedron().into_iter();
        let mirrored = tetrahedron().map(|t| {
            let [a, b, c] = t.corners().map(|p| Vec3::new(p.x, -p.y, -p.z));
            Triangle::new(a, b, c)
        });
        let both = SurfaceReport::of(solids.chain(mirrored));
        assert!(both.is_oriented());
        assert_eq!(both.edges, 11);
        let needle = Triangle::new([0.0; 3], [0.0; 3], [1.0, 0.0, 0.0]);
        assert!(SurfaceReport::of([needle].into_iter()).is_oriented());
        let broken = Triangle::new([f32::NAN; 3], [0.0; 3], [1.0, 0.0, 0.0]);
        assert_eq!(SurfaceReport::of([broken].into_iter()).edges, 0);
    }
}
