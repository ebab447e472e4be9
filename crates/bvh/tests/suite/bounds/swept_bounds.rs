//! A search for contacts of moving spheres before they meet the box of the triangle that they touch:
//! hostile triangles, spheres of all sizes, and the certified time of the contact as the reference.

use super::hostile_triangles::{case, nudged};
use super::leaf_scene::{Scene, prim};
use estoc_bvh::internals::traverse::sweep::swept_path::{Entries, SweptPath};
use estoc_bvh::internals::wide::WIDTH;
use estoc_core::exact::PreparedRay;
use estoc_core::glam::Vec3;
use estoc_core::{
    Collector, Engine, PrimId, Ray, SweepCollector, SweepEngine, SweepQuery, Triangle,
};
use estoc_testkit::conformance::Effort;
use estoc_testkit::generate::Rng;
use std::cell::RefCell;

/// A deliberate defect, which the search must find.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Spoilt {
    Nothing,
    /// Widened boxes have no slack, and balls do not count.
    Widened,
    /// Balls are smaller by 2^-36, and widened boxes do not count.
    Balls,
    /// The radius is too small by 2^-40 of itself.
    Radius,
}

/// 2^259: farther than any centre and any tree, so that a test with it does not count.
const ANYWHERE: f64 = f64::from_bits((1023 + 259) << 52);

fn without_balls(mut path: SweptPath) -> SweptPath {
    path.radius = ANYWHERE;
    path
}

fn without_boxes(mut path: SweptPath) -> SweptPath {
    for axis in &mut path.axes {
        (axis.ahead, axis.behind) = (ANYWHERE, -ANYWHERE);
    }
    path
}

/// Leaves a share of the slack to widened boxes, beyond this radius.
fn with_slack(right: &SweptPath, radius: f64, share: f64) -> SweptPath {
    let mut path = right.clone();
    for axis in &mut path.axes {
        let (ahead, behind) = (axis.center + radius, axis.center - radius);
        axis.ahead = ahead + share * (axis.ahead - ahead);
        axis.behind = behind + share * (axis.behind - behind);
    }
    path
}

/// Makes balls smaller by a share of themselves, the box's half diagonal included.
fn with_small_balls(right: &SweptPath, half_diagonal: f64, share: f64) -> SweptPath {
    let mut path = right.clone();
    path.radius -= share * (path.radius + half_diagonal);
    path
}

/// Shares of the slack of widened boxes that are tried, the largest first.
const SHARES: [f64; 9] = [0.9, 0.75, 0.5, 0.35, 0.25, 0.125, 0.0625, 0.03125, 0.0];

/// Exponents of two by which balls are made smaller, the least first. Squares of `f64`s are off by
/// 2^-53, for which 2^-46 are granted.
const EXPONENTS: [i32; 6] = [-50, -47, -44, -40, -36, -30];

/// One triangle of a scene, and when the sphere met its box.
struct Lane<'a> {
    scene: &'a Scene,
    lane: usize,
    triangle: Triangle,
    spoilt: Spoilt,
    met: RefCell<Option<Met>>,
}

/// When a sphere meets a box.
#[derive(Clone, Copy, Debug)]
struct Met {
    /// No later than this, certainly, the sphere touches the triangle.
    latest: f64,
    /// The box is met by then, and without a limit.
    hits: [bool; 2],
    /// The entry into the box.
    entry: f64,
    /// The largest share of the slack with which the widened box alone loses the contact.
    by_box: Option<f64>,
    /// The least exponent with which the ball alone does.
    by_ball: Option<i32>,
}

impl Engine for Lane<'_> {
    type Primitive = Triangle;

    fn primitive_count(&self) -> usize {
        WIDTH
    }

    fn primitive(&self, _: PrimId) -> Option<Triangle> {
        Some(self.triangle)
    }

    fn is_closed(&self) -> bool {
        false
    }

    fn visit(&self, _: &PreparedRay<'_>, _: &mut Collector<'_>) {}
}

