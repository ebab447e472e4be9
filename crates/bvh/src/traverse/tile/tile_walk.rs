//! Traversal with a tile, from the root to the triangles that some ray may hit.

use super::exact_fallback::Exact;
use super::met_box::{Met, MetBox};
use super::raw_rays::RawRays;
use super::ray_rows::{GROUP, load};
use super::tile_beam::TileBeam;
use super::tile_mesh::TileMesh;
use super::tile_number::TileNumber;
use super::tile_placement::TilePlacement;
use super::tile_ray::TileRay;
use super::tile_rays::TileRays;
use super::tile_test::{OneTriangle, test_ray};
use super::tile_triangles::TileTriangles;
use super::triangle_table::{Leaf, LeafEntries, TriangleTable};
use crate::traverse::child_order::in_order;
use crate::traverse::kernel_ray::U;
use crate::traverse::single_walk::last_key;
use crate::traverse::traversal_stack::{ROOM, TraversalStack};
use crate::traverse::wanted::{Any, Closest};
use crate::wide::{Node, Tag, WIDTH};
use bytemuck::Zeroable;
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
/// A tile of rays from one point is given up at placed meshes after this number of boxes.
const MOST_BOXES: u32 = 256;

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
    fn is_too_dear<const SHARED: bool>(&self) -> bool {
        match SHARED {
            true => self.boxes >= MOST_BOXES,
            false => self.boxes >= TRIAL && self.rays < self.boxes + self.groups,
        }
    }
}

/// What tiles write while they traverse, of rays whose numbers are `N`.
pub struct TileRoom<N> {
    pub rays: TileRays,
    pub raw: RawRays<N>,
    pub triangles: TileTriangles,
    pub table: TriangleTable,
    /// The nodes with their boxes in the world, from the placed tree's root to the last one.
    nodes: Vec<Node>,
    spent: Spent,
    /// Whether boxes count, after too many of which a tile is given up, for rays from one point, too.
    counts_boxes: bool,
}

impl<N: TileNumber> TileRoom<N> {
    pub fn new(counts_boxes: bool) -> Self {
        TileRoom {
            rays: TileRays::zeroed(),
            raw: RawRays::zeroed(),
            triangles: TileTriangles::zeroed(),
            table: TriangleTable::new(),
            nodes: Vec::new(),
            spent: Spent::default(),
            counts_boxes,
        }
    }

    /// Forgets the last tile, but for its rays.
    pub fn begin(&mut self) {
        self.table.clear();
        self.nodes.clear();
        self.spent = Spent::default();
    }
}

/// A leaf, and the rays that meet its box.
pub struct MetLeaf<'a> {
    pub leaf: Leaf,
    /// The box, in the world.
    pub bounds: [[f32; 3]; 2],
    /// The last end, as a parameter.
    end: f32,
    met: Met,
    lanes: &'a [u32; GROUP],
}

/// Finds the first hits of a tile's rays, or which of them hit anything if `ANY` hit will do. Returns
/// `false` if it gave up, as the rays have too little in common: then rays without a hit
/// may have one, and others an earlier one.
///
/// A function of its own, for meshes that are where they are and for placed ones.
#[inline(never)]
pub fn walk<S: Simd, M: TileMesh, const SHARED: bool, const ANY: bool>(
    simd: S,
    exact: Exact<'_, M>,
    room: &mut TileRoom<<M::Ray as TileRay>::Number>,
) -> bool {
    simd.vectorize(
        #[inline(always)]
        || {
            let nodes: &[Node] = &exact.mesh.tree().nodes;
            descend::<S, _, SHARED, ANY>(
                simd,
                (exact.beam, nodes, exact.mesh.placement()),
                room,
                #[inline(always)]
                |node, hits| exact.mesh.prefetch(node, hits),
                #[inline(always)]
                |room, leaf| Some(visit::<S, M, SHARED, ANY>(simd, exact, &leaf, room)),
            )
        },
    )
}

