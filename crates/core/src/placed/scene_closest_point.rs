//! The answer to a query for the closest point of a scene.

use super::{ScenePath, ScenePrim};
use crate::exact::proximity::Feature;
use crate::shapes::PrimId;
use glam::DVec3;

/// The point of a scene's triangles that is closest to a given point.
///
/// Every number is the one nearest to the exact value, ties to even; zero is +0. They are results only:
/// no decision is made with them. Two answers with the same `distance` may differ in their exact
/// distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SceneClosestPoint {
    /// The closest point in the world: in each coordinate the nearest `f64`.
    pub point: DVec3,
    /// The distance from the given point: the nearest `f32`. Infinite where the exact value overflows
    /// `f32`; it is still an answer.
    pub distance: f32,
    /// Weight of the triangle's second vertex: `point = (1-u-v) p0 + u p1 + v p2`; the nearest `f32`.
    pub u: f32,
    /// Weight of the triangle's third vertex.
    pub v: f32,
    /// The triangle of the mesh.
    pub prim: PrimId,
    /// The part of the triangle that the closest point lies on.
    pub feature: Feature,
    /// The placements that lead to that mesh.
    pub path: ScenePath,
}

impl SceneClosestPoint {
    /// Returns the id of the triangle in the scene.
    pub fn id(&self) -> ScenePrim {
        ScenePrim::triangle(self.path, self.prim)
    }
}
