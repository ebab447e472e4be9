//! The result: points or areas of cuts, as CSV or JSON.

use super::plane_arg::PlaneArg;
use crate::failure::Failure;
use crate::frame::FileFrame;
use crate::number::{Number, Number64, NumberJson};
use crate::output::ResultOutput;
use estoc::query::{Section, SectionLoop};
use estoc_core::SectionPoint;
use serde_json::{Map, Value, json};
use std::fmt::Write;

/// How cuts are written.
pub(super) struct CutsForm {
    /// Whether there is a row for each plane instead of each point.
    pub(super) are_areas: bool,
    /// Whether there is one plane, by the options.
    pub(super) is_single: bool,
    pub(super) is_json: bool,
    pub(super) frame: FileFrame,
}

/// A result that cuts are written to, one after the other.
pub(super) struct CutsOutput {
    output: ResultOutput,
    form: CutsForm,
    /// The number of cuts that are written.
    done: usize,
}

/// Returns the area that loops enclose, and the number of holes; `None` where a polyline is open.
fn summary(section: &Section, loops: &[SectionLoop]) -> (Option<f64>, usize) {
    let holes = loops.iter().filter(|of| of.is_hole()).count();
    (section.area_of(loops), holes)
}

impl CutsOutput {
    pub(super) fn begin(mut output: ResultOutput, form: CutsForm) -> Result<Self, Failure> {
        let head = match (form.is_json, form.are_areas, form.is_single) {
            (true, _, true) => "",
            (true, _, false) => "{\"schema\":\"estoc.sections/1\",\"sections\":[",
            (false, true, _) => "plane,a,b,c,d,area,loops,holes,open\n",
            (false, false, true) => "polyline,closed,prim,edge,parameter,x,y,z\n",
            (false, false, false) => "plane,polyline,closed,prim,edge,parameter,x,y,z\n",
        };
        output.put(format_args!("{head}"))?;
        Ok(CutsOutput {
            output,
            form,
            done: 0,
        })
    }

    pub(super) fn put(
        &mut self,
        plane: &PlaneArg,
        section: &Section,
        loops: &[SectionLoop],
    ) -> Result<(), Failure> {
        let text = match &self.form {
            CutsForm {
                is_json: true,
                is_single,
                ..
            } => {
                let mut object = Map::new();
                if *is_single {
                    object.insert("schema".into(), "estoc.section/1".into());
                }
                self.form.describe(plane, section, loops, &mut object);
                match (is_single, self.done) {
                    (true, _) => format!("{:#}\n", Value::Object(object)),
                    (false, 0) => format!("\n{}", Value::Object(object)),
                    (false, _) => format!(",\n{}", Value::Object(object)),
                }
            }
            CutsForm {
                are_areas: true, ..
            } => self.form.row(self.done, plane, section, loops),
            form => form.points(self.done, section),
        };
        self.done += 1;
        self.output.put(format_args!("{text}"))
    }

    pub(super) fn finish(mut self) -> Result<(), Failure> {
        if self.form.is_json && !self.form.is_single {
            self.output.put(format_args!("\n]}}\n"))?;
        }
        self.output.finish()
    }

    /// Ends the result after a failure, and returns the failure.
    pub(super) fn fail(self, failure: Failure) -> Failure {
        let end = (self.form.is_json && !self.form.is_single).then(|| "\n]".to_owned());
        self.output.fail(failure, end)
    }
}

impl CutsForm {
    fn row(
        &self,
        number: usize,
        plane: &PlaneArg,
        section: &Section,
        loops: &[SectionLoop],
    ) -> String {
        let mut text = number.to_string();
        for number in plane.numbers {
            let _ = match self.frame.is_local() {
                false => write!(text, ",{}", Number(number.near)),
                true => write!(text, ",{}", Number64(number.wide)),
            };
        }
        let (area, holes) = summary(section, loops);
        let area = area.map_or(String::new(), |area| Number64(area).to_string());
        let (count, open) = (loops.len(), section.polylines.len() - loops.len());
        let _ = writeln!(text, ",{area},{count},{holes},{open}");
        text
    }

    fn points(&self, number: usize, section: &Section) -> String {
        let mut text = String::new();
        for (line, polyline) in section.polylines.iter().enumerate() {
            let is_closed = u8::from(polyline.is_closed);
            for point in &polyline.points {
                if !self.is_single {
                    let _ = write!(text, "{number},");
                }
                let SectionPoint { prim, edge, .. } = point;
                let (parameter, point) = (Number(point.parameter), self.frame.world(point.point));
                let _ = writeln!(text, "{line},{is_closed},{prim},{edge},{parameter},{point}");
            }
        }
        text
    }

    /// Adds the fields of a cut to an object.
    fn describe(
        &self,
        plane: &PlaneArg,
        section: &Section,
        loops: &[SectionLoop],
        object: &mut Map<String, Value>,
    ) {
        let mut put = |name: &str, value: Value| object.insert(name.into(), value);
        let (area, holes) = summary(section, loops);
        let numbers = plane.numbers.map(|number| match self.frame.is_local() {
            false => Number(number.near).json(),
            true => number.wide.into(),
        });
        put("plane", json!(numbers));
        put("closed", section.is_closed().into());
        put("area", json!(area));
        put("loops", loops.len().into());
        put("holes", holes.into());
        if self.are_areas {
            return;
        }
        let point = |point: &SectionPoint| {
            let parameter = Number(point.parameter).json();
            let SectionPoint { prim, edge, .. } = point;
            let at = self.frame.world(point.point).json();
            json!({
                "prim": prim.get(), "edge": edge, "parameter": parameter,
                "x": at[0], "y": at[1], "z": at[2],
            })
        };
        let mut loops = loops.iter().peekable();
        let polylines = section
            .polylines
            .iter()
            .enumerate()
            .map(|(number, polyline)| {
                let points: Vec<Value> = polyline.points.iter().map(point).collect();
                match loops.next_if(|of| of.polyline == number) {
                    Some(of) => json!({
                        "closed": true, "area": of.area, "hole": of.is_hole(),
                        "parent": of.parent, "points": points,
                    }),
                    None => json!({ "closed": polyline.is_closed, "points": points }),
                }
            });
        put("polylines", polylines.collect());
    }
}
