//! Rays at meshes that are placed in a world, answered by kernels in the meshes' spaces where those are
//! certain, one by one and in bundles, and boxes around placed meshes.

use estoc_bvh::Bvh;
use estoc_bvh::object_space::{
    BoxTree, FirstPlaced, InverseMap, LANES, PlacedBundles, PlacedItem, PlacedItems, PlacedObject,
    PlacedSkip,
};
use estoc_core::exact::PreparedRay;
use estoc_core::glam::{DVec3, Vec3};
use estoc_core::{PlacementMatrix, PrimId, Ray, Ray64, SceneHit, ScenePrim, Triangle};
use estoc_mesh::Mesh;
use estoc_testkit::conformance::{Effort, on_all_cores};
use estoc_testkit::generate::{Rng, ray_64, rays, scenes};
use std::fmt::Debug;
use std::sync::Arc;

use crate::placed_worlds::{Parts, World, bvh_of, matrix};

/// Numbers of answers.
#[derive(Default)]
struct Seen {
    asked: usize,
    certain: usize,
    hits: usize,
    rounded: usize,
    /// Hits in worlds that are placed in the world.
    nested: usize,
    /// First hits that were found with other rays.
    bundled: usize,
    wrong: usize,
}

fn bits(hit: &SceneHit) -> (ScenePrim, [u32; 3]) {
    (hit.id(), [hit.t, hit.u, hit.v].map(f32::to_bits))
}

impl Seen {
    /// Compares an answer about any hit.
    fn take_any(&mut self, found: Option<bool>, expected: Option<&SceneHit>, ray: &dyn Debug) {
        self.asked += 1;
        let Some(found) = found else {
            return;
        };
        self.certain += 1;
        let is_right = found == expected.is_some();
        if !is_right && self.wrong == 0 {
            println!("{ray:?}: any hit is {found}, not {expected:?}");
        }
        self.wrong += usize::from(!is_right);
    }

    /// Compares an answer about first hits.
    fn take_first(
        &mut self,
        found: Option<Option<FirstPlaced>>,
        expected: Option<&SceneHit>,
        ray: &dyn Debug,
    ) {
        self.asked += 1;
        let Some(found) = found else {
            return;
        };
        self.certain += 1;
        self.hits += usize::from(expected.is_some());
        let is_right = match (&found, expected) {
            (None, None) => true,
            (Some(FirstPlaced { path, hit }), Some(expected)) => {
                self.nested += usize::from(path.numbers().len() > 1);
                match hit {
                    Ok(hit) => {
                        self.rounded += 1;
                        bits(&SceneHit::triangle(*path, *hit)) == bits(expected)
                    }
                    Err(prim) => ScenePrim::triangle(*path, *prim) == expected.id(),
                }
            }
            _ => false,
        };
        if !is_right && self.wrong == 0 {
            println!("{ray:?}: {found:?}, not {expected:?}");
        }
        self.wrong += usize::from(!is_right);
    }
}

/// A ray with what it skips, and its first hit.
type Asked = (Ray, Option<ScenePrim>, Option<SceneHit>);

fn skipped(id: &ScenePrim) -> (&[u32], PrimId) {
    (id.path.numbers(), id.prim)
}

/// Asks about one ray, and keeps it to ask about it with others.
fn look(
    world: &World,
    ray: &Ray,
    skip: Option<ScenePrim>,
    asked: &mut Vec<Asked>,
    seen: &mut Seen,
) {
    let Some(question) = PreparedRay::new(ray) else {
        return;
    };
    let expected = world.first(question, skip);
    let of_path = skip.as_ref().map(skipped);
    for world in &world.worlds {
        seen.take_any(world.any(ray, of_path), expected.as_ref(), ray);
        seen.take_first(world.closest(ray, of_path), expected.as_ref(), ray);
    }
    asked.push((*ray, skip, expected));
}

/// Returns a ray at the inside of a triangle from up to 2^17 sizes away, whose numbers have all bits of `f64`s,
/// from before the world on, or from within or behind.
fn far_ray(corners: &[DVec3], rng: &mut Rng) -> Ray64 {
    let first = 3 * rng.below(corners.len() / 3);
    let [a, b, c] = [corners[first], corners[first + 1], corners[first + 2]];
    let (u, v) = (f64::from(rng.signed()).abs(), f64::from(rng.signed()).abs());
    let at = a + (b - a) * (0.6 * u) + (c - a) * (0.4 * v);
    let way = 2f64.powi(rng.int(-2, 17)) * at.abs().max_element().max(1.0);
    let dir = DVec3::from([0; 3].map(|_| f64::from(rng.signed()) / 3.0)).normalize_or(DVec3::X);
    let from = rng.pick(&[0.0, f64::NEG_INFINITY, way - 1.0, way, way + 1.0, -way]);
    let end = rng.pick(&[f64::INFINITY, f64::INFINITY, way]);
    Ray64::new(at - dir * way, dir).with_interval(from, end)
}

