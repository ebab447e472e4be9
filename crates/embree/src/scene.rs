//! Scenes: geometries with ids, and what answers since the last commit.

use crate::abi::{Bounds, ProgressMonitor, quality};
use crate::device::Device;
use crate::entry::{call, callback};
use crate::failure::{Failure, invalid_argument, report};
use crate::geometry::{Geometry, Kind};
use crate::geometry_calls::checked_quality;
use crate::handle::Handle;
use crate::host_pointer::HostPointer;
use crate::published::Published;
use crate::surface::Build;
use crate::world::World;
use estoc_core::{CancelToken, Progress};
use std::collections::BTreeMap;
use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A scene.
pub(crate) struct Scene {
    device: Arc<Device>,
    state: Mutex<State>,
    world: Published<World>,
    /// What the world was built from. One commit runs at a time.
    built: Mutex<Option<Source>>,
}

struct State {
    geometries: BTreeMap<u32, Arc<Geometry>>,
    /// All ids below are in use.
    lowest: u32,
    flags: u32,
    quality: u32,
    progress: Option<(ProgressMonitor, HostPointer)>,
}

/// The geometries by id, with how often each was committed and the worlds of the scenes that they instance, and the quality.
#[derive(PartialEq)]
struct Source(Vec<(u32, usize, u64, Vec<usize>)>, u32);

impl Scene {
    fn new(device: Arc<Device>) -> Self {
        Scene {
            device,
            state: Mutex::new(State {
                geometries: BTreeMap::new(),
                lowest: 0,
                flags: 0,
                quality: quality::MEDIUM,
                progress: None,
            }),
            world: Published::new(),
            built: Mutex::new(None),
        }
    }

