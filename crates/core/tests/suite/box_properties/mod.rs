//! Boxes of every kind compared with an independent reference in exact arithmetic: decisions are
//! equal, and every number is the nearest `f32`. `--nocapture` shows the worst errors.

mod aligned;
mod exact;
mod hostile;
mod reference;

use estoc_core::{BoxHit, Obb, Ray};
use estoc_testkit::tables::Rng;
use exact::{Dyadic, Fraction, vector};
use hostile::{KINDS, case, ray};
use reference::{Solid, Stretch, point_error, unit_error};
use std::cmp::Ordering;

/// The worst errors seen, in units of the last place.
#[derive(Debug, Default)]
struct Worst {
    t: f64,
    point: f64,
    normal: f64,
    corner: f64,
}

#[derive(Debug, Default)]
struct Count {
    hits: u32,
    inside: u32,
    misses: u32,
}

fn raise(worst: &mut f64, error: f64) {
    *worst = worst.max(error);
}

/// Checks the first hit of a solid against the reference.
fn check_hit(
    found: Option<BoxHit>,
    expected: Option<&Stretch>,
    (solid, ray): (&Solid, &Ray),
    (worst, count): (&mut Worst, &mut Count),
    context: &str,
) {
    let Some(stretch) = expected else {
        assert_eq!(found, None, "{context}");
        count.misses += 1;
        return;
    };
    let hit = found.unwrap_or_else(|| panic!("missed, {context}"));
    if stretch.entry.cmp_f32(ray.t_min) == Ordering::Greater {
        count.hits += 1;
        let Some(face) = hit.face else {
            panic!("thought inside, {context}")
        };
        let truth = (stretch.axis, stretch.is_max);
        assert_eq!((face.axis, face.is_max), truth, "{context}");
        raise(&mut worst.t, stretch.entry.error_of(hit.t, context));
        let point = point_error(ray, &stretch.entry, hit.point, context);
        raise(&mut worst.point, point);
        let normal = solid.normal_error(hit.normal, face.axis, face.is_max, context);
        raise(&mut worst.normal, normal);
    } else {
        count.inside += 1;
        assert_eq!((hit.t, hit.face), (ray.t_min, None), "{context}");
        let start = Fraction::whole(Dyadic::new(ray.t_min));
        let point = point_error(ray, &start, hit.point, context);
        raise(&mut worst.point, point);
        let normal = unit_error(&vector(-ray.dir), hit.normal, context);
        raise(&mut worst.normal, normal);
    }
}

fn check_shape(obb: &Obb, solid: &Solid, worst: &mut Worst, context: &str) {
    let corners = obb.corners();
    for (place, corner) in corners.into_iter().enumerate() {
        for (k, truth) in solid.corner(place).iter().enumerate() {
            raise(&mut worst.corner, truth.error_of(corner[k], context));
        }
    }
    let bounds = obb.bounds();
    for k in 0..3 {
        let all = || (0..8).map(|place| &solid.corner(place)[k]);
        let (min, max) = (all().min_by(|a, b| a.cmp(b)), all().max_by(|a, b| a.cmp(b)));
        let (min, max) = (min.unwrap(), max.unwrap());
        let (low, high) = (bounds.min()[k], bounds.max()[k]);
        assert_ne!(min.cmp_f32(low), Ordering::Less, "{context}");
        assert_ne!(max.cmp_f32(high), Ordering::Greater, "{context}");
        let tight = (min.cmp_f32(low.next_up()), max.cmp_f32(high.next_down()));
        assert_eq!(
            tight,
            (Ordering::Less, Ordering::Greater),
            "loose, {context}"
        );
        let opposite = (&solid.corner(0)[k], &solid.corner(7)[k]);
        let num = &(&opposite.0.num * &opposite.1.den) + &(&opposite.1.num * &opposite.0.den);
        let middle = Fraction::new(num.half(), &opposite.0.den * &opposite.1.den);
        middle.error_of(obb.center()[k], context);
        for (axis, edge) in obb.half_edges().into_iter().enumerate() {
            let end = &solid.corner(1 << axis)[k];
            let num = &(&end.num * &opposite.0.den) - &(&opposite.0.num * &end.den);
            let half = Fraction::new(num.half(), &opposite.0.den * &end.den);
            half.error_of(edge[k], context);
        }
    }
    for (axis, normal) in obb.normals().into_iter().enumerate() {
        let error = solid.normal_error(normal, axis, true, context);
        raise(&mut worst.normal, error);
    }
    for point in [corners[0], corners[5], obb.center(), bounds.min()] {
        let expected = solid.contains(point);
        assert_eq!(obb.contains(point), expected, "{point} {context}");
    }
}

