//! The values of a column in the rows of a block.

use super::Doubles;
use estoc::query::Feature;
use estoc_batch::{ColumnNumber, ColumnVisitor, Record};
use estoc_rays_io::{ColumnValues, Texts, TypedValues};
use rayon::prelude::*;
use std::borrow::Cow;
use std::sync::Arc;

/// Rows that a thread takes at a time.
const PIECE: usize = 1 << 12;

/// The words for the parts of a triangle, by their [numbers](estoc::query::Feature::number).
const FEATURES: [&str; 7] = [
    "vertex0", "vertex1", "vertex2", "edge0", "edge1", "edge2", "face",
];

/// Returns the word for a part of a triangle.
pub(crate) fn feature_name(feature: Feature) -> &'static str {
    FEATURES[usize::from(feature.number()) % FEATURES.len()]
}

/// Returns a value of each of `rows` rows.
pub(crate) fn each<T: Clone + Default + Send>(
    rows: usize,
    value: impl Fn(usize) -> T + Sync,
) -> Vec<T> {
    let mut values = vec![T::default(); rows];
    in_pieces(values.chunks_mut(PIECE).collect(), &|piece, slots| {
        for (row, slot) in (piece * PIECE..).zip(slots.iter_mut()) {
            *slot = value(row);
        }
    });
    values
}

/// Sets pieces, by their index, on all threads. `set` is no type parameter, so that what rayon makes is
/// compiled once for each type of value instead of once for each column.
fn in_pieces<P: Send>(mut pieces: Vec<P>, set: &(dyn Fn(usize, &mut P) + Sync)) -> Vec<P> {
    let numbered = pieces.par_iter_mut().enumerate();
    numbered.for_each(|(piece, values)| set(piece, values));
    pieces
}

/// Returns the values of rows that may have one. Calls `value` twice for each row.
pub(crate) fn some<T: Clone + Default + Send>(
    rows: usize,
    values: fn(Vec<T>) -> TypedValues,
    value: impl Fn(usize) -> Option<T> + Sync,
) -> ColumnValues {
    ColumnValues {
        values: values(each(rows, |row| value(row).unwrap_or_default())),
        present: unless_all(each(rows, |row| value(row).is_some())),
    }
}

/// Returns the texts of rows that may have one.
pub(crate) fn texts<'a>(
    rows: usize,
    text: &(dyn Fn(usize) -> Option<Cow<'a, str>> + Sync),
) -> ColumnValues {
    let pieces = vec![(Texts::default(), Vec::new()); rows.div_ceil(PIECE)];
    let pieces = in_pieces(pieces, &|piece, (texts, present)| {
        for row in piece * PIECE..rows.min((piece + 1) * PIECE) {
            let text = text(row);
            texts.push(text.as_deref().unwrap_or_default());
            present.push(text.is_some());
        }
    });
    let (mut all, mut present) = (Texts::default(), Vec::with_capacity(rows));
    for (texts, some) in pieces {
        all.append(&texts);
        present.extend(some);
    }
    ColumnValues {
        values: TypedValues::Texts(all),
        present: unless_all(present),
    }
}

/// Returns which rows have a value; `None` if all have.
pub(crate) fn unless_all(present: Vec<bool>) -> Option<Arc<Vec<bool>>> {
    present.contains(&false).then(|| Arc::new(present))
}

/// Returns the values of the column of this name of the numbers of answers, any for a miss.
pub(crate) fn numbers<'a, R: Record>(
    column: &str,
    doubles: Doubles,
    rows: usize,
    answer: impl Fn(usize) -> Option<&'a R> + Sync,
) -> TypedValues {
    let mut found = NumberValues {
        column,
        doubles,
        rows,
        answer,
        values: TypedValues::Given,
    };
    R::columns(&mut found);
    debug_assert!(
        !matches!(found.values, TypedValues::Given),
        "no number is called {column}"
    );
    found.values
}

struct NumberValues<'c, A> {
    column: &'c str,
    doubles: Doubles,
    rows: usize,
    answer: A,
    values: TypedValues,
}

impl<'a, R: Record, A> ColumnVisitor<R> for NumberValues<'_, A>
where
    A: Fn(usize) -> Option<&'a R> + Sync,
{
    fn column<F>(&mut self, name: &'static str, missing: ColumnNumber, number: F)
    where
        F: Fn(&R) -> ColumnNumber + Copy + Send + Sync + 'static,
    {
        if name != self.column {
            return;
        }
        let (rows, answer) = (self.rows, &self.answer);
        let found = |row| answer(row).map(number);
        self.values = match missing {
            ColumnNumber::Prim(_) => TypedValues::Prims(each(rows, |row| match found(row) {
                Some(ColumnNumber::Prim(prim)) => prim,
                _ => 0,
            })),
            ColumnNumber::F64(_) if self.doubles != Doubles::None => {
                TypedValues::Numbers64(each(rows, |row| match found(row) {
                    Some(ColumnNumber::F64(number)) => number,
                    _ => 0.0,
                }))
            }
            ColumnNumber::F32(_) | ColumnNumber::F64(_) => {
                TypedValues::Numbers(each(rows, |row| match found(row) {
                    Some(ColumnNumber::F32(number)) => number,
                    Some(ColumnNumber::F64(number)) => number as f32,
                    _ => 0.0,
                }))
            }
            ColumnNumber::U8(_) => {
                let word = |row| match found(row)? {
                    ColumnNumber::U8(feature) => FEATURES.get(usize::from(feature)).copied(),
                    _ => None,
                };
                texts(rows, &|row| word(row).map(Cow::from)).values
            }
            // Whole numbers.
            _ => TypedValues::Counts(each(rows, |row| match found(row) {
                Some(ColumnNumber::I64(number)) => number,
                _ => 0,
            })),
        };
    }
}
