//! Makes the container in columns of a kind of answer from the list of its columns.

use crate::batch_query::BatchQuery;
use crate::error::BatchError;
use crate::items::{Item, Items};
use crate::report::BatchReport;
use estoc_core::{Engine, ValueQuestion};

/// A container with an array for each number of an answer.
pub(super) trait Columns {
    type Value: Copy + Send;
    /// The columns of one chunk.
    type Part<'a>: Send
    where
        Self: 'a;

    /// Makes room for this number of items, and sets the numbers that stand for no answer.
    fn resize(&mut self, items: usize);

    /// Returns the columns of each chunk of this size.
    fn parts(&mut self, size: usize) -> Vec<Self::Part<'_>>;

    /// Sets the numbers of an answer.
    fn set(part: &mut Self::Part<'_>, place: usize, value: Self::Value);
}

/// Replaces the contents of columns by the answers to the query.
pub(super) fn fill_columns<E, Q, T, C: Columns>(
    columns: &mut C,
    query: &BatchQuery<'_, '_, E, Q, T>,
) -> Result<BatchReport, BatchError>
where
    E: Engine + Sync + ?Sized,
    T: Item,
    Q: ValueQuestion<E, T, Answer = Option<C::Value>>,
{
    let plan = query.start(false)?;
    columns.resize(query.items.len());
    let mut parts = columns.parts(plan.chunk_size);
    (query.batch).run(plan, query.items, &mut parts, 1, &|chunk, part| {
        let mut found = vec![None; chunk.many.len()];
        let techniques = (query.ask_many(&chunk.many, &mut found))
            .map_err(|error| BatchError::of_many(error, chunk.first))?;
        // The numbers of items without an answer are there already.
        for (asked, value) in found.into_iter().enumerate() {
            if let Some(value) = value {
                C::set(&mut part[0], chunk.place(asked), value);
            }
        }
        Ok(techniques)
    })
}

/// Returns a bit for each number that is 1 where it is not `missing`.
pub(super) fn validity<N: PartialEq>(numbers: &[N], missing: &N) -> Vec<u8> {
    let bits = |numbers: &[N]| {
        (numbers.iter().enumerate()).fold(0, |byte, (bit, number)| {
            byte | u8::from(number != missing) << bit
        })
    };
    numbers.chunks(8).map(bits).collect()
}

/// Defines the container in columns of a kind of answer, and implements [`Record`](super::Record) for
/// it, and for the answer with the same fields in scenes. `missing` names the column that tells a miss, and
/// its number there; `row` makes an answer of the numbers of an item that has one.
macro_rules! columns {
    (
        $(#[$about:meta])*
        pub struct $columns:ident of $record:ident $(and $in_scenes:ident)? { $($list:tt)* }
        missing: $mark:ident == $none:expr;
        $(row: $row:expr;)?
    ) => {
        columns!(@struct [$(#[$about])*] [$columns], { $($list)* });
        columns!(@record [$columns] [$record] [$($in_scenes)?] [$mark == $none] [$($row)?] { $($list)* });
        columns!(@answers [] [$columns] [$record]);
    };
    // Of numbers `f32` or `f64`, which the list calls `C`.
    (
        $(#[$about:meta])*
        pub struct $columns:ident<C> of $record:ident<C> $(and $in_scenes:ident)? { $($list:tt)* }
        missing: $mark:ident == $none:expr;
        $(row: $row:expr;)?
    ) => {
        columns!(@struct [$(#[$about])*] [$columns<C = f32>], { $($list)* });
        const _: () = {
            type C = f32;
            columns!(
                @record [$columns<C>] [$record<C>] [$($in_scenes)?] [$mark == $none] [$($row)?] { $($list)* }
            );
        };
        const _: () = {
            type C = f64;
            columns!(@record [$columns<C>] [$record<C>] [] [$mark == $none] [$($row)?] { $($list)* });
        };
        columns!(@answers [C: Coordinate,] [$columns<C>] [$record<C>]);
    };
    (@struct [$(#[$about:meta])*] [$($columns:tt)*], {$(
        $(#[$doc:meta])*
        $name:ident: $number:ty = $missing:expr, |$found:ident| $value:expr;
    )*}) => {
        $(#[$about])*
        #[derive(Clone, Debug, Default, PartialEq)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        pub struct $($columns)* {$(
            $(#[$doc])*
            pub $name: Vec<$number>,
        )*}
    };
    (@record [$columns:ty] [$record:ty] [$($in_scenes:ident)?] [$mark:ident == $none:expr] [$($row:expr)?]
        $list:tt
    ) => {
        record!($record $list);
        $(record!($in_scenes $list in scenes);)?

        impl $columns {
            /// Returns the number of items.
            pub fn len(&self) -> usize {
                self.$mark.len()
            }

            /// Returns whether there are no items.
            pub fn is_empty(&self) -> bool {
                self.$mark.is_empty()
            }

            /// Returns a bit for each item that is 1 where it has an answer, eight in a byte, the first
            /// the least significant, as Arrow has them; bits beyond the last item are 0.
            pub fn validity(&self) -> Vec<u8> {
                validity(&self.$mark, &$none)
            }
        }
        columns!(@values [$columns] [$record] $list);
        columns!(@row [$($row)?] [$columns] [$record] $list);
    };
    (@answers [$($numbers:tt)*] [$columns:ty] [$record:ty]) => {
        impl<$($numbers)* E, Q, T> Answers<E, Q, T> for $columns
        where
            E: Engine + Sync + ?Sized,
            T: Item,
            Q: ValueQuestion<E, T, Answer = Option<$record>>,
            $columns: Columns<Value = $record>,
        {
            fn fill(&mut self, query: &BatchQuery<'_, '_, E, Q, T>) -> Result<BatchReport, BatchError> {
                fill_columns(self, query)
            }
        }

        impl<$($numbers)* E, Q, T> Answers<E, Q, T> for ColumnRows<$columns>
        where
            E: Engine + Sync + ?Sized,
            T: Item,
            Q: RowQuestion<E, T, Value = $record>,
            $columns: ValueList<$record>,
        {
            fn has_rows(_: &Q) -> bool {
                true
            }

            /// After an error there are no rows.
            fn fill(&mut self, query: &BatchQuery<'_, '_, E, Q, T>) -> Result<BatchReport, BatchError> {
                fill_rows(query, &mut self.offsets, &mut self.values, |offset| offset as i64)
            }
        }

        impl<$($numbers)*> From<&Rows<$record>> for ColumnRows<$columns>
        where
            $columns: ValueList<$record> + Default,
        {
            /// Returns the same rows in columns.
            fn from(rows: &Rows<$record>) -> Self {
                let mut values = <$columns>::default();
                values.extend_from_values(&rows.values);
                let offsets = rows.offsets.iter().map(|&offset| offset as i64).collect();
                ColumnRows { offsets, values }
            }
        }
    };
    (@values [$columns:ty] [$record:ty] {$(
        $(#[$doc:meta])*
        $name:ident: $number:ty = $missing:expr, |$found:ident| $value:expr;
    )*}) => {
        impl Columns for $columns {
            type Value = $record;
            type Part<'a> = ($(&'a mut [$number],)*);

            fn resize(&mut self, items: usize) {
                $(
                    self.$name.clear();
                    self.$name.resize(items, $missing);
                )*
            }

            fn parts(&mut self, size: usize) -> Vec<Self::Part<'_>> {
                $(let mut $name = self.$name.chunks_mut(size);)*
                std::iter::from_fn(|| Some(($($name.next()?,)*))).collect()
            }

            fn set(($($name,)*): &mut Self::Part<'_>, place: usize, value: $record) {
                $($name[place] = {
                    let $found = &value;
                    $value
                };)*
            }
        }

        /// Answers in columns, without misses.
        impl ValueList<$record> for $columns {
            fn make_room(&mut self, more: usize) -> bool {
                true $(&& make_room(&mut self.$name, more))*
            }

            fn len(&self) -> usize {
                self.len()
            }

            fn clear(&mut self) {
                self.resize(0);
            }

            fn extend_from_values(&mut self, values: &[$record]) {
                $(self.$name.extend(values.iter().map(|$found| $value));)*
            }

            fn extend_from_span(&mut self, other: &Self, span: Range<usize>) {
                $(self.$name.extend_from_slice(&other.$name[span.clone()]);)*
            }
        }
    };
    (@row [] $($list:tt)*) => {};
    (@row [$row:expr] [$columns:ty] [$record:ty] {$(
        $(#[$doc:meta])*
        $name:ident: $number:ty = $missing:expr, |$found:ident| $value:expr;
    )*}) => {
        impl $columns {
            /// Returns the answer about an item; `None` where there is none, and when there is no such
            /// item.
            pub fn get(&self, item: usize) -> Option<$record> {
                $(let $name = *self.$name.get(item)?;)*
                $row
            }
        }

        impl ColumnRows<$columns> {
            /// Returns the answers about an item, in their order; `None` when there is no such item.
            pub fn row(&self, item: usize) -> Option<impl Iterator<Item = $record> + '_> {
                Some(self.span(item)?.filter_map(|place| self.values.get(place)))
            }
        }
    };
}
pub(super) use columns;
