//! The least distance that closes a mesh, against all distances in ascending order.

use crate::common::{CUBE, Rng, assert_contains};
use estoc_core::glam::Vec3;
use estoc_core::{BruteForce, CancelToken, RayQuery, is_closed, open_edges};
use estoc_mesh::parts::closing_distance;
use estoc_mesh::{Mesh, MeshError, MeshLoader, Weld};
use std::fmt::Write;

/// The faces of the cube from 0 to 1, outwards.
fn cube() -> Vec<[Vec3; 3]> {
    let corner = |i: u32| Vec3::new((i & 1) as f32, (i >> 1 & 1) as f32, (i >> 2) as f32);
    let triangles = CUBE.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]);
    triangles.map(|triangle| triangle.map(corner)).collect()
}

/// Returns a mesh in which no vertex is shared.
fn soup(triangles: &[[Vec3; 3]]) -> Mesh {
    let indices = (0..triangles.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]);
    Mesh::try_new(triangles.iter().flatten().copied(), indices).unwrap()
}

fn stl(triangles: &[[Vec3; 3]]) -> String {
    let mut text = "solid block\n".to_owned();
    for triangle in triangles {
        text += "facet normal 0 0 0\nouter loop\n";
        for p in triangle {
            writeln!(text, "vertex {:e} {:e} {:e}", p.x, p.y, p.z).unwrap();
        }
        text += "endloop\nendfacet\n";
    }
    text + "endsolid block\n"
}

#[test]
fn a_block_with_noise_in_its_seam_is_closed() {
    let mut faces = cube();
    // Two sides of the seam at the bottom are written as 0 and as what a rotation leaves of it.
    for face in &mut faces[4..] {
        for p in face.iter_mut().filter(|p| p.z == 0.0) {
            p.z = 2.7e-16;
        }
    }
    let text = stl(&faces);
    let loader = MeshLoader::new();
    let open = loader.clone().read(text.as_bytes(), "block.stl").unwrap();
    assert_eq!(open_edges(open.triangles()).len(), 8);
    for weld in [Weld::Auto, Weld::Within(1e-9)] {
        let loader = loader.clone().weld(weld);
        let mesh = loader.read(text.as_bytes(), "block.stl").unwrap();
        assert!(is_closed(mesh.triangles()));
        let report = mesh.report().weld.unwrap();
        assert_eq!((report.clusters, report.flattened_triangles), (4, 0));
        assert_eq!(report.widest, f64::from(2.7e-16f32));
        let is_auto = weld == Weld::Auto;
        assert_eq!(report.distance, if is_auto { report.widest } else { 1e-9 });
        let brute = BruteForce::new(mesh.triangles().collect::<Vec<_>>());
        for (point, inside) in [
            ([0.5; 3], true),
            ([0.5, 0.5, 0.0], true),
            ([0.5, 0.5, -0.1], false),
        ] {
            assert_eq!(brute.contains(Vec3::from(point)), Some(inside));
        }
    }
    let distance = |mesh: &Mesh| {
        let edge = open_edges(mesh.triangles())[0];
        closing_distance(mesh, edge, &CancelToken::new()).unwrap()
    };
    assert_eq!(distance(&open), Some(f64::from(2.7e-16f32)));
    assert_eq!(distance(&soup(&cube()[1..])), None);
    // A mesh that is closed is left alone.
    let closed = soup(&cube()).welded(Weld::Auto).unwrap();
    let closed = closed.report().weld.unwrap();
    assert_eq!((closed.distance, closed.clusters), (0.0, 0));
}

/// Returns the least distance at which the mesh is closed, among those of all pairs of corners.
fn by_trying(mesh: &Mesh) -> Option<f64> {
    let corners: Vec<Vec3> = mesh.triangles().flat_map(|t| t.corners()).collect();
    let mut distances = vec![0.0];
    for (i, a) in corners.iter().enumerate() {
        for b in &corners[..i] {
            // The neighbours of the nearest f64, of which one is the least within which both are.
            let distance = a.as_dvec3().distance(b.as_dvec3());
            let around = [distance.next_down(), distance, distance.next_up()];
            distances.extend(around.into_iter().filter(|&d| d > 0.0 && d <= 1e-6));
        }
    }
    distances.sort_by(f64::total_cmp);
    distances.dedup();
    let closes = |&distance: &f64| {
        let welded = mesh.clone().welded(distance).unwrap();
        is_closed(welded.triangles())
    };
    distances.into_iter().find(closes)
}

