//! Triangles and rays in `f64`.

use super::{PlaneCase, RegionCase, Rng, Scene, regions};
use estoc_core::glam::DVec3;
use estoc_core::{MovingSphere64, Ray64, Triangle, Triangle64};

/// The kinds of scenes that [`doubles`] makes.
pub const DOUBLE_KINDS: [&str; 10] = [
    "usual",
    "map",
    "tower",
    "grid",
    "last bits",
    "slivers",
    "tiny or huge",
    "limits",
    "flat",
    "any bits",
];

/// Returns triangles of a kind that share corners and edges, some without an area or not finite.
pub fn doubles(kind: &str, rng: &mut Rng) -> Vec<Triangle64> {
    let size = match kind {
        "tiny or huge" => 2f64.powi(rng.pick(&[-1040, -400, -251, -249, -100, 100, 249, 251, 900])),
        _ => 1.0,
    };
    let mut points: Vec<DVec3> = (0..9).map(|_| point(kind, rng) * size).collect();
    points[4] = DVec3::new(0.0, -0.0, 0.0);
    points[5] = -points[4];
    let triangle = |_| {
        let mut corner = || match rng.one_in(6) {
            true => point(kind, rng) * size,
            false => points[rng.below(points.len())],
        };
        Triangle64::new(corner(), corner(), corner())
    };
    let mut triangles: Vec<_> = (0..14).map(triangle).collect();
    triangles[3] = triangles[8];
    triangles[9] = Triangle64::new(points[4], points[5], points[4]);
    triangles[5].p1.y = rng.pick(&[f64::NAN, f64::INFINITY, triangles[5].p1.y]);
    triangles
}

/// Returns a point to ask about: a corner, a point on an edge or a triangle, up to rounding, one beside it by the
/// last bit or by as much as a triangle's size, or anywhere.
pub fn double_point(kind: &str, triangles: &[Triangle64], rng: &mut Rng) -> DVec3 {
    let [a, b, c] = triangles[rng.below(triangles.len())].corners();
    let at = match rng.below(6) {
        0 => a,
        1 => a * 0.5 + b * 0.5,
        2 => a * 0.5 + b * 0.25 + c * 0.25,
        3 => a + (b - c),
        4 => a * 0.5 + b * 0.5 + (b - a).cross(c - a),
        _ => point(kind, rng),
    };
    match rng.below(6) {
        0 => at.with_x(at.x.next_up()),
        1 => at * rng.pick(&[-1.0, 1e9, 1e-9, 1e-155]),
        2 if rng.one_in(20) => at.with_y(f64::INFINITY),
        _ => at,
    }
}

/// Returns rays of similar directions, from one point or from some close together, or the same backwards, aimed at
/// points as [`double_point`] makes them; many end there, up to rounding.
pub fn double_tile(kind: &str, triangles: &[Triangle64], rng: &mut Rng, rays: usize) -> Vec<Ray64> {
    let corners = triangles.iter().flat_map(Triangle64::corners).map(finite);
    let (low, high) = corners.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), p| {
        (low.min(p), high.max(p))
    });
    let half = high * 0.5 - low * 0.5;
    let away = DVec3::from_array([0; 3].map(|_: i32| fraction(rng)));
    let away = away / away.abs().max_element() * rng.pick(&[2.0, 5.0, 100.0]);
    let eye = low * 0.5 + high * 0.5 + away * half.max_element();
    let apart = half.max_element() * rng.pick(&[0.0, 0.0, 1e-12, 1e-3, 0.05]);
    let is_backwards = rng.one_in(3);
    let mut ray = || {
        let aside = DVec3::from_array([0; 3].map(|_: i32| fraction(rng)));
        let mut ends = [
            finite(eye + aside * apart),
            finite(double_point(kind, triangles, rng)),
        ];
        if is_backwards {
            ends.reverse();
        }
        let way = finite(ends[1] - ends[0]);
        // Exactly, so that the end is where the ray is aimed at.
        let exponent = way
            .abs()
            .max_element()
            .log2()
            .clamp(-1000.0, 1000.0)
            .floor();
        let unit = 2f64.powi(exponent as i32 * i32::from(!rng.one_in(8)));
        let ray = Ray64::new(ends[0], way / unit);
        match rng.below(4) {
            0 => ray.with_interval(0.0, unit),
            1 => ray.with_interval(
                0.0,
                rng.pick(&[unit.next_up(), unit.next_down(), unit * 2.0]),
            ),
            2 => ray.with_interval(rng.pick(&[unit, unit.next_up(), unit * 0.5]), f64::INFINITY),
            _ => ray,
        }
    };
    (0..rays).map(|_| ray()).collect()
}

