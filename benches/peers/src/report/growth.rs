//! The chart of how the cost of a ray grows with the mesh, on terrains of several sizes: for each
//! kind of rays a panel with logarithmic axes.

use super::rays::{FAMILIES, FIXED};
use super::svg::{Label, Paint, Picture};
use super::table::{Group, Key, count};
use crate::row::{Measured, Row};
use crate::scenes::terrain_size;

const WIDTH: f64 = 940.0;
const PANELS_ACROSS: usize = 3;
const MARGIN: f64 = 20.0;
const HEAD: f64 = 92.0;
/// Space for the numbers left of a row of panels.
const NUMBERS: f64 = 40.0;
/// Space right of each panel.
const GAP: f64 = 26.0;
const PLOT_HEIGHT: f64 = 230.0;
const PANEL_HEIGHT: f64 = PLOT_HEIGHT + 74.0;

const STYLE: &str = ".grid { stroke: #30363d } \
    text.ours, circle.ours { fill: #ff8f52 } path.ours { stroke: #ff8f52 } \
    text.other, circle.other { fill: #6cb0ff } path.other { stroke: #6cb0ff }";
const OURS: Paint = ("ours", "#d9480f");
const OTHER: Paint = ("other", "#1f6fc5");

/// A line of each panel.
struct Line {
    title: &'static str,
    paint: Paint,
    stroke: &'static str,
    of: fn(&Group<'_>) -> Option<f64>,
}

const LINES: [Line; 4] = [
    Line {
        title: "Embree's best",
        paint: OTHER,
        stroke: "stroke-width=\"2\"",
        of: |group| group.fastest(FAMILIES[0].has)?.ns,
    },
    Line {
        title: "Embree medium",
        paint: OTHER,
        stroke: "stroke-width=\"1.5\" stroke-dasharray=\"5 4\"",
        of: |group| group.find(FIXED, "single")?.ns,
    },
    Line {
        title: "estoc single",
        paint: OURS,
        stroke: "stroke-width=\"1.5\" stroke-dasharray=\"5 4\"",
        of: |group| group.find("estoc", "single")?.ns,
    },
    Line {
        title: "estoc batch",
        paint: OURS,
        stroke: "stroke-width=\"2.5\"",
        of: |group| group.find("estoc", "batch")?.ns,
    },
];

/// The points of a line: triangles and nanoseconds.
type Points = Vec<[f64; 2]>;

/// Draws the rows with the fewest threads; `None` unless estoc has batches at two sizes.
pub(crate) fn growth(rows: &[Row]) -> Option<String> {
    let size = |row: &Row| (row.measured == Measured::Rays).then(|| terrain_size(&row.scene))?;
    let is_ours = |row: &&Row| row.engine == "estoc" && row.mode == "batch" && size(row).is_some();
    let threads = rows.iter().filter(is_ours).map(|row| row.threads).min()?;
    let here: Group<'_> = rows
        .iter()
        .filter(|row| size(row).is_some() && row.threads == threads)
        .collect();
    let panels = here.by(&[Key::RAYS]).into_iter().map(|(kind, panel)| {
        let mut sizes = panel.by(&[Key::SCENE]);
        sizes.sort_by_key(|(scene, _)| terrain_size(&scene[0]));
        let line = |line: &Line| -> Points {
            let point = |(scene, group): &(Vec<String>, Group<'_>)| {
                Some([terrain_size(&scene[0])? as f64, (line.of)(group)?])
            };
            sizes.iter().filter_map(point).collect()
        };
        (kind.concat(), LINES.each_ref().map(line))
    });
    let panels: Vec<(String, [Points; LINES.len()])> = panels.collect();
    let is_line = |(_, [.., ours]): &(_, [Points; LINES.len()])| ours.len() >= 2;
    panels.iter().any(is_line).then(|| drawn(&panels, threads))
}

fn drawn(panels: &[(String, [Points; LINES.len()])], threads: usize) -> String {
    let across = panels.len().clamp(1, PANELS_ACROSS);
    let panel_width = (WIDTH - 2.0 * MARGIN - NUMBERS) / across as f64;
    let height = HEAD - 26.0 + panels.len().div_ceil(across) as f64 * PANEL_HEIGHT;
    let threads = count(threads, "thread");
    let note = format!("nanoseconds per ray, {threads}, lower is better; terrains");
    let mut picture = Picture::new(
        [WIDTH, height],
        "Cost of a ray as a mesh grows",
        &note,
        STYLE,
    );
    // Beside the title, which is shorter than the note.
    for (line, x) in LINES.iter().zip([376.0, 516.0, 676.0, 806.0]) {
        line.draw(&mut picture, &[[x, 27.0], [x + 24.0, 27.0]]);
        let label = Label::at(x + 30.0, 32.0, 13).painted(line.paint);
        picture.text(label, line.title);
    }
    let points = || panels.iter().flat_map(|(_, lines)| lines.iter().flatten());
    let mut columns: Vec<f64> = points().map(|[x, _]| *x).collect();
    columns.sort_by(f64::total_cmp);
    columns.dedup();
    let rows = one_two_five(points().map(|[_, y]| *y));
    for (index, (title, lines)) in panels.iter().enumerate() {
        let (column, row) = (index % across, index / across);
        let plot = Plot {
            left: MARGIN + NUMBERS + column as f64 * panel_width,
            top: HEAD + row as f64 * PANEL_HEIGHT,
            width: panel_width - GAP,
            columns: &columns,
            rows: &rows,
        };
        plot.axes(&mut picture, column == 0);
        let label = Label::at(plot.left, plot.top - 10.0, 13).bold();
        picture.text(label, &format!("{title} rays"));
        plot.lines(&mut picture, lines);
    }
    picture.finish()
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

    fn axes(&self, picture: &mut Picture, is_first: bool) {
        let (left, right, bottom) = (self.left, self.left + self.width, self.top + PLOT_HEIGHT);
        let grid = |picture: &mut Picture, path: String| {
            picture.add(&format!(
                "<path class=\"grid\" d=\"{path}\" stroke=\"#d8dee4\" fill=\"none\"/>"
            ));
        };
        for &value in self.rows {
            let y = self.y(value);
            grid(picture, format!("M{left:.1} {y:.1}H{right:.1}"));
            if is_first {
                let number = Label::at(left - 6.0, y + 4.0, 11).anchored("end").faint();
                picture.text(number, &value.to_string());
            }
        }
        let mut free = f64::NEG_INFINITY;
        for &value in self.columns {
            let (x, text) = (self.x(value), short_count(value));
            grid(picture, format!("M{x:.1} {bottom:.1}v4"));
            let half = 3.2 * text.chars().count() as f64;
            if x - half > free {
                let number = Label::at(x, bottom + 17.0, 11).anchored("middle").faint();
                picture.text(number, &text);
                free = x + half + 3.0;
            }
        }
        let title = Label::at(left + self.width / 2.0, bottom + 34.0, 12).anchored("middle");
        picture.text(title.faint(), "triangles");
    }

    fn lines(&self, picture: &mut Picture, lines: &[Points; LINES.len()]) {
        for (line, points) in LINES.iter().zip(lines) {
            let places: Points = points
                .iter()
                .map(|&[x, y]| [self.x(x), self.y(y)])
                .collect();
            line.draw(picture, &places);
            for [x, y] in places {
                let (class, colour) = line.paint;
                picture.add(&format!(
                    "<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2.5\" fill=\"{colour}\"/>"
                ));
            }
        }
    }
}

impl Line {
    fn draw(&self, picture: &mut Picture, places: &[[f64; 2]]) {
        let places = places.iter().map(|[x, y]| format!("{x:.1} {y:.1}"));
        let way = places.collect::<Vec<_>>().join("L");
        let ((class, colour), stroke) = (self.paint, self.stroke);
        picture.add(&format!(
            "<path class=\"{class}\" d=\"M{way}\" fill=\"none\" stroke=\"{colour}\" \
             stroke-linejoin=\"round\" {stroke}/>"
        ));
    }
}

/// Returns the position of a value between the first and the last of the others, from 0 to 1, by
/// logarithms.
fn share(value: f64, others: &[f64]) -> f64 {
    match others {
        [first, .., last] => (value / first).ln() / (last / first).ln(),
        _ => 0.5,
    }
}

/// Returns round numbers, 1, 2 or 5 times a power of ten, from below the least value to above the
/// greatest.
fn one_two_five(values: impl Iterator<Item = f64> + Clone) -> Vec<f64> {
    let least = values.clone().fold(f64::INFINITY, f64::min);
    let greatest = values.fold(0.0, f64::max);
    // No ray costs fewer or more nanoseconds than these.
    let powers = (-3..=9).map(|power| 10_f64.powi(power));
    let numbers: Vec<f64> = powers
        .flat_map(|power| [power, 2.0 * power, 5.0 * power])
        .collect();
    let first = numbers.iter().rposition(|&number| number <= least);
    let last = numbers.iter().position(|&number| number >= greatest);
    numbers[first.unwrap_or(0)..=last.unwrap_or(numbers.len() - 1)].to_vec()
}

/// Formats a count in few characters: 300k, 10M.
fn short_count(count: f64) -> String {
    match count {
        1e6.. => format!("{}M", count / 1e6),
        1e3.. => format!("{}k", count / 1e3),
        _ => count.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::row::rows;

    #[test]
    fn sizes_are_in_order_and_equal_ratios_equally_long() {
        let lines = [
            "terrain1m,random,batch,estoc,1,500",
            "terrain1m,random,single,embree-low,1,500",
            "terrain100k,random,batch,estoc,1,200",
            "terrain10k,random,batch,estoc,1,100",
            "terrain10k,random,single,estoc,1,200",
            "hall,random,batch,estoc,1,8",
            "terrain10k,random,batch,estoc,2,1",
        ];
        let all = rows(Measured::Rays, &lines);
        let text = growth(&all).expect("three sizes");
        let left = MARGIN + NUMBERS;
        let width = WIDTH - 2.0 * MARGIN - NUMBERS - GAP;
        let middle = HEAD + PLOT_HEIGHT * (1.0 - 2_f64.log(5.0));
        let way = format!(
            "M{left:.1} {:.1}L{:.1} {middle:.1}L{:.1} {HEAD:.1}",
            HEAD + PLOT_HEIGHT,
            left + width / 2.0,
            left + width
        );
        assert!(text.contains(&way), "{way}\n\n{text}");
        assert_eq!(growth(&all[..2]), None, "one size is no curve");
    }

    #[test]
    fn axes_have_round_numbers() {
        let numbers = |values: &[f64]| one_two_five(values.iter().copied());
        assert_eq!(numbers(&[30.0, 120.0]), [20.0, 50.0, 100.0, 200.0]);
        assert_eq!(numbers(&[50.0, 100.0]), [50.0, 100.0]);
        let texts = [100.0, 300e3, 10e6].map(short_count);
        assert_eq!(texts, ["100", "300k", "10M"]);
    }
}