#[test]
fn oriented_boxes_are_exact() {
    const SEED: u64 = 0x0e57_0b0b;
    const ROUNDS: u32 = 800;
    for kind in 0..KINDS {
        let mut rng = Rng::new(SEED + kind as u64);
        let (mut worst, mut count, mut boxes) = (Worst::default(), Count::default(), 0);
        for round in 0..ROUNDS {
            let Some(case) = case(&mut rng, kind) else {
                continue;
            };
            boxes += 1;
            let context = format!("seed {SEED:#x}, kind {kind}, round {round}: {:?}", case.obb);
            check_shape(&case.obb, &case.solid, &mut worst, &context);
            for _ in 0..10 {
                let ray = ray(&mut rng, &case.obb);
                let context = format!("{ray:?}, {context}");
                let truth = case.solid.stretch(&ray);
                let slab = case.obb.slab(&ray);
                assert_eq!(slab.is_some(), truth.is_some(), "{context}");
                let found = case.obb.hit(&ray);
                let t = found.map(|hit| hit.t);
                assert_eq!(case.obb.enter_solid(&ray), t, "{context}");
                let (subject, told) = ((&case.solid, &ray), (&mut worst, &mut count));
                check_hit(found, truth.as_ref(), subject, told, &context);
                let surface = case.obb.enter_surface(&ray);
                let Some((slab, truth)) = slab.zip(truth) else {
                    assert_eq!(surface, None, "{context}");
                    continue;
                };
                raise(&mut worst.t, truth.entry.error_of(slab.entry, &context));
                raise(&mut worst.t, truth.exit.error_of(slab.exit, &context));
                let expected = if truth.entry.cmp_f32(ray.t_min) != Ordering::Less {
                    Some(slab.entry)
                } else {
                    (truth.exit.cmp_f32(ray.t_max) != Ordering::Greater).then_some(slab.exit)
                };
                assert_eq!(surface, expected, "{context}");
            }
        }
        println!("kind {kind}: {boxes} boxes, {count:?}, worst ulps {worst:?}");
        assert!(boxes > ROUNDS / 2, "only {boxes} boxes");
        let enough = count.hits > ROUNDS && count.inside > ROUNDS / 10 && count.misses > ROUNDS;
        assert!(enough, "{count:?}");
        let all = [worst.t, worst.point, worst.normal, worst.corner];
        assert!(all.iter().all(|&error| error <= 0.5 + 1e-9), "{worst:?}");
    }
}

#[test]
fn the_nearest_is_the_least_exact_parameter() {
    const SEED: u64 = 0x0e57_0b0c;
    let mut rng = Rng::new(SEED);
    let mut ties = 0;
    for round in 0..6000 {
        // All of one kind, so that rays aimed at one box hit others too; some boxes occur twice.
        let kind = rng.pick(&[0, 0, 1, 1, 2, 3, 6, 7]);
        let mut cases: Vec<_> = (0..6).filter_map(|_| case(&mut rng, kind)).collect();
        if kind == 1 {
            cases.extend(case(&mut rng, 0));
        }
        let Some(aim) = cases.first() else { continue };
        let ray = ray(&mut rng, &aim.obb);
        if ray.check().is_err() {
            continue;
        }
        let mut boxes: Vec<Obb> = cases.iter().map(|case| case.obb).collect();
        boxes.extend(boxes.clone());
        let mut first: Option<(usize, Fraction)> = None;
        for (place, case) in cases.iter().enumerate() {
            let Some(stretch) = case.solid.stretch(&ray) else {
                continue;
            };
            let t = match stretch.entry.cmp_f32(ray.t_min) {
                Ordering::Greater => stretch.entry,
                _ => Fraction::whole(Dyadic::new(ray.t_min)),
            };
            let order = first.as_ref().map(|(_, best)| t.cmp(best));
            ties += u32::from(order == Some(Ordering::Equal));
            if matches!(order, None | Some(Ordering::Less)) {
                first = Some((place, t));
            }
        }
        let found = Obb::nearest(&boxes, &ray);
        let expected = first.map(|(place, _)| (place, boxes[place].hit(&ray).unwrap()));
        let context = format!("seed {SEED:#x}, round {round}: {ray:?} {boxes:?}");
        assert_eq!(found, expected, "{context}");
    }
    println!("{ties} exact ties");
    assert!(ties > 100, "only {ties} ties");
}