/// Returns a region to ask about: one in `f64` at some corners, or in `f32` at the triangles rounded to that.
pub fn double_region(kind: &str, triangles: &[Triangle64], rng: &mut Rng) -> RegionCase {
    let point = |rng: &mut Rng| finite(double_point(kind, triangles, rng));
    let [a, b, c] = [point(rng), point(rng), point(rng)];
    match rng.below(8) {
        0 | 1 => {
            // Flat along an axis, or small.
            let b = match rng.below(3) {
                0 => b.with_y(a.y),
                1 => finite(a + (c - a) * 0.01),
                _ => b,
            };
            RegionCase::Box64([a.min(b), a.max(b)])
        }
        2 | 3 => {
            let triangle = triangles[rng.below(triangles.len())];
            let corners = match rng.below(4) {
                0 => [triangle.p1, triangle.p0, c],
                1 => [triangle.p0 * 0.5 + triangle.p1 * 0.5, triangle.p2, c],
                2 => [triangle.p0, triangle.p1 * 2.0 - triangle.p0, triangle.p2],
                _ => [a, b, c],
            };
            let [p0, p1, p2] = corners.map(finite);
            RegionCase::Triangle64(Triangle64 { p0, p1, p2 })
        }
        4 => RegionCase::Plane64(double_plane(kind, triangles, rng)),
        _ => {
            let narrow = |triangle: &Triangle64| {
                let [p0, p1, p2] = triangle.corners().map(DVec3::as_vec3);
                Triangle { p0, p1, p2 }
            };
            let scene = Scene {
                name: "",
                seed: 0,
                triangles: triangles.iter().map(narrow).collect(),
            };
            regions(&scene, rng, 1).remove(0)
        }
    }
}

/// Returns a plane to cut triangles with: through corners, along an axis, or across.
pub fn double_plane(kind: &str, triangles: &[Triangle64], rng: &mut Rng) -> PlaneCase<f64> {
    loop {
        let at = finite(double_point(kind, triangles, rng));
        let normal = match rng.below(4) {
            0 | 1 => DVec3::AXES[rng.below(3)] * rng.pick(&[1.0, -1.0, 0.3]),
            2 => {
                let [a, b, c] = triangles[rng.below(triangles.len())].corners();
                let size = (b - a).abs().max((c - a).abs()).max_element();
                ((b - a) / size).cross((c - a) / size)
            }
            _ => DVec3::from_array([0; 3].map(|_: i32| fraction(rng))),
        };
        let normal = match rng.one_in(8) {
            true => normal * 2f64.powi(rng.pick(&[-900, -260, 240, 500])),
            false => normal,
        };
        let offset = normal.dot(at);
        let plane = match rng.one_in(3) && offset.is_finite() {
            true => PlaneCase::Offset(normal, offset),
            false => PlaneCase::Through(at, normal),
        };
        if plane.plane().is_some() {
            return plane;
        }
    }
}

/// Returns a sphere that moves towards a point of a triangle, or past it, from anywhere; some rest, and some touch at
/// the start.
pub fn double_sweep(kind: &str, triangles: &[Triangle64], rng: &mut Rng) -> MovingSphere64 {
    let [from, to] = [0; 2].map(|_: i32| finite(double_point(kind, triangles, rng)));
    let radius = match rng.below(5) {
        0 => 0.0,
        1 => (from - to).abs().max_element(),
        2 => (from - to).length() * 0.5,
        _ => (from - to).length() * 0.01 * fraction(rng).abs(),
    };
    let velocity = match rng.below(6) {
        0 => DVec3::ZERO,
        1 => DVec3::AXES[rng.below(3)] * rng.pick(&[1.0, -0.1, 2f64.powi(-300)]),
        _ => finite(to - from) * rng.pick(&[1.0, 0.1, 3.0]),
    };
    let radius = if radius.is_finite() { radius } else { 1.0 };
    let sphere = MovingSphere64::new(from, velocity, radius);
    match rng.below(4) {
        0 => sphere.with_t_max(rng.pick(&[1.0, 0.5, 0.0])),
        _ => sphere,
    }
}

