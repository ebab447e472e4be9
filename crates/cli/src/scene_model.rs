//! What rays and points are asked about, and what pictures show: a scene, or a mesh as a scene of it alone.

use crate::answer_columns::Doubles;
use crate::failure::Failure;
use crate::frame::{FileFrame, Point};
use crate::mesh_model::MeshModel;
use crate::mesh_source::MeshSource;
use crate::scene_parts::SceneParts;
use crate::session::Session;
use crate::target_hash;
use crate::tree_args::TreeArgs;
use estoc::glam::{DAffine3, DVec3, Vec3};
use estoc::io::LocalFrame;
use estoc::mesh::{HitDetails, Material};
use estoc::query::Closest;
use estoc::scene::{
    Placement, PlacementMatrix, Ray64, Scene, SceneHit, SceneObject, SceneSnapshot,
};
use estoc::{Cull, Hit, QueryOptions, Ray, RayQuery, Side};
use estoc_picture::{SceneMaterials, Target};
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// An opened `MESH` argument: a scene, or a mesh as a scene of it alone.
///
/// What is answered differently about a mesh and about a scene depends on `known`.
pub(crate) struct SceneModel {
    world: Arc<SceneSnapshot>,
    /// Where the world has its origin in the coordinates of the file.
    frame: FileFrame,
    known: KnownScene,
}

/// What is known of a scene beside its trees.
enum KnownScene {
    Mesh(MeshModel),
    Wide(MeshModel<f64>),
    Scene(Box<SceneParts>),
}

/// Sizes whose squares, and those of pixels of them, are in the range of `f32`.
const SHOWN: RangeInclusive<f64> = 1e-12..=1e12;

impl SceneModel {
    /// Opens a mesh in `f32` or a scene. Rejects one without anything that can be hit.
    pub(crate) fn open_narrow(
        source: &MeshSource,
        tree: TreeArgs,
        session: &Session,
    ) -> Result<Self, Failure> {
        if !source.is_scene() {
            return SceneModel::of_mesh(MeshModel::open(source, tree, session)?);
        }
        let scene = SceneModel::of_parts(SceneParts::open(source, tree, session)?);
        source.refuse_empty_scene(scene.target().primitive_count())?;
        Ok(scene)
    }

    /// Returns a mesh as a scene of it alone.
    pub(crate) fn of_mesh(mesh: MeshModel) -> Result<Self, Failure> {
        Ok(SceneModel {
            world: SceneSnapshot::of_mesh(mesh.bvh().clone())?,
            frame: mesh.frame(),
            known: KnownScene::Mesh(mesh),
        })
    }

    /// Returns a mesh in `f64` as a scene of it alone, which has 0 near it: the rays of pictures are `f32`s.
    pub(crate) fn of_wide(source: &MeshSource, mesh: MeshModel<f64>) -> Result<Self, Failure> {
        let bounds = mesh.bvh().bounds();
        check_size(source, bounds)?;
        let origin = LocalFrame::origin_of(bounds);
        Ok(SceneModel {
            world: moved(mesh.bvh().clone(), -origin)?,
            frame: FileFrame(origin),
            known: KnownScene::Wide(mesh),
        })
    }

    pub(crate) fn of_parts(parts: SceneParts) -> Self {
        SceneModel {
            world: parts.loaded.snapshot().clone(),
            frame: FileFrame::FILE,
            known: KnownScene::Scene(Box::new(parts)),
        }
    }

    /// Returns the same as pictures show it: a scene with a mesh in `f64` far from 0 has 0 near it.
    pub(crate) fn shown(self) -> Result<Self, Failure> {
        match &self.known {
            KnownScene::Scene(parts) if parts.has_f64() => {
                let bounds = self.world.bounds();
                bounds.map_or(Ok(()), |bounds| check_size(&"the scene", bounds))?;
                let frame = FileFrame(bounds.map_or(DVec3::ZERO, LocalFrame::origin_of));
                let world = self.world_in(frame)?;
                Ok(SceneModel {
                    world,
                    frame,
                    ..self
                })
            }
            _ => Ok(self),
        }
    }

