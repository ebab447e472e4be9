//! The result as text for a terminal, and as Markdown.

use super::baseline_change::{Change, ChangeVerdict};
use super::load;
use super::names::once;
use super::report::{BuildRow, MeshRows, PlanRow, RaysRow, Report, Times};
use super::style::{Style, Tone};
use super::table::Alignment::{Left, Right};
use super::table::{Cell, Column, Table, escaped};
use crate::number::counted;
use std::fmt::Write;

/// Returns the result as text for a terminal or a file.
pub(super) fn text(report: &Report, style: Style) -> String {
    let mut text = String::new();
    for line in head(report) {
        let _ = writeln!(text, "{}", style.paint(Tone::Faint, &line));
    }
    let compared = report.comparison.is_some();
    for mesh in &report.meshes {
        let title = style.paint(Tone::Heading, &mesh.mesh);
        let _ = writeln!(text, "\n{title}: {}", size(mesh));
        let _ = write!(text, "{}", builds(mesh, compared).text(style));
        if !mesh.rays.is_empty() {
            let (table, reasons) = rays(mesh, compared);
            let _ = write!(text, "\n{}", table.text(style));
            for (i, reason) in (1..).zip(reasons) {
                let line = style.paint(Tone::Faint, &format!("({i}) {reason}"));
                let _ = writeln!(text, "  {line}");
            }
        }
    }
    text
}

pub(super) fn markdown(report: &Report) -> String {
    let mut text = String::new();
    for line in head(report) {
        let _ = writeln!(text, "{}  ", escaped(&line));
    }
    let compared = report.comparison.is_some();
    for mesh in &report.meshes {
        let _ = writeln!(text, "\n## {}\n\n{}\n", escaped(&mesh.mesh), size(mesh));
        let _ = writeln!(text, "{}", builds(mesh, compared).markdown());
        if !mesh.rays.is_empty() {
            let (table, reasons) = rays(mesh, compared);
            let _ = writeln!(text, "{}", table.markdown());
            for (i, reason) in (1..).zip(reasons) {
                let _ = writeln!(text, "({i}) {}  ", escaped(&reason));
            }
        }
    }
    text.truncate(text.trim_end().len());
    text.push('\n');
    text
}

fn head(report: &Report) -> Vec<String> {
    let settings = &report.settings;
    let mut lines = vec![
        format!("estoc {} on {}", report.version, report.machine),
        format!(
            "medians over {} of {} s and {}, ± median absolute deviation",
            counted(settings.rounds as usize, "round"),
            settings.seconds,
            counted(settings.build_rounds as usize, "build"),
        ),
    ];
    lines.extend(load::note(report.others));
    if let Some(comparison) = &report.comparison {
        lines.push(format!(
            "ratio: speed now / speed in {} (estoc {})",
            comparison.file, comparison.version
        ));
    }
    lines
}

fn size(mesh: &MeshRows) -> String {
    let rays = match mesh.rays.first() {
        Some(row) => format!(", {} of each kind", counted(row.count, "ray")),
        None => String::new(),
    };
    format!(
        "{}, loaded in {}{rays}",
        counted(mesh.triangles, "triangle"),
        duration(mesh.load_seconds)
    )
}

/// The title of the column that results without a comparison lack.
const RATIO: &str = "ratio";

fn builds(mesh: &MeshRows, compared: bool) -> Table {
    let triangles = mesh.triangles.max(1) as f64;
    let columns: [Column<'_, BuildRow>; 8] = [
        ("quality", Left, &|row| row.quality.clone().into()),
        ("threads", Right, &|row| row.threads.to_string().into()),
        ("time", Right, &|row| {
            duration(row.times.ns * 1e-9 * triangles).into()
        }),
        ("±", Right, &|row| deviation(&row.times)),
        ("Mtriangles/s", Right, &|row| {
            millions(row.times.millions_per_second).into()
        }),
        ("SAH cost", Right, &|row| {
            format!("{:.2}", row.sah_cost).into()
        }),
        ("bytes/triangle", Right, &|row| {
            format!("{:.1}", row.bytes_per_triangle).into()
        }),
        (RATIO, Left, &|row| ratio(row.change)),
    ];
    let columns = columns.into_iter();
    Table::of(
        &mesh.builds,
        columns.filter(|column| compared || column.0 != RATIO),
    )
}

