//! Meshes from arrays and files.

use crate::ask::reserve_for;
use crate::call::run;
use crate::failure::Failure;
use crate::rows::Rows;
use crate::whole_surface::check_room;
use estoc::glam::{DVec3, Vec3};
use estoc::io::{BadFaces, LocalFrame, Warning, Weld};
use estoc::{Hit, MeshLoader, PrimId, Side, Triangle};
use estoc_mesh::parts::{median_edge, with_origin, without_error_numbers};
use numpy::{Element, IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyUntypedArray};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use std::path::PathBuf;

/// A mesh, with the counts and names of its file.
#[pyclass(frozen, module = "estoc._estoc")]
pub(crate) struct Mesh {
    pub(crate) mesh: estoc::Mesh,
    /// The largest movement of a coordinate by rounding an array to `f32`, relative to the origin.
    moved: f64,
}

impl From<estoc::Mesh> for Mesh {
    fn from(mesh: estoc::Mesh) -> Self {
        Mesh { mesh, moved: 0.0 }
    }
}

#[pymethods]
impl Mesh {
    /// Returns the mesh of arrays of vertices and of vertex indices, each with 3 columns.
    #[new]
    fn new(
        py: Python<'_>,
        vertices: &Bound<'_, PyUntypedArray>,
        faces: &Bound<'_, PyUntypedArray>,
        skip_bad_faces: bool,
        origin: Option<[f64; 3]>,
        local_frame: bool,
    ) -> PyResult<Self> {
        let frame = frame(origin, local_frame);
        of_arrays(py, vertices, faces, bad_faces(skip_bad_faces), frame)
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
        let Mesh { mesh, .. } = of_arrays(py, vertices, faces, BadFaces::Reject, None)?;
        Ok(with_origin(mesh, DVec3::from_array(origin)).into())
    }

    /// Loads a file. With an origin comes whether one is to be chosen; with a distance to weld within,
    /// whether to weld: without one, within the least that closes the mesh.
    #[staticmethod]
    fn load(
        py: Python<'_>,
        path: PathBuf,
        skip_bad_faces: bool,
        origin: (Option<[f64; 3]>, bool),
        weld: (Option<f64>, bool),
        threads: usize,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let mesh = run(py, threads, progress, |call| {
            let report = call.reporter();
            let mut loader = MeshLoader::new()
                .bad_faces(bad_faces(skip_bad_faces))
                .cancel(&call.cancel)
                .progress(&report);
            let (origin, local_frame) = origin;
            if let Some(frame) = frame(origin, local_frame) {
                loader = loader.local_frame(frame);
            }
            if let (weld, true) = weld {
                loader = loader.weld(weld.map_or(Weld::Auto, Weld::Within));
            }
            Ok(loader.load(&path)?)
        })?;
        Ok(mesh.into())
    }

