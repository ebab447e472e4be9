//! Casts random rays at a mesh, measures the time, and checks some of the answers.

use crate::failure::Failure;
use crate::number::seconds;
use crate::ray_arg;
use crate::session::Session;
use crate::verify::hit_text;
use estoc::demo::SplitMix64;
use estoc::glam::Vec3;
use estoc::{BruteForce, Bvh, Mesh, Ray, Triangle};
use serde_json::{Value, json};
use std::time::Instant;

/// Rays whose answers are compared with brute force.
const CHECKED: usize = 200;

pub(super) struct DemoJob {
    pub(super) name: String,
    pub(super) triangles: usize,
    /// Seconds for loading the mesh and for building the tree.
    pub(super) seconds: [f64; 2],
    pub(super) rays: usize,
    pub(super) cast_seconds: f64,
    pub(super) hits: usize,
    pub(super) checked: usize,
    /// The first ray for which brute force gives another answer.
    pub(super) wrong: Option<String>,
}

pub(super) fn run(
    name: String,
    mesh: &Mesh,
    bvh: &Bvh,
    count: usize,
    seconds: [f64; 2],
    session: &Session,
) -> Result<DemoJob, Failure> {
    let rays = random_rays(mesh, count);
    let bar = session.progress("casting", Some(count as u64));
    let progress = |now| bar.show(now);
    let start = Instant::now();
    let hits = session
        .batch()
        .progress(&progress)
        .closest_hits(bvh, &rays)?;
    let cast_seconds = start.elapsed().as_secs_f64();

    let checked = count.min(CHECKED);
    let brute = BruteForce::new(mesh.triangles().collect::<Vec<Triangle>>());
    let truth = session.batch().closest_hits(&brute, &rays[..checked])?;
    let wrong = (0..checked).find(|&i| hits[i] != truth[i]).map(|i| {
        format!(
            "{name}: for the ray {}, the tree gives {}, and brute force gives {}",
            ray_arg::print(&rays[i]),
            hit_text(hits[i].as_ref()),
            hit_text(truth[i].as_ref())
        )
    });
    Ok(DemoJob {
        name,
        triangles: bvh.triangle_count(),
        seconds,
        rays: count,
        cast_seconds,
        hits: hits.iter().flatten().count(),
        checked,
        wrong,
    })
}

/// Returns rays from random points in and around the mesh to random points in its bounding box.
fn random_rays(mesh: &Mesh, count: usize) -> Vec<Ray> {
    let bounds = mesh.bounds();
    let (low, size) = (bounds.min(), bounds.max() - bounds.min());
    let mut rng = SplitMix64::new(1);
    let mut point = |reach: f64| {
        let share: [f64; 3] = std::array::from_fn(|_| 0.5 + reach * rng.between(-0.5, 0.5));
        low + size * Vec3::from_array(share.map(|x| x as f32))
    };
    (0..count)
        .map(|_| {
            let (origin, target) = (point(1.5), point(1.0));
            Ray::new(origin, target - origin)
        })
        .collect()
}

impl DemoJob {
    pub(super) fn mrays_per_second(&self) -> f64 {
        self.rays as f64 / self.cast_seconds.max(1e-9) / 1e6
    }

    pub(super) fn object(&self) -> Value {
        json!({
            "mesh": self.name,
            "triangles": self.triangles,
            "load_seconds": seconds(self.seconds[0]),
            "build_seconds": seconds(self.seconds[1]),
            "rays": self.rays,
            "cast_seconds": seconds(self.cast_seconds),
            "mrays_per_second": seconds(self.mrays_per_second()),
            "hits": self.hits,
            "checked": self.checked,
            "ok": self.wrong.is_none(),
            "wrong": self.wrong,
        })
    }
}
