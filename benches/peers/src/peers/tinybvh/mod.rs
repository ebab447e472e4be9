//! tinybvh: its layouts for processors, each from its usual build and from its build with spatial
//! splits. The version is a part of all names.

mod library;

use crate::engine::{Builder, Built, Engine};
use library::{Library, Tree};
use std::sync::Arc;

/// The layouts: the part of the name, and the number in the shim.
const LAYOUTS: [(&str, u32); 4] = [("bvh", 0), ("soa", 1), ("bvh4", 2), ("bvh8", 3)];

/// The builds: the part of the name, the preset, whether it has spatial splits, and the largest
/// number of triangles.
const BUILDS: [(&str, &str, bool, usize); 2] = [
    ("", "default", false, usize::MAX),
    ("-hq", "hq", true, 3_000_000),
];

/// Returns the builders, if `TINYBVH_LIB` is set.
pub(super) fn builders() -> Vec<Builder> {
    let library = match Library::locate() {
        Ok(library) => Arc::new(library),
        Err(reason) => {
            eprintln!("skipped tinybvh: {reason}");
            return Vec::new();
        }
    };
    eprintln!("tinybvh {}", library.description);
    let mut all = Vec::new();
    for (suffix, preset, high_quality, most_triangles) in BUILDS {
        for (layout, number) in LAYOUTS {
            let name = format!("tinybvh-{}-{layout}{suffix}", library.version());
            let (of, library) = (name.clone(), library.clone());
            let names = vec![name.clone()];
            let builder = Builder::new(name, preset, names, move |scene, threads| {
                let tree = Tree::build(&library, number, high_quality, threads > 1, scene)?;
                Ok(Built {
                    bytes: Some(tree.bytes()),
                    engines: vec![Engine::single(&*of, tree)],
                })
            });
            all.push(builder.up_to(most_triangles));
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kind::Kind;
    use crate::peers::Exact;
    use crate::ray::{Hit, Ray};
    use crate::rays::Maker;
    use crate::scenes::Scene;
    use estoc_demo::ray_kinds::RayKind;
    use std::path::Path;

    /// The parameter is in units of the direction, and the interval that of the ray.
    #[test]
    #[ignore = "needs TINYBVH_LIB"]
    fn tinybvh_answers_as_estoc_whatever_the_length_of_directions() {
        let scene = Scene::load("terrain10k", Path::new(".")).expect("no file is needed");
        let exact = Exact::new(&scene);
        let maker = Maker::of_scene(&scene, 64, |rays| exact.first_hits(rays));
        let mut rays = maker.rays(Kind::Shared(RayKind::Primary));
        for (ray, times) in rays.iter_mut().zip([0.25, 1.0, 3.0].into_iter().cycle()) {
            ray.dir = ray.dir.map(|component| component * times);
        }
        let expected = exact.first_hits(&rays);
        let before: Vec<Ray> = rays.iter().zip(&expected).map(before).collect();
        let scene = Arc::new(scene);
        for builder in builders() {
            let name = &builder.name;
            let built = (builder.build)(&scene, 2).expect("a tree");
            let queries = &built.engines[0].queries;
            let mut hits = vec![Hit::MISS; rays.len()];
            queries.closest_hits(&rays, &mut hits);
            for (hit, expected) in hits.iter().zip(&expected) {
                let is_near = (hit.t - expected.t).abs() <= 1e-4 * expected.t;
                assert!(
                    is_near || hit == expected,
                    "{name}: {hit:?} for {expected:?}"
                );
            }
            let mut any = vec![false; rays.len()];
            queries.any_hits(&rays, &mut any);
            assert!(
                any.iter()
                    .zip(&expected)
                    .all(|(any, hit)| *any == hit.is_hit())
            );
            queries.any_hits(&before, &mut any);
            assert!(!any.contains(&true), "{name}: hits behind the end");
            assert!(built.bytes > Some(0));
        }
    }

    /// Returns the ray with an end before its first hit.
    fn before((ray, hit): (&Ray, &Hit)) -> Ray {
        let t_max = if hit.is_hit() {
            hit.t * 0.99
        } else {
            ray.t_max
        };
        Ray { t_max, ..*ray }
    }
}
