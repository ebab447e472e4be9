//! The hit that queries on scenes return.

use super::{ScenePath, ScenePrim, ShapeEnd};
use crate::shapes::{Hit, PrimId};

/// One triangle of a scene hit by a ray, or one end of a shape.
///
/// The numbers are as those of a [`Hit`]: nearest to the exact ones, for the triangle or the shape as
/// placed in the world and the ray as given there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SceneHit {
    /// The parameter along the ray, in units of the direction's length: the hit point is
    /// `origin + t * dir`. Infinite when the exact value overflows `f32`; it is still a hit.
    pub t: f32,
    /// Weight of the triangle's second vertex: `p = (1-u-v) p0 + u p1 + v p2`; 0 for a shape.
    pub u: f32,
    /// Weight of the triangle's third vertex; 0 for a shape.
    pub v: f32,
    /// The triangle of the mesh that was hit, or the shape of the list.
    pub prim: PrimId,
    /// The placements that lead to that mesh or list.
    pub path: ScenePath,
    /// Whether the ray enters or leaves the shape that was hit; `None` for a triangle.
    pub end: Option<ShapeEnd>,
}

impl SceneHit {
    /// Returns a hit on a triangle of the mesh that these placements lead to.
    pub fn triangle(path: ScenePath, Hit { t, u, v, prim }: Hit) -> Self {
        SceneHit::on(ScenePrim::triangle(path, prim), [t, u, v])
    }

    pub(super) fn on(id: ScenePrim, [t, u, v]: [f32; 3]) -> Self {
        let ScenePrim { path, prim, end } = id;
        SceneHit {
            t,
            u,
            v,
            prim,
            path,
            end,
        }
    }

    /// Returns the id in the scene, for options such as
    /// [`skip`](crate::QueryOptions::skip).
    pub fn id(&self) -> ScenePrim {
        ScenePrim {
            path: self.path,
            prim: self.prim,
            end: self.end,
        }
    }

    /// Returns the hit on the mesh, or on the list of shapes, alone.
    pub fn hit(&self) -> Hit {
        Hit {
            t: self.t,
            u: self.u,
            v: self.v,
            prim: self.prim,
        }
    }
}
