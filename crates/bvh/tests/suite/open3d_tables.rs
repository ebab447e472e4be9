//! Distances, signs, cuts and self-intersections that Open3D's tests document, asked of brute force
//! and of trees. `M` numbers identify a case by its source; the names are those of its tests.

use crate::common::{Both, Shape};
use estoc_core::IntersectionKind::{self, CoplanarOverlap, Touching};
use estoc_core::{Plane, PointQuery, RegionQuery, SignRule, Winding};
use std::f64::consts::PI;
use std::ops::ControlFlow;

const RULES: [SignRule; 3] = [
    SignRule::Parity,
    SignRule::WindingNumber,
    SignRule::WindingEstimate,
];

fn unit_box() -> Both {
    Both::new(&Shape::cuboid([0.0; 3], [1.0; 3]))
}

/// Returns a sphere as `create_sphere` triangulates it: `2 resolution` columns and `resolution` rows
/// from the top, one triangle at each pole, and quads cut from their lower left to their upper right.
fn sphere(radius: f64, resolution: u32) -> Shape {
    let columns = 2 * resolution;
    let mut shape = Shape::default();
    let step = PI / f64::from(resolution);
    let pole = |z: f64| [0.0, 0.0, z as f32];
    shape.positions.extend([pole(radius), pole(-radius)]);
    for (row, column) in (1..resolution).flat_map(|row| (0..columns).map(move |j| (row, j))) {
        let (alpha, theta) = (step * f64::from(row), step * f64::from(column));
        let point = [
            alpha.sin() * theta.cos(),
            alpha.sin() * theta.sin(),
            alpha.cos(),
        ];
        shape.positions.push(point.map(|x| (x * radius) as f32));
    }
    let at = |row: u32, column: u32| 2 + (row - 1) * columns + column % columns;
    for j in 0..columns {
        shape.faces.push([0, at(1, j), at(1, j + 1)]);
        let last = resolution - 1;
        shape.faces.push([1, at(last, j + 1), at(last, j)]);
        for row in 1..last {
            let (upper, lower) = (
                [at(row, j), at(row, j + 1)],
                [at(row + 1, j), at(row + 1, j + 1)],
            );
            shape.faces.push([lower[0], upper[1], upper[0]]);
            shape.faces.push([lower[0], lower[1], upper[1]]);
        }
    }
    shape
}

/// Returns rings around the z axis, given by radius and height, joined by quads that are cut in two.
fn rings(columns: u32, rings: &[[f64; 2]]) -> Shape {
    let mut shape = Shape::default();
    for &[radius, z] in rings {
        shape.positions.extend((0..columns).map(|j| {
            let turn = 2.0 * PI * f64::from(j) / f64::from(columns);
            [radius * turn.cos(), radius * turn.sin(), z].map(|x| x as f32)
        }));
    }
    for row in 0..rings.len() as u32 - 1 {
        for j in 0..columns {
            let (a, b) = (row * columns + j, row * columns + (j + 1) % columns);
            shape
                .faces
                .extend([[a, b, a + columns], [b, b + columns, a + columns]]);
        }
    }
    shape
}

/// M5 (test_compute_distance, test_compute_signed_distance, test_compute_occupancy) and M7
/// (Open3D#5105, where the first one was negative).
#[test]
fn distances_of_a_box_are_those_of_open3d() {
    let unit = unit_box();
    for (source, point, signed, inside) in [
        ("M5", [0.5; 3], -0.5, true),
        ("M5", [-0.5; 3], 0.75f64.sqrt() as f32, false),
        ("M5", [0.0; 3], 0.0, true),
        ("M7", [-1.0, -1.0, 0.0], 2f32.sqrt(), false),
        ("M7", [-1.0; 3], 3f32.sqrt(), false),
        ("M7", [0.5; 3], -0.5, true),
        (
            "M7, along other edges",
            [-1.0, 0.0, -1.0],
            2f32.sqrt(),
            false,
        ),
        (
            "M7, along other edges",
            [0.0, -1.0, -1.0],
            2f32.sqrt(),
            false,
        ),
    ] {
        let case = || format!("{source}: {point:?}");
        let distance = unit.near(|engine| engine.distance(point));
        assert_eq!(distance, Some(signed.abs()), "{}", case());
        for rule in RULES {
            let found = unit.near(|engine| engine.signed_distance_by(point, rule));
            let found = found.unwrap().unwrap();
            assert_eq!((found.signed, found.inside), (signed, inside), "{}", case());
        }
        assert_eq!(unit.contains(point), Some(inside), "{}", case());
    }
}

