//! The columns of answers, made from the list that batches, the command and Python share.

use crate::{MeshNumbers, RaycastError};
use datafusion::arrow::array::{ArrayRef, Float32Array, Float64Array, Int32Array};
use datafusion::arrow::buffer::NullBuffer;
use datafusion::arrow::datatypes::{DataType, Field, Fields};
use estoc::Hit;
use estoc_batch::{ColumnNumber, ColumnVisitor, Record};
use std::sync::{Arc, LazyLock};

/// A column of the answers about rays: the numbers `t`, `u` and `v` of a [`Hit`], of the type of the mesh's numbers, and
/// its `prim`, the number of the triangle, of `Int32`. It is null where a ray misses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HitColumn(usize);

impl HitColumn {
    /// Returns all columns, in their order.
    pub fn all() -> impl Iterator<Item = HitColumn> {
        (0..Hit::<f32>::list().len()).map(HitColumn)
    }

    /// Returns the name of the column.
    pub fn name(self) -> &'static str {
        Hit::<f32>::list()[self.0].name
    }

    /// Returns the column of a name, or `None` if there is none.
    pub fn of_name(name: &str) -> Option<HitColumn> {
        HitColumn::all().find(|column| column.name() == name)
    }

    /// Returns the type of the column for a mesh of these numbers.
    pub fn data_type(self, numbers: MeshNumbers) -> DataType {
        match numbers {
            MeshNumbers::F32 => Hit::<f32>::list()[self.0].data_type.clone(),
            MeshNumbers::F64 => Hit::<f64>::list()[self.0].data_type.clone(),
        }
    }

    /// Returns the field of the column under a name of the caller's.
    pub fn field(self, name: &str, numbers: MeshNumbers) -> Field {
        Field::new(name, self.data_type(numbers), true)
    }

    /// Returns the fields of all columns.
    pub fn fields(numbers: MeshNumbers) -> Fields {
        HitColumn::all()
            .map(|column| column.field(column.name(), numbers))
            .collect()
    }

    /// Returns the numbers of hits, of which `nulls` says whether there are any.
    ///
    /// # Errors
    /// [`RaycastError::TooManyTriangles`].
    pub(crate) fn array<H: ListedHit>(
        self,
        hits: &[Option<H>],
        nulls: Option<NullBuffer>,
    ) -> Result<ArrayRef, RaycastError> {
        (H::list()[self.0].array)(hits, nulls)
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
type HitArray<H> =
    dyn Fn(&[Option<H>], Option<NullBuffer>) -> Result<ArrayRef, RaycastError> + Send + Sync;

/// A column of hits of a type.
pub(crate) struct Column<H> {
    name: &'static str,
    data_type: DataType,
    array: Box<HitArray<H>>,
}

/// A hit whose columns are listed once.
pub(crate) trait ListedHit: Record {
    fn list() -> &'static [Column<Self>];
}

impl ListedHit for Hit {
    fn list() -> &'static [Column<Hit>] {
        static LIST: LazyLock<Vec<Column<Hit>>> = LazyLock::new(columns);
        &LIST
    }
}

impl ListedHit for Hit<f64> {
    fn list() -> &'static [Column<Hit<f64>>] {
        static LIST: LazyLock<Vec<Column<Hit<f64>>>> = LazyLock::new(columns);
        &LIST
    }
}

fn columns<H: Record>() -> Vec<Column<H>> {
    let mut columns = Columns(Vec::new());
    H::columns(&mut columns);
    columns.0
}

struct Columns<H>(Vec<Column<H>>);

impl<H: Record> ColumnVisitor<H> for Columns<H> {
    fn column<F>(&mut self, name: &'static str, missing: ColumnNumber, number: F)
    where
        F: Fn(&H) -> ColumnNumber + Copy + Send + Sync + 'static,
    {
        let number = move |hit: &Option<H>| hit.as_ref().map_or(missing, number);
        let (data_type, array): (_, Box<HitArray<H>>) = match missing {
            ColumnNumber::Prim(_) => {
                let array = move |hits: &[Option<H>], nulls| {
                    let prims = hits.iter().map(|hit| prim(number(hit)));
                    let prims = prims.collect::<Result<Vec<_>, _>>()?;
                    Ok(Arc::new(Int32Array::new(prims.into(), nulls)) as ArrayRef)
                };
                (DataType::Int32, Box::new(array))
            }
            ColumnNumber::F64(_) => {
                let array = move |hits: &[Option<H>], nulls| {
                    let reals = hits.iter().map(|hit| match number(hit) {
                        ColumnNumber::F64(number) => number,
                        _ => f64::NAN,
                    });
                    let reals = reals.collect::<Vec<_>>();
                    Ok(Arc::new(Float64Array::new(reals.into(), nulls)) as ArrayRef)
                };
                (DataType::Float64, Box::new(array))
            }
            // No column of hits has other numbers than these and `f32`s.
            _ => {
                let array = move |hits: &[Option<H>], nulls| {
                    let reals = hits.iter().map(|hit| match number(hit) {
                        ColumnNumber::F32(number) => number,
                        _ => f32::NAN,
                    });
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
