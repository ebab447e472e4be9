//! Welded meshes: clusters of corners against rationals, all pairs at a time.

use crate::common::{Rng, prim, warnings};
use estoc_core::glam::{DVec3, Vec3};
use estoc_mesh::{BadFaces, LocalFrame, Mesh, MeshError, MeshLoader, Weld, WeldReport};
use estoc_testkit::oracle::rational;
use num_rational::BigRational;

/// Returns the exact squared distances of all vertices, which must be finite.
fn squares(mesh: &Mesh) -> Vec<Vec<BigRational>> {
    let exact: Vec<[BigRational; 3]> = { mesh.positions().iter() }
        .map(|p| p.to_array().map(|x| rational(x.into())))
        .collect();
    let square = |a: &[BigRational; 3], b: &[BigRational; 3]| {
        let differences = a.iter().zip(b).map(|(a, b)| a - b);
        differences.map(|x| &x * &x).sum()
    };
    exact
        .iter()
        .map(|a| exact.iter().map(|b| square(a, b)).collect())
        .collect()
}

/// Returns the weld of a mesh by its definition: positions, clusters, the number of vertices that
/// move, and the longest side of a cluster.
fn by_definition(
    mesh: &Mesh,
    squares: &[Vec<BigRational>],
    distance: f64,
) -> (Vec<Vec3>, u64, u64, f64) {
    let mut used = vec![false; mesh.positions().len()];
    for &vertex in mesh.indices().as_flattened() {
        used[vertex as usize] = true;
    }
    let positions: Vec<[f32; 3]> = { mesh.positions().iter() }
        .map(|p| (*p + Vec3::ZERO).to_array())
        .collect();
    let square = rational(distance) * rational(distance);
    let corners: Vec<usize> = (0..used.len()).filter(|&vertex| used[vertex]).collect();
    let mut names: Vec<usize> = (0..used.len()).collect();
    for (i, &a) in corners.iter().enumerate() {
        for &b in &corners[..i] {
            let (old, new) = (names[a], names[b]);
            if old != new && squares[a][b] <= square {
                for name in names.iter_mut().filter(|name| **name == old) {
                    *name = new;
                }
            }
        }
    }
    let mut welded = mesh.positions().to_vec();
    let (mut clusters, mut moved, mut widest) = (0, 0, 0.0f64);
    for name in 0..used.len() {
        let members: Vec<usize> = { corners.iter().copied() }
            .filter(|&vertex| names[vertex] == name)
            .collect();
        let least = { members.iter().map(|&vertex| positions[vertex]) }
            .min_by(|a, b| a.partial_cmp(b).unwrap());
        let Some(least) = least else { continue };
        let before = moved;
        for &vertex in &members {
            if positions[vertex] != least {
                (welded[vertex], moved) = (least.into(), moved + 1);
            }
        }
        clusters += u64::from(moved > before);
        let at = |vertex: usize| positions[vertex];
        for axis in 0..3 {
            let all = || members.iter().map(|&i| f64::from(at(i)[axis]));
            widest = widest.max(all().fold(f64::MIN, f64::max) - all().fold(f64::MAX, f64::min));
        }
    }
    (welded, clusters, moved, widest)
}

fn assert_by_definition(mesh: &Mesh, squares: &[Vec<BigRational>], distance: f64) -> WeldReport {
    let (positions, clusters, moved, widest) = by_definition(mesh, squares, distance);
    let welded = mesh.clone().welded(distance).unwrap();
    let report = welded.report().weld.unwrap();
    assert_eq!(bits(welded.positions()), bits(&positions), "{distance:e}");
    assert_eq!((report.distance, report.clusters), (distance, clusters));
    assert_eq!((report.moved_vertices, report.widest), (moved, widest));
    let lost = mesh.triangles().zip(welded.triangles());
    let lost = lost.filter(|(before, after)| !before.is_degenerate() && after.is_degenerate());
    assert_eq!(report.flattened_triangles, lost.count() as u64);
    // All else about the mesh is that of a mesh with these positions.
    let same = Mesh::try_new(
        welded.positions().iter().copied(),
        mesh.indices().iter().copied(),
    );
    let same = same.unwrap();
    assert_eq!(welded.indices(), mesh.indices());
    assert_eq!(welded.bounds(), same.bounds());
    assert_eq!(welded.report().degenerate, same.report().degenerate);
    assert_eq!(welded.report().duplicate, same.report().duplicate);
    report
}

fn bits(positions: &[Vec3]) -> Vec<[u32; 3]> {
    positions
        .iter()
        .map(|p| p.to_array().map(f32::to_bits))
        .collect()
}

/// Returns triangles of random corners among these positions.
fn mesh_of(positions: &[[f32; 3]], rng: &mut Rng) -> Mesh {
    let mut index = || rng.below(positions.len() as u64) as u32;
    let faces: Vec<[u32; 3]> = (0..positions.len())
        .map(|_| [(); 3].map(|()| index()))
        .collect();
    Mesh::try_new(positions.iter().copied(), faces).unwrap()
}

