//! Results of rows: of rays or of points, as files or JSON.

use crate::failure::Failure;
use crate::number::{Number, NumberJson, counted};
use crate::output::Output;
use crate::view_args;
use estoc::glam::Vec3;
use estoc_rays_io::{
    AnsweredBlock, ColumnKind, Format, HitSink, Input, Item, OutputColumn, OutputError,
    SinkOptions, Values, check_passed_text, hit_sink,
};
use serde_json::{Value, json};
use std::io::Write;

/// Bytes of JSON at which they are written before all rows of a block are formatted.
const MOST_TEXT: usize = 1 << 20;

/// The object of `--json`, besides its rows.
pub(crate) struct JsonObject {
    /// The fields before the rows, without braces, such as `"schema":"estoc.near/1"`.
    pub(crate) head: String,
    /// What is counted after the rows: "rays" or "points".
    pub(crate) items: &'static str,
    /// Whether rows have columns without a value, as null.
    pub(crate) has_nulls: bool,
}

/// Writes the rows of a result.
pub(crate) enum ResultRows<'a> {
    Json(JsonRows<'a>),
    File(Box<dyn HitSink + 'a>),
}

impl<'a> ResultRows<'a> {
    /// Writes what comes before the rows: an object if there is one, else a file of the format.
    pub(crate) fn begin(
        output: &'a mut Output,
        format: Format,
        columns: Vec<OutputColumn>,
        json: Option<JsonObject>,
        options: SinkOptions,
    ) -> Result<Self, Failure> {
        let name = output.name().to_owned();
        let begun = match json {
            Some(object) => check_passed_text(&columns, &options.passed)
                .and_then(|()| JsonRows::begin(output, columns, object))
                .map(ResultRows::Json),
            None => hit_sink(format, columns, output, options).map(ResultRows::File),
        };
        begun.map_err(|error| Failure::of_output(error, &name))
    }

    /// Returns what rows are given to.
    pub(crate) fn sink(&mut self) -> &mut dyn HitSink {
        match self {
            ResultRows::Json(rows) => rows,
            ResultRows::File(sink) => &mut **sink,
        }
    }

    /// Writes what comes after the rows; `more` are further fields of JSON, each after a comma.
    pub(crate) fn finish(self, more: &str) -> Result<(), OutputError> {
        match self {
            ResultRows::Json(rows) => {
                let end = format!("{}{more}}}\n", rows.end());
                Ok(rows.output.write_all(end.as_bytes())?)
            }
            ResultRows::File(sink) => sink.finish(),
        }
    }

    /// Returns the JSON that closes the rows after a failure.
    pub(crate) fn end(&self) -> Option<String> {
        match self {
            ResultRows::Json(rows) => Some(rows.end()),
            ResultRows::File(_) => None,
        }
    }
}

/// Writes rows as JSON objects.
pub(crate) struct JsonRows<'a> {
    output: &'a mut Output,
    columns: Vec<OutputColumn>,
    object: JsonObject,
    items: u64,
    any_row: bool,
}

impl<'a> JsonRows<'a> {
    fn begin(
        output: &'a mut Output,
        columns: Vec<OutputColumn>,
        object: JsonObject,
    ) -> Result<Self, OutputError> {
        write!(output, "{{{},\"results\":[", object.head)?;
        Ok(JsonRows {
            output,
            columns,
            object,
            items: 0,
            any_row: false,
        })
    }

    /// Returns the JSON that ends the rows.
    fn end(&self) -> String {
        let line = if self.any_row { "\n" } else { "" };
        format!("{line}],\"{}\":{}", self.object.items, self.items)
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
            if !is_present && !self.object.has_nulls {
                continue;
            }
            let item = block.item(row);
            let value: Value = match (&values.values, column.kind) {
                _ if !is_present => Value::Null,
                (Values::Flags(values), _) => values[row].into(),
                (Values::Counts(values), _) => values[row].into(),
                (Values::Prims(values), _) => values[row].into(),
                (Values::Numbers(values), _) => Number(values[row]).json(),
                (Values::Numbers64(values), _) => values[row].into(),
                (Values::Vectors(values), _) => {
                    view_args::json_point(Vec3::from_array(values[row]))
                }
                (Values::Vectors64(values), _) => json!(values[row]),
                (Values::Texts(values), _) => values.get(row).into(),
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
pub(crate) fn metadata(query: &str, mesh_hash: Option<u64>) -> Vec<(String, String)> {
    let fields = [
        ("estoc.version", Some(env!("CARGO_PKG_VERSION").to_owned())),
        ("estoc.query", Some(query.to_owned())),
        (
            "estoc.mesh_hash",
            mesh_hash.map(|hash| format!("{hash:016x}")),
        ),
    ];
    let known = fields
        .into_iter()
        .filter_map(|(name, value)| Some((name.to_owned(), value?)));
    known.collect()
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
