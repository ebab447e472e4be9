//! Pictures of triangle meshes and scenes, every pixel computed by exact ray queries.
//!
//! [`ViewOptions`] choose a [`View`] that shows a [`Target`] well: a scene, or a mesh as a scene of it
//! alone. [`Paint`] paints it in one of the [`Shade`]s. Both report progress, and can be cancelled. A
//! [`Picture`] has its pixels as RGB or RGBA, and is read and written as PNG.
//!
//! The same target, view, size, shade and number of samples give the same bytes on every machine, for
//! any number of threads; but [`Shade::Heat`] may differ between instruction sets. Work runs in rayon's current pool.
//!
//! ```
//! use estoc::{Bvh, demo::DemoSpec, scene::SceneSnapshot};
//! use estoc_picture::{Paint, Shade, Size, Target, ViewOptions};
//! let spec: DemoSpec = "sphere?n=200".parse()?;
//! let mesh = spec.mesh();
//! let world = SceneSnapshot::of_mesh(Bvh::build(&mesh))?;
//! let target = Target::mesh(&world, &mesh);
//! let size = Size::try_new(32, 24)?;
//! let view = ViewOptions::new().view(target, size)?;
//! let painted = Paint::new(target).shade(Shade::Facing).samples(1).paint(&view, size)?;
//! let middle = painted.picture.pixel(16, 12).expect("a pixel of the picture");
//! let corner = painted.picture.pixel(0, 0).expect("a pixel of the picture");
//! assert_ne!(middle, corner);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod error;
mod hits;
// Other systems do not limit the address space of a process.
#[cfg(all(test, target_os = "linux"))]
mod memory_tests;
mod paint;
#[doc(hidden)]
pub mod parts;
mod picture;
mod shade;
mod short_number;
mod target;
mod view;
mod watch;

pub use error::PictureError;
pub use hits::closest_hits_of;
pub use paint::{Accumulation, Paint, Painted};
pub use picture::{
    Difference, DifferenceError, Picture, PictureMemoryError, PngError, Size, SizeError,
    difference_picture, write_rgba_png,
};
pub use shade::Shade;
pub use target::{SceneMaterials, Target, TargetMesh};
pub use view::{View, ViewOptions, ViewProjection};
