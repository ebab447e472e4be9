//! Rows of CSV or JSON.

use super::columns::{AnswerColumn, Columns, Row};
use crate::failure::Failure;
use crate::item_reader::PassedCells;
use crate::output::Output;

/// Writes rows of CSV or JSON as answers arrive.
pub(super) struct Rows<C> {
    output: Output,
    columns: Columns<C>,
    json: bool,
    count: u64,
    /// Buffer for a row.
    text: Vec<u8>,
}

impl<C: AnswerColumn> Rows<C> {
    pub(super) fn begin(
        mut output: Output,
        columns: Columns<C>,
        json: bool,
    ) -> Result<Self, Failure> {
        if json {
            let schema = C::SCHEMA;
            output.put(format_args!("{{\"schema\":\"{schema}\",\"results\":["))?;
        } else {
            output.put(format_args!("{}\n", columns.header()))?;
        }
        Ok(Rows {
            output,
            columns,
            json,
            count: 0,
            text: Vec::new(),
        })
    }

    pub(super) fn put(
        &mut self,
        answer: &C::Answer,
        cells: (&PassedCells, usize),
    ) -> Result<(), Failure> {
        let point = self.count;
        self.count += 1;
        let row = Row {
            point,
            answer,
            cells,
        };
        self.text.clear();
        if self.json {
            let comma: &[u8] = if point > 0 { b",\n" } else { b"\n" };
            self.text.extend_from_slice(comma);
            self.columns.put_json(&mut self.text, &row);
        } else {
            self.columns.put_csv(&mut self.text, &row);
        }
        self.output.put_bytes(&self.text)
    }

    /// Writes the text after the rows and finishes the output; only then does a file appear.
    pub(super) fn end(mut self) -> Result<(), Failure> {
        if self.json {
            let end = self.rows_end();
            self.output.put(format_args!("{end}}}\n"))?;
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
        let line = if self.count > 0 { "\n" } else { "" };
        format!("{line}],\"points\":{}", self.count)
    }
}
