//! Buffers for the host and a device, of which there is one copy here.

use super::host::{Found, Host, fill, sheet, up};
use crate::calls::{
    rtcCommitBuffer, rtcGetBufferDataDevice, rtcGetGeometryBufferDataDevice,
    rtcNewBufferHostDevice, rtcNewSharedBufferHostDevice, rtcSetNewGeometryBufferHostDevice,
    rtcSetSharedGeometryBufferHostDevice,
};
use estoc_embree_common::abi::{buffer_type, error, format, geometry_type};
use estoc_embree_common::buffer::{rtcGetBufferData, rtcReleaseBuffer};
use estoc_embree_common::calls::device::rtcGetDeviceError;
use estoc_embree_common::calls::geometry::{
    rtcCommitGeometry, rtcGetGeometryBufferData, rtcNewGeometry, rtcSetGeometryBuffer,
};
use estoc_embree_common::handle::Handle;
use std::ptr::{null, null_mut};

const VERTEX: u32 = buffer_type::VERTEX;
const INDEX: u32 = buffer_type::INDEX;

#[test]
fn buffers_of_both_are_those_of_the_host() {
    let host = Host::new();
    let vertices = rtcNewBufferHostDevice(host.device, 36);
    assert_eq!(rtcGetBufferDataDevice(vertices), rtcGetBufferData(vertices));
    fill(rtcGetBufferDataDevice(vertices), 12, &sheet(2.0));
    rtcCommitBuffer(vertices);
    let mut faces = [[0u32, 1, 2]];
    let start = faces.as_mut_ptr().cast();
    let indices = rtcNewSharedBufferHostDevice(host.device, start, 12);
    assert_eq!(rtcGetBufferDataDevice(indices), start);
    let geometry = rtcNewGeometry(host.device, geometry_type::TRIANGLE);
    rtcSetGeometryBuffer(geometry, VERTEX, 0, format::FLOAT3, vertices, 0, 12, 3);
    rtcSetGeometryBuffer(geometry, INDEX, 0, format::UINT3, indices, 0, 12, 1);
    assert_eq!(rtcGetGeometryBufferDataDevice(geometry, INDEX, 0), start);
    rtcReleaseBuffer(vertices);
    rtcReleaseBuffer(indices);
    rtcCommitGeometry(geometry);
    host.attach(geometry);
    host.commit();
    assert_eq!(host.error(), 0);
    assert_eq!(host.intersect(up()).found(), Some((3.0, 0, 0)));
    assert!(rtcGetGeometryBufferDataDevice(geometry, VERTEX, 1).is_null());
    assert_eq!(host.error(), error::INVALID_ARGUMENT);
    rtcGetDeviceError(Handle::NULL);
    rtcCommitBuffer(Handle::NULL);
    assert_eq!(rtcGetDeviceError(Handle::NULL), error::INVALID_ARGUMENT);
}

#[test]
fn buffers_of_geometries_are_read_from_the_host() {
    let host = Host::new();
    let geometry = rtcNewGeometry(host.device, geometry_type::TRIANGLE);
    let (mut data, mut on_device) = (null_mut(), null_mut());
    rtcSetNewGeometryBufferHostDevice(
        geometry,
        VERTEX,
        0,
        format::FLOAT3,
        12,
        3,
        Some(&mut data),
        Some(&mut on_device),
    );
    assert!(!data.is_null() && data == on_device);
    assert_eq!(data, rtcGetGeometryBufferData(geometry, VERTEX, 0));
    fill(data, 12, &sheet(2.0));
    let faces = [9u32, 0, 1, 2];
    rtcSetSharedGeometryBufferHostDevice(
        geometry,
        INDEX,
        0,
        format::UINT3,
        faces.as_ptr().cast(),
        null(),
        4,
        12,
        1,
    );
    rtcCommitGeometry(geometry);
    host.attach(geometry);
    host.commit();
    assert_eq!(host.error(), 0);
    assert_eq!(host.intersect(up()).found(), Some((3.0, 0, 0)));
    // Hosts that want one of the addresses pass NULL for the other.
    rtcSetNewGeometryBufferHostDevice(
        geometry,
        VERTEX,
        0,
        format::UINT3,
        12,
        3,
        None,
        Some(&mut on_device),
    );
    assert_eq!(host.error(), error::INVALID_ARGUMENT);
    assert!(on_device.is_null());
}
