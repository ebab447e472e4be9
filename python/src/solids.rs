//! Boxes and moving spheres at trees.

use crate::answer_arrays::{AnswerArrays, AnswerLists};
use crate::ask::{Asking, Source, of_all, put, reserve, write};
use crate::bvh::Bvh;
use crate::call::{run, run_for};
use crate::precision::either;
use crate::rows::Rows;
use estoc::glam::DVec3;
use estoc::query::{FirstContact, SphereContact};
use estoc::{Batch, BatchError, PrimId};
use estoc_core::MovingSphere64;
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
    let mut found = AnswerLists::new(0, most);
    run(py, threads, progress, |call| {
        let (count, mut total, mut start, mut step) = (rows.len(), 0, 0, BOXES);
        found.start::<PrimId>(count)?;
        let mut regions = Vec::new();
        reserve(&mut regions, BOXES.min(count))?;
        while start < count {
            call.report(start as u64, count as u64);
            regions.clear();
            rows.each_f64(start..count.min(start + step), |[a, b, c, x, y, z]| {
                regions.push([DVec3::new(a, b, c), DVec3::new(x, y, z)]);
            });
            let left = most.map_or(usize::MAX, |most| most - total);
            let bound = if regions.len() == 1 {
                left
            } else {
                left.min(HELD)
            };
            let batch = Batch::new().cancel(&call.cancel).max_hits(bound);
            let part = match either!(&bvh.bvh, tree => batch.overlaps(&**tree, &regions)) {
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

impl Source<MovingSphere64> for Spheres {
    fn count(&self) -> usize {
        self.0.len()
    }

    fn read_into(&self, range: Range<usize>, spheres: &mut [MovingSphere64]) {
        let mut places = spheres.iter_mut();
        self.0.each_f64(range, |[a, b, c, x, y, z, radius, t_max]| {
            let sphere = MovingSphere64::new([a, b, c], [x, y, z], radius);
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
    let arrays = match bvh.wide() {
        Some(_) => AnswerArrays::of::<SphereContact<f64>>,
        None => AnswerArrays::of::<SphereContact>,
    };
    let out = arrays(out, spheres.count())?;
    run_for(py, (spheres.count(), threads), progress.as_ref(), |call| {
        let asking = Asking::from(Batch::new().cancel(&call.cancel));
        either!(&bvh.bvh, tree => write((&**tree, FirstContact), &spheres, &asking, call, &out))
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
