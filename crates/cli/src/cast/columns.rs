//! The columns of a result: `--columns`.

use super::query::{Query, RowKind};
use crate::failure::Failure;
use crate::frame::Point;
use crate::value_name::name_of;
use estoc::glam::Vec3;
use estoc::mesh::HitDetails;
use estoc::scene::SceneHit;
use estoc_rays_io::{ColumnKind, ColumnValues, Format, OutputColumn, Texts, Values, column_named};
use std::borrow::Cow;
use std::sync::Arc;

/// The name of the column of rays in Parquet, and of their numbers there.
const ID: &str = "ray_id";

/// A column of the result.
#[derive(Clone, Debug, PartialEq)]
enum Column {
    Ray,
    Hit,
    Count,
    T,
    Prim,
    U,
    V,
    Point,
    Normal,
    Object,
    Group,
    Material,
    Source,
    Instance,
    /// A cell passed through from the input: its index among these cells, and its column's name.
    Input(usize, String),
}

/// All columns except those of the input, by name.
const KNOWN: [(&str, Column); 14] = [
    ("ray", Column::Ray),
    ("hit", Column::Hit),
    ("count", Column::Count),
    ("t", Column::T),
    ("prim", Column::Prim),
    ("u", Column::U),
    ("v", Column::V),
    ("point", Column::Point),
    ("normal", Column::Normal),
    ("object", Column::Object),
    ("group", Column::Group),
    ("material", Column::Material),
    ("source", Column::Source),
    ("instance", Column::Instance),
];

/// What decides which columns there are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Answered {
    pub(super) query: Query,
    /// Whether the rays are cast at a scene of placed meshes.
    pub(super) is_scene: bool,
    /// What is written.
    pub(super) format: Format,
}

/// A hit with what columns show of it.
pub(super) struct RowHit<'a> {
    pub(super) hit: SceneHit,
    /// If a column needs it; on the heap, since rows are moved.
    pub(super) more: Option<Box<More<'a>>>,
}

/// What a few columns show of a hit.
pub(super) struct More<'a> {
    /// If it is needed.
    pub(super) place: Option<HitPlace>,
    /// Of a triangle, if they are needed.
    pub(super) details: Option<HitDetails<'a>>,
    /// The name of the object's file or generator, in a scene.
    pub(super) source: Option<String>,
}

/// Where a hit is.
#[derive(Clone, Copy, Debug)]
pub(super) struct HitPlace {
    pub(super) point: Point,
    pub(super) normal: Vec3,
}

impl RowHit<'_> {
    fn place(&self) -> Option<HitPlace> {
        self.more.as_ref()?.place
    }
}

impl HitPlace {
    pub(super) fn of(details: Option<&HitDetails<'_>>) -> Option<Self> {
        let HitDetails { point, normal, .. } = *details?;
        let point = Point::Near(point);
        Some(HitPlace { point, normal })
    }
}

/// The columns of a result, in their order.
#[derive(Clone, Debug)]
pub(super) struct Columns {
    all: Vec<Column>,
    /// Whether the user chose them; a row of JSON then has all of them.
    chosen: bool,
}

impl Columns {
    /// Returns the default columns of a query.
    pub(super) fn usual(answered: Answered) -> Self {
        use Column::{Count, Hit, Instance, Prim, Ray, Source, T, U, V};
        let mut all = match answered.query.row_kind() {
            RowKind::Hit if answered.is_scene => {
                vec![Ray, Hit, T, Prim, U, V, Source, Instance]
            }
            RowKind::Hit => vec![Ray, Hit, T, Prim, U, V],
            RowKind::Any => vec![Ray, Hit],
            RowKind::Count => vec![Ray, Count],
        };
        // Elsewhere, null or -1 tells a miss, and the place of a record its ray.
        let is_hit = answered.query.row_kind() == RowKind::Hit;
        all.retain(|column| match (answered.format, column) {
            (Format::Npy, Ray) => answered.query.lists_hits(),
            (Format::Npy | Format::Parquet, Hit) => !is_hit,
            _ => true,
        });
        Columns { all, chosen: false }
    }

