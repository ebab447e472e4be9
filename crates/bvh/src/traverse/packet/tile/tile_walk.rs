//! Traversal with a tile, from the root to the triangles that some ray may hit first.
//!
//! # Boxes and groups
//! A box is met by the hull of all rays (`packet_hull.rs`) between two parameters, which enclose
//! those of all hits in it. Between them, a group of whole slopes from `down` to `up` reaches from
//! the least of two products with `down` to the greatest of two with `up`, and misses the box if
//! one of its faces, less the origin, lies beyond. A product is off by u of itself, as is the
//! difference, and a ray's own whole slope by another u: `8u` of the difference cover them, since a
//! product of the sign of the face is no larger if the box is met. 2^-126 covers what underflows.

use super::super::packet_walk::prefetch_all;
use super::tile_rays::{GROUP, TileRays};
use super::tile_test::{Exact, LeafEntries, OneTriangle, test_ray};
use super::tile_triangles::TileTriangles;
use super::triangle_table::TriangleTable;
use crate::traverse::child_order::in_order;
use crate::traverse::kernel_ray::U;
use crate::traverse::leaf_block::with_block;
use crate::traverse::single_walk::last_key;
use crate::traverse::traversal_stack::{ROOM, TraversalStack};
use crate::traverse::wanted::Closest;
use crate::wide::{Node, Tag, WIDTH};
use fearless_simd::{Simd, SimdBase, SimdMask, f32x16, mask32x16};

/// In leaves that at most this many rays of a few groups meet, rays are tested one by one.
const FEW_RAYS: u32 = 16;
const FEW_GROUPS: u32 = 3;

/// A child's box, as far as the tile meets it.
#[derive(Clone, Copy)]
pub struct MetBox {
    /// Bounds of the parameters of hits in it.
    near: f32,
    far: f32,
    /// Its faces across, less the origin.
    low: [f32; 2],
    high: [f32; 2],
}

impl MetBox {
    #[inline(always)]
    pub fn of(exact: Exact<'_>, node: &Node, lane: usize, limit: f32) -> Self {
        let lane = lane % WIDTH;
        let frame = &exact.beam.frame;
        let (near, far) = exact.beam.planes.depth(node, lane, frame.axes[2]);
        let [x, y, _] = frame.axes;
        let [low_x, high_x] = faces(node, lane, x, frame.origin[0]);
        let [low_y, high_y] = faces(node, lane, y, frame.origin[1]);
        MetBox {
            near: if near > 0.0 { near } else { 0.0 },
            far: if far < limit { far } else { limit },
            low: [low_x, low_y],
            high: [high_x, high_y],
        }
    }

    /// Returns which groups may meet the box before their ends, as bits.
    #[inline(always)]
    pub fn groups<S: Simd>(&self, simd: S, rays: &TileRays) -> u32 {
        let end = f32x16::load_array_ref(simd, &rays.least);
        let down = f32x16::load_array_ref(simd, &rays.down[0]);
        let up = f32x16::load_array_ref(simd, &rays.up[0]);
        let x = self.meets(simd, 0, down, up);
        let down = f32x16::load_array_ref(simd, &rays.down[1]);
        let up = f32x16::load_array_ref(simd, &rays.up[1]);
        let y = self.meets(simd, 1, down, up);
        (x & y & self.is_before(simd, end)).to_bitmask() as u32
    }

    /// Returns which rays of a group may meet the box before their ends, as bits.
    #[inline(always)]
    pub fn rays<S: Simd>(&self, simd: S, rays: &TileRays, group: usize) -> u32 {
        let group = group % GROUP;
        let end = f32x16::load_array_ref(simd, &rays.low[group]);
        let slope = f32x16::load_array_ref(simd, &rays.whole[0][group]);
        let x = self.meets(simd, 0, slope, slope);
        let slope = f32x16::load_array_ref(simd, &rays.whole[1][group]);
        let y = self.meets(simd, 1, slope, slope);
        (x & y & self.is_before(simd, end)).to_bitmask() as u32
    }

