//! The result: points or areas of cuts, as CSV or JSON.

use super::cut_number::CutNumber;
use super::plane_arg::PlaneArg;
use crate::failure::Failure;
use crate::frame::FileFrame;
use crate::number::{Number, Number64, NumberJson};
use crate::output::ResultOutput;
use estoc::query::{Section, SectionLoop};
use estoc_core::SectionPoint;
use serde_json::{Value, json};
use std::fmt::Write;

/// What is written of cuts.
#[derive(Clone, Copy)]
pub(super) struct CutsForm {
    /// Whether objects are written, not rows.
    pub(super) is_json: bool,
    /// Whether points are left out: of each plane there is only its area.
    pub(super) only_areas: bool,
    /// Whether there is one plane, by the options.
    pub(super) is_single: bool,
}

impl CutsForm {
    /// Returns whether areas and loops are written.
    pub(super) fn has_loops(self) -> bool {
        self.is_json || self.only_areas
    }
}

/// A result that cuts are written to, one after the other.
pub(super) struct CutsOutput {
    output: ResultOutput,
    form: CutsForm,
    frame: FileFrame,
    /// The number of cuts that are written.
    done: usize,
}

impl CutsOutput {
    pub(super) fn begin(
        output: ResultOutput,
        form: CutsForm,
        frame: FileFrame,
    ) -> Result<Self, Failure> {
        let mut cuts = CutsOutput {
            output,
            form,
            frame,
            done: 0,
        };
        let head = match (form.is_json, form.only_areas, form.is_single) {
            (true, _, true) => "",
            (true, _, false) => "{\"schema\":\"estoc.sections/1\",\"sections\":[",
            (false, true, _) => "plane,a,b,c,d,area,loops,holes,open\n",
            (false, false, true) => "polyline,closed,prim,edge,parameter,x,y,z\n",
            (false, false, false) => "plane,polyline,closed,prim,edge,parameter,x,y,z\n",
        };
        cuts.output.put(format_args!("{head}"))?;
        Ok(cuts)
    }

    pub(super) fn put<C: CutNumber>(
        &mut self,
        plane: &PlaneArg,
        section: &Section<C>,
        loops: &[SectionLoop],
    ) -> Result<(), Failure> {
        let object = || self.object(plane, section, loops);
        let text = match (self.form.is_json, self.form.only_areas) {
            (true, _) if self.form.is_single => format!("{:#}\n", object()),
            (true, _) if self.done == 0 => format!("\n{}", object()),
            (true, _) => format!(",\n{}", object()),
            (false, true) => self.row(plane, section, loops),
            (false, false) => self.points(section),
        };
        self.done += 1;
        self.output.put(format_args!("{text}"))
    }

    pub(super) fn finish(mut self) -> Result<(), Failure> {
        if let Some(end) = self.end() {
            self.output.put(format_args!("{end}}}\n"))?;
        }
        self.output.finish()
    }

    /// Ends the result after a failure, and returns the failure.
    pub(super) fn fail(self, failure: Failure) -> Failure {
        let end = self.end();
        self.output.fail(failure, end)
    }

    /// Returns what ends a list of objects.
    fn end(&self) -> Option<String> {
        (self.form.is_json && !self.form.is_single).then(|| "\n]".to_owned())
    }

    fn row<C: CutNumber>(
        &self,
        plane: &PlaneArg,
        section: &Section<C>,
        loops: &[SectionLoop],
    ) -> String {
        let mut text = self.done.to_string();
        for number in plane.0 {
            let _ = match C::is_wide(self.frame) {
                false => write!(text, ",{}", Number(number.near)),
                true => write!(text, ",{}", Number64(number.wide)),
            };
        }
        let area = section.area_of(loops);
        let area = area.map_or(String::new(), |area| Number64(area).to_string());
        let (count, open) = (loops.len(), section.polylines.len() - loops.len());
        let _ = writeln!(text, ",{area},{count},{},{open}", holes(loops));
        text
    }

    fn points<C: CutNumber>(&self, section: &Section<C>) -> String {
        let mut text = String::new();
        for (number, polyline) in section.polylines.iter().enumerate() {
            let is_closed = u8::from(polyline.is_closed);
            for point in &polyline.points {
                if !self.form.is_single {
                    let _ = write!(text, "{},", self.done);
                }
                let SectionPoint { prim, edge, .. } = point;
                let parameter = point.parameter.text();
                let point = C::in_file(self.frame, point.point);
                let _ = writeln!(
                    text,
                    "{number},{is_closed},{prim},{edge},{parameter},{point}"
                );
            }
        }
        text
    }

    fn object<C: CutNumber>(
        &self,
        plane: &PlaneArg,
        section: &Section<C>,
        loops: &[SectionLoop],
    ) -> Value {
        let mut object = json!({});
        if self.form.is_single {
            object["schema"] = "estoc.section/1".into();
        }
        let numbers = plane.0.map(|number| match C::is_wide(self.frame) {
            false => Number(number.near).json(),
            true => number.wide.into(),
        });
        object["plane"] = json!(numbers);
        object["closed"] = section.is_closed().into();
        object["area"] = section.area_of(loops).into();
        object["loops"] = loops.len().into();
        object["holes"] = holes(loops).into();
        if self.form.only_areas {
            return object;
        }
        let point = |point: &SectionPoint<C>| {
            let parameter = point.parameter.json();
            let SectionPoint { prim, edge, .. } = point;
            let at = C::in_file(self.frame, point.point).json();
            json!({
                "prim": prim.get(), "edge": edge, "parameter": parameter,
                "x": at[0], "y": at[1], "z": at[2],
            })
        };
        let mut loops = loops.iter().peekable();
        let polylines = section.polylines.iter().enumerate();
        object["polylines"] = polylines
            .map(|(number, polyline)| {
                let mut line = json!({ "closed": polyline.is_closed });
                if let Some(of) = loops.next_if(|of| of.polyline == number) {
                    line["area"] = of.area.into();
                    line["hole"] = of.is_hole().into();
                    line["parent"] = of.parent.into();
                }
                line["points"] = polyline.points.iter().map(point).collect();
                line
            })
            .collect();
        object
    }
}

fn holes(loops: &[SectionLoop]) -> usize {
    loops.iter().filter(|of| of.is_hole()).count()
}
