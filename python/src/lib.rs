//! The compiled part of the Python package `estoc`.
//!
//! The classes here check nothing but what memory safety needs, and convert; names, shapes, options
//! and documentation are in the Python sources, which are the only users.
//!
//! Every call runs without the interpreter's lock, in a pool of its own ([`pool`]), while the calling
//! thread waits, checks for signals and reports progress ([`call`]). After a `fork`, a child waits for no
//! thread of its parent ([`fork`]). Arrays are read
//! ([`rows`]) and written ([`column`]) by atomic accesses, block by block ([`block`]).

mod answer_arrays;
mod ask;
mod block;
mod bvh;
mod call;
mod column;
mod failure;
mod fork;
mod lists;
mod mesh;
mod options;
mod picture;
mod picture_file;
mod point_arguments;
mod point_questions;
mod pool;
mod ray_arguments;
mod ray_input;
mod rows;
mod scene;
mod scene_points;
mod scene_snapshot;
mod whole_surface;

use pyo3::prelude::*;

#[pymodule(gil_used = false)]
fn _estoc(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add(
        "SHADES",
        estoc_picture::Shade::ALL.map(estoc_picture::Shade::name),
    )?;
    module.add_class::<mesh::Mesh>()?;
    module.add_class::<bvh::Bvh>()?;
    module.add_class::<scene::Scene>()?;
    module.add_class::<scene_snapshot::SceneSnapshot>()?;
    module.add_function(wrap_pyfunction!(picture::paint_mesh, module)?)?;
    module.add_function(wrap_pyfunction!(picture::paint_scene, module)?)?;
    module.add_function(wrap_pyfunction!(picture::png_bytes, module)?)?;
    module.add_function(wrap_pyfunction!(picture::check_output, module)?)?;
    module.add_function(wrap_pyfunction!(picture::write_png, module)?)?;
    module.add_function(wrap_pyfunction!(pool::cpu_count, module)?)?;
    // Read once, by a lock that a child must not find taken.
    estoc::batch::CacheSizes::of_this_machine();
    fork::watch_forks(module)?;
    Ok(())
}
