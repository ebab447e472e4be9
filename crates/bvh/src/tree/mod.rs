//! The public tree type.

mod box_tree;
mod bvh_builder;
#[cfg(feature = "kernels")]
pub(crate) mod bvh_internals;
mod clusters;
#[cfg(feature = "kernels")]
mod kernel_benches;
mod node_view;
mod of_other_spaces;
mod outline;
mod pair_engine;
mod refit;
mod slots;
mod stats;
mod step_counts;
pub(crate) mod validate;
mod wide_engine;

pub use box_tree::{BoxTree, PlacedItem, PlacedItems, PlacedObject, PlacedWorld};
pub use bvh_builder::{BuildError, BvhBuilder};
pub use node_view::{ChildView, LeafPrims, NodeView};
pub use refit::{RefitError, RefitReport};
pub use stats::{BvhStats, BytesByPart};
pub use validate::ValidateError;

use crate::builder::Quality;
use crate::mask_runs::runs_of;
use crate::simd_level::SimdLevel;
use crate::traverse::mesh_space::{MeshSpace, OwnTriangles};
use crate::traverse::{self, kernel_ray::SPREAD, plain_ray};
use crate::wide::{WideTree, WideTriangles};
use clusters::Clusters;
use core::cell::Cell;
use estoc_core::exact::PreparedRay;
use estoc_core::{
    Aabb, Any, Closest, Collector, Coordinate, Engine, Hit, Masks, NearEngine, PointCollector,
    PointEngine, PrimId, Queue, Ray, RegionCollector, RegionEngine, SurfaceReport, SweepCollector,
    SweepEngine, Technique, TechniqueCounts, Triangle, WindingCollector, any_visited,
    closest_visited, is_closed, one_by_one,
};
use estoc_mesh::Mesh;
use estoc_mesh::parts::Buffers;
use estoc_system::parallel::FirstUse;
use fearless_simd::Level;
use outline::Outline;
use slots::Slots;
use std::fmt;
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64;

/// Returns the ending of a noun that counts `n` things.
fn plural(n: usize) -> &'static str {
    if n == 1 { "" } else { "s" }
}

/// A bounding volume hierarchy over the triangles of a mesh, which it copies or shares (see
/// [`Layout`](crate::Layout)).
///
/// It is queried through [`RayQuery`](estoc_core::RayQuery), [`PointQuery`](estoc_core::PointQuery),
/// [`RegionQuery`](estoc_core::RegionQuery) and [`SweepQuery`](estoc_core::SweepQuery). Answers are exact
/// and do not depend on how the tree was built. Queries allocate nothing unless they return a `Vec` (or have to decide
/// exactly between numbers that mix magnitudes by hundreds of bits), and any number of threads may
/// query a tree at once. Some first queries make tables, which the tree keeps: the first query that
/// continues behind a primitive, and the first call of [`triangle`](Bvh::triangle), make one of the
/// places of all triangles, of 8 bytes a triangle; the first estimate of a winding number makes one
/// of all boxes as seen from far away, of about 60 bytes a triangle.
///
/// A tree over a mesh in `f64` is a `Bvh<f64>`, which answers about the corners as they are.
#[derive(Clone)]
pub struct Bvh<C: Coordinate = f32> {
    /// Over triangles in `f32`; those of a tree in `f64`, in its frame.
    tree: WideTree,
    wide: C::Beside<WideTriangles>,
    simd: SimdLevel,
    token: Level,
    /// The place of each primitive, computed on first use.
    slots: FirstUse<Slots>,
    closed: FirstUse<bool>,
    surface: FirstUse<SurfaceReport<C>>,
    /// The triangles below each child as seen from far away, computed on first use.
    clusters: FirstUse<Clusters>,
    bounds: FirstUse<C::Bounds>,
    /// A polytope around all triangles, computed on first use.
    outline: FirstUse<Option<Outline>>,
    /// The expected cost of a ray as the tree was built; set by the first refit.
    built_cost: Option<f64>,
    quality: Option<Quality>,
    masks: Option<Arc<Masks>>,
}

