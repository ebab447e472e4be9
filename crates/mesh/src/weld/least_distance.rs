//! The least distance that closes a mesh.

use estoc_parallel::prelude::*;

use super::clusters::Clusters;
use super::corners::{Corners, Point};
use super::distance::Reach;
use super::open_edges::OpenEdges;
use super::point_tree::{Node, PairVisitor, PointTree};
use super::work::Work;
use crate::error::MeshError;
use crate::mesh::Mesh;
use crate::text::{counted, number, short_number};

/// The largest distance, as a part of the longest side of the bounds.
const LARGEST: f64 = 1e-6;

/// Returns the least `f64` within which welding closes a mesh.
///
/// What one distance closes, all larger ones do: they join clusters of the smaller one, and edges that
/// occur an even number of times still do where their ends are joined. So the least one is found by
/// bisection: of the distances of all pairs of positions or, where these are many, of `f64`s.
pub(super) fn least_distance(
    mesh: &Mesh,
    corners: &Corners,
    work: &Work<'_>,
) -> Result<f64, MeshError> {
    let open = OpenEdges::of(mesh, corners, work)?;
    if open.count() == 0 {
        return Ok(0.0);
    }
    let tree = PointTree::new(&corners.points, work)?;
    let left_within = |distance: f64| {
        let mut clusters = Clusters::of(&tree, Reach::new(distance), work)?;
        open.left(&mut clusters, work)
    };
    // The first does not close the mesh, and the second does.
    let (mut low, mut high) = (0.0_f64, largest_distance(mesh));
    let left = left_within(high)?;
    if left > 0 {
        return Err(MeshError::NotWelded {
            at: work.at(),
            problem: format!(
                "it has {}, and {left} would be left within a millionth of its size, {}",
                counted(open.count() as u64, "open edge"),
                short_number(high)
            ),
        });
    }
    let pairs = loop {
        if let Some(pairs) = Pairs::within(&tree, high, work)? {
            break pairs;
        }
        let middle = f64::from_bits((low.to_bits() + high.to_bits()) / 2);
        if middle == low {
            return Ok(high);
        }
        match left_within(middle)? {
            0 => high = middle,
            _ => low = middle,
        }
    };
    // The last pair closes the mesh, if no earlier one does.
    let (mut first, mut last) = (0, pairs.len().saturating_sub(1));
    while first < last {
        let middle = (first + last) / 2;
        let mut clusters = Clusters::separate(corners.points.len(), work)?;
        for &(_, a, b) in &pairs[..=middle] {
            clusters.join(a, b);
        }
        match open.left(&mut clusters, work)? {
            0 => last = middle,
            _ => first = middle + 1,
        }
        work.proceed()?;
    }
    Ok(pairs.get(last).map_or(high, |pair| pair.0))
}

/// Returns the largest distance that is tried.
pub(super) fn largest_distance(mesh: &Mesh) -> f64 {
    let size = mesh.bounds().max().as_dvec3() - mesh.bounds().min().as_dvec3();
    LARGEST * size.max_element()
}

/// Returns an error unless the distance is below half of the shortest edge that stays.
pub(super) fn check_edges(
    mesh: &Mesh,
    corners: &Corners,
    clusters: &mut Clusters,
    distance: f64,
    work: &Work<'_>,
) -> Result<(), MeshError> {
    let twice = Reach::new(2.0 * distance);
    let mut shortest = f64::INFINITY;
    for triangle in mesh.indices() {
        let ids = corners.of_triangle(triangle).map(|id| clusters.find(id));
        for [a, b] in [[ids[0], ids[1]], [ids[1], ids[2]], [ids[2], ids[0]]] {
            let [from, to] = [a, b].map(|id| corners.position(id));
            if a != b && twice.holds(from, to) {
                shortest = shortest.min(Reach::between(from, to));
            }
        }
    }
    if shortest == f64::INFINITY {
        return Ok(());
    }
    Err(MeshError::NotWelded {
        at: work.at(),
        problem: format!(
            "the least one that closes it, {}, is not below half of the shortest edge that stays, {}",
            number(distance),
            short_number(shortest)
        ),
    })
}

/// A distance, and the numbers of two positions that are within it.
type Pair = (f64, u32, u32);

/// Pairs of positions, up to a number of them.
struct Pairs {
    found: Vec<Pair>,
    most: usize,
    has_more: bool,
}

impl Pairs {
    /// Returns the pairs within a distance in ascending order, or `None` if they are many.
    fn within(
        tree: &PointTree,
        distance: f64,
        work: &Work<'_>,
    ) -> Result<Option<Vec<Pair>>, MeshError> {
        let most = 4096 + tree.points(tree.root()).len();
        let mut pairs = Pairs {
            found: work.reserved(most)?,
            most,
            has_more: false,
        };
        tree.visit_pairs(Reach::new(distance), &mut pairs, work)?;
        pairs.found.par_sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        Ok((!pairs.has_more).then_some(pairs.found))
    }
}

impl PairVisitor for Pairs {
    fn skips(&mut self, _: &PointTree, _: Node, _: Node) -> bool {
        self.has_more
    }

    fn visit(&mut self, a: &Point, b: &Point) {
        match self.found.len() < self.most {
            true => self.found.push((Reach::between(a.at, b.at), a.id, b.id)),
            false => self.has_more = true,
        }
    }
}
