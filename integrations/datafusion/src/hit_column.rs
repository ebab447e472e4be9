//! The columns of answers.

use datafusion::arrow::datatypes::{DataType, Field, Fields};

/// A column of the answers about rays. It is null where a ray misses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HitColumn {
    /// The parameter of the hit along the ray, in units of the length of the direction: `Float32`.
    T,
    /// The number of the triangle: `Int32`.
    Prim,
    /// The weight of the triangle's second corner: `Float32`.
    U,
    /// The weight of the triangle's third corner: `Float32`.
    V,
}

impl HitColumn {
    /// All columns, in their order.
    pub const ALL: [HitColumn; 4] = [HitColumn::T, HitColumn::Prim, HitColumn::U, HitColumn::V];

    /// Returns the name of the column.
    pub fn name(self) -> &'static str {
        match self {
            HitColumn::T => "t",
            HitColumn::Prim => "prim",
            HitColumn::U => "u",
            HitColumn::V => "v",
        }
    }

    /// Returns the column of a name, or `None` if there is none.
    pub fn of_name(name: &str) -> Option<HitColumn> {
        HitColumn::ALL
            .into_iter()
            .find(|column| column.name() == name)
    }

    /// Returns the type of the column.
    pub fn data_type(self) -> DataType {
        match self {
            HitColumn::Prim => DataType::Int32,
            HitColumn::T | HitColumn::U | HitColumn::V => DataType::Float32,
        }
    }

    /// Returns the field of the column under a name of the caller's.
    pub fn field(self, name: &str) -> Field {
        Field::new(name, self.data_type(), true)
    }

    /// Returns the fields of all columns.
    pub fn fields() -> Fields {
        HitColumn::ALL
            .into_iter()
            .map(|column| column.field(column.name()))
            .collect()
    }
}

/// A column of the answers with the name it gets in a table.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NamedHitColumn {
    /// The column.
    pub column: HitColumn,
    /// Its name in the table.
    pub name: String,
}
