//! Answers as columns of values.

use super::columns::{Column, Columns, Found, Point, RowHit};
use super::rows::{AnswersOf, Needed, Tell};
use estoc::batch::QueryAnswers;
use estoc::scene::Ray64;
use estoc_rays_io::{Answers, ColumnKind, ColumnValues, OutputColumn, Texts, Values};
use std::sync::Arc;

/// Returns the columns of a file; points are those of a world in `f64`s, or of a mesh.
pub(super) fn output_columns(columns: &Columns, is_world: bool) -> Vec<OutputColumn> {
    let column = |column: &Column| {
        let kind = kind(column, is_world);
        OutputColumn::new(column.name(), kind).missing(match column {
            Column::T => "inf",
            Column::Prim => "-1",
            Column::Point | Column::Normal => ",,",
            _ => "",
        })
    };
    columns.all().iter().map(column).collect()
}

fn kind(column: &Column, is_world: bool) -> ColumnKind {
    match column {
        Column::Ray => ColumnKind::Row,
        Column::Hit => ColumnKind::Flag,
        Column::Count => ColumnKind::Count,
        Column::Prim => ColumnKind::Prim,
        Column::T | Column::U | Column::V => ColumnKind::Number,
        Column::Point if is_world => ColumnKind::Vector64,
        Column::Point | Column::Normal => ColumnKind::Vector,
        Column::Input(place, _) => ColumnKind::Passed(*place),
        _ => ColumnKind::Text,
    }
}

/// Turns answers into columns of values.
pub(super) struct BlockAnswers<'a> {
    pub(super) columns: &'a Columns,
    pub(super) is_world: bool,
}

/// A column that is being filled.
struct Filled {
    values: Values,
    present: Vec<bool>,
}

impl BlockAnswers<'_> {
    /// Returns the values of the rows about some rays of a block, of which `first` is the first.
    pub(super) fn of<H, R: Copy + Into<Ray64>>(
        &self,
        answers: &AnswersOf<H>,
        tell: &Tell<'_, H>,
        (rays, first): (&[R], usize),
    ) -> Answers {
        let mut filled: Vec<Filled> = self.columns.all().iter().map(|it| self.empty(it)).collect();
        let needed = Needed {
            details: self.columns.need_details(),
            source: self.columns.need_source(),
        };
        let mut put = |found: &Found<'_>| {
            for (column, filled) in self.columns.all().iter().zip(&mut filled) {
                filled.put(column, found);
            }
        };
        let told = |ray: usize, hit: &H| tell(&rays[ray].into(), hit, needed);
        let mut item_of_row = None;
        let count = match answers {
            QueryAnswers::Closest(hits) => {
                for (ray, hit) in hits.iter().enumerate() {
                    match hit {
                        Some(hit) => put(&Found::Hit(&told(ray, hit))),
                        None => put(&Found::Miss),
                    }
                }
                hits.len()
            }
            QueryAnswers::Any(any) => {
                any.iter().for_each(|&any| put(&Found::Any(any)));
                any.len()
            }
            QueryAnswers::Counts(counts) => {
                counts.iter().for_each(|&count| put(&Found::Count(count)));
                counts.len()
            }
            QueryAnswers::Rows(lists) => {
                let mut items = Vec::with_capacity(lists.values.len());
                for (ray, ends) in lists.offsets.windows(2).enumerate() {
                    for hit in &lists.values[ends[0]..ends[1]] {
                        put(&Found::Hit(&told(ray, hit)));
                        items.push((first + ray) as u32);
                    }
                }
                item_of_row = Some(items);
                lists.offsets.len().saturating_sub(1)
            }
        };
        Answers {
            items: first..first + count,
            item_of_row,
            columns: filled.into_iter().map(Filled::finish).collect(),
        }
    }

    fn empty(&self, column: &Column) -> Filled {
        let values = match kind(column, self.is_world) {
            ColumnKind::Flag => Values::Flags(Vec::new()),
            ColumnKind::Count => Values::Counts(Vec::new()),
            ColumnKind::Prim => Values::Prims(Vec::new()),
            ColumnKind::Number => Values::Numbers(Vec::new()),
            ColumnKind::Vector => Values::Vectors(Vec::new()),
            ColumnKind::Vector64 => Values::Vectors64(Vec::new()),
            ColumnKind::Text => Values::Texts(Texts::default()),
            _ => Values::Given,
        };
        let present = Vec::new();
        Filled { values, present }
    }
}

impl Filled {
    /// Appends the value of a row.
    fn put(&mut self, column: &Column, found: &Found<'_>) {
        let hit = match found {
            Found::Hit(RowHit { hit, .. }) => Some(hit),
            _ => None,
        };
        let is_present = match &mut self.values {
            Values::Flags(all) => {
                all.push(found.is_hit());
                true
            }
            Values::Counts(all) => {
                let count = match found {
                    Found::Count(count) => i64::try_from(*count).unwrap_or(i64::MAX),
                    _ => 0,
                };
                all.push(count);
                true
            }
            Values::Prims(all) => {
                all.push(hit.map_or(0, |hit| hit.prim.get()));
                hit.is_some()
            }
            Values::Numbers(all) => {
                all.push(hit.map_or(0.0, |hit| match column {
                    Column::T => hit.t,
                    Column::U => hit.u,
                    _ => hit.v,
                }));
                hit.is_some()
            }
            Values::Vectors(all) => {
                let point = match column.vector(found) {
                    Some(Point::Near(point)) => Some(point.to_array()),
                    _ => None,
                };
                all.push(point.unwrap_or_default());
                point.is_some()
            }
            Values::Vectors64(all) => {
                let point = match column.vector(found) {
                    Some(Point::World(point)) => Some(point.to_array()),
                    _ => None,
                };
                all.push(point.unwrap_or_default());
                point.is_some()
            }
            Values::Texts(all) => {
                let path = hit.filter(|_| *column == Column::Instance);
                let path = path.map(|hit| hit.path.to_string());
                let word = path.as_deref().or_else(|| column.word(found));
                all.push(word.unwrap_or_default());
                word.is_some()
            }
            _ => true,
        };
        self.present.push(is_present);
    }

    fn finish(self) -> ColumnValues {
        let Filled { values, present } = self;
        let is_whole = matches!(values, Values::Given) || present.iter().all(|&it| it);
        ColumnValues {
            values,
            present: (!is_whole).then(|| Arc::new(present)),
        }
    }
}
