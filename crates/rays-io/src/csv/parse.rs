//! Parses lines of CSV.

use super::cells::{Cells, CsvCell};
use super::layout::CsvLayout;
use super::lines::LONGEST_LINE;
use crate::input_error::InputProblem;
use crate::item::{Item, MOST_COLUMNS};
use crate::mask;
use crate::passed_cells::PassedCells;
use estoc_core::Masks;
use estoc_mesh::parts::counted;
use std::str::FromStr;

/// The least number of bytes that a thread parses at a time.
const PIECE: usize = 1 << 17;

/// What a column of the file holds.
#[derive(Clone, Copy)]
pub(super) enum Role {
    /// This number of [`Item::NAMES`].
    Number(usize),
    /// The mask of the item.
    Mask,
    /// Nothing that the item needs.
    Other,
}

/// What a thread read of some lines.
pub(super) struct Piece<T> {
    pub(super) items: Vec<T>,
    /// The mask of each item, if there is a column of them.
    pub(super) masks: Vec<u32>,
    pub(super) cells: PassedCells,
    pub(super) lines: u64,
    /// The error after these items, whose line is counted from the start of the piece.
    pub(super) error: Option<InputProblem>,
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
pub(super) fn parse<T: Item>(
    text: &[u8],
    layout: CsvLayout,
    roles: &[Role],
    passed: &[usize],
) -> Piece<T> {
    let mut piece = Piece {
        items: Vec::with_capacity(text.len() / (4 * T::REQUIRED)),
        masks: Vec::new(),
        cells: PassedCells::default(),
        lines: 0,
        error: None,
    };
    let has_masks = roles.iter().any(|role| matches!(role, Role::Mask));
    let mut cells = Vec::new();
    let mut rest = text;
    while !rest.is_empty() && piece.error.is_none() {
        let end = memchr::memchr(b'\n', rest).map_or(rest.len(), |end| end + 1);
        let (line, after) = rest.split_at(end);
        rest = after;
        piece.lines += 1;
        if line.len() > LONGEST_LINE {
            piece.error = Some(InputProblem::LongLine(T::SINGULAR));
            break;
        }
        let line = without_end(line);
        if layout.skips(line) {
            continue;
        }
        cells.clear();
        let item = match layout {
            CsvLayout::Commas if memchr::memchr(b'"', line).is_some() => {
                item_of(Cells::of(line), roles, &mut cells)
            }
            // A loop of its own for each separator is faster.
            CsvLayout::Commas => {
                let texts = line.split(|&byte| byte == b',').map(<[u8]>::trim_ascii);
                item_of(plain_cells(texts), roles, &mut cells)
            }
            layout => item_of(plain_cells(layout.cells(line)), roles, &mut cells),
        };
        match item {
            Ok((item, mask)) => {
                piece.items.push(item);
                if has_masks {
                    piece.masks.push(mask);
                }
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

/// Returns cells without quotes.
fn plain_cells<'a>(cells: impl Iterator<Item = &'a [u8]>) -> impl Iterator<Item = CsvCell<'a>> {
    cells.map(|text| CsvCell {
        raw: text,
        text,
        is_open: false,
    })
}

/// Parses the numbers and the mask of a line, and returns its cells.
fn item_of<'a, T: Item>(
    line: impl Iterator<Item = CsvCell<'a>>,
    roles: &[Role],
    cells: &mut Vec<CsvCell<'a>>,
) -> Result<(T, u32), InputProblem> {
    let mut numbers = [None; MOST_COLUMNS];
    let mut mask = mask::ALL;
    let start = |text: &[u8]| String::from_utf8_lossy(text).chars().take(40).collect();
    for cell in line {
        if cell.is_open {
            return Err(InputProblem::Quote);
        }
        let role = roles.get(cells.len()).copied();
        cells.push(cell);
        let text = cell.text;
        match role {
            Some(Role::Number(column)) if !text.is_empty() || column < T::REQUIRED => {
                let number = number_of(text).ok_or_else(|| InputProblem::Number {
                    column: T::NAMES[column],
                    value: start(text),
                })?;
                numbers[column] = Some(number);
            }
            Some(Role::Mask) if !text.is_empty() => {
                let bits = number_of(text).and_then(Masks::bits_of);
                mask = bits.ok_or_else(|| InputProblem::Mask(start(text)))?;
            }
            _ => {}
        }
    }
    match cells.len() == roles.len() {
        true => Ok((T::from_numbers(numbers), mask)),
        false => Err(InputProblem::Cells {
            cells: counted(cells.len() as u64, "cell"),
            columns: counted(roles.len() as u64, "column"),
        }),
    }
}

/// Returns the number that a cell holds.
fn number_of<N: FromStr>(text: &[u8]) -> Option<N> {
    std::str::from_utf8(text).ok()?.parse().ok()
}

/// Returns a line without the bytes that end it.
pub(super) fn without_end(mut line: &[u8]) -> &[u8] {
    while let [before @ .., b'\n' | b'\r'] = line {
        line = before;
    }
    line
}
