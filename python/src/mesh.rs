//! Meshes from arrays and files.

use crate::ask::reserve_for;
use crate::call::run;
use crate::failure::Failure;
use crate::mesh_arrays::{Kept, of_arrays};
use crate::precision::{Precision, either};
use crate::rows::Rows;
use crate::whole_surface::check_room;
use estoc::MeshLoader;
use estoc::glam::{DVec3, Vec3};
use estoc::io::{BadFaces, LocalFrame, Warning, Weld};
use estoc_mesh::parts::{NeededMesh, median_edge, with_origin, without_error_numbers};
use numpy::{Element, IntoPyArray, PyArray2, PyArrayMethods, PyUntypedArray};
use pyo3::prelude::*;
use std::path::PathBuf;

/// A mesh, with the counts and names of its file.
#[pyclass(frozen, module = "estoc._estoc")]
pub(crate) struct Mesh {
    pub(crate) mesh: Precision<estoc::Mesh, estoc::Mesh<f64>>,
    /// The largest movement of a coordinate by rounding an array to `f32`, relative to the origin.
    moved: f64,
}

impl From<estoc::Mesh> for Mesh {
    fn from(mesh: estoc::Mesh) -> Self {
        Mesh::rounded(mesh, 0.0)
    }
}

#[pymethods]
impl Mesh {
    /// Returns the mesh of arrays of vertices and of vertex indices, each with 3 columns; in `f64`, which has no
    /// origin, or relative to an origin that is given or chosen.
    #[new]
    fn new(
        py: Python<'_>,
        vertices: &Bound<'_, PyUntypedArray>,
        faces: &Bound<'_, PyUntypedArray>,
        skip_bad_faces: bool,
        origin: Option<[f64; 3]>,
        local_frame: bool,
        is_f64: bool,
    ) -> PyResult<Self> {
        let kept = match frame(origin, local_frame) {
            _ if is_f64 => Kept::F64,
            Some(frame) => Kept::Relative(frame),
            None => Kept::F32,
        };
        of_arrays(py, vertices, faces, bad_faces(skip_bad_faces), &kept)
    }

    /// Returns the mesh of arrays of vertices relative to an origin, and of vertex indices.
    #[staticmethod]
    fn at_origin(
        py: Python<'_>,
        vertices: &Bound<'_, PyUntypedArray>,
        faces: &Bound<'_, PyUntypedArray>,
        origin: [f64; 3],
    ) -> PyResult<Self> {
        if origin.iter().any(|x| !x.is_finite()) {
            let message = format!("origin is {origin:?}; it must be finite");
            return Err(Failure::Raised("MeshError", message).raise(py));
        }
        let Mesh { mesh, .. } = of_arrays(py, vertices, faces, BadFaces::Reject, &Kept::F32)?;
        Ok(match mesh {
            Precision::F32(mesh) => with_origin(mesh, DVec3::from_array(origin)).into(),
            wide => Mesh::of(wide),
        })
    }

    /// Loads a file. What is kept: whether numbers are `f64`s, or not told as rounding needs it, then the origin and
    /// whether one is to be chosen. With a distance to weld within comes whether to weld: without one, within the least
    /// that closes the mesh.
    #[staticmethod]
    fn load(
        py: Python<'_>,
        path: PathBuf,
        skip_bad_faces: bool,
        kept: (Option<bool>, Option<[f64; 3]>, bool),
        weld: (Option<f64>, bool),
        threads: usize,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        run(py, threads, progress, |call| {
            let report = call.reporter();
            let mut loader = MeshLoader::new()
                .bad_faces(bad_faces(skip_bad_faces))
                .cancel(&call.cancel)
                .progress(&report);
            let (is_f64, origin, local_frame) = kept;
            if let Some(frame) = frame(origin, local_frame) {
                loader = loader.local_frame(frame);
            }
            if let (weld, true) = weld {
                loader = loader.weld(weld.map_or(Weld::Auto, Weld::Within));
            }
            Ok(match is_f64 {
                Some(false) => loader.load(&path)?.into(),
                Some(true) => Mesh::of(Precision::F64(loader.load_f64(&path)?)),
                None => match loader.load_as_needed(&path)? {
                    NeededMesh::F32(mesh) => mesh.into(),
                    NeededMesh::F64 { mesh, .. } => Mesh::of(Precision::F64(mesh)),
                },
            })
        })
    }

