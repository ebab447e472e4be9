//! The smallest enclosing sphere, compared with an exact one found by trying all supports in
//! rational numbers.

use estoc_core::Sphere;
use estoc_testkit::conformance::Effort;
use estoc_testkit::tables::Rng;
use num_bigint::BigInt;
use num_rational::BigRational as Q;
use num_traits::{FromPrimitive, ToPrimitive, Zero};

type V = [Q; 3];

fn exact(p: [f32; 3]) -> V {
    p.map(|x| Q::from_f32(x).unwrap())
}

fn minus(a: &V, b: &V) -> V {
    std::array::from_fn(|i| &a[i] - &b[i])
}

fn dot(a: &V, b: &V) -> Q {
    &a[0] * &b[0] + &a[1] * &b[1] + &a[2] * &b[2]
}

/// Solves a linear system by elimination; `None` if it is singular.
fn solve(mut rows: Vec<Vec<Q>>) -> Option<Vec<Q>> {
    let n = rows.len();
    for column in 0..n {
        let pivot = (column..n).find(|&row| !rows[row][column].is_zero())?;
        rows.swap(column, pivot);
        let pivot = rows[column].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|(i, _)| *i != column) {
            let factor = &row[column] / &pivot[column];
            for (x, above) in row.iter_mut().zip(&pivot) {
                *x -= &factor * above;
            }
        }
    }
    Some((0..n).map(|i| &rows[i][n] / &rows[i][i]).collect())
}

/// Returns the centre of the smallest sphere through the points, in the space that they span: with
/// e the differences of the others to the first, `2 e_i . sum(w_j e_j) = e_i . e_i`.
fn circumcenter(points: &[&V]) -> Option<V> {
    let edges: Vec<V> = points[1..].iter().map(|p| minus(p, points[0])).collect();
    let two = Q::from_integer(BigInt::from(2));
    let rows = edges.iter().map(|e| {
        let mut row: Vec<Q> = edges.iter().map(|f| dot(e, f) * &two).collect();
        row.push(dot(e, e));
        row
    });
    let weights = solve(rows.collect())?;
    Some(std::array::from_fn(|i| {
        let along = weights.iter().zip(&edges).map(|(w, e)| w * &e[i]);
        points[0][i].clone() + along.sum::<Q>()
    }))
}

/// Returns the centre and squared radius of the smallest ball.
fn smallest(points: &[[f32; 3]]) -> (V, Q) {
    let points: Vec<V> = points.iter().map(|&p| exact(p)).collect();
    let mut best: Option<(V, Q)> = None;
    for members in 1u32..1 << points.len() {
        if members.count_ones() > 4 {
            continue;
        }
        let chosen = points.iter().enumerate();
        let chosen: Vec<&V> = chosen
            .filter(|(i, _)| members >> i & 1 == 1)
            .map(|(_, p)| p)
            .collect();
        let Some(center) = circumcenter(&chosen) else {
            continue;
        };
        let from_center = |p: &V| {
            let v = minus(p, &center);
            dot(&v, &v)
        };
        let square = from_center(chosen[0]);
        let smaller = best.as_ref().is_none_or(|(_, least)| square < *least);
        if smaller && points.iter().all(|p| from_center(p) <= square) {
            best = Some((center, square));
        }
    }
    best.unwrap()
}

/// Returns a rational's square root in `f64`, also where the square is out of range.
fn root(square: &Q) -> f64 {
    let scale = Q::from_integer(BigInt::from(1) << 600);
    let scaled = (square * scale).to_f64().unwrap();
    scaled.sqrt() * 2f64.powi(-300)
}

const KINDS: &str = "ordinary far tiny huge grid collinear flat cospherical needle mixed";

/// Returns a point on the sphere of radius 1 around the origin, or near to its centre.
fn on_sphere(rng: &mut Rng) -> [f32; 3] {
    let v = rng.vec(-1.0, 1.0);
    let length = v.iter().map(|x| x * x).sum::<f32>().sqrt().max(1e-3);
    v.map(|x| x / length)
}

fn sphere(center: [f32; 3], radius: f32) -> Option<Sphere> {
    Some(Sphere::try_new(center, radius).unwrap())
}

fn points(rng: &mut Rng, kind: &str) -> Vec<[f32; 3]> {
    let count = 1 + rng.below(6) as usize;
    let base = rng.vec(-1.0, 1.0);
    let step = rng.vec(-1.0, 1.0);
    (0..count)
        .map(|_| match kind {
            "ordinary" => rng.vec(-1.0, 1.0),
            "far" => rng.vec(-1.0, 1.0).map(|x| 1e6 + x),
            "tiny" => rng.vec(-1e-38, 1e-38),
            "huge" => rng.vec(-1.0, 1.0).map(|x| x * 1e38),
            "grid" => rng.grid(-2, 2),
            "collinear" => {
                let along = rng.between(-3.0, 3.0);
                [0, 1, 2].map(|i| base[i] + along * step[i])
            }
            "flat" => {
                let [x, y, z] = rng.vec(-1.0, 1.0);
                let off = z * rng.pick(&[0.0, 1e-7, 1e-4]);
                [x, y, x * step[0] + y * step[1] + off]
            }
            "cospherical" => on_sphere(rng),
            "needle" => {
                let [x, y, z] = rng.vec(-1.0, 1.0);
                let thin = 10f32.powf(rng.between(-12.0, 0.0));
                [x.round(), y * thin, z * thin * 1e-3]
            }
            _ => [(); 3].map(|()| rng.between(-1.0, 1.0) * 10f32.powf(rng.between(-38.0, 37.0))),
        })
        .collect()
}

