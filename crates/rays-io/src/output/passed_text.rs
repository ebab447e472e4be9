//! The text of columns that are passed through.

#[cfg(feature = "parquet")]
use super::column::ColumnKind;
use super::column::OutputColumn;
use super::error::OutputError;
use crate::block::Passed;
#[cfg(feature = "parquet")]
use crate::cell_text::quoted;
use crate::passed_cells::PassedCells;
use crate::passed_types::PassedTypes;

/// Returns an error if a column is passed through whose type has no text.
///
/// # Errors
/// [`OutputError::NoText`].
pub fn check_passed_text(columns: &[OutputColumn], types: &PassedTypes) -> Result<(), OutputError> {
    #[cfg(feature = "parquet")]
    for column in columns {
        if let ColumnKind::Passed(place) = column.kind
            && let Some(of) = types.0.get(place)
        {
            let none = arrow_array::new_empty_array(of);
            crate::arrow_text::formatter(&none).map_err(|problem| OutputError::NoText {
                column: column.name.clone(),
                problem,
            })?;
        }
    }
    // Without Parquet, all is text.
    #[cfg(not(feature = "parquet"))]
    let _ = (columns, types);
    Ok(())
}

/// What writes cells that are passed through.
pub(super) enum PassedText<'a> {
    Nothing,
    Cells(&'a PassedCells),
    #[cfg(feature = "parquet")]
    Arrays(Vec<arrow_cast::display::ArrayFormatter<'a>>),
}

impl<'a> PassedText<'a> {
    pub(super) fn of(passed: &'a Passed, columns: &[OutputColumn]) -> Result<Self, OutputError> {
        #[cfg(not(feature = "parquet"))]
        let _ = columns;
        Ok(match passed {
            Passed::Nothing => PassedText::Nothing,
            Passed::Cells(cells) => PassedText::Cells(cells),
            #[cfg(feature = "parquet")]
            Passed::Arrays(arrays) => {
                let of = |(place, array): (usize, &'a arrow_array::ArrayRef)| {
                    crate::arrow_text::formatter(array).map_err(|problem| OutputError::NoText {
                        column: name_of(place, columns),
                        problem,
                    })
                };
                let formatters = arrays.iter().enumerate().map(of);
                PassedText::Arrays(formatters.collect::<Result<_, _>>()?)
            }
        })
    }

    /// Appends a cell, or returns why it has no text.
    pub(super) fn put(&self, text: &mut Vec<u8>, item: usize, place: usize) -> Result<(), String> {
        match self {
            PassedText::Nothing => {}
            PassedText::Cells(cells) => {
                let cell = cells.get(item, place);
                // Readers take a return outside quotes for the end of the row.
                match cell.contains(&b'\r') && !cell.starts_with(b"\"") {
                    true => {
                        text.push(b'"');
                        cell.iter().for_each(|&byte| match byte {
                            b'"' => text.extend_from_slice(b"\"\""),
                            byte => text.push(byte),
                        });
                        text.push(b'"');
                    }
                    false => text.extend_from_slice(cell),
                }
            }
            #[cfg(feature = "parquet")]
            PassedText::Arrays(formatters) => {
                if let Some(formatter) = formatters.get(place) {
                    let shown = crate::arrow_text::text_of(formatter, item)?;
                    text.extend_from_slice(quoted(&shown).as_bytes());
                }
            }
        }
        Ok(())
    }
}

/// Returns the name of the output column that passes an input column through.
#[cfg(feature = "parquet")]
fn name_of(place: usize, columns: &[OutputColumn]) -> String {
    let mut columns = columns.iter();
    let column = columns.find(|column| column.kind == ColumnKind::Passed(place));
    column.map(|column| column.name.clone()).unwrap_or_default()
}