impl Bvh {
    /// Returns the settings of a build: quality, threads, progress, cancellation and others.
    ///
    /// ```
    /// # mod estoc { pub use {estoc_bvh::*, estoc_mesh::*}; }
    /// use estoc::{Bvh, Mesh, Quality};
    /// let mesh = Mesh::try_new([[0.0f32; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0, 1, 2]])?;
    /// let bvh = Bvh::builder().quality(Quality::Best).build(&mesh)?;
    /// assert_eq!(bvh.stats().triangles, 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn builder<'a>() -> BvhBuilder<'a> {
        BvhBuilder::default()
    }

    /// Returns a triangle, or `None` if there is none of that id. The first call makes a table of
    /// the places of all triangles.
    pub fn triangle(&self, prim: PrimId) -> Option<Triangle> {
        let slots = self.slots.get_or_init(|| Slots::of(&self.tree));
        let (first, len, place) = slots.get(prim)?;
        Some(self.tree.triangle(first, len, place).1)
    }

    /// Returns the first hit on a ray, as [`closest_hit`](estoc_core::RayQuery::closest_hit) does, and the triangle that is
    /// hit: it is at hand then, which saves the memory accesses that looking it up would take. `None` beside a hit is for
    /// one whose triangle has to be looked up all the same, by [`triangle`](Bvh::triangle) or in the mesh.
    ///
    /// ```
    /// # mod estoc { pub use {estoc_bvh::*, estoc_core::*, estoc_mesh::*}; }
    /// use estoc::{Bvh, Mesh, Ray};
    /// let mesh = Mesh::try_new([[0.0f32; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0, 1, 2]])?;
    /// let bvh = Bvh::build(&mesh);
    /// let ray = Ray::new([0.25, 0.25, 1.0], [0.0, 0.0, -1.0]);
    /// let (hit, triangle) = bvh.closest_hit_with_triangle(&ray).expect("a hit");
    /// let triangle = triangle.or_else(|| mesh.triangle(hit.prim));
    /// assert_eq!((hit.t, triangle), (1.0, mesh.triangle(hit.prim)));
    /// # Ok::<(), estoc::MeshError>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn closest_hit_with_triangle(&self, ray: &Ray) -> Option<(Hit, Option<Triangle>)> {
        match self.hides_some() {
            true => Some((self.closest(ray, None)?, None)),
            false => plain_ray::hit_with_triangle(&self.tree, self.token, ray),
        }
    }

    /// Returns the smallest box around all triangles, or [`Aabb::EMPTY`] if there are none. The
    /// first call reads all triangles.
    pub fn bounds(&self) -> Aabb {
        *self
            .bounds
            .get_or_init(|| self.tree.exact_bounds().unwrap_or(Aabb::EMPTY))
    }

    /// Returns whether the triangles enclose an inside; see [`Engine::is_closed`]. The first call
    /// sorts all edges; the result is kept.
    pub fn is_closed(&self) -> bool {
        *self
            .closed
            .get_or_init(|| is_closed(self.triangles().map(|(_, triangle)| triangle)))
    }

    /// Returns whether the triangles form a closed and oriented surface, and the first edges where
    /// they do not. The first call sorts all edges; the result is kept.
    pub fn surface(&self) -> SurfaceReport {
        *self
            .surface
            .get_or_init(|| SurfaceReport::of(self.triangles().map(|(_, triangle)| triangle)))
    }

    /// Out of line: together with it, rays that skip nothing take some instructions more.
    #[inline(never)]
    fn closest_skipping(&self, ray: &Ray, skip: PrimId) -> Option<Hit> {
        plain_ray::answer_skipping::<Closest>(
            &self.tree,
            self.token,
            ray,
            skip.into(),
            &Cell::new(0),
        )
    }

    #[inline(never)]
    fn any_skipping(&self, ray: &Ray, skip: PrimId) -> bool {
        plain_ray::answer_skipping::<Any>(&self.tree, self.token, ray, skip.into(), &Cell::new(0))
    }

    pub(crate) fn triangles(&self) -> impl Iterator<Item = (PrimId, Triangle)> + '_ {
        self.tree.triangles()
    }
}

impl<C: Coordinate> Bvh<C> {
    fn visit_clusters(&self, space: &impl MeshSpace, collector: &mut WindingCollector) {
        let of = (&self.tree, space);
        let clusters = self.clusters.get_or_init(|| Clusters::of(of.0, of.1));
        clusters.visit(of, collector);
    }

    /// Builds a tree with the default settings; see [`Bvh::builder`] for others. A mesh without
    /// triangles gives a tree that no ray hits. Runs in the rayon pool of the caller; without the
    /// feature `rayon`, on the calling thread.
    ///
    /// # Panics
    /// If the system has no memory for the tree; the builder returns an error instead.
    pub fn build(mesh: &Mesh<C>) -> Self {
        BvhBuilder::default()
            .build_here(mesh)
            .unwrap_or_else(|error| panic!("{error}"))
    }

