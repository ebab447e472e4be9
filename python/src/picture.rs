//! Pictures and PNG files.

use crate::bvh::Bvh;
use crate::call::run;
use crate::failure::Failure;
use crate::mesh::Mesh;
use crate::picture_file::PictureFile;
use crate::precision::{Precision, either};
use crate::scene::{Scene, refused};
use estoc::glam::{DAffine3, DVec3};
use estoc::io::LocalFrame;
use estoc::scene::{Placement, SceneSnapshot};
use estoc_mesh::parts::relative_to;
use estoc_picture::{
    Paint, PictureError, PictureMemoryError, PngError, Shade, Size, SizeError, Target, ViewOptions,
    write_rgba_png,
};
use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::path::PathBuf;
use std::sync::Arc;

/// The tuple that the Python sources pass: width and height; the name of the shade; the number of
/// samples; whether there is a legend; eye, at and up, in the world; the field of view, or the height of an
/// orthographic view; the file; the number of threads; what is called with the progress.
#[derive(FromPyObject)]
pub(crate) struct PictureArguments<'py>(
    [usize; 2],
    String,
    u32,
    bool,
    [Option<[f64; 3]>; 3],
    [Option<f32>; 2],
    Option<PathBuf>,
    usize,
    Option<Bound<'py, PyAny>>,
);

impl PictureArguments<'_> {
    /// Paints a picture, writes it to the file, and returns its bytes as RGBA: of a mesh and its tree, or of a
    /// scene.
    fn paint<'py>(
        &self,
        py: Python<'py>,
        (shown, mesh): (&Shown<'_>, Option<&Mesh>),
        to: Option<&Bvh>,
    ) -> PyResult<Bound<'py, PyArray1<u8>>> {
        let PictureArguments(size, shade, samples, legend, points, seen, path, threads, progress) =
            self;
        let origin = shown.origin();
        let [eye, at, up] = points.map(|point| point.map(DVec3::from));
        let [eye, at] = [eye, at].map(|point| Some(relative_to(origin, point?)));
        let up = up.map(DVec3::as_vec3);
        let [fov, ortho] = *seen;
        let options = ViewOptions::new().eye(eye).at(at).up(up);
        let options = options.fov(fov).ortho(ortho);
        let rgba = run(py, *threads, progress.as_ref(), |call| {
            let size = Size::try_new(size[0], size[1])?;
            let shade = Shade::of_name(shade)
                .ok_or_else(|| raised(format!("there is no shade {shade:?}")))?;
            let file = path.as_deref().map(PictureFile::create).transpose()?;
            let report = call.reporter();
            let world = shown.world()?;
            let to = to.map(|to| relative(to, origin)).transpose()?;
            let target = match mesh.map(|mesh| &mesh.mesh) {
                Some(Precision::F32(mesh)) => Target::mesh(&world, mesh),
                Some(Precision::F64(mesh)) => Target::placed_mesh(&world).with_materials(mesh),
                None => Target::scene(&world),
            };
            let options = options.cancel(&call.cancel).progress(&report);
            let view = options.view(target, size)?;
            let paint = Paint::new(target).reference(to.as_deref()).shade(shade);
            let paint = paint.samples(*samples).legend(*legend);
            let paint = paint.cancel(&call.cancel).progress(&report);
            let picture = paint.paint(&view, size)?.picture;
            if let Some(file) = file {
                file.write(call, |to| picture.write_png(to))?;
            }
            Ok(picture.rgba()?)
        })?;
        Ok(rgba.into_pyarray(py))
    }
}

/// What is painted.
enum Shown<'a> {
    Tree(&'a Bvh),
    Scene(Arc<SceneSnapshot>),
}

impl Shown<'_> {
    /// Returns the point of the world that is at 0 for the rays of a picture: one near a mesh in `f64`.
    fn origin(&self) -> DVec3 {
        match self {
            Shown::Tree(tree) => match &tree.bvh {
                Precision::F32(_) => tree.origin,
                Precision::F64(bvh) => LocalFrame::origin_of(bvh.bounds()),
            },
            Shown::Scene(_) => DVec3::ZERO,
        }
    }

    fn world(&self) -> Result<Arc<SceneSnapshot>, Failure> {
        match self {
            Shown::Tree(tree) => relative(tree, self.origin()),
            Shown::Scene(world) => Ok(world.clone()),
        }
    }
}

