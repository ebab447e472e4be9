//! Rays at meshes that are placed in a world, answered by kernels in the meshes' spaces where those are
//! certain, one by one and in bundles, and boxes around placed meshes.

use estoc_bvh::object_space::{
    BoxTree, FirstPlaced, InverseMap, LANES, PlacedBundles, PlacedItem, PlacedItems, PlacedObject,
    PlacedSkip, PlacedWorld,
};
use estoc_bvh::{Bvh, SimdLevel};
use estoc_core::exact::PreparedRay;
use estoc_core::glam::{DAffine3, DMat3, DQuat, DVec3, EulerRot, Vec3};
use estoc_core::{
    Collector, PlacedTriangle, PlacementMatrix, PrimId, QueryOptions, Ray, SceneHit, ScenePath,
    ScenePrim, Triangle,
};
use estoc_mesh::Mesh;
use estoc_testkit::conformance::{Effort, on_all_cores};
use estoc_testkit::generate::{Rng, rays, scenes};
use std::sync::Arc;

/// 2^-53.
const V: f64 = f64::EPSILON / 2.0;

fn bvh_of(triangles: &[Triangle]) -> Bvh {
    let corners = triangles.iter().flat_map(Triangle::corners);
    let faces = (0..triangles.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]);
    Bvh::build(&Mesh::try_new(corners, faces).expect("finite corners"))
}

/// Returns a matrix: one of whole numbers, a turned one, one that mirrors and shears, or a thin one.
fn matrix(rng: &mut Rng) -> PlacementMatrix {
    let mut column = || [0; 3].map(|_| f64::from(rng.signed()));
    let (a, b) = (DVec3::from(column()), DVec3::from(column()));
    let turned = {
        let x = a.normalize_or(DVec3::X);
        let y = x.cross(b).normalize_or(x.any_orthonormal_vector());
        DMat3::from_cols(x, y, x.cross(y))
    };
    let size = 2f64.powi(rng.int(-6, 6));
    let linear = match rng.below(5) {
        0 => DMat3::from_diagonal(DVec3::from(
            [0; 3].map(|_| size * rng.pick(&[1.0, -1.0, 2.0])),
        )),
        1 => turned * DMat3::from_diagonal(DVec3::new(size, 1.3 * size, 0.4 * size)),
        2 => {
            turned
                * DMat3::from_cols(
                    DVec3::new(-1.0, 0.3, 0.0),
                    DVec3::Y,
                    DVec3::new(0.0, 2.0, 1.0),
                )
        }
        3 => turned * DMat3::from_diagonal(DVec3::new(size, size, 1e-3 * size)),
        _ => turned * size,
    };
    let way = rng.pick(&[0.0, 1.0, 8.0, 500.0]);
    let moved = [0; 3].map(|_| (way * f64::from(rng.signed())).round());
    let row = |axis: usize| {
        let row = linear.row(axis);
        [row.x, row.y, row.z, moved[axis]]
    };
    PlacementMatrix::from_rows([row(0), row(1), row(2)]).expect("an inverse")
}

/// Returns an inverse that is off by about `noise`, relative, and states `told` times its bounds.
fn inverse(matrix: &PlacementMatrix, noise: f64, told: f64, rng: &mut Rng) -> InverseMap {
    let linear = matrix.to_affine().matrix3;
    let columns = linear.inverse().to_cols_array_2d();
    let columns = columns.map(|column| column.map(|x| x * (1.0 + noise * f64::from(rng.signed()))));
    let rest = DMat3::IDENTITY - DMat3::from_cols_array_2d(&columns) * linear;
    let sum = |of: &dyn Fn(usize, usize) -> f64| {
        (0..3)
            .map(|row| (0..3).map(|column| of(column, row).abs()).sum::<f64>())
            .fold(0.0, f64::max)
    };
    let norm = sum(&|column, row| columns[column][row]);
    let condition = norm * sum(&|column, row| linear.col(column)[row]);
    let residue = sum(&|column, row| rest.col(column)[row]) + condition * 20.0 * V;
    let share = norm * (residue * 1.34 * told + 7.0 * V);
    let norm = norm * (1.0 + 8.0 * V);
    InverseMap::new(
        columns,
        matrix.translation(),
        [norm, share].map(|x| (x as f32).next_up()),
    )
}

/// A world of placed meshes, some of them perhaps in worlds that are placed in it.
struct World {
    /// One for each set of instructions.
    worlds: Vec<PlacedWorld>,
    all: Vec<(ScenePrim, PlacedTriangle)>,
    /// Those of the meshes in the world.
    matrices: Vec<PlacementMatrix>,
}

/// What is placed in a world: a mesh, or one of the worlds in it.
struct Part {
    matrix: PlacementMatrix,
    inner: Option<usize>,
}