    /// Returns how far rounding moved a coordinate of an array, the median edge, and the vertices of triangles of
    /// which different ones have one position.
    fn rounding<'py>(&self, py: Python<'py>) -> PyResult<(f64, f64, Bound<'py, PyArray2<u32>>)> {
        let mesh = &self.mesh;
        let at = |vertex: u32| mesh.positions()[vertex as usize];
        let is_flat = |&[a, b, c]: &[u32; 3]| {
            let sides = [(a, b), (b, c), (c, a)];
            sides.iter().any(|&(a, b)| a != b && at(a) == at(b))
        };
        let (median, flat) = py.detach(|| match self.moved {
            0.0 => (0.0, Vec::new()),
            _ => {
                let flat = mesh.indices().iter().copied().filter(is_flat);
                (median_edge(mesh).unwrap_or(0.0), flat.collect())
            }
        });
        Ok((self.moved, median, rows_of(py, flat.into_iter())?))
    }

    /// Returns the number of triangles.
    fn face_count(&self) -> usize {
        self.mesh.triangle_count()
    }

    /// Returns the number of vertices.
    fn vertex_count(&self) -> usize {
        self.mesh.positions().len()
    }

    /// Returns a copy of the vertices.
    fn vertices<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let positions = self.mesh.positions();
        rows_of(py, positions.iter().map(Vec3::to_array))
    }

    /// Returns the normals of the vertices.
    fn vertex_normals<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let normals = run(py, 1, None, |_| {
            let bytes = self.mesh.positions().len() * (size_of::<DVec3>() + size_of::<Vec3>());
            check_room(bytes, "compute the normals of vertices")?;
            Ok(self.mesh.vertex_normals())
        })?;
        rows_of(py, normals.iter().map(Vec3::to_array))
    }

    /// Returns a copy of the vertex indices.
    fn faces<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u32>>> {
        rows_of(py, self.mesh.indices().iter().copied())
    }

    /// Returns the corners of the smallest box around all triangles.
    fn bounds(&self) -> Option<[[f32; 3]; 2]> {
        let bounds = self.mesh.bounds();
        (!bounds.is_empty()).then(|| [bounds.min().to_array(), bounds.max().to_array()])
    }

    /// Returns the mesh with near corners joined: within a distance, or within the least that closes it.
    fn welded(&self, py: Python<'_>, distance: Option<f64>) -> PyResult<Self> {
        let weld = distance.map_or(Weld::Auto, Weld::Within);
        let mesh = run(py, 1, None, |_| Ok(self.mesh.clone().welded(weld)?))?;
        Ok(mesh.into())
    }

    /// Returns points relative to the origin, rounded once.
    fn relative<'py>(
        &self,
        py: Python<'py>,
        points: &Bound<'_, PyUntypedArray>,
    ) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let (points, mut local) = (Rows::of(points)?, Vec::new());
        reserve_for(&mut local, points.len(), "the points").map_err(|failure| failure.raise(py))?;
        points.each_f64(0..points.len(), |point: [f64; 3]| {
            local.push(self.mesh.from_world(point).to_array());
        });
        rows_of(py, local.into_iter())
    }

    /// Returns the side that directions see of triangles: 1 for the front, -1 for the back, 0 for none, as of -1
    /// instead of a triangle.
    fn sides<'py>(
        &self,
        py: Python<'py>,
        prims: &Bound<'_, PyUntypedArray>,
        dirs: &Bound<'_, PyUntypedArray>,
    ) -> PyResult<Bound<'py, PyArray1<i8>>> {
        let (prims, dirs) = (Rows::of(prims)?, Rows::of(dirs)?);
        let sides = run(py, 1, None, |_| {
            let mut triangles = self.triangles_of(&prims)?.into_iter();
            let mut sides = Vec::new();
            reserve_for(&mut sides, dirs.len(), "the sides")?;
            dirs.each_f64(0..dirs.len(), |dir: [f64; 3]| {
                let triangle = triangles.next().flatten();
                let side = triangle.and_then(|(_, triangle)| triangle.side_64(dir));
                sides.push(side.map_or(0, |side| if side == Side::Front { 1 } else { -1 }));
            });
            Ok(sides)
        })?;
        Ok(sides.into_pyarray(py))
    }

    /// Returns the points in the world where rays leave the surface at hits: at triangles with these weights of their
    /// second and third corners, to the front side for 1 and the back side for -1. NaN for -1 instead of a triangle.
    fn leave<'py>(
        &self,
        py: Python<'py>,
        prims: &Bound<'_, PyUntypedArray>,
        weights: &Bound<'_, PyUntypedArray>,
        sides: &Bound<'_, PyUntypedArray>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (prims, weights, sides) = (Rows::of(prims)?, Rows::of(weights)?, Rows::of(sides)?);
        let count = prims.len();
        if weights.len() != count || sides.len() != count {
            return Err(PyTypeError::new_err("arrays of another layout were passed"));
        }
        let points = run(py, 1, None, |call| {
            let triangles = self.triangles_of(&prims)?;
            let mut points = Vec::new();
            reserve_for(&mut points, count, "the rays")?;
            weights.each(0..count, |[u, v]: [f32; 2]| {
                points.push((Vec3::new(u, v, 0.0), Vec3::ZERO));
            });
            call.check()?;
            let mut each = points.iter_mut().zip(triangles);
            sides.each_integer(0..count, |[side]| {
                let Some(((point, towards), triangle)) = each.next() else {
                    return;
                };
                let left = triangle.and_then(|(prim, triangle)| {
                    let ([u, v, _], t) = (point.to_array(), 0.0);
                    let normal = triangle.normal()? * side as f32;
                    let (ray, _) = Hit { t, u, v, prim }.spawn_ray(&triangle, normal);
                    Some((ray.origin, normal))
                });
                (*point, *towards) = left.unwrap_or((Vec3::NAN, Vec3::NAN));
            });
            Ok(points)
        })?;
        let origin = self.mesh.origin();
        match origin == DVec3::ZERO {
            true => Ok(rows_of(py, points.iter().map(|(point, _)| point.to_array()))?.into_any()),
            false => {
                let points = points.iter().map(|(point, towards)| {
                    std::array::from_fn(|i| rounded_sum(point[i].into(), origin[i], towards[i]))
                });
                Ok(rows_of(py, points)?.into_any())
            }
        }
    }

    /// Returns the origin in the coordinates of the file.
    fn origin(&self) -> [f64; 3] {
        self.mesh.origin().to_array()
    }

    /// Returns the warnings about the file, a sentence each.
    fn warnings(&self) -> Vec<String> {
        let warnings = self.mesh.report().warnings();
        let plain = |warning: &Warning<'_>| without_error_numbers(&warning.to_string());
        warnings.iter().map(plain).collect()
    }
}

