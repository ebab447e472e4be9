//! Spheres and boxes of scenes.

use super::shape::Shape;
use super::shape_line::{Roots, ShapeLine, ShapeSlab};
use super::{PlacementMatrix, SceneHit, ScenePrim, ShapeEnd, WorldLine};
use crate::arithmetic::{Bounded, Dyadic, Interval, Surd, difference, quotient, root, round, sum};
use crate::exact::{PreparedRay, Verdict};
use crate::shapes::{RayKind, Side, span::End};
use core::cmp::Ordering;

/// A sphere or a box with the matrix that places it in the world.
///
/// Queries about it are answered for its image under the matrix in real arithmetic: an ellipsoid, or
/// a parallelepiped. A ray hits it where it enters and where it leaves, each a hit with an id of its own
/// (see [`ShapeEnd`]). A ray that only touches it, at one parameter, enters there and does not leave.
/// The side of an entry is the front and that of an exit the back, also where a matrix mirrors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlacedShape {
    /// The shape in the object's space.
    pub shape: Shape,
    /// Maps the object's space to the world.
    pub matrix: PlacementMatrix,
    /// A ray sees the shape if it shares a bit with this; see
    /// [`PlacedTriangle::mask`](super::PlacedTriangle::mask).
    pub mask: u32,
}

/// A certified hit of a placed shape.
#[derive(Clone, Copy, Debug)]
pub struct ShapeTouch {
    pub(super) id: ScenePrim,
    pub(super) t_low: f64,
    pub(super) t_high: f64,
    /// Whether the ray enters and leaves at the same parameter.
    is_tangent: bool,
    shape: PlacedShape,
}

/// Where a line meets one end of a shape, as far as `f64` arithmetic can tell.
enum EndFound {
    Never,
    At(Interval, IsTangent),
    /// If it does at all, then in this interval.
    Perhaps(Interval),
}

type IsTangent = bool;

const EVERYWHERE: Interval = (f64::NEG_INFINITY, f64::INFINITY);

impl PlacedShape {
    /// Returns a placed shape that every ray sees.
    pub fn new(shape: impl Into<Shape>, matrix: PlacementMatrix) -> Self {
        PlacedShape {
            shape: shape.into(),
            matrix,
            mask: u32::MAX,
        }
    }

    fn end(id: ScenePrim) -> End {
        match id.end {
            Some(ShapeEnd::Exit) => End::Exit,
            _ => End::Entry,
        }
    }

    fn touch_at(&self, id: ScenePrim, (t_low, t_high): Interval, is_tangent: bool) -> ShapeTouch {
        ShapeTouch {
            id,
            t_low,
            t_high,
            is_tangent,
            shape: *self,
        }
    }

    pub(super) fn touch_quickly<R: RayKind>(
        &self,
        ray: &PreparedRay<'_, R>,
        id: ScenePrim,
        t_limit: f64,
    ) -> Verdict<ShapeTouch> {
        let end = PlacedShape::end(id);
        let found = match ShapeLine::<Bounded>::of(&WorldLine::of(ray), &self.matrix, &self.shape) {
            ShapeLine::Empty => EndFound::Never,
            ShapeLine::Sphere(roots) => find_root(&roots, end),
            ShapeLine::Box(slabs) => find_face(&slabs, end),
        };
        let (interval, is_tangent) = match found {
            EndFound::Never => return Verdict::Missed,
            EndFound::At(interval, is_tangent) => (interval, Some(is_tangent)),
            EndFound::Perhaps(interval) => (interval, None),
        };
        let (low, high) = interval;
        if low > t_limit || high < ray.t_min() || low > ray.t_max() {
            return Verdict::Missed;
        }
        match is_tangent {
            // In this form NaN is open.
            Some(is_tangent) if low >= ray.t_min() && high <= ray.t_max() => {
                Verdict::Touched(self.touch_at(id, interval, is_tangent))
            }
            _ => Verdict::Open,
        }
    }

    #[cold]
    #[inline(never)]
    pub(super) fn touch_slowly<R: RayKind>(
        &self,
        ray: &PreparedRay<'_, R>,
        id: ScenePrim,
        t_limit: f64,
    ) -> Option<ShapeTouch> {
        let (t, is_tangent) = self.exact_end(&WorldLine::of(ray), PlacedShape::end(id))?;
        let interval = t.interval();
        if interval.0 > t_limit
            || t.cmp_f64(ray.t_min()) == Ordering::Less
            || t.cmp_f64(ray.t_max()) == Ordering::Greater
        {
            return None;
        }
        Some(self.touch_at(id, interval, is_tangent))
    }

    /// Returns the parameter at which the ray's line enters or leaves, and whether it does both there.
    /// A line that does both at once only enters.
    fn exact_end(&self, line: &WorldLine, end: End) -> Option<(Surd, bool)> {
        match ShapeLine::<Dyadic>::of(line, &self.matrix, &self.shape) {
            ShapeLine::Empty => None,
            ShapeLine::Sphere(roots) => {
                let Roots {
                    middle,
                    square,
                    rate,
                    ..
                } = roots;
                let sign = square.sign();
                match end {
                    End::Entry if sign >= 0 => {
                        Some((Surd::lesser(middle, square, rate), sign == 0))
                    }
                    End::Exit if sign > 0 => Some((Surd::greater(middle, square, rate), false)),
                    _ => None,
                }
            }
            ShapeLine::Box(slabs) => {
                let (entry, exit) = exact_span(slabs)?;
                match (entry.cmp(&exit), end) {
                    (Ordering::Less, End::Entry) => Some((entry, false)),
                    (Ordering::Less, End::Exit) => Some((exit, false)),
                    (Ordering::Equal, End::Entry) => Some((entry, true)),
                    _ => None,
                }
            }
        }
    }
}

