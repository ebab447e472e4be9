//! Whether a triangle has a point in an intersection of half spaces.
//!
//! A half space is where a linear function is at least 0. A point of the triangle is
//! `w_0 p_0 + w_1 p_1 + w_2 p_2` with weights `w >= 0` that are not all 0 (and sum up to 1, which a
//! positive factor changes at will), and the function there is `f . w` with f its values at the
//! corners. So whether some w meets `f_j . w >= 0` for all half spaces j depends on nothing but
//! those values. The points that do form a convex polygon, and if there is one, so is a vertex:
//!
//! | vertex | weights | to check |
//! |---|---|---|
//! | corner a | 1 at a | `f_l[a]` |
//! | of edge ab and plane j | `\|f_j[b]\|` at a, `\|f_j[a]\|` at b | `f_l[a] \|f_j[b]\| + f_l[b] \|f_j[a]\|` |
//! | of planes j and k | `± f_j x f_k`, none negative | `± det(f_l, f_j, f_k)` |
//!
//! Half spaces that hold all three corners need no check. Where the values have degree 2, as for
//! planes of `f32`s, the determinants have degree 6. This needs no case for regions that are
//! unbounded, flat or empty. Corners that are not [moderate](crate::arithmetic::are_moderate), beyond all `f32`s, are
//! left to exact numbers.
//!
//! # Bounds
//! The values of a half space are divided by the largest of them, so that all are at most 1; `e_j`
//! bounds their errors, that of the division included. For `e <= 2^-20`, a product of two is off by
//! at most `(1 + 2^-19)` times the sum of their bounds, one of three likewise. With v = 2^-53, the
//! two products of an edge and their sum have roundings of less than 5v, for which 8v are granted,
//! and the six products of a determinant, each of three factors and summed up in cross and scalar
//! products, 6 times 5v, for which 40v are granted. Underflow is less than 2^-1070.

use super::BoxPosition;
use crate::arithmetic::{
    Bounded, Dyadic, ExactV3, V, V3, all, are_moderate, exact_cross, exact_dot,
};
use arrayvec::ArrayVec;
use glam::DVec3;

/// The largest number of half spaces of a region.
pub(super) const MOST: usize = 6;

/// A linear function, which is at least 0 in a half space.
pub(super) trait LinearFunction {
    /// Returns the value at a point of moderate coordinates.
    fn value(&self, point: V3) -> Bounded;

    /// Returns the exact value.
    fn exact_value(&self, point: V3) -> Dyadic;

    /// Returns the gradient, each component with the right sign.
    fn gradient(&self) -> V3;
}

/// The values of a function at the corners of a triangle.
struct ValuesAtCorners {
    /// The index of the half space.
    place: usize,
    /// The exact signs.
    signs: [i32; 3],
    /// Divided by the largest.
    values: V3,
    /// The largest error of `values`.
    error: f64,
}

/// Returns whether a finite triangle with area has a point in all of these half spaces, at most
/// [`MOST`].
pub(super) fn has_point_in_all(functions: &[impl LinearFunction], corners: [DVec3; 3]) -> bool {
    let corners = corners.map(|corner| corner.to_array());
    let is_known = are_moderate(&corners);
    let mut cutting = ArrayVec::<ValuesAtCorners, MOST>::new();
    for (place, function) in functions.iter().enumerate() {
        let bounded = corners.map(|corner| match is_known {
            true => function.value(corner),
            false => Bounded::UNKNOWN,
        });
        let mut signs = [0; 3];
        for (i, sign) in signs.iter_mut().enumerate() {
            *sign = match bounded[i].sign() {
                Some(sign) => sign,
                None => function.exact_value(corners[i]).sign(),
            };
        }
        if signs == [-1; 3] {
            return false;
        } else if signs.contains(&-1) {
            cutting.push(ValuesAtCorners::new(place, signs, bounded));
        }
    }
    let holds_corner = |corner: usize| cutting.iter().all(|values| values.signs[corner] >= 0);
    if cutting.len() < 2 || (0..3).any(holds_corner) {
        return true;
    }
    let signs: ArrayVec<[i32; 3], MOST> = cutting.iter().map(|values| values.signs).collect();
    has_vertex(&signs, &Rounded(&cutting)).unwrap_or_else(|| {
        let exact =
            |values: &ValuesAtCorners| corners.map(|p| functions[values.place].exact_value(p));
        let exact: ArrayVec<ExactV3, MOST> = cutting.iter().map(exact).collect();
        // Exact signs leave nothing open.
        has_vertex(&signs, &ExactValues(&exact)) == Some(true)
    })
}

