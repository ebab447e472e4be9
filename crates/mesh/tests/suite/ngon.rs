//! Faces with more than three corners.

use crate::common::model::runner;
use estoc_mesh::{Mesh, ObjLoader};
use proptest::prelude::*;
use std::fmt::Write;

/// Returns the mesh of one face with these corners.
fn face(corners: &[[f32; 3]]) -> Mesh {
    let mut text = String::new();
    for [x, y, z] in corners {
        writeln!(text, "v {x} {y} {z}").unwrap();
    }
    text.push('f');
    for i in 1..=corners.len() {
        write!(text, " {i}").unwrap();
    }
    ObjLoader::new().read(text.as_bytes(), "face").unwrap()
}

fn flat(corners: &[[i32; 2]]) -> Vec<[f32; 3]> {
    corners
        .iter()
        .map(|&[x, y]| [x as f32, y as f32, 0.0])
        .collect()
}

/// Returns twice the signed area of a triangle or an outline.
fn double_area(outline: &[[i32; 2]]) -> i64 {
    let wide = |p: [i32; 2]| p.map(i64::from);
    let next = outline.iter().cycle().skip(1);
    outline
        .iter()
        .zip(next)
        .map(|(&a, &b)| (wide(a), wide(b)))
        .map(|([ax, ay], [bx, by])| ax * by - bx * ay)
        .sum()
}

fn fan(corners: u32) -> Vec<[u32; 3]> {
    (1..corners - 1).map(|i| [0, i, i + 1]).collect()
}

#[test]
fn fans_stay_where_all_triangles_turn_the_same_way() {
    let table: [(&str, &[[i32; 2]]); 7] = [
        ("square", &[[0, 0], [2, 0], [2, 2], [0, 2]]),
        ("clockwise square", &[[0, 0], [0, 2], [2, 2], [2, 0]]),
        (
            "corners on an edge",
            &[[0, 0], [1, 0], [2, 0], [2, 1], [2, 2]],
        ),
        (
            "the L of which the first corner sees all",
            &[[0, 0], [2, 0], [2, 1], [1, 1], [1, 2], [0, 2]],
        ),
        (
            "repeated corners",
            &[[0, 0], [0, 0], [2, 0], [2, 0], [2, 2]],
        ),
        ("all on a line", &[[0, 0], [3, 0], [1, 0], [2, 0]]),
        ("one point", &[[1, 1]; 5]),
    ];
    for (name, corners) in table {
        let mesh = face(&flat(corners));
        assert_eq!(mesh.indices(), fan(corners.len() as u32), "{name}");
        assert_eq!(mesh.report().concave_polygons, 0, "{name}");
        assert!(mesh.report().tangled_polygons.is_empty(), "{name}");
        assert_eq!(mesh.report().polygons, 1, "{name}");
    }
}

#[test]
fn ears_are_clipped_in_the_documented_order() {
    // An arrowhead, from a corner that cannot see all others because of the notch: the second
    // corner is the first ear.
    let arrow = [[0, 0], [4, 0], [1, 1], [0, 4]];
    let from = |first: usize| -> Vec<[i32; 2]> {
        let turned = arrow[first..].iter().chain(&arrow[..first]);
        turned.copied().collect()
    };
    assert_eq!(face(&flat(&from(0))).indices(), [[0, 1, 2], [0, 2, 3]]);
    assert_eq!(face(&flat(&from(0))).report().concave_polygons, 0);
    assert_eq!(face(&flat(&from(1))).indices(), [[1, 2, 3], [0, 1, 3]]);
    assert_eq!(face(&flat(&from(1))).report().concave_polygons, 1);
    assert_eq!(face(&flat(&from(2))).indices(), [[0, 1, 2], [0, 2, 3]]);
    assert_eq!(face(&flat(&from(3))).indices(), [[1, 2, 3], [0, 1, 3]]);
}

#[test]
fn the_view_follows_the_largest_part_of_the_normal() {
    // A notched face that stands upright: only seen along x does it turn both ways.
    let upright = [
        [0.0, 4.0, 0.0],
        [0.0, 1.0, 1.0],
        [0.0, 0.0, 4.0],
        [0.0, 0.0, 0.0],
    ];
    assert_eq!(face(&upright).report().concave_polygons, 1);
    for axis in 0..3 {
        let turned = upright.map(|p| std::array::from_fn(|i| p[(i + axis) % 3]));
        assert_eq!(
            face(&turned).indices(),
            face(&upright).indices(),
            "axis {axis}"
        );
    }
}

