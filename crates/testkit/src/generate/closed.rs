//! Closed meshes.

use super::Rng;
use super::shape::{map, quad, scrambled};
use super::soups::FAR;
use estoc_core::Triangle;
use estoc_core::glam::Vec3;

pub(super) fn tetrahedron(rng: &mut Rng) -> Vec<Triangle> {
    let [a, b, c, d] = [0; 4].map(|_| rng.point());
    tetrahedron_of(a, b, c, d)
}

pub(super) fn grid_tetrahedra(rng: &mut Rng) -> Vec<Triangle> {
    let count = 1 + rng.below(8);
    (0..count)
        .flat_map(|_| {
            let [a, b, c, d] = [0; 4].map(|_| rng.grid_point(2));
            tetrahedron_of(a, b, c, d)
        })
        .collect()
}

fn tetrahedron_of(a: Vec3, b: Vec3, c: Vec3, d: Vec3) -> Vec<Triangle> {
    vec![
        Triangle::new(a, c, b),
        Triangle::new(a, b, d),
        Triangle::new(b, c, d),
        Triangle::new(a, d, c),
    ]
}

fn box_of(min: Vec3, max: Vec3) -> Vec<Triangle> {
    let corner = |x: usize, y: usize, z: usize| {
        let pick = |axis: usize, high: usize| if high == 1 { max[axis] } else { min[axis] };
        Vec3::new(pick(0, x), pick(1, y), pick(2, z))
    };
    let faces = [
        [[0, 0, 0], [0, 0, 1], [0, 1, 1], [0, 1, 0]],
        [[1, 0, 0], [1, 1, 0], [1, 1, 1], [1, 0, 1]],
        [[0, 0, 0], [1, 0, 0], [1, 0, 1], [0, 0, 1]],
        [[0, 1, 0], [0, 1, 1], [1, 1, 1], [1, 1, 0]],
        [[0, 0, 0], [0, 1, 0], [1, 1, 0], [1, 0, 0]],
        [[0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]],
    ];
    faces
        .iter()
        .flat_map(|face| {
            let [a, b, c, d] = face.map(|[x, y, z]| corner(x, y, z));
            quad(a, b, c, d)
        })
        .collect()
}

pub(super) fn unit_box(rng: &mut Rng) -> Vec<Triangle> {
    let triangles = box_of(Vec3::splat(-1.0), Vec3::splat(1.0));
    scrambled(rng, triangles)
}

/// Boxes that share corners, edges and parts of faces, or contain one another.
pub(super) fn boxes(rng: &mut Rng) -> Vec<Triangle> {
    let count = 1 + rng.below(6);
    let triangles = (0..count)
        .flat_map(|_| {
            let (a, b) = (rng.grid_point(3), rng.grid_point(3));
            box_of(a.min(b), a.max(b))
        })
        .collect();
    scrambled(rng, triangles)
}

/// Returns an octahedron whose faces are repeatedly split in four, every new corner moved to the
/// unit sphere. Neighbours compute the midpoint of an edge from the same two corners, so the mesh
/// is closed.
fn ball(splits: usize) -> Vec<Triangle> {
    let [x, y, z] = Vec3::AXES;
    let mut faces = Vec::new();
    for (sx, sy, sz) in (0..8).map(|i| (i & 1, i >> 1 & 1, i >> 2)) {
        let sign = |s: i32| if s == 1 { -1.0 } else { 1.0 };
        let (a, b, c) = (x * sign(sx), y * sign(sy), z * sign(sz));
        let odd = (sx + sy + sz) % 2 == 1;
        faces.push(if odd {
            Triangle::new(a, c, b)
        } else {
            Triangle::new(a, b, c)
        });
    }
    for _ in 0..splits {
        faces = faces
            .into_iter()
            .flat_map(|face| {
                let [a, b, c] = face.corners();
                let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a));
                [
                    Triangle::new(a, ab, ca),
                    Triangle::new(ab, b, bc),
                    Triangle::new(ca, bc, c),
                    Triangle::new(ab, bc, ca),
                ]
            })
            .collect();
    }
    faces
}

fn middle(a: Vec3, b: Vec3) -> Vec3 {
    let sum = a + b;
    let length = (sum.x * sum.x + sum.y * sum.y + sum.z * sum.z).sqrt();
    sum / length
}

fn some_ball(rng: &mut Rng) -> Vec<Triangle> {
    ball(rng.pick(&[0, 1, 1, 2, 2, 2, 3]))
}

pub(super) fn sphere(rng: &mut Rng) -> Vec<Triangle> {
    some_ball(rng)
}

pub(super) fn unoriented_sphere(rng: &mut Rng) -> Vec<Triangle> {
    let triangles = some_ball(rng);
    scrambled(rng, triangles)
}

/// Small and far away: corners coincide, and faces become flat.
pub(super) fn far_sphere(rng: &mut Rng) -> Vec<Triangle> {
    let radius = rng.pick(&[0.03, 1.0, 1.0, 100.0]);
    map(some_ball(rng), |p| p * radius + FAR)
}

