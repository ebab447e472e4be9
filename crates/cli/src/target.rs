//! What `render` and `pick` look at: a mesh or a scene.

use crate::common::Session;
use crate::failure::Failure;
use crate::frame::{Frame, Point};
use crate::mesh_source::MeshSource;
use crate::model::{MeshModel, Opened};
use crate::scene_model::SceneModel;
use crate::tree_args::TreeArgs;
use estoc::mesh::HitDetails;
use estoc::scene::SceneHit;
use estoc::{Ray, Side};

/// An opened `MESH` argument that may be a scene.
pub(crate) enum OpenedTarget {
    Mesh(Opened),
    Scene(Box<SceneModel>),
}

/// A mesh or a scene. Hits on a mesh have a path without placements.
#[derive(Clone, Copy)]
pub(crate) enum Target<'a> {
    Mesh(MeshModel<'a>),
    Scene(&'a SceneModel),
}

impl OpenedTarget {
    /// Opens a mesh or a scene. Rejects one without anything that can be hit.
    pub(crate) fn open(
        source: &MeshSource,
        tree: TreeArgs,
        session: &Session,
    ) -> Result<Self, Failure> {
        if !source.is_scene() {
            return Ok(OpenedTarget::Mesh(Opened::open(source, tree, session)?));
        }
        let scene = SceneModel::open(source, tree, session)?;
        source.refuse_empty_scene(scene.seen().primitive_count())?;
        Ok(OpenedTarget::Scene(Box::new(scene)))
    }

    pub(crate) fn target(&self) -> Target<'_> {
        match self {
            OpenedTarget::Mesh(opened) => Target::Mesh(opened.model()),
            OpenedTarget::Scene(scene) => Target::Scene(scene),
        }
    }
}

impl<'a> Target<'a> {
    pub(crate) fn mesh(self) -> Option<MeshModel<'a>> {
        match self {
            Target::Mesh(model) => Some(model),
            Target::Scene(_) => None,
        }
    }

    /// Returns where the coordinates of a mesh are in its file; those of a scene are the world's.
    pub(crate) fn frame(self) -> Frame {
        self.mesh().map_or(Frame::FILE, MeshModel::frame)
    }

    /// Returns what pictures show.
    pub(crate) fn seen(self) -> estoc_picture::Target<'a> {
        match self {
            Target::Mesh(model) => model.seen().into(),
            Target::Scene(scene) => scene.seen().into(),
        }
    }

    /// Returns the point that the ray hits.
    pub(crate) fn point(self, ray: &Ray, hit: &SceneHit) -> Option<Point> {
        Some(match self {
            Target::Mesh(model) if model.frame().is_local() => {
                Point::World(self.details(hit)?.world_point)
            }
            Target::Scene(scene) if hit.end.is_some() => {
                Point::Near(scene.surface(*ray, hit)?.point.as_vec3())
            }
            _ => Point::Near(self.details(hit)?.point),
        })
    }

    /// Returns the origin and the direction of a ray as `estoc cast` takes them here: in `f32` for a mesh
    /// whose coordinates are those of its file, else in `f64`.
    pub(crate) fn ray_in_world(self, ray: &Ray) -> [Point; 2] {
        match self.mesh().is_some() && !self.frame().is_local() {
            true => [ray.origin, ray.dir].map(Point::Near),
            false => {
                let origin = ray.origin.as_dvec3() + self.frame().0;
                [origin, ray.dir.as_dvec3()].map(Point::World)
            }
        }
    }

    /// Returns what a mesh knows of a hit; `None` for a sphere or a box.
    pub(crate) fn details(self, hit: &SceneHit) -> Option<HitDetails<'a>> {
        match self {
            Target::Mesh(model) => model.details(&hit.hit()),
            Target::Scene(scene) => scene.details(hit),
        }
    }

    /// Returns the side from which a ray with this closest hit comes.
    pub(crate) fn side(self, ray: &Ray, hit: &SceneHit) -> Option<Side> {
        match self {
            Target::Mesh(model) => model.triangle(hit.prim)?.side(ray.dir),
            Target::Scene(scene) => Some(scene.side(ray, hit)),
        }
    }
}
