//! A polytope around a mesh, to find boxes around the images of the mesh under affine maps.
//!
//! It is bounded by the planes across 13 axes (Klosowski et al., "Efficient Collision Detection Using Bounding
//! Volume Hierarchies of k-DOPs", 1998), each through the farthest corner of the mesh in that direction, and
//! has at most 48 corners. The box around their images contains that of the mesh.
//!
//! # Bound
//! A plane is off by a few roundings, as normals have entries of 1, 0 and -1; so is a corner, as determinants
//! of three normals are whole numbers up to 4. A corner of three planes is kept if it is behind all others, or
//! beyond by less than the tolerance, 2^-36 of the mesh's size; and left out if another one is as near as
//! that. So every true corner of the polytope has one in the list within the tolerance and a few roundings, for
//! which images grant four tolerances. No decision depends on it: boxes only prune.

use super::super::wide::{Tag, WIDTH, WideBounds, WideTree};
use crate::simd_level::at_level;
use estoc_core::glam::{DVec3, Vec3};
use estoc_core::{InlineMap, sort_compactly};
use fearless_simd::Level;

/// One normal of each pair of planes.
const AXES: [[f64; 3]; 13] = [
    [1.0, 0.0, 0.0],
    [0.0, 1.0, 0.0],
    [0.0, 0.0, 1.0],
    [1.0, 1.0, 0.0],
    [1.0, -1.0, 0.0],
    [1.0, 0.0, 1.0],
    [1.0, 0.0, -1.0],
    [0.0, 1.0, 1.0],
    [0.0, 1.0, -1.0],
    [1.0, 1.0, 1.0],
    [1.0, 1.0, -1.0],
    [1.0, -1.0, 1.0],
    [-1.0, 1.0, 1.0],
];

/// The corners of a mesh of so many triangles are no more than those of most polytopes, and are used instead.
const FEW: usize = 16;

/// The tolerance in units of the size of the mesh: 2^-36.
const TOLERANCE: f64 = f64::from_bits((1023 - 36) << 52);

/// The corners of a polytope around a mesh.
#[derive(Clone, Debug)]
pub(super) struct Outline {
    /// The coordinates of eight corners each; those of the last are repeated.
    corners: Vec<[[f64; WIDTH]; 3]>,
    /// At least the largest coordinate.
    reach: f64,
}

impl Outline {
    /// Returns the polytope around the triangles of a tree, if there are any, of a usual size.
    pub(super) fn of(tree: &WideTree) -> Option<Self> {
        if tree.nodes.is_empty() || !tree.measures.has_plain_rays() {
            return None;
        }
        let reach = f64::from(tree.measures.reach);
        if tree.leaves.len() <= FEW {
            let ranges = tree.leaf_ranges();
            let triangles = ranges.flat_map(|(first, len)| {
                (0..len).map(move |place| tree.triangle(first, len, place).1)
            });
            let corners = triangles.flat_map(|triangle| triangle.corners());
            let corners = corners.map(Vec3::as_dvec3);
            return Outline::with_corners(corners.collect(), reach);
        }
        let tolerance = reach * TOLERANCE;
        let normals = AXES.map(DVec3::from).into_iter().flat_map(|n| [n, -n]);
        let planes: Vec<(DVec3, f64)> = normals.map(|n| (n, farthest(tree, n))).collect();
        let mut corners: Vec<DVec3> = Vec::new();
        for (i, a) in planes.iter().enumerate() {
            for (j, b) in planes.iter().enumerate().skip(i + 1) {
                for c in planes.iter().skip(j + 1) {
                    let Some(p) = meeting_point([a, b, c]) else {
                        continue;
                    };
                    let is_behind = planes.iter().all(|(n, at)| n.dot(p) <= at + tolerance);
                    let is_near = |q: &DVec3| (p - q).abs().max_element() <= tolerance;
                    if is_behind && !corners.iter().any(is_near) {
                        corners.push(p);
                    }
                }
            }
        }
        Outline::with_corners(corners, reach)
    }

