//! The placements from the world down to an object.

use crate::snapshot::composed;
use core::cell::OnceCell;
use estoc_bvh::MappedRay;
use estoc_core::{PlacementMatrix, ScenePath};

/// The placements from the world down to a scene or a mesh, with a ray or a point in the object's space.
pub(crate) struct PlacementChain<'a, M = MappedRay> {
    /// `None` if the last placement is one of the world.
    pub(crate) outer: Option<&'a PlacementChain<'a, M>>,
    /// The number of the last placement, and its matrix.
    pub(crate) number: u32,
    pub(crate) own: &'a PlacementMatrix,
    /// Composed when it is needed: few of the boxes that a ray meets have a triangle that it may hit.
    pub(crate) whole: OnceCell<PlacementMatrix>,
    /// That of all placements.
    pub(crate) mask: u32,
    pub(crate) is_reversed: bool,
    /// The ray or the point in the object's space; `None` if it cannot be mapped.
    pub(crate) mapped: Option<M>,
}

impl<M> PlacementChain<'_, M> {
    #[inline]
    pub(crate) fn matrix(&self) -> &PlacementMatrix {
        match self.outer {
            None => self.own,
            Some(outer) => self
                .whole
                .get_or_init(|| composed(outer.matrix(), self.own)),
        }
    }

    #[inline]
    pub(crate) fn path(&self) -> ScenePath {
        let outer = self.outer.map_or(ScenePath::ROOT, PlacementChain::path);
        outer.then(self.number).expect("as deep as was checked")
    }
}
