//! The line of a ray in the coordinates of a placed shape, in numbers of any kind.
//!
//! A shape is a ball or a box in coordinates of its own: the point p of the world has the coordinates
//! `x = W^-1 (p - w)`. With the placement's matrix A and its translation m,
//!
//! | shape | W | w | x is in it when |
//! |---|---|---|---|
//! | sphere of centre c | A | A c + m | `\|x\| <= r` |
//! | axis-aligned box | A | m | `min_i <= x_i <= max_i` |
//! | box of a model matrix M, c | A M | A c + m | `min_i <= x_i <= max_i` |
//! | box of axes a, centre c | A | A c + m | `\|a_i . x\| <= h_i` |
//!
//! All are multiplied by `det W`, so that the coordinates of the line, `adj(W) (o - w) + t adj(W) d`,
//! are polynomials in the numbers given. With these, u + t v, and `s = det(W) r`, the line is on the
//! sphere at the roots of `|u + t v|^2 = s^2`,
//!
//! `t = (b ± sqrt(D)) / a`, with `a = v . v`, `b = -u . v` and `D = a s^2 - |u x v|^2`,
//!
//! and on the faces of a box where one coordinate is `det(W) min_i` or `det(W) max_i`.

use super::shape::{Kind, Shape};
use super::{PlacementMatrix, WorldLine};
use crate::arithmetic::{Number, Vector, cross_product, dot, widen};
use crate::shapes::obb::Frame;
use glam::Vec3;

/// Where a line meets a shape.
pub(super) enum ShapeLine<N> {
    /// The shape has no points.
    Empty,
    Sphere(Roots<N>),
    Box([ShapeSlab<N>; 3]),
}

/// The roots `(middle ± sqrt(square)) / rate` of a quadratic, with a positive rate.
pub(super) struct Roots<N> {
    pub(super) middle: N,
    pub(super) square: N,
    pub(super) rate: N,
    /// The product of both roots is `gap / rate`.
    pub(super) gap: N,
}

/// The parameters `gaps[0] / slope` and `gaps[1] / slope` at which a line is on two parallel faces.
pub(super) struct ShapeSlab<N> {
    pub(super) gaps: [N; 2],
    /// Zero where the line is parallel to the faces; it is between them if it is on one or the gaps
    /// have different signs.
    pub(super) slope: N,
}

/// A line in the coordinates of a shape, times the determinant.
pub(super) struct Local<N> {
    pub(super) origin: Vector<N>,
    pub(super) dir: Vector<N>,
    pub(super) det: N,
}

impl<N: Number> ShapeLine<N> {
    #[inline]
    pub(super) fn of(line: &WorldLine, matrix: &PlacementMatrix, shape: &Shape) -> Self {
        let (linear, from, dir) = parts(line, matrix);
        match &shape.0 {
            Kind::Sphere(sphere) => {
                let from = relative(&from, &linear, sphere.center());
                let line = Local::of(&linear, &from, &dir);
                ShapeLine::Sphere(line.roots(&N::exactly(sphere.radius().into())))
            }
            Kind::Aabb(bounds) if bounds.is_empty() => ShapeLine::Empty,
            Kind::Aabb(bounds) => {
                let line = Local::of(&linear, &from, &dir);
                ShapeLine::Box(line.slabs(bounds.min(), bounds.max()))
            }
            Kind::Obb(Frame::Model {
                translation,
                columns,
                min,
                max,
            }) => {
                let from = relative(&from, &linear, *translation);
                let columns = columns.map(|column| widen(column).map(N::exactly));
                let whole = [0, 1, 2].map(|row: usize| {
                    let entry = |column: usize| dot(&linear[row], &columns[column]);
                    [entry(0), entry(1), entry(2)]
                });
                let line = Local::of(&whole, &from, &dir);
                ShapeLine::Box(line.slabs(*min, *max))
            }
            Kind::Obb(Frame::Axes {
                center,
                axes,
                half_sizes,
            }) => {
                let from = relative(&from, &linear, *center);
                let line = Local::of(&linear, &from, &dir);
                let axes = axes.map(|axis| widen(axis).map(N::exactly));
                let along = |v: &Vector<N>| [0, 1, 2].map(|i: usize| dot(&axes[i], v));
                let line = Local {
                    origin: along(&line.origin),
                    dir: along(&line.dir),
                    det: line.det,
                };
                ShapeLine::Box(line.slabs(-*half_sizes, *half_sizes))
            }
        }
    }
}

/// The linear part of a matrix, a point relative to its translation, and a direction.
type Parts<N> = ([Vector<N>; 3], Vector<N>, Vector<N>);

#[inline]
fn parts<N: Number>(line: &WorldLine, matrix: &PlacementMatrix) -> Parts<N> {
    let rows = matrix.rows();
    let linear = rows.map(|[x, y, z, _]| [x, y, z].map(N::exactly));
    let (origin, moved) = (line.origin, matrix.translation());
    let from = [0, 1, 2].map(|axis| N::of_difference(origin[axis], moved[axis]));
    (linear, from, line.dir.map(N::exactly))
}

/// Returns `from - A center`.
#[inline]
fn relative<N: Number>(from: &Vector<N>, linear: &[Vector<N>; 3], center: Vec3) -> Vector<N> {
    if center == Vec3::ZERO {
        return from.clone();
    }
    let center = widen(center).map(N::exactly);
    [0, 1, 2].map(|row: usize| from[row].minus(&dot(&linear[row], &center)))
}

impl<N: Number> Local<N> {
    /// Returns the line in the object's space.
    pub(super) fn of_object(line: &WorldLine, matrix: &PlacementMatrix) -> Self {
        let (linear, from, dir) = parts(line, matrix);
        Local::of(&linear, &from, &dir)
    }

    /// Returns `adj(W) from`, `adj(W) dir` and the determinant. The columns of the adjugate are the
    /// cross products of the rows of W.
    #[inline]
    fn of(rows: &[Vector<N>; 3], from: &Vector<N>, dir: &Vector<N>) -> Self {
        let [a, b, c] = rows;
        let columns = [
            cross_product(b, c),
            cross_product(c, a),
            cross_product(a, b),
        ];
        let image = |v: &Vector<N>| {
            [0, 1, 2].map(|axis: usize| {
                let sum = columns[0][axis]
                    .times(&v[0])
                    .plus(&columns[1][axis].times(&v[1]));
                sum.plus(&columns[2][axis].times(&v[2]))
            })
        };
        Local {
            origin: image(from),
            dir: image(dir),
            det: dot(a, &columns[0]),
        }
    }

    #[inline]
    fn roots(&self, radius: &N) -> Roots<N> {
        let (u, v) = (&self.origin, &self.dir);
        let radius = self.det.times(radius);
        let reach = radius.times(&radius);
        let rate = dot(v, v);
        let aside = cross_product(u, v);
        Roots {
            middle: dot(u, v).negative(),
            square: rate.times(&reach).minus(&dot(&aside, &aside)),
            gap: dot(u, u).minus(&reach),
            rate,
        }
    }

    #[inline]
    fn slabs(self, min: Vec3, max: Vec3) -> [ShapeSlab<N>; 3] {
        let Local { origin, dir, det } = self;
        let [x, y, z] = dir;
        let gaps = |axis: usize| {
            [min[axis], max[axis]].map(|bound| {
                let bound = det.times(&N::exactly(bound.into()));
                bound.minus(&origin[axis])
            })
        };
        [(0, x), (1, y), (2, z)].map(|(axis, slope)| ShapeSlab {
            gaps: gaps(axis),
            slope,
        })
    }
}
