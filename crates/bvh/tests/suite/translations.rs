//! Meshes and questions moved by amounts that every coordinate takes exactly: the answers move too.

use crate::common::Rng;
use estoc_bvh::Bvh;
use estoc_core::glam::Vec3;
use estoc_core::{
    Aabb, Plane, PointQuery, RegionQuery, SignRule, Sphere, SweepQuery, Triangle, Winding,
};
use estoc_demo::DemoSpec;
use estoc_mesh::Mesh;

/// Coordinates are whole numbers up to this size, in units of 2^-6.
const SIZE: f32 = 1024.0;

fn rounded(p: Vec3) -> Vec3 {
    (p * 64.0).round() / 64.0
}

fn moved(mesh: &Mesh, by: Vec3) -> Mesh {
    let positions = mesh.positions().iter().map(|&p| p + by);
    Mesh::try_new(positions, mesh.indices().to_vec()).unwrap()
}

/// A closed mesh on the grid, and points on its corners and around it.
fn mesh_and_points(spec: &str) -> (Mesh, Vec<Vec3>) {
    let mesh = spec.parse::<DemoSpec>().unwrap().mesh();
    let (min, max) = (mesh.bounds().min(), mesh.bounds().max());
    let scale = SIZE / (max - min).max_element();
    let positions = mesh.positions().iter().map(|&p| rounded((p - min) * scale));
    let mesh = Mesh::try_new(positions, mesh.indices().to_vec()).unwrap();
    let mut rng = Rng::new(77);
    let mut points: Vec<Vec3> = (0..200)
        .map(|_| rounded(Vec3::from(rng.vec(-0.3, 1.3)) * SIZE))
        .collect();
    points.extend(mesh.positions().iter().step_by(29));
    (mesh, points)
}

#[test]
fn answers_move_with_the_mesh() {
    let amounts = [[4096.0, -2048.0, 512.0], [-8192.0, 0.015625, 3.5]];
    let (mut inside, mut found, mut cut) = (0, 0, 0);
    for spec in ["sphere?n=2000", "teapot?n=2000"] {
        let (mesh, points) = mesh_and_points(spec);
        let here = Bvh::build(&mesh);
        for by in amounts.map(Vec3::from) {
            let there = Bvh::build(&moved(&mesh, by));
            for &point in &points {
                let what = format!("{spec} {by} {point}");
                let at = point + by;
                let (a, b) = (here.closest_point(point), there.closest_point(at));
                let told = |found: Option<estoc_core::ClosestPoint>| {
                    let found = found.unwrap();
                    let numbers = [found.distance, found.u, found.v].map(f32::to_bits);
                    (numbers, found.prim, found.feature)
                };
                assert_eq!(told(a), told(b), "{what}");
                let radius = a.unwrap().distance * 1.25;
                assert_eq!(
                    here.within(point, radius),
                    there.within(at, radius),
                    "{what}"
                );
                assert_eq!(
                    here.winding_number(point),
                    there.winding_number(at),
                    "{what}"
                );
                inside += usize::from(here.winding_number(point) == Ok(Winding::Number(1)));
                for rule in [SignRule::Parity, SignRule::WindingNumber] {
                    let signs = [
                        here.signed_distance_by(point, rule),
                        there.signed_distance_by(at, rule),
                    ];
                    let [a, b] = signs
                        .map(|sign| sign.map(|sign| sign.map(|s| (s.signed.to_bits(), s.inside))));
                    assert_eq!(a, b, "{what}");
                }
                let ball = |at| Sphere::try_new(at, 80.0).unwrap();
                let prims = here.overlaps(&ball(point));
                assert_eq!(prims, there.overlaps(&ball(at)), "{what}");
                let cube = |at: Vec3| Aabb::try_new(at - 60.0, at + 60.0).unwrap();
                assert_eq!(
                    here.overlaps(&cube(point)),
                    there.overlaps(&cube(at)),
                    "{what}"
                );
                let corner = |at: Vec3| {
                    Triangle::new(
                        at,
                        at + Vec3::new(90.0, 0.0, 10.0),
                        at + Vec3::new(0.0, 70.0, -40.0),
                    )
                };
                assert_eq!(
                    here.overlaps(&corner(point)),
                    there.overlaps(&corner(at)),
                    "{what}"
                );
                found += prims.len();
                let velocity = Vec3::splat(SIZE / 2.0) - point;
                let contacts = [
                    here.sweep_sphere(point, velocity, 4.0),
                    there.sweep_sphere(at, velocity, 4.0),
                ];
                let [a, b] = contacts.map(|contact| {
                    contact.map(|contact| (contact.t.to_bits(), contact.prim, contact.feature))
                });
                assert_eq!(a, b, "{what}");
                let plane = |at: Vec3| Plane::through(at, [1.0, 2.0, -0.5]).unwrap();
                let names = |section: estoc_core::Section| -> Vec<_> {
                    let points = section.polylines.iter().flat_map(|line| &line.points);
                    points
                        .map(|p| (p.prim, p.edge, p.parameter.to_bits()))
                        .collect()
                };
                let section = names(here.section(&plane(point)));
                cut += section.len();
                assert_eq!(section, names(there.section(&plane(at))), "{what}");
            }
        }
    }
    assert!(
        inside > 30 && found > 1000 && cut > 1000,
        "{inside} {found} {cut}"
    );
}
