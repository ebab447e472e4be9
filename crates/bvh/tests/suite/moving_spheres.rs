//! First contacts of moving spheres with trees: every level and layout, extreme sizes, and many ties.

use crate::common::{MIXED, Rng, Shape, brute, every_tree, mixed_sizes};
use estoc_bvh::{Bvh, SimdLevel};
use estoc_core::glam::Vec3;
use estoc_core::{Feature, SweepEngine, SweepQuery, Triangle};
use estoc_demo::DemoSpec;
use estoc_mesh::Mesh;
use estoc_testkit::Sweep;
use estoc_testkit::conformance::check_sweeps_against;
use std::sync::Arc;

/// Returns spheres of many sizes, near and far, towards the mesh, past it, away, and at rest.
fn sweeps(mesh: &Mesh, rng: &mut Rng, n: usize) -> Vec<Sweep> {
    let (min, max) = (mesh.bounds().min(), mesh.bounds().max());
    let (middle, size) = ((min + max) * 0.5, (max - min).max_element());
    let mut sweeps = Vec::new();
    for _ in 0..n {
        for share in [0.0, 1e-3, 0.03, 0.3, 2.0] {
            let [corner, ..] = rng.pick(mesh.indices());
            let corner = mesh.positions()[corner as usize];
            let mut around = |reach: f32| size * reach * Vec3::from(rng.vec(-1.0, 1.0));
            let (far, near) = (middle + around(4.0), corner + around(2.0 * share));
            let (target, away) = (corner + around(0.1), around(1.0));
            let sweep = |center: Vec3, velocity: Vec3, t_max: f32| Sweep {
                center,
                velocity,
                radius: size * share,
                t_max,
            };
            sweeps.extend([
                sweep(far, target - far, f32::INFINITY),
                sweep(far, (target - far) * 1e-3, f32::INFINITY),
                sweep(far, away, f32::INFINITY),
                sweep(near, away * 0.1, 1.0),
                sweep(far, Vec3::new(0.0, 0.0, corner.z - far.z), f32::INFINITY),
                sweep(near, Vec3::ZERO, 1.0),
            ]);
        }
    }
    sweeps
}

#[test]
fn trees_about_moving_spheres_answer_as_brute_force() {
    let mut rng = Rng::new(1);
    let mut touched = 0;
    for spec in "sphere?n=1500 soup?n=1000 terrain?n=1000 hall?n=1500".split(' ') {
        let mesh = spec.parse::<DemoSpec>().unwrap().mesh();
        let truth = brute(&mesh);
        let sweeps = sweeps(&mesh, &mut rng, 3);
        for tree in every_tree(&mesh) {
            touched += check_sweeps_against(&tree, &truth, &sweeps).rays_that_hit;
        }
    }
    assert!(touched > 150 * SimdLevel::available().len(), "{touched}");
}

/// A tree that is stored multiplied by a power of two, and one that cannot be.
#[test]
fn trees_of_extreme_size_about_moving_spheres_answer_as_brute_force() {
    let mut rng = Rng::new(2);
    for size in [1e-30, 1e-12, 1e12, 1e30] {
        let mesh = Shape::random(200, 0.3, &mut rng).scaled(size).mesh();
        let mut sweeps = sweeps(&mesh, &mut rng, 4);
        for sweep in sweeps.clone() {
            for (velocity, radius) in [(1e-30, 1.0), (1e25 / size, 1.0), (1.0, 0.0)] {
                sweeps.push(Sweep {
                    velocity: sweep.velocity * velocity,
                    radius: sweep.radius * radius,
                    ..sweep
                });
            }
        }
        for center in [f32::MAX, -1e30, 1e-45, 0.0] {
            for radius in [0.0, 1e-45, 1.0, f32::MAX, f32::INFINITY] {
                sweeps.push(Sweep {
                    center: Vec3::splat(center),
                    velocity: Vec3::splat(-center),
                    radius,
                    t_max: f32::INFINITY,
                });
            }
        }
        let found = check_sweeps_against(&Bvh::build(&mesh), &brute(&mesh), &sweeps);
        assert!(found.rays_that_hit > 100, "{found}");
    }
    let mesh = mixed_sizes();
    let sweeps: Vec<Sweep> = (0..60)
        .map(|i| Sweep {
            center: Vec3::from(MIXED[i % 4]) * 0.5 + Vec3::from(rng.vec(-2.0, 2.0)),
            velocity: Vec3::from(rng.vec(-1.0, 1.0)),
            radius: [0.0, 1e-30, 0.5, 1e30][i / 4 % 4],
            t_max: f32::INFINITY,
        })
        .collect();
    check_sweeps_against(&Bvh::build(&mesh), &brute(&mesh), &sweeps);
}

