//! What rays are cast at, as columns show it.

use crate::frame::Point;
use crate::mesh_model::KnownMesh;
use crate::scene_model::SceneModel;
use estoc::glam::Vec3;
use estoc::scene::{Ray64, SceneHit};

/// What is known of what rays are cast at.
#[derive(Clone, Copy)]
pub(super) enum CastTarget<'a> {
    Scene(&'a SceneModel),
    /// A mesh without a tree.
    Brute(&'a KnownMesh),
}

impl CastTarget<'_> {
    /// Returns whether rays and points are those of the world, in `f64`.
    pub(super) fn is_world(&self) -> bool {
        match self {
            CastTarget::Scene(scene) => scene.near_mesh().is_none(),
            CastTarget::Brute(_) => false,
        }
    }

    /// Returns where a hit is, and the normal there.
    pub(super) fn place(&self, ray: &Ray64, hit: &SceneHit) -> Option<(Point, Vec3)> {
        let details = match self {
            CastTarget::Scene(scene) if self.is_world() => return scene.place(ray, hit),
            CastTarget::Scene(scene) => scene.details(hit)?,
            CastTarget::Brute(mesh) => mesh.details(&hit.hit())?,
        };
        Some((Point::Near(details.point), details.normal))
    }

    /// Returns the names of the object, the group and the material of the triangle that is hit.
    pub(super) fn names(&self, hit: &SceneHit) -> Option<[Option<&str>; 3]> {
        match self {
            CastTarget::Scene(scene) => scene.names(hit),
            CastTarget::Brute(mesh) => Some(mesh.names_of(hit.prim)),
        }
    }

    /// Returns the name of the object's file or generator, in a scene.
    pub(super) fn source(&self, hit: &SceneHit) -> Option<String> {
        match self {
            CastTarget::Scene(scene) => Some(scene.parts()?.source_at(hit.path)),
            CastTarget::Brute(_) => None,
        }
    }
}
