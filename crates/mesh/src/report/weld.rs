//! What a weld did to a mesh.

use crate::text::{counted, number, short_number};
use core::fmt;

/// What a weld did to a mesh ([`MeshLoader::weld`](crate::MeshLoader::weld)). Displays as one line.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct WeldReport {
    /// The distance within which corners were connected.
    pub distance: f64,
    /// The number of clusters of corners of different positions; each has one position now.
    pub clusters: u64,
    /// The number of vertices that moved.
    pub moved_vertices: u64,
    /// The longest side of the smallest box around a cluster, exact but for one rounding: no coordinate
    /// moved by more. Chains of corners make it longer than the distance.
    pub widest: f64,
    /// The number of triangles that had an area before.
    pub flattened_triangles: u64,
}

/// No number is NaN.
impl Eq for WeldReport {}

impl WeldReport {
    /// Returns what the welds of two meshes did together, with the larger distance.
    pub(crate) fn joined(first: Option<Self>, second: Option<Self>) -> Option<Self> {
        let (Some(a), Some(b)) = (first, second) else {
            return first.or(second);
        };
        Some(WeldReport {
            distance: a.distance.max(b.distance),
            clusters: a.clusters + b.clusters,
            moved_vertices: a.moved_vertices + b.moved_vertices,
            widest: a.widest.max(b.widest),
            flattened_triangles: a.flattened_triangles + b.flattened_triangles,
        })
    }
}

impl fmt::Display for WeldReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "welded within {}: ", number(self.distance))?;
        if self.clusters == 0 {
            return f.write_str("no corners are that near each other");
        }
        let vertices = counted(self.moved_vertices, "vertex");
        let clusters = counted(self.clusters, "cluster");
        let widest = short_number(self.widest);
        write!(
            f,
            "{vertices} moved, in {clusters}, no coordinate by more than {widest}"
        )?;
        match self.flattened_triangles {
            0 => Ok(()),
            1 => f.write_str("; 1 triangle lost its area"),
            n => write!(f, "; {n} triangles lost their area"),
        }
    }
}
