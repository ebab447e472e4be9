//! Inputs that break other libraries: empty meshes, garbage, the same triangle a hundred thousand
//! times, numbers at the ends of `f32`. Builds finish, and the trees agree with brute force.

use crate::common::{Both, Name, Rng, Shape};
use estoc_bvh::Bvh;
use estoc_core::glam::Vec3;
use estoc_core::{PrimId, Ray, RayQuery, Triangle};
use estoc_mesh::{BadFaces, Mesh};
use estoc_testkit::conformance::Effort;

const INF: f32 = f32::INFINITY;
const UP: [f32; 3] = [0.0, 0.0, 1.0];

#[test]
fn no_triangles_one_triangle() {
    let none = Both::new(&Shape::default());
    let ray = Ray::new([0.25, 0.25, -1.0], UP);
    assert_eq!(none.ask(&ray).hits, []);
    assert_eq!(
        none.contains([0.0; 3]),
        Some(false),
        "nothing is closed and has no inside"
    );
    for (_, tree) in &none.trees {
        assert_eq!(tree.triangle_count(), 0);
        assert_eq!(tree.triangle(PrimId::new(0).unwrap()), None);
    }
    // Vertices that no face uses are not hit either.
    let unused = Shape {
        positions: vec![[0.0; 3], [1.0, 0.0, 0.0]],
        faces: vec![],
    };
    assert_eq!(Both::new(&unused).ask(&ray).hits, []);

    let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let one = Both::new(&Shape::soup([corners]));
    assert_eq!(one.ask(&ray).crossed_at(), [1.0]);
    for (_, tree) in &one.trees {
        let [a, b, c] = corners;
        assert_eq!(
            tree.triangle(PrimId::new(0).unwrap()),
            Some(Triangle::new(a, b, c))
        );
        assert_eq!(tree.triangle(PrimId::new(1).unwrap()), None);
    }
}

/// M26 (Embree OverlappingGeometryTest): a hundred thousand identical triangles, and a million in
/// the long mode.
#[test]
fn identical_triangles_build_and_the_first_is_closest() {
    let count = if Effort::is_long() {
        1_000_000
    } else {
        100_000
    };
    let mesh = Mesh::try_new(
        [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0f32]],
        std::iter::repeat_n([0, 1, 2], count),
    )
    .unwrap();
    let tree = Bvh::build(&mesh);
    tree.validate().unwrap();
    for origin in [[0.25, 0.25, -1.0], [0.0, 0.0, -1.0], [0.5, 0.5, -1.0]] {
        let ray = Ray::new(origin, UP);
        let hit = tree.closest_hit(&ray).unwrap();
        assert_eq!((hit.number(), hit.t), (0, 1.0), "{ray:?}");
        assert_eq!(tree.count_hits(&ray), count, "{ray:?}");
    }
    let ray = Ray::new([0.25, 0.25, -1.0], UP);
    assert!(
        tree.all_hits(&ray)
            .iter()
            .map(Name::number)
            .eq(0..count as u32)
    );
    assert!(tree.first_hits(&ray, 5).iter().map(Name::number).eq(0..5));
    let next = tree
        .next_hit(&ray, PrimId::new(7).unwrap())
        .unwrap()
        .unwrap();
    assert_eq!((next.number(), next.t), (8, 1.0));
    assert!(!tree.any_hit(&Ray::new([0.6, 0.6, -1.0], UP)));
}

/// Embree's test begins at a thousand, which brute force can handle.
#[test]
fn a_thousand_identical_triangles_agree_with_brute_force() {
    let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let both = Both::new(&Shape::soup([corners; 1000]));
    for origin in [
        [0.25, 0.25, -1.0],
        [0.0, 0.0, -1.0],
        [0.5, 0.5, -1.0],
        [1.0, 0.0, -1.0],
    ] {
        assert_eq!(both.ask(&Ray::new(origin, UP)).hits.len(), 1000);
    }
    assert_eq!(
        both.contains([0.25, 0.25, 0.0]),
        Some(true),
        "on the surface"
    );
    assert_eq!(both.contains([0.25, 0.25, 0.1]), Some(false));
}

