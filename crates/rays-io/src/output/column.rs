//! The columns of a result.

use super::error::OutputError;
use crate::cell_text::quoted;
use crate::table_format::TableFormat;

/// A column of the result.
#[derive(Clone, Debug, PartialEq)]
pub struct OutputColumn {
    /// The name. A vector has three columns, with `_x`, `_y` and `_z` after the name.
    pub name: String,
    /// What it holds.
    pub kind: ColumnKind,
    /// What CSV has where there is no value, such as `inf`. A number is read from it for NPY, and is
    /// NaN if it is empty. Parquet has null.
    pub missing: &'static str,
}

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ColumnKind {
    /// The row of the item in the input, from 0.
    Row,
    /// The `ray_id` of the item in the input if it has that column, else its row.
    Id,
    /// Yes or no.
    Flag,
    /// A whole number that is not negative.
    Count,
    /// The index of a primitive.
    Prim,
    /// An `f32`.
    Number,
    /// An `f64`.
    Number64,
    /// Three `f32`s.
    Vector,
    /// Three `f64`s.
    Vector64,
    /// Text.
    Text,
    /// A column passed through from the input: its index among those.
    Passed(usize),
}

impl OutputColumn {
    /// Returns a column that is empty where there is no value.
    pub fn new(name: impl Into<String>, kind: ColumnKind) -> Self {
        OutputColumn {
            name: name.into(),
            kind,
            missing: "",
        }
    }

    /// Sets what CSV has where there is no value.
    #[must_use]
    pub fn missing(self, missing: &'static str) -> Self {
        OutputColumn { missing, ..self }
    }

    /// Returns the names in a file: three for a vector.
    pub fn names(&self) -> Vec<String> {
        match self.kind {
            ColumnKind::Vector | ColumnKind::Vector64 => ["x", "y", "z"]
                .map(|axis| format!("{}_{axis}", self.name))
                .to_vec(),
            _ => vec![self.name.clone()],
        }
    }

    /// Returns the value of a missing number in NPY.
    pub(crate) fn missing_number(&self) -> f64 {
        self.missing.parse().unwrap_or(f64::NAN)
    }
}

/// Returns an error if two columns have one name, for a format that has each name once.
pub(crate) fn refuse_same_names(
    columns: &[OutputColumn],
    format: TableFormat,
) -> Result<(), OutputError> {
    let mut names = Vec::new();
    for column in columns.iter().flat_map(OutputColumn::names) {
        if names.contains(&column) {
            return Err(OutputError::TwoColumns { format, column });
        }
        names.push(column);
    }
    Ok(())
}

/// Returns the first line of CSV, without its end.
pub(crate) fn header(columns: &[OutputColumn]) -> String {
    let names = columns.iter().flat_map(OutputColumn::names);
    let names: Vec<String> = names.map(|name| quoted(&name)).collect();
    names.join(",")
}