impl SweepEngine for Lane<'_> {
    fn visit_swept(&self, collector: &mut SweepCollector) {
        let tree = &self.scene.tree;
        let [x, y, z] = &tree.nodes[0].faces;
        let faces = [x, y, z].map(|[low, high]| [low, high]);
        let sphere = collector.sphere();
        let right = SweptPath::of(&sphere, tree).expect("numbers of f32");
        let radius = sphere.radius * f64::from(tree.scale.up(1.0));
        let radius = radius.min(ANYWHERE);
        let half_diagonal = faces.map(|[low, high]| {
            let extent = f64::from(high[self.lane]) - f64::from(low[self.lane]);
            extent * extent
        });
        let half_diagonal = half_diagonal.iter().sum::<f64>().sqrt() / 2.0;
        let smaller =
            |exponent| without_boxes(with_small_balls(&right, half_diagonal, 2f64.powi(exponent)));
        let path = match self.spoilt {
            Spoilt::Nothing => right.clone(),
            Spoilt::Widened => without_balls(with_slack(&right, radius, 0.0)),
            Spoilt::Balls => smaller(-36),
            Spoilt::Radius => {
                let short = radius * (1.0 - 2f64.powi(-40));
                with_slack(&right, short, 0.0)
            }
        };
        let entry = |path: &SweptPath, limit: f64| -> (f64, bool) {
            let Entries { times, hits } = path.entries(faces, limit);
            (times[self.lane], hits[self.lane])
        };
        let (_, endless) = entry(&path, collector.limit());
        let _ = collector.offer(prim(self.lane), &self.triangle.into());
        let latest = collector.limit();
        let (time, by_then) = entry(&path, latest);
        let is_lost = |path: &SweptPath| {
            let (time, is_met) = entry(path, latest);
            !is_met || time > latest
        };
        let slack = |share| without_balls(with_slack(&right, radius, share));
        let any = is_lost(&slack(0.0));
        let by_box = SHARES
            .into_iter()
            .find(|&share| any && is_lost(&slack(share)));
        let any = is_lost(&smaller(EXPONENTS[EXPONENTS.len() - 1]));
        let by_ball = EXPONENTS
            .into_iter()
            .find(|&exponent| any && is_lost(&smaller(exponent)));
        *self.met.borrow_mut() = Some(Met {
            latest,
            hits: [endless, by_then],
            entry: time,
            by_box,
            by_ball,
        });
    }
}

/// Returns a sphere that moves as the ray does, mostly, or along an axis, or towards a triangle.
fn sphere(rng: &mut Rng, triangles: &[Triangle; WIDTH], ray: &Ray) -> (Vec3, Vec3, f32) {
    let [a, b, c] = rng.pick(triangles).corners();
    let size = (b - a).abs().max_element();
    let on_it = a.lerp(b.lerp(c, rng.signed().abs()), rng.signed().abs());
    let mut velocity = match rng.below(4) {
        0 => ray.dir,
        1 => {
            let mut axis = Vec3::ZERO;
            axis[rng.below(3)] = rng.signed() * rng.pick(&[1.0, 1e-3, 1e6]);
            axis
        }
        2 => (b - a).cross(c - a),
        _ => rng.point() * rng.pick(&[1.0, size]),
    };
    if rng.one_in(8) {
        velocity[rng.below(3)] = rng.zero();
    }
    let radius = match rng.below(5) {
        0 => 0.0,
        1 => size * rng.pick(&[1e-6, 1e-3, 0.1, 1.0, 30.0]) * rng.signed().abs(),
        2 => rng.pick(&[1.0, 0.5, 3.0, 1e-20, 1e10]),
        3 => (ray.origin - on_it).length() * rng.pick(&[0.5, 0.999_999, 1.0]),
        _ => size * rng.signed().abs(),
    };
    let mut center = match rng.below(4) {
        0 => ray.origin,
        // So far before a point of the triangle that the sphere is about to touch it.
        1 | 2 => {
            let way = velocity.normalize_or_zero() * radius;
            on_it - way - velocity * rng.pick(&[0.0, 1.0, 1e-3, 1e-6, 100.0])
        }
        _ => on_it + rng.point() * (radius + size) * rng.pick(&[1.0, 3.0, 1e3]),
    };
    if rng.one_in(3) {
        let axis = rng.below(3);
        center[axis] = nudged(center[axis], rng.int(-3, 3));
    }
    (center, velocity, radius)
}

/// Returns a sphere a few `f32`s from a corner of a triangle, and smaller than their distance, so that
/// sums of the centre and the radius have many more bits than `f64`.
fn small_sphere(rng: &mut Rng, triangles: &[Triangle; WIDTH]) -> (Vec3, Vec3, f32) {
    let corner = rng.pick(&rng.clone().pick(triangles).corners());
    let mut center = corner;
    for _ in 0..1 + rng.below(3) {
        let axis = rng.below(3);
        center[axis] = nudged(center[axis], rng.int(-4, 4));
    }
    let way = corner - center;
    let velocity = match rng.below(3) {
        0 => way,
        1 => way * rng.signed().abs(),
        _ => way + rng.point() * way.length() * 0.1,
    };
    let radius = way.length() * rng.pick(&[1.0, 0.1, 1e-3, 1e-6]) * rng.signed().abs();
    (center, velocity, radius)
}