pub(super) fn integer_sphere(rng: &mut Rng) -> Vec<Triangle> {
    let radius = rng.pick(&[2.0, 5.0, 40.0]);
    map(some_ball(rng), |p| {
        Vec3::from_array(p.to_array().map(|x| (x * radius).round()))
    })
}

pub(super) fn tiny_sphere(rng: &mut Rng) -> Vec<Triangle> {
    let radius = rng.pick(&[1e-30, 1e-38, 1e-42, 3e-45]);
    map(some_ball(rng), |p| p * radius)
}

pub(super) fn great_sphere(rng: &mut Rng) -> Vec<Triangle> {
    let radius = rng.pick(&[1e15, 1e30, f32::MAX]);
    map(some_ball(rng), |p| p * radius)
}

/// No thickness: the front and back halves coincide.
pub(super) fn flat_sphere(rng: &mut Rng) -> Vec<Triangle> {
    map(some_ball(rng), |p| Vec3::new(p.x, p.y, 0.25))
}

pub(super) fn nested_spheres(rng: &mut Rng) -> Vec<Triangle> {
    let inner = some_ball(rng);
    let mut triangles = ball(1);
    triangles.extend(map(inner, |p| p * 0.5));
    // Touches the outer sphere from inside at a corner.
    triangles.extend(map(ball(0), |p| p * 0.25 + Vec3::X * 0.75));
    triangles
}

/// Every face twice: the inside is empty, and all hits are ties.
pub(super) fn doubled_sphere(rng: &mut Rng) -> Vec<Triangle> {
    let mut triangles = ball(rng.pick(&[0, 1, 2]));
    let again = triangles.clone();
    triangles.extend(scrambled(rng, again));
    triangles
}

/// One face missing: not closed.
pub(super) fn open_sphere(rng: &mut Rng) -> Vec<Triangle> {
    let mut triangles = some_ball(rng);
    triangles.remove(rng.below(triangles.len()));
    triangles
}

/// A ring of square cross-section with integer corners.
pub(super) fn torus(rng: &mut Rng) -> Vec<Triangle> {
    let around = [
        [8, 0],
        [6, 6],
        [0, 8],
        [-6, 6],
        [-8, 0],
        [-6, -6],
        [0, -8],
        [6, -6],
    ];
    let across = [[2, 0], [1, 1], [1, -1]]; // radius in halves, height
    let at = |i: usize, j: usize| {
        let ([x, y], [r, z]) = (around[i % 8], across[j % 3]);
        Vec3::new((x * r / 2) as f32, (y * r / 2) as f32, z as f32)
    };
    let triangles = (0..8)
        .flat_map(|i| {
            (0..3).flat_map(move |j| quad(at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)))
        })
        .collect();
    scrambled(rng, triangles)
}

/// The surface of random unit cells: edges used twice or four times.
pub(super) fn voxels(rng: &mut Rng) -> Vec<Triangle> {
    let reach = rng.pick(&[2, 3, 4]);
    let filled: Vec<bool> = (0..reach * reach * reach).map(|_| rng.one_in(2)).collect();
    let is_filled = |cell: [i32; 3]| {
        let inside = cell.iter().all(|&c| (0..reach).contains(&c));
        inside && filled[((cell[0] * reach + cell[1]) * reach + cell[2]) as usize]
    };
    let mut triangles = Vec::new();
    for index in 0..reach * reach * reach {
        let cell = [index / reach / reach, index / reach % reach, index % reach];
        if !is_filled(cell) {
            continue;
        }
        for (axis, step) in (0..3).flat_map(|axis| [(axis, -1), (axis, 1)]) {
            let mut neighbour = cell;
            neighbour[axis] += step;
            if is_filled(neighbour) {
                continue;
            }
            let corner = |right: i32, up: i32| {
                let mut at = cell;
                at[axis] += (step + 1) / 2;
                at[(axis + 1) % 3] += if step > 0 { right } else { up };
                at[(axis + 2) % 3] += if step > 0 { up } else { right };
                Vec3::from_array(at.map(|c| c as f32))
            };
            triangles.extend(quad(corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)));
        }
    }
    triangles
}

pub(super) fn far_voxels(rng: &mut Rng) -> Vec<Triangle> {
    map(voxels(rng), |p| p + FAR)
}

/// A closed mesh with edges that meet in the middle of others, closed by degenerate triangles.
pub(super) fn zipped_box(rng: &mut Rng) -> Vec<Triangle> {
    let mut triangles = unit_box(rng);
    for _ in 0..1 + rng.below(6) {
        let which = rng.below(triangles.len());
        let [a, b, c] = triangles[which].corners();
        let m = (a + b) / 2.0;
        // Two halves, and a degenerate triangle that joins them to the neighbour's undivided edge.
        triangles[which] = Triangle::new(a, m, c);
        triangles.push(Triangle::new(m, b, c));
        triangles.push(Triangle::new(a, m, b));
    }
    triangles
}
