//! An Embree device, and what is made with it.

use super::abi::{self, Handle};
use super::library::Library;
use super::settings::Settings;
use crate::scenes;
use estoc::glam::Vec3;
use std::ffi::c_void;
use std::sync::Arc;
use std::sync::atomic::{AtomicIsize, Ordering};

/// A device.
pub(super) struct Device {
    library: Arc<Library>,
    handle: Handle,
    /// Bytes that the device holds now. Embree adds to it through a pointer, so it must not move
    /// until the device is released.
    held: Box<AtomicIsize>,
}

// SAFETY: handles of devices are reference counted and may be used and released on any thread.
unsafe impl Send for Device {}
// SAFETY: as above.
unsafe impl Sync for Device {}

impl Device {
    /// Opens a device for builds with `threads` threads.
    pub(super) fn open(
        library: &Arc<Library>,
        settings: Settings,
        threads: usize,
    ) -> Result<Device, String> {
        let held = Box::new(AtomicIsize::new(0));
        let counter: *const AtomicIsize = &raw const *held;
        let text = settings.device(threads);
        // SAFETY: `text` ends with a zero and is only read during the call. The monitor gets
        // the address of an atomic that stays until the device is released: `Device` owns it
        // and drops it after that.
        let handle = unsafe {
            let device = (library.new_device)(text.as_ptr());
            if device.is_null() {
                return Err(format!("Embree could not create a device with {text:?}"));
            }
            (library.set_memory_monitor)(device, count_bytes, counter.cast_mut().cast());
            device
        };
        Ok(Device {
            library: library.clone(),
            handle,
            held,
        })
    }

    /// Makes an empty scene, which the caller releases.
    pub(super) fn scene(&self, settings: Settings) -> Result<Handle, String> {
        let library = &self.library;
        // SAFETY: the device is alive; the scene is new, and the two settings are values of
        // Embree's enumerations.
        let scene = unsafe {
            let scene = (library.new_scene)(self.handle);
            (library.set_scene_quality)(scene, settings.quality);
            (library.set_scene_flags)(scene, settings.flags());
            scene
        };
        self.check("a scene")?;
        Ok(scene)
    }

    /// Attaches the mesh's own buffers to a scene, without a copy.
    ///
    /// # Safety
    /// The scene is of this device and alive, and is not used any more when the mesh is dropped.
    pub(super) unsafe fn attach_mesh(
        &self,
        scene: Handle,
        mesh: &scenes::Scene,
    ) -> Result<(), String> {
        let library = &self.library;
        let (positions, faces) = (mesh.mesh.positions(), mesh.mesh.indices());
        // The last vertex is spare, so that 16 bytes can be read at every other one.
        let vertices = positions.len() - 1;
        const VERTEX: usize = size_of::<Vec3>();
        const FACE: usize = size_of::<[u32; 3]>();
        // SAFETY: the geometry is new, and released once after the scene has its own
        // reference. The buffers hold as many elements of the formats named as are given:
        // `Vec3` is three packed f32 (asserted below); they are not written and stay where
        // they are as long as the scene is used, as the caller promises. Faces name vertices that
        // exist, which `Mesh` has checked, and never the spare one. Embree wants 16 bytes readable
        // at each vertex (12 of the vertex, 4 of the next one) and 4-byte alignment.
        unsafe {
            let geometry = (library.new_geometry)(self.handle, abi::GEOMETRY_TYPE_TRIANGLE);
            (library.set_shared_buffer)(
                geometry,
                abi::BUFFER_TYPE_VERTEX,
                0,
                abi::FORMAT_FLOAT3,
                positions.as_ptr().cast(),
                0,
                VERTEX,
                vertices,
            );
            (library.set_shared_buffer)(
                geometry,
                abi::BUFFER_TYPE_INDEX,
                0,
                abi::FORMAT_UINT3,
                faces.as_ptr().cast(),
                0,
                FACE,
                faces.len(),
            );
            (library.commit_geometry)(geometry);
            (library.attach_geometry)(scene, geometry);
            (library.release_geometry)(geometry);
        }
        self.check("the mesh")
    }

    pub(super) fn check(&self, doing: &str) -> Result<(), String> {
        // SAFETY: the device is alive.
        match unsafe { (self.library.device_error)(self.handle) } {
            0 => Ok(()),
            error => Err(format!("Embree's error {error} at {doing}")),
        }
    }

    pub(super) fn handle(&self) -> Handle {
        self.handle
    }

    pub(super) fn library(&self) -> &Library {
        &self.library
    }

    /// Returns the bytes held by the device: trees, without the meshes, which are shared.
    pub(super) fn bytes(&self) -> usize {
        self.held.load(Ordering::Relaxed).max(0) as usize
    }
}

impl Drop for Device {
    fn drop(&mut self) {
        // SAFETY: the handle is alive and ours, and is used no more. The counter, which the
        // device's release may still write to, is dropped after this.
        unsafe { (self.library.release_device)(self.handle) };
    }
}

/// Embree's callback for memory taken or released; returns true so that the build continues.
unsafe extern "C" fn count_bytes(counter: *mut c_void, bytes: isize, _after: bool) -> bool {
    // SAFETY: `counter` is the address that `Device::open` gave, of an atomic that lives until the
    // device is released; others access it at the same time only through `&`.
    let counter = unsafe { &*counter.cast::<AtomicIsize>() };
    counter.fetch_add(bytes, Ordering::Relaxed);
    true
}

const _: () = assert!(size_of::<Vec3>() == 12 && align_of::<Vec3>() == 4);
