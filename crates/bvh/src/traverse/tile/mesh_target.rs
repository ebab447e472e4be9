//! A mesh, in `f32` or in `f64`, as what tiles are traced at.

use super::exact_fallback::Exact;
use super::ray_rows::{GROUP, load, sixteen};
use super::tile_beam::TileBeam;
use super::tile_mesh::{OwnMesh, TileMesh};
use super::tile_ray::TileRay;
use super::tile_skips::TileSkips;
use super::tile_walk::{self, TileRoom};
use super::{Slice, TileTarget, each};
use crate::traverse::bundle::bundle_target::BundleTarget;
use crate::traverse::bundle::ray_window::NumberedRay;
use crate::traverse::bundle::{BundleRoom, bundles};
use crate::traverse::interleaved;
use crate::traverse::late_hits::HitsTogether;
use crate::traverse::ray_group::RayGroup;
use crate::traverse::skipped::Skipped;
use crate::traverse::wanted::Wanted;
use crate::traverse::wide_target::WideTarget;
use crate::wide::{Measures, WideTree};
use core::ops::Range;
use estoc_core::exact::{PreparedRay, RoundedHits, round_sixteen};
use estoc_core::glam::Vec3;
use estoc_core::{
    Hit, InlineMap, PrimId, Queue, Ray, Ray64, RayTest, Technique, TechniqueCounts, Triangle64,
};
use fearless_simd::{Level, Select, Simd, SimdBase, SimdMask, f32x16, mask32x16, u32x16};

/// Fewer rays that are in no tile are scattered, and are interleaved.
const BUNDLES_FROM: usize = 64;

/// A tree as what tiles are traced at.
pub(in crate::traverse) trait TiledTree<R: TileRay>:
    BundleTarget<R, Primitive: RayTest<R, Id = PrimId>>
{
    /// The triangles.
    type Mesh: TileMesh<Ray = R>;

    fn mesh(self) -> Self::Mesh;

    /// Completes the first hits of rays of a group, given as bits, of a slice of sixteen.
    fn answer<'r, S: Simd, const SHARED: bool>(
        &self,
        simd: S,
        of: (usize, u32),
        slice: Slice<'r, R>,
        room: &TileRoom<R::Number>,
        queue: &mut Queue<'r, Self::Primitive, R>,
    );
}

pub(super) struct MeshTarget<'r, W, R: TileRay, T: TiledTree<R>> {
    wanted: W,
    tree: T,
    level: Level,
    bundles: Option<Box<BundleRoom<'r, R, T::Touch>>>,
}

impl<W: Wanted, R: TileRay, T: TiledTree<R>> MeshTarget<'_, W, R, T> {
    pub(super) fn new(wanted: W, tree: T, level: Level) -> Self {
        MeshTarget {
            wanted,
            tree,
            level,
            bundles: None,
        }
    }
}

impl<'r, W: Wanted, R: TileRay, T: TiledTree<R>> TileTarget<'r> for MeshTarget<'r, W, R, T> {
    type Ray = R;
    type Primitive = T::Primitive;

    const COUNTS_BOXES: bool = false;

    #[inline(always)]
    fn measures(&self) -> &Measures {
        &self.tree.tree().measures
    }

    #[inline(always)]
    fn frame(&self) -> R::Frame {
        self.tree.mesh().frame()
    }

    fn take_skips(
        &mut self,
        skips: &mut TileSkips,
        queue: &Queue<'r, T::Primitive, R>,
        places: Range<usize>,
    ) {
        // The queue gives rays with other options in another way.
        let rules = places.map(|place| Skipped::of(queue.hit_rule(place)));
        skips.take(rules.map(|rule| (rule.unwrap_or(Skipped::NONE), 0)));
    }

    #[inline(always)]
    fn walk<S: Simd, const SHARED: bool, const ANY: bool>(
        &mut self,
        simd: S,
        rays: &[R],
        beam: &TileBeam,
        room: &mut TileRoom<R::Number>,
    ) -> bool {
        let mesh = self.tree.mesh();
        let exact = Exact { rays, mesh, beam };
        tile_walk::walk::<S, _, SHARED, ANY>(simd, exact, room)
    }

    #[inline(always)]
    fn answer<S: Simd, const SHARED: bool>(
        &self,
        simd: S,
        of: (usize, u32),
        slice: Slice<'r, R>,
        room: &TileRoom<R::Number>,
        queue: &mut Queue<'r, T::Primitive, R>,
    ) {
        self.tree.answer::<S, SHARED>(simd, of, slice, room, queue);
    }

    fn trace_others(
        &mut self,
        rays: &[NumberedRay<'r, R>],
        queue: &mut Queue<'r, T::Primitive, R>,
    ) -> TechniqueCounts {
        let (wanted, tree, level) = (self.wanted, self.tree, self.level);
        if rays.len() >= BUNDLES_FROM {
            let room = self.bundles.get_or_insert_with(BundleRoom::new);
            let counts = bundles(wanted, tree, level, Some(rays), room, queue);
            debug_assert!(counts.is_some(), "there are kernels for both or for none");
            return counts.unwrap_or_default();
        }
        let asked = interleaved(wanted, tree, level, queue, &mut RayGroup::of_taken(rays));
        debug_assert!(asked.is_some(), "there are kernels for both or for none");
        TechniqueCounts::of(Technique::Interleaved, rays.len())
    }
}

