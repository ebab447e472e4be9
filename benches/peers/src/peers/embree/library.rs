//! Finding and opening the shared library at run time.

use super::abi;
use libloading::os::unix::{Library as Shared, RTLD_GLOBAL, RTLD_LOCAL, RTLD_NOW};
use std::ffi::{CStr, OsStr, c_int};
use std::path::Path;

/// The functions of the library, which stays open until the process ends.
pub(super) struct Library {
    /// Its version and path.
    description: String,
    pub(super) new_device: abi::NewDevice,
    pub(super) release_device: abi::Act,
    pub(super) device_error: abi::GetDeviceError,
    pub(super) set_memory_monitor: abi::SetMemoryMonitor,
    pub(super) new_scene: abi::NewScene,
    pub(super) release_scene: abi::Act,
    pub(super) set_scene_quality: abi::SetSceneNumber,
    pub(super) set_scene_flags: abi::SetSceneNumber,
    pub(super) commit_scene: abi::Act,
    pub(super) new_geometry: abi::NewGeometry,
    pub(super) set_shared_buffer: abi::SetSharedBuffer,
    pub(super) commit_geometry: abi::Act,
    pub(super) attach_geometry: abi::AttachGeometry,
    pub(super) release_geometry: abi::Act,
    pub(super) get_geometry: abi::GetGeometry,
    pub(super) update_buffer: abi::UpdateBuffer,
    pub(super) set_instanced_scene: abi::SetInstancedScene,
    pub(super) set_instanced_scenes: abi::SetInstancedScenes,
    pub(super) set_transform: abi::SetTransform,
    pub(super) intersect1: abi::Intersect1,
    pub(super) occluded1: abi::Occluded1,
    pub(super) point_query: abi::PointQueryCall,
    pub(super) packets4: Packet<4>,
    pub(super) packets8: Packet<8>,
    pub(super) packets16: Packet<16>,
}

/// The two functions of a packet width.
#[derive(Clone, Copy)]
pub(super) struct Packet<const N: usize> {
    pub(super) intersect: abi::IntersectPacket<N>,
    pub(super) occluded: abi::OccludedPacket<N>,
}

impl Library {
    /// Opens the library that `EMBREE_LIB` names; the error says why there is none.
    pub(super) fn locate() -> Result<Library, String> {
        let path = std::env::var_os("EMBREE_LIB")
            .ok_or("EMBREE_LIB is not set; set it to the path of libembree4")?;
        Library::open(Path::new(&path)).map_err(|reason| format!("EMBREE_LIB: {reason}"))
    }

    fn open(path: &Path) -> Result<Library, String> {
        open_tbb_beside(path);
        let symbols = Symbols(open(path, RTLD_NOW | RTLD_LOCAL)?);
        let description = format!("{} at {}", symbols.version()?, path.display());
        // SAFETY: each name is that of a function of Embree 4's C interface, and the field it
        // goes into has the type that `abi` declares for this function after the headers.
        unsafe {
            Ok(Library {
                description,
                new_device: symbols.get(c"rtcNewDevice")?,
                release_device: symbols.get(c"rtcReleaseDevice")?,
                device_error: symbols.get(c"rtcGetDeviceError")?,
                set_memory_monitor: symbols.get(c"rtcSetDeviceMemoryMonitorFunction")?,
                new_scene: symbols.get(c"rtcNewScene")?,
                release_scene: symbols.get(c"rtcReleaseScene")?,
                set_scene_quality: symbols.get(c"rtcSetSceneBuildQuality")?,
                set_scene_flags: symbols.get(c"rtcSetSceneFlags")?,
                commit_scene: symbols.get(c"rtcCommitScene")?,
                new_geometry: symbols.get(c"rtcNewGeometry")?,
                set_shared_buffer: symbols.get(c"rtcSetSharedGeometryBuffer")?,
                commit_geometry: symbols.get(c"rtcCommitGeometry")?,
                attach_geometry: symbols.get(c"rtcAttachGeometry")?,
                release_geometry: symbols.get(c"rtcReleaseGeometry")?,
                get_geometry: symbols.get(c"rtcGetGeometry")?,
                update_buffer: symbols.get(c"rtcUpdateGeometryBuffer")?,
                set_instanced_scene: symbols.get(c"rtcSetGeometryInstancedScene")?,
                set_instanced_scenes: symbols.get(c"rtcSetGeometryInstancedScenes")?,
                set_transform: symbols.get(c"rtcSetGeometryTransform")?,
                intersect1: symbols.get(c"rtcIntersect1")?,
                occluded1: symbols.get(c"rtcOccluded1")?,
                point_query: symbols.get(c"rtcPointQuery")?,
                packets4: symbols.packet(c"rtcIntersect4", c"rtcOccluded4")?,
                packets8: symbols.packet(c"rtcIntersect8", c"rtcOccluded8")?,
                packets16: symbols.packet(c"rtcIntersect16", c"rtcOccluded16")?,
            })
        }
    }

