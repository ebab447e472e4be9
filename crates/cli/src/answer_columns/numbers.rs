//! The columns of the numbers of answers, from the list that all share.

use super::column::{AnswerColumn, AnswerKind, Cells, Push};
use estoc_batch::{ColumnNumber, ColumnVisitor, Record};
use estoc_rays_io::{ColumnKind, Values};

/// The words for the parts of a triangle, by their [numbers](estoc::query::Feature::number).
const FEATURES: [&str; 7] = [
    "vertex0", "vertex1", "vertex2", "edge0", "edge1", "edge2", "face",
];

/// Returns the columns of the numbers that `record` finds in answers: none in a miss.
pub(crate) fn numbers<K: AnswerKind, R: Record, F>(record: F) -> Vec<AnswerColumn<K>>
where
    F: for<'a, 'b> Fn(&'a K::Answer<'b>) -> Option<&'a R> + Copy + Send + Sync + 'static,
{
    let mut columns = NumberColumns {
        all: Vec::new(),
        record,
    };
    R::columns(&mut columns);
    columns.all
}

struct NumberColumns<K: AnswerKind, F> {
    all: Vec<AnswerColumn<K>>,
    record: F,
}

impl<K: AnswerKind, R: Record, F> ColumnVisitor<R> for NumberColumns<K, F>
where
    F: for<'a, 'b> Fn(&'a K::Answer<'b>) -> Option<&'a R> + Copy + Send + Sync + 'static,
{
    fn column<N>(&mut self, name: &'static str, missing: ColumnNumber, number: N)
    where
        N: Fn(&R) -> ColumnNumber + Copy + Send + Sync + 'static,
    {
        let (kind, missing) = match missing {
            ColumnNumber::F32(f32::INFINITY) => (ColumnKind::Number, "inf"),
            ColumnNumber::F32(_) => (ColumnKind::Number, ""),
            ColumnNumber::F64(_) => (ColumnKind::Number64, ""),
            ColumnNumber::Prim(_) => (ColumnKind::Prim, "-1"),
            ColumnNumber::U8(_) => (ColumnKind::Text, ""),
            // Whole numbers.
            _ => (ColumnKind::Count, ""),
        };
        let record = self.record;
        let push: Box<Push<K>> = Box::new(move |answers, values| {
            let found = answers.iter().map(|answer| record(answer).map(number));
            match values {
                Values::Prims(prims) => prims.extend(found.map(|number| match number {
                    Some(ColumnNumber::Prim(prim)) => prim,
                    _ => 0,
                })),
                Values::Numbers(numbers) => numbers.extend(found.map(|number| match number {
                    Some(ColumnNumber::F32(number)) => number,
                    Some(ColumnNumber::F64(number)) => number as f32,
                    _ => 0.0,
                })),
                Values::Numbers64(numbers) => numbers.extend(found.map(|number| match number {
                    Some(ColumnNumber::F64(number)) => number,
                    _ => 0.0,
                })),
                Values::Texts(texts) => found.for_each(|number| {
                    texts.push(match number {
                        Some(ColumnNumber::U8(feature)) => {
                            FEATURES.get(usize::from(feature)).copied().unwrap_or("")
                        }
                        _ => "",
                    });
                }),
                Values::Counts(counts) => counts.extend(found.map(|number| match number {
                    Some(ColumnNumber::I64(number)) => number,
                    _ => 0,
                })),
                // Kinds that no number has above.
                _ => {}
            }
        });
        let cells = Cells::Shared {
            kind,
            missing,
            push,
        };
        self.all.push(AnswerColumn::new(name, cells));
    }
}
