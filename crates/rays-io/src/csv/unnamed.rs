//! Points as numbers without names of columns, as scanners write them: XYZ, ASC, PTS and TXT.

use super::layout::CsvLayout;
use super::lines::CsvLines;
use super::parse::without_end;
use std::io;

/// The most lines before the first point.
const MOST_LINES: usize = 1000;

/// How the points of a text are written.
pub(super) struct Unnamed {
    pub(super) layout: CsvLayout,
    /// The names of the columns: x, y, z, and made ones for what follows.
    pub(super) names: Vec<String>,
    /// The number of points that a line before them declares.
    pub(super) rows: Option<u64>,
    /// The number of lines before the first point, and of their bytes.
    pub(super) before: (usize, usize),
}

impl Unnamed {
    /// Looks for a first line of three or more numbers, separated by blanks or semicolons, before which
    /// there may be comments and a number of points. `None` if the text is anything else. Takes no lines.
    pub(super) fn find(lines: &mut CsvLines) -> io::Result<Option<Unnamed>> {
        let mut rows = None;
        let mut bytes = 0;
        for before in 0..MOST_LINES {
            let text = lines.peek(before + 1)?;
            let Some(line) = text[bytes..].split_inclusive(|&byte| byte == b'\n').next() else {
                break;
            };
            let place = (before, bytes);
            bytes += line.len();
            let line = without_end(line);
            if CsvLayout::Blanks.skips(line) {
                continue;
            }
            let number = std::str::from_utf8(line).ok();
            match number.and_then(|line| line.trim().parse().ok()) {
                Some(number) if rows.is_none() => rows = Some(number),
                _ => return Ok(Unnamed::of_line(line, rows, place)),
            }
        }
        Ok(None)
    }

    fn of_line(line: &[u8], rows: Option<u64>, before: (usize, usize)) -> Option<Unnamed> {
        let layout = match line {
            _ if line.contains(&b',') => return None,
            _ if line.contains(&b';') => CsvLayout::Semicolons,
            _ => CsvLayout::Blanks,
        };
        let cells = layout.cells(line);
        let is_number = |cell: &[u8]| {
            let text = std::str::from_utf8(cell).ok();
            text.is_some_and(|text| text.parse::<f32>().is_ok())
        };
        let numbers = cells.clone().take_while(|cell| is_number(cell)).count();
        let name = |column: usize| match column {
            0..3 => ["x", "y", "z"][column].to_owned(),
            _ => format!("column{}", column + 1),
        };
        (numbers >= 3).then(|| Unnamed {
            layout,
            names: (0..cells.count()).map(name).collect(),
            rows,
            before,
        })
    }
}
