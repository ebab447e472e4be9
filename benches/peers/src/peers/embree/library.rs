//! Finding and opening the shared library at run time.

use super::abi::{
    Arguments, BoundsFunction, Handle, MemoryMonitor, PointQuery, PointQueryContext,
    PointQueryFunction, Ray, RayHit, RayHitPacket, RayPacket, UserFunction, VERSION_PROPERTIES,
    Valid,
};
use crate::peers::shared_library::{self, functions};
use libloading::os::unix::{RTLD_GLOBAL, RTLD_LOCAL, RTLD_NOW};
use std::ffi::{OsStr, c_char, c_int, c_uint, c_void};
use std::path::Path;

functions! {
    new_device = b"rtcNewDevice\0": (*const c_char) -> Handle;
    release_device = b"rtcReleaseDevice\0": (Handle);
    device_property = b"rtcGetDeviceProperty\0": (Handle, c_int) -> isize;
    device_error = b"rtcGetDeviceError\0": (Handle) -> c_int;
    set_memory_monitor = b"rtcSetDeviceMemoryMonitorFunction\0": (Handle, MemoryMonitor, *mut c_void);
    new_scene = b"rtcNewScene\0": (Handle) -> Handle;
    release_scene = b"rtcReleaseScene\0": (Handle);
    set_scene_quality = b"rtcSetSceneBuildQuality\0": (Handle, c_int);
    set_scene_flags = b"rtcSetSceneFlags\0": (Handle, c_int);
    commit_scene = b"rtcCommitScene\0": (Handle);
    new_geometry = b"rtcNewGeometry\0": (Handle, c_int) -> Handle;
    // Geometry, buffer type, slot, format, pointer, offset, stride, count.
    set_shared_buffer = b"rtcSetSharedGeometryBuffer\0":
        (Handle, c_int, c_uint, c_int, *const c_void, usize, usize, usize);
    set_user_count = b"rtcSetGeometryUserPrimitiveCount\0": (Handle, c_uint);
    set_user_data = b"rtcSetGeometryUserData\0": (Handle, *mut c_void);
    set_bounds = b"rtcSetGeometryBoundsFunction\0": (Handle, BoundsFunction, *mut c_void);
    set_intersect = b"rtcSetGeometryIntersectFunction\0": (Handle, UserFunction);
    set_occluded = b"rtcSetGeometryOccludedFunction\0": (Handle, UserFunction);
    commit_geometry = b"rtcCommitGeometry\0": (Handle);
    attach_geometry = b"rtcAttachGeometry\0": (Handle, Handle) -> c_uint;
    release_geometry = b"rtcReleaseGeometry\0": (Handle);
    get_geometry = b"rtcGetGeometry\0": (Handle, c_uint) -> Handle;
    // Geometry, buffer type, slot.
    update_buffer = b"rtcUpdateGeometryBuffer\0": (Handle, c_int, c_uint);
    set_instanced_scene = b"rtcSetGeometryInstancedScene\0": (Handle, Handle);
    set_instanced_scenes = b"rtcSetGeometryInstancedScenes\0": (Handle, *const Handle, usize);
    // Geometry, time step, format, numbers.
    set_transform = b"rtcSetGeometryTransform\0": (Handle, c_uint, c_int, *const c_void);
    intersect1 = b"rtcIntersect1\0": (Handle, *mut RayHit, *mut Arguments);
    occluded1 = b"rtcOccluded1\0": (Handle, *mut Ray, *mut Arguments);
    point_query = b"rtcPointQuery\0":
        (Handle, *mut PointQuery, *mut PointQueryContext, PointQueryFunction, *mut c_void) -> bool;
    intersect4 = b"rtcIntersect4\0":
        (*const Valid<4>, Handle, *mut RayHitPacket<4>, *mut Arguments);
    occluded4 = b"rtcOccluded4\0": (*const Valid<4>, Handle, *mut RayPacket<4>, *mut Arguments);
    intersect8 = b"rtcIntersect8\0":
        (*const Valid<8>, Handle, *mut RayHitPacket<8>, *mut Arguments);
    occluded8 = b"rtcOccluded8\0": (*const Valid<8>, Handle, *mut RayPacket<8>, *mut Arguments);
    intersect16 = b"rtcIntersect16\0":
        (*const Valid<16>, Handle, *mut RayHitPacket<16>, *mut Arguments);
    occluded16 = b"rtcOccluded16\0":
        (*const Valid<16>, Handle, *mut RayPacket<16>, *mut Arguments);
}

impl Library {
    pub(super) fn open(path: &Path) -> Result<Library, String> {
        open_tbb_beside(path);
        // SAFETY: nothing can be proven here: the user names this file as Embree, whose initialisers
        // set up its own statics only.
        let shared = unsafe { shared_library::open(path, RTLD_NOW | RTLD_LOCAL) }?;
        // SAFETY: each name is that of a function of Embree 4's C interface, and has the type of
        // this function in the headers. That it is version 4 is checked below, with functions that
        // have had these names and types since version 3.
        let library = unsafe { Library::of(shared) }.map_err(|error| error.to_string())?;
        let description = format!("{} at {}", library.version()?, path.display());
        Ok(Library {
            description,
            ..library
        })
    }

    /// Returns the version; an error unless it is 4, whose interface is declared here.
    fn version(&self) -> Result<String, String> {
        // SAFETY: null stands for no settings; the device is checked and released after its last
        // use.
        let [major, minor, patch] = unsafe {
            let device = (self.new_device)(std::ptr::null());
            if device.is_null() {
                return Err("Embree could not create a device".to_owned());
            }
            let version = VERSION_PROPERTIES.map(|number| (self.device_property)(device, number));
            (self.release_device)(device);
            version
        };
        if major == 4 {
            Ok(format!("{major}.{minor}.{patch}"))
        } else {
            Err(format!(
                "Embree {major}.{minor}.{patch} is not supported; version 4 is required"
            ))
        }
    }
}

/// Opens TBB, which Embree needs; packages that bring their own put it beside Embree under another
/// name. Failure is ignored here: the system's search may find it, else opening Embree fails.
fn open_tbb_beside(path: &Path) {
    let is_tbb = |name: &OsStr| name.to_string_lossy().starts_with("libtbb");
    let entries = path.parent().and_then(|folder| folder.read_dir().ok());
    for entry in entries.into_iter().flatten().flatten() {
        if is_tbb(&entry.file_name()) {
            // SAFETY: as in `Library::open`, of TBB.
            let _ = unsafe { shared_library::open(&entry.path(), RTLD_NOW | RTLD_GLOBAL) };
        }
    }
}
