//! A search for hits that a tile loses, for false hits, and for hits outside the reported interval,
//! with rays from one point.

use super::hostile_triangles::cut;
use super::leaf_scene::{Scene, prim};
use super::violation_search::{Report, assert_none_lost};
use bytemuck::Zeroable;
use estoc_bvh::SimdLevel;
use estoc_bvh::internals::traverse::level_token;
use estoc_bvh::internals::traverse::packet::tile::tile_rays::{GROUP, TileBeam, TileRays};
use estoc_bvh::internals::traverse::packet::tile::tile_test::{
    Exact, LeafEntries, OneTriangle, test_ray,
};
use estoc_bvh::internals::traverse::packet::tile::tile_triangles::{Passed, TileTriangles};
use estoc_bvh::internals::traverse::packet::tile::tile_walk::MetBox;
use estoc_bvh::internals::traverse::packet::tile::triangle_table::TriangleTable;
use estoc_bvh::internals::wide::WIDTH;
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
    /// Places have too small an error bound.
    Places,
    /// Flat triangles count as upright.
    Sides,
    /// Hulls of groups have no width.
    Groups,
    /// Ends are off.
    Ends,
    /// Starts are off.
    Starts,
}

/// Returns the ray, and others from the same point.
fn bundle(rng: &mut Rng, ray: Ray, at: &[f32]) -> Vec<Ray> {
    let aside = rng.pick(&[0.0, 1e-7, 1e-5, 1e-3, 3e-2, 0.2]);
    let longest = ray.dir.abs().max_element();
    // Mostly of a length that tiles take.
    let usual = match rng.one_in(8) {
        true => 1.0,
        false => 2f64.powi(rng.int(-7, 7)) / f64::from(longest),
    };
    let is_cut = rng.one_in(2);
    let count = GROUP + rng.below(4 * GROUP);
    (0..count)
        .map(|_| {
            let mut other = ray;
            if !rng.one_in(3) {
                other.dir += rng.point() * (aside * longest);
            }
            let dir = (other.dir.as_dvec3() * usual).as_vec3();
            if usual == 1.0 || dir.is_finite() {
                other.dir = dir;
            }
            other.t_min = 0.0;
            let mut other = cut(rng, other, at);
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
    super::violation_search::search("attack on tiles", seed, rays, |case, rng, report| {
        let rays = bundle(rng, case.ray, &case.at);
        fearless_simd::dispatch!(token, simd => look(simd, &case.scene, &rays, spoilt, report));
    })
}

/// What a tile says of a triangle before it tests rays.
struct Prepared {
    boxes: u32,
    passed: Passed,
    shapes: TileTriangles,
}

fn look<S: Simd>(simd: S, scene: &Scene, rays: &[Ray], spoilt: Spoilt, report: &mut Report) {
    let tree = &scene.tree;
    let mut tile = TileRays::zeroed();
    if tree.measures.plain < 0.0 {
        return;
    }
    let Some(beam) = tile.take(simd, rays, tree) else {
        return;
    };
    report.packets += 1;
    match spoilt {
        Spoilt::Groups => {
            for i in 0..2 {
                tile.up[i] = tile.down[i];
                tile.radius[i] = [0.0; GROUP];
            }
        }
        Spoilt::Ends => {
            let low = tile.low.map(|row| row.map(|end| end * 1.000_001));
            tile.low = low;
        }
        Spoilt::Starts => {
            let high = tile
                .start_high
                .map(|row| row.map(|start| start * 0.999_999));
            tile.start_high = high;
        }
        _ => {}
    }
    let (_, hit) = beam.planes.test(simd, &tree.nodes[0], 0.0, f32::INFINITY);
    let mut shapes = TileTriangles::zeroed();
    let mut passed = shapes.prepare(simd, scene.block(), &beam, 0.0);
    match spoilt {
        Spoilt::Edges => shapes.edge_error = shapes.edge_error.map(|error| error * 1e-3),
        Spoilt::Places => shapes.place_error = [0.0; WIDTH],
        Spoilt::Sides => {
            passed.upright |= passed.flat;
            passed.flat = 0;
        }
        _ => {}
    }
    let prepared = Prepared {
        boxes: hit.to_bitmask() as u32,
        passed,
        shapes,
    };
    for lane in 0..WIDTH {
        compare(simd, scene, (rays, &tile, &beam), &prepared, lane, report);
    }
}

/// Compares what a tile says of a triangle with the truth, for each ray.
fn compare<S: Simd>(
    simd: S,
    scene: &Scene,
    (rays, tile, beam): (&[Ray], &TileRays, &TileBeam),
    prepared: &Prepared,
    lane: usize,
    report: &mut Report,
) {
    let tree = &scene.tree;
    let triangle = tree.triangle(0, WIDTH, lane).1;
    // Without rays, close calls for `f32` stay close calls.
    let exact = Exact {
        rays: &[],
        tree,
        beam,
    };
    let met = MetBox::of(exact, &tree.nodes[0], lane, f32::INFINITY);
    let groups = met.groups(simd, tile);
    let all = u32::MAX >> (32 - rays.len().div_ceil(GROUP));
    let (mut by_triangle, mut by_ray) = (tile.clone(), tile.clone());
    let mut table = TriangleTable::new();
    let mut leaf = LeafEntries::new(0, WIDTH);
    let one = OneTriangle::of(simd, &prepared.shapes, lane);
    let has = |bits: u32, place: usize| bits >> place & 1 == 1;
    let passed = &prepared.passed;
    let hulls = match has(passed.upright, lane) {
        true => one.groups(simd, tile, all),
        false => all,
    };
    for group in 0..rays.len().div_ceil(GROUP) {
        if has(passed.upright, lane) {
            one.test(simd, exact, group, &mut by_triangle, &mut leaf, &mut table);
            for place in 0..GROUP {
                let shapes = &prepared.shapes;
                let bits = 1 << lane;
                let ray = (group, place);
                test_ray(
                    simd,
                    exact,
                    ray,
                    shapes,
                    bits,
                    &mut by_ray,
                    &mut leaf,
                    &mut table,
                );
            }
        } else if has(passed.flat, lane) {
            one.test_flat(simd, exact, group, &mut by_triangle, &mut leaf, &mut table);
            one.test_flat(simd, exact, group, &mut by_ray, &mut leaf, &mut table);
        }
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
            } else if !has(passed.upright | passed.flat, lane) {
                Some("triangle beside the tile")
            } else if !has(hulls, group) {
                Some("triangle beside the group")
            } else {
                None
            };
            if touch.is_some() {
                report.hits += 1;
                if let Some(what) = pruned {
                    report.lost.push(describe(what, &triangle, ray, beam));
                }
            }
            for after in [&by_triangle, &by_ray] {
                let is_sure = after.entry[group][place] != 0;
                let is_open = !is_sure && after.low[group][place] == f32::INFINITY;
                report.certain += usize::from(is_sure);
                let wrong = match &touch {
                    None if is_sure => "no hit, but certain",
                    Some(_) if !is_sure && !is_open => "hit",
                    Some(touch) if is_sure => {
                        let along = question.dir()[beam.frame.axes[2]].abs();
                        let bounds = [after.low[group][place], after.high[group][place]];
                        match is_between(touch, along, bounds) {
                            true => continue,
                            false => "hit elsewhere",
                        }
                    }
                    _ => continue,
                };
                report.lost.push(describe(wrong, &triangle, ray, beam));
            }
        }
    }
}

