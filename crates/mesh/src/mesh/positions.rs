//! The vertices that faces refer to.

use crate::mesh::wide_positions::WidePositions;
use estoc_core::glam::{DVec3, Vec3};
use estoc_system::{Arena, NoMemory};
use std::sync::Arc;

/// The vertices that faces refer to, in `f32`, and in `f64` if the mesh is to keep them so.
pub(crate) struct Positions {
    /// In the frame of the others, if there are any.
    pub(crate) narrow: Arena<Vec3>,
    pub(crate) wide: Option<WidePositions>,
}

impl Positions {
    /// Returns positions in `f32`.
    pub(crate) fn narrow(narrow: Arena<Vec3>) -> Self {
        Positions { narrow, wide: None }
    }

    /// Returns positions in `f64`, for triangles anywhere among those that are finite.
    pub(crate) fn wide(positions: Vec<DVec3>) -> Result<Self, NoMemory> {
        let finite = positions.iter().filter(|p| p.is_finite());
        let bounds = finite.fold([DVec3::INFINITY, DVec3::NEG_INFINITY], |[low, high], p| {
            [low.min(*p), high.max(*p)]
        });
        let (wide, narrow) = WidePositions::rounded(Arc::new(Arena::of(positions)), bounds)?;
        Ok(Positions {
            narrow: Arena::of(narrow),
            wide: Some(wide),
        })
    }

    /// Returns a position as it was given.
    #[inline]
    pub(crate) fn given(&self, vertex: u32) -> DVec3 {
        match &self.wide {
            None => self.narrow[vertex as usize].as_dvec3(),
            Some(wide) => wide.all()[vertex as usize],
        }
    }
}