/// A plate of many coplanar triangles: a sphere that comes down on a corner touches six at once, one
/// that is large and rests touches all.
#[test]
fn of_many_triangles_touched_at_once_the_lowest_id_is_the_answer() {
    let n = 24u32;
    let corner = |i: u32| [(i % (n + 1)) as f32, (i / (n + 1)) as f32, 0.0];
    let corners = (0..(n + 1) * (n + 1)).map(corner);
    let faces = (0..n * n).flat_map(|i| {
        let a = i / n * (n + 1) + i % n;
        let (b, c, d) = (a + 1, a + n + 1, a + n + 2);
        [[a, b, c], [b, d, c]]
    });
    let mesh = Mesh::try_new(corners, faces.rev()).unwrap();
    let truth = brute(&mesh);
    for level in SimdLevel::available() {
        let tree = Bvh::builder().simd_level(level).build(&mesh).unwrap();
        for (x, y) in [(12.0, 12.0), (3.5, 7.0), (8.25, 5.5), (0.0, 24.0)] {
            let ask = |z: f32, radius: f32, velocity: [f32; 3]| {
                let found = tree.sweep_sphere([x, y, z], velocity, radius).unwrap();
                let want = truth.sweep_sphere([x, y, z], velocity, radius);
                assert_eq!(Some(found), want);
                found
            };
            let down = ask(9.0, 3.0, [0.0, 0.0, -2.0]);
            assert_eq!((down.t, down.is_touching_at_start), (3.0, false));
            assert_eq!(down.point, [x, y, 0.0].into());
            assert_eq!(down.feature == Feature::Face, (x, y) == (8.25, 5.5));
            let resting = ask(3.0, 100.0, [1.0, 0.0, 0.0]);
            assert_eq!((resting.t, resting.prim.get()), (0.0, 0));
            assert!(resting.is_touching_at_start);
        }
        // Along the plate, exactly as high as the radius: it touches the plate's border first.
        let along = |z: f32| tree.sweep_sphere([-9.0, 5.5, z], [1.0, 0.0, 0.0], 2.0);
        let contact = along(2.0).unwrap();
        assert_eq!((contact.t, contact.point), (9.0, [0.0, 5.5, 0.0].into()));
        assert_eq!(along(2f32.next_up()), None);
    }
}

#[test]
fn trees_behind_pointers_answer_about_moving_spheres() {
    fn touch(engine: &(impl SweepEngine<Primitive = Triangle> + ?Sized)) -> Option<f32> {
        let found = engine.sweep_sphere([0.0, 0.0, 9.0], [0.0, 0.0, -1.0], 1.0);
        found.map(|contact| contact.t)
    }
    let mesh = "sphere?n=500".parse::<DemoSpec>().unwrap().mesh();
    let tree = Bvh::build(&mesh);
    let want = touch(&tree);
    assert!(want.is_some_and(|t| (t - 7.0).abs() < 0.1));
    assert_eq!(touch(&&tree), want);
    assert_eq!(touch(&Arc::new(tree.clone())), want);
    let boxed: Box<dyn SweepEngine<Primitive = Triangle>> = Box::new(tree);
    assert_eq!(touch(&*boxed), want);
    assert_eq!(touch(&boxed), want);
    let empty = Mesh::try_new([[0.0; 3]], [[0u32; 3]; 0]).unwrap();
    assert_eq!(touch(&Bvh::build(&empty)), None);
    assert_eq!(Bvh::build(&empty).triangle_count(), 0);
}
