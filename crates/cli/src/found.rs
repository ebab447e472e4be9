//! What a ray hits: the answer of `pick`, and of a click on the page of `view`.

use crate::frame::Point;
use crate::number::{Number, NumberJson};
use crate::target::Target;
use crate::view_args;
use estoc::glam::Vec3;
use estoc::scene::SceneHit;
use estoc::{Ray, Side, mesh::HitDetails};
use serde_json::{Value, json};

/// What a ray hits, with everything that is known of it.
pub(crate) struct Found<'a> {
    pub(crate) hit: SceneHit,
    pub(crate) point: Option<Point>,
    pub(crate) normal: Option<Vec3>,
    pub(crate) side: &'static str,
    /// Of a triangle.
    pub(crate) details: Option<HitDetails<'a>>,
    pub(crate) instance: Option<Instance<'a>>,
}

impl<'a> Found<'a> {
    pub(crate) fn of(target: Target<'a>, ray: &Ray, hit: SceneHit) -> Self {
        Found {
            point: target.point(ray, &hit),
            normal: target.seen().normal(ray, &hit),
            side: side(target, ray, &hit),
            details: target.details(&hit),
            instance: Instance::of(target, &hit),
            hit,
        }
    }

    /// Returns the field `hit` of `estoc pick --json`.
    pub(crate) fn describe(&self) -> Value {
        let Found { hit, .. } = self;
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
    fn of(target: Target<'a>, hit: &SceneHit) -> Option<Self> {
        let Target::Scene(scene) = target else {
            return None;
        };
        let placements = scene.snapshot().placements_on(hit.path)?;
        Some(Instance {
            path: hit.path.to_string(),
            names: placements.iter().map(|placed| placed.get_name()).collect(),
            source: scene.source_at(hit.path),
            shape: scene.kind_of_shape(hit),
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

/// Returns the name of the object that is hit, or of its group where it has none; in a scene the name of
/// the outermost placement, or of what is placed.
#[cfg(feature = "view")]
pub(crate) fn object_name<'a>(target: Target<'a>, hit: &SceneHit) -> Option<&'a str> {
    match target {
        Target::Mesh(model) => {
            let details = model.details(&hit.hit())?;
            details.object.or(details.group)
        }
        Target::Scene(scene) => {
            let placements = scene.snapshot().placements_on(hit.path)?;
            let name = placements.iter().find_map(|placed| placed.get_name());
            name.or_else(|| scene.object_name(hit))
        }
    }
}

fn side(target: Target<'_>, ray: &Ray, hit: &SceneHit) -> &'static str {
    match target.side(ray, hit) {
        Some(Side::Front) => "front",
        Some(Side::Back) => "back",
        None => "edge-on",
    }
}
