//! Scenes that are changed.

use crate::condition::Condition;
use crate::error::{MOST_CHECKED, SceneError};
use crate::snapshot::{Placement, PlacementId, SceneObject, SceneSnapshot, Store, Totals};
use estoc_bvh::Bvh;
use estoc_bvh::object_space::{BoxTree, PlacedItems, PlacedWorld};
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
/// let sheet = Mesh::try_new([[0.0f32; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0, 1, 2]])?;
/// let mut scene = Scene::new();
/// let id = scene.add(Placement::try_new(Bvh::build(&sheet), &DAffine3::IDENTITY)?)?;
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
    store: Store,
    free: BinaryHeap<Reverse<u32>>,
    totals: Totals,
    /// The last snapshot. Its tree is used again where that pays.
    last: Option<Arc<SceneSnapshot>>,
    /// What has changed since.
    changes: Changes,
}

#[derive(Clone, Debug)]
enum Changes {
    /// These placements have moved or have got other properties.
    Moved(Vec<u32>),
    /// Many have.
    Many,
    /// Placements were added or removed.
    Other,
}

impl Changes {
    /// Adds a move of one of so many placements.
    fn add(&mut self, number: u32, placements: usize) {
        let Changes::Moved(moved) = self else {
            return;
        };
        moved.push(number);
        if moved.len().is_power_of_two() && moved.len() >= MANY {
            moved.sort_unstable();
            moved.dedup();
            if moved.len() * MOST_MOVED > placements {
                *self = Changes::Many;
            }
        }
    }
}

impl Default for Changes {
    fn default() -> Self {
        Changes::Moved(Vec::new())
    }
}

/// From this number of moves on, those of one placement are counted once.
const MANY: usize = 64;

/// If more than one in this many placements has moved, all boxes are computed again.
const MOST_MOVED: usize = 8;

impl Scene {
    /// Returns a scene without placements.
    pub fn new() -> Self {
        Scene::default()
    }

    /// Returns the number of placements.
    pub fn len(&self) -> usize {
        self.totals.placements
    }

    /// Returns whether there are no placements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds a placement. It gets the lowest number that is free, which names it in paths.
    ///
    /// # Errors
    /// - [`SceneError::TooDeep`]: a path would have more than [`ScenePath::MAX_DEPTH`] placements.
    /// - [`SceneError::Composed`] and [`SceneError::Underflow`]: a composed matrix is not finite, has no
    ///   inverse, or is too small.
    /// - [`SceneError::TooManyToCheck`]: composed matrices may have no inverse, and are too many.
    /// - [`SceneError::Full`]: no number is free.
    pub fn add(&mut self, placement: Placement) -> Result<PlacementId, SceneError> {
        let placed = checked(placement)?;
        let number = match self.free.peek() {
            Some(&Reverse(number)) => number,
            None => u32::try_from(self.store.len())
                .ok()
                .filter(|&number| number < u32::MAX)
                .ok_or(SceneError::Full)?,
        };
        self.free.pop();
        self.totals.add(&placed);
        let id = PlacementId::next(number);
        self.store.set(number, Some((id.serial(), placed)));
        self.changes = Changes::Other;
        Ok(id)
    }

    /// Removes a placement.
    ///
    /// # Errors
    /// [`SceneError::NoSuchPlacement`].
    pub fn remove(&mut self, id: PlacementId) -> Result<Placement, SceneError> {
        self.entry(id)?;
        let removed = self.store.set(id.number(), None);
        let (_, placed) = removed.expect("found before");
        self.free.push(Reverse(id.number()));
        self.totals.remove(&placed);
        self.changes = Changes::Other;
        Ok(placed)
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
        let mut placement = self.entry(id)?.clone();
        placement.set_matrix(matrix);
        let entry = Some((id.serial(), checked(placement)?));
        self.store.set(id.number(), entry);
        self.changes.add(id.number(), self.totals.placements);
        Ok(())
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
        let has_box = placed.object().bounds().is_some();
        self.totals.add(&placed);
        let before = self.store.set(id.number(), Some((id.serial(), placed)));
        let (_, before) = before.expect("found before");
        self.totals.remove(&before);
        match has_box == before.object().bounds().is_some() {
            true => self.changes.add(id.number(), self.totals.placements),
            false => self.changes = Changes::Other,
        }
        Ok(before)
    }

    /// Returns a placement.
    ///
    /// # Errors
    /// [`SceneError::NoSuchPlacement`].
    pub fn placement(&self, id: PlacementId) -> Result<&Placement, SceneError> {
        self.entry(id)
    }