    /// Returns the columns with these names, and the input columns that must be passed through for
    /// them.
    pub(super) fn chosen(
        names: &[String],
        answered: Answered,
        input: &[String],
    ) -> Result<(Self, Vec<usize>), Failure> {
        let (mut all, mut passed) = (Vec::new(), Vec::new());
        for name in names {
            let known = KNOWN.iter().find(|(known, _)| known == name);
            let column = match known {
                Some((_, column)) if column.is_of(answered) => column.clone(),
                _ if name == ID && column_named(name, input).is_none() => Column::Ray,
                _ => {
                    let place = column_named(name, input).filter(|_| known.is_none());
                    passed.push(place.ok_or_else(|| no_column(name, answered, input))?);
                    Column::Input(passed.len() - 1, name.clone())
                }
            };
            all.push(column);
        }
        Ok((Columns { all, chosen: true }, passed))
    }

    /// Returns whether a column needs details beyond the hit itself.
    pub(super) fn need_details(&self) -> bool {
        use Column::{Group, Material, Normal, Object, Point};
        let needs = |column: &Column| matches!(column, Point | Normal | Object | Group | Material);
        self.all.iter().any(needs)
    }

    /// Returns whether a column shows a name of the mesh, which its triangles do not tell.
    pub(super) fn need_names(&self) -> bool {
        use Column::{Group, Material, Object};
        let needs = |column: &Column| matches!(column, Object | Group | Material);
        self.all.iter().any(needs)
    }

    /// Returns whether a column shows where a hit is in a scene.
    pub(super) fn need_source(&self) -> bool {
        self.all.contains(&Column::Source)
    }

    /// Returns whether the user chose the columns.
    pub(super) fn are_chosen(&self) -> bool {
        self.chosen
    }

    /// Returns the columns as they are written in a format; points are `f64`s in the world.
    pub(super) fn output(&self, format: Format, is_world: bool) -> Vec<OutputColumn> {
        let columns = self.all.iter().map(|column| {
            let name = column.name();
            let number = OutputColumn::new(name, ColumnKind::Number);
            match column {
                Column::Ray if format == Format::Parquet => OutputColumn::new(ID, ColumnKind::Id),
                Column::Ray => OutputColumn::new(name, ColumnKind::Row),
                Column::Hit => OutputColumn::new(name, ColumnKind::Flag),
                Column::Count => OutputColumn::new(name, ColumnKind::Count),
                Column::T => number.missing("inf"),
                Column::U | Column::V => number,
                Column::Prim => OutputColumn::new(name, ColumnKind::Prim).missing("-1"),
                Column::Point if is_world => {
                    OutputColumn::new(name, ColumnKind::Vector64).missing(",,")
                }
                Column::Point | Column::Normal => {
                    OutputColumn::new(name, ColumnKind::Vector).missing(",,")
                }
                Column::Object
                | Column::Group
                | Column::Material
                | Column::Source
                | Column::Instance => OutputColumn::new(name, ColumnKind::Text),
                Column::Input(place, _) => OutputColumn::new(name, ColumnKind::Passed(*place)),
            }
        });
        columns.collect()
    }

    /// Returns builders of the values of each column.
    pub(super) fn builders(&self, is_world: bool) -> Vec<ColumnBuilder> {
        let builders = self.all.iter().map(|column| {
            let values = match column {
                Column::Ray | Column::Input(..) => Values::Given,
                Column::Hit => Values::Flags(Vec::new()),
                Column::Count => Values::Counts(Vec::new()),
                Column::Prim => Values::Prims(Vec::new()),
                Column::T | Column::U | Column::V => Values::Numbers(Vec::new()),
                Column::Point if is_world => Values::Vectors64(Vec::new()),
                Column::Point | Column::Normal => Values::Vectors(Vec::new()),
                _ => Values::Texts(Texts::default()),
            };
            ColumnBuilder {
                column: column.clone(),
                values,
                present: Vec::new(),
            }
        });
        builders.collect()
    }
}

/// The values of a column, as they are collected.
pub(super) struct ColumnBuilder {
    column: Column,
    values: Values,
    /// Which hits have a value, of a column whose value a hit may lack.
    present: Vec<bool>,
}

