//! A mesh in a local frame, placed where its file has it.

use crate::failure::Failure;
use crate::model::Opened;
use crate::scene_model::ObjectMesh;
use estoc::glam::DAffine3;
use estoc::scene::{Placement, Scene, SceneSnapshot};
use std::fmt::Display;
use std::sync::Arc;

/// A mesh in a local frame, and the scene of it, in which its coordinates are those of its file.
pub(crate) struct PlacedMesh {
    pub(crate) object: ObjectMesh,
    pub(crate) world: Arc<SceneSnapshot>,
}

impl PlacedMesh {
    /// Places a mesh by the translation to its origin.
    pub(crate) fn new(opened: Opened) -> Result<Self, Failure> {
        let refused = |error: &dyn Display| Failure::Usage(format!("--local-frame: {error}"));
        let object = ObjectMesh::of(opened)?;
        let to_origin = DAffine3::from_translation(object.mesh().origin());
        let placed = Placement::try_new(object.bvh().clone(), &to_origin);
        let mut scene = Scene::new();
        (scene.add(placed.map_err(|error| refused(&error))?)).map_err(|error| refused(&error))?;
        let world = scene.try_commit().map_err(|error| refused(&error))?;
        Ok(PlacedMesh { object, world })
    }
}
