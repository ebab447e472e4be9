//! A column of answers, and how its values are read from them.

use estoc::glam::DVec3;
use estoc_rays_io::{ColumnKind, OutputColumn, Texts, Values};
use std::borrow::Cow;

/// A kind of answer that rows show.
pub(crate) trait AnswerKind: 'static {
    /// An answer, with what columns show of it.
    type Answer<'a>: Sync;

    /// Returns whether there is an answer, and no miss.
    fn is_answer(answer: &Self::Answer<'_>) -> bool;
}

/// A column of answers.
pub(crate) struct AnswerColumn<K: AnswerKind> {
    pub(crate) name: &'static str,
    /// Whether there is the column without `--columns`.
    pub(crate) is_usual: bool,
    pub(super) cells: Cells<K>,
}

/// What a column holds, and how it is read from an answer.
pub(crate) enum Cells<K: AnswerKind> {
    Flag(fn(&K::Answer<'_>) -> bool),
    Count(fn(&K::Answer<'_>) -> usize),
    /// A number that answers may lack.
    Number(fn(&K::Answer<'_>) -> Option<f32>),
    /// A direction that answers may lack.
    Direction(fn(&K::Answer<'_>) -> Option<DVec3>),
    /// A point that answers may lack, in `f64`s in the world and `f32`s elsewhere.
    Point(fn(&K::Answer<'_>) -> Option<DVec3>),
    /// A text that answers may lack.
    Text(for<'a> fn(&'a K::Answer<'_>) -> Option<Cow<'a, str>>),
    /// A number that all answers have; see [`numbers`](super::numbers).
    Shared {
        /// Coordinates are `f64`s in the world and `f32`s elsewhere.
        kind: ColumnKind,
        missing: &'static str,
        push: Box<Push<K>>,
    },
}

/// Appends the values of some answers, any for a miss.
pub(super) type Push<K> =
    dyn for<'a> Fn(&[<K as AnswerKind>::Answer<'a>], &mut Values) + Send + Sync;

impl<K: AnswerKind> AnswerColumn<K> {
    pub(crate) fn new(name: &'static str, cells: Cells<K>) -> Self {
        let is_usual = true;
        AnswerColumn {
            name,
            is_usual,
            cells,
        }
    }

    /// Leaves the column out without `--columns`.
    pub(crate) fn on_request(self) -> Self {
        let is_usual = false;
        AnswerColumn { is_usual, ..self }
    }

    /// Returns the column as it is written.
    pub(super) fn output(&self, is_world: bool) -> OutputColumn {
        let missing = match &self.cells {
            Cells::Shared { missing, .. } => missing,
            Cells::Point(_) | Cells::Direction(_) => ",,",
            _ => "",
        };
        OutputColumn::new(self.name, self.kind(is_world)).missing(missing)
    }

    fn kind(&self, is_world: bool) -> ColumnKind {
        match &self.cells {
            Cells::Flag(_) => ColumnKind::Flag,
            Cells::Count(_) => ColumnKind::Count,
            Cells::Number(_) => ColumnKind::Number,
            Cells::Point(_) if is_world => ColumnKind::Vector64,
            Cells::Direction(_) | Cells::Point(_) => ColumnKind::Vector,
            Cells::Text(_) => ColumnKind::Text,
            Cells::Shared { kind, .. } => match kind {
                ColumnKind::Number64 if !is_world => ColumnKind::Number,
                kind => *kind,
            },
        }
    }

    /// Returns an empty list of its values.
    pub(super) fn values(&self, is_world: bool) -> Values {
        match self.kind(is_world) {
            ColumnKind::Flag => Values::Flags(Vec::new()),
            ColumnKind::Count => Values::Counts(Vec::new()),
            ColumnKind::Prim => Values::Prims(Vec::new()),
            ColumnKind::Number => Values::Numbers(Vec::new()),
            ColumnKind::Number64 => Values::Numbers64(Vec::new()),
            ColumnKind::Vector => Values::Vectors(Vec::new()),
            ColumnKind::Vector64 => Values::Vectors64(Vec::new()),
            _ => Values::Texts(Texts::default()),
        }
    }

    /// Appends the values of some answers, any where there is none, and which of them have one if only
    /// the column knows.
    pub(super) fn push(
        &self,
        answers: &[K::Answer<'_>],
        values: &mut Values,
        present: &mut Vec<bool>,
    ) {
        let answers_each = answers.iter();
        match (&self.cells, values) {
            (Cells::Flag(flag), Values::Flags(flags)) => flags.extend(answers_each.map(flag)),
            (Cells::Count(count), Values::Counts(counts)) => {
                counts.extend(answers_each.map(|answer| count(answer) as i64));
            }
            (Cells::Number(number), Values::Numbers(numbers)) => {
                extend(numbers, present, answers_each.map(number));
            }
            (Cells::Direction(vector) | Cells::Point(vector), Values::Vectors(vectors)) => {
                let near = |answer| Some(vector(answer)?.as_vec3().to_array());
                extend(vectors, present, answers_each.map(near));
            }
            (Cells::Point(point), Values::Vectors64(points)) => {
                extend(
                    points,
                    present,
                    answers_each.map(|answer| Some(point(answer)?.to_array())),
                );
            }
            (Cells::Text(text), Values::Texts(texts)) => {
                for answer in answers_each {
                    let text = text(answer);
                    texts.push(text.as_deref().unwrap_or_default());
                    present.push(text.is_some());
                }
            }
            (Cells::Shared { push, .. }, values) => push(answers, values),
            _ => {}
        }
    }
}

/// Appends values, any where there is none, and which of them there are.
fn extend<A: Default>(
    all: &mut Vec<A>,
    present: &mut Vec<bool>,
    values: impl Iterator<Item = Option<A>>,
) {
    for value in values {
        present.push(value.is_some());
        all.push(value.unwrap_or_default());
    }
}
