//! A column of answers.

use estoc_batch::{ColumnNumber, ColumnVisitor, Record};
use estoc_rays_io::{ColumnKind, OutputColumn};

/// Which numbers of answers are `f64`s.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Doubles {
    /// None, as on a mesh in `f32`.
    None,
    /// The coordinates, as in a world of placed meshes.
    Coordinates,
    /// All, as on a mesh in `f64`.
    All,
}

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

    /// Returns the column as it is written.
    pub(super) fn output(&self, doubles: Doubles) -> OutputColumn {
        let kind = match (self.kind, doubles) {
            (ColumnKind::Number64, Doubles::None) => ColumnKind::Number,
            (ColumnKind::Vector64, Doubles::None) => ColumnKind::Vector,
            (ColumnKind::Number, Doubles::All) => ColumnKind::Number64,
            (kind, _) => kind,
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
            ColumnNumber::F64(f64::INFINITY) => (ColumnKind::Number64, "inf"),
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
