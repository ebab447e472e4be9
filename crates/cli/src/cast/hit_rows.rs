//! Answers as rows in columns.

use super::cast_target::CastTarget;
use super::columns::{GROUP, INSTANCE, MATERIAL, NORMAL, OBJECT, POINT, SOURCE};
use crate::answer_columns::row_values::{each, numbers, some, texts, unless_all};
use crate::answer_columns::{Doubles, ResultColumns};
use estoc::batch::QueryAnswers;
use estoc::scene::Ray64;
use estoc_batch::Record;
use estoc_rays_io::{Answers, ColumnValues, TypedValues};
use std::borrow::Cow;
use std::iter::repeat_n;

/// The answers of an engine whose hits are of this type.
pub(super) type AnswersOf<H> = QueryAnswers<Vec<Option<H>>, estoc::batch::Rows<H>>;

/// What rows are made of.
pub(super) struct HitRows<'a, T: ?Sized> {
    pub(super) columns: &'a ResultColumns,
    pub(super) target: &'a T,
}

impl<T: ?Sized> HitRows<'_, T> {
    /// Returns the rows of the answers about some rays; `first` is the index of the first of them in
    /// its block.
    pub(super) fn of<H: Record, R: Copy + Into<Ray64> + Sync>(
        &self,
        answers: &AnswersOf<H>,
        rays: &[R],
        first: usize,
    ) -> Answers
    where
        T: CastTarget<H>,
    {
        let mut item_of_row = None;
        let columns = match answers {
            QueryAnswers::Closest(hits) => {
                self.of_hits(hits.len(), |row| hits[row].as_ref(), |row| rays[row])
            }
            QueryAnswers::Rows(lists) => {
                let lengths = lists.rows().map(<[H]>::len);
                // Blocks have fewer items.
                let items = (first as u32..).zip(lengths);
                let items: Vec<u32> = items.flat_map(|(item, len)| repeat_n(item, len)).collect();
                let ray = |row: usize| rays[items[row] as usize - first];
                let hits = &lists.values;
                let columns = self.of_hits(hits.len(), |row| Some(&hits[row]), ray);
                item_of_row = Some(items);
                columns
            }
            QueryAnswers::Any(any) => {
                (self.columns).values(|_| ColumnValues::all(TypedValues::Flags(any.clone())))
            }
            QueryAnswers::Counts(counts) => self.columns.values(|_| {
                let counts = counts.iter().map(|&count| count as i64);
                ColumnValues::all(TypedValues::Counts(counts.collect()))
            }),
        };
        Answers {
            items: first..first + rays.len(),
            item_of_row,
            columns,
        }
    }

    /// Returns the columns of rows that have a hit or none.
    fn of_hits<'h, H: Record, R: Into<Ray64>>(
        &self,
        rows: usize,
        hit: impl Fn(usize) -> Option<&'h H> + Sync,
        ray: impl Fn(usize) -> R + Sync,
    ) -> Vec<ColumnValues>
    where
        T: CastTarget<H>,
    {
        let HitRows { columns, target } = *self;
        let present = unless_all(each(rows, |row| hit(row).is_some()));
        let place = |row| target.place(&ray(row).into(), hit(row)?);
        let places = match columns.show(&[POINT, NORMAL]) {
            true => each(rows, place),
            false => Vec::new(),
        };
        let names = match columns.show(&[OBJECT, GROUP, MATERIAL]) {
            true => each(rows, |row| target.names(hit(row)?)),
            false => Vec::new(),
        };
        let name = |row: usize, which: usize| names[row]?[which].map(Cow::from);
        columns.values(|column| match column {
            "hit" => ColumnValues::all(TypedValues::Flags(each(rows, |row| hit(row).is_some()))),
            POINT => match target.doubles() {
                Doubles::None => some(rows, TypedValues::Vectors, |row| {
                    Some(places[row]?.0.to_f64().as_vec3().to_array())
                }),
                _ => some(rows, TypedValues::Vectors64, |row| {
                    Some(places[row]?.0.to_f64().to_array())
                }),
            },
            NORMAL => some(rows, TypedValues::Vectors, |row| {
                Some(places[row]?.1.to_array())
            }),
            OBJECT => texts(rows, &|row| name(row, 0)),
            GROUP => texts(rows, &|row| name(row, 1)),
            MATERIAL => texts(rows, &|row| name(row, 2)),
            SOURCE => texts(rows, &|row| Some(target.source(hit(row)?)?.into())),
            INSTANCE => texts(rows, &|row| Some(hit(row)?.path()?.to_string().into())),
            number => ColumnValues {
                values: numbers(number, target.doubles(), rows, &hit),
                present: present.clone(),
            },
        })
    }
}
