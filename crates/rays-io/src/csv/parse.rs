//! Parses lines of CSV.

use super::cells::{Cell, Cells};
use super::lines::LONGEST_LINE;
use crate::item::{Item, MOST_COLUMNS};
use crate::passed_cells::PassedCells;

/// The least number of bytes that a thread parses at a time.
const PIECE: usize = 1 << 17;

/// What a thread read of some lines.
pub(super) struct Piece<T> {
    pub(super) items: Vec<T>,
    pub(super) cells: PassedCells,
    pub(super) lines: u64,
    /// The error after these items, whose line is counted from the start of the piece.
    pub(super) error: Option<LineError>,
}

/// What is wrong with a line.
pub(super) enum LineError {
    Long,
    Cells(usize),
    Quote,
    Number { column: &'static str, value: String },
}

/// Splits a text at ends of lines into pieces for threads.
pub(super) fn pieces_of(mut text: &[u8]) -> Vec<&[u8]> {
    let mut pieces = Vec::new();
    while text.len() > 2 * PIECE {
        let Some(end) = memchr::memchr(b'\n', &text[PIECE..]) else {
            break;
        };
        let (piece, rest) = text.split_at(PIECE + end + 1);
        pieces.push(piece);
        text = rest;
    }
    pieces.push(text);
    pieces
}

/// Parses lines until one that cannot be read.
pub(super) fn parse<T: Item>(text: &[u8], roles: &[Option<usize>], passed: &[usize]) -> Piece<T> {
    let mut piece = Piece {
        items: Vec::with_capacity(text.len() / (4 * T::REQUIRED)),
        cells: PassedCells::default(),
        lines: 0,
        error: None,
    };
    let mut cells = Vec::new();
    let mut rest = text;
    while !rest.is_empty() && piece.error.is_none() {
        let end = memchr::memchr(b'\n', rest).map_or(rest.len(), |end| end + 1);
        let (line, after) = rest.split_at(end);
        rest = after;
        piece.lines += 1;
        if line.len() > LONGEST_LINE {
            piece.error = Some(LineError::Long);
            break;
        }
        let line = without_end(line);
        if line.trim_ascii().is_empty() {
            continue;
        }
        cells.clear();
        let item = match memchr::memchr(b'"', line) {
            Some(_) => item_of(Cells::of(line), roles, &mut cells),
            None => item_of(plain_cells(line), roles, &mut cells),
        };
        match item {
            Ok(item) => {
                piece.items.push(item);
                for &column in passed {
                    let cell = cells.get(column).map_or(&b""[..], |cell| cell.raw);
                    piece.cells.push(cell);
                }
            }
            Err(error) => piece.error = Some(error),
        }
    }
    piece
}

/// Returns the cells of a line without quotes.
fn plain_cells(line: &[u8]) -> impl Iterator<Item = Cell<'_>> {
    line.split(|&byte| byte == b',').map(|cell| {
        let text = cell.trim_ascii();
        Cell {
            raw: text,
            text,
            is_open: false,
        }
    })
}

/// Parses the numbers of a line, and returns its cells.
fn item_of<'a, T: Item>(
    line: impl Iterator<Item = Cell<'a>>,
    roles: &[Option<usize>],
    cells: &mut Vec<Cell<'a>>,
) -> Result<T, LineError> {
    let mut numbers = [None; MOST_COLUMNS];
    for cell in line {
        if cell.is_open {
            return Err(LineError::Quote);
        }
        let role = roles.get(cells.len()).copied().flatten();
        cells.push(cell);
        let Some(column) = role else {
            continue;
        };
        let text = cell.text;
        if text.is_empty() && column >= T::REQUIRED {
            continue;
        }
        let number = std::str::from_utf8(text)
            .ok()
            .and_then(|text| text.parse().ok());
        numbers[column] = Some(number.ok_or_else(|| LineError::Number {
            column: T::NAMES[column],
            value: String::from_utf8_lossy(text).chars().take(40).collect(),
        })?);
    }
    match cells.len() == roles.len() {
        true => Ok(T::from_numbers(numbers)),
        false => Err(LineError::Cells(cells.len())),
    }
}

/// Returns a line without the bytes that end it.
pub(super) fn without_end(mut line: &[u8]) -> &[u8] {
    while let [before @ .., b'\n' | b'\r'] = line {
        line = before;
    }
    line
}
