//! Results of rows: of rays or of points, as files or JSON.

use crate::answer_columns::Doubles;
use crate::failure::Failure;
use crate::number::{Number, NumberJson, counted};
use crate::output::ResultOutput;
use crate::session::Session;
use crate::view_args;
use estoc::glam::Vec3;
use estoc_rays_io::{
    AnsweredBlock, ColumnKind, Emit, HitSink, Input, InputProgress, Item, Limits, OutputColumn,
    OutputError, SinkOptions, TableFormat, TypedValues, Watch, check_passed_text, hit_sink,
};
use serde_json::{Value, json};
use std::io::Write;

/// Bytes of JSON at which they are written before all rows of a block are formatted.
const MOST_TEXT: usize = 1 << 20;

/// The object of `--json`, besides its rows.
pub(crate) struct JsonObject {
    /// The fields before the rows, without braces, such as `"schema":"estoc.near/1"`.
    pub(crate) head: String,
    /// Whether rows have columns without a value, as null.
    pub(crate) has_nulls: bool,
}

/// A result of rows, and where it goes.
pub(crate) struct WantedRows<'a> {
    pub(crate) output: ResultOutput,
    pub(crate) format: TableFormat,
    pub(crate) columns: Vec<OutputColumn>,
    /// With `--json`, the object that the rows are written in.
    pub(crate) json: JsonObject,
    /// The number of rows, if it is known.
    pub(crate) rows: Option<u64>,
    /// What Parquet tells about itself.
    pub(crate) metadata: Vec<(String, String)>,
    pub(crate) session: &'a Session,
}

/// An input whose items are asked about, and what the rows of their answers are given to.
pub(crate) struct AskedInput<'a, T> {
    pub(crate) input: &'a mut Input<T>,
    sink: &'a mut dyn HitSink,
    to: &'a str,
    session: &'a Session,
}

impl WantedRows<'_> {
    /// Writes the result. `ask` makes the rows, and returns further fields of JSON, each after a comma.
    pub(crate) fn write<T: Item>(
        mut self,
        input: &mut Input<T>,
        ask: impl FnOnce(AskedInput<'_, T>) -> Result<String, Failure>,
    ) -> Result<(), Failure> {
        let to = self.output.name().to_owned();
        let of_output = |error| Failure::of_output(error, &to);
        let mut options = SinkOptions::default();
        options.rows = self.rows;
        options.metadata = self.metadata;
        options.passed = input.passed_types();
        let session = self.session;
        let (output, to) = (&mut self.output, &*to);
        let ask = |sink: &mut dyn HitSink| {
            ask(AskedInput {
                input,
                sink,
                to,
                session,
            })
        };
        let failed = if session.json() {
            check_passed_text(&self.columns, &options.passed).map_err(of_output)?;
            let rows = JsonRows::begin(output, self.columns, &self.json, T::PLURAL);
            let mut rows = rows.map_err(of_output)?;
            match ask(&mut rows) {
                Ok(more) => rows.finish(&more).map(|()| None).map_err(of_output)?,
                Err(failure) => Some((failure, Some(rows.end()))),
            }
        } else {
            let sink = hit_sink(self.format, self.columns, output, options);
            let mut sink = sink.map_err(of_output)?;
            match ask(&mut *sink) {
                Ok(_) => sink.finish().map(|()| None).map_err(of_output)?,
                Err(failure) => Some((failure, None)),
            }
        };
        match failed {
            None => self.output.finish(),
            Some((failure, end)) => Err(self.output.fail(failure, end)),
        }
    }
}

impl<T: Item> AskedInput<'_, T> {
    /// Reads all items and writes the rows of the answers. `doing` is shown with the progress.
    pub(crate) fn answer(
        &mut self,
        doing: &str,
        answer: impl FnMut(&[T], &mut Emit<'_>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let bar = self.session.progress(doing, self.input.progress().total);
        let progress = |items: u64, progress: InputProgress| {
            bar.set(progress.done);
            bar.set_items(items, T::PLURAL);
        };
        let watch = Watch::cancel(&self.session.cancel).progress(&progress);
        let limits = Limits::memory(self.session.rows_memory());
        let all = 0..u64::MAX;
        let done = estoc_rays_io::run(self.input, all, limits, answer, self.sink, watch);
        done.map(drop)
            .map_err(|error| Failure::of_run(error, self.to))
    }
}

/// Writes rows as JSON objects.
struct JsonRows<'a> {
    output: &'a mut ResultOutput,
    columns: Vec<OutputColumn>,
    has_nulls: bool,
    /// What is counted after the rows: "rays" or "points".
    plural: &'static str,
    items: u64,
    any_row: bool,
}

