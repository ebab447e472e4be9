//! The answer to a query for the signed distance.

use crate::exact::proximity::Length;
use core::fmt;
use core::ops::Neg;

/// The distance of a point from a surface, with the side that the point is on.
///
/// **Negative inside, positive outside**, as in Open3D, libigl and most of computer graphics;
/// trimesh has it the other way round.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SignedDistance<C = f32> {
    /// The distance: negative inside, positive outside. Its size is that of
    /// [`ClosestPoint::distance`](crate::ClosestPoint::distance). Where that is 0, which it is on
    /// the surface and so close to it that the distance rounds to 0, this is +0, and only
    /// [`inside`](Self::inside) tells the side.
    pub signed: C,
    /// Whether the point is inside, or exactly on the surface.
    pub inside: bool,
    /// The rule by which this was decided.
    pub rule: SignRule,
}

/// The rule that decides whether a point that is not on the surface is inside.
///
/// ```
/// # mod estoc { pub use estoc_core::*; pub mod query { pub use estoc_core::*; } }
/// use estoc::{BruteForce, PointQuery, Triangle, query::SignRule};
/// // The lid of a box is missing: no side is certain, but an estimate has an answer.
/// let [o, x, y, z] = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// let open = BruteForce::new([[o, y, x], [o, x, z], [o, z, y]].map(|[a, b, c]| Triangle::new(a, b, c)));
/// assert!(open.contains_by([0.1; 3], SignRule::Parity).is_err());
/// assert_eq!(open.contains_by([0.1; 3], SignRule::WindingEstimate), Ok(true));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum SignRule {
    /// Inside is where a ray to the outside crosses the surface an odd number of times, exactly, as
    /// for [`RayQuery::contains`](crate::RayQuery::contains). The surface must be closed; its
    /// orientation does not matter. What two overlapping shells have in common is outside.
    #[default]
    Parity,
    /// Inside is where the [winding number](crate::PointQuery::winding_number) is positive,
    /// exactly. The surface must be closed and oriented. What overlapping shells have in common is
    /// inside, and so is nothing in a shell whose triangles face inwards.
    WindingNumber,
    /// Inside is where the [estimate of the winding number](crate::PointQuery::winding_estimate) is
    /// above one half. For every surface, open and dirty ones too; but the one rule by which the
    /// answer is not exact, and may depend on the tree.
    WindingEstimate,
}

impl fmt::Display for SignRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SignRule::Parity => "parity",
            SignRule::WindingNumber => "winding number",
            SignRule::WindingEstimate => "winding estimate",
        })
    }
}

impl<C: Length + Neg<Output = C>> SignedDistance<C> {
    /// Returns the distance with its sign. A point on the surface is inside.
    pub(crate) fn new(distance: C, inside: bool, rule: SignRule) -> Self {
        let is_negative = inside && distance != C::ZERO;
        SignedDistance {
            signed: if is_negative { -distance } else { distance },
            inside,
            rule,
        }
    }
}

const _: () = assert!(size_of::<Option<SignedDistance>>() == 8);