/// What worlds are made of.
struct Parts {
    bvh: Arc<Bvh>,
    outer: Vec<Part>,
    inner: Vec<Vec<Part>>,
    /// How often the true reach of worlds is stated.
    told_reach: f64,
}

impl Parts {
    fn of(triangles: &[Triangle], rng: &mut Rng) -> Self {
        let parts = |most: usize, rng: &mut Rng| {
            let part = |matrix| Part {
                matrix,
                inner: None,
            };
            let mut parts: Vec<Part> = (0..2 + rng.below(most))
                .map(|_| part(matrix(rng)))
                .collect();
            if rng.one_in(3) {
                parts.push(part(parts[0].matrix)); // in the same place
            }
            parts
        };
        let mut outer = parts(4, rng);
        let inner: Vec<_> = (0..rng.below(3)).map(|_| parts(2, rng)).collect();
        for part in &mut outer {
            if !inner.is_empty() && rng.one_in(2) {
                part.inner = Some(rng.below(inner.len()));
            }
        }
        Parts {
            bvh: Arc::new(bvh_of(triangles)),
            outer,
            inner,
            told_reach: 1.0,
        }
    }

    /// Returns four worlds, far apart, of the same three meshes.
    fn far(triangles: &[Triangle], told_reach: f64, rng: &mut Rng) -> Self {
        let part = |way: f64, inner: Option<usize>, rng: &mut Rng| {
            let turned = DQuat::from_euler(
                EulerRot::XYZ,
                f64::from(rng.signed()),
                f64::from(rng.signed()),
                f64::from(rng.signed()),
            );
            let moved = [0; 3].map(|_| way * f64::from(rng.signed()));
            let map = DAffine3::from_rotation_translation(turned, moved.into());
            let matrix = PlacementMatrix::try_new(&map).expect("an inverse");
            Part { matrix, inner }
        };
        Parts {
            bvh: Arc::new(bvh_of(triangles)),
            outer: (0..4).map(|_| part(1e6, Some(0), rng)).collect(),
            inner: vec![(0..3).map(|_| part(20.0, None, rng)).collect()],
            told_reach,
        }
    }

    /// Returns the path to each mesh that is placed, and its matrix.
    fn meshes(&self) -> Vec<(ScenePath, PlacementMatrix)> {
        let then = |path: ScenePath, number| path.then(number).expect("two levels");
        let outer = (0..).zip(&self.outer);
        let meshes = outer.flat_map(|(number, part)| {
            let path = then(ScenePath::ROOT, number);
            match part.inner {
                None => vec![(path, part.matrix)],
                Some(inner) => {
                    let composed = |of: &Part| part.matrix.compose(&of.matrix);
                    let inner = (0..).zip(&self.inner[inner]);
                    inner
                        .map(|(number, of)| (then(path, number), composed(of).expect("an inverse")))
                        .collect()
                }
            }
        });
        meshes.collect()
    }

    /// Returns the largest sum of the sizes of all terms of a coordinate of what a world holds.
    fn reach(&self, parts: &[Part], outer: &PlacementMatrix) -> f64 {
        let bounds = self.bvh.bounds();
        let own = bounds
            .min()
            .abs()
            .max(bounds.max().abs())
            .as_dvec3()
            .to_array();
        let image = |matrix: &PlacementMatrix, p: [f64; 3]| {
            matrix.rows().map(|[x, y, z, moved]| {
                x.abs() * p[0] + y.abs() * p[1] + z.abs() * p[2] + moved.abs()
            })
        };
        let all = parts
            .iter()
            .flat_map(|part| image(outer, image(&part.matrix, own)));
        all.fold(0.0, f64::max) * (1.0 + 8.0 * f64::EPSILON)
    }

    /// Returns the world of some parts, with boxes around the images of meshes under a matrix and that of the
    /// part.
    fn world(
        &self,
        parts: &[Part],
        inverses: &[InverseMap],
        inner: &[Arc<PlacedWorld>],
        level: SimdLevel,
    ) -> PlacedWorld {
        let bounds = |matrix: &PlacementMatrix| {
            self.bvh
                .image_bounds(&matrix.rows())
                .expect("of usual size")
        };
        let boxes = (0..).zip(parts).map(|(number, part)| {
            let matrices = match part.inner {
                None => vec![part.matrix],
                Some(inner) => {
                    let inner = self.inner[inner].iter();
                    inner
                        .map(|of| part.matrix.compose(&of.matrix).expect("an inverse"))
                        .collect()
                }
            };
            let boxes = matrices.iter().map(bounds);
            let all = boxes.reduce(|[a, b], [c, d]| {
                let low = DVec3::from(a).min(c.into());
                [low, DVec3::from(b).max(d.into())].map(DVec3::into)
            });
            (number, all.expect("not empty"))
        });
        let mut tree = BoxTree::build(boxes.collect()).expect("there is enough memory");
        let numbers = tree.number_by_leaves();
        let items = PlacedItems::of(&numbers, |number| {
            let part = &parts[number as usize];
            let inverse = inverses[number as usize];
            match part.inner {
                None => PlacedItem {
                    inverse,
                    object: PlacedObject::Mesh(number, self.bvh.clone()),
                },
                Some(of) => PlacedItem {
                    inverse: inverse
                        .to_world(self.told_reach * self.reach(&self.inner[of], &part.matrix)),
                    object: PlacedObject::World(number, inner[of].clone()),
                },
            }
        });
        PlacedWorld {
            tree: tree.with_simd_level(level),
            items,
        }
    }
}

