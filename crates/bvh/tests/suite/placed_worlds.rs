//! Worlds of placed meshes and of worlds, with all their triangles.

use estoc_bvh::object_space::{
    BoxTree, InverseMap, PlacedItem, PlacedItems, PlacedObject, PlacedWorld,
};
use estoc_bvh::{Bvh, SimdLevel};
use estoc_core::exact::PreparedRay;
use estoc_core::glam::{DAffine3, DMat3, DQuat, DVec3, EulerRot};
use estoc_core::{
    Collector, PlacedTriangle, PlacementMatrix, PrimId, QueryOptions, Ray, Ray64, RayKind, RayTest,
    SceneHit, ScenePath, ScenePrim, Triangle,
};
use estoc_mesh::Mesh;
use estoc_testkit::generate::Rng;
use std::sync::Arc;

/// 2^-53.
pub(crate) const V: f64 = f64::EPSILON / 2.0;

pub(crate) fn bvh_of(triangles: &[Triangle]) -> Bvh {
    let corners = triangles.iter().flat_map(Triangle::corners);
    let faces = (0..triangles.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]);
    Bvh::build(&Mesh::try_new(corners, faces).expect("finite corners"))
}

/// Returns a matrix: one of whole numbers, a turned one, one that mirrors and shears, or a thin one.
pub(crate) fn matrix(rng: &mut Rng) -> PlacementMatrix {
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
pub(crate) fn inverse(
    matrix: &PlacementMatrix,
    noise: f64,
    told: f64,
    rng: &mut Rng,
) -> InverseMap {
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
pub(crate) struct World {
    /// One for each set of instructions.
    pub(crate) worlds: Vec<PlacedWorld>,
    pub(crate) all: Vec<(ScenePrim, PlacedTriangle)>,
    /// Those of the meshes in the world.
    pub(crate) matrices: Vec<PlacementMatrix>,
}

/// What is placed in a world: a mesh, or one of the worlds in it.
pub(crate) struct Part {
    pub(crate) matrix: PlacementMatrix,
    pub(crate) inner: Option<usize>,
}

/// What worlds are made of.
pub(crate) struct Parts {
    pub(crate) bvh: Arc<Bvh>,
    pub(crate) outer: Vec<Part>,
    pub(crate) inner: Vec<Vec<Part>>,
    /// How often the true reach of worlds is stated.
    pub(crate) told_reach: f64,
}

impl Parts {
    pub(crate) fn of(triangles: &[Triangle], rng: &mut Rng) -> Self {
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
    pub(crate) fn far(triangles: &[Triangle], told_reach: f64, rng: &mut Rng) -> Self {
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
    pub(crate) fn meshes(&self) -> Vec<(ScenePath, PlacementMatrix)> {
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
    pub(crate) fn reach(&self, parts: &[Part], outer: &PlacementMatrix) -> f64 {
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
    pub(crate) fn world(
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
    pub(crate) fn of(triangles: &[Triangle], noise: f64, told: f64, rng: &mut Rng) -> Self {
        let parts = Parts::of(triangles, rng);
        World::of_parts(&parts, triangles, noise, told, rng)
    }

    pub(crate) fn of_parts(
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
    pub(crate) fn first<R: RayKind>(
        &self,
        question: PreparedRay<'_, R>,
        skip: Option<ScenePrim>,
    ) -> Option<SceneHit>
    where
        PlacedTriangle: RayTest<R, Id = ScenePrim, Hit = SceneHit>,
    {
        let options = QueryOptions::default().skip(skip);
        let mut collector = Collector::<PlacedTriangle, R>::first(question, &options, None);
        for (id, placed) in &self.all {
            if collector.offer(*id, placed).is_break() {
                break;
            }
        }
        collector.first_found()
    }

    /// Returns the corners of all triangles, rounded.
    pub(crate) fn corners(&self) -> Vec<DVec3> {
        let of = |placed: &PlacedTriangle| {
            let map = placed.matrix.to_affine();
            placed.triangle.corners().map(|p| map.transform_point3(p))
        };
        self.all.iter().flat_map(|(_, placed)| of(placed)).collect()
    }

    /// Returns a ray of an object's space as one in the world, rounded.
    pub(crate) fn ray(&self, ray: &Ray, rng: &mut Rng) -> Ray {
        self.wide_ray(ray, rng).to_ray()
    }

    /// Returns the same in `f64`.
    pub(crate) fn wide_ray(&self, ray: &Ray, rng: &mut Rng) -> Ray64 {
        let map = rng.pick(&self.matrices).to_affine();
        let dir = map.transform_vector3(ray.dir.as_dvec3());
        let origin = map.transform_point3(ray.origin.as_dvec3());
        let dir = match rng.one_in(2) {
            true => dir,
            false => dir.normalize_or_zero(),
        };
        Ray64::new(origin, dir).with_interval(ray.t_min.into(), ray.t_max.into())
    }
}
