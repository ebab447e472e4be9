//! The answer: the polylines of a cut.

use super::{SectionBuilder, loops};
use crate::arithmetic::two_sum;
use crate::shapes::{Coordinate, JoinedTriangle, Plane, PrimId, Triangle64};
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{self, Write};

/// The cut of a mesh with a plane: the segments in which the plane cuts triangles that have corners
/// in front of it and behind it.
///
/// A corner on the plane counts as in front of it. So a face in the plane belongs to the half space
/// in front; its outline is part of the cut where the mesh goes on behind the plane. What only
/// touches the plane from the front is not part of it.
///
/// [`area`](Section::area) and [`loops`](Section::loops) tell what it encloses,
/// [`to_svg`](Section::to_svg) paints it.
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
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(
        serialize = "C: serde::Serialize, C::Point: serde::Serialize",
        deserialize = "C: serde::Deserialize<'de>, C::Point: serde::Deserialize<'de>"
    ))
)]
pub struct Section<C: Coordinate = f32> {
    /// The plane that cuts.
    pub plane: Plane<C>,
    /// The polylines, by the lowest id of their triangles.
    pub polylines: Vec<Polyline<C>>,
}

impl<C: Coordinate> Section<C> {
    /// Returns the cut of these triangles, whose indices are their ids.
    ///
    /// [`RegionQuery::section`](crate::RegionQuery::section) returns the same of an engine, which
    /// finds the triangles at the plane.
    pub fn of_triangles<T: JoinedTriangle<Coordinate = C> + Into<Triangle64>>(
        plane: &Plane<C>,
        triangles: impl IntoIterator<Item = T>,
    ) -> Self {
        let mut section = SectionBuilder::new(*plane);
        for (index, triangle) in triangles.into_iter().enumerate() {
            if let Some(prim) = PrimId::from_index(index) {
                section.offer(prim, &triangle.into());
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
    pub fn segments(&self) -> impl Iterator<Item = (PrimId, [C::Point; 2])> {
        self.polylines.iter().flat_map(Polyline::segments)
    }

    /// Returns the area that the polylines enclose, in square units of the mesh: that of loops at even
    /// depth, less that of holes. `None` if a polyline is open, since it encloses nothing; the
    /// [loops](Section::loops) that are closed have areas all the same. Nothing cut has the area 0.
    ///
    /// It is within 2^-35 of the sum of the sizes of all areas, and infinite where one is. Where a mesh passes through itself, so that
    /// polylines cross, what lies in several of them counts several times.
    #[must_use]
    pub fn area(&self) -> Option<f64> {
        self.area_of(&self.loops())
    }

    /// Returns the area that loops enclose, which are those of this section.
    #[doc(hidden)]
    pub fn area_of(&self, loops: &[SectionLoop]) -> Option<f64> {
        let areas = loops.iter().map(|of| match of.is_hole() {
            true => -of.area.abs(),
            false => of.area.abs(),
        });
        // What the additions lose is added at the end: there may be many small loops beside a large one.
        let add = |(sum, lost): (f64, f64), area| {
            let (sum, more) = two_sum(sum, area);
            (sum, lost + more)
        };
        let (sum, lost) = areas.fold((0.0, 0.0), add);
        // Where a size is beyond `f64`, that may be NaN.
        let area = Some(sum + lost).filter(|area| area.is_finite());
        (loops.len() == self.polylines.len()).then_some(area.unwrap_or(f64::INFINITY))
    }

    /// Returns the area and the nesting of each closed polyline, in their order.
    ///
    /// A loop lies in another one of greater area if its points do, decided on the exact points by the
    /// even-odd rule: the first of its points that is not on the other polyline decides, or else the first
    /// such middle of a segment; a loop without any lies in the other. Of equal areas, that of the lower
    /// polyline counts as the greater one. Polylines of a mesh that does not pass through itself do
    /// not cross, and this is the containment of what they enclose. A loop of area 0 contains nothing.
    ///
    /// Costs less than the cut, usually a tenth as much. Loops are compared only where the first point of
    /// one is in the box of the other, all of them where many are beside each other along y. An area that
    /// is 0, or the difference of two that are equal, without segments that cancel in pairs, takes time that
    /// grows with the square of the number of points. A closed polyline made by hand, with a point that is not
    /// finite, is left out.
    ///
    /// ```
    /// # mod estoc { pub use estoc_core::*; pub mod query { pub use estoc_core::*; } }
    /// use estoc::{Plane, Triangle, query::Section};
    /// // Two square tubes along z, one in the other.
    /// let tube = |size: f32| {
    ///     let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
    ///     (0..4).flat_map(move |i| {
    ///         let [a, b] = [corners[i], corners[(i + 1) % 4]];
    ///         let [at, up] = [-1.0, 1.0].map(|z| [a, b].map(|[x, y]| [size * x, size * y, z]));
    ///         [Triangle::new(at[0], at[1], up[1]), Triangle::new(at[0], up[1], up[0])]
    ///     })
    /// };
    /// let plane = Plane::from_offset([0.0, 0.0, 1.0], 0.5)?;
    /// let section = Section::of_triangles(&plane, tube(5.0).chain(tube(3.0)));
    /// let loops = section.loops();
    /// assert_eq!((loops[0].area, loops[0].parent), (100.0, None));
    /// assert_eq!((loops[1].area, loops[1].parent), (36.0, Some(0)));
    /// assert!(loops[1].is_hole());
    /// assert_eq!(section.area(), Some(64.0));
    /// # Ok::<(), estoc::PlaneError>(())
    /// ```
    #[must_use]
    pub fn loops(&self) -> Vec<SectionLoop> {
        loops::of_section(self)
    }

    /// Returns an SVG picture of the cut as seen from the side that the plane's normal points to, in
    /// units of the mesh: closed polylines are filled by the even-odd rule, open ones are lines.
    ///
    /// Right and up are those of [`Plane::frame`], so y of the picture, which SVG counts downwards, is
    /// -y there. Coordinates are computed in `f64` and rounded to the numbers of the mesh. A point of a section made by
    /// hand that is not finite makes a picture that viewers reject.
    #[must_use]
    pub fn to_svg(&self) -> String {
        let frame = self.plane.frame().matrix3;
        let seen = |polyline: &Polyline<C>| -> Vec<[f64; 2]> {
            let points = polyline.points.iter().map(|point| {
                let point = C::wide(point.point);
                // Turns -0 into 0.
                [point.dot(frame.x_axis) + 0.0, 0.0 - point.dot(frame.y_axis)]
            });
            points.collect()
        };
        let outlines: Vec<_> = self.polylines.iter().map(seen).collect();
        let end = |axis: usize, which: fn(f64, f64) -> f64| {
            let points = outlines.iter().flatten();
            let end = points.map(|point| point[axis]).reduce(which);
            end.unwrap_or(0.0)
        };
        let [left, top] = [0, 1].map(|axis| end(axis, f64::min));
        let [width, height] = [end(0, f64::max) - left, end(1, f64::max) - top];
        // One unit where there is nothing, or a line.
        let size = width.max(height);
        let margin = if size > 0.0 { 0.02 * size } else { 0.5 };
        let [x, y] = [left, top].map(|end| Short::<C>::of(end - margin));
        let [width, height] = [width, height].map(|size| Short::<C>::of(size + 2.0 * margin));
        let mut text = alloc::format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{x} {y} {width} {height}\">\n\
             <g fill-rule=\"evenodd\" stroke=\"black\">\n"
        );
        for is_closed in [true, false] {
            let fill = if is_closed { "lightgray" } else { "none" };
            let mut path = String::new();
            let both = self.polylines.iter().zip(&outlines);
            for (_, points) in both.filter(|(polyline, _)| polyline.is_closed == is_closed) {
                for (index, &[x, y]) in points.iter().enumerate() {
                    let command = if index == 0 { 'M' } else { 'L' };
                    // A string takes all that is written.
                    let _ = write!(path, "{command}{} {}", Short::<C>::of(x), Short::<C>::of(y));
                }
                path.push_str(if is_closed { "Z\n" } else { "\n" });
            }
            if !path.is_empty() {
                let _ = writeln!(
                    text,
                    "<path vector-effect=\"non-scaling-stroke\" fill=\"{fill}\" d=\"{}\"/>",
                    path.trim_end()
                );
            }
        }
        text.push_str("</g>\n</svg>\n");
        text
    }
}

/// Formats a number rounded to that of a mesh, with an exponent instead of long runs of zeros.
struct Short<C>(C);

impl<C: Coordinate> Short<C> {
    fn of(x: f64) -> Self {
        Short(C::of(x))
    }
}

impl<C: Coordinate> fmt::Display for Short<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = self.0;
        let size = number.into().abs();
        match size == 0.0 || (1e-4..1e10).contains(&size) {
            true => write!(f, "{number}"),
            false => write!(f, "{number:e}"),
        }
    }
}

