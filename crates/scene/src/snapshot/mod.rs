//! Scenes that answer queries.

mod object;
mod placed;
mod placement;

pub use object::SceneObject;
pub(crate) use placed::Placed;
pub use placement::{Placement, PlacementId};

use crate::condition::Condition;
use crate::placement_tree::PlacementTree;
use crate::world_box::{Reach, WideBox};
use estoc_bvh::Bvh;
use estoc_core::glam::DVec3;
use estoc_core::{Masks, PlacementMatrix, ScenePath};
use std::fmt;
use std::sync::{Arc, OnceLock};

/// A scene that answers every query about rays and does not change.
///
/// It is queried through [`RayQuery`](estoc_core::RayQuery), or in batches (made by
/// `Batch::default()`, since `Batch::new()` is for engines of one mesh), from any number of threads.
/// Hits are [`SceneHit`](estoc_core::SceneHit)s, and ids of triangles are
/// [`ScenePrim`](estoc_core::ScenePrim)s. Queries allocate nothing unless they return a `Vec`, are
/// about a point, or have to decide exactly between numbers that mix magnitudes by hundreds of bits.
///
/// [`contains`](estoc_core::RayQuery::contains) answers whether a point is inside at least one object
/// that is closed, or on one. Objects that are not closed are left out
/// ([`open_objects`](SceneSnapshot::open_objects) counts them); the answer is `None` if there are
/// objects, and none of them is closed.
pub struct SceneSnapshot {
    /// By number.
    placed: Vec<(u32, Placed)>,
    pub(crate) tree: PlacementTree,
    pub(crate) reach: Reach,
    condition: Condition,
    masks: Option<Masks>,
    distinct_masks: Vec<u32>,
    depth: usize,
    triangles: usize,
    solids: OnceLock<Solids>,
}

/// The number of objects by whether they are closed.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Solids {
    pub(crate) closed: usize,
    pub(crate) open: usize,
}

impl SceneSnapshot {
    pub(crate) fn new(placed: impl Iterator<Item = (u32, Placed)>) -> Self {
        let placed: Vec<(u32, Placed)> = placed.collect();
        let boxes = placed.iter().enumerate();
        let boxes = boxes.filter_map(|(index, (_, placed))| Some((index as u32, placed.bounds?)));
        let tree = PlacementTree::new(boxes.collect());
        let mut condition = Condition::NONE;
        let mut reach = [0.0; 3];
        let mut distinct_masks = Vec::new();
        let (mut depth, mut triangles) = (0, 0usize);
        for (_, placed) in &placed {
            let Placed { placement, .. } = placed;
            let object = placement.object();
            condition = condition.or(&placed.condition);
            depth = depth.max(object.depth() + 1);
            triangles = triangles.saturating_add(object.triangles());
            let masks = object.masks().into_iter();
            distinct_masks.extend(masks.map(|mask| mask & placement.get_mask()));
            let nested = placed.reach();
            reach = [0, 1, 2].map(|axis| f64::max(reach[axis], nested[axis]));
            if distinct_masks.len() > 1024 {
                distinct_masks.sort_unstable();
                distinct_masks.dedup();
            }
        }
        distinct_masks.sort_unstable();
        distinct_masks.dedup();
        let masks = distinct_masks.iter().any(|&mask| mask != u32::MAX);
        SceneSnapshot {
            tree,
            reach,
            condition,
            masks: masks.then(|| Masks::from_runs(distinct_masks.iter().map(|&mask| (1, mask)))),
            distinct_masks,
            depth,
            triangles,
            solids: OnceLock::new(),
            placed,
        }
    }

    /// Returns the number of placements of the scene itself, not of scenes in it.
    pub fn placement_count(&self) -> usize {
        self.placed.len()
    }

    /// Returns the number of triangles that rays may hit, each counted as often as it is placed; at
    /// most `usize::MAX`.
    pub fn triangle_count(&self) -> usize {
        self.triangles
    }

    /// Returns the largest number of placements on a path.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// Returns the placement of the scene that has this number.
    pub fn placement(&self, number: u32) -> Option<&Placement> {
        self.placed_at(number).map(|placed| &placed.placement)
    }

    /// Returns the placements with their numbers, in order.
    pub fn placements(&self) -> impl ExactSizeIterator<Item = (u32, &Placement)> {
        self.placed
            .iter()
            .map(|(number, placed)| (*number, &placed.placement))
    }

