//! Traversal with a tile, from the root to the triangles that some ray may hit.

use super::exact_fallback::Exact;
use super::met_box::{Met, MetBox};
use super::ray_rows::{GROUP, load};
use super::tile_rays::TileRays;
use super::tile_test::{OneTriangle, test_ray};
use super::tile_triangles::TileTriangles;
use super::triangle_table::{Leaf, LeafEntries, TriangleTable};
use crate::traverse::child_order::in_order;
use crate::traverse::kernel_ray::U;
use crate::traverse::leaf_block::with_block;
use crate::traverse::prefetch;
use crate::traverse::single_walk::last_key;
use crate::traverse::traversal_stack::{ROOM, TraversalStack};
use crate::traverse::wanted::{Any, Closest};
use crate::wide::{LeafView, Node, Tag, WIDTH};
use fearless_simd::{Simd, SimdBase, SimdMask};

/// In leaves that at most this many rays meet, rays are tested one by one.
const FEW_RAYS: u32 = 16;
/// Boxes of leaves that at most this many groups of rays from one point meet are tested against each
/// ray.
const FEW_GROUPS: u32 = 3;
/// Nodes that more groups of other rays meet are visited without a test of each ray.
const MANY_GROUPS: u32 = 12;
/// A tile of such rays is given up, from this number of boxes on, once the rays that met boxes are
/// fewer than these and the groups tested together.
const TRIAL: u32 = 96;

/// What a traversal has taken so far.
#[derive(Clone, Copy, Default)]
struct Spent {
    /// The number of boxes that were tested against groups.
    boxes: u32,
    /// The number of groups that were tested ray by ray, and of the rays that met boxes.
    groups: u32,
    rays: u32,
}

impl Spent {
    #[inline(always)]
    fn add(&mut self, met: &Met) {
        self.boxes += 1;
        self.groups += met.tested;
        self.rays += met.number;
    }

    /// Returns whether the rays have so little in common that other techniques are faster.
    #[inline(always)]
    fn is_too_dear(&self) -> bool {
        self.boxes >= TRIAL && self.rays < self.boxes + self.groups
    }
}

/// Finds the first hits of a tile's rays, or which of them hit anything if `ANY` hit will do. Returns
/// `false` if it gave up, as the rays have too little in common: then rays without a hit
/// may have one, and others an earlier one.
#[inline(always)]
pub fn walk<S: Simd, const SHARED: bool, const ANY: bool>(
    simd: S,
    exact: Exact<'_>,
    rays: &mut TileRays,
    triangles: &mut TileTriangles,
    table: &mut TriangleTable,
) -> bool {
    let nodes: &[Node] = &exact.tree.nodes;
    let leaves = exact.tree.view();
    let mut waiting = TraversalStack::new();
    // The parents of all children on the stack.
    let mut parents = [0; ROOM];
    let mut end = LastEnd::of::<S, SHARED, ANY>(simd, exact, rays);
    let mut spent = Spent::default();
    // The rays that meet a box, by group.
    let mut lanes = [0; GROUP];
    let mut next = Some((Tag::NODE, 0));
    while let Some((tag, place)) = next {
        let is_leaf = tag.len() != 0;
        let mut met = None;
        if is_leaf || place != 0 {
            let parent = &nodes[parents[waiting.len() % ROOM] as usize];
            let most = match (SHARED, is_leaf) {
                (true, true) => FEW_GROUPS,
                (true, false) => 0,
                (false, true) => GROUP as u32,
                (false, false) => MANY_GROUPS,
            };
            let found = MetBox::of::<SHARED>(exact, parent, tag.lane(), end.place);
            let found = found.met::<S, SHARED>(simd, rays, most, &mut lanes);
            if !SHARED {
                spent.add(&found);
                if spent.is_too_dear() {
                    return false;
                }
            }
            met = Some(found);
        }
        if met.as_ref().is_none_or(|met| met.groups != 0) {
            if !is_leaf {
                let node = &nodes[place as usize];
                let (entry, hit) = exact.beam.planes.test(simd, node, end.place);
                let hits = hit.to_bitmask() as u32;
                if hits != 0 {
                    let bottom = waiting.len() % (ROOM - WIDTH);
                    parents[bottom..bottom + WIDTH].fill(place);
                    prefetch_all(node, hits, nodes, leaves);
                    match ANY {
                        true => in_order(simd, Any, node, entry, hit, hits, &mut waiting),
                        false => in_order(simd, Closest, node, entry, hit, hits, &mut waiting),
                    }
                }
            } else if let Some(met) = &met {
                let leaf = (place as usize, tag.len());
                let parts = (&mut *rays, &mut *triangles, &mut *table);
                let met = (met, &lanes);
                if visit::<S, SHARED, ANY>(simd, exact, met, leaf, end.parameter, parts) {
                    match ANY {
                        true if rays.alive == [0; GROUP] => return true,
                        true => {}
                        false => end = LastEnd::of::<S, SHARED, ANY>(simd, exact, rays),
                    }
                }
            }
        }
        next = match ANY {
            true => waiting.pop_any(),
            false => waiting.pop(last_key(end.place)),
        };
    }
    true
}

