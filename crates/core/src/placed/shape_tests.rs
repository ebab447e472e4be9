//! Placed spheres and boxes: `f64` against exact arithmetic, and both against the shapes alone.

use super::{PlacedPrimitive, PlacedShape, PlacementMatrix, Shape};
use super::{ScenePath, ScenePrim, ShapeEnd, WorldLine};
use crate::arithmetic::{Numbers, V3, usual_or_long, widen};
use crate::collect::RayTest;
use crate::exact::{PreparedRay, Verdict};
use crate::shapes::{Aabb, Obb, PrimId, Ray, Span, Sphere};
use core::cmp::Ordering;
use glam::{Mat4, Vec3};

const ENDS: [ShapeEnd; 2] = [ShapeEnd::Entry, ShapeEnd::Exit];

fn id(prim: u32, end: ShapeEnd) -> ScenePrim {
    ScenePrim::shape(ScenePath::ROOT, PrimId::new(prim).unwrap(), end)
}

fn narrow(v: V3) -> Vec3 {
    Vec3::from(v.map(|x| x as f32))
}

/// Returns a shape of any kind.
fn shape(numbers: &mut Numbers, size: f32) -> Option<Shape> {
    let v = |numbers: &mut Numbers| narrow(numbers.vector());
    let center = v(numbers);
    Some(match numbers.next() % 4 {
        0 => Sphere::try_new(center, size.abs()).ok()?.into(),
        1 => Aabb::of_points([center, v(numbers)]).into(),
        2 => {
            let turns = [
                [[0.6, 0.8, 0.0], [-0.8, 0.6, 0.0], [0.0, 0.0, 1.0]],
                [[0.0, 1.0, 0.0], [0.0, 0.0, -1.0], [1.0, 0.0, 0.0]],
            ];
            let axes = turns[numbers.next() as usize % 2].map(Vec3::from);
            Obb::try_new(center, axes, v(numbers).abs()).ok()?.into()
        }
        _ => {
            let columns = [v(numbers), v(numbers), v(numbers)].map(|v| v.extend(0.0));
            let [x, y, z] = columns;
            let model = Mat4::from_cols(x, y, z, center.extend(1.0));
            let local = Aabb::of_points([v(numbers), v(numbers)]);
            Obb::from_model(&local, &model).ok()?.into()
        }
    })
}

/// What `f64` decides is what exact numbers decide, and its intervals contain the exact parameters.
#[test]
fn quick_decisions_are_those_of_exact_arithmetic() {
    let rounds = usual_or_long(3_000, 300_000);
    let mut numbers = Numbers(0x1f83_d9ab_fb41_bd6b);
    let (mut cases, mut decided, mut hits, mut tangents) = (0, 0, 0, 0);
    for round in 0..rounds {
        let scale = [1.0, 1.0, 1e-20, 1e20][round % 4];
        let rows = [0, 1, 2].map(|row| {
            let [x, y, z] = numbers
                .vector()
                .map(|x| x * (1.0 + numbers.float(4) * 1e-3));
            let [x, y, z] = match round % 3 {
                0 => [0, 1, 2].map(|column| if row == column { 1.0 } else { 0.0 }),
                _ => [x * scale, y * scale, z * scale],
            };
            [x, y, z, numbers.float(1 + round as u64 % 4)]
        });
        let size = numbers.float(1 + round as u64 % 4) as f32;
        let (Ok(matrix), Some(shape)) =
            (PlacementMatrix::from_rows(rows), shape(&mut numbers, size))
        else {
            continue;
        };
        let Some([low, high]) = shape.bounds() else {
            continue;
        };
        // Through a point near the shape, or through a corner of its box.
        let at = [0, 1, 2].map(|axis| match numbers.next() % 3 {
            0 => low[axis],
            1 => high[axis],
            _ => (low[axis] + high[axis]) / 2.0,
        });
        let target = matrix.to_affine().transform_point3(at.into());
        let mut origin = narrow(target.into());
        let dir = narrow(numbers.vector());
        if round % 2 == 0 {
            origin -= dir;
        }
        let ray = Ray::new(origin, dir).with_interval(f32::NEG_INFINITY, f32::INFINITY);
        let Some(ray) = PreparedRay::new(&ray) else {
            continue;
        };
        let (placed, line) = (PlacedShape::new(shape, matrix), WorldLine::of(&ray));
        for end in ENDS {
            cases += 1;
            let exactly = placed.touch_slowly(&ray, id(0, end), f64::INFINITY);
            match placed.touch_quickly(&ray, id(0, end), f64::INFINITY) {
                Verdict::Open => continue,
                Verdict::Missed => assert!(exactly.is_none(), "{placed:?} {ray:?} {end:?}"),
                Verdict::Touched(touch) => {
                    let what = || std::format!("{placed:?} {ray:?} {touch:?}");
                    assert!(exactly.is_some(), "{}", what());
                    let t = touch.exact_t(&line);
                    assert_ne!(t.cmp_f64(touch.t_low), Ordering::Less, "{}", what());
                    assert_ne!(t.cmp_f64(touch.t_high), Ordering::Greater, "{}", what());
                    let crosses = exactly.is_some_and(|exact| exact.crosses());
                    assert_eq!(touch.crosses(), crosses, "{}", what());
                    tangents += usize::from(!crosses);
                    hits += 1;
                }
            }
            decided += 1;
        }
    }
    println!("{cases} cases, {decided} decided, {hits} hits, {tangents} tangents");
    assert!(cases > rounds && decided * 4 > cases * 3 && hits * 4 > cases);
}

