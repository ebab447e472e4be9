//! Finding and opening the library that `tinybvh/build` compiles, and its interface, declared by hand
//! after `tinybvh/shim.cpp`.

use crate::engine::Queries;
use crate::peers::shared_library::{self, functions};
use crate::ray::{Hit, Ray};
use crate::scenes::Scene;
use crate::worlds::{Placing, World};
use estoc::glam::{DVec3, Vec3};
use libloading::os::unix::{RTLD_LOCAL, RTLD_NOW};
use std::ffi::c_void;
use std::path::Path;
use std::ptr::NonNull;
use std::sync::Arc;

functions! {
    version = b"estoc_tinybvh_version\0": () -> u32;
    // Layout, high quality, threaded, mesh.
    build_mesh = b"estoc_tinybvh_build_mesh\0": (u32, bool, bool, *const Mesh) -> *mut c_void;
    // Layout, high quality, meshes and their number, placings and their number.
    build_world = b"estoc_tinybvh_build_world\0":
        (u32, bool, *const Mesh, usize, *const Placing, usize) -> *mut c_void;
    release = b"estoc_tinybvh_release\0": (*mut c_void);
    bytes = b"estoc_tinybvh_bytes\0": (*const c_void) -> usize;
    // Tree, rays, answers, number of both.
    closest_hits = b"estoc_tinybvh_closest_hits\0": (*const c_void, *const Ray, *mut Hit, usize);
    any_hits = b"estoc_tinybvh_any_hits\0": (*const c_void, *const Ray, *mut bool, usize);
    // Threaded, corners, triangles.
    build_doubles = b"estoc_tinybvh_build_doubles\0": (bool, *const DVec3, usize) -> *mut c_void;
    release_doubles = b"estoc_tinybvh_release_doubles\0": (*mut c_void);
    bytes_of_doubles = b"estoc_tinybvh_bytes_of_doubles\0": (*const c_void) -> usize;
    closest_hits_of_doubles = b"estoc_tinybvh_closest_hits_of_doubles\0":
        (*const c_void, *const Ray<f64>, *mut Hit<f64>, usize);
    any_hits_of_doubles = b"estoc_tinybvh_any_hits_of_doubles\0":
        (*const c_void, *const Ray<f64>, *mut bool, usize);
}

/// The buffers of a mesh, as the shim reads them.
#[repr(C)]
pub(super) struct Mesh {
    positions: *const Vec3,
    faces: *const [u32; 3],
    count: usize,
}

impl Mesh {
    /// Returns those of a scene, which must live as long as they are read.
    fn of(scene: &Scene) -> Result<Self, String> {
        let faces = scene.mesh.indices();
        if faces.is_empty() {
            return Err("tinybvh builds no tree of no triangles".to_owned());
        }
        Ok(Mesh {
            positions: scene.mesh.positions().as_ptr(),
            faces: faces.as_ptr(),
            count: faces.len(),
        })
    }
}

const _: () = {
    assert!(size_of::<Vec3>() == 12 && size_of::<Hit>() == 8);
    assert!(size_of::<Mesh>() == 24 && size_of::<Placing>() == 52);
    assert!(std::mem::offset_of!(Placing, matrix) == 4);
    assert!(std::mem::offset_of!(Ray, t_max) == 12 && std::mem::offset_of!(Ray, dir) == 16);
    assert!(std::mem::offset_of!(Hit, prim) == 4);
};

impl Library {
    pub(super) fn open(path: &Path) -> Result<Library, String> {
        // SAFETY: nothing can be proven here: the user names this file as the compiled shim, whose
        // initialisers, those of tinybvh's constants, set up its own statics only.
        let shared = unsafe { shared_library::open(path, RTLD_NOW | RTLD_LOCAL) }?;
        // SAFETY: the names begin with estoc's, so they are those of the shim, whose functions have
        // these types.
        let library = unsafe { Library::of(shared) }.map_err(|error| {
            format!("{error}; it may be of another version: run tinybvh/build again")
        })?;
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

/// A tree of a mesh or of placed ones, which any number of threads may query.
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
    pub(super) fn build_mesh(
        library: &Arc<Library>,
        layout: u32,
        high_quality: bool,
        threaded: bool,
        scene: &Scene,
    ) -> Result<Tree, String> {
        let mesh = Mesh::of(scene)?;
        // SAFETY: the slices are alive during the call, after which the shim does not read them;
        // `Vec3` is three packed f32 (its size is asserted above). Faces name vertices that exist,
        // which `estoc::Mesh` has checked. There is a face.
        let handle =
            unsafe { (library.build_mesh)(layout, high_quality, threaded, &raw const mesh) };
        Tree::of(library, handle)
    }

    /// Builds trees of the meshes of a world of one level in this layout, and one of its placings,
    /// with one thread.
    pub(super) fn build_world(
        library: &Arc<Library>,
        layout: u32,
        high_quality: bool,
        world: &World,
    ) -> Result<Tree, String> {
        let [placings] = &world.levels[..] else {
            return Err("tinybvh has two levels; give it the world with one level".to_owned());
        };
        if placings.is_empty() {
            return Err("tinybvh builds no tree of no placements".to_owned());
        }
        let meshes: Result<Vec<Mesh>, String> =
            world.meshes.iter().map(|mesh| Mesh::of(mesh)).collect();
        let meshes = meshes?;
        let exists = |placing: &Placing| (placing.object as usize) < meshes.len();
        assert!(placings.iter().all(exists), "placings name meshes");
        // SAFETY: as above, for each of the meshes. There is a placing, and each names a mesh that
        // exists, which is checked above; the matrices of worlds make none tiny.
        let handle = unsafe {
            (library.build_world)(
                layout,
                high_quality,
                meshes.as_ptr(),
                meshes.len(),
                placings.as_ptr(),
                placings.len(),
            )
        };
        Tree::of(library, handle)
    }

    /// Owns what a function of the shim has built, if it could.
    fn of(library: &Arc<Library>, handle: *mut c_void) -> Result<Tree, String> {
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
