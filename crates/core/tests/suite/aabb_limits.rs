//! Ray against box in critical cases: touching, zeros, overflow, and invalid boxes or rays.

use estoc_core::{Aabb, AabbError, Ray, Span};

const INF: f32 = f32::INFINITY;

fn cube() -> Aabb {
    Aabb::try_new([-1.0; 3], [1.0; 3]).unwrap()
}

fn span(entry: f32, exit: f32) -> Option<Span> {
    Some(Span { entry, exit })
}

/// Returns each axis with each number that is not finite.
fn not_finite() -> impl Iterator<Item = (usize, f32)> {
    (0..3).flat_map(|axis| [f32::NAN, INF, -INF].map(|number| (axis, number)))
}

/// Asserts that a ray misses a box, whatever is asked.
fn assert_misses(bounds: &Aabb, ray: &Ray) {
    assert_eq!(bounds.slab(ray), None, "{ray:?}");
    assert_eq!(bounds.enter_solid(ray), None, "{ray:?}");
    assert_eq!(bounds.enter_surface(ray), None, "{ray:?}");
    assert!(!bounds.may_hit(ray), "{ray:?}");
}

/// A21 (tinybvh#286), and all other ways of touching: rays in faces and along edges, from outside,
/// from the box and past it, parallel axes with +0 and with -0.
#[test]
fn axis_parallel_rays_touch_faces_and_edges() {
    let cube = cube();
    let flat = Aabb::try_new([-1.0, -1.0, 1.0], [1.0; 3]).unwrap();
    let signs = [(0.0, -1.0f32), (0.0, 1.0), (-0.0, -1.0), (-0.0, 1.0)];
    for (axis, (zero, way)) in (0..3).flat_map(|axis| signs.map(|signs| (axis, signs))) {
        let mut dir = [zero; 3];
        dir[axis] = 2.0 * way;
        for a in [-1.0, -0.0, 0.0, 1.0, 1.0f32.next_up(), -1.0f32.next_up()] {
            for b in [-1.0, 0.0, 1.0f32, -1.0f32.next_up()] {
                let mut origin = [0.0; 3];
                (origin[(axis + 1) % 3], origin[(axis + 2) % 3]) = (a, b);
                origin[axis] = -3.0 * way;
                let ray = Ray::new(origin, dir);
                let inside = a.abs() <= 1.0 && b.abs() <= 1.0;
                let expected = span(1.0, 2.0).filter(|_| inside);
                assert_eq!(cube.slab(&ray), expected, "{ray:?}");
                assert_eq!(cube.may_hit(&ray), inside, "{ray:?}");

                let on_flat = inside && (axis == 2 || origin[2] == 1.0);
                assert_eq!(flat.slab(&ray).is_some(), on_flat, "{ray:?}");
                assert_eq!(flat.may_hit(&ray), on_flat, "{ray:?}");
            }
        }
    }
}

#[test]
fn zero_is_positive_and_overflow_is_infinite() {
    let cube = cube();
    // From a face inward: (-1 - -1) / d is 0 / d, for d of either sign.
    for (start, dir) in [(-1.0, 2.0), (1.0, -2.0)] {
        let ray = Ray::new([start, 0.0, 0.0], [dir, 0.0, 0.0]).with_interval(-INF, INF);
        let slab = cube.slab(&ray).unwrap();
        assert_eq!((slab.entry.to_bits(), slab.exit), (0, 1.0));
        assert_eq!(cube.enter_solid(&ray).map(f32::to_bits), Some(0));
        assert_eq!(cube.enter_surface(&ray).map(f32::to_bits), Some(0));
    }
    // An exact entry beyond all f32 is a hit, unless the interval ends before.
    let far = Ray::new([-3.0, 0.0, 0.0], [1e-40, 0.0, 0.0]);
    assert_eq!(cube.slab(&far), span(INF, INF));
    assert_eq!(cube.enter_solid(&far), Some(INF));
    assert!(cube.may_hit(&far));
    assert_eq!(cube.slab(&far.with_interval(0.0, f32::MAX)), None);
    let behind = Ray::new([3.0, 0.0, 0.0], [1e-40, 0.0, 0.0]).with_interval(-INF, 0.0);
    assert_eq!(cube.slab(&behind), span(-INF, -INF));
    // Differences that overflow f32 do not disturb the quotients.
    let all = Aabb::try_new([-f32::MAX; 3], [f32::MAX; 3]).unwrap();
    let across = Ray::new([-f32::MAX; 3], [f32::MAX; 3]);
    assert_eq!(all.slab(&across), span(0.0, 2.0));
}

