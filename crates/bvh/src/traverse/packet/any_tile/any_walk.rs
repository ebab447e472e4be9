//! Traversal with a tile for any hit, from the root to the triangles that some ray may hit.
//!
//! # Boxes, groups and rays
//! A box is met by the hull of all rays (`any_hull.rs`) between two parameters, which enclose
//! those of all hits in it. Between them and its own ends, a group of whole slopes from `down` to
//! `up` and of offsets from `low` to `high` reaches from the least of two sums `low + down Z` to the
//! greatest of two sums `high + up Z`, and misses the box if one of its faces, less the origin, lies
//! beyond. The same holds for each ray. Let u = 2^-24, Z be at most `far`, and C the greatest offset.
//! Whole slopes, at most 1.5, are off by u of themselves, products and sums have a rounding each,
//! offsets are off by u of themselves and the tile's slack, and a face less the origin by u of
//! itself. Together that is less than `5u far + 3u C + u |x| + slack`; the margin of a face is
//! `8u (far + C + |x|) + slack`, and 2^-126, which covers what underflows.

use super::super::packet_walk::prefetch_all;
use super::super::tile::tile_rays::{GROUP, Row};
use super::any_rays::{AnyRays, load};
use super::any_test::{Exact, OneTriangle, test_ray};
use super::any_triangles::AnyTriangles;
use crate::traverse::child_order::in_order;
use crate::traverse::kernel_ray::U;
use crate::traverse::leaf_block::with_block;
use crate::traverse::traversal_stack::{ROOM, TraversalStack};
use crate::traverse::wanted::Any;
use crate::wide::{Node, Tag, WIDTH};
use fearless_simd::{Simd, SimdBase, SimdFloat, SimdMask, f32x16, mask32x16};

/// In leaves that at most this many rays meet, rays are tested one by one.
const FEW_RAYS: u32 = 16;
/// Nodes that more groups meet are visited without a test of each ray.
const MANY_GROUPS: u32 = 12;
/// A tile is given up, from this number of boxes on, once the rays that met boxes are fewer than
/// these and the groups tested together.
const TRIAL: u32 = 96;

/// A child's box, as far as the tile meets it.
#[derive(Clone, Copy)]
pub struct MetBox {
    /// Bounds of the parameters of hits in it.
    near: f32,
    far: f32,
    /// Its faces across, less the origin.
    low: [f32; 2],
    high: [f32; 2],
    /// By how much farther out they are for groups.
    margin: f32,
}

/// The rays of a tile that meet a box.
pub struct Met {
    /// Groups, as bits.
    pub groups: u32,
    /// The rays of each of these.
    pub lanes: [u32; GROUP],
    /// Their number.
    pub number: u32,
    /// The number of groups of which rays were tested.
    tested: u32,
}

impl MetBox {
    #[inline(always)]
    pub fn of(exact: Exact<'_>, node: &Node, lane: usize) -> Self {
        let lane = lane % WIDTH;
        let beam = exact.beam;
        let frame = &beam.frame;
        let [x, y, z] = frame.axes;
        let (near, far) = beam.planes.depth(node, lane, z);
        let far = if far < beam.limit { far } else { beam.limit };
        let widest = beam.widest[2].max(beam.widest[3]);
        let pad = (far.abs() + widest) * (8.0 * U) + beam.slack;
        let [low_x, high_x] = faces(node, lane, x, frame.origin[0], pad);
        let [low_y, high_y] = faces(node, lane, y, frame.origin[1], pad);
        MetBox {
            near: if near > 0.0 { near } else { 0.0 },
            far,
            low: [low_x, low_y],
            high: [high_x, high_y],
            margin: beam.margin,
        }
    }

    /// Returns which groups may meet the box between their ends, as bits.
    #[inline(always)]
    pub fn groups<S: Simd>(&self, simd: S, rays: &AnyRays) -> u32 {
        let hulls = &rays.hulls;
        let near = f32x16::splat(simd, self.near).max(load(simd, &hulls.first));
        let far = f32x16::splat(simd, self.far).min(load(simd, &hulls.last));
        let ends = (near, far);
        let [[down, up], [low, high]] = [&hulls.slope[0], &hulls.offset[0]];
        let margin = self.margin;
        let x = self.meets(simd, (0, margin), ends, (down, low), (up, high));
        let [[down, up], [low, high]] = [&hulls.slope[1], &hulls.offset[1]];
        let y = self.meets(simd, (1, margin), ends, (down, low), (up, high));
        (x & y & near.simd_le(far)).to_bitmask() as u32
    }

    /// Returns which rays of a group may meet the box between their ends, as bits.
    #[inline(always)]
    pub fn rays<S: Simd>(&self, simd: S, rays: &AnyRays, group: usize) -> u32 {
        let group = group % GROUP;
        let near = f32x16::splat(simd, self.near).max(load(simd, &rays.first[0][group]));
        let far = f32x16::splat(simd, self.far).min(load(simd, &rays.last[1][group]));
        let ends = (near, far);
        let line = (&rays.whole[0][group], &rays.numbers[2][group]);
        let x = self.meets(simd, (0, 0.0), ends, line, line);
        let line = (&rays.whole[1][group], &rays.numbers[3][group]);
        let y = self.meets(simd, (1, 0.0), ends, line, line);
        (x & y & near.simd_le(far)).to_bitmask() as u32 & rays.alive[group]
    }

