//! Spheres and boxes that are placed by matrices of `f64`s, by Cramer's rule.

use super::binary::Binary;
use super::number::Fraction;
use super::parameter::Parameter;
use crate::generate::CaseShape;
use estoc_core::glam::{DAffine3, DMat3, DVec3, Vec3};
use num_bigint::{BigInt, Sign};
use std::cmp::Ordering;

type Three = [Binary; 3];

/// A shape with its matrix.
pub(super) struct PlacedBody {
    shape: CaseShape,
    columns: [Three; 3],
    moved: Three,
    rough: DAffine3,
}

/// A point or a direction in the object's space, times the determinant.
struct InObject {
    det: Binary,
    point: Three,
}

impl PlacedBody {
    pub(super) fn new(shape: &CaseShape, rows: &[[f64; 4]; 3]) -> Self {
        let column = |at: usize| rows.map(|row| Binary::new(row[at]));
        let wide = |at: usize| DVec3::from(rows.map(|row| row[at]));
        let mut body = PlacedBody {
            shape: *shape,
            columns: [column(0), column(1), column(2)],
            moved: column(3),
            rough: DAffine3 {
                matrix3: DMat3::from_cols(wide(0), wide(1), wide(2)),
                translation: wide(3),
            },
        };
        // A box of a model matrix is one of the product of both.
        if let CaseShape::Model {
            columns,
            translation,
            ..
        } = shape
        {
            body.moved = plus(&body.image(translation), &body.moved);
            body.columns = columns.map(|column| body.image(&column));
        }
        body
    }

    /// Returns a point of the middle and three vectors to the surface, rounded in the world.
    pub(super) fn frame(&self) -> Option<[DVec3; 4]> {
        let [center, axes @ ..] = self.shape.frame()?;
        let [x, y, z] = axes.map(|axis| self.rough.transform_vector3(axis));
        Some([self.rough.transform_point3(center), x, y, z])
    }

    /// Returns `A v`.
    fn image(&self, v: &Vec3) -> Three {
        let v = v.to_array().map(|x| Binary::new(x.into()));
        [0, 1, 2].map(|row: usize| {
            let [x, y, z] = &self.columns;
            let sum = x[row].times(&v[0]).plus(&y[row].times(&v[1]));
            sum.plus(&z[row].times(&v[2]))
        })
    }

    /// Returns the solution of `A q = rhs`.
    fn solve(&self, rhs: &Three) -> InObject {
        let replaced = |at: usize| {
            let mut columns = self.columns.clone();
            columns[at] = rhs.clone();
            determinant(&columns)
        };
        InObject {
            det: determinant(&self.columns),
            point: [replaced(0), replaced(1), replaced(2)],
        }
    }

    /// Returns the parameters at which a line of an origin and a direction enters and leaves: two, one
    /// if they are equal, or none.
    pub(super) fn ends(&self, [origin, dir]: &[Three; 2]) -> Vec<Parameter> {
        let (start, step) = (self.solve(&minus(origin, &self.moved)), self.solve(dir));
        let det = &start.det;
        match &self.shape {
            CaseShape::Sphere(sphere) => {
                let from = minus(&start.point, &scaled(sphere.center(), det));
                let radius = Binary::new(sphere.radius().into()).times(det);
                let a = dot(&step.point, &step.point);
                let b = dot(&from, &step.point);
                let c = dot(&from, &from).minus(&radius.times(&radius));
                let square = b.times(&b).minus(&a.times(&c));
                if square.size.sign() == Sign::Minus {
                    return Vec::new();
                }
                // All in one unit, that of the square being its square.
                let unit = a
                    .exponent
                    .min(b.exponent)
                    .min(square.exponent.div_euclid(2));
                let [whole, den] = [&b, &a].map(|x| x.in_units(unit));
                let square = square.in_units(2 * unit);
                let whole = -whole;
                let root = |side| Parameter::root(&whole, side, &square, &den);
                match square.sign() {
                    Sign::NoSign => vec![root(1)],
                    _ => vec![root(-1), root(1)],
                }
            }
            CaseShape::Aabb(bounds) if bounds.is_empty() => Vec::new(),
            _ => {
                let (start, step, low, high) = self.slabs(&start, &step);
                between(det, &start, &step, &low, &high)
            }
        }
    }

