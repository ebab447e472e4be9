//! Rays that leave a triangle do not hit it again.

use estoc_core::glam::Vec3;
use estoc_core::{Any, BruteForce, Closest, Hit, Ray, RayQuery, Side, Triangle};
use estoc_testkit::conformance::Effort;
use estoc_testkit::oracle::Oracle;
use estoc_testkit::tables::Rng;

/// Returns a number of random sign whose size is anywhere from 10^-8 to 10^8 on a logarithmic
/// scale.
fn of_any_size(rng: &mut Rng) -> f32 {
    let size = 10f32.powf(rng.between(-8.0, 8.0));
    rng.pick(&[size, -size])
}

/// Returns a ray towards a random point of the triangle, and its hit.
fn hit_at_random(triangle: &Triangle, rng: &mut Rng) -> Option<(Ray, Hit)> {
    let (u, v) = (rng.unit(), rng.unit());
    let (u, v) = if u + v > 1.0 {
        (1.0 - u, 1.0 - v)
    } else {
        (u, v)
    };
    let [p0, p1, p2] = triangle.corners();
    let target = p0 * (1.0 - u - v) + p1 * u + p2 * v;
    let origin = Vec3::from([(); 3].map(|()| of_any_size(rng)));
    let ray = Ray::new(origin, target - origin);
    let scene = BruteForce::new(vec![*triangle]);
    scene.closest_hit(&ray).map(|hit| (ray, hit))
}

/// T7 (pbrt Triangle.Reintersect): random triangles with coordinates of very different sizes, left
/// in random directions and towards random points.
#[test]
fn a_ray_never_meets_the_triangle_it_leaves() {
    const SEED: u64 = 7;
    let mut rng = Rng::new(SEED);
    let rays = if Effort::is_long() { 2_000 } else { 200 };
    let (mut left, mut parallel, mut lost) = (0, 0, 0);
    let mut triangles = 0;
    while triangles < 1_000 {
        let corner = |rng: &mut Rng| [(); 3].map(|()| of_any_size(rng));
        let (a, b, c) = (corner(&mut rng), corner(&mut rng), corner(&mut rng));
        let triangle = Triangle::new(a, b, c);
        let scene = BruteForce::new(vec![triangle]);
        let oracle = Oracle::new(vec![triangle]);
        // A ray aimed in f32 at a triangle of such numbers may miss it.
        let Some((_, hit)) = hit_at_random(&triangle, &mut rng) else {
            lost += 1;
            assert!(lost < 100_000, "seed {SEED}: no ray finds its triangle");
            continue;
        };
        triangles += 1;
        let point = hit.point(&triangle);
        for case in 0..rays {
            let dir: Vec3 = match case % 2 {
                0 => rng.vec(-1.0, 1.0).into(),
                _ => Vec3::from([(); 3].map(|()| of_any_size(&mut rng))) - point,
            };
            let (ray, options) = hit.spawn_ray(&triangle, dir);
            let context = || format!("seed {SEED}: {triangle:?} {hit:?} {ray:?}");
            assert_eq!(ray.check(), Ok(()), "{}", context());
            assert_eq!(
                scene.ask_with(Closest, &ray, &options),
                Ok(None),
                "{}",
                context()
            );
            assert_eq!(
                scene.ask_with(Any, &ray, &options),
                Ok(false),
                "{}",
                context()
            );
            // Not even without `skip`: the origin is not behind the plane.
            assert!(!scene.any_hit(&ray), "{}", context());
            assert_eq!(scene.closest_hit(&ray), None, "{}", context());
            if case < 4 {
                assert!(!oracle.any_hit(&ray), "{}", context());
            }
            left += 1;
            parallel += u32::from(triangle.side(dir).is_none());
        }
    }
    println!("{left} rays left {triangles} triangles, {parallel} along the plane");
}

/// The reversed ray hits the triangle, at a parameter that rounding explains.
#[test]
fn the_origin_is_at_the_triangle() {
    const SEED: u64 = 8;
    let mut rng = Rng::new(SEED);
    for _ in 0..20_000 {
        let [a, b, c] = [(); 3].map(|()| rng.vec(-10.0, 10.0));
        let triangle = Triangle::new(a, b, c);
        let Some(normal) = triangle.normal() else {
            continue;
        };
        let (u, v) = (0.5 * rng.unit() + 0.1, 0.2 * rng.unit() + 0.1);
        let hit = Hit {
            t: 1.0,
            u,
            v,
            prim: estoc_core::PrimId::MAX,
        };
        for dir in [normal, -normal] {
            let (away, _) = hit.spawn_ray(&triangle, dir);
            let off = (away.origin - hit.point(&triangle)).abs().max_element();
            assert!(off <= 2.0 * 10.0 * f32::EPSILON, "{triangle:?} {away:?}");
            let back = Ray::new(away.origin, -away.dir);
            let side = if dir == normal {
                Side::Front
            } else {
                Side::Back
            };
            let (found, from) = triangle
                .exact_hit(&back, hit.prim)
                .unwrap_or_else(|| panic!("seed {SEED}: {triangle:?} is not met by {back:?}"));
            assert_eq!(from, side);
            assert!(found.t <= 1e-5, "{triangle:?} {back:?} {found:?}");
        }
    }
}
