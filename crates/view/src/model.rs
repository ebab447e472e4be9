//! What a page shows.

use estoc::Ray;
use estoc::glam::DVec3;
use estoc::scene::SceneHit;
use estoc_picture::{Target, View};
use serde_json::Value;
use std::sync::Arc;

/// A mesh or a scene that a page shows, with what is known of its parts.
pub trait Model: Send + Sync {
    /// Returns what pictures show.
    fn target(&self) -> Target<'_>;

    /// Returns where the coordinates of [`target`](Self::target) have their origin in those of the file,
    /// which commands and descriptions have.
    fn origin(&self) -> DVec3 {
        DVec3::ZERO
    }

    /// Returns the details of a hit as an object: the field `hit` of `estoc pick --json`.
    fn describe(&self, ray: &Ray, hit: &SceneHit) -> Value;

    /// Returns the name of the object that is hit, or of the group where objects have no names; `None` if
    /// there is no name. What has the same name and path is outlined together.
    fn object_name(&self, hit: &SceneHit) -> Option<&str>;

    /// Returns the arguments of a command that name the mesh and how it is loaded, such as `bunny.obj
    /// --skip-bad-faces`, quoted for a shell.
    fn arguments(&self) -> String;

    /// Returns the options of a command that name a view, such as `--eye 0,0,5 --at 0,0,0 --fov 40`, or
    /// `--ortho 2.5` for an orthographic one.
    fn view_options(&self, view: &View) -> String;

    /// Returns the time in seconds for which this is the scene; `None` if nothing moves.
    fn time(&self) -> Option<f64> {
        None
    }

    /// Returns the scene as it is at another time; `None` if nothing moves, or if it cannot be made.
    fn at_time(&self, seconds: f64) -> Option<Arc<dyn Model>> {
        let _ = seconds;
        None
    }
}
