//! A search for hits that a tile loses, for false hits, and for hits outside the reported interval,
//! with rays from one point, and with rays that start or end close together, at triangles that are where they are,
//! at placed ones, and at triangles in `f64`.

use super::hostile_triangles::cut;
use super::placed_case::PlacedCase;
use super::violation_search::{Report, assert_none_lost};
use super::wide_case::WideCase;
use bytemuck::Zeroable;
use estoc_bvh::SimdLevel;
use estoc_bvh::internals::traverse::level_token;
use estoc_bvh::internals::traverse::tile::exact_fallback::Exact;
use estoc_bvh::internals::traverse::tile::hull_lines::Line;
use estoc_bvh::internals::traverse::tile::met_box::MetBox;
use estoc_bvh::internals::traverse::tile::raw_rays::RawRays;
use estoc_bvh::internals::traverse::tile::ray_rows::GROUP;
use estoc_bvh::internals::traverse::tile::tile_beam::TileBeam;
use estoc_bvh::internals::traverse::tile::tile_hull::TileHull;
use estoc_bvh::internals::traverse::tile::tile_mesh::{OwnMesh, TileMesh};
use estoc_bvh::internals::traverse::tile::tile_placement::TilePlacement;
use estoc_bvh::internals::traverse::tile::tile_ray::TileRay;
use estoc_bvh::internals::traverse::tile::tile_rays::TileRays;
use estoc_bvh::internals::traverse::tile::tile_test::{OneTriangle, test_ray};
use estoc_bvh::internals::traverse::tile::tile_triangles::{Passed, TileTriangles};
use estoc_bvh::internals::traverse::tile::triangle_table::{LeafEntries, TriangleTable};
use estoc_bvh::internals::wide::{Measures, Node, WIDTH, WideTree};
use estoc_core::exact::PreparedRay;
use estoc_core::{Ray, ScenePath, Triangle};
use estoc_testkit::generate::Rng;
use fearless_simd::{Simd, SimdMask};
use std::fmt;

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
    /// Corners are taken to the world without errors; in `f64`, nothing is off by more than roundings to `f32`.
    Corners,
    /// Boxes are taken to the world without errors.
    Boxes,
}

/// Where triangles are: in the space of rays, placed there, or in `f64`.
#[derive(Clone, Copy, Debug, PartialEq)]
enum At {
    Own,
    Placed,
    Wide,
}

/// The kinds of tiles: whether rays start at one point, and whether any hit is wanted.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Shared,
    First,
    Any,
}

