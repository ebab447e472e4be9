//! The columns of the answers about rays.

use super::query::CastQuery;
use crate::answer_columns::{AnswerColumn, Choice, ResultColumns};
use crate::failure::Failure;
use crate::value_name::name_of;
use estoc::scene::SceneHit;
use estoc_rays_io::{ColumnKind, TableFormat};

/// Where a hit is, and the normal there.
pub(super) const POINT: &str = "point";
pub(super) const NORMAL: &str = "normal";

/// The names that a mesh has of the triangle that is hit.
pub(super) const OBJECT: &str = "object";
pub(super) const GROUP: &str = "group";
pub(super) const MATERIAL: &str = "material";

/// The name of an object's file or generator, in a scene, and the path of placements.
pub(super) const SOURCE: &str = "source";
pub(super) const INSTANCE: &str = "instance";

/// Returns the columns of the answers to a query.
fn answers(query: CastQuery, is_scene: bool) -> Vec<AnswerColumn> {
    if matches!(query, CastQuery::Count | CastQuery::Crossings) {
        return vec![AnswerColumn::new("count", ColumnKind::Count)];
    }
    let mut all = vec![AnswerColumn::new("hit", ColumnKind::Flag)];
    if query == CastQuery::Any {
        return all;
    }
    all.extend(AnswerColumn::of_numbers::<SceneHit>());
    let details = [
        (POINT, ColumnKind::Vector64),
        (NORMAL, ColumnKind::Vector),
        (OBJECT, ColumnKind::Text),
        (GROUP, ColumnKind::Text),
        (MATERIAL, ColumnKind::Text),
    ];
    all.extend(details.map(|(name, kind)| AnswerColumn::new(name, kind).on_request()));
    if is_scene {
        all.extend([SOURCE, INSTANCE].map(|name| AnswerColumn::new(name, ColumnKind::Text)));
    }
    all
}

/// Returns the columns with these names, or those that the query has in the format without names, and
/// the input columns that must be passed through for them.
pub(super) fn columns(
    names: &[String],
    (query, is_scene): (CastQuery, bool),
    format: TableFormat,
    input: &[String],
) -> Result<(ResultColumns, Vec<usize>), Failure> {
    let all = [CastQuery::Closest, CastQuery::Count].map(|query| answers(query, true));
    let mut choice = Choice {
        item: "ray",
        answers: answers(query, is_scene),
        reserved: all.iter().flatten().map(|column| column.name).collect(),
        input,
        asked: &format!("--query {} has", name_of(&query)),
    };
    if !names.is_empty() {
        return ResultColumns::new(names, choice);
    }
    // Null or -1 tells a miss, and the place of a record its ray. Where there is no other column, it stays.
    if format != TableFormat::Csv && choice.answers.len() > 1 {
        choice.answers.retain(|column| column.name != "hit");
    }
    let (mut columns, passed) = ResultColumns::new(names, choice)?;
    if format == TableFormat::Npy && !query.lists_hits() {
        columns.drop_item();
    }
    Ok((columns, passed))
}
