//! The point of a triangle that is closest to a given point, decided exactly.
//!
//! The closest point is a vertex of the triangle, or lies inside an edge or the face. Which of them
//! it is depends on signs of polynomials (Ericson 2005, "Real-Time Collision Detection", 5.1.5).
//! With the corners `c_i` relative to the point, the edges `e_i = c_(i+1) - c_i` and
//! `n = e_0 x e_1`:
//!
//! | the closest point is | when | squared distance | degrees |
//! |---|---|---|---|
//! | vertex i | `c_i . e_i >= 0` and `c_i . e_(i-1) <= 0` | `\|c_i\|^2` | 2; 2 |
//! | inside edge i | `c_i . e_i < 0 < c_(i+1) . e_i` and `n . (c_i x e_i) <= 0` | `\|c_i x e_i\|^2 / \|e_i\|^2` | 4; 4/2 |
//! | inside the face | otherwise | `(n . c_0)^2 / \|n\|^2` | 4; 6/4 |
//!
//! Squared distances are compared by products, of degree 10 for two faces. All of this is evaluated
//! in `f64` with a bound first (`f64_distance.rs`), and where that leaves a sign, an order or a
//! rounding open, in integers: of 128 bits for coordinates on a coarse grid (`grid_distance.rs`),
//! else of any length (`triangle_distance.rs`).

mod certified_distance;
mod closest_part;
mod closest_point;
mod f64_distance;
mod grid_distance;
mod length;
mod measure;
mod prepared_point;
mod round_near;
mod rounding;
mod triangle_distance;
mod wide_point;

pub(crate) use certified_distance::{CertifiedDistance, are_one_feature};
pub(crate) use closest_part::{Corners, round_point};
pub use closest_point::{ClosestPoint, Feature};
pub use length::Length;
pub(crate) use measure::{DistanceBy, Measure, measured_distance};
pub(crate) use prepared_point::PreparedPoint;
pub(crate) use triangle_distance::{ExactDistance, TriangleDistance};
pub(crate) use wide_point::WidePoint;