/// Returns the ray, and others from the same point or that start or end near it.
pub(super) fn similar_rays(rng: &mut Rng, ray: Ray, at: &[f32], is_shared: bool) -> Vec<Ray> {
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
    let has_lamp = !is_shared && rng.one_in(2);
    let is_cut = rng.one_in(2);
    let count = GROUP + rng.below(4 * GROUP);
    (0..count)
        .map(|_| {
            let mut other = ray;
            if !is_shared && !rng.one_in(3) {
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
            if other.t_min == 0.0 && rng.one_in(2) {
                other.t_min = -0.0;
            }
            other.t_max = other.t_max.abs().max(other.t_min);
            other
        })
        .collect()
}

fn search(
    level: SimdLevel,
    seed: u64,
    rays: usize,
    (kind, of): (Kind, At),
    spoilt: Spoilt,
) -> Report {
    let token = level_token(level).expect("one of the available levels");
    let name = match of {
        At::Own => format!("attack on tiles, {kind:?}"),
        At::Placed => format!("attack on tiles of placed triangles, {kind:?}"),
        At::Wide => format!("attack on tiles in f64, {kind:?}"),
    };
    super::violation_search::search(&name, seed, rays, |case, rng, report| {
        if of == At::Wide {
            let Some(wide) = WideCase::of(rng, case) else {
                return;
            };
            let rays = similar_rays(rng, case.ray, &case.at, kind == Kind::Shared);
            let rays = wide.rays(rng, &rays, kind == Kind::Shared);
            let mesh = wide.target();
            let world = &World {
                mesh,
                measures: Measures::of(&mesh.tree.nodes, mesh.tree.scale),
                node: mesh.tree.nodes[0],
                frame: mesh.frame(),
            };
            return fearless_simd::dispatch!(token, simd => {
                look_as(simd, kind, world, &rays, spoilt, report);
            });
        }
        let mut of_placed = None;
        if of == At::Placed {
            of_placed = PlacedCase::of(rng, case);
            if of_placed.is_none() {
                return;
            }
        }
        let (scene, ray, at) = match &of_placed {
            None => (&case.scene, case.ray, &case.at),
            Some(of) => (&of.scene, of.ray, &of.at),
        };
        let tree = &scene.tree;
        let everywhere = [[f32::MIN; 3], [f32::MAX; 3]];
        let mut placed = of_placed.as_ref().and_then(|of| {
            TilePlacement::of(of.matrix, ScenePath::ROOT, &tree.measures, everywhere)
        });
        if placed.is_none() && of == At::Placed {
            return;
        }
        let rays = similar_rays(rng, ray, at, kind == Kind::Shared);
        fearless_simd::dispatch!(token, simd => {
            let node = match &placed {
                None => tree.nodes[0],
                Some(placed) => world_node(simd, placed, tree, spoilt),
            };
            if let (Spoilt::Corners, Some(placed)) = (spoilt, &mut placed) {
                placed.slack = 0.0;
            }
            let world = &World {
                mesh: OwnMesh {
                    tree,
                    placement: placed.as_ref(),
                },
                measures: Measures::of(&[node], tree.scale),
                node,
                frame: (),
            };
            look_as(simd, kind, world, &rays, spoilt, report);
        });
    })
}

/// Triangles in the world of rays.
struct World<M: TileMesh> {
    mesh: M,
    /// Those of the world, and the node over all triangles there.
    measures: Measures,
    node: Node,
    frame: <M::Ray as TileRay>::Frame,
}

fn look_as<S: Simd, M: TileMesh>(
    simd: S,
    kind: Kind,
    world: &World<M>,
    rays: &[M::Ray],
    spoilt: Spoilt,
    report: &mut Report,
) {
    match kind {
        Kind::Shared => look::<S, M, true, false>(simd, world, rays, spoilt, report),
        Kind::First => look::<S, M, false, false>(simd, world, rays, spoilt, report),
        Kind::Any => look::<S, M, false, true>(simd, world, rays, spoilt, report),
    }
}

/// Returns the node over all triangles in the world.
fn world_node<S: Simd>(simd: S, placed: &TilePlacement, tree: &WideTree, spoilt: Spoilt) -> Node {
    let mut node = placed.node(simd, &tree.nodes[0]);
    if spoilt == Spoilt::Boxes {
        // Without what errors may amount to, which is 16u of the sums of terms.
        let rows = placed.matrix.rows();
        for (faces, [x, y, z, moved]) in node.faces.iter_mut().zip(rows) {
            let reach = f64::from(tree.measures.reach);
            let terms = moved.abs() + (x.abs() + y.abs() + z.abs()) * reach;
            let pad = (terms * 2f64.powi(-20)) as f32;
            faces[0] = faces[0].map(|x| x + pad);
            faces[1] = faces[1].map(|x| x - pad);
        }
    }
    node
}

/// What a tile says of triangles before it tests rays.
struct Prepared {
    boxes: u32,
    passed: Passed,
    triangles: TileTriangles,
    spoilt: Spoilt,
}

fn look<S: Simd, M: TileMesh, const SHARED: bool, const ANY: bool>(
    simd: S,
    world: &World<M>,
    rays: &[M::Ray],
    spoilt: Spoilt,
    report: &mut Report,
) {
    let mut tile = TileRays::zeroed();
    if world.measures.plain < 0.0 {
        return;
    }
    let mut raw = RawRays::zeroed();
    let space = (&world.measures, &world.frame);
    let taken = tile.take::<S, M::Ray, SHARED, ANY>(simd, (&mut raw, rays), space);
    let Some(mut beam) = taken else {
        return;
    };
    report.packets += 1;
    let later = |end: f32, by: f32| match end.is_finite() {
        true => end + end.abs() * by,
        false => end,
    };
    match spoilt {
        Spoilt::Hull => {
            let middle = [0, 1].map(|axis| Line {
                slope: beam.slope[axis],
                offset: beam.frame.origin[axis],
            });
            let lines = middle.map(|line| [line; 2]);
            beam.planes = TileHull::of(&beam.frame, lines, beam.off_boxes);
        }
        Spoilt::Groups => {
            for i in 0..2 {
                tile.hulls.slope[i][1] = tile.hulls.slope[i][0];
                tile.hulls.offset[i][1] = tile.hulls.offset[i][0];
                tile.hulls.radius[i] = [0.0; GROUP];
            }
        }
        Spoilt::First => tile.first[0] = tile.first[0].map(|row| row.map(|end| later(end, 1e-6))),
        Spoilt::Corners if beam.off > 0.0 => beam.slack = 0.0,
        Spoilt::Last => tile.last[1] = tile.last[1].map(|row| row.map(|end| later(end, -1e-6))),
        _ => {}
    }
    let (_, hit) = beam.planes.test(simd, &world.node, beam.limit);
    let mut triangles = TileTriangles::zeroed();
    let end = match SHARED {
        true => 0.0,
        false => beam.limit,
    };
    let all = (&world.mesh, (0, WIDTH));
    let mut passed = triangles.prepare::<S, M, SHARED>(simd, all, &beam, end);
    match spoilt {
        Spoilt::Edges => triangles.error = triangles.error.map(|error| error * 1e-3),
        Spoilt::Places => {
            triangles.place_error = [0.0; WIDTH];
            triangles.spread = [0.0; WIDTH];
            triangles.besides = [0.0; WIDTH];
        }
        Spoilt::Sides => {
            passed.upright |= passed.flat;
            passed.flat = 0;
        }
        _ => {}
    }
    let prepared = Prepared {
        boxes: hit.to_bitmask() as u32,
        passed,
        triangles,
        spoilt,
    };
    for lane in 0..WIDTH {
        let tile = (rays, &tile, &beam);
        compare::<S, M, SHARED, ANY>(simd, world, tile, &prepared, lane, report);
    }
}

/// Returns the rays of a tile after a test of one triangle against each group, and of each ray
/// against it. Where `exact` has no rays, close calls for `f32` stay close calls.
fn test<S: Simd, M: TileMesh, const SHARED: bool, const ANY: bool>(
    simd: S,
    exact: Exact<'_, M>,
    tile: &TileRays,
    prepared: &Prepared,
    lane: usize,
) -> [TileRays; 2] {
    let (mut by_triangle, mut by_ray) = (tile.clone(), tile.clone());
    let triangles = &prepared.triangles;
    let one = OneTriangle::of(simd, triangles, lane);
    let between = match (ANY, prepared.spoilt) {
        (false, _) => 0,
        (true, Spoilt::Between) => !0,
        (true, _) => one.between(simd, triangles, tile),
    };
    let mut table = TriangleTable::new();
    let mut leaf = LeafEntries::new((0, WIDTH), 0, &mut table);
    for group in 0..GROUP {
        if prepared.passed.flat >> lane & 1 == 1 {
            one.test_flat(simd, exact, group, &mut by_triangle, &mut leaf);
            one.test_flat(simd, exact, group, &mut by_ray, &mut leaf);
            continue;
        }
        let which = (group, between >> group & 1 == 1);
        let rays = &mut by_triangle;
        one.test::<M, SHARED, ANY>(simd, exact, triangles, which, rays, &mut leaf);
        for place in 0..GROUP {
            if tile.alive[group] >> place & 1 == 1 {
                let (ray, passed) = ((group, place), (triangles, 1 << lane));
                let rays = &mut by_ray;
                test_ray::<S, M, SHARED, ANY>(simd, exact, ray, passed, rays, &mut leaf);
            }
        }
    }
    [by_triangle, by_ray]
}

/// Compares what a tile says of a triangle with the truth, for each ray.
fn compare<S: Simd, M: TileMesh, const SHARED: bool, const ANY: bool>(
    simd: S,
    world: &World<M>,
    (rays, tile, beam): (&[M::Ray], &TileRays, &TileBeam),
    prepared: &Prepared,
    lane: usize,
    report: &mut Report,
) {
    let mesh = world.mesh;
    let triangle = mesh.tree().triangle(0, WIDTH, lane).1;
    let exact = Exact { rays, mesh, beam };
    let met = MetBox::of::<SHARED>(beam, &world.node, lane, beam.limit);
    let groups = met.groups::<S, SHARED>(simd, tile);
    let has = |bits: u32, place: usize| bits >> place & 1 == 1;
    let passed = prepared.passed;
    let is_passed = has(passed.upright | passed.flat, lane);
    let after = is_passed.then(|| {
        [&[][..], rays].map(|rays| {
            let exact = Exact { rays, ..exact };
            test::<S, M, SHARED, ANY>(simd, exact, tile, prepared, lane)
        })
    });
    let hulls = match SHARED && has(passed.upright, lane) {
        true => OneTriangle::of(simd, &prepared.triangles, lane).groups(
            simd,
            &prepared.triangles,
            tile,
            !0,
        ),
        false => !0,
    };
    for group in 0..rays.len().div_ceil(GROUP) {
        let single = met.rays::<S, SHARED>(simd, tile, group);
        for place in 0..GROUP {
            let Some(ray) = rays.get(group * GROUP + place) else {
                continue;
            };
            if !has(tile.fitting[group], place) {
                continue;
            }
            report.rays += 1;
            let question = PreparedRay::new(ray).expect("rays of tiles are defined");
            let touch = mesh.touch(&question, (0, WIDTH), lane);
            let pruned = if !has(prepared.boxes, lane) {
                Some("box beside the hull")
            } else if !has(groups, group) {
                Some("box beside the group")
            } else if !has(single, place) {
                Some("box beside the ray")
            } else if !is_passed {
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
            let after = after.iter().flatten().zip([false, true]);
            for (after, is_settled) in
                after.flat_map(|(both, is)| both.iter().map(move |a| (a, is)))
            {
                let ends = [after.last[0][group][place], after.last[1][group][place]];
                let is_sure = match ANY {
                    true => !has(after.alive[group], place),
                    false => after.entry[group][place] != 0,
                };
                let is_open = !is_settled && !is_sure && ends[1] == f32::NEG_INFINITY;
                report.certain += usize::from(is_sure && !is_settled);
                let wrong = match &touch {
                    None if is_sure => "no hit, but certain",
                    Some(_) if !is_sure && !is_open => "hit",
                    Some(touch) if is_sure && !ANY => {
                        match is_between::<M, SHARED>(&mesh, &question, *touch, beam, ends) {
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

fn describe<R: fmt::Debug>(what: &str, triangle: &Triangle, ray: &R, beam: &TileBeam) -> String {
    let (origin, forward) = (beam.frame.origin, beam.frame.forward);
    format!(
        "{what}, {triangle:?}, {ray:?}, from {origin:?} {forward}, slopes {:?}, -+ {:?}",
        beam.slope, beam.widest
    )
}

/// Returns whether a hit may lie in the interval of its parameter that the tile reports.
fn is_between<M: TileMesh, const SHARED: bool>(
    mesh: &M,
    question: &PreparedRay<'_, M::Ray>,
    touch: [f64; 2],
    beam: &TileBeam,
    [low, high]: [f32; 2],
) -> bool {
    let frame = &beam.frame;
    let z = frame.axes[2];
    let along = question.dir()[z].abs() * M::Ray::unit(&mesh.frame());
    let [first, last] = touch.map(|t| t * along);
    let [low, high] = [low, high].map(f64::from);
    if SHARED {
        // The rounding errors of these lines.
        let off = 1.0 + 4.0 * f64::EPSILON;
        // Without a bound on a side, every hit is within; it may be at the origin, or anywhere.
        let is_before = low == f64::NEG_INFINITY || -low * last * off >= 1.0;
        return (high == 0.0 || -high * first <= off) && is_before;
    }
    let origin: f64 = question.ray().framed_one(&mesh.frame())[z].into();
    let start = (origin - frame.exact[2]) * f64::from(frame.forward);
    let (first, last) = (start + first, start + last);
    let off = (start.abs() + last.abs().max(first.abs())) * 4.0 * f64::EPSILON;
    // A framed origin is rounded.
    let is_framed = <M::Ray as TileRay>::IS_FRAMED;
    let off = off + f64::from(u8::from(is_framed)) * origin.abs() * f64::EPSILON;
    low <= last + off && high >= first - off
}

#[test]
fn no_tile_loses_a_hit_or_makes_one_up() {
    for kind in [Kind::Shared, Kind::First, Kind::Any] {
        for of in [At::Own, At::Placed, At::Wide] {
            println!("{kind:?}, {of:?}");
            assert_none_lost(true, |level, rays| {
                search(level, 1, rays, (kind, of), Spoilt::Nothing)
            });
        }
    }
}

#[test]
fn the_search_finds_what_tiles_without_their_bounds_lose() {
    use {Kind::*, Spoilt::*};
    let usual = [Edges, Places, Hull, Groups, Spoilt::First, Last];
    // In edge functions, numbers of rays from several points have larger errors than corners.
    for (kind, other, corners) in [
        (Shared, Some(Sides), Some(Corners)),
        (Kind::First, None, None),
        (Any, Some(Between), None),
    ] {
        let own = usual
            .into_iter()
            .chain(other)
            .map(|spoilt| (spoilt, At::Own));
        let of_placed = [Edges, Places, Boxes].into_iter().chain(corners);
        let of_placed = of_placed.map(|spoilt| (spoilt, At::Placed));
        // The boxes of nodes have margins that cover the roundings of corners.
        let wide = usual.into_iter().chain(corners);
        let wide = wide.map(|spoilt| (spoilt, At::Wide));
        for (spoilt, of) in own.chain(of_placed).chain(wide) {
            let rays = 4_000_000;
            let report = search(SimdLevel::best(), 2, rays, (kind, of), spoilt);
            let what = (kind, spoilt, of);
            assert!(!report.lost.is_empty(), "{what:?}: {report:?}");
        }
    }
}