/// Returns a point with numbers in place of those that are none.
fn finite(point: DVec3) -> DVec3 {
    let number = |x: f64| {
        if x.is_nan() {
            1.0
        } else {
            x.clamp(f64::MIN, f64::MAX)
        }
    };
    DVec3::from(point.to_array().map(number))
}

/// Returns a point of a kind; those that are tiny or huge have the size 1.
fn point(kind: &str, rng: &mut Rng) -> DVec3 {
    let mut coordinate = |axis: usize| match kind {
        // All bits.
        "usual" | "tiny or huge" => fraction(rng),
        // Metres of a map, with a step of a nanometre.
        "map" => [500_000.0, 5_200_000.0, 400.0][axis] + 30.0 * fraction(rng),
        // Millimetres of a map's numbers: many on one plane or line.
        "tower" => [2_600_000.0, 1_200_000.0, 500.0][axis] + f64::from(rng.int(0, 4)) * 1e-3,
        "grid" => f64::from(rng.int(-3, 3)),
        "last bits" => {
            let steps = f64::from(rng.int(-2, 2));
            [1.0, -0.7, 0.3][axis] * (1.0 + steps * f64::EPSILON)
        }
        "slivers" => match axis {
            0 => 1e3 * fraction(rng),
            _ => rng.pick(&[1e-9, 1e-4]) * fraction(rng),
        },
        // As far as numbers go, along one axis or two.
        "limits" => match axis {
            0 => 1.5e308 + 1e307 * fraction(rng),
            1 => rng.pick(&[f64::MAX, f64::MAX, f64::MIN, 0.0]),
            _ => 1e307 * fraction(rng),
        },
        // Far less high than wide.
        "flat" => match axis {
            1 => rng.pick(&[1e-160, 3.3e-160, 3.3e-155, 0.0]),
            _ => 1e95 * fraction(rng),
        },
        _ => loop {
            let x = f64::from_bits(rng.next_u64());
            if x.is_finite() {
                break x;
            }
        },
    };
    DVec3::from_array([0, 1, 2].map(&mut coordinate))
}

/// Returns a number in `[-1, 1)` with 53 random bits.
fn fraction(rng: &mut Rng) -> f64 {
    (rng.next_u64() >> 11) as f64 * 2f64.powi(-52) - 1.0
}

/// Returns a ray of a kind: at a corner, a point of an edge or of a triangle, or a point beside, from there, near or
/// far, along an axis now and then, and with an interval that may end there or be the whole line.
pub fn double_ray(kind: &str, triangles: &[Triangle64], rng: &mut Rng) -> Ray64 {
    let target = triangles[rng.below(triangles.len())];
    let [a, b, c] = target.corners();
    // As large as the triangle.
    let size = match kind {
        "tiny or huge" => c.abs().max_element(),
        _ => 1.0,
    };
    let at = match rng.below(6) {
        0 => a,
        1 => (a + b) * 0.5,
        2 | 3 => a * 0.5 + b * 0.25 + c * 0.25,
        4 => b.with_x(b.x.next_up()),
        _ => point(kind, rng) * size,
    };
    let dir = match rng.below(4) {
        0 => DVec3::AXES[rng.below(3)] * rng.pick(&[1.0, -1.0, 0.375]),
        1 => rng.grid_direction(8).as_dvec3(),
        2 => at / size - point(kind, rng),
        _ => DVec3::from_array([0; 3].map(|_: i32| fraction(rng))),
    };
    let dir = dir * size.clamp(1e-300, 1e300);
    let dir = match rng.one_in(4) {
        true => dir * 2f64.powi(rng.pick(&[-149, -60, 60, 126])),
        false => dir,
    };
    let steps = rng.pick(&[0.0, 1.0, 3.0, 0.1, 1e9, 5e-324]);
    let ray = Ray64::new(at - dir * steps, dir);
    match rng.below(8) {
        0 => ray.with_interval(steps, f64::INFINITY),
        1 => ray.with_interval(0.0, steps),
        2 => ray.with_interval(f64::NEG_INFINITY, steps.next_down()),
        3 => ray.with_interval(f64::NEG_INFINITY, f64::INFINITY),
        4 if rng.one_in(8) => Ray64::new(ray.origin.with_y(f64::NAN), dir),
        _ => ray,
    }
}