#[test]
fn clusters_are_those_of_all_pairs_in_rationals() {
    let mut rng = Rng::new(44);
    let mut connected = 0;
    for round in 0..60 {
        let count = 20 + rng.below(60) as usize;
        let positions: Vec<[f32; 3]> = (0..count)
            .map(|_| match round % 6 {
                // Ties: distances of exactly 1, the root of 2, 0.25, ...
                0 => rng.grid(0, 4),
                1 => rng.grid(-3, 3).map(|x| x * 0.25),
                // Noise about a few positions, of which some are far from 0.
                2 => rng
                    .grid(0, 2)
                    .map(|x| 1000.0 * x + rng.between(-1e-3, 1e-3)),
                3 => rng
                    .grid(0, 2)
                    .map(|x| x + rng.pick(&[0.0, 2.7e-16, -2.7e-16, 1e-8])),
                // All magnitudes, subnormal numbers and -0.
                4 => [(); 3].map(|()| match rng.below(4) {
                    0 => -0.0,
                    1 => f32::from_bits(rng.below(5) as u32),
                    2 => -f32::from_bits(rng.below(5) as u32),
                    _ => rng.between(-1e-44, 1e-44),
                }),
                _ => [(); 3].map(|()| rng.pick(&[0.0, 1.0, 3e38, -3e38, 1e20])),
            })
            .collect();
        let mesh = mesh_of(&positions, &mut rng);
        let squares = squares(&mesh);
        let distances = [
            0.0,
            1.0,
            2.0f64.sqrt(),
            2.0f64.sqrt().next_down(),
            0.25,
            0.75,
            1e-3,
            2.8e-16,
            f64::from(2.7e-16f32),
            f64::from(2.7e-16f32).next_down(),
            f64::from(f32::from_bits(1)),
            f64::from_bits(1),
            3e38,
            1e300,
        ];
        for distance in distances {
            connected += assert_by_definition(&mesh, &squares, distance).clusters;
        }
    }
    assert!(connected > 1000, "{connected}");
}

#[test]
fn neither_the_order_of_the_file_nor_threads_matter() {
    let mut rng = Rng::new(7);
    // So many that sorting uses several threads.
    let positions: Vec<[f32; 3]> = (0..40_000)
        .map(|_| rng.grid(0, 20).map(|x| x + rng.between(0.0, 0.3)))
        .collect();
    let faces: Vec<[u32; 3]> = (0..13_000).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    let weld = |positions: &[[f32; 3]], faces: &[[u32; 3]], threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        let mesh = Mesh::try_new(positions.iter().copied(), faces.iter().copied()).unwrap();
        pool.install(|| mesh.welded(0.1).unwrap())
    };
    let first = weld(&positions, &faces, 1);
    let report = first.report().weld.unwrap();
    assert!(report.clusters > 500 && report.widest > 0.1, "{report}");
    let again = weld(&positions, &faces, 7);
    assert_eq!(bits(again.positions()), bits(first.positions()));
    assert_eq!(again.report(), first.report());
    assert_eq!(again.content_hash(), first.content_hash());
    // In reverse order.
    let last = positions.len() as u32 - 1;
    let reversed: Vec<_> = positions.iter().rev().copied().collect();
    let turned: Vec<_> = faces
        .iter()
        .map(|face| face.map(|vertex| last - vertex))
        .collect();
    let mut other = bits(weld(&reversed, &turned, 3).positions());
    other.reverse();
    assert_eq!(other, bits(first.positions()));
}

#[test]
fn chains_exceed_the_distance_and_tell_so() {
    let steps: Vec<[f32; 3]> = (0..1000)
        .rev()
        .map(|i| [i as f32 * 0.5, 1.0, 2.0])
        .collect();
    let faces: Vec<[u32; 3]> = (0..998).map(|i| [i, i + 1, i + 2]).collect();
    let mesh = Mesh::try_new(steps, faces).unwrap();
    let welded = mesh.clone().welded(0.5).unwrap();
    let mut positions = welded.positions().iter();
    assert!(positions.all(|p| *p == Vec3::new(0.0, 1.0, 2.0)));
    let report = welded.report().weld.unwrap();
    assert_eq!((report.clusters, report.moved_vertices), (1, 999));
    assert_eq!((report.widest, report.flattened_triangles), (499.5, 0));
    let none = mesh.welded(0.5f64.next_down()).unwrap();
    assert_eq!(none.report().weld.unwrap().clusters, 0);
    let told = "welded within 0.49999999999999994: no corners are that near each other";
    assert!(warnings(&none).iter().any(|warning| warning == told));
}

