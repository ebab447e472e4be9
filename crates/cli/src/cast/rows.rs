//! Answers as rows of CSV or JSON.

use super::{Query, explain};
use crate::failure::Failure;
use crate::number::Number;
use crate::output::Output;
use estoc::{
    Hit,
    batch::{BatchReport, HitRows, QueryAnswers},
};

/// Writes rows as answers come, and counts the rays.
pub(super) struct Rows {
    output: Output,
    json: bool,
    rays: usize,
    any_row: bool,
}

impl Rows {
    /// Writes what comes before all rows.
    pub(super) fn begin(mut output: Output, query: Query, json: bool) -> Result<Self, Failure> {
        if json {
            let query = query.name();
            output.put(format_args!(
                "{{\"schema\":\"estoc.cast/1\",\"query\":\"{query}\",\"results\":["
            ))?;
        } else {
            output.put(format_args!("{}\n", columns(query)))?;
        }
        Ok(Rows {
            output,
            json,
            rays: 0,
            any_row: false,
        })
    }

    /// Writes the answers of the next rays.
    pub(super) fn put(&mut self, answers: &QueryAnswers) -> Result<(), Failure> {
        match answers {
            QueryAnswers::Closest(hits) => self.closest(hits),
            QueryAnswers::Any(any) => self.any(any),
            QueryAnswers::Counts(counts) => self.counts(counts),
            QueryAnswers::Rows(rows) => self.all(rows),
        }
    }

    fn closest(&mut self, hits: &[Option<Hit>]) -> Result<(), Failure> {
        for hit in hits {
            match hit {
                Some(hit) => self.hit(hit)?,
                None if self.json => self.row(format_args!("\"hit\":false"))?,
                None => self.row(format_args!("0,inf,-1,,"))?,
            }
            self.rays += 1;
        }
        Ok(())
    }

    fn any(&mut self, hits: &[bool]) -> Result<(), Failure> {
        for &hit in hits {
            if self.json {
                self.row(format_args!("\"hit\":{hit}"))?;
            } else {
                self.row(format_args!("{}", u8::from(hit)))?;
            }
            self.rays += 1;
        }
        Ok(())
    }

    fn all(&mut self, rows: &HitRows) -> Result<(), Failure> {
        for ends in rows.offsets.windows(2) {
            for hit in &rows.hits[ends[0]..ends[1]] {
                self.hit(hit)?;
            }
            self.rays += 1;
        }
        Ok(())
    }

    fn counts(&mut self, counts: &[usize]) -> Result<(), Failure> {
        for count in counts {
            if self.json {
                self.row(format_args!("\"count\":{count}"))?;
            } else {
                self.row(format_args!("{count}"))?;
            }
            self.rays += 1;
        }
        Ok(())
    }

    /// Writes what comes after all rows, with the report if that was asked for; only then a file
    /// appears.
    pub(super) fn end(mut self, report: Option<&BatchReport>) -> Result<(), Failure> {
        if self.json {
            let rays = self.rays;
            let line = if self.any_row { "\n" } else { "" };
            self.output.put(format_args!("{line}],\"rays\":{rays}"))?;
            if let Some(report) = report {
                let batch = explain::object(report);
                self.output.put(format_args!(",\n\"batch\":{batch}"))?;
            }
            self.output.put(format_args!("}}\n"))?;
        }
        self.output.finish()
    }

    fn hit(&mut self, hit: &Hit) -> Result<(), Failure> {
        let Hit { t, u, v, prim } = *hit;
        let (u, v) = (Number(u), Number(v));
        if self.json {
            let t = Number(t).json();
            self.row(format_args!(
                "\"hit\":true,\"t\":{t},\"prim\":{prim},\"u\":{u},\"v\":{v}"
            ))
        } else {
            self.row(format_args!("1,{},{prim},{u},{v}", Number(t)))
        }
    }

    fn row(&mut self, rest: std::fmt::Arguments<'_>) -> Result<(), Failure> {
        let ray = self.rays;
        if self.json {
            let comma = if self.any_row { "," } else { "" };
            self.any_row = true;
            self.output
                .put(format_args!("{comma}\n{{\"ray\":{ray},{rest}}}"))
        } else {
            self.output.put(format_args!("{ray},{rest}\n"))
        }
    }
}

fn columns(query: Query) -> &'static str {
    match query {
        Query::Closest | Query::All | Query::First | Query::CrossingHits => "ray,hit,t,prim,u,v",
        Query::Any => "ray,hit",
        Query::Count | Query::Crossings => "ray,count",
    }
}