/// Returns the table of rays, and the reasons of their plans, to which the rows refer by number,
/// from 1.
fn rays(mesh: &MeshRows, compared: bool) -> (Table, Vec<String>) {
    let why = |row: &RaysRow| row.plan.as_ref()?.why.first().cloned();
    let reasons: Vec<String> = mesh.rays.iter().filter_map(why).collect();
    let reasons = once(&reasons);
    let columns: [Column<'_, RaysRow>; 10] = [
        ("rays", Left, &|row| row.rays.clone().into()),
        ("calls", Left, &|row| row.calls.clone().into()),
        ("quality", Left, &|row| row.quality.clone().into()),
        ("threads", Right, &|row| row.threads.to_string().into()),
        ("Mrays/s", Right, &|row| {
            millions(row.times.millions_per_second).into()
        }),
        ("ns/ray", Right, &|row| digits(row.times.ns).into()),
        ("±", Right, &|row| deviation(&row.times)),
        ("hits", Right, &|row| {
            format!("{:.0} %", 100.0 * row.hits as f64 / row.count.max(1) as f64).into()
        }),
        (RATIO, Left, &|row| ratio(row.change)),
        ("plan", Left, &|row| {
            let plan = row.plan.as_ref().map(ways).unwrap_or_default();
            let reason = why(row).and_then(|why| reasons.iter().position(|one| *one == why));
            let reason = reason.map(|place| format!(" ({})", place + 1));
            Cell::toned(plan + &reason.unwrap_or_default(), Tone::Faint)
        }),
    ];
    let columns = columns.into_iter();
    let columns = columns.filter(|column| compared || column.0 != RATIO);
    (Table::of(&mesh.rays, columns), reasons)
}

/// Returns the techniques that a batch used, and the first reason of its plan.
pub(super) fn plan(plan: &PlanRow) -> String {
    match plan.why.first() {
        Some(why) => format!("{}: {why}", ways(plan)),
        None => ways(plan),
    }
}

/// Returns the planned technique, and the shares of the rays that other techniques traced.
fn ways(plan: &PlanRow) -> String {
    if let Some(device) = &plan.device {
        return format!("on {}", device.name);
    }
    let asked = plan.one_by_one + plan.interleaved + plan.packets + plan.bundles;
    let ways = [
        ("one by one", plan.one_by_one),
        ("interleaved", plan.interleaved),
        ("packets", plan.packets),
        ("bundles", plan.bundles),
    ];
    let others: Vec<String> = ways
        .into_iter()
        .filter(|(name, rays)| *name != plan.technique && *rays > 0)
        .map(
            |(name, rays)| match 100.0 * rays as f64 / asked.max(1) as f64 {
                percent @ 0.5.. => format!("{percent:.0} % {name}"),
                _ => format!("<1 % {name}"),
            },
        )
        .collect();
    match others.is_empty() {
        true => plan.technique.clone(),
        false => format!("{}, {}", plan.technique, others.join(", ")),
    }
}

fn deviation(times: &Times) -> Cell {
    Cell::toned(format!("{:.1} %", times.percent()), Tone::Faint)
}

fn ratio(change: Option<Change>) -> Cell {
    let Some(change) = change else {
        return Cell::default();
    };
    let tone = match change.verdict {
        ChangeVerdict::Faster => Tone::Good,
        ChangeVerdict::Slower => Tone::Bad,
        ChangeVerdict::Same | ChangeVerdict::Unclear => Tone::Plain,
        ChangeVerdict::Noisy | ChangeVerdict::New | ChangeVerdict::Other => Tone::Faint,
    };
    Cell::toned(change.to_string(), tone)
}

fn millions(x: f64) -> String {
    match x {
        100.0.. => format!("{x:.1}"),
        _ => format!("{x:.2}"),
    }
}

/// Formats a number with at least three digits.
fn digits(x: f64) -> String {
    match x {
        1000.0.. => format!("{x:.0}"),
        100.0.. => format!("{x:.1}"),
        _ => format!("{x:.2}"),
    }
}

/// Formats a duration in a suitable unit.
pub(super) fn duration(seconds: f64) -> String {
    match seconds {
        1.0.. => format!("{} s", digits(seconds)),
        1e-3.. => format!("{} ms", digits(seconds * 1e3)),
        _ => format!("{} µs", digits(seconds * 1e6)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::report::DeviceRow;
    use super::*;

    #[test]
    fn times_are_told_in_units_that_fit() {
        let told = [12.345, 1.0, 0.5, 0.001_234, 4.5e-5].map(duration);
        let expected = ["12.35 s", "1.00 s", "500.0 ms", "1.23 ms", "45.00 µs"];
        assert_eq!(told, expected);
    }

    #[test]
    fn a_plan_tells_what_went_otherwise() {
        let mut row = PlanRow {
            technique: "packets".into(),
            chunk_size: 512,
            threads: 1,
            why: vec!["because".into(), "in the calling thread".into()],
            one_by_one: 0,
            interleaved: 25,
            packets: 75,
            bundles: 0,
            not_asked: 0,
            device: None,
        };
        assert_eq!(plan(&row), "packets, 25 % interleaved: because");
        row.interleaved = 1;
        row.packets = 999;
        assert_eq!(plan(&row), "packets, <1 % interleaved: because");
        row.interleaved = 0;
        assert_eq!(plan(&row), "packets: because");
        row.device = Some(DeviceRow {
            name: "a device".into(),
            driver: "a driver".into(),
        });
        assert_eq!(plan(&row), "on a device: because");
    }
}
