//! A search for triangles that the leaf test of plain rays loses, misplaces or reports falsely. It
//! is a hill climb: a case is changed a little again and again, and changes that come closer to
//! breaking the bound are kept.

use super::hostile_triangles::{case, cut, nudged};
use super::leaf_kernels::{Preparation, said};
use super::leaf_scene::{Scene, prepared, prim};
use estoc_bvh::SimdLevel;
use estoc_bvh::internals::traverse::kernel_ray::{Prepared, U};
use estoc_bvh::internals::traverse::level_token;
use estoc_bvh::internals::wide::WIDTH;
use estoc_core::exact::{PreparedRay, Touch};
use estoc_core::glam::Vec3;
use estoc_core::{Ray, Triangle};
use estoc_testkit::conformance::Effort;
use estoc_testkit::generate::Rng;
use std::fmt;

/// A deliberate defect of the kernel, which the search must find.
#[derive(Clone, Copy)]
struct Spoiled {
    /// A factor that narrows the spans.
    width: f64,
    /// Factors of the limit and of the greatest parameter.
    limit: f32,
    greatest: f32,
}

const SOUND: Spoiled = Spoiled {
    width: 1.0,
    limit: 1.0,
    greatest: 1.0,
};

#[derive(Clone, Copy)]
struct Case {
    triangles: [Triangle; WIDTH],
    ray: Ray,
}

/// Statistics of a search.
#[derive(Default)]
struct Looked {
    cases: usize,
    /// Rays that are plain, and the hits of these up to the limit.
    plain: usize,
    hits: usize,
    certain: usize,
    /// The closest that an exact parameter came to the end of its span, which is at 1.
    worst: f64,
    wrong: Vec<String>,
}

impl fmt::Display for Looked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} cases, {} plain, {} hits asked for, {} certain, at most {:.3} of the bound, {} wrong",
            self.cases,
            self.plain,
            self.hits,
            self.certain,
            self.worst,
            self.wrong.len()
        )
    }
}

impl Looked {
    /// Tests one case at one level. Returns how close each triangle came to the end of
    /// its span, or less than 0 where none is certain.
    fn look(
        &mut self,
        by: (Preparation, SimdLevel),
        case: &Case,
        spoiled: Spoiled,
    ) -> [f64; WIDTH] {
        self.look_at(by, case, spoiled).unwrap_or([-1.0; WIDTH])
    }

    fn look_at(
        &mut self,
        (by, level): (Preparation, SimdLevel),
        case: &Case,
        spoiled: Spoiled,
    ) -> Option<[f64; WIDTH]> {
        self.cases += 1;
        let Case { triangles, ray } = case;
        let question = PreparedRay::new(ray)?;
        let scene = Scene::of(*triangles);
        let Prepared::Ready(kernel) = prepared(&question, &scene.tree) else {
            return None;
        };
        let ends = kernel.ends;
        let greatest = ends.greatest?;
        let is_own = [ends.unit, ends.start] == [1.0, 0.0] && kernel.moved == f32::MIN_POSITIVE;
        if is_own == matches!(by, Preparation::Moved) {
            return None;
        }
        self.plain += 1;
        let touches: Vec<Option<Touch>> = (0..WIDTH)
            .map(|i| question.touch(prim(i), &triangles[i], f64::INFINITY))
            .collect();
        let mut limits = vec![ray.t_max];
        // At the hits of others, just before and just behind.
        for touch in touches.iter().flatten() {
            let t = question.hit(touch).t;
            limits.extend([t.next_down(), t, t.next_up()]);
        }
        limits.retain(|limit| ray.t_min <= *limit && *limit <= ray.t_max);
        let mut shares = [-1.0; WIDTH];
        for limit in limits {
            let level = level_token(level).expect("one of the available levels");
            let of_kernel = |t: f64| t * ends.unit - ends.start;
            let upper = if is_own {
                limit
            } else {
                ends.limit(limit.into())
            };
            let said = said(
                (by, level),
                &scene,
                (ray, &kernel),
                upper * spoiled.limit,
                greatest * spoiled.greatest,
            );
            for (i, touch) in touches.iter().enumerate() {
                let mut wrong = |what: &str| {
                    let (from, to) = (said.from[i], said.to[i]);
                    self.wrong.push(format!(
                        "{level:?}: {what}: {i} up to {limit:e}, from {from:e} to {to:e}, {touch:?} \
                         of {ray:?} at {triangles:?}"
                    ));
                };
                let (maybe, certain) = (said.maybe >> i & 1 == 1, said.certain >> i & 1 == 1);
                if certain && !maybe {
                    wrong("certain, but not maybe");
                }
                let Some(touch) = touch else {
                    if certain {
                        wrong("certain, but no hit");
                    }
                    continue;
                };
                if touch.t_high() <= limit.into() {
                    if !maybe {
                        wrong("lost");
                    }
                    self.hits += 1;
                }
                if !certain {
                    continue;
                }
                self.certain += 1;
                let (from, to) = (f64::from(said.from[i]), f64::from(said.to[i]));
                let (middle, half) = (from.midpoint(to), (to - from) / 2.0 * spoiled.width);
                let [low, high] = [touch.t_low(), touch.t_high()].map(of_kernel);
                // Written so that NaN counts as wrong.
                if !(high >= middle - half && low <= middle + half) {
                    wrong("misplaced");
                }
                let off = low.midpoint(high) - middle;
                let share = off.abs() / half;
                self.worst = self.worst.max(share);
                shares[i] = share;
            }
        }
        Some(shares)
    }
}

