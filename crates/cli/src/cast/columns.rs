//! The columns of a result: `--columns`.

use super::query::{Query, RowKind};
use crate::csv_cell::{quoted, unquoted};
use crate::failure::Failure;
use crate::item_reader::{PassedCells, column_named};
use crate::number::{Number, Number64};
use crate::view_args;
use estoc::glam::{DVec3, Vec3};
use estoc::mesh::HitDetails;
use estoc::scene::SceneHit;
use serde_json::{Value, json};
use std::borrow::Cow;

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
}

/// The answer in a row.
#[derive(Clone, Copy)]
pub(super) enum Found<'a> {
    Miss,
    Hit(&'a RowHit<'a>),
    Any(bool),
    Count(usize),
}

/// A hit with what columns show of it.
pub(super) struct RowHit<'a> {
    /// Its path has no placements if it is on a mesh.
    pub(super) hit: SceneHit,
    /// If it is needed.
    pub(super) place: Option<Place>,
    /// Of a triangle, if they are needed.
    pub(super) details: Option<HitDetails<'a>>,
    /// The name of the object's file or generator, in a scene.
    pub(super) source: Option<String>,
}

/// Where a hit is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) point: Point,
    pub(super) normal: Vec3,
}

/// A point, as it is shown.
#[derive(Clone, Copy, Debug)]
pub(super) enum Point {
    /// Of a mesh in `f32`.
    Near(Vec3),
    /// Of the world in `f64`.
    World(DVec3),
}

impl Point {
    fn csv(self) -> String {
        match self {
            Point::Near(point) => view_args::print(point),
            Point::World(point) => point.to_array().map(|x| Number64(x).to_string()).join(","),
        }
    }

    fn json(self) -> Value {
        match self {
            Point::Near(point) => view_args::json_point(point),
            Point::World(point) => json!(point.to_array()),
        }
    }
}

impl Place {
    pub(super) fn of(details: Option<&HitDetails<'_>>) -> Option<Self> {
        let HitDetails { point, normal, .. } = *details?;
        let point = Point::Near(point);
        Some(Place { point, normal })
    }
}

