//! What a scene is after a commit.

use crate::abi::InstanceIds;
use crate::device::{CountedMemory, Device, unique_number};
use crate::failure::{Failure, invalid_operation, out_of_memory};
use crate::scene::Scene;
use crate::scene::geometry::{Geometry, Kind};
use crate::scene::surface::{Build, OfMesh, Surface, Visible};
use crate::scene::user_shape::UserShape;
use crate::transform::Transform;
use estoc_core::glam::DVec3;
use estoc_core::{Aabb, Hit, PlacementMatrix, SceneHit};
use estoc_scene::{Placement, Scene as Placements, SceneObject, SceneSnapshot};
use std::sync::Arc;

/// What answers queries.
pub struct World {
    /// Its number in this process.
    pub number: u64,
    pub engine: Engine,
    /// What hits are on, by the number of the placement.
    pub parts: Vec<Part>,
    /// Whether queries have to look at hits, for filters, masks or user geometry.
    pub checks_hits: bool,
    /// Whether triangles have filters of their own.
    pub has_filters: bool,
    _counted: CountedMemory,
}

/// The triangles of a scene without instances and user geometry, or all as placements.
pub enum Engine {
    Mesh(Arc<Surface>),
    Placed(Arc<SceneSnapshot>),
}

/// A placement.
pub struct Part {
    pub object: Object,
    pub instance: Option<Instance>,
}

#[derive(Clone)]
pub enum Object {
    Mesh(Arc<Surface>),
    User(Arc<UserShape>),
}

/// An instance on which hits are.
#[derive(Clone, Copy)]
pub struct Instance {
    pub id: u32,
    pub prim: u32,
    pub transform: Transform,
    /// The mask, where it is not that of the placement.
    pub mask: u32,
}

impl Instance {
    /// Returns the ids for contexts and hits: those of the host's context where there is no instance.
    pub fn context(instance: Option<&Self>, of_host: InstanceIds) -> InstanceIds {
        instance.map_or(of_host, |instance| InstanceIds {
            instance: instance.id,
            instance_prim: instance.prim,
        })
    }
}

/// A hit of an engine.
pub trait Placed {
    /// Returns the number of the placement, and the hit on what is placed.
    fn placed(&self) -> (usize, Hit);
}

impl Placed for Hit {
    #[inline(always)]
    fn placed(&self) -> (usize, Hit) {
        (0, *self)
    }
}

impl Placed for SceneHit {
    fn placed(&self) -> (usize, Hit) {
        let number = self.path.numbers().first().copied();
        (number.unwrap_or(0) as usize, self.hit())
    }
}

impl World {
    /// Builds what answers about geometries. Instances of scenes that nothing answers about make failures, which `report`
    /// gets. What else is left out is so by Embree in silence, and hosts may end at any error: a verbose device tells it.
    pub fn build(
        device: &Arc<Device>,
        geometries: &[(u32, Arc<Geometry>)],
        build: &Build<'_>,
        report: &dyn Fn(Failure),
    ) -> Result<Self, Failure> {
        let (mut meshes, mut triangles) = (Vec::new(), 0);
        let mut others = Vec::new();
        for (id, geometry) in geometries {
            if geometry.version() == 0 {
                return Err(invalid_operation(format!(
                    "geometry {id} was not committed; call rtcCommitGeometry before rtcCommitScene"
                )));
            }
            match geometry.kind {
                Kind::Triangles | Kind::Quads => {
                    if let Some((of, more)) = OfMesh::of(*id, geometry, triangles) {
                        meshes.push(of);
                        triangles += more;
                    }
                }
                Kind::User | Kind::Instance | Kind::InstanceArray => others.push((*id, geometry)),
            }
        }
        let counted = CountedMemory::new(device, triangles.saturating_mul(80))?;
        let (surface, wrong) = Surface::build(meshes, build)?;
        if let Some(wrong) = wrong {
            device.remark(&wrong);
        }
        let surface = Arc::new(surface);
        let mut world = World {
            number: unique_number(),
            engine: Engine::Mesh(surface.clone()),
            parts: Vec::new(),
            has_filters: surface.has_filter(),
            checks_hits: surface.has_filter() || surface.visible == Visible::ByTriangle,
            _counted: counted,
        };
        let mut placements = Placements::new();
        let own = Object::Mesh(surface);
        world.place(&mut placements, own, None, u32::MAX)?;
        if others.is_empty() {
            return Ok(world);
        }
        world.checks_hits = true;
        for (id, geometry) in others {
            match geometry.kind {
                Kind::User => {
                    let shape = Arc::new(UserShape::of(id, geometry)?);
                    let mask = shape.mask;
                    world.place(&mut placements, Object::User(shape), None, mask)?;
                }
                _ => world.place_instances(&mut placements, (id, geometry), (device, report))?,
            }
        }
        let committed = placements.try_commit();
        world.engine = Engine::Placed(committed.map_err(|error| out_of_memory(error.to_string()))?);
        Ok(world)
    }

