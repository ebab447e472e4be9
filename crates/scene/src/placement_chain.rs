//! The placements from the world down to an object.

use crate::snapshot::{Placement, composed};
use core::cell::OnceCell;
use estoc_core::{PlacementMatrix, ScenePath};

/// The placements from the world down to a scene or a mesh.
pub(crate) struct PlacementChain<'a> {
    /// `None` if the last placement is one of the world.
    pub(crate) outer: Option<&'a PlacementChain<'a>>,
    /// The number of the last placement, and its matrix.
    pub(crate) number: u32,
    pub(crate) own: &'a PlacementMatrix,
    /// Composed when it is needed: few of the boxes that a ray meets have a triangle that it may hit.
    pub(crate) whole: OnceCell<PlacementMatrix>,
    /// That of all placements.
    pub(crate) mask: u32,
    pub(crate) is_reversed: bool,
}

impl<'a> PlacementChain<'a> {
    /// Returns the way to a placement.
    #[inline]
    pub(crate) fn to(
        outer: Option<&'a PlacementChain<'a>>,
        number: u32,
        placement: &'a Placement,
    ) -> Self {
        PlacementChain {
            outer,
            number,
            own: placement.matrix(),
            whole: OnceCell::new(),
            mask: outer.map_or(u32::MAX, |chain| chain.mask) & placement.get_mask(),
            is_reversed: outer.is_some_and(|chain| chain.is_reversed) != placement.is_reversed(),
        }
    }

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
