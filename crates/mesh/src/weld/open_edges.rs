//! The open edges of a mesh whose positions are joined.

use estoc_system::parallel::prelude::*;

use super::clusters::CornerClusters;
use super::corners::Corners;
use crate::error::MeshError;
use crate::mesh::Mesh;
use estoc_core::CancelToken;
use estoc_system::{Growth, NoMemory, collected};

/// The edges that belong to an odd number of triangles. Those used an even number of times never
/// matter: where positions are joined, they coincide with others an even number of times again.
pub(super) struct OpenEdges(Vec<[u32; 2]>);

impl OpenEdges {
    pub(super) fn of(
        mesh: &Mesh,
        corners: &Corners,
        cancel: &CancelToken,
    ) -> Result<Self, MeshError> {
        let mut all: Vec<[u32; 2]> = Vec::new();
        all.make_room(3 * mesh.triangle_count())?;
        for triangle in mesh.indices() {
            let [a, b, c] = corners.of_triangle(triangle);
            all.extend([[a, b], [b, c], [c, a]]);
        }
        MeshError::check_cancelled(cancel)?;
        keep_open(&mut all);
        all.trim();
        Ok(OpenEdges(all))
    }

    /// Returns the number of edges.
    pub(super) fn count(&self) -> usize {
        self.0.len()
    }

    /// Returns the number of edges that are still open where clusters are joined.
    pub(super) fn left(&self, clusters: &mut CornerClusters) -> Result<usize, NoMemory> {
        let edges = self.0.iter().map(|ends| ends.map(|id| clusters.find(id)));
        let mut edges = collected(edges)?;
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
    for i in 0..edges.len() {
        let edge = edges[i];
        if kept > 0 && edges[kept - 1] == edge {
            // Two of the same ends cancel each other.
            kept -= 1;
        } else if edge[0] != edge[1] {
            edges[kept] = edge;
            kept += 1;
        }
    }
    edges.truncate(kept);
}