    /// Returns the same in the coordinates of the file: what answers is then asked in these. Pictures show
    /// what is in the frame.
    pub(crate) fn in_file(self) -> Result<Self, Failure> {
        let frame = FileFrame::FILE;
        let world = self.world_in(frame)?;
        Ok(SceneModel {
            world,
            frame,
            ..self
        })
    }

    /// Returns what answers in a frame of the coordinates of the file.
    pub(crate) fn world_in(&self, frame: FileFrame) -> Result<Arc<SceneSnapshot>, Failure> {
        if self.frame == frame {
            return Ok(self.world.clone());
        }
        match &self.known {
            KnownScene::Mesh(mesh) => moved(mesh.bvh().clone(), mesh.frame().0 - frame.0),
            KnownScene::Wide(mesh) => moved(mesh.bvh().clone(), -frame.0),
            KnownScene::Scene(parts) => parts.relative_to(frame.0),
        }
    }

    /// Returns a scene of this and another mesh or scene, and its frame: that of this, unless only the other
    /// is in a local one.
    pub(crate) fn beside(
        &self,
        other: &SceneModel,
    ) -> Result<(Arc<SceneSnapshot>, FileFrame), Failure> {
        let frame = match self.frame().is_local() {
            true => self.frame(),
            false => other.frame(),
        };
        let mut scene = Scene::new();
        for world in [self.world_in(frame)?, other.world_in(frame)?] {
            scene.add(Placement::with_matrix(world, PlacementMatrix::IDENTITY))?;
        }
        Ok((scene.try_commit()?, frame))
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
            KnownScene::Wide(mesh) => target_hash::of_wide(mesh, names),
            KnownScene::Scene(parts) => target_hash::of_parts(parts, session),
        }
    }

    /// Returns what answers.
    pub(crate) fn world(&self) -> &SceneSnapshot {
        &self.world
    }

    /// Returns the mesh, if it is one in `f32`.
    pub(crate) fn mesh(&self) -> Option<&MeshModel> {
        match &self.known {
            KnownScene::Mesh(mesh) => Some(mesh),
            _ => None,
        }
    }

    /// Returns the mesh, if it is one in `f64`.
    #[cfg(feature = "view")]
    pub(crate) fn wide(&self) -> Option<&MeshModel<f64>> {
        match &self.known {
            KnownScene::Wide(mesh) => Some(mesh),
            _ => None,
        }
    }

    /// Returns the scene, if it is none of one mesh.
    pub(crate) fn parts(&self) -> Option<&SceneParts> {
        match &self.known {
            KnownScene::Scene(parts) => Some(parts),
            _ => None,
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

    /// Returns where the world has its origin in the coordinates of the file.
    pub(crate) fn frame(&self) -> FileFrame {
        self.frame
    }

    /// Returns what pictures show.
    pub(crate) fn target(&self) -> Target<'_> {
        match &self.known {
            KnownScene::Mesh(mesh) => Target::mesh(&self.world, mesh.seen()),
            KnownScene::Wide(mesh) => Target::placed_mesh(&self.world).with_materials(mesh),
            KnownScene::Scene(parts) => Target::scene(&self.world).with_materials(&**parts),
        }
    }

    /// Returns what a mesh knows of a hit, with points and normals of the world in a scene; `None` for a
    /// sphere or a box.
    pub(crate) fn details(&self, hit: &SceneHit) -> Option<HitDetails<'_>> {
        let of_mesh = hit.hit();
        let attributes = match &self.known {
            KnownScene::Mesh(mesh) => return mesh.details(&of_mesh),
            KnownScene::Wide(mesh) => mesh.attributes(&of_mesh)?,
            KnownScene::Scene(parts) => parts.mesh_of(hit)?.attributes(&of_mesh)?,
        };
        Some(self.world.details(hit)?.in_world(attributes))
    }

    /// Returns the names of the object, the group and the material of the triangle that is hit.
    pub(crate) fn names(&self, hit: &SceneHit) -> Option<[Option<&str>; 3]> {
        Some(match &self.known {
            KnownScene::Mesh(mesh) => mesh.known.names_of(hit.prim),
            KnownScene::Wide(mesh) => mesh.known.names_of(hit.prim),
            KnownScene::Scene(parts) => parts.mesh_of(hit)?.names_of(hit.prim),
        })
    }

    /// Returns the point that a ray of a picture hits, in the coordinates of the file.
    pub(crate) fn point(&self, ray: &Ray, hit: &SceneHit) -> Option<Point> {
        if let Some(shape) = self.world.shape_details(&(*ray).into(), hit) {
            return Some(self.told(shape.surface.point));
        }
        let details = self.details(hit)?;
        Some(match &self.known {
            // In the coordinates of its file, in which it is not moved.
            KnownScene::Wide(mesh) => {
                let [t, u, v] = [hit.t, hit.u, hit.v].map(f64::from);
                let prim = hit.prim;
                let triangle = mesh.bvh().triangle(prim)?;
                Point::World(Hit { t, u, v, prim }.point(&triangle))
            }
            KnownScene::Mesh(mesh) if mesh.frame().is_local() => Point::World(details.world_point),
            KnownScene::Mesh(_) => Point::Near(details.point),
            KnownScene::Scene(_) => self.told(details.world_point),
        })
    }

    /// Returns a point of the world in the coordinates of the file.
    fn told(&self, point: DVec3) -> Point {
        match self.frame.is_local() {
            false => Point::Near(point.as_vec3()),
            true => Point::World(point + self.frame.0),
        }
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
                let origin = ray.origin.as_dvec3() + self.frame.0;
                [origin, ray.dir.as_dvec3()].map(Point::World)
            }
        }
    }

    /// Returns the side from which a ray with this closest hit comes; `None` for a triangle that is seen
    /// edge-on.
    pub(crate) fn side(&self, ray: &Ray, hit: &SceneHit) -> Option<Side> {
        match &self.known {
            KnownScene::Mesh(mesh) => return mesh.triangle(hit.prim)?.side(ray.dir),
            KnownScene::Wide(mesh) => {
                return mesh.bvh().triangle(hit.prim)?.side(ray.dir);
            }
            KnownScene::Scene(_) => {}
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
            KnownScene::Mesh(_) | KnownScene::Wide(_) => {
                let [object, group, _] = self.names(hit)?;
                object.or(group)
            }
            KnownScene::Scene(parts) => {
                let placements = self.world.placements_on(hit.path)?;
                let name = placements.iter().find_map(|placed| placed.get_name());
                name.or_else(|| Some(&parts.loaded.object(hit.path)?.name))
            }
        }
    }
}