    fn with_corners(mut corners: Vec<DVec3>, reach: f64) -> Option<Self> {
        let last = *corners.last()?;
        corners.resize(corners.len().next_multiple_of(WIDTH), last);
        let rows = corners
            .chunks_exact(WIDTH)
            .map(|eight| [0, 1, 2].map(|axis| std::array::from_fn(|place| eight[place][axis])));
        Some(Outline {
            corners: rows.collect(),
            reach,
        })
    }

    /// Returns a box around the images of the mesh; `None` for numbers beyond the usual sizes.
    ///
    /// A coordinate has at most four roundings of the sum S of the sizes of its terms, and a corner is off by
    /// 4 tolerances.
    pub(super) fn image(&self, level: Level, rows: &[[f64; 4]; 3]) -> Option<WideBounds> {
        let mut of = at_level!(level, simd => {
            let _ = simd;
            rows.inline_map(
                #[inline(always)]
                |row| self.ends(row),
            )
        });
        for (ends, row) in of.iter_mut().zip(rows) {
            let [x, y, z, moved] = row.map(f64::abs);
            let off = (x + y + z) * self.reach;
            let off = off * (4.1 * TOLERANCE) + (off + moved) * (8.0 * f64::EPSILON);
            *ends = [ends[0] - off, ends[1] + off];
        }
        let is_usual = of.as_flattened().iter().all(|x| x.abs() < 1e30);
        is_usual.then(|| [0, 1].map(|end| [0, 1, 2].map(|axis| of[axis][end])))
    }

    /// Returns the least and the largest coordinate of the images of all corners.
    #[inline(always)]
    fn ends(&self, [a, b, c, moved]: [f64; 4]) -> [f64; 2] {
        let mut low = [f64::INFINITY; WIDTH];
        let mut high = [f64::NEG_INFINITY; WIDTH];
        for [x, y, z] in &self.corners {
            for lane in 0..WIDTH {
                let image = a * x[lane] + b * y[lane] + c * z[lane];
                low[lane] = if image < low[lane] { image } else { low[lane] };
                high[lane] = if image > high[lane] {
                    image
                } else {
                    high[lane]
                };
            }
        }
        let low = low.into_iter().fold(f64::INFINITY, f64::min);
        [
            low + moved,
            high.into_iter().fold(f64::NEG_INFINITY, f64::max) + moved,
        ]
    }
}

/// Returns the point at which three planes meet, if it is one.
fn meeting_point([a, b, c]: [&(DVec3, f64); 3]) -> Option<DVec3> {
    let (bc, ca, ab) = (b.0.cross(c.0), c.0.cross(a.0), a.0.cross(b.0));
    let volume = a.0.dot(bc);
    (volume != 0.0).then(|| (a.1 * bc + b.1 * ca + c.1 * ab) / volume)
}

/// Returns the largest product of a corner of the mesh with a direction: the boxes that reach farthest are
/// opened first, and then only those that reach farther than a corner that was found.
fn farthest(tree: &WideTree, dir: DVec3) -> f64 {
    let mut most = f64::NEG_INFINITY;
    let mut waiting = vec![(f64::INFINITY, Tag::NODE, 0u32)];
    while let Some((bound, tag, place)) = waiting.pop() {
        if bound <= most {
            continue;
        }
        if tag.len() > 0 {
            for nth in 0..tag.len() {
                let (_, triangle) = tree.triangle(place as usize, tag.len(), nth);
                let corners = triangle.corners().map(|p| dir.dot(p.as_dvec3()));
                most = corners.into_iter().fold(most, f64::max);
            }
            continue;
        }
        let node = &tree.nodes[place as usize];
        let first = waiting.len();
        for lane in node.lanes() {
            let (min, max) = node.bounds(lane);
            let [min, max] = [min, max].map(|p| Vec3::from(p).as_dvec3());
            let far = DVec3::select(dir.cmpgt(DVec3::ZERO), max, min);
            waiting.push((dir.dot(far), Tag(node.tags[lane]), node.place[lane]));
        }
        sort_compactly(&mut waiting[first..], |a, b| a.0.total_cmp(&b.0));
    }
    most
}
