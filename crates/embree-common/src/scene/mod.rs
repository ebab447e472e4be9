//! Scenes: geometries with ids, and what answers since the last commit.

pub mod geometry;
pub mod surface;
pub mod user_shape;
pub mod world;

use crate::abi::{INVALID, ProgressMonitor, quality};
use crate::device::Device;
use crate::failure::{Failure, invalid_argument};
use crate::host_mode::{of_callbacks, with_callbacks_in};
use crate::host_pointer::HostPointer;
use crate::scene::geometry::Geometry;
use crate::scene::surface::Build;
use crate::scene::world::World;
use crate::swap_cell::{Copied, SwapCell};
use estoc_core::{CancelToken, Progress};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A scene.
pub struct Scene {
    pub device: Arc<Device>,
    state: Mutex<State>,
    /// The geometries by id in ascending order, since a commit.
    attached: Copied<Vec<(u32, Arc<Geometry>)>>,
    world: SwapCell<World>,
    /// What the world was built from. One commit runs at a time.
    built: Mutex<Option<Source>>,
}

pub struct State {
    geometries: BTreeMap<u32, Arc<Geometry>>,
    /// All ids below are in use.
    lowest: u32,
    pub flags: u32,
    pub quality: u32,
    pub progress: Option<(ProgressMonitor, HostPointer)>,
}

/// The numbers of the enabled geometries by id, with how often each was committed and the numbers of the worlds that it
/// instances, and the quality.
#[derive(PartialEq)]
struct Source(Vec<(u32, u64, u64, Vec<u64>)>, u32);

impl Scene {
    pub fn new(device: Arc<Device>) -> Self {
        Scene {
            device,
            state: Mutex::new(State {
                geometries: BTreeMap::new(),
                lowest: 0,
                flags: 0,
                quality: quality::MEDIUM,
                progress: None,
            }),
            attached: Copied::default(),
            world: SwapCell::default(),
            built: Mutex::new(None),
        }
    }

    pub fn device(&self) -> &Device {
        &self.device
    }

    pub fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns what answers queries; `None` before the first commit.
    #[inline(always)]
    pub fn world(&self) -> Option<&World> {
        self.world.get()
    }

    pub fn shared_world(&self) -> Option<Arc<World>> {
        self.world.shared()
    }

    pub fn attach(&self, geometry: Arc<Geometry>, id: Option<u32>) -> Result<u32, Failure> {
        if !std::ptr::eq(&*geometry.device, &*self.device) {
            return Err(invalid_argument(
                "the geometry belongs to another device than the scene",
            ));
        }
        let state = &mut *self.state();
        let id = match id {
            Some(INVALID) => {
                return Err(invalid_argument(format!(
                    "the geometry id {INVALID} stands for none; pass a lower one"
                )));
            }
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
        self.attached.outdate();
        state.geometries.insert(id, geometry);
        Ok(id)
    }

    /// Removes a geometry, and returns it to be dropped after the lock, since that may call the memory monitor.
    pub fn detach(&self, id: u32) -> Result<Arc<Geometry>, Failure> {
        let state = &mut *self.state();
        let removed = state.geometries.remove(&id).ok_or_else(|| unknown(id))?;
        self.attached.outdate();
        state.lowest = state.lowest.min(id);
        Ok(removed)
    }

    /// Returns what `get` returns of a geometry, without a lock if none was attached or detached since the last commit; then
    /// none may be meanwhile.
    pub fn of_geometry<T>(
        &self,
        id: u32,
        get: impl FnOnce(&Arc<Geometry>) -> T,
    ) -> Result<T, Failure> {
        let Some(attached) = self.attached.get() else {
            return self.of_geometry_safely(id, get);
        };
        // Ids are mostly places.
        let at = match attached.get(id as usize) {
            Some((of, _)) if *of == id => Ok(id as usize),
            _ => attached.binary_search_by_key(&id, |(of, _)| *of),
        };
        Ok(get(&attached[at.map_err(|_| unknown(id))?].1))
    }

    /// Does the same while geometries may be attached and detached.
    pub fn of_geometry_safely<T>(
        &self,
        id: u32,
        get: impl FnOnce(&Arc<Geometry>) -> T,
    ) -> Result<T, Failure> {
        let state = self.state();
        state
            .geometries
            .get(&id)
            .map(get)
            .ok_or_else(|| unknown(id))
    }

    /// Builds what answers queries, unless nothing has changed. Returns why something was left out.
    pub fn commit(&self) -> Result<Vec<Failure>, Failure> {
        // Dropped after the locks, since that calls the memory monitor.
        let _outdated;
        let mut built = self.built.lock().unwrap_or_else(PoisonError::into_inner);
        let (geometries, quality, progress) = {
            let state = self.state();
            let all = state.geometries.iter();
            let all = all.map(|(&id, geometry)| (id, geometry.clone()));
            _outdated = self.attached.renew(|| all.clone().collect());
            let enabled = all.filter(|(_, geometry)| geometry.settings().is_enabled);
            (enabled.collect::<Vec<_>>(), state.quality, state.progress)
        };
        let entries = geometries.iter().map(|(id, geometry)| {
            let settings = geometry.settings();
            let worlds = settings
                .scenes
                .iter()
                .map(|scene| scene.world.shared().map_or(0, |world| world.number));
            (*id, geometry.number, geometry.version(), worlds.collect())
        });
        let source = Source(entries.collect(), quality);
        if built.as_ref() == Some(&source) && self.world.get().is_some() {
            return Ok(Vec::new());
        }
        let (cancel, host) = (CancelToken::new(), of_callbacks());
        let tell = |Progress { done, total, .. }: Progress| {
            if let Some((function, user)) = progress {
                let share = done as f64 / total.unwrap_or(done).max(1) as f64;
                if !host.run_foreign(|| function(user.get(), share)) {
                    cancel.cancel();
                }
            }
        };
        let build = Build {
            quality,
            cancel: &cancel,
            progress: progress.is_some().then_some(&tell),
        };
        let left_out = Mutex::new(Vec::new());
        let note = |failure| {
            left_out
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push(failure)
        };
        // The lock is held by this thread and not by one of the pool, which might take a second commit up meanwhile.
        let world = self.device.install(|| {
            with_callbacks_in(host, || {
                World::build(&self.device, &geometries, &build, &note)
            })
        })?;
        let replaced = self.world.set(Arc::new(world));
        *built = Some(source);
        // That calls the memory monitor.
        drop(built);
        drop(replaced);
        Ok(left_out
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner))
    }
}

#[cold]
fn unknown(id: u32) -> Failure {
    invalid_argument(format!("the scene has no geometry {id}"))
}
