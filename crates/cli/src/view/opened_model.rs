//! An opened mesh or scene as what a page shows.

use crate::found::FoundHit;
use crate::mesh_source::{MeshSource, shell_word};
use crate::scene_model::SceneModel;
use crate::scene_parts::SceneParts;
use crate::session::Session;
use crate::tree_args::TreeArgs;
use crate::view_args;
use estoc::Ray;
use estoc::glam::DVec3;
use estoc::scene::{DemoScene, SceneHit};
use estoc_picture::{Target, View};
use estoc_view::Model;
use serde_json::Value;
use std::sync::Arc;

pub(super) struct OpenedModel {
    scene: SceneModel,
    /// What names it on a command line, quoted.
    word: String,
    /// The options with which a command loads it, each after a space.
    flags: String,
    time: Option<f64>,
}

impl OpenedModel {
    pub(super) fn new(
        scene: SceneModel,
        source: &MeshSource,
        tree: TreeArgs,
        session: &Session,
    ) -> Self {
        OpenedModel {
            scene,
            word: shell_word(&source.to_string()),
            flags: session.mesh_flags() + &tree.flags(),
            time: SceneParts::time(source),
        }
    }
}

impl Model for OpenedModel {
    fn target(&self) -> Target<'_> {
        self.scene.target()
    }

    fn origin(&self) -> DVec3 {
        self.scene.frame().0
    }

    fn describe(&self, ray: &Ray, hit: &SceneHit) -> Value {
        FoundHit::of(&self.scene, ray, *hit).describe()
    }

    fn object_name(&self, hit: &SceneHit) -> Option<&str> {
        self.scene.object_name(hit)
    }

    fn arguments(&self) -> String {
        format!("{}{}", self.word, self.flags)
    }

    fn view_options(&self, view: &View) -> String {
        view_args::options(view, self.scene.frame())
    }

    fn time(&self) -> Option<f64> {
        self.time
    }

    fn at_time(&self, time: f64) -> Option<Arc<dyn Model>> {
        self.time?;
        let parts = self.scene.parts()?.at_time(time).ok()?;
        let spec = DemoScene::Pick { time }.to_string();
        Some(Arc::new(OpenedModel {
            scene: SceneModel::of_parts(parts),
            word: shell_word(&format!("demo:{spec}")),
            flags: self.flags.clone(),
            time: Some(time),
        }))
    }
}
