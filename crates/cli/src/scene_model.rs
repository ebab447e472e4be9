//! What rays and points are asked about, and what pictures show: a scene, or a mesh as a scene of it alone.

use crate::answer_columns::Doubles;
use crate::common::Session;
use crate::failure::Failure;
use crate::frame::{FileFrame, Point};
use crate::mesh_model::MeshModel;
use crate::mesh_source::MeshSource;
use crate::scene_parts::SceneParts;
use crate::target_hash;
use crate::tree_args::TreeArgs;
use estoc::glam::{DAffine3, Vec3};
use estoc::mesh::HitDetails;
use estoc::query::Closest;
use estoc::scene::{Placement, Ray64, Scene, SceneHit, SceneSnapshot};
use estoc::{Cull, QueryOptions, Ray, RayQuery, Side};
use estoc_picture::Target;
use std::fmt::Display;
use std::sync::Arc;

/// An opened `MESH` argument: a scene, or a mesh as a scene of it alone.
///
/// What is answered differently about a mesh and about a scene depends on `known`.
pub(crate) struct SceneModel {
    world: Arc<SceneSnapshot>,
    known: KnownScene,
}

/// What is known of a scene beside its trees.
enum KnownScene {
    Mesh(MeshModel),
    Scene(Box<SceneParts>),
}

impl SceneModel {
    /// Opens a mesh or a scene. Rejects one without anything that can be hit.
    pub(crate) fn open(
        source: &MeshSource,
        tree: TreeArgs,
        session: &Session,
    ) -> Result<Self, Failure> {
        if !source.is_scene() {
            return SceneModel::of_mesh(MeshModel::open(source, tree, session)?);
        }
        session.refuse_f64(&format!("{source}: a scene has corners"))?;
        let scene = SceneModel::of_parts(SceneParts::open(source, tree, session)?);
        source.refuse_empty_scene(scene.target().primitive_count())?;
        Ok(scene)
    }

    /// Returns a mesh as a scene of it alone.
    pub(crate) fn of_mesh(mesh: MeshModel) -> Result<Self, Failure> {
        Ok(SceneModel {
            world: SceneSnapshot::of_mesh(mesh.bvh().clone())?,
            known: KnownScene::Mesh(mesh),
        })
    }

    pub(crate) fn of_parts(parts: SceneParts) -> Self {
        SceneModel {
            world: parts.loaded.snapshot().clone(),
            known: KnownScene::Scene(Box::new(parts)),
        }
    }

    /// Places a mesh that is in a local frame where its file has it: what answers is then asked in the
    /// coordinates of the file. Pictures show what is not placed.
    pub(crate) fn in_file(self) -> Result<Self, Failure> {
        let KnownScene::Mesh(mesh) = &self.known else {
            return Ok(self);
        };
        if !mesh.frame().is_local() {
            return Ok(self);
        }
        let refused = |error: &dyn Display| Failure::Usage(format!("--local-frame: {error}"));
        let to_origin = DAffine3::from_translation(mesh.frame().0);
        let placed = Placement::try_new(mesh.bvh().clone(), &to_origin);
        let mut scene = Scene::new();
        (scene.add(placed.map_err(|error| refused(&error))?)).map_err(|error| refused(&error))?;
        let world = scene.try_commit().map_err(|error| refused(&error))?;
        Ok(SceneModel { world, ..self })
    }

    /// Returns a scene of this and another mesh or scene, in the coordinates of both.
    pub(crate) fn beside(&self, other: &SceneModel) -> Result<Arc<SceneSnapshot>, Failure> {
        let mut scene = Scene::new();
        for world in [&self.world, &other.world] {
            let placement = Placement::try_new(world.clone(), &DAffine3::IDENTITY);
            scene.add(placement.map_err(|error| Failure::Scene(error.to_string()))?)?;
        }
        Ok(scene.try_commit()?)
    }

    /// Returns what identifies this as the target of a job, in 16 digits; with `names`, also by the names of
    /// a mesh's objects, groups and materials.
    pub(crate) fn hash(&self, names: bool, session: &Session) -> Result<String, Failure> {
        match &self.known {
            KnownScene::Mesh(mesh) => {
                let hash = mesh
                    .content_hash()
                    .map_or_else(|| Ok(mesh.mesh()?.content_hash()), Ok::<_, Failure>)?;
                Ok(target_hash::of_mesh(mesh, hash, names))
            }
            KnownScene::Scene(parts) => target_hash::of_parts(parts, session),
        }
    }

    /// Returns what answers.
    pub(crate) fn world(&self) -> &SceneSnapshot {
        &self.world
    }

    /// Returns the mesh, if it is one.
    pub(crate) fn mesh(&self) -> Option<&MeshModel> {
        match &self.known {
            KnownScene::Mesh(mesh) => Some(mesh),
            KnownScene::Scene(_) => None,
        }
    }

