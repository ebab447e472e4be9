//! Options of a query.

use crate::collect::Masks;
use crate::shapes::{PrimId, Side};

/// The sides of triangles that are culled, by the exact sign of `n . dir`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Cull {
    /// Both sides count.
    #[default]
    None,
    /// Hits from behind are culled: only front sides count.
    Back,
    /// Hits from the front are culled: only back sides count.
    Front,
}

impl Cull {
    /// Returns whether a hit from this side counts.
    pub fn keeps(self, side: Side) -> bool {
        match self {
            Cull::None => true,
            Cull::Back => side == Side::Front,
            Cull::Front => side == Side::Back,
        }
    }
}

/// Options of a query. By default every hit on the ray counts.
///
/// `I` is the engine's id of a primitive: [`PrimId`] for triangles.
///
/// ```
/// # use estoc_core as estoc;
/// use estoc::{Cull, PrimId, QueryOptions};
/// let options = QueryOptions::new().cull(Cull::Back).skip(PrimId::new(7));
/// assert_eq!(options.skip, PrimId::new(7));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct QueryOptions<I = PrimId> {
    /// The sides that are culled.
    pub cull: Cull,
    /// Continues after this primitive: only hits that come after it in order along the ray (by
    /// exact `t`, ties by id) count. The ray must hit it, regardless of culling, `skip` and `mask`.
    pub after: Option<I>,
    /// Skips this primitive, for example the one that the ray starts on. An id that the mesh does
    /// not have has no effect.
    pub skip: Option<I>,
    /// A ray sees a primitive when `mask & group != 0`, where `group` is the primitive's mask
    /// ([`Masks`]), or all bits if it has none. All bits are set by default.
    pub mask: u32,
    /// Leaves out hits exactly at an end of the ray's interval: those with `t_min < t < t_max` count, by
    /// the exact `t`. See [`Ray::between`](crate::Ray::between) for the line of sight between two points.
    pub open_ends: bool,
}

impl<I> Default for QueryOptions<I> {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl QueryOptions {
    /// Returns options with which every hit on the ray counts, on both sides.
    pub const fn new() -> Self {
        Self::DEFAULT
    }
}

impl<I> QueryOptions<I> {
    pub(crate) const DEFAULT: Self = QueryOptions {
        cull: Cull::None,
        after: None,
        skip: None,
        mask: u32::MAX,
        open_ends: false,
    };

    /// Returns whether these options leave out no hit of an engine with such masks.
    #[inline(always)]
    pub fn leave_out_nothing(&self, masks: Option<&Masks>) -> bool {
        self.skip.is_none() && self.leave_out_at_most_skip(masks)
    }

    /// Returns whether these options leave out no hit of an engine with such masks except those on
    /// the primitive [`skip`](Self::skip), if there is one.
    #[inline(always)]
    pub fn leave_out_at_most_skip(&self, masks: Option<&Masks>) -> bool {
        let sees_all = match masks {
            None => self.mask != 0,
            Some(masks) => masks.shows_all(self.mask),
        };
        sees_all && self.after.is_none() && self.cull == Cull::None && !self.open_ends
    }
}

impl<I: Copy> QueryOptions<I> {
    /// Sets the sides that are culled.
    #[must_use]
    pub const fn cull(self, cull: Cull) -> Self {
        QueryOptions { cull, ..self }
    }

    /// Sets the primitive to continue after.
    #[must_use]
    pub const fn after(self, after: Option<I>) -> Self {
        QueryOptions { after, ..self }
    }

    /// Sets the primitive to skip.
    #[must_use]
    pub const fn skip(self, skip: Option<I>) -> Self {
        QueryOptions { skip, ..self }
    }

    /// Sets the groups of primitives that the ray sees.
    #[must_use]
    pub const fn mask(self, mask: u32) -> Self {
        QueryOptions { mask, ..self }
    }

    /// Sets whether hits exactly at the ends of the ray's interval are left out.
    #[must_use]
    pub const fn open_ends(self, open_ends: bool) -> Self {
        QueryOptions { open_ends, ..self }
    }
}

/// The error of a query with options that cannot be met.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum QueryError {
    /// `after` names a primitive that this ray does not hit, so nothing comes after it.
    #[error(
        "cannot continue after triangle {prim}: this ray does not hit it; \
         pass the ray that hit it, unchanged"
    )]
    AfterMissed {
        /// The primitive.
        prim: PrimId,
    },
    /// `after` names a primitive that the mesh, or the scene, does not have.
    #[error(
        "cannot continue after triangle {prim}: no such triangle is among the {triangles} there are; \
         pass the id of a hit"
    )]
    NoSuchPrim {
        /// The primitive.
        prim: PrimId,
        /// The number of primitives.
        triangles: usize,
    },
}