/// Returns one of the hostile cases of the other search, with triangles of very different sizes and
/// positions along the ray, and with a ray that more often suits the kernel.
fn start(by: Preparation, rng: &mut Rng) -> Case {
    let (mut triangles, mut ray) = if rng.one_in(4) { case(rng) } else { aimed(rng) };
    if matches!(by, Preparation::Moved) {
        let way = 2f64.powi(rng.int(3, 24));
        let from = ray.origin.as_dvec3() - ray.dir.as_dvec3() * way;
        let by = 2f64.powi(rng.pick(&[0, 0, 12, -40])) as f32;
        ray = Ray::new(from.as_vec3(), ray.dir * by);
    }
    let on_ray = |t: f64| ray.origin.as_dvec3() + t * ray.dir.as_dvec3();
    for triangle in &mut triangles {
        let size = match rng.below(8) {
            0 => rng.pick(&[1e2, 1e4, 1e8]),
            1 | 2 => 2f64.powi(rng.int(-60, 0)),
            _ => continue,
        };
        let way = match rng.below(4) {
            0 => 0.0,
            1 => size * f64::from(rng.signed()),
            2 => size * 2f64.powi(rng.int(-10, 22)),
            _ => f64::from(rng.signed()) * 16.0,
        };
        // Around a point of the ray.
        let at = on_ray(way);
        let flat = rng.one_in(3);
        let [a, b, c] = triangle.corners().map(|p| {
            let mut p = p.as_dvec3() * size;
            if flat {
                p -= ray.dir.as_dvec3()
                    * (p.dot(ray.dir.as_dvec3()) / ray.dir.as_dvec3().length_squared());
            }
            let p = (p + at).as_vec3();
            if p.is_finite() { p } else { Vec3::ZERO }
        });
        *triangle = Triangle::new(a, b, c);
    }
    let scene = triangles.map(|t| [t.p0, t.p1, t.p2]);
    ray.t_min = 0.0;
    if let Some(question) = PreparedRay::new(&ray) {
        let at: Vec<f32> = (0..WIDTH)
            .filter_map(|i| {
                let [a, b, c] = scene[i];
                question.touch(prim(i), &Triangle::new(a, b, c), f64::INFINITY)
            })
            .map(|touch| question.hit(&touch).t)
            .collect();
        ray = cut(rng, ray, &at);
    }
    ray.t_min = ray.t_min.max(0.0);
    ray.t_max = ray.t_max.max(ray.t_min);
    Case { triangles, ray }
}

