//! Answers as rows in columns.

use super::columns::{Columns, More, RowHit};
use estoc::Hit;
use estoc::batch::QueryAnswers;
use estoc::scene::{Ray64, SceneHit, ScenePath};
use estoc_rays_io::Answers;
use rayon::prelude::*;
use std::ops::Range;
use std::sync::Arc;

/// Rays whose rows a thread makes at a time.
const PIECE: usize = 1 << 12;

/// Rows that are appended to one column after the other, at most.
const TOGETHER: usize = 1 << 8;

/// The answers of an engine whose hits are of this type.
pub(super) type AnswersOf<H> = QueryAnswers<Vec<Option<H>>, estoc::batch::Rows<H>>;

/// Returns what columns need beyond a hit.
pub(super) type Tell<'a, H> = dyn Fn(&Ray64, &H, Needed) -> More<'a> + Sync + 'a;

/// A hit that rows show.
pub(super) trait CastHit: Sync {
    /// Returns the hit as that of a scene; its path has no placements if it is on a mesh.
    fn of_scene(&self) -> SceneHit;
}

impl CastHit for Hit {
    fn of_scene(&self) -> SceneHit {
        SceneHit::triangle(ScenePath::ROOT, *self)
    }
}

impl CastHit for SceneHit {
    fn of_scene(&self) -> SceneHit {
        *self
    }
}

/// What columns need beyond the hit itself.
#[derive(Clone, Copy)]
pub(super) struct Needed {
    pub(super) details: bool,
    pub(super) source: bool,
}

impl Needed {
    fn is_any(self) -> bool {
        self.details || self.source
    }
}

/// What rows are made of.
pub(super) struct Rows<'a, 't, H> {
    pub(super) columns: &'a Columns,
    pub(super) tell: &'a Tell<'t, H>,
    /// Whether points are those of the world, in `f64`.
    pub(super) is_world: bool,
}

impl<H: CastHit> Rows<'_, '_, H> {
    /// Returns the rows of the answers about some rays; `first` is the index of the first of them in
    /// its block.
    pub(super) fn of<R: Copy + Into<Ray64> + Sync>(
        &self,
        answers: &AnswersOf<H>,
        rays: &[R],
        first: usize,
    ) -> Answers {
        let pieces: Vec<Answers> = (0..rays.len().div_ceil(PIECE))
            .into_par_iter()
            .map(|piece| {
                let items = piece * PIECE..rays.len().min((piece + 1) * PIECE);
                self.piece(answers, rays, items, first)
            })
            .collect();
        Answers::joined(pieces)
    }

    fn piece<R: Copy + Into<Ray64>>(
        &self,
        answers: &AnswersOf<H>,
        rays: &[R],
        items: Range<usize>,
        first: usize,
    ) -> Answers {
        let needed = Needed {
            details: self.columns.need_details(),
            source: self.columns.need_source(),
        };
        let mut builders = self.columns.builders(self.is_world);
        let tell = |item: usize, hit: &H| {
            let more = || Box::new((self.tell)(&rays[item].into(), hit, needed));
            RowHit {
                hit: hit.of_scene(),
                more: needed.is_any().then(more),
            }
        };
        let mut item_of_row = None;
        let mut are_hits = None;
        match answers {
            QueryAnswers::Closest(hits) => {
                let mut rows = Vec::with_capacity(TOGETHER);
                if hits[items.clone()].iter().any(Option::is_none) {
                    let present = hits[items.clone()].iter().map(Option::is_some);
                    are_hits = Some(Arc::new(present.collect()));
                }
                for place in items.clone().step_by(TOGETHER) {
                    let end = items.end.min(place + TOGETHER);
                    rows.extend((place..end).map(|item| Some(tell(item, hits[item].as_ref()?))));
                    builders.iter_mut().for_each(|builder| builder.push(&rows));
                    rows.clear();
                }
            }
            QueryAnswers::Any(any) => {
                for &any in &any[items.clone()] {
                    builders
                        .iter_mut()
                        .for_each(|builder| builder.push_value(any, 0));
                }
            }
            QueryAnswers::Counts(counts) => {
                for &count in &counts[items.clone()] {
                    builders
                        .iter_mut()
                        .for_each(|builder| builder.push_value(false, count));
                }
            }
            QueryAnswers::Rows(lists) => {
                let mut items_of = Vec::new();
                let mut rows = Vec::with_capacity(TOGETHER);
                for item in items.clone() {
                    for hits in lists.row(item).unwrap_or_default().chunks(TOGETHER) {
                        rows.extend(hits.iter().map(|hit| Some(tell(item, hit))));
                        builders.iter_mut().for_each(|builder| builder.push(&rows));
                        rows.clear();
                        // Blocks have fewer items.
                        items_of.extend(hits.iter().map(|_| (first + item) as u32));
                    }
                }
                item_of_row = Some(items_of);
            }
        }
        Answers {
            items: first + items.start..first + items.end,
            item_of_row,
            columns: (builders.into_iter())
                .map(|builder| builder.finish(are_hits.as_ref()))
                .collect(),
        }
    }
}
