//! Pictures and PNG files.

use crate::bvh::Bvh;
use crate::call::run;
use crate::failure::Failure;
use crate::mesh::Mesh;
use crate::picture_file::PictureFile;
use crate::scene::{Scene, refused};
use estoc::glam::Vec3;
use estoc::scene::{SceneError, SceneSnapshot};
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
/// samples; whether there is a legend; eye, at and up; the field of view, or the height of an orthographic
/// view; the file; the number of threads; what is called with the progress.
#[derive(FromPyObject)]
pub(crate) struct PictureArguments<'py>(
    [usize; 2],
    String,
    u32,
    bool,
    [Option<[f32; 3]>; 3],
    [Option<f32>; 2],
    Option<PathBuf>,
    usize,
    Option<Bound<'py, PyAny>>,
);

impl PictureArguments<'_> {
    /// Paints a picture, writes it to the file, and returns its bytes as RGBA. With a mesh, `world` makes
    /// the scene of it alone.
    fn paint<'py>(
        &self,
        py: Python<'py>,
        world: impl FnOnce() -> Result<Arc<SceneSnapshot>, SceneError> + Send,
        mesh: Option<&estoc::Mesh>,
        to: Option<&estoc::Bvh>,
    ) -> PyResult<Bound<'py, PyArray1<u8>>> {
        let PictureArguments(size, shade, samples, legend, points, seen, path, threads, progress) =
            self;
        let [eye, at, up] = points.map(|point| point.map(Vec3::from));
        let [fov, ortho] = *seen;
        let options = ViewOptions::new().eye(eye).at(at).up(up);
        let options = options.fov(fov).ortho(ortho);
        let rgba = run(py, *threads, progress.as_ref(), |call| {
            let size = Size::try_new(size[0], size[1])?;
            let shade = Shade::of_name(shade)
                .ok_or_else(|| raised(format!("there is no shade {shade:?}")))?;
            let file = path.as_deref().map(PictureFile::create).transpose()?;
            let report = call.reporter();
            let world = world().map_err(refused)?;
            let target = match mesh {
                Some(mesh) => Target::mesh(&world, mesh),
                None => Target::scene(&world),
            };
            let options = options.cancel(&call.cancel).progress(&report);
            let view = options.view(target, size)?;
            let paint = Paint::new(target).reference(to).shade(shade);
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

/// Paints a mesh and its tree; `to` is the tree of another mesh, from which distances are measured.
#[pyfunction]
pub(crate) fn paint_mesh<'py>(
    py: Python<'py>,
    mesh: &Mesh,
    bvh: &Bvh,
    to: Option<Bound<'py, Bvh>>,
    arguments: PictureArguments<'py>,
) -> PyResult<Bound<'py, PyArray1<u8>>> {
    let tree = |bvh: &Bvh| bvh.f32(py, "PictureError", "pictures").cloned();
    let (bvh, mesh) = (tree(bvh)?, mesh.f32(py, "PictureError", "pictures")?);
    let to = to.as_ref().map(|to| tree(to.get())).transpose()?;
    let world = || SceneSnapshot::of_mesh(bvh);
    arguments.paint(py, world, Some(mesh), to.as_deref())
}

/// Paints a scene as it is now.
#[pyfunction]
pub(crate) fn paint_scene<'py>(
    py: Python<'py>,
    scene: &Scene,
    arguments: PictureArguments<'py>,
) -> PyResult<Bound<'py, PyArray1<u8>>> {
    let world = scene.now(py)?;
    arguments.paint(py, || Ok(world), None, None)
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