    /// Places all instances of a geometry.
    fn place_instances(
        &mut self,
        placements: &mut Placements,
        (id, geometry): (u32, &Arc<Geometry>),
        (device, report): (&Device, &dyn Fn(Failure)),
    ) -> Result<(), Failure> {
        let settings = geometry.settings().clone();
        let mut is_told = false;
        for prim in 0..settings.instance_count(geometry.kind) {
            let (scene, transform) = settings.instance(geometry.kind, prim)?;
            let Some(scene) = scene else {
                continue;
            };
            // The first that is left out is told.
            let mut is_first = || !std::mem::replace(&mut is_told, true);
            let left_out = |why| format!("geometry {id}, instance {prim} is left out: {why}");
            let of_scene = match inner(scene) {
                Ok(of_scene) => of_scene,
                Err(why) => {
                    if is_first() {
                        report(invalid_operation(left_out(why)));
                    }
                    continue;
                }
            };
            let matrix = match PlacementMatrix::from_rows(transform.0) {
                Ok(matrix) => matrix,
                Err(why) => {
                    // Hosts hide instances by a scale of 0, or by an infinite place.
                    if is_first() {
                        device.remark(&left_out(why.to_string()));
                    }
                    continue;
                }
            };
            self.has_filters |= of_scene.has_filters;
            let instance = |mask| Instance {
                id,
                prim: prim as u32,
                transform,
                mask,
            };
            for part in &of_scene.parts {
                let (object, joins) = match &part.object {
                    Object::Mesh(surface) => (part.object.clone(), surface.joins(settings.mask)),
                    Object::User(shape) => {
                        let own = shape.placed(&instance(settings.mask));
                        let joins = own.mask & settings.mask == own.mask
                            || own.mask & settings.mask == settings.mask;
                        (Object::User(Arc::new(own)), joins)
                    }
                };
                // Embree sees what shares a bit with each mask, a placement what shares a bit with the "and" of all.
                let (inner_mask, outer) = match joins {
                    true => (u32::MAX, settings.mask),
                    false => (settings.mask, u32::MAX),
                };
                self.place(
                    placements,
                    object,
                    Some((instance(inner_mask), matrix)),
                    outer,
                )?;
            }
        }
        Ok(())
    }

    /// Adds a part.
    fn place(
        &mut self,
        placements: &mut Placements,
        object: Object,
        instance: Option<(Instance, PlacementMatrix)>,
        mask: u32,
    ) -> Result<(), Failure> {
        let (instance, matrix) = instance.unzip();
        let matrix = matrix.unwrap_or(PlacementMatrix::IDENTITY);
        let (placed, mask) = match &object {
            Object::Mesh(surface) => {
                let own = match surface.visible {
                    Visible::Alike(own) => own,
                    Visible::ByTriangle => u32::MAX,
                };
                (SceneObject::Mesh(surface.bvh.clone()), mask & own)
            }
            Object::User(shape) => (SceneObject::User(shape.shapes.clone()), mask & shape.mask),
        };
        let added = placements.add(Placement::with_matrix(placed, matrix).mask(mask));
        added.map_err(|error| out_of_memory(error.to_string()))?;
        self.parts.push(Part { object, instance });
        Ok(())
    }

    /// Returns the triangles, if nothing else is there and no hit on them has to be looked at.
    #[inline(always)]
    pub fn plain(&self) -> Option<&Surface> {
        match &self.engine {
            Engine::Mesh(surface) if !self.checks_hits => Some(surface),
            _ => None,
        }
    }

    /// Returns the bounds of all that is placed; `None` if there is nothing.
    pub fn bounds(&self) -> Option<[DVec3; 2]> {
        match &self.engine {
            Engine::Mesh(surface) => {
                let bounds = surface.bvh.bounds();
                (bounds != Aabb::EMPTY).then(|| [bounds.min().as_dvec3(), bounds.max().as_dvec3()])
            }
            Engine::Placed(scene) => scene.bounds(),
        }
    }
}

/// Returns what answers about a scene that is instanced, or why nothing does.
fn inner(scene: &Arc<Scene>) -> Result<Arc<World>, String> {
    match scene.shared_world() {
        None => Err("its scene was not committed; commit it before the scene that it is in".into()),
        Some(world) if world.parts.iter().any(|part| part.instance.is_some()) => Err(
            "its scene has instances itself; this library, as Embree by default, has one level"
                .into(),
        ),
        Some(world) => Ok(world),
    }
}