/// Visits every leaf whose box some ray may meet up to its end, which visits may change. `visit` returns
/// whether any end has changed, or if `ANY` hit will do whether any ray has one; `None` to give up.
/// Returns `false` if it gave up.
#[inline(always)]
pub fn descend<S: Simd, N: TileNumber, const SHARED: bool, const ANY: bool>(
    simd: S,
    (beam, nodes, placement): (&TileBeam, &[Node], Option<&TilePlacement>),
    room: &mut TileRoom<N>,
    prefetch: impl Fn(&Node, u32),
    mut visit: impl FnMut(&mut TileRoom<N>, MetLeaf<'_>) -> Option<bool>,
) -> bool {
    let mut waiting = TraversalStack::new();
    // The parents of all children on the stack: of a placed tree, where they are in the room.
    let mut parents = [0; ROOM];
    let bottom = room.nodes.len();
    let mut end = LastEnd::of::<S, SHARED, ANY>(simd, beam, &room.rays);
    // The rays that meet a box, by group.
    let mut lanes = [0; GROUP];
    let mut next = Some((Tag::NODE, 0));
    while let Some((tag, place)) = next {
        let is_leaf = tag.len() != 0;
        let mut leaf = None;
        let mut is_met = true;
        if is_leaf || place != 0 {
            let parent = parents[waiting.len() % ROOM];
            let parent = match placement {
                None => &nodes[parent as usize],
                Some(_) => {
                    // The others, below siblings, are needed no more.
                    room.nodes.truncate(parent as usize + 1);
                    &room.nodes[parent as usize]
                }
            };
            let most = match (SHARED, is_leaf) {
                (true, true) => FEW_GROUPS,
                (true, false) => 0,
                (false, true) => GROUP as u32,
                (false, false) => MANY_GROUPS,
            };
            let found = MetBox::of::<SHARED>(beam, parent, tag.lane(), end.place);
            let found = found.met::<S, SHARED>(simd, &room.rays, most, &mut lanes);
            if !SHARED || room.counts_boxes {
                room.spent.add(&found);
                if room.spent.is_too_dear::<SHARED>() {
                    return false;
                }
            }
            is_met = found.groups != 0;
            if is_leaf && is_met {
                let (low, high) = parent.bounds(tag.lane());
                leaf = Some(MetLeaf {
                    leaf: (place as usize, tag.len()),
                    bounds: [low, high],
                    end: end.parameter,
                    met: found,
                    lanes: &lanes,
                });
            }
        }
        if let Some(leaf) = leaf {
            match visit(room, leaf) {
                None => return false,
                Some(true) => match ANY {
                    true if room.rays.alive == [0; GROUP] => return true,
                    true => {}
                    false => end = LastEnd::of::<S, SHARED, ANY>(simd, beam, &room.rays),
                },
                Some(false) => {}
            }
        } else if is_met && !is_leaf {
            let mut number = place;
            let mut node = &nodes[place as usize];
            if let Some(placement) = placement {
                number = room.nodes.len() as u32;
                room.nodes.push(placement.node(simd, node));
                node = &room.nodes[number as usize];
            }
            let (entry, hit) = beam.planes.test(simd, node, end.place);
            let hits = hit.to_bitmask() as u32;
            if hits != 0 {
                let bottom = waiting.len() % (ROOM - WIDTH);
                parents[bottom..bottom + WIDTH].fill(number);
                prefetch(node, hits);
                match ANY {
                    true => in_order(simd, Any, node, entry, hit, hits, &mut waiting),
                    false => in_order(simd, Closest, node, entry, hit, hits, &mut waiting),
                }
            }
        }
        next = match ANY {
            true => waiting.pop_any(),
            false => waiting.pop(last_key(end.place)),
        };
    }
    room.nodes.truncate(bottom);
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
        beam: &TileBeam,
        rays: &TileRays,
    ) -> Self {
        let limit = beam.limit;
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

/// Tests the triangles of a leaf against the rays that meet its box. Returns whether the end of any
/// ray has changed, or if `ANY` hit will do whether any ray has one.
#[inline(always)]
fn visit<S: Simd, M: TileMesh, const SHARED: bool, const ANY: bool>(
    simd: S,
    exact: Exact<'_, M>,
    of: &MetLeaf<'_>,
    room: &mut TileRoom<<M::Ray as TileRay>::Number>,
) -> bool {
    let TileRoom {
        rays,
        triangles,
        table,
        ..
    } = room;
    let (leaf, met) = (of.leaf, &of.met);
    let passed = triangles.prepare::<S, M, SHARED>(simd, (&exact.mesh, leaf), exact.beam, of.end);
    let mut entries = LeafEntries::new(leaf, exact.number(), table);
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
            let mut lanes = of.lanes[group];
            while lanes != 0 {
                let ray = (group, lanes.trailing_zeros() as usize);
                lanes &= lanes - 1;
                let passed = (&*triangles, upright);
                let hit =
                    test_ray::<S, M, SHARED, ANY>(simd, exact, ray, passed, rays, &mut entries);
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
                let hit = triangle.test::<M, SHARED, ANY>(
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
fn flat<S: Simd, M: TileMesh>(
    simd: S,
    exact: Exact<'_, M>,
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
