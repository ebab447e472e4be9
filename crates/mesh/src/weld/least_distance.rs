//! The least distance that closes a mesh.

use super::clusters::CornerClusters;
use super::corners::{CornerPoint, Corners};
use super::distance::WeldReach;
use super::open_edges::OpenEdges;
use super::point_tree::PointTree;
use crate::error::{Location, MeshError};
use crate::mesh::Mesh;
use crate::text::{counted, number, short_number};
use estoc_core::CancelToken;
use estoc_core::glam::Vec3;
use estoc_system::collected;
use std::iter::repeat_n;

/// Returns the largest distance that is tried: a millionth of the longest side of the bounds.
pub(super) fn largest_distance(mesh: &Mesh) -> f64 {
    let size = mesh.bounds().max().as_dvec3() - mesh.bounds().min().as_dvec3();
    1e-6 * size.max_element()
}

/// Returns the least `f64` within which welding closes a mesh.
///
/// What one distance closes, all larger ones do: they join clusters of the smaller one, and edges that
/// occur an even number of times still do where their ends are joined. So the least one is found by
/// bisection.
pub(super) fn least_distance(
    mesh: &Mesh,
    corners: &Corners,
    cancel: &CancelToken,
) -> Result<f64, MeshError> {
    let open = OpenEdges::of(mesh, corners, cancel)?;
    if open.count() == 0 {
        return Ok(0.0);
    }
    // The first does not close the mesh, and the second does.
    let (mut low, mut high) = (0.0_f64, largest_distance(mesh));
    let count = corners.points.len();
    let tree = PointTree::new(corners.points.iter().copied(), cancel)?;
    let mut clusters = CornerClusters::of(&tree, count, WeldReach::new(high), cancel)?;
    let left = open.left(&mut clusters)?;
    if left > 0 {
        return Err(MeshError::NotWelded {
            at: Location::default(),
            problem: format!(
                "it has {}, and {left} would be left within a millionth of its size, {}",
                counted(open.count() as u64, "open edge"),
                short_number(high)
            ),
        });
    }
    // A corner that is alone within a distance is alone within smaller ones.
    drop(tree);
    let mut is_joined = collected(repeat_n(false, count))?;
    for id in 0..count {
        let least = clusters.find(id as u32) as usize;
        if least != id {
            (is_joined[least], is_joined[id]) = (true, true);
        }
    }
    let joined = |point: &&CornerPoint| is_joined[point.id as usize];
    let tree = PointTree::new(corners.points.iter().filter(joined).copied(), cancel)?;
    loop {
        // The bits of numbers that are not negative are in the same order.
        let middle = f64::from_bits(low.to_bits().midpoint(high.to_bits()));
        if middle == low {
            return Ok(high);
        }
        let mut clusters = CornerClusters::of(&tree, count, WeldReach::new(middle), cancel)?;
        match open.left(&mut clusters)? {
            0 => high = middle,
            _ => low = middle,
        }
        MeshError::check_cancelled(cancel)?;
    }
}

/// Returns an error unless the distance is below half of the shortest edge that stays.
pub(super) fn check_edges(
    mesh: &Mesh,
    corners: &Corners,
    clusters: &mut CornerClusters,
    distance: f64,
) -> Result<(), MeshError> {
    let twice = WeldReach::new(2.0 * distance);
    let mut shortest = f64::INFINITY;
    for triangle in mesh.indices() {
        let [a, b, c] = { corners.of_triangle(triangle) }
            .map(|id| corners.points[clusters.find(id) as usize].at);
        for [from, to] in [[a, b], [b, c], [c, a]] {
            if from != to && twice.holds(from, to) {
                let [from, to] = [from, to].map(|p| Vec3::from(p).as_dvec3());
                shortest = shortest.min(from.distance(to));
            }
        }
    }
    if shortest == f64::INFINITY {
        return Ok(());
    }
    Err(MeshError::NotWelded {
        at: Location::default(),
        problem: format!(
            "the least one that closes it, {}, is not below half of the shortest edge that stays, {}",
            number(distance),
            short_number(shortest)
        ),
    })
}
