//! Pairs of triangles: which intersect, and what they have in common.

use estoc_core::glam::Vec3;
use estoc_core::{BruteForce, Intersection, IntersectionKind, RegionQuery, Triangle};
use estoc_testkit::generate::Rng;
use std::ops::ControlFlow;

use IntersectionKind::{CoplanarOverlap, Crossing, Touching};

fn triangle(corners: [[f32; 3]; 3]) -> Triangle {
    let [a, b, c] = corners;
    Triangle::new(a, b, c)
}

fn pairs(triangles: &[Triangle]) -> Vec<Intersection> {
    let mut found = Vec::new();
    let end = BruteForce::new(triangles).self_intersections(&mut |pair| {
        found.push(pair);
        ControlFlow::<()>::Continue(())
    });
    assert!(end.is_continue());
    found
}

/// Returns what two triangles of one mesh have in common, after checking that neither their order nor
/// that of their corners and axes matters.
fn kind(a: [[f32; 3]; 3], b: [[f32; 3]; 3]) -> Option<IntersectionKind> {
    let mut kinds = Vec::new();
    for turn in 0..3 {
        for axes in 0..3 {
            for mirror in [false, true] {
                let change = |mut corners: [[f32; 3]; 3], turn: usize| {
                    corners.rotate_left(turn);
                    if mirror {
                        corners.swap(0, 1);
                    }
                    for p in &mut corners {
                        p.rotate_left(axes);
                    }
                    triangle(corners)
                };
                for pair in [
                    [change(a, turn), change(b, 0)],
                    [change(b, turn), change(a, 0)],
                ] {
                    kinds.push(pairs(&pair).first().map(|pair| pair.kind));
                }
            }
        }
    }
    assert!(kinds.iter().all(|kind| *kind == kinds[0]), "{kinds:?}");
    kinds[0]
}

const SHEET: [[f32; 3]; 3] = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];

#[test]
fn kinds_of_intersections_are_told_apart() {
    #[rustfmt::skip]
    let cases = [
        // Through the face, and only up to it.
        ([[1.0, 1.0, -1.0], [1.0, 1.0, 1.0], [9.0, 9.0, 0.0]], Some(Crossing)),
        ([[1.0, 1.0, 0.0], [1.0, 1.0, 1.0], [9.0, 9.0, 1.0]], Some(Touching)),
        ([[1.0, 1.0, 1e-30], [1.0, 1.0, 1.0], [9.0, 9.0, 1.0]], None),
        // An edge on the face, and edges that meet.
        ([[1.0, 1.0, 0.0], [2.0, 1.0, 0.0], [9.0, 9.0, 1.0]], Some(Touching)),
        ([[2.0, 2.0, -1.0], [2.0, 2.0, 1.0], [9.0, 9.0, 0.0]], Some(Touching)),
        ([[0.0, 2.0, -1.0], [0.0, 2.0, 1.0], [-9.0, 2.0, 0.0]], Some(Touching)),
        // A T-junction: a corner inside an edge.
        ([[2.0, 0.0, 0.0], [4.0, -1.0, 0.0], [0.0, -1.0, 0.0]], Some(Touching)),
        ([[2.0, 0.0, 0.0], [4.0, -1.0, 1.0], [0.0, -1.0, 1.0]], Some(Touching)),
        // Neighbours: along an edge, and at a corner.
        ([[4.0, 0.0, 0.0], [0.0, 0.0, 0.0], [1.0, -4.0, 0.0]], None),
        ([[4.0, 0.0, 0.0], [0.0, 0.0, 0.0], [1.0, 1.0, 1e-30]], None),
        ([[0.0, 0.0, 0.0], [-1.0, -4.0, 0.0], [-2.0, -4.0, 0.0]], None),
        ([[0.0, 0.0, 0.0], [-1.0, -4.0, 2.0], [1.0, 4.0, 2.0]], None),
        // Folded onto each other along an edge, and at a corner.
        ([[4.0, 0.0, 0.0], [0.0, 0.0, 0.0], [1.0, 4.0, 0.0]], Some(CoplanarOverlap)),
        ([[0.0, 0.0, 0.0], [4.0, 1.0, 0.0], [-1.0, 2.0, 0.0]], Some(CoplanarOverlap)),
        // From a shared corner along the same line, in the plane and out of it.
        ([[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, -4.0, 0.0]], Some(Touching)),
        ([[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, -4.0, 1.0]], Some(Touching)),
        ([[0.0, 0.0, 0.0], [-2.0, 0.0, 0.0], [0.0, -4.0, 0.0]], None),
        // From a shared corner through the face, along it, and away from it.
        ([[0.0, 0.0, 0.0], [2.0, 2.0, 1.0], [2.0, 2.0, -1.0]], Some(Crossing)),
        ([[0.0, 0.0, 0.0], [1.0, 1.0, 0.0], [2.0, 2.0, 5.0]], Some(Touching)),
        ([[0.0, 0.0, 0.0], [-2.0, -2.0, 1.0], [-2.0, -2.0, -1.0]], None),
        // In one plane: common area, a common edge or corner that is not shared, and none.
        ([[1.0, 1.0, 0.0], [9.0, 1.0, 0.0], [1.0, 9.0, 0.0]], Some(CoplanarOverlap)),
        ([[1.0, 0.5, 0.0], [2.0, 0.5, 0.0], [1.0, 1.0, 0.0]], Some(CoplanarOverlap)),
        ([[1.0, 0.0, 0.0], [3.0, 0.0, 0.0], [2.0, -1.0, 0.0]], Some(Touching)),
        ([[2.0, 2.0, 0.0], [9.0, 1.0, 0.0], [9.0, 9.0, 0.0]], Some(Touching)),
        ([[2.0, 3.0, 0.0], [9.0, 1.0, 0.0], [9.0, 9.0, 0.0]], None),
        // The same corners.
        (SHEET, Some(CoplanarOverlap)),
        // Without area.
        ([[1.0, 1.0, -1.0], [1.0, 1.0, 0.0], [1.0, 1.0, 1.0]], None),
    ];
    for (other, want) in cases {
        assert_eq!(kind(SHEET, other), want, "{other:?}");
    }
}