/// A row of the result.
#[derive(Clone, Copy)]
pub(super) struct Row<'a> {
    /// The index of the ray, from 0.
    pub(super) ray: usize,
    pub(super) found: Found<'a>,
    /// The cells passed through from this chunk of the input, and the index of the ray's line.
    pub(super) cells: (&'a PassedCells, usize),
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
        let all = match answered.query.row_kind() {
            RowKind::Hit if answered.is_scene => {
                vec![Ray, Hit, T, Prim, U, V, Source, Instance]
            }
            RowKind::Hit => vec![Ray, Hit, T, Prim, U, V],
            RowKind::Any => vec![Ray, Hit],
            RowKind::Count => vec![Ray, Count],
        };
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

    /// Returns whether a column shows where a hit is in a scene.
    pub(super) fn need_source(&self) -> bool {
        self.all.contains(&Column::Source)
    }

    /// Returns the header line of CSV.
    pub(super) fn header(&self) -> String {
        let names: Vec<Cow<'_, str>> = self.all.iter().map(Column::header).collect();
        names.join(",")
    }

    /// Appends a row of CSV.
    pub(super) fn put_csv(&self, text: &mut Vec<u8>, row: &Row<'_>) {
        for (i, column) in self.all.iter().enumerate() {
            if i > 0 {
                text.push(b',');
            }
            match column {
                Column::Input(place, _) => {
                    let (cells, item) = row.cells;
                    text.extend_from_slice(cells.get(item, *place));
                }
                column => column.put_csv(text, row),
            }
        }
        text.push(b'\n');
    }

    /// Appends a row as a JSON object. Columns without a value are null if the user chose the
    /// columns, and omitted otherwise.
    pub(super) fn put_json(&self, text: &mut Vec<u8>, row: &Row<'_>) {
        let is_miss = matches!(row.found, Found::Miss);
        text.push(b'{');
        let mut any = false;
        for column in &self.all {
            if is_miss && !self.chosen && !matches!(column, Column::Ray | Column::Hit) {
                continue;
            }
            let comma = if any { "," } else { "" };
            any = true;
            let value = column.json(row);
            let name = json!(column.name());
            text.extend_from_slice(format!("{comma}{name}:{value}").as_bytes());
        }
        text.push(b'}');
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

    /// Returns the name in the header of CSV: three names for a point or a direction.
    fn header(&self) -> Cow<'_, str> {
        match self {
            Column::Point | Column::Normal => {
                let name = self.name();
                format!("{name}_x,{name}_y,{name}_z").into()
            }
            Column::Input(_, name) => quoted(name).into(),
            known => known.name().into(),
        }
    }

    fn put_csv(&self, text: &mut Vec<u8>, row: &Row<'_>) {
        use std::io::Write;
        // Writing to memory does not fail.
        let _ = match (self, &row.found) {
            (Column::Ray, _) => write!(text, "{}", row.ray),
            (Column::Hit, found) => write!(text, "{}", u8::from(found.is_hit())),
            (Column::Count, Found::Count(count)) => write!(text, "{count}"),
            (Column::T, Found::Miss) => write!(text, "inf"),
            (Column::Prim, Found::Miss) => write!(text, "-1"),
            (Column::T, Found::Hit(found)) => write!(text, "{}", Number(found.hit.t)),
            (Column::Prim, Found::Hit(found)) => write!(text, "{}", found.hit.prim),
            (Column::U, Found::Hit(found)) => write!(text, "{}", Number(found.hit.u)),
            (Column::V, Found::Hit(found)) => write!(text, "{}", Number(found.hit.v)),
            (Column::Instance, Found::Hit(found)) => write!(text, "{}", found.hit.path),
            (Column::Point | Column::Normal, found) => match self.vector(found) {
                Some(vector) => write!(text, "{}", vector.csv()),
                None => write!(text, ",,"),
            },
            (Column::Object | Column::Group | Column::Material | Column::Source, found) => {
                let word = self.word(found).map(quoted);
                write!(text, "{}", word.unwrap_or_default())
            }
            _ => Ok(()),
        };
    }

    fn json(&self, row: &Row<'_>) -> Value {
        match (self, &row.found) {
            (Column::Ray, _) => row.ray.into(),
            (Column::Hit, found) => found.is_hit().into(),
            (Column::Count, Found::Count(count)) => (*count).into(),
            (Column::T, Found::Hit(found)) => Number(found.hit.t).json(),
            (Column::Prim, Found::Hit(found)) => found.hit.prim.get().into(),
            (Column::U, Found::Hit(found)) => Number(found.hit.u).json(),
            (Column::V, Found::Hit(found)) => Number(found.hit.v).json(),
            (Column::Instance, Found::Hit(found)) => found.hit.path.to_string().into(),
            (Column::Point | Column::Normal, found) => self.vector(found).map(Point::json).into(),
            (Column::Object | Column::Group | Column::Material | Column::Source, found) => {
                self.word(found).into()
            }
            (Column::Input(place, _), _) => {
                let (cells, item) = row.cells;
                unquoted(&String::from_utf8_lossy(cells.get(item, *place))).into()
            }
            _ => Value::Null,
        }
    }

    fn vector(&self, found: &Found<'_>) -> Option<Point> {
        let Found::Hit(RowHit { place, .. }) = found else {
            return None;
        };
        match self {
            Column::Point => Some((*place)?.point),
            Column::Normal => Some(Point::Near((*place)?.normal)),
            _ => None,
        }
    }

    fn word<'a>(&self, found: &Found<'a>) -> Option<&'a str> {
        if let (Column::Source, Found::Hit(found)) = (self, found) {
            return found.source.as_deref();
        }
        let details = found.details()?;
        match self {
            Column::Object => details.object,
            Column::Group => details.group,
            Column::Material => details.material.map(|material| material.name.as_str()),
            _ => None,
        }
    }
}

impl<'a> Found<'a> {
    fn is_hit(&self) -> bool {
        matches!(self, Found::Hit(..) | Found::Any(true))
    }

    fn details(&self) -> Option<&'a HitDetails<'a>> {
        match self {
            Found::Hit(found) => found.details.as_ref(),
            _ => None,
        }
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
        answered.query.name(),
        known.join(", "),
    ))
}
