//! The columns of a result: `--columns`.

use crate::csv_cell::{quoted, unquoted};
use crate::failure::Failure;
use crate::item_reader::{PassedCells, column_named};
use serde_json::{Value, json};

/// A column of the result.
enum Column {
    Point,
    Inside,
    /// A cell passed through from the input: its index among these cells, and its column's name.
    Input(usize, String),
}

/// A row of the result.
pub(super) struct Row<'a> {
    /// The index of the point, from 0.
    pub(super) point: u64,
    pub(super) inside: bool,
    /// The cells passed through from this chunk of the input, and the index of the point's line.
    pub(super) cells: (&'a PassedCells, usize),
}

/// The columns of a result, in their order.
pub(super) struct Columns(Vec<Column>);

impl Columns {
    /// Returns the default columns.
    pub(super) fn usual() -> Self {
        Columns(vec![Column::Point, Column::Inside])
    }

    /// Returns the columns with these names, and the input columns that must be passed through for
    /// them.
    pub(super) fn chosen(
        names: &[String],
        input: &[String],
    ) -> Result<(Self, Vec<usize>), Failure> {
        let mut passed = Vec::new();
        let columns = names.iter().map(|name| match name.as_str() {
            "point" => Ok(Column::Point),
            "inside" => Ok(Column::Inside),
            _ => {
                passed.push(column_named(name, input).ok_or_else(|| no_column(name, input))?);
                Ok(Column::Input(passed.len() - 1, name.clone()))
            }
        });
        let columns = columns.collect::<Result<_, Failure>>()?;
        Ok((Columns(columns), passed))
    }

    /// Returns the header line of CSV.
    pub(super) fn header(&self) -> String {
        let names = self.0.iter().map(|column| quoted(column.name()));
        names.collect::<Vec<_>>().join(",")
    }

    /// Appends a row of CSV.
    pub(super) fn put_csv(&self, text: &mut Vec<u8>, row: &Row<'_>) {
        for (i, column) in self.0.iter().enumerate() {
            if i > 0 {
                text.push(b',');
            }
            match column {
                Column::Point => text.extend_from_slice(row.point.to_string().as_bytes()),
                Column::Inside => text.push(b'0' + u8::from(row.inside)),
                Column::Input(place, _) => text.extend_from_slice(row.cell(*place)),
            }
        }
        text.push(b'\n');
    }

    /// Appends a row as a JSON object.
    pub(super) fn put_json(&self, text: &mut Vec<u8>, row: &Row<'_>) {
        for (i, column) in self.0.iter().enumerate() {
            let before = if i > 0 { ',' } else { '{' };
            let name = json!(column.name());
            let value: Value = match column {
                Column::Point => row.point.into(),
                Column::Inside => row.inside.into(),
                Column::Input(place, _) => {
                    unquoted(&String::from_utf8_lossy(row.cell(*place))).into()
                }
            };
            text.extend_from_slice(format!("{before}{name}:{value}").as_bytes());
        }
        text.push(b'}');
    }
}

impl Column {
    fn name(&self) -> &str {
        match self {
            Column::Point => "point",
            Column::Inside => "inside",
            Column::Input(_, name) => name,
        }
    }
}

impl<'a> Row<'a> {
    fn cell(&self, place: usize) -> &'a [u8] {
        let (cells, item) = self.cells;
        cells.get(item, place)
    }
}

fn no_column(name: &str, input: &[String]) -> Failure {
    Failure::Usage(format!(
        "--columns: there is no column {name:?}; available are point, inside, and from the input {}",
        input.join(", ")
    ))
}
