//! Whether a mesh is closed.

use crate::failure::Failure;
use crate::faulty_edges::FaultyEdges;
use crate::mesh_model::MeshModel;
use crate::mesh_source::MeshSource;
use crate::model_number::ModelNumber;
use crate::number::short;
use crate::session::Session;
use estoc::mesh::SurfaceReport;
use serde_json::Value;
use std::fmt;

/// Whether the triangles enclose an inside.
pub(crate) enum Closed {
    NoTriangles,
    Yes,
    No(OpenEdgesWithGap),
}

/// Edges that belong to an odd number of triangles.
pub(crate) struct OpenEdgesWithGap {
    edges: FaultyEdges,
    /// The least distance within which welding closes them, and the option that does so.
    gap: Option<(f64, &'static str)>,
}

impl Closed {
    /// Returns the answer of a report about the edges of a mesh.
    pub(crate) fn of<C: ModelNumber>(
        surface: &SurfaceReport<C>,
        model: &MeshModel<C>,
        session: &Session,
    ) -> Self {
        if model.bvh().triangle_count() == 0 {
            return Closed::NoTriangles;
        }
        surface.first_open.map_or(Closed::Yes, |first| {
            Closed::No(OpenEdgesWithGap {
                edges: FaultyEdges::new("open edge", surface.open_edges, first, model),
                gap: C::gap(model, first.ends, session),
            })
        })
    }

    /// Returns the answer as JSON, and the open edges.
    pub(crate) fn json(&self) -> [Value; 2] {
        match self {
            Closed::NoTriangles => [Value::Null, Value::Null],
            Closed::Yes => [true.into(), Value::Null],
            Closed::No(open) => {
                let mut edges = open.edges.json();
                edges["gap"] = open.gap.map(|(gap, _)| gap).into();
                [false.into(), edges]
            }
        }
    }
}

/// Returns the error for a mesh that is not closed.
pub(crate) fn not_closed(mesh: &MeshSource, edges: &str) -> Failure {
    Failure::NotClosed(format!(
        "{mesh}: the mesh is not closed, so it has no inside{edges}; --rule estimate answers for open \
         meshes, or close the surface: every edge must belong to an even number of triangles, where \
         corners at the same position count as one"
    ))
}

impl fmt::Display for Closed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Closed::NoTriangles => f.write_str("undefined (no triangles)"),
            Closed::Yes => f.write_str("yes"),
            Closed::No(open) => write!(f, "no, {open}"),
        }
    }
}

impl fmt::Display for OpenEdgesWithGap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.edges)?;
        self.gap.map_or(Ok(()), |(gap, weld)| {
            let gap = short(gap as f32);
            write!(f, "; the widest gap is {gap}, and {weld} closes it")
        })
    }
}
