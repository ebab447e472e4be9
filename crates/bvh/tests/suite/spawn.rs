//! Rays that leave a convex mesh never hit it again, and rays into it always do.

use crate::common::{Rng, Shape};
use estoc_bvh::Bvh;
use estoc_core::glam::Vec3;
use estoc_core::{Any, Closest, Hit, PrimId, Ray, RayQuery, Side, Triangle};
use estoc_demo::DemoSpec;
use estoc_mesh::Mesh;
use estoc_testkit::conformance::Effort;

/// Returns the exact side of a plane that a point is on: 1 in front, 0 on it, -1 behind.
fn height(triangle: &Triangle, p: Vec3) -> i32 {
    let coord = |p: Vec3| {
        let [x, y, z] = p.to_array().map(f64::from);
        robust::Coord3D { x, y, z }
    };
    let [a, b, c] = triangle.corners().map(coord);
    // Shewchuk's sign is positive when p is below the plane, so in front is negative.
    let side = robust::orient3d(a, b, c, coord(p));
    i32::from(side < 0.0) - i32::from(side > 0.0)
}

/// Returns whether no vertex is in front of any triangle, exactly.
fn is_convex(mesh: &Mesh) -> bool {
    mesh.triangles()
        .all(|triangle| mesh.positions().iter().all(|p| height(&triangle, *p) <= 0))
}

/// Returns closed convex meshes, with integer and with rounded coordinates.
fn convex() -> Vec<(&'static str, Mesh)> {
    let octahedron = Shape {
        positions: [1.0, -1.0]
            .iter()
            .flat_map(|&s| [[s, 0.0, 0.0], [0.0, s, 0.0], [0.0, 0.0, s]])
            .collect(),
        faces: vec![
            [0, 1, 2],
            [1, 3, 2],
            [3, 4, 2],
            [4, 0, 2],
            [1, 0, 5],
            [3, 1, 5],
            [4, 3, 5],
            [0, 4, 5],
        ],
    };
    // A rotation about a skew axis; whether the result is exactly convex is checked below.
    let turn = |p: [f32; 3]| {
        let axis = Vec3::new(4.0, 7.0, -1.0).normalize();
        let (sin, cos) = 4.34f32.sin_cos();
        let p = Vec3::from(p);
        (p * cos + axis.cross(p) * sin + axis * axis.dot(p) * (1.0 - cos)).to_array()
    };
    let cube = Shape::cuboid([-3.0, -2.0, -1.0], [5.0, 4.0, 7.0]);
    let demo = |spec: &str| spec.parse::<DemoSpec>().unwrap().mesh();
    let (turned, odd) = (octahedron.clone().map(turn), [0.1, 1000.3, -7.7]);
    vec![
        ("cube", cube.mesh()),
        ("cut cube", cube.subdivided().subdivided().mesh()),
        ("octahedron", octahedron.mesh()),
        ("turned octahedron", turned.mesh()),
        ("moved octahedron", turned.clone().moved(odd).mesh()),
        ("tiny octahedron", turned.clone().scaled(1e-30).mesh()),
        ("huge octahedron", turned.scaled(1e30).mesh()),
        ("sphere", demo("sphere?n=320")),
    ]
}

/// Returns a hit inside the triangle, on an edge, or at a corner.
fn place(rng: &mut Rng, prim: PrimId) -> Hit {
    let half = 0.5 * rng.unit();
    let (u, v) = match rng.below(8) {
        0 => rng.pick(&[(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)]),
        1 => rng.pick(&[(half, 0.0), (0.0, half), (0.5, 0.5), (half, 1.0 - half)]),
        _ => (half, 0.5 * rng.unit()),
    };
    Hit { t: 1.0, u, v, prim }
}

#[test]
fn outwards_never_meets_and_inwards_always_meets_a_convex_mesh() {
    const SEED: u64 = 77;
    let rays = if Effort::is_long() { 400_000 } else { 12_000 };
    for (name, mesh) in convex() {
        assert!(is_convex(&mesh), "{name}");
        let bvh = Bvh::build(&mesh);
        assert!(bvh.is_closed(), "{name}");
        let mut rng = Rng::new(SEED);
        let bounds = mesh.bounds();
        let (centre, size) = (
            (bounds.min() + bounds.max()) / 2.0,
            bounds.max() - bounds.min(),
        );
        let (mut out, mut inside, mut aimed) = (0, 0, 0);
        for _ in 0..rays {
            let prim = PrimId::from_index(rng.below(mesh.triangle_count() as u64) as usize);
            let hit = place(&mut rng, prim.unwrap());
            let spot = mesh.details(&hit).unwrap();
            // Any direction; or one along an edge, to another vertex, or deep into the mesh.
            let deep = rng.below(4) == 0;
            let dir: Vec3 = match rng.below(3) {
                _ if deep => centre + size * Vec3::from(rng.vec(-0.1, 0.1)) - spot.point,
                0 => rng.pick(mesh.positions()) - spot.point,
                _ => rng.vec(-1.0, 1.0).into(),
            };
            let (ray, options) = spot.spawn_ray(dir);
            let context = || format!("{name}, seed {SEED}: {hit:?} {ray:?}");
            let met = bvh.ask_with(Closest, &ray, &options).unwrap();
            assert_eq!(bvh.ask_with(Any, &ray, &options), Ok(met.is_some()));
            match spot.side(&ray) {
                // n . dir > 0
                Some(Side::Back) => {
                    assert_eq!(met, None, "outwards, {}", context());
                    assert!(!bvh.any_hit(&ray), "outwards without skip, {}", context());
                    out += 1;
                }
                Some(Side::Front) if deep => {
                    assert!(met.is_some(), "deep inwards, {}", context());
                    aimed += 1;
                }
                Some(Side::Front) => {
                    // Rounding may put an origin near an edge behind the neighbour.
                    let here = spot.triangle;
                    let in_plane =
                        |t: &Triangle| t.corners().iter().all(|p| height(&here, *p) == 0);
                    let within = mesh
                        .triangles()
                        .all(|t| height(&t, ray.origin) < 0 || in_plane(&t));
                    assert!(met.is_some() || !within, "inwards, {}", context());
                    inside += u32::from(within);
                }
                None => {}
            }
        }
        println!("{name}: {out} outwards, {inside} inwards, {aimed} deep inwards");
        assert!(
            out > rays / 5 && aimed > rays / 8 && inside > rays / 20,
            "{name}"
        );
    }
}

/// Shadow rays from hits on one wall of a room towards another see what is between them and nothing
/// else, at every size of the room.
#[test]
fn nothing_near_is_lost() {
    let wall = |z: f32| Triangle::new([-8.0, -8.0, z], [8.0, -8.0, z], [0.0, 8.0, z]);
    for gap in [1.0, 1e-3, 1e-20, 1e-38, f32::from_bits(1)] {
        let mesh = [wall(0.0), wall(gap)];
        let corners = mesh.iter().flat_map(Triangle::corners);
        let mesh = Mesh::try_new(corners, [[0, 1, 2], [3, 4, 5]]).unwrap();
        let bvh = Bvh::build(&mesh);
        let ray = Ray::new([0.25, 0.5, -1.0], [0.0, 0.0, 1.0]);
        let first = bvh.closest_hit(&ray).unwrap();
        let (on, options) = mesh.details(&first).unwrap().spawn_ray(ray.dir);
        let second = bvh.ask_with(Closest, &on, &options).unwrap().unwrap();
        assert_eq!((second.prim.get(), second.t), (1, gap));
    }
}