#[test]
fn no_sphere_is_smaller() {
    const SEED: u64 = 0x0e57_0c41;
    let rounds = if Effort::is_long() { 10_000 } else { 30 };
    for kind in KINDS.split(' ') {
        let mut rng = Rng::new(SEED);
        let [mut worst, mut beyond, mut off] = [f64::NEG_INFINITY; 3];
        for round in 0..rounds {
            let points = points(&mut rng, kind);
            let context = format!("seed {SEED:#x}, {kind}, round {round}: {points:?}");
            let ball = Sphere::bounding(points.iter().copied()).expect(&context);
            assert!(points.iter().all(|&p| ball.contains(p)), "{context}");
            let less = ball.radius().next_down();
            if let Ok(less) = Sphere::try_new(ball.center(), less) {
                assert!(!points.iter().all(|&p| less.contains(p)), "{context}");
            }

            let (center, square) = smallest(&points);
            let least = root(&square);
            let moved = minus(&exact(ball.center().to_array()), &center);
            let moved = root(&dot(&moved, &moved));
            // The radius is rounded up: before, it was at least this.
            let radius = f64::from(less.max(0.0));
            let most = (least + moved) * (1.0 + 2f64.powi(-50));
            assert!(radius <= most, "{radius} is not {least}: {context}");
            // Rounding moves each coordinate by half a step; the rest is the error of the search.
            let half_step = |x: f32| (f64::from(x.abs().next_up()) - f64::from(x.abs())) / 2.0;
            let rounding = ball.center().to_array().map(half_step);
            let rounding = rounding.iter().map(|x| x * x).sum::<f64>().sqrt();
            let most = least * 2f64.powi(-23) + rounding;
            assert!(moved <= most, "the centre is off by {moved}: {context}");
            if least > 0.0 {
                off = off.max((moved - rounding) / least);
                let excess = f64::from(ball.radius()) / least - 1.0;
                worst = worst.max(excess);
                beyond = beyond.max(excess - moved / least);
            }
        }
        println!(
            "{kind}: radius over the least by {worst:.2e} of it, without the centre's rounding \
             by {beyond:.2e}; centre off by {off:.1e} beyond rounding"
        );
    }
}

#[test]
fn what_there_is_no_sphere_of() {
    let none: [[f32; 3]; 0] = [];
    assert_eq!(Sphere::bounding(none), None);
    let undefined = Sphere::bounding([[f32::NAN, 0.0, 0.0], [0.0, f32::INFINITY, 0.0]]);
    assert_eq!(undefined, None);
    let with_nan = Sphere::bounding([[1.0; 3], [f32::NAN, 0.0, 0.0], [1.0, 3.0, 1.0]]);
    assert_eq!(with_nan, sphere([1.0, 2.0, 1.0], 1.0));
    // The corners of the whole range are sqrt(3) times too far apart; the ends of an axis are not.
    assert_eq!(Sphere::bounding([[f32::MAX; 3], [-f32::MAX; 3]]), None);
    let ends = Sphere::bounding([[f32::MAX, 0.0, 0.0], [-f32::MAX, 0.0, 0.0]]);
    assert_eq!(ends, sphere([0.0; 3], f32::MAX));
}

#[test]
fn points_repeated_and_symmetric() {
    let same = Sphere::bounding([[0.1, 0.2, 0.3]; 1000]);
    assert_eq!(same, sphere([0.1, 0.2, 0.3], 0.0));
    let corner = |i: u32| [i & 1, i >> 1 & 1, i >> 2 & 1].map(|bit| bit as f32 * 4.0 - 2.0);
    let cube = Sphere::bounding((0..8).chain(0..8).map(corner)).unwrap();
    assert_eq!(cube.center(), [0.0; 3].into());
    let square = |x: f32| f64::from(x) * f64::from(x);
    assert!(square(cube.radius()) >= 12.0 && square(cube.radius().next_down()) < 12.0);
    let octahedron = [0, 1, 2].into_iter().flat_map(|axis| {
        [3.0, -3.0].map(|x| {
            let mut p = [7.0; 3];
            p[axis] += x;
            p
        })
    });
    assert_eq!(Sphere::bounding(octahedron), sphere([7.0; 3], 3.0));
    let line = (0..100).map(|i| [i as f32, 0.0, 0.0]);
    assert_eq!(Sphere::bounding(line), sphere([49.5, 0.0, 0.0], 49.5));
}

/// Many points, also on a sphere, where each of them is a candidate.
#[test]
fn many_points() {
    let mut rng = Rng::new(0x0e57_0c42);
    for is_on_sphere in [false, true] {
        let mut point = || match is_on_sphere {
            true => on_sphere(&mut rng),
            false => rng.vec(-1.0, 1.0),
        };
        let points: Vec<[f32; 3]> = (0..200_000).map(|_| point()).collect();
        let ball = Sphere::bounding(points.iter().copied()).unwrap();
        assert!(points.iter().all(|&p| ball.contains(p)));
        let most = if is_on_sphere {
            1.000_000_2
        } else {
            3f32.sqrt()
        };
        let radius = ball.radius();
        assert!(radius <= most && radius > most * 0.97, "{ball:?}");
    }
}