/// Returns the parameters at which a ray enters and leaves, rounded.
fn ends(placed: &PlacedShape, ray: &Ray) -> [Option<f32>; 2] {
    let placed = PlacedPrimitive::from(*placed);
    ENDS.map(|end| {
        let ray = PreparedRay::new(ray)?;
        let touch = placed.touch(&ray, id(0, end), f64::INFINITY)?;
        Some(PlacedPrimitive::hit(&ray, &touch).t)
    })
}

/// In place, and under a matrix that is a power of two of each axis, shapes answer as they do alone.
#[test]
fn shapes_in_place_answer_as_they_do_alone() {
    let mut numbers = Numbers(0x5be0_cd19_137e_2179);
    let (mut met, mut once) = (0, 0);
    for round in 0..4_000 {
        let kind = 1 + round % 4;
        let mut v = || [0; 3].map(|_| numbers.float(kind) as f32);
        let (center, origin, dir, other) = (v(), v(), v(), v());
        let ray = Ray::new(origin, dir).with_interval(f32::NEG_INFINITY, f32::INFINITY);
        let axes = [[0.0, 1.0, 0.0], [-0.6, 0.0, 0.8], [0.8, 0.0, 0.6]].map(Vec3::from);
        let sphere = Sphere::try_new(center, other[0].abs()).unwrap();
        let bounds = Aabb::of_points([center, other]);
        let obb = Obb::try_new(center, axes, Vec3::from(other).abs()).unwrap();
        let spans: [(Shape, Option<Span>); 3] = [
            (sphere.into(), sphere.chord(&ray)),
            (bounds.into(), bounds.slab(&ray)),
            (obb.into(), obb.slab(&ray)),
        ];
        // The world is twice the object's space, mirrored in x.
        let doubled = PlacementMatrix::from_rows([
            [-2.0, 0.0, 0.0, 0.0],
            [0.0, 2.0, 0.0, 0.0],
            [0.0, 0.0, 2.0, 0.0],
        ]);
        let mirror = |v: [f32; 3]| [-2.0 * v[0], 2.0 * v[1], 2.0 * v[2]];
        let moved =
            Ray::new(mirror(origin), mirror(dir)).with_interval(f32::NEG_INFINITY, f32::INFINITY);
        for (shape, span) in spans {
            let expected = match span {
                None => [None; 2],
                Some(Span { entry, exit }) => [Some(entry), Some(exit)],
            };
            let here = PlacedShape::new(shape, PlacementMatrix::IDENTITY);
            let there = PlacedShape::new(shape, doubled.unwrap());
            let found = ends(&here, &ray);
            // A tangent counts once.
            let is_once = found[0].is_some() && found[1].is_none();
            if is_once {
                assert_eq!(expected[0], expected[1], "{here:?} {ray:?}");
                once += 1;
            }
            let expected = if is_once {
                [expected[0], None]
            } else {
                expected
            };
            assert_eq!(found, expected, "{here:?} {ray:?}");
            assert_eq!(ends(&there, &moved), expected, "{there:?} {moved:?}");
            met += usize::from(span.is_some());
        }
    }
    assert!(met > 1_000 && once > 20, "{met} {once}");
}

