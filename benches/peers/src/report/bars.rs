//! The bar chart of single calls, one panel per scene.

use super::cell::{Cell, cells, distinct, setups};
use super::svg::{FAINT, Label, write_start};
use crate::row::{RaysRow, Row};
use std::fmt::{self, Write};

const PANEL_WIDTH: f64 = 460.0;
const PANELS_ACROSS: usize = 2;
const MARGIN: f64 = 28.0;
const HEAD: f64 = 84.0;
const LABEL_WIDTH: f64 = 84.0;
/// Space for a number behind the longest bar.
const NUMBER_WIDTH: f64 = 48.0;
const BAR: f64 = 11.0;
const BAR_STEP: f64 = 13.0;
const GROUP_GAP: f64 = 10.0;
const PANEL_TITLE: f64 = 30.0;

/// A series of bars of one colour.
struct Series {
    title: &'static str,
    colour: &'static str,
    of: for<'a> fn(&Cell<'a>) -> Option<&'a RaysRow>,
}

const SERIES: [Series; 5] = [
    Series {
        title: "estoc, exact",
        colour: "#c2410c",
        of: |cell| cell.ours,
    },
    Series {
        title: "estoc, float only",
        colour: "#fdba74",
        of: |cell| cell.float,
    },
    Series {
        title: "Embree, its best",
        colour: "#1d4e89",
        of: |cell| cell.embree,
    },
    Series {
        title: "Embree, robust",
        colour: "#7ba6d0",
        of: |cell| cell.robust,
    },
    Series {
        title: "best Rust crate",
        colour: "#9aa5b1",
        of: |cell| cell.rust,
    },
];

/// Draws single calls with the fewest threads; `None` when estoc has no rows.
pub(crate) fn bars(rows: &[Row]) -> Option<String> {
    let setup = setups(rows).into_iter().next()?;
    let cells = cells(rows, setup);
    let is_there = |series: &&Series| cells.iter().any(|cell| (series.of)(cell).is_some());
    let series: Vec<&Series> = SERIES.iter().filter(is_there).collect();
    let threads = match setup.threads {
        1 => "one thread".to_owned(),
        threads => format!("{threads} threads"),
    };
    let title = match setup.mode {
        "single" => format!("One ray per call, {threads}"),
        mode => format!("{mode}, {threads}"),
    };
    let mut text = String::new();
    write_chart(&mut text, &title, &cells, &series).expect("writing to a string does not fail");
    Some(text)
}

fn write_chart(
    out: &mut String,
    title: &str,
    cells: &[Cell<'_>],
    series: &[&Series],
) -> fmt::Result {
    let scenes = distinct(cells.iter().map(|cell| cell.scene));
    let of_scene = |scene: &str| -> Vec<&Cell<'_>> {
        let here = |cell: &&Cell<'_>| cell.scene == scene;
        cells.iter().filter(here).collect()
    };
    let group = series.len() as f64 * BAR_STEP + GROUP_GAP;
    let most_groups = scenes.iter().map(|scene| of_scene(scene).len()).max();
    let panel_height = PANEL_TITLE + most_groups.unwrap_or(0) as f64 * group + MARGIN;
    let across = PANELS_ACROSS.min(scenes.len()).max(1);
    // The title needs this width even if there are few panels.
    let width = MARGIN + PANELS_ACROSS as f64 * (PANEL_WIDTH + MARGIN);
    let down = scenes.len().div_ceil(across);
    let height = HEAD + down as f64 * panel_height;

    write_start(
        out,
        [width, height],
        &format!("{title}: million rays per second"),
    )?;
    writeln!(
        out,
        "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>"
    )?;
    let heading = Label::new(MARGIN, 34.0, 20).bold();
    heading.write(out, title)?;
    let unit = "million rays per second, higher is better";
    let after_title = MARGIN + 11.5 * title.chars().count() as f64;
    Label::new(after_title, 34.0, 13).faint().write(out, unit)?;
    write_legend(out, series)?;
    for (index, scene) in scenes.iter().enumerate() {
        let x = MARGIN + (index % across) as f64 * (PANEL_WIDTH + MARGIN);
        let y = HEAD + (index / across) as f64 * panel_height;
        write_panel(out, [x, y], scene, &of_scene(scene), series)?;
    }
    writeln!(out, "</svg>")
}

fn write_legend(out: &mut String, series: &[&Series]) -> fmt::Result {
    let mut x = MARGIN;
    for series in series {
        write_bar(out, [x, 51.0], 14.0, series.colour)?;
        Label::new(x + 20.0, 61.0, 13).write(out, series.title)?;
        x += 20.0 + 7.2 * series.title.len() as f64 + 20.0;
    }
    Ok(())
}

fn write_panel(
    out: &mut String,
    [x, y]: [f64; 2],
    scene: &str,
    cells: &[&Cell<'_>],
    series: &[&Series],
) -> fmt::Result {
    let values = cells
        .iter()
        .flat_map(|cell| series.iter().filter_map(|series| (series.of)(cell)));
    let greatest = values
        .map(|row| row.mrays)
        .fold(f64::MIN_POSITIVE, f64::max);
    let scale = (PANEL_WIDTH - LABEL_WIDTH - NUMBER_WIDTH) / greatest;
    Label::new(x, y + 16.0, 15).bold().write(out, scene)?;
    let (left, mut top) = (x + LABEL_WIDTH, y + PANEL_TITLE);
    for cell in cells {
        let middle = top + (series.len() as f64 * BAR_STEP) / 2.0 + 4.0;
        Label::new(left - 8.0, middle, 13)
            .right()
            .write(out, cell.rays)?;
        for series in series {
            if let Some(row) = (series.of)(cell) {
                let length = row.mrays * scale;
                write_bar(out, [left, top], length.max(0.5), series.colour)?;
                let number = Label::new(left + length + 5.0, top + BAR - 1.5, 10);
                number.faint().write(out, &short(row.mrays))?;
            }
            top += BAR_STEP;
        }
        top += GROUP_GAP;
    }
    let bottom = top - GROUP_GAP;
    writeln!(
        out,
        "<line x1=\"{left}\" y1=\"{}\" x2=\"{left}\" y2=\"{bottom}\" stroke=\"{FAINT}\"/>",
        y + PANEL_TITLE - 3.0
    )
}

fn write_bar(out: &mut String, [x, y]: [f64; 2], width: f64, colour: &str) -> fmt::Result {
    writeln!(
        out,
        "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{BAR}\" fill=\"{colour}\"/>"
    )
}

/// Formats a value with three digits.
fn short(value: f64) -> String {
    match value {
        100.0.. => format!("{value:.0}"),
        10.0.. => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_as_long_as_the_values_say() {
        let lines = [
            "rays,a<b,ao,single,estoc,1,8,1,9,0",
            "rays,a<b,ao,single,embree-medium,1,4,1,9,0",
        ];
        let row = |line| Row::parse(line).expect("a row");
        let text = bars(&lines.map(row)).expect("a chart");
        let full = PANEL_WIDTH - LABEL_WIDTH - NUMBER_WIDTH;
        for (width, colour) in [(full, "#c2410c"), (full / 2.0, "#1d4e89")] {
            let bar = format!("width=\"{width:.1}\" height=\"{BAR}\" fill=\"{colour}\"");
            assert!(text.contains(&bar), "{bar}\n\n{text}");
        }
        assert!(text.contains(">a&lt;b</text>"));
        assert!(!text.contains("float only"));
        assert_eq!(bars(&[]), None);
    }
}
