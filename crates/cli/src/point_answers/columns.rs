//! The columns of a result: `--columns`.

use crate::failure::Failure;
use estoc_rays_io::{ColumnKind, Format, OutputColumn, Values, column_named};

/// A column of the answers of a verb.
pub(crate) trait AnswerColumn: Copy + Sync + 'static {
    /// The answer about one point.
    type Answer: Sync;

    /// The name of the JSON format, such as "estoc.contains/1".
    const SCHEMA: &'static str;

    /// All columns.
    const ALL: &'static [Self];

    /// The default columns, in their order.
    const USUAL: &'static [Self] = Self::ALL;

    fn name(self) -> &'static str;

    /// Returns what the column holds.
    fn kind(self) -> ColumnKind;

    /// Returns what CSV has where there is no value.
    fn missing(self) -> &'static str {
        ""
    }

    /// Returns an empty container for values of the column.
    fn values(self) -> Values;

    /// Appends the value of an answer, or any other if it has none, and returns whether it has.
    fn push(self, values: &mut Values, answer: &Self::Answer) -> bool;
}

/// A column of the result.
pub(super) enum Column<C> {
    /// The index of the point.
    Point,
    Answer(C),
    /// A cell passed through from the input: its index among these cells, and its column's name.
    Input(usize, String),
}

/// The columns of a result, in their order.
pub(super) struct Columns<C>(pub(super) Vec<Column<C>>);

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

    /// Returns the columns as they are written; the index of a point has its name in Parquet.
    pub(super) fn output(&self, format: Format) -> Vec<OutputColumn> {
        let columns = self.0.iter().map(|column| match column {
            Column::Point if format == Format::Parquet => {
                OutputColumn::new("point_id", ColumnKind::Id)
            }
            Column::Point => OutputColumn::new("point", ColumnKind::Row),
            Column::Answer(column) => {
                OutputColumn::new(column.name(), column.kind()).missing(column.missing())
            }
            Column::Input(place, name) => OutputColumn::new(name, ColumnKind::Passed(*place)),
        });
        columns.collect()
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