/// A closed polyline of a [`Section`]: its area, and what it lies in.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SectionLoop {
    /// The index of the polyline.
    pub polyline: usize,
    /// The area, in square units of the mesh: positive for a polyline that runs counterclockwise as seen
    /// from the side that the plane's normal points to, such as around the inside of a mesh that faces
    /// outward, and negative for one that runs clockwise, such as around a hole.
    ///
    /// It is that of the polygon of the exact points, within 2^-36 of itself. Its sign is exact: it is 0 only
    /// if the exact area is 0. What a polyline that crosses itself encloses clockwise counts as negative.
    pub area: f64,
    /// The index of the polyline of the innermost loop that this one lies in.
    pub parent: Option<usize>,
    /// The number of parents up to the outermost loop: that of its parent and one more.
    pub depth: usize,
}

impl SectionLoop {
    /// Returns whether the loop is the edge of a hole, that is, whether its depth is odd.
    ///
    /// The orientation of triangles does not matter, as it does not for
    /// [`contains`](crate::RayQuery::contains); where it is consistent, holes have negative areas.
    pub fn is_hole(&self) -> bool {
        self.depth % 2 == 1
    }
}

/// A polyline of a [`Section`]: consecutive segments, each across one triangle.
///
/// Where neighbouring triangles have the same orientation, front faces are on the right of the
/// polyline as seen from the side that the plane's normal points to: around the inside of a closed
/// mesh that faces outward it runs counterclockwise. Elsewhere the triangle of lowest id decides.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(
        serialize = "C: serde::Serialize, C::Point: serde::Serialize",
        deserialize = "C: serde::Deserialize<'de>, C::Point: serde::Deserialize<'de>"
    ))
)]
pub struct Polyline<C: Coordinate = f32> {
    /// The starts of the segments, in order; of an open polyline also the end of the last one.
    ///
    /// A closed polyline begins at its triangle of lowest id.
    pub points: Vec<SectionPoint<C>>,
    /// Whether the last point is connected to the first.
    pub is_closed: bool,
}

impl<C: Coordinate> Polyline<C> {
    /// Returns the segments: the triangle and the two ends of each.
    pub fn segments(&self) -> impl Iterator<Item = (PrimId, [C::Point; 2])> {
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
/// The numbers are the `f32`s nearest to the exact values, of a mesh in `f64` the `f64`s, ties to even; zero is +0.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(
        serialize = "C: serde::Serialize, C::Point: serde::Serialize",
        deserialize = "C: serde::Deserialize<'de>, C::Point: serde::Deserialize<'de>"
    ))
)]
pub struct SectionPoint<C: Coordinate = f32> {
    /// The triangle whose segment begins here; at the end of an open polyline, the last triangle.
    pub prim: PrimId,
    /// The edge of that triangle which the point is on, by the vertex where it starts: 0 from `p0`
    /// to `p1`, 1 from `p1` to `p2`, 2 from `p2` to `p0`.
    pub edge: u8,
    /// The corners of that edge, where it starts and where it ends. With the plane they define the
    /// exact point, which areas are made of.
    pub edge_ends: [C::Point; 2],
    /// The position on that edge: 0 where it starts, 1 where it ends.
    pub parameter: C,
    /// The point, each coordinate rounded on its own.
    pub point: C::Point,
}