fn describe(what: &str, triangle: &Triangle, ray: &Ray, beam: &TileBeam) -> String {
    format!(
        "{what}, {triangle:?}, {ray:?}, slopes {:?} -+ {:?}",
        beam.slope, beam.widest
    )
}

/// Returns whether a hit may lie in the interval of `1 / Z` that the tile reports.
fn is_between(touch: &Touch, along: f64, [low, high]: [f32; 2]) -> bool {
    // The rounding errors of these lines.
    let off = 1.0 + 4.0 * f64::EPSILON;
    f64::from(low) * (touch.t_low() * along) <= off
        && f64::from(high) * (touch.t_high() * along) * off >= 1.0
}

#[test]
fn no_tile_loses_a_hit_or_makes_one_up() {
    assert_none_lost(true, |level, rays| search(level, 1, rays, Spoilt::Nothing));
}

#[test]
fn the_search_finds_what_tiles_without_their_bounds_lose() {
    for spoilt in [
        Spoilt::Edges,
        Spoilt::Places,
        Spoilt::Sides,
        Spoilt::Groups,
        Spoilt::Ends,
        Spoilt::Starts,
    ] {
        let report = search(SimdLevel::best(), 2, 4_000_000, spoilt);
        assert!(!report.lost.is_empty(), "{spoilt:?}: {report:?}");
    }
}
