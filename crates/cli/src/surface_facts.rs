//! What the edges of triangles say: whether they enclose an inside, and which way they face.

use crate::closed::Closed;
use crate::failure::Failure;
use crate::mesh_model::MeshModel;
use crate::model_number::ModelNumber;
use crate::number::counted;
use crate::session::Session;
use estoc::mesh::{SurfaceReport, volume_sign};
use estoc_core::PointEngine;
use serde_json::Value;
use std::cmp::Ordering;

/// Facts about the surface that the triangles of a mesh form.
pub(crate) struct SurfaceFacts<C: ModelNumber> {
    pub(crate) edges: SurfaceReport<C>,
    pub(crate) closed: Closed,
    /// The signed volume compared with 0. `None` for a surface that encloses none: it is open, not
    /// consistently oriented, or without triangles.
    pub(crate) volume: Option<Ordering>,
}

impl<C: ModelNumber> SurfaceFacts<C> {
    pub(crate) fn of(model: &MeshModel<C>, session: &Session) -> Result<Self, Failure> {
        model.check_room_for_edges(session)?;
        let edges = C::engine(model.bvh()).surface();
        let has_volume = edges.is_oriented() && model.bvh().triangle_count() > 0;
        Ok(SurfaceFacts {
            closed: Closed::of(&edges, model, session),
            volume: has_volume.then(|| volume_sign(model.all_triangles())),
            edges,
        })
    }

    /// Returns the fields `closed`, `open_edges` and `orientation` as JSON.
    pub(crate) fn objects(&self) -> [Value; 3] {
        let [closed, open_edges] = self.closed.json();
        [closed, open_edges, self.orientation_json()]
    }

    /// Returns lines with whether it is closed, and how it is oriented, with their labels.
    pub(crate) fn rows(&self) -> Vec<(&'static str, String)> {
        let closed = ("closed", self.closed.to_string());
        let oriented = self.oriented().map(|oriented| ("oriented", oriented));
        [closed].into_iter().chain(oriented).collect()
    }

    /// Returns in words which way the triangles face; `None` if they are open or there are none, and
    /// no edge shows that they do not fit together.
    fn oriented(&self) -> Option<String> {
        let misoriented = self.edges.misoriented_edges;
        let no = || format!("no, {}", counted(misoriented, "misoriented edge"));
        let facing = self.facing().map(str::to_owned);
        facing.or_else(|| (misoriented > 0).then(no))
    }

    /// Returns in words which way the triangles of a closed and consistently oriented surface face.
    pub(crate) fn facing(&self) -> Option<&'static str> {
        Some(match self.volume? {
            Ordering::Greater => "outwards",
            Ordering::Less => "inwards: its signed volume is negative",
            Ordering::Equal => "neither way: its signed volume is 0",
        })
    }

    /// Returns the name of the orientation as JSON.
    pub(crate) fn orientation_json(&self) -> Value {
        let name = self.volume.map(|volume| match volume {
            Ordering::Greater => "outwards",
            Ordering::Less => "inwards",
            // As that of a sheet that is there twice.
            Ordering::Equal => "neither",
        });
        name.into()
    }
}
