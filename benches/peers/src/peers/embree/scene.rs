//! An Embree scene of one mesh, from build to release.

use super::abi::{self, Handle};
use super::flush::FlushToZero;
use super::library::Library;
use crate::scenes;
use estoc::glam::Vec3;
use std::ffi::{CString, c_int, c_void};
use std::sync::Arc;
use std::sync::atomic::{AtomicIsize, Ordering};

/// `RTCBuildQuality`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quality {
    Low = 0,
    Medium = 1,
    High = 2,
}

impl Quality {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Quality::Low => "low",
            Quality::Medium => "medium",
            Quality::High => "high",
        }
    }
}

/// The settings of a build.
#[derive(Clone, Copy)]
pub(super) struct Settings {
    pub(super) quality: Quality,
    pub(super) robust: bool,
    /// An instruction set by Embree's name; by default Embree takes the best that it finds.
    pub(super) isa: Option<&'static str>,
}

impl Settings {
    pub(super) const fn of(quality: Quality) -> Self {
        Settings {
            quality,
            robust: false,
            isa: None,
        }
    }

    pub(super) const fn robust(self) -> Self {
        Settings {
            robust: true,
            ..self
        }
    }

    /// Returns the device's settings in Embree's syntax, for a build with `threads` threads, the
    /// caller's included.
    fn device(self, threads: usize) -> CString {
        let isa = self.isa.map_or(String::new(), |isa| format!(",isa={isa}"));
        let text = format!("threads={threads},user_threads=0{isa}");
        CString::new(text).expect("no setting contains a NUL byte")
    }
}

/// A committed scene that any number of threads may query.
pub(super) struct Scene {
    library: Arc<Library>,
    device: Handle,
    scene: Handle,
    /// Bytes that the device holds now. Embree adds to it through a pointer, so it must not move
    /// until the device is released.
    held: Box<AtomicIsize>,
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
        let mut scene = Scene::empty(library, mesh, settings, threads)?;
        scene.attach_mesh()?;
        // SAFETY: the scene is alive, and its handle is not shared yet.
        unsafe { (library.commit_scene)(scene.scene) };
        scene.check("building")?;
        Ok(scene)
    }

    fn empty(
        library: &Arc<Library>,
        mesh: &Arc<scenes::Scene>,
        settings: Settings,
        threads: usize,
    ) -> Result<Scene, String> {
        let held = Box::new(AtomicIsize::new(0));
        let counter: *const AtomicIsize = &raw const *held;
        let text = settings.device(threads);
        // SAFETY: `text` ends with a zero and is only read during the call. The monitor gets
        // the address of an atomic that stays until the device is released: `Scene` owns it
        // and drops it after that.
        let device = unsafe {
            let device = (library.new_device)(text.as_ptr());
            if device.is_null() {
                return Err(format!("Embree could not create a device with {text:?}"));
            }
            (library.set_memory_monitor)(device, count_bytes, counter.cast_mut().cast());
            device
        };
        // SAFETY: the device is alive; the scene is new, and the two settings are values of
        // Embree's enumerations.
        let scene = unsafe {
            let scene = (library.new_scene)(device);
            let flags = if settings.robust { abi::ROBUST } else { 0 };
            (library.set_scene_quality)(scene, settings.quality as c_int);
            (library.set_scene_flags)(scene, flags);
            scene
        };
        let scene = Scene {
            library: library.clone(),
            device,
            scene,
            held,
            mesh: mesh.clone(),
        };
        scene.check("a scene")?;
        Ok(scene)
    }

    /// Attaches the mesh's own buffers to the scene, without a copy.
    fn attach_mesh(&mut self) -> Result<(), String> {
        let (library, mesh) = (&self.library, &self.mesh);
        let (positions, faces) = (mesh.positions(), mesh.faces());
        // The last vertex is spare, so that 16 bytes can be read at every other one.
        let vertices = positions.len() - 1;
        const VERTEX: usize = size_of::<Vec3>();
        const FACE: usize = size_of::<[u32; 3]>();
        // SAFETY: the geometry is new, and released once after the scene has its own
        // reference. The buffers hold as many elements of the formats named as are given:
        // `Vec3` is three packed f32 (asserted below); they are not written and stay where
        // they are, because the scene keeps the mesh alive. Faces name vertices that exist,
        // which `Mesh` has checked, and never the spare one. Embree wants 16 bytes readable
        // at each vertex (12 of the vertex, 4 of the next one) and 4-byte alignment.
        unsafe {
            let geometry = (library.new_geometry)(self.device, abi::TRIANGLES);
            (library.set_shared_buffer)(
                geometry,
                abi::VERTEX_BUFFER,
                0,
                abi::FORMAT_FLOAT3,
                positions.as_ptr().cast(),
                0,
                VERTEX,
                vertices,
            );
            (library.set_shared_buffer)(
                geometry,
                abi::INDEX_BUFFER,
                0,
                abi::FORMAT_UINT3,
                faces.as_ptr().cast(),
                0,
                FACE,
                faces.len(),
            );
            (library.commit_geometry)(geometry);
            (library.attach_geometry)(self.scene, geometry);
            (library.release_geometry)(geometry);
        }
        self.check("the mesh")
    }

    fn check(&self, doing: &str) -> Result<(), String> {
        // SAFETY: the device is alive.
        match unsafe { (self.library.device_error)(self.device) } {
            0 => Ok(()),
            error => Err(format!("Embree's error {error} at {doing}")),
        }
    }

    /// Returns the handle for queries, valid as long as `self`.
    pub(super) fn handle(&self) -> Handle {
        self.scene
    }

    /// Returns the mesh that it was built from.
    pub(super) fn mesh(&self) -> &scenes::Scene {
        &self.mesh
    }

    pub(super) fn library(&self) -> &Library {
        &self.library
    }

    /// Returns the bytes held by the device: the tree, without the mesh, which is shared.
    pub(super) fn bytes(&self) -> usize {
        self.held.load(Ordering::Relaxed).max(0) as usize
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        // SAFETY: both handles are alive and ours, and are used no more. The counter, which
        // the device's release may still write to, is dropped after this.
        unsafe {
            (self.library.release_scene)(self.scene);
            (self.library.release_device)(self.device);
        }
    }
}

/// Embree's callback for memory taken or released; returns true so that the build continues.
unsafe extern "C" fn count_bytes(counter: *mut c_void, bytes: isize, _after: bool) -> bool {
    // SAFETY: `counter` is the address that `Scene::empty` gave, of an atomic that lives until the
    // device is released; others access it at the same time only through `&`.
    let counter = unsafe { &*counter.cast::<AtomicIsize>() };
    counter.fetch_add(bytes, Ordering::Relaxed);
    true
}

const _: () = assert!(size_of::<Vec3>() == 12 && align_of::<Vec3>() == 4);
