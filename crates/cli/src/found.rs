//! What a ray hits: the answer of `pick`, and of a click on the page of `view`.

use crate::frame::Point;
use crate::number::{Number, NumberJson};
use crate::scene_model::SceneModel;
use crate::view_args;
use estoc::glam::Vec3;
use estoc::scene::SceneHit;
use estoc::{Ray, Side, mesh::HitDetails};
use serde_json::{Value, json};

/// What a ray hits, with everything that is known of it.
pub(crate) struct FoundHit<'a> {
    pub(crate) hit: SceneHit,
    pub(crate) point: Option<Point>,
    pub(crate) normal: Option<Vec3>,
    pub(crate) side: &'static str,
    /// Of a triangle.
    pub(crate) details: Option<HitDetails<'a>>,
    pub(crate) instance: Option<Instance<'a>>,
}

impl<'a> FoundHit<'a> {
    pub(crate) fn of(scene: &'a SceneModel, ray: &Ray, hit: SceneHit) -> Self {
        FoundHit {
            point: scene.point(ray, &hit),
            normal: scene.target().normal(ray, &hit),
            side: side(scene, ray, &hit),
            details: scene.details(&hit),
            instance: Instance::of(scene, &hit),
            hit,
        }
    }

    /// Returns the field `hit` of `estoc pick --json`.
    pub(crate) fn describe(&self) -> Value {
        let FoundHit { hit, .. } = self;
        let details = self.details.as_ref();
        let texcoord = details.and_then(|details| details.texcoord);
        let material = details.and_then(|details| details.material);
        let shading_normal = details.and_then(|details| details.shading_normal);
        let mut object = json!({
            "prim": hit.prim.get(),
            "t": Number(hit.t).json(),
            "u": Number(hit.u).json(),
            "v": Number(hit.v).json(),
            "point": self.point.map(Point::json),
            "side": self.side,
            "normal": self.normal.map(view_args::json_point),
            "shading_normal": shading_normal.map(view_args::json_point),
            "texcoord": texcoord.map(|uv| uv.to_array().map(|x| Number(x).json())),
            "face": details.map(|details| details.face),
            "line": details.and_then(|details| details.line),
            "object": details.and_then(|details| details.object),
            "group": details.and_then(|details| details.group),
            "material": material.map(|material| &material.name),
        });
        if let Some(instance) = &self.instance {
            object["instance"] = json!(instance.path);
            object["names"] = json!(instance.names);
            object["source"] = json!(instance.source);
            object["shape"] = json!(instance.shape);
        }
        object
    }
}

/// Which placements of a scene are hit.
pub(crate) struct Instance<'a> {
    pub(crate) path: String,
    /// The name of each placement on the path.
    names: Vec<Option<&'a str>>,
    pub(crate) source: String,
    /// Whether a sphere or a box is hit, in a word.
    pub(crate) shape: Option<&'static str>,
}

impl<'a> Instance<'a> {
    fn of(scene: &'a SceneModel, hit: &SceneHit) -> Option<Self> {
        let parts = scene.parts()?;
        let placements = scene.world().placements_on(hit.path)?;
        Some(Instance {
            path: hit.path.to_string(),
            names: placements.iter().map(|placed| placed.get_name()).collect(),
            source: parts.source_at(hit.path),
            shape: parts.kind_of_shape(hit),
        })
    }

    /// Returns the path, and the names if there are any.
    pub(crate) fn told(&self) -> String {
        match self.names.iter().any(Option::is_some) {
            false => self.path.clone(),
            true => {
                let names = self.names.iter().map(|name| name.unwrap_or("-"));
                let names: Vec<&str> = names.collect();
                format!("{} ({})", self.path, names.join(" / "))
            }
        }
    }
}

fn side(scene: &SceneModel, ray: &Ray, hit: &SceneHit) -> &'static str {
    match scene.side(ray, hit) {
        Some(Side::Front) => "front",
        Some(Side::Back) => "back",
        None => "edge-on",
    }
}