impl World {
    fn of(triangles: &[Triangle], noise: f64, told: f64, rng: &mut Rng) -> Self {
        let parts = Parts::of(triangles, rng);
        World::of_parts(&parts, triangles, noise, told, rng)
    }

    fn of_parts(
        parts: &Parts,
        triangles: &[Triangle],
        noise: f64,
        told: f64,
        rng: &mut Rng,
    ) -> Self {
        let mut inverses = |parts: &[Part]| -> Vec<InverseMap> {
            let matrices = parts.iter().map(|part| part.matrix);
            matrices
                .map(|matrix| inverse(&matrix, noise, told, rng))
                .collect()
        };
        let outer = inverses(&parts.outer);
        let inner: Vec<_> = parts.inner.iter().map(|parts| inverses(parts)).collect();
        let worlds = SimdLevel::available().into_iter().map(|level| {
            let inner = parts.inner.iter().zip(&inner);
            let inner = inner.map(|(of, inverses)| Arc::new(parts.world(of, inverses, &[], level)));
            let inner: Vec<_> = inner.collect();
            parts.world(&parts.outer, &outer, &inner, level)
        });
        let meshes = parts.meshes();
        let all = meshes.iter().flat_map(|&(path, matrix)| {
            triangles.iter().enumerate().map(move |(prim, triangle)| {
                let prim = PrimId::from_index(prim).expect("few");
                let id = ScenePrim::triangle(path, prim);
                (id, PlacedTriangle::new(*triangle, matrix))
            })
        });
        World {
            worlds: worlds.collect(),
            all: all.collect(),
            matrices: meshes.iter().map(|&(_, matrix)| matrix).collect(),
        }
    }

    /// Returns the first hit by tests of all triangles.
    fn first(&self, question: PreparedRay<'_>, skip: Option<ScenePrim>) -> Option<SceneHit> {
        let options = QueryOptions::default().skip(skip);
        let mut collector = Collector::<PlacedTriangle>::first(question, &options, None);
        for (id, placed) in &self.all {
            if collector.offer(*id, placed).is_break() {
                break;
            }
        }
        collector.first_found()
    }

    /// Returns a ray of an object's space as one in the world, rounded.
    fn ray(&self, ray: &Ray, rng: &mut Rng) -> Ray {
        let map = rng.pick(&self.matrices).to_affine();
        let dir = map.transform_vector3(ray.dir.as_dvec3());
        let origin = map.transform_point3(ray.origin.as_dvec3());
        let dir = match rng.one_in(2) {
            true => dir,
            false => dir.normalize_or_zero(),
        };
        Ray::new(origin.as_vec3(), dir.as_vec3()).with_interval(ray.t_min, ray.t_max)
    }
}

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
    fn take_any(&mut self, found: Option<bool>, expected: Option<&SceneHit>, ray: &Ray) {
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
        ray: &Ray,
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

fn search(seeds: usize, rays_per_scene: usize, noises: &[f64], told: f64) -> Seen {
    let of_seeds = on_all_cores(seeds, |seed| {
        let mut seen = Seen::default();
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
            let mut asked = Vec::new();
            for ray in rays(&scene, &mut rng, rays_per_scene) {
                let ray = world.ray(&ray, &mut rng);
                look(&world, &ray, None, &mut asked, &mut seen);
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
        seen
    });
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
    let Seen {
        asked,
        certain,
        hits,
        rounded,
        nested,
        bundled,
        wrong,
    } = search(seeds, rays, NOISES, 1.0);
    println!(
        "{asked} answers, {certain} certain, {bundled} of bundles; {hits} hits, {nested} nested, {rounded} rounded"
    );
    assert_eq!(wrong, 0);
    // Most of these rays are aimed at corners and edges, where kernels leave answers open.
    assert!(certain > asked / 10 && hits > certain / 20 && rounded > hits / 8);
    assert!(nested > hits / 20 && bundled > certain / 20);
}

#[test]
fn the_search_finds_understated_errors() {
    let Seen { wrong, rounded, .. } = search(4, 40, &[7e-12], 0.0);
    println!("{wrong} wrong of {rounded}");
    assert!(wrong > 0);
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
            let ray = world.ray(&ray, &mut rng);
            look(&world, &ray, None, &mut asked, &mut seen);
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