    /// Returns the scene, if it is none of one mesh.
    pub(crate) fn parts(&self) -> Option<&SceneParts> {
        match &self.known {
            KnownScene::Mesh(_) => None,
            KnownScene::Scene(parts) => Some(parts),
        }
    }

    /// Returns the mesh if rays and points are asked about in `f32`: those about a scene, and about a mesh
    /// in a local frame, are in `f64`.
    pub(crate) fn near_mesh(&self) -> Option<&MeshModel> {
        self.mesh().filter(|mesh| !mesh.frame().is_local())
    }

    /// Returns which numbers of answers are `f64`s.
    pub(crate) fn doubles(&self) -> Doubles {
        match self.near_mesh() {
            Some(_) => Doubles::None,
            None => Doubles::Coordinates,
        }
    }

    /// Returns where the coordinates of a mesh are in its file; those of a scene are the world's.
    pub(crate) fn frame(&self) -> FileFrame {
        self.mesh().map_or(FileFrame::FILE, MeshModel::frame)
    }

    /// Returns what pictures show.
    pub(crate) fn target(&self) -> Target<'_> {
        match &self.known {
            KnownScene::Mesh(mesh) => Target::mesh(&self.world, mesh.seen()),
            KnownScene::Scene(parts) => Target::scene(&self.world).with_materials(&**parts),
        }
    }

    /// Returns what a mesh knows of a hit, with points and normals of the world in a scene; `None` for a
    /// sphere or a box.
    pub(crate) fn details(&self, hit: &SceneHit) -> Option<HitDetails<'_>> {
        match &self.known {
            KnownScene::Mesh(mesh) => mesh.details(&hit.hit()),
            KnownScene::Scene(parts) => {
                let details = parts.mesh_of(hit)?.details(&hit.hit())?;
                Some(self.world.details(hit)?.in_world(details))
            }
        }
    }

    /// Returns the names of the object, the group and the material of the triangle that is hit.
    pub(crate) fn names(&self, hit: &SceneHit) -> Option<[Option<&str>; 3]> {
        let mesh = match &self.known {
            KnownScene::Mesh(mesh) => mesh,
            KnownScene::Scene(parts) => parts.mesh_of(hit)?,
        };
        Some(mesh.known.names_of(hit.prim))
    }

    /// Returns the point that a ray of a picture hits.
    pub(crate) fn point(&self, ray: &Ray, hit: &SceneHit) -> Option<Point> {
        if let Some(shape) = self.world.shape_details(&(*ray).into(), hit) {
            return Some(Point::Near(shape.surface.point.as_vec3()));
        }
        let details = self.details(hit)?;
        Some(match self.frame().is_local() {
            true => Point::World(details.world_point),
            false => Point::Near(details.point),
        })
    }

    /// Returns where the hit of a ray that is cast in `f64` is in the world, and the normal there.
    pub(crate) fn place(&self, ray: &Ray64, hit: &SceneHit) -> Option<(Point, Vec3)> {
        if let Some(shape) = self.world.shape_details(ray, hit) {
            return Some((Point::World(shape.surface.point), shape.surface.normal));
        }
        let details = self.world.details(hit)?;
        Some((Point::World(details.world_point), details.normal))
    }

    /// Returns the origin and the direction of a ray of a picture as `estoc cast` takes them here.
    pub(crate) fn ray_in_world(&self, ray: &Ray) -> [Point; 2] {
        match self.near_mesh() {
            Some(_) => [ray.origin, ray.dir].map(Point::Near),
            None => {
                let origin = ray.origin.as_dvec3() + self.frame().0;
                [origin, ray.dir.as_dvec3()].map(Point::World)
            }
        }
    }

    /// Returns the side from which a ray with this closest hit comes; `None` for a triangle that is seen
    /// edge-on.
    pub(crate) fn side(&self, ray: &Ray, hit: &SceneHit) -> Option<Side> {
        if let KnownScene::Mesh(mesh) = &self.known {
            return mesh.triangle(hit.prim)?.side(ray.dir);
        }
        let fronts = QueryOptions::default().cull(Cull::Back);
        Some(match self.world.ask_with(Closest, ray, &fronts) {
            Ok(Some(front)) if front.id() == hit.id() => Side::Front,
            _ => Side::Back,
        })
    }

    /// Returns the name of the object that is hit, or of its group where it has none; in a scene the name
    /// of the outermost placement, or of what is placed.
    #[cfg(feature = "view")]
    pub(crate) fn object_name(&self, hit: &SceneHit) -> Option<&str> {
        match &self.known {
            KnownScene::Mesh(mesh) => {
                let details = mesh.details(&hit.hit())?;
                details.object.or(details.group)
            }
            KnownScene::Scene(parts) => {
                let placements = self.world.placements_on(hit.path)?;
                let name = placements.iter().find_map(|placed| placed.get_name());
                name.or_else(|| Some(&parts.loaded.object(hit.path)?.name))
            }
        }
    }
}
