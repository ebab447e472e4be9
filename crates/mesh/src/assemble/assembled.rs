//! What readers make of a file.

use crate::error::MeshError;
use crate::mesh::Mesh;
use crate::mesh::wide_positions::WidePositions;

/// A mesh in `f32`, and its positions in `f64` if they were to be kept.
pub(crate) struct Assembled {
    /// In the frame of the others, if there are any.
    pub(crate) narrow: Mesh,
    pub(crate) wide: Option<WidePositions>,
}

impl Assembled {
    /// Returns the mesh in `f64`, whose positions are those in `f32` if no others were kept.
    pub(crate) fn into_f64(self) -> Result<Mesh<f64>, MeshError> {
        let Assembled { narrow, wide } = self;
        let wide = match wide {
            Some(wide) => wide,
            None => WidePositions::of_narrow(narrow.positions())?,
        };
        Ok(Mesh::of_narrow(narrow, wide)?)
    }
}