    /// Returns where lines meet the slab of an axis between these ends, given the slopes and offsets
    /// of the lines below them and above.
    #[inline(always)]
    fn meets<S: Simd>(
        &self,
        simd: S,
        (i, margin): (usize, f32),
        (near, far): (f32x16<S>, f32x16<S>),
        (down, low): (&Row, &Row),
        (up, high): (&Row, &Row),
    ) -> mask32x16<S> {
        let (down, low) = (load(simd, down), load(simd, low));
        let (up, high) = (load(simd, up), load(simd, high));
        let least = down.mul_add(near, low).min(down.mul_add(far, low));
        let most = up.mul_add(near, high).max(up.mul_add(far, high));
        least.simd_le(f32x16::splat(simd, self.high[i] + margin))
            & most.simd_ge(f32x16::splat(simd, self.low[i] - margin))
    }

    /// Returns which rays may meet the box between their ends, or only which groups if there are
    /// more than `most`.
    #[inline(always)]
    pub fn met<S: Simd>(&self, simd: S, rays: &AnyRays, most: u32) -> Met {
        let groups = self.groups(simd, rays);
        let mut met = Met {
            groups,
            lanes: [0; GROUP],
            number: 0,
            tested: groups.count_ones(),
        };
        if groups.count_ones() > most {
            met.tested = 0;
            return met;
        }
        let mut left = met.groups;
        while left != 0 {
            let group = left.trailing_zeros() as usize % GROUP;
            left &= left - 1;
            let lanes = self.rays(simd, rays, group);
            met.groups &= !(u32::from(lanes == 0) << group);
            met.lanes[group] = lanes;
            met.number += lanes.count_ones();
        }
        met
    }
}

/// Returns the low and the high face of a child along an axis, less the origin, and farther out by
/// what the errors of their comparison may amount to.
#[inline(always)]
fn faces(node: &Node, lane: usize, axis: usize, origin: f32, pad: f32) -> [f32; 2] {
    let [low, high] = &node.faces[axis];
    let (low, high) = (low[lane] - origin, high[lane] - origin);
    [
        low - (low.abs() * (8.0 * U) + f32::MIN_POSITIVE + pad),
        high + (high.abs() * (8.0 * U) + f32::MIN_POSITIVE + pad),
    ]
}

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

/// Finds which rays of a tile hit anything. Returns `false` if it gave up, as the rays have too
/// little in common: then rays without a hit may have one.
#[inline(always)]
pub fn walk<S: Simd>(
    simd: S,
    exact: Exact<'_>,
    rays: &mut AnyRays,
    shapes: &mut AnyTriangles,
) -> bool {
    let nodes: &[Node] = &exact.tree.nodes;
    let leaves = exact.tree.view();
    let mut waiting = TraversalStack::new();
    // The parents of all children on the stack.
    let mut parents = [0; ROOM];
    let mut next = Some((Tag::NODE, 0));
    let mut spent = Spent::default();
    while let Some((tag, place)) = next {
        let parent = parents[waiting.len() % ROOM];
        let is_root = tag.len() == 0 && place == 0;
        let mut met = None;
        if !is_root {
            let parent = &nodes[parent as usize];
            let most = if tag.len() == 0 {
                MANY_GROUPS
            } else {
                GROUP as u32
            };
            let found = MetBox::of(exact, parent, tag.lane()).met(simd, rays, most);
            spent.add(&found);
            if spent.is_too_dear() {
                return false;
            }
            met = Some(found);
        }
        if met.as_ref().is_none_or(|met| met.groups != 0) {
            if tag.len() == 0 {
                let node = &nodes[place as usize];
                let (entry, hit) = exact.beam.planes.test(simd, node, exact.beam.limit);
                let hits = hit.to_bitmask() as u32;
                if hits != 0 {
                    let bottom = waiting.len() % (ROOM - WIDTH);
                    parents[bottom..bottom + WIDTH].fill(place);
                    prefetch_all(node, hits, nodes, leaves);
                    in_order(simd, Any, node, entry, hit, hits, &mut waiting);
                }
            } else if let Some(met) = &met {
                let leaf = (place as usize, tag.len());
                if visit(simd, exact, met, leaf, rays, shapes) && rays.alive == [0; GROUP] {
                    return true;
                }
            }
        }
        next = waiting.pop_any();
    }
    true
}

/// Tests the triangles of a leaf against the rays that meet its box. Returns whether any ray has a
/// hit.
#[inline(always)]
fn visit<S: Simd>(
    simd: S,
    exact: Exact<'_>,
    met: &Met,
    leaf: (usize, usize),
    rays: &mut AnyRays,
    shapes: &mut AnyTriangles,
) -> bool {
    let mut passed = with_block(
        simd,
        exact.tree.view(),
        leaf,
        #[inline(always)]
        |block| shapes.prepare(simd, block, exact.beam),
    );
    let mut any = false;
    if met.number <= FEW_RAYS {
        let mut groups = match passed {
            0 => 0,
            _ => met.groups,
        };
        while groups != 0 {
            let group = groups.trailing_zeros() as usize % GROUP;
            groups &= groups - 1;
            let mut lanes = met.lanes[group];
            while lanes != 0 {
                let lane = lanes.trailing_zeros() as usize;
                lanes &= lanes - 1;
                any |= test_ray(simd, exact, (group, lane), (shapes, passed), rays, leaf);
            }
        }
        return any;
    }
    while passed != 0 {
        let triangle = OneTriangle::of(simd, shapes, passed.trailing_zeros() as usize);
        passed &= passed - 1;
        let mut groups = met.groups;
        if groups == 0 {
            continue;
        }
        let between = triangle.between(simd, shapes, rays);
        while groups != 0 {
            let group = groups.trailing_zeros() as usize;
            groups &= groups - 1;
            let is_between = between >> group & 1 == 1;
            any |= triangle.test(simd, exact, shapes, (group, is_between), rays, leaf);
        }
    }
    any
}
