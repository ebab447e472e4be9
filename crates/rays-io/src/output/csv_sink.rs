//! Rows of CSV.

use super::answers::{AnsweredBlock, ColumnValues, TypedValues};
use super::column::{ColumnKind, OutputColumn, header};
use super::error::OutputError;
use super::passed_text::{PassedText, check_passed_text};
use super::sink::HitSink;
use crate::cell_text::quoted;
use crate::number_text::{Number, Number64};
use crate::passed_types::PassedTypes;
use rayon::prelude::*;
use std::io::Write;
use std::ops::Range;

/// Rows that a thread formats at a time, at most.
const PIECE: usize = 1 << 12;

/// Bytes of text at which a thread stops before it has formatted all rows of its piece.
const PIECE_BYTES: usize = 1 << 20;

/// Writes rows of CSV, formatted in parallel.
pub(super) struct CsvSink<W> {
    columns: Vec<OutputColumn>,
    file: W,
    /// Rows that a thread formats at a time: fewer where they are long.
    piece: usize,
}

/// The text of some rows.
struct RowsText {
    text: Vec<u8>,
    rows: Range<usize>,
}

impl<W: Write> CsvSink<W> {
    /// Writes the first line.
    pub(super) fn new(
        columns: Vec<OutputColumn>,
        mut file: W,
        passed: &PassedTypes,
    ) -> Result<Self, OutputError> {
        check_passed_text(&columns, passed)?;
        file.write_all(format!("{}\n", header(&columns)).as_bytes())?;
        Ok(CsvSink {
            columns,
            file,
            piece: PIECE,
        })
    }
}

impl<W: Write + Send> HitSink for CsvSink<W> {
    fn put(&mut self, block: &AnsweredBlock<'_>) -> Result<(), OutputError> {
        if !block.answers.is_whole(self.columns.len()) {
            return Err(OutputError::Answers);
        }
        let rows = block.rows();
        let columns = &*self.columns;
        // A few pieces at a time: their text takes more memory than their numbers.
        let most = 4 * rayon::current_num_threads();
        let mut start = 0;
        while start < rows {
            let starts: Vec<usize> = (start..rows).step_by(self.piece).take(most).collect();
            let end = |start: usize| rows.min(start + self.piece);
            let of = |&start: &usize| format_rows(columns, block, start..end(start));
            let texts: Vec<Result<RowsText, OutputError>> = match &starts[..] {
                [start] => vec![of(start)],
                starts => starts.par_iter().map(of).collect(),
            };
            let (first, mut bytes) = (start, 0);
            for text in texts {
                let text = text?;
                if text.rows.start != start {
                    // The piece before was cut, since its rows are long.
                    break;
                }
                self.file.write_all(&text.text)?;
                bytes += text.text.len();
                start = text.rows.end;
            }
            // In 64 bits, as the product exceeds 32.
            let fitting = PIECE_BYTES as u64 * (start - first) as u64 / bytes.max(1) as u64;
            self.piece = fitting.clamp(1, PIECE as u64) as usize;
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<(), OutputError> {
        Ok(self.file.flush()?)
    }
}

/// Formats some rows, at least one, until there is much text.
fn format_rows(
    columns: &[OutputColumn],
    block: &AnsweredBlock<'_>,
    rows: Range<usize>,
) -> Result<RowsText, OutputError> {
    let mut text = Vec::with_capacity(rows.len() * 12 * columns.len());
    let passed = PassedText::of(block.passed, columns)?;
    let mut end = rows.start;
    while end < rows.end && text.len() < PIECE_BYTES {
        for (place, column) in columns.iter().enumerate() {
            if place > 0 {
                text.push(b',');
            }
            let values = &block.answers.columns[place];
            put_cell(&mut text, (column, values), block, &passed, end).map_err(|problem| {
                OutputError::Text {
                    row: block.input_row(block.item(end)),
                    column: column.name.clone(),
                    problem,
                }
            })?;
        }
        text.push(b'\n');
        end += 1;
    }
    let rows = rows.start..end;
    Ok(RowsText { text, rows })
}

/// Appends a cell, or three of a vector, or returns why a value has no text.
fn put_cell(
    text: &mut Vec<u8>,
    (column, values): (&OutputColumn, &ColumnValues),
    block: &AnsweredBlock<'_>,
    passed: &PassedText<'_>,
    row: usize,
) -> Result<(), String> {
    let item = block.item(row);
    // Writing to memory does not fail.
    let _ = match column.kind {
        ColumnKind::Row => write!(text, "{}", block.input_row(item)),
        ColumnKind::Id => write!(text, "{}", block.id(item)),
        ColumnKind::Passed(place) => return passed.put(text, item, place),
        _ if !values.is_present(row) => write!(text, "{}", column.missing),
        _ => match &values.values {
            TypedValues::Given => Ok(()),
            TypedValues::Flags(values) => write!(text, "{}", u8::from(values[row])),
            TypedValues::Counts(values) => write!(text, "{}", values[row]),
            TypedValues::Prims(values) => write!(text, "{}", values[row]),
            TypedValues::Numbers(values) => write!(text, "{}", Number(values[row])),
            TypedValues::Numbers64(values) => write!(text, "{}", Number64(values[row])),
            TypedValues::Vectors(values) => {
                let [x, y, z] = values[row].map(Number);
                write!(text, "{x},{y},{z}")
            }
            TypedValues::Vectors64(values) => {
                let [x, y, z] = values[row].map(Number64);
                write!(text, "{x},{y},{z}")
            }
            TypedValues::Texts(values) => write!(text, "{}", quoted(values.get(row))),
        },
    };
    Ok(())
}
