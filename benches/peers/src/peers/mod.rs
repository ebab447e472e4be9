//! The peers. `PEER.rs` or `PEER/mod.rs` holds everything specific to one.

mod bvh;
mod embree;
mod estoc;
#[cfg(target_arch = "x86_64")]
mod float;
mod obvhs;
mod parry;
mod shared_library;
mod tinybvh;
mod triangle;

use crate::engine::Builder;

pub(crate) use embree::EmbreeWorlds;
pub(crate) use estoc::{EstocWorld, Exact, Exactly, changing, of_sizes};
pub(crate) use tinybvh::tinybvh_worlds;

/// Returns all builders, in the order of the tables.
pub(crate) fn builders() -> Vec<Builder> {
    let mut all = estoc::builders();
    #[cfg(target_arch = "x86_64")]
    all.extend(float::builders());
    all.extend(embree::builders());
    all.extend(tinybvh::builders());
    all.extend(obvhs::builders());
    all.extend(bvh::builders());
    all.extend(parry::builders());
    all
}

/// Returns the builders of structures that are asked in `f64`.
pub(crate) fn double_builders() -> Vec<Builder<f64>> {
    let mut all = estoc::double_builders();
    all.extend(embree::double_builders());
    all.extend(tinybvh::double_builders());
    all.extend(bvh::double_builders());
    all.extend(parry::double_builders());
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agreement::{Agreement, Judge};
    use crate::answers::Answers;
    use crate::clock::Clock;
    use crate::kind::Kind;
    use crate::number::Number;
    use crate::ray::{Hit, Ray};
    use crate::rays::Maker;
    use crate::scenes::Scene;
    use ::estoc::glam::DVec3;
    use rayon::ThreadPoolBuilder;
    use std::path::Path;
    use std::sync::Arc;

    /// Those of Embree and of tinybvh are tested where their libraries are set.
    #[test]
    fn engines_in_f64_answer_as_estoc() {
        let scene = Scene::load("terrain10k", Path::new(".")).expect("no file is needed");
        let narrow = Exact::<f32>::new(&scene);
        let exact = Exact::<f64>::new(&scene);
        let maker = Maker::of_scene(&scene, 64, |rays| narrow.first_hits(rays));
        let bounds = scene.mesh.bounds();
        let above = bounds.max() + (bounds.max() - bounds.min());
        let points: Vec<DVec3> = (0..100)
            .map(|i| f64::of_point(bounds.min().lerp(above, i as f32 / 100.0)))
            .collect();
        let scene = Arc::new(scene);
        let pool = ThreadPoolBuilder::new().num_threads(1).build();
        let pool = pool.expect("a thread");
        for builder in double_builders() {
            let name = &builder.name;
            let built = (builder.build)(&scene, 1).expect("a tree");
            // Its mesh and its rays are rounded.
            let most = if name == "estoc-f32" { 8 } else { 0 };
            for kind in Kind::ALL {
                let rays: Vec<Ray<f64>> = maker.rays(kind).iter().map(f64::of_ray).collect();
                let hits = exact.first_hits(&rays);
                for engine in &built.engines {
                    let mut answers = Answers::room(kind.is_any(), rays.len());
                    answers.ask(Clock::Wall, &*engine.queries, &rays, &pool);
                    let agreement = Agreement::of(Judge::Triangles, &rays, &hits, &answers);
                    let wrong = agreement.row(rays.len()).wrong();
                    assert!(wrong <= most, "{name} {}: {agreement:?}", kind.name());
                }
            }
            for engine in &built.engines {
                let mut found = vec![Hit::MISS; points.len()];
                if !engine.queries.closest_points(&points, &mut found) {
                    continue;
                }
                for (&point, hit) in points.iter().zip(&found) {
                    let t = f64::nearest(exact.bvh(), point).t;
                    // Rounding a point moves it by a share of its coordinates, up to 200.
                    let within = if most > 0 { 1e-4 } else { 1e-10 };
                    assert!((hit.t - t).abs() <= within, "{name}: {hit:?} for {t}");
                }
            }
        }
    }
}
