//! Questions about what is near points in scenes. Points are in `f64`, and so are the closest ones.

use crate::ask::{reserve, values};
use crate::column::Column;
use crate::failure::Failure;
use crate::lists::{lists, without_spare};
use crate::point_arguments::PointArguments;
use crate::scene_snapshot::{NONE, SceneSnapshot, step};
use crate::whole_surface::check_room_for_solids;
use estoc::RayQuery;
use estoc::glam::DVec3;
use estoc::query::{ClosestPointWithin, Contains, Distance, Within};
use estoc::scene::{SceneClosestPoint, ScenePrim};
use numpy::IntoPyArray;
use pyo3::prelude::*;

/// The number where there is no feature.
const NO_FEATURE: u8 = 255;

#[pymethods]
impl SceneSnapshot {
    /// Writes the closest point of each point, if it is near enough: point, distance, triangle, u, v,
    /// feature, and `depth` numbers of placements.
    fn closest_point(
        &self,
        py: Python<'_>,
        arguments: PointArguments<'_>,
        most: f32,
        depth: usize,
        out: [Bound<'_, PyAny>; 7],
    ) -> PyResult<()> {
        let points = arguments.points()?;
        let count = points.len();
        let point = Column::<f64>::of(&out[0], count.saturating_mul(3))?;
        let distance = Column::<f32>::of(&out[1], count)?;
        let prim = Column::<i64>::of(&out[2], count)?;
        let u = Column::<f32>::of(&out[3], count)?;
        let v = Column::<f32>::of(&out[4], count)?;
        let feature = Column::<u8>::of(&out[5], count)?;
        let path = Column::<i64>::of(&out[6], count.saturating_mul(depth))?;
        let put = |place: usize, found: &Option<SceneClosestPoint>| {
            let coordinates = found.map_or([f64::NAN; 3], |found| found.point.to_array());
            for (axis, x) in coordinates.into_iter().enumerate() {
                point.put(3 * place + axis, x);
            }
            distance.put(place, found.map_or(f32::INFINITY, |found| found.distance));
            prim.put(
                place,
                found.map_or(NONE, |found| i64::from(found.prim.get())),
            );
            u.put(place, found.map_or(0.0, |found| found.u));
            v.put(place, found.map_or(0.0, |found| found.v));
            let number = found.map_or(NO_FEATURE, |found| found.feature.number());
            feature.put(place, number);
            for level in 0..depth {
                let number = found.map_or(NONE, |found| step(&found.path, level));
                path.put(depth * place + level, number);
            }
        };
        let question = ClosestPointWithin(most);
        arguments.run(py, |call, batch| {
            values((&*self.scene, question), &points, batch, call, put)
        })
    }

    /// Writes the distance of each point.
    fn distance(
        &self,
        py: Python<'_>,
        arguments: PointArguments<'_>,
        out: Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let points = arguments.points()?;
        let out = Column::<f32>::of(&out, points.len())?;
        let put = |place, distance: &Option<f32>| out.put(place, distance.unwrap_or(f32::INFINITY));
        arguments.run(py, |call, batch| {
            values((&*self.scene, Distance), &points, batch, call, put)
        })
    }

    /// Writes whether each point is inside an object.
    fn contains(
        &self,
        py: Python<'_>,
        arguments: PointArguments<'_>,
        out: Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let points = arguments.points()?;
        let out = Column::<bool>::of(&out, points.len())?;
        let put = |place, inside: &Option<bool>| out.put(place, *inside == Some(true));
        arguments.run(py, |call, batch| {
            check_room_for_solids(&self.scene)?;
            // It has an answer for all points or for none.
            if self.scene.contains_64(DVec3::ZERO).is_none() {
                let message = "no object of the scene is closed, so nothing is inside; mend a mesh";
                return Err(Failure::Raised("SurfaceError", message.into()));
            }
            values::<_, _, DVec3, _>((&*self.scene, Contains), &points, batch, call, put)
        })
    }

    /// Returns the offsets, numbers and paths of the triangles within a distance of each point.
    fn within<'py>(
        &self,
        py: Python<'py>,
        arguments: PointArguments<'_>,
        most: f32,
        depth: usize,
        max_hits: Option<usize>,
    ) -> PyResult<[Bound<'py, PyAny>; 3]> {
        let points = arguments.points()?;
        let found = arguments.run(py, |call, batch| {
            let (mut prims, mut paths) = (Vec::new(), Vec::new());
            let take = |found: &[ScenePrim]| -> Result<(), Failure> {
                reserve(&mut prims, found.len())?;
                reserve(&mut paths, found.len().saturating_mul(depth))?;
                prims.extend(found.iter().map(|id| i64::from(id.prim.get())));
                let steps = |id: &ScenePrim| {
                    let path = id.path;
                    (0..depth).map(move |level| step(&path, level))
                };
                paths.extend(found.iter().flat_map(steps));
                Ok(())
            };
            let question = (&*self.scene, Within(most));
            let offsets = lists(question, &points, batch, max_hits, call, take)?;
            Ok((offsets, without_spare(prims), without_spare(paths)))
        })?;
        let (offsets, prims, paths) = found;
        Ok([
            offsets.into_pyarray(py).into_any(),
            prims.into_pyarray(py).into_any(),
            paths.into_pyarray(py).into_any(),
        ])
    }
}
