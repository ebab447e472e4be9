//! SVG pictures: what the chart and the picture of leaks have in common.

use std::fmt::Write;

/// A class of the style sheet, and its colour on bright pages.
pub(super) type Paint = (&'static str, &'static str);

const INK: Paint = ("ink", "#1f2933");
pub(super) const FAINT: Paint = ("faint", "#616e7c");

/// A picture, which has a background of its own, so that it suits any page.
pub(super) struct Picture(String);

impl Picture {
    /// Starts a picture with a title and a note. `style` has the colours for browsers that prefer
    /// dark pages.
    pub(super) fn new([width, height]: [f64; 2], title: &str, note: &str, style: &str) -> Self {
        let mut picture = Picture(format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"{width}\" \
             height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
             font-family=\"system-ui, 'Segoe UI', 'DejaVu Sans', Helvetica, Arial, sans-serif\">\n\
             <title>{0}: {1}</title>\n\
             <style>@media (prefers-color-scheme: dark) {{\
             .card {{ fill: #0d1117; stroke: #30363d }} .ink {{ fill: #e6edf3 }} \
             .faint {{ fill: #9aa4af }} {style} }}</style>\n\
             <rect class=\"card\" x=\"0.5\" y=\"0.5\" width=\"{2}\" height=\"{3}\" rx=\"8\" \
             fill=\"#ffffff\" stroke=\"#d8dee4\"/>\n",
            escaped(title),
            escaped(note),
            width - 1.0,
            height - 1.0
        ));
        picture.text(Label::at(20.0, 32.0, 18).bold(), title);
        picture.text(Label::at(20.0, 53.0, 13).faint(), note);
        picture
    }

    /// Adds an element.
    pub(super) fn add(&mut self, element: &str) {
        self.0 += element;
        self.0.push('\n');
    }

    /// Adds a line of text.
    pub(super) fn text(&mut self, label: Label, text: &str) {
        let Label {
            x,
            y,
            size,
            weight,
            paint: (class, colour),
            anchor,
        } = label;
        // Writing to a string does not fail.
        let _ = writeln!(
            self.0,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size}\" font-weight=\"{weight}\" \
             class=\"{class}\" fill=\"{colour}\" text-anchor=\"{anchor}\">{}</text>",
            escaped(text)
        );
    }

    pub(super) fn finish(self) -> String {
        self.0 + "</svg>\n"
    }
}

/// The place and the look of a line of text.
pub(super) struct Label {
    x: f64,
    y: f64,
    size: u32,
    weight: u32,
    paint: Paint,
    anchor: &'static str,
}

impl Label {
    pub(super) fn at(x: f64, y: f64, size: u32) -> Self {
        Label {
            x,
            y,
            size,
            weight: 400,
            paint: INK,
            anchor: "start",
        }
    }

    pub(super) fn bold(self) -> Self {
        Label {
            weight: 600,
            ..self
        }
    }

    pub(super) fn faint(self) -> Self {
        self.painted(FAINT)
    }

    pub(super) fn painted(self, paint: Paint) -> Self {
        Label { paint, ..self }
    }

    /// Puts the middle (`middle`) or the end (`end`) of the text at the place.
    pub(super) fn anchored(self, anchor: &'static str) -> Self {
        Label { anchor, ..self }
    }
}

fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;");
    text.replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_no_markup() {
        let picture = Picture::new([9.0, 9.0], "a<b", "c & d", "");
        let text = picture.finish();
        assert!(text.contains("<title>a&lt;b: c &amp; d</title>"), "{text}");
        assert!(
            text.contains(">a&lt;b</text>") && text.ends_with("</svg>\n"),
            "{text}"
        );
    }
}
