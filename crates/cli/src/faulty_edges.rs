//! Edges of a surface that have a fault.

use crate::frame::Point;
use crate::mesh_model::MeshModel;
use crate::model_number::ModelNumber;
use crate::number::counted;
use estoc::PrimId;
use estoc_core::SurfaceEdge;
use serde_json::{Value, json};
use std::fmt;

/// All edges with a fault, and where the first of them is.
pub(crate) struct FaultyEdges {
    /// What one of them is.
    noun: &'static str,
    count: usize,
    ends: [Point; 2],
    /// The first triangle with the edge between these ends, and its line.
    triangle: Option<(PrimId, Option<u64>)>,
}

impl FaultyEdges {
    pub(crate) fn new<C: ModelNumber>(
        noun: &'static str,
        count: usize,
        first: SurfaceEdge<C>,
        model: &MeshModel<C>,
    ) -> Self {
        FaultyEdges {
            noun,
            count,
            ends: first.ends.map(|end| C::in_file(model.frame(), end)),
            triangle: model.first_with_edge(first.ends),
        }
    }

    pub(crate) fn json(&self) -> Value {
        let [from, to] = self.ends.map(Point::json);
        let (prim, line) = self.triangle.unzip();
        let prim = prim.map(PrimId::get);
        json!({
            "count": self.count,
            "first": { "prim": prim, "line": line.flatten(), "from": from, "to": to },
        })
    }
}

impl fmt::Display for FaultyEdges {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ([from, to], edges) = (self.ends, counted(self.count, self.noun));
        write!(f, "{edges}: the first from {from} to {to}")?;
        match self.triangle {
            Some((prim, Some(line))) => write!(f, ", of triangle {prim} (line {line})"),
            Some((prim, None)) => write!(f, ", of triangle {prim}"),
            None => Ok(()),
        }
    }
}