/// Puts a triangle with two corners at opposite corners of its box, one of them next to the origin, in
/// the place of another one, and returns a small sphere that moves along that box's diagonal.
fn diagonal(rng: &mut Rng, triangles: &mut [Triangle; WIDTH]) -> (Vec3, Vec3, f32) {
    let far = rng.point() * rng.pick(&[1.0, 1e-6, 1e6]);
    let near = far * rng.pick(&[0.0, 1.0, 1.0]) * 10f32.powi(rng.int(-16, -6)) * rng.signed();
    let between = near + (far - near) * rng.point().abs();
    triangles[rng.below(WIDTH)] = Triangle::new(near, far, between);
    let step = 10f32.powi(rng.int(-14, 0));
    let radius = far.length() * step * rng.pick(&[0.5, 1e-3, 0.9]) * rng.signed().abs();
    let velocity = match rng.below(4) {
        0 => Vec3::ZERO,
        _ => far * rng.pick(&[1.0, step, 1e3]),
    };
    // Mostly about to touch that corner.
    let away = match rng.one_in(2) {
        true => radius / far.length(),
        false => step,
    };
    (near - far * away, velocity, radius)
}

#[derive(Debug, Default)]
struct Report {
    cases: usize,
    contacts: usize,
    /// Contacts that widened boxes lose without slack, and the largest share of it with which they
    /// lose one.
    by_box: (usize, f64),
    /// Contacts that smaller balls lose, and the least exponent with which they lose one.
    by_ball: (usize, i32),
    lost: Vec<String>,
}

fn search(seed: u64, cases: usize, spoilt: Spoilt) -> Report {
    let mut rng = Rng::named(seed, "swept");
    let mut report = Report::default();
    while report.cases < cases && report.lost.len() < 10 {
        let (mut triangles, ray) = case(&mut rng);
        let along = rng.one_in(3).then(|| diagonal(&mut rng, &mut triangles));
        let scene = Scene::of(triangles);
        let spheres = [
            along.unwrap_or_else(|| sphere(&mut rng, &triangles, &ray)),
            small_sphere(&mut rng, &triangles),
            sphere(&mut rng, &triangles, &ray),
            sphere(&mut rng, &triangles, &ray),
        ];
        for (center, velocity, radius) in spheres {
            for (lane, triangle) in triangles.into_iter().enumerate() {
                let met = RefCell::new(None);
                let engine = Lane {
                    scene: &scene,
                    lane,
                    triangle,
                    spoilt,
                    met,
                };
                let found = engine.sweep_sphere(center, velocity, radius);
                report.cases += 1;
                let (Some(_), Some(met)) = (found, engine.met.take()) else {
                    continue;
                };
                report.contacts += 1;
                if met.hits != [true; 2] || met.entry > met.latest {
                    report.lost.push(format!(
                        "{met:?} of {center:?} {velocity:?} {radius:e} and {triangle:?}"
                    ));
                }
                if let Some(share) = met.by_box {
                    report.by_box = (report.by_box.0 + 1, report.by_box.1.max(share));
                }
                if let Some(exponent) = met.by_ball {
                    report.by_ball = (report.by_ball.0 + 1, report.by_ball.1.min(exponent));
                }
            }
        }
    }
    report
}

#[test]
fn the_search_finds_no_contact_before_its_box() {
    let cases = if Effort::is_long() {
        12_000_000
    } else {
        100_000
    };
    let report = search(1, cases, Spoilt::Nothing);
    println!(
        "{} of {} triangles touched; without slack, widened boxes lose {}, up to {} of it; balls that \
         are smaller lose {}, down to 2^{}",
        report.contacts,
        report.cases,
        report.by_box.0,
        report.by_box.1,
        report.by_ball.0,
        report.by_ball.1
    );
    assert!(report.lost.is_empty(), "{:#?}", report.lost);
    assert!(report.contacts * 8 > report.cases, "{}", report.contacts);
    assert!(report.by_box.0 > 0 && report.by_ball.0 > 0, "{report:?}");
}

#[test]
fn the_search_finds_contacts_that_boxes_without_slack_lose() {
    for spoilt in [Spoilt::Widened, Spoilt::Balls, Spoilt::Radius] {
        let report = search(2, 200_000, spoilt);
        assert!(!report.lost.is_empty(), "{spoilt:?} {report:?}");
    }
}