/// An ellipsoid and a sheared box whose numbers are integers.
#[test]
fn images_are_exact_at_tangents_and_edges() {
    // (x, y, z) to (3 x + y + 1, 2 y, z): the unit sphere becomes an ellipsoid around (1, 0, 0).
    let sheared = PlacementMatrix::from_rows([
        [3.0, 1.0, 0.0, 1.0],
        [0.0, 2.0, 0.0, 0.0],
        [0.0, 0.0, 1.0, 0.0],
    ])
    .unwrap();
    let ball = PlacedShape::new(Sphere::try_new([0.0; 3], 1.0).unwrap(), sheared);
    // Parallel to x through its pole z = 1, and beside it by the least step.
    let above = |z: f32| Ray::new([-9.0, 0.0, z], [2.0, 0.0, 0.0]);
    assert_eq!(ends(&ball, &above(1.0)), [Some(5.0), None]);
    assert_eq!(ends(&ball, &above(1f32.next_up())), [None, None]);
    assert_eq!(ends(&ball, &above(0.0)), [Some(3.5), Some(6.5)]);
    let inside = above(0.0).with_interval(3.5f32.next_up(), 6.5);
    assert_eq!(ends(&ball, &inside), [None, Some(6.5)]);
    let before = above(0.0).with_interval(0.0, 6.5f32.next_down());
    assert_eq!(ends(&ball, &before), [Some(3.5), None]);
    // Along the axis of the object's y: (1, 2, 0) of the world for each unit.
    let slanted = Ray::new([0.0, -2.0, 0.0], [1.0, 2.0, 0.0]);
    assert_eq!(ends(&ball, &slanted), [Some(0.0), Some(2.0)]);

    let unit = Aabb::try_new([-1.0; 3], [1.0; 3]).unwrap();
    let cube = PlacedShape::new(unit, sheared);
    // In the face z = 1, along an edge of it, through an edge, through a corner.
    assert_eq!(ends(&cube, &above(1.0)), [Some(3.5), Some(6.5)]);
    assert_eq!(ends(&cube, &above(1f32.next_up())), [None, None]);
    let along = Ray::new([-9.0, 2.0, 1.0], [1.0, 0.0, 0.0]);
    assert_eq!(ends(&cube, &along), [Some(8.0), Some(14.0)]);
    // The corner (1, 1, 1) is at (5, 2, 1).
    let corner = Ray::new([4.0, 3.0, 2.0], [1.0, -1.0, -1.0]);
    assert_eq!(ends(&cube, &corner)[0], Some(1.0));
    let past = Ray::new([4.0, 1.0, 2.0], [1.0, 1.0, -1.0]);
    assert_eq!(ends(&cube, &past), [Some(1.0), None]);

    // A point and a flat box are met once; an empty box never.
    let point = PlacedShape::new(Sphere::try_new([0.0; 3], 0.0).unwrap(), sheared);
    assert_eq!(ends(&point, &above(0.0)), [Some(5.0), None]);
    assert_eq!(ends(&point, &above(f32::from_bits(1))), [None, None]);
    let flat = Aabb::try_new([-1.0, -1.0, 0.0], [1.0, 1.0, 0.0]).unwrap();
    let flat = PlacedShape::new(flat, sheared);
    let down = Ray::new([1.0, 0.0, 4.0], [0.0, 0.0, -2.0]);
    assert_eq!(ends(&flat, &down), [Some(2.0), None]);
    assert_eq!(ends(&flat, &above(0.0)), [Some(3.5), Some(6.5)]);
    let empty = PlacedShape::new(Aabb::EMPTY, sheared);
    assert_eq!(ends(&empty, &down), [None, None]);
}

/// A sphere, a box around it and a triangle that touch the ray at one point: ties go to the lowest id.
#[test]
fn coincident_surfaces_are_ordered_by_id() {
    let third = PlacementMatrix::from_rows([
        [1.0 / 3.0, 0.0, 0.0, 0.0],
        [0.0, 0.7, 0.0, 0.0],
        [0.0, 0.0, 0.9, 0.0],
    ])
    .unwrap();
    let ball = PlacedPrimitive::from(PlacedShape::new(
        Sphere::try_new([0.0; 3], 1.0).unwrap(),
        third,
    ));
    let around = Aabb::try_new([-1.0; 3], [1.0; 3]).unwrap();
    let around = PlacedPrimitive::from(PlacedShape::new(around, third));
    let corners = [[-1.0, -2.0, -2.0], [-1.0, 3.0, -2.0], [-1.0, 0.0, 3.0]].map(Vec3::from);
    let triangle = crate::shapes::Triangle::new(corners[0], corners[1], corners[2]);
    let triangle = PlacedPrimitive::from(super::PlacedTriangle::new(triangle, third));
    let ray = Ray::new([-2.0, 0.0, 0.0], [0.3, 0.0, 0.0]);
    let ray = PreparedRay::new(&ray).unwrap();
    assert_eq!(ray.dir(), widen(Vec3::new(0.3, 0.0, 0.0)));
    let all = [ball, around, triangle];
    for (first, second) in [(0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)] {
        let touch = |which: usize, prim: u32, end| {
            let id = match which {
                2 => ScenePrim::triangle(ScenePath::ROOT, PrimId::new(prim).unwrap()),
                _ => id(prim, end),
            };
            all[which].touch(&ray, id, f64::INFINITY).unwrap()
        };
        let (a, b) = (
            touch(first, 0, ShapeEnd::Entry),
            touch(second, 1, ShapeEnd::Entry),
        );
        assert_eq!(PlacedPrimitive::order(&ray, &a, &b), Ordering::Less);
        let (a, b) = (
            touch(first, 1, ShapeEnd::Entry),
            touch(second, 0, ShapeEnd::Entry),
        );
        assert_eq!(PlacedPrimitive::order(&ray, &a, &b), Ordering::Greater);
        if second < 2 {
            let (a, b) = (
                touch(first, 1, ShapeEnd::Entry),
                touch(second, 0, ShapeEnd::Exit),
            );
            assert_eq!(PlacedPrimitive::order(&ray, &a, &b), Ordering::Less);
        }
    }
}
