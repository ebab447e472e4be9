//! tinybvh: its layouts for processors, each from its usual build and from its build with spatial
//! splits, of one mesh and of placed ones. The version is a part of all names.

mod doubles;
mod library;

use super::shared_library::locate;
use crate::engine::{Builder, Built, Engine};
use crate::worlds::{World, WorldBuilder};
use doubles::DoubleTree;
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
    let Some(library) = library() else {
        return Vec::new();
    };
    let builder = |(end, number, (_, preset, high_quality, most_triangles)): Variant| {
        let name = format!("tinybvh-{}-{end}", library.version());
        let (of, library) = (name.clone(), library.clone());
        let names = vec![name.clone()];
        let builder = Builder::new(name, preset, names, move |scene, threads| {
            let tree = Tree::build_mesh(&library, number, high_quality, threads > 1, scene)?;
            Ok(Built {
                bytes: Some(tree.bytes()),
                engines: vec![Engine::single(&*of, tree)],
            })
        });
        builder.up_to(most_triangles)
    };
    variants().map(builder).collect()
}

/// Returns the builder of its only tree in `f64`, if `TINYBVH_LIB` is set.
pub(super) fn double_builders() -> Vec<Builder<f64>> {
    let Some(library) = library() else {
        return Vec::new();
    };
    let name = format!("tinybvh-{}-f64", library.version());
    let (of, names) = (name.clone(), vec![name.clone()]);
    vec![Builder::new(
        name,
        "default",
        names,
        move |scene, threads| {
            let tree = DoubleTree::build(&library, threads > 1, scene)?;
            Ok(Built {
                bytes: Some(tree.bytes()),
                engines: vec![Engine::single(&*of, tree)],
            })
        },
    )]
}

/// The end of a name, the number of the layout in the shim, and the build.
type Variant = (String, u32, (&'static str, &'static str, bool, usize));

/// Returns each layout from each build.
fn variants() -> impl Iterator<Item = Variant> {
    BUILDS.into_iter().flat_map(|build| {
        LAYOUTS.map(|(layout, number)| (format!("{layout}{}", build.0), number, build))
    })
}

/// Opens the library and tells which it is; `None`, with a message, if there is none.
fn library() -> Option<Arc<Library>> {
    let variable = ["TINYBVH_LIB", "the path that tinybvh/build prints"];
    let library = locate("tinybvh", variable, Library::open);
    library.inspect(|library| eprintln!("tinybvh {}", library.description))
}

/// Returns tinybvh's structures of worlds: a tree over placed trees of the meshes, which all have the
/// same layout and come from the same build; none, with a message, if there is no library.
pub(crate) fn tinybvh_worlds() -> Vec<WorldBuilder> {
    let Some(library) = library() else {
        return Vec::new();
    };
    let builder = |(end, number, (_, _, high_quality, _)): Variant| {
        let name = format!("tinybvh-{}-tlas-{end}", library.version());
        let (of, library) = (name.clone(), library.clone());
        let build = move |world: &World| {
            let tree = Tree::build_world(&library, number, high_quality, world)?;
            Ok(vec![Engine::single(&*of, tree)])
        };
        WorldBuilder {
            name,
            build: Box::new(build),
        }
    };
    variants().map(builder).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agreement::{Agreement, Judge};
    use crate::answers::Answers;
    use crate::clock::Clock;
    use crate::kind::Kind;
    use crate::peers::{EstocWorld, Exact};
    use crate::ray::{Hit, Ray};
    use crate::rays::Maker;
    use crate::scenes::Scene;
    use crate::worlds::Placing;
    use estoc::glam::DVec3;
    use estoc_demo::ray_kinds::{Frame, RayKind};
    use rayon::ThreadPoolBuilder;
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
        let builders = builders();
        assert!(!builders.is_empty(), "TINYBVH_LIB names the shim");
        for builder in builders {
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

    #[test]
    #[ignore = "needs TINYBVH_LIB"]
    fn tinybvh_answers_as_estoc_in_worlds() {
        let of_name = |name| World::of_name(name).expect("a world");
        let mut levels = of_name("forest30");
        let mut aside = Placing::by_identity(0);
        aside.matrix[0][3] = 40.0;
        levels.levels.push(vec![Placing::by_identity(0), aside]);
        // Directions are long in the space of the mesh. Along the diagonal, such rays must not meet the
        // empty places of wide nodes.
        let mut small = of_name("one5k");
        for (axis, row) in small.levels[0][0].matrix.iter_mut().enumerate() {
            row[axis] = 0.25;
        }
        let peers = tinybvh_worlds();
        assert!(!peers.is_empty(), "TINYBVH_LIB names the shim");
        let pool = ThreadPoolBuilder::new().num_threads(1).build();
        let pool = pool.expect("a thread");
        for world in [of_name("city10"), of_name("forest30"), levels, small] {
            let ours = EstocWorld::build(&world);
            let frame = ours.frame();
            let places = |rays: &[Ray]| ours.places(rays);
            let maker = Maker::new(&world.views, frame, 64, frame.diagonal(), places);
            let theirs = world.with_one_level();
            for WorldBuilder { name, build } in &peers {
                let engines = build(&theirs).expect("a tree");
                for kind in Kind::OF_WORLDS {
                    let mut rays = maker.rays(kind);
                    rays.extend((0..64).map(|i| along_the_diagonal(frame, f64::from(i) / 64.0)));
                    let exact = ours.first_hits(&rays);
                    assert!(exact.iter().any(|hit| hit.is_hit()));
                    let mut answers = Answers::room(kind.is_any(), rays.len());
                    answers.ask(Clock::Wall, &*engines[0].queries, &rays, &pool);
                    let agreement = Agreement::of(Judge::Parameters, &rays, &exact, &answers);
                    let wrong = agreement.row(rays.len()).wrong();
                    assert!(
                        wrong * 100 <= rays.len(),
                        "{name}, {} {}: {agreement:?}",
                        world.name,
                        kind.name()
                    );
                }
            }
        }
    }

    /// Returns a ray from an edge of the box.
    fn along_the_diagonal(frame: Frame, place: f64) -> Ray {
        let shift = DVec3::X * (place * frame.size.x);
        Ray {
            origin: (frame.low + shift).as_vec3().to_array(),
            t_max: f32::INFINITY,
            dir: [3.0_f32.sqrt().recip(); 3],
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
