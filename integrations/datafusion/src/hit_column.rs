//! The columns of answers, made from the list that batches, the command and Python share.

use crate::RaycastError;
use datafusion::arrow::array::{ArrayRef, Float32Array, Int32Array};
use datafusion::arrow::buffer::NullBuffer;
use datafusion::arrow::datatypes::{DataType, Field, Fields};
use estoc::Hit;
use estoc_batch::{ColumnNumber, ColumnVisitor, Record};
use std::sync::{Arc, LazyLock};

/// A column of the answers about rays: the numbers `t`, `u` and `v` of a [`Hit`], of `Float32`, and its `prim`, the
/// number of the triangle, of `Int32`. It is null where a ray misses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HitColumn(usize);

impl HitColumn {
    /// Returns all columns, in their order.
    pub fn all() -> impl Iterator<Item = HitColumn> {
        (0..COLUMNS.len()).map(HitColumn)
    }

    /// Returns the name of the column.
    pub fn name(self) -> &'static str {
        COLUMNS[self.0].name
    }

    /// Returns the column of a name, or `None` if there is none.
    pub fn of_name(name: &str) -> Option<HitColumn> {
        HitColumn::all().find(|column| column.name() == name)
    }

    /// Returns the type of the column.
    pub fn data_type(self) -> DataType {
        COLUMNS[self.0].data_type.clone()
    }

    /// Returns the field of the column under a name of the caller's.
    pub fn field(self, name: &str) -> Field {
        Field::new(name, self.data_type(), true)
    }

    /// Returns the fields of all columns.
    pub fn fields() -> Fields {
        HitColumn::all()
            .map(|column| column.field(column.name()))
            .collect()
    }

    /// Returns the numbers of hits, of which `nulls` says whether there are any.
    ///
    /// # Errors
    /// [`RaycastError::TooManyTriangles`].
    pub(crate) fn array(
        self,
        hits: &[Option<Hit>],
        nulls: Option<NullBuffer>,
    ) -> Result<ArrayRef, RaycastError> {
        (COLUMNS[self.0].array)(hits, nulls)
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

/// Returns the numbers of hits as an array.
type HitArray =
    dyn Fn(&[Option<Hit>], Option<NullBuffer>) -> Result<ArrayRef, RaycastError> + Send + Sync;

struct Column {
    name: &'static str,
    data_type: DataType,
    array: Box<HitArray>,
}

static COLUMNS: LazyLock<Vec<Column>> = LazyLock::new(|| {
    let mut columns = Columns(Vec::new());
    Hit::columns(&mut columns);
    columns.0
});

struct Columns(Vec<Column>);

impl ColumnVisitor<Hit> for Columns {
    fn column<F>(&mut self, name: &'static str, missing: ColumnNumber, number: F)
    where
        F: Fn(&Hit) -> ColumnNumber + Copy + Send + Sync + 'static,
    {
        let number = move |hit: &Option<Hit>| hit.as_ref().map_or(missing, number);
        let (data_type, array): (_, Box<HitArray>) = match missing {
            ColumnNumber::Prim(_) => {
                let array = move |hits: &[Option<Hit>], nulls| {
                    let prims = hits.iter().map(|hit| prim(number(hit)));
                    let prims = prims.collect::<Result<Vec<_>, _>>()?;
                    Ok(Arc::new(Int32Array::new(prims.into(), nulls)) as ArrayRef)
                };
                (DataType::Int32, Box::new(array))
            }
            _ => {
                let array = move |hits: &[Option<Hit>], nulls| {
                    let reals = hits.iter().map(|hit| real(number(hit)));
                    let reals = reals.collect::<Vec<_>>();
                    Ok(Arc::new(Float32Array::new(reals.into(), nulls)) as ArrayRef)
                };
                (DataType::Float32, Box::new(array))
            }
        };
        self.0.push(Column {
            name,
            data_type,
            array,
        });
    }
}

/// Returns the number of a triangle; -1 for none.
fn prim(number: ColumnNumber) -> Result<i32, RaycastError> {
    match number {
        ColumnNumber::Prim(prim) if prim != u32::MAX => {
            i32::try_from(prim).map_err(|_| RaycastError::TooManyTriangles { prim })
        }
        _ => Ok(-1),
    }
}

fn real(number: ColumnNumber) -> f32 {
    match number {
        ColumnNumber::F32(number) => number,
        // No column of hits has other numbers than these and those of triangles.
        _ => f32::NAN,
    }
}
