//! Answers as rows in columns.

use super::columns::{CastRow, Columns, More, OF_DETAILS, RowHit, SOURCE};
use crate::answer_columns::in_pieces;
use estoc::Hit;
use estoc::batch::QueryAnswers;
use estoc::scene::{Ray64, SceneHit, ScenePath};
use estoc_rays_io::Answers;
use std::ops::Range;

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
        in_pieces(rays.len(), |items| self.piece(answers, rays, items, first))
    }

    fn piece<R: Copy + Into<Ray64>>(
        &self,
        answers: &AnswersOf<H>,
        rays: &[R],
        items: Range<usize>,
        first: usize,
    ) -> Answers {
        let needed = Needed {
            details: self.columns.show(&OF_DETAILS),
            source: self.columns.show(&[SOURCE]),
        };
        let is_any_needed = needed.details || needed.source;
        let row = |item: usize, hit: &H| {
            let more = || Box::new((self.tell)(&rays[item].into(), hit, needed));
            CastRow::Hit(RowHit {
                hit: hit.of_scene(),
                more: is_any_needed.then(more),
            })
        };
        let mut rows = self.columns.rows(self.is_world);
        let mut item_of_row = None;
        match answers {
            QueryAnswers::Closest(hits) => rows.extend(items.clone().map(|item| {
                let hit = hits[item].as_ref();
                hit.map_or(CastRow::Miss, |hit| row(item, hit))
            })),
            QueryAnswers::Any(any) => {
                rows.extend(any[items.clone()].iter().copied().map(CastRow::Any));
            }
            QueryAnswers::Counts(counts) => {
                rows.extend(counts[items.clone()].iter().copied().map(CastRow::Count));
            }
            QueryAnswers::Rows(lists) => {
                let hits = |item: usize| lists.row(item).unwrap_or_default();
                let (hits, row) = (&hits, &row);
                let of_item = |item: usize| hits(item).iter().map(move |hit| row(item, hit));
                rows.extend(items.clone().flat_map(of_item));
                // Blocks have fewer items.
                let item_of = |item: usize| hits(item).iter().map(move |_| (first + item) as u32);
                item_of_row = Some(items.clone().flat_map(item_of).collect());
            }
        }
        rows.finish(first + items.start..first + items.end, item_of_row)
    }
}
