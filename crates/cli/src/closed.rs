//! Whether a mesh is closed, and where it is open.

use crate::common::Session;
use crate::failure::Failure;
use crate::frame::Point;
use crate::model::Model;
use crate::number::{counted, short};
use estoc::PrimId;
use estoc::mesh::{SurfaceReport, open_edges};
use serde_json::{Value, json};
use std::fmt;

/// Whether the triangles enclose an inside.
pub(crate) enum Closed {
    NoTriangles,
    Yes,
    No(OpenEdges),
}

/// Edges that belong to an odd number of triangles.
pub(crate) struct OpenEdges {
    count: usize,
    ends: [Point; 2],
    /// The first triangle with the edge between these ends, and its line.
    first: Option<(PrimId, Option<u64>)>,
    /// The least distance within which welding closes them, and the option that does so.
    gap: Option<(f64, &'static str)>,
}

impl Closed {
    pub(crate) fn of(model: Model<'_>, session: &Session) -> Result<Self, Failure> {
        // Three edges per triangle, 24 bytes each, in lists that grow to twice their size: three
        // times the edges while one grows, and five while the open ones are listed, too.
        let check_room = |times: usize| {
            let bytes = model.bvh.triangle_count() * 3 * 24 * times;
            session.check_room("checking whether the mesh is closed", bytes)
        };
        check_room(3)?;
        if model.bvh.triangle_count() == 0 {
            return Ok(Closed::NoTriangles);
        }
        if model.bvh.is_closed() {
            return Ok(Closed::Yes);
        }
        check_room(5)?;
        let edges = open_edges(model.triangles());
        // A mesh that is not closed has such an edge.
        Ok(edges.first().map_or(Closed::Yes, |&ends| {
            Closed::No(OpenEdges {
                count: edges.len(),
                ends: ends.map(|end| model.frame().world(end)),
                first: model.first_with_edge(ends),
                gap: model.gap(ends, session),
            })
        }))
    }

    /// Returns the same from a report about the edges of a mesh with triangles.
    pub(crate) fn of_surface(surface: &SurfaceReport, model: Model<'_>, session: &Session) -> Self {
        surface.first_open.map_or(Closed::Yes, |edge| {
            Closed::No(OpenEdges {
                count: surface.open_edges,
                ends: edge.ends.map(|end| model.frame().world(end)),
                first: model.first_with_edge(edge.ends),
                gap: model.gap(edge.ends, session),
            })
        })
    }

    /// Returns the answer as JSON, and the open edges.
    pub(crate) fn json(&self) -> [Value; 2] {
        match self {
            Closed::NoTriangles => [Value::Null, Value::Null],
            Closed::Yes => [true.into(), Value::Null],
            Closed::No(open) => {
                let [from, to] = open.ends.map(Point::json);
                let (prim, line) = open.first.unzip();
                let prim = prim.map(PrimId::get);
                let first = json!({ "prim": prim, "line": line.flatten(), "from": from, "to": to });
                let gap = open.gap.map(|(gap, _)| gap);
                let edges = json!({ "count": open.count, "first": first, "gap": gap });
                [false.into(), edges]
            }
        }
    }
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

impl fmt::Display for OpenEdges {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [from, to] = self.ends;
        let edges = counted(self.count, "open edge");
        write!(f, "{edges}: the first from {from} to {to}")?;
        match self.first {
            Some((prim, Some(line))) => write!(f, ", of triangle {prim} (line {line})")?,
            Some((prim, None)) => write!(f, ", of triangle {prim}")?,
            None => {}
        }
        match self.gap {
            Some((gap, weld)) => {
                write!(
                    f,
                    "; the widest gap is {}, and {weld} closes it",
                    short(gap as f32)
                )
            }
            None => Ok(()),
        }
    }
}
