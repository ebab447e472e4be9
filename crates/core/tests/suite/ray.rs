//! Properties of rays in all queries: undefined rays hit nothing, and `t` counts lengths of the
//! direction.

use estoc_core::glam::Vec3;
use estoc_core::{
    BruteForce, HitBuffer, PrimId, QueryError, QueryOptions, Ray, RayError, RayQuery, Triangle,
};
use estoc_testkit::tables::Rng;

const INF: f32 = f32::INFINITY;

/// Returns a tetrahedron around the origin.
fn surface() -> BruteForce {
    let [a, b, c, d] = [
        [1.0, 1.0, 1.0],
        [1.0, -1.0, -1.0],
        [-1.0, 1.0, -1.0],
        [-1.0, -1.0, 1.0],
    ];
    BruteForce::new(vec![
        Triangle::new(a, b, c),
        Triangle::new(a, d, b),
        Triangle::new(a, c, d),
        Triangle::new(b, d, c),
    ])
}

/// Embree's InactiveRays, NaN and Inf tests, and the zero direction: rays that would hit if a
/// single number were different.
#[test]
fn undefined_rays_hit_nothing_whatever_is_asked() {
    let good = Ray::new([-3.0, 0.0, 0.0], [1.0, 0.125, 0.0]).with_interval(0.0, 9.0);
    assert_eq!(surface().count_hits(&good), 2);

    let mut undefined: Vec<(Ray, &str)> = vec![
        (Ray::new([-3.0, 0.0, 0.0], [0.0; 3]), "direction"),
        (Ray::new([0.0; 3], [-0.0, 0.0, -0.0]), "direction"),
        (good.with_interval(INF, 0.0), "interval"), // how Embree marks an inactive ray
        (good.with_interval(INF, -INF), "interval"),
        (good.with_interval(5.0, 5.0f32.next_down()), "interval"),
        (good.with_interval(f32::NAN, 9.0), "interval"),
        (good.with_interval(0.0, f32::NAN), "interval"),
        (good.with_interval(f32::NAN, f32::NAN), "interval"),
    ];
    for (axis, number) in (0..3).flat_map(|axis| [f32::NAN, INF, -INF].map(|n| (axis, n))) {
        let mut ray = good;
        ray.origin[axis] = number;
        undefined.push((ray, "origin"));
        let mut ray = good;
        ray.dir[axis] = number;
        undefined.push((ray, "direction"));
    }

    let engine = surface();
    let prim = PrimId::new(0).unwrap();
    let options = QueryOptions::new();
    let mut buffer = HitBuffer::new();
    for (ray, part) in undefined {
        let error = Ray::new(ray.origin, ray.dir)
            .try_with_interval(ray.t_min, ray.t_max)
            .unwrap_err();
        let names_part = match error {
            RayError::Origin(_) => part == "origin",
            RayError::Direction(_) | RayError::ZeroDirection => part == "direction",
            RayError::Interval { .. } => part == "interval",
            _ => false,
        };
        assert!(names_part, "{ray:?}: {error}");
        assert!(error.to_string().contains(part), "{error}");

        assert_eq!(engine.closest_hit(&ray), None, "{ray:?}");
        assert!(!engine.any_hit(&ray), "{ray:?}");
        assert_eq!(engine.all_hits(&ray), [], "{ray:?}");
        assert_eq!(engine.first_hits(&ray, 3), [], "{ray:?}");
        assert_eq!(engine.count_hits(&ray), 0, "{ray:?}");
        assert_eq!(engine.crossings(&ray), [], "{ray:?}");
        assert_eq!(engine.count_crossings(&ray), 0, "{ray:?}");
        // The buffer contains the hits of another ray before.
        assert_eq!(
            engine
                .all_hits_in(&good, &options, &mut buffer)
                .unwrap()
                .len(),
            2
        );
        assert_eq!(
            engine.all_hits_in(&ray, &options, &mut buffer),
            Ok(&[][..]),
            "{ray:?}"
        );
        assert_eq!(
            engine.next_hit(&ray, prim),
            Err(QueryError::AfterMissed { prim }),
            "{ray:?}"
        );
        for triangle in (0..4).filter_map(|i| engine.triangle(PrimId::new(i)?)) {
            assert_eq!(triangle.exact_hit(&ray, prim), None, "{ray:?}");
            assert_eq!(triangle.badouel_both_sides(&ray, INF), None, "{ray:?}");
        }
    }
}

#[test]
fn t_counts_lengths_of_the_direction() {
    let engine = surface();
    let mut rng = Rng::new(5);
    let mut hits = 0;
    for _ in 0..2_000 {
        let ray = Ray::new(rng.vec(-2.0, 2.0), rng.vec(-1.0, 1.0)).with_interval(-INF, INF);
        let before = engine.all_hits(&ray);
        hits += before.len();
        for power in [-40, -1, 1, 40] {
            let factor = 2f32.powi(power);
            let scaled = Ray {
                dir: ray.dir * factor,
                ..ray
            };
            let after = engine.all_hits(&scaled);
            let expected: Vec<_> = before
                .iter()
                .map(|hit| estoc_core::Hit {
                    t: hit.t / factor,
                    ..*hit
                })
                .collect();
            assert_eq!(after, expected, "{ray:?} times {factor}");
        }
        // Reversed, the ray hits the same triangles in the opposite order.
        let turned = Ray {
            dir: -ray.dir,
            ..ray
        };
        let mut expected: Vec<_> = before.iter().map(|hit| (hit.prim, -hit.t)).collect();
        expected.reverse();
        let after: Vec<_> = engine
            .all_hits(&turned)
            .iter()
            .map(|hit| (hit.prim, hit.t))
            .collect();
        assert_eq!(after, expected, "{ray:?}");
    }
    assert!(hits > 1_000, "only {hits} hits");
}

/// The exact parameter is within half a step of the reported one.
#[test]
fn shrinking_the_interval_around_a_hit_keeps_it() {
    let engine = surface();
    let mut rng = Rng::new(6);
    let mut hits = 0;
    for _ in 0..2_000 {
        let ray = Ray::new(rng.vec(-2.0, 2.0), rng.vec(-1.0, 1.0)).with_interval(-INF, INF);
        for hit in engine.all_hits(&ray) {
            hits += 1;
            let (below, above) = (hit.t.next_down(), hit.t.next_up());
            let kept = |t_min, t_max| {
                engine
                    .all_hits(&ray.with_interval(t_min, t_max))
                    .contains(&hit)
            };
            assert!(kept(below, above), "{ray:?} {hit:?}");
            assert!(!kept(-INF, below), "{ray:?} {hit:?}");
            assert!(!kept(above, INF), "{ray:?} {hit:?}");
        }
    }
    assert!(hits > 500, "only {hits} hits");
}

#[test]
fn points_are_origin_plus_t_directions() {
    let ray = Ray::new([1.0, -2.0, 0.5], [2.0, 4.0, -8.0]);
    assert_eq!(ray.at(0.0), ray.origin);
    assert_eq!(ray.at(0.25), Vec3::new(1.5, -1.0, -1.5));
    assert_eq!(ray.at(-1.0), Vec3::new(-1.0, -6.0, 8.5));
}
