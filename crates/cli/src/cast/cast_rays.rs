//! Casts the rays of an input, block by block.

use super::asked::{Asked, CastRay, MasksOf, ask_some};
use super::cast_job::CastJob;
use super::cast_target::CastTarget;
use super::hit_rows::{AnswersOf, HitRows};
use super::undefined::Undefined;
use super::{Args, explain};
use crate::answer_columns::{Doubles, ResultColumns};
use crate::device_args::DeviceRun;
use crate::failure::Failure;
use crate::output::ResultOutput;
use crate::result_rows::{JsonObject, WantedRows, json_precision, metadata, rounding_note};
use crate::session::Session;
use crate::value_name::name_of;
use estoc::Batch;
use estoc::batch::BatchReport;
use estoc::engine::{Engine, HitOf};
use estoc::query::Query;
use estoc_rays_io::{Emit, Input, SinkOptions, TableFormat, hit_sink};

/// The size of the first chunk if a ray may have any number of answers.
const FIRST_CHUNK: usize = 1 << 8;
/// The size of the largest such chunk.
const LAST_CHUNK: usize = 1 << 12;
/// The number of hits in a chunk from which on the next chunk is smaller; fewer if there is little
/// memory.
const MANY_HITS: usize = 1 << 20;
/// The most hits in memory at a time, unless a single ray has more, and the bytes of each with its
/// row.
const MOST_HITS: usize = 1 << 22;
const HIT_BYTES: u64 = 256;
/// Rays that a thread takes at a time if a ray may have any number of answers.
const PIECE: usize = 64;

/// Answers the rays of a block.
pub(super) type BlockAnswers<'a, R> = dyn FnMut(&[R], &mut Emit<'_>) -> Result<(), Failure> + 'a;

/// The result that is wanted.
pub(super) struct WantedResult<'a> {
    /// A file or stdout, unless it is a job.
    pub(super) output: Option<ResultOutput>,
    pub(super) job: Option<CastJob<'a>>,
    pub(super) format: TableFormat,
    pub(super) columns: ResultColumns,
}

/// A query with the engine that answers it.
pub(super) struct Cast<'a, E: Engine + ?Sized, T> {
    pub(super) engine: &'a E,
    pub(super) target: &'a T,
    pub(super) call: CastCall<'a>,
}

/// What is asked, whatever the engine.
#[derive(Clone, Copy)]
pub(super) struct CastCall<'a> {
    /// The content hash of the mesh, if it is known.
    pub(super) mesh_hash: Option<u64>,
    pub(super) question: Query,
    /// The device that is asked, if it is one.
    pub(super) device: Option<&'a DeviceRun<'a>>,
    pub(super) args: &'a Args,
    pub(super) session: &'a Session,
}

impl CastCall<'_> {
    /// Returns what a file of Parquet tells about itself.
    fn metadata(&self, doubles: Doubles) -> Vec<(String, String)> {
        metadata(&name_of(&self.args.query), self.mesh_hash, doubles)
    }

    /// Returns a batch with the options of all rays.
    fn batch<I: Copy>(&self) -> Batch<'_, I> {
        let batch = self.session.batch().options(self.args.options());
        match self.device {
            Some(_) => DeviceRun::settings(batch),
            None => batch,
        }
    }
}

/// What is added up over all rays.
#[derive(Default)]
struct CastTotals {
    undefined: Undefined,
    report: Option<BatchReport>,
}