    /// Returns where slopes from `down` to `up` meet the slab of an axis.
    #[inline(always)]
    fn meets<S: Simd>(&self, simd: S, i: usize, down: f32x16<S>, up: f32x16<S>) -> mask32x16<S> {
        let near = f32x16::splat(simd, self.near);
        let far = f32x16::splat(simd, self.far);
        let low = f32x16::splat(simd, self.low[i]);
        let high = f32x16::splat(simd, self.high[i]);
        let least = (down * near).min(down * far);
        let most = (up * near).max(up * far);
        least.simd_le(high) & most.simd_ge(low)
    }

    /// Returns where the box begins before an end. Lanes that need nothing more have an infinite
    /// one, and meet nothing.
    #[inline(always)]
    fn is_before<S: Simd>(&self, simd: S, end: f32x16<S>) -> mask32x16<S> {
        let near = f32x16::splat(simd, self.near);
        (near * end).simd_le(f32x16::splat(simd, 1.0 + 4.0 * U))
    }
}

/// Returns the low and the high face of a child along an axis, less the origin, and farther out by
/// what the roundings of their comparison may amount to.
#[inline(always)]
fn faces(node: &Node, lane: usize, axis: usize, origin: f32) -> [f32; 2] {
    let [low, high] = &node.faces[axis];
    let (low, high) = (low[lane] - origin, high[lane] - origin);
    [
        low - (low.abs() * (8.0 * U) + f32::MIN_POSITIVE),
        high + (high.abs() * (8.0 * U) + f32::MIN_POSITIVE),
    ]
}

/// Finds the first hits of a tile's rays.
#[inline(always)]
pub fn walk<S: Simd>(
    simd: S,
    exact: Exact<'_>,
    rays: &mut TileRays,
    shapes: &mut TileTriangles,
    table: &mut TriangleTable,
) {
    let nodes: &[Node] = &exact.tree.nodes;
    let leaves = exact.tree.view();
    let mut waiting = TraversalStack::new();
    // The parents of all children on the stack.
    let mut parents = [0; ROOM];
    let mut least = least_end(simd, rays);
    let mut limit = last_place(least);
    let mut next = Some((Tag::NODE, 0));
    while let Some((tag, place)) = next {
        if tag.len() == 0 {
            let node = &nodes[place as usize];
            let parent = parents[waiting.len() % ROOM];
            let is_met = place == 0
                || MetBox::of(exact, &nodes[parent as usize], tag.lane(), limit).groups(simd, rays)
                    != 0;
            if is_met {
                let (entry, hit) = exact.beam.planes.test(simd, node, 0.0, limit);
                let hits = hit.to_bitmask() as u32;
                if hits != 0 {
                    let bottom = waiting.len() % (ROOM - WIDTH);
                    parents[bottom..bottom + WIDTH].fill(place);
                    prefetch_all(node, hits, nodes, leaves);
                    in_order(simd, Closest, node, entry, hit, hits, &mut waiting);
                }
            }
        } else {
            let parent = parents[waiting.len() % ROOM];
            let met = MetBox::of(exact, &nodes[parent as usize], tag.lane(), limit);
            let leaf = (place, tag.len());
            if visit(simd, exact, &met, leaf, least, rays, shapes, table) {
                least = least_end(simd, rays);
                limit = last_place(least);
            }
        }
        next = waiting.pop(last_key(limit));
    }
}

/// The rays of a few groups that meet a box.
struct FewRays {
    /// Groups, and their rays as bits; 0 for none.
    lanes: [(usize, u32); FEW_GROUPS as usize],
    /// The number of rays.
    number: u32,
}

/// Returns which rays of a few groups meet a box, and removes groups of which none does.
#[inline(always)]
fn few_rays<S: Simd>(simd: S, met: &MetBox, active: &mut u32, rays: &TileRays) -> FewRays {
    let mut few = FewRays {
        lanes: [(0, 0); FEW_GROUPS as usize],
        number: 0,
    };
    let mut left = *active;
    for lanes in &mut few.lanes {
        if left == 0 {
            break;
        }
        let group = left.trailing_zeros() as usize % GROUP;
        left &= left - 1;
        *lanes = (group, met.rays(simd, rays, group));
        few.number += lanes.1.count_ones();
        *active &= !(u32::from(lanes.1 == 0) << group);
    }
    few
}