    /// Returns the ids of all placements, by number.
    pub fn ids(&self) -> impl Iterator<Item = PlacementId> + '_ {
        let all = self.store.iter();
        all.map(|(number, (serial, _))| PlacementId::of_serial(number, *serial))
    }

    /// Returns what answers queries about the scene as it is now, and stays as it is.
    ///
    /// The first call, and one after placements were added or removed, builds a tree over the boxes of
    /// all placements, in the rayon pool of the caller; objects are shared and not looked at. After
    /// moves, the boxes of the last snapshot's tree are refitted, in place if nobody else holds that
    /// snapshot any more, and otherwise in a copy; once they have grown to more than 1.5 times their area,
    /// another tree is built. Without any change, it returns the last snapshot.
    ///
    /// # Panics
    /// If the system has no memory for the tree; [`try_commit`](Self::try_commit) returns an error instead.
    pub fn commit(&mut self) -> Arc<SceneSnapshot> {
        self.try_commit().unwrap_or_else(|error| panic!("{error}"))
    }

    /// Does the same as [`commit`](Self::commit).
    ///
    /// # Errors
    /// [`SceneError::NoMemory`].
    pub fn try_commit(&mut self) -> Result<Arc<SceneSnapshot>, SceneError> {
        let last = self.last.take();
        if let (Changes::Moved(moved), Some(same)) = (&self.changes, &last)
            && moved.is_empty()
        {
            self.last = last.clone();
            return Ok(same.clone());
        }
        // If this fails, the next commit builds a tree.
        let changes = std::mem::replace(&mut self.changes, Changes::Other);
        let world = self.world(changes, last)?;
        self.changes = Changes::default();
        let snapshot = SceneSnapshot::new(self.store.clone(), world, self.totals.clone());
        let snapshot = Arc::new(snapshot);
        self.last = Some(snapshot.clone());
        Ok(snapshot)
    }

    /// Returns the tree of the last snapshot with what has moved, or builds one.
    fn world(
        &self,
        changes: Changes,
        last: Option<Arc<SceneSnapshot>>,
    ) -> Result<Arc<PlacedWorld>, SceneError> {
        let last = last.map(|last| match Arc::try_unwrap(last) {
            Ok(last) => last.world,
            Err(shared) => shared.world.clone(),
        });
        let item = |number| self.store.item(number);
        let last = match (changes, last) {
            (Changes::Moved(moved), Some(mut world))
                if moved.len() * MOST_MOVED <= self.len().max(MANY) =>
            {
                let bounds = |number| Some(self.store.get(number)?.1.bounds()?.corners());
                if Arc::make_mut(&mut world).refit(&moved, bounds, item) {
                    return Ok(world);
                }
                None
            }
            (Changes::Moved(_) | Changes::Many, last) => last,
            (Changes::Other, _) => None,
        };
        let boxes = self.store.boxes();
        if let Some(mut world) = last
            && Arc::make_mut(&mut world).refit_all(&boxes, item)
        {
            return Ok(world);
        }
        let placements = self.len();
        let mut tree = BoxTree::build(boxes).ok_or(SceneError::NoMemory { placements })?;
        let items = PlacedItems::of(&tree.number_by_leaves(), item);
        Ok(Arc::new(PlacedWorld { tree, items }))
    }

    fn entry(&self, id: PlacementId) -> Result<&Placement, SceneError> {
        let number = id.number();
        match self.store.get(number) {
            Some((serial, placed)) if *serial == id.serial() => Ok(placed),
            _ => Err(SceneError::NoSuchPlacement { number }),
        }
    }
}

impl SceneSnapshot {
    /// Returns a scene of a mesh alone, where it is. Questions about it cost no more than those about the
    /// mesh.
    ///
    /// ```
    /// # mod estoc { pub use {estoc_bvh::*, estoc_core::*, estoc_mesh::*}; pub mod scene { pub use {estoc_scene::*}; } }
    /// use estoc::{Bvh, Mesh, Ray, RayQuery, scene::SceneSnapshot};
    /// let sheet = Mesh::try_new([[0.0f32; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0, 1, 2]])?;
    /// let world = SceneSnapshot::of_mesh(Bvh::build(&sheet))?;
    /// let hit = world.closest_hit(&Ray::new([0.25, 0.5, 3.0], [0.0, 0.0, -1.0])).expect("the sheet");
    /// assert_eq!((hit.t, hit.path.numbers()), (3.0, &[0][..]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`SceneError::NoMemory`].
    pub fn of_mesh(bvh: impl Into<Arc<Bvh>>) -> Result<Arc<SceneSnapshot>, SceneError> {
        let mut scene = Scene::new();
        scene.add(Placement::with_matrix(
            bvh.into(),
            PlacementMatrix::IDENTITY,
        ))?;
        scene.try_commit()
    }
}

/// Checks the depth of a placement and the matrices that are composed with its own.
fn checked(placement: Placement) -> Result<Placement, SceneError> {
    let depth = placement.object().depth();
    if depth >= ScenePath::MAX_DEPTH {
        return Err(SceneError::TooDeep { depth });
    }
    if let SceneObject::Scene(scene) = placement.object()
        && !placement.condition().is_certain()
    {
        check_composed(placement.matrix(), scene, ScenePath::ROOT, &mut 0)?;
    }
    Ok(placement)
}

/// Composes a matrix with all that are nested. Parts whose matrices certainly compose are left out.
fn check_composed(
    outer: &PlacementMatrix,
    scene: &SceneSnapshot,
    path: ScenePath,
    checked: &mut usize,
) -> Result<(), SceneError> {
    let outer_condition = Condition::of(outer);
    for (number, placed) in scene.placements() {
        *checked += 1;
        if *checked > MOST_CHECKED {
            return Err(SceneError::TooManyToCheck);
        }
        if outer_condition.then(&placed.condition()).is_certain() {
            continue;
        }
        let path = path.then(number).expect("checked before");
        let own = placed.matrix();
        let composed = outer.compose(own);
        let composed = composed.map_err(|error| SceneError::Composed { path, error })?;
        if !outer.composes_normally(own) {
            return Err(SceneError::Underflow { path });
        }
        if let SceneObject::Scene(inner) = placed.object() {
            check_composed(&composed, inner, path, checked)?;
        }
    }
    Ok(())
}