    pub(crate) fn of(tree: WideTree, wide: C::Beside<WideTriangles>) -> Self {
        let baseline = Bvh {
            tree,
            wide,
            simd: SimdLevel::Baseline,
            token: Level::baseline(),
            slots: FirstUse::new(),
            closed: FirstUse::new(),
            surface: FirstUse::new(),
            clusters: FirstUse::new(),
            bounds: FirstUse::new(),
            outline: FirstUse::new(),
            built_cost: None,
            quality: None,
            masks: None,
        };
        baseline.with_simd_level(SimdLevel::from_env().unwrap_or(SimdLevel::best()))
    }

    /// Returns the tree with the quality and the cost that it was built with.
    pub(crate) fn with_history(self, quality: Option<Quality>, built_cost: Option<f64>) -> Self {
        Bvh {
            quality,
            built_cost,
            ..self
        }
    }

    /// Returns the quality that the tree was built with; `None` for a tree file that does not say.
    pub fn quality(&self) -> Option<Quality> {
        self.quality
    }

    pub(crate) fn built_cost(&self) -> Option<f64> {
        self.built_cost
    }

    /// Returns the tree with other instructions for its queries, or unchanged if the machine does
    /// not have them ([`SimdLevel::available`]).
    #[must_use]
    pub fn with_simd_level(self, level: SimdLevel) -> Self {
        match level.token() {
            Some(token) => Bvh {
                simd: level,
                token,
                ..self
            },
            None => self,
        }
    }

    /// Returns the instructions that queries use.
    pub fn simd_level(&self) -> SimdLevel {
        self.simd
    }

    /// Returns the number of triangles.
    pub fn triangle_count(&self) -> usize {
        self.tree.leaves.len()
    }

    /// Returns the tree with masks for its triangles: a ray sees those that share a bit with
    /// [`QueryOptions::mask`](estoc_core::QueryOptions::mask). `None` removes the masks. Clones,
    /// refitted trees and [tree files](Bvh::save) keep them. [`Mesh::masks_by`] computes masks from
    /// the names of triangles.
    ///
    /// ```
    /// # mod estoc { pub use {estoc_bvh::*, estoc_core::*, estoc_mesh::*}; pub mod query { pub use estoc_core::*; } }
    /// use estoc::{Bvh, Mesh, QueryOptions, Ray, RayQuery, query::{Closest, Masks}};
    /// let corners = [1.0, 2.0].map(|z| [[0.0, 0.0, z], [1.0, 0.0, z], [0.0, 1.0, z]]);
    /// let mesh = Mesh::try_new(corners.into_iter().flatten(), [[0, 1, 2], [3, 4, 5]])?;
    /// let bvh = Bvh::build(&mesh).with_masks(Masks::from_runs([(1, 0b01), (1, 0b10)]));
    /// let ray = Ray::new([0.2, 0.2, 0.0], [0.0, 0.0, 1.0]);
    /// let hit = bvh.ask_with(Closest, &ray, &QueryOptions::new().mask(0b10))?;
    /// assert_eq!(hit.unwrap().t, 2.0);
    /// assert_eq!(bvh.count_hits(&ray), 2); // rays have all bits set by default
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_masks(self, masks: impl Into<Option<Masks>>) -> Self {
        let masks = masks.into().map(Arc::new);
        Bvh { masks, ..self }
    }

    /// Returns a hash of all that decides which triangles rays hit: `mesh_hash`, the
    /// [hash](Mesh::content_hash) of the mesh, and the masks. If masks hide nothing from any ray, as
    /// without masks, it is `mesh_hash` itself. [Tree files](Bvh::save) keep it.
    ///
    /// ```
    /// # mod estoc { pub use {estoc_bvh::*, estoc_core::*, estoc_mesh::*}; pub mod query { pub use estoc_core::*; } }
    /// use estoc::{Bvh, Mesh, query::Masks};
    /// let mesh = Mesh::try_new([[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0, 1, 2]])?;
    /// let (bvh, hash) = (Bvh::build(&mesh), mesh.content_hash());
    /// assert_eq!(bvh.hash_with_masks(hash), hash);
    /// let hidden = bvh.with_masks(Masks::from_runs([(1, 0)]));
    /// assert_ne!(hidden.hash_with_masks(hash), hash);
    /// let shown = hidden.with_masks(Masks::from_runs([(9, u32::MAX)]));
    /// assert_eq!(shown.hash_with_masks(hash), hash);
    /// # Ok::<(), estoc::MeshError>(())
    /// ```
    pub fn hash_with_masks(&self, mesh_hash: u64) -> u64 {
        let runs = runs_of(self.masks.as_deref(), self.triangle_count());
        if runs.is_empty() {
            return mesh_hash;
        }
        let mut bytes = mesh_hash.to_le_bytes().to_vec();
        bytes.extend(
            runs.as_flattened()
                .iter()
                .flat_map(|word| word.to_le_bytes()),
        );
        xxh3_64(&bytes)
    }

