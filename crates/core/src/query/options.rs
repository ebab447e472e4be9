//! What a query may be told beyond the ray.

use crate::{PrimId, Side};
use core::fmt;

/// Which sides of triangles are left out, by the exact sign of `n . dir`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
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
/// ```
/// use estoc_core::{Cull, PrimId, QueryOptions};
/// let options = QueryOptions::new().cull(Cull::Back).skip(PrimId::new(7));
/// assert_eq!(options.skip, PrimId::new(7));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct QueryOptions {
    /// Which sides are left out.
    pub cull: Cull,
    /// Continue behind this primitive: only hits that come after it in the order of the ray
    /// (by exact `t`, ties by id) count. The ray must hit it; culling and `skip` do not
    /// matter for that.
    pub after: Option<PrimId>,
    /// Leave this primitive out, for example the one that the ray starts on. An id that the
    /// mesh does not have leaves out nothing.
    pub skip: Option<PrimId>,
}

impl QueryOptions {
    /// Everything on the ray, both sides.
    pub const fn new() -> Self {
        QueryOptions {
            cull: Cull::None,
            after: None,
            skip: None,
        }
    }

    /// Whether these change nothing.
    #[inline(always)]
    pub(super) fn leave_out_nothing(&self) -> bool {
        let QueryOptions { skip, after, cull } = *self;
        skip.is_none() && after.is_none() && cull == Cull::None
    }

    /// Sets which sides are left out.
    #[must_use]
    pub const fn cull(self, cull: Cull) -> Self {
        QueryOptions { cull, ..self }
    }

    /// Sets the primitive to continue behind.
    #[must_use]
    pub const fn after(self, after: Option<PrimId>) -> Self {
        QueryOptions { after, ..self }
    }

    /// Sets the primitive to leave out.
    #[must_use]
    pub const fn skip(self, skip: Option<PrimId>) -> Self {
        QueryOptions { skip, ..self }
    }
}

/// Why a query with options has no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum QueryError {
    /// `after` names a primitive that this ray does not hit, so nothing lies behind it.
    AfterMissed {
        /// The primitive named.
        prim: PrimId,
    },
    /// `after` names a primitive that the mesh does not have.
    NoSuchPrim {
        /// The primitive named.
        prim: PrimId,
        /// How many triangles there are.
        triangles: usize,
    },
}

impl fmt::Display for QueryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            QueryError::AfterMissed { prim } => write!(
                f,
                "cannot continue after triangle {prim}: this ray does not hit it; \
                 pass the ray that hit it, unchanged"
            ),
            QueryError::NoSuchPrim { prim, triangles } => write!(
                f,
                "cannot continue after triangle {prim}: there are only {triangles} triangles"
            ),
        }
    }
}

impl core::error::Error for QueryError {}
