//! Questions, and the traits with which an engine is asked.

mod contains;
mod contains_by;
mod item_question;
mod point_query;
mod point_question;
mod question;
mod ray_query;
mod region_query;
mod region_question;
mod sign_question;
mod spawn;
mod spawn64;
mod sweep_query;
mod sweep_question;

pub use contains::Contains;
pub use contains_by::ContainsBy;
pub use point_query::PointQuery;
pub use point_question::{AnyWithin, ClosestK, ClosestPointWithin, Distance, Within};
pub use question::{
    AcceptHit, All, Any, Closest, Count, CountCrossings, Crossings, Distinct, FirstK,
    HitRowQuestion, Question, RowQuestion, Unmasked, ValueQuestion,
};
pub(crate) use question::{SumCrossings, ask_each};
pub use ray_query::RayQuery;
pub use region_query::{CoordinateOf, PairQuery, RegionQuery};
pub use region_question::{AnyOverlap, Overlaps};
pub use sign_question::{EstimatedWinding, SignedDistanceBy, WindingNumber};
pub(crate) use sign_question::{signed_distance, winding_estimate, winding_number};
pub use sweep_query::SweepQuery;
pub use sweep_question::FirstContact;
pub(crate) use sweep_question::first_contact;
