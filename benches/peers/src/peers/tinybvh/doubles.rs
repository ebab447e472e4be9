//! tinybvh's tree in `f64`.

use super::library::Library;
use crate::engine::Queries;
use crate::ray::{Hit, Ray};
use crate::scenes::Scene;
use estoc::glam::DVec3;
use std::ffi::c_void;
use std::ptr::NonNull;
use std::sync::Arc;

const _: () = {
    assert!(size_of::<DVec3>() == 24 && size_of::<Hit<f64>>() == 16);
    assert!(std::mem::offset_of!(Ray<f64>, t_max) == 24);
    assert!(std::mem::offset_of!(Ray<f64>, dir) == 32);
    assert!(std::mem::offset_of!(Hit<f64>, prim) == 8);
};

/// A tree that any number of threads may query.
pub(super) struct DoubleTree {
    library: Arc<Library>,
    handle: NonNull<c_void>,
}

// SAFETY: a tree belongs to no thread: what it holds was allocated by functions that any thread may
// release with, and queries read it only.
unsafe impl Send for DoubleTree {}
// SAFETY: as above.
unsafe impl Sync for DoubleTree {}

impl DoubleTree {
    /// Builds a tree with one thread or with all of the machine.
    pub(super) fn build(
        library: &Arc<Library>,
        threaded: bool,
        scene: &Scene,
    ) -> Result<Self, String> {
        let corners: Vec<DVec3> = scene.double_corners().flatten().collect();
        if corners.is_empty() {
            return Err("tinybvh builds no tree of no triangles".to_owned());
        }
        // SAFETY: the corners are alive during the call, after which the shim does not read them; they
        // are three packed f64 each (the size is asserted above), and three for each triangle.
        let handle =
            unsafe { (library.build_doubles)(threaded, corners.as_ptr(), corners.len() / 3) };
        let handle = NonNull::new(handle).ok_or("tinybvh could not build the tree")?;
        Ok(DoubleTree {
            library: library.clone(),
            handle,
        })
    }

    /// Returns the size of what queries read.
    pub(super) fn bytes(&self) -> usize {
        // SAFETY: the tree is alive.
        unsafe { (self.library.bytes_of_doubles)(self.handle.as_ptr()) }
    }
}

impl Queries<f64> for DoubleTree {
    fn closest_hits(&self, rays: &[Ray<f64>], hits: &mut [Hit<f64>]) {
        assert_eq!(rays.len(), hits.len());
        let (find, tree) = (self.library.closest_hits_of_doubles, self.handle.as_ptr());
        // SAFETY: the tree is alive; there are as many rays and answers as are given, in the layout
        // that the shim declares, which is asserted above.
        unsafe { find(tree, rays.as_ptr(), hits.as_mut_ptr(), rays.len()) };
    }

    fn any_hits(&self, rays: &[Ray<f64>], hits: &mut [bool]) {
        assert_eq!(rays.len(), hits.len());
        let (find, tree) = (self.library.any_hits_of_doubles, self.handle.as_ptr());
        // SAFETY: as above; C++ writes 0 or 1 into each `bool`.
        unsafe { find(tree, rays.as_ptr(), hits.as_mut_ptr(), rays.len()) };
    }
}

impl Drop for DoubleTree {
    fn drop(&mut self) {
        // SAFETY: the tree is alive and ours, and is used no more.
        unsafe { (self.library.release_doubles)(self.handle.as_ptr()) };
    }
}
