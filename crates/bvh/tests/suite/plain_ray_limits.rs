//! Both sides of every limit of the kernels of plain rays, by name: they take the ray or leave it,
//! and the answers are those of brute force, at every level and in both layouts.

use crate::plain_rays::{INF, Subject, power};
use estoc_bvh::internals::traverse::level_token;
use estoc_bvh::internals::traverse::plain_ray::ray::PlainRay;
use estoc_bvh::internals::tree::BvhInternals;
use estoc_bvh::internals::wide::Measures;
use estoc_core::glam::Vec3;
use estoc_core::{Ray, Triangle};

const NAN: f32 = f32::NAN;

impl Subject {
    fn measures(&self) -> &Measures {
        &self.trees[0].inner().measures
    }

    /// Compares the answers for a ray, and whether it is plain to every tree. Returns whether it
    /// hits anything.
    fn expect(&self, case: &str, ray: &Ray, is_plain: bool) -> bool {
        for tree in &self.trees {
            let measures = &tree.inner().measures;
            let level = level_token(tree.simd_level()).expect("one of the available levels");
            let found = fearless_simd::dispatch!(level, simd => {
                PlainRay::of(simd, ray, measures).is_some()
            });
            assert_eq!(found, is_plain, "{case}: {tree:?}: {ray:?}");
        }
        self.compare(case, ray)
    }
}

/// Returns a triangle around a point, across the z axis, of a size.
fn around([x, y, z]: [f32; 3], size: f32) -> Triangle {
    let corner = |dx: f32, dy: f32| [x + size * dx, y + size * dy, z];
    Triangle::new(corner(-1.0, -1.0), corner(1.0, -1.0), corner(0.0, 1.0))
}

/// Returns a ray through a point, the longest coordinate of whose direction is 1.
fn through(origin: Vec3, at: [f32; 3]) -> Ray {
    let way = Vec3::from(at).as_dvec3() - origin.as_dvec3();
    let dir = way / way.abs().max_element();
    Ray::new(origin, dir.as_vec3())
}

/// A ray at triangles at z = 1, 2 and 3.
fn usual() -> (Subject, Ray) {
    let triangles = [1.0, 2.0, 3.0].map(|z| around([0.0, 0.0, z], 1.0));
    let subject = Subject::new("three triangles", &triangles);
    (subject, Ray::new([0.0; 3], [0.0, 0.0, 1.0]))
}

#[test]
fn undefined_rays_are_not_plain_and_hit_nothing() {
    let (subject, ray) = usual();
    assert!(subject.expect("as it is", &ray, true));
    let undefined = |case: &str, ray: Ray| {
        assert!(ray.check().is_err(), "{case}");
        assert!(!subject.expect(case, &ray, false), "{case}");
    };
    for nan in [NAN, -NAN, f32::from_bits(0x7f80_0001)] {
        undefined("t_min is NaN", ray.with_interval(nan, INF));
        undefined("t_max is NaN", ray.with_interval(0.0, nan));
        undefined("both ends are NaN", ray.with_interval(nan, nan));
    }
    for number in [NAN, -NAN, f32::from_bits(0x7f80_0001), INF, -INF] {
        for axis in 0..3 {
            let (mut from, mut towards) = (ray, ray);
            from.origin[axis] = number;
            towards.dir[axis] = number;
            undefined("the origin is not finite", from);
            undefined("the direction is not finite", towards);
        }
        let (origin, dir) = (Vec3::splat(number), Vec3::splat(number));
        undefined("all of the origin is not finite", Ray { origin, ..ray });
        undefined("all of the direction is not finite", Ray { dir, ..ray });
    }
    for zero in [Vec3::ZERO, -Vec3::ZERO] {
        undefined("the direction is zero", Ray { dir: zero, ..ray });
    }
    let (one, two) = (1.0, 2.0);
    undefined("ends in the wrong order", ray.with_interval(two, one));
    undefined("0 and the number below", ray.with_interval(0.0, -1e-45));
    undefined("infinities in the wrong order", ray.with_interval(INF, 0.0));
}