/// Returns the scene of a tree alone, in coordinates relative to an origin.
fn relative(tree: &Bvh, origin: DVec3) -> Result<Arc<SceneSnapshot>, Failure> {
    let by = DAffine3::from_translation(tree.origin - origin);
    let placement = match &tree.bvh {
        Precision::F32(bvh) if tree.origin == origin => {
            return SceneSnapshot::of_mesh(bvh.clone()).map_err(refused);
        }
        bvh => either!(bvh, bvh => Placement::try_new(bvh.clone(), &by)),
    };
    let mut scene = estoc::scene::Scene::new();
    let placement = placement.map_err(refused)?;
    scene.add(placement).map_err(refused)?;
    scene.try_commit().map_err(refused)
}

/// Paints a mesh and its tree; `to` is the tree of another mesh, from which distances are measured.
#[pyfunction]
pub(crate) fn paint_mesh<'py>(
    py: Python<'py>,
    mesh: &Mesh,
    bvh: &Bvh,
    to: Option<Bound<'py, Bvh>>,
    arguments: PictureArguments<'py>,
) -> PyResult<Bound<'py, PyArray1<u8>>> {
    let to = to.as_ref().map(Bound::get);
    arguments.paint(py, (&Shown::Tree(bvh), Some(mesh)), to)
}

/// Paints a scene as it is now.
#[pyfunction]
pub(crate) fn paint_scene<'py>(
    py: Python<'py>,
    scene: &Scene,
    arguments: PictureArguments<'py>,
) -> PyResult<Bound<'py, PyArray1<u8>>> {
    let world = scene.now(py)?;
    arguments.paint(py, (&Shown::Scene(world), None), None)
}

/// Returns the bytes of a PNG file with these pixels, four bytes each.
#[pyfunction]
pub(crate) fn png_bytes<'py>(
    py: Python<'py>,
    width: usize,
    height: usize,
    rgba: &Bound<'_, PyBytes>,
) -> PyResult<Bound<'py, PyBytes>> {
    let rgba = rgba.as_bytes();
    let png = run(py, 1, None, |_| {
        let mut png = Vec::new();
        write_rgba_png(&mut png, Size::try_new(width, height)?, rgba)?;
        Ok(png)
    })?;
    bytes_of(py, &png)
}

/// Returns a copy; an exception, not a panic, without memory.
pub(crate) fn bytes_of<'py>(py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
    PyBytes::new_with(py, bytes.len(), |copy| {
        copy.copy_from_slice(bytes);
        Ok(())
    })
}

/// Fails if no file can be written at this path. Leaves nothing there.
#[pyfunction]
pub(crate) fn check_output(py: Python<'_>, path: PathBuf) -> PyResult<()> {
    run(py, 1, None, |_| PictureFile::check(&path))
}

/// Writes a PNG file with these pixels, four bytes each.
#[pyfunction]
pub(crate) fn write_png(
    py: Python<'_>,
    path: PathBuf,
    width: usize,
    height: usize,
    rgba: &Bound<'_, PyBytes>,
) -> PyResult<()> {
    let rgba = rgba.as_bytes();
    run(py, 1, None, |call| {
        let size = Size::try_new(width, height)?;
        let file = PictureFile::create(&path)?;
        file.write(call, |to| write_rgba_png(to, size, rgba))
    })
}

fn raised(message: String) -> Failure {
    Failure::Raised("PictureError", message)
}

impl From<PictureError> for Failure {
    fn from(error: PictureError) -> Self {
        match error {
            PictureError::Cancelled => Failure::Cancelled,
            PictureError::Batch(error) => error.into(),
            PictureError::NoMemory(error) => error.into(),
            error => raised(error.to_string()),
        }
    }
}

impl From<PictureMemoryError> for Failure {
    fn from(error: PictureMemoryError) -> Self {
        Failure::Memory(error.to_string())
    }
}

impl From<SizeError> for Failure {
    fn from(error: SizeError) -> Self {
        raised(error.to_string())
    }
}

impl From<PngError> for Failure {
    fn from(error: PngError) -> Self {
        match error {
            PngError::NoMemory { .. } => Failure::Memory(error.to_string()),
            error => raised(error.to_string()),
        }
    }
}
