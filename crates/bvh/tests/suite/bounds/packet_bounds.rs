//! A search for hits that a packet loses, for false hits, and for hits outside the reported
//! interval, with groups of similar rays.

use super::hostile_triangles::cut;
use super::leaf_scene::{Scene, prim};
use super::violation_search::{Report, assert_none_lost};
use bytemuck::Zeroable;
use estoc_bvh::SimdLevel;
use estoc_bvh::internals::traverse::kernel_ray::U;
use estoc_bvh::internals::traverse::level_token;
use estoc_bvh::internals::traverse::packet::beam::Beam;
use estoc_bvh::internals::traverse::packet::beam_rays::BeamRays;
use estoc_bvh::internals::traverse::packet::exact_fallback::ExactFallback;
use estoc_bvh::internals::traverse::packet::packet_hull::PacketHull;
use estoc_bvh::internals::traverse::packet::packet_vectors::Part;
use estoc_bvh::internals::traverse::packet::prepared_triangles::PreparedTriangles;
use estoc_bvh::internals::traverse::packet::ray_arrays::{RAYS, RayArrays};
use estoc_bvh::internals::traverse::packet::triangle_test::{Candidate, FoundHits, test_triangle};
use estoc_bvh::internals::wide::{Tag, WIDTH};
use estoc_core::exact::{PreparedRay, Touch};
use estoc_core::{Ray, Triangle};
use estoc_testkit::generate::Rng;
use fearless_simd::{Simd, SimdMask};

/// A deliberate defect, which the search must find.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Spoilt {
    Nothing,
    /// Edges have too small an error bound.
    Edges,
    /// Positions along the axis have no error bound.
    Places,
    /// Boxes are tested without their margins.
    Hull,
}

/// Returns the ray, and others close to it.
pub(super) fn similar_rays(rng: &mut Rng, ray: Ray, at: &[f32]) -> Vec<Ray> {
    let ways = [0.0, 1e-7, 1e-5, 1e-3, 3e-2];
    let (aside, apart) = (rng.pick(&ways), rng.pick(&ways));
    let is_shared = rng.one_in(2);
    let longest = ray.dir.abs().max_element();
    let farthest = ray.origin.abs().max_element();
    let count = 8 + rng.below(57);
    let mut rays = Vec::new();
    for _ in 0..count {
        let mut other = ray;
        other.dir += rng.point() * (aside * longest);
        if !is_shared {
            other.origin += rng.point() * (apart * farthest.min(1e6));
        }
        if rng.one_in(3) {
            other.dir = ray.dir;
        }
        other.t_min = 0.0;
        let mut other = cut(rng, other, at);
        other.t_min = other.t_min.max(0.0);
        other.t_max = other.t_max.max(other.t_min);
        rays.push(other);
    }
    rays
}

fn search(level: SimdLevel, seed: u64, rays: usize, spoilt: Spoilt) -> Report {
    let token = level_token(level).expect("one of the available levels");
    super::violation_search::search("attack on packets", seed, rays, |case, rng, report| {
        let rays = similar_rays(rng, case.ray, &case.at);
        let mut group = RayArrays::new();
        for (place, ray) in rays.iter().enumerate() {
            if let Some(question) = PreparedRay::new(ray) {
                group.rays.push((place, question));
            }
        }
        if group.rays.is_empty() {
            return;
        }
        fearless_simd::dispatch!(token, simd => look(simd, &case.scene, group, spoilt, report));
    })
}