impl<'a> JsonRows<'a> {
    fn begin(
        output: &'a mut ResultOutput,
        columns: Vec<OutputColumn>,
        object: &JsonObject,
        plural: &'static str,
    ) -> Result<Self, OutputError> {
        write!(output, "{{{},\"results\":[", object.head)?;
        Ok(JsonRows {
            output,
            columns,
            has_nulls: object.has_nulls,
            plural,
            items: 0,
            any_row: false,
        })
    }

    /// Writes what comes after the rows; `more` are further fields, each after a comma.
    fn finish(self, more: &str) -> Result<(), OutputError> {
        let end = format!("{}{more}}}\n", self.end());
        Ok(self.output.write_all(end.as_bytes())?)
    }

    /// Returns the JSON that ends the rows.
    fn end(&self) -> String {
        let line = if self.any_row { "\n" } else { "" };
        format!("{line}],\"{}\":{}", self.plural, self.items)
    }

    /// Appends a row.
    fn put_row(
        &self,
        text: &mut Vec<u8>,
        block: &AnsweredBlock<'_>,
        row: usize,
    ) -> Result<(), OutputError> {
        let mut before = '{';
        for (column, values) in self.columns.iter().zip(&block.answers.columns) {
            let is_present = values.is_present(row);
            if !is_present && !self.has_nulls {
                continue;
            }
            let item = block.item(row);
            let value: Value = match (&values.values, column.kind) {
                _ if !is_present => Value::Null,
                (TypedValues::Flags(values), _) => values[row].into(),
                (TypedValues::Counts(values), _) => values[row].into(),
                (TypedValues::Prims(values), _) => values[row].into(),
                (TypedValues::Numbers(values), _) => Number(values[row]).json(),
                (TypedValues::Numbers64(values), _) => values[row].into(),
                (TypedValues::Vectors(values), _) => {
                    view_args::json_point(Vec3::from_array(values[row]))
                }
                (TypedValues::Vectors64(values), _) => json!(values[row]),
                (TypedValues::Texts(values), _) => values.get(row).into(),
                (_, ColumnKind::Passed(place)) => {
                    let text = block.passed.text(item, place);
                    text.map(Value::from).map_err(|problem| OutputError::Text {
                        row: block.input_row(item),
                        column: column.name.clone(),
                        problem,
                    })?
                }
                _ => block.input_row(item).into(),
            };
            let name = json!(column.name);
            text.extend_from_slice(format!("{before}{name}:{value}").as_bytes());
            before = ',';
        }
        text.push(b'}');
        Ok(())
    }
}

impl HitSink for JsonRows<'_> {
    fn put(&mut self, block: &AnsweredBlock<'_>) -> Result<(), OutputError> {
        let mut text = Vec::new();
        for row in 0..block.rows() {
            let comma: &[u8] = if self.any_row { b",\n" } else { b"\n" };
            self.any_row = true;
            text.extend_from_slice(comma);
            self.put_row(&mut text, block, row)?;
            if text.len() >= MOST_TEXT {
                self.output.write_all(&text)?;
                text.clear();
            }
        }
        self.items += block.answers.items.len() as u64;
        Ok(self.output.write_all(&text)?)
    }

    fn finish(self: Box<Self>) -> Result<(), OutputError> {
        Ok(self.output.flush()?)
    }
}

/// Returns what a file of Parquet tells about itself: nothing that differs between runs.
pub(crate) fn metadata(
    query: &str,
    mesh_hash: Option<u64>,
    doubles: Doubles,
) -> Vec<(String, String)> {
    let fields = [
        ("estoc.version", Some(env!("CARGO_PKG_VERSION").to_owned())),
        ("estoc.query", Some(query.to_owned())),
        (
            "estoc.mesh_hash",
            mesh_hash.map(|hash| format!("{hash:016x}")),
        ),
        (
            "estoc.precision",
            (doubles == Doubles::All).then(|| "f64".to_owned()),
        ),
    ];
    let known = fields
        .into_iter()
        .filter_map(|(name, value)| Some((name.to_owned(), value?)));
    known.collect()
}

/// Returns the field of JSON for answers about a mesh in `f64`, after a comma.
pub(crate) fn json_precision(doubles: Doubles) -> &'static str {
    match doubles {
        Doubles::All => ",\"precision\":\"f64\"",
        _ => "",
    }
}

/// Returns a note about numbers of a file that `f32` cannot hold.
pub(crate) fn rounding_note<T: Item>(input: &Input<T>) -> Option<String> {
    let count = usize::try_from(input.rounded()).unwrap_or(usize::MAX);
    let verb = if count == 1 { "was" } else { "were" };
    (count > 0).then(|| {
        format!(
            "{}: {} that f32 cannot hold {verb} rounded to the nearest f32",
            input.name(),
            counted(count, "number")
        )
    })
}
