//! What hosts do, shortened.

use crate::calls::rtcNewDevice;
use crate::rays::{rtcIntersect1, rtcOccluded1};
use estoc_embree_common::abi::{Hits, INVALID, RayHits, Rays, buffer_type, format, geometry_type};
use estoc_embree_common::calls::device::{rtcGetDeviceError, rtcReleaseDevice};
use estoc_embree_common::calls::geometry::{
    rtcCommitGeometry, rtcNewGeometry, rtcReleaseGeometry, rtcSetNewGeometryBuffer,
};
use estoc_embree_common::calls::scene::{
    rtcAttachGeometry, rtcCommitScene, rtcNewScene, rtcReleaseScene,
};
use estoc_embree_common::device::Device;
use estoc_embree_common::handle::Handle;
use estoc_embree_common::scene::Scene;
use estoc_embree_common::scene::geometry::Geometry;
use std::ffi::c_void;
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

impl Host {
    pub(super) fn new() -> Self {
        let device = rtcNewDevice(null());
        let scene = rtcNewScene(device);
        Host { device, scene }
    }

    /// Returns the first error of the device since the last call.
    pub(super) fn error(&self) -> u32 {
        rtcGetDeviceError(self.device)
    }

    /// Returns a geometry with buffers of this library, whose vertices are 16 bytes apart.
    pub(super) fn mesh<const N: usize>(
        &self,
        vertices: &[[f32; 3]],
        faces: &[[u32; N]],
    ) -> Handle<Geometry> {
        let (kind, indices) = match N {
            3 => (geometry_type::TRIANGLE, format::UINT3),
            _ => (geometry_type::QUAD, format::UINT4),
        };
        let geometry = rtcNewGeometry(self.device, kind);
        let data = rtcSetNewGeometryBuffer(
            geometry,
            buffer_type::VERTEX,
            0,
            format::FLOAT3,
            16,
            vertices.len(),
        );
        // Written after they are returned, and read by the commit.
        fill(data, 16, vertices);
        let data =
            rtcSetNewGeometryBuffer(geometry, buffer_type::INDEX, 0, indices, 4 * N, faces.len());
        fill(data, 4 * N, faces);
        rtcCommitGeometry(geometry);
        assert_eq!(self.error(), 0);
        geometry
    }

    /// Attaches a geometry and releases it.
    pub(super) fn attach(&self, geometry: Handle<Geometry>) -> u32 {
        let id = rtcAttachGeometry(self.scene, geometry);
        rtcReleaseGeometry(geometry);
        id
    }

    pub(super) fn commit(&self) {
        rtcCommitScene(self.scene);
    }

    /// Returns a host with a committed scene of one mesh.
    pub(super) fn of_mesh<const N: usize>(vertices: &[[f32; 3]], faces: &[[u32; N]]) -> Self {
        let host = Host::new();
        host.attach(host.mesh(vertices, faces));
        host.commit();
        assert_eq!(host.error(), 0);
        host
    }

    /// Traces a ray.
    pub(super) fn intersect(&self, ray: Rays<1>) -> RayHits<1> {
        let mut ray = RayHits { ray, hit: NO_HIT };
        rtcIntersect1(self.scene, Some(&mut ray), None);
        ray
    }

    /// Returns what the ray's `tfar` becomes.
    pub(super) fn occluded(&self, mut ray: Rays<1>) -> f32 {
        rtcOccluded1(self.scene, Some(&mut ray), None);
        ray.tfar[0]
    }
}

/// Copies items to memory that this library returned.
pub(super) fn fill<T: Copy>(to: *mut c_void, stride: usize, items: &[T]) {
    for (place, &item) in items.iter().enumerate() {
        // SAFETY: the memory has room for so many items at this distance, and no other reference to it is used.
        unsafe {
            to.byte_add(place * stride)
                .cast::<T>()
                .write_unaligned(item);
        };
    }
}

/// What a host has in a hit before a query.
pub(super) const NO_HIT: Hits<1> = Hits::NONE;

/// Returns a ray with the numbers that hosts pass for "no limit".
pub(super) fn ray(origin: [f32; 3], dir: [f32; 3]) -> Rays<1> {
    Rays {
        origin: origin.map(|x| [x]),
        tnear: [0.0],
        dir: dir.map(|x| [x]),
        time: [0.0],
        tfar: [1e37],
        mask: [u32::MAX],
        id: [0],
        flags: [0],
    }
}

/// Returns a triangle in the plane of this z, around (0.25, 0.25).
pub(super) fn sheet(z: f32) -> [[f32; 3]; 3] {
    [[0.0, 0.0, z], [1.0, 0.0, z], [0.0, 1.0, z]]
}

/// Returns the ray up from below the sheets' middle.
pub(super) fn up() -> Rays<1> {
    ray([0.25, 0.25, -1.0], [0.0, 0.0, 1.0])
}

/// What tests ask of an answer.
pub(super) trait Found {
    /// Returns t, the geometry and the primitive; `None` for no hit.
    fn found(&self) -> Option<(f32, u32, u32)>;
}

impl Found for RayHits<1> {
    fn found(&self) -> Option<(f32, u32, u32)> {
        let hit = (self.ray.tfar[0], self.hit.geometry[0], self.hit.prim[0]);
        (hit.1 != INVALID).then_some(hit)
    }
}
