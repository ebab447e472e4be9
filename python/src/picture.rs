//! Pictures and PNG files.

use crate::bvh::Bvh;
use crate::call::{Call, run};
use crate::failure::Failure;
use crate::mesh::Mesh;
use crate::scene::Scene;
use estoc::glam::Vec3;
use estoc_memory::WholeFile;
use estoc_picture::{
    MeshTarget, Paint, Picture, PictureError, PngError, SceneTarget, Shade, Size, SizeError,
    Target, ViewOptions, write_rgba_png,
};
use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// The tuple that the Python sources pass: width and height; the name of the shade; the number of
/// samples; whether there is a legend; eye, at and up, and the field of view; the file; the number of
/// threads; what is called with the progress.
#[derive(FromPyObject)]
pub(crate) struct PictureArguments<'py>(
    [usize; 2],
    String,
    u32,
    bool,
    [Option<[f32; 3]>; 3],
    Option<f32>,
    Option<PathBuf>,
    usize,
    Option<Bound<'py, PyAny>>,
);

impl PictureArguments<'_> {
    /// Paints a picture, writes it to the file, and returns its bytes as RGBA.
    fn paint<'py>(
        &self,
        py: Python<'py>,
        target: Target<'_>,
        to: Option<&estoc::Bvh>,
    ) -> PyResult<Bound<'py, PyArray1<u8>>> {
        let PictureArguments(size, shade, samples, legend, points, fov, path, threads, progress) =
            self;
        let [eye, at, up] = points.map(|point| point.map(Vec3::from));
        let options = ViewOptions {
            eye,
            at,
            up,
            fov: *fov,
        };
        let rgba = run(py, *threads, progress.as_ref(), |call| {
            let size = Size::new(size[0], size[1])?;
            let shade = Shade::of_name(shade)
                .ok_or_else(|| raised(format!("there is no shade {shade:?}")))?;
            let view = options.view(target, size);
            call.check()?;
            let report = |progress: estoc::Progress| {
                call.report(progress.done, progress.total.unwrap_or(0));
            };
            let paint = Paint::new(target).to(to).shade(shade).samples(*samples);
            let paint = paint.legend(*legend).cancel(&call.cancel);
            let picture = paint.progress(&report).paint(&view, size)?.picture;
            if let Some(path) = path {
                write(call, path, |file| picture.write_png(file))?;
            }
            Ok(Picture::rgba(&picture))
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
    let target = MeshTarget::new(&mesh.mesh, &bvh.bvh).into();
    arguments.paint(py, target, to.as_ref().map(|to| &*to.get().bvh))
}

/// Paints a scene as it is now.
#[pyfunction]
pub(crate) fn paint_scene<'py>(
    py: Python<'py>,
    scene: &Scene,
    arguments: PictureArguments<'py>,
) -> PyResult<Bound<'py, PyArray1<u8>>> {
    let snapshot = scene.snapshot(py)?;
    arguments.paint(py, SceneTarget::new(&snapshot).into(), None)
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
        write_rgba_png(&mut png, Size::new(width, height)?, rgba)?;
        Ok(png)
    })?;
    Ok(PyBytes::new(py, &png))
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
        let size = Size::new(width, height)?;
        write(call, &path, |file| write_rgba_png(file, size, rgba))
    })
}

/// Writes a file, which appears complete or not at all.
fn write(
    call: &Call,
    path: &Path,
    put: impl FnOnce(&mut dyn Write) -> Result<(), PngError>,
) -> Result<(), Failure> {
    let refused = |error: &dyn std::fmt::Display| {
        Failure::Raised(
            "FileError",
            format!("cannot write {}: {error}", path.display()),
        )
    };
    let file = WholeFile::beside(path).map_err(|error| refused(&error))?;
    let mut to = BufWriter::new(file.file().map_err(|error| refused(&error))?);
    put(&mut to).map_err(|error| refused(&error))?;
    to.flush().map_err(|error| refused(&error))?;
    drop(to);
    call.check()?;
    file.finish().map_err(|error| refused(&error))
}

fn raised(message: String) -> Failure {
    Failure::Raised("PictureError", message)
}

impl From<PictureError> for Failure {
    fn from(error: PictureError) -> Self {
        match error {
            PictureError::Cancelled => Failure::Cancelled,
            PictureError::Batch(error) => error.into(),
            PictureError::NoMemory { .. } => Failure::Memory(error.to_string()),
            error => raised(error.to_string()),
        }
    }
}

impl From<SizeError> for Failure {
    fn from(error: SizeError) -> Self {
        raised(error.to_string())
    }
}

impl From<PngError> for Failure {
    fn from(error: PngError) -> Self {
        raised(error.to_string())
    }
}
