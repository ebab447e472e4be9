//! Line charts with logarithmic axes, panels side by side, each line labelled at its end.

use super::scale::{apart, one_two_five, share, short_count};
use super::svg::{Label, write_card, write_start};
use std::fmt::{self, Write};

const WIDTH: f64 = 940.0;
const PANELS_ACROSS: usize = 3;
const MARGIN: f64 = 20.0;
const HEAD: f64 = 66.0;
/// Space for the numbers left of a row of panels.
const NUMBERS: f64 = 40.0;
/// Space for the labels right of each panel.
const LABELS: f64 = 102.0;
const PLOT_HEIGHT: f64 = 230.0;
const PANEL_TITLE: f64 = 26.0;
const FOOT: f64 = 48.0;
/// The least distance from one label to the next.
const LABEL_STEP: f64 = 14.0;
const GRID: &str = "#d8dee4";

/// The picture has a background of its own, so that it suits any page; browsers that prefer dark
/// pages get a dark one.
const STYLE: &str = "<style>@media (prefers-color-scheme: dark) {\
    .card { fill: #0d1117; stroke: #30363d } .grid { stroke: #30363d } \
    .ink { fill: #e6edf3 } .faint { fill: #9aa4af } \
    text.ours, circle.ours { fill: #ff8f52 } path.ours { stroke: #ff8f52 } \
    text.other, circle.other { fill: #6cb0ff } path.other { stroke: #6cb0ff } }</style>";

/// A chart.
pub(super) struct Lines {
    pub(super) title: &'static str,
    /// What is drawn, and its unit.
    pub(super) note: String,
    /// The quantity on the horizontal axis.
    pub(super) across: &'static str,
    pub(super) panels: Vec<Panel>,
}

/// One plot; all plots of a chart have the same axes.
pub(super) struct Panel {
    pub(super) title: String,
    pub(super) lines: Vec<Line>,
}

/// One line.
pub(super) struct Line {
    pub(super) title: &'static str,
    pub(super) stroke: Stroke,
    /// Both numbers are positive; in order of the first.
    pub(super) points: Vec<[f64; 2]>,
}

/// The style of a line.
#[derive(Clone, Copy)]
pub(super) enum Stroke {
    /// The subject of the chart.
    Ours,
    /// The baseline of the subject.
    OursBefore,
    /// Another library.
    Other,
}

impl Stroke {
    const fn class(self) -> &'static str {
        match self {
            Stroke::Ours | Stroke::OursBefore => "ours",
            Stroke::Other => "other",
        }
    }

    const fn colour(self) -> &'static str {
        match self {
            Stroke::Ours | Stroke::OursBefore => "#d9480f",
            Stroke::Other => "#1f6fc5",
        }
    }

    const fn dashes(self) -> &'static str {
        match self {
            Stroke::OursBefore => "stroke-width=\"1.5\" stroke-dasharray=\"5 4\"",
            Stroke::Ours => "stroke-width=\"2.5\"",
            Stroke::Other => "stroke-width=\"2\"",
        }
    }

    const fn has_marks(self) -> bool {
        !matches!(self, Stroke::OursBefore)
    }
}

impl Lines {
    pub(super) fn svg(&self) -> String {
        let mut text = String::new();
        self.write(&mut text)
            .expect("writing to a string does not fail");
        text
    }

    fn points(&self) -> impl Iterator<Item = [f64; 2]> {
        let lines = self.panels.iter().flat_map(|panel| &panel.lines);
        lines.flat_map(|line| line.points.iter().copied())
    }

    fn write(&self, out: &mut String) -> fmt::Result {
        let across = self.panels.len().clamp(1, PANELS_ACROSS);
        let down = self.panels.len().div_ceil(across);
        let panel_width = (WIDTH - 2.0 * MARGIN - NUMBERS) / across as f64;
        let panel_height = PANEL_TITLE + PLOT_HEIGHT + FOOT;
        let height = HEAD + down as f64 * panel_height;
        write_start(
            out,
            [WIDTH, height],
            &format!("{}: {}", self.title, self.note),
        )?;
        write_card(out, [WIDTH, height], STYLE)?;
        Label::new(MARGIN, 32.0, 18)
            .bold()
            .write(out, self.title)?;
        Label::new(MARGIN, 52.0, 13)
            .faint()
            .write(out, &self.note)?;

        let mut columns: Vec<f64> = self.points().map(|[x, _]| x).collect();
        columns.sort_by(f64::total_cmp);
        columns.dedup();
        let rows = one_two_five(self.points().map(|[_, y]| y));
        for (index, panel) in self.panels.iter().enumerate() {
            let (column, row) = (index % across, index / across);
            let plot = Plot {
                left: MARGIN + NUMBERS + column as f64 * panel_width,
                top: HEAD + row as f64 * panel_height + PANEL_TITLE,
                width: panel_width - LABELS,
                columns: &columns,
                rows: &rows,
            };
            plot.write_axes(out, column == 0, self.across)?;
            Label::new(plot.left, plot.top - 10.0, 13)
                .bold()
                .write(out, &panel.title)?;
            plot.write_lines(out, &panel.lines)?;
        }
        writeln!(out, "</svg>")
    }
}

