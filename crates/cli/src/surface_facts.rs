//! What the edges of triangles say: whether they enclose an inside, and which way they face.

use crate::closed::Closed;
use crate::common::Session;
use crate::failure::Failure;
use crate::model::Model;
use crate::number::counted;
use estoc::mesh::{SurfaceReport, volume_sign};
use serde_json::Value;
use std::cmp::Ordering;
use std::fmt;

/// Facts about the surface that the triangles of a mesh form.
pub(crate) struct SurfaceFacts {
    pub(crate) edges: SurfaceReport,
    pub(crate) closed: Closed,
    /// `None` for a surface that encloses no volume: it is open, not consistently oriented, or without
    /// triangles.
    pub(crate) orientation: Option<Orientation>,
}

impl SurfaceFacts {
    pub(crate) fn of(model: Model<'_>, session: &Session) -> Result<Self, Failure> {
        let edges = model.surface(session)?;
        let is_empty = model.bvh.triangle_count() == 0;
        Ok(SurfaceFacts {
            closed: match is_empty {
                true => Closed::NoTriangles,
                false => Closed::of_surface(&edges, model, session),
            },
            orientation: (edges.is_oriented() && !is_empty).then(|| Orientation::of(model)),
            edges,
        })
    }

    /// Returns in words which way the triangles face; `None` if they are open or there are none, and
    /// no edge shows that they do not fit together.
    pub(crate) fn oriented(&self) -> Option<String> {
        let misoriented = self.edges.misoriented_edges;
        let no = || format!("no, {}", counted(misoriented, "misoriented edge"));
        let orientation = self.orientation.map(|found| found.to_string());
        orientation.or_else(|| (misoriented > 0).then(no))
    }

    /// Returns the name of the orientation as JSON.
    pub(crate) fn orientation_json(&self) -> Value {
        self.orientation.map(Orientation::name).into()
    }
}

/// Which way the triangles of a closed and consistently oriented surface face.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Orientation {
    Outwards,
    /// The signed volume is negative, so that signs by the winding number are exchanged.
    Inwards,
    /// The signed volume is 0, as that of a sheet that is there twice.
    Neither,
}

impl Orientation {
    fn of(model: Model<'_>) -> Self {
        match volume_sign(model.triangles()) {
            Ordering::Greater => Orientation::Outwards,
            Ordering::Less => Orientation::Inwards,
            Ordering::Equal => Orientation::Neither,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Orientation::Outwards => "outwards",
            Orientation::Inwards => "inwards",
            Orientation::Neither => "neither",
        }
    }
}

impl fmt::Display for Orientation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Orientation::Outwards => "outwards",
            Orientation::Inwards => "inwards: its signed volume is negative",
            Orientation::Neither => "neither way: its signed volume is 0",
        })
    }
}