    /// Returns the masks, if there are any.
    pub(crate) fn own_masks(&self) -> Option<&Masks> {
        self.masks.as_deref()
    }

    /// Returns whether masks hide some triangles from rays with all bits set.
    #[inline(always)]
    fn hides_some(&self) -> bool {
        let masks = self.masks.as_deref();
        masks.is_some_and(|masks| !masks.shows_all(u32::MAX))
    }

    #[inline(always)]
    pub(crate) fn tree(&self) -> &WideTree {
        &self.tree
    }

    /// Returns the triangles in `f64`, if the tree has such.
    pub(crate) fn wide(&self) -> &C::Beside<WideTriangles> {
        &self.wide
    }

    pub(crate) fn token(&self) -> Level {
        self.token
    }
}

/// One line: the size and the settings, without the triangles.
impl<C: Coordinate> fmt::Debug for Bvh<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bvh")
            .field("triangles", &self.triangle_count())
            .field("nodes", &self.tree.nodes.len())
            .field("layout", &self.tree.leaves.layout())
            .field("quality", &self.quality)
            .field("simd_level", &self.simd)
            .field("has_masks", &self.masks.is_some())
            .finish_non_exhaustive()
    }
}

impl Engine for Bvh {
    type Primitive = Triangle;

    fn primitive_count(&self) -> usize {
        self.triangle_count()
    }

    fn primitive(&self, prim: PrimId) -> Option<Triangle> {
        self.triangle(prim)
    }

    fn is_closed(&self) -> bool {
        self.is_closed()
    }

    fn visit(&self, ray: &PreparedRay<'_>, collector: &mut Collector<'_>) {
        traverse::visit(&self.tree, self.token, ray, collector);
    }

    fn visit_many(&self, technique: Technique, queue: &mut Queue<'_>) -> TechniqueCounts {
        if technique == Technique::OneByOne || !Technique::HAS_OTHERS {
            return one_by_one(self, queue);
        }
        if self.tree.measures.has_plain_rays()
            && let Some(counts) = queue.trace_scaled(self, technique, SPREAD)
        {
            return counts;
        }
        traverse::visit_many(&self.tree, self.token, technique, queue)
            .unwrap_or_else(|| one_by_one(self, queue))
    }

    fn closest(&self, ray: &Ray, skip: Option<PrimId>) -> Option<Hit> {
        let (tree, level) = (&self.tree, self.token);
        match skip {
            _ if self.hides_some() => closest_visited(self, ray, skip),
            None => plain_ray::answer::<Closest>(tree, level, ray),
            Some(skip) => self.closest_skipping(ray, skip),
        }
    }

    fn any(&self, ray: &Ray, skip: Option<PrimId>) -> bool {
        let (tree, level) = (&self.tree, self.token);
        match skip {
            _ if self.hides_some() => any_visited(self, ray, skip),
            None => plain_ray::answer::<Any>(tree, level, ray),
            Some(skip) => self.any_skipping(ray, skip),
        }
    }

    fn masks(&self) -> Option<&Masks> {
        self.masks.as_deref()
    }

    fn query_bytes(&self) -> usize {
        let mesh = self.tree.leaves.mesh().map_or(0, Buffers::bytes);
        self.tree.nodes.bytes() + self.tree.leaves.bytes() + mesh
    }
}

impl NearEngine for Bvh {
    fn visit_near(&self, collector: &mut PointCollector) {
        traverse::near::visit_near(&self.tree, self.token, collector);
    }
}

impl PointEngine for Bvh {
    fn visit_winding(&self, collector: &mut WindingCollector) {
        self.visit_clusters(&OwnTriangles, collector);
    }

    fn surface(&self) -> SurfaceReport {
        self.surface()
    }
}

impl RegionEngine for Bvh {
    fn visit_region(&self, collector: &mut RegionCollector<'_>) {
        traverse::region::visit_region((&self.tree, &OwnTriangles), self.token, collector);
    }
}

impl SweepEngine for Bvh {
    fn visit_swept(&self, collector: &mut SweepCollector) {
        traverse::sweep::visit_swept((&self.tree, &OwnTriangles), self.token, collector);
    }
}
