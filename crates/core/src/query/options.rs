//! What a query may be told beyond the ray.

use super::Masks;
use crate::{PrimId, Side};

/// Which sides of triangles are left out, by the exact sign of `n . dir`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Cull {
    /// Both sides count.
    #[default]
    None,
    /// Hits from behind are left out: only front sides count.
    Back,
    /// Hits from the front are left out: only back sides count.
    Front,
}

impl Cull {
    /// Whether a hit from this side counts.
    pub fn keeps(self, side: Side) -> bool {
        match self {
            Cull::None => true,
            Cull::Back => side == Side::Front,
            Cull::Front => side == Side::Back,
        }
    }
}

/// Options of a query. The default asks about everything on the ray.
///
/// `I` is what an engine names its primitives by: [`PrimId`] for triangles.
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
    /// Which sides are left out.
    pub cull: Cull,
    /// Continue behind this primitive: only hits that come after it in the order of the ray
    /// (by exact `t`, ties by id) count. The ray must hit it; culling, `skip` and `mask` do not
    /// matter for that.
    pub after: Option<I>,
    /// Leave this primitive out, for example the one that the ray starts on. An id that the
    /// mesh does not have leaves out nothing.
    pub skip: Option<I>,
    /// The ray sees a primitive when `mask & group != 0`, where `group` is the primitive's mask
    /// ([`Masks`]), all bits set where it has none. All bits set by default.
    pub mask: u32,
}

impl<I> Default for QueryOptions<I> {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl QueryOptions {
    /// Everything on the ray, both sides.
    pub const fn new() -> Self {
        Self::DEFAULT
    }
}

impl<I> QueryOptions<I> {
    pub(super) const DEFAULT: Self = QueryOptions {
        cull: Cull::None,
        after: None,
        skip: None,
        mask: u32::MAX,
    };

    /// Returns whether these leave out no hit of an engine that has such masks.
    #[inline(always)]
    pub fn leave_out_nothing(&self, masks: Option<&Masks>) -> bool {
        let sees_all = match masks {
            None => self.mask != 0,
            Some(masks) => masks.shows_all(self.mask),
        };
        sees_all && self.skip.is_none() && self.after.is_none() && self.cull == Cull::None
    }
}

impl<I: Copy> QueryOptions<I> {
    /// Sets which sides are left out.
    #[must_use]
    pub const fn cull(self, cull: Cull) -> Self {
        QueryOptions { cull, ..self }
    }

    /// Sets the primitive to continue behind.
    #[must_use]
    pub const fn after(self, after: Option<I>) -> Self {
        QueryOptions { after, ..self }
    }

    /// Sets the primitive to leave out.
    #[must_use]
    pub const fn skip(self, skip: Option<I>) -> Self {
        QueryOptions { skip, ..self }
    }

    /// Sets which groups of primitives the ray sees.
    #[must_use]
    pub const fn mask(self, mask: u32) -> Self {
        QueryOptions { mask, ..self }
    }
}

/// Why a query with options has no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum QueryError {
    /// `after` names a primitive that this ray does not hit, so nothing lies behind it.
    #[error(
        "cannot continue after triangle {prim}: this ray does not hit it; \
         pass the ray that hit it, unchanged"
    )]
    AfterMissed {
        /// The primitive named.
        prim: PrimId,
    },
    /// `after` names a primitive that the mesh does not have.
    #[error("cannot continue after triangle {prim}: there are only {triangles} triangles")]
    NoSuchPrim {
        /// The primitive named.
        prim: PrimId,
        /// How many primitives there are.
        triangles: usize,
    },
}
