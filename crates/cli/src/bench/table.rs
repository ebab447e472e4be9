//! Tables of text, for terminals and as Markdown.

use super::style::{Style, Tone};
use std::fmt::Write;

/// The alignment of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Alignment {
    Left,
    Right,
}

/// A column of a table of rows: the title, the alignment, and the cell of a row.
pub(super) type Column<'a, R> = (&'static str, Alignment, &'a dyn Fn(&R) -> Cell);

pub(super) struct Table {
    columns: Vec<(&'static str, Alignment)>,
    rows: Vec<Vec<Cell>>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Cell {
    text: String,
    tone: Tone,
}

impl<T: Into<String>> From<T> for Cell {
    fn from(text: T) -> Self {
        Cell {
            text: text.into(),
            tone: Tone::Plain,
        }
    }
}

impl Cell {
    pub(super) fn toned(text: impl Into<String>, tone: Tone) -> Self {
        let text = text.into();
        Cell { text, tone }
    }
}

impl Table {
    pub(super) fn new(columns: Vec<(&'static str, Alignment)>) -> Self {
        let rows = Vec::new();
        Table { columns, rows }
    }

    /// Creates a table with a line for each row.
    pub(super) fn of<'a, R: 'a>(rows: &[R], columns: impl Iterator<Item = Column<'a, R>>) -> Self {
        let columns: Vec<Column<'a, R>> = columns.collect();
        let titles = columns.iter().map(|&(title, side, _)| (title, side));
        let mut table = Table::new(titles.collect());
        for row in rows {
            table.push(columns.iter().map(|(.., cell)| cell(row)).collect());
        }
        table
    }

    /// Adds a row with one cell for each column.
    pub(super) fn push(&mut self, row: Vec<Cell>) {
        debug_assert_eq!(row.len(), self.columns.len());
        self.rows.push(row);
    }

    /// Returns the table for a terminal, each line indented by two.
    pub(super) fn text(&self, style: Style) -> String {
        let widths: Vec<usize> = self
            .columns
            .iter()
            .enumerate()
            .map(|(column, (title, _))| {
                let cells = self.rows.iter().map(|row| width(&row[column].text));
                cells.fold(width(title), usize::max)
            })
            .collect();
        let titles = self
            .columns
            .iter()
            .map(|(title, _)| Cell::toned(*title, Tone::Heading));
        let titles: Vec<Cell> = titles.collect();
        let mut text = String::new();
        for row in std::iter::once(&titles).chain(&self.rows) {
            let mut line = String::new();
            for ((cell, (_, side)), most) in row.iter().zip(&self.columns).zip(&widths) {
                let space = " ".repeat(most - width(&cell.text));
                let painted = style.paint(cell.tone, &cell.text);
                let _ = match side {
                    Alignment::Left => write!(line, "  {painted}{space}"),
                    Alignment::Right => write!(line, "  {space}{painted}"),
                };
            }
            let _ = writeln!(text, "{}", line.trim_end());
        }
        text
    }

    pub(super) fn markdown(&self) -> String {
        let titles: Vec<&str> = self.columns.iter().map(|(title, _)| *title).collect();
        let rules = self.columns.iter().map(|(_, side)| match side {
            Alignment::Left => "---",
            Alignment::Right => "---:",
        });
        let rules: Vec<&str> = rules.collect();
        let mut text = format!("| {} |\n|{}|\n", titles.join(" | "), rules.join("|"));
        for row in &self.rows {
            let cells: Vec<String> = row.iter().map(|cell| escaped(&cell.text)).collect();
            let _ = writeln!(text, "| {} |", cells.join(" | "));
        }
        text
    }
}

fn width(text: &str) -> usize {
    text.chars().count()
}

/// Escapes text for Markdown; control characters become spaces.
pub(super) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if "\\`*_[]<>|#".contains(c) {
            escaped.push('\\');
        }
        escaped.push(if c.is_control() { ' ' } else { c });
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let mut table = Table::new(vec![("rays", Alignment::Left), ("ns", Alignment::Right)]);
        table.push(vec!["ao".into(), "1.5".into()]);
        table.push(vec!["a|b".into(), Cell::toned("±100", Tone::Bad)]);
        table
    }

    #[test]
    fn columns_stand_under_each_other() {
        let expected = "  rays    ns\n  ao     1.5\n  a|b   ±100\n";
        assert_eq!(table().text(Style::PLAIN), expected);
    }

    #[test]
    fn markdown_has_as_many_cells_in_each_row() {
        let expected = "| rays | ns |\n|---|---:|\n| ao | 1.5 |\n| a\\|b | ±100 |\n";
        assert_eq!(table().markdown(), expected);
    }
}