impl<'t> TiledTree<Ray> for &'t WideTree {
    type Mesh = OwnMesh<'t>;

    #[inline(always)]
    fn mesh(self) -> OwnMesh<'t> {
        OwnMesh {
            tree: self,
            placement: None,
        }
    }

    #[inline(always)]
    fn answer<'r, S: Simd, const SHARED: bool>(
        &self,
        simd: S,
        (group, known): (usize, u32),
        (place, rays): Slice<'r, Ray>,
        room: &TileRoom<f32>,
        queue: &mut Queue<'r>,
    ) {
        if SHARED {
            return round_group(simd, self, (group, known), (place, rays), room, queue);
        }
        each(known, |lane| {
            let number = room.rays.entry[group % GROUP][lane % GROUP];
            match PreparedRay::new(&rays[lane]) {
                Some(ray) if number != 0 => {
                    let (prim, triangle) = room.table.triangle(self.view(), number);
                    queue.only(place + lane, ray, prim, &triangle);
                }
                _ => queue.miss(place + lane),
            }
        });
    }
}

impl TiledTree<Ray64> for WideTarget<'_> {
    type Mesh = Self;

    #[inline(always)]
    fn mesh(self) -> Self {
        self
    }

    #[inline(always)]
    fn answer<'r, S: Simd, const SHARED: bool>(
        &self,
        simd: S,
        (group, known): (usize, u32),
        (place, rays): Slice<'r, Ray64>,
        room: &TileRoom<f64>,
        queue: &mut Queue<'r, Triangle64, Ray64>,
    ) {
        let leaves = self.tree.view();
        let mut hits = HitsTogether::new();
        each(known, |lane| {
            let number = room.rays.entry[group % GROUP][lane % GROUP];
            match PreparedRay::new(&rays[lane]) {
                Some(ray) if number != 0 => {
                    hits.push(((place + lane, ray), room.table.place(number)));
                }
                _ => queue.miss(place + lane),
            }
            if hits.is_full() {
                self.complete_together(simd, leaves, &hits, queue);
                hits.clear();
            }
        });
        if !hits.is_empty() {
            self.complete_together(simd, leaves, &hits, queue);
        }
    }
}

/// Completes rays of a group, given as bits, that start at one point: their hits are rounded together.
#[inline(always)]
fn round_group<'r, S: Simd>(
    simd: S,
    tree: &WideTree,
    (group, known): (usize, u32),
    (place, rays): Slice<'r, Ray>,
    room: &TileRoom<f32>,
    queue: &mut Queue<'r>,
) {
    let TileRoom {
        rays: tile,
        raw,
        table,
        ..
    } = room;
    let leaves = tree.view();
    let numbers = &tile.entry[group];
    let entries = u32x16::load_array_ref(simd, numbers);
    let hit = entries.simd_ne(u32x16::splat(simd, 0)).to_bitmask() as u32 & known;
    let dir = raw.directions(group).inline_map(|row| load(simd, row));
    let mut corners = [[sixteen(simd, 0.0); 3]; 3];
    let mut prims = u32x16::splat(simd, u32::MAX);
    let mut open = hit;
    while open != 0 {
        let number = numbers[open.trailing_zeros() as usize % GROUP];
        let same = entries.simd_eq(u32x16::splat(simd, number));
        open &= !(same.to_bitmask() as u32);
        let (prim, triangle) = table.triangle(leaves, number);
        set(simd, same, &mut corners[0], triangle.p0);
        set(simd, same, &mut corners[1], triangle.p1);
        set(simd, same, &mut corners[2], triangle.p2);
        prims = same.select(u32x16::splat(simd, prim.get()), prims);
    }
    let origin = raw.origin();
    let RoundedHits { t, u, v, certain } = round_sixteen(simd, origin, dir, corners);
    let (t, u, v) = (t.to_array(), u.to_array(), v.to_array());
    let prims = prims.to_array();
    let hits = queue.first_hits(place, rays.len());
    for (lane, hit) in hits.iter_mut().enumerate().take(GROUP) {
        *hit = PrimId::new(prims[lane]).map(|prim| Hit {
            t: t[lane],
            u: u[lane],
            v: v[lane],
            prim,
        });
    }
    let mut unsure = hit & !certain;
    while unsure != 0 {
        let lane = unsure.trailing_zeros() as usize % GROUP;
        unsure &= unsure - 1;
        let (prim, triangle) = table.triangle(leaves, numbers[lane]);
        if let Some(ray) = PreparedRay::new(&rays[lane]) {
            queue.only(place + lane, ray, prim, &triangle);
        }
    }
}

/// Sets some lanes of three vectors to the coordinates of a point.
#[inline(always)]
fn set<S: Simd>(simd: S, lanes: mask32x16<S>, to: &mut [f32x16<S>; 3], point: Vec3) {
    to[0] = lanes.select(sixteen(simd, point.x), to[0]);
    to[1] = lanes.select(sixteen(simd, point.y), to[1]);
    to[2] = lanes.select(sixteen(simd, point.z), to[2]);
}
