//! Rounds a certified distance to the numbers that callers see.
//!
//! Bounds are those of `f64_distance.rs`. A weight times an edge adds two roundings, v each, and its
//! sums with a corner one each.

use super::f64_distance::Relative;
use super::{CertifiedDistance, ClosestPoint, ExactDistance, Feature, PreparedPoint};
use crate::arithmetic::{
    Bounded, InlineMap, Interval, V, quotient, round, round_root, vector::dot, widen,
};
use core::cell::OnceCell;
use glam::Vec3;

/// Returns the answer that callers see, each number rounded once.
pub(super) fn closest_point(point: &PreparedPoint, found: &CertifiedDistance) -> ClosestPoint {
    let exact = OnceCell::new();
    let exact = || {
        exact.get_or_init(|| {
            let exact = ExactDistance::of(point.point(), &found.triangle);
            exact.expect("a certified triangle has area")
        })
    };
    let [u, v] = weights(point, found);
    let distance = round_root(found.square).unwrap_or_else(|| exact().square().root_to_f32());
    let round_weight =
        |i: usize, weight: Interval| round(weight).unwrap_or_else(|| exact().weights()[i].to_f32());
    let coordinate = |axis: usize| {
        round_coordinate(found, [u, v], axis)
            .unwrap_or_else(|| exact().coordinate(point.wide()[axis], axis).to_f32())
    };
    ClosestPoint {
        distance,
        prim: found.id,
        u: round_weight(0, u),
        v: round_weight(1, v),
        point: Vec3::new(coordinate(0), coordinate(1), coordinate(2)),
        feature: found.feature,
    }
}

/// Returns intervals around `u` and `v`.
fn weights(point: &PreparedPoint, found: &CertifiedDistance) -> [Interval; 2] {
    let zero = (0.0, 0.0);
    match found.feature {
        Feature::Vertex(i) => [i == 1, i == 2].inline_map(|one| (f64::from(one), f64::from(one))),
        Feature::Edge(i) => {
            let i = usize::from(i);
            let relative = Relative::of(point.wide(), found.triangle.corners().inline_map(widen));
            let whole = relative.edge_square(i);
            let share = |corner: usize, sign: f64| {
                let (corner, edge) = (relative.corners[corner], relative.edges[i]);
                let size = dot(corner.inline_map(f64::abs), edge.inline_map(f64::abs));
                let weight = Bounded {
                    value: sign * dot(corner, edge),
                    error: 6.0 * V * size,
                };
                quotient(weight, whole)
            };
            let (start, end) = (share((i + 1) % 3, 1.0), share(i, -1.0));
            match i {
                0 => [end, zero],
                1 => [start, end],
                _ => [zero, start],
            }
        }
        Feature::Face => {
            let relative = Relative::of(point.wide(), found.triangle.corners().inline_map(widen));
            let normal = relative.normal();
            let whole = normal.square();
            let side = |i: usize| quotient(normal.dot(&relative.moment(i)), whole);
            [side(2), side(0)]
        }
    }
}

/// Returns a coordinate of the closest point if its interval decides the rounding.
fn round_coordinate(found: &CertifiedDistance, [u, v]: [Interval; 2], axis: usize) -> Option<f32> {
    let corners = found.triangle.corners();
    let [p0, p1, p2] = corners.inline_map(|corner| f64::from(corner[axis]));
    match found.feature {
        Feature::Vertex(i) => return Some(corners[usize::from(i)][axis] + 0.0),
        // Between corners of one coordinate, it does not change.
        Feature::Edge(0) if p0 == p1 => return Some(corners[0][axis] + 0.0),
        Feature::Edge(1) if p1 == p2 => return Some(corners[1][axis] + 0.0),
        Feature::Edge(2) if p2 == p0 => return Some(corners[2][axis] + 0.0),
        Feature::Face if p0 == p1 && p1 == p2 => return Some(corners[0][axis] + 0.0),
        _ => {}
    }
    // u and v, each as the middle of its interval and half its length, which has three roundings.
    let middle = |(low, high): Interval| {
        let middle = low + (high - low) * 0.5;
        (middle, (high - middle).max(middle - low) * (1.0 + 4.0 * V))
    };
    let ((u, u_error), (v, v_error)) = (middle(u), middle(v));
    let (e1, e2) = (p1 - p0, p2 - p0);
    let value = p0 + (u * e1 + v * e2);
    let moved = u_error * e1.abs() + v_error * e2.abs();
    let rounded = 4.0 * V * (u * e1).abs() + 4.0 * V * (v * e2).abs() + 2.0 * V * value.abs();
    let error = (moved + rounded) * (1.0 + 8.0 * V) + f64::MIN_POSITIVE;
    round((value - error, value + error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arithmetic::Numbers;
    use crate::exact::{Verdict, proximity::Measure};
    use crate::shapes::{PrimId, Triangle};

    /// Every number that an interval rounds is the one that exact arithmetic rounds.
    #[test]
    fn both_stages_round_alike() {
        let mut numbers = Numbers(0x6a09_e667_f3bc_c909);
        let prim = PrimId::new(0).unwrap();
        let (mut decided, mut open) = (0, 0);
        for round in 0..40_000 {
            let mut vector = || Vec3::from_array(numbers.vector().map(|x| x as f32));
            let [mut p, a, b, mut c] = core::array::from_fn(|_| vector());
            match round % 6 {
                0 => c.z = a.z.max(b.z),
                1 => p = (a + b) * 0.5,
                2 => p = a + (b - c),
                _ => {}
            }
            let triangle = Triangle::new(a, b, c);
            let Some(point) = PreparedPoint::new(p) else {
                continue;
            };
            let Verdict::Touched(found) = point.measure_quickly(prim, &triangle, f64::INFINITY)
            else {
                open += 1;
                continue;
            };
            let what = || format!("{p:?} {triangle:?}");
            let exact = ExactDistance::of(p, &triangle).expect("it has area");
            let answer = closest_point(&point, &found);
            let distance = exact.square().root_to_f32();
            assert_eq!(answer.distance.to_bits(), distance.to_bits(), "{}", what());
            assert_eq!(point.distance(&found), distance);
            let [u, v] = exact.weights().map(|weight| weight.to_f32().to_bits());
            assert_eq!([answer.u, answer.v].map(f32::to_bits), [u, v], "{}", what());
            let at =
                [0, 1, 2].map(|axis| exact.coordinate(p[axis].into(), axis).to_f32().to_bits());
            assert_eq!(answer.point.to_array().map(f32::to_bits), at, "{}", what());
            decided += 1;
        }
        println!("{decided} decided, {open} open");
        assert!(decided > 10_000 && open > 100, "{decided} {open}");
    }
}
