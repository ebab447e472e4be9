//! The questions about many items.

use crate::status::{Failure, bad};

/// A question about many rays or points: one of the constants `ESTOC_CLOSEST_HIT` to `ESTOC_CLOSEST_TRIANGLES`.
///
/// Numbers with a fraction are the nearest `float`s, at a world in `double` the nearest `double`s. `prim` is the
/// number of the triangle in its mesh, and `path` those of the placements that lead to the mesh, in worlds with a
/// depth.
pub type estoc_question = i32;
/// Of rays: the first hit, of those at exactly the same place that on the triangle with the lowest number. "t" in
/// lengths of the direction, "prim", "u" and "v" (the weights of the second and third corner), "path". For a miss
/// "prim" is `ESTOC_NONE`, and only that tells it; "t" is infinite.
pub const ESTOC_CLOSEST_HIT: estoc_question = 1;
/// Of rays: "found", 1 if there is a hit, else 0.
pub const ESTOC_ANY_HIT: estoc_question = 2;
/// Of rays: "count", the number of triangles that are touched.
pub const ESTOC_HIT_COUNT: estoc_question = 3;
/// Of rays: "count", how often the surface is crossed: at an edge that triangles share once, and not at all or twice
/// where the ray only grazes.
pub const ESTOC_CROSSING_COUNT: estoc_question = 4;
/// Of rays, in lists: every triangle that is touched, or the first `max_hits`, in order along the ray: as
/// `ESTOC_CLOSEST_HIT`.
pub const ESTOC_ALL_HITS: estoc_question = 5;
/// Of rays, in lists: the crossings of the surface.
pub const ESTOC_CROSSINGS: estoc_question = 6;
/// Of rays, in lists: the hits at different places: of those at exactly the same one that on the triangle with the
/// lowest number.
pub const ESTOC_DISTINCT_HITS: estoc_question = 7;
/// Of points: the closest point of the surface that is not farther than `max_distance`. "distance", "prim", "u", "v",
/// "x", "y", "z" (`double`s in scenes, in local frames, and for points in `double`), "path", and "feature", the part
/// of the triangle: 0 to 2 for a corner, 3 to 5 for an edge, 6 for the face, 255 for none. Where there is none "prim"
/// is `ESTOC_NONE`, and only that tells it; "distance" is infinite.
pub const ESTOC_CLOSEST_POINT: estoc_question = 11;
/// Of points: "distance", that of the surface; infinite where there is none.
pub const ESTOC_DISTANCE: estoc_question = 12;
/// Of points: "found", 1 for a point inside or on the surface by the `rule`, else 0. In scenes by `ESTOC_RULE_PARITY`
/// only: inside at least one closed object.
pub const ESTOC_CONTAINS: estoc_question = 13;
/// Of points, at trees: "signed", the distance, negative inside by the `rule`; and "inside", 1 or 0, 255 for a point
/// that is not finite.
pub const ESTOC_SIGNED_DISTANCE: estoc_question = 14;
/// Of points, at trees whose mesh is closed and oriented: "number", how often the surface winds around the point, and
/// "on_surface", 1 for a point on it, which has no number; 255 for a point that is not finite.
pub const ESTOC_WINDING_NUMBER: estoc_question = 15;
/// Of points, at trees of any mesh: "value", an estimate of the same, and "error", the bound of its error. `double`s.
pub const ESTOC_WINDING_ESTIMATE: estoc_question = 16;
/// Of points, in lists: the triangles that are not farther than `max_distance`, by number: "prim", "path".
pub const ESTOC_WITHIN: estoc_question = 17;
/// Of points, in lists: the `max_triangles` closest triangles, the closest first: as `ESTOC_CLOSEST_POINT`.
pub const ESTOC_CLOSEST_TRIANGLES: estoc_question = 18;

/// Returns the failure of a question that a function does not answer.
#[cold]
pub(crate) fn not_here(question: estoc_question, function: &str) -> Failure {
    bad(format!(
        "{function} does not answer question {question}; see estoc_question"
    ))
}
