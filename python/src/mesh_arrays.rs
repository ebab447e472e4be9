//! Meshes of arrays.

use crate::ask::reserve_for;
use crate::call::run;
use crate::failure::Failure;
use crate::mesh::Mesh;
use crate::precision::Precision;
use crate::rows::Rows;
use estoc::glam::DVec3;
use estoc::io::{BadFaces, LocalFrame};
use numpy::PyUntypedArray;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

/// What becomes of the coordinates of arrays.
pub(crate) enum Kept {
    /// They are rounded to `f32`.
    F32,
    /// So are those relative to an origin.
    Relative(LocalFrame),
    /// They are `f64`s.
    F64,
}

/// Returns the mesh of arrays of vertices and of vertex indices.
pub(crate) fn of_arrays(
    py: Python<'_>,
    vertices: &Bound<'_, PyUntypedArray>,
    faces: &Bound<'_, PyUntypedArray>,
    bad_faces: BadFaces,
    kept: &Kept,
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
        let exact = || {
            let mut positions = Vec::new();
            reserve_for(&mut positions, vertices.len(), "the mesh")?;
            vertices.each_f64(all.clone(), |row| positions.push(DVec3::from_array(row)));
            Ok::<_, Failure>(positions)
        };
        match *kept {
            Kept::F64 => {
                let mesh = estoc::Mesh::from_f64_with_bad_faces(exact()?, indices, bad_faces)?;
                Ok(Mesh::of(Precision::F64(mesh)))
            }
            Kept::Relative(frame) => {
                let positions = exact()?;
                let (given, indices) = (&positions, &indices);
                let mesh = estoc::Mesh::in_local_frame(given, indices, frame, bad_faces)?;
                let local = positions.iter().map(|&position| position - mesh.origin());
                let near = local.zip(mesh.positions());
                let moved = near.map(|(exact, near)| (exact - near.as_dvec3()).abs().max_element());
                let moved = moved.filter(|moved| moved.is_finite()).fold(0.0, f64::max);
                Ok(Mesh::rounded(mesh, moved))
            }
            Kept::F32 => {
                let mut positions: Vec<[f32; 3]> = Vec::new();
                reserve_for(&mut positions, vertices.len(), "the mesh")?;
                let mut moved = 0.0;
                vertices.each_f64(all.clone(), |row| {
                    let near = row.map(|x| x as f32);
                    for axis in 0..3 {
                        if near[axis].is_finite() {
                            moved = f64::max(moved, (row[axis] - f64::from(near[axis])).abs());
                        }
                    }
                    positions.push(near);
                });
                let mesh = estoc::Mesh::with_bad_faces(positions, indices, bad_faces)?;
                Ok(Mesh::rounded(mesh, moved))
            }
        }
    })
}