impl Mesh {
    /// Returns the triangles of these numbers, with their ids; `None` for others.
    fn triangles_of(&self, prims: &Rows) -> Result<Vec<Option<(PrimId, Triangle)>>, Failure> {
        let mut triangles = Vec::new();
        reserve_for(&mut triangles, prims.len(), "the triangles")?;
        prims.each_integer(0..prims.len(), |[prim]| {
            let prim = u32::try_from(prim).ok().and_then(PrimId::new);
            triangles.push(prim.and_then(|prim| Some((prim, self.mesh.triangle(prim)?))));
        });
        Ok(triangles)
    }
}

/// Returns the sum of two numbers, rounded up where `towards` is positive, down where it is negative, and else to the
/// nearest.
fn rounded_sum(a: f64, b: f64, towards: f32) -> f64 {
    let near = a + b;
    // What the sum is above that, by Knuth.
    let back = near - a;
    let above = (a - (near - back)) + (b - back);
    match () {
        () if towards > 0.0 && above > 0.0 => near.next_up(),
        () if towards < 0.0 && above < 0.0 => near.next_down(),
        () => near,
    }
}

/// Returns an array of rows of three numbers.
fn rows_of<T: Element + Copy>(
    py: Python<'_>,
    rows: impl ExactSizeIterator<Item = [T; 3]>,
) -> PyResult<Bound<'_, PyArray2<T>>> {
    let (mut flat, count) = (Vec::new(), rows.len());
    reserve_for(&mut flat, 3 * count, "the array").map_err(|failure| failure.raise(py))?;
    flat.extend(rows.flatten());
    flat.into_pyarray(py).reshape([count, 3])
}

fn of_arrays(
    py: Python<'_>,
    vertices: &Bound<'_, PyUntypedArray>,
    faces: &Bound<'_, PyUntypedArray>,
    bad_faces: BadFaces,
    frame: Option<LocalFrame>,
) -> PyResult<Mesh> {
    let (vertices, faces) = (Rows::of(vertices)?, Rows::of(faces)?);
    if vertices.are_integers()
        || !faces.are_integers()
        || vertices.width() != 3
        || faces.width() != 3
    {
        return Err(PyTypeError::new_err("arrays of another layout were passed"));
    }
    run(py, 1, None, |call| {
        let mut indices: Vec<[u32; 3]> = Vec::new();
        reserve_for(&mut indices, faces.len(), "the mesh")?;
        let mut bad = None;
        faces.each_integer(0..faces.len(), |row: [i128; 3]| {
            indices.push(row.map(|index| {
                u32::try_from(index).unwrap_or_else(|_| {
                    bad.get_or_insert((indices.len(), index));
                    u32::MAX
                })
            }));
        });
        if let (Some((face, index)), BadFaces::Reject) = (bad, bad_faces) {
            return Err(Failure::Raised(
                "MeshError",
                format!(
                    "face {face}: vertex index {index} is out of range: there are {} vertices, \
                     counted from 0",
                    vertices.len()
                ),
            ));
        }
        call.check()?;
        let all = 0..vertices.len();
        match frame {
            Some(frame) => {
                let mut positions = Vec::new();
                reserve_for(&mut positions, vertices.len(), "the mesh")?;
                vertices.each_f64(all, |row| positions.push(DVec3::from_array(row)));
                let (given, indices) = (&positions, &indices);
                let mesh = estoc::Mesh::in_local_frame(given, indices, frame, bad_faces)?;
                let local = positions.iter().map(|&position| position - mesh.origin());
                let near = local.zip(mesh.positions());
                let moved = near.map(|(exact, near)| (exact - near.as_dvec3()).abs().max_element());
                let moved = moved.filter(|moved| moved.is_finite()).fold(0.0, f64::max);
                Ok(Mesh { mesh, moved })
            }
            None => {
                let mut positions: Vec<[f32; 3]> = Vec::new();
                reserve_for(&mut positions, vertices.len(), "the mesh")?;
                let mut moved = 0.0;
                vertices.each_f64(all, |row| {
                    let near = row.map(|x| x as f32);
                    for axis in 0..3 {
                        if near[axis].is_finite() {
                            moved = f64::max(moved, (row[axis] - f64::from(near[axis])).abs());
                        }
                    }
                    positions.push(near);
                });
                let mesh = estoc::Mesh::with_bad_faces(positions, indices, bad_faces)?;
                Ok(Mesh { mesh, moved })
            }
        }
    })
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
