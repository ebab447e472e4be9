//! Files of trees.

use crate::ask::reserve;
use crate::bvh::Bvh;
use crate::call::{Call, run};
use crate::failure::Failure;
use crate::mesh::Mesh;
use crate::picture::bytes_of;
use crate::precision::Precision;
use estoc::io::{TreeFile, TreeLoader, TreeWriter};
use estoc_core::Coordinate;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[pymethods]
impl Bvh {
    /// Saves the tree with the names and faces of its mesh.
    fn save(&self, py: Python<'_>, path: PathBuf, mesh: &Mesh) -> PyResult<()> {
        run(py, 0, None, |call| self.write(mesh, To::Path(&path), call))
    }

    /// Loads a tree, and its mesh.
    #[staticmethod]
    fn load(py: Python<'_>, path: PathBuf) -> PyResult<(Self, Mesh)> {
        run(py, 0, None, |call| {
            let loader = TreeLoader::new().cancel(&call.cancel);
            match TreeFile::is_f64(&start_of(&path)) {
                true => of_wide_file(loader.load_f64(&path)?),
                false => of_file(loader.load(&path)?),
            }
        })
    }

    /// Returns the bytes of a file.
    fn to_bytes<'py>(&self, py: Python<'py>, mesh: &Mesh) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = run(py, 1, None, |call| {
            let mut bytes = ByteList(Vec::new());
            self.write(mesh, To::Bytes(&mut bytes), call)?;
            Ok(bytes.0)
        })?;
        bytes_of(py, &bytes)
    }

    /// Reads a tree, and its mesh, from the bytes of a file.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, bytes: &Bound<'_, PyBytes>) -> PyResult<(Self, Mesh)> {
        let bytes = bytes.as_bytes();
        run(py, 0, None, |call| {
            let loader = TreeLoader::new().cancel(&call.cancel);
            match TreeFile::is_f64(bytes) {
                true => of_wide_file(loader.read_f64(bytes, "bytes")?),
                false => of_file(loader.read(bytes, "bytes")?),
            }
        })
    }
}

/// Where a tree is written.
enum To<'a> {
    Path(&'a Path),
    Bytes(&'a mut ByteList),
}

impl Bvh {
    fn write(&self, mesh: &Mesh, to: To<'_>, call: &Call) -> Result<(), Failure> {
        match (&self.bvh, &mesh.mesh) {
            (Precision::F32(bvh), Precision::F32(mesh)) => write(bvh, mesh, to, call),
            (Precision::F64(bvh), Precision::F64(mesh)) => write(bvh, mesh, to, call),
            _ => {
                let message = "the mesh of another tree was passed".to_owned();
                Err(Failure::Raised("TreeFileError", message))
            }
        }
    }
}

fn write<C: Coordinate>(
    bvh: &estoc::Bvh<C>,
    mesh: &estoc::Mesh<C>,
    to: To<'_>,
    call: &Call,
) -> Result<(), Failure> {
    let writer = TreeWriter::new(bvh).mesh(mesh).cancel(&call.cancel);
    match to {
        To::Path(path) => writer.save(path)?,
        To::Bytes(bytes) => writer.write_to(bytes, "bytes")?,
    }
    Ok(())
}

/// Returns the bytes that a file begins with, by which its kind is known; none of what is no file, which is told when
/// it is loaded.
fn start_of(path: &Path) -> Vec<u8> {
    let mut start = Vec::new();
    if path.is_file()
        && let Ok(file) = File::open(path)
    {
        // What cannot be read now cannot be loaded either.
        let _read = file.take(16).read_to_end(&mut start);
    }
    start
}

fn of_file(file: TreeFile) -> Result<(Bvh, Mesh), Failure> {
    let mesh = file.mesh()?;
    let origin = mesh.origin();
    let bvh = Precision::F32(Arc::new(file.into_bvh()));
    Ok((Bvh::of(bvh, origin), Mesh::from(mesh)))
}

fn of_wide_file(file: TreeFile<f64>) -> Result<(Bvh, Mesh), Failure> {
    let mesh = Mesh::of(Precision::F64(file.mesh()?));
    let bvh = Precision::F64(Arc::new(file.into_bvh()));
    Ok((Bvh::of(bvh, mesh.world_origin()), mesh))
}

/// Bytes that are written to a list; an error without memory.
struct ByteList(Vec<u8>);

impl Write for ByteList {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match reserve(&mut self.0, bytes.len()) {
            Ok(()) => self.0.extend_from_slice(bytes),
            Err(_) => return Err(io::ErrorKind::OutOfMemory.into()),
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
