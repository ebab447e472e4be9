//! The other calls that Embree 3 does not have.

use estoc_embree_common::buffer::{Buffer, rtcGetBufferData, rtcNewBuffer, rtcNewSharedBuffer};
use estoc_embree_common::call::call;
use estoc_embree_common::calls::device::new_device;
use estoc_embree_common::calls::geometry::{
    get_transform, of_geometry, rtcGetGeometryBufferData, rtcGetGeometryTransform,
    rtcSetNewGeometryBuffer, rtcSetSharedGeometryBuffer, set_scenes,
};
use estoc_embree_common::calls::scene::{of_scene, rtcGetGeometry};
use estoc_embree_common::device::{Device, Version, last_message};
use estoc_embree_common::exports;
use estoc_embree_common::failure::{invalid_argument, name};
use estoc_embree_common::handle::Handle;
use estoc_embree_common::host_pointer::read_at;
use estoc_embree_common::scene::Scene;
use estoc_embree_common::scene::geometry::{Geometry, Kind};
use std::ffi::{c_char, c_void};
use std::ptr::null_mut;

/// What of Embree's version this library stands for.
static EMBREE_4: Version = Version {
    number: [4, 4, 0],
    mask: 1,
    has_streams: false,
};

exports! {
    fn rtcNewDevice(config: *const c_char) -> Handle<Device> { new_device(config, &EMBREE_4) }

    fn rtcGetDeviceLastErrorMessage(device: Handle<Device>) -> *const c_char { last_message(device.get()) }

    fn rtcGetErrorString(code: u32) -> *const c_char { name(code).as_ptr() }

    fn rtcNewBufferHostDevice(device: Handle<Device>, bytes: usize) -> Handle<Buffer> { rtcNewBuffer(device, bytes) }

    fn rtcNewSharedBufferHostDevice(device: Handle<Device>, start: *mut c_void, bytes: usize) -> Handle<Buffer> {
        rtcNewSharedBuffer(device, start, bytes)
    }

    /// Nothing is to be done, as there is no other device to copy to.
    fn rtcCommitBuffer(buffer: Handle<Buffer>) { call(None, (), || buffer.object().map(|_| ())) }

    fn rtcGetBufferDataDevice(buffer: Handle<Buffer>) -> *mut c_void { rtcGetBufferData(buffer) }

    fn rtcSetSharedGeometryBufferHostDevice(
        geometry: Handle<Geometry>, kind: u32, slot: u32, format: u32,
        start: *const c_void, _on_device: *const c_void, offset: usize, stride: usize, count: usize,
    ) {
        rtcSetSharedGeometryBuffer(geometry, kind, slot, format, start, offset, stride, count)
    }

    fn rtcSetNewGeometryBufferHostDevice(
        geometry: Handle<Geometry>, kind: u32, slot: u32, format: u32, stride: usize, count: usize,
        host: Option<&mut *mut c_void>, device: Option<&mut *mut c_void>,
    ) {
        let data = rtcSetNewGeometryBuffer(geometry, kind, slot, format, stride, count);
        for to in [host, device].into_iter().flatten() {
            *to = data;
        }
    }

    fn rtcGetGeometryBufferDataDevice(geometry: Handle<Geometry>, kind: u32, slot: u32) -> *mut c_void {
        rtcGetGeometryBufferData(geometry, kind, slot)
    }

    fn rtcSetGeometryEnableFilterFunctionFromArguments(geometry: Handle<Geometry>, is_enabled: bool) {
        of_geometry(geometry, (), |geometry| {
            geometry.settings().callbacks.takes_argument_filter = is_enabled;
            Ok(())
        })
    }

    fn rtcSetGeometryInstancedScenes(geometry: Handle<Geometry>, scenes: *const Handle<Scene>, count: usize) {
        of_geometry(geometry, (), |geometry| {
            let null = || invalid_argument("the array of scenes is NULL");
            let scene = |place| read_at(scenes, place).ok_or_else(null)?.shared();
            let scenes = (0..count).map(scene).collect::<Result<_, _>>()?;
            set_scenes(geometry, &[Kind::InstanceArray], scenes)
        })
    }

    fn rtcGetGeometryTransformEx(geometry: Handle<Geometry>, instance: u32, _time: f32, format: u32, to: *mut f32) {
        get_transform(geometry, instance, format, to)
    }

    /// A scene is its own traversable object.
    fn rtcGetSceneTraversable(scene: Handle<Scene>) -> Handle<Scene> { scene }

    fn rtcGetGeometryUserDataFromScene(scene: Handle<Scene>, id: u32) -> *mut c_void {
        of_scene(scene, null_mut(), |scene| scene.of_geometry(id, |geometry| geometry.user()))
    }

    fn rtcGetGeometryUserDataFromTraversable(scene: Handle<Scene>, id: u32) -> *mut c_void {
        rtcGetGeometryUserDataFromScene(scene, id)
    }

    fn rtcGetGeometryTransformFromScene(scene: Handle<Scene>, id: u32, time: f32, format: u32, to: *mut f32) {
        rtcGetGeometryTransform(rtcGetGeometry(scene, id), time, format, to)
    }

    fn rtcGetGeometryTransformFromTraversable(scene: Handle<Scene>, id: u32, time: f32, format: u32, to: *mut f32) {
        rtcGetGeometryTransformFromScene(scene, id, time, format, to)
    }
}
