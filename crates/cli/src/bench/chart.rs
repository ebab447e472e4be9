//! The result as an SVG chart: for each mesh a panel of builds and one of rays, with bars in
//! millions per second.

use super::report::{MeshRows, Report, Times};
use estoc_mesh::parts::counted;
use std::fmt::{self, Write};

const WIDTH: f64 = 760.0;
const MARGIN: f64 = 24.0;
/// Width of the labels of the bars.
const LABEL: f64 = 200.0;
/// Width of the number after the longest bar.
const NUMBER: f64 = 90.0;
const STEP: f64 = 18.0;
const BAR: f64 = 13.0;
const GAP: f64 = 10.0;
const TITLE: f64 = 34.0;
const INK: &str = "#1f2933";
const FAINT: &str = "#616e7c";
/// Colours of the bars: the first for builds, the others for the kinds of rays in turn.
const COLOURS: [&str; 7] = [
    "#9aa5b1", "#c2410c", "#1d4e89", "#2f855a", "#b7791f", "#6b46c1", "#b83280",
];

/// One bar.
struct Bar<'a> {
    label: String,
    times: &'a Times,
    colour: &'static str,
    /// Whether the bar starts a group.
    first: bool,
}

pub(super) fn svg(report: &Report) -> String {
    let mut body = String::new();
    let mut y = 2.0 * MARGIN + 22.0;
    for mesh in &report.meshes {
        for (unit, bars) in [("Mtriangles/s", builds(mesh)), ("Mrays/s", rays(mesh))] {
            if !bars.is_empty() {
                let title = format!("{}, {unit}", mesh.mesh);
                // Writing to a string does not fail.
                let _ = panel(&mut body, &mut y, &title, &bars);
            }
        }
    }
    let title = format!("estoc {} on {}", report.version, report.machine);
    let mut text = String::new();
    let _ = writeln!(
        text,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"{WIDTH}\" \
         height=\"{y:.0}\" viewBox=\"0 0 {WIDTH} {y:.0}\" \
         font-family=\"system-ui, 'Segoe UI', 'DejaVu Sans', Helvetica, Arial, sans-serif\">\n\
         <title>{}</title>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>",
        escaped(&title)
    );
    let _ = label(&mut text, [MARGIN, MARGIN + 12.0], 15, INK, "start", &title);
    let _ = label(
        &mut text,
        [MARGIN, MARGIN + 30.0],
        12,
        FAINT,
        "start",
        "millions per second, higher is better; lines show the median absolute deviation",
    );
    text + &body + "</svg>\n"
}

fn builds(mesh: &MeshRows) -> Vec<Bar<'_>> {
    let bars = mesh.builds.iter().enumerate().map(|(i, row)| Bar {
        label: format!("build {}, {}", row.quality, threads(row.threads)),
        times: &row.times,
        colour: COLOURS[0],
        first: i == 0,
    });
    bars.collect()
}

fn rays(mesh: &MeshRows) -> Vec<Bar<'_>> {
    let mut kinds: Vec<&str> = Vec::new();
    let bars = mesh.rays.iter().map(|row| {
        let first = kinds.last() != Some(&row.rays.as_str());
        if first {
            kinds.push(&row.rays);
        }
        let (rays, calls, quality) = (&row.rays, &row.calls, &row.quality);
        Bar {
            label: format!("{rays} {calls}, {quality}, {}", threads(row.threads)),
            times: &row.times,
            colour: COLOURS[1 + (kinds.len() - 1) % (COLOURS.len() - 1)],
            first,
        }
    });
    bars.collect()
}

fn threads(n: usize) -> String {
    counted(n as u64, "thread")
}

fn panel(out: &mut String, y: &mut f64, title: &str, bars: &[Bar<'_>]) -> fmt::Result {
    let most = bars.iter().map(|bar| bar.times.millions_per_second);
    let most = most.fold(f64::MIN_POSITIVE, f64::max);
    let scale = (WIDTH - 2.0 * MARGIN - LABEL - NUMBER) / most;
    label(out, [MARGIN, *y + 16.0], 14, INK, "start", title)?;
    *y += TITLE;
    let left = MARGIN + LABEL;
    for (i, bar) in bars.iter().enumerate() {
        if bar.first && i > 0 {
            *y += GAP;
        }
        let speed = bar.times.millions_per_second;
        let length = speed * scale;
        let middle = *y + 0.5 * BAR;
        label(
            out,
            [left - 8.0, middle + 4.0],
            12,
            FAINT,
            "end",
            &bar.label,
        )?;
        writeln!(
            out,
            "<rect x=\"{left:.1}\" y=\"{y:.1}\" width=\"{length:.1}\" height=\"{BAR}\" \
             fill=\"{}\"/>",
            bar.colour
        )?;
        // A deviation may be as large as the median; its line is clipped so that the number fits.
        let off = length * (bar.times.percent() / 100.0).min(1.0);
        let end = most * scale + 0.4 * NUMBER;
        let (from, to) = (left + length - off, left + (length + off).min(end));
        writeln!(
            out,
            "<line x1=\"{from:.1}\" x2=\"{to:.1}\" y1=\"{middle:.1}\" y2=\"{middle:.1}\" \
             stroke=\"{INK}\" stroke-width=\"2\"/>"
        )?;
        let number = format!("{speed:.2}");
        let after = left + length.max(to - left) + 6.0;
        label(out, [after, middle + 4.0], 12, INK, "start", &number)?;
        *y += STEP;
    }
    *y += MARGIN;
    Ok(())
}

fn label(
    out: &mut String,
    [x, y]: [f64; 2],
    size: u32,
    colour: &str,
    anchor: &str,
    text: &str,
) -> fmt::Result {
    writeln!(
        out,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size}\" fill=\"{colour}\" \
         text-anchor=\"{anchor}\">{}</text>",
        escaped(text)
    )
}

/// Escapes text for XML; characters that XML does not allow become spaces.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_name_is_text() {
        assert_eq!(escaped("a<b>&\u{1}\"c\""), "a&lt;b&gt;&amp; \"c\"");
    }
}
