//! Cuts of trees with planes.

use crate::bvh::Bvh;
use crate::call::run;
use crate::failure::Failure;
use crate::precision::Precision;
use crate::rows::Rows;
use crate::whole_surface::check_room;
use estoc::glam::{DMat4, DVec3};
use estoc::query::{Section, SectionLoop};
use estoc::{Batch, Plane};
use estoc_core::{Coordinate, CoordinateOf, PlaneError, RegionEngine, SectionPoint};
use estoc_mesh::parts::relative_to;
use numpy::{Element, IntoPyArray, PyArrayMethods, PyUntypedArray};
use pyo3::prelude::*;
use rayon::prelude::*;

/// The planes that are cut with at a time.
const PLANES: usize = 64;

/// Returns the cuts with planes, each through the point in the first three columns, with the normal in the
/// others, as the Python class has their parts. Planes of a tree in `f32` are rounded, relative to its origin.
#[pyfunction]
pub(crate) fn sections<'py>(
    py: Python<'py>,
    bvh: &Bvh,
    planes: &Bound<'_, PyUntypedArray>,
    threads: usize,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let (rows, how) = (Rows::of(planes)?, (threads, progress));
    match &bvh.bvh {
        Precision::F32(tree) => cuts(py, &**tree, &rows, how, |point, normal| {
            Plane::through(relative_to(bvh.origin, point), normal.as_vec3())
        }),
        Precision::F64(tree) => cuts(py, &**tree, &rows, how, Plane::through_f64),
    }
}

fn cuts<'py, E>(
    py: Python<'py>,
    tree: &E,
    rows: &Rows,
    (threads, progress): (usize, Option<&Bound<'_, PyAny>>),
    through: impl Fn(DVec3, DVec3) -> Result<Plane<CoordinateOf<E>>, PlaneError> + Sync,
) -> PyResult<Vec<Bound<'py, PyAny>>>
where
    E: RegionEngine + Sync,
    CoordinateOf<E>: Element,
{
    let found = run(py, threads, progress, |call| {
        let mut found: Vec<(Section<CoordinateOf<E>>, Vec<SectionLoop>)> = Vec::new();
        while found.len() < rows.len() {
            let start = found.len();
            let mut planes = Vec::new();
            let range = start..rows.len().min(start + PLANES);
            rows.each_f64(range, |[x, y, z, a, b, c]| {
                planes.push(through(DVec3::new(x, y, z), DVec3::new(a, b, c)));
            });
            let planes = planes.into_iter().enumerate().map(|(place, plane)| {
                plane.map_err(|error| {
                    Failure::Raised("QueryError", format!("plane {}: {error}", start + place))
                })
            });
            let planes = planes.collect::<Result<Vec<_>, Failure>>()?;
            // The next planes may cut as much as the last ones, and arrays are copies.
            let last = found.iter().rev().take(PLANES);
            let points: usize = last.map(|(section, _)| section.segments().count()).sum();
            let bytes = 2 * points * size_of::<SectionPoint<CoordinateOf<E>>>();
            check_room(bytes, "cut the mesh")?;
            let cuts = Batch::new().cancel(&call.cancel).sections(tree, &planes)?;
            let cuts = cuts.into_par_iter().map(|section| {
                let loops = section.loops();
                (section, loops)
            });
            found.extend(cuts.collect::<Vec<_>>());
            call.report(found.len() as u64, rows.len() as u64);
        }
        Ok(found)
    })?;
    found
        .into_iter()
        .map(|(section, loops)| parts(py, &section, &loops))
        .collect()
}

fn parts<'py, C: Coordinate + Element>(
    py: Python<'py>,
    section: &Section<C>,
    loops: &[SectionLoop],
) -> PyResult<Bound<'py, PyAny>> {
    let lines = &section.polylines;
    let points = || lines.iter().flat_map(|line| &line.points);
    let flat: Vec<C> = points()
        .flat_map(|point| C::coordinates(point.point))
        .collect();
    let prims: Vec<i64> = points().map(|point| point.prim.get().into()).collect();
    let mut offsets = vec![0_i64];
    offsets.extend(lines.iter().scan(0, |end, line| {
        *end += line.points.len() as i64;
        Some(*end)
    }));
    let (mut areas, mut parents) = (vec![f64::NAN; lines.len()], vec![-1_i64; lines.len()]);
    let mut holes = vec![false; lines.len()];
    for of in loops {
        areas[of.polyline] = of.area;
        parents[of.polyline] = of.parent.map_or(-1, |parent| parent as i64);
        holes[of.polyline] = of.is_hole();
    }
    let frame = DMat4::from(section.plane.frame()).to_cols_array_2d();
    let arrays = (
        flat.into_pyarray(py).reshape([prims.len(), 3])?,
        prims.into_pyarray(py),
        offsets.into_pyarray(py),
        areas.into_pyarray(py),
        parents.into_pyarray(py),
        holes.into_pyarray(py),
        section.area_of(loops),
        frame
            .as_flattened()
            .to_vec()
            .into_pyarray(py)
            .reshape([4, 4])?
            .transpose()?,
    );
    Ok(arrays.into_pyobject(py)?.into_any())
}