impl ValuesAtCorners {
    fn new(place: usize, signs: [i32; 3], bounded: [Bounded; 3]) -> Self {
        let largest = bounded
            .iter()
            .fold(0.0f64, |most, b| most.max(b.value.abs()));
        let error = bounded.iter().fold(0.0f64, |most, b| most.max(b.error));
        // Where all is lost in the error, or beyond the range of `f64`, nothing is decided.
        let error = match largest.is_finite() {
            true => error / largest * (1.0 + 8.0 * V) + 2.0 * V,
            false => f64::NAN,
        };
        ValuesAtCorners {
            place,
            signs,
            values: bounded.map(|b| b.value / largest),
            error,
        }
    }
}

/// Signs of the polynomials above; `None` where they are open.
trait Minors {
    /// The cross product of two functions' values.
    type Cross;

    fn cross(&self, j: usize, k: usize) -> Self::Cross;

    /// Returns the sign of a component.
    fn component(&self, cross: &Self::Cross, corner: usize) -> Option<i32>;

    /// Returns the sign of the scalar product with the values of function l.
    fn determinant(&self, cross: &Self::Cross, l: usize) -> Option<i32>;

    /// Returns the sign of function l where function j is 0 on the edge ab, at whose ends j has
    /// opposite signs.
    fn on_edge(&self, l: usize, j: usize, ends: [usize; 2]) -> Option<i32>;
}

/// Returns whether a vertex of the polygon lies inside an edge or the face of the triangle; no
/// corner may be in all half spaces.
fn has_vertex(signs: &[[i32; 3]], minors: &impl Minors) -> Option<bool> {
    let count = signs.len();
    let mut is_open = false;
    let mut check = |is_vertex: Option<bool>| {
        is_open |= is_vertex.is_none();
        is_vertex == Some(true)
    };
    for (j, signs) in signs.iter().enumerate() {
        for [a, b] in [[0, 1], [1, 2], [2, 0]] {
            if signs[a] * signs[b] < 0 {
                let others = (0..count).filter(|&l| l != j);
                let is_vertex = all(others.map(|l| at_least_0(minors.on_edge(l, j, [a, b]))));
                if check(is_vertex) {
                    return Some(true);
                }
            }
        }
    }
    for j in 0..count {
        for k in j + 1..count {
            let cross = minors.cross(j, k);
            let components = [0, 1, 2].map(|corner| minors.component(&cross, corner));
            if components == [Some(0); 3] {
                continue; // parallel on the triangle: other vertices serve
            }
            for side in [1, -1] {
                let turned = |sign: Option<i32>| at_least_0(sign.map(|sign| sign * side));
                let others = (0..count).filter(|&l| l != j && l != k);
                let weights = components.into_iter().map(turned);
                let heights = others.map(|l| turned(minors.determinant(&cross, l)));
                if check(all(weights.chain(heights))) {
                    return Some(true);
                }
            }
        }
    }
    if is_open { None } else { Some(false) }
}

fn at_least_0(sign: Option<i32>) -> Option<bool> {
    sign.map(|sign| sign >= 0)
}

/// Values in `f64`.
struct Rounded<'a>(&'a [ValuesAtCorners]);

/// Returns the sign of a number with this bound of its error, which may be NaN.
fn sign(value: f64, error: f64) -> Option<i32> {
    Bounded { value, error }.sign()
}

impl Rounded<'_> {
    /// Returns the bound of a determinant or a minor; NaN, which decides nothing, where an error is
    /// too large.
    fn bound(&self, functions: &[usize], products: f64, rounding: f64) -> f64 {
        let errors = functions.iter().map(|&j| self.0[j].error);
        let sum: f64 = errors.sum();
        const MOST: f64 = 1.0 / (1 << 20) as f64;
        if sum < MOST {
            products * 1.01 * sum + rounding * V
        } else {
            f64::NAN
        }
    }
}

impl Minors for Rounded<'_> {
    type Cross = ([usize; 2], V3);

    fn cross(&self, j: usize, k: usize) -> Self::Cross {
        let (a, b) = (self.0[j].values, self.0[k].values);
        let component = |i: usize, j: usize| a[i] * b[j] - a[j] * b[i];
        ([j, k], [component(1, 2), component(2, 0), component(0, 1)])
    }

    fn component(&self, (functions, cross): &Self::Cross, corner: usize) -> Option<i32> {
        sign(cross[corner], self.bound(functions, 2.0, 8.0))
    }

    fn determinant(&self, ([j, k], cross): &Self::Cross, l: usize) -> Option<i32> {
        let f = self.0[l].values;
        let value = f[0] * cross[0] + f[1] * cross[1] + f[2] * cross[2];
        sign(value, self.bound(&[*j, *k, l], 6.0, 40.0))
    }

    fn on_edge(&self, l: usize, j: usize, [a, b]: [usize; 2]) -> Option<i32> {
        let (f, g) = (self.0[l].values, self.0[j].values);
        let value = f[a] * g[b].abs() + f[b] * g[a].abs();
        sign(value, self.bound(&[l, j], 2.0, 8.0))
    }
}

