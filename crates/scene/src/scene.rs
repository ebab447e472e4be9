//! Scenes that are changed.

use crate::condition::Condition;
use crate::error::SceneError;
use crate::inverse::Inverse;
use crate::snapshot::{Placed, Placement, PlacementId, SceneObject, SceneSnapshot};
use estoc_core::{PlacementMatrix, ScenePath};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

/// Placements that can be added, moved and removed; [`commit`](Scene::commit) makes what answers
/// queries.
///
/// ```
/// # mod estoc { pub use {estoc_bvh::*, estoc_core::*, estoc_mesh::*}; pub mod scene { pub use {estoc_scene::*}; } }
/// use estoc::{Bvh, Mesh, Ray, RayQuery, glam::DAffine3};
/// use estoc::scene::{Placement, PlacementMatrix, Scene};
/// let sheet = Mesh::new([[0.0f32; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0, 1, 2]])?;
/// let mut scene = Scene::new();
/// let id = scene.add(Placement::new(Bvh::build(&sheet), &DAffine3::IDENTITY)?)?;
/// let before = scene.commit();
/// scene.set_matrix(id, PlacementMatrix::try_new(&DAffine3::from_translation([0.0, 0.0, 5.0].into()))?)?;
/// let after = scene.commit();
/// let ray = Ray::new([0.25, 0.25, -1.0], [0.0, 0.0, 1.0]);
/// let t = |scene: &estoc::scene::SceneSnapshot| scene.closest_hit(&ray).unwrap().t;
/// assert_eq!((t(&before), t(&after)), (1.0, 6.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Scene {
    /// By number.
    entries: Vec<Option<(PlacementId, Placed)>>,
    free: BinaryHeap<Reverse<u32>>,
}

impl Scene {
    /// Returns a scene without placements.
    pub fn new() -> Self {
        Scene::default()
    }

    /// Returns the number of placements.
    pub fn len(&self) -> usize {
        self.entries.len() - self.free.len()
    }

    /// Returns whether there are no placements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds a placement. It gets the lowest number that is free, which names it in paths.
    ///
    /// # Errors
    /// - [`SceneError::TooDeep`]: a path would have more than [`ScenePath::MAX_DEPTH`] placements.
    /// - [`SceneError::Composed`]: a composed matrix is not finite or has no inverse.
    /// - [`SceneError::Full`]: no number is free.
    pub fn add(&mut self, placement: Placement) -> Result<PlacementId, SceneError> {
        let placed = checked(placement)?;
        let number = match self.free.peek() {
            Some(&Reverse(number)) => number,
            None => u32::try_from(self.entries.len())
                .ok()
                .filter(|&number| number < u32::MAX)
                .ok_or(SceneError::Full)?,
        };
        let id = PlacementId::next(number);
        let entry = Some((id, placed));
        match self.free.pop() {
            Some(_) => self.entries[number as usize] = entry,
            None => self.entries.push(entry),
        }
        Ok(id)
    }

    /// Removes a placement.
    ///
    /// # Errors
    /// [`SceneError::NoSuchPlacement`].
    pub fn remove(&mut self, id: PlacementId) -> Result<Placement, SceneError> {
        self.entry(id)?;
        let removed = self.entries[id.number() as usize].take();
        self.free.push(Reverse(id.number()));
        let (_, placed) = removed.expect("found before");
        Ok(placed.placement)
    }

    /// Moves a placement.
    ///
    /// # Errors
    /// [`SceneError::NoSuchPlacement`], and those of [`add`](Self::add); then nothing is changed.
    pub fn set_matrix(
        &mut self,
        id: PlacementId,
        matrix: PlacementMatrix,
    ) -> Result<(), SceneError> {
        let mut placement = self.entry(id)?.placement.clone();
        placement.set_matrix(matrix);
        self.replace(id, placement).map(drop)
    }

    /// Replaces a placement, which keeps its id, and returns what it was.
    ///
    /// # Errors
    /// The same as for [`set_matrix`](Self::set_matrix).
    pub fn replace(
        &mut self,
        id: PlacementId,
        placement: Placement,
    ) -> Result<Placement, SceneError> {
        self.entry(id)?;
        let placed = checked(placement)?;
        let before = self.entries[id.number() as usize].replace((id, placed));
        let (_, before) = before.expect("found before");
        Ok(before.placement)
    }

    /// Returns a placement.
    ///
    /// # Errors
    /// [`SceneError::NoSuchPlacement`].
    pub fn placement(&self, id: PlacementId) -> Result<&Placement, SceneError> {
        Ok(&self.entry(id)?.placement)
    }

    /// Returns the ids of all placements, by number.
    pub fn ids(&self) -> impl Iterator<Item = PlacementId> + '_ {
        self.entries.iter().flatten().map(|(id, _)| *id)
    }

    /// Returns what answers queries about the scene as it is now, and stays as it is.
    ///
    /// Takes the time of sorting the placements once for each level of a binary tree over them. Objects
    /// are shared and not looked at.
    pub fn commit(&self) -> Arc<SceneSnapshot> {
        let entries = self.entries.iter().enumerate();
        let placed = entries.filter_map(|(number, entry)| {
            let (_, placed) = entry.as_ref()?;
            Some((number as u32, placed.clone()))
        });
        Arc::new(SceneSnapshot::new(placed))
    }

    fn entry(&self, id: PlacementId) -> Result<&Placed, SceneError> {
        let number = id.number();
        match self.entries.get(number as usize) {
            Some(Some((there, placed))) if *there == id => Ok(placed),
            _ => Err(SceneError::NoSuchPlacement { number }),
        }
    }
}

/// Checks the depth of a placement and the matrices that are composed with its own.
fn checked(placement: Placement) -> Result<Placed, SceneError> {
    let depth = placement.object().depth();
    if depth >= ScenePath::MAX_DEPTH {
        return Err(SceneError::TooDeep { depth });
    }
    let placed = Placed::new(placement);
    if let SceneObject::Scene(scene) = placed.placement.object()
        && !placed.condition.is_certain()
    {
        check_composed(placed.placement.matrix(), scene, ScenePath::ROOT)?;
    }
    Ok(placed)
}

/// Composes a matrix with all that are nested. Parts whose matrices certainly compose are left out.
fn check_composed(
    outer: &PlacementMatrix,
    scene: &SceneSnapshot,
    path: ScenePath,
) -> Result<(), SceneError> {
    let outer_condition = Condition::of(outer, Inverse::of(outer).as_ref());
    for (number, placed) in scene.all_placed() {
        if outer_condition.then(&placed.condition).is_certain() {
            continue;
        }
        let path = path.then(number).expect("checked before");
        let composed = outer.compose(placed.placement.matrix());
        let composed = composed.map_err(|error| SceneError::Composed { path, error })?;
        if let SceneObject::Scene(inner) = placed.placement.object() {
            check_composed(&composed, inner, path)?;
        }
    }
    Ok(())
}
