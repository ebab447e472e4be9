//! Scenes of placed spheres and boxes that are most likely to reveal a fault.

use super::Rng;
use super::case_shape::CaseShape;
use super::placements::{
    CaseObject, CasePlacement, PlacementCase, affine, exact, far, near_singular, placement, scaled,
    sheared,
};
use estoc_core::glam::{DVec3, Vec3};
use estoc_core::{Aabb, Ray, Sphere, Triangle};

/// The kinds of cases with shapes. In the first four, and where surfaces coincide, hits at poles, edges
/// and corners are exact.
pub const SHAPE_KINDS: &[&str] = &[
    "shapes in place",
    "exact shapes",
    "coincident shapes",
    "nested shapes",
    "any affine shapes",
    "sheared shapes",
    "near singular shapes",
    "shapes of all scales",
    "far shapes",
];

/// Returns a case of a kind, or `None` if there is no such kind.
pub fn shape_case(kind: &str, seed: u64) -> Option<PlacementCase> {
    let &kind = SHAPE_KINDS.iter().find(|other| **other == kind)?;
    let mut rng = Rng::named(seed, kind);
    let rng = &mut rng;
    let is_exact = SHAPE_KINDS.iter().position(|other| *other == kind) < Some(4) || rng.one_in(2);
    let matrix: fn(&mut Rng) -> [[f64; 4]; 3] = match kind {
        "shapes in place" => |_| {
            let mut rows = [[0.0; 4]; 3];
            (0..3).for_each(|axis| rows[axis][axis] = 1.0);
            rows
        },
        "exact shapes" | "coincident shapes" | "nested shapes" => exact,
        "sheared shapes" => sheared,
        "near singular shapes" => near_singular,
        "shapes of all scales" => scaled,
        "far shapes" => far,
        _ => affine,
    };
    let mut shapes: Vec<Vec<CaseShape>> = (0..2).map(|_| list(is_exact, rng)).collect();
    let mut meshes = vec![mesh_of(&shapes[0])];
    if kind == "coincident shapes" {
        let [center, size] = [rng.grid_point(3), Vec3::ONE * rng.int(1, 4) as f32];
        let around = Aabb::of_points([center - size, center + size]);
        let ball = Sphere::try_new(center, size.x).expect("finite");
        let axes = CaseShape::Axes {
            center,
            axes: [Vec3::Y, Vec3::NEG_X, Vec3::Z],
            half_sizes: size,
        };
        let all = [CaseShape::Sphere(ball), CaseShape::Aabb(around), axes];
        shapes[0] = all.to_vec();
        shapes[1] = vec![all[rng.below(3)], all[rng.below(3)]];
        meshes[0] = mesh_of(&all[1..2]);
    }
    let objects = [
        CaseObject::Shapes(0),
        CaseObject::Shapes(1),
        CaseObject::Mesh(0),
    ];
    let rows = matrix(rng);
    let one_matrix = kind == "coincident shapes" || rng.one_in(3);
    let place = |object, rng: &mut Rng| {
        let rows = if one_matrix { rows } else { matrix(rng) };
        placement(object, rows, rng)
    };
    let inner: Vec<CasePlacement> = objects.map(|object| place(object, rng)).to_vec();
    let scenes = match kind {
        "nested shapes" => {
            let outer = [
                CaseObject::Scene(0),
                CaseObject::Shapes(1),
                CaseObject::Scene(0),
            ];
            vec![inner, outer.map(|object| place(object, rng)).to_vec()]
        }
        _ => vec![inner],
    };
    Some(PlacementCase {
        kind,
        seed,
        masks: vec![None; meshes.len()],
        wide: vec![None; meshes.len()],
        meshes,
        shapes,
        scenes,
    })
}

fn list(is_exact: bool, rng: &mut Rng) -> Vec<CaseShape> {
    let mut list = Vec::new();
    while list.len() < 4 {
        let made = made(is_exact, rng);
        if made.shape().is_some() {
            list.push(made);
        }
    }
    if rng.one_in(8) {
        list[1] = CaseShape::Aabb(Aabb::EMPTY);
    }
    list
}

