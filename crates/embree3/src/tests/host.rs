//! What hosts do, shortened.

use crate::calls::rtcNewDevice;
use crate::context::IntersectContext;
use crate::rays::{rtcIntersect1, rtcOccluded1};
use estoc_embree_common::abi::{Hits, INVALID, RayHits, Rays, buffer_type, format, geometry_type};
use estoc_embree_common::calls::device::{rtcGetDeviceError, rtcReleaseDevice};
use estoc_embree_common::calls::geometry::{
    rtcCommitGeometry, rtcNewGeometry, rtcReleaseGeometry, rtcSetGeometryInstancedScene,
    rtcSetGeometryTransform, rtcSetSharedGeometryBuffer,
};
use estoc_embree_common::calls::scene::{
    rtcAttachGeometry, rtcCommitScene, rtcNewScene, rtcReleaseScene,
};
use estoc_embree_common::device::Device;
use estoc_embree_common::handle::Handle;
use estoc_embree_common::scene::Scene;
use estoc_embree_common::scene::geometry::Geometry;
use std::ptr::null;

/// A device and a scene, which are released at the end.
pub(super) struct Host {
    pub(super) device: Handle<Device>,
    pub(super) scene: Handle<Scene>,
}

impl Drop for Host {
    fn drop(&mut self) {
        rtcReleaseScene(self.scene);
        rtcReleaseDevice(self.device);
    }
}

/// Triangles around (0.25, 0.25), at z of 1, 2 and 3.
pub(super) static SHEETS: [[f32; 3]; 9] = [
    [0.0, 0.0, 1.0],
    [1.0, 0.0, 1.0],
    [0.0, 1.0, 1.0],
    [0.0, 0.0, 2.0],
    [1.0, 0.0, 2.0],
    [0.0, 1.0, 2.0],
    [0.0, 0.0, 3.0],
    [1.0, 0.0, 3.0],
    [0.0, 1.0, 3.0],
];

static FACES: [[u32; 3]; 3] = [[0, 1, 2], [3, 4, 5], [6, 7, 8]];

impl Host {
    pub(super) fn new() -> Self {
        let device = rtcNewDevice(null());
        let scene = rtcNewScene(device);
        Host { device, scene }
    }

    /// Returns a host with a committed scene of the sheets.
    pub(super) fn of_sheets() -> Self {
        let host = Host::new();
        let geometry = rtcNewGeometry(host.device, geometry_type::TRIANGLE);
        let set = |kind, format, start, count| {
            rtcSetSharedGeometryBuffer(geometry, kind, 0, format, start, 0, 12, count);
        };
        let vertices = SHEETS.as_ptr().cast();
        set(buffer_type::VERTEX, format::FLOAT3, vertices, SHEETS.len());
        let faces = FACES.as_ptr().cast();
        set(buffer_type::INDEX, format::UINT3, faces, FACES.len());
        host.attach(geometry);
        host.commit();
        assert_eq!(host.error(), 0);
        host
    }

    /// Returns a host whose scene has one instance of an object, moved by 10 along z, with id 5.
    pub(super) fn of_instance(object: &Host) -> Self {
        let host = Host {
            device: object.device,
            scene: rtcNewScene(object.device),
        };
        estoc_embree_common::calls::device::rtcRetainDevice(object.device);
        let matrix: [f32; 12] = [1., 0., 0., 0., 1., 0., 0., 0., 1., 0., 0., 10.];
        let instance = rtcNewGeometry(host.device, geometry_type::INSTANCE);
        rtcSetGeometryInstancedScene(instance, object.scene);
        let columns = format::FLOAT3X4_COLUMN_MAJOR;
        rtcSetGeometryTransform(instance, 0, columns, matrix.as_ptr());
        rtcCommitGeometry(instance);
        let id = 5;
        estoc_embree_common::calls::scene::rtcAttachGeometryByID(host.scene, instance, id);
        rtcReleaseGeometry(instance);
        host.commit();
        assert_eq!(host.error(), 0);
        host
    }

    /// Commits a geometry, attaches it and releases it.
    pub(super) fn attach(&self, geometry: Handle<Geometry>) {
        rtcCommitGeometry(geometry);
        rtcAttachGeometry(self.scene, geometry);
        rtcReleaseGeometry(geometry);
    }

    pub(super) fn commit(&self) {
        rtcCommitScene(self.scene);
    }

    /// Returns the first error of the device since the last call.
    pub(super) fn error(&self) -> u32 {
        rtcGetDeviceError(self.device)
    }

    /// Traces a ray.
    pub(super) fn intersect(&self, ray: Rays<1>, context: &mut IntersectContext) -> RayHits<1, 0> {
        let mut ray = RayHits { ray, hit: NO_HIT };
        rtcIntersect1(self.scene, context, Some(&mut ray));
        ray
    }

    /// Returns whether a ray hits anything.
    pub(super) fn occluded(&self, mut ray: Rays<1>, context: &mut IntersectContext) -> bool {
        rtcOccluded1(self.scene, context, Some(&mut ray));
        ray.tfar[0] == f32::NEG_INFINITY
    }
}

/// What a host has in a hit before a query.
pub(super) const NO_HIT: Hits<1, 0> = Hits {
    normal: [[0.0]; 3],
    u: [0.0],
    v: [0.0],
    prim: [INVALID],
    geometry: [INVALID],
    instance: [INVALID],
    instance_prim: [],
};

/// Returns a context as `rtcInitIntersectContext` makes it.
pub(super) fn no_context() -> IntersectContext {
    IntersectContext::NONE
}

/// Returns a ray up to the sheets from z, which hits them if x is 0.25.
pub(super) fn up(x: f32, z: f32) -> Rays<1> {
    Rays {
        origin: [[x], [0.25], [z]],
        tnear: [0.0],
        dir: [[0.0], [0.0], [1.0]],
        time: [0.0],
        tfar: [1e37],
        mask: [u32::MAX],
        id: [0],
        flags: [0],
    }
}

/// Returns t, the primitive and the instance; `None` for no hit.
pub(super) fn found(of: &RayHits<1, 0>) -> Option<(f32, u32, u32)> {
    let hit = (of.ray.tfar[0], of.hit.prim[0], of.hit.instance[0]);
    (of.hit.geometry[0] != INVALID).then_some(hit)
}
