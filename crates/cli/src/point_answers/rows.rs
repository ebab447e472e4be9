//! Answers as rows in columns.

use super::columns::{AnswerColumn, Column, Columns};
use crate::scene_model::SceneModel;
use estoc_rays_io::{Answers, ColumnKind, ColumnValues, Texts, Values};
use rayon::prelude::*;
use std::sync::Arc;

/// Points whose rows a thread makes at a time.
const PIECE: usize = 1 << 12;

/// What rows are made of.
pub(super) struct Rows<'a, C> {
    pub(super) columns: Columns<C>,
    /// Whether coordinates are those of the world, in `f64`.
    pub(super) is_world: bool,
    /// The scene that was asked, if it was one.
    pub(super) scene: Option<&'a SceneModel>,
}

/// Returns the rows of the answers about all points of a block.
pub(super) fn rows<C: AnswerColumn>(rows: &Rows<'_, C>, answers: &[C::Answer]) -> Answers {
    let pieces: Vec<Answers> = answers
        .par_chunks(PIECE)
        .enumerate()
        .map(|(piece, answers)| Answers {
            items: piece * PIECE..piece * PIECE + answers.len(),
            item_of_row: None,
            columns: (rows.columns.0.iter())
                .map(|column| values(rows, column, answers))
                .collect(),
        })
        .collect();
    Answers::joined(pieces)
}

fn values<C: AnswerColumn>(
    rows: &Rows<'_, C>,
    column: &Column<C>,
    answers: &[C::Answer],
) -> ColumnValues {
    let Column::Answer(column) = column else {
        return ColumnValues::all(Values::Given);
    };
    let mut values = match column.kind(rows.is_world) {
        ColumnKind::Flag => Values::Flags(Vec::new()),
        ColumnKind::Prim => Values::Prims(Vec::new()),
        ColumnKind::Text => Values::Texts(Texts::default()),
        ColumnKind::Number64 => Values::Numbers64(Vec::new()),
        _ => Values::Numbers(Vec::new()),
    };
    let present: Vec<bool> = answers
        .iter()
        .map(|answer| column.push(&mut values, answer, rows.scene))
        .collect();
    let present = present.contains(&false).then(|| Arc::new(present));
    ColumnValues { values, present }
}