fn made(is_exact: bool, rng: &mut Rng) -> CaseShape {
    let point = |rng: &mut Rng| match is_exact {
        true => rng.grid_point(8) / 2.0,
        false => rng.point() * 4.0,
    };
    let center = point(rng);
    match rng.below(4) {
        0 => {
            let radius = match rng.below(6) {
                0 => 0.0,
                _ => point(rng).x.abs(),
            };
            CaseShape::Sphere(Sphere::try_new(center, radius).expect("finite"))
        }
        1 => {
            let mut other = point(rng);
            if rng.one_in(4) {
                other.y = center.y;
            }
            CaseShape::Aabb(Aabb::of_points([center, other]))
        }
        2 => {
            let turned = [[0.6, 0.8, 0.0], [-0.8, 0.6, 0.0], [0.0, 0.0, 1.0]].map(Vec3::from);
            let axes = [
                [Vec3::Y, Vec3::NEG_X, Vec3::Z],
                [Vec3::Z, Vec3::Y, Vec3::X],
                turned,
            ];
            CaseShape::Axes {
                center,
                axes: rng.pick(&axes[..if is_exact { 2 } else { 3 }]),
                half_sizes: point(rng).abs(),
            }
        }
        _ => CaseShape::Model {
            local: Aabb::of_points([point(rng), point(rng)]),
            columns: [point(rng), point(rng), point(rng)],
            translation: center,
        },
    }
}

/// Returns the faces of the first box, if there is one.
fn mesh_of(shapes: &[CaseShape]) -> Vec<Triangle> {
    let boxes = shapes.iter().filter_map(|shape| match shape {
        CaseShape::Aabb(bounds) if !bounds.is_empty() => Some(*bounds),
        _ => None,
    });
    let first = { boxes }.next();
    first.map_or(Vec::new(), |bounds| {
        let half = (bounds.max() - bounds.min()).as_dvec3() / 2.0;
        let center = bounds.min().as_dvec3() + half;
        let [x, y, z] = half.to_array();
        let frame = [center, DVec3::X * x, DVec3::Y * y, DVec3::Z * z];
        let corners = outline(&frame);
        let faces = corners.chunks_exact(3);
        let narrow = |p: DVec3| p.as_vec3();
        faces
            .map(|p| Triangle::new(narrow(p[0]), narrow(p[1]), narrow(p[2])))
            .collect()
    })
}

/// Returns the corners of the twelve triangles of a box, three for each, of its frame.
pub fn outline([center, x, y, z]: &[DVec3; 4]) -> Vec<DVec3> {
    let mut corners = Vec::with_capacity(36);
    for (a, b, c) in [(x, y, z), (y, z, x), (z, x, y)] {
        for side in [1.0, -1.0] {
            let at = |i: f64, j: f64| center + c * side + a * i + b * j * side;
            let [p, q, r, s] = [at(-1.0, -1.0), at(1.0, -1.0), at(1.0, 1.0), at(-1.0, 1.0)];
            corners.extend([p, q, r, p, r, s]);
        }
    }
    corners
}

/// Returns a ray that touches a shape at a pole, an edge or a corner, or enters or leaves there, exactly
/// unless a sum is rounded.
pub fn ray_at_shape([center, x, y, z]: &[DVec3; 4], rng: &mut Rng) -> Ray {
    let axes = [x, y, z];
    let turn = rng.below(3);
    let [a, b, c] = [0, 1, 2].map(|i| axes[(i + turn) % 3] * rng.pick(&[1.0, -1.0]));
    let at = center + a + b * rng.pick(&[0.0, 0.0, 1.0, 0.5]) + c * rng.pick(&[0.0, 0.0, 1.0]);
    let small = |rng: &mut Rng| f64::from(rng.int(-2, 2));
    let dir = match rng.below(4) {
        // In the plane that touches a sphere there, or in a face.
        0 => b * small(rng) + c * small(rng),
        // Through an edge.
        1 => a - b,
        2 => a * small(rng) + b * small(rng) + c * small(rng),
        _ => -a,
    };
    let dir = dir * rng.pick(&[1.0, 0.5, 0.25]);
    let origin = at - dir * f64::from(rng.int(-1, 4));
    Ray::new(origin.as_vec3(), dir.as_vec3())
}
