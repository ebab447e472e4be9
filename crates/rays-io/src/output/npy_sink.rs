//! Structured arrays of NPY.

use super::answers::{AnsweredBlock, Values};
use super::column::{ColumnKind, OutputColumn};
use super::error::OutputError;
use super::sink::{HitSink, ResultFile};
use crate::format::Format;
use crate::npy::header_bytes;

/// The largest index of a primitive in an `i32`.
const LAST_PRIM: u32 = i32::MAX as u32;

/// Writes an array of records, each field a column, or a plain array for a single column.
pub(super) struct NpySink<W> {
    columns: Vec<OutputColumn>,
    file: W,
    /// The number of rows in the header, if it was known when it was written.
    declared: Option<u64>,
    rows: u64,
    buffer: Vec<u8>,
}

impl<W: ResultFile> NpySink<W> {
    /// Writes the header.
    pub(super) fn new(
        columns: Vec<OutputColumn>,
        mut file: W,
        rows: Option<u64>,
    ) -> Result<Self, OutputError> {
        let mut names: Vec<String> = Vec::new();
        for column in &columns {
            let what = match column.kind {
                ColumnKind::Text => Some("text"),
                ColumnKind::Passed(_) => Some("passed through from the input"),
                _ => None,
            };
            if let Some(what) = what {
                return Err(OutputError::Column {
                    format: Format::Npy,
                    column: column.name.clone(),
                    what,
                    other: "CSV or Parquet",
                });
            }
            for name in column.names() {
                if names.contains(&name) {
                    return Err(OutputError::TwoColumns {
                        format: Format::Npy,
                        column: name,
                    });
                }
                names.push(name);
            }
        }
        if rows.is_none() && !file.can_rewrite() {
            return Err(OutputError::RowsUnknown);
        }
        file.write_all(&header_bytes(&dtype(&columns), rows.unwrap_or(0)))?;
        Ok(NpySink {
            columns,
            file,
            declared: rows,
            rows: 0,
            buffer: Vec::new(),
        })
    }
}

/// Returns the type of the array's elements as numpy writes it.
fn dtype(columns: &[OutputColumn]) -> String {
    if let [column] = columns
        && !matches!(column.kind, ColumnKind::Vector | ColumnKind::Vector64)
    {
        return format!("'{}'", type_of(column.kind));
    }
    let fields = columns.iter().flat_map(|column| {
        let of = type_of(column.kind);
        let names = column.names().into_iter();
        names.map(move |name| format!("('{name}', '{of}')"))
    });
    format!("[{}]", fields.collect::<Vec<_>>().join(", "))
}

fn type_of(kind: ColumnKind) -> &'static str {
    match kind {
        ColumnKind::Flag => "|b1",
        ColumnKind::Prim => "<i4",
        ColumnKind::Number | ColumnKind::Vector => "<f4",
        ColumnKind::Vector64 => "<f8",
        _ => "<i8",
    }
}

impl<W: ResultFile> HitSink for NpySink<W> {
    fn put(&mut self, block: &AnsweredBlock<'_>) -> Result<(), OutputError> {
        if !block.answers.is_whole(self.columns.len()) {
            return Err(OutputError::Answers);
        }
        self.buffer.clear();
        for row in 0..block.rows() {
            put_row(&mut self.buffer, &self.columns, block, row)?;
        }
        self.rows += block.rows() as u64;
        Ok(self.file.write_all(&self.buffer)?)
    }

    fn finish(mut self: Box<Self>) -> Result<(), OutputError> {
        match self.declared {
            None => {
                let header = header_bytes(&dtype(&self.columns), self.rows);
                self.file.rewrite_start(&header)?;
            }
            Some(declared) if declared != self.rows => return Err(OutputError::Answers),
            Some(_) => {}
        }
        Ok(self.file.flush()?)
    }
}

/// Appends a row.
fn put_row(
    into: &mut Vec<u8>,
    columns: &[OutputColumn],
    block: &AnsweredBlock<'_>,
    row: usize,
) -> Result<(), OutputError> {
    let item = block.item(row);
    for (column, values) in columns.iter().zip(&block.answers.columns) {
        let is_present = values.is_present(row);
        match &values.values {
            Values::Given => {
                let number = match column.kind {
                    ColumnKind::Id => block.id(item),
                    _ => block.input_row(item) as i64,
                };
                into.extend_from_slice(&number.to_le_bytes());
            }
            Values::Flags(values) => into.push(u8::from(values[row] && is_present)),
            Values::Counts(values) => into.extend_from_slice(&values[row].to_le_bytes()),
            Values::Prims(values) => {
                let prim = match is_present {
                    true if values[row] > LAST_PRIM => {
                        return Err(OutputError::PrimTooLarge {
                            format: Format::Npy,
                            row: block.input_row(item),
                            prim: values[row],
                        });
                    }
                    true => values[row] as i32,
                    false => -1,
                };
                into.extend_from_slice(&prim.to_le_bytes());
            }
            Values::Numbers(values) => {
                let number = match is_present {
                    true => values[row],
                    false => column.missing_number(),
                };
                into.extend_from_slice(&number.to_le_bytes());
            }
            Values::Vectors(values) => {
                for x in if is_present {
                    values[row]
                } else {
                    [f32::NAN; 3]
                } {
                    into.extend_from_slice(&x.to_le_bytes());
                }
            }
            Values::Vectors64(values) => {
                for x in if is_present {
                    values[row]
                } else {
                    [f64::NAN; 3]
                } {
                    into.extend_from_slice(&x.to_le_bytes());
                }
            }
            Values::Texts(_) => {}
        }
    }
    Ok(())
}