/// Asks about a ray in `f64`.
fn look_at_64(world: &World, ray: &Ray64, skip: Option<ScenePrim>, seen: &mut Seen) {
    let Some(question) = PreparedRay::new(ray) else {
        return;
    };
    let expected = world.first(question, skip);
    let of_path = skip.as_ref().map(skipped);
    for world in &world.worlds {
        seen.take_any(world.any_64(ray, of_path), expected.as_ref(), ray);
        seen.take_first(world.closest_64(ray, of_path), expected.as_ref(), ray);
    }
}

/// Asks about rays of the same octant together.
fn look_at_bundles(world: &World, asked: &[Asked], seen: &mut Seen) {
    let octant = |ray: &Ray| ray.dir.to_array().map(|d| d <= -(0.5f32.powi(96)));
    let mut octants: Vec<Vec<&Asked>> = Vec::new();
    for of in asked {
        match octants
            .iter_mut()
            .find(|all| octant(&all[0].0) == octant(&of.0))
        {
            Some(all) => all.push(of),
            None => octants.push(vec![of]),
        }
    }
    for asked in octants.iter().flat_map(|all| all.chunks(LANES)) {
        let skips: [PlacedSkip<'_>; LANES] =
            core::array::from_fn(|lane| asked.get(lane)?.1.as_ref().map(skipped));
        for world in &world.worlds {
            let mut bundles = PlacedBundles::new();
            let numbered = asked.iter().enumerate();
            let rays =
                numbered.map(|(lane, (ray, _, _))| (lane, PreparedRay::new(ray).expect("defined")));
            bundles.rays().extend(rays);
            world.any_bundle(&skips, &mut bundles);
            for (lane, (ray, _, expected)) in asked.iter().enumerate() {
                seen.take_any(bundles.any(lane), expected.as_ref(), ray);
            }
            let mut answered = 0;
            world.closest_bundle(&skips, &mut bundles, &mut |(lane, _), found| {
                let (ray, _, expected) = &asked[lane];
                seen.bundled += usize::from(found.is_some());
                seen.take_first(found, expected.as_ref(), ray);
                answered += 1;
            });
            assert_eq!(answered, asked.len());
        }
    }
}

/// Returns what was seen of rays in `f32` and in `f64`.
fn search(seeds: usize, rays_per_scene: usize, noises: &[f64], told: f64) -> [Seen; 2] {
    let of_seeds = on_all_cores(seeds, |seed| {
        let [mut seen, mut of_64] = [(); 2].map(|()| Seen::default());
        let mut rng = Rng::named(seed as u64, "placed meshes");
        for mut scene in scenes(seed as u64) {
            scene.triangles.retain(Triangle::is_finite);
            scene.triangles.truncate(40);
            if bvh_of(&scene.triangles)
                .image_bounds(&PlacementMatrix::IDENTITY.rows())
                .is_none()
            {
                continue;
            }
            let noise = rng.pick(noises);
            let world = World::of(&scene.triangles, noise, told, &mut rng);
            let corners = world.corners();
            let mut asked = Vec::new();
            for ray in rays(&scene, &mut rng, rays_per_scene) {
                let ray = world.ray(&ray, &mut rng);
                look(&world, &ray, None, &mut asked, &mut seen);
                let wide = match rng.one_in(2) {
                    true => ray_64(&ray, &corners, &mut rng),
                    false => far_ray(&corners, &mut rng),
                };
                look_at_64(&world, &wide, None, &mut of_64);
                let first = PreparedRay::new(&wide).and_then(|ray| world.first(ray, None));
                if let Some(first) = first {
                    look_at_64(&world, &wide, Some(first.id()), &mut of_64);
                    let end = rng.pick(&[first.t, first.t.next_down(), first.t.next_up()]);
                    let end = f64::from(end);
                    let end = rng.pick(&[end, end, end.next_down(), end.next_up()]);
                    let [from, to] = rng.pick(&[[wide.t_min, end], [end, wide.t_max], [end, end]]);
                    look_at_64(&world, &wide.with_interval(from, to), None, &mut of_64);
                }
                let first = PreparedRay::new(&ray).and_then(|ray| world.first(ray, None));
                if let Some(first) = first {
                    look(&world, &ray, Some(first.id()), &mut asked, &mut seen);
                    let end = rng.pick(&[first.t, first.t.next_down(), first.t.next_up()]);
                    let [from, to] =
                        rng.pick(&[[ray.t_min, end], [end, ray.t_max], [end.max(0.0), end]]);
                    look(
                        &world,
                        &ray.with_interval(from, to),
                        None,
                        &mut asked,
                        &mut seen,
                    );
                }
            }
            look_at_bundles(&world, &asked, &mut seen);
        }
        [seen, of_64]
    });
    let (of_32, of_64): (Vec<_>, Vec<_>) = of_seeds.into_iter().map(|[a, b]| (a, b)).unzip();
    [of_32, of_64].map(|of_seeds| {
        of_seeds
            .into_iter()
            .fold(Seen::default(), |all, seen| Seen {
                asked: all.asked + seen.asked,
                certain: all.certain + seen.certain,
                hits: all.hits + seen.hits,
                rounded: all.rounded + seen.rounded,
                nested: all.nested + seen.nested,
                bundled: all.bundled + seen.bundled,
                wrong: all.wrong + seen.wrong,
            })
    })
}

/// Inverses that are off by up to 2^-37, as much as kernels take.
const NOISES: &[f64] = &[0.0, 0.0, 1e-14, 7e-12];

#[test]
fn answers_of_kernels_are_those_of_all_triangles() {
    let (seeds, rays) = if Effort::is_long() {
        (150, 400)
    } else {
        (2, 16)
    };
    for (of, seen) in ["f32", "f64"]
        .into_iter()
        .zip(search(seeds, rays, NOISES, 1.0))
    {
        let Seen {
            asked,
            certain,
            hits,
            rounded,
            nested,
            bundled,
            wrong,
        } = seen;
        println!(
            "{of}: {asked} answers, {certain} certain, {bundled} of bundles; {hits} hits, {nested} nested, {rounded} rounded"
        );
        assert_eq!(wrong, 0);
        // Most of these rays are aimed at corners and edges, where kernels leave answers open.
        assert!(certain > asked / 10 && hits > certain / 20 && rounded > hits / 8);
        assert!(nested > hits / 20 && (of == "f64" || bundled > certain / 20));
    }
}

#[test]
fn the_search_finds_understated_errors() {
    for Seen { wrong, rounded, .. } in search(4, 40, &[7e-12], 0.0) {
        println!("{wrong} wrong of {rounded}");
        assert!(wrong > 0);
    }
}

/// Asks about rays at the inside of triangles in worlds far from the origin, where the rounding of composed
/// matrices moves most.
fn search_far(told_reach: f64) -> Seen {
    let worlds = if Effort::is_long() { 400 } else { 40 };
    let mut rng = Rng::named(7, "far worlds");
    let mut seen = Seen::default();
    for _ in 0..worlds {
        let mut corner = || rng.point() * 4.0;
        let triangles: Vec<_> = (0..12)
            .map(|_| Triangle::new(corner(), corner(), corner()))
            .collect();
        let parts = Parts::far(&triangles, told_reach, &mut rng);
        let world = World::of_parts(&parts, &triangles, 0.0, 1.0, &mut rng);
        let mut asked = Vec::new();
        for _ in 0..100 {
            let [a, b, c] = rng.pick(&triangles).corners();
            let (u, v) = (rng.below(100) as f32 / 200.0, rng.below(100) as f32 / 200.0);
            let at = a + (b - a) * u + (c - a) * v;
            let ray = Ray::new(at + rng.point() * 8.0, rng.point());
            let ray = Ray::new(ray.origin, at - ray.origin);
            let wide = world.wide_ray(&ray, &mut rng);
            look_at_64(&world, &wide, None, &mut seen);
            look(&world, &wide.to_ray(), None, &mut asked, &mut seen);
        }
        look_at_bundles(&world, &asked, &mut seen);
    }
    seen
}

#[test]
fn hits_in_worlds_far_from_the_origin_are_rounded_as_composed_matrices_place_them() {
    let Seen {
        wrong,
        nested,
        rounded,
        ..
    } = search_far(1.0);
    println!("{rounded} rounded of {nested}");
    assert_eq!(wrong, 0);
    assert!(nested > 1000 && rounded > nested / 20);
}

#[test]
fn an_understated_reach_of_worlds_is_found() {
    // Less than none: translations, which count besides, are as far as what is placed there reaches.
    let Seen { wrong, rounded, .. } = search_far(-0.11);
    println!("{wrong} wrong of {rounded}");
    assert!(wrong > 0);
}

#[test]
fn items_are_found_by_their_numbers() {
    let boxes = (0..1000u32).map(|i| {
        let at = [f64::from(i * 7 % 1000), 0.0, 0.0];
        (3 * i, [at, at.map(|x| x + 0.5)])
    });
    let mut tree = BoxTree::build(boxes.collect()).expect("there is enough memory");
    let numbers = tree.number_by_leaves();
    let item = |number: u32| PlacedItem {
        inverse: InverseMap::NONE,
        object: PlacedObject::Other(number),
    };
    let items = PlacedItems::of(&numbers, item);
    let held = items.clone();
    let mut changed = items;
    let bvh = Arc::new(bvh_of(&[Triangle::new(Vec3::ZERO, Vec3::X, Vec3::Y)]));
    let with_mesh = |number: u32| PlacedItem {
        inverse: InverseMap::NONE,
        object: PlacedObject::Mesh(number, bvh.clone()),
    };
    let is_mesh = |item: &PlacedItem| matches!(item.object, PlacedObject::Mesh(..));
    let places = changed.update(&[30, 2997, 31], with_mesh);
    assert_eq!(
        places
            .iter()
            .map(|&place| numbers[place as usize])
            .collect::<Vec<_>>(),
        [30, 2997]
    );
    for (place, &number) in (0..).zip(&numbers) {
        assert_eq!(changed.at(place).number(), number);
        assert_eq!(is_mesh(changed.at(place)), [30, 2997].contains(&number));
        assert!(!is_mesh(held.at(place)));
    }
    assert!(changed.bytes() > 1000 * size_of::<PlacedItem>());
}

#[test]
fn a_refitted_mesh_has_another_box() {
    let mesh_at = |z: f32| {
        let corners = [[0.0, 0.0, z], [1.0, 0.0, z], [0.0, 1.0, z]];
        Mesh::try_new(corners, [[0, 1, 2]]).expect("finite corners")
    };
    let rows = PlacementMatrix::IDENTITY.rows();
    let mut bvh = Bvh::build(&mesh_at(1.0));
    let [min, max] = bvh.image_bounds(&rows).expect("of usual size");
    assert!(min[2] <= 1.0 && max[2] >= 1.0 && max[2] - min[2] < 1e-6);
    bvh.refit(&mesh_at(5.0)).expect("as many triangles");
    let [min, max] = bvh.image_bounds(&rows).expect("of usual size");
    assert!(min[2] <= 5.0 && max[2] >= 5.0 && max[2] - min[2] < 1e-6);
}

#[test]
fn boxes_around_placed_meshes_hold_all_corners() {
    let seeds = if Effort::is_long() { 100 } else { 2 };
    let (mut boxes, mut tight) = (0, 0);
    for seed in 0..seeds {
        let mut rng = Rng::named(seed, "images");
        for mut scene in scenes(seed) {
            scene.triangles.retain(Triangle::is_finite);
            let bvh = bvh_of(&scene.triangles);
            let reach = bvh
                .bounds()
                .max()
                .abs()
                .max(bvh.bounds().min().abs())
                .max_element();
            for _ in 0..10 {
                let matrix = matrix(&mut rng);
                let Some([min, max]) = bvh.image_bounds(&matrix.rows()) else {
                    // Nothing, or so small or large that the kernels of plain rays are unfit for it.
                    continue;
                };
                let map = matrix.to_affine();
                let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
                let mut size = map.translation.abs();
                for p in scene.triangles.iter().flat_map(Triangle::corners) {
                    let image = map.transform_point3(p.as_dvec3());
                    (low, high) = (low.min(image), high.max(image));
                }
                for axis in DVec3::AXES {
                    size += map.transform_vector3(axis).abs() * f64::from(reach);
                }
                let lost = size * (2.0 * f64::EPSILON);
                assert!(
                    DVec3::from(min).cmple(low + lost).all(),
                    "{} {matrix:?}",
                    scene.name
                );
                assert!(
                    DVec3::from(max).cmpge(high - lost).all(),
                    "{} {matrix:?}",
                    scene.name
                );
                let more = DVec3::from(max) - DVec3::from(min) - (high - low);
                boxes += 3;
                tight += more
                    .to_array()
                    .into_iter()
                    .zip(size.to_array())
                    .filter(|(more, size)| *more < 0.2 * size)
                    .count();
            }
        }
    }
    println!("{boxes} extents, {tight} of them tight");
    assert!(boxes > 500 && tight > boxes / 10 * 9);
}