/// M27 (Embree GarbageGeometryTest): random bits as vertices, random numbers as indices.
#[test]
fn garbage_is_refused() {
    let good = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0f32]];
    for (vertex, axis) in (0..3).flat_map(|vertex| (0..3).map(move |axis| (vertex, axis))) {
        for number in [f32::NAN, INF, -INF] {
            let mut bad = good;
            bad[vertex][axis] = number;
            assert!(Mesh::try_new(bad, [[0, 1, 2]]).is_err(), "{bad:?}");
            // A vertex that no face uses may have any bits.
            assert!(
                Mesh::try_new(bad, [[(vertex as u32 + 1) % 3; 3]]).is_ok(),
                "{bad:?}"
            );
        }
    }
    for index in [3, 4, u32::MAX] {
        assert!(
            Mesh::try_new(good, [[0, 1, index]]).is_err(),
            "index {index}"
        );
        assert!(
            Mesh::try_new(good, [[0, 1, 2], [index, 1, 2]]).is_err(),
            "index {index}"
        );
    }
    // T11 (bevy): our types do not allow an incomplete face; an index past the end is rejected.
    assert!(Mesh::try_new(good, [[0, 1, 3]]).is_err());

    let mut rng = Rng::new(27);
    for _ in 0..200 {
        let positions: Vec<_> = (0..100).map(|_| [(); 3].map(|()| rng.any())).collect();
        let faces: Vec<_> = (0..100)
            .map(|_| [(); 3].map(|()| rng.bits() as u32))
            .collect();
        assert!(Mesh::try_new(positions, faces).is_err());
    }
}

/// M27 with [`BadFaces::Skip`]: usable faces stay, in order, and all others are counted.
#[test]
fn garbage_is_skipped_and_counted() {
    const SEED: u64 = 26;
    let mut rng = Rng::new(SEED);
    let mut kept = 0;
    for _ in 0..200 {
        // About one vertex in twenty is not finite, one face in eight has an index that does not
        // exist.
        let positions: Vec<[f32; 3]> = (0..35)
            .map(|_| {
                rng.vec(-1.0, 1.0).map(|x| {
                    if rng.below(64) == 0 {
                        rng.pick(&[f32::NAN, INF, -INF])
                    } else {
                        x
                    }
                })
            })
            .collect();
        let faces: Vec<[u32; 3]> = (0..50)
            .map(|_| {
                [(); 3].map(|()| {
                    if rng.below(24) == 0 {
                        rng.bits() as u32
                    } else {
                        rng.below(35) as u32
                    }
                })
            })
            .collect();
        let corner = |index: &u32| {
            positions
                .get(*index as usize)
                .filter(|p| p.iter().all(|x| x.is_finite()))
        };
        let usable: Vec<usize> = (0..50)
            .filter(|&face| faces[face].iter().all(|i| corner(i).is_some()))
            .collect();

        let mesh = Mesh::with_bad_faces(positions.clone(), faces.clone(), BadFaces::Skip).unwrap();
        let context = format!("seed {SEED}: {positions:?} {faces:?}");
        assert_eq!(mesh.triangle_count(), usable.len(), "{context}");
        assert_eq!(
            mesh.report().skipped_faces() as usize,
            50 - usable.len(),
            "{context}"
        );
        for (index, &face) in usable.iter().enumerate() {
            let prim = PrimId::from_index(index).unwrap();
            assert_eq!(mesh.face_of(prim), Some(face as u64), "{context}");
            let [a, b, c] = faces[face].map(|i| positions[i as usize]);
            assert_eq!(
                mesh.triangle(prim),
                Some(Triangle::new(a, b, c)),
                "{context}"
            );
        }
        let refused = Mesh::try_new(positions, faces).is_err();
        assert_eq!(refused, usable.len() < 50, "{context}");
        let both = Both::of(&mesh);
        for _ in 0..5 {
            both.ask(&Ray::new(rng.vec(-1.0, 1.0), rng.vec(-1.0, 1.0)));
        }
        kept += usable.len();
    }
    assert!((2_000..9_000).contains(&kept), "{kept} of 10,000 kept");
}

/// M27, the valid part of garbage: any finite numbers, any of them in a face.
#[test]
fn finite_garbage_is_a_mesh() {
    const SEED: u64 = 28;
    let mut rng = Rng::new(SEED);
    let (mut hits, rays) = (0, if Effort::is_long() { 300 } else { 30 });
    for _ in 0..10 {
        let finite = |rng: &mut Rng| loop {
            let x = rng.any();
            if x.is_finite() {
                return x;
            }
        };
        let vertex = |rng: &mut Rng| [(); 3].map(|()| finite(rng));
        let shape = Shape {
            positions: (0..40).map(|_| vertex(&mut rng)).collect(),
            faces: (0..60)
                .map(|_| [(); 3].map(|()| rng.below(40) as u32))
                .collect(),
        };
        let both = Both::new(&shape);
        for _ in 0..rays {
            let (a, b) = (rng.pick(&shape.positions), rng.pick(&shape.positions));
            let random = [(); 3].map(|()| finite(&mut rng));
            for ray in [
                Ray::new(a, b),
                Ray::new(a, random),
                Ray::new(random, a),
                Ray::new([0.0; 3], b),
            ] {
                hits += both.ask(&ray.with_interval(-INF, INF)).hits.len();
            }
        }
    }
    assert!(hits > 200, "only {hits} hits, seed {SEED}");
}