/// Exact values.
struct ExactValues<'a>(&'a [ExactV3]);

impl Minors for ExactValues<'_> {
    type Cross = ExactV3;

    fn cross(&self, j: usize, k: usize) -> ExactV3 {
        exact_cross(&self.0[j], &self.0[k])
    }

    fn component(&self, cross: &ExactV3, corner: usize) -> Option<i32> {
        Some(cross[corner].sign())
    }

    fn determinant(&self, cross: &ExactV3, l: usize) -> Option<i32> {
        Some(exact_dot(&self.0[l], cross).sign())
    }

    fn on_edge(&self, l: usize, j: usize, [a, b]: [usize; 2]) -> Option<i32> {
        let (f, g) = (&self.0[l], &self.0[j]);
        // f[a] |g[b]| + f[b] |g[a]|, where the signs at a and b are opposite.
        let difference = f[a].mul(&g[b]).sub(&f[b].mul(&g[a]));
        Some(difference.sign() * g[b].sign())
    }
}

/// Returns where a box lies relative to an intersection of half spaces.
pub(super) fn place_box(functions: &[impl LinearFunction], min: DVec3, max: DVec3) -> BoxPosition {
    let (min, max) = (min.to_array(), max.to_array());
    if !are_moderate(&[min, max]) {
        return BoxPosition::Crossing;
    }
    let mut position = BoxPosition::Inside;
    for function in functions {
        let gradient = function.gradient();
        let corner = |sign: f64| -> V3 {
            let rises = gradient.map(|x| x * sign >= 0.0);
            [0, 1, 2].map(|i| if rises[i] { max[i] } else { min[i] })
        };
        if function.value(corner(1.0)).sign() == Some(-1) {
            return BoxPosition::Outside;
        }
        let least = function.value(corner(-1.0)).sign();
        if !matches!(least, Some(0 | 1)) {
            position = BoxPosition::Crossing;
        }
    }
    position
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arithmetic::{Numbers, usual_or_long};
    use crate::shapes::Plane;
    use glam::Vec3;

    /// What `f64` decides is what exact arithmetic decides, for planes through points that they share
    /// and through any.
    #[test]
    fn a_search_finds_no_violation_of_the_bounds() {
        let rounds = usual_or_long(20_000, 5_000_000);
        let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
        let (mut decided, mut open) = (0, 0);
        for round in 0..rounds {
            let corners: [V3; 3] = core::array::from_fn(|_| numbers.vector());
            let middle = numbers.vector();
            let planes: ArrayVec<Plane, 4> = (0..4)
                .filter_map(|_| {
                    let point = if round % 2 == 0 {
                        middle
                    } else {
                        numbers.vector()
                    };
                    let [point, normal] = [point, numbers.vector()].map(|p| p.map(|x| x as f32));
                    Plane::through(Vec3::from(point), Vec3::from(normal)).ok()
                })
                .collect();
            let values: ArrayVec<ValuesAtCorners, MOST> = planes
                .iter()
                .enumerate()
                .map(|(place, plane)| {
                    let signs = corners.map(|p| plane.exact_value(p).sign());
                    ValuesAtCorners::new(place, signs, corners.map(|p| plane.value(p)))
                })
                .collect();
            let exact: ArrayVec<ExactV3, MOST> = planes
                .iter()
                .map(|plane| corners.map(|p| plane.exact_value(p)))
                .collect();
            let (rounded, exact) = (Rounded(&values), ExactValues(&exact));
            let mut compare = |found: Option<i32>, truth: Option<i32>| match found {
                Some(sign) => {
                    assert_eq!(Some(sign), truth, "{corners:?} {planes:?}");
                    decided += 1;
                }
                None => open += 1,
            };
            for (j, k) in [(0, 1), (1, 2), (0, 3)] {
                if k >= planes.len() {
                    continue;
                }
                let crosses = (rounded.cross(j, k), exact.cross(j, k));
                for i in 0..3 {
                    compare(
                        rounded.component(&crosses.0, i),
                        exact.component(&crosses.1, i),
                    );
                    let ends = [i, (i + 1) % 3];
                    if values[j].signs[ends[0]] * values[j].signs[ends[1]] < 0 {
                        compare(rounded.on_edge(k, j, ends), exact.on_edge(k, j, ends));
                    }
                }
                for l in (0..planes.len()).filter(|&l| l != j && l != k) {
                    compare(
                        rounded.determinant(&crosses.0, l),
                        exact.determinant(&crosses.1, l),
                    );
                }
            }
        }
        assert!(
            decided > 2 * open && open > rounds / 100,
            "{decided} {open}"
        );
    }
}