/// The last end that still matters: as a parameter, and as a Z.
#[derive(Clone, Copy)]
struct LastEnd {
    parameter: f32,
    place: f32,
}

impl LastEnd {
    #[inline(always)]
    fn of<S: Simd, const SHARED: bool, const ANY: bool>(
        simd: S,
        exact: Exact<'_>,
        rays: &TileRays,
    ) -> Self {
        let limit = exact.beam.limit;
        let parameter = match ANY {
            true => limit,
            false => rays.hulls.last_end(simd).min(limit),
        };
        let place = match SHARED {
            true => 1.0 / parameter.abs() * (1.0 + 4.0 * U),
            false => parameter,
        };
        LastEnd { parameter, place }
    }
}

/// Prefetches the children of a node that are met.
#[inline(always)]
fn prefetch_all(node: &Node, mut met: u32, nodes: &[Node], leaves: LeafView<'_>) {
    // All children that are met will most likely be visited soon.
    while met != 0 {
        let lane = met.trailing_zeros() as usize % WIDTH;
        met &= met - 1;
        prefetch::child(nodes, leaves, Tag(node.tags[lane]), node.place[lane]);
    }
}

/// Tests the triangles of a leaf against the rays that meet its box. Returns whether the end of any
/// ray has changed, or if `ANY` hit will do whether any ray has one.
#[inline(always)]
fn visit<S: Simd, const SHARED: bool, const ANY: bool>(
    simd: S,
    exact: Exact<'_>,
    (met, lanes): (&Met, &[u32; GROUP]),
    leaf: Leaf,
    end: f32,
    (rays, triangles, table): (&mut TileRays, &mut TileTriangles, &mut TriangleTable),
) -> bool {
    let passed = with_block(
        simd,
        exact.tree.view(),
        leaf,
        #[inline(always)]
        |block| triangles.prepare::<S, SHARED>(simd, block, exact.beam, end),
    );
    let mut entries = LeafEntries::new(leaf, table);
    let mut changed = 0;
    if SHARED && passed.flat != 0 {
        flat(
            simd,
            exact,
            met.groups,
            passed.flat,
            triangles,
            rays,
            &mut entries,
        );
        changed = met.groups;
    }
    let mut upright = passed.upright;
    if met.tested != 0 && met.number <= FEW_RAYS {
        let mut groups = if upright == 0 { 0 } else { met.groups };
        while groups != 0 {
            let group = groups.trailing_zeros() as usize % GROUP;
            groups &= groups - 1;
            let mut lanes = lanes[group];
            while lanes != 0 {
                let ray = (group, lanes.trailing_zeros() as usize);
                lanes &= lanes - 1;
                let passed = (&*triangles, upright);
                let hit = test_ray::<S, SHARED, ANY>(simd, exact, ray, passed, rays, &mut entries);
                changed |= u32::from(hit) << group;
            }
        }
    } else {
        while upright != 0 {
            let triangle = OneTriangle::of(simd, triangles, upright.trailing_zeros() as usize);
            upright &= upright - 1;
            let mut groups = met.groups;
            if SHARED && groups.count_ones() > 2 {
                groups = triangle.groups(simd, triangles, rays, groups);
            }
            let between = match ANY {
                true => triangle.between(simd, triangles, rays),
                false => 0,
            };
            while groups != 0 {
                let group = groups.trailing_zeros() as usize;
                groups &= groups - 1;
                let group_between = (group, between >> group & 1 == 1);
                let hit = triangle.test::<SHARED, ANY>(
                    simd,
                    exact,
                    triangles,
                    group_between,
                    rays,
                    &mut entries,
                );
                changed |= u32::from(hit) << group;
            }
        }
    }
    if !ANY {
        let mut groups = changed;
        while groups != 0 {
            let group = groups.trailing_zeros() as usize % GROUP;
            groups &= groups - 1;
            rays.hulls.last[group] = load(simd, &rays.last[1][group]).reduce_max();
        }
    }
    changed != 0
}

/// Tests flat triangles, given as bits.
#[cold]
#[inline(never)]
fn flat<S: Simd>(
    simd: S,
    exact: Exact<'_>,
    active: u32,
    mut flat: u32,
    triangles: &TileTriangles,
    rays: &mut TileRays,
    leaf: &mut LeafEntries<'_>,
) {
    while flat != 0 {
        let triangle = OneTriangle::of(simd, triangles, flat.trailing_zeros() as usize);
        flat &= flat - 1;
        let mut groups = active;
        while groups != 0 {
            let group = groups.trailing_zeros() as usize;
            groups &= groups - 1;
            triangle.test_flat(simd, exact, group, rays, leaf);
        }
    }
}
