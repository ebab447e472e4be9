//! Scenes that answer queries.

mod hit_details;
mod object;
mod placed_mesh;
mod placement;
mod placement_extent;
mod query_bytes;
mod shape_details;
mod sphere_thickness;
mod store;

pub use hit_details::SceneHitDetails;
pub use object::SceneObject;
pub use placed_mesh::PlacedMesh;
pub use placement::{Placement, PlacementId};
pub use shape_details::SceneShapeDetails;
pub use sphere_thickness::SphereThickness;
pub(crate) use store::Store;

use crate::condition::Condition;
use crate::{ShapeList, UserShapes};
use estoc_bvh::Bvh;
use estoc_bvh::object_space::{PlacedItem, PlacedWorld};
use estoc_bvh::object_space::{PlacedReach, WideBox};
use estoc_core::glam::DVec3;
use estoc_core::{Engine, Masks, PlacementMatrix, ScenePath};
use estoc_system::parallel::FirstUse;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt;
use std::sync::Arc;

/// A scene that answers every query about rays, and what is near a point, and does not change.
///
/// It is queried through [`RayQuery`](estoc_core::RayQuery), about rays in `f32` and in `f64`, and
/// [`PointQuery`](estoc_core::PointQuery), about points in `f64`, or in batches, from any number of threads.
/// Hits are [`SceneHit`](estoc_core::SceneHit)s, and ids of triangles and of ends of shapes are
/// [`ScenePrim`](estoc_core::ScenePrim)s. Single queries allocate nothing unless they return a `Vec`, are
/// about a point, or have to decide exactly between numbers that mix magnitudes by hundreds of bits.
///
/// [`contains`](estoc_core::RayQuery::contains) answers whether a point is inside at least one object
/// that is closed, or on one; spheres and boxes are closed. Objects that are not closed are left out
/// ([`open_objects`](SceneSnapshot::open_objects) counts them); the answer is `None` if there are
/// objects, and none of them is closed.
pub struct SceneSnapshot {
    store: Store,
    /// The placements that hold something, and a tree over their boxes.
    pub(crate) world: Arc<PlacedWorld>,
    totals: Totals,
    has_kernels: bool,
    masks: Option<Masks>,
    /// The only placement, if it is a mesh that is placed where it is, with its sides and masks.
    sole: Option<(ScenePath, Arc<Bvh>)>,
    /// What is known of everything in the scene, computed on first use.
    extent: FirstUse<SceneExtent>,
    solids: FirstUse<Solids>,
    bytes: FirstUse<usize>,
}

/// What is counted of the placements of a scene.
#[derive(Clone, Debug, Default)]
pub(crate) struct Totals {
    pub(crate) placements: usize,
    pub(crate) triangles: u128,
    pub(crate) shapes: u128,
    /// The number of placements of what kernels of placed meshes are unfit for.
    pub(crate) others: usize,
    /// The number of placements that have triangles or shapes with each mask.
    pub(crate) masks: BTreeMap<u32, usize>,
}

impl Totals {
    /// Returns whether kernels of placed meshes are fit for most placements: where a ray meets the box of another,
    /// they leave it open.
    pub(crate) fn has_kernels(&self) -> bool {
        self.others <= self.placements / 2
    }

    /// Counts a placement.
    pub(crate) fn add(&mut self, placed: &Placement) {
        self.placements += 1;
        self.others += usize::from(!placed.is_fit_for_kernels());
        self.triangles += placed.object().triangles() as u128;
        self.shapes += placed.object().shapes() as u128;
        for mask in placed.masks() {
            *self.masks.entry(mask).or_default() += 1;
        }
    }

