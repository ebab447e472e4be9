//! Finding and opening the library that `tinybvh/build` compiles, and its interface, declared by hand
//! after `tinybvh/shim.cpp`.

use crate::engine::Queries;
use crate::peers::shared_library::{self, functions};
use crate::ray::{Hit, Ray};
use crate::scenes::Scene;
use estoc::glam::Vec3;
use libloading::os::unix::{RTLD_LOCAL, RTLD_NOW};
use std::ffi::c_void;
use std::path::Path;
use std::ptr::NonNull;
use std::sync::Arc;

functions! {
    version = b"estoc_tinybvh_version\0": () -> u32;
    // Layout, high quality, threaded, vertices, faces, number of faces.
    build = b"estoc_tinybvh_build\0":
        (u32, bool, bool, *const Vec3, *const [u32; 3], usize) -> *mut c_void;
    release = b"estoc_tinybvh_release\0": (*mut c_void);
    bytes = b"estoc_tinybvh_bytes\0": (*const c_void) -> usize;
    // Tree, rays, answers, number of both.
    closest_hits = b"estoc_tinybvh_closest_hits\0": (*const c_void, *const Ray, *mut Hit, usize);
    any_hits = b"estoc_tinybvh_any_hits\0": (*const c_void, *const Ray, *mut bool, usize);
}

const _: () = {
    assert!(size_of::<Vec3>() == 12 && size_of::<Hit>() == 8);
    assert!(std::mem::offset_of!(Ray, t_max) == 12 && std::mem::offset_of!(Ray, dir) == 16);
    assert!(std::mem::offset_of!(Hit, prim) == 4);
};

impl Library {
    /// Opens the library that `TINYBVH_LIB` names; the error says why there is none.
    pub(super) fn locate() -> Result<Library, String> {
        let path = std::env::var_os("TINYBVH_LIB")
            .ok_or("TINYBVH_LIB is not set; set it to the path that tinybvh/build prints")?;
        Library::open(Path::new(&path)).map_err(|reason| format!("TINYBVH_LIB: {reason}"))
    }

    fn open(path: &Path) -> Result<Library, String> {
        // SAFETY: nothing can be proven here: the user names this file as the compiled shim, whose
        // initialisers, those of tinybvh's constants, set up its own statics only.
        let shared = unsafe { shared_library::open(path, RTLD_NOW | RTLD_LOCAL) }?;
        // SAFETY: the names begin with estoc's, so they are those of the shim, whose functions have
        // these types.
        let library = unsafe { Library::of(shared) }.map_err(|error| error.to_string())?;
        let description = format!("{} at {}", library.version(), path.display());
        Ok(Library {
            description,
            ..library
        })
    }

    /// Returns the version of the header.
    pub(super) fn version(&self) -> String {
        // SAFETY: the function only returns a number.
        let version = unsafe { (self.version)() };
        let part = |shift: u32| (version >> shift) & 0xff;
        format!("{}.{}.{}", part(16), part(8), part(0))
    }
}

/// A tree, which any number of threads may query.
pub(super) struct Tree {
    library: Arc<Library>,
    handle: NonNull<c_void>,
}

// SAFETY: a tree belongs to no thread: what it holds was allocated by functions that any thread may
// release with, and queries read it only.
unsafe impl Send for Tree {}
// SAFETY: as above.
unsafe impl Sync for Tree {}

impl Tree {
    /// Builds a tree in the shim's layout of this number, with one thread or with all of the machine.
    pub(super) fn build(
        library: &Arc<Library>,
        layout: u32,
        high_quality: bool,
        threaded: bool,
        scene: &Scene,
    ) -> Result<Tree, String> {
        let faces = scene.faces();
        if faces.is_empty() {
            return Err("tinybvh builds no tree of no triangles".to_owned());
        }
        let positions = scene.positions().as_ptr();
        // SAFETY: the slices are alive during the call, after which the shim does not read them;
        // `Vec3` is three packed f32 (its size is asserted above). Faces name vertices that exist,
        // which `Mesh` has checked. There is a face.
        let handle = unsafe {
            (library.build)(
                layout,
                high_quality,
                threaded,
                positions,
                faces.as_ptr(),
                faces.len(),
            )
        };
        let handle = NonNull::new(handle).ok_or("tinybvh could not build the tree")?;
        Ok(Tree {
            library: library.clone(),
            handle,
        })
    }

    /// Returns the size of what queries read.
    pub(super) fn bytes(&self) -> usize {
        // SAFETY: the tree is alive.
        unsafe { (self.library.bytes)(self.handle.as_ptr()) }
    }
}

impl Queries for Tree {
    fn closest_hits(&self, rays: &[Ray], hits: &mut [Hit]) {
        assert_eq!(rays.len(), hits.len());
        let (find, tree) = (self.library.closest_hits, self.handle.as_ptr());
        // SAFETY: the tree is alive; there are as many rays and answers as are given, in the layout
        // that the shim declares, which is asserted above.
        unsafe { find(tree, rays.as_ptr(), hits.as_mut_ptr(), rays.len()) };
    }

    fn any_hits(&self, rays: &[Ray], hits: &mut [bool]) {
        assert_eq!(rays.len(), hits.len());
        let (find, tree) = (self.library.any_hits, self.handle.as_ptr());
        // SAFETY: as above; C++ writes 0 or 1 into each `bool`.
        unsafe { find(tree, rays.as_ptr(), hits.as_mut_ptr(), rays.len()) };
    }
}

impl Drop for Tree {
    fn drop(&mut self) {
        // SAFETY: the tree is alive and ours, and is used no more.
        unsafe { (self.library.release)(self.handle.as_ptr()) };
    }
}