/// M27 (Embree InactiveRaysTest, NaNTest, InfTest): undefined rays on an ordinary mesh.
#[test]
fn undefined_rays_touch_nothing() {
    let both = Both::new(&Shape::sphere(1.0, 16, 8, false));
    let good = Ray::new([0.1, 0.2, 0.3], [0.5, 0.25, 1.0]);
    assert_eq!(both.ask(&good).crossings.len(), 1);
    let mut rays = vec![
        good.with_interval(INF, 0.0),
        good.with_interval(INF, -INF),
        good.with_interval(1.0, 0.5),
        good.with_interval(f32::NAN, INF),
        good.with_interval(0.0, f32::NAN),
        Ray::new(good.origin, [0.0; 3]),
    ];
    for (axis, number) in (0..3).flat_map(|axis| [f32::NAN, INF, -INF].map(|n| (axis, n))) {
        let (mut from, mut to) = (good, good);
        from.origin[axis] = number;
        to.dir[axis] = number;
        rays.extend([from, to]);
    }
    for ray in rays {
        assert_eq!(both.ask(&ray).hits, [], "{ray:?}");
    }
}

/// M38 (obvhs tests): from 32 triangles down to none, with every quality.
#[test]
fn every_small_number_of_triangles() {
    let mut rng = Rng::new(38);
    for count in (0..=32).rev() {
        let shape = Shape::random(count, 0.5, &mut rng);
        let both = Both::new(&shape);
        for corners in shape.positions.chunks(3) {
            let [a, b, c] = [0, 1, 2].map(|i| Vec3::from(corners[i]));
            let middle = (a + b + c) / 3.0;
            for _ in 0..3 {
                let origin = Vec3::from(rng.vec(-3.0, 3.0));
                let hits = both.ask(&Ray::new(origin, middle - origin)).hits;
                assert!(!hits.is_empty(), "{count} triangles, none in the way");
            }
        }
        let away = both.ask(&Ray::new([9.0; 3], [1.0; 3]));
        assert_eq!(away.hits, []);
    }
}

/// M38: a flat grid of 4 by 4, seen from above by 256 by 256 rays.
#[test]
fn a_flat_grid_from_above_is_hit_everywhere() {
    let grid = Shape::plane([-2.0, 0.0, -2.0], [0.0, 0.0, 4.0], [4.0, 0.0, 0.0], [4, 4]);
    let both = Both::new(&grid);
    for (i, j) in (0..256u16).flat_map(|i| (0..256u16).map(move |j| (i, j))) {
        let place = |i: u16| -2.0 + 4.0 * f32::from(i) / 255.0;
        let ray = Ray::new([place(i), 10.0, place(j)], [0.0, -1.0, 0.0]);
        let hit = both.closest(&ray).expect("the grid has no gap");
        assert_eq!(hit.t, 10.0, "{ray:?}");
        let triangle = both.brute.triangle(hit.prim).unwrap();
        let (_, side) = triangle.exact_hit(&ray, hit.prim).unwrap();
        assert_eq!(side, estoc_core::Side::Front, "its normal is +y: {ray:?}");
    }
}

/// M38: boxes as large as `f32` allows, and as small.
#[test]
fn the_ends_of_f32() {
    let (max, min) = (f32::MAX, f32::from_bits(1));
    for size in [max, max / 2.0, 1e30, 1e-30, 1e-40, min] {
        let far = Shape::soup((0..10).map(|i| {
            let sign = if i % 2 == 0 { 1.0 } else { -1.0 };
            [
                [-size, -size, sign * size],
                [size, -size, sign * size],
                [-size, size, 0.0],
            ]
        }));
        let both = Both::new(&far.with(&Shape::cuboid([-size; 3], [size; 3])));
        let mut rng = Rng::new(39);
        let places = [-size, -size / 2.0, 0.0, size / 3.0, size];
        let mut hits = 0;
        for _ in 0..500 {
            let origin = [(); 3].map(|()| rng.pick(&places));
            let dir = [(); 3].map(|()| rng.pick(&[-max, -1.0, -0.0, 0.0, min, 1.0, max, size]));
            let ray = Ray::new(origin, dir).with_interval(rng.pick(&[0.0, -INF]), INF);
            hits += both.ask(&ray).hits.len();
        }
        assert!(hits > 500, "only {hits} hits at size {size:e}");
    }
}

/// Zero-area triangles keep their ids and are never hit, alone or among others.
#[test]
fn triangles_without_area_keep_their_numbers() {
    let point = [[0.25, 0.25, 0.0]; 3];
    let line = [[0.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.5, 0.5, 0.0]];
    let real = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let both = Both::new(&Shape::soup([point, line, real, line, point]));
    let hits = both.ask(&Ray::new([0.25, 0.25, -1.0], UP)).hits;
    assert_eq!(hits.iter().map(Name::number).collect::<Vec<_>>(), [2]);
    let only = Both::new(&Shape::soup([
        point, line, line, point, line, line, line, point, point,
    ]));
    assert_eq!(only.ask(&Ray::new([0.25, 0.25, -1.0], UP)).hits, []);
}
