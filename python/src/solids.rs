//! Boxes and moving spheres at trees.

use crate::answer_arrays::{AnswerArrays, AnswerLists};
use crate::ask::{Asking, Source, of_all, put, reserve, write};
use crate::bvh::Bvh;
use crate::call::{run, run_for};
use crate::rows::Rows;
use estoc::query::{FirstContact, MovingSphere, SphereContact};
use estoc::{Aabb, PrimId};
use estoc::{Batch, BatchError};
use numpy::PyUntypedArray;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use std::ops::Range;

/// The boxes that are asked about at a time, at most.
const BOXES: usize = 1 << 14;

/// The triangles that are held at a time beside the answer. A single box may have more.
const HELD: usize = 1 << 22;

/// Returns the offsets and the numbers of the triangles that have a point in boxes, whose least and greatest corners
/// are in rows of 6 numbers; one without points has none.
#[pyfunction]
pub(crate) fn overlaps<'py>(
    py: Python<'py>,
    bvh: &Bvh,
    boxes: &Bound<'_, PyUntypedArray>,
    most: Option<usize>,
    threads: usize,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let rows = rows_of::<6>(boxes)?;
    let tree = bvh.f32(py, "QueryError", "boxes")?;
    let mut found = AnswerLists::new(0, most);
    run(py, threads, progress, |call| {
        let (count, mut total, mut start, mut step) = (rows.len(), 0, 0, BOXES);
        found.start::<PrimId>(count)?;
        let mut regions = Vec::new();
        reserve(&mut regions, BOXES.min(count))?;
        while start < count {
            call.report(start as u64, count as u64);
            regions.clear();
            rows.each(start..count.min(start + step), |[a, b, c, x, y, z]| {
                let solid = Aabb::try_new([a, b, c], [x, y, z]);
                regions.push(solid.unwrap_or(Aabb::EMPTY));
            });
            let batch = Batch::new().cancel(&call.cancel);
            let left = most.map_or(usize::MAX, |most| most - total);
            let bound = if regions.len() == 1 {
                left
            } else {
                left.min(HELD)
            };
            let part = match batch.max_hits(bound).overlaps(&**tree, &regions) {
                Err(BatchError::TooManyHits { ray, .. }) if bound < left => {
                    // The boxes before this one have no more than is allowed.
                    step = ray.max(1);
                    continue;
                }
                part => part.map_err(|error| of_all(error, start, most))?,
            };
            total += part.values.len();
            found.add(&part)?;
            start += regions.len();
            step = step.saturating_mul(2).min(BOXES);
        }
        found.end();
        Ok(())
    })?;
    found.into_arrays(py)
}

/// Spheres in rows of 8 numbers: centre, velocity, radius, greatest time.
struct Spheres(Rows);

impl Source<MovingSphere> for Spheres {
    fn count(&self) -> usize {
        self.0.len()
    }

    fn read_into(&self, range: Range<usize>, spheres: &mut [MovingSphere]) {
        let mut places = spheres.iter_mut();
        self.0.each(range, |[a, b, c, x, y, z, radius, t_max]| {
            let sphere = MovingSphere::new([a, b, c], [x, y, z], radius);
            put(&mut places, sphere.with_t_max(t_max));
        });
    }
}

/// Writes the first contact of each sphere.
#[pyfunction]
pub(crate) fn sweep(
    py: Python<'_>,
    bvh: &Bvh,
    _name: &str,
    arguments: (Bound<'_, PyUntypedArray>, usize, Option<Bound<'_, PyAny>>),
    out: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let (spheres, threads, progress) = arguments;
    let spheres = Spheres(rows_of::<8>(&spheres)?);
    let tree = bvh.f32(py, "QueryError", "moving spheres")?;
    let out = AnswerArrays::of::<SphereContact>(out, spheres.count())?;
    run_for(py, (spheres.count(), threads), progress.as_ref(), |call| {
        let asking = Asking::from(Batch::new().cancel(&call.cancel));
        write((&**tree, FirstContact), &spheres, &asking, call, &out)
    })
}

fn rows_of<const N: usize>(array: &Bound<'_, PyUntypedArray>) -> PyResult<Rows> {
    let rows = Rows::of(array)?;
    match rows.width() == N && !rows.are_integers() {
        true => Ok(rows),
        false => Err(PyTypeError::new_err(
            "an array of another layout was passed",
        )),
    }
}
