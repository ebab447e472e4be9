//! Questions about what is near points, and about their side of the surface.

use crate::ask::{columns, reserve, values};
use crate::bvh::Bvh;
use crate::column::Column;
use crate::lists::{lists, without_spare};
use crate::point_arguments::PointArguments;
use estoc::PrimId;
use estoc::batch::{ClosestPointColumns, SignedDistanceColumns, WindingColumns};
use estoc::query::{
    ClosestPointWithin, ContainsBy, Distance, EstimatedWinding, SignRule, SignedDistanceBy,
    WindingEstimate, WindingNumber, Within,
};
use numpy::IntoPyArray;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

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
        out: [Bound<'_, PyAny>; 6],
    ) -> PyResult<()> {
        let points = arguments.points()?;
        let count = points.len();
        let point = Column::<f32>::of(&out[0], 3 * count)?;
        let distance = Column::<f32>::of(&out[1], count)?;
        let prim = Column::<i64>::of(&out[2], count)?;
        let u = Column::<f32>::of(&out[3], count)?;
        let v = Column::<f32>::of(&out[4], count)?;
        let feature = Column::<u8>::of(&out[5], count)?;
        let question = ClosestPointWithin(most);
        arguments.run(py, |call, batch| {
            columns(
                (&*self.bvh, question),
                &points,
                batch,
                call,
                |first, found: &ClosestPointColumns| {
                    for (place, &number) in found.prim.iter().enumerate() {
                        let is_found = number != u32::MAX;
                        let at = first + place;
                        prim.put(at, if is_found { i64::from(number) } else { -1 });
                        distance.put(at, found.distance[place]);
                        u.put(at, found.u[place]);
                        v.put(at, found.v[place]);
                        feature.put(at, found.feature[place]);
                        for (axis, column) in [&found.x, &found.y, &found.z].into_iter().enumerate()
                        {
                            let x = if is_found { column[place] } else { f32::NAN };
                            point.put(3 * at + axis, x);
                        }
                    }
                },
            )
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
            columns(
                (&*self.bvh, question),
                &points,
                batch,
                call,
                |first, found: &SignedDistanceColumns| {
                    for (place, &signed) in found.signed.iter().enumerate() {
                        out.put(first + place, signed);
                    }
                },
            )
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
        out: [Bound<'_, PyAny>; 2],
    ) -> PyResult<()> {
        let points = arguments.points()?;
        let number = Column::<i64>::of(&out[0], points.len())?;
        let on_surface = Column::<bool>::of(&out[1], points.len())?;
        arguments.run(py, |call, batch| {
            self.check_inside(SignRule::WindingNumber)?;
            columns(
                (&*self.bvh, WindingNumber),
                &points,
                batch,
                call,
                |first, found: &WindingColumns| {
                    for (place, &mark) in found.on_surface.iter().enumerate() {
                        number.put(first + place, found.number[place]);
                        on_surface.put(first + place, mark == 1);
                    }
                },
            )
        })
    }

    /// Writes an estimate of the winding number of each point, and a bound of its error.
    fn winding_estimate(
        &self,
        py: Python<'_>,
        arguments: PointArguments<'_>,
        out: [Bound<'_, PyAny>; 2],
    ) -> PyResult<()> {
        let points = arguments.points()?;
        let value = Column::<f64>::of(&out[0], points.len())?;
        let error = Column::<f64>::of(&out[1], points.len())?;
        arguments.run(py, |call, batch| {
            self.see_clusters()?;
            let put = |place, estimate: &WindingEstimate| {
                value.put(place, estimate.value);
                error.put(place, estimate.error);
            };
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
    ) -> PyResult<[Bound<'py, PyAny>; 2]> {
        let points = arguments.points()?;
        let (offsets, prims) = arguments.run(py, |call, batch| {
            let mut prims: Vec<i64> = Vec::new();
            let take = |found: &[PrimId]| {
                reserve(&mut prims, found.len())?;
                prims.extend(found.iter().map(|prim| i64::from(prim.get())));
                Ok(())
            };
            let question = (&*self.bvh, Within(most));
            let offsets = lists(question, &points, batch, max_hits, call, take)?;
            Ok((offsets, without_spare(prims)))
        })?;
        Ok([
            offsets.into_pyarray(py).into_any(),
            prims.into_pyarray(py).into_any(),
        ])
    }
}