#[test]
fn intervals_of_plain_rays_begin_at_zero() {
    let (subject, ray) = usual();
    for (case, t_min, t_max, is_plain, is_hit) in [
        ("-0", -0.0, INF, true, true),
        ("the least number", 1e-45, INF, true, true),
        ("the greatest number", f32::MAX, INF, true, false),
        ("infinity", INF, INF, true, false),
        ("-0 to -0", -0.0, -0.0, true, false),
        ("0 to -0", 0.0, -0.0, true, false),
        ("a hit", 2.0, 2.0, true, true),
        ("up to a hit", 0.0, 1.0, true, true),
        ("up to before a hit", 0.0, 1f32.next_down(), true, false),
        ("below 0", -1e-45, INF, false, true),
        ("minus infinity", -INF, INF, false, true),
        ("minus infinity to 0", -INF, 0.0, false, false),
    ] {
        let found = subject.expect(case, &ray.with_interval(t_min, t_max), is_plain);
        assert_eq!(found, is_hit, "{case}");
    }
}

#[test]
fn directions_of_plain_rays_are_neither_long_nor_short() {
    let (subject, ray) = usual();
    for axis in 0..3 {
        for (case, size, is_plain) in [
            ("2^8", power(8), true),
            ("above 2^8", power(8).next_up(), false),
            ("the greatest number", f32::MAX, false),
            ("2^-8", power(-8), true),
            ("below 2^-8", power(-8).next_down(), false),
            ("the least normal number", f32::MIN_POSITIVE, false),
            ("the least number", 1e-45, false),
        ] {
            for size in [size, -size] {
                let mut dir = Vec3::ZERO;
                dir[axis] = size;
                let found = subject.expect(case, &Ray { dir, ..ray }, is_plain);
                assert_eq!(found, axis == 2 && size > 0.0, "{case}");
                // Another coordinate is of the usual size.
                let mut dir = ray.dir;
                dir[axis] = size;
                let one_is_long = size.abs() > power(8);
                let alone = axis == 2 && !is_plain;
                subject.expect(case, &Ray { dir, ..ray }, !one_is_long && !alone);
            }
        }
    }
}

#[test]
fn origins_of_plain_rays_are_within_sixteen_reaches() {
    let (subject, _) = usual();
    let (plain, reach) = (subject.measures().plain, subject.measures().reach);
    assert_eq!(plain, 16.0 * reach);
    check_origins(&subject, plain, [0.0, 0.0, 2.0]);
}

#[test]
fn origins_of_plain_rays_are_below_2_to_the_26() {
    let x = power(23);
    let subject = of_reach_about(x);
    assert!(16.0 * subject.measures().reach > power(26));
    check_origins(&subject, power(26).next_down(), [0.0, 0.0, 0.75 * x]);
}

/// Compares rays from both sides of the limit, on every axis, through a point in a triangle.
fn check_origins(subject: &Subject, limit: f32, at: [f32; 3]) {
    for axis in 0..3 {
        for sign in [1.0, -1.0] {
            for (case, x, is_plain) in [
                ("at the limit", limit, true),
                ("above it", limit.next_up(), false),
                ("far above it", 1e3 * limit, false),
            ] {
                let mut origin = Vec3::from(at) / 8.0;
                origin[axis] = sign * x;
                let ray = through(origin, at);
                let is_hit = subject.expect(case, &ray, is_plain);
                assert!(is_hit || x > limit.next_up(), "{case}: {ray:?}");
            }
        }
    }
}

/// Returns the number at which a condition, which holds for `yes` and not for `no`, ends.
fn last(yes: f32, no: f32, holds: impl Fn(f32) -> bool) -> f32 {
    let (mut yes, mut no) = (yes.to_bits(), no.to_bits());
    while yes.abs_diff(no) > 1 {
        let middle = u32::midpoint(yes, no);
        *(if holds(f32::from_bits(middle)) {
            &mut yes
        } else {
            &mut no
        }) = middle;
    }
    f32::from_bits(yes)
}

/// Most of its triangles are small, so that the tree is not scaled.
fn of_reach_about(x: f32) -> Subject {
    let mut triangles: Vec<Triangle> = (1..=9)
        .map(|i| around([0.0, 0.0, f32::from(i as u8)], 1.0))
        .collect();
    triangles.push(Triangle::new([-x, -x, x], [x, -x, x], [0.0, x, x / 2.0]));
    Subject::new("a large triangle behind small ones", &triangles)
}

