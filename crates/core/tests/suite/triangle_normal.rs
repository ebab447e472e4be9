//! The orientation of triangles.

use crate::reference::{cross, is_unit, minus, vector};
use estoc_core::glam::Vec3;
use estoc_core::{Side, Triangle};
use estoc_testkit::tables::Rng;

/// A product of zeros with different signs is still +0.
#[test]
fn no_coordinate_is_negative_zero() {
    for s in [1.0, -1.0] {
        for axis in 0..3 {
            let mut corners = [[0.0; 3]; 3];
            corners[1][(axis + 1) % 3] = -2.0;
            corners[2][(axis + 2) % 3] = s;
            let [a, b, c] = corners;
            let normal = Triangle::new(a, b, c).normal().unwrap();
            let mut expected = [0.0f32; 3];
            expected[axis] = -s;
            let bits = |v: [f32; 3]| v.map(f32::to_bits);
            assert_eq!(bits(normal.to_array()), bits(expected), "{corners:?}");
        }
    }
}

/// Slivers, integers, numbers of any size and the smallest ones.
#[test]
fn normals_are_the_nearest_numbers_and_agree_with_sides() {
    const SEED: u64 = 9;
    let mut rng = Rng::new(SEED);
    let mut seen = 0;
    for round in 0..20_000 {
        let mut corner = || match round % 4 {
            0 => [(); 3].map(|()| f32::from_bits(rng.below(40) as u32)),
            1 => rng.grid(-9, 9),
            2 => [(); 3].map(|()| rng.any()),
            _ => rng.vec(1.0, 1.00001),
        };
        let [a, b, c] = [(); 3].map(|()| corner());
        let triangle = Triangle::new(a, b, c);
        let Some(normal) = triangle.normal() else {
            assert!(triangle.is_degenerate(), "seed {SEED}: {triangle:?}");
            continue;
        };
        seen += 1;
        assert!(!triangle.is_degenerate(), "seed {SEED}: {triangle:?}");
        let [p0, p1, p2] = [a, b, c].map(vector);
        let exact = cross(&minus(&p1, &p0), &minus(&p2, &p0));
        assert!(
            is_unit(normal, &exact),
            "seed {SEED}: {triangle:?} {normal:?}"
        );
        let turned = Triangle::new(b, a, c).normal();
        let opposite = Vec3::ZERO - normal;
        assert_eq!(turned, Some(opposite), "seed {SEED}: {triangle:?}");
        // A ray along the coordinate axis closest to the normal sees the side that the sign of the
        // component implies.
        let axis = Vec3::AXES[normal.abs().max_position()];
        let (towards, away) = match axis.dot(normal) > 0.0 {
            true => (Side::Back, Side::Front),
            false => (Side::Front, Side::Back),
        };
        assert_eq!(
            triangle.side(axis),
            Some(towards),
            "seed {SEED}: {triangle:?}"
        );
        assert_eq!(
            triangle.side(-axis),
            Some(away),
            "seed {SEED}: {triangle:?}"
        );
    }
    assert!(seen > 10_000, "{seen}");
}

/// The sign of a product that `f64` cannot represent: the direction is off the plane by one part in
/// 2^75.
#[test]
fn sides_see_beyond_f64() {
    let big = 16_777_215.0;
    let triangle = Triangle::new([0.0; 3], [big, big, 1.0], [1.0, big, big]);
    let in_plane = [big - 1.0, 0.0, 1.0 - big]; // p1 - p2
    assert_eq!(triangle.side(in_plane), None);
    for (nudge, side) in [(1e-38, Side::Front), (-1e-38, Side::Back)] {
        let dir = [in_plane[0], nudge, in_plane[2]];
        assert_eq!(triangle.side(dir), Some(side), "{nudge}");
    }
}
