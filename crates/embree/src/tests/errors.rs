//! Errors: codes, sentences and callbacks.

use super::host::{Host, sheet};
use crate::calls::{rtcGetDeviceLastErrorMessage, rtcGetErrorString};
use estoc_embree_common::abi::{INVALID, buffer_type, error, format, geometry_type};
use estoc_embree_common::buffer::{rtcGetBufferData, rtcNewBuffer, rtcNewSharedBuffer};
use estoc_embree_common::calls::device::{
    rtcGetDeviceError, rtcGetDeviceProperty, rtcReleaseDevice, rtcSetDeviceErrorFunction,
    rtcSetDeviceProperty,
};
use estoc_embree_common::calls::geometry::{
    rtcCommitGeometry, rtcNewGeometry, rtcReleaseGeometry, rtcSetGeometryBuffer,
    rtcSetGeometryTimeStepCount, rtcSetGeometryUserPrimitiveCount, rtcSetNewGeometryBuffer,
    rtcSetSharedGeometryBuffer,
};
use estoc_embree_common::calls::scene::{
    rtcAttachGeometry, rtcCommitScene, rtcNewScene, rtcReleaseScene,
};
use estoc_embree_common::handle::Handle;
use std::cell::RefCell;
use std::ffi::{CStr, c_char, c_void};
use std::ptr::null;

fn text(of: *const c_char) -> String {
    // SAFETY: what the library returns ends with 0 and stays until the next error of this thread.
    unsafe { CStr::from_ptr(of) }.to_string_lossy().into_owned()
}

#[test]
fn the_first_code_is_kept_and_the_last_sentence() {
    let host = Host::new();
    assert_eq!(
        (
            host.error(),
            text(rtcGetDeviceLastErrorMessage(host.device))
        ),
        (0, String::new())
    );
    let curve = rtcNewGeometry(host.device, 24);
    assert!(curve.get().is_none());
    rtcNewBuffer(host.device, usize::MAX);
    assert!(text(rtcGetDeviceLastErrorMessage(host.device)).contains("not enough memory"));
    assert_eq!(host.error(), error::INVALID_OPERATION);
    assert_eq!(host.error(), 0);
    assert_eq!(text(rtcGetErrorString(3)), "RTC_ERROR_INVALID_OPERATION");
    assert_eq!(text(rtcGetErrorString(99)), "invalid error code");
}

#[test]
fn errors_belong_to_threads_and_devices() {
    let [first, second] = [Host::new(), Host::new()];
    rtcNewGeometry(first.device, 24);
    assert_eq!(second.error(), 0);
    let device = first.device.get().unwrap() as *const _ as usize;
    std::thread::spawn(move || {
        // SAFETY: the address of a device that outlives the thread.
        let device = unsafe {
            std::mem::transmute::<usize, Handle<estoc_embree_common::device::Device>>(device)
        };
        assert_eq!(rtcGetDeviceError(device), 0);
    })
    .join()
    .unwrap();
    assert_eq!(first.error(), error::INVALID_OPERATION);
}

thread_local! {
    static TOLD: RefCell<Vec<(u32, String)>> = const { RefCell::new(Vec::new()) };
}

extern "C-unwind" fn tell(user: *mut c_void, code: u32, message: *const c_char) {
    assert!(!user.is_null());
    TOLD.with_borrow_mut(|told| told.push((code, text(message))));
}

extern "C-unwind" fn throws(_: *mut c_void, _: u32, _: *const c_char) {
    std::panic::resume_unwind(Box::new("thrown"));
}

#[test]
fn the_function_for_errors_may_throw() {
    let host = Host::new();
    let uncommitted = rtcNewGeometry(host.device, geometry_type::TRIANGLE);
    rtcAttachGeometry(host.scene, uncommitted);
    rtcSetDeviceErrorFunction(host.device, Some(throws), std::ptr::null_mut());
    let calls: [&dyn Fn(); 3] = [
        &|| assert!(rtcNewGeometry(host.device, 8).get().is_none()),
        &|| host.commit(),
        &|| crate::rays::rtcIntersect1(Handle::NULL, None, None),
    ];
    let is_thrown =
        calls.map(|call| std::panic::catch_unwind(std::panic::AssertUnwindSafe(call)).is_err());
    assert_eq!(is_thrown, [true, true, false], "null has no device");
    assert_eq!(host.error(), error::INVALID_OPERATION);
    rtcSetDeviceErrorFunction(host.device, None, std::ptr::null_mut());
    rtcCommitGeometry(uncommitted);
    rtcReleaseGeometry(uncommitted);
    host.commit();
    assert_eq!(host.error(), 0, "nothing is locked");
}

#[test]
fn callbacks_are_told() {
    let host = Host::new();
    let mut number = 0u8;
    rtcSetDeviceErrorFunction(host.device, Some(tell), (&raw mut number).cast());
    rtcNewGeometry(host.device, 8);
    rtcSetDeviceErrorFunction(host.device, None, (&raw mut number).cast());
    rtcNewGeometry(host.device, 8);
    let told = TOLD.take();
    assert_eq!(told.len(), 1);
    assert_eq!(told[0].0, error::INVALID_OPERATION);
    assert!(told[0].1.contains("TRIANGLE, QUAD"), "{}", told[0].1);
}

