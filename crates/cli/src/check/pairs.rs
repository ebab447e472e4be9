//! Pairs of triangles that intersect, and commands that paint them.

use crate::failure::Failure;
use crate::mesh_model::MeshModel;
use crate::mesh_source::{MeshSource, shell_word};
use crate::model_number::ModelNumber;
use crate::number::grouped;
use crate::session::Session;
use crate::view_args;
use estoc::glam::Vec3;
use estoc::query::{Intersection, IntersectionKind};
use estoc::{Aabb, Triangle};
use estoc_picture::{Shade, View, ViewProjection};
use serde_json::{Value, json};
use std::ops::ControlFlow;

/// The meshes whose triangles are compared: one with itself, or two.
#[derive(Clone, Copy)]
pub(super) struct ComparedMeshes<'a, C: ModelNumber> {
    pub(super) model: &'a MeshModel<C>,
    pub(super) source: &'a MeshSource,
    pub(super) other: Option<(&'a MeshModel<C>, &'a MeshSource)>,
}

/// The number of pairs of each kind, and the first pairs.
pub(super) struct IntersectingPairs {
    /// The numbers of those that cross, overlap and touch.
    counts: [usize; 3],
    first: Vec<Intersection>,
}

impl IntersectingPairs {
    pub(super) fn of<C: ModelNumber>(
        meshes: ComparedMeshes<'_, C>,
        most: usize,
        session: &Session,
    ) -> Result<Self, Failure> {
        let count = meshes.model.bvh().triangle_count();
        let bvh = C::engine(meshes.model.bvh());
        let bar = session.progress("comparing", Some(count as u64));
        let show = |now| bar.show(now);
        let mut pairs = IntersectingPairs {
            counts: [0; 3],
            first: Vec::new(),
        };
        let batch = session.batch().progress(&show);
        let add = |pair| {
            pairs.counts[kind_of(&pair).0] += 1;
            if pairs.first.len() < most {
                pairs.first.push(pair);
            }
            ControlFlow::<()>::Continue(())
        };
        let _ = match meshes.other {
            None => batch.self_intersections(bvh, add)?,
            Some((other, _)) => batch.intersections(bvh, C::engine(other.bvh()), add)?,
        };
        Ok(pairs)
    }

    pub(super) fn count(&self) -> usize {
        self.counts.iter().sum()
    }

    pub(super) fn text(&self) -> String {
        let kinds = ["crossing", "overlapping", "touching"].into_iter();
        let told = self.counts.into_iter().zip(kinds);
        let told = told.filter(|(count, _)| *count > 0);
        let told: Vec<String> = told
            .map(|(count, kind)| format!("{} {kind}", grouped(count)))
            .collect();
        match self.count() {
            0 => "none".into(),
            1 => format!("1 pair: {}", told.join(", ")),
            count => format!("{} pairs: {}", grouped(count), told.join(", ")),
        }
    }

    /// Returns lines with the first pairs and their commands.
    pub(super) fn listed(&self, commands: &[String], is_of_two: bool) -> String {
        let pairs = self.first.iter().zip(commands);
        let line =
            |(pair, command)| format!("    {}\n      {command}\n", describe(pair, is_of_two));
        pairs.map(line).collect()
    }

    pub(super) fn object(&self, commands: &[String]) -> Value {
        let first = self.first.iter().zip(commands).map(|(pair, command)| {
            json!({
                "first": pair.first.get(),
                "second": pair.second.get(),
                "kind": kind_of(pair).1,
                "command": command,
            })
        });
        let [crossing, overlapping, touching] = self.counts;
        json!({
            "count": self.count(),
            "crossing": crossing,
            "coplanar_overlap": overlapping,
            "touching": touching,
            "first": first.collect::<Vec<_>>(),
        })
    }

    /// Returns commands that paint the first pairs.
    pub(super) fn commands<C: ModelNumber>(
        &self,
        meshes: ComparedMeshes<'_, C>,
        session: &Session,
    ) -> Vec<String> {
        let ComparedMeshes {
            model,
            source,
            other,
        } = meshes;
        let (second, shade) =
            other.map_or((model, Shade::Id), |(other, _)| (other, Shade::Instance));
        let with = MeshSource::with_option(other.map(|(_, source)| source));
        let command = |pair: &Intersection| {
            let triangles = C::triangle(model, pair.first).zip(C::triangle(second, pair.second));
            let view = match triangles {
                Some((a, b)) => {
                    let ([a, b], frame) = C::shown([a, b], model.frame());
                    match a.is_finite() && b.is_finite() {
                        true => format!(" {}", view_args::options(&view_of(&a, &b), frame)),
                        false => String::new(),
                    }
                }
                None => String::new(), // not so: the pair is of these meshes
            };
            format!(
                "estoc render {}{with}{view} --shade {shade} --out pair-{}-{}.png{}",
                shell_word(&source.to_string()),
                pair.first,
                pair.second,
                &session.mesh_flags(),
            )
        };
        self.first.iter().map(command).collect()
    }
}

/// Returns the place of a pair's kind among the counts, its name in JSON, and its verb.
fn kind_of(pair: &Intersection) -> (usize, &'static str, &'static str) {
    match pair.kind {
        IntersectionKind::Crossing => (0, "crossing", "cross"),
        IntersectionKind::CoplanarOverlap => (1, "coplanar_overlap", "overlap"),
        IntersectionKind::Touching => (2, "touching", "touch"),
    }
}

/// Returns a pair of a mesh, or of two, in words.
fn describe(pair: &Intersection, is_of_two: bool) -> String {
    let (.., verb) = kind_of(pair);
    let Intersection { first, second, .. } = pair;
    match is_of_two {
        false => format!("triangles {first} and {second} {verb}"),
        true => format!("triangle {first} and triangle {second} of the other {verb}"),
    }
}

/// Returns a view of where two triangles meet, from the side that both face, or else the first.
fn view_of(a: &Triangle, b: &Triangle) -> View {
    let (p, q) = (Aabb::of_triangle(a), Aabb::of_triangle(b));
    // The boxes meet, as the triangles do.
    let (min, max) = (p.min().max(q.min()), p.max().min(q.max()));
    let at = min + 0.5 * (max - min);
    let corners = a.corners().into_iter().chain(b.corners());
    let reach = corners
        .map(|corner| (corner - at).abs().max_element())
        .fold(0.0, f32::max);
    let [m, n] = [a, b].map(|triangle| triangle.normal().unwrap_or(Vec3::Z));
    let side = (m + n)
        .try_normalize()
        .filter(|side| side.dot(m).abs() > 0.1);
    let side = side.unwrap_or(m);
    // Far enough to see all of both, and no number beyond f32.
    let eye = (at + 3.0 * reach * side).clamp(Vec3::splat(f32::MIN), Vec3::splat(f32::MAX));
    let up = if side.y.abs() > 0.9 { Vec3::Z } else { Vec3::Y };
    View {
        eye,
        at,
        up,
        projection: ViewProjection::Perspective(40.0),
    }
}
