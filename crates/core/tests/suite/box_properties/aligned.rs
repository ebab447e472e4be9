//! Axis-aligned boxes, compared with oriented ones along the axes and with the reference.

use super::exact::{Fraction, dot, is_negative, minus, vector};
use super::hostile::ray;
use super::reference::Solid;
use super::{Count, Worst, check_hit, raise};
use estoc_core::glam::{Mat4, Vec3};
use estoc_core::{Aabb, BoxHit, Obb};
use estoc_testkit::tables::Rng;

/// An oriented box along the axes equals the aligned box, bit for bit.
#[test]
fn aligned_boxes_agree_bit_for_bit() {
    const SEED: u64 = 0x0e57_0b0d;
    let mut rng = Rng::new(SEED);
    let mut hits = 0;
    for round in 0..20_000 {
        let on_grid = round % 2 == 0;
        let mut corner = || match on_grid {
            true => Vec3::from(rng.grid(-4, 4)),
            false => Vec3::from(rng.vec(-2.0, 2.0)),
        };
        let bounds = Aabb::of_points([corner(), corner()]);
        let by_model = Obb::from_model(&bounds, &Mat4::IDENTITY).unwrap();
        let mut boxes = vec![by_model];
        if on_grid {
            // Halves are exact.
            let center = (bounds.min() + bounds.max()) * 0.5;
            let half = (bounds.max() - bounds.min()) * 0.5;
            boxes.push(Obb::try_new(center, [Vec3::X, Vec3::Y, Vec3::Z], half).unwrap());
        }
        let ray = ray(&mut rng, &by_model);
        let bits = |hit: Option<BoxHit>| {
            hit.map(|hit| {
                let all = [hit.t].into_iter().chain(hit.point.to_array());
                let all: Vec<u32> = all.chain(hit.normal.to_array()).map(f32::to_bits).collect();
                (all, hit.face)
            })
        };
        let context = format!("seed {SEED:#x}, round {round}: {bounds:?} {ray:?}");
        hits += u32::from(bounds.slab(&ray).is_some());
        for obb in boxes {
            assert_eq!(obb.slab(&ray), bounds.slab(&ray), "{context}");
            assert_eq!(obb.enter_solid(&ray), bounds.enter_solid(&ray), "{context}");
            let surface = bounds.enter_surface(&ray);
            assert_eq!(obb.enter_surface(&ray), surface, "{context}");
            assert_eq!(bits(obb.hit(&ray)), bits(bounds.woo(&ray)), "{context}");
            assert_eq!(obb.bounds(), bounds, "{context}");
            for place in 0..8 {
                assert!(bounds.contains(obb.corners()[place]), "{context}");
            }
            let is_inside = bounds.contains(ray.origin);
            assert_eq!(obb.contains(ray.origin), is_inside, "{context}");
        }
    }
    assert!(hits > 5_000, "only {hits} hits");
}

/// Woo's test with all exponents, compared with the reference.
#[test]
fn woo_is_exact() {
    const SEED: u64 = 0x0e57_0b0e;
    let mut rng = Rng::new(SEED);
    let (mut worst, mut count) = (Worst::default(), Count::default());
    let finite = |rng: &mut Rng| match rng.below(3) {
        0 => rng.integer(-3, 3),
        1 => rng.between(-2.0, 2.0),
        _ => Some(rng.any()).filter(|x| x.is_finite()).unwrap_or(1.0),
    };
    for round in 0..6_000 {
        let mut corner = || Vec3::from([(); 3].map(|()| finite(&mut rng)));
        let bounds = Aabb::of_points([corner(), corner()]);
        let solid = Solid::of_model(bounds.min(), bounds.max(), &Mat4::IDENTITY);
        let ray = match Obb::from_model(&bounds, &Mat4::IDENTITY) {
            Ok(obb) => ray(&mut rng, &obb),
            Err(error) => panic!("{error}"),
        };
        let context = format!("seed {SEED:#x}, round {round}: {bounds:?} {ray:?}");
        let truth = solid.stretch(&ray);
        let found = bounds.woo(&ray);
        let t = found.map(|hit| hit.t);
        assert_eq!(bounds.enter_solid(&ray), t, "{context}");
        let (subject, told) = ((&solid, &ray), (&mut worst, &mut count));
        check_hit(found, truth.as_ref(), subject, told, &context);
    }
    println!("{count:?}, worst ulps {worst:?}");
    let counts = [count.hits, count.inside, count.misses];
    assert!(counts.iter().all(|&count| count > 500), "{counts:?}");
}

#[test]
fn distances_are_the_nearest() {
    const SEED: u64 = 0x0e57_0b0f;
    let mut rng = Rng::new(SEED);
    let mut worst = [0.0f64; 2];
    for round in 0..20_000 {
        let kind = rng.below(4);
        let mut number = || match kind {
            0 => rng.integer(-5, 5),
            1 => rng.between(-2.0, 2.0),
            2 => rng.between(-2.0, 2.0) * 2f32.powi(rng.integer(-80, -60) as i32),
            _ => Some(rng.any()).filter(|x| x.is_finite()).unwrap_or(0.0),
        };
        let mut point = || Vec3::from([(); 3].map(|()| number()));
        let bounds = Aabb::of_points([point(), point()]);
        let from = point();
        let context = format!("seed {SEED:#x}, round {round}: {bounds:?} {from:?}");
        let closest = bounds.closest_point(from).unwrap();
        let gap = minus(&vector(from), &vector(closest));
        for axis in 0..3 {
            // Outside the slab the closest coordinate is that of the face, inside it is the
            // point's own.
            let (low, x, high) = (bounds.min()[axis], from[axis], bounds.max()[axis]);
            let expected = match x {
                x if x < low => low,
                x if x > high => high,
                x => x,
            };
            assert_eq!(closest[axis], expected, "{context}");
        }
        let square = Fraction::whole(dot(&gap, &gap));
        let error = square.error_of(bounds.distance_squared(from), &context);
        raise(&mut worst[0], error);
        let distance = bounds.distance(from);
        assert!(!is_negative(distance.min(1.0)), "{context}");
        raise(&mut worst[1], square.root_error_of(distance, &context));
    }
    let [square, distance] = worst;
    println!("worst ulps: square {square:.6}, distance {distance:.6}");
    assert!(worst.iter().all(|&error| error <= 0.5 + 1e-6), "{worst:?}");
}