    /// Returns the placements on a path, from the outermost to that of the mesh; `None` if the path
    /// does not lead to a mesh.
    pub fn placements_on(&self, path: ScenePath) -> Option<Vec<&Placement>> {
        let mut on_path = Vec::with_capacity(path.numbers().len());
        self.follow(path, |placement| on_path.push(placement))?;
        Some(on_path)
    }

    /// Returns the mesh that a path leads to; `None` if it does not lead to one.
    pub fn mesh(&self, path: ScenePath) -> Option<&Arc<Bvh>> {
        self.follow(path, |_| {})
    }

    /// Returns the matrix of a mesh: those of the placements on its path, composed from the outermost
    /// inwards. `None` if the path does not lead to a mesh.
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

    /// Returns the corners of a box around all triangles, which is slightly too large, or `None` if
    /// there are none.
    pub fn bounds(&self) -> Option<[DVec3; 2]> {
        let WideBox { min, max } = self.wide_bounds()?;
        Some([min.into(), max.into()])
    }

    /// Returns the number of meshes, each counted as often as it is placed, that are not closed, so that
    /// no point is inside. The first call looks at every mesh.
    pub fn open_objects(&self) -> usize {
        self.solids().open
    }

    /// Returns the number of meshes, each counted as often as it is placed, that are closed.
    pub fn closed_objects(&self) -> usize {
        self.solids().closed
    }

    pub(crate) fn solids(&self) -> Solids {
        *self.solids.get_or_init(|| {
            let mut sum = Solids::default();
            for (_, placed) in &self.placed {
                let solids = match placed.placement.object() {
                    SceneObject::Mesh(bvh) => match bvh.is_closed() {
                        true => Solids { closed: 1, open: 0 },
                        false => Solids { closed: 0, open: 1 },
                    },
                    SceneObject::Scene(scene) => scene.solids(),
                };
                sum.closed = sum.closed.saturating_add(solids.closed);
                sum.open = sum.open.saturating_add(solids.open);
            }
            sum
        })
    }

    /// Follows a path to its mesh.
    pub(crate) fn follow<'a>(
        &'a self,
        path: ScenePath,
        mut visit: impl FnMut(&'a Placement),
    ) -> Option<&'a Arc<Bvh>> {
        let mut scene = self;
        let (last, outer) = path.numbers().split_last()?;
        for &number in outer {
            let placement = scene.placement(number)?;
            visit(placement);
            match placement.object() {
                SceneObject::Scene(inner) => scene = inner,
                SceneObject::Mesh(_) => return None,
            }
        }
        let placement = scene.placement(*last)?;
        visit(placement);
        match placement.object() {
            SceneObject::Mesh(bvh) => Some(bvh),
            SceneObject::Scene(_) => None,
        }
    }

    pub(crate) fn all_placed(&self) -> impl Iterator<Item = (u32, &Placed)> {
        self.placed.iter().map(|(number, placed)| (*number, placed))
    }

    /// Returns a placement by its index, with its number.
    pub(crate) fn by_index(&self, index: u32) -> &(u32, Placed) {
        &self.placed[index as usize]
    }

    fn placed_at(&self, number: u32) -> Option<&Placed> {
        let place = self
            .placed
            .binary_search_by_key(&number, |(number, _)| *number);
        Some(&self.placed[place.ok()?].1)
    }

    pub(crate) fn wide_bounds(&self) -> Option<WideBox> {
        self.tree.bounds()
    }

    pub(crate) fn masks_of_all(&self) -> Option<&Masks> {
        self.masks.as_ref()
    }

    pub(crate) fn distinct_masks(&self) -> &[u32] {
        &self.distinct_masks
    }
}

/// Composes matrices that were found to be composable when they were placed.
pub(crate) fn composed(outer: &PlacementMatrix, inner: &PlacementMatrix) -> PlacementMatrix {
    outer.compose(inner).expect("checked when it was placed")
}

/// One line: the numbers of placements and triangles.
impl fmt::Debug for SceneSnapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SceneSnapshot")
            .field("placements", &self.placement_count())
            .field("triangles", &self.triangle_count())
            .field("depth", &self.depth())
            .finish_non_exhaustive()
    }
}
