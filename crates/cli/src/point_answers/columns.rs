//! The columns of a result: `--columns`.

use crate::csv_cell::{quoted, unquoted};
use crate::failure::Failure;
use crate::item_reader::{PassedCells, column_named};
use serde_json::{Value, json};

/// A column of the answers of a verb.
pub(crate) trait AnswerColumn: Copy + 'static {
    /// The answer about one point.
    type Answer;

    /// The name of the JSON format, such as "estoc.contains/1".
    const SCHEMA: &'static str;

    /// All columns.
    const ALL: &'static [Self];

    /// The default columns, in their order.
    const USUAL: &'static [Self] = Self::ALL;

    fn name(self) -> &'static str;

    /// Appends a cell of CSV.
    fn put_csv(self, text: &mut Vec<u8>, answer: &Self::Answer);

    fn json(self, answer: &Self::Answer) -> Value;
}

/// A column of the result.
enum Column<C> {
    /// The index of the point.
    Point,
    Answer(C),
    /// A cell passed through from the input: its index among these cells, and its column's name.
    Input(usize, String),
}

/// A row of the result.
pub(super) struct Row<'a, A> {
    /// The index of the point, from 0.
    pub(super) point: u64,
    pub(super) answer: &'a A,
    /// The cells passed through from this chunk of the input, and the index of the point's line.
    pub(super) cells: (&'a PassedCells, usize),
}

/// The columns of a result, in their order.
pub(super) struct Columns<C>(Vec<Column<C>>);

impl<C: AnswerColumn> Columns<C> {
    /// Returns the default columns.
    pub(super) fn usual() -> Self {
        let answers = C::USUAL.iter().copied().map(Column::Answer);
        Columns([Column::Point].into_iter().chain(answers).collect())
    }

    /// Returns the columns with these names, and the input columns that must be passed through for
    /// them.
    pub(super) fn chosen(
        names: &[String],
        input: &[String],
    ) -> Result<(Self, Vec<usize>), Failure> {
        let mut passed = Vec::new();
        let columns = names.iter().map(|name| {
            if name == "point" {
                return Ok(Column::Point);
            }
            if let Some(column) = C::ALL.iter().find(|column| column.name() == name) {
                return Ok(Column::Answer(*column));
            }
            passed.push(column_named(name, input).ok_or_else(|| no_column::<C>(name, input))?);
            Ok(Column::Input(passed.len() - 1, name.clone()))
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
    pub(super) fn put_csv(&self, text: &mut Vec<u8>, row: &Row<'_, C::Answer>) {
        for (i, column) in self.0.iter().enumerate() {
            if i > 0 {
                text.push(b',');
            }
            match column {
                Column::Point => text.extend_from_slice(row.point.to_string().as_bytes()),
                Column::Answer(column) => column.put_csv(text, row.answer),
                Column::Input(place, _) => text.extend_from_slice(row.cell(*place)),
            }
        }
        text.push(b'\n');
    }

    /// Appends a row as a JSON object.
    pub(super) fn put_json(&self, text: &mut Vec<u8>, row: &Row<'_, C::Answer>) {
        for (i, column) in self.0.iter().enumerate() {
            let before = if i > 0 { ',' } else { '{' };
            let name = json!(column.name());
            let value: Value = match column {
                Column::Point => row.point.into(),
                Column::Answer(column) => column.json(row.answer),
                Column::Input(place, _) => {
                    unquoted(&String::from_utf8_lossy(row.cell(*place))).into()
                }
            };
            text.extend_from_slice(format!("{before}{name}:{value}").as_bytes());
        }
        text.push(b'}');
    }
}

impl<C: AnswerColumn> Column<C> {
    fn name(&self) -> &str {
        match self {
            Column::Point => "point",
            Column::Answer(column) => column.name(),
            Column::Input(_, name) => name,
        }
    }
}

impl<'a, A> Row<'a, A> {
    fn cell(&self, place: usize) -> &'a [u8] {
        let (cells, item) = self.cells;
        cells.get(item, place)
    }
}

fn no_column<C: AnswerColumn>(name: &str, input: &[String]) -> Failure {
    let known: Vec<&str> = C::ALL.iter().map(|column| column.name()).collect();
    Failure::Usage(format!(
        "--columns: there is no column {name:?}; available are point, {}, and from the input {}",
        known.join(", "),
        input.join(", ")
    ))
}
