//! A search for hits that a tile for any hit loses, and for false hits, with rays that start or end
//! close together.

use super::hostile_triangles::cut;
use super::leaf_scene::{Scene, prim};
use super::violation_search::{Report, assert_none_lost};
use bytemuck::Zeroable;
use estoc_bvh::SimdLevel;
use estoc_bvh::internals::traverse::level_token;
use estoc_bvh::internals::traverse::packet::any_tile::any_rays::{AnyBeam, AnyRays};
use estoc_bvh::internals::traverse::packet::any_tile::any_test::{Exact, OneTriangle, test_ray};
use estoc_bvh::internals::traverse::packet::any_tile::any_triangles::AnyTriangles;
use estoc_bvh::internals::traverse::packet::any_tile::any_walk::MetBox;
use estoc_bvh::internals::traverse::packet::any_tile::{any_hull::AnyHull, any_lines::Line};
use estoc_bvh::internals::traverse::packet::tile::tile_rays::GROUP;
use estoc_bvh::internals::wide::WIDTH;
use estoc_core::exact::PreparedRay;
use estoc_core::{Ray, Triangle};
use estoc_testkit::generate::Rng;
use fearless_simd::{Simd, SimdMask};

/// A deliberate defect, which the search must find.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Spoilt {
    Nothing,
    /// Edges have too small an error bound.
    Edges,
    /// Places have too small an error bound.
    Places,
    /// The hull of all rays has no width.
    Hull,
    /// Hulls of groups have no width.
    Groups,
    /// First ends are off.
    First,
    /// Last ends are off.
    Last,
    /// Triangles lie between the ends of all rays.
    Between,
}

/// Returns the ray, and others that start or end near it.
fn bundle(rng: &mut Rng, ray: Ray, at: &[f32]) -> Vec<Ray> {
    let ways = [0.0, 1e-7, 1e-5, 1e-3, 3e-2, 0.2];
    let (aside, apart) = (rng.pick(&ways), rng.pick(&ways));
    let longest = ray.dir.abs().max_element();
    // Mostly of a length that tiles take.
    let usual = match rng.one_in(8) {
        true => 1.0,
        false => 2f64.powi(rng.int(-7, 7)) / f64::from(longest),
    };
    let size = ray.origin.abs().max_element().min(1e6);
    // Some end close together, at a lamp.
    let lamp = match at.is_empty() {
        true => 1.0,
        false => rng.pick(at),
    };
    let lamp = f64::from(lamp) * rng.pick(&[1.0, 1.5, 4.0]);
    let has_lamp = rng.one_in(2);
    let is_cut = rng.one_in(2);
    let count = GROUP + rng.below(4 * GROUP);
    (0..count)
        .map(|_| {
            let mut other = ray;
            if !rng.one_in(3) {
                other.origin += rng.point() * (apart * size);
            }
            let end = ray.origin.as_dvec3() + lamp * ray.dir.as_dvec3();
            let end = end + rng.point().as_dvec3() * f64::from(aside * size);
            if has_lamp {
                let dir = (end - other.origin.as_dvec3()).as_vec3();
                if dir.is_finite() && dir.abs().max_element() > 0.0 {
                    other.dir = dir;
                }
            } else if !rng.one_in(3) {
                other.dir += rng.point() * (aside * longest);
            }
            let before = other.dir.abs().max_element();
            let dir = (other.dir.as_dvec3() * usual).as_vec3();
            if usual == 1.0 || dir.is_finite() {
                other.dir = dir;
            }
            let length = before / other.dir.abs().max_element();
            other.t_min = 0.0;
            if has_lamp && !rng.one_in(3) {
                other.t_max = length * rng.pick(&[1.0, 0.999]);
            } else {
                other = cut(rng, other, at);
            }
            other.t_min = match is_cut {
                true => other.t_min.max(0.0),
                false => 0.0,
            };
            other.t_max = other.t_max.abs().max(other.t_min);
            other
        })
        .collect()
}

fn search(level: SimdLevel, seed: u64, rays: usize, spoilt: Spoilt) -> Report {
    let token = level_token(level).expect("one of the available levels");
    super::violation_search::search(
        "attack on tiles for any hit",
        seed,
        rays,
        |case, rng, report| {
            let rays = bundle(rng, case.ray, &case.at);
            fearless_simd::dispatch!(token, simd => look(simd, &case.scene, &rays, spoilt, report));
        },
    )
}

/// What a tile says of triangles before it tests rays.
struct Prepared {
    boxes: u32,
    passed: u32,
    shapes: AnyTriangles,
}

fn look<S: Simd>(simd: S, scene: &Scene, rays: &[Ray], spoilt: Spoilt, report: &mut Report) {
    let tree = &scene.tree;
    let mut tile = AnyRays::new();
    if tree.measures.plain < 0.0 {
        return;
    }
    let Some(mut beam) = tile.take(simd, rays, tree) else {
        return;
    };
    report.packets += 1;
    match spoilt {
        Spoilt::Hull => {
            let middle = [0, 1].map(|axis| Line {
                slope: beam.slope[axis],
                offset: beam.frame.origin[axis],
            });
            beam.planes = AnyHull::of(&beam.frame, middle.map(|line| [line; 2]));
        }
        Spoilt::Groups => {
            for i in 0..2 {
                tile.hulls.slope[i][1] = tile.hulls.slope[i][0];
                tile.hulls.offset[i][1] = tile.hulls.offset[i][0];
            }
        }
        Spoilt::First => tile.first[0] = tile.first[0].map(|row| row.map(|end| end * 1.000_001)),
        Spoilt::Last => tile.last[1] = tile.last[1].map(|row| row.map(|end| end * 0.999_999)),
        _ => {}
    }
    let node = &tree.nodes[0];
    let (_, hit) = beam.planes.test(simd, node, beam.limit);
    let mut shapes = AnyTriangles::zeroed();
    let passed = shapes.prepare(simd, scene.block(), &beam);
    match spoilt {
        Spoilt::Edges => shapes.error = shapes.error.map(|error| error * 1e-3),
        Spoilt::Places => {
            shapes.spread = [0.0; WIDTH];
            shapes.besides = [0.0; WIDTH];
        }
        _ => {}
    }
    let prepared = Prepared {
        boxes: hit.to_bitmask() as u32,
        passed,
        shapes,
    };
    for lane in 0..WIDTH {
        let tile = (rays, &tile, &beam);
        compare(simd, scene, tile, &prepared, (lane, spoilt), report);
    }
}

