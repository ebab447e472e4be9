//! The hit that queries on scenes return.

use super::{ScenePath, ScenePrim};
use crate::{Hit, PrimId};

/// One triangle of a scene hit by a ray.
///
/// The numbers are as those of a [`Hit`]: nearest to the exact ones, for the triangle as placed in
/// the world and the ray as given there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SceneHit {
    /// The parameter along the ray, in units of the direction's length: the hit point is
    /// `origin + t * dir`. Infinite when the exact value overflows `f32`; it is still a hit.
    pub t: f32,
    /// Weight of the triangle's second vertex: `p = (1-u-v) p0 + u p1 + v p2`.
    pub u: f32,
    /// Weight of the triangle's third vertex.
    pub v: f32,
    /// The triangle of the mesh that was hit.
    pub prim: PrimId,
    /// The placements that lead to that mesh.
    pub path: ScenePath,
}

impl SceneHit {
    /// Returns the id of the triangle in the scene, for options such as
    /// [`skip`](crate::QueryOptions::skip).
    pub fn id(&self) -> ScenePrim {
        ScenePrim {
            path: self.path,
            prim: self.prim,
        }
    }

    /// Returns the hit on the mesh alone.
    pub fn hit(&self) -> Hit {
        Hit {
            t: self.t,
            u: self.u,
            v: self.v,
            prim: self.prim,
        }
    }
}