#[test]
fn of_equal_parts_of_the_normal_the_first_counts() {
    // Each turns both ways along the first of its two largest axes, but not along the second.
    for (corners, axes) in [
        ([[1, 2, 3], [2, 2, 2], [0, 3, 2], [0, 3, 1]], "y, z"),
        ([[0, 1, 0], [0, 0, 2], [1, 0, 1], [1, 1, 3]], "x, z"),
        ([[0, 3, 3], [1, 1, 2], [0, 2, 0], [0, 2, 2]], "x, y"),
    ] {
        let mesh = face(&corners.map(|p| p.map(|x| x as f32)));
        let report = mesh.report();
        let cut = report.concave_polygons + report.tangled_polygons.count();
        assert_eq!(cut, 1, "{axes}");
    }
}

#[test]
fn a_face_too_thin_for_floating_point_still_has_a_side() {
    // All corners but the first are on the diagonal, and the first is so close to it that the
    // normal vanishes in f64.
    for x in [2f32.powi(-60), -(2f32.powi(-60))] {
        let needle = [
            [x, 0.0, 0.0],
            [1.0, 1.0, 0.0],
            [3.0, 3.0, 0.0],
            [2.0, 2.0, 0.0],
        ];
        let mesh = face(&needle);
        assert_eq!(mesh.indices(), [[3, 0, 1], [1, 2, 3]], "{x}");
        assert_eq!(mesh.report().concave_polygons, 1, "{x}");
        assert_eq!(mesh.report().degenerate.count(), 1, "{x}");
    }
}

#[test]
fn turns_are_decided_exactly() {
    // The second corner is off the line of its neighbours by so little that differences of
    // coordinates in f64 lose it. On one side a fan is valid, on the other it would fold over.
    let tiny = 2f32.powi(-60);
    let dented = |x: f32| {
        face(&[
            [x, 0.0, 0.0],
            [1.0, 1.0, 0.0],
            [2.0, 2.0, 0.0],
            [0.0, 5.0, 0.0],
        ])
    };
    for (x, concave) in [(-tiny, 0), (0.0, 0), (tiny, 1)] {
        let mesh = dented(x);
        assert_eq!(mesh.report().concave_polygons, concave, "{x}");
        assert_eq!(mesh.report().degenerate.count(), u64::from(x == 0.0), "{x}");
    }
    assert_eq!(dented(tiny).indices(), [[1, 2, 3], [0, 1, 3]]);
}

#[test]
fn faces_that_cross_themselves_end_and_are_told() {
    let bowtie = face(&flat(&[[0, 0], [1, 1], [1, 0], [0, 1]]));
    assert_eq!(bowtie.triangle_count(), 2);
    assert_eq!(bowtie.report().tangled_polygons.count(), 1);
    let pentagram = [[0, 10], [6, -8], [-10, 3], [10, 3], [-6, -8]];
    let star = face(&flat(&pentagram));
    assert_eq!(star.triangle_count(), 3);
    let zigzag: Vec<[i32; 2]> = (0..501).map(|i| [i % 7 * (i % 13), i * 37 % 101]).collect();
    let mesh = face(&flat(&zigzag));
    assert_eq!(mesh.triangle_count(), 499);
    assert_eq!(mesh.report().tangled_polygons.count(), 1);
}

/// Checks that the triangles cover the outline: there are `k - 2`, all oriented like it, with the
/// same total area, so none overlap.
fn assert_covers(outline: &[[i32; 2]], name: &str) {
    let shown = &outline[..outline.len().min(60)];
    let mesh = face(&flat(outline));
    let sense = double_area(outline).signum();
    assert_eq!(mesh.triangle_count(), outline.len() - 2, "{name}");
    assert!(
        mesh.report().tangled_polygons.is_empty(),
        "{name}: {shown:?}"
    );
    let mut sum = 0;
    for triangle in mesh.indices() {
        let area = double_area(&triangle.map(|i| outline[i as usize]));
        assert!(area * sense >= 0, "{name}: {triangle:?} of {shown:?}");
        sum += area;
    }
    assert_eq!(sum, double_area(outline), "{name}: {shown:?}");
}

