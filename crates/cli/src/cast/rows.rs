//! Answers as rows of CSV or JSON.

use super::columns::{Columns, Found, Row, RowHit};
use super::explain;
use super::query::Query;
use crate::failure::Failure;
use crate::item_reader::{Chunk, PassedCells};
use crate::output::Output;
use estoc::batch::{BatchReport, HitRows, QueryAnswers};
use estoc::scene::Ray64;

/// The answers of an engine whose hits are of this type.
pub(super) type AnswersOf<H> = QueryAnswers<Vec<Option<H>>, HitRows<H>>;

/// Returns what columns show of a hit.
pub(super) type Tell<'a, H> = dyn Fn(&Ray64, &H, Needed) -> RowHit<'a> + 'a;

/// What columns need beyond the hit itself.
#[derive(Clone, Copy)]
pub(super) struct Needed {
    pub(super) details: bool,
    pub(super) source: bool,
}

/// Writes rows as answers arrive, and counts the rays.
pub(super) struct Rows {
    output: Output,
    json: bool,
    columns: Columns,
    needed: Needed,
    rays: usize,
    any_row: bool,
    /// Buffer for a row.
    text: Vec<u8>,
}

impl Rows {
    /// Writes the text before the rows.
    pub(super) fn begin(
        mut output: Output,
        query: Query,
        columns: Columns,
        json: bool,
    ) -> Result<Self, Failure> {
        if json {
            let query = query.name();
            output.put(format_args!(
                "{{\"schema\":\"estoc.cast/1\",\"query\":\"{query}\",\"results\":["
            ))?;
        } else {
            output.put(format_args!("{}\n", columns.header()))?;
        }
        Ok(Rows {
            output,
            json,
            needed: Needed {
                details: columns.need_details(),
                source: columns.need_source(),
            },
            columns,
            rays: 0,
            any_row: false,
            text: Vec::new(),
        })
    }

    /// Writes the answers of the next rays; `first` is the index of the first of them in the chunk.
    pub(super) fn put<H, R: Copy + Into<Ray64>>(
        &mut self,
        answers: &AnswersOf<H>,
        tell: &Tell<'_, H>,
        (chunk, first): (&Chunk<R>, usize),
    ) -> Result<(), Failure> {
        let (cells, rays) = (&chunk.cells, &chunk.items[first..]);
        match answers {
            QueryAnswers::Closest(hits) => self.each(hits, |rows, hit, item| match hit {
                Some(hit) => rows.hit(
                    &tell(&rays[item].into(), hit, rows.needed),
                    (cells, first + item),
                ),
                None => rows.row(Found::Miss, (cells, first + item)),
            }),
            QueryAnswers::Any(any) => self.each(any, |rows, &any, item| {
                rows.row(Found::Any(any), (cells, first + item))
            }),
            QueryAnswers::Counts(counts) => self.each(counts, |rows, &count, item| {
                rows.row(Found::Count(count), (cells, first + item))
            }),
            QueryAnswers::Rows(lists) => {
                let ends: Vec<&[usize]> = lists.offsets.windows(2).collect();
                self.each(&ends, |rows, ends, item| {
                    let mut hits = lists.values[ends[0]..ends[1]].iter();
                    hits.try_for_each(|hit| {
                        rows.hit(
                            &tell(&rays[item].into(), hit, rows.needed),
                            (cells, first + item),
                        )
                    })
                })
            }
        }
    }

    /// Calls `put` for each answer; each belongs to one ray.
    fn each<A>(
        &mut self,
        answers: &[A],
        put: impl Fn(&mut Self, &A, usize) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        for (item, answer) in answers.iter().enumerate() {
            put(self, answer, item)?;
            self.rays += 1;
        }
        Ok(())
    }

    /// Writes the text after the rows, with the report if there is one, and finishes the output;
    /// only then does a file appear.
    pub(super) fn end(mut self, report: Option<&BatchReport>) -> Result<(), Failure> {
        if self.json {
            let end = self.rows_end();
            self.output.put(format_args!("{end}"))?;
            if let Some(report) = report {
                let batch = explain::object(report);
                self.output.put(format_args!(",\n\"batch\":{batch}"))?;
            }
            self.output.put(format_args!("}}\n"))?;
        }
        self.output.finish()
    }

    /// Ends the result after a failure; see [`Output::fail`].
    pub(super) fn fail(self, failure: Failure) -> Failure {
        let end = self.json.then(|| self.rows_end());
        self.output.fail(failure, end)
    }

    /// Returns the JSON that ends the rows.
    fn rows_end(&self) -> String {
        let line = if self.any_row { "\n" } else { "" };
        format!("{line}],\"rays\":{}", self.rays)
    }

    fn hit(&mut self, hit: &RowHit<'_>, cells: (&PassedCells, usize)) -> Result<(), Failure> {
        self.row(Found::Hit(hit), cells)
    }

    fn row(&mut self, found: Found<'_>, cells: (&PassedCells, usize)) -> Result<(), Failure> {
        let row = Row {
            ray: self.rays,
            found,
            cells,
        };
        self.text.clear();
        if self.json {
            let comma: &[u8] = if self.any_row { b",\n" } else { b"\n" };
            self.any_row = true;
            self.text.extend_from_slice(comma);
            self.columns.put_json(&mut self.text, &row);
        } else {
            self.columns.put_csv(&mut self.text, &row);
        }
        self.output.put_bytes(&self.text)
    }
}