/// The materials of a mesh in a scene of it alone.
impl SceneMaterials for MeshModel<f64> {
    fn mesh_count(&self) -> usize {
        1
    }

    fn materials(&self, _: usize) -> &[Material] {
        self.known.materials()
    }

    fn material_of(&self, hit: &SceneHit) -> Option<(usize, &Material)> {
        Some((0, self.known.material_of(hit.prim)?))
    }
}

/// Returns the scene of what is moved.
fn moved(object: impl Into<SceneObject>, by: DVec3) -> Result<Arc<SceneSnapshot>, Failure> {
    let placement = Placement::try_new(object, &DAffine3::from_translation(by));
    let mut scene = Scene::new();
    scene.add(placement.map_err(|error| Failure::Scene(error.to_string()))?)?;
    Ok(scene.try_commit()?)
}

/// Returns an error for what is too small or too large for pictures.
fn check_size(source: &dyn Display, [min, max]: [DVec3; 2]) -> Result<(), Failure> {
    // Halved first, since the difference may overflow.
    let half = (0.5 * max - 0.5 * min).max_element();
    match half == 0.0 || SHOWN.contains(&half) {
        true => Ok(()),
        false => Err(Failure::Scene(format!(
            "{source}: it is {:e} across, and what is between {:e} and {:e} can be shown, since the rays of \
             pictures are in f32; scale it",
            2.0 * half,
            SHOWN.start(),
            SHOWN.end()
        ))),
    }
}
