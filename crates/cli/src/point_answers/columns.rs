//! The columns of a result: `--columns`.

use crate::failure::Failure;
use crate::scene_model::SceneModel;
use estoc_rays_io::{ColumnKind, Format, OutputColumn, Values, column_named};

/// A column of the answers of a verb.
pub(crate) trait AnswerColumn: Copy + PartialEq + Sync + 'static {
    /// The answer about one point.
    type Answer: Sync;

    /// The name of the JSON format, such as "estoc.contains/1".
    const SCHEMA: &'static str;

    /// All columns with their names.
    const ALL: &'static [(Self, &'static str)];

    /// Returns whether there is the column without `--columns`, for a scene or else for a mesh.
    fn is_usual(self, is_scene: bool) -> bool {
        self.is_of(is_scene)
    }

    /// Returns whether a scene, or else a mesh, has the column.
    fn is_of(self, _is_scene: bool) -> bool {
        true
    }

    fn name(self) -> &'static str {
        let named = Self::ALL.iter().find(|(column, _)| *column == self);
        named.map_or("", |(_, name)| name)
    }

    /// Returns what the column holds; coordinates of the world are `f64`s.
    fn kind(self, is_world: bool) -> ColumnKind;

    /// Returns what CSV has where there is no value.
    fn missing(self) -> &'static str {
        ""
    }

    /// Appends the value of an answer, or any other if it has none, and returns whether it has.
    fn push(self, values: &mut Values, answer: &Self::Answer, scene: Option<&SceneModel>) -> bool;
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
    pub(super) fn usual(is_scene: bool) -> Self {
        let all = C::ALL.iter().map(|(column, _)| *column);
        let usual = all.filter(|column| column.is_usual(is_scene));
        let answers = usual.map(Column::Answer);
        Columns([Column::Point].into_iter().chain(answers).collect())
    }

    /// Returns the columns with these names, and the input columns that must be passed through for
    /// them.
    pub(super) fn chosen(
        names: &[String],
        is_scene: bool,
        input: &[String],
    ) -> Result<(Self, Vec<usize>), Failure> {
        let mut passed = Vec::new();
        let columns = names.iter().map(|name| {
            if name == "point" {
                return Ok(Column::Point);
            }
            let known = C::ALL.iter().find(|(_, known)| known == name);
            if let Some((column, _)) = known.filter(|(column, _)| column.is_of(is_scene)) {
                return Ok(Column::Answer(*column));
            }
            let place = column_named(name, input);
            passed.push(place.ok_or_else(|| no_column::<C>(name, is_scene, input))?);
            Ok(Column::Input(passed.len() - 1, name.clone()))
        });
        let columns = columns.collect::<Result<_, Failure>>()?;
        Ok((Columns(columns), passed))
    }

    /// Returns the columns as they are written; the index of a point has its name in Parquet.
    pub(super) fn output(&self, format: Format, is_world: bool) -> Vec<OutputColumn> {
        let columns = self.0.iter().map(|column| match column {
            Column::Point if format == Format::Parquet => {
                OutputColumn::new("point_id", ColumnKind::Id)
            }
            Column::Point => OutputColumn::new("point", ColumnKind::Row),
            Column::Answer(column) => {
                OutputColumn::new(column.name(), column.kind(is_world)).missing(column.missing())
            }
            Column::Input(place, name) => OutputColumn::new(name, ColumnKind::Passed(*place)),
        });
        columns.collect()
    }
}

fn no_column<C: AnswerColumn>(name: &str, is_scene: bool, input: &[String]) -> Failure {
    let known = C::ALL.iter().filter(|(column, _)| column.is_of(is_scene));
    let known: Vec<&str> = known.map(|(_, name)| *name).collect();
    Failure::Usage(format!(
        "--columns: there is no column {name:?}; available are point, {}, and from the input {}",
        known.join(", "),
        input.join(", ")
    ))
}
