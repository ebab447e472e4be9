//! What meshes tell about hits: the sides that rays see, and where rays leave.

use crate::ask::reserve_for;
use crate::call::{Call, run};
use crate::failure::Failure;
use crate::mesh::{Mesh, rows_of};
use crate::precision::Precision;
use crate::rows::Rows;
use estoc::glam::{DVec3, Vec3};
use estoc::{Hit, PrimId, Side, Triangle};
use estoc_core::Triangle64;
use numpy::{IntoPyArray, PyArray1, PyUntypedArray};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

#[pymethods]
impl Mesh {
    /// Returns the side that directions see of triangles: 1 for the front, -1 for the back, 0 for none, as of -1
    /// instead of a triangle.
    fn sides<'py>(
        &self,
        py: Python<'py>,
        prims: &Bound<'_, PyUntypedArray>,
        dirs: &Bound<'_, PyUntypedArray>,
    ) -> PyResult<Bound<'py, PyArray1<i8>>> {
        let (prims, dirs) = (Rows::of(prims)?, Rows::of(dirs)?);
        let sides = run(py, 1, None, |_| match &self.mesh {
            Precision::F32(mesh) => {
                let triangles = triangles_of(&prims, |prim| mesh.triangle(prim))?;
                sides_of(triangles, &dirs, Triangle::side_64)
            }
            Precision::F64(mesh) => {
                let triangles = triangles_of(&prims, |prim| mesh.triangle(prim))?;
                sides_of(triangles, &dirs, Triangle64::side)
            }
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
        let given = (&weights, &sides);
        let mesh = match &self.mesh {
            Precision::F32(mesh) => mesh,
            Precision::F64(mesh) => {
                let points = run(py, 1, None, |call| {
                    let triangles = triangles_of(&prims, |prim| mesh.triangle(prim))?;
                    left(call, triangles, given, |hit, triangle, side| {
                        let normal = triangle.normal()?.as_dvec3() * f64::from(side);
                        Some(hit.spawn_ray(triangle, normal).0.origin)
                    })
                })?;
                let points = points
                    .iter()
                    .map(|point| point.unwrap_or(DVec3::NAN).to_array());
                return Ok(rows_of(py, points)?.into_any());
            }
        };
        let points = run(py, 1, None, |call| {
            let triangles = triangles_of(&prims, |prim| mesh.triangle(prim))?;
            left(call, triangles, given, |hit, triangle, side| {
                let normal = triangle.normal()? * side as f32;
                let (t, prim) = (0.0, hit.prim);
                let [u, v] = [hit.u, hit.v].map(|weight| weight as f32);
                let (ray, _) = Hit { t, u, v, prim }.spawn_ray(triangle, normal);
                Some((ray.origin, normal))
            })
        })?;
        let points = points
            .iter()
            .map(|found| found.unwrap_or((Vec3::NAN, Vec3::NAN)));
        let origin = mesh.origin();
        match origin == DVec3::ZERO {
            true => Ok(rows_of(py, points.map(|(point, _)| point.to_array()))?.into_any()),
            false => {
                let points = points.map(|(point, towards)| {
                    std::array::from_fn(|i| rounded_sum(point[i].into(), origin[i], towards[i]))
                });
                Ok(rows_of(py, points)?.into_any())
            }
        }
    }
}

/// Returns where rays leave hits at triangles with these weights and to these sides; `None` where there is no triangle.
fn left<T, P>(
    call: &Call,
    triangles: Vec<Numbered<T>>,
    (weights, sides): (&Rows, &Rows),
    leave: impl Fn(Hit<f64>, &T, i32) -> Option<P>,
) -> Result<Vec<Option<P>>, Failure> {
    let (mut hits, mut left) = (Vec::new(), Vec::new());
    reserve_for(&mut hits, weights.len(), "the rays")?;
    reserve_for(&mut left, weights.len(), "the rays")?;
    weights.each_f64(0..weights.len(), |weights: [f64; 2]| hits.push(weights));
    call.check()?;
    let mut each = hits.into_iter().zip(triangles);
    sides.each_integer(0..sides.len(), |[side]| {
        left.push(each.next().and_then(|([u, v], triangle)| {
            let ((prim, triangle), t) = (triangle?, 0.0);
            leave(Hit { t, u, v, prim }, &triangle, side as i32)
        }));
    });
    Ok(left)
}

/// A triangle with its id, if there is one of a number.
type Numbered<T> = Option<(PrimId, T)>;

/// Returns the triangles of these numbers, with their ids; `None` for others.
fn triangles_of<T>(
    prims: &Rows,
    triangle: impl Fn(PrimId) -> Option<T>,
) -> Result<Vec<Numbered<T>>, Failure> {
    let mut triangles = Vec::new();
    reserve_for(&mut triangles, prims.len(), "the triangles")?;
    prims.each_integer(0..prims.len(), |[prim]| {
        let prim = u32::try_from(prim).ok().and_then(PrimId::new);
        triangles.push(prim.and_then(|prim| Some((prim, triangle(prim)?))));
    });
    Ok(triangles)
}

/// Returns the side that each direction sees of its triangle: 1 for the front, -1 for the back, else 0.
fn sides_of<T>(
    triangles: Vec<Numbered<T>>,
    dirs: &Rows,
    side: impl Fn(&T, [f64; 3]) -> Option<Side>,
) -> Result<Vec<i8>, Failure> {
    let (mut triangles, mut sides) = (triangles.into_iter(), Vec::new());
    reserve_for(&mut sides, dirs.len(), "the sides")?;
    dirs.each_f64(0..dirs.len(), |dir: [f64; 3]| {
        let triangle = triangles.next().flatten();
        let side = triangle.and_then(|(_, triangle)| side(&triangle, dir));
        sides.push(side.map_or(0, |side| if side == Side::Front { 1 } else { -1 }));
    });
    Ok(sides)
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