fn spiral(turns: i32) -> Vec<[i32; 2]> {
    let mut path = vec![[0, 0]];
    let steps = [[1, 0], [0, 1], [-1, 0], [0, -1]];
    for i in 0..4 * turns {
        let ([x, y], [dx, dy]) = (path[i as usize], steps[i as usize % 4]);
        let length = 4 * (i / 2 + 1);
        path.push([x + dx * length, y + dy * length]);
    }
    // Back along the outer side, one step to the right of the way out.
    let right = |i: usize| {
        let [dx, dy] = steps[i % 4];
        [dy, -dx]
    };
    let last = path.len() - 1;
    for i in (0..=last).rev() {
        let [mut x, mut y] = path[i];
        // Beside both edges that meet here; at the ends there is only one.
        for edge in [i.checked_sub(1), (i < last).then_some(i)]
            .into_iter()
            .flatten()
        {
            x += right(edge)[0];
            y += right(edge)[1];
        }
        path.push([x, y]);
    }
    path
}

fn comb(teeth: i32) -> Vec<[i32; 2]> {
    let mut outline = vec![[2 * teeth, -1], [2 * teeth, 0]];
    for tooth in (0..teeth).rev() {
        outline.extend([[2 * tooth + 1, 1000], [2 * tooth, 0]]);
    }
    outline.push([0, -1]);
    outline
}

#[test]
fn simple_outlines_are_covered_from_every_first_corner() {
    let keyhole = [
        [0, 0],
        [8, 0],
        [8, 8],
        [0, 8],
        [0, 0],
        [2, 2],
        [2, 6],
        [6, 6],
        [6, 2],
        [2, 2],
    ];
    let cross = [
        [1, 0],
        [2, 0],
        [2, 1],
        [3, 1],
        [3, 2],
        [2, 2],
        [2, 3],
        [1, 3],
        [1, 2],
        [0, 2],
        [0, 1],
        [1, 1],
    ];
    // One corner touches the bottom from inside.
    let touching = [[0, 0], [8, 0], [8, 8], [4, 0], [0, 8]];
    let spiral = spiral(6);
    let comb = comb(9);
    let table: [(&str, &[[i32; 2]]); 5] = [
        ("touching", &touching),
        ("keyhole", &keyhole),
        ("cross", &cross),
        ("spiral", &spiral),
        ("comb", &comb),
    ];
    for (name, outline) in table {
        for first in 0..outline.len() {
            let turned: Vec<_> = outline[first..]
                .iter()
                .chain(&outline[..first])
                .copied()
                .collect();
            assert_covers(&turned, name);
            let reversed: Vec<_> = turned.into_iter().rev().collect();
            assert_covers(&reversed, name);
        }
    }
}

#[test]
fn large_outlines_take_no_quadratic_time() {
    let spiral = spiral(12_000);
    assert!(spiral.len() > 90_000);
    assert_covers(&spiral, "large spiral");
    assert_covers(&comb(50_000), "large comb");
    // Outlines with many crossings: triangulation still ends.
    let mut state = 1u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 12) as i32
    };
    let noise: Vec<[i32; 2]> = (0..20_000).map(|_| [next(), next()]).collect();
    let mesh = face(&flat(&noise));
    assert_eq!(mesh.triangle_count(), noise.len() - 2);
    assert_eq!(mesh.report().tangled_polygons.count(), 1);
}

/// Returns a star-shaped outline around the origin: by angle, with random radii. It never crosses
/// itself.
fn star(radii: &[i32]) -> Vec<[i32; 2]> {
    let turn = std::f64::consts::TAU / radii.len() as f64;
    let corner = |(i, &radius): (usize, &i32)| {
        let (sin, cos) = (i as f64 * turn).sin_cos();
        [cos, sin].map(|part| (part * f64::from(radius)).round() as i32)
    };
    radii.iter().enumerate().map(corner).collect()
}

#[test]
fn random_stars_are_covered() {
    let radii = proptest::collection::vec(1000..1_000_000i32, 4..60);
    runner(400, 7)
        .run(&radii, |radii| {
            assert_covers(&star(&radii), "star");
            Ok(())
        })
        .unwrap();
}

#[test]
fn random_corners_always_give_k_minus_two() {
    let corner = proptest::array::uniform3(-3..4i32);
    runner(2000, 8)
        .run(&proptest::collection::vec(corner, 4..40), |corners| {
            let corners: Vec<_> = corners.iter().map(|p| p.map(|x| x as f32)).collect();
            let mesh = face(&corners);
            prop_assert_eq!(mesh.triangle_count(), corners.len() - 2);
            let mut places = mesh.indices().as_flattened().iter();
            prop_assert!(places.all(|&i| (i as usize) < corners.len()));
            Ok(())
        })
        .unwrap();
}
