//! The cut of the mesh with a plane.

use crate::bounds;
use crate::model::Model;
use crate::refusal::Refusal;
use crate::request::SectionRequest;
use estoc::glam::{DVec3, Vec3};
use estoc::{Plane, RegionQuery};
use serde_json::{Value, json};

/// Returns the polylines of the cut, each as a list of coordinates, with the command that repeats it.
pub(crate) fn section(asked: &SectionRequest, model: &dyn Model) -> Result<Value, Refusal> {
    let Some(bvh) = model.target().bvh() else {
        let problem = "sections are of one mesh in f32, not of a scene";
        return Err(Refusal::Value(problem.into()));
    };
    let [a, b, c, d] = asked.plane;
    let plane = Plane::from_offset([a, b, c], -d);
    let plane = plane.map_err(|error| Refusal::Value(error.to_string()))?;
    let section = bvh.section(&plane);
    let offset = f64::from(d) - DVec3::new(a.into(), b.into(), c.into()).dot(model.origin());
    let mut points = 0;
    let mut length = 0.0;
    let mut sent = Vec::new();
    for polyline in &section.polylines {
        let line: Vec<_> = polyline.points.iter().map(|point| point.point).collect();
        let around = polyline.is_closed.then(|| line.first()).flatten();
        let ends = line.iter().zip(line.iter().skip(1).chain(around));
        length += ends
            .map(|(from, to)| from.as_dvec3().distance(to.as_dvec3()))
            .sum::<f64>();
        points += line.len();
        if points <= bounds::SECTION_POINTS {
            let line: Vec<f32> = line.iter().flat_map(Vec3::to_array).collect();
            sent.push(json!({ "closed": polyline.is_closed, "points": line }));
        }
    }
    Ok(json!({
        "count": section.polylines.len(),
        "closed": section.is_closed(),
        "length": length,
        "polylines": sent,
        "points": points,
        "command": format!("estoc section {} --plane {a},{b},{c},{offset}", model.arguments()),
    }))
}
