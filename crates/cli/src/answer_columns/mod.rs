//! The columns of a result of rows: `--columns`.

mod column;
pub(crate) mod row_values;

pub(crate) use column::{AnswerColumn, Doubles};

use crate::failure::Failure;
use estoc_rays_io::{
    ColumnKind, ColumnValues, OutputColumn, TableFormat, TypedValues, column_named,
};

/// A column of the result.
enum Column {
    /// The index of the item.
    Item,
    Answer(AnswerColumn),
    /// A cell passed through from the input: its index among these cells, and its column's name.
    Input(usize, String),
}

/// The columns of a result, in their order.
pub(crate) struct ResultColumns {
    all: Vec<Column>,
    /// What is asked about: "ray" or "point".
    item: &'static str,
    /// Whether the user chose them; a row of JSON then has all of them.
    chosen: bool,
}

/// What the user can choose from.
pub(crate) struct Choice<'a> {
    /// What is asked about: "ray" or "point".
    pub(crate) item: &'static str,
    /// The columns of the answers.
    pub(crate) answers: Vec<AnswerColumn>,
    /// Names that are not those of input columns, since other questions have such answers.
    pub(crate) reserved: Vec<&'static str>,
    /// The columns of the input.
    pub(crate) input: &'a [String],
    /// What has no such column, for the message.
    pub(crate) asked: &'a str,
}

impl ResultColumns {
    /// Returns the columns with these names, or the usual ones without names, and the input columns
    /// that must be passed through for them.
    pub(crate) fn new(names: &[String], choice: Choice<'_>) -> Result<(Self, Vec<usize>), Failure> {
        let (item, input) = (choice.item, choice.input);
        let answers = choice.answers;
        let mut passed = Vec::new();
        let named = names.iter().map(|name| {
            if name == item {
                return Ok(Column::Item);
            }
            if let Some(column) = answers.iter().find(|column| column.name == name) {
                return Ok(Column::Answer(*column));
            }
            let place = column_named(name, input);
            if place.is_none() && *name == id(item) {
                return Ok(Column::Item);
            }
            let place = place.filter(|_| !choice.reserved.contains(&&**name));
            passed.push(place.ok_or_else(|| {
                let known = answers.iter().map(|column| column.name);
                let known: Vec<&str> = [item].into_iter().chain(known).collect();
                let of_input = match input {
                    [] => String::new(),
                    names => format!(", and from the input {}", names.join(", ")),
                };
                Failure::Usage(format!(
                    "--columns: {} no column {name:?}; available are {}{of_input}",
                    choice.asked,
                    known.join(", "),
                ))
            })?);
            Ok(Column::Input(passed.len() - 1, name.clone()))
        });
        let mut all = named.collect::<Result<Vec<_>, Failure>>()?;
        if names.is_empty() {
            let usual = answers.into_iter().filter(|column| column.is_usual);
            all.push(Column::Item);
            all.extend(usual.map(Column::Answer));
        }
        let chosen = !names.is_empty();
        Ok((ResultColumns { all, item, chosen }, passed))
    }

    /// Leaves out the index of the item.
    pub(crate) fn drop_item(&mut self) {
        self.all.retain(|column| !matches!(column, Column::Item));
    }

    /// Returns whether there is a column of one of these names.
    pub(crate) fn show(&self, names: &[&str]) -> bool {
        let is_one =
            |column: &Column| matches!(column, Column::Answer(c) if names.contains(&c.name));
        self.all.iter().any(is_one)
    }

    /// Returns whether the user chose the columns.
    pub(crate) fn are_chosen(&self) -> bool {
        self.chosen
    }

    /// Returns the columns as they are written in a format; the index of an item has its name in
    /// Parquet.
    pub(crate) fn output(&self, format: TableFormat, doubles: Doubles) -> Vec<OutputColumn> {
        let columns = self.all.iter().map(|column| match column {
            Column::Item if format == TableFormat::Parquet => {
                OutputColumn::new(id(self.item), ColumnKind::Id)
            }
            Column::Item => OutputColumn::new(self.item, ColumnKind::Row),
            Column::Answer(column) => column.output(doubles),
            Column::Input(place, name) => OutputColumn::new(name, ColumnKind::Passed(*place)),
        });
        columns.collect()
    }

    /// Returns the values of the columns in some rows; `answers` has those of a column of answers, by its
    /// name.
    pub(crate) fn values(
        &self,
        answers: impl Fn(&'static str) -> ColumnValues,
    ) -> Vec<ColumnValues> {
        let values = self.all.iter().map(|column| match column {
            Column::Answer(column) => answers(column.name),
            Column::Item | Column::Input(..) => ColumnValues::all(TypedValues::Given),
        });
        values.collect()
    }
}

/// Returns the name of an item's index in Parquet.
fn id(item: &str) -> String {
    format!("{item}_id")
}
