//! What rays are cast at, as columns show it.

use crate::answer_columns::Doubles;
use crate::frame::Point;
use crate::mesh_model::{KnownMesh, MeshModel};
use crate::scene_model::SceneModel;
use estoc::Hit;
use estoc::glam::Vec3;
use estoc::scene::{Ray64, SceneHit};

/// What is known of what rays are cast at, beside the hits `H`.
pub(super) trait CastTarget<H>: Sync {
    /// Returns which numbers of rows are `f64`s; rays are if any is.
    fn doubles(&self) -> Doubles;

    /// Returns where a hit is, and the normal there.
    fn place(&self, ray: &Ray64, hit: &H) -> Option<(Point, Vec3)>;

    /// Returns the names of the object, the group and the material of the triangle that is hit.
    fn names(&self, hit: &H) -> Option<[Option<&str>; 3]>;

    /// Returns the name of the object's file or generator, in a scene.
    fn source(&self, _: &H) -> Option<String> {
        None
    }
}

impl CastTarget<SceneHit> for SceneModel {
    fn doubles(&self) -> Doubles {
        SceneModel::doubles(self)
    }

    fn place(&self, ray: &Ray64, hit: &SceneHit) -> Option<(Point, Vec3)> {
        match self.near_mesh() {
            None => SceneModel::place(self, ray, hit),
            Some(mesh) => mesh.known.place(ray, &hit.hit()),
        }
    }

    fn names(&self, hit: &SceneHit) -> Option<[Option<&str>; 3]> {
        SceneModel::names(self, hit)
    }

    fn source(&self, hit: &SceneHit) -> Option<String> {
        Some(self.parts()?.source_at(hit.path))
    }
}

/// A mesh whose hits are of no scene.
impl CastTarget<Hit> for KnownMesh {
    fn doubles(&self) -> Doubles {
        Doubles::None
    }

    fn place(&self, _: &Ray64, hit: &Hit) -> Option<(Point, Vec3)> {
        let details = self.details(hit)?;
        Some((Point::Near(details.point), details.normal))
    }

    fn names(&self, hit: &Hit) -> Option<[Option<&str>; 3]> {
        Some(self.names_of(hit.prim))
    }
}

impl CastTarget<Hit<f64>> for MeshModel<f64> {
    fn doubles(&self) -> Doubles {
        Doubles::All
    }

    fn place(&self, _: &Ray64, hit: &Hit<f64>) -> Option<(Point, Vec3)> {
        let triangle = self.bvh().triangle(hit.prim)?;
        Some((Point::World(hit.point(&triangle)), triangle.normal()?))
    }

    fn names(&self, hit: &Hit<f64>) -> Option<[Option<&str>; 3]> {
        Some(self.known.names_of(hit.prim))
    }
}