#[test]
fn null_is_an_error() {
    let errors = || rtcGetDeviceError(Handle::NULL);
    errors();
    let calls: [fn(); 9] = [
        || rtcReleaseDevice(Handle::NULL),
        || rtcReleaseScene(Handle::NULL),
        || rtcReleaseGeometry(Handle::NULL),
        || rtcCommitScene(Handle::NULL),
        || rtcCommitGeometry(Handle::NULL),
        || assert!(rtcNewScene(Handle::NULL).get().is_none()),
        || assert!(rtcNewGeometry(Handle::NULL, 0).get().is_none()),
        || assert_eq!(rtcAttachGeometry(Handle::NULL, Handle::NULL), INVALID),
        || assert!(rtcGetBufferData(Handle::NULL).is_null()),
    ];
    for call in calls {
        call();
        assert_eq!(errors(), error::INVALID_ARGUMENT);
    }
}

#[test]
fn buffers_are_checked() {
    let host = Host::new();
    let geometry = rtcNewGeometry(host.device, geometry_type::TRIANGLE);
    let fails = |code| assert_eq!((host.error(), host.error()), (code, 0));
    let new = |kind, slot, format, stride, count| {
        rtcSetNewGeometryBuffer(geometry, kind, slot, format, stride, count)
    };
    let (vertices, indices) = (buffer_type::VERTEX, buffer_type::INDEX);
    assert!(new(vertices, 0, format::FLOAT3, 13, 1).is_null());
    fails(error::INVALID_OPERATION);
    assert!(new(vertices, 0, format::UINT3, 12, 1).is_null());
    fails(error::INVALID_ARGUMENT);
    assert!(new(indices, 0, format::UINT4, 16, 1).is_null());
    fails(error::INVALID_ARGUMENT);
    assert!(new(99, 0, format::FLOAT3, 12, 1).is_null());
    fails(error::INVALID_ARGUMENT);
    assert!(new(vertices, 0, 0xA001, 12, 1).is_null());
    fails(error::INVALID_ARGUMENT);
    assert!(new(vertices, 1, format::FLOAT3, 12, 1).is_null());
    fails(error::INVALID_OPERATION);
    assert!(new(vertices, 0, format::FLOAT3, 1 << 62, 9).is_null());
    fails(error::INVALID_ARGUMENT);
    assert!(new(vertices, 0, format::FLOAT3, 12, 1 << 59).is_null());
    fails(error::OUT_OF_MEMORY);
    let numbers = [0.0f32; 9];
    let small = rtcNewSharedBuffer(host.device, numbers.as_ptr().cast_mut().cast(), 36);
    rtcSetGeometryBuffer(geometry, vertices, 0, format::FLOAT3, small, 4, 12, 3);
    fails(error::INVALID_ARGUMENT);
    rtcSetGeometryBuffer(geometry, vertices, 0, format::FLOAT3, small, 0, 12, 3);
    fails(0);
    rtcSetSharedGeometryBuffer(geometry, vertices, 0, format::FLOAT3, null(), 0, 12, 3);
    fails(error::INVALID_ARGUMENT);
    estoc_embree_common::buffer::rtcReleaseBuffer(small);
    rtcReleaseGeometry(geometry);
}

#[test]
fn settings_that_do_not_fit_are_errors() {
    let host = Host::new();
    let geometry = host.mesh(&sheet(1.0), &[[0, 1, 2]]);
    rtcSetGeometryUserPrimitiveCount(geometry, 3);
    assert_eq!(host.error(), error::INVALID_OPERATION);
    rtcSetGeometryTimeStepCount(geometry, 1);
    assert_eq!(host.error(), 0);
    rtcSetGeometryTimeStepCount(geometry, 2);
    assert_eq!(host.error(), error::INVALID_OPERATION);
    let other = Host::new();
    assert_eq!(rtcAttachGeometry(other.scene, geometry), INVALID);
    assert_eq!(other.error(), error::INVALID_ARGUMENT);
    rtcReleaseGeometry(geometry);
}

#[test]
fn properties_are_told() {
    let host = Host::new();
    let property = |number| rtcGetDeviceProperty(host.device, number);
    assert_eq!([0, 1, 2, 3].map(property), [40_400, 4, 4, 0]);
    // No packets of 16 in callbacks; masks, filters, triangles, quads, user geometry; neither culling, curves nor points.
    assert_eq!(
        [34, 64, 66, 96, 97, 100, 65, 99, 101].map(property),
        [0, 1, 1, 1, 1, 1, 0, 0, 0]
    );
    assert_eq!(host.error(), 0);
    assert_eq!(property(1000), 0);
    assert_eq!(host.error(), error::INVALID_ARGUMENT);
    rtcSetDeviceProperty(host.device, 64, 0);
    assert_eq!(host.error(), error::INVALID_OPERATION);
}
