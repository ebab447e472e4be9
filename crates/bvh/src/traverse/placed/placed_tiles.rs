//! Tiles of rays at placed meshes.
//!
//! The rays of a tile stay in the world, whose tree they traverse as that of a mesh (`tile/`). Nodes and corners of
//! what is placed there are taken to the world (`tile_placement.rs`), so that hits on all meshes have one order.

use super::placed_object::{Placed, PlacedObjects, PlacedTree, prefetch_children};
use crate::traverse::bundle::ray_window::NumberedRay;
use crate::traverse::for_many;
use crate::traverse::mapped::LARGE;
use crate::traverse::skipped::Skipped;
use crate::traverse::tile::exact_fallback::Exact;
use crate::traverse::tile::ray_rows::{GROUP, load, sixteen};
use crate::traverse::tile::tile_beam::TileBeam;
use crate::traverse::tile::tile_mesh::OwnMesh;
use crate::traverse::tile::tile_placement::TilePlacement;
use crate::traverse::tile::tile_skips::TileSkips;
use crate::traverse::tile::tile_walk::{TileRoom, descend, walk};
use crate::traverse::tile::{Slice, TileTarget, each, tiles_with};
use crate::traverse::wanted::{Any, Closest};
use crate::wide::{ItemTree, Layout, Measures, Node, WideTree};
use core::ops::Range;
use estoc_core::exact::{PreparedRay, RoundedHits, Wide16, round_sixteen_blurred};
use estoc_core::{
    HitRule, InlineMap, PlacedPrimitive, PlacementMatrix, Queue, Ray, SceneHit, ScenePath,
    TechniqueCounts, Want,
};
use fearless_simd::{Level, Simd, SimdBase, f64x8};

/// Returns the matrix of the last placement of a path; `None` if there is none, and then nothing is certain.
pub type Matrices<'a> = &'a dyn Fn(ScenePath) -> Option<PlacementMatrix>;

/// Traces rays that are in no tile, and returns how many by which technique.
pub type TraceOthers<'a, 'r> =
    &'a mut dyn FnMut(&[NumberedRay<'r>], &mut Queue<'r, PlacedPrimitive>) -> TechniqueCounts;

/// Traverses with the rays of a queue in tiles, for first hits or any, and has the others traced. Returns
/// `None`, and takes no ray, where single rays are no slower.
pub(crate) fn placed_tiles<'r>(
    (tree, items): (&ItemTree, &impl PlacedObjects),
    level: Level,
    matrices: Matrices<'_>,
    queue: &mut Queue<'r, PlacedPrimitive>,
    trace_others: TraceOthers<'_, 'r>,
) -> Option<TechniqueCounts> {
    if tree.nodes.is_empty() {
        return None;
    }
    let mut target = PlacedTarget {
        tree,
        items,
        matrices,
        met: Vec::new(),
        skipped: Vec::new(),
        trace_others,
    };
    match queue.want() {
        Want::First => {
            for_many!(level, simd => tiles_with::<_, Closest, _>(simd, &mut target, queue))
        }
        Want::Any => for_many!(level, simd => tiles_with::<_, Any, _>(simd, &mut target, queue)),
        _ => None,
    }
}

/// A world as what tiles are traced at.
struct PlacedTarget<'t, 'o, 'r, I> {
    tree: &'t ItemTree,
    items: &'t I,
    matrices: Matrices<'t>,
    /// The meshes that the tile has met, by their numbers.
    met: Vec<(TilePlacement, &'t WideTree)>,
    /// The paths of triangles to skip, by their numbers.
    skipped: Vec<ScenePath>,
    trace_others: TraceOthers<'o, 'r>,
}

