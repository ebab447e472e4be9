//! A cut as an SVG picture.

use crate::number::Number;
use estoc::Plane;
use estoc::glam::DVec3;
use estoc::query::Section;
use std::fmt::Write;

/// Returns a picture of the cut as seen from the side that the normal points to, in units of the
/// mesh. Up is z, or y for a horizontal plane.
pub(super) fn picture(section: &Section, plane: &Plane) -> String {
    let (right, down) = axes(plane);
    let outlines: Vec<(bool, Vec<[f64; 2]>)> = section
        .polylines
        .iter()
        .map(|polyline| {
            let points = polyline.points.iter().map(|point| {
                let point = point.point.as_dvec3();
                // Turns -0 into 0.
                [point.dot(right) + 0.0, point.dot(down) + 0.0]
            });
            (polyline.is_closed, points.collect())
        })
        .collect();
    let points = || outlines.iter().flat_map(|(_, points)| points);
    let end =
        |axis: usize, which: fn(f64, f64) -> f64| points().map(|point| point[axis]).reduce(which);
    let [left, far_right, top, bottom] = [
        end(0, f64::min),
        end(0, f64::max),
        end(1, f64::min),
        end(1, f64::max),
    ]
    .map(|end| end.unwrap_or(0.0));
    // One unit where there is nothing, or a line.
    let size = (far_right - left).max(bottom - top);
    let margin = if size > 0.0 { 0.02 * size } else { 0.5 };
    let view = [
        left - margin,
        top - margin,
        far_right - left + 2.0 * margin,
        bottom - top + 2.0 * margin,
    ]
    .map(|number| Number(number as f32).to_string());
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{}\">\n\
         <g fill-rule=\"evenodd\" stroke=\"black\">\n",
        view.join(" ")
    );
    for is_closed in [true, false] {
        let fill = if is_closed { "lightgray" } else { "none" };
        let mut path = String::new();
        for (_, points) in outlines.iter().filter(|outline| outline.0 == is_closed) {
            for (index, &[x, y]) in points.iter().enumerate() {
                let command = if index == 0 { 'M' } else { 'L' };
                let _ = write!(path, "{command}{} {}", Number(x as f32), Number(y as f32));
            }
            path.push_str(if is_closed { "Z\n" } else { "\n" });
        }
        if !path.is_empty() {
            let _ = writeln!(
                text,
                "<path vector-effect=\"non-scaling-stroke\" fill=\"{fill}\" d=\"{}\"/>",
                path.trim_end()
            );
        }
    }
    text.push_str("</g>\n</svg>\n");
    text
}

/// Returns the directions in the plane that point right and down in the picture.
fn axes(plane: &Plane) -> (DVec3, DVec3) {
    let normal = plane.unit_normal().as_dvec3();
    let up = if normal.x.abs().max(normal.y.abs()) < 1e-3 {
        DVec3::Y
    } else {
        DVec3::Z
    };
    let right = up.cross(normal).normalize();
    (right, right.cross(normal))
}
