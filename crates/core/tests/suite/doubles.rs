//! Triangles in `f64`, compared with an oracle in rationals. `ESTOC_LONG=1` asks about a million rays.

use estoc_core::exact::PreparedRay;
use estoc_core::{
    All, BruteForce, Closest, Collector, Engine, PrimId, Ray64, RayEngine, RayKind, RayQuery,
    RayTest, Triangle, Triangle64,
};
use estoc_testkit::conformance::{Effort, check_doubles};
use estoc_testkit::generate::{self, DOUBLE_KINDS, Rng, double_ray, doubles};
use estoc_testkit::oracle::DoubleOracle;

/// An engine that offers every triangle.
struct Each(Vec<Triangle64>);

impl Each {
    fn offer_all<R: RayKind>(&self, collector: &mut Collector<'_, Triangle64, R>)
    where
        Triangle64: RayTest<R>,
    {
        let ids = (0..).map_while(PrimId::from_index);
        let mut offers = ids.zip(&self.0);
        let _ = offers.try_for_each(|(id, triangle)| collector.offer(id, triangle));
    }
}

impl Engine for Each {
    type Primitive = Triangle64;

    fn primitive_count(&self) -> usize {
        self.0.len()
    }

    fn primitive(&self, id: PrimId) -> Option<Triangle64> {
        self.0.get(id.index()).copied()
    }

    fn is_closed(&self) -> bool {
        false
    }

    fn visit(&self, _: &PreparedRay<'_>, collector: &mut Collector<'_, Triangle64>) {
        self.offer_all(collector);
    }
}

impl RayEngine<Ray64> for Each {
    fn visit_on(
        &self,
        _: &PreparedRay<'_, Ray64>,
        collector: &mut Collector<'_, Triangle64, Ray64>,
    ) {
        self.offer_all(collector);
    }
}

#[test]
fn rationals_name_the_same_triangles_in_the_same_order_with_the_same_bits() {
    let (seeds, rays) = if Effort::is_long() {
        (200, 650)
    } else {
        (6, 100)
    };
    for kind in DOUBLE_KINDS {
        let mut hits = 0;
        for seed in 0..seeds {
            let mut rng = Rng::named(seed, kind);
            let triangles = doubles(kind, &mut rng);
            let (engine, oracle) = (Each(triangles.clone()), DoubleOracle::new(triangles));
            for _ in 0..rays {
                let ray = double_ray(kind, &engine.0, &mut rng);
                let name = format!("{kind} {seed} {ray:?}");
                hits += check_doubles(&engine, &ray, &oracle.touches(&ray), &name);
                // A ray in `f32` is asked about as it is.
                let ray = ray.to_ray();
                hits += check_doubles(&engine, &ray, &oracle.touches(&ray.into()), &name);
            }
        }
        assert!(hits > 50, "{kind}: {hits}");
    }
}

/// From within the plane, less than any normal number from a corner: bounds of so small sizes lose their bits.
#[test]
fn a_ray_that_starts_next_to_a_corner_in_the_plane_hits() {
    let triangle = Triangle64::new(
        [0.0; 3],
        [
            4.6610131663610554e58,
            7.4822691070211515e59,
            1.8191512355244105e59,
        ],
        [
            9.577261459982584e59,
            -3.2138399269582086e59,
            1.0232884096418017e60,
        ],
    );
    let dir = [
        -7.186230958671071e-46,
        2.0652082171752486e-45,
        -6.683749909122522e-46,
    ];
    let ray = Ray64::new([2e-322, 8.4e-323, 2.37e-322], dir);
    let engine = Each(vec![triangle]);
    let expected = DoubleOracle::new(vec![triangle]).touches(&ray);
    assert_eq!(
        check_doubles(&engine, &ray, &expected, "next to a corner"),
        1
    );
    // A parameter beyond `f64` is infinite, and a hit.
    let far = Ray64::new([1e300, 0.0, 1.0], [0.0, 0.0, -1e-300]);
    let sheet = Triangle64::new(
        [0.0, -1e300, -1e100],
        [2e300, -1e300, -1e100],
        [1e300, 1e300, -1e100],
    );
    let hit = Each(vec![sheet]).ask(Closest, &far).expect("a hit");
    assert_eq!(hit.t, f64::INFINITY);
}

#[test]
fn parameters_halfway_between_two_numbers_are_rounded_to_even() {
    let mut rng = Rng::new(51);
    let rounds = if Effort::is_long() { 1_000_000 } else { 5_000 };
    for _ in 0..rounds {
        // t = (origin - plane) / 1, with one bit more than an `f64` has.
        let from = 1.0 + (rng.next_u64() >> 12) as f64 * f64::EPSILON;
        let half = f64::EPSILON / 2.0;
        let even = match from.to_bits() & 1 {
            0 => from,
            _ => from.next_up(),
        };
        for (beyond, expected) in [
            (half, even),
            (half.next_up(), from.next_up()),
            (half.next_down(), from),
        ] {
            let corner = |x: f64, y: f64| [x, y, -beyond];
            let triangle = Triangle64::new(corner(-3.0, -3.0), corner(3.0, -3.0), corner(0.0, 3.0));
            let scale = 2f64.powi(rng.int(-300, 300));
            let ray = Ray64::new([0.0, 0.0, from], [0.0, 0.0, -scale]);
            let hit = Each(vec![triangle]).ask(Closest, &ray).expect("a hit");
            assert_eq!(hit.t, expected / scale, "{from} {scale}");
        }
    }
}

/// Whether a number lies exactly halfway between two neighbouring `f32`s, where rounding twice may differ.
fn is_halfway(x: f64) -> bool {
    let near = x as f32;
    let middle = |other: f32| (f64::from(near) + f64::from(other)) / 2.0 == x;
    middle(near.next_up()) || middle(near.next_down())
}

#[test]
fn corners_that_f32_has_give_what_triangles_in_f32_give() {
    let (mut hits, mut halfway) = (0, 0);
    for seed in 0..2 {
        for scene in generate::scenes(seed) {
            let triangles: Vec<Triangle> = scene.triangles.iter().copied().take(60).collect();
            let wide = Each(triangles.iter().copied().map(Triangle64::from).collect());
            let brute = BruteForce::new(triangles);
            let mut rng = Rng::named(seed, scene.name);
            for ray in generate::rays(&scene, &mut rng, 12) {
                let name = format!("{} {seed} {ray:?}", scene.name);
                let (found, expected) = (wide.ask(All, &ray), brute.all_hits(&ray));
                assert_eq!(found.len(), expected.len(), "{name}");
                for (wide, hit) in found.iter().zip(&expected) {
                    assert_eq!(wide.prim, hit.prim, "{name}");
                    for (wide, narrow) in [(wide.t, hit.t), (wide.u, hit.u), (wide.v, hit.v)] {
                        halfway += usize::from(is_halfway(wide));
                        assert!(is_halfway(wide) || wide as f32 == narrow, "{name}");
                    }
                }
                hits += found.len();
            }
        }
    }
    assert!(hits > 1000 && halfway < hits, "{hits} {halfway}");
}
