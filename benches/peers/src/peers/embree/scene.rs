//! Embree scenes that are queried, and the one of a single mesh, from build to release.

use super::abi::Handle;
use super::device::Device;
use super::flush::FlushToZero;
use super::library::Library;
use super::settings::Settings;
use crate::scenes;
use std::sync::Arc;

/// A committed scene that any number of threads may query.
pub(super) trait Committed: Send + Sync {
    /// Returns the handle for queries, valid as long as `self`.
    fn handle(&self) -> Handle;

    fn library(&self) -> &Library;

    /// Returns the mesh that it was built from, if it is one mesh.
    fn mesh(&self) -> Option<&scenes::Scene>;
}

/// A committed scene of one mesh.
pub(super) struct Scene {
    device: Device,
    scene: Handle,
    /// The owner of the buffers that Embree reads.
    mesh: Arc<scenes::Scene>,
}

// SAFETY: Embree allows queries of a committed scene from any number of threads, and only
// queries take a `&Scene`. Handles are reference counted and may be released on any thread.
unsafe impl Send for Scene {}
// SAFETY: as above.
unsafe impl Sync for Scene {}

impl Scene {
    /// Builds with `threads` threads; the error is Embree's message.
    pub(super) fn build(
        library: &Arc<Library>,
        mesh: &Arc<scenes::Scene>,
        settings: Settings,
        threads: usize,
    ) -> Result<Scene, String> {
        let _flush = FlushToZero::on();
        let device = Device::open(library, settings, threads)?;
        let scene = device.scene(settings)?;
        let scene = Scene {
            device,
            scene,
            mesh: mesh.clone(),
        };
        // SAFETY: the scene is alive, its handle is not shared yet, and it keeps the mesh alive.
        unsafe {
            scene.device.attach_mesh(scene.scene, mesh)?;
            (library.commit_scene)(scene.scene);
        }
        scene.device.check("building")?;
        Ok(scene)
    }

    /// Returns the bytes held by the device: the tree, without the mesh, which is shared.
    pub(super) fn bytes(&self) -> usize {
        self.device.bytes()
    }
}

impl Committed for Scene {
    fn handle(&self) -> Handle {
        self.scene
    }

    fn library(&self) -> &Library {
        self.device.library()
    }

    fn mesh(&self) -> Option<&scenes::Scene> {
        Some(&self.mesh)
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        // SAFETY: the handle is alive and ours, and is used no more. The device, which is released
        // after this, stays open until all that was made with it is gone.
        unsafe { (self.device.library().release_scene)(self.scene) };
    }
}