impl<'r, I: PlacedObjects> TileTarget<'r> for PlacedTarget<'_, '_, 'r, I> {
    type Ray = Ray;
    type Primitive = PlacedPrimitive;

    const COUNTS_BOXES: bool = true;

    #[inline(always)]
    fn measures(&self) -> &Measures {
        &self.tree.measures
    }

    #[inline(always)]
    fn frame(&self) {}

    fn take_skips(
        &mut self,
        skips: &mut TileSkips,
        queue: &Queue<'r, PlacedPrimitive>,
        places: Range<usize>,
    ) {
        self.skipped.clear();
        let mut last = 0;
        skips.take(places.map(|place| {
            let HitRule::EveryBut(skip) = queue.hit_rule(place) else {
                return (Skipped::NONE, 0);
            };
            if skip.end.is_some() {
                return (Skipped::NONE, 0);
            }
            // Neighbours mostly leave the same mesh.
            if self.skipped.get(last) != Some(&skip.path) {
                let known = self.skipped.iter().position(|path| *path == skip.path);
                last = known.unwrap_or(self.skipped.len());
                if known.is_none() {
                    self.skipped.push(skip.path);
                }
            }
            (Skipped::from(skip.prim), last as u32)
        }));
    }

    #[inline(always)]
    fn walk<S: Simd, const SHARED: bool, const ANY: bool>(
        &mut self,
        simd: S,
        rays: &[Ray],
        beam: &TileBeam,
        room: &mut TileRoom<f32>,
    ) -> bool {
        self.met.clear();
        let world = (self.tree, self.items, None);
        self.walk_world::<S, SHARED, ANY>(simd, (rays, beam), world, room)
    }

    #[inline(always)]
    fn answer<S: Simd, const SHARED: bool>(
        &self,
        simd: S,
        (group, known): (usize, u32),
        (place, rays): Slice<'r, Ray>,
        room: &TileRoom<f32>,
        queue: &mut Queue<'r, PlacedPrimitive>,
    ) {
        let TileRoom {
            rays: tile,
            raw,
            table,
            ..
        } = room;
        let numbers = &tile.entry[group % GROUP];
        let mut has_hits = false;
        let mut corners = [[[0.0; GROUP]; 3]; 3];
        let mut off = [0.0; GROUP];
        let mut last = (0, [[0.0; 3]; 3], 0.0);
        each(known, |lane| {
            let (lane, number) = (lane % GROUP, numbers[lane % GROUP]);
            if number == 0 {
                return;
            }
            has_hits = true;
            if number != last.0 {
                let (placement, tree) = &self.met[table.placement(number)];
                let (_, triangle) = table.triangle(tree.view(), number);
                last = (
                    number,
                    placement.corners(&triangle),
                    f64::from(placement.off),
                );
            }
            for (to, from) in corners.iter_mut().zip(last.1) {
                for (to, from) in to.iter_mut().zip(from) {
                    to[lane] = from;
                }
            }
            off[lane] = last.2;
        });
        if !has_hits {
            return each(known, |lane| queue.certified(place + lane, None));
        }
        let origin = match SHARED {
            true => raw.origin().inline_map(|x| sixteen(simd, x)),
            false => raw.origins(group).inline_map(|row| load(simd, row)),
        };
        let dir = raw.directions(group).inline_map(|row| load(simd, row));
        let [a, b, c] = &corners;
        let corners = [point(simd, a), point(simd, b), point(simd, c)];
        let RoundedHits { t, u, v, certain } =
            round_sixteen_blurred((origin, dir), corners, halves(simd, &off));
        let (t, u, v) = (t.to_array(), u.to_array(), v.to_array());
        each(known, |lane| {
            let number = numbers[lane % GROUP];
            if number == 0 {
                return queue.certified(place + lane, None);
            }
            let (placement, tree) = &self.met[table.placement(number)];
            if certain >> lane & 1 == 1 {
                let prim = table.prim(tree.view(), number);
                let hit = SceneHit {
                    t: t[lane % GROUP],
                    u: u[lane % GROUP],
                    v: v[lane % GROUP],
                    prim,
                    path: placement.path,
                    end: None,
                };
                return queue.certified(place + lane, Some(hit));
            }
            if let Some(ray) = PreparedRay::new(&rays[lane]) {
                let (prim, triangle) = table.triangle(tree.view(), number);
                let (id, placed) = placement.placed(prim, triangle);
                queue.only(place + lane, ray, id, &PlacedPrimitive::Triangle(placed));
            }
        });
    }

    fn trace_others(
        &mut self,
        rays: &[NumberedRay<'r>],
        queue: &mut Queue<'r, PlacedPrimitive>,
    ) -> TechniqueCounts {
        (self.trace_others)(rays, queue)
    }
}

impl<'t, I: PlacedObjects> PlacedTarget<'t, '_, '_, I> {
    /// Traverses the world, or one that is placed in it.
    #[inline(never)]
    fn walk_world<S: Simd, const SHARED: bool, const ANY: bool>(
        &mut self,
        simd: S,
        (rays, beam): (&[Ray], &TileBeam),
        (tree, items, placement): (&'t ItemTree, &'t I, Option<&TilePlacement>),
        room: &mut TileRoom<f32>,
    ) -> bool {
        let path = placement.map_or(ScenePath::ROOT, |placement| placement.path);
        let is_large = tree.nodes.len() >= LARGE;
        let prefetch = |node: &Node, hits: u32| {
            if is_large {
                prefetch_children(tree, items, node, hits);
            }
        };
        simd.vectorize(
            #[inline(always)]
            || {
                let world = (beam, &tree.nodes[..], placement);
                descend::<S, _, SHARED, ANY>(simd, world, room, prefetch, |room, leaf| {
                    let Placed {
                        number,
                        inverse,
                        tree: of,
                    } = items.placed(leaf.leaf.0 as u32)?;
                    if !inverse.is_fit() {
                        return None;
                    }
                    let path = path.then(number)?;
                    let mut matrix = (self.matrices)(path)?;
                    if let Some(outer) = placement {
                        matrix = outer.matrix.compose(&matrix).ok()?;
                    }
                    let measures = match &of {
                        PlacedTree::Mesh(tree) => &tree.measures,
                        PlacedTree::World(tree, _) => &tree.measures,
                    };
                    let mut placed = TilePlacement::of(matrix, path, measures, leaf.bounds)?;
                    let is_done = match of {
                        PlacedTree::Mesh(tree) if tree.leaves.layout() != Layout::Fast => false,
                        PlacedTree::Mesh(tree) => {
                            placed.number = self.met.len() as u32;
                            let skipped = self.skipped.iter().position(|skip| *skip == path);
                            placed.skip = skipped.map_or(u32::MAX, |at| at as u32);
                            self.met.push((placed, tree));
                            let mesh = OwnMesh {
                                tree,
                                placement: Some(&placed),
                            };
                            let exact = Exact { rays, mesh, beam };
                            walk::<S, _, SHARED, ANY>(simd, exact, room)
                        }
                        PlacedTree::World(tree, items) => {
                            let world = (tree, items, Some(&placed));
                            self.walk_world::<S, SHARED, ANY>(simd, (rays, beam), world, room)
                        }
                    };
                    is_done.then_some(true)
                })
            },
        )
    }
}

#[inline(always)]
fn halves<S: Simd>(simd: S, row: &[f64; GROUP]) -> Wide16<S> {
    [
        f64x8::from_slice(simd, &row[..8]),
        f64x8::from_slice(simd, &row[8..]),
    ]
}

#[inline(always)]
fn point<S: Simd>(simd: S, [x, y, z]: &[[f64; GROUP]; 3]) -> [Wide16<S>; 3] {
    [halves(simd, x), halves(simd, y), halves(simd, z)]
}