/// Tests the triangles of a leaf against the rays that meet its box. Returns whether the end of any
/// ray has changed.
#[inline(always)]
#[expect(
    clippy::too_many_arguments,
    reason = "the state of a traversal, in registers"
)]
fn visit<S: Simd>(
    simd: S,
    exact: Exact<'_>,
    met: &MetBox,
    (place, len): (u32, usize),
    least: f32,
    rays: &mut TileRays,
    shapes: &mut TileTriangles,
    table: &mut TriangleTable,
) -> bool {
    let mut active = met.groups(simd, rays);
    let few = match active.count_ones() <= FEW_GROUPS {
        true => Some(few_rays(simd, met, &mut active, rays)),
        false => None,
    };
    if active == 0 {
        return false;
    }
    let passed = with_block(
        simd,
        exact.tree.view(),
        (place as usize, len),
        #[inline(always)]
        |block| shapes.prepare(simd, block, exact.beam, least),
    );
    let mut leaf = LeafEntries::new(place, len);
    let mut changed = 0;
    if passed.flat != 0 {
        flat(
            simd,
            exact,
            active,
            passed.flat,
            shapes,
            rays,
            &mut leaf,
            table,
        );
        changed = active;
    }
    let mut upright = passed.upright;
    match few {
        Some(few) if few.number <= FEW_RAYS => {
            for (group, mut lanes) in few.lanes {
                while lanes != 0 && upright != 0 {
                    let ray = (group, lanes.trailing_zeros() as usize);
                    lanes &= lanes - 1;
                    let hit = test_ray(simd, exact, ray, shapes, upright, rays, &mut leaf, table);
                    changed |= u32::from(hit) << group;
                }
            }
        }
        _ => {
            while upright != 0 {
                let triangle = OneTriangle::of(simd, shapes, upright.trailing_zeros() as usize);
                upright &= upright - 1;
                let mut groups = active;
                if active.count_ones() > 2 {
                    groups = triangle.groups(simd, rays, active);
                }
                while groups != 0 {
                    let group = groups.trailing_zeros() as usize;
                    groups &= groups - 1;
                    let hit = triangle.test(simd, exact, group, rays, &mut leaf, table);
                    changed |= u32::from(hit) << group;
                }
            }
        }
    }
    let any = changed != 0;
    while changed != 0 {
        let group = changed.trailing_zeros() as usize % GROUP;
        changed &= changed - 1;
        rays.least[group] = f32x16::load_array_ref(simd, &rays.low[group]).reduce_min();
    }
    any
}

/// Tests flat triangles, given as bits.
#[cold]
#[inline(never)]
#[expect(
    clippy::too_many_arguments,
    reason = "the state of a traversal, in registers"
)]
fn flat<S: Simd>(
    simd: S,
    exact: Exact<'_>,
    active: u32,
    mut flat: u32,
    shapes: &TileTriangles,
    rays: &mut TileRays,
    leaf: &mut LeafEntries,
    table: &mut TriangleTable,
) {
    while flat != 0 {
        let triangle = OneTriangle::of(simd, shapes, flat.trailing_zeros() as usize);
        flat &= flat - 1;
        let mut groups = active;
        while groups != 0 {
            let group = groups.trailing_zeros() as usize;
            groups &= groups - 1;
            triangle.test_flat(simd, exact, group, rays, leaf, table);
        }
    }
}

/// Returns the least `1 / Z` that still matters to any ray.
#[inline(always)]
fn least_end<S: Simd>(simd: S, rays: &TileRays) -> f32 {
    f32x16::load_array_ref(simd, &rays.least).reduce_min()
}

/// Returns the greatest parameter that still matters, where this is the least `1 / Z`.
#[inline(always)]
fn last_place(least: f32) -> f32 {
    1.0 / least * (1.0 + 4.0 * U)
}
