//! Colours of text on a terminal.

use std::io::IsTerminal;

/// The role of a piece of text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Tone {
    #[default]
    Plain,
    Heading,
    Faint,
    Good,
    Bad,
}

/// Whether text is coloured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Style {
    colour: bool,
}

impl Style {
    pub(super) const PLAIN: Style = Style { colour: false };

    /// Returns the style for stdout: coloured on a terminal, unless `NO_COLOR` is set
    /// (<https://no-color.org>).
    pub(super) fn of_stdout() -> Self {
        let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        Style {
            colour: !refused && std::io::stdout().is_terminal(),
        }
    }

    pub(super) fn paint(self, tone: Tone, text: &str) -> String {
        let code = match tone {
            _ if !self.colour => "",
            Tone::Plain => "",
            Tone::Heading => "1",
            Tone::Faint => "2",
            Tone::Good => "32",
            Tone::Bad => "31",
        };
        match code.is_empty() || text.is_empty() {
            true => text.to_owned(),
            false => format!("\x1b[{code}m{text}\x1b[0m"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_painted_where_there_is_colour() {
        let style = Style { colour: true };
        assert_eq!(style.paint(Tone::Good, "x"), "\x1b[32mx\x1b[0m");
        assert_eq!(style.paint(Tone::Plain, "x"), "x");
        assert_eq!(style.paint(Tone::Bad, ""), "");
        assert_eq!(Style::PLAIN.paint(Tone::Bad, "x"), "x");
    }
}