    /// Returns whether a point is in the shape or on it.
    pub(super) fn contains(&self, point: &Three) -> bool {
        let at = self.solve(&minus(point, &self.moved));
        let det = &at.det;
        match &self.shape {
            CaseShape::Sphere(sphere) => {
                let from = minus(&at.point, &scaled(sphere.center(), det));
                let radius = Binary::new(sphere.radius().into()).times(det);
                let room = radius.times(&radius).minus(&dot(&from, &from));
                room.size.sign() != Sign::Minus
            }
            CaseShape::Aabb(bounds) if bounds.is_empty() => false,
            _ => {
                let (at, _, low, high) = self.slabs(&at, &at);
                let is_above = |x: &Binary, bound: f32| {
                    let above = x.minus(&Binary::new(bound.into()).times(det)).times(det);
                    above.size.sign()
                };
                (0..3).all(|axis| {
                    is_above(&at[axis], low[axis]) != Sign::Minus
                        && is_above(&at[axis], high[axis]) != Sign::Plus
                })
            }
        }
    }

    /// Returns a point and a direction in coordinates in which the box is between two corners.
    fn slabs(&self, point: &InObject, dir: &InObject) -> (Three, Three, Vec3, Vec3) {
        match &self.shape {
            CaseShape::Axes {
                center,
                axes,
                half_sizes,
            } => {
                let from = minus(&point.point, &scaled(*center, &point.det));
                let along = |v: &Three| {
                    axes.map(|axis| dot(&axis.to_array().map(|x| Binary::new(x.into())), v))
                };
                (along(&from), along(&dir.point), -*half_sizes, *half_sizes)
            }
            CaseShape::Model { local, .. } | CaseShape::Aabb(local) => (
                point.point.clone(),
                dir.point.clone(),
                local.min(),
                local.max(),
            ),
            CaseShape::Sphere(_) => unreachable!("a sphere has no faces"),
        }
    }
}

/// Returns where a line is between two corners, whose coordinates are multiplied by `det`.
fn between(det: &Binary, start: &Three, step: &Three, low: &Vec3, high: &Vec3) -> Vec<Parameter> {
    let mut span: Option<(Fraction, Fraction)> = None;
    for axis in 0..3 {
        let gaps = [low[axis], high[axis]]
            .map(|bound| Binary::new(bound.into()).times(det).minus(&start[axis]));
        let slope = &step[axis];
        if slope.size.sign() == Sign::NoSign {
            let signs = gaps.map(|gap| gap.size.sign());
            if signs[0] == signs[1] && signs[0] != Sign::NoSign {
                return Vec::new();
            }
            continue;
        }
        let [a, b] = gaps.map(|gap| quotient(&gap, slope));
        let (near, far) = in_order(a, b);
        span = Some(match span {
            None => (near, far),
            Some((entry, exit)) => (in_order(entry, near).1, in_order(exit, far).0),
        });
    }
    let (entry, exit) = span.expect("a direction is not 0");
    match entry.cmp(&exit) {
        Ordering::Less => vec![Parameter::Rational(entry), Parameter::Rational(exit)],
        Ordering::Equal => vec![Parameter::Rational(entry)],
        Ordering::Greater => Vec::new(),
    }
}

fn in_order(a: Fraction, b: Fraction) -> (Fraction, Fraction) {
    if a.cmp(&b) == Ordering::Greater {
        (b, a)
    } else {
        (a, b)
    }
}

fn quotient(num: &Binary, den: &Binary) -> Fraction {
    let unit = num.exponent.min(den.exponent);
    let [num, den]: [BigInt; 2] = [num, den].map(|x| x.in_units(unit));
    match den.sign() {
        Sign::Minus => Fraction {
            num: -num,
            den: -den,
        },
        _ => Fraction { num, den },
    }
}

fn scaled(v: Vec3, factor: &Binary) -> Three {
    v.to_array().map(|x| Binary::new(x.into()).times(factor))
}

fn plus(a: &Three, b: &Three) -> Three {
    [0, 1, 2].map(|i| a[i].plus(&b[i]))
}

fn minus(a: &Three, b: &Three) -> Three {
    [0, 1, 2].map(|i| a[i].minus(&b[i]))
}

fn dot(a: &Three, b: &Three) -> Binary {
    let sum = a[0].times(&b[0]).plus(&a[1].times(&b[1]));
    sum.plus(&a[2].times(&b[2]))
}

/// Returns the determinant of three columns, expanded along the first.
fn determinant([a, b, c]: &[Three; 3]) -> Binary {
    let minor = |i: usize, j: usize| b[i].times(&c[j]).minus(&b[j].times(&c[i]));
    let sum = a[0].times(&minor(1, 2)).minus(&a[1].times(&minor(0, 2)));
    sum.plus(&a[2].times(&minor(0, 1)))
}