/// Returns a ray from up to 16 sizes away that runs through the interior of most triangles, at
/// various distances from their edges.
fn aimed(rng: &mut Rng) -> ([Triangle; WIDTH], Ray) {
    let dir = match rng.point() {
        Vec3::ZERO => Vec3::Z,
        dir => dir * 2f64.powi(rng.int(-7, 7)) as f32,
    };
    let origin = rng.point() * rng.pick(&[0.0, 1.0, 4.0, 16.0]);
    let triangles = [0; WIDTH].map(|_: i32| {
        let t = rng.signed().abs() * rng.pick(&[1.0, 4.0, 16.0]);
        let size = rng.pick(&[1.0, 1.0, 1e-2, 1e-4, 1e2]);
        let [a, b] = [0; 2].map(|_: i32| size * rng.point());
        // Choose the third corner so that the ray's point has these weights.
        let mut weight = || rng.signed().abs() * rng.pick(&[1.0, 1.0, 0.1, 1e-3, 1e-5]) + 1e-7;
        let (u, v, w) = (weight(), weight(), weight());
        let c = -(u * a + v * b) / w;
        let at = origin + t * dir;
        Triangle::new(at + a, at + b, at + c)
    });
    (triangles, Ray::new(origin, dir))
}

/// Changes one number of a case by a random amount.
fn changed(rng: &mut Rng, from: &Case, lane: usize) -> Case {
    let mut case = *from;
    let triangle = &mut case.triangles[lane];
    let vector = match rng.below(5) {
        0 => &mut triangle.p0,
        1 => &mut triangle.p1,
        2 => &mut triangle.p2,
        3 => &mut case.ray.origin,
        _ => &mut case.ray.dir,
    };
    let axis = rng.below(3);
    let x = vector[axis];
    let x = match rng.below(4) {
        0 => nudged(x, rng.int(-3, 3)),
        1 => x * (1.0 + rng.signed() * (2f64.powi(rng.int(-22, -1)) as f32)),
        2 => x + rng.signed() * vector.abs().max_element() * (2f64.powi(rng.int(-24, 0)) as f32),
        _ => x * 2f64.powi(rng.int(-2, 2)) as f32,
    };
    if x.is_finite() {
        vector[axis] = x;
    }
    case
}

/// Runs `walks` walks of `steps` steps each.
fn search(
    by: (Preparation, SimdLevel),
    seed: u64,
    walks: usize,
    steps: usize,
    spoiled: Spoiled,
) -> Looked {
    let mut looked = Looked::default();
    let mut rng = Rng::named(seed, "spans");
    for _ in 0..walks {
        let mut best = start(by.0, &mut rng);
        let shares = looked.look(by, &best, spoiled);
        let certain: Vec<usize> = (0..WIDTH).filter(|lane| shares[*lane] >= 0.0).collect();
        if certain.is_empty() {
            continue;
        }
        let lane = rng.pick(&certain);
        let mut share = shares[lane];
        for _ in 0..steps {
            let next = changed(&mut rng, &best, lane);
            let found = looked.look(by, &next, spoiled)[lane];
            if found >= share {
                (best, share) = (next, found);
            }
            if looked.wrong.len() >= 5 {
                return looked;
            }
        }
    }
    looked
}

#[test]
fn spans_hold_every_hit() {
    let walks = if Effort::is_long() { 100_000 } else { 1_500 };
    for level in SimdLevel::available() {
        for preparation in Preparation::ALL {
            let looked = search((preparation, level), 1, walks, 150, SOUND);
            println!("{level}, {preparation:?}: {looked}");
            assert!(looked.wrong.is_empty(), "{}", looked.wrong.join("\n"));
            assert!(looked.plain > looked.cases / 4 && looked.hits > looked.plain);
            assert!(looked.certain > looked.plain);
        }
    }
}

/// The search would notice narrower spans, limits that are too early, and ends that are too late.
#[test]
fn the_search_finds_what_is_wrong_with_spoiled_spans() {
    let best = SimdLevel::best();
    let narrow = Spoiled {
        width: 0.05,
        ..SOUND
    };
    let early = Spoiled {
        limit: 1.0 - 64.0 * U,
        ..SOUND
    };
    let late = Spoiled {
        greatest: 1.0 + 512.0 * U,
        ..SOUND
    };
    for (name, spoiled) in [("narrow", narrow), ("early", early), ("late", late)] {
        for preparation in Preparation::ALL {
            let looked = search((preparation, best), 2, 1_500, 150, spoiled);
            println!("{name}, {preparation:?}: {looked}");
            assert!(!looked.wrong.is_empty(), "{name}");
        }
    }
}