impl ColumnBuilder {
    /// Appends the values of rows; `None` is a miss.
    pub(super) fn push(&mut self, rows: &[Option<RowHit<'_>>]) {
        match (&mut self.values, &self.column) {
            (Values::Flags(flags), _) => flags.extend(rows.iter().map(Option::is_some)),
            (Values::Prims(prims), _) => extend(prims, rows, |found| found.hit.prim.get()),
            (Values::Numbers(numbers), Column::U) => extend(numbers, rows, |found| found.hit.u),
            (Values::Numbers(numbers), Column::V) => extend(numbers, rows, |found| found.hit.v),
            (Values::Numbers(numbers), _) => extend(numbers, rows, |found| found.hit.t),
            (Values::Vectors(vectors), column) => {
                let value = |place: HitPlace| match (column, place.point) {
                    (Column::Normal, _) => place.normal.to_array(),
                    (_, point) => point.to_f32().to_array(),
                };
                extend_some(vectors, &mut self.present, rows, |found| {
                    found.place().map(value)
                });
            }
            (Values::Vectors64(vectors), _) => {
                let value = |place: HitPlace| place.point.to_f64().to_array();
                extend_some(vectors, &mut self.present, rows, |found| {
                    found.place().map(value)
                });
            }
            (Values::Texts(texts), column) => {
                for row in rows {
                    let word = row.as_ref().and_then(|found| column.word(found));
                    texts.push(word.as_deref().unwrap_or_default());
                    self.present.push(word.is_some());
                }
            }
            _ => {}
        }
    }

    /// Appends whether there is a hit, or the number of hits.
    pub(super) fn push_value(&mut self, any: bool, count: usize) {
        match &mut self.values {
            Values::Flags(flags) => flags.push(any),
            Values::Counts(counts) => counts.push(count as i64),
            _ => {}
        }
    }

    /// Returns the values; `hits` tells which rows are hits, if there are misses.
    pub(super) fn finish(self, hits: Option<&Arc<Vec<bool>>>) -> ColumnValues {
        let present = match &self.values {
            Values::Prims(_) | Values::Numbers(_) => hits.cloned(),
            _ => self.present.contains(&false).then(|| self.present.into()),
        };
        ColumnValues {
            values: self.values,
            present,
        }
    }
}

/// Appends a value for each row, any for a miss.
fn extend<A: Default>(
    values: &mut Vec<A>,
    rows: &[Option<RowHit<'_>>],
    value: impl Fn(&RowHit<'_>) -> A,
) {
    let row = |row: &Option<RowHit<'_>>| row.as_ref().map(&value).unwrap_or_default();
    values.extend(rows.iter().map(row));
}

/// Does the same with values that hits may lack, and appends which rows have one.
fn extend_some<A: Default>(
    values: &mut Vec<A>,
    present: &mut Vec<bool>,
    rows: &[Option<RowHit<'_>>],
    value: impl Fn(&RowHit<'_>) -> Option<A>,
) {
    for row in rows {
        let value = row.as_ref().and_then(&value);
        present.push(value.is_some());
        values.push(value.unwrap_or_default());
    }
}

impl Column {
    /// Returns whether the rows have the column.
    fn is_of(&self, answered: Answered) -> bool {
        let kind = answered.query.row_kind();
        match self {
            Column::Source | Column::Instance => answered.is_scene && kind == RowKind::Hit,
            Column::Ray | Column::Input(..) => true,
            Column::Count => kind == RowKind::Count,
            Column::Hit => kind != RowKind::Count,
            _ => kind == RowKind::Hit,
        }
    }

    fn name(&self) -> &str {
        match self {
            Column::Input(_, name) => name,
            known => KNOWN
                .iter()
                .find(|(_, column)| column == known)
                .map_or("", |(name, _)| name),
        }
    }

    /// Returns the text of a hit in the column.
    fn word<'a>(&self, found: &'a RowHit<'_>) -> Option<Cow<'a, str>> {
        match self {
            Column::Instance => return Some(found.hit.path.to_string().into()),
            Column::Source => return found.more.as_ref()?.source.as_deref().map(Cow::from),
            _ => {}
        }
        let details = found.more.as_ref()?.details.as_ref()?;
        let word = match self {
            Column::Object => details.object,
            Column::Group => details.group,
            Column::Material => details.material.map(|material| material.name.as_str()),
            _ => None,
        };
        word.map(Cow::from)
    }
}

fn no_column(name: &str, answered: Answered, input: &[String]) -> Failure {
    let known = KNOWN.iter().filter(|(_, column)| column.is_of(answered));
    let known: Vec<&str> = known.map(|(name, _)| *name).collect();
    let of_input = match input {
        [] => String::new(),
        names => format!(", and from the input {}", names.join(", ")),
    };
    Failure::Usage(format!(
        "--columns: --query {} has no column {name:?}; available are {}{of_input}",
        name_of(&answered.query),
        known.join(", "),
    ))
}