    pub(crate) fn device(&self) -> &Device {
        &self.device
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns what answers queries; `None` before the first commit.
    #[inline(always)]
    pub(crate) fn world(&self) -> Option<&World> {
        self.world.get()
    }

    pub(crate) fn world_kept(&self) -> Option<Arc<World>> {
        self.world.kept()
    }

    fn attach(&self, geometry: Arc<Geometry>, id: Option<u32>) -> Result<u32, Failure> {
        if !std::ptr::eq(&*geometry.device, &*self.device) {
            return Err(invalid_argument(
                "the geometry belongs to another device than the scene",
            ));
        }
        let state = &mut *self.state();
        let id = match id {
            Some(id) if state.geometries.contains_key(&id) => {
                return Err(invalid_argument(format!(
                    "the geometry id {id} is in use; detach it, or pass another"
                )));
            }
            Some(id) => id,
            None => {
                while state.geometries.contains_key(&state.lowest) {
                    state.lowest += 1;
                }
                state.lowest
            }
        };
        state.geometries.insert(id, geometry);
        Ok(id)
    }

    pub(crate) fn geometry(&self, id: u32) -> Result<Arc<Geometry>, Failure> {
        let found = self.state().geometries.get(&id).cloned();
        found.ok_or_else(|| invalid_argument(format!("the scene has no geometry {id}")))
    }

    /// Builds what answers queries, unless nothing has changed.
    fn commit(&self) -> Result<(), Failure> {
        let mut built = self.built.lock().unwrap_or_else(PoisonError::into_inner);
        let (geometries, quality, progress) = {
            let state = self.state();
            let all = state
                .geometries
                .iter()
                .map(|(&id, geometry)| (id, geometry.clone()));
            let enabled = all.filter(|(_, geometry)| geometry.settings().is_enabled);
            (enabled.collect::<Vec<_>>(), state.quality, state.progress)
        };
        let entries = geometries.iter().map(|(id, geometry)| {
            let settings = geometry.settings();
            let worlds = settings.scenes.iter().map(|scene| {
                scene
                    .world
                    .kept()
                    .map_or(0, |world| Arc::as_ptr(&world) as usize)
            });
            (
                *id,
                Arc::as_ptr(geometry) as usize,
                geometry.version(),
                worlds.collect(),
            )
        });
        let source = Source(entries.collect(), quality);
        if built.as_ref() == Some(&source) && self.world.get().is_some() {
            return Ok(());
        }
        let cancel = CancelToken::new();
        let told = |Progress { done, total, .. }: Progress| {
            if let Some((function, user)) = progress {
                let share = done as f64 / total.unwrap_or(done).max(1) as f64;
                if !callback(|| function(user.get(), share)) {
                    cancel.cancel();
                }
            }
        };
        let build = Build {
            quality,
            cancel: &cancel,
            progress: progress.is_some().then_some(&told),
        };
        let left_out = |failure| report(Some(&self.device), failure);
        let world = World::build(&self.device, &geometries, &build, &left_out)?;
        self.world.set(Arc::new(world));
        *built = Some(source);
        Ok(())
    }
}

/// Runs a call about a scene.
pub(crate) fn of_scene<T>(
    scene: Handle<Scene>,
    on_failure: T,
    work: impl FnOnce(&Scene) -> Result<T, Failure>,
) -> T {
    call(scene.get().map(Scene::device), on_failure, || {
        work(scene.object()?)
    })
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn rtcNewScene(device: Handle<Device>) -> Handle<Scene> {
    call(device.get(), Handle::NULL, || {
        Ok(Handle::given(Arc::new(Scene::new(device.shared()?))))
    })
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn rtcGetSceneDevice(scene: Handle<Scene>) -> Handle<Device> {
    of_scene(scene, Handle::NULL, |scene| {
        Ok(Handle::given(scene.device.clone()))
    })
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn rtcRetainScene(scene: Handle<Scene>) {
    call(None, (), || scene.retain());
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn rtcReleaseScene(scene: Handle<Scene>) {
    call(None, (), || scene.release().map(drop));
}

/// A scene is its own traversable object.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn rtcGetSceneTraversable(scene: Handle<Scene>) -> Handle<Scene> {
    scene
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn rtcAttachGeometry(
    scene: Handle<Scene>,
    geometry: Handle<Geometry>,
) -> u32 {
    of_scene(scene, crate::abi::INVALID, |scene| {
        scene.attach(geometry.shared()?, None)
    })
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn rtcAttachGeometryByID(
    scene: Handle<Scene>,
    geometry: Handle<Geometry>,
    id: u32,
) {
    of_scene(scene, (), |scene| {
        scene.attach(geometry.shared()?, Some(id)).map(|_| ())
    });
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn rtcDetachGeometry(scene: Handle<Scene>, id: u32) {
    of_scene(scene, (), |scene| {
        scene.geometry(id)?;
        let state = &mut *scene.state();
        state.geometries.remove(&id);
        state.lowest = state.lowest.min(id);
        Ok(())
    });
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn rtcGetGeometry(scene: Handle<Scene>, id: u32) -> Handle<Geometry> {
    of_scene(scene, Handle::NULL, |scene| {
        Ok(Handle::lent(&scene.geometry(id)?))
    })
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn rtcGetGeometryThreadSafe(
    scene: Handle<Scene>,
    id: u32,
) -> Handle<Geometry> {
    rtcGetGeometry(scene, id)
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn rtcGetGeometryUserDataFromScene(
    scene: Handle<Scene>,
    id: u32,
) -> *mut c_void {
    of_scene(scene, null_mut(), |scene| Ok(scene.geometry(id)?.user()))
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn rtcGetGeometryUserDataFromTraversable(
    scene: Handle<Scene>,
    id: u32,
) -> *mut c_void {
    rtcGetGeometryUserDataFromScene(scene, id)
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn rtcGetGeometryTransformFromScene(
    scene: Handle<Scene>,
    id: u32,
    _time: f32,
    format: u32,
    to: *mut f32,
) {
    of_scene(scene, (), |scene| {
        let geometry = scene.geometry(id)?;
        let settings = geometry.settings_of(&[Kind::Instance, Kind::InstanceArray])?;
        settings.instance(geometry.kind, 0)?.1.write(format, to)
    });
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn rtcGetGeometryTransformFromTraversable(
    scene: Handle<Scene>,
    id: u32,
    time: f32,
    format: u32,
    to: *mut f32,
) {
    rtcGetGeometryTransformFromScene(scene, id, time, format, to);
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn rtcCommitScene(scene: Handle<Scene>) {
    of_scene(scene, (), |scene| scene.device.install(|| scene.commit()));
}

/// The threads that join wait for the first one.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn rtcJoinCommitScene(scene: Handle<Scene>) {
    rtcCommitScene(scene);
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn rtcSetSceneProgressMonitorFunction(
    scene: Handle<Scene>,
    function: Option<ProgressMonitor>,
    user: *mut c_void,
) {
    of_scene(scene, (), |scene| {
        scene.state().progress = function.map(|function| (function, HostPointer::of(user)));
        Ok(())
    });
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn rtcSetSceneBuildQuality(scene: Handle<Scene>, quality: u32) {
    of_scene(scene, (), |scene| {
        scene.state().quality = checked_quality(quality)?;
        Ok(())
    });
}

/// Flags choose between speed and exactness in Embree; here they have no effect, and answers are exact with any.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn rtcSetSceneFlags(scene: Handle<Scene>, flags: u32) {
    of_scene(scene, (), |scene| {
        scene.state().flags = flags;
        Ok(())
    });
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn rtcGetSceneFlags(scene: Handle<Scene>) -> u32 {
    of_scene(scene, 0, |scene| Ok(scene.state().flags))
}

/// Writes the bounds, rounded outwards; those of nothing have lower numbers of +inf and upper ones of -inf.
fn write_bounds(scene: Handle<Scene>, to: &mut [Option<&mut Bounds>]) {
    of_scene(scene, (), |scene| {
        let not_committed = || crate::failure::invalid_operation("the scene was not committed");
        let bounds = scene.world().ok_or_else(not_committed)?.bounds();
        let [lower, upper] = match bounds {
            None => [[f32::INFINITY; 3], [f32::NEG_INFINITY; 3]],
            Some([min, max]) => {
                let down = |x: f64| {
                    if f64::from(x as f32) > x {
                        (x as f32).next_down()
                    } else {
                        x as f32
                    }
                };
                [min.to_array().map(down), max.to_array().map(|x| -down(-x))]
            }
        };
        for to in to.iter_mut().flatten() {
            **to = Bounds {
                lower: [lower[0], lower[1], lower[2], 0.0],
                upper: [upper[0], upper[1], upper[2], 0.0],
            };
        }
        Ok(())
    });
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn rtcGetSceneBounds(scene: Handle<Scene>, to: Option<&mut Bounds>) {
    write_bounds(scene, &mut [to]);
}

/// Both ends of the time have the same bounds.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn rtcGetSceneLinearBounds(
    scene: Handle<Scene>,
    to: Option<&mut [Bounds; 2]>,
) {
    let [first, last] = to
        .map(|[first, last]| [Some(first), Some(last)])
        .unwrap_or_default();
    write_bounds(scene, &mut [first, last]);
}