impl ShapeTouch {
    /// Returns the exact parameter.
    pub(super) fn exact_t(&self, line: &WorldLine) -> Surd {
        let found = self.shape.exact_end(line, PlacedShape::end(self.id));
        found.expect("a certified hit has a parameter").0
    }

    /// Returns whether both are at the same end of the same set of points.
    pub(super) fn is_same_as(&self, other: &ShapeTouch) -> bool {
        let same_set =
            self.shape.shape == other.shape.shape && self.shape.matrix == other.shape.matrix;
        same_set && self.id.end == other.id.end
    }

    /// Returns whether the ray is inside before or after, so that it crosses the surface.
    pub(super) fn crosses(&self) -> bool {
        !self.is_tangent
    }

    pub(super) fn side(&self) -> Side {
        match PlacedShape::end(self.id) {
            End::Entry => Side::Front,
            End::Exit => Side::Back,
        }
    }

    pub(super) fn hit(&self, line: &WorldLine) -> SceneHit {
        let t = round((self.t_low, self.t_high));
        let t = t.unwrap_or_else(|| self.round_slowly(line));
        SceneHit::on(self.id, [t, 0.0, 0.0])
    }

    #[cold]
    #[inline(never)]
    fn round_slowly(&self, line: &WorldLine) -> f32 {
        self.exact_t(line).to_f32()
    }
}

/// 2^-900 to 2^900: what is divided by, and what a root is taken of, so that what underflows in a
/// quotient and in the bound of its error is less than [`LOST`].
fn is_usual(x: Bounded) -> bool {
    const RANGE: core::ops::RangeInclusive<f64> =
        f64::from_bits((1023 - 900) << 52)..=f64::from_bits((1023 + 900) << 52);
    RANGE.contains(&x.value.abs())
}

/// 2^-170.
const LOST: f64 = f64::from_bits((1023 - 170) << 52);

/// Returns an interval that contains the quotient. It is open for numbers that are not usual.
fn parameter(num: Bounded, den: Bounded) -> Interval {
    let (low, high) = quotient(num, den);
    // In this form NaN is open.
    match is_usual(den) && low <= high {
        true => (low - LOST, high + LOST),
        false => EVERYWHERE,
    }
}

fn find_root(roots: &Roots<Bounded>, end: End) -> EndFound {
    let Roots {
        middle,
        square,
        rate,
        gap,
    } = *roots;
    match (square.sign(), rate.sign()) {
        (Some(-1), _) => EndFound::Never,
        (Some(0), Some(1)) => match end {
            End::Entry => EndFound::At(parameter(middle, rate), true),
            End::Exit => EndFound::Never,
        },
        (Some(1), Some(1)) if is_usual(square) => {
            let root = root(square);
            let is_entry = end == End::Entry;
            let interval = match middle.sign() {
                // The root is added to what has its sign, for either end.
                Some(1) if is_entry => parameter(gap, sum(middle, root)),
                Some(-1) if !is_entry => parameter(gap, difference(middle, root)),
                _ if is_entry => parameter(difference(middle, root), rate),
                _ => parameter(sum(middle, root), rate),
            };
            EndFound::At(interval, false)
        }
        _ => EndFound::Perhaps(EVERYWHERE),
    }
}

fn find_face(slabs: &[ShapeSlab<Bounded>; 3], end: End) -> EndFound {
    let (mut entry, mut exit) = (
        (f64::NEG_INFINITY, f64::NEG_INFINITY),
        (f64::INFINITY, f64::INFINITY),
    );
    for ShapeSlab { gaps, slope } in slabs {
        let (near, far) = match slope.sign() {
            Some(0) => match (gaps[0].sign(), gaps[1].sign()) {
                (Some(one), Some(other)) if one * other > 0 => return EndFound::Never,
                (Some(_), Some(_)) => continue,
                _ => (EVERYWHERE, EVERYWHERE),
            },
            _ => {
                let [a, b] = gaps.map(|gap| parameter(gap, *slope));
                ((a.0.min(b.0), a.1.min(b.1)), (a.0.max(b.0), a.1.max(b.1)))
            }
        };
        entry = (entry.0.max(near.0), entry.1.max(near.1));
        exit = (exit.0.min(far.0), exit.1.min(far.1));
    }
    let found = match end {
        End::Entry => entry,
        End::Exit => exit,
    };
    if entry.0 > exit.1 {
        EndFound::Never
    } else if entry.1 < exit.0 {
        EndFound::At(found, false)
    } else {
        EndFound::Perhaps(found)
    }
}

/// Returns where a line enters three slabs last and leaves one first, unless it is parallel to a slab
/// and outside of it.
fn exact_span(slabs: [ShapeSlab<Dyadic>; 3]) -> Option<(Surd, Surd)> {
    let mut both: Option<(Surd, Surd)> = None;
    for ShapeSlab { gaps, slope } in slabs {
        if slope.sign() == 0 {
            if gaps[0].sign() * gaps[1].sign() > 0 {
                return None;
            }
            continue;
        }
        let [a, b] = gaps.map(|gap| Surd::quotient(gap, slope.clone()));
        let (near, far) = in_order(a, b);
        both = Some(match both {
            None => (near, far),
            Some((entry, exit)) => (in_order(entry, near).1, in_order(exit, far).0),
        });
    }
    // A line is not parallel to three independent planes.
    both
}

fn in_order(a: Surd, b: Surd) -> (Surd, Surd) {
    match a.cmp(&b) {
        Ordering::Greater => (b, a),
        _ => (a, b),
    }
}