    /// Takes a placement away that was counted.
    pub(crate) fn remove(&mut self, placed: &Placement) {
        self.placements -= 1;
        self.others -= usize::from(!placed.is_fit_for_kernels());
        self.triangles -= placed.object().triangles() as u128;
        self.shapes -= placed.object().shapes() as u128;
        for mask in placed.masks() {
            if let Entry::Occupied(mut count) = self.masks.entry(mask) {
                *count.get_mut() -= 1;
                if *count.get() == 0 {
                    count.remove();
                }
            }
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct SceneExtent {
    bounds: Option<WideBox>,
    reach: PlacedReach,
    condition: Condition,
    depth: usize,
}

/// The number of objects by whether they are closed.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Solids {
    pub(crate) closed: usize,
    pub(crate) open: usize,
}

impl Solids {
    fn one(is_closed: bool) -> Self {
        Solids {
            closed: usize::from(is_closed),
            open: usize::from(!is_closed),
        }
    }
}

impl SceneSnapshot {
    pub(crate) fn new(store: Store, world: Arc<PlacedWorld>, totals: Totals) -> Self {
        let hides = totals.masks.keys().any(|&mask| mask != u32::MAX);
        let runs = totals.masks.keys().map(|&mask| (1, mask));
        SceneSnapshot {
            masks: hides.then(|| Masks::from_runs(runs)),
            sole: (totals.placements == 1).then(|| sole(&store)).flatten(),
            has_kernels: totals.has_kernels() && world.tree.has_placed_walk(),
            store,
            world,
            totals,
            extent: FirstUse::new(),
            solids: FirstUse::new(),
            bytes: FirstUse::new(),
        }
    }

    /// Returns the number of placements of the scene itself, not of scenes in it.
    pub fn placement_count(&self) -> usize {
        self.totals.placements
    }

    fn extent(&self) -> &SceneExtent {
        self.extent.get_or_init(|| {
            let mut extent = SceneExtent {
                bounds: None,
                reach: [0.0; 3],
                condition: Condition::NONE,
                depth: 0,
            };
            for (_, placed) in self.placements() {
                let SceneExtent {
                    bounds,
                    reach,
                    condition,
                    depth,
                } = &mut extent;
                if let Some(of) = placed.bounds() {
                    *bounds = Some(bounds.map_or(of, |bounds| bounds.join(&of)));
                }
                let nested = placed.reach();
                *reach = [0, 1, 2].map(|axis| f64::max(reach[axis], nested[axis]));
                *condition = condition.or(&placed.condition());
                *depth = (*depth).max(placed.object().depth() + 1);
            }
            extent
        })
    }

    /// Returns the number of triangles that rays may hit, each counted as often as it is placed; at
    /// most `usize::MAX`.
    pub fn triangle_count(&self) -> usize {
        usize::try_from(self.totals.triangles).unwrap_or(usize::MAX)
    }

    /// Returns the number of spheres, boxes and primitives of the user that rays may hit, and that queries
    /// about points ([`PointQuery`](estoc_core::PointQuery)) leave out, each counted as often as it
    /// is placed; at most `usize::MAX`.
    pub fn shape_count(&self) -> usize {
        usize::try_from(self.totals.shapes).unwrap_or(usize::MAX)
    }

    /// Returns the largest number of placements on a path.
    pub fn depth(&self) -> usize {
        self.extent().depth
    }

    /// Returns the placement of the scene that has this number.
    pub fn placement(&self, number: u32) -> Option<&Placement> {
        self.store.get(number).map(|(_, placement)| placement)
    }

    /// Returns the placements with their numbers, in order.
    pub fn placements(&self) -> impl Iterator<Item = (u32, &Placement)> {
        let all = self.store.iter();
        all.map(|(number, (_, placement))| (number, placement))
    }

    /// Returns the placements on a path, from the outermost to that of the mesh or of the shapes; `None`
    /// if the path does not lead to any.
    pub fn placements_on(&self, path: ScenePath) -> Option<Vec<&Placement>> {
        let mut on_path = Vec::with_capacity(path.numbers().len());
        self.follow(path, |placement| on_path.push(placement))?;
        Some(on_path)
    }

    /// Returns the mesh in `f32` that a path leads to; `None` if it does not lead to one.
    pub fn mesh(&self, path: ScenePath) -> Option<&Arc<Bvh>> {
        match self.object(path)? {
            SceneObject::Mesh(bvh) => Some(bvh),
            _ => None,
        }
    }

    /// Returns the list of shapes that a path leads to; `None` if it does not lead to one.
    pub fn shapes(&self, path: ScenePath) -> Option<&Arc<ShapeList>> {
        match self.object(path)? {
            SceneObject::Shapes(shapes) => Some(shapes),
            _ => None,
        }
    }

    /// Returns the shapes of the user that a path leads to; `None` if it does not lead to any.
    pub fn user_shapes(&self, path: ScenePath) -> Option<&Arc<UserShapes>> {
        match self.object(path)? {
            SceneObject::User(shapes) => Some(shapes),
            _ => None,
        }
    }

    /// Returns the mesh or the shapes that a path leads to; `None` if it leads to neither.
    pub(crate) fn object(&self, path: ScenePath) -> Option<&SceneObject> {
        self.follow(path, |_| {})
    }

    /// Returns the matrix of a mesh or of shapes: those of the placements on its path, composed
    /// from the outermost inwards. `None` if the path leads to neither.
    pub fn matrix(&self, path: ScenePath) -> Option<PlacementMatrix> {
        let mut matrix: Option<PlacementMatrix> = None;
        self.follow(path, |placement| {
            matrix = Some(match &matrix {
                None => *placement.matrix(),
                Some(outer) => composed(outer, placement.matrix()),
            });
        })?;
        matrix
    }

    /// Returns the corners of a box around all triangles and shapes, which is slightly too large, or
    /// `None` if there are none.
    pub fn bounds(&self) -> Option<[DVec3; 2]> {
        let WideBox { min, max } = self.wide_bounds()?;
        Some([min.into(), max.into()])
    }

    /// Returns the number of meshes and of geometries of the user, each counted as often as it is placed,
    /// that are not closed, so that no point is inside. The first call looks at every mesh.
    pub fn open_objects(&self) -> usize {
        self.solids().open
    }

    /// Returns the number of meshes and of geometries of the user, each counted as often as it is placed,
    /// that are closed, and of lists of shapes, which always are.
    pub fn closed_objects(&self) -> usize {
        self.solids().closed
    }

    pub(crate) fn solids(&self) -> Solids {
        *self.solids.get_or_init(|| {
            let mut sum = Solids::default();
            for (_, placed) in self.placements() {
                let solids = match placed.object() {
                    SceneObject::Mesh(bvh) => Solids::one(bvh.is_closed()),
                    SceneObject::Mesh64(bvh) => Solids::one(bvh.is_closed()),
                    SceneObject::Shapes(_) => Solids::one(true),
                    SceneObject::User(shapes) => Solids::one(shapes.is_closed()),
                    SceneObject::Scene(scene) => scene.solids(),
                };
                sum.closed = sum.closed.saturating_add(solids.closed);
                sum.open = sum.open.saturating_add(solids.open);
            }
            sum
        })
    }

    /// Follows a path to its mesh or its shapes.
    pub(crate) fn follow<'a>(
        &'a self,
        path: ScenePath,
        visit: impl FnMut(&'a Placement),
    ) -> Option<&'a SceneObject> {
        match self.last_placement(path, visit)?.object() {
            SceneObject::Scene(_) => None,
            object => Some(object),
        }
    }

    /// Follows a path to its last placement.
    pub(crate) fn last_placement<'a>(
        &'a self,
        path: ScenePath,
        mut visit: impl FnMut(&'a Placement),
    ) -> Option<&'a Placement> {
        let mut scene = self;
        let (last, outer) = path.numbers().split_last()?;
        for &number in outer {
            let placement = scene.placement(number)?;
            visit(placement);
            scene = placement.object().scene()?;
        }
        let placement = scene.placement(*last)?;
        visit(placement);
        Some(placement)
    }

