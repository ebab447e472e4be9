//! A column of answers.

use estoc_batch::{ColumnNumber, ColumnVisitor, Record};
use estoc_rays_io::{ColumnKind, OutputColumn};

/// A column of answers.
#[derive(Clone, Copy)]
pub(crate) struct AnswerColumn {
    pub(crate) name: &'static str,
    /// Whether there is the column without `--columns`.
    pub(crate) is_usual: bool,
    /// Coordinates are `f64`s here.
    kind: ColumnKind,
    missing: &'static str,
}

impl AnswerColumn {
    pub(crate) fn new(name: &'static str, kind: ColumnKind) -> Self {
        AnswerColumn {
            name,
            is_usual: true,
            kind,
            missing: match kind {
                ColumnKind::Vector | ColumnKind::Vector64 => ",,",
                _ => "",
            },
        }
    }

    /// Leaves the column out without `--columns`.
    pub(crate) fn on_request(self) -> Self {
        let is_usual = false;
        AnswerColumn { is_usual, ..self }
    }

    /// Returns the column as it is written: coordinates are `f64`s in the world, and `f32`s elsewhere.
    pub(super) fn output(&self, is_world: bool) -> OutputColumn {
        let kind = match self.kind {
            ColumnKind::Number64 if !is_world => ColumnKind::Number,
            ColumnKind::Vector64 if !is_world => ColumnKind::Vector,
            kind => kind,
        };
        OutputColumn::new(self.name, kind).missing(self.missing)
    }

    /// Returns the columns of the numbers of an answer.
    pub(crate) fn of_numbers<R: Record>() -> Vec<AnswerColumn> {
        let mut columns = Vec::new();
        R::columns(&mut ColumnList(&mut columns));
        columns
    }
}

struct ColumnList<'a>(&'a mut Vec<AnswerColumn>);

impl<R> ColumnVisitor<R> for ColumnList<'_> {
    fn column<F>(&mut self, name: &'static str, missing: ColumnNumber, _: F) {
        let (kind, missing) = match missing {
            ColumnNumber::F32(f32::INFINITY) => (ColumnKind::Number, "inf"),
            ColumnNumber::F32(_) => (ColumnKind::Number, ""),
            ColumnNumber::F64(_) => (ColumnKind::Number64, ""),
            ColumnNumber::Prim(_) => (ColumnKind::Prim, "-1"),
            ColumnNumber::U8(_) => (ColumnKind::Text, ""),
            // Whole numbers.
            _ => (ColumnKind::Count, ""),
        };
        let column = AnswerColumn::new(name, kind);
        self.0.push(AnswerColumn { missing, ..column });
    }
}
