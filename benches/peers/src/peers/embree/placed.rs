//! An Embree scene in which scenes are placed, that can change: by instances or an instance array.

use super::abi::{self, FORMAT_FLOAT3X4_ROW_MAJOR as ROWS, Handle};
use super::device::Device;
use super::settings::Settings;
use crate::worlds::{Placing, Rows};
use std::ffi::c_uint;

/// A scene in which others are placed. The owner releases it before its device.
pub(super) struct PlacedScene {
    scene: Handle,
    /// What is placed, which Embree reads if it is an array, with one more at the end: Embree may
    /// read 16 bytes anywhere in it.
    array: Option<Vec<Placing>>,
}

impl PlacedScene {
    /// Places scenes of this device, but does not commit.
    pub(super) fn new(
        device: &Device,
        settings: Settings,
        below: &[Handle],
        placings: &[Placing],
    ) -> Result<Self, String> {
        let scene = device.scene(settings)?;
        let mut placed = PlacedScene { scene, array: None };
        if settings.arrays {
            let mut array = placings.to_vec();
            array.extend(placings.last().copied());
            let array = placed.array.insert(array);
            attach_array(device, scene, below, array);
        } else {
            for placing in placings {
                attach(
                    device,
                    scene,
                    below[placing.object as usize],
                    &placing.matrix,
                );
            }
        }
        device.check("placing")?;
        Ok(placed)
    }

    pub(super) fn handle(&self) -> Handle {
        self.scene
    }

    /// Commits. Nobody may query the scene meanwhile.
    pub(super) fn commit(&mut self, device: &Device) {
        let library = device.library();
        // SAFETY: the scene and its geometries are alive. An array has number 0.
        unsafe {
            if self.array.is_some() {
                let geometry = (library.get_geometry)(self.scene, 0);
                (library.update_buffer)(geometry, abi::BUFFER_TYPE_TRANSFORM, 0);
                (library.commit_geometry)(geometry);
            }
            (library.commit_scene)(self.scene);
        }
    }

    /// Moves what was placed as number `number`. Nobody may query the scene until it is committed.
    pub(super) fn set(&mut self, device: &Device, number: usize, matrix: &Rows) {
        let library = device.library();
        if let Some(array) = &mut self.array {
            array[number].matrix = *matrix;
            return;
        }
        // SAFETY: the scene is alive; geometries have the numbers in which they were attached, as
        // the numbers of a new scene count up.
        unsafe {
            let geometry = (library.get_geometry)(self.scene, number as c_uint);
            transform(device, geometry, matrix);
            (library.commit_geometry)(geometry);
        }
    }

    /// Releases the scene.
    pub(super) fn release(self, device: &Device) {
        // SAFETY: the handle is alive and ours, and is used no more. The array is dropped after.
        unsafe { (device.library().release_scene)(self.scene) };
    }
}

/// Sets the matrix of an instance.
///
/// # Safety
/// The geometry is an instance of this device and alive.
unsafe fn transform(device: &Device, geometry: Handle, matrix: &Rows) {
    let numbers: *const Rows = matrix;
    // SAFETY: the matrix is twelve floats, which are read during the call.
    unsafe { (device.library().set_transform)(geometry, 0, ROWS, numbers.cast()) };
}

fn attach(device: &Device, scene: Handle, below: Handle, matrix: &Rows) {
    let library = device.library();
    // SAFETY: both scenes are of this device and alive; the geometry is new, and released once
    // after the scene has its own reference.
    unsafe {
        let geometry = (library.new_geometry)(device.handle(), abi::GEOMETRY_TYPE_INSTANCE);
        (library.set_instanced_scene)(geometry, below);
        transform(device, geometry, matrix);
        (library.commit_geometry)(geometry);
        (library.attach_geometry)(scene, geometry);
        (library.release_geometry)(geometry);
    }
}

/// Attaches an instance array of all placings but the last, which is spare.
fn attach_array(device: &Device, scene: Handle, below: &[Handle], array: &[Placing]) {
    let library = device.library();
    let count = array.len().saturating_sub(1);
    let start = array.as_ptr();
    const STRIDE: usize = size_of::<Placing>();
    // SAFETY: all scenes are of this device and alive; the geometry is new, and released once after
    // the scene has its own reference. The buffers hold as many numbers of scenes and matrices as
    // are given, at these offsets; they stay where they are until the scene is released, and change
    // only while nobody queries it.
    unsafe {
        let geometry = (library.new_geometry)(device.handle(), abi::GEOMETRY_TYPE_INSTANCE_ARRAY);
        (library.set_instanced_scenes)(geometry, below.as_ptr(), below.len());
        (library.set_shared_buffer)(
            geometry,
            abi::BUFFER_TYPE_INDEX,
            0,
            abi::FORMAT_UINT,
            start.cast(),
            std::mem::offset_of!(Placing, object),
            STRIDE,
            count,
        );
        (library.set_shared_buffer)(
            geometry,
            abi::BUFFER_TYPE_TRANSFORM,
            0,
            ROWS,
            start.cast(),
            std::mem::offset_of!(Placing, matrix),
            STRIDE,
            count,
        );
        (library.commit_geometry)(geometry);
        (library.attach_geometry)(scene, geometry);
        (library.release_geometry)(geometry);
    }
}
