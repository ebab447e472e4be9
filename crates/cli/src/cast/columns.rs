//! The columns of the answers about rays.

use super::query::Query;
use crate::answer_columns::{AnswerColumn, AnswerKind, Choice, numbers};
use crate::failure::Failure;
use crate::frame::Point;
use crate::value_name::name_of;
use estoc::glam::Vec3;
use estoc::mesh::HitDetails;
use estoc::scene::SceneHit;
use estoc_rays_io::Format;
use std::borrow::Cow;

/// The columns of a result.
pub(super) type Columns = crate::answer_columns::Columns<CastAnswers>;

type Cells = crate::answer_columns::Cells<CastAnswers>;

/// The columns that need the details of a hit.
pub(super) const OF_DETAILS: [&str; 5] = ["point", "normal", "object", "group", "material"];

/// Those of them with a name of the mesh, which its triangles do not tell.
pub(super) const OF_NAMES: &[&str] = OF_DETAILS.split_at(2).1;

/// The column of the name of an object's file or generator, in a scene.
pub(super) const SOURCE: &str = "source";

/// Answers about rays.
pub(super) enum CastAnswers {}

/// What a row shows.
pub(super) enum CastRow<'a> {
    Hit(RowHit<'a>),
    Miss,
    Any(bool),
    Count(usize),
}

impl AnswerKind for CastAnswers {
    type Answer<'a> = CastRow<'a>;

    fn is_answer(row: &CastRow<'_>) -> bool {
        row.hit().is_some()
    }
}

/// A hit with what columns show of it.
pub(super) struct RowHit<'a> {
    pub(super) hit: SceneHit,
    /// If a column needs it; on the heap, since rows are moved.
    pub(super) more: Option<Box<More<'a>>>,
}

/// What a few columns show of a hit.
pub(super) struct More<'a> {
    /// If it is needed.
    pub(super) place: Option<HitPlace>,
    /// Of a triangle, if they are needed.
    pub(super) details: Option<HitDetails<'a>>,
    /// The name of the object's file or generator, in a scene.
    pub(super) source: Option<String>,
}

/// Where a hit is.
#[derive(Clone, Copy, Debug)]
pub(super) struct HitPlace {
    pub(super) point: Point,
    pub(super) normal: Vec3,
}

impl HitPlace {
    pub(super) fn of(details: Option<&HitDetails<'_>>) -> Option<Self> {
        let HitDetails { point, normal, .. } = *details?;
        let point = Point::Near(point);
        Some(HitPlace { point, normal })
    }
}

impl<'a> CastRow<'a> {
    fn hit(&self) -> Option<&RowHit<'a>> {
        match self {
            CastRow::Hit(hit) => Some(hit),
            _ => None,
        }
    }

    fn more(&self) -> Option<&More<'a>> {
        self.hit()?.more.as_deref()
    }

    fn details(&self) -> Option<&HitDetails<'a>> {
        self.more()?.details.as_ref()
    }
}

/// Returns the columns of the answers to a query.
fn answers(query: Query, is_scene: bool) -> Vec<AnswerColumn<CastAnswers>> {
    if matches!(query, Query::Count | Query::Crossings) {
        let count = Cells::Count(|row| match row {
            CastRow::Count(count) => *count,
            _ => 0,
        });
        return vec![AnswerColumn::new("count", count)];
    }
    let hit = Cells::Flag(|row| matches!(row, CastRow::Hit(_) | CastRow::Any(true)));
    let mut all = vec![AnswerColumn::new("hit", hit)];
    if query == Query::Any {
        return all;
    }
    all.extend(numbers(|row: &CastRow<'_>| Some(&row.hit()?.hit)));
    let details = [
        Cells::Point(|row| Some(row.more()?.place?.point.to_f64())),
        Cells::Direction(|row| Some(row.more()?.place?.normal.as_dvec3())),
        Cells::Text(|row| row.details()?.object.map(Cow::from)),
        Cells::Text(|row| row.details()?.group.map(Cow::from)),
        Cells::Text(|row| Some(Cow::from(&row.details()?.material?.name))),
    ];
    let details = OF_DETAILS.into_iter().zip(details);
    all.extend(details.map(|(name, cells)| AnswerColumn::new(name, cells).on_request()));
    if is_scene {
        let source = Cells::Text(|row| row.more()?.source.as_deref().map(Cow::from));
        let path = Cells::Text(|row| Some(row.hit()?.hit.path.to_string().into()));
        all.push(AnswerColumn::new(SOURCE, source));
        all.push(AnswerColumn::new("instance", path));
    }
    all
}

/// Returns the columns with these names, or those that the query has in the format without names, and
/// the input columns that must be passed through for them.
pub(super) fn columns(
    names: &[String],
    (query, is_scene): (Query, bool),
    format: Format,
    input: &[String],
) -> Result<(Columns, Vec<usize>), Failure> {
    let all = [Query::Closest, Query::Count].map(|query| answers(query, true));
    let mut choice = Choice {
        item: "ray",
        answers: answers(query, is_scene),
        reserved: all.iter().flatten().map(|column| column.name).collect(),
        input,
        asked: &format!("--query {} has", name_of(&query)),
    };
    if !names.is_empty() {
        return Columns::new(names, choice);
    }
    // Null or -1 tells a miss, and the place of a record its ray. Where there is no other column, it stays.
    if format != Format::Csv && choice.answers.len() > 1 {
        choice.answers.retain(|column| column.name != "hit");
    }
    let (mut columns, passed) = Columns::new(names, choice)?;
    if format == Format::Npy && !query.lists_hits() {
        columns.drop_item();
    }
    Ok((columns, passed))
}
