//! Rows of CSV.

use super::answers::{AnsweredBlock, ColumnValues, Values};
use super::column::{ColumnKind, OutputColumn, header};
use super::error::OutputError;
use super::sink::HitSink;
use crate::block::Passed;
use crate::cell_text::quoted;
use crate::number_text::{Number, Number64};
use crate::passed_cells::PassedCells;
use rayon::prelude::*;
use std::io::Write;
use std::ops::Range;

/// Rows that a thread formats at a time.
const PIECE: usize = 1 << 12;

/// Writes rows of CSV, formatted in parallel.
pub(super) struct CsvSink<W> {
    columns: Vec<OutputColumn>,
    file: W,
}

impl<W: Write> CsvSink<W> {
    /// Writes the first line.
    pub(super) fn new(columns: Vec<OutputColumn>, mut file: W) -> Result<Self, OutputError> {
        file.write_all(format!("{}\n", header(&columns)).as_bytes())?;
        Ok(CsvSink { columns, file })
    }
}

impl<W: Write + Send> HitSink for CsvSink<W> {
    fn put(&mut self, block: &AnsweredBlock<'_>) -> Result<(), OutputError> {
        if !block.answers.is_whole(self.columns.len()) {
            return Err(OutputError::Answers);
        }
        let rows = block.rows();
        let columns = &*self.columns;
        let piece = |start: usize| start..rows.min(start + PIECE);
        if rows <= PIECE {
            self.file.write_all(&format_rows(columns, block, 0..rows))?;
            return Ok(());
        }
        // A few pieces at a time: their text takes more memory than their numbers.
        let most = 4 * rayon::current_num_threads();
        let starts: Vec<usize> = (0..rows).step_by(PIECE).collect();
        for starts in starts.chunks(most) {
            let texts: Vec<Vec<u8>> = starts
                .par_iter()
                .map(|&start| format_rows(columns, block, piece(start)))
                .collect();
            for text in texts {
                self.file.write_all(&text)?;
            }
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<(), OutputError> {
        Ok(self.file.flush()?)
    }
}

/// Returns the text of some rows.
fn format_rows(columns: &[OutputColumn], block: &AnsweredBlock<'_>, rows: Range<usize>) -> Vec<u8> {
    let mut text = Vec::with_capacity(rows.len() * 12 * columns.len());
    let passed = PassedText::of(block.passed);
    for row in rows {
        for (place, column) in columns.iter().enumerate() {
            if place > 0 {
                text.push(b',');
            }
            let values = &block.answers.columns[place];
            put_cell(&mut text, (column, values), block, &passed, row);
        }
        text.push(b'\n');
    }
    text
}

/// Appends a cell, or three of a vector.
fn put_cell(
    text: &mut Vec<u8>,
    (column, values): (&OutputColumn, &ColumnValues),
    block: &AnsweredBlock<'_>,
    passed: &PassedText<'_>,
    row: usize,
) {
    let item = block.item(row);
    // Writing to memory does not fail.
    let _ = match column.kind {
        ColumnKind::Row => write!(text, "{}", block.input_row(item)),
        ColumnKind::Id => write!(text, "{}", block.id(item)),
        ColumnKind::Passed(place) => {
            passed.put(text, item, place);
            Ok(())
        }
        _ if !values.is_present(row) => write!(text, "{}", column.missing),
        _ => match &values.values {
            Values::Given => Ok(()),
            Values::Flags(values) => write!(text, "{}", u8::from(values[row])),
            Values::Counts(values) => write!(text, "{}", values[row]),
            Values::Prims(values) => write!(text, "{}", values[row]),
            Values::Numbers(values) => write!(text, "{}", Number(values[row])),
            Values::Vectors(values) => {
                let [x, y, z] = values[row].map(Number);
                write!(text, "{x},{y},{z}")
            }
            Values::Vectors64(values) => {
                let [x, y, z] = values[row].map(Number64);
                write!(text, "{x},{y},{z}")
            }
            Values::Texts(values) => write!(text, "{}", quoted(values.get(row))),
        },
    };
}

/// What writes cells that are passed through.
enum PassedText<'a> {
    Nothing,
    Cells(&'a PassedCells),
    /// `None` for a type that has no text.
    #[cfg(feature = "parquet")]
    Arrays(Vec<Option<arrow_cast::display::ArrayFormatter<'a>>>),
}

impl<'a> PassedText<'a> {
    fn of(passed: &'a Passed) -> Self {
        match passed {
            Passed::Nothing => PassedText::Nothing,
            Passed::Cells(cells) => PassedText::Cells(cells),
            #[cfg(feature = "parquet")]
            Passed::Arrays(arrays) => {
                use arrow_cast::display::{ArrayFormatter, FormatOptions};
                let options = FormatOptions::new().with_null("");
                let of = |array| ArrayFormatter::try_new(array, &options).ok();
                PassedText::Arrays(arrays.iter().map(|array| of(&**array)).collect())
            }
        }
    }

    /// Appends a cell.
    fn put(&self, text: &mut Vec<u8>, item: usize, place: usize) {
        match self {
            PassedText::Nothing => {}
            PassedText::Cells(cells) => text.extend_from_slice(cells.get(item, place)),
            #[cfg(feature = "parquet")]
            PassedText::Arrays(formatters) => {
                if let Some(Some(formatter)) = formatters.get(place) {
                    let shown = formatter.value(item).to_string();
                    text.extend_from_slice(quoted(&shown).as_bytes());
                }
            }
        }
    }
}
