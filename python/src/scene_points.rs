//! Questions about what is near points in scenes. Points are in `f64`, and so are the closest ones.

use crate::answer_arrays::{AnswerArrays, AnswerLists};
use crate::ask::{values, write};
use crate::column::Column;
use crate::failure::Failure;
use crate::lists::lists;
use crate::point_arguments::PointArguments;
use crate::scene_snapshot::SceneSnapshot;
use crate::whole_surface::check_room_for_solids;
use estoc::RayQuery;
use estoc::glam::DVec3;
use estoc::query::{ClosestPointWithin, Contains, Distance, Within};
use estoc::scene::{SceneClosestPoint, ScenePrim};
use pyo3::prelude::*;
use pyo3::types::PyDict;

#[pymethods]
impl SceneSnapshot {
    /// Writes the closest point of each point, if it is near enough.
    fn closest_point(
        &self,
        py: Python<'_>,
        arguments: PointArguments<'_>,
        most: f32,
        out: Bound<'_, PyDict>,
    ) -> PyResult<()> {
        let points = arguments.points()?;
        let out = AnswerArrays::<SceneClosestPoint>::of(&out, points.len())?;
        let question = ClosestPointWithin(most);
        arguments.run(py, |call, batch| {
            write((&*self.scene, question), &points, batch, call, &out)
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
        max_hits: Option<usize>,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let points = arguments.points()?;
        let depth = py.detach(|| self.scene.depth());
        let mut found = AnswerLists::<ScenePrim>::new(depth.max(1));
        let offsets = arguments.run(py, |call, batch| {
            let question = (&*self.scene, Within(most));
            lists(question, &points, batch, max_hits, call, &mut found)
        })?;
        found.into_arrays(py, offsets)
    }
}
