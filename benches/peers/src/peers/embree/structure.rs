//! A structure in Embree that rays are traced in, from build to release: the scenes of meshes, and
//! scenes in which these are placed.

use super::abi::Handle;
use super::device::Device;
use super::library::Library;
use super::packet::{HINTS, Packets, packet_name};
use super::placed::PlacedScene;
use super::settings::Settings;
use super::single::OneByOne;
use crate::engine::Engine;
use crate::scenes;
use crate::worlds::{Changing, Placing, Rows};
use std::sync::Arc;

/// A structure of committed scenes, which any number of threads may query.
pub(super) struct Structure {
    settings: Settings,
    device: Device,
    /// The scenes of meshes.
    scenes: Vec<Handle>,
    /// The scene of each level of placements, which needs those before.
    levels: Vec<PlacedScene>,
    /// Owns the buffers that Embree reads.
    meshes: Vec<Arc<scenes::Scene>>,
}

// SAFETY: Embree allows queries of a committed scene from any number of threads, and only queries
// take a `&Structure`. Handles are reference counted and may be released on any thread.
unsafe impl Send for Structure {}
// SAFETY: as above.
unsafe impl Sync for Structure {}

impl Structure {
    /// Builds a scene of each mesh with `threads` threads; the error is Embree's message.
    pub(super) fn of_meshes(
        library: &Arc<Library>,
        settings: Settings,
        meshes: &[Arc<scenes::Scene>],
        threads: usize,
    ) -> Result<Structure, String> {
        let _flush = settings.flush();
        let mut built = Structure {
            settings,
            device: Device::open(library, settings, threads)?,
            scenes: Vec::new(),
            levels: Vec::new(),
            meshes: meshes.to_vec(),
        };
        for mesh in meshes {
            let scene = built.device.scene(settings)?;
            built.scenes.push(scene);
            // SAFETY: the scene is of this device and lives as long as `built`, which keeps the
            // mesh alive.
            unsafe {
                built.device.attach_mesh(scene, mesh)?;
                (library.commit_scene)(scene);
            }
        }
        built.device.check("building")?;
        Ok(built)
    }

    /// Returns the handle for queries, valid as long as `self`: the last level, or the first mesh.
    pub(super) fn handle(&self) -> Handle {
        self.levels
            .last()
            .map_or(self.scenes[0], PlacedScene::handle)
    }

    pub(super) fn settings(&self) -> Settings {
        self.settings
    }

    pub(super) fn library(&self) -> &Library {
        self.device.library()
    }

    /// Returns the mesh that is queried, if nothing is placed.
    pub(super) fn mesh(&self) -> Option<&scenes::Scene> {
        self.levels.is_empty().then_some(&self.meshes[0])
    }

    /// Returns the bytes held by the device: the trees, without the meshes, which are shared.
    pub(super) fn bytes(&self) -> usize {
        self.device.bytes()
    }

    /// Returns the ways to query it: with single rays, and with packets.
    pub(super) fn engines(self, name: &str) -> Vec<Engine> {
        let scene = Arc::new(self);
        let library = scene.library();
        let mut all = vec![Engine::single(name, OneByOne(scene.clone()))];
        for hint in HINTS {
            let four = (library.intersect4, library.occluded4);
            let eight = (library.intersect8, library.occluded8);
            let sixteen = (library.intersect16, library.occluded16);
            all.push(Packets::engine(name, hint, four, &scene));
            all.push(Packets::engine(name, hint, eight, &scene));
            all.push(Packets::engine(name, hint, sixteen, &scene));
        }
        all
    }

    /// Returns the names of these engines.
    pub(super) fn engine_names(name: &str) -> Vec<String> {
        let mut names = vec![name.to_owned()];
        for hint in HINTS {
            names.extend([4, 8, 16].map(|width| packet_name(name, width, hint)));
        }
        names
    }
}

impl Changing for Structure {
    fn clear(&mut self) {
        for level in self.levels.drain(..).rev() {
            level.release(&self.device);
        }
    }

    /// Places the scenes of meshes, or the last level.
    fn place(&mut self, placings: &[Placing]) -> Result<(), String> {
        let _flush = self.settings.flush();
        let below = match self.levels.last() {
            Some(last) => &[last.handle()],
            None => &self.scenes[..],
        };
        let level = PlacedScene::new(&self.device, self.settings, below, placings)?;
        self.levels.push(level);
        Ok(())
    }

    fn set(&mut self, number: usize, matrix: &Rows) {
        let level = self.levels.last_mut().expect("placed before");
        level.set(&self.device, number, matrix);
    }

    /// Commits the last level.
    fn commit(&mut self) {
        let _flush = self.settings.flush();
        let level = self.levels.last_mut().expect("placed before");
        level.commit(&self.device);
    }
}

impl Drop for Structure {
    fn drop(&mut self) {
        self.clear();
        for &scene in &self.scenes {
            // SAFETY: the handles are alive and ours, and are used no more. The device, which is
            // released after this, stays open until all that was made with it is gone.
            unsafe { (self.device.library().release_scene)(scene) };
        }
    }
}