/// M6 (test_sphere_wrong_occupancy, Open3D#5669, where rays through corners and edges were counted
/// wrongly): one row of the picture is one row of the grid, for each of the six slices.
#[test]
fn occupancy_of_a_sphere_is_that_of_open3d() {
    const NONE: &str = "......";
    const CAP: [&str; 6] = [NONE, "..##..", ".####.", ".####.", "..##..", NONE];
    const BODY: [&str; 6] = [NONE, ".####.", ".####.", ".####.", ".####.", NONE];
    let picture = [[NONE; 6], CAP, BODY, BODY, CAP, [NONE; 6]];
    let shape = sphere(0.8, 20);
    assert_eq!((shape.positions.len(), shape.faces.len()), (762, 1520));
    let solid = Both::new(&shape);
    assert!(solid.near(|engine| engine.surface().is_oriented()));
    // From 1.1 times the lowest to 1.1 times the highest coordinate, in five steps.
    let place = |i: usize| (1.1 * f64::from(0.8f32) * (2.0 * i as f64 / 5.0 - 1.0)) as f32;
    let mut inside = 0;
    for (slice, rows) in picture.into_iter().enumerate() {
        for (row, cells) in rows.into_iter().enumerate() {
            for (column, cell) in cells.bytes().enumerate() {
                let point = [place(column), place(row), place(slice)];
                let want = cell == b'#';
                inside += usize::from(want);
                assert_eq!(solid.contains(point), Some(want), "{point:?}");
                let number = solid.near(|engine| engine.winding_number(point));
                assert_eq!(number, Ok(Winding::Number(i64::from(want))), "{point:?}");
                for rule in RULES {
                    let signed = solid.near(|engine| engine.signed_distance_by(point, rule));
                    let signed = signed.unwrap().unwrap();
                    assert_eq!(signed.inside, want, "{point:?}");
                    assert_eq!(signed.signed < 0.0, want, "{point:?}");
                }
            }
        }
    }
    assert_eq!(inside, 56);
}

fn pairs(both: &Both) -> Vec<(u32, u32, IntersectionKind)> {
    both.regions(|engine| {
        let mut found = Vec::new();
        let _ = engine.self_intersections(&mut |pair| {
            found.push((pair.first.get(), pair.second.get(), pair.kind));
            ControlFlow::<()>::Continue(())
        });
        found
    })
}

/// IsSelfIntersecting: the shapes that do not, also after their corners are rounded, and the two that
/// do. Open3D names no pairs.
#[test]
fn self_intersections_are_those_of_open3d() {
    let cylinder = rings(
        20,
        &[
            [0.0, 1.0],
            [1.0, 1.0],
            [1.0, 0.5],
            [1.0, 0.0],
            [1.0, -1.0],
            [0.0, -1.0],
        ],
    );
    let cone = rings(20, &[[0.0, 2.0], [1.0, 0.0], [0.0, 0.0]]);
    let circle: Vec<[f64; 2]> = (0..=20)
        .map(|i| 2.0 * PI * f64::from(i % 20) / 20.0)
        .map(|turn| [1.0 + 0.5 * turn.cos(), 0.5 * turn.sin()])
        .collect();
    for (name, shape) in [
        ("box", Shape::cuboid([0.0; 3], [1.0; 3])),
        ("sphere", sphere(1.0, 20)),
        ("cylinder", cylinder),
        ("cone", cone),
        ("torus", rings(20, &circle)),
    ] {
        let both = Both::new(&shape);
        assert!(both.near(|engine| engine.surface().is_closed()), "{name}");
        assert_eq!(pairs(&both), [], "{name}");
    }
    // A triangle through the common edge of two, which has no point inside either of them.
    let [a, b, c, d] = [[0.0; 3], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0]];
    let through = [[0.5, 0.5, -1.0], [0.0, 1.0, 1.0], [1.0, 0.0, 1.0]];
    let mesh0 = Both::new(&Shape::soup([[a, b, c], [b, c, d], through]));
    assert_eq!(pairs(&mesh0), [(0, 2, Touching), (1, 2, Touching)]);
    let moved = [a, b, c].map(|p| [p[0] + 0.1, p[1] + 0.1, 0.0]);
    let mesh1 = Both::new(&Shape::soup([[a, b, c], moved]));
    assert_eq!(pairs(&mesh1), [(0, 1, CoplanarOverlap)]);
}

/// test_slice_plane: three planes cut the corner of a box at which each face has one triangle, which
/// gives nine points and nine lines; test_clip_plane: half of a box has 12 corners and 14 triangles.
#[test]
fn cuts_of_a_box_are_those_of_open3d() {
    let unit = Both::new(&Shape::cuboid_with_turned([0.0; 3], [1.0; 3], &[0, 2, 4]));
    let mut counts = [0; 2];
    for contour in [-0.1, 0.0, 0.1] {
        // The contours are distances along the unit normal.
        let along = contour / 3f32.sqrt();
        let plane = Plane::through([along, 0.5 + along, along], [1.0; 3]).unwrap();
        let section = unit.regions(|engine| engine.section(&plane));
        assert!(section.is_closed() && section.polylines.len() == 1);
        counts[0] += section.polylines[0].points.len();
        counts[1] += section.segments().count();
        let sum = 0.5 + contour * 3f32.sqrt();
        for corner in &section.polylines[0].points {
            let off = (corner.point.element_sum() - sum).abs();
            assert!(off < 1e-6, "{corner:?}");
        }
    }
    assert_eq!(counts, [9, 9]);

    let half = Plane::from_offset([1.0, 0.0, 0.0], 0.5).unwrap();
    let section = unit.regions(|engine| engine.section(&half));
    assert_eq!(
        (section.polylines.len(), section.segments().count()),
        (1, 8)
    );
    // The cut's points and the corners in front of it.
    let is_in_front = |corner: &[f32; 3]| corner[0] > 0.5;
    let shape = Shape::cuboid_with_turned([0.0; 3], [1.0; 3], &[0, 2, 4]);
    let corners = shape.positions.iter().filter(|p| is_in_front(p)).count();
    assert_eq!(corners + section.polylines[0].points.len(), 12);
}