    /// Returns how far rounding moved a coordinate of an array, the median edge, and the vertices of triangles of
    /// which different ones have one position.
    fn rounding<'py>(&self, py: Python<'py>) -> PyResult<(f64, f64, Bound<'py, PyArray2<u32>>)> {
        let (median, flat) = py.detach(|| match &self.mesh {
            Precision::F32(mesh) if self.moved > 0.0 => {
                let at = |vertex: u32| mesh.positions()[vertex as usize];
                let is_flat = |&[a, b, c]: &[u32; 3]| {
                    let sides = [(a, b), (b, c), (c, a)];
                    sides.iter().any(|&(a, b)| a != b && at(a) == at(b))
                };
                let flat = mesh.indices().iter().copied().filter(is_flat);
                (median_edge(mesh).unwrap_or(0.0), flat.collect())
            }
            _ => (0.0, Vec::new()),
        });
        Ok((self.moved, median, rows_of(py, flat.into_iter())?))
    }

    /// Returns the number of triangles.
    fn face_count(&self) -> usize {
        either!(&self.mesh, mesh => mesh.triangle_count())
    }

    /// Returns the number of vertices.
    fn vertex_count(&self) -> usize {
        either!(&self.mesh, mesh => mesh.positions().len())
    }

    /// Returns whether the vertices are `f64`s.
    fn is_f64(&self) -> bool {
        self.mesh.is_f64()
    }

    /// Returns a copy of the vertices.
    fn vertices<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(match &self.mesh {
            Precision::F32(mesh) => {
                rows_of(py, mesh.positions().iter().map(Vec3::to_array))?.into_any()
            }
            Precision::F64(mesh) => {
                rows_of(py, mesh.positions().iter().map(DVec3::to_array))?.into_any()
            }
        })
    }

    /// Returns the normals of the vertices.
    fn vertex_normals<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let mesh = self.f32(py, "QueryError", "normals of vertices")?;
        let normals = run(py, 1, None, |_| {
            let bytes = mesh.positions().len() * (size_of::<DVec3>() + size_of::<Vec3>());
            check_room(bytes, "compute the normals of vertices")?;
            Ok(mesh.vertex_normals())
        })?;
        rows_of(py, normals.iter().map(Vec3::to_array))
    }

    /// Returns a copy of the vertex indices.
    fn faces<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u32>>> {
        let indices = either!(&self.mesh, mesh => mesh.indices());
        rows_of(py, indices.iter().copied())
    }

    /// Returns the corners of the smallest box around all triangles.
    fn bounds(&self) -> Option<[[f64; 3]; 2]> {
        let corners = match &self.mesh {
            Precision::F32(mesh) => [mesh.bounds().min(), mesh.bounds().max()].map(Vec3::as_dvec3),
            Precision::F64(mesh) => mesh.bounds(),
        };
        let has_any = self.face_count() > 0;
        has_any.then(|| corners.map(|corner| corner.to_array()))
    }

    /// Returns the mesh with near corners joined: within a distance, or within the least that closes it.
    fn welded(&self, py: Python<'_>, distance: Option<f64>) -> PyResult<Self> {
        let weld = distance.map_or(Weld::Auto, Weld::Within);
        let mesh = self.f32(py, "MeshError", "joined corners")?;
        let mesh = run(py, 1, None, |_| Ok(mesh.clone().welded(weld)?))?;
        Ok(mesh.into())
    }

    /// Returns points relative to the origin, rounded once.
    fn relative<'py>(
        &self,
        py: Python<'py>,
        points: &Bound<'_, PyUntypedArray>,
    ) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let mesh = self.f32(py, "QueryError", "coordinates relative to an origin")?;
        let (points, mut local) = (Rows::of(points)?, Vec::new());
        reserve_for(&mut local, points.len(), "the points").map_err(|failure| failure.raise(py))?;
        points.each_f64(0..points.len(), |point: [f64; 3]| {
            local.push(mesh.from_world(point).to_array());
        });
        rows_of(py, local.into_iter())
    }

    /// Returns the origin in the coordinates of the file.
    fn origin(&self) -> [f64; 3] {
        self.world_origin().to_array()
    }

    /// Returns the warnings about the file, a sentence each.
    fn warnings(&self) -> Vec<String> {
        let report = either!(&self.mesh, mesh => mesh.report());
        let warnings = report.warnings();
        let plain = |warning: &Warning<'_>| without_error_numbers(&warning.to_string());
        warnings.iter().map(plain).collect()
    }
}

impl Mesh {
    /// Returns a mesh whose coordinates are not rounded.
    pub(crate) fn of(mesh: Precision<estoc::Mesh, estoc::Mesh<f64>>) -> Self {
        Mesh { mesh, moved: 0.0 }
    }

    /// Returns a mesh whose coordinates were moved as far as that by rounding.
    pub(crate) fn rounded(mesh: estoc::Mesh, moved: f64) -> Self {
        let mesh = Precision::F32(mesh);
        Mesh { mesh, moved }
    }

    /// Returns where the coordinates have their origin in the world.
    pub(crate) fn world_origin(&self) -> DVec3 {
        match &self.mesh {
            Precision::F32(mesh) => mesh.origin(),
            Precision::F64(_) => DVec3::ZERO,
        }
    }

    /// Returns the mesh in `f32`; an exception of this class for one in `f64`, which `what`, in the plural, does not
    /// take.
    pub(crate) fn f32(
        &self,
        py: Python<'_>,
        class: &'static str,
        what: &str,
    ) -> PyResult<&estoc::Mesh> {
        (self.mesh.f32(class, what)).map_err(|failure| failure.raise(py))
    }
}

/// Returns an array of rows of three numbers.
pub(crate) fn rows_of<T: Element + Copy>(
    py: Python<'_>,
    rows: impl ExactSizeIterator<Item = [T; 3]>,
) -> PyResult<Bound<'_, PyArray2<T>>> {
    let (mut flat, count) = (Vec::new(), rows.len());
    reserve_for(&mut flat, 3 * count, "the array").map_err(|failure| failure.raise(py))?;
    flat.extend(rows.flatten());
    flat.into_pyarray(py).reshape([count, 3])
}

/// Returns the frame with this origin, or that which is chosen, if there is one.
fn frame(origin: Option<[f64; 3]>, chosen: bool) -> Option<LocalFrame> {
    match origin {
        Some(origin) => Some(LocalFrame::At(DVec3::from_array(origin))),
        None => chosen.then_some(LocalFrame::Auto),
    }
}

fn bad_faces(skip: bool) -> BadFaces {
    match skip {
        true => BadFaces::Skip,
        false => BadFaces::Reject,
    }
}
