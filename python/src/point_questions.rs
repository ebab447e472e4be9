//! Questions about what is near points, and about their side of the surface.

use crate::answer_arrays::{AnswerArrays, AnswerLists};
use crate::ask::{values, write};
use crate::bvh::Bvh;
use crate::column::Column;
use crate::lists::lists;
use crate::point_arguments::PointArguments;
use estoc::PrimId;
use estoc::query::{
    ClosestPoint, ClosestPointWithin, ContainsBy, Distance, EstimatedWinding, SignRule,
    SignedDistance, SignedDistanceBy, Winding, WindingEstimate, WindingNumber, Within,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

fn sign_rule(name: &str) -> PyResult<SignRule> {
    match name {
        "parity" => Ok(SignRule::Parity),
        "winding_number" => Ok(SignRule::WindingNumber),
        "winding_estimate" => Ok(SignRule::WindingEstimate),
        _ => Err(PyValueError::new_err(format!(
            "rule is {name:?}; it must be \"parity\", \"winding_number\" or \"winding_estimate\""
        ))),
    }
}

#[pymethods]
impl Bvh {
    /// Writes the closest point of each point, if it is near enough.
    fn closest_point(
        &self,
        py: Python<'_>,
        arguments: PointArguments<'_>,
        most: f32,
        out: Bound<'_, PyDict>,
    ) -> PyResult<()> {
        let points = arguments.points()?;
        let out = AnswerArrays::<ClosestPoint>::of(&out, points.len())?;
        let question = ClosestPointWithin(most);
        arguments.run(py, |call, batch| {
            write((&*self.bvh, question), &points, batch, call, &out)
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
        arguments.run(py, |call, batch| {
            let put = |place, &distance: &Option<f32>| {
                out.put(place, distance.unwrap_or(f32::INFINITY));
            };
            values((&*self.bvh, Distance), &points, batch, call, put)
        })
    }

    /// Writes the distance of each point, negative inside.
    fn signed_distance(
        &self,
        py: Python<'_>,
        arguments: PointArguments<'_>,
        rule: &str,
        out: Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let points = arguments.points()?;
        let question = SignedDistanceBy(sign_rule(rule)?);
        let out = Column::<f32>::of(&out, points.len())?;
        arguments.run(py, |call, batch| {
            self.check_inside(question.0)?;
            let put = |place, found: &Option<SignedDistance>| {
                out.put(place, found.map_or(f32::INFINITY, |found| found.signed));
            };
            values((&*self.bvh, question), &points, batch, call, put)
        })
    }

    /// Writes whether each point is inside by a rule.
    fn contains(
        &self,
        py: Python<'_>,
        arguments: PointArguments<'_>,
        rule: &str,
        out: Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let points = arguments.points()?;
        let question = ContainsBy(sign_rule(rule)?);
        let out = Column::<bool>::of(&out, points.len())?;
        arguments.run(py, |call, batch| {
            self.check_inside(question.0)?;
            let put = |place, inside: &Option<bool>| out.put(place, *inside == Some(true));
            values((&*self.bvh, question), &points, batch, call, put)
        })
    }

    /// Writes how often the surface winds around each point, and whether the point is on it.
    fn winding_number(
        &self,
        py: Python<'_>,
        arguments: PointArguments<'_>,
        out: Bound<'_, PyDict>,
    ) -> PyResult<()> {
        let points = arguments.points()?;
        let out = AnswerArrays::<Winding>::of(&out, points.len())?;
        arguments.run(py, |call, batch| {
            self.check_inside(SignRule::WindingNumber)?;
            write((&*self.bvh, WindingNumber), &points, batch, call, &out)
        })
    }

    /// Writes an estimate of the winding number of each point, and a bound of its error.
    fn winding_estimate(
        &self,
        py: Python<'_>,
        arguments: PointArguments<'_>,
        out: Bound<'_, PyDict>,
    ) -> PyResult<()> {
        let points = arguments.points()?;
        let out = AnswerArrays::<WindingEstimate>::of(&out, points.len())?;
        arguments.run(py, |call, batch| {
            self.see_clusters()?;
            let put = |place, estimate: &WindingEstimate| out.put(place, Some(estimate));
            values((&*self.bvh, EstimatedWinding), &points, batch, call, put)
        })
    }

    /// Returns the offsets and numbers of the triangles within a distance of each point.
    fn within<'py>(
        &self,
        py: Python<'py>,
        arguments: PointArguments<'_>,
        most: f32,
        max_hits: Option<usize>,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let points = arguments.points()?;
        let mut found = AnswerLists::<PrimId>::new(0);
        let offsets = arguments.run(py, |call, batch| {
            let question = (&*self.bvh, Within(most));
            lists(question, &points, batch, max_hits, call, &mut found)
        })?;
        found.into_arrays(py, offsets)
    }
}