#[test]
fn what_is_dense_takes_no_square_of_time() {
    let mut rng = Rng::new(3);
    // One outlier makes everything else lie in one cell of any grid.
    let mut positions: Vec<[f32; 3]> = (0..300_000).map(|_| rng.vec(0.0, 1.0)).collect();
    positions.push([3e38; 3]);
    let count = positions.len() as u32;
    let faces: Vec<[u32; 3]> = (2..count).map(|i| [i - 2, i - 1, i]).collect();
    let mesh = Mesh::try_new(positions, faces).unwrap();
    for distance in [1e-3, 0.02, 0.5, 2.0, 1e30] {
        let welded = mesh.clone().welded(distance).unwrap();
        let report = welded.report().weld.unwrap();
        let counts = (report.clusters, report.moved_vertices);
        assert!(
            distance < 0.1 || counts == (1, 299_999),
            "{distance}: {counts:?}"
        );
    }
    let all = mesh.clone().welded(f64::MAX).unwrap();
    assert_eq!(all.report().weld.unwrap().moved_vertices, 300_000);
}

#[test]
fn distances_that_are_none_are_errors() {
    let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let mesh = Mesh::try_new(corners, [[0, 1, 2]]).unwrap();
    for distance in [f64::NAN, f64::INFINITY, -1.0, -f64::from_bits(1)] {
        let error = mesh.clone().welded(distance).unwrap_err();
        assert!(matches!(error, MeshError::WeldDistance { .. }), "{error}");
    }
    let text = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    let error = MeshLoader::new().weld(-1.0).read(text, "flag.obj");
    assert_eq!(
        error.unwrap_err().to_string(),
        "flag.obj: the distance to weld within is -1; give a finite number that is not negative"
    );
    for weld in [Weld::Within(0.0), Weld::Within(-0.0)] {
        let welded = mesh.clone().welded(weld).unwrap();
        assert_eq!(welded.report().weld.unwrap().clusters, 0, "{weld:?}");
    }
    let empty = Mesh::default();
    for weld in [Weld::Auto, Weld::Within(1.0)] {
        assert_eq!(empty.clone().welded(weld).unwrap().triangle_count(), 0);
    }
}

#[test]
fn only_positions_of_corners_change() {
    let text =
        b"mtllib none.mtl\no a\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 1e-9 0 0\nv 0 0 1e-9\nv nan 0 0\n\
        vt 0 0\nvt 1 0\nvt 0 1\nvn 0 0 1\nusemtl red\n\
        f 1/1/1 2/2/1 3/3/1\no b\nf 4/3/1 2/1/1 3/2/1\nf 1 4 2\nf 1 2 7\n";
    let loader = MeshLoader::new().bad_faces(BadFaces::Skip);
    let plain = loader.clone().read(text, "a.obj").unwrap();
    let mesh = loader.weld(1e-9).read(text, "a.obj").unwrap();
    assert_eq!(mesh.indices(), plain.indices());
    // The corner that is least by x; the vertices that no triangle uses stay.
    assert_eq!(mesh.positions()[3], Vec3::ZERO);
    assert_eq!(bits(&mesh.positions()[4..]), bits(&plain.positions()[4..]));
    let report = mesh.report().weld.unwrap();
    assert_eq!((report.clusters, report.moved_vertices), (1, 1));
    assert_eq!(mesh.report().degenerate.count(), 1);
    let line = mesh.report().degenerate.first()[0].line;
    assert_eq!(line, plain.line_of(prim(2)));
    assert_eq!(mesh.report().duplicate.count(), 1);
    for prim in [0, 1, 2].map(prim) {
        let material = |mesh: &Mesh| mesh.material_of(prim).map(|m| m.name.clone());
        assert_eq!(mesh.object_of(prim), plain.object_of(prim));
        assert_eq!(mesh.line_of(prim), plain.line_of(prim));
        assert_eq!(material(&mesh), material(&plain));
    }
    assert!(plain.report().weld.is_none());
    // Both in one mesh.
    let mut both = mesh.clone();
    both.append(&mesh).unwrap();
    assert_eq!(both.report().weld.unwrap().moved_vertices, 2);
}

#[test]
fn a_local_frame_comes_first() {
    // 2^-20 apart at 5,000,000: equal as f32s, different in a frame.
    let text = b"v 5000000 0 0\nv 5000000.00000095367431640625 0 1\nv 5000001 1 0\nf 1 2 3\n\
        v 5000000.00000095367431640625 0 0\nv 5000000 0 1\nv 5000001 -1 0\nf 4 5 6\n";
    let frame = LocalFrame::At(DVec3::new(5e6, 0.0, 0.0));
    for frame in [frame, LocalFrame::Auto] {
        let loader = MeshLoader::new().local_frame(frame).weld(2f64.powi(-20));
        let mesh = loader.read(text, "a.obj").unwrap();
        assert_eq!(mesh.report().weld.unwrap().clusters, 2);
        assert_eq!(mesh.positions()[3], mesh.positions()[0]);
        let other = loader.read_from(&text[..], "a.obj").unwrap();
        assert_eq!(bits(other.positions()), bits(mesh.positions()));
    }
    let mesh = MeshLoader::new().weld(2f64.powi(-20));
    let mesh = mesh.read(text, "a.obj").unwrap();
    assert_eq!(mesh.report().weld.unwrap().clusters, 0);
}