impl<E: Engine + ?Sized, T: CastTarget<HitOf<E>>> Cast<'_, E, T> {
    /// Casts all rays, and writes the result or the parts of the job.
    pub(super) fn run<R: CastRay>(
        &self,
        mut rays: Input<R>,
        result: WantedResult<'_>,
    ) -> Result<(), Failure>
    where
        E: Asked<R>,
    {
        let WantedResult {
            output,
            job,
            format,
            columns,
        } = result;
        let call = &self.call;
        if let Some(job) = job {
            return self.run_job(rays, job, format, &columns);
        }
        let wanted = WantedRows {
            output: match output {
                Some(output) => output,
                None => ResultOutput::open(None)?,
            },
            format,
            columns: columns.output(format, self.target.doubles()),
            json: JsonObject {
                head: format!(
                    "\"schema\":\"estoc.cast/1\",\"query\":\"{}\"{}",
                    name_of(&call.args.query),
                    json_precision(self.target.doubles())
                ),
                has_nulls: columns.are_chosen(),
            },
            rows: rays.rows().filter(|_| !call.args.query.lists_hits()),
            metadata: call.metadata(self.target.doubles()),
            session: call.session,
        };
        let mut totals = CastTotals::default();
        wanted.write(&mut rays, |mut asked| {
            self.with_answers(&columns, &mut totals, |answer| {
                asked.answer("casting", answer)
            })?;
            Ok(match call.args.explain {
                true => self.explanation::<R>(totals.report.take()),
                false => String::new(),
            })
        })?;
        self.tell_notes(&totals, &rays);
        Ok(())
    }

    /// Prints the technique that was used, and returns what it adds to the object of `--json`.
    fn explanation<R: CastRay>(&self, report: Option<BatchReport>) -> String
    where
        E: Asked<R>,
    {
        let CastCall {
            device, session, ..
        } = self.call;
        // Even an empty batch has a plan.
        let batch = self.call.batch();
        let none: &[R] = &[];
        let plan = || batch.plan(self.engine, self.call.question, none);
        let report = report.unwrap_or_else(|| plan().into());
        for line in report.to_string().lines() {
            session.note(line);
        }
        if let Some(device) = device {
            session.note(device.explanation());
        }
        format!(",\n\"batch\":{}", explain::object(&report, device))
    }

    /// Casts the rays of a job.
    fn run_job<R: CastRay>(
        &self,
        mut rays: Input<R>,
        job: CastJob<'_>,
        format: TableFormat,
        columns: &ResultColumns,
    ) -> Result<(), Failure>
    where
        E: Asked<R>,
    {
        let mut options = SinkOptions::default();
        options.metadata = self.call.metadata(self.target.doubles());
        options.passed = rays.passed_types();
        let written = columns.output(format, self.target.doubles());
        let mut totals = CastTotals::default();
        self.with_answers(columns, &mut totals, |answer| {
            let sink = |part| hit_sink(format, written.clone(), part, options.clone());
            job.run(&mut rays, &sink, answer)
        })?;
        self.tell_notes(&totals, &rays);
        Ok(())
    }

    fn tell_notes<R: CastRay>(&self, totals: &CastTotals, rays: &Input<R>) {
        if let Some(note) = totals.undefined.note() {
            self.call.session.note(note);
        }
        if let Some(note) = rounding_note(rays) {
            self.call.session.note(note);
        }
        if let Some(note) = self.call.device.and_then(DeviceRun::fault_note) {
            self.call.session.note(note);
        }
    }

    /// Calls `work` with what answers the rays of a block.
    fn with_answers<R: CastRay>(
        &self,
        columns: &ResultColumns,
        totals: &mut CastTotals,
        work: impl FnOnce(&mut BlockAnswers<'_, R>) -> Result<(), Failure>,
    ) -> Result<(), Failure>
    where
        E: Asked<R>,
    {
        let CastCall {
            question,
            device,
            args,
            session,
            ..
        } = self.call;
        let batch = self.call.batch();
        let memory = session.rows_memory();
        let most_hits = usize::try_from(memory / HIT_BYTES).unwrap_or(MOST_HITS);
        let most_hits = most_hits.clamp(1 << 10, MOST_HITS);
        let mut answers = AnswersOf::<HitOf<E>>::default();
        // Small chunks for each thread: the first rays may be few and have many hits each.
        let (mut chunk, settings) = match args.query.lists_hits() {
            true if device.is_some() => (FIRST_CHUNK, batch.chunk_size(LAST_CHUNK)),
            true => (FIRST_CHUNK, batch.chunk_size(PIECE)),
            false => (usize::MAX, batch),
        };
        let target = self.target;
        let rows = HitRows { columns, target };
        work(&mut |rays: &[R], emit: &mut Emit<'_>| {
            totals.undefined.look(emit.first_row(), rays);
            let mut done = 0;
            while done < rays.len() && !emit.is_closed() {
                let asked = (self.engine, question);
                let range = done..rays.len().min(done.saturating_add(chunk));
                let masks = emit.masks().map(|masks| &masks[range.clone()]);
                let masks = MasksOf::new(masks, args.options());
                let some = &rays[range];
                let asked = ask_some(&settings, &masks, asked, some, most_hits, &mut answers);
                let (count, report) = match device {
                    Some(device) => device.told(asked)?,
                    None => asked?,
                };
                emit.put(rows.of(&answers, &some[..count], done));
                done += count;
                if count < some.len() {
                    // The others were in vain, and would be again.
                    chunk = count;
                } else if let AnswersOf::Rows(rows) = &answers {
                    chunk = next_chunk(chunk, rows.values.len(), most_hits);
                }
                match &mut totals.report {
                    None => totals.report = Some(report),
                    Some(total) => *total += report,
                }
                session.check_interrupt()?;
            }
            Ok(())
        })
    }
}

/// Returns the size of the next chunk: memory grows with the hits, so many hits halve the chunk. A
/// chunk that has more than `most_hits` is answered in part only, so chunks stay well below.
fn next_chunk(chunk: usize, hits: usize, most_hits: usize) -> usize {
    let next = if hits < MANY_HITS.min(most_hits / 4) {
        chunk * 2
    } else {
        chunk / 2
    };
    next.clamp(1, LAST_CHUNK)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_follow_the_number_of_hits() {
        let next = |chunk, hits| next_chunk(chunk, hits, MOST_HITS);
        assert_eq!(next(FIRST_CHUNK, 0), 512);
        assert_eq!(next(FIRST_CHUNK, MANY_HITS), 128);
        assert_eq!(next(LAST_CHUNK, 5), LAST_CHUNK);
        assert_eq!(next(1, usize::MAX), 1);
    }

    #[test]
    fn chunks_stay_below_the_most_hits_that_little_memory_allows() {
        // Each ray has 100 hits; chunks that grew beyond the limit would be answered again and again.
        let (hits_of_ray, most_hits) = (100, 1 << 17);
        let mut chunk = FIRST_CHUNK;
        for _ in 0..20 {
            assert!(chunk * hits_of_ray <= most_hits, "{chunk}");
            chunk = next_chunk(chunk, chunk * hits_of_ray, most_hits);
        }
    }
}