/// Returns the rays that hit a triangle, by triangle and ray by ray.
fn test<S: Simd>(
    simd: S,
    exact: Exact<'_>,
    tile: &AnyRays,
    prepared: &Prepared,
    (lane, spoilt): (usize, Spoilt),
) -> [[u32; GROUP]; 2] {
    let (mut by_triangle, mut by_ray) = (tile.clone(), tile.clone());
    let shapes = &prepared.shapes;
    let one = OneTriangle::of(simd, shapes, lane);
    let between = match spoilt {
        Spoilt::Between => !0,
        _ => one.between(simd, shapes, tile),
    };
    let leaf = (0, WIDTH);
    for group in 0..GROUP {
        let is_between = between >> group & 1 == 1;
        one.test(
            simd,
            exact,
            shapes,
            (group, is_between),
            &mut by_triangle,
            leaf,
        );
        for place in 0..GROUP {
            if tile.alive[group] >> place & 1 == 1 {
                let passed = (shapes, 1 << lane);
                test_ray(simd, exact, (group, place), passed, &mut by_ray, leaf);
            }
        }
    }
    [by_triangle, by_ray]
        .map(|after| core::array::from_fn(|group| tile.alive[group] & !after.alive[group]))
}

/// Compares what a tile says of a triangle with the truth, for each ray.
fn compare<S: Simd>(
    simd: S,
    scene: &Scene,
    (rays, tile, beam): (&[Ray], &AnyRays, &AnyBeam),
    prepared: &Prepared,
    (lane, spoilt): (usize, Spoilt),
    report: &mut Report,
) {
    let tree = &scene.tree;
    let triangle = tree.triangle(0, WIDTH, lane).1;
    let exact = Exact { rays, tree, beam };
    let met = MetBox::of(exact, &tree.nodes[0], lane);
    let groups = met.groups(simd, tile);
    // Without rays, close calls for `f32` are no hits.
    let without = Exact { rays: &[], ..exact };
    let certain = test(simd, without, tile, prepared, (lane, spoilt));
    let hits = test(simd, exact, tile, prepared, (lane, spoilt));
    let has = |bits: u32, place: usize| bits >> place & 1 == 1;
    for group in 0..rays.len().div_ceil(GROUP) {
        let single = met.rays(simd, tile, group);
        for place in 0..GROUP {
            let Some(ray) = rays.get(group * GROUP + place) else {
                continue;
            };
            if !has(tile.fitting[group], place) {
                continue;
            }
            report.rays += 1;
            let question = PreparedRay::new(ray).expect("rays of tiles are defined");
            let touch = question.touch(prim(lane), &triangle, f64::INFINITY);
            let pruned = if !has(prepared.boxes, lane) {
                Some("box beside the hull")
            } else if !has(groups, group) {
                Some("box beside the group")
            } else if !has(single, place) {
                Some("box beside the ray")
            } else if !has(prepared.passed, lane) {
                Some("triangle beside the tile")
            } else {
                None
            };
            if touch.is_some() {
                report.hits += 1;
                if let Some(what) = pruned {
                    report.lost.push(describe(what, &triangle, ray, beam));
                }
            }
            for (hits, certain) in hits.iter().zip(&certain) {
                report.certain += usize::from(has(certain[group], place));
                if has(hits[group], place) != touch.is_some() {
                    let what = match touch {
                        None => "no hit, but certain",
                        Some(_) => "hit",
                    };
                    report.lost.push(describe(what, &triangle, ray, beam));
                }
            }
        }
    }
}

fn describe(what: &str, triangle: &Triangle, ray: &Ray, beam: &AnyBeam) -> String {
    let (origin, forward) = (beam.frame.origin, beam.frame.forward);
    format!(
        "{what}, {triangle:?}, {ray:?}, from {origin:?} {forward}, slopes {:?}, -+ {:?}",
        beam.slope, beam.widest
    )
}

#[test]
fn no_tile_for_any_hit_loses_a_hit_or_makes_one_up() {
    assert_none_lost(true, |level, rays| search(level, 1, rays, Spoilt::Nothing));
}

#[test]
fn the_search_finds_what_tiles_for_any_hit_without_their_bounds_lose() {
    for spoilt in [
        Spoilt::Edges,
        Spoilt::Places,
        Spoilt::Hull,
        Spoilt::Groups,
        Spoilt::First,
        Spoilt::Last,
        Spoilt::Between,
    ] {
        let report = search(SimdLevel::best(), 2, 4_000_000, spoilt);
        assert!(!report.lost.is_empty(), "{spoilt:?}: {report:?}");
    }
}