/// Also where the zero is the interval's own start.
#[test]
fn a_start_of_minus_zero_is_answered_with_zero() {
    let cube = cube();
    let inside = Ray::new([0.0; 3], [1.0, 0.0, 0.0]).with_interval(-0.0, INF);
    assert_eq!(cube.enter_solid(&inside).map(f32::to_bits), Some(0));
}

#[test]
fn what_is_no_box_is_refused() {
    for (axis, number) in not_finite() {
        let mut corner = [0.0; 3];
        corner[axis] = number;
        for bounds in [
            Aabb::try_new(corner, [1.0; 3]),
            Aabb::try_new([-1.0; 3], corner),
        ] {
            assert!(
                matches!(bounds, Err(AabbError::NotFinite { .. })),
                "{corner:?}"
            );
        }
    }
    for axis in 0..3 {
        let mut min = [0.0; 3];
        min[axis] = 1.0f32.next_up();
        let inverted = Aabb::try_new(min, [1.0; 3]);
        assert!(
            matches!(inverted, Err(AabbError::Inverted { .. })),
            "{min:?}"
        );
        min[axis] = 1.0;
        assert!(Aabb::try_new(min, [1.0; 3]).is_ok());
    }
    // +0 and -0 are equal, so neither order is inverted.
    assert!(Aabb::try_new([0.0; 3], [-0.0; 3]).is_ok());
    assert!(Aabb::try_new([-0.0; 3], [0.0; 3]).is_ok());
}

#[test]
fn nothing_hits_the_empty_box() {
    for origin in [[0.0; 3], [5.0, 0.0, -1.0]] {
        for dir in [[1.0, 0.0, 0.0], [1.0, 2.0, 3.0], [-0.0, -1.0, 0.0]] {
            let ray = Ray::new(origin, dir).with_interval(-INF, INF);
            assert_misses(&Aabb::EMPTY, &ray);
        }
    }
    assert_eq!(Aabb::of_points([[f32::NAN; 3]]), Aabb::EMPTY);
    let cube = cube();
    assert_eq!(Aabb::EMPTY.union(&cube), cube);
    assert!(cube.contains_box(&Aabb::EMPTY) && !Aabb::EMPTY.contains_box(&cube));
}

/// A19 (parry#383) and two of A16 (Godot) have a zero direction and expect a hit from inside; here
/// a ray without a direction is undefined, and undefined rays miss.
#[test]
fn undefined_rays_miss() {
    let cube = cube();
    let good = Ray::new([0.0; 3], [1.0, 0.0, 0.0]);
    assert!(cube.slab(&good).is_some());
    let mut undefined = vec![
        Ray::new([0.0; 3], [0.0; 3]),
        Ray::new([0.5; 3], [0.0, -0.0, 0.0]),
        Ray::new([5.0; 3], [0.0; 3]),
        good.with_interval(1.0, 0.0),
        good.with_interval(INF, -INF),
        good.with_interval(f32::NAN, 1.0),
        good.with_interval(0.0, f32::NAN),
    ];
    for (axis, number) in not_finite() {
        let mut ray = good;
        ray.origin[axis] = number;
        undefined.push(ray);
        let mut ray = good;
        ray.dir[axis] = number;
        undefined.push(ray);
    }
    for ray in undefined {
        assert_misses(&cube, &ray);
    }
}
