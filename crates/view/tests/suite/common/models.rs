//! Models without a command.

use estoc::demo::DemoSpec;
use estoc::scene::{DemoScene, LoadedScene, SceneHit, SceneSnapshot};
use estoc::{Bvh, Mesh, Ray};
use estoc_picture::{Target, View, ViewProjection};
use estoc_view::Model;
use serde_json::{Value, json};
use std::sync::Arc;

/// A generated mesh.
pub(crate) struct MeshModel {
    mesh: Mesh,
    pub(crate) world: Arc<SceneSnapshot>,
}

impl MeshModel {
    pub(crate) fn new(spec: &str) -> Self {
        let mesh = spec.parse::<DemoSpec>().unwrap().mesh();
        let world = SceneSnapshot::of_mesh(Bvh::build(&mesh)).unwrap();
        MeshModel { mesh, world }
    }

    pub(crate) fn bvh(&self) -> &Bvh {
        self.target().bvh().unwrap()
    }
}

impl Model for MeshModel {
    fn target(&self) -> Target<'_> {
        Target::mesh(&self.world, &self.mesh)
    }

    fn describe(&self, _: &Ray, hit: &SceneHit) -> Value {
        json!({ "prim": hit.prim.get(), "t": hit.t })
    }

    fn object_name(&self, hit: &SceneHit) -> Option<&str> {
        let details = self.mesh.details(&hit.hit())?;
        details.object.or(details.group)
    }

    fn arguments(&self) -> String {
        "mesh.obj".into()
    }

    fn view_options(&self, view: &View) -> String {
        options_of(view)
    }
}

/// The generated scene whose objects move.
pub(crate) struct MovingModel {
    loaded: LoadedScene,
    time: f64,
}

impl MovingModel {
    pub(crate) fn new(time: f64) -> Self {
        let loaded = DemoScene::Pick { time }.file().build().unwrap();
        MovingModel { loaded, time }
    }
}

impl Model for MovingModel {
    fn target(&self) -> Target<'_> {
        Target::scene(self.loaded.snapshot())
    }

    fn describe(&self, _: &Ray, hit: &SceneHit) -> Value {
        json!({ "prim": hit.prim.get(), "t": hit.t, "instance": hit.path.to_string() })
    }

    fn object_name(&self, hit: &SceneHit) -> Option<&str> {
        Some(&self.loaded.object(hit.path)?.name)
    }

    fn arguments(&self) -> String {
        format!("demo:pick?time={}", self.time)
    }

    fn view_options(&self, view: &View) -> String {
        options_of(view)
    }

    fn time(&self) -> Option<f64> {
        Some(self.time)
    }

    fn at_time(&self, seconds: f64) -> Option<Arc<dyn Model>> {
        Some(Arc::new(MovingModel::new(seconds)))
    }
}

/// Returns the option of a view's projection.
fn options_of(view: &View) -> String {
    match view.projection {
        ViewProjection::Perspective(fov) => format!("--fov {fov}"),
        ViewProjection::Orthographic(height) => format!("--ortho {height}"),
    }
}