    /// Returns the mesh, with its path, if the scene is nothing else: one mesh that is placed where it is,
    /// with its sides and masks.
    #[inline]
    pub fn sole(&self) -> Option<(ScenePath, &Bvh)> {
        self.sole.as_ref().map(|(path, bvh)| (*path, &**bvh))
    }

    pub(crate) fn wide_bounds(&self) -> Option<WideBox> {
        self.extent().bounds
    }

    pub(crate) fn reach(&self) -> PlacedReach {
        self.extent().reach
    }

    pub(crate) fn condition(&self) -> Condition {
        self.extent().condition
    }

    /// Returns what an item of the tree is.
    #[inline(always)]
    pub(crate) fn placed_as(&self, item: u32) -> (&PlacedItem, &Placement) {
        let item = self.world.items.at(item);
        let placement = self.placement(item.number());
        (
            item,
            placement.expect("items have the numbers of placements"),
        )
    }

    /// Returns whether rays are traced by kernels of placed meshes first.
    #[inline(always)]
    pub(crate) fn has_kernels(&self) -> bool {
        self.has_kernels
    }

    pub(crate) fn masks_of_all(&self) -> Option<&Masks> {
        self.masks.as_ref()
    }

    /// Returns each mask that triangles or shapes have, once.
    pub(crate) fn distinct_masks(&self) -> impl Iterator<Item = u32> {
        self.totals.masks.keys().copied()
    }
}

/// Returns the first placement, if it is a mesh that is placed where it is, with its sides and masks.
fn sole(store: &Store) -> Option<(ScenePath, Arc<Bvh>)> {
    let (number, (_, placement)) = store.iter().next()?;
    let is_in_place = *placement.matrix() == PlacementMatrix::IDENTITY;
    let is_as_it_is = !placement.is_reversed() && placement.get_mask() == u32::MAX;
    match placement.object() {
        SceneObject::Mesh(bvh) if is_in_place && is_as_it_is => {
            Some((ScenePath::ROOT.then(number)?, bvh.clone()))
        }
        _ => None,
    }
}

/// Composes matrices that were found to be composable when they were placed.
pub(crate) fn composed(outer: &PlacementMatrix, inner: &PlacementMatrix) -> PlacementMatrix {
    outer.compose(inner).expect("checked when it was placed")
}

/// One line: the numbers of placements, triangles and shapes.
impl fmt::Debug for SceneSnapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SceneSnapshot")
            .field("placements", &self.placement_count())
            .field("triangles", &self.triangle_count())
            .field("shapes", &self.shape_count())
            .field("depth", &self.depth())
            .finish_non_exhaustive()
    }
}
