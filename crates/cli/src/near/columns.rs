//! The columns of closest points.

use super::Near;
use crate::point_answers::AnswerColumn;
use crate::scene_model::SceneModel;
use estoc::query::Feature;
use estoc::scene::SceneClosestPoint;
use estoc_rays_io::{ColumnKind, Values};
use std::borrow::Cow;

/// A column of the answers.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum NearColumn {
    Distance,
    Prim,
    U,
    V,
    Feature,
    X,
    Y,
    Z,
    Signed,
    /// Of a scene.
    Source,
    /// Of a scene.
    Instance,
}

impl NearColumn {
    /// Returns the number in this column, if it is one with a fraction.
    fn number(self, near: &Near) -> Option<f64> {
        let Near { closest, signed } = near;
        match self {
            NearColumn::Signed => signed.map(f64::from),
            NearColumn::Distance => Some(closest.distance.into()),
            NearColumn::U => Some(closest.u.into()),
            NearColumn::V => Some(closest.v.into()),
            _ => Some(closest.point[self.axis()?]),
        }
    }

    /// Returns the axis of a coordinate.
    fn axis(self) -> Option<usize> {
        [NearColumn::X, NearColumn::Y, NearColumn::Z]
            .iter()
            .position(|&column| column == self)
    }

    /// Returns the text in this column.
    fn text(self, near: &Near, scene: Option<&SceneModel>) -> Option<Cow<'static, str>> {
        let SceneClosestPoint { feature, path, .. } = near.closest;
        match self {
            NearColumn::Feature => Some(word(feature).into()),
            NearColumn::Source => Some(scene?.source_at(path).into()),
            NearColumn::Instance => Some(path.to_string().into()),
            _ => None,
        }
    }
}

impl AnswerColumn for NearColumn {
    type Answer = Option<Near>;

    const SCHEMA: &'static str = "estoc.near/1";
    const ALL: &'static [(Self, &'static str)] = &[
        (NearColumn::Distance, "distance"),
        (NearColumn::Prim, "prim"),
        (NearColumn::U, "u"),
        (NearColumn::V, "v"),
        (NearColumn::Feature, "feature"),
        (NearColumn::X, "x"),
        (NearColumn::Y, "y"),
        (NearColumn::Z, "z"),
        (NearColumn::Signed, "signed"),
        (NearColumn::Source, "source"),
        (NearColumn::Instance, "instance"),
    ];

    /// Without `signed`, which is added only for those who ask.
    fn is_usual(self, is_scene: bool) -> bool {
        !matches!(self, NearColumn::Signed) && self.is_of(is_scene)
    }

    fn is_of(self, is_scene: bool) -> bool {
        is_scene || !matches!(self, NearColumn::Source | NearColumn::Instance)
    }

    fn kind(self, is_world: bool) -> ColumnKind {
        match self {
            NearColumn::Prim => ColumnKind::Prim,
            NearColumn::Feature | NearColumn::Source | NearColumn::Instance => ColumnKind::Text,
            _ if is_world && self.axis().is_some() => ColumnKind::Number64,
            _ => ColumnKind::Number,
        }
    }

    fn missing(self) -> &'static str {
        match self {
            NearColumn::Distance => "inf",
            NearColumn::Prim => "-1",
            _ => "",
        }
    }

    fn push(self, values: &mut Values, answer: &Option<Near>, scene: Option<&SceneModel>) -> bool {
        let near = answer.as_ref();
        match values {
            Values::Prims(prims) => push(prims, near.map(|near| near.closest.prim.get())),
            Values::Texts(texts) => {
                let text = near.and_then(|near| self.text(near, scene));
                texts.push(text.as_deref().unwrap_or_default());
                text.is_some()
            }
            Values::Numbers64(numbers) => push(numbers, near.and_then(|near| self.number(near))),
            // Numbers of `f32`s, as all are but coordinates of the world.
            Values::Numbers(numbers) => {
                let number = near.and_then(|near| self.number(near));
                push(numbers, number.map(|number| number as f32))
            }
            _ => true,
        }
    }
}

/// Appends a value, or any other if there is none, and returns whether there is one.
fn push<A: Default>(values: &mut Vec<A>, value: Option<A>) -> bool {
    let is_some = value.is_some();
    values.push(value.unwrap_or_default());
    is_some
}

/// Returns the word for a part of a triangle.
fn word(feature: Feature) -> &'static str {
    const VERTICES: [&str; 3] = ["vertex0", "vertex1", "vertex2"];
    const EDGES: [&str; 3] = ["edge0", "edge1", "edge2"];
    match feature {
        Feature::Vertex(vertex) => VERTICES
            .get(usize::from(vertex))
            .copied()
            .unwrap_or("vertex"),
        Feature::Edge(edge) => EDGES.get(usize::from(edge)).copied().unwrap_or("edge"),
        Feature::Face => "face",
    }
}