#[test]
fn trees_of_plain_rays_reach_up_to_2_to_the_30() {
    let plain = |x: f32| of_reach_about(x).measures().plain > 0.0;
    let most = last(power(29), power(31), plain);
    for (case, x, is_plain) in [("up to it", most, true), ("beyond", most.next_up(), false)] {
        let subject = of_reach_about(x);
        let reach = subject.measures().reach;
        assert!(subject.trees[0].inner().scale.is_one(), "{case}");
        assert_eq!(reach <= power(30), is_plain, "{case}: {reach:e}");
        let limit = power(26).next_down();
        for origin in [
            [0.0; 3],
            [0.0, 0.0, 20.0],
            [limit, 0.0, -limit],
            [0.1, 0.1, -7.0],
        ] {
            for at in [
                [0.0, 0.0, 5.0],
                [0.0, 0.0, 0.7 * x],
                [0.3 * x, -0.6 * x, 0.9 * x],
            ] {
                let ray = through(origin.into(), at);
                assert!(
                    subject.expect(case, &ray, is_plain) || at[2] == 5.0,
                    "{ray:?}"
                );
            }
        }
    }
}

/// Most of its triangles are at the origin, so that the tree is not scaled.
fn of_small_reach(x: f32) -> Subject {
    let none = around([0.0; 3], 0.0);
    let triangles = [
        around([0.0, 0.0, x], x),
        around([0.0, 0.0, -x / 3.0], x / 2.0),
    ];
    Subject::new("tiny triangles", &[&[none; 3][..], &triangles].concat())
}

#[test]
fn trees_of_plain_rays_reach_at_least_2_to_the_minus_20() {
    let least = last(power(-19), power(-21), |x| {
        of_small_reach(x).measures().plain > 0.0
    });
    for (case, x, is_plain) in [
        ("down to it", least, true),
        ("below", least.next_down(), false),
        ("far below", power(-60), false),
    ] {
        let subject = of_small_reach(x);
        let reach = subject.measures().reach;
        assert!(subject.trees[0].inner().scale.is_one(), "{case}");
        assert_eq!(reach >= power(-20), is_plain, "{case}: {reach:e}");
        for origin in [
            [0.0; 3],
            [0.0, 0.0, 15.0],
            [9.0, -3.0, -15.0],
            [0.1, 0.1, -7.0],
        ] {
            for at in [[0.0, 0.0, 1.0], [0.2, -0.7, 1.0], [0.0, -0.1, -1.0 / 3.0]] {
                let ray = through(x * Vec3::from(origin), at.map(|y| x * y));
                assert!(subject.expect(case, &ray, is_plain), "{case}: {ray:?}");
            }
        }
    }
}

#[test]
fn scaled_trees_have_no_plain_rays() {
    for (exponent, is_plain) in [(-21, false), (-20, true), (20, true), (21, false)] {
        let x = power(exponent);
        let at = |z: f32| around([0.0, 0.0, z], x);
        let subject = Subject::new("triangles of one size", &[at(0.5 * x), at(0.75 * x)]);
        assert_eq!(
            subject.trees[0].inner().scale.is_one(),
            is_plain,
            "2^{exponent}"
        );
        let ray = Ray::new([0.0; 3], [0.0, 0.0, 1.0]);
        assert!(subject.expect("scaled", &ray, is_plain), "2^{exponent}");
    }
}

/// The far plane of `t_span_bounds.rs`, the products of which overflow.
#[test]
fn far_planes_are_beyond_the_reach_of_plain_rays() {
    let (z, s) = (power(60), power(46));
    let near = around([5.0, 5.0, 1.0], 1.0);
    let far = Triangle::new([-s, -s, z], [s, -s, z], [0.0, s, z]);
    let mut triangles = [near; 8];
    triangles[0] = far;
    let subject = Subject::new("a far plane", &triangles);
    let ray = Ray::new([0.25, 0.25, 0.0], [0.0, 0.0, 1.0]);
    for t_max in [INF, 1e30, 2.0 * z] {
        assert!(subject.expect("far", &ray.with_interval(0.0, t_max), false));
    }
}

#[test]
fn trees_without_triangles_have_no_plain_rays() {
    let subject = Subject::new("nothing", &[]);
    let ray = Ray::new([0.0; 3], [0.0, 0.0, 1.0]);
    assert!(!subject.expect("nothing", &ray, false));
}