fn look<S: Simd>(
    simd: S,
    scene: &Scene,
    mut group: RayArrays<'_>,
    spoilt: Spoilt,
    report: &mut Report,
) {
    let tree = &scene.tree;
    group.spread(Part::ALL);
    let fitting = group.fitting(simd, Part::ALL, tree);
    if fitting.rays == 0 {
        return;
    }
    group.fill(!fitting.rays, fitting.rays.trailing_zeros() as usize);
    let mut rays = BeamRays::new();
    let beam = Beam::of(simd, &group, &fitting, Part::ALL, tree, &mut rays);
    let Some(mut beam) = beam else { return };
    if spoilt == Spoilt::Hull {
        spoil(&mut beam.planes);
    }
    report.packets += 1;
    let (node, block) = (&tree.nodes[0], scene.block());
    let axes = beam.frame.axes;
    let [_, _, z] = axes;

    let limit = rays.last_end(simd);
    let (_, hit) = beam.planes.test(simd, node, beam.least, limit);
    let boxes = hit.to_bitmask() as u32;
    let mut shapes = PreparedTriangles::zeroed();
    let passed = match beam.frame.is_shared {
        true => shapes.prepare::<S, true>(simd, block, &beam, limit),
        false => shapes.prepare::<S, false>(simd, block, &beam, limit),
    };
    match spoilt {
        Spoilt::Edges => shapes.error = shapes.error.map(|error| error * 1e-3),
        Spoilt::Places => {
            shapes.spread = [0.0; WIDTH];
            shapes.besides = [0.0; WIDTH];
        }
        _ => {}
    }
    for lane in 0..WIDTH {
        let triangle = tree.triangle(0, WIDTH, lane).1;
        let met = beam.planes.meet(simd, node, lane, beam.least, axes, &rays);
        let mut found = FoundHits::new();
        // The rays before any hit.
        let mut rays = rays.clone();
        if passed >> lane & 1 == 1 {
            let candidate = Candidate {
                leaf: 0,
                tag: Tag::new(lane, WIDTH),
                active: !0,
            };
            let judge = ExactFallback {
                tree,
                group: &group,
                // Close calls for `f32` stay close calls.
                fitting: 0,
                frame: &beam.frame,
            };
            match beam.frame.is_shared {
                true => test_triangle::<S, true, false>(
                    simd, &shapes, candidate, judge, &mut rays, &mut found,
                ),
                false => test_triangle::<S, false, false>(
                    simd, &shapes, candidate, judge, &mut rays, &mut found,
                ),
            };
        }
        for (place, (_, question)) in group.rays.iter().enumerate() {
            let has = |bits: u64| bits >> place & 1 == 1;
            if !has(fitting.rays) {
                continue;
            }
            report.rays += 1;
            let touch = question.touch(prim(lane), &triangle, f64::INFINITY);
            let sure = found.tag[place] != 0;
            let describe = |what: &str| {
                let (ray, other) = (question.ray(), group.rays[0].1.ray());
                format!("{what}, {triangle:?}, {ray:?} beside {other:?}")
            };
            report.certain += usize::from(sure);
            match touch {
                None if sure => report.lost.push(describe("no hit, but certain")),
                None => {}
                Some(touch) => {
                    report.hits += 1;
                    if boxes >> lane & 1 == 0 {
                        report.lost.push(describe("box beside the hull"));
                    } else if !has(met) {
                        report.lost.push(describe("box beside the ray"));
                    } else if !sure && rays.high[place] > f32::NEG_INFINITY {
                        report.lost.push(describe("hit"));
                    } else if sure && !is_between(question, &touch, &beam, z, &rays, place) {
                        report.lost.push(describe("hit elsewhere"));
                    }
                }
            }
        }
    }
}

/// Removes the margins of the parameters.
fn spoil(planes: &mut PacketHull) {
    for axis in 0..3 {
        // Boxes are larger than their contents by a little less than this.
        let (near, far) = (&mut planes.near[axis], &mut planes.far[axis]);
        near.q += near.q.abs() * (24.0 * U);
        far.q -= far.q.abs() * (24.0 * U);
    }
}

/// Returns whether a hit may lie in the interval that the packet reports.
fn is_between(
    question: &PreparedRay<'_>,
    touch: &Touch,
    beam: &Beam,
    z: usize,
    rays: &BeamRays,
    place: usize,
) -> bool {
    let start =
        (question.origin()[z] - f64::from(beam.frame.origin[2])) * f64::from(beam.frame.forward);
    let along = question.dir()[z].abs();
    let [low, high] = [touch.t_low(), touch.t_high()].map(|t| start + t * along);
    // The rounding errors of these lines.
    let off = (start.abs() + high.abs().max(low.abs())) * 4.0 * f64::EPSILON;
    f64::from(rays.low[place]) <= high + off && f64::from(rays.high[place]) >= low - off
}

#[test]
fn no_packet_loses_a_hit_or_makes_one_up() {
    assert_none_lost(true, |level, rays| search(level, 1, rays, Spoilt::Nothing));
}

/// Products of edge functions and positions overflow while edge functions do not.
#[test]
fn triangles_of_1e14_are_not_lost() {
    let triangle = Triangle::new(
        [-7455.986, 0.0016005829, 129428670000000.0],
        [-13174.159, 257936090000000.0, -146147.0],
        [7919166000.0, -6381324300.0, -6542338000.0],
    );
    let ray = Ray::new(
        [-388.1292, 135.73001, -423.17218],
        [24.351604, -3.2e-19, 25.692764],
    );
    // The others have a usual size, which determines the scale of the tree.
    let usual = Triangle::new([0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]);
    let mut triangles = [usual; WIDTH];
    triangles[0] = triangle;
    let scene = Scene::of(triangles);
    let rays: Vec<Ray> = (0..RAYS)
        .map(|i| {
            let mut ray = ray;
            ray.dir.y += i as f32 * 1e-6;
            ray
        })
        .collect();
    for level in SimdLevel::available() {
        let mut group = RayArrays::new();
        let questions = rays.iter().filter_map(PreparedRay::new);
        group.rays.extend(questions.enumerate());
        let mut report = Report::default();
        let token = level_token(level).expect("one of the available levels");
        fearless_simd::dispatch!(token, simd => {
            look(simd, &scene, group, Spoilt::Nothing, &mut report);
        });
        assert!(report.lost.is_empty(), "{}", report.lost.join("\n"));
        assert!(report.hits > 0);
    }
}

#[test]
fn the_search_finds_what_packets_without_their_bounds_lose() {
    for spoilt in [Spoilt::Edges, Spoilt::Places, Spoilt::Hull] {
        let report = search(SimdLevel::best(), 2, 2_000_000, spoilt);
        assert!(!report.lost.is_empty(), "{spoilt:?}: {report:?}");
    }
}
