//! Cuts of trees with planes.

use crate::bvh::Bvh;
use crate::call::run;
use crate::failure::Failure;
use crate::rows::Rows;
use crate::whole_surface::check_room;
use estoc::glam::DMat4;
use estoc::query::SectionLoop;
use estoc::{Batch, Plane};
use numpy::{IntoPyArray, PyArrayMethods, PyUntypedArray};
use pyo3::prelude::*;
use rayon::prelude::*;

/// The planes that are cut with at a time.
const PLANES: usize = 64;

/// A cut, with its loops.
#[pyclass(frozen, module = "estoc._estoc")]
pub(crate) struct Section {
    section: estoc::query::Section,
    loops: Vec<SectionLoop>,
}

/// Returns the cut with the plane through each point, whose normal is in the other array.
#[pyfunction]
pub(crate) fn sections(
    py: Python<'_>,
    bvh: &Bvh,
    points: &Bound<'_, PyUntypedArray>,
    normals: &Bound<'_, PyUntypedArray>,
    threads: usize,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Vec<Section>> {
    let (points, normals) = (Rows::of(points)?, Rows::of(normals)?);
    run(py, threads, progress, |call| {
        let count = points.len().min(normals.len());
        let mut found: Vec<Section> = Vec::new();
        for start in (0..count).step_by(PLANES) {
            let range = start..count.min(start + PLANES);
            let mut numbers = Vec::new();
            points.each::<3>(range.clone(), |point| numbers.push((point, [0.0; 3])));
            let mut place = 0;
            normals.each::<3>(range, |normal| {
                numbers[place].1 = normal;
                place += 1;
            });
            let planes = numbers.into_iter().enumerate().map(|(place, (point, normal))| {
                Plane::through(point, normal).map_err(|error| {
                    Failure::Raised("QueryError", format!("plane {}: {error}", start + place))
                })
            });
            let planes = planes.collect::<Result<Vec<Plane>, Failure>>()?;
            // The next planes may cut as much as the last ones.
            let last = found.iter().rev().take(PLANES).map(Section::bytes);
            check_room(2 * last.sum::<usize>(), "cut the mesh")?;
            let cuts = Batch::new().cancel(&call.cancel).sections(&*bvh.bvh, &planes)?;
            let cuts = cuts.into_par_iter().map(|section| Section {
                loops: section.loops(),
                section,
            });
            found.extend(cuts.collect::<Vec<_>>());
            call.report(found.len() as u64, count as u64);
        }
        Ok(found)
    })
}

impl Section {
    fn bytes(&self) -> usize {
        let points = self.section.polylines.iter().map(|line| line.points.len());
        points.sum::<usize>() * size_of::<estoc_core::SectionPoint>()
    }
}

#[pymethods]
impl Section {
    /// Returns the points of all polylines, their triangles, and where each polyline begins.
    fn points<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let lines = &self.section.polylines;
        let points = || lines.iter().flat_map(|line| &line.points);
        let flat: Vec<f32> = points().flat_map(|point| point.point.to_array()).collect();
        let prims: Vec<i64> = points().map(|point| point.prim.get().into()).collect();
        let mut offsets = vec![0_i64];
        offsets.extend(lines.iter().scan(0, |end, line| {
            *end += line.points.len() as i64;
            Some(*end)
        }));
        let count = prims.len();
        Ok(vec![
            flat.into_pyarray(py).reshape([count, 3])?.into_any(),
            prims.into_pyarray(py).into_any(),
            offsets.into_pyarray(py).into_any(),
        ])
    }

    /// Returns of each polyline its area, NaN for an open one, the polyline around it, or -1, and whether it
    /// is a hole.
    fn loops<'py>(&self, py: Python<'py>) -> Vec<Bound<'py, PyAny>> {
        let count = self.section.polylines.len();
        let (mut areas, mut parents) = (vec![f64::NAN; count], vec![-1_i64; count]);
        let mut holes = vec![false; count];
        for of in &self.loops {
            areas[of.polyline] = of.area;
            parents[of.polyline] = of.parent.map_or(-1, |parent| parent as i64);
            holes[of.polyline] = of.is_hole();
        }
        vec![
            areas.into_pyarray(py).into_any(),
            parents.into_pyarray(py).into_any(),
            holes.into_pyarray(py).into_any(),
        ]
    }

    /// Returns the area, if all polylines are closed.
    fn area(&self) -> Option<f64> {
        self.section.area_of(&self.loops)
    }

    /// Returns the rows of the matrix from coordinates in the plane to space.
    fn frame(&self) -> [[f64; 4]; 4] {
        let matrix = DMat4::from(self.section.plane.frame());
        matrix.transpose().to_cols_array_2d()
    }

    /// Returns a picture.
    fn to_svg(&self) -> String {
        self.section.to_svg()
    }
}