/// The sign of zero does not matter for which corners are shared.
#[test]
fn corners_are_shared_by_position() {
    let other = [[-0.0, -0.0, -0.0], [-1.0, -4.0, -0.0], [-2.0, -4.0, 0.0]];
    assert_eq!(kind(SHEET, other), None);
}

/// Moving a mesh of small integers by powers of two changes nothing, and neither does doubling it.
#[test]
fn translations_without_rounding_change_no_pair() {
    let mut rng = Rng::named(5, "pairs");
    for round in 0..40 {
        let triangles: Vec<Triangle> = (0..40)
            .map(|_| triangle([0; 3].map(|_: i32| rng.grid_point(3).to_array())))
            .collect();
        let own = pairs(&triangles);
        let offset = Vec3::new(1024.0, -4096.0, 65536.0);
        for (scale, offset) in [
            (1.0, offset),
            (2f32.powi(90), Vec3::ZERO),
            (2f32.powi(-140), Vec3::ZERO),
        ] {
            let moved: Vec<Triangle> = triangles
                .iter()
                .map(|triangle| {
                    let [a, b, c] = triangle.corners().map(|p| p * scale + offset);
                    Triangle::new(a, b, c)
                })
                .collect();
            assert_eq!(pairs(&moved), own, "{round} {scale}");
        }
        assert!(!own.is_empty());
    }
}

#[test]
fn visitors_can_stop_and_pairs_come_by_ids() {
    let triangles = [triangle(SHEET); 5];
    let all = pairs(&triangles);
    let ids: Vec<(u32, u32)> = all
        .iter()
        .map(|p| (p.first.get(), p.second.get()))
        .collect();
    let want: Vec<(u32, u32)> = (0..5)
        .flat_map(|i| (i + 1..5).map(move |j| (i, j)))
        .collect();
    assert_eq!(ids, want);
    let engine = BruteForce::new(triangles);
    let mut calls = 0;
    let stopped = engine.self_intersections(&mut |pair| {
        calls += 1;
        match calls {
            4 => ControlFlow::Break(pair.second.get()),
            _ => ControlFlow::Continue(()),
        }
    });
    assert_eq!((stopped, calls), (ControlFlow::Break(4), 4));
    // Between two meshes, shared corners are common points like others.
    let neighbour = triangle([[4.0, 0.0, 0.0], [0.0, 0.0, 0.0], [1.0, -4.0, 0.0]]);
    let mut found = Vec::new();
    let _ = engine.intersections(&BruteForce::new([neighbour]), &mut |pair| {
        found.push((pair.first.get(), pair.second.get(), pair.kind));
        ControlFlow::<()>::Continue(())
    });
    assert_eq!(found, [0, 1, 2, 3, 4].map(|first| (first, 0, Touching)));
}
