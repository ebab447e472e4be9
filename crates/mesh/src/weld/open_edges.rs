//! The open edges of a mesh whose positions are joined.

use estoc_parallel::prelude::*;

use super::clusters::Clusters;
use super::corners::Corners;
use super::work::Work;
use crate::error::MeshError;
use crate::mesh::Mesh;

/// The edges that belong to an odd number of triangles. Those used an even number of times never
/// matter: where positions are joined, they coincide with others an even number of times again.
pub(super) struct OpenEdges(Vec<[u32; 2]>);

impl OpenEdges {
    pub(super) fn of(mesh: &Mesh, corners: &Corners, work: &Work<'_>) -> Result<Self, MeshError> {
        let mut all: Vec<[u32; 2]> = work.reserved(3 * mesh.triangle_count())?;
        for triangle in mesh.indices() {
            let [a, b, c] = corners.of_triangle(triangle);
            all.extend([[a, b], [b, c], [c, a]]);
        }
        work.proceed()?;
        keep_open(&mut all);
        let mut open = work.reserved(all.len())?;
        open.extend_from_slice(&all);
        Ok(OpenEdges(open))
    }

    /// Returns the number of edges.
    pub(super) fn count(&self) -> usize {
        self.0.len()
    }

    /// Returns the number of edges that are still open where clusters are joined.
    pub(super) fn left(
        &self,
        clusters: &mut Clusters,
        work: &Work<'_>,
    ) -> Result<usize, MeshError> {
        let mut edges = work.reserved(self.0.len())?;
        edges.extend(self.0.iter().map(|ends| ends.map(|id| clusters.find(id))));
        keep_open(&mut edges);
        Ok(edges.len())
    }
}

/// Sorts edges, and keeps one of those that occur an odd number of times and have two ends.
fn keep_open(edges: &mut Vec<[u32; 2]>) {
    for edge in &mut *edges {
        edge.sort_unstable();
    }
    edges.par_sort_unstable();
    let mut kept = 0;
    let mut start = 0;
    while start < edges.len() {
        let edge = edges[start];
        let uses = edges[start..]
            .iter()
            .take_while(|other| **other == edge)
            .count();
        if uses % 2 == 1 && edge[0] != edge[1] {
            edges[kept] = edge;
            kept += 1;
        }
        start += uses;
    }
    edges.truncate(kept);
}