    pub(super) fn description(&self) -> &str {
        &self.description
    }
}

/// Opens TBB, which Embree needs; packages that bring their own put it beside Embree under another
/// name. Failure is ignored here: the system's search may find it, else opening Embree fails.
fn open_tbb_beside(path: &Path) {
    let is_tbb = |name: &OsStr| name.to_string_lossy().starts_with("libtbb");
    let entries = path.parent().and_then(|folder| folder.read_dir().ok());
    for entry in entries.into_iter().flatten().flatten() {
        if is_tbb(&entry.file_name()) {
            let _ = open(&entry.path(), RTLD_NOW | RTLD_GLOBAL);
        }
    }
}

/// Opens a library for the rest of the process: threads of TBB run in it until the end, even after
/// everything is released.
fn open(path: &Path, flags: c_int) -> Result<&'static Shared, String> {
    // SAFETY: opening a library runs its initialisers, about which nothing can be proven here.
    // The user names this file as Embree; Embree's and TBB's initialisers set up their own
    // statics only.
    let library = unsafe { Shared::open(Some(path), flags) };
    let library = library.map_err(|error| error.to_string())?;
    Ok(Box::leak(Box::new(library)))
}

/// The functions of an open library by name.
struct Symbols(&'static Shared);

impl Symbols {
    /// # Safety
    /// `F` is a function pointer of the type that the function of this name has.
    unsafe fn get<F: Copy>(&self, name: &CStr) -> Result<F, String> {
        // SAFETY: the caller knows the type. The pointer outlives the symbol that it is taken from,
        // and stays valid because the library is never closed.
        let symbol = unsafe { self.0.get::<F>(name.to_bytes_with_nul()) };
        symbol
            .map(|symbol| *symbol)
            .map_err(|error| error.to_string())
    }

    /// # Safety
    /// The names are those of Embree's packet functions of width `N`.
    unsafe fn packet<const N: usize>(
        &self,
        intersect: &CStr,
        occluded: &CStr,
    ) -> Result<Packet<N>, String> {
        // SAFETY: `abi` declares both for any width, and the caller names those of this one.
        unsafe {
            Ok(Packet {
                intersect: self.get(intersect)?,
                occluded: self.get(occluded)?,
            })
        }
    }

    /// Returns the version; an error unless it is 4, whose interface `abi` declares.
    fn version(&self) -> Result<String, String> {
        // SAFETY: the three names and types are Embree's since version 3. Null
        // stands for no settings; the device is checked and released after its last use.
        let [major, minor, patch] = unsafe {
            let new_device: abi::NewDevice = self.get(c"rtcNewDevice")?;
            let release_device: abi::Act = self.get(c"rtcReleaseDevice")?;
            let property: abi::GetDeviceProperty = self.get(c"rtcGetDeviceProperty")?;
            let device = new_device(std::ptr::null());
            if device.is_null() {
                return Err("Embree could not create a device".to_owned());
            }
            let version = abi::VERSION_PROPERTIES.map(|number| property(device, number));
            release_device(device);
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
