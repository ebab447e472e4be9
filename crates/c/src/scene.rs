//! Scenes that are changed.

use crate::call::{Call, call};
use crate::handles::{Held, give};
use crate::run::{Run, estoc_run};
use crate::status::{Failure, estoc_status, given, room};
use crate::world::{World, estoc_world};
use ::estoc_scene::{Placement, PlacementId, SceneObject};
use estoc_core::PlacementMatrix;
use std::collections::HashMap;
use std::mem::MaybeUninit;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// An affine map of the coordinates of a mesh (relative to its origin) or of a scene to those of the scene that it is
/// placed in. Any one that has an inverse.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct estoc_matrix {
    /// For each axis three factors and the movement: `x' = rows[0][0] x + rows[0][1] y + rows[0][2] z + rows[0][3]`.
    pub rows: [[f64; 4]; 3],
}

/// How a world is placed in a scene.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct estoc_placement {
    /// Where it is.
    pub matrix: estoc_matrix,
    /// The groups that the placement is in, a bit each: a ray sees it only if they share a bit. 0 for all.
    pub mask: u32,
    /// 1 to exchange the sides of the triangles, else 0.
    pub reversed: i32,
}

/// A scene that can be changed: worlds that are placed by matrices.
pub struct estoc_scene {
    _opaque: (),
}

impl Held for Scene {
    type Handle = estoc_scene;
    const NAME: &str = "a scene";
}

/// A scene and the ids of its placements, by number.
#[derive(Default)]
pub(crate) struct Scene(Mutex<State>);

#[derive(Default)]
struct State {
    scene: ::estoc_scene::Scene,
    ids: HashMap<u32, PlacementId>,
}

impl Scene {
    /// Returns the scene for one thread. None of a pool waits for it, but that which commits.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn id(&self, number: u32) -> Result<PlacementId, Failure> {
        self.ids.get(&number).copied().ok_or_else(|| {
            let sentence =
                format!("the scene has no placement {number}: it was removed, or never was");
            Failure::new(estoc_status::ESTOC_BAD_SCENE, sentence)
        })
    }
}

/// Does something with a scene, which one thread changes at a time.
fn with<T>(
    call: &Call,
    handle: *const estoc_scene,
    work: impl FnOnce(&mut State) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let scene: &Scene = call.get(handle)?;
    work(&mut scene.lock())
}

/// Makes a scene without placements. Threads: any. Release the scene by `estoc_release`.
#[unsafe(no_mangle)]
pub extern "C" fn estoc_scene_create(
    scene: Option<&mut MaybeUninit<*mut estoc_scene>>,
) -> estoc_status {
    call(|_| give(Scene::default(), room(scene, "scene")?))
}

/// Places a world, which may be released afterwards: the tree of a mesh, or a scene as it was when it was committed.
/// Tells the number of the placement, the lowest that is free, which names it in paths.
///
/// Fails with `ESTOC_BAD_SCENE` for a matrix that is not finite or has no inverse, alone or composed with those in a
/// placed scene, and for more than `ESTOC_MAX_DEPTH` scenes in each other. Threads: any, while others ask questions
/// and change the scene, one after the other.
#[unsafe(no_mangle)]
pub extern "C" fn estoc_scene_add(
    handle: *const estoc_scene,
    world: *const estoc_world,
    placement: Option<&estoc_placement>,
    number: Option<&mut MaybeUninit<u32>>,
) -> estoc_status {
    call(|call| {
        let object: SceneObject = match call.get(world)? {
            World::Tree(tree) => tree.bvh.clone().into(),
            World::Wide(bvh, _) => bvh.clone().into(),
            World::Scene(scene, _) => scene.clone().into(),
        };
        let (given, number) = (given(placement, "placement")?, room(number, "number")?);
        let mut placement =
            Placement::with_matrix(object, PlacementMatrix::from_rows(given.matrix.rows)?);
        if given.mask != 0 {
            placement = placement.mask(given.mask);
        }
        placement = placement.reversed(given.reversed != 0);
        with(call, handle, |state| {
            let id = state.scene.add(placement)?;
            state.ids.insert(id.number(), id);
            number.write(id.number());
            Ok(())
        })
    })
}

/// Moves a placement: gives it another matrix.
///
/// Fails with `ESTOC_BAD_SCENE`, and then changes nothing. Threads: as `estoc_scene_add`.
#[unsafe(no_mangle)]
pub extern "C" fn estoc_scene_move(
    handle: *const estoc_scene,
    number: u32,
    matrix: Option<&estoc_matrix>,
) -> estoc_status {
    call(|call| {
        let matrix = PlacementMatrix::from_rows(given(matrix, "matrix")?.rows)?;
        with(call, handle, |state| {
            let id = state.id(number)?;
            Ok(state.scene.set_matrix(id, matrix)?)
        })
    })
}

/// Removes a placement. Its number is free then.
///
/// Fails with `ESTOC_BAD_SCENE` if there is none. Threads: as `estoc_scene_add`.
#[unsafe(no_mangle)]
pub extern "C" fn estoc_scene_remove(handle: *const estoc_scene, number: u32) -> estoc_status {
    call(|call| {
        with(call, handle, |state| {
            let id = state.id(number)?;
            state.scene.remove(id)?;
            state.ids.remove(&number);
            Ok(())
        })
    })
}

/// Makes the world of the scene as it is now, which stays as it is while the scene changes. After moves it takes
/// little time: the boxes of the last world are refitted. `run` may be null; there is no progress.
///
/// Fails with `ESTOC_NO_MEMORY`. Threads: as `estoc_scene_add`.
#[unsafe(no_mangle)]
pub extern "C" fn estoc_scene_commit(
    handle: *const estoc_scene,
    run: Option<&estoc_run>,
    world: Option<&mut MaybeUninit<*mut estoc_world>>,
) -> estoc_status {
    call(|call| {
        let (to, run) = (room(world, "world")?, Run::of(run, call)?);
        let scene: &Scene = call.get(handle)?;
        let snapshot = run.in_threads(|| Ok(scene.lock().scene.try_commit()?));
        give(World::scene(snapshot?), to)
    })
}