/// The position of a panel, and the values of its grid.
struct Plot<'a> {
    left: f64,
    top: f64,
    width: f64,
    columns: &'a [f64],
    rows: &'a [f64],
}

impl Plot<'_> {
    fn x(&self, value: f64) -> f64 {
        self.left + share(value, self.columns) * self.width
    }

    fn y(&self, value: f64) -> f64 {
        self.top + (1.0 - share(value, self.rows)) * PLOT_HEIGHT
    }

    fn write_axes(&self, out: &mut String, is_first: bool, things: &str) -> fmt::Result {
        let (right, bottom) = (self.left + self.width, self.top + PLOT_HEIGHT);
        for &value in self.rows {
            let y = self.y(value);
            writeln!(
                out,
                "<path class=\"grid\" d=\"M{:.1} {y:.1}H{right:.1}\" stroke=\"{GRID}\" fill=\"none\"/>",
                self.left
            )?;
            if is_first {
                let number = Label::new(self.left - 6.0, y + 4.0, 11).right().faint();
                number.write(out, &format!("{value}"))?;
            }
        }
        let mut free = f64::NEG_INFINITY;
        for &value in self.columns {
            let (x, text) = (self.x(value), short_count(value));
            writeln!(
                out,
                "<path class=\"grid\" d=\"M{x:.1} {bottom:.1}v4\" stroke=\"{GRID}\" fill=\"none\"/>"
            )?;
            let half = 3.2 * text.chars().count() as f64;
            if x - half > free {
                let number = Label::new(x, bottom + 17.0, 11).middle().faint();
                number.write(out, &text)?;
                free = x + half + 3.0;
            }
        }
        let middle = self.left + self.width / 2.0;
        let title = Label::new(middle, bottom + 34.0, 12).middle().faint();
        title.write(out, things)
    }

    fn write_lines(&self, out: &mut String, lines: &[Line]) -> fmt::Result {
        let mut ends = Vec::new();
        for line in lines {
            let places = line.points.iter().map(|&[x, y]| [self.x(x), self.y(y)]);
            let places: Vec<[f64; 2]> = places.collect();
            let Some(&[_, end]) = places.last() else {
                continue;
            };
            ends.push((end, line));
            let (class, colour) = (line.stroke.class(), line.stroke.colour());
            let way: Vec<String> = places
                .iter()
                .map(|[x, y]| format!("{x:.1} {y:.1}"))
                .collect();
            writeln!(
                out,
                "<path class=\"{class}\" d=\"M{}\" fill=\"none\" stroke=\"{colour}\" \
                 stroke-linejoin=\"round\" {}/>",
                way.join("L"),
                line.stroke.dashes()
            )?;
            for [x, y] in places.iter().filter(|_| line.stroke.has_marks()) {
                writeln!(
                    out,
                    "<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{colour}\"/>"
                )?;
            }
        }
        ends.sort_by(|(a, _), (b, _)| a.total_cmp(b));
        let heights = apart(
            ends.iter().map(|(end, _)| *end),
            self.top + PLOT_HEIGHT,
            LABEL_STEP,
        );
        for ((_, line), y) in ends.iter().zip(heights) {
            let label = Label::new(self.left + self.width + 8.0, y + 4.0, 12);
            let (class, colour) = (line.stroke.class(), line.stroke.colour());
            let label = label.coloured(class, colour);
            let label = if matches!(line.stroke, Stroke::Ours) {
                label.bold()
            } else {
                label
            };
            label.write(out, line.title)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_ratios_are_equally_long() {
        let line = Line {
            title: "a<b",
            stroke: Stroke::Ours,
            points: vec![[10.0, 100.0], [100.0, 200.0], [1000.0, 500.0]],
        };
        let chart = Lines {
            title: "title",
            note: "note".to_owned(),
            across: "things",
            panels: vec![Panel {
                title: "panel".to_owned(),
                lines: vec![line],
            }],
        };
        let text = chart.svg();
        let left = MARGIN + NUMBERS;
        let width = WIDTH - 2.0 * MARGIN - NUMBERS - LABELS;
        let top = HEAD + PANEL_TITLE;
        let middle = top + PLOT_HEIGHT * (1.0 - 2_f64.log(5.0));
        let way = format!(
            "M{left:.1} {:.1}L{:.1} {middle:.1}L{:.1} {top:.1}",
            top + PLOT_HEIGHT,
            left + width / 2.0,
            left + width
        );
        assert!(text.contains(&way), "{way}\n\n{text}");
        assert!(text.contains(">a&lt;b</text>"));
    }
}
