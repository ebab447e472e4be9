//! The cut of triangles with a plane, as simply as the contract allows.

use super::number::{Grid, Vector};
use crate::generate::PlaneCase;
use estoc_core::{Coordinate, Plane, Polyline, PrimId, Section, SectionPoint, Triangle64};
use num_bigint::BigInt;
use num_traits::{Signed, Zero};
use std::collections::BTreeMap;

/// A triangle with corners on both sides.
struct Cut<C: Coordinate> {
    prim: PrimId,
    /// Where the cut begins and where it ends.
    ends: [End<C>; 2],
    is_point: bool,
}

/// An end of a cut, on an edge.
struct End<C: Coordinate> {
    /// The positions of the corners of the edge, in order.
    edge: [[BigInt; 3]; 2],
    point: SectionPoint<C>,
}

/// The place of an end: the index of its cut, and 0 where the cut begins or 1 where it ends.
type Place = (usize, usize);

pub(super) fn section<C: Coordinate>(
    triangles: &[Triangle64],
    of: &CutBy<C>,
    plane: Plane<C>,
) -> Section<C> {
    let cuts: Vec<Cut<C>> = triangles
        .iter()
        .enumerate()
        .filter_map(|(index, triangle)| cut(PrimId::from_index(index)?, triangle, of))
        .collect();
    let mut edges: BTreeMap<&[[BigInt; 3]; 2], Vec<Place>> = BTreeMap::new();
    for (index, cut) in cuts.iter().enumerate() {
        for (way, end) in cut.ends.iter().enumerate() {
            edges.entry(&end.edge).or_default().push((index, way));
        }
    }
    let mut neighbours: BTreeMap<Place, Place> = BTreeMap::new();
    for mut places in edges.into_values() {
        // The lowest one takes the lowest that continues its direction, or else the lowest.
        while places.len() > 1 {
            let first = places.remove(0);
            let other = places.iter().position(|place| place.1 != first.1);
            let other = places.remove(other.unwrap_or(0));
            neighbours.insert(first, other);
            neighbours.insert(other, first);
        }
    }
    let mut polylines: Vec<(PrimId, Polyline<C>)> = Vec::new();
    let mut seen = vec![false; cuts.len()];
    for start in 0..cuts.len() {
        if seen[start] {
            continue;
        }
        // To the first cut of the chain, or once around.
        let mut first: Place = (start, 0);
        let mut is_closed = false;
        while let Some(&before) = neighbours.get(&first) {
            first = (before.0, 1 - before.1);
            if first == (start, 0) {
                is_closed = true;
                break;
            }
        }
        let mut chain: Vec<Place> = vec![first];
        while let Some(&(next, way)) = neighbours.get(&opposite(chain[chain.len() - 1])) {
            if next == first.0 {
                break;
            }
            chain.push((next, way));
        }
        for place in &chain {
            seen[place.0] = true;
        }
        polylines.extend(polyline(&cuts, chain, is_closed));
    }
    polylines.sort_by_key(|(lowest, _)| *lowest);
    Section {
        plane,
        polylines: polylines
            .into_iter()
            .map(|(_, polyline)| polyline)
            .collect(),
    }
}

fn opposite((cut, way): Place) -> Place {
    (cut, 1 - way)
}

/// Returns the polyline of a chain, with its lowest id; `None` if all its cuts are points.
fn polyline<C: Coordinate>(
    cuts: &[Cut<C>],
    mut chain: Vec<Place>,
    is_closed: bool,
) -> Option<(PrimId, Polyline<C>)> {
    chain.retain(|&(cut, _)| !cuts[cut].is_point);
    let &(lowest, way) = chain.iter().min()?;
    if way == 1 {
        chain.reverse();
        chain = chain.into_iter().map(opposite).collect();
    }
    while is_closed && chain[0].0 != lowest {
        chain.rotate_left(1);
    }
    let at = |(cut, way): Place| cuts[cut].ends[way].point;
    let mut points: Vec<SectionPoint<C>> = chain.iter().copied().map(at).collect();
    if !is_closed {
        points.extend(chain.last().map(|&last| at(opposite(last))));
    }
    Some((cuts[lowest].prim, Polyline { points, is_closed }))
}

fn cut<C: Coordinate>(prim: PrimId, triangle: &Triangle64, of: &CutBy<C>) -> Option<Cut<C>> {
    if !triangle.is_finite() {
        return None;
    }
    let corners = triangle.corners().map(|corner| of.grid.vector(corner));
    let heights = [0, 1, 2].map(|i| height(&corners[i], of));
    let next = |i: usize| (i + 1) % 3;
    let is_behind = |i: usize| heights[i].is_negative();
    let down = (0..3).find(|&i| !is_behind(i) && is_behind(next(i)))?;
    let up = (0..3).find(|&i| is_behind(i) && !is_behind(next(i)))?;
    let exact = [down, up].map(|i| {
        crossing(
            [&corners[i], &corners[next(i)]],
            [&heights[i], &heights[next(i)]],
        )
    });
    // Equal fractions.
    let is_point = (0..3).all(|axis| {
        let [a, b] = &exact;
        &a.0[axis] * &b.1 == &b.0[axis] * &a.1
    });
    let ends = [(down, &exact[0]), (up, &exact[1])].map(|(edge, (num, den))| {
        let mut ends = [corners[edge].0.clone(), corners[next(edge)].0.clone()];
        ends.sort();
        let scaled = den << of.grid.0;
        End {
            edge: ends,
            point: SectionPoint {
                prim,
                edge: edge as u8,
                edge_ends: [edge, next(edge)].map(|i| C::nearest_point(triangle.corners()[i])),
                parameter: {
                    let (from, to) = (&heights[edge], &heights[next(edge)]);
                    (of.nearest)(&from.abs(), &(from - to).abs())
                },
                point: C::point([0, 1, 2].map(|axis| (of.nearest)(&num[axis], &scaled))),
            },
        }
    });
    Some(Cut {
        prim,
        ends,
        is_point,
    })
}

/// The numbers of a plane, their unit, and how numbers are rounded.
pub(super) struct CutBy<C: Coordinate> {
    pub(super) plane: PlaneCase<C>,
    pub(super) grid: Grid,
    pub(super) nearest: fn(&BigInt, &BigInt) -> C,
}

/// Returns the height of a point, times the length of the normal, in units of units.
pub(super) fn height<C: Coordinate>(point: &Vector, of: &CutBy<C>) -> BigInt {
    let grid = of.grid;
    let vector = |v: C::Point| grid.vector(C::wide(v));
    match of.plane {
        PlaneCase::Through(on, normal) => vector(normal).dot(&point.minus(&vector(on))),
        PlaneCase::Offset(normal, offset) => {
            vector(normal).dot(point) - (grid.number(offset.into()) << grid.0)
        }
    }
}

/// Returns the point of a segment at height 0, as numerators and a denominator.
pub(super) fn crossing(ends: [&Vector; 2], heights: [&BigInt; 2]) -> ([BigInt; 3], BigInt) {
    let ([a, b], [f, g]) = (ends, heights);
    let den = f - g;
    assert!(!den.is_zero(), "the ends are on different sides");
    let num = [0, 1, 2].map(|axis| f * &b.0[axis] - g * &a.0[axis]);
    match den.is_negative() {
        true => (num.map(|x| -x), -den),
        false => (num, den),
    }
}
