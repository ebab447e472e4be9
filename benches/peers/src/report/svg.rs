//! Elements of SVG pictures.

use std::fmt::{self, Write};

const INK: &str = "#1f2933";
const FAINT: &str = "#616e7c";

/// Writes the opening tag, and the title for readers who do not see the picture.
pub(super) fn write_start(out: &mut String, [width, height]: [f64; 2], title: &str) -> fmt::Result {
    writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"{width}\" \
         height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"system-ui, 'Segoe UI', 'DejaVu Sans', Helvetica, Arial, sans-serif\">"
    )?;
    writeln!(out, "<title>{}</title>", escaped(title))
}

/// Writes the style sheet, and the card that the picture is on.
pub(super) fn write_card(out: &mut String, [width, height]: [f64; 2], style: &str) -> fmt::Result {
    writeln!(out, "{style}")?;
    writeln!(
        out,
        "<rect class=\"card\" x=\"0.5\" y=\"0.5\" width=\"{}\" height=\"{}\" rx=\"8\" \
         fill=\"#ffffff\" stroke=\"#d8dee4\"/>",
        width - 1.0,
        height - 1.0
    )
}

/// A line of text.
pub(super) struct Label {
    x: f64,
    y: f64,
    size: u32,
    weight: u32,
    colour: &'static str,
    /// The style sheet's class for the colour.
    class: &'static str,
    anchor: &'static str,
}

impl Label {
    pub(super) fn new(x: f64, y: f64, size: u32) -> Self {
        Label {
            x,
            y,
            size,
            weight: 400,
            colour: INK,
            class: "ink",
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
        self.coloured("faint", FAINT)
    }

    pub(super) fn coloured(self, class: &'static str, colour: &'static str) -> Self {
        Label {
            class,
            colour,
            ..self
        }
    }

    pub(super) fn middle(self) -> Self {
        let anchor = "middle";
        Label { anchor, ..self }
    }

    pub(super) fn right(self) -> Self {
        let anchor = "end";
        Label { anchor, ..self }
    }

    pub(super) fn write(&self, out: &mut String, text: &str) -> fmt::Result {
        writeln!(
            out,
            "<text x=\"{:.1}\" y=\"{:.1}\" font-size=\"{}\" font-weight=\"{}\" class=\"{}\" \
             fill=\"{}\" text-anchor=\"{}\">{}</text>",
            self.x,
            self.y,
            self.size,
            self.weight,
            self.class,
            self.colour,
            self.anchor,
            escaped(text)
        )
    }
}

pub(super) fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;");
    text.replace('<', "&lt;").replace('>', "&gt;")
}
