//! The compiled part of the Python package `estoc`.
//!
//! The classes here check nothing but what memory safety needs, and convert; names, shapes, options
//! and documentation are in the Python sources, which are the only users.
//!
//! Every call runs without the interpreter's lock, in a pool of its own ([`pool`]), while the calling
//! thread waits, checks for signals and reports progress ([`call`]). After a `fork`, a child waits for no
//! thread of its parent ([`fork`]). Arrays are read
//! ([`rows`]) and written ([`column`]) by atomic accesses, some thousands of items at a time.

mod alignment;
mod answer_arrays;
mod ask;
mod block;
mod bvh;
mod call;
mod column;
mod failure;
mod fork;
mod hit_details;
mod lists;
mod mesh;
mod mesh_arrays;
mod names;
mod picture;
mod picture_file;
mod point_input;
mod point_questions;
mod pool;
mod precision;
mod ray_input;
mod ray_options;
mod ray_questions;
mod rows;
mod scene;
mod sections;
mod solids;
mod target;
mod tree_files;
mod whole_surface;

#[pyo3::pymodule(gil_used = false)]
mod _estoc {
    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::alignment::is_aligned;
    #[pymodule_export]
    use crate::picture::{check_output, paint_mesh, paint_scene, png_bytes, write_png};
    #[pymodule_export]
    use crate::point_questions::ask_points;
    #[pymodule_export]
    use crate::ray_questions::{ask_rays, sphere_thickness};
    #[pymodule_export]
    use crate::scene::{Scene, SceneSnapshot};
    #[pymodule_export]
    use crate::sections::sections;
    #[pymodule_export]
    use crate::solids::{overlaps, sweep};
    #[pymodule_export]
    use crate::{bvh::Bvh, mesh::Mesh, pool::cpu_count, target::path_len};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        module.add("MAX_DEPTH", estoc::scene::ScenePath::MAX_DEPTH)?;
        module.add(
            "SHADES",
            estoc_picture::Shade::ALL.map(estoc_picture::Shade::name),
        )?;
        // Read once, by a lock that a child must not find taken.
        estoc::batch::CacheSizes::of_this_machine();
        crate::fork::watch_forks(module)
    }
}