#[test]
fn the_least_distance_is_that_of_trying_all() {
    let mut rng = Rng::new(12);
    let (mut found, mut none) = (0, 0);
    for round in 0..150 {
        let mut faces = cube();
        for face in &mut faces {
            for p in face {
                if rng.below(3) == 0 {
                    // Steps of which several add up to more than a millionth.
                    let step = 3e-8 * (1 + round % 5) as f32;
                    *p += Vec3::from_array(rng.grid(-3, 3)) * step;
                }
            }
        }
        // The size is 1 whatever the noise.
        for face in &mut faces {
            *face = face.map(|p| p.clamp(Vec3::ZERO, Vec3::ONE));
        }
        // Strays beside the corners, which chains lead over.
        for _ in 0..rng.below(3) {
            let at = Vec3::from_array(rng.grid(0, 1)) * (1.0 - 6e-7) + Vec3::splat(3e-7);
            faces.push([at, at, at]);
        }
        if round % 10 == 0 {
            faces.remove(3);
        }
        let mesh = soup(&faces);
        let expected = by_trying(&mesh);
        match (mesh.welded(Weld::Auto), expected) {
            (Ok(mesh), Some(distance)) => {
                found += 1;
                let report = mesh.report().weld.unwrap();
                assert_eq!(report.distance, distance, "round {round}");
                assert!(is_closed(mesh.triangles()));
            }
            (Err(MeshError::NotWelded { .. }), None) => none += 1,
            (other, expected) => panic!("round {round}: {other:?} {expected:?}"),
        }
    }
    assert!(found > 60 && none > 14, "{found} {none}");
}

/// More pairs of corners than are sorted by their distance.
#[test]
fn the_least_distance_is_found_among_many() {
    let mut rng = Rng::new(31);
    let mut faces = cube();
    for face in &mut faces {
        *face = face.map(|p| p * 1e9);
    }
    // All but one corner of each is within a millionth.
    for _ in 0..2000 {
        let [a, b] = [(); 2].map(|()| Vec3::from_array(rng.vec(0.0, 300.0)));
        let [from, to] = [a, b].map(|p| p + Vec3::splat(1e-3));
        faces.extend([[a, b, Vec3::splat(1e9)], [to, from, Vec3::splat(1e9)]]);
    }
    let mesh = soup(&faces);
    assert_eq!(open_edges(mesh.triangles()).len(), 4 * 3 * 1000);
    let edge = open_edges(mesh.triangles())[0];
    let distance = closing_distance(&mesh, edge, &CancelToken::new())
        .unwrap()
        .unwrap();
    assert!(distance > 1e-3 && distance < 10.0, "{distance}");
    let left = |distance: f64| {
        let welded = mesh.clone().welded(distance).unwrap();
        open_edges(welded.triangles()).len()
    };
    assert_eq!(left(distance), 0);
    assert!(left(distance.next_down()) > 0);
}

#[test]
fn errors_tell_what_was_found() {
    let told = |faces: &[[Vec3; 3]]| {
        let loader = MeshLoader::new().weld(Weld::Auto);
        let error = loader.read(stl(faces).as_bytes(), "a.stl");
        error.unwrap_err().to_string()
    };
    // A face is missing.
    assert_eq!(
        told(&cube()[1..]),
        "a.stl: no distance to weld within was found: it has 3 open edges, and 3 would be left within a \
         millionth of its size, 1e-6; give a distance: Weld::Within(distance)"
    );
    // A gap that is as wide as an edge is long: a cube with a strip of tiny triangles on it.
    let mut faces = cube();
    faces[0] = faces[0].map(|p| {
        if p == Vec3::ONE.with_z(0.0) {
            p.with_z(5e-7)
        } else {
            p
        }
    });
    let tiny = Vec3::new(0.0, 8e-7, 0.0);
    let [a, b, c] = [
        Vec3::new(0.5, 3.0, 0.0),
        Vec3::new(0.6, 3.0, 0.0),
        Vec3::new(0.5, 3.0, 1.0),
    ];
    faces.extend([
        [a, b, a + tiny],
        [a, b, c],
        [b, a + tiny, c],
        [a, a + tiny, c],
    ]);
    let problem = "the least one that closes it, 4.999999987376214e-7, is not below half of the \
        shortest edge that stays, ";
    assert_contains(&told(&faces), problem);
}
